//! The host functions of the public cases, which count what they do.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use intermission::{
    Answer, Continuation, Effect, HostCall, HostError, HostFunction, HostFunctions, Resolution, ResumeInput,
    RunInput, RunResult, Runner, RunnerBuilder, Value,
};

/// What was done, in order: `name(arguments)`.
#[derive(Clone, Default)]
pub(crate) struct Done(Arc<Mutex<Vec<String>>>);

impl Done {
    pub(crate) fn note(&self, name: &str, call: &HostCall) {
        let arguments: Vec<String> =
            call.arguments().iter().map(|argument| format!("{argument:?}")).collect();
        self.0.lock().unwrap().push(format!("{name}({})", arguments.join(", ")));
    }

    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

pub(crate) fn functions(done: &Done) -> HostFunctions {
    let noting = |name: &'static str, act: fn(&HostCall) -> Result<Value, HostError>| {
        let done = done.clone();
        HostFunction::sync(name, move |call| {
            done.note(name, &call);
            act(&call)
        })
    };
    let pause = {
        let done = done.clone();
        HostFunction::sync("t.pause", move |call| match call.resume() {
            None => Err(call.interrupt(Value::object([("q", call.input())]), Value::Undefined)),
            Some(resume) => {
                done.note("t.pause", &call);
                Ok(resume.resolution.clone())
            }
        })
    };
    let slow = {
        let done = done.clone();
        HostFunction::new("t.slow", move |call| {
            done.note("t.slow", &call);
            async move {
                let (ms, value): (u64, String) = call.arguments_as()?;
                tokio::time::sleep(Duration::from_millis(ms)).await;
                Ok(value)
            }
        })
    };
    let failures = Arc::new(Mutex::new(0));
    let report = {
        let done = done.clone();
        HostFunction::sync("t.report", move |call| {
            done.note("t.report", &call);
            let mut failures = failures.lock().unwrap();
            *failures += 1;
            if *failures == 1 { Err(HostError::new("no network")) } else { Ok(Value::Null) }
        })
    };
    let mail_schema = serde_json::json!({ "type": "object", "required": ["to"], "properties": { "to": { "type": "string" } } });
    HostFunctions::new([
        pause,
        slow,
        report,
        noting("t.echo", |call| Ok(call.input())).effect(Effect::Idempotent),
        noting("t.fail", |call| {
            let message: String = call.input_as()?;
            Err(HostError::new(message).with_name("TypeError"))
        }),
        noting("t.deploy", |call| Ok(call.input())),
        noting("t.mail", |call| Ok(call.input())).input_schema(mail_schema).approval(),
        noting("now", |_| Ok(Value::from(7.0))).blocking(),
    ])
    .unwrap()
}

/// Of a runner that replays whatever it resumes, as another process would.
pub(crate) fn builder() -> RunnerBuilder {
    Runner::builder().snapshots(0)
}

pub(crate) fn runner(done: &Done) -> Runner {
    builder().host_functions(functions(done)).build().unwrap()
}

/// As another process would have it: nothing but bytes.
pub(crate) fn put_away(result: RunResult) -> (BTreeMap<String, intermission::InterruptionId>, Continuation) {
    let RunResult::Interrupted { interruptions, continuation, .. } = result else { panic!("{result:?}") };
    let questions = interruptions
        .into_iter()
        .map(|asked| {
            (asked.arguments.first().map(|first| format!("{first:?}")).unwrap_or_default(), asked.id)
        })
        .collect();
    (questions, Continuation::from_bytes(&continuation.to_bytes()).unwrap())
}

pub(crate) async fn run(runner: &Runner, script: &str) -> RunResult {
    runner.run(RunInput::new(script)).await
}

pub(crate) async fn answer(
    runner: &Runner,
    continuation: Continuation,
    answers: &[(&intermission::InterruptionId, Value)],
) -> RunResult {
    let input = answers.iter().fold(ResumeInput::new(continuation), |input, (id, value)| {
        input.resolve(Resolution::new((*id).clone(), Answer::Value(value.clone())))
    });
    runner.resume(input).await.unwrap()
}

pub(crate) fn value_text(result: RunResult) -> String {
    format!("{:?}", result.into_value().unwrap())
}
