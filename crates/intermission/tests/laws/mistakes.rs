//! Resumes that must change nothing: empty, malformed, duplicate, stale, of another source.

use intermission::ledger::entry::Request;
use intermission::ledger::{Entry, InterruptionId, Record};
use intermission::value::decode;
use intermission::{
    Answer, Continuation, InterruptionKind, Limits, Resolution, ResumeInput, RunError, RunResult, TimeSource,
    Value,
};

use crate::case::{Pause, SALT};
use crate::laws::{Broken, broken};
use crate::life::{AtRest, Life};

/// Makes the mistakes that the pause says. Nothing is invoked, and the continuation stays as it was.
pub(crate) async fn make(life: &Life<'_>, rest: &AtRest, pause: &Pause) -> Result<(), Broken> {
    let before = life.rig.world.invocations();
    if pause.mistakes & 0b1 == 0 {
        settle_nothing(life, rest).await?;
    }
    if pause.mistakes & 0b10 == 0 {
        answer_wrongly(life, rest).await?;
    }
    if pause.mistakes & 0b1100 == 0 {
        change_source(life, rest).await?;
    }
    if pause.mistakes & 0b1_0000 == 0 {
        cut_short(rest, pause)?;
    }
    if life.rig.world.invocations() != before {
        let invoked = &life.rig.world.memory().invoked[before..];
        return Err(broken(4, format!("a resume that settles nothing has invoked {invoked:?}")));
    }
    Ok(())
}

async fn settle_nothing(life: &Life<'_>, rest: &AtRest) -> Result<(), Broken> {
    // A run that only waits for a timer waits for it in place, where its deadline allows.
    let waits = if rest.interruptions.is_empty() { Limits::default().deadline.as_millis() as u64 } else { 0 };
    if rest.wake_at.is_some_and(|due| due <= life.rig.world.now() + waits) {
        return Ok(());
    }
    let result = life.runner.resume(ResumeInput::new(rest.continuation.clone())).await;
    let again = result.map_err(|refused| broken(4, format!("a resume without answers: {refused}")))?;
    match again.continuation().map(Continuation::to_bytes) {
        Some(bytes) if bytes == rest.bytes && matches!(again, RunResult::Interrupted { .. }) => Ok(()),
        _ => {
            let entries = |kept: &Continuation| kept.record().entries().to_vec();
            let before = entries(&rest.continuation);
            let after = again.continuation().map(entries).unwrap_or_default();
            let same = before.iter().zip(&after).take_while(|(one, other)| one == other).count();
            let (lost, new) = (&before[same..], &after[same..]);
            Err(broken(
                2,
                format!(
                    "a resume that settles nothing: {:?}, entries lost {lost:?}, new {new:?}",
                    again.error()
                ),
            ))
        }
    }
}

async fn answer_wrongly(life: &Life<'_>, rest: &AtRest) -> Result<(), Broken> {
    let unknown: InterruptionId = "int_aaaaaaaaaaaaaaaaaaaaaaaaaa".parse().unwrap();
    let say = |id: &InterruptionId| Resolution::new(id.clone(), Answer::Value(Value::from("wrong")));
    let mut wrong = vec![(vec![say(&unknown)], "RESOLUTION_UNKNOWN")];
    for answered in &life.answered {
        wrong.push((vec![say(answered)], "RESOLUTION_STALE"));
    }
    for asked in &rest.interruptions {
        let right = || Resolution::new(asked.id.clone(), life.rig.world.answer(asked));
        let misfit = match asked.kind {
            InterruptionKind::Question => Answer::Approve,
            _ => Answer::Value(Value::Null),
        };
        wrong.push((vec![right(), right()], "RESOLUTION_DUPLICATE"));
        wrong.push((vec![right(), say(&unknown)], "RESOLUTION_UNKNOWN"));
        wrong.push((vec![right().for_arguments("sha256:x")], "RESOLUTION_ARGUMENTS_DIFFER"));
        wrong.push((vec![Resolution::new(asked.id.clone(), misfit)], "RESOLUTION_INVALID"));
    }
    for (resolutions, code) in wrong {
        let input = ResumeInput { resolutions, ..ResumeInput::new(rest.continuation.clone()) };
        let refused = life.runner.resume(input).await.err().map(|refused| refused.code());
        if refused != Some(code) {
            return Err(broken(4, format!("{code} is expected, not {refused:?}")));
        }
    }
    Ok(())
}

/// The calls of the other text carry other arguments, so it diverges at the first of them.
async fn change_source(life: &Life<'_>, rest: &AtRest) -> Result<(), Broken> {
    if !rest.continuation.record().entries().iter().any(carries_salt) {
        return Ok(());
    }
    let input = ResumeInput::new(rest.continuation.clone()).source(life.case.other_text());
    let input = rest.interruptions.iter().fold(input, |input, asked| {
        input.resolve(Resolution::new(asked.id.clone(), life.rig.world.answer(asked)))
    });
    let result = life.runner.resume(input).await;
    let result = result.map_err(|refused| broken(4, format!("another source: {refused}")))?;
    match result.error() {
        Some(RunError::Diverged(_)) => Ok(()),
        other => Err(broken(2, format!("another source does not diverge: {other:?}"))),
    }
}

fn carries_salt(entry: &Entry) -> bool {
    let Entry::Called { request: Request::Function { arguments, .. }, .. } = entry else { return false };
    let arguments = decode(arguments, usize::MAX).unwrap_or_default();
    arguments.at(0).and_then(|input| input.get("to")?.as_str()) == Some(SALT)
}

/// Bytes that end too early are none, or those of an earlier state.
fn cut_short(rest: &AtRest, pause: &Pause) -> Result<(), Broken> {
    let length = usize::from(pause.ago) * rest.bytes.len() / 60;
    match Continuation::from_bytes(&rest.bytes[..length]) {
        Ok(earlier) if !rest.bytes.starts_with(&earlier.to_bytes()) => {
            Err(broken(4, format!("{length} bytes of a ledger are another")))
        }
        _ => Ok(()),
    }
}

pub(crate) fn is_blocking(record: &Record, request: &Request) -> bool {
    match request {
        Request::Function { function, .. } => record.started().functions[*function as usize].blocking,
        Request::Normalize { .. } | Request::Load { .. } => true,
    }
}
