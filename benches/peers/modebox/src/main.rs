//! modebox, through its Rust interface. `--unmetered`: without its counting of fuel.

use std::sync::Arc;
use std::time::Duration;

use intermission_bench_protocol::{Gate, Next, Paused, PeerError, Sandbox, blob, row, speak};
use modebox_core::{
    Call, Engine, EngineConfig, Limits, Outcome, Resolution, RunOptions, RunResult, Toolbox, Value,
};

#[derive(Clone)]
struct Modebox {
    engine: Engine,
    tools: Arc<Toolbox>,
}

fn main() -> Result<(), PeerError> {
    let metering = !std::env::args().any(|argument| argument == "--unmetered");
    speak(|gate| {
        // Its pool of 256 is too small for 1,000 runs that wait.
        let config = EngineConfig { metering, max_instances: 1024, ..EngineConfig::default() };
        let engine = Engine::with_config(config).map_err(|error| error.to_string())?;
        Ok(Modebox { engine, tools: Arc::new(tools(gate)) })
    })
}

impl Sandbox for Modebox {
    async fn run(&self, source: &str) -> Result<serde_json::Value, String> {
        let result = self.engine.run(source, &self.tools, options()).await;
        match &result.outcome {
            Outcome::Completed(value) => Ok(value.to_json()),
            Outcome::Failed(error) => Err(error.to_string()),
            Outcome::Suspended(_) => Err("suspended".to_owned()),
        }
    }

    async fn pause(&self, source: &str) -> Result<Paused, String> {
        match next(self.engine.run(source, &self.tools, options()).await)? {
            Next::Paused(paused) => Ok(paused),
            Next::Value(value) => Err(format!("it asks nothing and gives {value}")),
        }
    }

    async fn resume(&self, paused: Paused) -> Result<Next, String> {
        let answer = |question: String| {
            let id = question.parse().map_err(|_| "no interrupt".to_owned())?;
            Ok((id, Resolution::ResumeWith(Value::Bool(true))))
        };
        let answers = paused.questions.into_iter().map(answer).collect::<Result<Vec<_>, String>>()?;
        next(self.engine.resume(&paused.token, answers, &self.tools, options()).await)
    }
}

fn next(result: RunResult) -> Result<Next, String> {
    match &result.outcome {
        Outcome::Completed(value) => Ok(Next::Value(value.to_json())),
        Outcome::Failed(error) => Err(error.to_string()),
        Outcome::Suspended(suspension) => Ok(Next::Paused(Paused {
            token: suspension.continuation.to_string(),
            questions: suspension.interrupts.iter().map(|asked| asked.id.to_string()).collect(),
        })),
    }
}

fn options() -> RunOptions {
    let limits = Limits { max_host_calls: 10_000, timeout: Duration::from_secs(120), ..Limits::default() };
    RunOptions { limits, ..RunOptions::default() }
}

fn tools(gate: &Gate) -> Toolbox {
    let number = |call: &Call| call.input().as_f64().unwrap_or_default() as u32;
    let mut tools = Toolbox::new();
    tools.func("tools.echo", |call: Call| async move { Ok(call.input().clone()) });
    tools.func("tools.row", move |call: Call| async move {
        let row = row(number(&call));
        Ok(Value::object([
            ("id", Value::from(f64::from(row.id))),
            ("name", Value::from(row.name)),
            ("email", Value::from(row.email)),
            ("active", Value::from(row.active)),
            ("score", Value::from(row.score)),
            ("city", Value::from(row.city)),
        ]))
    });
    tools.func("tools.blob", move |call: Call| async move { Ok(Value::from(blob(number(&call)))) });
    tools.func("approve.ask", |call: Call| async move {
        match &call.resume {
            None => Err(call.interrupt("approval", "go")),
            Some(answer) => Ok(answer.clone()),
        }
    });
    let gate = gate.clone();
    tools.func("tools.block", move |_: Call| {
        let gate = gate.clone();
        async move {
            gate.pass().await;
            Ok(Value::Null)
        }
    });
    tools
}
