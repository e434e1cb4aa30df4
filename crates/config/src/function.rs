//! One host function of the configuration: a program or a service.

use std::path::{Path, PathBuf};
use std::time::Duration;

use intermission::Effect;
use serde_json::Value as Json;
use toml::Spanned;

use crate::effect::EffectName;
use crate::error::Problem;
use crate::files::{FileError, read_file};
use crate::functions::{Command, Headers, HttpConfig, Method, read_url};
use crate::reader::{Reader, within};
use crate::secret_text::Template;

/// What is known of a function, and how it answers.
#[derive(Clone, Debug)]
pub(crate) struct FunctionConfig {
    pub(crate) name: Spanned<String>,
    pub(crate) description: Option<String>,
    pub(crate) input_schema: Option<Json>,
    pub(crate) output_schema: Option<Json>,
    pub(crate) effect: Effect,
    pub(crate) blocking: bool,
    /// Whether somebody is asked before each call.
    pub(crate) approval: bool,
    /// How long one call may take; as long as the run if it is not given.
    pub(crate) timeout: Option<Duration>,
    pub(crate) answered_by: Answerer,
}

/// Who answers a call, as it is written.
#[derive(Clone, Debug)]
pub(crate) enum Answerer {
    Command(Command),
    Http(HttpConfig),
}

impl FunctionConfig {
    /// Reads the table of a function. Paths in it are relative to `folder`.
    pub(crate) fn read(name: Spanned<String>, mut table: Reader<'_>, folder: &Path) -> Result<Self, Problem> {
        let command = read_command(&mut table, folder)?;
        let http = table.take_table("http")?.map(|http| read_http(http, &name)).transpose()?;
        let description = table.take("description")?.map(Spanned::into_inner);
        let input_schema = schema(&mut table, "input_schema", folder)?;
        let output_schema = schema(&mut table, "output_schema", folder)?;
        let effect =
            table.take::<EffectName>("effect")?.map(|name| name.into_inner().into()).unwrap_or_default();
        let blocking = table.take("blocking")?.is_some_and(Spanned::into_inner);
        let approval = table.take("approval")?.is_some_and(Spanned::into_inner);
        let timeout = table.take_duration("timeout")?;
        if let Some(member) = table.first_table() {
            // `[functions.files.read]` is a function `files` with a setting `read`, for TOML.
            let function = format!("{}.{member}", name.get_ref());
            return Err(Problem::Group { at: name.span(), function, key: name.into_inner() });
        }
        table.end()?;
        let answer = |what| Problem::Answer { at: name.span(), function: name.get_ref().clone(), what };
        let answered_by = match (command, http) {
            (Some(command), None) => Answerer::Command(command),
            (None, Some(http)) => Answerer::Http(http),
            (None, None) => return Err(answer("nobody to answer it")),
            (Some(_), Some(_)) => return Err(answer("both a command and an http answer")),
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

/// The keys `command`, `env` and `cwd` of a table.
pub(crate) fn read_command(table: &mut Reader<'_>, folder: &Path) -> Result<Option<Command>, Problem> {
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

/// Reads the table `http` of a function.
fn read_http(mut table: Reader<'_>, function: &Spanned<String>) -> Result<HttpConfig, Problem> {
    let key = table.path("url");
    let method = table.take::<Method>("method")?.map(Spanned::into_inner).unwrap_or_default();
    let url = table.take::<String>("url")?;
    let headers = read_headers(&mut table)?;
    table.end()?;
    let Some(url) = url else {
        let problem = "expected a URL, found nothing".to_owned();
        return Err(Problem::Value { at: function.span(), key, problem });
    };
    let at = url.span();
    match read_url(url.get_ref()) {
        Ok(url) => Ok(HttpConfig { method, url, headers }),
        Err(problem) => Err(Problem::Value { at, key, problem }),
    }
}

/// The table `headers` of a table.
pub(crate) fn read_headers(table: &mut Reader<'_>) -> Result<Headers, Problem> {
    let Some(table) = table.take_table("headers")? else { return Ok(Headers::new()) };
    let mut headers = Headers::new();
    let name_of_table = table.path("");
    for (name, value) in table.entries() {
        let (at, key) = (value.span(), format!("{name_of_table}{}", name.get_ref()));
        let Some(text) = value.get_ref().as_str() else {
            let problem = format!("expected a string, found {}", value.get_ref().type_str());
            return Err(Problem::Value { at, key, problem });
        };
        let Ok(header) = name.get_ref().parse() else {
            let problem = format!("`{}` is no name of a header", name.get_ref());
            return Err(Problem::Value { at: name.span(), key, problem });
        };
        headers.push((header, Template::read(text, at, key)?));
    }
    Ok(headers)
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
        Err(FileError::Read { error, .. }) => Err(error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    parsed.map(Some).map_err(|problem| Problem::File { at, key: path_of_key, path, problem })
}
