use intermission_ledger::entry::{Place, QuestionKind, Resolution, Spent};
use intermission_ledger::{Entry, Ledger, Record, RecordError, RunId};
use intermission_value::{Value, encode};
use serde_json::{Value as Json, json};

use crate::dialect::*;

fn open(run: &Run) -> Vec<Json> {
    let open = run.record().to_open();
    assert_eq!(Record::from_open(&open).as_ref(), Ok(run.record()));
    let text = open.to_string();
    assert_eq!(Record::from_open(&serde_json::from_str(&text).unwrap()).as_ref(), Ok(run.record()));
    open.as_array().unwrap().clone()
}

#[test]
fn a_person_can_read_it() {
    let mut run = run().makes([clock(2, 3), call(1), import(2, "./a.js")]).settles(2, fulfilled("/a.js"));
    run.ledger.note_use(ECHO, [0xff; 16]).unwrap();
    let mut asked = question(1, 1, QuestionKind::Question);
    asked.place = Some(Place { file: None, line: 3, column: 7 });
    asked.expires = Some(9_000);
    run = run
        .makes([load(3, "/a.js")])
        .settles(3, rejected("no such module"))
        .makes([timer(1, 50)])
        .dispatches([1]);
    run.ledger.interrupt(asked).unwrap();
    let run = run
        .pauses()
        .resolves(1, Resolution::Answered(bytes(true)))
        .settles(1, fulfilled("yes"))
        .fires(1)
        .makes([timer(1, 50), cleared(1)])
        .ends(returned("done"))
        .closes();
    assert_eq!(
        open(&run)[1..],
        [
            json!({ "entry": "clock", "reads": 2, "elapsed": 3 }),
            json!({ "entry": "called", "call": 1, "function": "t.echo", "arguments": [1] }),
            json!({ "entry": "called", "call": 2, "normalize": "./a.js", "importer": "main.js" }),
            json!({ "entry": "settled", "call": 2, "elapsed": 0, "fulfilled": "/a.js" }),
            json!({ "entry": "used", "function": "t.echo", "fingerprint": "_____________________w" }),
            json!({ "entry": "called", "call": 3, "load": "/a.js" }),
            json!({ "entry": "settled", "call": 3, "elapsed": 0, "rejected": "no such module" }),
            json!({ "entry": "timer_set", "timer": 1, "delay": 50, "due": 47 }),
            json!({ "entry": "dispatched", "call": 1 }),
            json!({ "entry": "interrupted", "call": 1, "ordinal": 1, "kind": "question", "payload": "sure?",
                "place": { "line": 3, "column": 7 }, "created": 1000, "expires": 9000 }),
            json!({ "entry": "spent", "fuel": 10, "cpu": 20, "console": 30 }),
            json!({ "entry": "paused" }),
            json!({ "entry": "resolved", "call": 1, "at": 1000, "answer": "answered", "value": true }),
            json!({ "entry": "settled", "call": 1, "elapsed": 0, "fulfilled": "yes" }),
            json!({ "entry": "timer_fired", "timer": 1, "elapsed": 47 }),
            json!({ "entry": "timer_set", "timer": 1, "delay": 50, "due": 0 }),
            json!({ "entry": "timer_cleared", "timer": 1 }),
            json!({ "entry": "ended", "returned": "done" }),
            json!({ "entry": "closed" }),
        ]
    );
}

#[test]
fn the_beginning_has_the_format_and_all_that_the_run_is_a_function_of() {
    assert_eq!(
        open(&run()),
        [json!({
            "entry": "started", "format": 1, "run_id": "run_a4dqobyha4dqobyha4dqobyha4", "behavior": 0,
            "source": "await t.echo(1)", "kind": "function_body", "name": "main.js", "time": 1000,
            "seed": "AwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwM", "stack": 1_048_576, "profile": "full", "allow_eval": false,
            "functions": [{ "name": "t.echo", "blocking": false }, { "name": "t.sync", "blocking": true }],
        })]
    );
}

