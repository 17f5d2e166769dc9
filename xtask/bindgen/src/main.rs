//! Makes an ES module with TypeScript types from a compiled library: `keisei-bindgen LIBRARY FOLDER
//! NAME`.

use anyhow::{Result, bail};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let [library, folder, name] = &args[..] else {
        bail!("expected LIBRARY FOLDER NAME, found {args:?}");
    };
    Bindgen::new()
        .input_path(library)
        .out_name(name)
        .web(true)?
        .typescript(true)
        .omit_default_module_path(false)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(folder)
}
