//! The configurations that come with the program.

/// Each preset's name and its TOML text, as in the `configs` folder.
pub const PRESETS: &[(&str, &str)] = &[
    ("cpu", include_str!("../../../../configs/cpu.toml")),
    ("cpu-smoke", include_str!("../../../../configs/cpu-smoke.toml")),
    ("gpu", include_str!("../../../../configs/gpu.toml")),
    ("document", include_str!("../../../../configs/document.toml")),
    ("chess-cpu", include_str!("../../../../configs/chess-cpu.toml")),
    ("animal", include_str!("../../../../configs/animal.toml")),
];
