//! What runners share.

use std::sync::Arc;

use intermission::Runner;
use napi::Result;
use napi::bindgen_prelude::Function;
use napi_derive::napi;

use crate::message::{coded, read};
use crate::options::EngineOptions;
use crate::waker::WakeFunction;

/// An engine: memory for runs, threads for long slices, a thread for timers, and the way to the event loop.
#[napi]
pub struct NativeEngine {
    /// It has the engine; nothing runs in it.
    pub(crate) runner: Runner,
    pub(crate) timers: Arc<tokio::runtime::Runtime>,
    pub(crate) wake: Arc<WakeFunction>,
}

#[napi]
impl NativeEngine {
    /// Of options as `options.rs` has them. `wake` is called on the event loop with the number of a task that is worth advancing.
    #[napi(constructor)]
    pub fn new(options: &[u8], wake: Function<'_, u32, ()>) -> Result<Self, String> {
        let wake = wake.build_threadsafe_function().weak::<true>().build();
        let wake = Arc::new(wake.map_err(|error| coded("NAPI", &error.reason))?);
        let timers = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("intermission-timers")
            .enable_time()
            .build()
            .map_err(|error| coded("ENGINE", &error))?;
        let runner = read::<EngineOptions>(options)?.build()?;
        Ok(Self { runner, timers: Arc::new(timers), wake })
    }
}
