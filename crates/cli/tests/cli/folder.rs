//! A folder of files, and the command line run in it.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A key for tests.
pub(crate) const KEY: &str = "t1:dGVzdHMgb25seSwgbmV2ZXIgZm9yIGFueXRoaW5nIGVsc2U";

/// A temporary folder, which is the working directory of every command.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    /// A folder with these files.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        for (name, text) in files {
            folder.write(name, text.as_bytes());
        }
        folder
    }

    /// Writes a file.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    /// A file's path.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }

    /// What the command line answers: exit code, standard output, standard error.
    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        self.run_with_input(arguments, b"")
    }

    /// The same with something on the standard input.
    pub(crate) fn run_with_input(&self, arguments: &[&str], input: &[u8]) -> String {
        let mut child = self.command(arguments).spawn().unwrap();
        // A command that does not read its input closes it.
        let _ = child.stdin.take().unwrap().write_all(input);
        self.told(&child.wait_with_output().unwrap())
    }

    /// The same with a key of continuations.
    pub(crate) fn run_with_key(&self, arguments: &[&str], key: &str) -> String {
        self.told(&self.command(arguments).env("INTERMISSION_KEY", key).output().unwrap())
    }

    /// The ids of what the run in `a.imt` asks.
    pub(crate) fn ids(&self) -> Vec<String> {
        let output = self.command(&["inspect", "a.imt", "--json"]).output().unwrap();
        let view: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let asked = view["interruptions"].as_array().unwrap();
        asked.iter().map(|asked| asked["id"].as_str().unwrap().to_owned()).collect()
    }

    /// The first of them.
    pub(crate) fn first_id(&self) -> String {
        self.ids().remove(0)
    }

    /// The command, ready to be started.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_intermission"));
        command
            .args(arguments)
            .current_dir(self.folder())
            .env_remove("NO_COLOR")
            .env_remove("INTERMISSION_KEY")
            .env_remove("VISUAL")
            .env_remove("EDITOR")
            .env("TOKEN", "t0p-secret");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// A command's answer as a text in which this folder is called `[folder]`.
    pub(crate) fn told(&self, output: &Output) -> String {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let code = output.status.code().map_or_else(|| output.status.to_string(), |code| code.to_string());
        let part = |name: &str, bytes: &[u8]| match bytes {
            [] => String::new(),
            bytes => format!("--- {name}\n{}", text(bytes)),
        };
        let (stdout, stderr) = (part("stdout", &output.stdout), part("stderr", &output.stderr));
        let told = format!("exit {code}\n{stdout}{stderr}");
        // Both names of the folder: links in its path are followed somewhere.
        let real = self.folder().canonicalize().unwrap();
        told.replace(real.to_str().unwrap(), "[folder]").replace(self.folder().to_str().unwrap(), "[folder]")
    }

    fn folder(&self) -> &Path {
        self.0.path()
    }
}
