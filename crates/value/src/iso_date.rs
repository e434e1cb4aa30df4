//! Dates as `Date.prototype.toISOString` writes them (ECMA-262, 21.4.1.32).

const DAY: i64 = 86_400_000;

/// `time` is in milliseconds since the epoch, UTC.
pub(crate) fn format(time: i64) -> String {
    let (year, month, day) = civil(time.div_euclid(DAY));
    let clock = time.rem_euclid(DAY);
    let (hour, minute, second) = (clock / 3_600_000, clock / 60_000 % 60, clock / 1000 % 60);
    let year = match year {
        0..=9999 => format!("{year:04}"),
        _ => format!("{}{:06}", if year < 0 { '-' } else { '+' }, year.abs()),
    };
    format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", clock % 1000)
}

/// Year, month and day of a day counted from the epoch, in the proleptic Gregorian calendar. Years are counted from March
/// here, so that the leap day is the last of its year, in eras of 400 years, which are all 146,097 days long.
fn civil(day: i64) -> (i64, i64, i64) {
    let day = day + 719_468;
    let (era, day) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let march_month = (5 * day + 2) / 153;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let year = 400 * era + year + i64::from(month <= 2);
    (year, month, day - (153 * march_month + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::format;

    #[test]
    fn dates_read_as_in_javascript() {
        for (time, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (253_402_300_800_000, "+010000-01-01T00:00:00.000Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
            (-62_167_219_200_001, "-000001-12-31T23:59:59.999Z"),
            (8_640_000_000_000_000, "+275760-09-13T00:00:00.000Z"),
            (-8_640_000_000_000_000, "-271821-04-20T00:00:00.000Z"),
        ] {
            assert_eq!(format(time), text);
        }
    }
}
