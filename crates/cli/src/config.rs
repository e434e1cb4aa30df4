//! `intermission.toml`: what scripts are lent and what they may use. `docs/cli.md` has every key.

mod error;
mod function;
mod reader;

use std::path::{Path, PathBuf};

use intermission::{HostFunctions, HostFunctionsError, Limits};
use toml::Spanned;
use toml::de::DeTable;

pub(crate) use self::error::ConfigError;
use self::error::Problem;
pub(crate) use self::function::{AnsweredBy, FunctionConfig};
use self::reader::{Reader, table_of};
use crate::arguments::ProfileName;
use crate::failure::Failure;
use crate::functions::host_function;
use crate::limits::{LimitName, LimitSetting};
use crate::script::read_file;

const DEFAULT_FILE: &str = "intermission.toml";

/// What a configuration is read for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Purpose<'a> {
    /// To know what scripts are lent.
    Look,
    /// To run a script, within these limits before those of the configuration.
    Run(&'a [LimitSetting]),
}

/// A configuration that has been read and is in order.
#[derive(Debug, Default)]
pub(crate) struct Config {
    pub(crate) profile: ProfileName,
    pub(crate) strict: bool,
    pub(crate) allow_eval: bool,
    /// Whether every read of the clock and of randomness is an entry of the ledger.
    pub(crate) record_reads: bool,
    /// The folder that remembers which answers were first.
    pub(crate) claims: Option<PathBuf>,
    /// The file with the keys of continuations.
    pub(crate) key_file: Option<PathBuf>,
    /// The folder of modules.
    pub(crate) modules: Option<PathBuf>,
    pub(crate) limits: Limits,
    pub(crate) functions: Vec<FunctionConfig>,
    pub(crate) host_functions: HostFunctions,
}

impl Config {
    /// The configuration in a file; without one, that of the working directory, if it is there.
    pub(crate) fn load(path: Option<&Path>, purpose: Purpose<'_>) -> Result<Self, Failure> {
        let path = match path {
            Some(path) => path,
            None if Path::new(DEFAULT_FILE).exists() => Path::new(DEFAULT_FILE),
            None => {
                let mut config = Self::default();
                set(&mut config.limits, purpose.limits());
                return Ok(config);
            }
        };
        let text = read_text(path)?;
        let folder = std::path::absolute(path)
            .ok()
            .and_then(|path| path.parent().map(Path::to_owned))
            .unwrap_or_default();
        Self::parse(&text, &folder, purpose).map_err(|problem| ConfigError::new(path, &text, problem).into())
    }

    fn parse(text: &str, folder: &Path, purpose: Purpose<'_>) -> Result<Self, Problem> {
        let table = DeTable::parse(text).map_err(|error| Problem::Toml {
            at: error.span().unwrap_or_default(),
            message: error.message().to_owned(),
        })?;
        let mut file = Reader::new("", table.into_inner());
        let mut config = Self {
            profile: file.take("profile")?.map(Spanned::into_inner).unwrap_or_default(),
            strict: file.take("strict")?.is_some_and(Spanned::into_inner),
            allow_eval: file.take("allow_eval")?.is_some_and(Spanned::into_inner),
            record_reads: file.take("record_reads")?.is_some_and(Spanned::into_inner),
            modules: file.take::<PathBuf>("modules")?.map(|modules| folder.join(modules.into_inner())),
            claims: file.take::<PathBuf>("claims")?.map(|claims| folder.join(claims.into_inner())),
            key_file: file.take::<PathBuf>("key_file")?.map(|path| folder.join(path.into_inner())),
            ..Self::default()
        };
        let own_limits = file.take_table("limits")?.map(read_limits).transpose()?.unwrap_or_default();
        set(&mut config.limits, own_limits.iter().chain(purpose.limits()));
        let functions: Vec<_> = file.take_table("functions")?.into_iter().flat_map(Reader::entries).collect();
        file.end()?;
        let names: Vec<_> = functions.iter().map(|(name, _)| name.clone()).collect();
        for (name, value) in functions {
            let table = table_of(value, format!("functions.\"{}\"", name.get_ref()))?;
            config.functions.push(FunctionConfig::read(name, table, folder, purpose)?);
        }
        let output = config.limits.output;
        config.host_functions =
            HostFunctions::new(config.functions.iter().map(|one| host_function(one, output)))
                .map_err(|error| Problem::Functions { at: place_of(&error, &names), error })?;
        Ok(config)
    }
}

impl Purpose<'_> {
    fn limits(&self) -> &[LimitSetting] {
        match self {
            Self::Look => &[],
            Self::Run(limits) => limits,
        }
    }
}

fn set<'s>(limits: &mut Limits, settings: impl IntoIterator<Item = &'s LimitSetting>) {
    for setting in settings {
        setting.apply(limits);
    }
}

fn read_text(path: &Path) -> Result<String, Failure> {
    String::from_utf8(read_file(path)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(error.as_bytes());
        let problem = Problem::Toml { at: at..at + 1, message: "the configuration is not UTF-8".to_owned() };
        ConfigError::new(path, &text, problem).into()
    })
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
#[derive(serde::Deserialize)]
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

/// Where the function is that a set of functions is refused for.
fn place_of(error: &HostFunctionsError, names: &[Spanned<String>]) -> std::ops::Range<usize> {
    let blamed = match error {
        HostFunctionsError::Name { name }
        | HostFunctionsError::Reserved { name }
        | HostFunctionsError::Duplicate { name }
        | HostFunctionsError::BlockingApproval { name }
        | HostFunctionsError::Schema { name, .. } => name.as_str(),
        _ => "",
    };
    let whole = |name: &&Spanned<String>| *name.get_ref() == blamed;
    // The name of a group, or a name within one.
    let in_group = |name: &&Spanned<String>| name.get_ref().split('.').any(|part| part == blamed);
    names.iter().find(whole).or_else(|| names.iter().find(in_group)).map(Spanned::span).unwrap_or_default()
}
