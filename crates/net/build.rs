//! Links libtorch with what it brings along for GPUs.
#![allow(clippy::print_stdout, reason = "this is how a build script speaks")]

fn main() {
    // Nothing else of the package matters to this script.
    println!("cargo::rerun-if-env-changed=LIBTORCH");
    if std::env::var_os("CARGO_FEATURE_TORCH").is_some() {
        // No symbol of libtorch itself is used, so a linker would leave it out; but it is what
        // loads the part for GPUs, where it was built with one.
        println!("cargo::rustc-link-arg=-Wl,--push-state,--no-as-needed,-ltorch,--pop-state");
    }
}
