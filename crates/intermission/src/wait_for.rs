//! `waitFor(key, { timeout })`: a script waits for an event. No host function is invoked: the library asks, as it does for approvals.

use intermission_value::Value;

use crate::{HostError, Interrupt};

/// The global's name.
pub(crate) const NAME: &str = "waitFor";

/// The longest key, in bytes.
const LONGEST_KEY: usize = 1024;

/// What a script waits for.
#[derive(Debug, PartialEq)]
pub(crate) struct Wait {
    key: String,
    /// For how long, in milliseconds; absent: for ever.
    timeout: Option<u64>,
}

impl Wait {
    /// Of the arguments of a call.
    ///
    /// # Errors
    /// A `TypeError` for the script.
    pub(crate) fn of(arguments: &[Value]) -> Result<Self, HostError> {
        let key = arguments.first().and_then(Value::as_str);
        let key = key.filter(|key| !key.is_empty() && key.len() <= LONGEST_KEY);
        let key = key.ok_or_else(|| wrong("a key, a text of 1 to 1024 bytes"))?.to_owned();
        let timeout = match arguments.get(1) {
            None | Some(Value::Undefined) => None,
            Some(Value::Object(options)) => match options.get("timeout") {
                None | Some(Value::Undefined) => None,
                Some(timeout) => {
                    let wanted =
                        "a `timeout` in milliseconds, or as a text like '500ms', '30s', '5m', '2h', '7d'";
                    Some(milliseconds(timeout).ok_or_else(|| wrong(wanted))?)
                }
            },
            Some(_) => return Err(wrong("options, an object, as its second argument")),
        };
        Ok(Self { key, timeout })
    }

    /// What is asked then.
    pub(crate) fn question(self, now: u64) -> Interrupt {
        let ask = Interrupt::new(Value::object([("kind", Value::from("event")), ("key", self.key.into())]));
        match self.timeout {
            Some(timeout) => ask.expires_at(now.saturating_add(timeout).min(intermission_ledger::MAX_TIME)),
            None => ask,
        }
    }
}

/// No event came in time.
pub(crate) fn timed_out() -> HostError {
    HostError::new("no event came in time").with_name("TimeoutError").with_code("EVENT_TIMED_OUT")
}

fn wrong(wanted: &str) -> HostError {
    let message = format!("waitFor was called wrongly: it takes {wanted}");
    HostError::new(message).with_name("TypeError").with_code("HOST_INPUT_INVALID")
}

/// A fraction of a millisecond is dropped, as in timers.
fn milliseconds(timeout: &Value) -> Option<u64> {
    let of = |number: f64, unit: f64| {
        let fits = number.is_finite() && number >= 0.0;
        fits.then_some((number * unit).min(intermission_ledger::MAX_TIME as f64) as u64)
    };
    if let Value::Number(number) = timeout {
        return of(*number, 1.0);
    }
    let text = timeout.as_str()?;
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let unit = match &text[digits..] {
        "ms" => 1.0,
        "s" => 1e3,
        "m" => 60e3,
        "h" => 3_600e3,
        "d" => 86_400e3,
        _ => return None,
    };
    of(text[..digits].parse().ok()?, unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait(timeout: impl Into<Value>) -> Option<u64> {
        let options = Value::object([("timeout", timeout.into())]);
        Wait::of(&["k".into(), options]).ok().and_then(|wait| wait.timeout)
    }

    #[test]
    fn a_timeout_is_a_number_or_a_text_with_a_unit() {
        assert_eq!(wait(1500.9), Some(1500));
        assert_eq!(
            ["500ms", "1.5s", "1m", "2h", "7d"].map(wait),
            [Some(500), Some(1_500), Some(60_000), Some(7_200_000), Some(604_800_000)]
        );
        assert_eq!(["", "1", "m", "1 m", "1w", "-1s", "1.2.3s"].map(wait), [None; 7]);
        assert_eq!([wait(-1.0), wait(f64::NAN), wait(true)], [None; 3]);
        assert_eq!(Wait::of(&["k".into()]).unwrap(), Wait { key: "k".to_owned(), timeout: None });
    }

    #[test]
    fn a_key_is_a_text() {
        for arguments in [vec![], vec![Value::from("")], vec![1.into()], vec!["k".into(), 5.into()]] {
            assert_eq!(Wait::of(&arguments).unwrap_err().name(), "TypeError");
        }
    }
}
