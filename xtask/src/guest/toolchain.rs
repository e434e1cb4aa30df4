//! The C compiler: zig's clang out of a Python wheel, in a virtual environment under `.tools`.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::Error;
use crate::process::Step;
use crate::repository::Repository;

/// What the environment holds, with the hashes of every wheel.
pub(super) const REQUIREMENTS: &str = "guest/requirements.txt";

/// Everything that a build downloads or caches.
pub(super) fn folder(repository: &Repository) -> PathBuf {
    repository.path(".tools")
}

/// Held while a build runs: a second one waits for it.
pub(super) fn lock(repository: &Repository) -> Result<File, Error> {
    let folder = folder(repository);
    std::fs::create_dir_all(&folder).map_err(Error::at(&folder))?;
    let path = folder.join("lock");
    let lock = File::create(&path).map_err(Error::at(&path))?;
    lock.lock().map_err(Error::at(&path))?;
    Ok(lock)
}

/// The Python of the environment, which is made anew when the requirements changed.
pub(super) fn python(repository: &Repository) -> Result<PathBuf, Error> {
    let requirements = repository.path(REQUIREMENTS);
    let wanted = std::fs::read(&requirements).map_err(Error::at(&requirements))?;
    let environment = folder(repository).join("python");
    // Written last: an environment without it was left half made.
    let installed = environment.join("installed.txt");
    let python = environment.join("bin/python");
    if std::fs::read(&installed).is_ok_and(|installed| installed == wanted) && python.exists() {
        return Ok(python);
    }
    println!("installing the C compiler under .tools (about 100 MB)");
    make_environment(&environment)?;
    install(&python, &requirements)?;
    std::fs::write(&installed, wanted).map_err(Error::at(&installed))?;
    Ok(python)
}

fn make_environment(environment: &Path) -> Result<(), Error> {
    let mut command = Command::new("python3");
    command.args(["-m", "venv", "--clear"]).arg(environment);
    Step::start(
        "python3 -m venv",
        "a Python 3 with its `venv` module must be on the path (Debian: apt-get install python3-venv)",
        &mut command,
    )?
    .wait()?;
    Ok(())
}

fn install(python: &Path, requirements: &Path) -> Result<(), Error> {
    let mut command = Command::new(python);
    command
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"])
        .args(["--only-binary", ":all:", "--require-hashes", "-r"])
        .arg(requirements);
    Step::start(
        "pip install -r guest/requirements.txt",
        "it needs PyPI (or a mirror in pip's configuration), 500 MB of disk, and a wheel for this platform",
        &mut command,
    )?
    .wait()?;
    Ok(())
}
