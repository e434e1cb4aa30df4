//! Going on with a run: everything is checked before anything runs.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use intermission_engine::{Exhausted, Limit};
use intermission_ledger::entry::{self, QuestionKind};
use intermission_ledger::{Entry, Fault, InterruptionId, Ledger, LedgerError, OpenCall, Over, digest};

use crate::agenda::Answered;
use crate::begin::Invocation;
use crate::codec::Token;
use crate::faulty;
use crate::frontier::Frontier;
use crate::runner::Shared;
use crate::{
    AbortSignal, Answer, Continuation, HostFunctions, LedgerSink, Limits, ModuleLoader, Resolution,
    ResumeError,
};

/// Where a run goes on from.
#[derive(Clone, Debug)]
pub enum ResumeFrom {
    /// What an earlier invocation has left, as it is.
    Continuation(Continuation),
    /// A token, to be read by the runner's codec.
    Token(Token),
}

impl From<Continuation> for ResumeFrom {
    fn from(continuation: Continuation) -> Self {
        Self::Continuation(continuation)
    }
}

impl From<Token> for ResumeFrom {
    fn from(token: Token) -> Self {
        Self::Token(token)
    }
}

/// What a run goes on from, and with.
///
/// ```
/// use intermission::{Answer, HostFunction, HostFunctions, Resolution, ResumeInput, RunResult, Runner, Value};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mail = HostFunction::sync("mail", |call| Ok(call.input())).approval();
/// let runner = Runner::builder().host_functions(HostFunctions::new([mail])?).build()?;
/// let RunResult::Interrupted { interruptions, continuation, .. } = runner.run("return await mail('hello')").await else {
///     panic!("it asks")
/// };
/// let answer = Resolution::new(interruptions[0].id.clone(), Answer::Approve);
/// let result = runner.resume(ResumeInput::new(continuation).resolve(answer)).await?;
/// assert_eq!(result.into_value()?, Value::from("hello"));
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct ResumeInput {
    /// The run, as far as it got.
    pub from: ResumeFrom,
    /// The caller's context that the token is bound to. Default: nothing.
    pub context: Vec<u8>,
    /// Answers to some of its questions; none lets timers fire and questions expire.
    pub resolutions: Vec<Resolution>,
    /// Another text to go on with. It must do what the run did so far; else the resume diverges and nothing has changed. Default: the same text.
    pub source: Option<String>,
    /// Whether the host call is made again whose rejection ended the run. Everything else stays. Default: no; a run that failed of something else than its script's
    /// error goes on without it.
    pub retry: bool,
    /// Limits. What the run has used already counts. Default: the runner's.
    pub limits: Option<Limits>,
    /// Where modules come from that the run has not asked for yet. Default: the runner's.
    pub modules: Option<Arc<dyn ModuleLoader>>,
    /// Ends the invocation when aborted.
    pub abort: Option<AbortSignal>,
    /// Where the run's ledger is kept while it goes on; what it has so far is kept already. Default: the runner's.
    pub ledger_sink: Option<Arc<dyn LedgerSink>>,
    /// The longest wait for a timer, with nothing else under way, that keeps the sandbox: for a longer one the run is put away. Default: what is left until the
    /// deadline.
    pub longest_wait: Option<Duration>,
}

impl ResumeInput {
    /// Goes on without answers.
    pub fn new(from: impl Into<ResumeFrom>) -> Self {
        Self {
            from: from.into(),
            context: Vec::new(),
            resolutions: Vec::new(),
            source: None,
            retry: false,
            limits: None,
            modules: None,
            abort: None,
            ledger_sink: None,
            longest_wait: None,
        }
    }

    /// Sets the caller's context that the token is bound to.
    #[must_use]
    pub fn context(mut self, context: impl Into<Vec<u8>>) -> Self {
        self.context = context.into();
        self
    }

    /// Without what is done already: an earlier attempt has left a ledger that has the answers.
    pub(crate) fn of_the_rest(mut self) -> Self {
        self.resolutions.clear();
        self.source = None;
        self.retry = false;
        self
    }

    /// Adds an answer.
    #[must_use]
    pub fn resolve(mut self, resolution: Resolution) -> Self {
        self.resolutions.push(resolution);
        self
    }

    /// Sets the text to go on with.
    #[must_use]
    pub fn source(mut self, source: impl Into<String>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// Makes the call again whose rejection ended the run.
    #[must_use]
    pub fn retry(mut self) -> Self {
        self.retry = true;
        self
    }

    /// Sets the limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = Some(limits);
        self
    }

