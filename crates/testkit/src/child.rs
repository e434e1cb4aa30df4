//! A door in another language: a process of its own, one line of JSON a request and one a reply. `crates/node/test/corpus/door.ts` is one.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod reply;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value as Json, json};

use self::reply::{made, questions, refusal, seen};
use crate::{Answered, Door, Failure, Made, Need, Question, Reply, Resume, Run, Seen, Setting};

/// A door in a process of its own, which ends with it.
#[derive(Debug)]
pub struct ChildDoor {
    process: Child,
    requests: ChildStdin,
    replies: BufReader<ChildStdout>,
    offers: fn(Need) -> bool,
}

impl ChildDoor {
    /// What such a door offers: everything but durable runs, and cutting ledgers, which no door to another language does.
    pub fn offers(need: Need) -> bool {
        Self::offers_runs(need) && need != Need::Durable
    }

    /// What one offers that has durable runs as well.
    pub fn offers_runs(need: Need) -> bool {
        !matches!(need, Need::Quorum | Need::Cut)
    }

    /// Starts one of these offers.
    ///
    /// # Panics
    /// When it cannot be started.
    pub fn start(offers: fn(Need) -> bool, command: &mut Command) -> Self {
        let mut process = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("cannot start the door: {error}"));
        let (requests, replies) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
        Self { process, requests, replies: BufReader::new(replies), offers }
    }

    fn ask(&mut self, request: &Json) -> Json {
        writeln!(self.requests, "{request}").unwrap();
        let mut line = String::new();
        self.replies.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("the door says {line:?} to {request}"))
    }

    fn step(&mut self, setting: &Setting<'_>, step: Json) -> Result<Seen<String>, Failure> {
        let mut request = json!({
            "functions": setting.functions,
            "clock": setting.clock,
            "strict": setting.strict,
            "modules": setting.case.modules,
            "claims": setting.case.needs.contains(&Need::Claims),
            "durable": setting.case.needs.contains(&Need::Durable),
        });
        if let (Json::Object(all), Json::Object(step)) = (&mut request, step) {
            all.extend(step);
        }
        result(&self.ask(&request))
    }
}

fn result(reply: &Json) -> Result<Seen<String>, Failure> {
    if reply["refused"].is_null() { Ok(seen(reply)) } else { Err(refusal(&reply["refused"])) }
}

impl Drop for ChildDoor {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Door for ChildDoor {
    type Token = String;

    fn offers(&self, need: Need) -> bool {
        (self.offers)(need)
    }

    fn begin(&mut self) {
        self.ask(&json!({ "do": "begin" }));
    }

    fn run(&mut self, setting: &Setting<'_>, run: &Run<'_>) -> Seen<String> {
        let source = &setting.case.source;
        let mut step = json!({
            "do": "run",
            "source": source.text,
            "name": source.language.file_name(),
            "input": run.input,
            "cancel_at": run.cancel_at,
            "request": run.request,
        });
        if let Some(data) = run.data {
            step["data"] = data.clone();
        }
        self.step(setting, step).unwrap_or_else(|refused| panic!("a run is refused: {refused:?}"))
    }

    fn resume(
        &mut self,
        setting: &Setting<'_>,
        token: &String,
        resume: &Resume<'_>,
    ) -> Result<Seen<String>, Failure> {
        let step = json!({
            "do": "resume",
            "token": token,
            "answers": resume.answers.iter().map(answer).collect::<Vec<_>>(),
            "retry": resume.retry,
            "source": resume.source.map(|source| &source.text),
            "cancel_at": resume.cancel_at,
        });
        self.step(setting, step)
    }

    fn inspect(&mut self, _: &Setting<'_>, token: &String) -> (Vec<Question>, Option<u64>) {
        let reply = self.ask(&json!({ "do": "inspect", "token": token }));
        (questions(&reply["asks"]), reply["wakes_at"].as_u64())
    }

    fn replay(&mut self, setting: &Setting<'_>, token: &String) -> Option<Seen<String>> {
        self.step(setting, json!({ "do": "replay", "token": token })).ok()
    }

    fn take_calls(&mut self) -> Vec<Made> {
        made(&self.ask(&json!({ "do": "take_calls" })))
    }

    fn cancel(&mut self, setting: &Setting<'_>, token: &String) -> Result<Seen<String>, Failure> {
        self.step(setting, json!({ "do": "cancel", "token": token }))
    }

    fn emit(
        &mut self,
        setting: &Setting<'_>,
        token: &String,
        (key, value): &(String, Json),
    ) -> Result<Seen<String>, Failure> {
        self.step(setting, json!({ "do": "emit", "token": token, "key": key, "value": value }))
    }

    fn runs(&mut self) -> Option<usize> {
        self.ask(&json!({ "do": "runs" })).as_u64().map(|runs| runs as usize)
    }

    fn at_once(
        &mut self,
        setting: &Setting<'_>,
        token: &String,
        resumes: Vec<Vec<Answered>>,
    ) -> Vec<Result<Seen<String>, Failure>> {
        let resumes: Vec<Vec<Json>> =
            resumes.iter().map(|answers| answers.iter().map(answer).collect()).collect();
        let request = json!({
            "do": "at_once", "token": token, "resumes": resumes, "claims": true,
            "functions": setting.functions, "clock": setting.clock, "strict": setting.strict,
            "modules": setting.case.modules,
        });
        self.ask(&request).as_array().unwrap().iter().map(result).collect()
    }
}

fn answer(answered: &Answered) -> Json {
    let (kind, value) = match &answered.reply {
        Reply::Value(value) => ("value", value.clone()),
        Reply::Approve => ("approve", Json::Null),
        Reply::ApproveWith(argument) => ("approveWith", json!([argument])),
        Reply::Deny(reason) => ("deny", json!(reason)),
        Reply::Happened(value) => ("happened", value.clone()),
        Reply::HappenedError(error) => ("failed", json!(error)),
        Reply::DidNotHappen => ("didNotHappen", Json::Null),
    };
    json!({ "id": answered.id, "kind": kind, "value": value, "at": answered.at, "digest": answered.digest })
}
