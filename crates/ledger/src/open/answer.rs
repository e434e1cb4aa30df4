//! Resolutions, both ways.

use super::fields::Fields;
use super::value::to_json;
use super::write::Writer;
use crate::RecordError;
use crate::entry::Resolution;

pub(super) fn write<'a>(object: &'a mut Writer, resolution: &Resolution) -> &'a mut Writer {
    match resolution {
        Resolution::Answered(value) => object.put("answer", "answered").put("value", to_json(value)),
        Resolution::Approved { arguments } => object
            .put("answer", "approved")
            .put_some("arguments", arguments.as_ref().map(|arguments| to_json(arguments))),
        Resolution::Denied { reason } => object.put("answer", "denied").put_some("reason", reason.as_deref()),
        Resolution::Happened(outcome) => object.put("answer", "happened").outcome(outcome),
        Resolution::DidNotHappen => object.put("answer", "did_not_happen"),
        Resolution::Expired => object.put("answer", "expired"),
    }
}

pub(super) fn read(fields: &mut Fields<'_>) -> Result<Resolution, RecordError> {
    Ok(match fields.text("answer")? {
        "answered" => Resolution::Answered(fields.value("value")?),
        "approved" => Resolution::Approved { arguments: fields.optional("arguments", Fields::value)? },
        "denied" => Resolution::Denied { reason: fields.optional("reason", Fields::owned_text)? },
        "happened" => Resolution::Happened(fields.outcome()?),
        "did_not_happen" => Resolution::DidNotHappen,
        "expired" => Resolution::Expired,
        other => return Err(fields.wrong("answer", format_args!("there is no answer {other:?}"))),
    })
}
