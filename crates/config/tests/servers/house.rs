//! A folder with a configuration, and what is run with it.

use std::net::SocketAddr;
use std::path::PathBuf;

use intermission::{RunResult, Runner};
use intermission_config::{Config, ConfigError, Lent, Purpose};
use intermission_testkit::McpServer;
use serde_json::Value as Json;

/// A temporary folder with a configuration.
pub(crate) struct House {
    folder: tempfile::TempDir,
    pub(crate) config: Config,
}

impl House {
    /// `[server]` in the text is this program as a server that writes what it does into the log, `[folder]` the folder.
    pub(crate) fn with(config: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let program = std::env::current_exe().unwrap();
        let log = folder.path().join("log");
        let server = format!(
            "{:?}, \"--serve\", \"--log\", {:?}",
            program.display().to_string(),
            log.display().to_string()
        );
        let text =
            config.replace("[server]", &server).replace("[folder]", &folder.path().display().to_string());
        let file = folder.path().join("intermission.toml");
        std::fs::write(&file, text).unwrap();
        let config = Config::load(Some(&file)).unwrap();
        Self { folder, config }
    }

    /// One server `s`, started from a program.
    pub(crate) fn stdio(settings: &str) -> Self {
        Self::with(&format!("[mcp.s]\ncommand = [[server]]\n{settings}"))
    }

    /// One server `s`, reached by HTTP.
    pub(crate) fn http(address: SocketAddr, settings: &str) -> Self {
        Self::with(&format!("[mcp.s]\nurl = \"http://{address}/mcp\"\n{settings}"))
    }

    pub(crate) fn lend(&self) -> Lent {
        self.config.lend(Purpose::Run).unwrap()
    }

    /// What a script with these functions gives, or the code and message of what it throws.
    pub(crate) fn run(&self, script: &str) -> String {
        told(&run(&self.runner(&self.lend()), script))
    }

    pub(crate) fn runner(&self, lent: &Lent) -> Runner {
        self.config.runner(lent).unwrap().build().unwrap()
    }

    /// Why nothing is lent: code, message, what is marked, what to do.
    pub(crate) fn refusal(&self) -> String {
        match self.config.lend(Purpose::Run) {
            Ok(_) => panic!("it lends"),
            Err(error) => explained(&error),
        }
    }

    pub(crate) fn log_path(&self) -> PathBuf {
        self.folder.path().join("log")
    }

    /// What servers have written.
    pub(crate) fn log(&self) -> Vec<String> {
        let log = std::fs::read_to_string(self.log_path()).unwrap_or_default();
        log.lines().map(str::to_owned).collect()
    }

    /// Waits until servers have written this line.
    pub(crate) fn wait_for(&self, line: &str) {
        while !self.log().iter().any(|written| written == line) {
            std::thread::yield_now();
        }
    }
}

pub(crate) fn explained(error: &ConfigError) -> String {
    let marked = &error.text()[error.at()];
    format!("{}: {error}\n  at: {marked}\n  help: {}", error.code(), error.hint().unwrap_or_default())
}

pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

pub(crate) fn run(runner: &Runner, script: &str) -> RunResult {
    runtime().block_on(runner.run(script))
}

pub(crate) fn told(result: &RunResult) -> String {
    match result {
        RunResult::Completed { value, .. } => format!("{value:?}"),
        RunResult::Failed { error, .. } => format!("{}: {error}", error.code()),
        other => format!("{other:?}"),
    }
}

/// A server that is reached by HTTP, on a runtime that lives as long as the test.
pub(crate) fn served(server: McpServer) -> (SocketAddr, tokio::runtime::Runtime) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let address = runtime.block_on(server.serve_http()).unwrap();
    (address, runtime)
}

/// What a function is declared as.
pub(crate) fn schema(lent: &Lent, name: &str) -> Option<Json> {
    let function = lent.host_functions().iter().find(|function| function.name() == name)?;
    function.declared().input_schema.cloned()
}
