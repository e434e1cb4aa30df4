//! Servers that end, and calls that nobody waits for.

use insta::assert_snapshot;
use intermission::AbortController;
use intermission::RunInput;
use libtest_mimic::Trial;

use crate::house::{House, run, runtime, told};

pub(crate) fn trials() -> Vec<Trial> {
    crate::trials![
        a_server_that_dies_in_a_call_is_a_rejection_and_is_started_again_for_the_next,
        a_call_that_takes_too_long_is_cancelled,
        a_run_that_is_aborted_cancels_its_calls,
        a_server_ends_with_the_last_function_that_is_lent_of_it,
        an_answer_that_is_too_large_is_a_rejection,
        functions_may_be_lent_and_dropped_within_another_executor,
    ]
}

fn a_server_that_dies_in_a_call_is_a_rejection_and_is_started_again_for_the_next() {
    let script = "const error = await s.die().catch(error => error); return [error.code, error.message, await s.hello()]";
    assert_snapshot!(House::stdio("").run(script), @r#"["HOST_SERVER_GONE", "s.die: the MCP server `s` has gone before it answered: it ended (exit status: 3): the server ends: out of luck", "hello"]"#);
}

fn a_call_that_takes_too_long_is_cancelled() {
    let house = House::stdio("timeout = \"30s\"\n[mcp.s.tools.wait]\ntimeout = \"50ms\"");
    let lent = house.lend();
    let script = "return await s.wait().catch(error => [error.code, error.message])";
    let result = told(&run(&house.runner(&lent), script));
    assert_eq!(result, r#"["HOST_TIMED_OUT", "s.wait: it did not answer within 50ms"]"#);
    house.wait_for("is cancelled");
}

fn a_run_that_is_aborted_cancels_its_calls() {
    let house = House::stdio("");
    let runner = house.runner(&house.lend());
    let abort = AbortController::new();
    let result = runtime().block_on(async {
        let run = runner.run(RunInput::new("return await s.wait()").abort(abort.signal()));
        tokio::pin!(run);
        loop {
            tokio::select! {
                biased;
                result = &mut run => break result,
                () = tokio::task::yield_now() => {
                    if house.log() == ["waits"] {
                        abort.abort();
                    }
                }
            }
        }
    });
    assert_eq!(told(&result), "ABORTED: the run was aborted");
    house.wait_for("is cancelled");
}

fn a_server_ends_with_the_last_function_that_is_lent_of_it() {
    let house = House::stdio("");
    let lent = house.lend();
    let runner = house.runner(&lent);
    drop(lent);
    assert_eq!(told(&run(&runner, "return await s.hello()")), r#""hello""#);
    assert_eq!(house.log(), [""; 0]);
    drop(runner);
    assert_eq!(house.log(), ["closed"]);
}

fn an_answer_that_is_too_large_is_a_rejection() {
    let house = House::stdio("[limits]\noutput = \"64KiB\"");
    let script = "const big = bytes => s.big({ bytes }).then(text => text.length, error => error.code);
        return [await big(1000), await big(70000)]";
    assert_eq!(house.run(script), r#"[1000, "HOST_OUTPUT_TOO_LARGE"]"#);
}

fn functions_may_be_lent_and_dropped_within_another_executor() {
    let house = House::stdio("");
    let value = runtime().block_on(async {
        let runner = house.runner(&house.lend());
        runner.run("return await s.hello()").await.into_value().unwrap()
    });
    assert_eq!(value, "hello".into());
    assert_eq!(house.log(), ["closed"]);
}
