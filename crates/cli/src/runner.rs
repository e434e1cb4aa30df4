//! A runner with what the configuration lends.

use std::num::NonZeroU32;

use intermission::{Runner, RunnerBuilder};

use crate::config::Config;
use crate::failure::Failure;
use crate::modules_folder::ModulesFolder;

/// A runner for one run at a time.
pub(crate) fn builder(config: &Config) -> Result<RunnerBuilder, Failure> {
    let builder = Runner::builder()
        .host_functions(config.host_functions.clone())
        .limits(config.limits)
        .strict(config.strict)
        .allow_eval(config.allow_eval)
        .record_reads(config.record_reads)
        .profile(config.profile.into())
        .max_runs(NonZeroU32::MIN)
        .lanes(NonZeroU32::MIN);
    match &config.modules {
        Some(folder) => Ok(builder.modules(ModulesFolder::new(folder)?)),
        None => Ok(builder),
    }
}
