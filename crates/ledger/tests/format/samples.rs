//! One entry of every kind, with every field that it can have and every kind of what is in it.

use intermission_ledger::entry::Encoded;
use intermission_ledger::entry::{
    Ending, Lent, Outcome, Place, Profile, Question, QuestionKind, Request, Resolution, SourceKind, Spent,
    Started,
};
use intermission_ledger::{Entry, RunId};

/// The number of an entry's kind. A new kind needs one here, and a sample below.
pub(crate) fn number(entry: &Entry) -> u8 {
    match entry {
        Entry::Started(_) => 0,
        Entry::Called { .. } => 1,
        Entry::Settled { .. } => 2,
        Entry::Clock { .. } => 3,
        Entry::TimerSet { .. } => 4,
        Entry::TimerCleared { .. } => 5,
        Entry::TimerFired { .. } => 6,
        Entry::Paused => 7,
        Entry::Ended(_) => 8,
        Entry::Random { .. } => 9,
        Entry::Dispatched { .. } => 16,
        Entry::Interrupted(_) => 17,
        Entry::Resolved { .. } => 18,
        Entry::Abandoned { .. } => 19,
        Entry::Retried { .. } => 20,
        Entry::SourceChanged { .. } => 21,
        Entry::Forked { .. } => 22,
        Entry::Used { .. } => 23,
        Entry::Spent(_) => 24,
        Entry::Cancelled => 25,
        Entry::Closed => 26,
    }
}

fn value(byte: u8) -> Encoded {
    vec![byte].into()
}

fn started(kind: SourceKind, profile: Profile) -> Started {
    Started {
        run_id: RunId::from_bytes([1; 16]),
        behavior: 2,
        source: "s".to_owned(),
        kind,
        name: "n".to_owned(),
        input: Some(value(3)),
        data: Some(value(4)),
        time: 5,
        seed: [6; 32],
        stack: 7,
        profile,
        allow_eval: true,
        functions: vec![Lent { name: "f".to_owned(), blocking: true }],
        record_reads: false,
    }
}

fn question(kind: QuestionKind) -> Question {
    Question {
        call: 1,
        ordinal: 2,
        kind,
        payload: value(3),
        state: Some(value(4)),
        place: Some(Place { file: Some("p".to_owned()), line: 5, column: 6 }),
        created: 7,
        expires: Some(8),
        default: Some(value(9)),
    }
}

pub(crate) fn samples() -> Vec<Entry> {
    let [outcome, other] = [Outcome::Fulfilled(value(3)), Outcome::Rejected(value(3))];
    let normalize = Request::Normalize { specifier: "a".to_owned(), importer: "b".to_owned() };
    let requests = [
        Request::Function { function: 2, arguments: value(3) },
        normalize,
        Request::Load { name: "a".to_owned() },
    ];
    let resolutions = [
        Resolution::Answered(value(3)),
        Resolution::Approved { arguments: Some(value(4)) },
        Resolution::Approved { arguments: None },
        Resolution::Denied { reason: Some("r".to_owned()) },
        Resolution::Happened(outcome.clone()),
        Resolution::DidNotHappen,
        Resolution::Expired,
    ];
    let mut samples = vec![];
    let starts = [
        (SourceKind::Auto, Profile::Full),
        (SourceKind::FunctionBody, Profile::Bare),
        (SourceKind::Module, Profile::Full),
    ];
    samples.extend(starts.map(|(kind, profile)| Entry::Started(Box::new(started(kind, profile)))));
    let recording = Started { record_reads: true, ..started(SourceKind::Auto, Profile::Full) };
    samples.push(Entry::Started(Box::new(recording)));
    samples.extend(requests.map(|request| Entry::Called { call: 1, request }));
    samples.extend([outcome, other].map(|outcome| Entry::Settled { call: 1, elapsed: 2, outcome }));
    samples.extend([
        Entry::Clock { reads: 1, elapsed: 2 },
        Entry::Random { value: value(1) },
        Entry::TimerSet { timer: 1, delay: 2, due: 3 },
        Entry::TimerCleared { timer: 1 },
        Entry::TimerFired { timer: 1, elapsed: 2 },
        Entry::Paused,
        Entry::Ended(Ending::Returned(value(1))),
        Entry::Ended(Ending::Threw { message: "m".to_owned(), call: Some(2) }),
        Entry::Ended(Ending::Threw { message: "m".to_owned(), call: None }),
        Entry::Dispatched { call: 1 },
    ]);
    let kinds =
        [QuestionKind::Question, QuestionKind::Approval, QuestionKind::OutcomeUnknown, QuestionKind::Event];
    samples.extend(kinds.map(|kind| Entry::Interrupted(Box::new(question(kind)))));
    samples.extend(resolutions.map(|resolution| Entry::Resolved { call: 1, at: 2, resolution }));
    samples.extend([
        Entry::Abandoned { call: 1 },
        Entry::Retried { call: 1 },
        Entry::SourceChanged { source: "s".to_owned() },
        Entry::Forked { run_id: RunId::from_bytes([1; 16]), from: RunId::from_bytes([2; 16]), at: 3 },
        Entry::Used { function: 1, fingerprint: [2; 16] },
        Entry::Spent(Spent { fuel: 1, cpu: 2, console: 3 }),
        Entry::Cancelled,
        Entry::Closed,
    ]);
    samples
}
