//! `intermission doctor`.

mod environment;
mod finding;
mod of_store;

use intermission_config::{Config, Purpose};
use serde_json::Value as Json;

use self::finding::{Finding, Status};
use crate::arguments::{DoctorArguments, TrustArguments};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::keeping::Keeper;
use crate::runtime::block_on;
use crate::terminal;

/// Checks all that commands need. Nothing is run, and no run changes; MCP servers are started, to be asked for their tools.
pub(crate) fn doctor(arguments: &DoctorArguments) -> Result<Exit, Failure> {
    let mut findings = vec![version()];
    findings.extend(block_on(of_store::check(&arguments.store))?);
    findings.extend(of_configuration(arguments));
    if arguments.json {
        let all: Json = findings.iter().map(Finding::to_json).collect();
        terminal::print(&format!("{all:#}"))?;
    } else {
        for finding in &findings {
            terminal::print(&finding.to_text())?;
        }
    }
    let fails = findings.iter().any(|finding| finding.status == Status::Fail);
    Ok(if fails { Exit::Failed } else { Exit::Completed })
}

fn version() -> Finding {
    Finding::ok("version", format!("intermission {}", env!("CARGO_PKG_VERSION")))
}

fn of_configuration(arguments: &DoctorArguments) -> Vec<Finding> {
    const CHECK: &str = "configuration";
    let path = arguments.config.config.as_deref();
    let config = match Config::load(path) {
        Ok(config) => config,
        Err(error) => return vec![Finding::failed(CHECK, &Failure::from(error))],
    };
    if !config.is_of_a_file() {
        return vec![
            Finding::ok(CHECK, "there is none: scripts are lent nothing".to_owned())
                .hint("write `intermission.toml`; docs/configuration.md has every key"),
            key(&config),
        ];
    }
    let mut findings = environment::check(&config);
    // What is missing would be said once more.
    if findings.iter().all(|finding| finding.status != Status::Fail) {
        findings.push(match config.lend(Purpose::Look) {
            Ok(lent) => {
                let names = lent.host_functions().names().count();
                Finding::ok(CHECK, format!("in order, {names} host functions"))
            }
            Err(error) => Finding::failed(CHECK, &Failure::from(error)),
        });
    }
    findings.push(key(&config));
    findings
}

/// The key of continuations, which durable runs do not need.
fn key(config: &Config) -> Finding {
    const CHECK: &str = "key";
    match Keeper::new(config, TrustArguments { unprotected: false }) {
        Ok(keeper) if keeper.has_key() => Finding::ok(CHECK, "continuations are sealed".to_owned()),
        Ok(_) => Finding::ok(CHECK, "there is none: continuations in files are not protected".to_owned()),
        Err(failure) => Finding::failed(CHECK, &failure),
    }
}
