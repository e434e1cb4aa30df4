//! The server: what each tool does.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use intermission::{
    Answer, HostFunctions, Interruption, InterruptionId, InterruptionKind, Resolution, RunId,
};
use intermission_store::{Runs, RunsError, Until};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ElicitRequest, ElicitResult,
    ElicitationAction, ErrorData, Implementation, InputRequest, InputRequests, InputRequiredResult,
    InputResponses, ListToolsResult, PaginatedRequestParams, ProtocolVersion, ServerCapabilities,
    ServerConfig, Tool,
};
use rmcp::service::{Peer, RequestContext};
use rmcp::{RoleServer, ServerHandler};
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};
use tokio::time::Instant;

use crate::arguments::{Execute, Resume, Search, Status, Types, run_id};
use crate::attached::Attached;
use crate::catalogue::Catalogue;
use crate::view::View;
use crate::{answers, elicit, tools};

/// The tools `execute`, `search`, `types`, `status` and `resume` over the runs of a store. Cheap to clone: each session has a clone.
///
/// A run that asks is answered by the person at the client, by elicitation where the client offers it. Else the result says what is asked, and whoever polls it with `status` is told when it was
/// answered, by whatever door. The tool `resume` answers questions; approvals only where the server [lets the client approve](Self::let_client_approve), because whoever calls it is mostly the model
/// whose script is to be approved.
#[derive(Clone, Debug)]
pub struct McpServer {
    shared: Arc<Shared>,
    client_approves: bool,
}

struct Shared {
    runs: Runs,
    catalogue: Catalogue,
    tools: Vec<Tool>,
    attached: Attached,
    /// Questions that are before a person at this moment.
    asked: Mutex<BTreeSet<InterruptionId>>,
}

/// What a call is refused with: words for the model.
struct Refusal(String);

impl<E: std::fmt::Display> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

impl McpServer {
    /// A server over these runs, whose scripts are lent these functions.
    pub fn new(runs: Runs, functions: HostFunctions) -> Self {
        let catalogue = Catalogue::new(functions);
        let tools = tools::tools(&catalogue);
        let shared =
            Shared { runs, tools, catalogue, attached: Attached::default(), asked: Mutex::default() };
        Self { shared: Arc::new(shared), client_approves: false }
    }

    /// The same, but `resume` takes approvals as well. Default: it does not.
    #[must_use]
    pub fn let_client_approve(mut self) -> Self {
        self.client_approves = true;
        self
    }

    async fn execute(&self, execute: Execute, context: &Context<'_>) -> Result<CallToolResponse, Refusal> {
        let wait = execute.wait();
        let run = match context.state()? {
            Some(run) => run,
            None => self.shared.attached.run(&self.shared.runs, execute).await?,
        };
        self.follow(run, wait, context).await
    }

    async fn status(&self, status: Status, context: &Context<'_>) -> Result<CallToolResponse, Refusal> {
        self.follow(run_id(&status.run)?, status.wait(), context).await
    }

    async fn resume(&self, resume: Resume, context: &Context<'_>) -> Result<CallToolResponse, Refusal> {
        let run = run_id(&resume.run)?;
        let wait = resume.wait();
        let asked = self.shared.runs.ledger(run).await?.interruptions();
        let mut resolutions = Vec::new();
        for answer in resume.answers {
            let asked = asked.iter().find(|asked| asked.id.as_str() == answer.question);
            resolutions.push(answers::resolution(answer, asked)?);
        }
        let approves =
            |resolution: &Resolution| matches!(resolution.answer, Answer::Approve | Answer::ApproveWith(_));
        if !self.client_approves && resolutions.iter().any(approves) {
            return Err(Refusal(
                "a person approves calls, and not by this tool. Call `status` later to see what has come of it. Nothing of this was taken"
                    .to_owned(),
            ));
        }
        for resolution in resolutions {
            self.shared.runs.resolve(run, resolution, Some("mcp client")).await?;
        }
        self.follow(run, wait, context).await
    }

