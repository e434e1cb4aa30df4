//! Limits by name: `deadline=10s`, `memory=64MB`, `calls=100`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use bytesize::ByteSize;
use intermission::Limits;

use crate::suggestion;

/// A limit that can be set.
#[derive(Debug)]
pub struct LimitName {
    name: &'static str,
    unit: Unit,
    /// The most that can be asked for, in milliseconds, bytes or as a number.
    most: u64,
    set: fn(&mut Limits, u64),
}

#[derive(Clone, Copy, Debug)]
enum Unit {
    Time,
    Size,
    Count,
}

/// A hundred years in milliseconds: what a clock can still add.
const MOST_TIME: u64 = 100 * 365 * 24 * 3_600_000;
const MOST: u64 = u32::MAX as u64;

/// Every limit. No amount is above `most`, so none is cut.
static LIMITS: [LimitName; 14] = [
    LimitName::new("deadline", Unit::Time, MOST_TIME, |all, ms| all.deadline = Duration::from_millis(ms)),
    LimitName::new("cpu", Unit::Time, MOST_TIME, |all, ms| all.cpu = Duration::from_millis(ms)),
    LimitName::new("fuel", Unit::Count, u64::MAX, |all, fuel| all.fuel = Some(fuel)),
    LimitName::new("memory", Unit::Size, 4 << 30, |all, bytes| all.memory = bytes),
    LimitName::new("js_stack", Unit::Size, 1 << 20, |all, bytes| all.js_stack = bytes as u32),
    LimitName::new("source", Unit::Size, MOST, |all, bytes| all.source = bytes as usize),
    LimitName::new("result", Unit::Size, MOST, |all, bytes| all.result = bytes as u32),
    LimitName::new("console", Unit::Size, MOST, |all, bytes| all.console = bytes as u32),
    LimitName::new("arguments", Unit::Size, MOST, |all, bytes| all.arguments = bytes as u32),
    LimitName::new("output", Unit::Size, MOST, |all, bytes| all.output = bytes as u32),
    LimitName::new("calls", Unit::Count, MOST, |all, calls| all.calls = calls as u32),
    LimitName::new("in_flight", Unit::Count, MOST, |all, calls| all.in_flight = calls as u32),
    LimitName::new("timers", Unit::Count, MOST, |all, timers| all.timers = timers as u32),
    LimitName::new("ledger", Unit::Size, 1 << 40, |all, bytes| all.ledger = bytes),
];

impl LimitName {
    /// What its amounts are written as: a JSON Schema.
    pub(crate) fn schema(name: &str) -> serde_json::Value {
        match Self::find(name).map(|limit| (limit.unit, limit.most)) {
            Ok((Unit::Time, _)) => crate::schema::duration(),
            Ok((Unit::Size, most)) => serde_json::json!({
                "description": "Bytes, or a number with a unit: `64KB`, `16MiB`.",
                "anyOf": [{ "type": "integer", "minimum": 0, "maximum": most }, { "type": "string" }],
            }),
            Ok((Unit::Count, most)) => {
                serde_json::json!({ "type": "integer", "minimum": 0, "maximum": most })
            }
            Err(_) => serde_json::Value::Bool(true),
        }
    }

    const fn new(name: &'static str, unit: Unit, most: u64, set: fn(&mut Limits, u64)) -> Self {
        Self { name, unit, most, set }
    }

    /// The limit of this name.
    ///
    /// # Errors
    /// When there is none.
    pub fn find(name: &str) -> Result<&'static Self, LimitError> {
        LIMITS.iter().find(|limit| limit.name == name).ok_or_else(|| LimitError::Unknown(name.to_owned()))
    }

    /// Every name.
    pub fn all() -> impl Iterator<Item = &'static str> + Clone {
        LIMITS.iter().map(|limit| limit.name)
    }

    /// The limit, set as the text says.
    ///
    /// # Errors
    /// When the text is no amount of it.
    pub fn set_to(&'static self, text: &str) -> Result<LimitSetting, LimitError> {
        let amount = match self.unit {
            Unit::Time => {
                humantime::parse_duration(text).ok().and_then(|time| u64::try_from(time.as_millis()).ok())
            }
            Unit::Size => text.parse().ok().map(|ByteSize(bytes)| bytes),
            Unit::Count => text.parse().ok(),
        };
        match amount.filter(|amount| *amount <= self.most) {
            Some(amount) => Ok(LimitSetting { limit: self, amount }),
            None => Err(LimitError::Amount { limit: self, text: text.to_owned() }),
        }
    }
}

/// One limit and what it is set to.
#[derive(Clone, Copy, Debug)]
pub struct LimitSetting {
    limit: &'static LimitName,
    amount: u64,
}

impl LimitSetting {
    /// The limit's name.
    pub const fn name(self) -> &'static str {
        self.limit.name
    }

    /// Sets it.
    pub fn apply(self, limits: &mut Limits) {
        (self.limit.set)(limits, self.amount);
    }
}