#[test]
fn each_answer_has_its_words() {
    let words = |kind, resolution| {
        let run = run().makes([call(1)]);
        let run = if kind == QuestionKind::Approval { run } else { run.dispatches([1]) };
        let mut last = open(&run.asks_as(1, 1, kind).resolves(1, resolution)).pop().unwrap();
        let object = last.as_object_mut().unwrap();
        object.retain(|name, _| !["entry", "call", "at"].contains(&name.as_str()));
        last
    };
    let approved = |arguments| words(QuestionKind::Approval, Resolution::Approved { arguments });
    let denied = |reason: Option<&str>| {
        words(QuestionKind::Approval, Resolution::Denied { reason: reason.map(str::to_owned) })
    };
    let unknown = |resolution| words(QuestionKind::OutcomeUnknown, resolution);
    assert_eq!(approved(None), json!({ "answer": "approved" }));
    assert_eq!(approved(Some(bytes(Value::array([2])))), json!({ "answer": "approved", "arguments": [2] }));
    assert_eq!(denied(None), json!({ "answer": "denied" }));
    assert_eq!(denied(Some("no")), json!({ "answer": "denied", "reason": "no" }));
    assert_eq!(
        unknown(Resolution::Happened(fulfilled("a"))),
        json!({ "answer": "happened", "fulfilled": "a" })
    );
    assert_eq!(
        unknown(Resolution::Happened(rejected("a"))),
        json!({ "answer": "happened", "rejected": "a" })
    );
    assert_eq!(unknown(Resolution::DidNotHappen), json!({ "answer": "did_not_happen" }));
    assert_eq!(unknown(Resolution::Expired), json!({ "answer": "expired" }));
}

#[test]
fn what_is_not_of_a_run_that_went_well_has_its_words_too() {
    let failed = run().makes([call(1)]).dispatches([1]).settles(1, rejected("no")).ends(threw(1));
    let record = Ledger::change_source(failed.retried().record().clone(), "2".to_owned());
    let record = Ledger::fork(&record, 3, RunId::from_bytes([8; 16])).unwrap();
    let open = record.to_open();
    assert_eq!(
        open[3],
        json!({ "entry": "forked", "run_id": "run_baeaqcaibaeaqcaibaeaqcaiba", "from": "run_a4dqobyha4dqobyha4dqobyha4", "at": 3 })
    );
    let failed = run().makes([call(1)]).dispatches([1]).settles(1, rejected("no")).ends(threw(1)).retried();
    let record = Ledger::change_source(failed.record().clone(), "2".to_owned());
    let open = record.to_open();
    assert_eq!(Record::from_open(&open), Ok(record));
    assert_eq!(open[4], json!({ "entry": "ended", "threw": "Error: 1", "call": 1 }));
    assert_eq!(open[5], json!({ "entry": "retried", "call": 1 }));
    assert_eq!(open[6], json!({ "entry": "source_changed", "source": "2" }));
}

#[test]
fn values_that_json_would_change_are_their_bytes() {
    let shown = |value: Value| {
        let run = run().ends(intermission_ledger::entry::Ending::Returned(encode(&value).unwrap().into()));
        open(&run)[1]["returned"].clone()
    };
    let mut deep = Value::from(1);
    for _ in 0..64 {
        deep = Value::array([deep]);
    }
    assert_eq!(shown(deep.clone())[0][0][0].to_string(), format!("{}1{}", "[".repeat(61), "]".repeat(61)));
    assert!(shown(Value::array([deep]))["$cbor"].is_string());
    assert_eq!(shown(Value::from(0.1)), json!(0.1));
    assert_eq!(shown(Value::from(1e300)), json!(1e300));
    assert_eq!(shown(Value::Undefined), json!({ "$cbor": "9w" }));
    assert_eq!(shown(Value::from(-0.0)), json!({ "$cbor": "-YAA" }));
    assert_eq!(shown(Value::Date(Some(0))), json!({ "$cbor": "wQA" }));
    assert_eq!(shown(Value::object([("$cbor", 1)])), json!({ "$cbor": "oWUkY2JvcgE" }));
    assert_eq!(shown(Value::object([("a", Value::object([("$cbor", 1)]))])), json!({ "a": { "$cbor": 1 } }));
    let twice = [Value::Shared(Box::new(Value::array([1]))), Value::Reference(0)];
    assert_eq!(shown(Value::array(twice)), json!({ "$cbor": "gtgcgQHYHQA" }));
}

/// What is said when `change` is made to entry `index` of an open run.
fn error(index: usize, change: impl FnOnce(&mut Json)) -> String {
    let run = run().makes([call(1)]).dispatches([1]).settles(1, fulfilled("a"));
    let mut open = run.record().to_open();
    change(&mut open[index]);
    Record::from_open(&open).unwrap_err().to_string()
}

