//! One MCP server of the configuration.

use std::path::Path;
use std::time::Duration;

use intermission::Effect;
use toml::Spanned;

use crate::effect::EffectName;
use crate::error::Problem;
use crate::function::{read_command, read_headers};
use crate::functions::{Command, Headers, read_url};
use crate::pattern::Pattern;
use crate::reader::{Reader, table_of};

/// How long a server may take to start, by default.
const START_TIMEOUT: Duration = Duration::from_secs(30);

/// A server, and what is lent of it.
#[derive(Clone, Debug)]
pub(crate) struct ServerConfig {
    /// The group of its functions.
    pub(crate) name: Spanned<String>,
    pub(crate) transport: Transport,
    /// How long it may take until it has told its tools.
    pub(crate) start_timeout: Duration,
    /// Which of its tools are lent; all where nothing is said.
    pub(crate) lend: Vec<Pattern>,
    /// Of all its tools.
    pub(crate) all: ToolConfig,
    /// Of single ones, by the names that the server calls them.
    pub(crate) tools: Vec<(Spanned<String>, ToolConfig)>,
}

/// How it is spoken to.
#[derive(Clone, Debug)]
pub(crate) enum Transport {
    Stdio(Command),
    Http { url: String, headers: Headers },
}

/// What is said of a tool, in place of what the server says.
#[derive(Clone, Debug, Default)]
pub(crate) struct ToolConfig {
    /// Its name within the group.
    pub(crate) name: Option<Spanned<String>>,
    pub(crate) description: Option<String>,
    pub(crate) effect: Option<Effect>,
    pub(crate) approval: Option<bool>,
    /// How long one call may take; as long as the run if it is not given.
    pub(crate) timeout: Option<Duration>,
}

impl ServerConfig {
    /// Reads the table of a server. Paths in it are relative to `folder`.
    pub(crate) fn read(name: Spanned<String>, mut table: Reader<'_>, folder: &Path) -> Result<Self, Problem> {
        let command = read_command(&mut table, folder)?;
        let url_key = table.path("url");
        let url = table.take::<String>("url")?;
        let headers = read_headers(&mut table)?;
        let start_timeout = table.take_duration("start_timeout")?.unwrap_or(START_TIMEOUT);
        let lend_key = table.path("lend");
        let lend = table.take_texts("lend")?.into_iter().map(|text| Pattern::read(&text, &lend_key));
        let lend = lend.collect::<Result<_, _>>()?;
        let all = ToolConfig::of_all(&mut table)?;
        let tools = table.take_table("tools")?.map(read_tools).transpose()?.unwrap_or_default();
        table.end()?;
        let transport = |what| Problem::Transport { at: name.span(), server: name.get_ref().clone(), what };
        let transport = match (command, url) {
            (Some(command), None) => Transport::Stdio(command),
            (None, Some(url)) => match read_url(url.get_ref()) {
                Ok(_) => Transport::Http { url: url.into_inner(), headers },
                Err(problem) => return Err(Problem::Value { at: url.span(), key: url_key, problem }),
            },
            (None, None) => return Err(transport("neither a command nor a url")),
            (Some(_), Some(_)) => return Err(transport("both a command and a url")),
        };
        Ok(Self { name, transport, start_timeout, lend, all, tools })
    }

    /// Whether a tool is lent.
    pub(crate) fn lends(&self, tool: &str) -> bool {
        self.lend.is_empty() || self.lend.iter().any(|pattern| pattern.matches(tool))
    }

    /// What is said of a tool: of itself, else of all.
    pub(crate) fn of_tool(&self, tool: &str) -> ToolConfig {
        let own = self.tools.iter().find(|(name, _)| name.get_ref() == tool).map(|(_, own)| own.clone());
        let own = own.unwrap_or_default();
        ToolConfig {
            effect: own.effect.or(self.all.effect),
            approval: own.approval.or(self.all.approval),
            timeout: own.timeout.or(self.all.timeout),
            ..own
        }
    }
}

impl ToolConfig {
    /// What can be said of every tool of a server.
    fn of_all(table: &mut Reader<'_>) -> Result<Self, Problem> {
        let effect = table.take::<EffectName>("effect")?.map(|effect| effect.into_inner().into());
        let approval = table.take("approval")?.map(Spanned::into_inner);
        let timeout = table.take_duration("timeout")?;
        Ok(Self { effect, approval, timeout, ..Self::default() })
    }

    fn read(mut table: Reader<'_>) -> Result<Self, Problem> {
        let name = table.take("name")?;
        let description = table.take("description")?.map(Spanned::into_inner);
        let all = Self::of_all(&mut table)?;
        table.end()?;
        Ok(Self { name, description, ..all })
    }
}

fn read_tools(table: Reader<'_>) -> Result<Vec<(Spanned<String>, ToolConfig)>, Problem> {
    let name_of_table = table.path("");
    let entries = table.entries();
    entries
        .map(|(name, value)| {
            let table = table_of(value, format!("{name_of_table}\"{}\"", name.get_ref()))?;
            Ok((name, ToolConfig::read(table)?))
        })
        .collect()
}
