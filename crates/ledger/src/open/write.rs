//! Entries to JSON.

use data_encoding::BASE64URL_NOPAD;
use serde_json::{Map, Value as Json};

use super::answer;
use super::names::Names;
use super::value::to_json;
use crate::FORMAT;
use crate::entry::{Ending, Entry, Lent, Outcome, Place, Question, Request, Spent, Started};

/// The fields of an object, in order.
#[derive(Default)]
pub(super) struct Writer(Map<String, Json>);

impl Writer {
    pub(super) fn put(&mut self, field: &str, value: impl Into<Json>) -> &mut Self {
        self.0.insert(field.to_owned(), value.into());
        self
    }

    pub(super) fn put_some(&mut self, field: &str, value: Option<impl Into<Json>>) -> &mut Self {
        match value {
            Some(value) => self.put(field, value),
            None => self,
        }
    }

    pub(super) fn outcome(&mut self, outcome: &Outcome) -> &mut Self {
        match outcome {
            Outcome::Fulfilled(value) => self.put("fulfilled", to_json(value)),
            Outcome::Rejected(value) => self.put("rejected", to_json(value)),
        }
    }
}

pub(super) fn entry(entry: &Entry, names: &Names) -> Json {
    let mut object = Writer::default();
    object.put("entry", entry.name());
    match entry {
        Entry::Started(started) => start(&mut object, started),
        Entry::Called { call, request } => asked(object.put("call", *call), request, names),
        Entry::Settled { call, elapsed, outcome } => {
            object.put("call", *call).put("elapsed", *elapsed).outcome(outcome)
        }
        Entry::Clock { reads, elapsed } => object.put("reads", *reads).put("elapsed", *elapsed),
        Entry::Random { value } => object.put("value", to_json(value)),
        Entry::TimerSet { timer, delay, due } => {
            object.put("timer", *timer).put("delay", *delay).put("due", *due)
        }
        Entry::TimerCleared { timer } => object.put("timer", *timer),
        Entry::TimerFired { timer, elapsed } => object.put("timer", *timer).put("elapsed", *elapsed),
        Entry::Ended(Ending::Returned(value)) => object.put("returned", to_json(value)),
        Entry::Ended(Ending::Threw { message, call }) => {
            object.put("threw", message.as_str()).put_some("call", *call)
        }
        Entry::Dispatched { call } | Entry::Abandoned { call } | Entry::Retried { call } => {
            object.put("call", *call)
        }
        Entry::Interrupted(question) => asks(&mut object, question),
        Entry::Resolved { call, at, resolution } => {
            answer::write(object.put("call", *call).put("at", *at), resolution)
        }
        Entry::SourceChanged { source } => object.put("source", source.as_str()),
        Entry::Forked { run_id, from, at } => {
            object.put("run_id", run_id.to_string()).put("from", from.to_string()).put("at", *at)
        }
        Entry::Used { function, fingerprint } => object
            .put("function", names.to_json(*function))
            .put("fingerprint", BASE64URL_NOPAD.encode(fingerprint)),
        Entry::Spent(Spent { fuel, cpu, console }) => {
            object.put("fuel", *fuel).put("cpu", *cpu).put("console", *console)
        }
        Entry::Paused | Entry::Cancelled | Entry::Closed => &mut object,
    };
    Json::Object(object.0)
}

fn start<'a>(object: &'a mut Writer, started: &Started) -> &'a mut Writer {
    let lent = |Lent { name, blocking }: &Lent| {
        let mut function = Writer::default();
        function.put("name", name.as_str()).put("blocking", *blocking);
        Json::Object(function.0)
    };
    object
        .put("format", FORMAT)
        .put("run_id", started.run_id.to_string())
        .put("behavior", started.behavior)
        .put("source", started.source.as_str())
        .put("kind", started.kind.name())
        .put("name", started.name.as_str())
        .put_some("input", started.input.as_ref().map(|value| to_json(value)))
        .put_some("data", started.data.as_ref().map(|value| to_json(value)))
        .put("time", started.time)
        .put("seed", BASE64URL_NOPAD.encode(&started.seed))
        .put("stack", started.stack)
        .put("profile", started.profile.name())
        .put("allow_eval", started.allow_eval)
        .put("functions", started.functions.iter().map(lent).collect::<Vec<_>>())
        .put_some("record_reads", started.record_reads.then_some(true))
}

fn asked<'a>(object: &'a mut Writer, request: &Request, names: &Names) -> &'a mut Writer {
    match request {
        Request::Function { function, arguments } => {
            object.put("function", names.to_json(*function)).put("arguments", to_json(arguments))
        }
        Request::Normalize { specifier, importer } => {
            object.put("normalize", specifier.as_str()).put("importer", importer.as_str())
        }
        Request::Load { name } => object.put("load", name.as_str()),
    }
}

fn asks<'a>(object: &'a mut Writer, question: &Question) -> &'a mut Writer {
    let place = |Place { file, line, column }: &Place| {
        let mut place = Writer::default();
        place.put_some("file", file.as_deref()).put("line", *line).put("column", *column);
        Json::Object(place.0)
    };
    object
        .put("call", question.call)
        .put("ordinal", question.ordinal)
        .put("kind", question.kind.name())
        .put("payload", to_json(&question.payload))
        .put_some("state", question.state.as_ref().map(|value| to_json(value)))
        .put_some("place", question.place.as_ref().map(place))
        .put("created", question.created)
        .put_some("expires", question.expires)
        .put_some("default", question.default.as_ref().map(|value| to_json(value)))
}