#[test]
fn an_error_names_the_entry_and_the_field() {
    let field = |index, name: &str, value: Json| error(index, |entry| entry[name] = value);
    let wrong = |index, name, why| format!("`{name}` of entry {index} of the ledger is wrong: {why}");
    let whole = "a whole number from 0 on is expected";
    assert_eq!(field(1, "call", json!(-1)), wrong(1, "call", whole));
    assert_eq!(field(1, "call", json!(1.5)), wrong(1, "call", whole));
    assert_eq!(field(1, "call", json!(1_u64 << 32)), wrong(1, "call", "at most 4294967295 is expected"));
    assert_eq!(
        field(1, "function", json!("t.gone")),
        wrong(1, "function", "no function \"t.gone\" was lent")
    );
    assert_eq!(field(1, "x", json!(1)), wrong(1, "x", "there is no such field here"));
    assert_eq!(field(1, "entry", json!("calls")), wrong(1, "entry", "there is no entry \"calls\""));
    let alone = "`$cbor` stands alone, over base64url without padding";
    assert_eq!(field(1, "arguments", json!({ "$cbor": "gQE=" })), wrong(1, "arguments", alone));
    assert_eq!(field(1, "arguments", json!({ "$cbor": "gQE", "a": 1 })), wrong(1, "arguments", alone));
    assert_eq!(field(3, "rejected", json!(1)), wrong(3, "fulfilled", "there is no such field here"));
    assert_eq!(
        field(0, "kind", json!("esm")),
        wrong(0, "kind", "one of auto, function_body, module is expected")
    );
    assert_eq!(
        field(0, "run_id", json!("run_1")),
        wrong(0, "run_id", "not an id: run_ and 26 characters of a-z and 2-7 are expected")
    );
    assert_eq!(
        field(0, "seed", json!("AA")),
        wrong(0, "seed", "32 bytes in base64url without padding are expected")
    );
    assert_eq!(field(0, "allow_eval", json!(0)), wrong(0, "allow_eval", "true or false is expected"));
    assert_eq!(field(0, "source", json!(null)), wrong(0, "source", "a text is expected"));
    let functions = json!([{ "name": "a", "blocking": false }, { "name": "b" }]);
    assert_eq!(field(0, "functions", functions), wrong(0, "functions[1].blocking", "it is missing"));
    assert_eq!(field(0, "functions", json!({})), wrong(0, "functions", "an array is expected"));
    assert_eq!(field(0, "functions", json!([1])), wrong(0, "functions[0]", "an object is expected"));
    let missing = error(2, |entry| drop(entry.as_object_mut().unwrap().remove("call")));
    assert_eq!(missing, wrong(2, "call", "it is missing"));
    let deep = format!("{}{}", "[".repeat(66), "]".repeat(66));
    assert_eq!(
        field(1, "arguments", serde_json::from_str(&deep).unwrap()),
        wrong(1, "arguments", "what nests deeper than 64 is written as `$cbor`")
    );
}

#[test]
fn what_is_no_open_form_at_all_is_refused() {
    assert_eq!(
        error(0, |entry| entry["format"] = json!(2)),
        "a ledger of format 2: this version reads format 1"
    );
    let refused = |json| Record::from_open(&json).unwrap_err();
    assert_eq!(
        refused(json!({})).to_string(),
        "entry 0 of the ledger is malformed: the open form is an array of entries"
    );
    assert_eq!(refused(json!([])).to_string(), "entry 0 of the ledger is malformed: there is none");
    assert_eq!(
        refused(json!([7])).to_string(),
        "`` of entry 0 of the ledger is wrong: an object is expected"
    );
    assert!(matches!(refused(json!([{ "entry": "paused" }])), RecordError::Malformed { entry: 0, .. }));
}

#[test]
fn a_number_stands_for_a_function_that_has_no_name() {
    let mut started = started();
    started.functions.clear();
    let request =
        intermission_ledger::entry::Request::Function { function: 7, arguments: bytes(Value::array([1])) };
    let entries = vec![
        Entry::Started(Box::new(started)),
        Entry::Called { call: 1, request },
        Entry::Spent(Spent::default()),
    ];
    let record = Record::from_entries(entries).unwrap();
    let open = record.to_open();
    assert_eq!(open[1]["function"], 7);
    assert_eq!(Record::from_open(&open), Ok(record));
}
