//! What is refused, before anything runs.

use intermission::{Answer, Resolution, ResumeInput, Value};

use crate::host::{Done, answer, builder, put_away, run, runner, value_text};

#[tokio::test]
async fn a_refused_answer_changes_nothing_and_the_next_correct_one_works() {
    let done = Done::default();
    let runner = runner(&done);
    let (questions, continuation) =
        put_away(run(&runner, "return await Promise.all([t.pause(1), t.pause(2)])").await);
    let (one, two) = (questions["1"].clone(), questions["2"].clone());
    let say = |id: &intermission::InterruptionId| Resolution::new(id.clone(), Answer::Value(1.into()));
    let unknown: intermission::InterruptionId = "int_aaaaaaaaaaaaaaaaaaaaaaaaaa".parse().unwrap();
    let cases = [
        (vec![say(&unknown)], "RESOLUTION_UNKNOWN"),
        (vec![say(&one), say(&unknown)], "RESOLUTION_UNKNOWN"),
        (vec![say(&one), say(&one)], "RESOLUTION_DUPLICATE"),
        (vec![Resolution::new(one.clone(), Answer::Approve)], "RESOLUTION_INVALID"),
        (vec![say(&one).for_arguments("sha256:x")], "RESOLUTION_ARGUMENTS_DIFFER"),
    ];
    for (resolutions, code) in cases {
        let input = ResumeInput { resolutions, ..ResumeInput::new(continuation.clone()) };
        assert_eq!(runner.resume(input).await.unwrap_err().code(), code);
        assert!(done.take().is_empty(), "{code}");
    }
    let (_, later) = put_away(answer(&runner, continuation.clone(), &[(&one, 1.into())]).await);
    let stale = runner.resume(ResumeInput::new(later).resolve(say(&one))).await.unwrap_err();
    assert_eq!(stale.code(), "RESOLUTION_STALE");
    done.take();
    let result = answer(&runner, continuation, &[(&one, Value::from("a")), (&two, "b".into())]).await;
    assert_eq!(value_text(result), r#"["a", "b"]"#);
    assert_eq!(done.take(), ["t.pause(1)", "t.pause(2)"]);
}

#[tokio::test]
async fn another_source_is_refused_by_the_first_thing_that_it_does_otherwise() {
    let done = Done::default();
    let runner = runner(&done);
    let script =
        "const c = await t.echo({ to: ['a', 1] });\nconst ok = await t.pause('a');\nreturn [c.to, ok];";
    let (questions, continuation) = put_away(run(&runner, script).await);
    done.take();
    let with = |source: &str| {
        let resolution = Resolution::new(questions["\"a\""].clone(), Answer::Value(true.into()));
        runner.resume(ResumeInput::new(continuation.clone()).source(source).resolve(resolution))
    };
    let diverging = [
        (
            "\n const c = await t.echo({ to: ['a', 2] });\nawait t.pause('a')",
            "script.js:2:20: the script does not do what it did before, at entry 2 of the ledger: recorded is call 1, t.echo({to: [\"a\", 1]}), \
             now it is call 1, t.echo({to: [\"a\", 2]}); the first difference is at args[0].to[1]",
        ),
        ("await t.pause('a')", "now it is call 1, t.pause(\"a\")"),
        ("return 1", "now it is the end, with 1"),
        ("t.echo({ to: ['a', 1] }); t.echo(2)", "now it is call 2, t.echo(2)"),
        ("await t.echo({ to: ['a', 1] }); await t.pause('a'); t.echo(1)", ""),
        ("await t.echo({ to: ['a', 1] }); await sleep(1)", "now it is setting timer 1 to 1 ms"),
        ("await t.echo({ to: ['a', 1] }); await new Promise(() => {})", "now it is waiting"),
        ("throw 1", "now it is the end, with the script threw 1"),
    ];
    for (source, expected) in diverging {
        let result = with(source).await.unwrap();
        if expected.is_empty() {
            assert_eq!(result.error().map(ToString::to_string), None, "{source}");
            done.take();
            continue;
        }
        let error = result.error().unwrap();
        assert_eq!(error.code(), "DIVERGED", "{source}");
        assert!(error.to_string().contains(expected), "{source}: {error}");
        assert_eq!(result.continuation(), Some(&continuation), "nothing has changed: {source}");
        assert!(done.take().is_empty(), "{source}");
    }
    let mended = with(
        "// a comment\nconst c = await t.echo({ to: ['a', 1] }); const ok = await t.pause('a'); return ['mended', ok]",
    );
    assert_eq!(value_text(mended.await.unwrap()), r#"["mended", true]"#);
}

#[tokio::test]
async fn a_blocking_function_cannot_ask() {
    use intermission::{HostFunction, HostFunctions};
    let asks =
        HostFunction::sync("asks", |call| Err::<Value, _>(call.interrupt("x", Value::Undefined))).blocking();
    let runner = builder().host_functions(HostFunctions::new([asks]).unwrap()).build().unwrap();
    let result = runner.run("try { asks() } catch { return 1 }").await;
    assert_eq!(result.error().unwrap().code(), "INTERRUPT_IN_SYNC");
    let both = HostFunction::sync("f", |_| Ok(1)).blocking().approval();
    assert_eq!(HostFunctions::new([both]).unwrap_err().code(), "HOST_FUNCTION_BLOCKING_APPROVAL");
}
