//! JSON to entries.

use serde_json::Value as Json;

use super::answer;
use super::fields::Fields;
use super::names::Names;
use crate::entry::{
    Ending, Entry, Lent, Place, Profile, Question, QuestionKind, Request, SourceKind, Spent, Started,
};
use crate::{FORMAT, RecordError};

pub(super) fn entry(index: usize, json: &Json, names: &Names) -> Result<Entry, RecordError> {
    let mut fields = Fields::of(index, json)?;
    let entry = match fields.text("entry")? {
        "started" => Entry::Started(Box::new(start(&mut fields)?)),
        "called" => Entry::Called { call: fields.small("call")?, request: request(&mut fields, names)? },
        "settled" => Entry::Settled {
            call: fields.small("call")?,
            elapsed: fields.number("elapsed")?,
            outcome: fields.outcome()?,
        },
        "clock" => Entry::Clock { reads: fields.number("reads")?, elapsed: fields.number("elapsed")? },
        "random" => Entry::Random { value: fields.value("value")? },
        "timer_set" => Entry::TimerSet {
            timer: fields.small("timer")?,
            delay: fields.number("delay")?,
            due: fields.number("due")?,
        },
        "timer_cleared" => Entry::TimerCleared { timer: fields.small("timer")? },
        "timer_fired" => {
            Entry::TimerFired { timer: fields.small("timer")?, elapsed: fields.number("elapsed")? }
        }
        "paused" => Entry::Paused,
        "ended" => Entry::Ended(ending(&mut fields)?),
        "dispatched" => Entry::Dispatched { call: fields.small("call")? },
        "interrupted" => Entry::Interrupted(Box::new(question(&mut fields)?)),
        "resolved" => Entry::Resolved {
            call: fields.small("call")?,
            at: fields.number("at")?,
            resolution: answer::read(&mut fields)?,
        },
        "abandoned" => Entry::Abandoned { call: fields.small("call")? },
        "retried" => Entry::Retried { call: fields.small("call")? },
        "source_changed" => Entry::SourceChanged { source: fields.owned_text("source")? },
        "forked" => Entry::Forked {
            run_id: fields.run_id("run_id")?,
            from: fields.run_id("from")?,
            at: fields.number("at")?,
        },
        "used" => {
            Entry::Used { function: function(&mut fields, names)?, fingerprint: fields.bytes("fingerprint")? }
        }
        "spent" => Entry::Spent(Spent {
            fuel: fields.number("fuel")?,
            cpu: fields.number("cpu")?,
            console: fields.number("console")?,
        }),
        "cancelled" => Entry::Cancelled,
        "closed" => Entry::Closed,
        other => return Err(fields.wrong("entry", format_args!("there is no entry {other:?}"))),
    };
    fields.done()?;
    Ok(entry)
}

fn start(fields: &mut Fields<'_>) -> Result<Started, RecordError> {
    let format = fields.small("format")?;
    if format != FORMAT {
        return Err(RecordError::Format(format));
    }
    Ok(Started {
        run_id: fields.run_id("run_id")?,
        behavior: fields.number("behavior")?,
        source: fields.owned_text("source")?,
        kind: fields.word("kind", &SourceKind::ALL, SourceKind::name)?,
        name: fields.owned_text("name")?,
        input: fields.optional("input", Fields::value)?,
        data: fields.optional("data", Fields::value)?,
        time: fields.number("time")?,
        seed: fields.bytes("seed")?,
        stack: fields.small("stack")?,
        profile: fields.word("profile", &Profile::ALL, Profile::name)?,
        allow_eval: fields.flag("allow_eval")?,
        functions: fields.objects("functions", |function| {
            Ok(Lent { name: function.owned_text("name")?, blocking: function.flag("blocking")? })
        })?,
        record_reads: fields.has("record_reads") && fields.flag("record_reads")?,
    })
}

fn request(fields: &mut Fields<'_>, names: &Names) -> Result<Request, RecordError> {
    if fields.has("normalize") {
        let specifier = fields.owned_text("normalize")?;
        return Ok(Request::Normalize { specifier, importer: fields.owned_text("importer")? });
    }
    if fields.has("load") {
        return Ok(Request::Load { name: fields.owned_text("load")? });
    }
    Ok(Request::Function { function: function(fields, names)?, arguments: fields.value("arguments")? })
}

fn function(fields: &mut Fields<'_>, names: &Names) -> Result<u32, RecordError> {
    match fields.take("function")? {
        Json::String(name) => names
            .number(name)
            .ok_or_else(|| fields.wrong("function", format_args!("no function {name:?} was lent"))),
        _ => fields.small("function"),
    }
}

fn ending(fields: &mut Fields<'_>) -> Result<Ending, RecordError> {
    if fields.has("threw") {
        let message = fields.owned_text("threw")?;
        return Ok(Ending::Threw { message, call: fields.optional("call", Fields::small)? });
    }
    fields.value("returned").map(Ending::Returned)
}

fn question(fields: &mut Fields<'_>) -> Result<Question, RecordError> {
    Ok(Question {
        call: fields.small("call")?,
        ordinal: fields.small("ordinal")?,
        kind: fields.word("kind", &QuestionKind::ALL, QuestionKind::name)?,
        payload: fields.value("payload")?,
        state: fields.optional("state", Fields::value)?,
        place: fields.optional("place", |fields, name| fields.object(name, place))?,
        created: fields.number("created")?,
        expires: fields.optional("expires", Fields::number)?,
        default: fields.optional("default", Fields::value)?,
    })
}

fn place(fields: &mut Fields<'_>) -> Result<Place, RecordError> {
    Ok(Place {
        file: fields.optional("file", Fields::owned_text)?,
        line: fields.small("line")?,
        column: fields.small("column")?,
    })
}
