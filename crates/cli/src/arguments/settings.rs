//! What changes how a run goes: whoever goes on with it gives it again.

use std::path::{Path, PathBuf};

use clap::Args;
use intermission_config::{Config, LimitSetting};

use super::ConfigArguments;
use crate::failure::Failure;
use crate::keeping::shell_path;

/// Settings of a run, which go before those of the configuration.
#[derive(Debug, Args)]
pub(crate) struct SettingsArguments {
    #[command(flatten)]
    config: ConfigArguments,
    #[command(flatten)]
    limits: LimitArguments,
    /// Fails a script that ends without having waited for its host calls.
    #[arg(long)]
    strict: bool,
    /// A folder whose files the script may import, and nothing outside of it.
    #[arg(long, value_name = "FOLDER")]
    modules: Option<PathBuf>,
}

impl SettingsArguments {
    /// The configuration with these settings.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub(crate) fn configuration(&self) -> Result<Config, Failure> {
        let mut config = Config::load(self.config.config.as_deref())?;
        self.limits.settings().into_iter().for_each(|limit| limit.apply(&mut config.limits));
        config.strict |= self.strict;
        config.modules = self.modules.clone().or(config.modules);
        Ok(config)
    }

    /// Them as options for the next command, with the limits that are to be kept.
    pub(crate) fn options(&self, keeps: impl Fn(&str) -> bool) -> String {
        let limits = self.limits.settings().into_iter().filter(|limit| keeps(limit.name()));
        let limits: Vec<_> = limits.map(|limit| format!(" --limit {limit}")).collect();
        let strict = if self.strict { " --strict" } else { "" };
        let modules = option("--modules", self.modules.as_deref());
        let config = option("--config", self.config.config.as_deref());
        format!("{config}{modules}{strict}{}", limits.concat())
    }
}

fn option(name: &str, path: Option<&Path>) -> String {
    path.map_or_else(String::new, |path| format!(" {name} {}", shell_path(path)))
}

/// Limits, which go before those of the configuration.
#[derive(Debug, Args)]
pub(crate) struct LimitArguments {
    /// Wall-clock time, host functions included: `10s`.
    #[arg(long, value_name = "TIME", value_parser = amount_of("deadline"))]
    deadline: Option<LimitSetting>,
    /// Time that the script computes: `5s`.
    #[arg(long, value_name = "TIME", value_parser = amount_of("cpu"))]
    cpu: Option<LimitSetting>,
    /// Loops and calls of the script: the same number on every machine.
    #[arg(long, value_name = "NUMBER", value_parser = amount_of("fuel"))]
    fuel: Option<LimitSetting>,
    /// Memory of the script: `64MB`.
    #[arg(long, value_name = "SIZE", value_parser = amount_of("memory"))]
    memory: Option<LimitSetting>,
    /// Any other limit (docs/cli.md): `--limit calls=100`. May be repeated.
    #[arg(long = "limit", value_name = "NAME=VALUE")]
    others: Vec<LimitSetting>,
}

impl LimitArguments {
    /// The limits that are set, in the order in which they are.
    pub(crate) fn settings(&self) -> Vec<LimitSetting> {
        let own = [self.deadline, self.cpu, self.fuel, self.memory];
        own.into_iter().flatten().chain(self.others.iter().copied()).collect()
    }
}

/// Reads an amount of one limit.
fn amount_of(
    name: &'static str,
) -> impl Fn(&str) -> Result<LimitSetting, String> + Clone + Send + Sync + 'static {
    move |amount| format!("{name}={amount}").parse()
}