    fn search(&self, search: &Search) -> Json {
        if search.query.trim().is_empty() {
            json!({ "groups": self.shared.catalogue.groups() })
        } else {
            json!(self.shared.catalogue.search(&search.query))
        }
    }

    /// Follows a run until it is over, or it asks and nobody here answers, or it is time to say where it stands.
    async fn follow(
        &self,
        run: RunId,
        wait: Duration,
        context: &Context<'_>,
    ) -> Result<CallToolResponse, Refusal> {
        self.take(run, context.answers).await?;
        let mut until = Instant::now() + wait;
        loop {
            let news = self.shared.runs.wait(run, Until::Asks);
            let now = match tokio::time::timeout_at(until, news).await {
                Ok(news) => news?,
                Err(_) => self.shared.runs.get(run).await?,
            };
            let view = View::of(&self.shared.runs, now).await?;
            if view.questions.is_empty() || !context.elicits() {
                return Ok(self.tell(&view).await.into());
            }
            if context.is_stateless() {
                return Ok(CallToolResponse::InputRequired(required(&view)?));
            }
            if !self.ask(run, &view.questions, context.peer).await {
                return Ok(self.tell(&view).await.into());
            }
            until = Instant::now() + wait;
        }
    }

    async fn tell(&self, view: &View) -> CallToolResult {
        if view.run.state.is_over() {
            self.shared.attached.told(view.run.run_id).await;
        }
        let json = view.to_json();
        if view.has_failed() {
            CallToolResult::structured_error(json)
        } else {
            CallToolResult::structured(json)
        }
    }

    /// Asks the person at the client, and waits for all that there is to hear. Whether anything was answered. An answer counts also when nobody waits for it here any more: the client
    /// may have given up the call, but not the person.
    async fn ask(&self, run: RunId, questions: &[Interruption], peer: &Peer<RoleServer>) -> bool {
        let mut asking = Vec::new();
        for asked in questions {
            let is_new = self.asked().insert(asked.id.clone());
            if is_new {
                let (server, asked, peer) = (self.clone(), asked.clone(), peer.clone());
                asking.push(tokio::spawn(async move {
                    let answered = server.ask_one(run, &asked, &peer).await;
                    server.asked().remove(&asked.id);
                    answered
                }));
            }
        }
        let mut any = false;
        for one in asking {
            any |= one.await.unwrap_or(false);
        }
        any
    }

    async fn ask_one(&self, run: RunId, asked: &Interruption, peer: &Peer<RoleServer>) -> bool {
        let Ok(form) = elicit::form(asked) else { return false };
        let said = match peer.create_elicitation(form).await {
            Ok(said) => said,
            Err(error) => {
                tracing::debug!(%error, interruption_id = asked.id.as_str(), "nobody was asked");
                return false;
            }
        };
        self.answered(run, asked, said).await.is_ok_and(|answered| answered)
    }

    /// What a person has said. Whether it is an answer.
    async fn answered(
        &self,
        run: RunId,
        asked: &Interruption,
        said: ElicitResult,
    ) -> Result<bool, RunsError> {
        let answer = match said.action {
            ElicitationAction::Accept => said.content.and_then(|content| answers::of_form(asked, &content)),
            ElicitationAction::Decline if asked.kind == InterruptionKind::Approval => {
                Some(Answer::Deny { reason: None })
            }
            _ => None,
        };
        let Some(answer) = answer else { return Ok(false) };
        let resolution =
            Resolution::new(asked.id.clone(), answer).for_arguments(asked.arguments_digest.clone());
        self.shared.runs.resolve(run, resolution, Some("the person at the mcp client")).await?;
        Ok(true)
    }

