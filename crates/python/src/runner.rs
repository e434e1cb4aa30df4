//! A runner.

use std::sync::{Arc, Mutex};

use futures_util::future::FutureExt;
use intermission::{AbortController, Execution, Limits, RunInput};
use intermission_driver::{Asks, Callers, Resume, Run, RunnerOptions, Work};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::calls::Calls;
use crate::classes::refused;
use crate::continuation::Continuation;
use crate::engine::{Engine, Standing};
use crate::kept::{Kept, Left};
use crate::policy::AskedPolicy;
use crate::task::{Other, Slot, Standings, Task};
use crate::value::{from_python, message};
use crate::wakes::Wakes;

/// A runner. What begins a task gives the task, which has gone on as far as it went without waiting, and what came out, as [`Task`] has it.
#[pyclass(frozen, module = "intermission._native")]
pub(crate) struct Runner {
    inner: Kept<Inner>,
    left: Left,
}

struct Inner {
    engine: Arc<Kept<Standing>>,
    runner: intermission::Runner,
    limits: Limits,
    asks: Asks,
    /// That probes are asked about.
    calls: Calls,
}

/// The value of a global, where there is one.
pub(crate) type Global<'py> = Option<(Bound<'py, PyAny>,)>;

/// What a run begins with.
pub(crate) fn run_input(
    given: &Bound<'_, PyAny>,
    input: Global<'_>,
    data: Global<'_>,
    limits: Limits,
    asks: &Asks,
    abort: &AbortController,
) -> PyResult<RunInput<'static>> {
    let run: Run = message(given)?;
    let mut run = run.input(limits, asks, abort).map_err(|refusal| refused(given.py(), &refusal))?;
    if let Some((input,)) = input {
        run.input = from_python(&input, "input")?;
    }
    if let Some((data,)) = data {
        run.data = from_python(&data, "data")?;
    }
    Ok(run)
}

type Begun<'py> = PyResult<(Bound<'py, Task>, Option<Bound<'py, PyTuple>>)>;

#[pymethods]
impl Runner {
    /// Of options as `crates/driver/src/options.rs` has them.
    #[new]
    fn new(
        py: Python<'_>,
        engine: &Engine,
        options: &Bound<'_, PyAny>,
        policy: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let options: RunnerOptions = message(options)?;
        let (asks, limits, calls) = (Asks::default(), options.limits(), Calls::default());
        let runner = options
            .build(&engine.standing.runner, &asks, &Callers::Drivers(calls.say()), policy.map(AskedPolicy))
            .map_err(|refusal| refused(py, &refusal))?;
        let standing = Arc::clone(&engine.standing);
        let inner = Inner { engine: standing, runner, limits, asks, calls };
        Ok(Self { inner: Kept::new(inner, &engine.left), left: Arc::clone(&engine.left) })
    }

