//! The rules of a configuration, as runs meet them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use intermission::{Answer, Resolution, ResumeInput, RunResult, Runner, Value};
use intermission_config::{Config, Purpose};

/// Two functions that answer with what they are given, and rules.
fn runner(rules: &str) -> Runner {
    let echo = |name: &str, effect: &str| {
        format!(
            "[functions.\"{name}\"]\ncommand = [\"cat\"]\ncwd = \"/\"\neffect = \"{effect}\"\ninput_schema = {{ type = \"object\" }}\n"
        )
    };
    let functions = echo("pay.refund", "unsafe") + &echo("pay.look", "pure") + &echo("mail.send", "unsafe");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("intermission.toml");
    std::fs::write(&file, functions + rules).unwrap();
    let config = Config::load(Some(&file)).unwrap();
    let lent = config.lend(Purpose::Run).unwrap();
    config.runner(&lent).unwrap().build().unwrap()
}

/// What becomes of a call: `made`, `asked` with the question, or the error.
async fn fate(runner: &Runner, call: &str) -> String {
    let result = runner
        .run(format!("return await {call}.then(() => 'made', error => `${{error.code}} ${{error.message}}`)"))
        .await;
    match result {
        RunResult::Interrupted { interruptions, .. } => format!("asked {:?}", interruptions[0].payload),
        other => other.into_value().unwrap().as_str().unwrap().to_owned(),
    }
}

#[tokio::test]
async fn the_first_rule_that_matches_decides() {
    let runner = runner(
        r#"
[[policy]]
allow = "pay.*"
effect = "pure"

[[policy]]
deny = "pay.*"
when = "amount > 1000"
name = "too much"
reason = "ask the bank"

[[policy]]
ask = ["pay.*", "mail.*"]
when = 'amount > 100 || to.endsWith("@example.com")'
"#,
    );
    assert_eq!(fate(&runner, "pay.refund({ amount: 50, to: 'a@b' })").await, "made");
    let question = r#"asked {kind: "approval", rule: "ask pay.*, mail.* when amount > 100 || to.endsWith(\"@example.com\")"}"#;
    assert_eq!(fate(&runner, "pay.refund({ amount: 500 })").await, question);
    assert_eq!(fate(&runner, "mail.send({ amount: 0, to: 'x@example.com' })").await, question);
    let denied = r#"POLICY_DENIED pay.refund is denied by the rule "too much": ask the bank"#;
    assert_eq!(fate(&runner, "pay.refund({ amount: 5000 })").await, denied);
    assert_eq!(fate(&runner, "pay.look({ amount: 5000 })").await, "made");
}

#[tokio::test]
async fn a_condition_that_cannot_be_evaluated_lets_nothing_in() {
    let unclear = "found no matching overload for '_>_' applied to '(string, int)'";
    let denying = runner("[[policy]]\ndeny = \"pay.refund\"\nwhen = \"amount > 1000\"\nname = \"much\"");
    let call = "pay.refund({ amount: '5000' })";
    assert_eq!(
        fate(&denying, call).await,
        format!(
            "POLICY_DENIED pay.refund is denied by the rule \"much\": its condition cannot be evaluated: {unclear}"
        )
    );
    let asking = runner("[[policy]]\nask = \"pay.refund\"\nwhen = \"amount > 1000\"\nname = \"much\"");
    assert!(fate(&asking, call).await.starts_with("asked "));
    let allowing = runner(
        "[[policy]]\nallow = \"pay.refund\"\nwhen = \"amount < 10\"\n[[policy]]\ndeny = \"*\"\nname = \"rest\"",
    );
    assert_eq!(fate(&allowing, "pay.refund({ amount: 5 })").await, "made");
    let denied = "POLICY_DENIED pay.refund is denied by the rule \"rest\"";
    assert_eq!(fate(&allowing, "pay.refund({ amount: '5' })").await, denied);
    assert_eq!(fate(&allowing, "pay.refund({})").await, denied);
}

#[tokio::test]
async fn todays_rules_hold_for_a_run_that_was_put_away_and_for_arguments_that_were_edited() {
    let asking = runner("[[policy]]\nask = \"pay.refund\"");
    let script = "return await pay.refund({ amount: 50 }).catch(error => error.message)";
    let RunResult::Interrupted { interruptions, continuation, .. } = asking.run(script).await else {
        panic!("it asks")
    };
    let limited = runner("[[policy]]\ndeny = \"pay.refund\"\nwhen = \"amount > 40\"\nname = \"limit\"");
    let approved = |answer: Answer| {
        ResumeInput::new(continuation.clone()).resolve(Resolution::new(interruptions[0].id.clone(), answer))
    };
    let value = limited.resume(approved(Answer::Approve)).await.unwrap().into_value().unwrap();
    assert_eq!(value, "pay.refund is denied by the rule \"limit\"".into());
    let edited = |amount: f64| Answer::ApproveWith(vec![Value::object([("amount", amount)])]);
    let value = limited.resume(approved(edited(30.0))).await.unwrap().into_value().unwrap();
    assert_eq!(value, Value::object([("amount", 30.0)]));
    let value = limited.resume(approved(edited(41.0))).await.unwrap().into_value().unwrap();
    assert_eq!(value, "pay.refund is denied by the rule \"limit\"".into());
}
