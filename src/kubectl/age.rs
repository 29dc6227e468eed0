//! kubectl's durations.

use crate::objects::Time;
use crate::sim::EventRecord;

/// kubectl's age of something: `12s`, `3m4s`, `15m`, `2h`. Models HumanDuration of apimachinery.
pub fn age(milliseconds: i64) -> String {
    let seconds = milliseconds.max(0) / 1000;
    let (minutes, hours) = (seconds / 60, seconds / 3600);
    match seconds {
        0..120 => format!("{seconds}s"),
        120..600 if seconds % 60 == 0 => format!("{minutes}m"),
        120..600 => format!("{minutes}m{}s", seconds % 60),
        600..10_800 => format!("{minutes}m"),
        10_800..28_800 if minutes % 60 == 0 => format!("{hours}h"),
        10_800..28_800 => format!("{hours}h{}m", minutes % 60),
        28_800..172_800 => format!("{hours}h"),
        172_800..691_200 if hours % 24 > 0 => format!("{}d{}h", hours / 24, hours % 24),
        _ => format!("{}d", hours / 24),
    }
}

/// How old something is that was made then.
pub(super) fn since(now: Time, then: Option<Time>) -> String {
    then.map_or_else(|| "<unknown>".to_owned(), |then| age(now.0 - then.0))
}

/// `12s`, or `12s (x4 over 5m)` of an event that was seen more than once.
pub(crate) fn event_age(now: Time, event: &EventRecord) -> String {
    let last = age(now.0 - event.last.0);
    if event.count == 1 { last } else { format!("{last} (x{} over {})", event.count, age(now.0 - event.first.0)) }
}

#[cfg(test)]
mod tests {
    use super::age;

    #[test]
    fn the_longer_the_coarser() {
        assert_eq!([age(12_000), age(184_000), age(900_000), age(11_000_000)], ["12s", "3m4s", "15m", "3h3m"]);
        assert_eq!([age(-1), age(172_800_000), age(183_600_000), age(864_000_000)], ["0s", "2d", "2d3h", "10d"]);
    }
}
