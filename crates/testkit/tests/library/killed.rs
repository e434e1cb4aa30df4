//! Killed after every ledger write, and continued with the world as it is then.
//!
//! A process dies behind an entry of its ledger. A host call under way then either had its effect or had not: both are tried. Whoever answers knows
//! the world, and says the truth. The run must end as if nothing had been, with each effect once.

use std::collections::BTreeMap;

use intermission::ledger::entry::{Request, Resolution, Started};
use intermission::ledger::{Entry, Record};
use intermission::{Continuation, Interruption, InterruptionKind};
use intermission_testkit::{
    Answered, Called, Case, Do, Done, Door, Ended, Outcome, Reply, Resume, Seen, Setting, effects, same,
};

use crate::library::{Given, Library, call_of};
use crate::translate::called;

/// Why a case cannot be continued from anywhere, where that is so.
pub(crate) fn not_for(case: &Case) -> Option<&'static str> {
    let has = |is: fn(&intermission_testkit::Step) -> bool| case.steps.iter().any(is);
    if case.steps.last().is_none_or(|step| step.value.is_none() && step.fails.is_none()) {
        Some("has no end")
    } else if has(|step| step.action != Do::Run && step.action != Do::Resume && step.action != Do::Inspect) {
        Some("is more than one run")
    } else if has(|step| step.from.is_some()) {
        Some("goes on from an older token")
    } else if has(|step| step.source.is_some() || !step.functions.is_empty()) {
        Some("changes on the way")
    } else if has(|step| step.fails.as_ref().is_some_and(|fails| fails.code != "SCRIPT_ERROR")) {
        Some("is stopped on the way")
    } else if has(|step| step.calls.iter().any(|made| made.call.argument == "*")) {
        Some("makes other calls every time")
    } else {
        None
    }
}

/// What one straight course did.
struct Original<'c> {
    case: &'c Case,
    strict: bool,
    end: Seen<Continuation>,
    entries: Vec<Entry>,
    done: Vec<Done>,
    /// For calls that are alike, in order of the calls: the answers to each.
    answers: BTreeMap<String, Vec<Vec<Given>>>,
    /// The clock of each invocation, and how long the ledger was behind it.
    invocations: Vec<(Option<u64>, usize)>,
    retries: usize,
}

pub(crate) fn check(case: &Case) -> Result<(), String> {
    let mut library = Library::new(false);
    intermission_testkit::check(&mut library, case).map_err(|error| error.to_string())?;
    let end = library.latest.clone().unwrap();
    let mut by_call: BTreeMap<u32, (Called, Vec<Given>)> = BTreeMap::new();
    for (index, call, given) in std::mem::take(&mut library.answers) {
        by_call.entry(index).or_insert_with(|| (call, Vec::new())).1.push(given);
    }
    let mut answers: BTreeMap<String, Vec<Vec<Given>>> = BTreeMap::new();
    for (call, given) in by_call.into_values() {
        answers.entry(call.to_string()).or_default().push(given);
    }
    let original = Original {
        case,
        strict: case.steps.iter().any(|step| step.strict),
        entries: end.token.as_ref().unwrap().record().entries().to_vec(),
        end,
        done: library.world.done(),
        answers,
        invocations: std::mem::take(&mut library.invocations),
        retries: case.steps.iter().filter(|step| step.retry && step.refused.is_none()).count(),
    };
    for length in 1..=original.entries.len() {
        for happened in [true, false] {
            original.killed_at(&mut library, length, happened).map_err(|why| {
                let entries: Vec<&str> = original.entries[..length].iter().map(Entry::name).collect();
                format!(
                    "killed behind {} (what was under way had happened: {happened}): {why}",
                    entries.join(" ")
                )
            })?;
        }
    }
    Ok(())
}

