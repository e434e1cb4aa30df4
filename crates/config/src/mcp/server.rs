//! A server that can be called, connected to again where it has ended.

use std::sync::Arc;
use std::time::Duration;

use intermission::{HostCall, HostError, Value};
use rmcp::model::{CallToolRequestParams, CallToolResponse, CallToolResult, Tool};
use rmcp::service::ServiceError;
use serde_json::Value as Json;
use tokio::runtime::Handle;
use tokio::sync::Mutex;
use tokio::task::AbortHandle;

use super::answer;
use super::connection::{Connection, Way};
use super::diagnosis::of_call;
use crate::error::Problem;
use crate::functions::header_value;
use crate::secret_text::Secrets;
use crate::server::{ServerConfig, Transport};

/// One server.
#[derive(Debug)]
pub(super) struct Server {
    name: String,
    way: Way,
    /// What it knows, and must not be in errors.
    secrets: Secrets,
    /// What of that it was sent in headers, and must not be in answers either.
    sent: Secrets,
    start_timeout: Duration,
    /// Where its connections live.
    runtime: Handle,
    connection: Mutex<Option<Arc<Connection>>>,
}

/// Why a tool has not answered.
#[derive(Debug, thiserror::Error)]
enum CallError {
    #[error("the argument cannot be written as JSON: {0}")]
    Argument(#[from] intermission::value::ExpandError),
    #[error("a tool takes one object")]
    NotAnObject,
    #[error("the MCP server `{server}` cannot be reached: {why}")]
    NotReached { server: String, why: String },
    #[error("the MCP server `{server}` has gone before it answered{}", why.as_ref().map(|why| format!(": {why}")).unwrap_or_default())]
    Gone { server: String, why: Option<String> },
    #[error("it did not answer within {}", humantime::format_duration(*.0))]
    TimedOut(Duration),
    #[error("the MCP server refused the call: {0}")]
    Refused(String),
    #[error("the MCP server wants to be answered something first, which is not supported")]
    Asks,
    #[error("it answered more than {0} bytes, which is the limit `output`")]
    TooMuch(usize),
}

impl CallError {
    /// The stable code, which the script sees.
    const fn code(&self) -> &'static str {
        match self {
            Self::Argument(_) | Self::NotAnObject => "HOST_INPUT_INVALID",
            Self::NotReached { .. } => "HOST_NOT_REACHED",
            Self::Gone { .. } => "HOST_SERVER_GONE",
            Self::TimedOut(_) => "HOST_TIMED_OUT",
            Self::Refused(_) => "HOST_TOOL_REFUSED",
            Self::Asks => "HOST_TOOL_ASKS",
            Self::TooMuch(_) => "HOST_OUTPUT_TOO_LARGE",
        }
    }
}

impl Server {
    /// A server that nobody has spoken to yet.
    ///
    /// # Errors
    /// A secret that is not there, or that no header can say.
    pub(super) fn new(config: &ServerConfig, runtime: Handle) -> Result<Arc<Self>, Problem> {
        let (way, secrets, sent) = match &config.transport {
            Transport::Stdio(command) => {
                let secrets = Secrets::of_variables(&command.environment);
                (Way::Stdio(command.clone()), secrets, Secrets::default())
            }
            Transport::Http { url, headers } => {
                let mut secrets = Secrets::default();
                let mut values = Vec::new();
                for (name, template) in headers {
                    let text = template.resolve()?;
                    let value = header_value(name, &text).map_err(|problem| template.problem(problem))?;
                    values.push((name.clone(), value));
                    secrets.add_all(text.secrets());
                }
                (Way::Http { url: url.clone(), headers: values }, secrets.clone(), secrets)
            }
        };
        let (name, start_timeout) = (config.name.get_ref().clone(), config.start_timeout);
        let connection = Mutex::new(None);
        Ok(Arc::new(Self { name, way, secrets, sent, start_timeout, runtime, connection }))
    }

    /// All its tools.
    ///
    /// # Errors
    /// Why it does not tell them, in words.
    pub(super) async fn tools(&self) -> Result<Vec<Tool>, String> {
        let asking = async {
            let connection = self.connection().await?;
            match connection.peer().list_all_tools().await {
                Ok(tools) => Ok(tools),
                Err(error) => Err(connection.how_it_ended().await.unwrap_or_else(|| of_call(&error))),
            }
        };
        let tools = tokio::time::timeout(self.start_timeout, asking).await;
        let tools = tools.unwrap_or_else(|_| {
            Err(format!(
                "it has not told its tools within {}",
                humantime::format_duration(self.start_timeout)
            ))
        });
        tools.map_err(|why| self.secrets.hide_in(why))
    }