    /// Sets where modules come from.
    #[must_use]
    pub fn modules(mut self, modules: impl ModuleLoader + 'static) -> Self {
        self.modules = Some(Arc::new(modules));
        self
    }

    /// Sets what ends the invocation.
    #[must_use]
    pub fn abort(mut self, signal: AbortSignal) -> Self {
        self.abort = Some(signal);
        self
    }

    /// Sets where the ledger is kept.
    #[must_use]
    pub fn ledger_sink(mut self, sink: impl LedgerSink + 'static) -> Self {
        self.ledger_sink = Some(Arc::new(sink));
        self
    }

    /// Sets the longest wait for a timer that keeps the sandbox.
    #[must_use]
    pub fn longest_wait(mut self, wait: Duration) -> Self {
        self.longest_wait = Some(wait);
        self
    }
}

/// The next invocation of a run.
///
/// # Errors
/// [`ResumeError`]. Nothing has run then, and nothing has changed.
pub(crate) fn next(
    runner: &Shared,
    input: ResumeInput,
    continuation: Continuation,
) -> Result<Invocation, ResumeError> {
    let limits = input.limits.unwrap_or(runner.limits);
    let came = continuation.record().entries().len();
    let ledger = changed(continuation, input.source, input.retry)?.with_faults(runner.faults);
    let added = ledger.record().entries().len() - came;
    let resolutions = input.resolutions;
    match &ledger.facts().over {
        Some(Over::Cancelled) => return Err(ResumeError::Over),
        Some(Over::Ended(_)) if !resolutions.is_empty() => return Err(ResumeError::Over),
        _ => {}
    }
    check_limits(&ledger, &limits)?;
    check_functions(&ledger, &runner.host_functions)?;
    let now = runner.time.now();
    let mut seen = BTreeSet::new();
    let mut answers = Vec::with_capacity(resolutions.len());
    for resolution in &resolutions {
        if !seen.insert(&resolution.interruption_id) {
            return Err(ResumeError::Duplicate { id: resolution.interruption_id.clone() });
        }
        answers.push(answered(&ledger, &runner.host_functions, resolution, now)?);
    }
    if runner.faults.has(Fault::SwapResolutions) {
        faulty::swap(&mut answers);
    }
    Ok(Invocation {
        frontier: Some(Frontier { answers }),
        functions: Some(runner.host_functions.find(&ledger.record().started().functions)),
        added,
        dry: ledger.facts().closed,
        limits,
        modules: input.modules.unwrap_or_else(|| Arc::clone(&runner.modules)),
        aborts: input.abort.into_iter().collect(),
        sink: input.ledger_sink.or_else(|| runner.sink.clone()),
        longest_wait: input.longest_wait.unwrap_or(Duration::MAX),
        ..Invocation::new(runner, ledger)
    })
}

fn changed(continuation: Continuation, source: Option<String>, retry: bool) -> Result<Ledger, ResumeError> {
    if source.is_none() && !retry {
        return Ok(continuation.into_ledger()?);
    }
    let mut record = continuation.into_record();
    if retry {
        record = Ledger::retry(record).map_err(|error| match error {
            LedgerError::Refused(why) => ResumeError::NotRetryable { why },
            LedgerError::Diverged(_) => ResumeError::NotRetryable { why: "it diverged" },
        })?;
    }
    if let Some(source) = source {
        record = Ledger::change_source(record, source);
    }
    Ok(Ledger::resume(record)?)
}

/// What one answer means for the ledger, if it may be given.
pub(crate) fn answered(
    ledger: &Ledger,
    functions: &HostFunctions,
    resolution: &Resolution,
    now: u64,
) -> Result<Answered, ResumeError> {
    let id = &resolution.interruption_id;
    let (call, question) = pending_question(ledger, id)?;
    let record = resolution
        .answer
        .record()
        .map_err(|error| ResumeError::Invalid { id: id.clone(), why: error.to_string() })?;
    if !record.fits(question.kind) {
        return Err(ResumeError::Invalid { id: id.clone(), why: expected(question.kind).to_owned() });
    }
    let differs =
        |given: &String| script_arguments(call).is_some_and(|arguments| *given != digest(arguments));
    if resolution.arguments_digest.as_ref().is_some_and(differs) {
        return Err(ResumeError::ArgumentsDiffer { id: id.clone() });
    }
    let at = resolution.at.unwrap_or(now).min(now).max(question.created);
    if let Some(expires) = question.expires.filter(|expires| *expires <= at) {
        return Err(ResumeError::Expired { id: id.clone(), at: expires });
    }
    if let Answer::ApproveWith(arguments) = &resolution.answer {
        check_edit(ledger, functions, call, id, arguments)?;
    }
    Ok(Answered { at, call: question.call, resolution: Some(record) })
}

