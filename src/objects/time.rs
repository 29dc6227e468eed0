//! A moment of the virtual clock, written the way the API writes it.

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};
use std::fmt;

/// Milliseconds since the Unix epoch. The API writes whole seconds (`2024-01-01T00:00:02Z`); the rest of a second is
/// kept in memory and lost in JSON, as it is upstream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(pub i64);

const DAY: i64 = 86_400;

impl Time {
    /// The last moment that the API can write.
    const LAST: Self = Self(253_402_300_799_000);

    /// The moment `seconds` later, or the last there is: a manifest may ask for any number of them.
    #[must_use]
    pub fn plus_seconds(self, seconds: i64) -> Self {
        Self(self.0.saturating_add(seconds.saturating_mul(1000))).min(Self::LAST)
    }

    /// Whole seconds since 1970, as objects of the API keep them.
    pub(crate) fn seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// Year, month, day, hour, minute, second in UTC.
    fn civil(self) -> (i64, i64, i64, i64, i64, i64) {
        let seconds = self.0.div_euclid(1000);
        let (days, second_of_day) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
        // Days to civil date by the 400-year cycle, counted from 0000-03-01.
        let shifted = days + 719_468;
        let (era, day_of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_index = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_index + 2) / 5 + 1;
        let month = if month_index < 10 { month_index + 3 } else { month_index - 9 };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        (year, month, day, second_of_day / 3600, second_of_day / 60 % 60, second_of_day % 60)
    }

    /// The moment of an RFC 3339 text in UTC, such as `2024-01-01T00:00:02Z` (a fraction is read to the millisecond).
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        if bytes.len() < 20 || *bytes.last()? != b'Z' {
            return None;
        }
        let is_written = |(at, mark): (usize, u8)| bytes.get(at) == Some(&mark);
        if ![(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')].into_iter().all(is_written) {
            return None;
        }
        let number = |from: usize, to: usize| {
            let digits = text.get(from..to)?;
            digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse::<i64>().ok())?
        };
        let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
        let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
        let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let days_in_month = match month {
            2 => 28 + i64::from(is_leap),
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        let is_civil = (1..=12).contains(&month) && (1..=days_in_month).contains(&day);
        if !is_civil || hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        let fraction = match text.get(19..bytes.len() - 1)? {
            "" => 0,
            dotted => format!("{:0<3}", dotted.strip_prefix('.')?).get(..3)?.parse().ok()?,
        };
        let shifted_year = if month <= 2 { year - 1 } else { year };
        let (era, year_of_era) = (shifted_year.div_euclid(400), shifted_year.rem_euclid(400));
        let day_of_year = (153 * (month + if month > 2 { -3 } else { 9 }) + 2) / 5 + day - 1;
        let days = era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468;
        Some(Self((days * DAY + hour * 3600 + minute * 60 + second) * 1000 + fraction))
    }

    /// Why a text is no time of RFC 3339, in Go's words; none if it is one.
    pub(super) fn layout_error(text: &str) -> Option<String> {
        let in_utc = |at: usize| Some(format!("{}Z", text.get(..at).filter(|_| text[at..].starts_with(['+', '-']))?));
        let shifted = text.len().checked_sub(6).filter(|at| text.is_char_boundary(*at)).and_then(in_utc);
        if Self::parse(text).or_else(|| Self::parse(&shifted?)).is_some() {
            return None;
        }
        let layout = "2006-01-02T15:04:05Z07:00";
        Some(format!("parsing time {text:?} as {layout:?}: cannot parse {text:?} as \"2006\""))
    }

    /// The form in which kubectl describes a time: `Mon, 01 Jan 2024 00:00:00 +0000`.
    pub(crate) fn rfc1123(self) -> String {
        const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
        const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
        let (year, month, day, hour, minute, second) = self.civil();
        // The epoch was a Thursday.
        let weekday = DAYS[usize::try_from(self.0.div_euclid(1000 * DAY).rem_euclid(7)).unwrap_or(0)];
        let at = usize::try_from(month - 1).unwrap_or(0) * 3;
        format!("{weekday}, {day:02} {} {year:04} {hour:02}:{minute:02}:{second:02} +0000", &MONTHS[at..at + 3])
    }

    /// The form in which Go prints a time inside an error message: `2024-01-01 00:00:04 +0000 UTC`.
    pub(crate) fn go_string(self) -> String {
        let (year, month, day, hour, minute, second) = self.civil();
        format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} +0000 UTC")
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day, hour, minute, second) = self.civil();
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| D::Error::custom(format!("{text:?} is not a time in UTC by RFC 3339")))
    }
}

#[cfg(test)]
mod tests {
    use super::Time;

    #[test]
    fn a_time_survives_being_written_and_read() {
        for text in ["1970-01-01T00:00:00Z", "2024-02-29T23:59:59Z", "2026-11-21T04:19:00Z", "1999-12-31T00:00:01Z"] {
            assert_eq!(Time::parse(text).map(|time| time.to_string()).as_deref(), Some(text));
        }
        assert_eq!(Time::parse("1970-01-02T00:00:00.25Z"), Some(Time(86_400_250)));
        assert_eq!(Time::parse("yesterday"), None);
        assert_eq!(Time(1_704_067_200_000).rfc1123(), "Mon, 01 Jan 2024 00:00:00 +0000");
        assert_eq!(Time(0).go_string(), "1970-01-01 00:00:00 +0000 UTC");
    }
}
