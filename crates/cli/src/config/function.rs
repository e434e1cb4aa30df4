//! One host function of the configuration.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use intermission::Effect;
use serde::Deserialize;
use serde_json::Value as Json;
use toml::Spanned;

use super::Purpose;
use super::error::Problem;
use super::reader::Reader;
use crate::failure::Failure;
use crate::functions::{Command, HeaderText, Http, Method};
use crate::script::read_file;

/// What is known of a function, and how it answers.
#[derive(Clone, Debug)]
pub(crate) struct FunctionConfig {
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) input_schema: Option<Json>,
    pub(crate) output_schema: Option<Json>,
    pub(crate) effect: Effect,
    pub(crate) blocking: bool,
    /// Whether somebody is asked before each call.
    pub(crate) approval: bool,
    /// How long one call may take; as long as the run if it is not given.
    pub(crate) timeout: Option<Duration>,
    pub(crate) answered_by: AnsweredBy,
}

/// Who answers a call.
#[derive(Clone, Debug)]
pub(crate) enum AnsweredBy {
    Command(Command),
    Http(Http),
}

/// [`Effect`], as it is written.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum EffectName {
    Pure,
    Idempotent,
    Unsafe,
}

impl From<EffectName> for Effect {
    fn from(name: EffectName) -> Self {
        match name {
            EffectName::Pure => Self::Pure,
            EffectName::Idempotent => Self::Idempotent,
            EffectName::Unsafe => Self::Unsafe,
        }
    }
}

impl FunctionConfig {
    /// Reads the table of a function. Paths in it are relative to `folder`.
    pub(super) fn read(
        name: Spanned<String>,
        mut table: Reader<'_>,
        folder: &Path,
        purpose: Purpose<'_>,
    ) -> Result<Self, Problem> {
        let (at, name) = (name.span(), name.into_inner());
        let command = command(&mut table, folder)?;
        let http = table.take_table("http")?.map(|http| read_http(http, at.clone(), purpose)).transpose()?;
        let description = table.take("description")?.map(Spanned::into_inner);
        let input_schema = schema(&mut table, "input_schema", folder)?;
        let output_schema = schema(&mut table, "output_schema", folder)?;
        let effect =
            table.take::<EffectName>("effect")?.map(|name| name.into_inner().into()).unwrap_or_default();
        let blocking = table.take("blocking")?.is_some_and(Spanned::into_inner);
        let approval = table.take("approval")?.is_some_and(Spanned::into_inner);
        let timeout = timeout(&mut table)?;
        if let Some(member) = table.first_table() {
            // `[functions.files.read]` is a function `files` with a setting `read`, for TOML.
            return Err(Problem::Group { at, function: format!("{name}.{member}"), key: name });
        }
        table.end()?;
        let answered_by = match (command, http) {
            (Some(command), None) => AnsweredBy::Command(command),
            (None, Some(http)) => AnsweredBy::Http(http),
            (None, None) => return Err(Problem::Answer { at, function: name, what: "nobody to answer it" }),
            (Some(_), Some(_)) => {
                return Err(Problem::Answer {
                    at,
                    function: name,
                    what: "both a command and an http answer",
                });
            }
        };
        Ok(Self {
            name,
            description,
            input_schema,
            output_schema,
            effect,
            blocking,
            approval,
            timeout,
            answered_by,
        })
    }
}

fn command(table: &mut Reader<'_>, folder: &Path) -> Result<Option<Command>, Problem> {
    let key = table.path("command");
    let command = table.take::<Vec<String>>("command")?;
    let environment = table.take("env")?.map(Spanned::into_inner).unwrap_or_default();
    let cwd = table.take::<PathBuf>("cwd")?.map(Spanned::into_inner).unwrap_or_default();
    let Some(command) = command else { return Ok(None) };
    let at = command.span();
    let mut words = command.into_inner().into_iter();
    let Some(program) = words.next().filter(|program| !program.is_empty()) else {
        return Err(Problem::Value {
            at,
            key,
            problem: "expected a program and its arguments, found nothing".to_owned(),
        });
    };
    // As a shell does: with a slash it is a path, without one it is looked for in PATH.
    let program = if program.contains('/') {
        let path = within(folder, program);
        match path.metadata() {
            Ok(_) => path,
            Err(error) => return Err(Problem::File { at, key, path, problem: error.to_string() }),
        }
    } else {
        PathBuf::from(program)
    };
    Ok(Some(Command { program, arguments: words.collect(), environment, folder: within(folder, cwd) }))
}

/// Reads the table `http` of the function at `function`.
fn read_http(mut table: Reader<'_>, function: Range<usize>, purpose: Purpose<'_>) -> Result<Http, Problem> {
    let key = table.path("url");
    let method = table.take::<Method>("method")?.map(Spanned::into_inner).unwrap_or_default();
    let url = table.take::<String>("url")?;
    let headers = table
        .take_table("headers")?
        .map(|headers| read_headers(headers, purpose))
        .transpose()?
        .unwrap_or_default();
    table.end()?;
    let Some(url) = url else {
        return Err(Problem::Value {
            at: function,
            key,
            problem: "expected a URL, found nothing".to_owned(),
        });
    };
    let at = url.span();
    Http::new(method, url.get_ref(), headers).map_err(|problem| Problem::Value { at, key, problem })
}

fn read_headers(table: Reader<'_>, purpose: Purpose<'_>) -> Result<Vec<(String, HeaderText)>, Problem> {
    let mut headers = Vec::new();
    let name_of_table = table.path("");
    for (name, value) in table.entries() {
        let (at, key) = (value.span(), format!("{name_of_table}{}", name.get_ref()));
        let Some(text) = value.get_ref().as_str() else {
            let problem = format!("expected a string, found {}", value.get_ref().type_str());
            return Err(Problem::Value { at, key, problem });
        };
        match HeaderText::read(text) {
            Ok(text) => headers.push((name.into_inner(), text)),
            Err(variable) if matches!(purpose, Purpose::Run(_)) => {
                return Err(Problem::Variable { at, key, variable });
            }
            // Where nothing is sent, nothing is missing.
            Err(_) => {}
        }
    }
    Ok(headers)
}

fn timeout(table: &mut Reader<'_>) -> Result<Option<Duration>, Problem> {
    let key = table.path("timeout");
    let Some(text) = table.take::<String>("timeout")? else { return Ok(None) };
    let at = text.span();
    match humantime::parse_duration(text.get_ref()) {
        Ok(timeout) => Ok(Some(timeout)),
        Err(error) => Err(Problem::Value { at, key, problem: format!("{error}: use `500ms`, `10s`, `2m`") }),
    }
}

/// A schema in place, or a path to one.
fn schema(table: &mut Reader<'_>, key: &'static str, folder: &Path) -> Result<Option<Json>, Problem> {
    let path_of_key = table.path(key);
    let Some(schema) = table.take::<Json>(key)? else { return Ok(None) };
    let at = schema.span();
    let Json::String(path) = schema.get_ref() else { return Ok(Some(schema.into_inner())) };
    let path = within(folder, path);
    let parsed = match read_file(&path) {
        Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| error.to_string()),
        Err(Failure::Read { error, .. }) => Err(error.to_string()),
        Err(failure) => Err(failure.to_string()),
    };
    parsed.map(Some).map_err(|problem| Problem::File { at, key: path_of_key, path, problem })
}

/// A path that is relative to the folder, without any `.` in it.
fn within(folder: &Path, path: impl AsRef<Path>) -> PathBuf {
    folder.join(path).components().collect()
}
