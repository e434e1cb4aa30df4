//! What runners share.

use std::sync::Arc;

use intermission::Runner;
use intermission_driver::{EngineOptions, Wake};
use napi::Result;
use napi::bindgen_prelude::Function;
use napi::threadsafe_function::ThreadsafeFunctionCallMode;
use napi_derive::napi;

use crate::message::{coded, read, refused};

/// An engine: memory for runs, threads for long slices, a thread for timers, and the way to the event loop.
#[napi]
pub struct NativeEngine {
    /// It has the engine; nothing runs in it.
    pub(crate) runner: Runner,
    pub(crate) timers: Arc<tokio::runtime::Runtime>,
    pub(crate) wake: Wake,
}

#[napi]
impl NativeEngine {
    /// Of options as `options.rs` has them. `wake` is called on the event loop with the number of a task that is worth advancing.
    #[napi(constructor)]
    pub fn new(options: &[u8], wake: Function<'_, u32, ()>) -> Result<Self, String> {
        // It keeps no process alive: TypeScript does, as long as something waits.
        let wake = wake.build_threadsafe_function().weak::<true>().build();
        let wake = wake.map_err(|error| coded("NAPI", &error.reason))?;
        let wake: Wake = Arc::new(move |task| {
            // The environment may be gone: then nobody waits for the task either.
            wake.call(task, ThreadsafeFunctionCallMode::NonBlocking);
        });
        let timers = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("intermission-timers")
            .enable_time()
            .build()
            .map_err(|error| coded("ENGINE", &error))?;
        let runner = read::<EngineOptions>(options)?.build().map_err(refused)?;
        Ok(Self { runner, timers: Arc::new(timers), wake })
    }
}
