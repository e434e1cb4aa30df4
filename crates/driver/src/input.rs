//! From what a door's language wants of a run to what the library takes.

use intermission::codec::Token;
use intermission::value::decode;
use intermission::{
    AbortController, Answer, Continuation, HostError, Interrupt, Limits, Resolution, ResumeFrom, ResumeInput,
    RunInput, SourceKind, Value,
};
use serde::Deserialize;

use crate::asks::Asks;
use crate::hooks::modules::AskedModules;
use crate::options::LimitOptions;
use crate::refusal::Refusal;

type Refusable<T> = Result<T, Refusal>;

/// Bytes within a message.
#[derive(Deserialize, Default)]
#[serde(transparent)]
pub struct Bytes(Value);

impl Bytes {
    /// As they are.
    pub fn get(&self) -> &[u8] {
        self.0.as_bytes().unwrap_or_default()
    }

    /// The value that they are the bytes of.
    ///
    /// # Errors
    /// `VALUE`: where they are none of a value.
    pub fn value(&self) -> Refusable<Value> {
        decode(self.get(), usize::MAX).map_err(|error| Refusal::new("VALUE", &error))
    }
}

/// What `run` was given.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Run {
    source: String,
    kind: Option<Kind>,
    name: Option<String>,
    input: Option<Bytes>,
    data: Option<Bytes>,
    seed: Option<Bytes>,
    limits: Option<LimitOptions>,
    #[serde(default)]
    modules: bool,
    /// Whether it is aborted before it begins.
    #[serde(default)]
    aborted: bool,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Auto,
    FunctionBody,
    Module,
}

impl Run {
    /// As the library takes it.
    ///
    /// # Errors
    /// With a code: a value or a seed that is none.
    pub fn input(self, below: Limits, asks: &Asks, abort: &AbortController) -> Refusable<RunInput<'static>> {
        if self.aborted {
            abort.abort();
        }
        let mut run = RunInput::new(self.source).abort(abort.signal());
        run.kind = match self.kind {
            Some(Kind::FunctionBody) => SourceKind::FunctionBody,
            Some(Kind::Module) => SourceKind::Module,
            Some(Kind::Auto) | None => SourceKind::Auto,
        };
        if let Some(name) = self.name {
            run.name = name.into();
        }
        run.input = self.input.map(|bytes| bytes.value()).transpose()?.unwrap_or_default();
        run.data = self.data.map(|bytes| bytes.value()).transpose()?.unwrap_or_default();
        run.seed = self.seed.map(|seed| seed_of(seed.get())).transpose()?;
        run.limits = self.limits.map(|limits| limits.over(below));
        Ok(if self.modules { run.modules(AskedModules(asks.clone())) } else { run })
    }
}

fn seed_of(bytes: &[u8]) -> Refusable<[u8; 32]> {
    bytes
        .try_into()
        .map_err(|_| Refusal::new("OPTIONS", &format!("a seed has 32 bytes, not {}", bytes.len())))
}

/// What `resume` was given.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Resume {
    token: Option<String>,
    continuation: Option<Bytes>,
    context: Option<Bytes>,
    #[serde(default)]
    resolutions: Vec<Given>,
    source: Option<String>,
    #[serde(default)]
    retry: bool,
    limits: Option<LimitOptions>,
    #[serde(default)]
    modules: bool,
    /// Whether it is aborted before it begins.
    #[serde(default)]
    aborted: bool,
}

impl Resume {
    /// As the library takes it. `from` is where it goes on from, where the message does not say it.
    ///
    /// # Errors
    /// With a code: a value or a continuation that is none.
    pub fn input(
        self,
        from: Option<ResumeFrom>,
        below: Limits,
        asks: &Asks,
        abort: &AbortController,
    ) -> Refusable<ResumeInput> {
        let from = match (from, self.token, self.continuation) {
            (Some(from), ..) => from,
            (None, Some(token), _) => ResumeFrom::Token(Token::from(token)),
            (None, None, bytes) => ResumeFrom::Continuation(continuation(bytes.unwrap_or_default().get())?),
        };
        if self.aborted {
            abort.abort();
        }
        let mut resume = ResumeInput::new(from).abort(abort.signal());
        resume.context = self.context.map(|context| context.get().to_vec()).unwrap_or_default();
        resume.resolutions =
            self.resolutions.into_iter().map(Given::resolution).collect::<Refusable<Vec<_>>>()?;
        resume.source = self.source;
        resume.retry = self.retry;
        resume.limits = self.limits.map(|limits| limits.over(below));
        Ok(if self.modules { resume.modules(AskedModules(asks.clone())) } else { resume })
    }
}

/// A continuation in its plain bytes.
///
/// # Errors
/// With a code, where they are none of a ledger.
pub fn continuation(bytes: &[u8]) -> Refusable<Continuation> {
    Continuation::from_bytes(bytes).map_err(|error| Refusal::new(error.code(), &error))
}

/// An answer.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Given {
    interruption_id: String,
    kind: GivenKind,
    /// A value; of `approveWith` the list of arguments; of `failed` an error.
    body: Option<Bytes>,
    reason: Option<String>,
    arguments_digest: Option<String>,
    at: Option<u64>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "camelCase")]
enum GivenKind {
    Value,
    Approve,
    ApproveWith,
    Deny,
    Happened,
    Failed,
    DidNotHappen,
}

impl Given {
    /// As the library takes it.
    ///
    /// # Errors
    /// With a code: an id or a value that is none.
    pub fn resolution(self) -> Refusable<Resolution> {
        let id = self.interruption_id.parse().map_err(|error| Refusal::new("RESOLUTION_UNKNOWN", &error))?;
        let body = self.body.map(|body| body.value()).transpose()?.unwrap_or_default();
        let answer = match self.kind {
            GivenKind::Value => Answer::Value(body),
            GivenKind::Approve => Answer::Approve,
            GivenKind::ApproveWith => Answer::ApproveWith(list(body)),
            GivenKind::Deny => Answer::Deny { reason: self.reason },
            GivenKind::Happened => Answer::Happened(Ok(body)),
            GivenKind::Failed => Answer::Happened(Err(host_error(&body))),
            GivenKind::DidNotHappen => Answer::DidNotHappen,
        };
        Ok(Resolution { arguments_digest: self.arguments_digest, at: self.at, ..Resolution::new(id, answer) })
    }
}

fn list(value: Value) -> Vec<Value> {
    match value {
        Value::Array(elements) => elements.into_iter().map(Option::unwrap_or_default).collect(),
        other => vec![other],
    }
}

/// An error that a host function threw: its name, message and code, as an object.
pub fn host_error(thrown: &Value) -> HostError {
    let text = |key| thrown.get(key).and_then(Value::as_str);
    let mut error = HostError::new(text("message").unwrap_or_default());
    if let Some(name) = text("name") {
        error = error.with_name(name);
    }
    match text("code") {
        Some(code) => error.with_code(code),
        None => error,
    }
}

/// What a host function asks, as an object.
pub fn interrupt(asked: &Value) -> HostError {
    let value = |key| {
        let bytes = asked.get(key).and_then(Value::as_bytes)?;
        decode(bytes, usize::MAX).ok()
    };
    let mut interrupt = Interrupt::new(value("payload").unwrap_or_default());
    if let Some(state) = value("state") {
        interrupt = interrupt.state(state);
    }
    if let Some(expires) = asked.get("expiresAt").and_then(Value::as_f64) {
        interrupt = interrupt.expires_at(expires.max(0.0) as u64);
    }
    match value("default") {
        Some(default) => interrupt.default(default).into(),
        None => interrupt.into(),
    }
}
