//! From a continuation or a token to the result: whoever remembers is asked first and told afterwards.

use crate::begin::Invocation;
use crate::claims::{Claimed, Claims, answers_text};
use crate::codec::{CodecError, Opened, StoreError};
use crate::resume::next;
use crate::run_handle::Line;
use crate::runner::Shared;
use crate::{
    AbortSignal, Continuation, Point, ResumeError, ResumeFrom, ResumeInput, RunError, RunId, RunResult, begin,
};

/// A resume that was let go on.
pub(crate) enum Begun {
    /// It goes on; afterwards whoever remembers is told.
    Going(Box<Invocation>, Held),
    /// It was done before: this came of it.
    Done(Continuation),
}

/// What is to be given back with what came of it.
#[derive(Debug, Default)]
pub(crate) struct Held {
    /// To the codec.
    ticket: Option<String>,
    /// To the claims.
    claim: Option<(Point, u64)>,
}

impl Begun {
    pub(crate) fn run_id(&self) -> RunId {
        match self {
            Self::Going(invocation, _) => invocation.ledger.facts().run_id,
            Self::Done(continuation) => continuation.run_id(),
        }
    }

    /// To be held by a handle.
    pub(crate) fn on(self, line: Line) -> Self {
        match self {
            Self::Going(invocation, held) => Self::Going(Box::new(invocation.on(line)), held),
            done @ Self::Done(_) => done,
        }
    }
}

/// Opens, checks and claims. Nothing has run, and nothing has changed, where this is refused.
pub(crate) async fn begin_again(runner: &Shared, input: ResumeInput) -> Result<Begun, ResumeError> {
    let opened = match &input.from {
        ResumeFrom::Continuation(continuation) => {
            Opened { continuation: continuation.clone(), expires: None, ticket: None }
        }
        ResumeFrom::Token(token) => {
            match runner.codec()?.claim(token.as_str(), runner.scope(&input.context)).await {
                Err(CodecError::Used { point }) => return used(runner, &input, point).await,
                claimed => claimed?,
            }
        }
    };
    let ticket = opened.ticket;
    let begun = match &runner.claims {
        None => next(runner, input, opened.continuation)
            .map(|invocation| Begun::Going(Box::new(invocation), Held::default())),
        Some(claims) => claim(runner, claims.as_ref(), input, opened.continuation).await,
    };
    match (begun, ticket) {
        (Ok(Begun::Going(invocation, held)), ticket) => Ok(Begun::Going(invocation, Held { ticket, ..held })),
        (begun, None) => begun,
        (begun, Some(ticket)) => {
            runner.codec()?.release(&ticket, None).await?;
            begun
        }
    }
}

/// The first answers count.
async fn claim(
    runner: &Shared,
    claims: &dyn Claims,
    input: ResumeInput,
    continuation: Continuation,
) -> Result<Begun, ResumeError> {
    let point = Point::of(&continuation);
    let invocation = next(runner, input.clone(), continuation)?;
    let (text, lease) = (claim_text(&input), lease(runner, &input));
    let claim = claims.claim(point, &text, runner.time.now(), lease);
    let Some(claimed) = unless_aborted(input.abort.as_ref(), claim).await else {
        // Whoever waited for another's result has not gone on: the invocation ends before it begins.
        return Ok(Begun::Going(Box::new(invocation), Held::default()));
    };
    let (ticket, left) = match claimed? {
        Claimed::Yours { ticket, left } => (ticket, left),
        Claimed::Done(ledger) => return Ok(Begun::Done(Continuation::from_bytes(&ledger)?)),
        Claimed::Conflict { winner } => return Err(ResumeError::Conflict { winner }),
    };
    let invocation = match left {
        None => Ok(invocation),
        Some(left) => Continuation::from_bytes(&left)
            .map_err(ResumeError::from)
            .and_then(|left| next(runner, input.of_the_rest(), left)),
    };
    match invocation {
        Ok(invocation) => {
            Ok(Begun::Going(Box::new(invocation), Held { ticket: None, claim: Some((point, ticket)) }))
        }
        Err(refused) => {
            claims.release(point, ticket).await?;
            Err(refused)
        }
    }
}

