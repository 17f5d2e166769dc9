//! Links libtorch with its part for GPUs.
#![allow(clippy::print_stdout, reason = "this is how a build script speaks")]

use std::env::var_os;

fn main() {
    // Nothing else of the package matters to this script.
    println!("cargo::rerun-if-env-changed=LIBTORCH");
    println!("cargo::rerun-if-env-changed=LIBTORCH_CPU_ONLY");
    if var_os("CARGO_FEATURE_TORCH").is_none() {
        return;
    }
    if var_os("LIBTORCH_CPU_ONLY").is_some() {
        // The part for GPUs lies beside the rest, but the CUDA libraries it needs do not.
        println!("cargo::rustc-link-arg=-Wl,--allow-shlib-undefined");
    } else {
        // No symbol of libtorch itself is used, so a linker would leave it out; but it is what
        // loads the part for GPUs, where it was built with one.
        println!("cargo::rustc-link-arg=-Wl,--push-state,--no-as-needed,-ltorch,--pop-state");
    }
}