fn pending_question<'l>(
    ledger: &'l Ledger,
    id: &InterruptionId,
) -> Result<(&'l OpenCall, &'l entry::Question), ResumeError> {
    let facts = ledger.facts();
    if let Some((_, call, question)) = facts.questions().find(|(pending, ..)| pending == id) {
        return Ok((call, question));
    }
    let asked = ledger.record().entries().iter().find_map(|entry| match entry {
        Entry::Interrupted(question)
            if InterruptionId::new(facts.run_id, question.call, question.ordinal) == *id =>
        {
            Some(question.call)
        }
        _ => None,
    });
    let Some(asked) = asked else { return Err(ResumeError::Unknown { id: id.clone() }) };
    let next = facts.questions().find(|(_, _, question)| question.call == asked);
    match next.filter(|_| ledger.faults().has(Fault::AcceptStale)) {
        Some((_, call, question)) => Ok((call, question)),
        None => Err(ResumeError::Stale { id: id.clone() }),
    }
}

fn expected(kind: QuestionKind) -> &'static str {
    match kind {
        QuestionKind::Question => "a host function asks: answer with a value",
        QuestionKind::Approval => {
            "it is an approval: approve it, approve it with other arguments, or deny it"
        }
        QuestionKind::OutcomeUnknown => "an outcome is unknown: say what happened, or that nothing did",
        QuestionKind::Event => "the script waits for an event: answer with its value",
    }
}

fn script_arguments(call: &OpenCall) -> Option<&[u8]> {
    match &call.request {
        entry::Request::Function { arguments, .. } => Some(arguments),
        entry::Request::Normalize { .. } | entry::Request::Load { .. } => None,
    }
}

/// Other arguments must be such as the function takes.
fn check_edit(
    ledger: &Ledger,
    functions: &HostFunctions,
    call: &OpenCall,
    id: &InterruptionId,
    arguments: &[intermission_value::Value],
) -> Result<(), ResumeError> {
    let entry::Request::Function { function, .. } = &call.request else { return Ok(()) };
    let Some(lent) = ledger.record().started().functions.get(*function as usize) else { return Ok(()) };
    let Some(today) = functions.by_name(&lent.name) else { return Ok(()) };
    let first = arguments.first().cloned().unwrap_or_default();
    let fits = today.schemas.check_input(&lent.name, first);
    fits.map_err(|error| ResumeError::Invalid { id: id.clone(), why: error.message().to_owned() })
}

/// A limit below what the run has used already would end it at once.
fn check_limits(ledger: &Ledger, limits: &Limits) -> Result<(), ResumeError> {
    let facts = ledger.facts();
    let cpu = u64::try_from(limits.cpu.as_micros()).unwrap_or(u64::MAX);
    let used = [
        (Limit::Fuel, limits.fuel.unwrap_or(u64::MAX), facts.spent.fuel),
        (Limit::Cpu, cpu / 1000, facts.spent.cpu / 1000),
        (Limit::Calls, limits.calls.into(), facts.last_call.into()),
        (Limit::Console, limits.console.into(), facts.spent.console),
    ];
    match used.into_iter().find(|(_, allowed, used)| used > allowed) {
        Some((limit, allowed, used)) => Err(ResumeError::LimitTooLow(Exhausted { limit, allowed, used })),
        None => Ok(()),
    }
}

/// A function with a call that is still open must be there, and be what it was.
fn check_functions(ledger: &Ledger, functions: &HostFunctions) -> Result<(), ResumeError> {
    let facts = ledger.facts();
    if facts.over.is_some() {
        return Ok(());
    }
    for open in facts.open.values() {
        let entry::Request::Function { function, .. } = &open.request else { continue };
        let lent = ledger.record().started().functions.get(*function as usize);
        let name = lent.map(|lent| lent.name.as_str()).unwrap_or_default();
        let Some(today) = functions.by_name(name) else {
            return Err(ResumeError::FunctionMissing { name: name.to_owned() });
        };
        if facts.used.get(function).is_some_and(|used| *used != today.fingerprint) {
            return Err(ResumeError::FunctionChanged { name: name.to_owned() });
        }
    }
    Ok(())
}