/// What comes of `work`; nothing where somebody aborts first.
async fn unless_aborted<T>(signal: Option<&AbortSignal>, work: impl Future<Output = T>) -> Option<T> {
    let Some(signal) = signal else { return Some(work.await) };
    tokio::select! {
        biased;
        done = work => Some(done),
        () = signal.aborted() => None,
    }
}

/// The token was used. Whoever remembers what came of it may say it again.
async fn used(runner: &Shared, input: &ResumeInput, point: Point) -> Result<Begun, ResumeError> {
    let Some(claims) = &runner.claims else { return Err(CodecError::Used { point }.into()) };
    let text = claim_text(input);
    let claim = claims.claim(point, &text, runner.time.now(), lease(runner, input));
    let claimed = unless_aborted(input.abort.as_ref(), claim).await;
    match claimed.unwrap_or_else(|| Err(StoreError("the resume was aborted".to_owned())))? {
        Claimed::Done(ledger) => Ok(Begun::Done(Continuation::from_bytes(&ledger)?)),
        Claimed::Conflict { winner } => Err(ResumeError::Conflict { winner }),
        Claimed::Yours { ticket, .. } => {
            claims.release(point, ticket).await?;
            Err(CodecError::Used { point }.into())
        }
    }
}

/// Goes on, and tells whoever remembers what came of it. A result is not lost because nobody could be told.
pub(crate) async fn go_on(runner: &Shared, begun: Begun) -> RunResult {
    let (invocation, held) = match begun {
        Begun::Going(invocation, held) => (invocation, held),
        Begun::Done(continuation) => return begin::replay(runner, continuation).await,
    };
    let result = begin::invoke(runner, *invocation).await;
    // The one is told, whatever the other says.
    let claims = tell_claims(runner, &held, &result).await.map_err(|error| error.to_string());
    let codec = tell_codec(runner, &held, &result).await;
    match claims.and(codec) {
        Ok(()) => result,
        Err(why) => result.failed(RunError::Sink(why)),
    }
}

async fn tell_claims(runner: &Shared, held: &Held, result: &RunResult) -> Result<(), StoreError> {
    let (Some(claims), Some((point, ticket))) = (&runner.claims, held.claim) else { return Ok(()) };
    match result.continuation() {
        Some(came) if Point::of(came) != point => {
            // A run that failed before its script had ended goes on with the next who says the same.
            let over = !matches!(result, RunResult::Failed { .. }) || came.over().is_some();
            claims.settle(point, ticket, came.to_bytes(), over).await
        }
        _ => claims.release(point, ticket).await,
    }
}

/// A codec that remembers keeps a run that failed under the same token, with all that it did.
async fn tell_codec(runner: &Shared, held: &Held, result: &RunResult) -> Result<(), String> {
    let Some(ticket) = &held.ticket else { return Ok(()) };
    let codec = runner.codec().map_err(|error| error.to_string())?;
    let told = match result {
        RunResult::Failed { continuation, .. } => codec.release(ticket, continuation.as_ref()).await,
        _ => codec.consume(ticket).await,
    };
    told.map_err(|error| error.to_string())
}

/// The answers, and what else makes one resume another than the next.
fn claim_text(input: &ResumeInput) -> String {
    let mut text = answers_text(&input.resolutions);
    if let Some(source) = &input.source {
        text.push_str("; source ");
        text.push_str(&intermission_ledger::digest(source.as_bytes()));
    }
    if input.retry {
        text.push_str("; retry");
    }
    text
}

/// How long nobody else goes on from here: longer than the invocation can take.
fn lease(runner: &Shared, input: &ResumeInput) -> u64 {
    let deadline = input.limits.unwrap_or(runner.limits).deadline;
    let lease = deadline.saturating_add(runner.drain).saturating_add(std::time::Duration::from_mins(1));
    u64::try_from(lease.as_millis()).unwrap_or(u64::MAX)
}
