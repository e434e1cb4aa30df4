//! What Python drives.

use std::sync::{Arc, Mutex};

use intermission::codec::{CodecError, Token};
use intermission::{HostError, Inspection, Interrupt, Progress, ResumeError, RunEvent, RunResult, Value};
use intermission_driver::{Asks, Came, Given};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::call::Call;
use crate::calls::Calls;
use crate::classes::refused;
use crate::continuation::Continuation;
use crate::engine::Standing;
use crate::kept::Kept;
use crate::lock::lock;
use crate::policy;
use crate::say;
use crate::value::{from_python, message};

/// How what is no run ends.
pub(crate) enum Other {
    Result(Box<Result<RunResult, ResumeError>>),
    Token(Result<Token, CodecError>),
    Continuation(Box<Result<intermission::Continuation, CodecError>>),
    Inspection(Box<Result<Inspection, CodecError>>),
}

/// A run, or something else that may take its time. Whatever moves it on gives what came out, or `None`: a tuple of calls, events, asks, answers, whether calls are no longer wanted, and the end, which is
/// `None`, `(True, value)` or `(False, exception)`.
#[pyclass(frozen, module = "intermission._native")]
pub(crate) struct Task(pub(crate) Kept<Standings>);

/// The task, and what it stands on.
pub(crate) struct Standings {
    pub(crate) engine: Arc<Kept<Standing>>,
    pub(crate) task: Mutex<Slot>,
    /// What the library asks.
    pub(crate) asks: Asks,
    /// That it asks about.
    pub(crate) calls: Calls,
}

/// Where a task is. While it is polled nothing is locked: a policy runs then, and may do anything.
pub(crate) enum Slot {
    Waits(Box<intermission_driver::Task<Other>>),
    /// Whoever polls it has it.
    Polled,
    Over,
}

#[derive(Default)]
struct Out {
    progress: Vec<Progress>,
    asks: Vec<Value>,
    is_unwanted: bool,
    end: Option<Other>,
}

type Message<'py> = PyResult<Option<Bound<'py, PyTuple>>>;

#[pymethods]
impl Task {
    /// Goes on with a task that was woken.
    fn advance<'py>(&self, py: Python<'py>) -> Message<'py> {
        self.go_on(py, |_| {})
    }

    /// Gives the value of a call. Raises `ValueRefused` where it cannot be sent: the call is still to be settled then.
    fn settle<'py>(&self, py: Python<'py>, call: u32, value: &Bound<'py, PyAny>) -> Message<'py> {
        let value = from_python(value, "")?;
        self.go_on(py, move |task| {
            task.tell(|run| {
                run.settle(call, Ok(value));
            });
        })
    }

    /// Rejects a call.
    fn reject<'py>(
        &self,
        py: Python<'py>,
        call: u32,
        name: &str,
        message: String,
        code: Option<String>,
    ) -> Message<'py> {
        let error = HostError::new(message).with_name(name);
        let error = if let Some(code) = code { error.with_code(code) } else { error };
        self.go_on(py, move |task| {
            task.tell(|run| {
                run.settle(call, Err(error));
            });
        })
    }

    /// Has a call ask. Raises `ValueRefused` where something cannot be sent.
    fn interrupt<'py>(
        &self,
        py: Python<'py>,
        call: u32,
        payload: &Bound<'py, PyAny>,
        state: &Bound<'py, PyAny>,
        expires_at: Option<u64>,
        default: Option<(Bound<'py, PyAny>,)>,
    ) -> Message<'py> {
        let asked = asked(payload, state, expires_at, default)?;
        self.go_on(py, move |task| {
            task.tell(|run| {
                run.settle(call, Err(asked.into()));
            });
        })
    }

    /// Answers what the library asked: with a value, or with an error of `name`, `message` and `code`.
    fn answer<'py>(&self, py: Python<'py>, ask: u32, ok: bool, body: &Bound<'py, PyAny>) -> Message<'py> {
        let body = from_python(body, "")?;
        let answer = if ok { Ok(body) } else { Err(intermission_driver::host_error(&body)) };
        let asks = self.0.asks.clone();
        self.go_on(py, move |task| {
            task.tell(|_| {});
            asks.answer(ask, answer);
        })
    }

    /// Answers a question of a run under way. What comes of it is said under `number`.
    fn resolve<'py>(&self, py: Python<'py>, number: u32, given: &Bound<'py, PyAny>) -> Message<'py> {
        let given: Given = message(given)?;
        let resolution = given.resolution().map_err(|refusal| refused(py, &refusal))?;
        self.go_on(py, move |task| task.tell(|run| run.resolve(number.into(), resolution)))
    }

    /// Cancels a run under way, for good.
    fn cancel<'py>(&self, py: Python<'py>) -> Message<'py> {
        self.go_on(py, |task| task.tell(|run| run.cancel()))
    }

    /// Aborts an invocation under way.
    fn abort<'py>(&self, py: Python<'py>) -> Message<'py> {
        self.go_on(py, |task| task.abort())
    }

    /// Drops it, whatever it does.
    fn drop(&self, py: Python<'_>) {
        py.detach(|| self.0.end());
    }
}

