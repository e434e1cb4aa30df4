//! Makes a realm and keeps the memory that it leaves.
//!
//! The realm is made twice. After the first time a rehearsal runs, and what that writes to, every run does; the second time those blocks are put
//! close together (`guest/c/places.c`), so that a run writes to few pages.

use std::collections::VecDeque;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use wasmparser::ValType;
use wasmtime::{
    AsContextMut, Caller, Config, Engine, Extern, Instance, Linker, Module, Store, UpdateDeadline, Val,
};
use wasmtime_wizer::{InstanceState, SnapshotVal, Wizer};

use crate::Profile;
use crate::places::{Blocks, Places};
use crate::realm_files::{self, RealmFile};

const MESSAGE_THROWN: i32 = 6;
const MESSAGE_BLOCK: i32 = 100;
const COMPUTE_PLACES: i32 = 100;
const COMPUTE_REHEARSAL: i32 = 101;
const COMPUTE_FILE: i32 = 102;
const COMPUTE_NONE: u32 = u32::MAX;

pub(crate) fn preinitialise(wasm: &[u8], profile: Profile) -> Result<Vec<u8>, String> {
    let mut wizer = Wizer::new();
    wizer.init_func(SET_UP).keep_init_func(false);
    let told = Told::new(profile, None);
    let made = || -> wasmtime::Result<Vec<u8>> {
        let (context, instrumented) = wizer.instrument(wasm)?;
        let mut config = Config::new();
        config.max_wasm_stack(1 << 20).epoch_interruption(true);
        let engine = Engine::new(&config)?;
        let module = Module::new(&engine, &instrumented)?;
        set_up(&module, &told)?;
        let mut state = set_up(&module, &Told::new(profile, Some(told.lock().blocks.written())))?;
        ready(wizer.snapshot(&context, &mut state))
    };
    made().map_err(|error| {
        let mut texts = std::mem::take(&mut told.lock().texts);
        texts.push(format!("{error:#}"));
        texts.join("\n")
    })
}

const SET_UP: &str = "prepare_realm";

fn set_up(module: &Module, told: &Told) -> wasmtime::Result<State> {
    let engine = module.engine();
    let mut store = Store::new(engine, told.clone());
    store.set_epoch_deadline(NEVER);
    let instance = linker(engine)?.instantiate(&mut store, module)?;
    if let Some(Extern::Func(constructors)) = instance.get_export(&mut store, "_initialize") {
        constructors.typed::<(), ()>(&store)?.call(&mut store, ())?;
    }
    let memory = instance.get_memory(&mut store, "memory").ok_or_else(no_memory)?;
    // Nearly every time the rehearsal enters a function: what it writes and then writes back is seen as well.
    store.epoch_deadline_callback(move |store| {
        let (bytes, told) = memory.data_and_store_mut(store);
        told.lock().blocks.look(bytes);
        Ok(UpdateDeadline::Continue(0))
    });
    instance.get_typed_func::<(), ()>(&mut store, SET_UP)?.call(&mut store, ())?;
    Ok(State { store, instance })
}

/// As far away as an epoch can be.
const NEVER: u64 = u64::MAX >> 1;

/// What the set-up says and is told.
#[derive(Clone)]
struct Told(Arc<Mutex<Letters>>);

struct Letters {
    /// Only a realm that fails says anything.
    texts: Vec<String>,
    blocks: Blocks,
    /// `None`: they are to be found out.
    places: Option<Places>,
    /// Files that the realm has not run yet.
    files: VecDeque<RealmFile>,
    /// What the guest may take.
    inbox: Vec<u8>,
}

impl Told {
    fn new(profile: Profile, places: Option<Places>) -> Self {
        let files = realm_files::of(profile).collect();
        Self(Arc::new(Mutex::new(Letters {
            texts: Vec::new(),
            blocks: Blocks::default(),
            places,
            files,
            inbox: Vec::new(),
        })))
    }

    fn lock(&self) -> MutexGuard<'_, Letters> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The bridge's imports as they are at build time: no clock, no calls, nobody to ask.
fn linker(engine: &Engine) -> wasmtime::Result<Linker<Told>> {
    let mut linker = Linker::new(engine);
    linker.func_wrap("intermission", "now", || 0.0_f64)?;
    linker.func_wrap("intermission", "pause", |_: i32| ())?;
    linker.func_wrap("intermission", "take", take)?;
    linker.func_wrap("intermission", "ask", |_: i32, _: u32, _: u32, _: u32| -> wasmtime::Result<u32> {
        Err(wasmtime::Error::msg("the set-up of a realm may not call the host"))
    })?;
    linker.func_wrap("intermission", "compute", compute)?;
    linker.func_wrap("intermission", "emit", emit)?;
    Ok(linker)
}

fn take(mut caller: Caller<'_, Told>, to: u32) -> wasmtime::Result<()> {
    let memory = memory(&mut caller)?;
    let (bytes, told) = memory.data_and_store_mut(&mut caller);
    let inbox = std::mem::take(&mut told.lock().inbox);
    bytes[to as usize..][..inbox.len()].copy_from_slice(&inbox);
    Ok(())
}

fn compute(mut caller: Caller<'_, Told>, kind: i32, _: u32, _: u32) -> wasmtime::Result<u32> {
    let memory = memory(&mut caller)?;
    let (bytes, told) = memory.data_and_store_mut(&mut caller);
    let mut letters = told.lock();
    let inbox = match kind {
        COMPUTE_PLACES => letters.places.as_ref().map(|places| places.bits().to_vec()),
        COMPUTE_FILE => letters.files.pop_front().map(RealmFile::frame),
        COMPUTE_REHEARSAL if letters.places.is_none() => {
            letters.blocks.begin(bytes);
            drop(letters);
            caller.as_context_mut().set_epoch_deadline(0);
            return Ok(0);
        }
        _ => None,
    };
    let length = inbox.as_ref().map_or(COMPUTE_NONE, |inbox| inbox.len() as u32);
    letters.inbox = inbox.unwrap_or_default();
    Ok(length)
}

fn emit(mut caller: Caller<'_, Told>, kind: i32, id: u32, at: u32, length: u32) -> wasmtime::Result<()> {
    let memory = memory(&mut caller)?;
    let (bytes, told) = memory.data_and_store_mut(&mut caller);
    let bytes = &bytes[at as usize..][..length as usize];
    let mut letters = told.lock();
    match kind {
        MESSAGE_BLOCK => letters.blocks.add(id, bytes),
        MESSAGE_THROWN => letters.texts.push(String::from_utf8_lossy(bytes).into_owned()),
        _ => {}
    }
    Ok(())
}

fn memory(caller: &mut Caller<'_, Told>) -> wasmtime::Result<wasmtime::Memory> {
    let memory = caller.get_export("memory").and_then(Extern::into_memory);
    memory.ok_or_else(no_memory)
}

fn no_memory() -> wasmtime::Error {
    wasmtime::Error::msg("the guest has no memory")
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