    /// Begins a run. `given` is what `crates/driver/src/input.rs` calls a `Run`; the values of the globals come in tuples, where there are any.
    fn run<'py>(
        &self,
        py: Python<'py>,
        wakes: &Wakes,
        number: u32,
        given: &Bound<'py, PyAny>,
        input: Global<'py>,
        data: Global<'py>,
    ) -> Begun<'py> {
        let abort = AbortController::new();
        let run = run_input(given, input, data, self.inner.limits, &self.inner.asks, &abort)?;
        let execution = py.detach(|| Execution::run(&self.inner.runner, run));
        self.begin(py, wakes, number, Work::Run(execution), abort)
    }

    /// Goes on with a run. `given` is what `crates/driver/src/input.rs` calls a `Resume`, less the continuation.
    fn resume<'py>(
        &self,
        py: Python<'py>,
        wakes: &Wakes,
        number: u32,
        given: &Bound<'py, PyAny>,
        continuation: Option<&Bound<'py, Continuation>>,
    ) -> Begun<'py> {
        let abort = AbortController::new();
        let input = self.going_on(py, given, continuation, &abort)?;
        let execution = Execution::resume(&self.inner.runner, input);
        self.begin(py, wakes, number, Work::Run(execution), abort)
    }

    /// Cancels a run that was put away.
    fn cancel_put_away<'py>(
        &self,
        py: Python<'py>,
        wakes: &Wakes,
        number: u32,
        given: &Bound<'py, PyAny>,
        continuation: Option<&Bound<'py, Continuation>>,
    ) -> Begun<'py> {
        let abort = AbortController::new();
        let input = self.going_on(py, given, continuation, &abort)?;
        let runner = self.inner.runner.clone();
        self.begin_other(
            py,
            wakes,
            number,
            async move { Other::Result(Box::new(runner.cancel(input).await)) },
        )
    }

    /// Runs a script against its ledger.
    fn replay<'py>(
        &self,
        py: Python<'py>,
        wakes: &Wakes,
        number: u32,
        continuation: &Continuation,
    ) -> Begun<'py> {
        let (runner, continuation) = (self.inner.runner.clone(), continuation.0.clone());
        self.begin_other(py, wakes, number, async move {
            Other::Result(Box::new(Ok(runner.replay(continuation).await)))
        })
    }

    /// A token for a continuation.
    fn encode<'py>(
        &self,
        py: Python<'py>,
        wakes: &Wakes,
        number: u32,
        continuation: &Continuation,
        context: Vec<u8>,
    ) -> Begun<'py> {
        let (runner, continuation) = (self.inner.runner.clone(), continuation.0.clone());
        self.begin_other(py, wakes, number, async move {
            Other::Token(runner.encode(&continuation, &context).await)
        })
    }

    /// The continuation in a token.
    fn decode<'py>(
        &self,
        py: Python<'py>,
        wakes: &Wakes,
        number: u32,
        token: String,
        context: Vec<u8>,
    ) -> Begun<'py> {
        let runner = self.inner.runner.clone();
        self.begin_other(py, wakes, number, async move {
            Other::Continuation(Box::new(runner.decode(&token, &context).await))
        })
    }

    /// What a token says of its run.
    fn inspect<'py>(
        &self,
        py: Python<'py>,
        wakes: &Wakes,
        number: u32,
        token: String,
        context: Vec<u8>,
    ) -> Begun<'py> {
        let runner = self.inner.runner.clone();
        self.begin_other(py, wakes, number, async move {
            Other::Inspection(Box::new(runner.inspect(&token, &context).await))
        })
    }

    /// TypeScript declarations of what scripts can call.
    fn types(&self) -> String {
        self.inner.runner.types()
    }
}

impl Runner {
    fn going_on(
        &self,
        py: Python<'_>,
        given: &Bound<'_, PyAny>,
        continuation: Option<&Bound<'_, Continuation>>,
        abort: &AbortController,
    ) -> PyResult<intermission::ResumeInput> {
        let given: Resume = message(given)?;
        let from = continuation.map(|continuation| continuation.get().0.clone().into());
        given.input(from, self.inner.limits, &self.inner.asks, abort).map_err(|refusal| refused(py, &refusal))
    }

    fn begin<'py>(
        &self,
        py: Python<'py>,
        wakes: &Wakes,
        number: u32,
        work: Work<Other>,
        abort: AbortController,
    ) -> Begun<'py> {
        let task = intermission_driver::Task::new(number, work, wakes.wake(), abort);
        let standings = Standings {
            engine: Arc::clone(&self.inner.engine),
            task: Mutex::new(Slot::Waits(Box::new(task))),
            asks: self.inner.asks.clone(),
            calls: self.inner.calls.clone(),
        };
        let task = Bound::new(py, Task(Kept::new(standings, &self.left)))?;
        let came = task.get().go_on(py, |_| {})?;
        Ok((task, came))
    }

    fn begin_other<'py>(
        &self,
        py: Python<'py>,
        wakes: &Wakes,
        number: u32,
        work: impl Future<Output = Other> + Send + 'static,
    ) -> Begun<'py> {
        self.begin(py, wakes, number, Work::Other(work.boxed()), AbortController::new())
    }
}
