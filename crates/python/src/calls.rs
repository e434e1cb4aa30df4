//! Calls that the library asks for, until Python takes them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use intermission::{HostCall, Value};
use intermission_driver::SayCall;
use pyo3::prelude::*;

use crate::call::Call;
use crate::lock::lock;
use crate::value::to_python;

/// Calls by numbers: what is asked has the number, and Python gets the call itself.
#[derive(Clone, Default)]
pub(crate) struct Calls(Arc<Mutex<Numbered>>);

#[derive(Default)]
struct Numbered {
    last: u32,
    calls: BTreeMap<u32, HostCall>,
}

impl Calls {
    /// How a call is said.
    pub(crate) fn say(&self) -> SayCall {
        let calls = self.clone();
        Arc::new(move |call| {
            let mut numbered = lock(&calls.0);
            numbered.last = numbered.last.wrapping_add(1);
            let number = numbered.last;
            numbered.calls.insert(number, call.clone());
            Value::from(number)
        })
    }

    /// What was asked, for Python. It is said once.
    pub(crate) fn ask<'py>(&self, py: Python<'py>, ask: &Value) -> PyResult<Bound<'py, PyAny>> {
        let said = to_python(py, ask)?;
        let number = ask.get("call").and_then(Value::as_i64).and_then(|number| u32::try_from(number).ok());
        let call = number.and_then(|number| lock(&self.0).calls.remove(&number));
        if let Some(call) = call {
            said.set_item("call", Bound::new(py, Call(call))?)?;
        }
        Ok(said)
    }
}
