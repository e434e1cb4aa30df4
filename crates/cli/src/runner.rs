//! A runner with what the configuration lends.

use std::num::NonZeroU32;

use intermission::RunnerBuilder;
use intermission_config::{Config, Lent};

use crate::failure::Failure;

/// A runner for one run at a time.
pub(crate) fn builder(config: &Config, lent: &Lent) -> Result<RunnerBuilder, Failure> {
    Ok(config.runner(lent)?.max_runs(NonZeroU32::MIN).lanes(NonZeroU32::MIN))
}