    /// Calls a tool. When nobody waits for the answer any more, the server is told.
    pub(super) async fn call(
        self: Arc<Self>,
        tool: &str,
        call: HostCall,
        timeout: Option<Duration>,
        most_output: usize,
    ) -> Result<Value, HostError> {
        let asking = self.ask(tool, &call, timeout);
        let answer = tokio::select! {
            answer = asking => answer,
            () = call.abort_signal().aborted() => {
                // The request is dropped, which cancels it. Whether it has happened nobody knows: there is no outcome.
                std::future::pending().await
            }
        };
        let function = call.host_function();
        let answer = answer.and_then(|answer| check_size(answer, most_output));
        match answer {
            Ok(answer) => answer::value(function, answer, &self.secrets, &self.sent),
            Err(error) => {
                let message = self.secrets.hide_in(format!("{function}: {error}"));
                Err(HostError::new(message).with_code(error.code()))
            }
        }
    }

    async fn ask(
        self: &Arc<Self>,
        tool: &str,
        call: &HostCall,
        timeout: Option<Duration>,
    ) -> Result<CallToolResult, CallError> {
        let mut params = CallToolRequestParams::new(tool.to_owned());
        params.arguments = match call.input() {
            Value::Undefined | Value::Null => Some(serde_json::Map::new()),
            input => match input.to_json()? {
                Json::Object(arguments) => Some(arguments),
                _ => return Err(CallError::NotAnObject),
            },
        };
        let server = Arc::clone(self);
        // There and not here: a connection lives where it was made.
        let asking = self.runtime.spawn(async move { server.answer(params, timeout).await });
        let _cancelled = CancelOnDrop(asking.abort_handle());
        asking.await.unwrap_or_else(|error| Err(self.gone(Some(error.to_string()))))
    }

    async fn answer(
        &self,
        params: CallToolRequestParams,
        timeout: Option<Duration>,
    ) -> Result<CallToolResult, CallError> {
        let connection = self
            .connection()
            .await
            .map_err(|why| CallError::NotReached { server: self.name.clone(), why })?;
        let asking = connection.peer().call_tool_once(params);
        let answer = match timeout {
            None => asking.await,
            Some(timeout) => {
                tokio::time::timeout(timeout, asking).await.map_err(|_| CallError::TimedOut(timeout))?
            }
        };
        match answer {
            Ok(CallToolResponse::Complete(result)) => Ok(result),
            Ok(_) => Err(CallError::Asks),
            Err(ServiceError::McpError(error)) => Err(CallError::Refused(error.message.into_owned())),
            Err(ServiceError::TransportClosed) => Err(self.gone(connection.how_it_ended().await)),
            Err(error) if connection.is_closed() => {
                let how = connection.how_it_ended().await;
                Err(self.gone(Some(how.unwrap_or_else(|| of_call(&error)))))
            }
            Err(error) => Err(CallError::NotReached { server: self.name.clone(), why: of_call(&error) }),
        }
    }

    fn gone(&self, why: Option<String>) -> CallError {
        CallError::Gone { server: self.name.clone(), why }
    }

    /// The connection; a new one where there is none, or where it is closed.
    async fn connection(&self) -> Result<Arc<Connection>, String> {
        let mut current = self.connection.lock().await;
        if let Some(connection) = current.as_ref().filter(|connection| !connection.is_closed()) {
            return Ok(Arc::clone(connection));
        }
        if let Some(closed) = current.take() {
            tracing::warn!(server = self.name, "an MCP server has gone and is started again");
            closed.close().await;
        }
        let opening = Connection::open(&self.way, &self.secrets);
        let opened = tokio::time::timeout(self.start_timeout, opening).await.unwrap_or_else(|_| {
            Err(format!("it has not said hello within {}", humantime::format_duration(self.start_timeout)))
        });
        let connection = Arc::new(opened?);
        *current = Some(Arc::clone(&connection));
        Ok(connection)
    }

    /// Ends it.
    pub(super) async fn end(&self) {
        if let Some(connection) = self.connection.lock().await.take() {
            connection.close().await;
        }
    }
}

/// Drops what is asked for when nobody waits for it.
struct CancelOnDrop(AbortHandle);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn check_size(answer: CallToolResult, most: usize) -> Result<CallToolResult, CallError> {
    let mut counted = Counted(0);
    match serde_json::to_writer(&mut counted, &answer) {
        Ok(()) if counted.0 <= most => Ok(answer),
        _ => Err(CallError::TooMuch(most)),
    }
}

/// How many bytes were written.
struct Counted(usize);

impl std::io::Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
