//! What is told again: of a run that is over, and behind a crash.

use std::time::Duration;

use intermission::{
    Answer, Continuation, Effect, HostFunction, HostFunctions, Resolution, ResumeInput, RunResult, Value,
    ledger::Entry, ledger::Record,
};

use crate::host::{Done, builder, put_away, run, runner, value_text};

#[tokio::test]
async fn a_run_that_is_over_tells_again_what_it_abandoned() {
    let runner = runner(&Done::default());
    let result = run(&runner, "return await Promise.race([t.pause(1), t.echo('fast')])").await;
    let abandoned = result.report().abandoned.clone();
    assert_eq!(abandoned.len(), 1);
    let kept = result.continuation().unwrap().clone();
    let again = runner.resume(ResumeInput::new(kept)).await.unwrap();
    assert_eq!(again.report().abandoned, abandoned);
}

#[tokio::test]
async fn in_strict_mode_an_abandoned_question_is_no_detached_call_on_replay_either() {
    let functions = crate::host::functions(&Done::default());
    let runner = builder().host_functions(functions).strict(true).build().unwrap();
    let result = run(&runner, "return await Promise.race([t.pause(1), t.echo('fast')])").await;
    let kept = result.continuation().unwrap().clone();
    assert_eq!(value_text(result), r#""fast""#);
    let again = runner.resume(ResumeInput::new(kept)).await.unwrap();
    assert_eq!(value_text(again), r#""fast""#);
}

/// With a clock that stands still unless somebody waits, waiting for what cannot happen yet would never end.
#[tokio::test(start_paused = true)]
async fn a_late_timer_that_an_answer_goes_before_is_waited_for_by_nobody() {
    let ask = HostFunction::new("ask", |call| async move {
        let Some(resume) = call.resume() else { return Err(call.interrupt(1, Value::Undefined)) };
        tokio::time::sleep(Duration::from_millis(20)).await;
        Ok(resume.resolution.clone())
    });
    let time = crate::time::Set::default();
    crate::time::at(&time, 1_000);
    let functions = HostFunctions::new([ask]).unwrap();
    let runner = builder().host_functions(functions).time_source(time.clone()).build().unwrap();
    let script = "return await Promise.race([ask(), sleep(50).then(() => 'too late')])";
    let RunResult::Interrupted { interruptions, continuation, .. } = run(&runner, script).await else {
        panic!("it asks")
    };
    crate::time::at(&time, 5_000);
    let answer = Resolution::new(interruptions[0].id.clone(), Answer::Value("in time".into())).at(1_010);
    let result = runner.resume(ResumeInput::new(continuation).resolve(answer)).await.unwrap();
    assert_eq!(value_text(result), r#""in time""#);
}

#[tokio::test]
async fn what_is_said_behind_a_blocking_call_that_a_crash_lost_is_said_for_the_first_time() {
    let stamp = HostFunction::sync("stamp", |_| Ok(7)).effect(Effect::Unsafe).blocking();
    let runner = builder().host_functions(HostFunctions::new([stamp]).unwrap()).build().unwrap();
    let result = run(&runner, "console.log('before'); stamp(); console.log('behind'); return 1").await;
    let entries = result.continuation().unwrap().record().entries();
    let lost = entries.iter().position(|entry| matches!(entry, Entry::Settled { .. })).unwrap();
    let crashed = Continuation::new(Record::from_entries(entries[..lost].to_vec()).unwrap()).unwrap();
    let result = runner.resume(ResumeInput::new(crashed)).await.unwrap();
    assert_eq!((result.report().replayed, result.report().console.len()), (1, 1));
    let id = result.interruptions()[0].id.clone();
    let (_, continuation) = put_away(result);
    let answer = Resolution::new(id, Answer::Happened(Ok(7.into())));
    let result = runner.resume(ResumeInput::new(continuation).resolve(answer)).await.unwrap();
    assert_eq!((result.report().replayed, result.report().console.len()), (1, 2));
}

#[tokio::test]
async fn an_answer_is_kept_where_the_script_stands_still_for_another() {
    let stamp = HostFunction::sync("stamp", |_| Ok(7)).effect(Effect::Unsafe).blocking();
    let ask = HostFunction::sync("ask", |call| match call.resume() {
        None => Err(call.interrupt(1, Value::Undefined)),
        Some(resume) => Ok(resume.resolution.clone()),
    });
    let functions = HostFunctions::new([ask, stamp]).unwrap();
    let time = crate::time::Set::default();
    crate::time::at(&time, 1_000);
    let runner = builder().host_functions(functions).time_source(time.clone()).build().unwrap();
    let result = run(&runner, "const asked = ask(); await sleep(1); return [stamp(), await asked]").await;
    let (_, continuation) = put_away(result);
    crate::time::at(&time, 1_001);
    let result = runner.resume(ResumeInput::new(continuation)).await.unwrap();
    let entries = result.continuation().unwrap().record().entries();
    let lost = entries.iter().position(|entry| matches!(entry, Entry::Settled { call: 2, .. })).unwrap();
    let crashed = Continuation::new(Record::from_entries(entries[..lost].to_vec()).unwrap()).unwrap();
    let result = runner.resume(ResumeInput::new(crashed)).await.unwrap();
    let (first, second) = (result.interruptions()[0].clone(), result.interruptions()[1].clone());
    let (_, continuation) = put_away(result);
    let answer = Resolution::new(first.id, Answer::Value("yes".into()));
    let result = runner.resume(ResumeInput::new(continuation).resolve(answer)).await.unwrap();
    assert_eq!(result.interruptions(), std::slice::from_ref(&second));
    let (_, continuation) = put_away(result);
    let answer = Resolution::new(second.id, Answer::Happened(Ok(7.into())));
    let result = runner.resume(ResumeInput::new(continuation).resolve(answer)).await.unwrap();
    assert_eq!(value_text(result), r#"[7, "yes"]"#);
}
