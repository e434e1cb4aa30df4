//! What a configuration needs of the machine that it is used on.

use std::path::Path;

use crate::config::Config;
use crate::function::Answerer;
use crate::functions::{Command, Headers};
use crate::server::Transport;

/// Something that has to be there before a function can be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need<'c> {
    /// Of which function or MCP server.
    pub of: &'c str,
    /// What.
    pub what: Needed<'c>,
}

/// What has to be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needed<'c> {
    /// A program: a path, or a name that is looked for in `PATH`.
    Program(&'c Path),
    /// A folder that a program is started in.
    Folder(&'c Path),
    /// A variable of the environment, which nothing can stand for.
    Variable(&'c str),
    /// A variable of the environment that a program is handed, where it is there.
    Handed(&'c str),
}

impl Config {
    /// What its functions and servers need. Nothing is started, and nothing looked for.
    ///
    /// ```
    /// use intermission_config::{Config, Needed};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let folder = tempfile::tempdir()?;
    /// # let file = folder.path().join("intermission.toml");
    /// std::fs::write(&file, "[functions.now]\ncommand = [\"date\"]\nenv = [\"TZ\"]\n")?;
    /// let config = Config::load(Some(&file))?;
    /// let needed: Vec<_> = config.needs().into_iter().map(|need| need.what).collect();
    /// assert!(needed.contains(&Needed::Program("date".as_ref())));
    /// assert!(needed.contains(&Needed::Handed("TZ")));
    /// # Ok(()) }
    /// ```
    pub fn needs(&self) -> Vec<Need<'_>> {
        let functions = self.functions.iter().flat_map(|function| {
            let needed = match &function.answered_by {
                Answerer::Command(command) => of_command(command),
                Answerer::Http(http) => of_headers(&http.headers),
            };
            needed.into_iter().map(|what| Need { of: function.name.get_ref(), what })
        });
        let servers = self.servers.iter().flat_map(|server| {
            let needed = match &server.transport {
                Transport::Stdio(command) => of_command(command),
                Transport::Http { headers, .. } => of_headers(headers),
            };
            needed.into_iter().map(|what| Need { of: server.name.get_ref(), what })
        });
        functions.chain(servers).collect()
    }
}

fn of_command(command: &Command) -> Vec<Needed<'_>> {
    let places = [Needed::Program(&command.program), Needed::Folder(&command.folder)];
    places.into_iter().chain(command.environment.iter().map(|name| Needed::Handed(name))).collect()
}

fn of_headers(headers: &Headers) -> Vec<Needed<'_>> {
    headers.iter().flat_map(|(_, template)| template.variables()).map(Needed::Variable).collect()
}
