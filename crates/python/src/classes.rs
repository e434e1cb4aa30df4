//! The package's own classes, of which the native layer makes objects.

use intermission_driver::Refusal;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

macro_rules! classes {
    ($($name:ident = $module:literal . $class:literal),+ $(,)?) => {
        /// What is imported once.
        pub(crate) struct Classes { $(pub(crate) $name: Py<PyAny>),+ }

        impl Classes {
            fn load(py: Python<'_>) -> PyResult<Self> {
                Ok(Self { $($name: py.import($module)?.getattr($class)?.unbind()),+ })
            }
        }
    };
}

classes! {
    big_int = "intermission.value"."BigInt",
    map = "intermission.value"."Map",
    set = "intermission.value"."Set",
    date = "intermission.value"."made_date",
    regexp = "intermission.value"."RegExp",
    js_error = "intermission.value"."JsError",
    view = "intermission.value"."made_view",
    lower = "intermission.value"."lower",
    value_refused = "intermission.errors"."ValueRefused",
    options_error = "intermission.errors"."OptionsError",
    run_error = "intermission.errors"."run_error",
    resume_error = "intermission.errors"."ResumeError",
    codec_error = "intermission.errors"."CodecError",
    thrown = "intermission.errors"."thrown_value",
    frame = "intermission.errors"."Frame",
    position = "intermission.interruption"."Position",
    resume = "intermission.interruption"."Resume",
    interruption = "intermission.interruption"."Interruption",
    inspection = "intermission.result"."Inspection",
    stored_run = "intermission.stored_run"."StoredRun",
    asked = "intermission.stored_run"."Asked",
    given = "intermission.stored_run"."Given",
    notice = "intermission.stored_run"."Notice",
    runs_error = "intermission.errors"."RunsError",
    completed = "intermission.result"."Completed",
    interrupted = "intermission.result"."Interrupted",
    cancelled = "intermission.result"."Cancelled",
    failed = "intermission.result"."Failed",
    console_entry = "intermission.result"."ConsoleEntry",
    detached_call = "intermission.result"."DetachedCall",
    stats = "intermission.result"."Stats",
}

static CLASSES: PyOnceLock<Classes> = PyOnceLock::new();

pub(crate) fn classes(py: Python<'_>) -> PyResult<&'static Classes> {
    CLASSES.get_or_try_init(py, || Classes::load(py))
}

/// What the library refuses, as an exception.
pub(crate) fn refused(py: Python<'_>, refusal: &Refusal) -> PyErr {
    let error = classes(py).and_then(|classes| {
        let is_answer = refusal.code.starts_with("RESOLUTION_");
        let class = if is_answer { &classes.resume_error } else { &classes.options_error };
        class.bind(py).call1((refusal.code.as_str(), refusal.message.as_str()))
    });
    match error {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}
