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

#[cfg(test)]
mod tests {
    use super::moment;

    #[test]
    fn a_time_beyond_the_calendar_is_a_number() {
        assert_eq!(moment(1_740_830_400_123), "2025-03-01T12:00:00.123Z");
        assert_eq!(moment(253_402_300_799_999), "9999-12-31T23:59:59.999Z");
        assert_eq!(moment(u64::MAX), "18446744073709551615 ms since 1970");
    }
}
