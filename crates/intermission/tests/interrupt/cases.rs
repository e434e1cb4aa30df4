//! The public cases that a library can show.

use intermission::{Answer, Continuation, Resolution, ResumeInput, RunResult, Value};

use crate::host::{Done, answer, put_away, run, runner, value_text};

#[tokio::test]
async fn a_race_that_the_question_loses_ends_with_the_winner() {
    let done = Done::default();
    let result = run(&runner(&done), "return await Promise.race([t.pause(1), t.echo('fast')])").await;
    assert_eq!(result.report().abandoned.len(), 1);
    assert_eq!(result.report().abandoned[0].host_function, "t.pause");
    assert_eq!(value_text(result), r#""fast""#);
    assert_eq!(done.take(), ["t.echo(\"fast\")"]);
}

#[tokio::test]
async fn no_script_can_catch_a_question() {
    let scripts = [
        (
            "try { return ['ok', await t.pause('x')]; } catch (e) { await t.echo('swallowed'); return ['swallowed']; }",
            r#"["ok", "v"]"#,
        ),
        ("try { return await t.pause('x').catch(() => 0) } finally { await t.echo('finally') }", r#""v""#),
        ("return await Promise.allSettled([t.pause('x')])", r#"[{status: "fulfilled", value: "v"}]"#),
        ("return await Promise.any([t.pause('x'), t.fail('n')])", r#""v""#),
    ];
    for (script, expected) in scripts {
        let done = Done::default();
        let runner = runner(&done);
        let (questions, continuation) = put_away(run(&runner, script).await);
        assert!(!done.take().iter().any(|call| call.starts_with("t.echo")), "{script}");
        let result = answer(&runner, continuation, &[(&questions["\"x\""], "v".into())]).await;
        assert_eq!(value_text(result), expected, "{script}");
    }
}

#[tokio::test(start_paused = true)]
async fn parallel_questions_have_ids_of_their_own_and_answers_are_not_swapped() {
    let script = "return await Promise.all(['a','b','c'].map(async (k,i)=>{ await t.slow(30*(3-i),k); return k+':'+await t.pause(k); }))";
    let done = Done::default();
    let runner = runner(&done);
    let (questions, continuation) = put_away(run(&runner, script).await);
    assert_eq!(questions.len(), 3);
    let slow = ["t.slow(90, \"a\")", "t.slow(60, \"b\")", "t.slow(30, \"c\")"];
    assert_eq!(done.take(), slow);
    let answers = [
        (&questions["\"b\""], Value::from("B")),
        (&questions["\"a\""], "A".into()),
        (&questions["\"c\""], "C".into()),
    ];
    let result = answer(&runner, continuation, &answers).await;
    assert_eq!(value_text(result), r#"["a:A", "b:B", "c:C"]"#);
    let mut paused = done.take();
    paused.sort();
    assert_eq!(paused, ["t.pause(\"a\")", "t.pause(\"b\")", "t.pause(\"c\")"]);
}

#[tokio::test]
async fn one_answer_and_then_the_other() {
    let done = Done::default();
    let runner = runner(&done);
    let (questions, continuation) =
        put_away(run(&runner, "return await Promise.all([t.pause(1), t.pause(2)])").await);
    let result = answer(&runner, continuation, &[(&questions["1"], "r1".into())]).await;
    assert_eq!(done.take(), ["t.pause(1)"]);
    let (rest, continuation) = put_away(result);
    assert_eq!(rest.keys().collect::<Vec<_>>(), ["2"]);
    assert_eq!(rest["2"], questions["2"]);
    let result = answer(&runner, continuation, &[(&rest["2"], "r2".into())]).await;
    assert_eq!(value_text(result), r#"["r1", "r2"]"#);
    assert_eq!(done.take(), ["t.pause(2)"]);
}

#[tokio::test]
async fn questions_in_a_loop_are_asked_once_each() {
    let script =
        "let n=0, r; do { await t.echo('try'+n); r=await t.pause(n++); } while(r==='again'); return n;";
    let done = Done::default();
    let runner = runner(&done);
    let mut result = run(&runner, script).await;
    let mut ids = std::collections::BTreeSet::new();
    for round in 0..5 {
        let (questions, continuation) = put_away(result);
        let id = &questions[&round.to_string()];
        assert!(ids.insert(id.clone()));
        let say = if round < 4 { "again" } else { "ok" };
        result = answer(&runner, continuation, &[(id, say.into())]).await;
    }
    assert_eq!(value_text(result), "5");
    assert_eq!(done.take().iter().filter(|call| call.starts_with("t.echo")).count(), 5);
}

#[tokio::test]
async fn an_approval_survives_the_failure_behind_it() {
    let script = "const ok=await t.pause('deploy'); await t.deploy(ok); await t.report(); return 'done';";
    let done = Done::default();
    let runner = runner(&done);
    let (questions, continuation) = put_away(run(&runner, script).await);
    let failed = answer(&runner, continuation, &[(&questions["\"deploy\""], true.into())]).await;
    assert_eq!(failed.error().unwrap().code(), "SCRIPT_ERROR");
    assert_eq!(done.take(), ["t.pause(\"deploy\")", "t.deploy(true)", "t.report()"]);
    let RunResult::Failed { continuation: Some(continuation), .. } = failed else { panic!() };
    let result = runner.resume(ResumeInput::new(continuation).retry()).await.unwrap();
    assert_eq!(value_text(result), r#""done""#);
    assert_eq!(done.take(), ["t.report()"]);
}

#[tokio::test]
async fn an_approver_can_edit_the_arguments_and_the_script_sees_only_the_outcome() {
    let script = "const r=await t.mail({to:'a@x', body:'hi'}); return r;";
    let done = Done::default();
    let runner = runner(&done);
    let result = run(&runner, script).await;
    let id = result.interruptions()[0].id.clone();
    let digest = result.interruptions()[0].arguments_digest.clone();
    let (_, continuation) = put_away(result);
    let edit = |to: Value| Answer::ApproveWith(vec![Value::object([("to", to)])]);
    let resume = |answer: Answer| {
        let resolution = Resolution::new(id.clone(), answer).for_arguments(digest.clone());
        runner.resume(ResumeInput::new(continuation.clone()).resolve(resolution))
    };
    assert_eq!(resume(edit(5.into())).await.unwrap_err().code(), "RESOLUTION_INVALID");
    let empty = Answer::ApproveWith(vec![Value::object::<&str, Value>([])]);
    assert_eq!(resume(empty).await.unwrap_err().code(), "RESOLUTION_INVALID");
    let result = resume(edit("b@x".into())).await.unwrap();
    let kept = result.continuation().unwrap().clone();
    assert_eq!(value_text(result), r#"{to: "b@x"}"#);
    assert_eq!(done.take(), ["t.mail({to: \"b@x\"})"]);
    let replayed = runner.resume(ResumeInput::new(kept)).await.unwrap();
    assert_eq!(value_text(replayed), r#"{to: "b@x"}"#);
    assert!(done.take().is_empty());
    let denied = resume(Answer::Deny { reason: Some("not to them".to_owned()) }).await.unwrap();
    let error = denied.error().unwrap().to_string();
    assert_eq!(error, "ApprovalDenied: not to them");
}

#[tokio::test]
async fn the_console_is_complete_once_and_in_order() {
    let script = "console.log('a'); console.warn('b',{x:1n},new Map([[1,2]])); await t.pause(1); console.error('c'); console.table([{k:1}]); return 1;";
    let done = Done::default();
    let runner = runner(&done);
    let methods = |result: &RunResult| -> Vec<String> {
        result.report().console.iter().map(|entry| entry.method.clone()).collect()
    };
    let result = run(&runner, script).await;
    assert_eq!(methods(&result), ["log", "warn"]);
    let (questions, continuation) = put_away(result);
    let result = answer(&runner, continuation, &[(&questions["1"], true.into())]).await;
    assert_eq!(methods(&result), ["log", "warn", "error", "table"]);
    assert_eq!(result.report().replayed, 2);
}

#[tokio::test]
async fn a_resume_that_settles_nothing_gives_the_same_bytes_back() {
    let done = Done::default();
    let runner = runner(&done);
    let script = "data = { n: 1 }; console.log(Date.now()); await t.echo(1); return await Promise.all([t.pause(1), t.pause(2)])";
    let (_, continuation) = put_away(run(&runner, script).await);
    let bytes = continuation.to_bytes();
    let again = runner.resume(ResumeInput::new(continuation)).await.unwrap();
    assert_eq!(again.continuation().unwrap().to_bytes(), bytes);
    assert_eq!(done.take(), ["t.echo(1)"]);
}

#[tokio::test]
async fn a_run_goes_on_from_every_prefix_of_its_ledger() {
    let script = "const a = await Promise.all([t.echo(1), t.echo(2)]); now(); const t0 = Date.now(); while (Date.now() < t0 + 2); await sleep(1); \
                  const p = await t.pause(a[0]); await t.echo(p); return [a, p]";
    let done = Done::default();
    let runner = runner(&done);
    let (questions, continuation) = put_away(run(&runner, script).await);
    let result = answer(&runner, continuation, &[(&questions["1"], "yes".into())]).await;
    let entries = result.continuation().unwrap().record().entries().to_vec();
    assert_eq!(value_text(result), r#"[[1, 2], "yes"]"#);
    for length in 1..=entries.len() {
        let record = intermission::ledger::Record::from_entries(entries[..length].to_vec()).unwrap();
        let continuation = Continuation::new(record).unwrap();
        let mut result = runner.resume(ResumeInput::new(continuation)).await.unwrap();
        for _ in 0..5 {
            let RunResult::Interrupted { interruptions, continuation, .. } = result else { break };
            let input = interruptions.iter().fold(ResumeInput::new(continuation), |input, asked| {
                let answer = match asked.kind {
                    intermission::InterruptionKind::OutcomeUnknown => Answer::DidNotHappen,
                    _ => Answer::Value("yes".into()),
                };
                input.resolve(Resolution::new(asked.id.clone(), answer))
            });
            result = runner.resume(input).await.unwrap();
        }
        assert_eq!(value_text(result), r#"[[1, 2], "yes"]"#, "{length} of {entries:#?}");
    }
}
