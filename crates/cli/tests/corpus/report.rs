//! From what the command line prints to what the corpus knows.

use intermission_testkit::{Called, Ended, Failure, Question, Seen};
use serde_json::Value as Json;

/// The object of `--report`.
pub(crate) fn seen(report: &Json, token: Option<String>) -> Seen<String> {
    let pairs = |key: &str, one: &str, other: &str| -> Vec<(String, String)> {
        list(&report[key]).iter().map(|pair| (text(&pair[one]), text(&pair[other]))).collect()
    };
    let ended = if report["completed"] == true {
        Ended::Completed(report["value"].clone())
    } else if report["error"].is_null() {
        Ended::Interrupted { asks: questions(&report["interruptions"]), wakes_at: report["wake_at"].as_u64() }
    } else {
        Ended::Failed(failure(&report["error"]))
    };
    Seen {
        ended,
        console: pairs("console", "method", "text"),
        replayed: None,
        abandoned: questions(&report["abandoned"]).into_iter().map(|question| question.call).collect(),
        detached: pairs("detached", "function", "fate"),
        unhandled: list(&report["unhandled"]).iter().map(|error| text(&error["message"])).collect(),
        data: Some(report["data"].clone()),
        token,
    }
}

/// The object of `show`, of a run that was cancelled.
pub(crate) fn cancelled(shown: &Json, run: &str) -> Seen<String> {
    let is_abandoned = |call: &&Json| list(&call["questions"]).iter().any(|asked| asked["abandoned"] == true);
    let call = |call: &Json| Called::new(text(&call["host_function"]), call["arguments"][0].clone());
    Seen {
        ended: if shown["state"] == "cancelled" {
            Ended::Cancelled
        } else {
            Ended::Failed(failure(&shown["error"]))
        },
        console: Vec::new(),
        replayed: None,
        abandoned: list(&shown["calls"]).iter().filter(is_abandoned).map(call).collect(),
        detached: Vec::new(),
        unhandled: Vec::new(),
        data: None,
        token: Some(run.to_owned()),
    }
}

pub(crate) fn questions(interruptions: &Json) -> Vec<Question> {
    list(interruptions).iter().map(question).collect()
}

fn question(asked: &Json) -> Question {
    Question {
        id: text(&asked["id"]),
        call: Called::new(text(&asked["host_function"]), asked["arguments"][0].clone()),
        kind: text(&asked["kind"]),
        payload: asked["payload"].clone(),
        digest: asked["digest"].as_str().map(str::to_owned),
        at: place(&asked["position"]),
    }
}

fn failure(error: &Json) -> Failure {
    let (name, message) = (text(&error["name"]), text(&error["message"]));
    let at = place(error).or_else(|| place(&error["stack"][0])).or_else(|| place_before(&message));
    let message = if name.is_empty() { message } else { format!("{name}: {message}") };
    Failure { code: text(&error["code"]), message, at }
}

/// `error[CODE]: ...` on the standard error.
pub(crate) fn refusal(complaint: &[u8]) -> Failure {
    let message = String::from_utf8_lossy(complaint).into_owned();
    let code = message.split_once("error[").and_then(|(_, rest)| rest.split_once(']'));
    Failure { code: code.map_or_else(String::new, |(code, _)| code.to_owned()), message, at: None }
}

fn place(object: &Json) -> Option<(u32, u32)> {
    let number = |key: &str| u32::try_from(object[key].as_u64()?).ok();
    Some((number("line")?, number("column")?))
}

/// Of a message that begins with `file:line:column: `.
fn place_before(message: &str) -> Option<(u32, u32)> {
    let mut parts = message.split(": ").next()?.rsplit(':');
    let column = parts.next()?.parse().ok()?;
    Some((parts.next()?.parse().ok()?, column))
}

fn list(json: &Json) -> &[Json] {
    json.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn text(json: &Json) -> String {
    json.as_str().unwrap_or_default().to_owned()
}
