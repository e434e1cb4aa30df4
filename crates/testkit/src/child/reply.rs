//! From what the door says to what the corpus knows.

use serde_json::Value as Json;

use crate::{Called, Ended, Failure, Made, Question, Seen};

pub(crate) fn seen(reply: &Json) -> Seen<String> {
    let pairs = |key: &str| -> Vec<(String, String)> {
        list(&reply[key]).iter().map(|pair| (text(&pair[0]), text(&pair[1]))).collect()
    };
    let ended = match text(&reply["status"]).as_str() {
        "completed" => Ended::Completed(reply["value"].clone()),
        "interrupted" => {
            Ended::Interrupted { asks: questions(&reply["asks"]), wakes_at: reply["wakes_at"].as_u64() }
        }
        "cancelled" => Ended::Cancelled,
        "failed" => Ended::Failed(refusal(&reply["error"])),
        other => panic!("an ending that the corpus does not know: {other:?}, {reply}"),
    };
    Seen {
        ended,
        console: pairs("console"),
        replayed: reply["replayed"].as_u64().map(|replayed| replayed as usize),
        abandoned: list(&reply["abandoned"]).iter().map(called).collect(),
        detached: pairs("detached"),
        unhandled: list(&reply["unhandled"]).iter().map(text).collect(),
        data: reply.get("data").cloned(),
        token: reply["token"].as_str().map(str::to_owned),
    }
}

pub(crate) fn questions(asks: &Json) -> Vec<Question> {
    let question = |asked: &Json| Question {
        id: text(&asked["id"]),
        call: called(&asked["call"]),
        kind: text(&asked["kind"]),
        payload: asked["payload"].clone(),
        digest: asked["digest"].as_str().map(str::to_owned),
        at: place(&asked["at"]),
    };
    list(asks).iter().map(question).collect()
}

pub(crate) fn made(calls: &Json) -> Vec<Made> {
    let made =
        |made: &Json| Made { call: called(&made["call"]), instead_of: made.get("instead_of").cloned() };
    list(calls).iter().map(made).collect()
}

pub(crate) fn refusal(error: &Json) -> Failure {
    Failure { code: text(&error["code"]), message: text(&error["message"]), at: place(&error["at"]) }
}

fn called(call: &Json) -> Called {
    Called::new(text(&call[0]), call[1].clone())
}

fn place(at: &Json) -> Option<(u32, u32)> {
    let number = |index: usize| u32::try_from(at[index].as_u64()?).ok();
    Some((number(0)?, number(1)?))
}

fn list(json: &Json) -> &[Json] {
    json.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn text(json: &Json) -> String {
    json.as_str().unwrap_or_default().to_owned()
}
