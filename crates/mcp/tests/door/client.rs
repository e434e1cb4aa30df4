//! A server over a store in a temporary folder, and clients of it.

use std::sync::{Arc, Mutex};

use intermission::{Effect, HostFunction, HostFunctions, Runner, Value};
use intermission_mcp::McpServer;
use intermission_store::{Runs, SqliteStore};
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, ElicitRequestParams,
    ElicitResult, ElicitationAction, ErrorData, ProtocolVersion,
};
use rmcp::service::{
    ClientLifecycleMode, RequestContext, RunningService, ServiceError, serve_client,
    serve_client_with_lifecycle,
};
use rmcp::{ClientHandler, RoleClient, ServiceExt};
use serde_json::{Value as Json, json};
use tokio::sync::Notify;

/// What host functions have done, in order.
#[derive(Clone, Default)]
pub(crate) struct Done(Arc<Mutex<Vec<String>>>);

impl Done {
    fn note(&self, what: &str) {
        self.0.lock().unwrap().push(what.to_owned());
    }

    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

/// A store, and what scripts are lent.
pub(crate) struct House {
    folder: tempfile::TempDir,
    pub(crate) done: Done,
}

impl House {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), done: Done::default() }
    }

    fn functions(&self) -> HostFunctions {
        let noting = |name: &'static str| {
            let done = self.done.clone();
            HostFunction::sync(name, move |call| {
                done.note(&format!("{name}({:?})", call.input()));
                Ok(call.input())
            })
        };
        let schema = json!({ "type": "object", "properties": { "to": { "type": "string" }, "text": { "type": "string" } }, "required": ["to"] });
        let ask = HostFunction::sync("clerk.ask", |call| match call.resume() {
            None => Err(call.interrupt(call.input(), Value::Undefined)),
            Some(resume) => Ok(resume.resolution.clone()),
        });
        HostFunctions::new([
            noting("mail.send").description("Sends a letter.").input_schema(schema).approval(),
            noting("mail.draft").description("Keeps a letter for later.").effect(Effect::Idempotent),
            ask.description("Asks the clerk."),
            noting("count"),
        ])
        .unwrap()
    }

    /// Runs over the store: another each time, as another process would have it.
    pub(crate) async fn runs(&self) -> Runs {
        let store = SqliteStore::open(self.folder.path().join("runs.db")).unwrap();
        let runner = Runner::builder().host_functions(self.functions()).build().unwrap();
        Runs::builder(Arc::new(store), runner).build().await.unwrap()
    }

    pub(crate) async fn server(&self) -> McpServer {
        McpServer::new(self.runs().await, self.functions())
    }

    /// A client of a server of its own.
    pub(crate) async fn client(&self, person: Person) -> Client {
        Client::of(self.server().await, person).await
    }
}

/// Who sits at a client.
#[derive(Clone)]
pub(crate) enum Person {
    /// The client shows no forms.
    Nobody,
    /// Says this to every form, and keeps what it was shown.
    Says(ElicitationAction, Json, Arc<Mutex<Vec<String>>>),
    /// Says yes to a form when it is told to, and tells when it was shown one.
    Later { shown: Arc<Notify>, told: Arc<Notify> },
}

impl Person {
    pub(crate) fn says(content: Json) -> (Self, Arc<Mutex<Vec<String>>>) {
        let shown = Arc::default();
        (Self::Says(ElicitationAction::Accept, content, Arc::clone(&shown)), shown)
    }
}

impl ClientHandler for Person {
    fn get_info(&self) -> ClientConfig {
        let mut config = ClientConfig::default();
        config.capabilities = match self {
            Self::Nobody => ClientCapabilities::default(),
            _ => ClientCapabilities::builder().enable_elicitation().build(),
        };
        config
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let ElicitRequestParams::FormElicitationParams { message, .. } = request else {
            return Err(ErrorData::invalid_params("no form", None));
        };
        match self {
            Self::Says(action, content, shown) => {
                shown.lock().unwrap().push(message);
                let said = ElicitResult::new(action.clone());
                Ok(if *action == ElicitationAction::Accept {
                    said.with_content(content.clone())
                } else {
                    said
                })
            }
            Self::Later { shown, told } => {
                shown.notify_one();
                told.notified().await;
                let yes = ElicitResult::new(ElicitationAction::Accept);
                Ok(yes.with_content(json!({ "decision": "approve" })))
            }
            Self::Nobody => std::future::pending().await,
        }
    }
}

/// A client, with its server on the other end of a pipe.
pub(crate) struct Client(pub(crate) RunningService<RoleClient, Person>);

impl Client {
    pub(crate) async fn of(server: McpServer, person: Person) -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        tokio::spawn(async move {
            let service = Box::pin(server.serve(theirs)).await.unwrap();
            let _ = service.waiting().await;
        });
        Self(serve_client(person, ours).await.unwrap())
    }

    /// The same, of a client that has no session: it is asked by answers to its own requests.
    pub(crate) async fn without_session(server: McpServer, person: Person) -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        tokio::spawn(async move {
            let service = Box::pin(server.serve(theirs)).await.unwrap();
            let _ = service.waiting().await;
        });
        let lifecycle =
            ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
        Self(serve_client_with_lifecycle(person, ours, lifecycle).await.unwrap())
    }

    pub(crate) async fn result(
        &self,
        tool: &'static str,
        arguments: Json,
    ) -> Result<CallToolResult, ServiceError> {
        let mut params = CallToolRequestParams::new(tool);
        params.arguments = arguments.as_object().cloned();
        self.0.call_tool(params).await
    }

    /// What a tool gives: its structured content, else its text.
    pub(crate) async fn call(&self, tool: &'static str, arguments: Json) -> Json {
        content(&self.result(tool, arguments).await.unwrap())
    }

    pub(crate) async fn execute(&self, code: &str) -> Json {
        self.call("execute", json!({ "code": code })).await
    }
}

pub(crate) fn content(result: &CallToolResult) -> Json {
    let text = || result.content.iter().filter_map(|block| block.as_text()).map(|text| text.text.clone());
    result.structured_content.clone().unwrap_or_else(|| text().collect::<Vec<_>>().join("\n").into())
}

/// The id of a run in what a tool has given.
pub(crate) fn run_of(view: &Json) -> String {
    view["run"].as_str().unwrap().to_owned()
}
