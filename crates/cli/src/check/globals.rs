//! Which globals a script finds.

use std::collections::BTreeSet;

use intermission::Value;
use intermission_config::{Config, Lent};

use crate::failure::Failure;
use crate::runner;

/// The names of all globals of the configuration's realm. Nobody knows them better than the realm itself: it is asked by a script of our own.
pub(super) fn globals(config: &Config, lent: &Lent) -> Result<BTreeSet<String>, Failure> {
    let runner = runner::builder(config, lent)?.build()?;
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Failure::Runtime)?;
    let names = runtime.block_on(runner.run("return Object.getOwnPropertyNames(globalThis)")).into_value();
    let names = names.map_err(|error| Failure::Realm(error.to_string()))?;
    let names = names.as_array().unwrap_or_default().iter().flatten().filter_map(Value::as_str);
    Ok(names.map(str::to_owned).collect())
}
