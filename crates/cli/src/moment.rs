//! Times, for people.

use std::time::{Duration, UNIX_EPOCH};

/// Milliseconds since 1970 as a date and time: `2025-03-01T12:00:00.000Z`. One that no calendar here has is shown as it is.
pub(crate) fn moment(time: u64) -> String {
    const MOST: u64 = 253_402_300_799_999;
    if time > MOST {
        return format!("{time} ms since 1970");
    }
    humantime::format_rfc3339_millis(UNIX_EPOCH + Duration::from_millis(time)).to_string()
}

/// A length of time in milliseconds, in its largest unit: `12 s`, `5 min`, `3 h`, `4 d`.
pub(crate) fn length(milliseconds: u64) -> String {
    match milliseconds / 1000 {
        0 if milliseconds > 0 => format!("{milliseconds} ms"),
        seconds @ ..60 => format!("{seconds} s"),
        seconds @ ..3_600 => format!("{} min", seconds / 60),
        seconds @ ..172_800 => format!("{} h", seconds / 3_600),
        seconds => format!("{} d", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::{length, moment};

    #[test]
    fn a_length_of_time_is_in_its_largest_unit() {
        let lengths = [0, 999, 59_999, 60_000, 3_599_999, 3_600_000, 172_799_999, 172_800_000].map(length);
        assert_eq!(lengths, ["0 s", "999 ms", "59 s", "1 min", "59 min", "1 h", "47 h", "2 d"]);
    }

    #[test]
    fn a_time_beyond_the_calendar_is_a_number() {
        assert_eq!(moment(1_740_830_400_123), "2025-03-01T12:00:00.123Z");
        assert_eq!(moment(253_402_300_799_999), "9999-12-31T23:59:59.999Z");
        assert_eq!(moment(u64::MAX), "18446744073709551615 ms since 1970");
    }
}
