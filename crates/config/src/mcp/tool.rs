//! A tool as a host function.

use std::sync::Arc;

use intermission::{Effect, HostFunction};
use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Value as Json, json};

use super::Servers;
use super::name::identifier;
use super::server::Server;
use crate::error::Problem;
use crate::server::{ServerConfig, ToolConfig};

/// The functions that are lent of a server, in the order in which it tells its tools.
///
/// # Errors
/// When the configuration says something of a tool that the server has not, or two tools would have one name.
pub(super) fn lend(
    config: &ServerConfig,
    server: &Arc<Server>,
    servers: &Arc<Servers>,
    tools: Vec<Tool>,
    most_output: u32,
) -> Result<Vec<HostFunction>, Problem> {
    let known = || tools.iter().map(|tool| tool.name.to_string());
    if let Some((name, _)) =
        config.tools.iter().find(|(name, _)| !known().any(|tool| tool == *name.get_ref()))
    {
        return Err(Problem::Tool {
            at: name.span(),
            server: config.name.get_ref().clone(),
            tool: name.get_ref().clone(),
            known: known().collect(),
        });
    }
    if let Some(idle) = config.lend.iter().find(|pattern| !known().any(|tool| pattern.matches(&tool))) {
        return Err(Problem::Tool {
            at: idle.at.clone(),
            server: config.name.get_ref().clone(),
            tool: idle.as_str().to_owned(),
            known: known().collect(),
        });
    }
    let mut lent: Vec<(String, String)> = Vec::new();
    let mut functions = Vec::new();
    for tool in tools.into_iter().filter(|tool| config.lends(&tool.name)) {
        let said = config.of_tool(&tool.name);
        let own = said.name.as_ref().map_or_else(|| identifier(&tool.name), |name| name.get_ref().clone());
        let function = format!("{}.{own}", config.name.get_ref());
        if let Some((other, _)) = lent.iter().find(|(_, name)| *name == function) {
            return Err(Problem::Clash {
                at: said.name.map_or_else(|| config.name.span(), |name| name.span()),
                server: config.name.get_ref().clone(),
                one: other.clone(),
                other: tool.name.into_owned(),
                function,
            });
        }
        lent.push((tool.name.to_string(), function.clone()));
        functions.push(host_function(function, &tool, &said, server, servers, most_output as usize));
    }
    Ok(functions)
}

fn host_function(
    name: String,
    tool: &Tool,
    said: &ToolConfig,
    server: &Arc<Server>,
    servers: &Arc<Servers>,
    most_output: usize,
) -> HostFunction {
    // The servers end with the last function that is lent of them.
    let (server, servers, timeout) = (Arc::clone(server), Arc::clone(servers), said.timeout);
    let tool_name: Arc<str> = tool.name.as_ref().into();
    let mut function = HostFunction::new(name, move |call| {
        let (server, tool, servers) = (Arc::clone(&server), Arc::clone(&tool_name), Arc::clone(&servers));
        async move {
            let answer = server.call(&tool, call, timeout, most_output).await;
            drop(servers);
            answer
        }
    });
    function = function.input_schema(input_schema(tool)).effect(said.effect.unwrap_or_else(|| effect(tool)));
    if let Some(description) = description(tool, said) {
        function = function.description(description);
    }
    if let Some(schema) = &tool.output_schema {
        function = function.output_schema(Json::Object(schema.as_ref().clone()));
    }
    if said.approval == Some(true) { function.approval() } else { function }
}

fn description(tool: &Tool, said: &ToolConfig) -> Option<String> {
    let title = || tool.title.clone().or_else(|| tool.annotations.as_ref()?.title.clone());
    let own =
        || tool.description.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
    said.description.clone().or_else(own).or_else(title)
}

/// What a tool takes. Where nothing of it is required, it may be called with nothing.
fn input_schema(tool: &Tool) -> Json {
    let mut schema = tool.input_schema.as_ref().clone();
    let needs_some = schema.get("required").and_then(Json::as_array).is_some_and(|keys| !keys.is_empty());
    if !needs_some && schema.get("type").is_none_or(|kind| *kind == "object") {
        schema.insert("type".to_owned(), json!(["object", "null"]));
    }
    Json::Object(schema)
}

/// What the server says of its tool. It is no more than a hint: the configuration goes before it.
fn effect(tool: &Tool) -> Effect {
    match &tool.annotations {
        Some(ToolAnnotations { read_only_hint: Some(true), .. }) => Effect::Pure,
        Some(ToolAnnotations { idempotent_hint: Some(true), .. }) => Effect::Idempotent,
        _ => Effect::Unsafe,
    }
}
