//! Effect classes by their names.

use intermission::Effect;
use serde::Deserialize;

/// [`Effect`], as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum EffectName {
    Pure,
    Idempotent,
    Unsafe,
}

impl EffectName {
    /// Every name.
    pub(crate) const ALL: [&str; 3] = ["pure", "idempotent", "unsafe"];
}

impl From<EffectName> for Effect {
    fn from(name: EffectName) -> Self {
        match name {
            EffectName::Pure => Self::Pure,
            EffectName::Idempotent => Self::Idempotent,
            EffectName::Unsafe => Self::Unsafe,
        }
    }
}