/// `name=value`, as it can be read again.
impl fmt::Display for LimitSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = if matches!(self.limit.unit, Unit::Time) { "ms" } else { "" };
        write!(f, "{}={}{unit}", self.limit.name, self.amount)
    }
}

/// `name=value`.
impl FromStr for LimitSetting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let setting = match text.split_once('=') {
            None => Err(LimitError::NoValue(text.to_owned())),
            Some((name, amount)) => LimitName::find(name).and_then(|limit| limit.set_to(amount)),
        };
        setting.map_err(|error| format!("{error}: {}", error.hint()))
    }
}

/// Why a limit cannot be set so.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LimitError {
    /// There is none of this name.
    #[error("there is no limit `{0}`")]
    Unknown(String),
    /// Not `name=value`.
    #[error("`{0}` sets no limit")]
    NoValue(String),
    /// What no amount of it is.
    #[error("the limit `{}` cannot be `{text}`", limit.name)]
    Amount {
        /// Which limit.
        limit: &'static LimitName,
        /// What was said.
        text: String,
    },
}

impl LimitError {
    /// The stable code.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unknown(_) => "LIMIT_UNKNOWN",
            Self::NoValue(_) | Self::Amount { .. } => "LIMIT_AMOUNT",
        }
    }

    /// What to do.
    pub fn hint(&self) -> String {
        match self {
            Self::Unknown(name) => suggestion::hint(name, LimitName::all()),
            Self::NoValue(_) => "write `name=value`, for example `calls=100`".to_owned(),
            Self::Amount { limit: LimitName { unit: Unit::Time, .. }, .. } => {
                "use a number and a unit: `500ms`, `10s`, `2m`".to_owned()
            }
            Self::Amount { limit: LimitName { unit: Unit::Size, most, .. }, .. } => {
                format!("use a number of bytes, or a unit: `64KB`, `16MiB`; at most {most} bytes")
            }
            Self::Amount { limit: LimitName { most, .. }, .. } => {
                format!("use a whole number, at most {most}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use intermission::Limit;

    use super::*;

    fn set(text: &str) -> Result<Limits, String> {
        let mut limits = Limits::default();
        text.parse::<LimitSetting>().map(|setting| setting.apply(&mut limits)).map(|()| limits)
    }

    #[test]
    fn each_limit_is_set_by_its_name() {
        let mut all = Limits::default();
        for limit in &LIMITS {
            let amount = if matches!(limit.unit, Unit::Time) { "7s" } else { "7" };
            limit.set_to(amount).unwrap().apply(&mut all);
        }
        let seven = Duration::from_secs(7);
        let expected = Limits {
            deadline: seven,
            cpu: seven,
            fuel: Some(7),
            memory: 7,
            js_stack: 7,
            source: 7,
            result: 7,
            console: 7,
            arguments: 7,
            output: 7,
            calls: 7,
            in_flight: 7,
            timers: 7,
            ledger: 7,
        };
        assert_eq!(all, expected);
    }

    #[test]
    fn a_setting_is_shown_as_it_can_be_read() {
        for limit in &LIMITS {
            let amount = if matches!(limit.unit, Unit::Time) { "1m 7ms" } else { "64000" };
            let setting = limit.set_to(amount).unwrap();
            let again: LimitSetting = setting.to_string().parse().unwrap();
            assert_eq!((again.name(), again.amount), (limit.name, setting.amount));
        }
    }

    #[test]
    fn every_limit_that_can_be_exhausted_has_a_name_here() {
        // That of a replay follows from what the run has used.
        for limit in Limit::ALL.into_iter().filter(|limit| *limit != Limit::Replay) {
            assert_eq!(LimitName::find(limit.name()).unwrap().name, limit.name());
        }
    }

    #[test]
    fn sizes_and_times_have_units() {
        assert_eq!(set("memory=64MB").unwrap().memory, 64_000_000);
        assert_eq!(set("memory=64MiB").unwrap().memory, 64 << 20);
        assert_eq!(set("deadline=1m 30s").unwrap().deadline, Duration::from_secs(90));
    }

    #[test]
    fn what_sets_no_limit_says_what_does() {
        let complaint = |text| set(text).unwrap_err();
        assert_eq!(complaint("call=1"), "there is no limit `call`: did you mean `calls`?");
        assert_eq!(complaint("calls"), "`calls` sets no limit: write `name=value`, for example `calls=100`");
        assert_eq!(
            complaint("deadline=10"),
            "the limit `deadline` cannot be `10`: use a number and a unit: `500ms`, `10s`, `2m`"
        );
        assert_eq!(
            complaint("calls=4294967296"),
            "the limit `calls` cannot be `4294967296`: use a whole number, at most 4294967295"
        );
        assert_eq!(
            complaint("memory=1TB"),
            "the limit `memory` cannot be `1TB`: use a number of bytes, or a unit: `64KB`, `16MiB`; at most 4294967296 bytes"
        );
    }
}
