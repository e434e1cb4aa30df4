//! Scripts without a ledger, slice by slice: what `ts/slices` drives, for `ts/run` and `ts/sandbox`.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::future::{BoxFuture, FutureExt};
use intermission::value::decode;
use intermission::{
    AbortController, Entering, ErrorOrigin, Limits, RunError, Runner, Slice, SliceCall, SliceOutcome,
    SliceRead, Slices, SlicesInput, SlicesRealm, Value,
};
use intermission_driver::{LimitOptions, Span, TaskWaker, Wake, waker};
use napi::bindgen_prelude::Uint8ArraySlice;
use napi::{Env, Result};
use napi_derive::napi;
use serde::Deserialize;

use crate::engine::NativeEngine;
use crate::ledger::copied;
use crate::message::{coded, read, write};
use crate::say;

/// What came out of a script, if anything.
type Message<'e> = Option<Uint8ArraySlice<'e>>;

/// Scripts under way, each under a number that JavaScript chose. Whatever gives a message has gone on with that script as far as it went on this thread; where there is none, a worker goes on, and the
/// number is woken when it is done.
#[napi]
pub struct NativeSlices {
    runner: Runner,
    wake: Wake,
    scripts: BTreeMap<u32, Script>,
}

struct Script {
    /// Away while a slice is under way.
    slices: Option<Slices>,
    slice: Option<BoxFuture<'static, (Slices, std::result::Result<Slice, RunError>)>>,
    waker: Arc<TaskWaker>,
    abort: AbortController,
}

/// What a script begins with. Sizes are in bytes.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Begin {
    source: String,
    #[serde(default)]
    module: bool,
    name: String,
    /// Names, `group.name`; those of blocking functions.
    functions: Vec<String>,
    blocking: Vec<String>,
    realm: Realm,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "kind", deny_unknown_fields)]
enum Realm {
    Locked { seed: Value, time: f64, deadline_ms: Span, memory: f64, js_stack: u32, console: u32, calls: u32 },
    Bare { data: Value, clock: Vec<f64>, limits: LimitOptions },
}

#[napi]
impl NativeSlices {
    /// On the engine's premises. The engine has to be there as long as this is.
    #[napi(constructor)]
    pub fn new(engine: &NativeEngine) -> Self {
        Self { runner: engine.runner.clone(), wake: Arc::clone(&engine.wake), scripts: BTreeMap::new() }
    }

    /// Begins a script: its first slice.
    #[napi]
    pub fn begin<'e>(&mut self, env: &'e Env, task: u32, input: &[u8]) -> Result<Message<'e>, String> {
        let input: Begin = read(input)?;
        let abort = AbortController::new();
        let slices = match input.slices(&self.runner, &abort) {
            Ok(slices) => slices,
            Err(error) => return said(env, failed(&error)),
        };
        let waker = TaskWaker::new(task, Arc::clone(&self.wake));
        self.scripts.insert(task, Script { slices: Some(slices), slice: None, waker, abort });
        self.enter(env, task, Entering::Start)
    }

    /// Gives the outcome of a call: its value, or what it throws. From now on the script's clock gives no time before `at`.
    #[napi]
    pub fn settle<'e>(
        &mut self,
        env: &'e Env,
        task: u32,
        call: u32,
        ok: bool,
        body: &[u8],
        at: f64,
    ) -> Result<Message<'e>, String> {
        self.enter(env, task, Entering::Settled { call, outcome: outcome(ok, body), at: at as u64 })
    }

    /// Gives what the script stands at: 0 the outcome of a blocking call, 1 the name of a module, 2 its text, or what is thrown; 3 a random number.
    #[napi]
    pub fn answer<'e>(
        &mut self,
        env: &'e Env,
        task: u32,
        what: u32,
        ok: bool,
        body: &[u8],
    ) -> Result<Message<'e>, String> {
        let entering = match what {
            0 => Entering::Answered(outcome(ok, body)),
            1 => Entering::Named(text(ok, body)),
            3 => Entering::Drawn(number(body)),
            _ => Entering::Loaded(text(ok, body)),
        };
        self.enter(env, task, entering)
    }

    /// Has an idle script say what its `data` is.
    #[napi]
    pub fn report<'e>(&mut self, env: &'e Env, task: u32) -> Result<Message<'e>, String> {
        self.enter(env, task, Entering::Report)
    }

    /// Goes on with a script that was woken.
    #[napi]
    pub fn advance<'e>(&mut self, env: &'e Env, task: u32) -> Result<Message<'e>, String> {
        self.poll(env, task)
    }

    /// Stops a script where it computes. Nothing more comes of it.
    #[napi]
    pub fn discard(&mut self, task: u32) {
        if let Some(script) = self.scripts.remove(&task) {
            script.abort.abort();
        }
    }
}

