//! What the benchmarks have in common: the workloads, and a runner with the host functions that they call.

use intermission::codec::{Keys, TokenCodec};
use intermission::{EngineError, HostFunction, HostFunctions, Runner, RunnerBuilder, Value};
use intermission_bench_protocol::{Gate, Row, blob, row};

/// The JavaScript of a workload.
///
/// # Panics
/// When there is no workload of that name.
pub fn source(name: &str) -> String {
    field(name, "js")
}

/// What a workload is, in a few words.
///
/// # Panics
/// When there is no workload of that name.
pub fn title(name: &str) -> String {
    field(name, "title")
}

const WORKLOADS: &str = include_str!("../workloads.json");

fn field(workload: &str, field: &str) -> String {
    let workloads: serde_json::Value =
        serde_json::from_str(WORKLOADS).expect("benches/workloads.json is JSON");
    let text = workloads[workload][field].as_str();
    text.unwrap_or_else(|| panic!("no {field} of a workload {workload} in benches/workloads.json")).to_owned()
}

/// A runner with every default, which lends what the workloads call.
///
/// # Errors
/// When the engine cannot start.
///
/// # Panics
/// Never: the host functions are in order.
pub fn runner(gate: &Gate) -> Result<Runner, EngineError> {
    builder(gate).build()
}

/// What makes it.
///
/// # Panics
/// Never: the host functions are in order.
pub fn builder(gate: &Gate) -> RunnerBuilder {
    let functions = HostFunctions::new(host_functions(gate)).expect("names and schemas are in order");
    let keys =
        Keys::parse("bench:YSBrZXkgZm9yIGJlbmNobWFya3MsIGFuZCBmb3Igbm90aGluZyBlbHNl").expect("it is a key");
    Runner::builder().host_functions(functions).codec(TokenCodec::sealed(keys))
}

fn host_functions(gate: &Gate) -> [HostFunction; 5] {
    let gate = gate.clone();
    let number =
        |value: Value| value.as_i64().and_then(|number| u32::try_from(number).ok()).unwrap_or_default();
    [
        HostFunction::sync("tools.echo", |call| Ok(call.input())),
        HostFunction::sync("tools.row", move |call| Ok(value_of(row(number(call.input()))))),
        HostFunction::sync("tools.blob", move |call| Ok(blob(number(call.input())))),
        HostFunction::sync("approve.ask", |call| match call.resume() {
            None => Err(call.interrupt("go", Value::Undefined)),
            Some(resume) => Ok(resume.resolution.clone()),
        }),
        HostFunction::new("tools.block", move |_| {
            let gate = gate.clone();
            async move {
                gate.pass().await;
                Ok(Value::Null)
            }
        }),
    ]
}

fn value_of(row: Row) -> Value {
    Value::object([
        ("id", Value::from(row.id)),
        ("name", Value::from(row.name)),
        ("email", Value::from(row.email)),
        ("active", Value::from(row.active)),
        ("score", Value::from(row.score)),
        ("city", Value::from(row.city)),
    ])
}
