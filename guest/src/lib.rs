//! Turns the compiled C of the guest into the module that the engine loads.
//!
//! ```text
//! guest/c ──(cargo xtask guest)──► guest.wasm ──(here, with guest/js)──► image ──(engine's build script)──► machine code
//! ```
//!
//! `guest.wasm` is an ordinary module. [`image`] runs its set-up at build time, twice for each profile: the first time shows which blocks of
//! memory runs write to, and what the second leaves is kept. So the module's memory already holds a runtime, a context and a realm, and a run
//! starts in microseconds. It then makes the module stoppable ([`stop_checks`]).

mod places;
mod preinitialise;
mod realm_files;
pub mod stop_checks;

use std::path::PathBuf;

/// Which realm an image holds. Chosen when a run starts; each is an image of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// What language models expect: ECMAScript, console, timers, URL, crypto, events and the like.
    Full,
    /// ECMAScript and console.
    Bare,
    /// The bare realm, none of whose built-ins can be changed.
    Locked,
}

impl Profile {
    /// Every profile.
    pub const ALL: [Self; 3] = [Self::Full, Self::Bare, Self::Locked];

    /// Its name: `full`, `bare` or `locked`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Bare => "bare",
            Self::Locked => "locked",
        }
    }
}

/// Why no image could be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The C has not been compiled on this machine.
    #[error("the guest is not built ({path}: {source}): run `cargo xtask guest`")]
    NotBuilt {
        /// Where it was looked for.
        path: PathBuf,
        /// What the file system said.
        source: std::io::Error,
    },
    /// A file of `guest/js` threw, or the set-up trapped.
    #[error("the set-up of the {profile} realm failed: {reason}")]
    SetUp {
        /// Which realm.
        profile: &'static str,
        /// What it said.
        reason: String,
    },
    /// The module is not of the form that the stop checks need.
    #[error("the guest cannot be made stoppable: {0}")]
    StopChecks(String),
}

/// Where `cargo xtask guest` puts the compiled C. A published crate contains it.
pub fn wasm_path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("guest.wasm")
}

/// The module that the engine compiles: `guest.wasm`, set up and stoppable. The same bytes every time.
///
/// # Errors
/// When the C is not compiled, the set-up fails, or the module has not the expected form.
pub fn image(profile: Profile) -> Result<Vec<u8>, BuildError> {
    let path = wasm_path();
    let wasm = std::fs::read(&path).map_err(|source| BuildError::NotBuilt { path, source })?;
    let prepared = preinitialise::preinitialise(&wasm, profile)
        .map_err(|reason| BuildError::SetUp { profile: profile.name(), reason })?;
    Ok(stop_checks::add(&prepared)?.wasm)
}