impl NativeSlices {
    fn enter<'e>(&mut self, env: &'e Env, task: u32, entering: Entering) -> Result<Message<'e>, String> {
        let Some(script) = self.scripts.get_mut(&task) else { return Ok(None) };
        let Some(mut slices) = script.slices.take() else {
            return Err(coded("SLICES", &"the script is computing"));
        };
        let slice = async move {
            let slice = slices.enter(entering).await;
            (slices, slice)
        };
        script.slice = Some(slice.boxed());
        self.poll(env, task)
    }

    fn poll<'e>(&mut self, env: &'e Env, task: u32) -> Result<Message<'e>, String> {
        let Some(script) = self.scripts.get_mut(&task) else { return Ok(None) };
        script.waker.begin();
        let Some(slice) = &mut script.slice else { return Ok(None) };
        let waker = waker(&script.waker);
        let (mut slices, slice) = match slice.poll_unpin(&mut Context::from_waker(&waker)) {
            Poll::Ready(done) => done,
            Poll::Pending => {
                if script.waker.finish() {
                    script.waker.later();
                }
                return Ok(None);
            }
        };
        script.slice = None;
        let over = matches!(slice, Ok(Slice::Ended(_)) | Err(_));
        let mut fields = match slice {
            Ok(slice) => told(slice),
            Err(error) => failed(&error),
        };
        let calls = slices.take_calls();
        if !calls.is_empty() {
            fields.push(("calls", Value::array(calls.into_iter().map(call))));
        }
        let reads = slices.take_reads();
        if !reads.is_empty() {
            let read =
                |read: SliceRead| Value::array([Value::from(read.after), Value::from(read.time as f64)]);
            fields.push(("reads", Value::array(reads.into_iter().map(read))));
        }
        match slices.take_data() {
            None => {}
            Some(Ok(data)) => fields.push(("data", Value::bytes(data))),
            Some(Err(error)) => fields.push(("dataError", say::script_error(&error))),
        }
        let console = slices.take_console();
        if !console.is_empty() {
            let line = |entry: &intermission::ConsoleEntry| {
                Value::array([Value::from(entry.method.as_str()), Value::from(entry.text.as_str())])
            };
            fields.push(("console", Value::array(console.iter().map(line))));
        }
        if over {
            self.scripts.remove(&task);
        } else {
            script.slices = Some(slices);
        }
        said(env, fields)
    }
}

type Fields = Vec<(&'static str, Value)>;

fn said(env: &Env, fields: Fields) -> Result<Message<'_>, String> {
    copied(env, &write(&Value::object(fields))).map(Some)
}

fn told(slice: Slice) -> Fields {
    let state = |state: &str| ("state", Value::from(state));
    match slice {
        Slice::Idle => vec![state("idle")],
        Slice::Blocked(blocked) => vec![state("blocked"), ("call", call(blocked))],
        Slice::Names { id, specifier, importer } => vec![
            state("names"),
            ("id", id.into()),
            ("specifier", specifier.into()),
            ("importer", importer.into()),
        ],
        Slice::Loads { id, name } => {
            vec![state("loads"), ("id", id.into()), ("name", name.into())]
        }
        Slice::Draws => vec![state("draws")],
        Slice::Ended(Ok(value)) => vec![state("ended"), ("value", Value::bytes(value))],
        Slice::Ended(Err(thrown)) => {
            let mut fields = vec![state("threw"), ("thrown", say::script_error(&thrown.error))];
            match thrown.origin {
                ErrorOrigin::Script => {}
                ErrorOrigin::Call(id) => fields.push(("id", id.into())),
                ErrorOrigin::Value => fields.push(("refused", true.into())),
            }
            fields
        }
    }
}

fn failed(error: &RunError) -> Fields {
    vec![("state", "failed".into()), ("error", say::run_error(error))]
}

/// Number, function, arguments.
fn call(SliceCall { id, function, arguments }: SliceCall) -> Value {
    Value::array([Value::from(id), Value::from(function), Value::bytes(arguments)])
}

fn outcome(ok: bool, body: &[u8]) -> SliceOutcome {
    if ok { SliceOutcome::Fulfilled(body.to_vec()) } else { SliceOutcome::Rejected(body.to_vec()) }
}

fn number(body: &[u8]) -> f64 {
    decode(body, usize::MAX).ok().and_then(|number| number.as_f64()).unwrap_or_default()
}

/// A text, which is encoded as any value, or an error's bytes.
fn text(ok: bool, body: &[u8]) -> std::result::Result<String, Vec<u8>> {
    if !ok {
        return Err(body.to_vec());
    }
    let text = decode(body, usize::MAX).ok().and_then(|text| text.as_str().map(str::to_owned));
    text.ok_or_else(|| body.to_vec())
}

impl Begin {
    fn slices(&self, runner: &Runner, abort: &AbortController) -> std::result::Result<Slices, RunError> {
        let functions: Vec<(&str, bool)> = [(&self.functions, false), (&self.blocking, true)]
            .into_iter()
            .flat_map(|(names, blocks)| names.iter().map(move |name| (name.as_str(), blocks)))
            .collect();
        let (clock, data): (Vec<u64>, &[u8]);
        let (realm, limits) = match &self.realm {
            Realm::Locked { seed: given, time, deadline_ms, memory, js_stack, console, calls } => {
                let seed = given.as_bytes().and_then(|seed| seed.try_into().ok()).unwrap_or_default();
                let limits = Limits {
                    deadline: deadline_ms.get(),
                    cpu: Duration::MAX,
                    memory: *memory as u64,
                    js_stack: *js_stack,
                    source: usize::MAX,
                    result: u32::MAX,
                    console: *console,
                    arguments: u32::MAX,
                    calls: *calls,
                    in_flight: u32::MAX,
                    ledger: u64::MAX,
                    ..Limits::default()
                };
                (SlicesRealm::Locked { seed, time: *time as u64 }, limits)
            }
            Realm::Bare { data: given, clock: recorded, limits } => {
                clock = recorded.iter().map(|time| *time as u64).collect();
                data = given.as_bytes().unwrap_or_default();
                (SlicesRealm::Bare { data, clock: &clock }, limits.over(Limits::default()))
            }
        };
        let input = SlicesInput {
            module: self.module,
            name: &self.name,
            functions: &functions,
            realm,
            limits,
            abort: Some(abort.signal()),
            ..SlicesInput::new(&self.source)
        };
        Slices::begin(runner, input)
    }
}
