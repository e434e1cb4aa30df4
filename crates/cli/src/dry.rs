//! A resume in which nothing happens: time stands still, and whoever would be called ends it instead.

use intermission::{
    AbortController, Effect, HostError, HostFunction, HostFunctions, ModuleLoader, ResumeError, ResumeInput,
    RunResult, TimeSource, Value,
};

use crate::config::{Config, FunctionConfig};
use crate::failure::Failure;
use crate::runner;

/// Drives a run to the end of its record, and no further.
///
/// # Errors
/// [`ResumeError`], or when the engine cannot start.
pub(crate) fn resume(config: &Config, input: ResumeInput) -> Result<Result<RunResult, ResumeError>, Failure> {
    let abort = AbortController::new();
    let stand_ins = config.functions.iter().map(|function| stand_in(function, abort.clone()));
    let host_functions = HostFunctions::new(stand_ins).expect("the configuration's own functions have these names");
    let runner = runner::builder(config)?
        .host_functions(host_functions)
        .modules(NoMore(abort.clone()))
        .time_source(Beginning)
        .build()?;
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().build().map_err(Failure::Runtime)?;
    Ok(runtime.block_on(runner.resume(input.abort(abort.signal()))))
}

/// A function that looks the same and does nothing.
fn stand_in(config: &FunctionConfig, abort: AbortController) -> HostFunction {
    let mut function = HostFunction::new(config.name.as_str(), move |_| {
        abort.abort();
        std::future::pending::<Result<Value, HostError>>()
    })
    .effect(Effect::Pure);
    if let Some(schema) = &config.input_schema {
        function = function.input_schema(schema.clone());
    }
    if let Some(schema) = &config.output_schema {
        function = function.output_schema(schema.clone());
    }
    if config.blocking { function.blocking() } else { function }
}

/// Where modules come from that the run has not asked for yet.
struct NoMore(AbortController);

impl ModuleLoader for NoMore {
    fn load<'a>(
        &'a self,
        _: &'a str,
    ) -> std::pin::Pin<Box<dyn Future<Output = Result<String, HostError>> + Send + 'a>> {
        self.0.abort();
        Box::pin(std::future::pending())
    }
}

/// Before all timers and expiries.
struct Beginning;

impl TimeSource for Beginning {
    fn now(&self) -> u64 {
        0
    }
}
