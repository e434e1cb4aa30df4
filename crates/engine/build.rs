//! Makes the machine code of the guest: one precompiled module a profile, so that a process starts in milliseconds and needs no compiler.

#![expect(clippy::disallowed_methods, reason = "cargo tells a build script what to do in its environment")]

#[path = "src/settings.rs"]
mod settings;

use std::{env, error::Error, fs, path::PathBuf};

use intermission_guest::Profile;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/settings.rs");
    println!("cargo::rerun-if-changed={}", intermission_guest::wasm_path().display());
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let engine = wasmtime::Engine::new(&compiler(&env::var("TARGET")?)?)?;
    for profile in Profile::ALL {
        let image = intermission_guest::image(profile).unwrap_or_else(|error| {
            println!("cargo::error={error}");
            std::process::exit(1);
        });
        fs::write(out.join(profile.name()).with_extension("cwasm"), engine.precompile_module(&image)?)?;
    }
    Ok(())
}

/// The engine's settings and what only a compiler needs to know.
fn compiler(target: &str) -> wasmtime::Result<wasmtime::Config> {
    let mut config = settings::settings();
    // The named target, not this machine: the code must run on every machine of its kind.
    config.target(target)?;
    config.cranelift_opt_level(wasmtime::OptLevel::Speed);
    // NaN has one bit pattern: the guest is a function of what it is fed.
    config.cranelift_nan_canonicalization(true);
    if target.starts_with("x86_64") {
        for feature in ["has_sse3", "has_ssse3", "has_sse41", "has_sse42", "has_popcnt"] {
            #[expect(unsafe_code, reason = "a processor feature is promised to the compiler")]
            // SAFETY: x86-64-v2, which every processor since 2009 has; the loader checks for it before any of the code runs.
            unsafe {
                config.cranelift_flag_enable(feature)
            };
        }
    }
    Ok(config)
}
