//! The runner of the corpus finds what is not right. The door here says what it is told to.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::VecDeque;

use intermission_testkit::{
    Called, Door, Ended, Failure, Made, Need, Page, Question, Resume, Run, Seen, Setting, check,
};
use serde_json::json;

/// What each step gives, and the calls that it says were carried out.
struct Told {
    steps: VecDeque<Result<Seen<()>, Failure>>,
    calls: VecDeque<Vec<Made>>,
    replays: VecDeque<Seen<()>>,
}

impl Door for Told {
    type Token = ();

    fn offers(&self, _: Need) -> bool {
        true
    }

    fn begin(&mut self) {}

    fn run(&mut self, _: &Setting<'_>, _: &Run<'_>) -> Seen<()> {
        self.steps.pop_front().unwrap().unwrap()
    }

    fn resume(&mut self, _: &Setting<'_>, (): &(), _: &Resume<'_>) -> Result<Seen<()>, Failure> {
        self.steps.pop_front().unwrap()
    }

    fn inspect(&mut self, _: &Setting<'_>, (): &()) -> (Vec<Question>, Option<u64>) {
        (Vec::new(), None)
    }

    fn replay(&mut self, _: &Setting<'_>, (): &()) -> Option<Seen<()>> {
        self.replays.pop_front()
    }

    fn take_calls(&mut self) -> Vec<Made> {
        self.calls.pop_front().unwrap_or_default()
    }
}

fn seen(ended: Ended) -> Seen<()> {
    Seen {
        ended,
        console: vec![("log".to_owned(), "a".to_owned())],
        replayed: Some(0),
        abandoned: Vec::new(),
        detached: Vec::new(),
        unhandled: Vec::new(),
        data: None,
        token: Some(()),
    }
}

fn asks(id: &str) -> Ended {
    let question = Question {
        id: id.to_owned(),
        call: Called::new("t.pause", json!(1)),
        kind: "question".to_owned(),
        payload: json!({ "q": 1 }),
        digest: None,
        at: Some((1, 2)),
    };
    Ended::Interrupted { asks: vec![question], wakes_at: None }
}

fn completed(value: serde_json::Value) -> Seen<()> {
    seen(Ended::Completed(value))
}

/// What is found in `steps` of a page when a door says this.
fn found(
    steps: &str,
    told: Vec<Result<Seen<()>, Failure>>,
    calls: Vec<Vec<Made>>,
) -> Result<(), Vec<String>> {
    found_with(steps, told, calls, Vec::new())
}

fn found_with(
    steps: &str,
    told: Vec<Result<Seen<()>, Failure>>,
    calls: Vec<Vec<Made>>,
    replays: Vec<Seen<()>>,
) -> Result<(), Vec<String>> {
    let text = format!("# T\n\nProse.\n\n## A\n\n```js\n1\n```\n\n```json steps\n{steps}\n```\n");
    let page = Page::read("t.md", &text).unwrap();
    let mut door = Told { steps: told.into(), calls: calls.into(), replays: replays.into() };
    check(&mut door, &page.cases[0]).map_err(|mismatch| mismatch.differences)
}

fn one(difference: &str) -> Result<(), Vec<String>> {
    Err(vec![difference.to_owned()])
}

const RUN: &str = r#"[{ "do": "run", "value": 1 }]"#;
const ASK_AND_ANSWER: &str = r#"[
    { "do": "run", "asks": [["t.pause", 1]] },
    { "do": "resume", "answers": [{ "to": 1, "value": 2 }], "asks": [["t.pause", 1]] }
]"#;

fn echoed() -> Made {
    Made { call: Called::new("t.echo", json!("x")), instead_of: None }
}

#[test]
fn what_is_right_passes() {
    assert_eq!(found(RUN, vec![Ok(completed(json!(1.0)))], vec![]), Ok(()));
    assert_eq!(found(ASK_AND_ANSWER, vec![Ok(seen(asks("a"))), Ok(seen(asks("b")))], vec![]), Ok(()));
}

#[test]
fn another_value_is_found() {
    assert_eq!(found(RUN, vec![Ok(completed(json!(2)))], vec![]), one("value: expected 1, seen 2"));
}

