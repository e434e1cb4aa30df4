//! Spans of time in messages.

use std::time::Duration;

use serde::Deserialize;

use crate::refusal::Refusal;

/// A number of milliseconds, of at least 0. What no clock can hold is for ever. No other number is a span: a token that was to be good for less than no time must not be good for ever.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "f64")]
pub struct Span(Duration);

impl Span {
    /// As the library takes it.
    pub const fn get(self) -> Duration {
        self.0
    }
}

impl TryFrom<f64> for Span {
    type Error = Refusal;

    fn try_from(ms: f64) -> Result<Self, Refusal> {
        if ms.is_nan() || ms < 0.0 {
            let message = format!("a time is a number of milliseconds of at least 0, not {ms}");
            return Err(Refusal::new("OPTIONS", &message));
        }
        Ok(Self(Duration::try_from_secs_f64(ms / 1e3).unwrap_or(Duration::MAX)))
    }
}
