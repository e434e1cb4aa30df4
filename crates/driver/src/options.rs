//! From what a door's language wants to a runner.

use std::num::NonZeroU32;
use std::sync::Arc;

use intermission::codec::{Key, KeyId, Keys, MemoryStore, Secret, Stored, TokenCodec};
use intermission::{
    Effect, HostCall, HostFunction, HostFunctions, Limits, MemoryClaims, Policy, Profile, Runner,
    RunnerBuilder, TimeSource, Value,
};
use serde::Deserialize;

use crate::asks::Asks;
use crate::hooks::call;
use crate::hooks::claims::AskedClaims;
use crate::hooks::codec::AskedCodec;
use crate::hooks::modules::AskedModules;
use crate::hooks::sink::AskedSink;
use crate::hooks::store::AskedStore;
use crate::refusal::Refusal;
use crate::span::Span;

/// What an engine was given.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EngineOptions {
    max_runs: Option<NonZeroU32>,
    max_queued: Option<usize>,
    lanes: Option<NonZeroU32>,
    tick_ms: Option<Span>,
}

impl EngineOptions {
    /// A runner with nothing, for others to be beside.
    ///
    /// # Errors
    /// `ENGINE`: there is no memory for as many runs.
    pub fn build(self) -> Refusable<Runner> {
        let mut builder = Runner::builder();
        builder = given(builder, self.max_runs, RunnerBuilder::max_runs);
        builder = given(builder, self.max_queued, RunnerBuilder::max_queued);
        builder = given(builder, self.lanes, RunnerBuilder::lanes);
        builder = given(builder, self.tick_ms.map(Span::get), RunnerBuilder::tick);
        builder.build().map_err(|error| Refusal::new("ENGINE", &error))
    }
}

/// What `createRunner` was given, checked for its types by the door. What is absent has the library's default.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RunnerOptions {
    #[serde(default)]
    functions: Vec<Function>,
    limits: Option<LimitOptions>,
    profile: Option<RealmProfile>,
    allow_eval: Option<bool>,
    record_reads: Option<bool>,
    strict: Option<bool>,
    redact_errors: Option<bool>,
    drain_ms: Option<Span>,
    audience: Option<String>,
    codec: Option<CodecOptions>,
    claims: Option<Rememberer>,
    /// Where the clock stands.
    time: Option<u64>,
    #[serde(default)]
    modules: bool,
    #[serde(default)]
    sink: bool,
}

/// A clock that stands still.
struct Standing(u64);

impl TimeSource for Standing {
    fn now(&self) -> u64 {
        self.0
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Function {
    name: String,
    description: Option<String>,
    /// JSON, as a text: a number reads the same on every side then.
    input_schema: Option<String>,
    output_schema: Option<String>,
    effect: Option<EffectClass>,
    #[serde(default)]
    blocking: bool,
    #[serde(default)]
    approval: bool,
    /// Whether the door can tell what became of a call.
    #[serde(default)]
    reconcile: bool,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "camelCase")]
enum RealmProfile {
    Full,
    Bare,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "camelCase")]
enum EffectClass {
    Pure,
    Idempotent,
    Unsafe,
}

/// Who calls host functions, and how a call is said where that is asked for: the library asks drivers for probes alone.
#[derive(Clone)]
pub enum Callers {
    /// Whoever drives a run, on the spot.
    Drivers(SayCall),
    /// The library, which asks for it.
    Library(SayCall),
}

/// A call as a door's messages have it.
pub type SayCall = Arc<dyn Fn(&HostCall) -> Value + Send + Sync>;

/// Limits: docs/limits.md.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LimitOptions {
    deadline_ms: Option<Span>,
    cpu_ms: Option<Span>,
    fuel: Option<u64>,
    memory: Option<u64>,
    js_stack: Option<u32>,
    source: Option<usize>,
    result: Option<u32>,
    console: Option<u32>,
    arguments: Option<u32>,
    output: Option<u32>,
    calls: Option<u32>,
    in_flight: Option<u32>,
    timers: Option<u32>,
    ledger: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "kind", deny_unknown_fields)]