#[test]
fn another_ending_is_found() {
    let expected = "the end: expected value 1, seen asks [t.pause(1)]";
    assert_eq!(found(RUN, vec![Ok(seen(asks("a")))], vec![]), one(expected));
}

#[test]
fn a_refusal_and_its_lack_are_found() {
    let refused = Failure { code: "X".to_owned(), message: "no".to_owned(), at: None };
    assert_eq!(
        found(ASK_AND_ANSWER, vec![Ok(seen(asks("a"))), Err(refused)], vec![]),
        one("the end: expected asks [t.pause(1)], seen refused, X: no")
    );
    let steps = ASK_AND_ANSWER.replace("2 }], \"asks\": [[\"t.pause\", 1]]", "2 }], \"refused\": \"X\"");
    assert_eq!(
        found(&steps, vec![Ok(seen(asks("a"))), Ok(completed(json!(1)))], vec![]),
        one("the end: expected refused, X, seen value 1")
    );
}

#[test]
fn a_call_too_many_and_one_too_few_are_found() {
    assert_eq!(
        found(RUN, vec![Ok(completed(json!(1)))], vec![vec![echoed()]]),
        one("calls: expected [], seen [t.echo(\"x\")]")
    );
    let steps = r#"[{ "do": "run", "value": 1, "calls": [["t.echo", "x"], ["t.echo", "x"]] }]"#;
    assert_eq!(
        found(steps, vec![Ok(completed(json!(1)))], vec![vec![echoed()]]),
        one("calls: expected [t.echo(\"x\"), t.echo(\"x\")], seen [t.echo(\"x\")]")
    );
}

#[test]
fn a_question_that_is_asked_again_once_it_was_answered_is_found() {
    assert_eq!(
        found(ASK_AND_ANSWER, vec![Ok(seen(asks("a"))), Ok(seen(asks("a")))], vec![]),
        one("t.pause(1) is asked again under the same id")
    );
}

#[test]
fn whatever_nobody_expects_of_a_report_is_found() {
    let told = Seen {
        abandoned: vec![Called::new("t.pause", json!(1))],
        detached: vec![("t.echo".to_owned(), "aborted".to_owned())],
        unhandled: vec!["Error: lost".to_owned()],
        ..completed(json!(1))
    };
    let expected = [
        "abandoned: expected [], seen [t.pause(1)]",
        "detached: expected [], seen [t.echo \"aborted\"]",
        "unhandled: expected [], seen [Error: lost]",
    ];
    assert_eq!(found(RUN, vec![Ok(told)], vec![]), Err(expected.map(str::to_owned).into()));
    let steps = r#"[{ "do": "run", "value": 1, "console": [], "replayed": 1, "leaves": 5 }]"#;
    let expected = [
        "console: expected [], seen [log \"a\"]",
        "replayed console entries: expected 1, seen 0",
        "data: expected 5, seen null",
    ];
    let told = found(steps, vec![Ok(completed(json!(1)))], vec![]);
    assert_eq!(told, Err(expected.map(str::to_owned).into()));
}

#[test]
fn an_error_of_another_code_message_or_place_is_found() {
    let steps = r#"[{ "do": "run", "fails": { "code": "A", "says": ["why"], "at": [1, 2] } }]"#;
    let failed = Failure { code: "B".to_owned(), message: "because".to_owned(), at: Some((3, 4)) };
    let expected = [
        "error: expected A, seen B: because",
        "message: expected is \"why\" in \"because\"",
        "place: expected Some((1, 2)), seen Some((3, 4))",
    ];
    assert_eq!(
        found(steps, vec![Ok(seen(Ended::Failed(failed)))], vec![]),
        Err(expected.map(str::to_owned).into())
    );
}

#[test]
fn a_replay_that_calls_or_ends_otherwise_is_found() {
    let again = Seen { console: Vec::new(), ..completed(json!(2)) };
    let told = found_with(RUN, vec![Ok(completed(json!(1)))], vec![vec![], vec![echoed()]], vec![again]);
    let expected = [
        "calls of a replay: expected [], seen [t.echo(\"x\")]",
        "the end of a replay: expected value 1, seen value 2",
        "console of a replay: []",
    ];
    assert_eq!(told, Err(expected.map(str::to_owned).into()));
}