/// What a call asks.
pub(crate) fn asked(
    payload: &Bound<'_, PyAny>,
    state: &Bound<'_, PyAny>,
    expires_at: Option<u64>,
    default: Option<(Bound<'_, PyAny>,)>,
) -> PyResult<Interrupt> {
    let mut asked = Interrupt::new(from_python(payload, "payload")?);
    if !state.is_none() {
        asked = asked.state(from_python(state, "state")?);
    }
    if let Some(expires_at) = expires_at {
        asked = asked.expires_at(expires_at);
    }
    if let Some((default,)) = default {
        asked = asked.default(from_python(&default, "default")?);
    }
    Ok(asked)
}

impl Standings {
    fn end(&self) {
        // What is dropped is dropped behind the lock.
        let ended = std::mem::replace(&mut *lock(&self.task), Slot::Over);
        drop(ended);
    }

    /// Puts back what was polled, unless it was dropped meanwhile.
    fn put_back(&self, slot: Slot) {
        let mut place = lock(&self.task);
        if matches!(*place, Slot::Polled) {
            *place = slot;
        }
    }
}

impl Task {
    /// Speaks to the task, and goes on with it as far as it goes without waiting, without the interpreter's lock. What cannot be said of what came out is its end.
    pub(crate) fn go_on<'py>(
        &self,
        py: Python<'py>,
        tell: impl FnOnce(&mut intermission_driver::Task<Other>) + Send,
    ) -> Message<'py> {
        let mut task = {
            let mut slot = lock(&self.0.task);
            match std::mem::replace(&mut *slot, Slot::Polled) {
                Slot::Waits(task) => task,
                Slot::Polled => {
                    let why = "a policy decides on the spot: its own run cannot be spoken to meanwhile";
                    return Err(PyRuntimeError::new_err(why));
                }
                Slot::Over => {
                    *slot = Slot::Over;
                    return Ok(None);
                }
            }
        };
        let out = py.detach(|| {
            tell(&mut task);
            let _here = self.0.engine.timers.enter();
            let mut out = Out::default();
            let (goes_on, asks) = self.0.asks.meanwhile(|| task.poll(|came| out.add(came)));
            out.asks = asks;
            self.0.put_back(if goes_on { Slot::Waits(task) } else { Slot::Over });
            out
        });
        if let Some(stop) = policy::stopped() {
            self.drop(py);
            return Err(stop);
        }
        out.say(py, &self.0.calls).or_else(|error| {
            self.drop(py);
            let none = PyList::empty(py);
            let end = (false, error.into_value(py));
            (&none, &none, &none, &none, false, Some(end)).into_pyobject(py).map(Some)
        })
    }
}

impl Out {
    fn add(&mut self, came: Came<Other>) {
        match came {
            Came::Progress(progress) => self.progress.push(progress),
            Came::End(end) => self.end = Some(end),
            Came::Unwanted => self.is_unwanted = true,
        }
    }

    fn say<'py>(self, py: Python<'py>, called: &Calls) -> Message<'py> {
        let (mut calls, mut events, mut answers) = (Vec::new(), Vec::new(), Vec::new());
        let mut end = self.end.map(|end| ended(py, end)).transpose()?;
        for progress in self.progress {
            for call in progress.calls {
                calls.push(Bound::new(py, Call(call))?);
            }
            for event in progress.events {
                if let RunEvent::Interrupted(asked) = event {
                    events.push(say::interruption(py, &asked)?);
                }
            }
            for (number, answer) in progress.answers {
                let error = answer.err().map(|error| say::resume_error(py, &error)).transpose()?;
                answers.push((number, error));
            }
            if let Some(result) = progress.end {
                end = Some(ended(py, Other::Result(Box::new(result)))?);
            }
        }
        let is_empty = calls.is_empty() && events.is_empty() && answers.is_empty();
        if is_empty && self.asks.is_empty() && !self.is_unwanted && end.is_none() {
            return Ok(None);
        }
        let asks = self.asks.iter().map(|ask| called.ask(py, ask)).collect::<PyResult<Vec<_>>>()?;
        let said = (
            PyList::new(py, calls)?,
            PyList::new(py, events)?,
            PyList::new(py, asks)?,
            PyList::new(py, answers)?,
            self.is_unwanted,
            end,
        );
        said.into_pyobject(py).map(Some)
    }
}

fn ended(py: Python<'_>, end: Other) -> PyResult<(bool, Bound<'_, PyAny>)> {
    fn told<'py, T>(
        py: Python<'py>,
        result: Result<T, CodecError>,
        say: impl FnOnce(T) -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<(bool, Bound<'py, PyAny>)> {
        match result {
            Ok(value) => Ok((true, say(value)?)),
            Err(error) => Ok((false, say::codec_error(py, &error)?)),
        }
    }
    match end {
        Other::Result(result) => match *result {
            Ok(result) => Ok((true, say::result(py, result)?)),
            Err(error) => Ok((false, say::resume_error(py, &error)?)),
        },
        Other::Token(token) => told(py, token, |token| Ok(token.as_str().into_pyobject(py)?.into_any())),
        Other::Continuation(came) => {
            told(py, *came, |came| Ok(Bound::new(py, Continuation(came))?.into_any()))
        }
        Other::Inspection(said) => told(py, *said, |said| say::inspection(py, &said)),
    }
}
