//! Host functions as the configuration describes them.

mod answer;
mod child;
mod command;
mod context;
mod header_text;
mod http;
mod interrupt;

use intermission::HostFunction;

pub(crate) use self::command::Command;
pub(crate) use self::header_text::HeaderText;
pub(crate) use self::http::{Http, Method};
use crate::config::{AnsweredBy, FunctionConfig};

/// The function that a configuration describes. Its answers have at most `most_output` bytes.
pub(crate) fn host_function(config: &FunctionConfig, most_output: u32) -> HostFunction {
    let (name, timeout, most) = (config.name.as_str(), config.timeout, most_output as usize);
    let mut function = match config.answered_by.clone() {
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
    if let Some(schema) = &config.input_schema {
        function = function.input_schema(schema.clone());
    }
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
