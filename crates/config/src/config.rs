//! The configuration as it is written.

use std::path::{Path, PathBuf};

use intermission::{Limits, Profile};
use serde::Deserialize;
use toml::Spanned;
use toml::de::DeTable;

use crate::error::{ConfigError, LoadError, Problem, Source};
use crate::files::read_file;
use crate::function::FunctionConfig;
use crate::limits::{LimitName, LimitSetting};
use crate::reader::{Reader, table_of};
use crate::rules::{RuleConfig, read_rules};
use crate::server::ServerConfig;

/// Where a configuration is, if nobody says where: in the working directory.
pub const DEFAULT_FILE: &str = "intermission.toml";

/// What functions are lent for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To be looked at. Where nothing is sent to, no secret is missing.
    Look,
    /// To be called.
    Run,
}

/// A configuration that has been read and is in order.
#[derive(Debug)]
pub struct Config {
    /// Which realm scripts have.
    pub profile: Profile,
    /// Whether a script that ends without having waited for its host calls fails.
    pub strict: bool,
    /// Whether `eval` and `Function` take strings.
    pub allow_eval: bool,
    /// Whether every read of the clock and of randomness is an entry of the ledger.
    pub record_reads: bool,
    /// The folder that remembers which answers were first.
    pub claims: Option<PathBuf>,
    /// The file with the keys of continuations.
    pub key_file: Option<PathBuf>,
    /// The folder of modules.
    pub modules: Option<PathBuf>,
    /// Limits of runs.
    pub limits: Limits,
    pub(crate) functions: Vec<FunctionConfig>,
    pub(crate) servers: Vec<ServerConfig>,
    pub(crate) rules: Vec<RuleConfig>,
    pub(crate) source: Source,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            profile: Profile::Full,
            strict: false,
            allow_eval: false,
            record_reads: false,
            claims: None,
            key_file: None,
            modules: None,
            limits: Limits::default(),
            functions: Vec::new(),
            servers: Vec::new(),
            rules: Vec::new(),
            source: Source::default(),
        }
    }
}

impl Config {
    /// The configuration in a file; without one, that of the working directory, if it is there, else one that lends nothing. No program is started.
    ///
    /// # Errors
    /// [`LoadError`].
    pub fn load(path: Option<&Path>) -> Result<Self, LoadError> {
        let path = match path {
            Some(path) => path,
            None if Path::new(DEFAULT_FILE).exists() => Path::new(DEFAULT_FILE),
            None => return Ok(Self::default()),
        };
        let source = read_source(path)?;
        let folder = std::path::absolute(path)
            .ok()
            .and_then(|path| path.parent().map(Path::to_owned))
            .unwrap_or_default();
        match Self::parse(&source.text, &folder) {
            Ok(config) => Ok(Self { source, ..config }),
            Err(problem) => Err(ConfigError::new(&source, problem).into()),
        }
    }

    /// Whether it was read from a file: else there is none, and this is what holds then.
    pub fn is_of_a_file(&self) -> bool {
        !self.source.path.as_os_str().is_empty()
    }

    pub(crate) fn parse(text: &str, folder: &Path) -> Result<Self, Problem> {
        let table = DeTable::parse(text).map_err(|error| Problem::Toml {
            at: error.span().unwrap_or_default(),
            message: error.message().to_owned(),
        })?;
        let mut file = Reader::new("", table.into_inner());
        let flag = |value: Option<Spanned<bool>>| value.is_some_and(Spanned::into_inner);
        let within = |path: Option<Spanned<PathBuf>>| path.map(|path| folder.join(path.into_inner()));
        let profile = file.take::<ProfileName>("profile")?.map(Spanned::into_inner).unwrap_or_default();
        let mut config = Self {
            profile: profile.into(),
            strict: flag(file.take("strict")?),
            allow_eval: flag(file.take("allow_eval")?),
            record_reads: flag(file.take("record_reads")?),
            modules: within(file.take("modules")?),
            claims: within(file.take("claims")?),
            key_file: within(file.take("key_file")?),
            ..Self::default()
        };
        for setting in file.take_table("limits")?.map(read_limits).transpose()?.unwrap_or_default() {
            setting.apply(&mut config.limits);
        }
        let functions =
            file.take_table("functions")?.into_iter().flat_map(Reader::entries).collect::<Vec<_>>();
        let servers = file.take_table("mcp")?.into_iter().flat_map(Reader::entries).collect::<Vec<_>>();
        let rules = file.take_tables("policy")?;
        file.end()?;
        for (name, value) in functions {
            let table = table_of(value, format!("functions.\"{}\"", name.get_ref()))?;
            config.functions.push(FunctionConfig::read(name, table, folder)?);
        }
        for (name, value) in servers {
            let table = table_of(value, format!("mcp.{}", name.get_ref()))?;
            config.servers.push(ServerConfig::read(name, table, folder)?);
        }
        config.rules = read_rules(rules)?;
        Ok(config)
    }
}

/// A realm by its name.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ProfileName {
    #[default]
    Full,
    Bare,
}

impl From<ProfileName> for Profile {
    fn from(name: ProfileName) -> Self {
        match name {
            ProfileName::Full => Self::Full,
            ProfileName::Bare => Self::Bare,
        }
    }
}

fn read_source(path: &Path) -> Result<Source, LoadError> {
    let path_of = path.to_owned();
    match String::from_utf8(read_file(path)?) {
        Ok(text) => Ok(Source { path: path_of, text: text.into() }),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(error.as_bytes()).into();
            let problem =
                Problem::Toml { at: at..at + 1, message: "the configuration is not UTF-8".to_owned() };
            Err(ConfigError::new(&Source { path: path_of, text }, problem).into())
        }
    }
}

fn read_limits(mut table: Reader<'_>) -> Result<Vec<LimitSetting>, Problem> {
    let mut settings = Vec::new();
    for name in LimitName::all() {
        if let Some(amount) = table.take::<Amount>(name)? {
            let at = amount.span();
            let limit =
                LimitName::find(name).and_then(|limit| limit.set_to(&amount.into_inner().to_string()));
            settings.push(limit.map_err(|error| Problem::Limit { at, error })?);
        }
    }
    table.end()?;
    Ok(settings)
}

/// `100` or `"64MB"`.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a number or a text like \"10s\"")]
enum Amount {
    Number(u64),
    Text(String),
}

impl std::fmt::Display for Amount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}
