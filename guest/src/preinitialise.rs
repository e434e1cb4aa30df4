//! Runs the set-up of a realm and keeps the memory that it leaves.

use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use wasmparser::ValType;
use wasmtime::{Caller, Config, Engine, Extern, Instance, Linker, Module, Store, Val};
use wasmtime_wizer::{InstanceState, SnapshotVal, Wizer};

use crate::Profile;

/// What the set-up told the host: only a realm that fails says anything.
type Told = Arc<Mutex<Vec<String>>>;

pub(crate) fn preinitialise(wasm: &[u8], profile: Profile) -> Result<Vec<u8>, String> {
    let told = Told::default();
    set_up(wasm, profile, &told).map_err(|error| {
        let mut told = std::mem::take(&mut *told.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
        told.push(format!("{error:#}"));
        told.join("\n")
    })
}

fn set_up(wasm: &[u8], profile: Profile, told: &Told) -> wasmtime::Result<Vec<u8>> {
    let mut wizer = Wizer::new();
    wizer.init_func(profile.set_up()).keep_init_func(false);
    let (context, instrumented) = wizer.instrument(wasm)?;

    let mut config = Config::new();
    config.max_wasm_stack(1 << 20);
    let engine = Engine::new(&config)?;
    let module = Module::new(&engine, &instrumented)?;
    let mut store = Store::new(&engine, Arc::clone(told));
    let instance = linker(&engine)?.instantiate(&mut store, &module)?;
    if let Some(Extern::Func(constructors)) = instance.get_export(&mut store, "_initialize") {
        constructors.typed::<(), ()>(&store)?.call(&mut store, ())?;
    }
    instance.get_typed_func::<(), ()>(&mut store, profile.set_up())?.call(&mut store, ())?;

    let mut state = State { store, instance };
    ready(wizer.snapshot(&context, &mut state))
}

/// The bridge's imports as they are at build time: no clock, no calls, nobody to ask.
fn linker(engine: &Engine) -> wasmtime::Result<Linker<Told>> {
    let mut linker = Linker::new(engine);
    linker.func_wrap("intermission", "now", || 0.0_f64)?;
    linker.func_wrap("intermission", "pause", |_: i32| ())?;
    linker.func_wrap("intermission", "take", move |_: u32| -> wasmtime::Result<()> { Err(absent()) })?;
    linker.func_wrap(
        "intermission",
        "ask",
        move |_: i32, _: u32, _: u32, _: u32| -> wasmtime::Result<u32> { Err(absent()) },
    )?;
    linker.func_wrap("intermission", "compute", move |_: i32, _: u32, _: u32| -> wasmtime::Result<u32> {
        Err(absent())
    })?;
    linker.func_wrap(
        "intermission",
        "emit",
        |mut caller: Caller<'_, Told>, _: i32, _: u32, at: u32, length: u32| {
            let Some(memory) = caller.get_export("memory").and_then(Extern::into_memory) else { return };
            let (bytes, told) = memory.data_and_store_mut(&mut caller);
            let text = bytes.get(at as usize..at as usize + length as usize).unwrap_or_default();
            if let Ok(mut told) = told.lock() {
                told.push(String::from_utf8_lossy(text).into_owned());
            }
        },
    )?;
    Ok(linker)
}

fn absent() -> wasmtime::Error {
    wasmtime::Error::msg("the set-up of a realm may not call the host")
}

struct State {
    store: Store<Told>,
    instance: Instance,
}

impl InstanceState for State {
    async fn global_get(&mut self, name: &str, _: ValType) -> SnapshotVal {
        let global = self.instance.get_global(&mut self.store, name).expect("wizer exported it");
        match global.get(&mut self.store) {
            Val::I32(value) => SnapshotVal::I32(value),
            Val::I64(value) => SnapshotVal::I64(value),
            Val::F32(bits) => SnapshotVal::F32(bits),
            Val::F64(bits) => SnapshotVal::F64(bits),
            other => panic!("a global of C is a number, not {other:?}"),
        }
    }

    async fn memory_contents(&mut self, name: &str, contents: impl FnOnce(&[u8]) + Send) {
        let memory = self.instance.get_memory(&mut self.store, name).expect("wizer exported it");
        contents(memory.data(&self.store));
    }
}

/// The result of a future that never waits.
fn ready<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => unreachable!("nothing in a snapshot waits"),
    }
}
