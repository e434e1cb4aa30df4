//! `intermission check`.

mod argument;
mod findings;
mod fit;
mod globals;
mod names;

use intermission_config::{Config, Purpose};
use serde_json::Value as Json;

use self::findings::Findings;
use self::globals::globals;
use self::names::Names;
use crate::arguments::CheckArguments;
use crate::diagnostic::Diagnostic;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::script::Script;
use crate::terminal;

/// Reads the script and tells what is wrong with it. Nothing of it is executed.
pub(crate) fn check(arguments: &CheckArguments) -> Result<Exit, Failure> {
    let config = Config::load(arguments.config.config.as_deref())?;
    let findings = match Script::read(&arguments.script) {
        Ok(script) => {
            let lent = config.lend(Purpose::Look)?;
            let functions = lent.host_functions();
            let names = Names::new(functions, globals(&config, &lent)?);
            Findings { script: &script, functions, limits: &config.limits, names }.all()
        }
        Err(failure @ Failure::NotUtf8 { .. }) => vec![failure.diagnostic()],
        Err(failure) => return Err(failure),
    };
    if arguments.json {
        let findings = findings.iter().map(Diagnostic::to_json).collect::<Json>();
        terminal::print(&format!("{findings:#}"))?;
    } else {
        terminal::show(&findings);
    }
    Ok(if findings.is_empty() { Exit::Completed } else { Exit::Failed })
}
