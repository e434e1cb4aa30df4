//! What the configuration's functions need of the machine.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use intermission_config::{Config, Need, Needed};
use rustix::fs::{Access, access};

use super::finding::Finding;
use crate::environment::variable;

const CHECK: &str = "configuration";

/// What is missing.
pub(super) fn check(config: &Config) -> Vec<Finding> {
    config.needs().into_iter().filter_map(missing).collect()
}

fn missing(need: Need<'_>) -> Option<Finding> {
    let of = need.of;
    match need.what {
        Needed::Program(program) if !is_found(program) => {
            let message = format!("{of}: there is no program {}", program.display());
            Some(Finding::fail(CHECK, message).hint("install it, or put its folder into PATH"))
        }
        Needed::Folder(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            let message = format!("{of}: there is no folder {}", folder.display());
            Some(Finding::fail(CHECK, message).hint("make it, or mend `cwd`"))
        }
        Needed::Variable(name) if variable(name).is_none() => {
            let message = format!("{of}: the environment has no variable {name}");
            Some(Finding::fail(CHECK, message).hint(format!("set it: `export {name}=...`")))
        }
        Needed::Handed(name) if variable(name).is_none() => {
            let message = format!("{of}: its program is not handed {name}, which the environment has not");
            Some(Finding::warn(CHECK, message).hint(format!("set it if it is needed: `export {name}=...`")))
        }
        _ => None,
    }
}

/// As a shell looks for it.
fn is_found(program: &Path) -> bool {
    let is_program = |path: &Path| path.is_file() && access(path, Access::EXEC_OK).is_ok();
    if program.as_os_str().as_bytes().contains(&b'/') {
        return is_program(program);
    }
    let folders = variable("PATH").unwrap_or_default();
    std::env::split_paths(&folders).map(|folder: PathBuf| folder.join(program)).any(|path| is_program(&path))
}