    /// Takes the answers that a client without a session sends along.
    async fn take(&self, run: RunId, responses: Option<&InputResponses>) -> Result<(), Refusal> {
        let Some(responses) = responses else { return Ok(()) };
        let asked = self.shared.runs.ledger(run).await?.interruptions();
        for (id, said) in responses {
            let Some(asked) = asked.iter().find(|asked| asked.id.as_str() == id) else { continue };
            let said: ElicitResult = serde_json::from_value(said.clone())?;
            self.answered(run, asked, said).await?;
        }
        Ok(())
    }

    fn asked(&self) -> std::sync::MutexGuard<'_, BTreeSet<InterruptionId>> {
        self.shared.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a client without a session is asked.
fn required(view: &View) -> Result<InputRequiredResult, serde_json::Error> {
    let mut requests = InputRequests::new();
    for asked in &view.questions {
        let form = ElicitRequest::new(elicit::form(asked)?);
        requests.insert(asked.id.as_str().to_owned(), InputRequest::Elicitation(form));
    }
    Ok(InputRequiredResult::new(Some(requests), Some(view.run.run_id.to_string())))
}

/// Who calls, and what came along with the call.
struct Context<'c> {
    peer: &'c Peer<RoleServer>,
    request: &'c RequestContext<RoleServer>,
    answers: Option<&'c InputResponses>,
    state: Option<&'c str>,
}

impl Context<'_> {
    /// The run that the client was asked about before.
    fn state(&self) -> Result<Option<RunId>, Refusal> {
        Ok(self.state.map(run_id).transpose()?)
    }

    /// Whether the client shows forms to a person.
    fn elicits(&self) -> bool {
        let capabilities = self.request.client_capabilities();
        capabilities.and_then(|capabilities| capabilities.elicitation).is_some_and(|elicitation| {
            // One that says neither means forms.
            elicitation.form.is_some() || elicitation.url.is_none()
        })
    }

    /// Whether it cannot be asked but by an answer to its own request.
    fn is_stateless(&self) -> bool {
        let version = self.request.protocol_version();
        version.is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str())
    }
}

impl ServerHandler for McpServer {
    fn get_info(&self) -> ServerConfig {
        let mut info = ServerConfig::new(ServerCapabilities::builder().enable_tools().build());
        info.server_info = Implementation::new("intermission", env!("CARGO_PKG_VERSION"));
        info.instructions = Some(
            "Write one script instead of making many calls: `search` finds functions, `types` gives their exact types, `execute` runs a script that calls them. A script may have to wait for a person; \
             `status` says what has come of it."
                .to_owned(),
        );
        info
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.shared.tools.clone()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.shared.tools.iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = Json::Object(request.arguments.unwrap_or_default());
        let who = Context {
            peer: &context.peer,
            request: &context,
            answers: request.input_responses.as_ref(),
            state: request.request_state.as_deref(),
        };
        let answer = async {
            match request.name.as_ref() {
                "execute" => self.execute(read(arguments)?, &who).await,
                "status" => self.status(read(arguments)?, &who).await,
                "resume" => self.resume(read(arguments)?, &who).await,
                "search" => Ok(CallToolResult::structured(self.search(&read(arguments)?)).into()),
                "types" => {
                    let types: Types = read(arguments)?;
                    let text = self.shared.catalogue.types(types.name.trim())?;
                    Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
                }
                other => Err(Refusal(format!("there is no tool `{other}`"))),
            }
        };
        let answer = tokio::select! {
            biased;
            // Nobody waits any more: what runs goes on, and is there for whoever asks again.
            () = context.ct.cancelled() => return Err(ErrorData::internal_error("the call was cancelled", None)),
            answer = answer => answer,
        };
        Ok(answer
            .unwrap_or_else(|Refusal(words)| CallToolResult::error(vec![ContentBlock::text(words)]).into()))
    }
}

fn read<T: DeserializeOwned>(arguments: Json) -> Result<T, Refusal> {
    serde_json::from_value(arguments).map_err(|error| Refusal(format!("these arguments do not fit: {error}")))
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("McpServer").field("catalogue", &self.catalogue).finish_non_exhaustive()
    }
}