enum CodecOptions {
    Sealed(TokenOptions),
    Signed(TokenOptions),
    Open(TokenOptions),
    Stored { store: Rememberer, expires_in_ms: Option<Span>, claims_last_ms: Option<Span> },
    Custom,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TokenOptions {
    #[serde(default)]
    keys: Vec<KeyOption>,
    expires_in_ms: Option<Span>,
    skew_ms: Option<Span>,
    max_token: Option<usize>,
    max_ledger: Option<usize>,
}

/// A text, as in `INTERMISSION_KEY`, or a secret's own bytes.
#[derive(Deserialize)]
struct KeyOption {
    id: Option<String>,
    text: Option<String>,
    bytes: Option<Value>,
}

/// Who remembers: the library in this process's memory, or the door.
#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "camelCase")]
enum Rememberer {
    Memory,
    Custom,
}

type Refusable<T> = Result<T, Refusal>;

impl RunnerOptions {
    /// Of runs that bring none of their own.
    pub fn limits(&self) -> Limits {
        self.limits.as_ref().map_or_else(Limits::default, |limits| limits.over(Limits::default()))
    }

    /// Beside another, whose engine it uses. `policy` decides about each call.
    ///
    /// # Errors
    /// With a code: a name, a schema, a key that is refused.
    pub fn build(
        self,
        beside: &Runner,
        asks: &Asks,
        callers: &Callers,
        policy: Option<impl Policy + 'static>,
    ) -> Refusable<Runner> {
        let limits = self.limits();
        let lent = self.functions.into_iter().map(|function| function.lent(asks, callers));
        let functions = lent.collect::<Refusable<Vec<_>>>()?;
        let functions = HostFunctions::new(functions).map_err(|error| Refusal::new(error.code(), &error))?;
        let mut builder = Runner::builder().beside(beside).host_functions(functions).limits(limits);
        builder = given(builder, self.profile, |builder, profile| {
            builder.profile(match profile {
                RealmProfile::Full => Profile::Full,
                RealmProfile::Bare => Profile::Bare,
            })
        });
        builder = given(builder, self.allow_eval, RunnerBuilder::allow_eval);
        builder = given(builder, self.record_reads, RunnerBuilder::record_reads);
        builder = given(builder, self.strict, RunnerBuilder::strict);
        builder = given(builder, self.redact_errors, RunnerBuilder::redact_errors);
        builder = given(builder, self.drain_ms.map(Span::get), RunnerBuilder::drain);
        builder = given(builder, self.audience, RunnerBuilder::audience);
        builder = given(builder, self.time.map(Standing), RunnerBuilder::time_source);
        builder = given(builder, policy, RunnerBuilder::policy);
        if self.modules {
            builder = builder.modules(AskedModules(asks.clone()));
        }
        if self.sink {
            builder = builder.ledger_sink(AskedSink(asks.clone()));
        }
        builder = match self.claims {
            None => builder,
            Some(Rememberer::Memory) => builder.claims(MemoryClaims::default()),
            Some(Rememberer::Custom) => builder.claims(AskedClaims(asks.clone())),
        };
        if let Some(codec) = self.codec {
            builder = codec.on(builder, asks)?;
        }
        builder.build().map_err(|error| Refusal::new("ENGINE", &error))
    }
}

/// A builder with a value, where there is one.
pub fn given<B, T>(builder: B, value: Option<T>, set: impl FnOnce(B, T) -> B) -> B {
    match value {
        Some(value) => set(builder, value),
        None => builder,
    }
}

impl Function {
    fn lent(self, asks: &Asks, callers: &Callers) -> Refusable<HostFunction> {
        let (mut function, say) = match callers {
            Callers::Drivers(say) => (HostFunction::driven(self.name), say),
            Callers::Library(say) => (call::function(self.name, asks.clone(), Arc::clone(say)), say),
        };
        if self.reconcile {
            function = call::reconciled(function, asks.clone(), Arc::clone(say));
        }
        if let Some(description) = self.description {
            function = function.description(description);
        }
        if let Some(schema) = self.input_schema {
            function = function.input_schema(json(&schema)?);
        }
        if let Some(schema) = self.output_schema {
            function = function.output_schema(json(&schema)?);
        }
        function = function.effect(match self.effect {
            Some(EffectClass::Pure) => Effect::Pure,
            Some(EffectClass::Idempotent) => Effect::Idempotent,
            Some(EffectClass::Unsafe) | None => Effect::Unsafe,
        });
        if self.blocking {
            function = function.blocking();
        }
        Ok(if self.approval { function.approval() } else { function })
    }
}

fn json(text: &str) -> Refusable<serde_json::Value> {
    serde_json::from_str(text).map_err(|error| Refusal::new("HOST_FUNCTION_SCHEMA", &error))
}

impl LimitOptions {
    /// These, and where they say nothing those.
    pub fn over(&self, below: Limits) -> Limits {
        Limits {
            deadline: self.deadline_ms.map_or(below.deadline, Span::get),
            cpu: self.cpu_ms.map_or(below.cpu, Span::get),
            fuel: self.fuel.or(below.fuel),
            memory: self.memory.unwrap_or(below.memory),
            js_stack: self.js_stack.unwrap_or(below.js_stack),
            source: self.source.unwrap_or(below.source),
            result: self.result.unwrap_or(below.result),
            console: self.console.unwrap_or(below.console),
            arguments: self.arguments.unwrap_or(below.arguments),
            output: self.output.unwrap_or(below.output),
            calls: self.calls.unwrap_or(below.calls),
            in_flight: self.in_flight.unwrap_or(below.in_flight),
            timers: self.timers.unwrap_or(below.timers),
            ledger: self.ledger.unwrap_or(below.ledger),
        }
    }
}

impl CodecOptions {
    fn on(self, builder: RunnerBuilder, asks: &Asks) -> Refusable<RunnerBuilder> {
        Ok(match self {
            Self::Sealed(options) => builder.codec(options.on(TokenCodec::sealed(options.keys()?))),
            Self::Signed(options) => builder.codec(options.on(TokenCodec::signed(options.keys()?))),
            Self::Open(options) => builder.codec(options.on(TokenCodec::open())),
            Self::Custom => builder.codec(AskedCodec(asks.clone())),
            Self::Stored { store, expires_in_ms, claims_last_ms } => match store {
                Rememberer::Memory => {
                    builder.codec(lasting(Stored::new(MemoryStore::default()), expires_in_ms, claims_last_ms))
                }
                Rememberer::Custom => {
                    let store = Stored::new(AskedStore(asks.clone()));
                    builder.codec(lasting(store, expires_in_ms, claims_last_ms))
                }
            },
        })
    }
}

fn lasting<S: intermission::codec::ContinuationStore>(
    mut stored: Stored<S>,
    expires_in: Option<Span>,
    claims_last: Option<Span>,
) -> Stored<S> {
    if let Some(span) = expires_in {
        stored = stored.expires_in(span.get());
    }
    if let Some(span) = claims_last {
        stored = stored.claims_last(span.get());
    }
    stored
}

impl TokenOptions {
    fn keys(&self) -> Refusable<Keys> {
        let key = |given: &KeyOption| {
            let secret = match (&given.text, &given.bytes) {
                (Some(text), _) => Secret::parse(text),
                (None, bytes) => {
                    Secret::from_bytes(bytes.as_ref().and_then(Value::as_bytes).unwrap_or_default())
                }
            }?;
            let id = given.id.clone().map_or_else(|| Ok(KeyId::of(&secret)), KeyId::new)?;
            Ok(Key { id, secret })
        };
        let keys = self.keys.iter().map(key).collect::<Result<Vec<_>, _>>();
        keys.and_then(Keys::new)
            .map_err(|error: intermission::codec::KeyError| Refusal::new(error.code(), &error))
    }

    fn on(&self, mut codec: TokenCodec) -> TokenCodec {
        if let Some(span) = self.expires_in_ms {
            codec = codec.expires_in(span.get());
        }
        if let Some(span) = self.skew_ms {
            codec = codec.skew(span.get());
        }
        if self.max_token.is_some() || self.max_ledger.is_some() {
            codec = codec.limits(self.max_token.unwrap_or(16 << 20), self.max_ledger.unwrap_or(64 << 20));
        }
        codec
    }
}