impl Original<'_> {
    fn killed_at(&self, library: &mut Library, length: usize, happened: bool) -> Result<(), String> {
        let entries = &self.entries[..length];
        let known = self.known(entries, happened);
        // Their effect did not happen, and they are not made again when nothing in their run waits for them.
        let lost = if happened { Vec::new() } else { open_dispatches(entries) };
        library.world.remember(known);
        let record = Record::from_entries(entries.to_vec()).map_err(|error| error.to_string())?;
        let mut token = Continuation::new(record).map_err(|error| error.to_string())?;
        let killed = self.invocations.iter().take_while(|(_, until)| *until < length).count();
        // Whoever has not been told what came of an answer gives it again.
        let answers = self.answers(&token, |given| given.invocation == killed);
        let mut resume = Resume { answers, retry: false, source: None, cancel_at: None };
        let mut clocks = self.invocations[killed..].iter().map(|(clock, _)| *clock);
        let mut clock = clocks.next().flatten();
        // Each question is answered once, and each call can ask twice more of an unknown outcome.
        for _ in 0..3 * (self.entries.len() + 1) {
            let setting = Setting { case: self.case, functions: &self.case.host, clock, strict: self.strict };
            let seen = match library.resume(&setting, &token, &resume) {
                // It ended without the answer, and nobody had been told.
                Err(failure) if failure.code == "RUN_OVER" && !resume.answers.is_empty() => {
                    resume.answers.clear();
                    continue;
                }
                resumed => resumed.map_err(|error| format!("{error:?}"))?,
            };
            token = seen.token.clone().ok_or("nothing is left to go on from")?;
            let retry = matches!(seen.ended, Ended::Failed(_)) && self.may_retry(&token);
            if !retry && !matches!(seen.ended, Ended::Interrupted { .. }) {
                return self.compare(&seen, &library.world.done(), &lost);
            }
            let truths = self.truths(&token, entries, happened);
            if truths.is_empty() {
                let later = clocks.next();
                clock = later.flatten().or(clock);
                let answers = self.answers(&token, |_| true);
                if !retry && answers.is_empty() && later.is_none() {
                    return Err(format!("nobody can answer what it asks: {:?}", token.interruptions()));
                }
                resume = Resume { answers, retry, ..resume };
            } else {
                resume = Resume { answers: truths, retry: false, ..resume };
            }
        }
        Err("it does not come to an end".to_owned())
    }

    /// What the world had done when the process died.
    fn known(&self, entries: &[Entry], happened: bool) -> Vec<Done> {
        let open = open_dispatches(entries);
        let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
        let mut known = self.done.clone();
        known.retain(|done| {
            let call = done.invocation.request_index;
            let number = counts.entry(call).or_default();
            *number += 1;
            let dispatched = dispatches(entries, call);
            let is_open = open.contains(&call) && *number == dispatched;
            *number <= dispatched && (!is_open || (happened && done.is_act()))
        });
        known
    }

    fn may_retry(&self, token: &Continuation) -> bool {
        let retried =
            token.record().entries().iter().filter(|entry| matches!(entry, Entry::Retried { .. })).count();
        retried < self.retries
    }

    /// The truth about what is unknown.
    fn truths(&self, token: &Continuation, entries: &[Entry], happened: bool) -> Vec<Answered> {
        let asked = token.interruptions();
        let is_unknown = |question: &&Interruption| question.kind == InterruptionKind::OutcomeUnknown;
        let truth = |question: &Interruption| Answered {
            id: question.id.to_string(),
            reply: self.truth(question.request_index, entries, happened),
            at: None,
            digest: Some(question.arguments_digest.clone()),
        };
        asked.iter().filter(is_unknown).map(truth).collect()
    }

    /// What was answered in the straight course.
    fn answers(&self, token: &Continuation, takes: impl Fn(&Given) -> bool) -> Vec<Answered> {
        let asked = token.interruptions();
        let answers = asked.iter().filter_map(|question| {
            let call = called(question);
            let (like, given) = before(token.record(), question.request_index, &call);
            let given =
                self.answers.get(&call.to_string())?.get(like)?.get(given).filter(|given| takes(given))?;
            Some(Answered { id: question.id.to_string(), ..given.answered.clone() })
        });
        answers.collect()
    }

    fn truth(&self, call: u32, entries: &[Entry], happened: bool) -> Reply {
        let of_the_call = self.done.iter().filter(|done| done.invocation.request_index == call);
        let last = dispatches(entries, call).checked_sub(1).and_then(|at| of_the_call.clone().nth(at));
        match last.filter(|_| happened).map(|done| &done.outcome) {
            Some(Outcome::Value(value) | Outcome::Later { value, .. }) => Reply::Happened(value.clone()),
            Some(Outcome::Error(error)) => Reply::HappenedError(error.clone()),
            Some(Outcome::Ask { .. } | Outcome::Never) | None => Reply::DidNotHappen,
        }
    }

    fn compare(&self, seen: &Seen<Continuation>, done: &[Done], lost: &[u32]) -> Result<(), String> {
        let is_same = match (&seen.ended, &self.end.ended) {
            (Ended::Completed(one), Ended::Completed(other)) => same(one, other),
            (one, other) => one == other,
        };
        if !is_same {
            return Err(format!("it ends with {:?} instead of {:?}", seen.ended, self.end.ended));
        }
        if seen.console != self.end.console {
            return Err(format!("the console is {:?}", seen.console));
        }
        if seen.data != self.end.data {
            return Err(format!("data is {:?}", seen.data));
        }
        let (mut expected, effects) = (effects(&self.done), effects(done));
        if seen.detached.iter().any(|(_, fate)| fate == "unknown") {
            // Nobody asks about a call that nobody waits for: it is reported instead.
            for missing in self.done.iter().filter(|done| lost.contains(&done.invocation.request_index)) {
                expected.remove(&missing.made().to_string());
            }
        }
        if effects != expected {
            return Err(format!("the effects are {effects:?} instead of {expected:?}"));
        }
        Ok(())
    }
}

fn dispatches(entries: &[Entry], call: u32) -> usize {
    entries
        .iter()
        .filter(|entry| matches!(entry, Entry::Dispatched { call: other } if *other == call))
        .count()
}

/// Calls that were under way.
fn open_dispatches(entries: &[Entry]) -> Vec<u32> {
    let mut open = Vec::new();
    for entry in entries {
        match entry {
            Entry::Dispatched { call } => open.push(*call),
            Entry::Settled { .. } | Entry::Interrupted(_) => {
                open.retain(|call| call_of(entry) != Some(*call));
            }
            _ => {}
        }
    }
    open
}

/// How many calls before this one are like it, and how often this one was answered, but for unknown outcomes.
fn before(record: &Record, index: u32, call: &Called) -> (usize, usize) {
    let is_like = |entry: &&Entry| match entry {
        Entry::Called { call: other, request } => *other < index && is_call(record.started(), request, call),
        _ => false,
    };
    let is_answer = |entry: &&Entry| match entry {
        Entry::Resolved { resolution: Resolution::Happened(_) | Resolution::DidNotHappen, .. } => false,
        Entry::Resolved { call, .. } => *call == index,
        _ => false,
    };
    let entries = record.entries().iter();
    (entries.clone().filter(is_like).count(), entries.filter(is_answer).count())
}

fn is_call(started: &Started, request: &Request, call: &Called) -> bool {
    let Request::Function { function, arguments } = request else { return false };
    let arguments = intermission::value::decode(arguments, usize::MAX).unwrap().to_json().unwrap();
    let first = arguments.get(0).cloned().unwrap_or_default();
    Called::new(started.functions[*function as usize].name.clone(), first) == *call
}
