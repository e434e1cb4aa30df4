//! Host functions of programs and HTTP services.

pub(crate) mod answer;
pub(crate) mod child;
mod command;
mod context;
mod http;
mod interrupt;

use intermission::HostFunction;
use serde_json::Value as Json;

pub(crate) use self::command::Command;
pub(crate) use self::http::{Headers, Http, HttpConfig, Method, header_value, read_url};
use crate::function::FunctionConfig;

/// Who answers a call.
#[derive(Clone, Debug)]
pub(crate) enum AnsweredBy {
    Command(Command),
    Http(Http),
}

/// The function that a configuration describes. Its answers have at most `most_output` bytes.
pub(crate) fn host_function(
    config: &FunctionConfig,
    answered_by: AnsweredBy,
    most_output: u32,
) -> HostFunction {
    let (name, timeout, most) = (config.name.get_ref().as_str(), config.timeout, most_output as usize);
    let mut function = match answered_by {
        AnsweredBy::Command(command) => HostFunction::new(name, move |call| {
            let command = command.clone();
            async move { answer::value(&call, command.answer(&call, timeout, most).await) }
        }),
        AnsweredBy::Http(http) => HostFunction::new(name, move |call| {
            let http = http.clone();
            async move { answer::value(&call, http.answer(&call, timeout, most).await) }
        }),
    };
    if let Some(description) = &config.description {
        function = function.description(description);
    }
    // Programs and services get the first argument alone: without a schema that may be anything, and may be missing.
    function = function.input_schema(config.input_schema.clone().unwrap_or(Json::Bool(true)));
    if let Some(schema) = &config.output_schema {
        function = function.output_schema(schema.clone());
    }
    if config.blocking {
        function = function.blocking();
    }
    if config.approval {
        function = function.approval();
    }
    function.effect(config.effect)
}
