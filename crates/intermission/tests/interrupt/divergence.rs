//! A divergence is found where it is, before anything is invoked.

use intermission::ledger::entry::Request;
use intermission::ledger::{Entry, Record};
use intermission::value::encode;
use intermission::{Answer, Continuation, Resolution, ResumeInput, RunError, RunResult, Value};

use crate::host::{Done, answer, put_away, run, runner};

const SCRIPT: &str = "const first = t.pause('first'); const a = await Promise.all([t.echo(1), t.echo(2)]); now(3); const t0 = Date.now(); \
                      while (Date.now() < t0 + 3); const timer = setTimeout(() => {}, 50); clearTimeout(timer); await sleep(1); await t.echo(4); \
                      return [await first, await t.pause('last')]";

/// Another entry of the same kind, that no guest of this script can have made; `None` for what the guest does not do.
fn other(entry: &Entry) -> Option<Entry> {
    Some(match entry.clone() {
        Entry::Called { call, request: Request::Function { function, .. } } => {
            let arguments = encode(&Value::array(["planted"])).unwrap().into();
            Entry::Called { call, request: Request::Function { function, arguments } }
        }
        Entry::TimerSet { timer, delay, due } => Entry::TimerSet { timer, delay: delay + 1, due },
        _ => return None,
    })
}

#[tokio::test]
async fn a_divergence_planted_at_any_entry_is_found_there_and_nothing_is_invoked() {
    let done = Done::default();
    let runner = runner(&done);
    let (questions, continuation) = put_away(run(&runner, SCRIPT).await);
    let answered = answer(&runner, continuation, &[(&questions["\"first\""], "yes".into())]).await;
    let (questions, continuation) = put_away(answered);
    let entries = continuation.record().entries().to_vec();
    done.take();
    let mut planted = 0;
    for (index, entry) in entries.iter().enumerate() {
        let Some(entry) = other(entry) else { continue };
        let mut entries = entries.clone();
        entries[index] = entry;
        let continuation = Continuation::new(Record::from_entries(entries).unwrap()).unwrap();
        let answer = Resolution::new(questions["\"last\""].clone(), Answer::Value(1.into()));
        for input in
            [ResumeInput::new(continuation.clone()), ResumeInput::new(continuation.clone()).resolve(answer)]
        {
            let result = runner.resume(input).await.unwrap();
            let RunResult::Failed { error: RunError::Diverged(diverged), continuation: Some(left), .. } =
                &result
            else {
                panic!("entry {index}: {result:?}")
            };
            assert_eq!(diverged.divergence.entry, index);
            assert_eq!(*left, continuation, "nothing is written");
            assert!(done.take().is_empty(), "entry {index}");
        }
        planted += 1;
    }
    assert!(planted >= 8, "{planted} planted");
}

#[tokio::test]
async fn an_outcome_that_was_tampered_with_is_found_by_what_the_script_makes_of_it() {
    let done = Done::default();
    let runner = runner(&done);
    let script = "const n = await t.echo(1); await t.echo(n + 1); return await t.pause(n)";
    let (_, continuation) = put_away(run(&runner, script).await);
    done.take();
    let mut entries = continuation.record().entries().to_vec();
    let settled = entries.iter().position(|entry| matches!(entry, Entry::Settled { call: 1, .. })).unwrap();
    let Entry::Settled { outcome, .. } = &mut entries[settled] else { unreachable!() };
    *outcome = intermission::ledger::entry::Outcome::Fulfilled(encode(&5.into()).unwrap().into());
    let continuation = Continuation::new(Record::from_entries(entries).unwrap()).unwrap();
    let result = runner.resume(ResumeInput::new(continuation)).await.unwrap();
    let error = result.error().unwrap();
    assert_eq!(error.code(), "DIVERGED");
    assert!(
        error.to_string().contains("recorded is call 2, t.echo(2), now it is call 2, t.echo(6)"),
        "{error}"
    );
    assert!(done.take().is_empty());
}
