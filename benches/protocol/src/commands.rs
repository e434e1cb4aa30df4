//! Commands, one a line, until `quit`.
#![expect(
    clippy::disallowed_methods,
    reason = "the time that runs take is what is asked for, and the protocol names the workloads in the environment"
)]

use std::io::BufRead;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::{Next, PeerError, Sandbox, memory, say};

pub(crate) async fn serve<S: Sandbox>(sandbox: &S) -> Result<(), PeerError> {
    let workloads = workloads()?;
    for line in std::io::stdin().lock().lines() {
        let command: Value = serde_json::from_str(&line?)?;
        let answer = match command["cmd"].as_str().unwrap_or_default() {
            "bench" => bench(sandbox, &workloads, &command).await,
            "pause" => pause(sandbox, &workloads, &command).await,
            "throughput" => throughput(sandbox, &command).await,
            "rss" => Ok(json!({ "rss_kb": memory::resident(), "hwm_kb": memory::peak() })),
            "quit" => return Ok(()),
            other => Err(format!("there is no command `{other}` here")),
        };
        say(&answer.unwrap_or_else(|error| json!({ "error": error })))?;
    }
    Ok(())
}

/// The file that `BENCH_WORKLOADS` names.
pub(crate) fn workloads() -> Result<Value, PeerError> {
    let path = std::env::var("BENCH_WORKLOADS").map_err(|_| {
        PeerError::Usage("BENCH_WORKLOADS must name the file of the workloads: benches/workloads.json")
    })?;
    Ok(serde_json::from_str(&std::fs::read_to_string(path)?)?)
}

/// The JavaScript of a workload.
pub(crate) fn source<'w>(workloads: &'w Value, name: &str) -> Result<&'w str, String> {
    workloads[name]["js"].as_str().ok_or_else(|| format!("there is no workload `{name}`"))
}

/// One run after the other, each timed by itself.
async fn bench<S: Sandbox>(sandbox: &S, workloads: &Value, command: &Value) -> Result<Value, String> {
    let source = source(workloads, command["w"].as_str().unwrap_or_default())?;
    let mut samples = Vec::new();
    let mut value = Value::Null;
    for _ in 0..command["n"].as_u64().unwrap_or(1) {
        let began = Instant::now();
        value = sandbox.run(source).await?;
        samples.push(began.elapsed().as_secs_f64() * 1e3);
    }
    Ok(json!({ "samples_ms": samples, "value": value }))
}

/// To a token and on from it so many times, the first and the last of which are timed.
async fn pause<S: Sandbox>(sandbox: &S, workloads: &Value, command: &Value) -> Result<Value, String> {
    let name = command["w"].as_str().unwrap_or_default();
    let (source, resumes) = (source(workloads, name)?, workloads[name]["resumes"].as_u64().unwrap_or(1));
    let (mut samples, mut last) = (Vec::new(), Vec::new());
    let (mut bytes, mut value) = (0, Value::Null);
    for _ in 0..command["n"].as_u64().unwrap_or(1) {
        let began = Instant::now();
        let mut paused = sandbox.pause(source).await?;
        samples.push(began.elapsed().as_secs_f64() * 1e3);
        for round in 1..=resumes {
            bytes = paused.token.len();
            let began = Instant::now();
            let next = sandbox.resume(paused.clone()).await?;
            let elapsed = began.elapsed();
            match next {
                Next::Paused(next) => paused = next,
                Next::Value(end) => value = end,
            }
            if round == resumes {
                last.push(elapsed.as_secs_f64() * 1e3);
            }
        }
    }
    Ok(json!({ "samples_ms": samples, "resume_ms": last, "bytes": bytes, "value": value }))
}

/// Trivial runs, so many at once, for so long.
async fn throughput<S: Sandbox>(sandbox: &S, command: &Value) -> Result<Value, String> {
    let concurrency = command["conc"].as_u64().unwrap_or(1);
    let time = Duration::try_from_secs_f64(command["secs"].as_f64().unwrap_or(1.0))
        .map_err(|error| error.to_string())?;
    let began = Instant::now();
    let tasks: Vec<_> = (0..concurrency)
        .map(|_| {
            let sandbox = sandbox.clone();
            tokio::spawn(async move {
                let mut runs = 0_u64;
                while began.elapsed() < time {
                    sandbox.run("return 1+1").await?;
                    runs += 1;
                }
                Ok::<_, String>(runs)
            })
        })
        .collect();
    let mut runs = 0;
    for task in tasks {
        runs += task.await.map_err(|error| error.to_string())??;
    }
    Ok(json!({ "runs": runs, "secs": began.elapsed().as_secs_f64() }))
}
