//! From what the library says to what the corpus knows.

use intermission::{
    Answer, Continuation, Fate, HostError, Interruption, InterruptionId, Resolution, ResumeError, RunError,
    RunInput, RunResult, Value,
};
use intermission_testkit::{Answered, Called, Ended, Failure, Question, Reply, Run, Seen, Setting};

/// The case's script, and what it is given.
pub(crate) fn run_input(setting: &Setting<'_>, run: &Run<'_>) -> RunInput<'static> {
    let source = &setting.case.source;
    let input = RunInput::new(source.text.clone())
        .name(source.language.file_name())
        .input(Value::from(run.input.clone()));
    match run.data {
        Some(data) => input.data(Value::from(data.clone())),
        None => input,
    }
}

pub(crate) fn seen(result: RunResult) -> Seen<Continuation> {
    let token = result.continuation().cloned();
    let report = result.report();
    let fate = |fate| match fate {
        Fate::Fulfilled => "fulfilled",
        Fate::Rejected => "rejected",
        Fate::Aborted => "aborted",
        Fate::Unknown => "unknown",
        Fate::Refused => "refused",
    };
    let console = report.console.iter().map(|entry| (entry.method.clone(), entry.text.clone())).collect();
    let detached =
        report.detached.iter().map(|call| (call.host_function.clone(), fate(call.fate).to_owned())).collect();
    let abandoned = report.abandoned.iter().map(called).collect();
    let unhandled = report.unhandled.iter().map(ToString::to_string).collect();
    let data = report.data.as_ref().map(|data| data.to_json().unwrap());
    let replayed = Some(report.replayed);
    let ended = match result {
        RunResult::Completed { value, .. } => Ended::Completed(value.to_json().unwrap()),
        RunResult::Interrupted { interruptions, wake_at, .. } => {
            Ended::Interrupted { asks: interruptions.iter().map(question).collect(), wakes_at: wake_at }
        }
        RunResult::Failed { error, .. } => Ended::Failed(failure(&error)),
        RunResult::Cancelled { .. } => Ended::Cancelled,
        other => panic!("an ending that the corpus does not know: {other:?}"),
    };
    Seen { ended, console, replayed, abandoned, detached, unhandled, data, token }
}

pub(crate) fn question(asked: &Interruption) -> Question {
    Question {
        id: asked.id.to_string(),
        call: called(asked),
        kind: asked.kind.name().to_owned(),
        payload: asked.payload.to_json().unwrap(),
        digest: Some(asked.arguments_digest.clone()),
        at: asked.position.map(|at| (at.line, at.column)),
    }
}

pub(crate) fn called(asked: &Interruption) -> Called {
    let argument = asked.arguments.first().cloned().unwrap_or_default();
    Called::new(asked.host_function.clone(), argument.to_json().unwrap())
}

pub(crate) fn failure(error: &RunError) -> Failure {
    let at = match error {
        RunError::Script(error) => error.frames.first().map(|frame| (frame.line, frame.column)),
        RunError::Source(error) => error.position().map(|at| (at.line, at.column)),
        RunError::Diverged(diverged) => diverged.position.map(|at| (at.line, at.column)),
        _ => None,
    };
    Failure { code: error.code().to_owned(), message: error.to_string(), at }
}

pub(crate) fn refusal(error: &ResumeError) -> Failure {
    Failure { code: error.code().to_owned(), message: error.to_string(), at: None }
}

pub(crate) fn resolution(answered: Answered) -> Resolution {
    let id: InterruptionId = answered.id.parse().unwrap();
    let answer = match answered.reply {
        Reply::Value(value) => Answer::Value(value.into()),
        Reply::Approve => Answer::Approve,
        Reply::ApproveWith(argument) => Answer::ApproveWith(vec![Value::from(argument)]),
        Reply::Deny(reason) => Answer::Deny { reason: Some(reason) },
        Reply::Happened(value) => Answer::Happened(Ok(value.into())),
        Reply::HappenedError(error) => {
            Answer::Happened(Err(HostError::new(error.message).with_name(error.name)))
        }
        Reply::DidNotHappen => Answer::DidNotHappen,
    };
    Resolution { interruption_id: id, answer, arguments_digest: answered.digest, at: answered.at }
}
