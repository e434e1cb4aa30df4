//! An instance of the guest and its exports.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use wasmtime::{Extern, Instance, Memory, ModuleExport, Result, Store, TypedFunc, WasmParams};

use crate::imports::State;
use crate::lane::Exports;
use crate::raw::{ImagePages, StopFlag};
use crate::step::{CallId, TimerId};

pub(crate) struct Guest {
    store: Store<State>,
    instance: Instance,
    exports: Arc<Exports>,
    /// Looked up once: a run may settle thousands of calls.
    settle: Option<TypedFunc<(u32, u32, u32), i64>>,
    pub(crate) flag: StopFlag,
    heap: Memory,
    /// How much memory the image has, in bytes.
    image: usize,
}

/// A slot keeps the pages that its runs wrote, and each later run of its size pays for resetting them. One that grew its memory wrote to many of the image's:
/// they go. What it grew by is out of a small run's way.
impl Drop for Guest {
    fn drop(&mut self) {
        if self.heap.data_size(&self.store) > self.image {
            let pages = self.image_pages();
            pages.forget(pages.addresses());
        }
    }
}

/// Which export is called, and with what. Lengths are of what waits in the inbox.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Entry {
    Start { length: u32 },
    Settle { call: CallId, rejected: bool, length: u32 },
    Fire { timer: TimerId },
    Report,
}

/// How a slice left the guest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Left {
    pub(crate) ended: bool,
    /// Since the start of the run.
    pub(crate) fuel: u64,
}

impl Guest {
    pub(crate) fn new(mut store: Store<State>, instance: Instance, exports: Arc<Exports>) -> Result<Self> {
        let memory = |export: Option<Extern>| {
            export
                .and_then(Extern::into_memory)
                .ok_or_else(|| wasmtime::Error::msg("a memory of the guest is missing"))
        };
        let heap = memory(instance.get_module_export(&mut store, &exports.memory))?;
        let stop = memory(instance.get_module_export(&mut store, &exports.stop))?;
        let flag = StopFlag::of(stop, &store);
        let state = store.data_mut();
        state.memory = Some(heap);
        state.flag = Some(flag);
        Ok(Self { image: heap.data_size(&store), store, instance, exports, settle: None, flag, heap })
    }

    pub(crate) fn image_pages(&self) -> ImagePages {
        ImagePages::of(self.heap, &self.store, self.image)
    }

    /// Runs one slice. Gives itself back: whoever polls this owns the guest meanwhile.
    pub(crate) async fn enter(mut self: Box<Self>, entry: Entry) -> (Box<Self>, Result<Left>) {
        let left = caught(self.call(entry)).await;
        let left = left.map(|left| Left { ended: left & 0xff == 1, fuel: left as u64 >> 8 });
        (self, left)
    }

    async fn call(&mut self, entry: Entry) -> Result<i64> {
        let exports = &*self.exports;
        let store = &mut self.store;
        match entry {
            Entry::Start { length } => {
                function(store, self.instance, &exports.start)?.call_async(store, length).await
            }
            Entry::Settle { call, rejected, length } => {
                let settle = match self.settle.take() {
                    Some(settle) => settle,
                    None => function(store, self.instance, &exports.settle)?,
                };
                self.settle.insert(settle).call_async(store, (call, rejected.into(), length)).await
            }
            Entry::Fire { timer } => {
                function(store, self.instance, &exports.fire)?.call_async(store, timer).await
            }
            Entry::Report => function(store, self.instance, &exports.report)?.call_async(store, ()).await,
        }
    }
}

/// A panic of a host import (the run's clock is the caller's code) ends the slice as a trap does. It must not unwind through [`Guest::enter`], which would drop
/// the instance while its stop flag is still known to the ticker.
async fn caught<T>(call: impl Future<Output = Result<T>>) -> Result<T> {
    let mut call = pin!(call);
    poll_fn(|context| {
        let polled = catch_unwind(AssertUnwindSafe(|| call.as_mut().poll(context)));
        polled.unwrap_or_else(|_| Poll::Ready(Err(wasmtime::Error::msg("the host panicked"))))
    })
    .await
}

fn function<P: WasmParams>(
    store: &mut Store<State>,
    instance: Instance,
    export: &ModuleExport,
) -> Result<TypedFunc<P, i64>> {
    let function = instance.get_module_export(&mut *store, export).and_then(Extern::into_func);
    function.ok_or_else(|| wasmtime::Error::msg("a function of the guest is missing"))?.typed(&*store)
}
