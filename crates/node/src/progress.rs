//! What came out of a task, as one message.

use intermission::{HostCall, Progress, RunEvent, Value};
use intermission_driver::Came;

use crate::message::{maybe, nested, nested_list, write};
use crate::say;

/// A message that is being written.
#[derive(Default)]
pub(crate) struct Out {
    calls: Vec<Value>,
    /// The run and its invocation, once there are calls.
    ids: Option<(Value, Value)>,
    events: Vec<Value>,
    answers: Vec<Value>,
    aborted: bool,
    end: Option<Value>,
}

impl Out {
    pub(crate) fn add(&mut self, came: Came<Value>) {
        match came {
            Came::Progress(progress) => self.progress(progress),
            Came::End(end) => self.end = Some(end),
            Came::Unwanted => self.aborted = true,
        }
    }

    fn progress(&mut self, progress: Progress) {
        if let Some(call) = progress.calls.first() {
            self.ids = Some((call.run_id().to_string().into(), call.invocation_id().to_string().into()));
        }
        self.calls.extend(progress.calls.iter().map(call));
        self.events.extend(progress.events.iter().map(event));
        let answer = |(number, answer): (u64, Result<(), _>)| {
            let error = answer.err().map(|error| say::resume_error(&error));
            Value::object([("number", Value::from(number as f64)), ("error", maybe(error))])
        };
        self.answers.extend(progress.answers.into_iter().map(answer));
        if let Some(end) = progress.end {
            self.end = Some(say::end(end));
        }
    }

    /// Its bytes; nothing where there is nothing to say.
    pub(crate) fn bytes(self, asks: Vec<Value>) -> Option<Vec<u8>> {
        let mut fields = Vec::with_capacity(6);
        if let Some((run, invocation)) = self.ids {
            fields.push(("runId", run));
            fields.push(("invocationId", invocation));
        }
        let lists =
            [("calls", self.calls), ("events", self.events), ("asks", asks), ("answers", self.answers)];
        let said = lists.into_iter().filter(|(_, list)| !list.is_empty());
        fields.extend(said.map(|(name, list)| (name, Value::array(list))));
        if self.aborted {
            fields.push(("aborted", true.into()));
        }
        fields.extend(self.end.map(|end| ("end", end)));
        (!fields.is_empty()).then(|| write(&Value::object(fields)))
    }
}

/// A call, as JavaScript is told of it.
pub(crate) fn call(call: &HostCall) -> Value {
    let mut fields = vec![
        ("index", Value::from(call.request_index())),
        ("name", call.host_function().into()),
        ("arguments", Value::bytes(call.argument_bytes().to_vec())),
    ];
    fields.extend(say::place(None, call.position()));
    if let Some(resume) = call.resume() {
        let resume = [
            ("interruptionId", resume.interruption_id.to_string().into()),
            ("resolution", nested(&resume.resolution)),
            ("expired", resume.expired.into()),
            ("payload", nested(&resume.payload)),
            ("state", maybe(resume.state.as_ref().map(nested))),
        ];
        fields.push(("resume", Value::object(resume)));
    }
    if let Some(edited) = call.edited_from() {
        fields.push(("editedFrom", nested_list(&edited)));
    }
    Value::object(fields)
}

fn event(event: &RunEvent) -> Value {
    match event {
        RunEvent::Interrupted(interruption) => Value::object([
            ("type", Value::from("interrupted")),
            ("interruption", say::interruption(interruption)),
        ]),
        _ => Value::object([("type", "unknown")]),
    }
}
