//! Times as kubectl prints them for people.

use crate::objects::Time;

/// The milliseconds of `5d`, `3d4h`, `2m11s`. Models HumanDuration of apimachinery.
pub(super) fn age(text: &str) -> Option<i64> {
    let (mut sum, mut number) = (0_i64, None::<i64>);
    for letter in text.chars() {
        if let Some(digit) = letter.to_digit(10) {
            number = Some(number.unwrap_or(0).checked_mul(10)?.checked_add(i64::from(digit))?);
            continue;
        }
        let unit = match letter {
            's' => 1_000,
            'm' => 60_000,
            'h' => 3_600_000,
            'd' => 86_400_000,
            'y' => 365 * 86_400_000,
            _ => return None,
        };
        sum = sum.checked_add(number.take()?.checked_mul(unit)?)?;
    }
    (number.is_none() && !text.is_empty()).then_some(sum)
}

/// What `2m (x12 over 30m)` says of an event: how long ago it was last and first, and how often.
pub(super) fn event(text: &str) -> Option<(i64, i64, u64)> {
    let Some((last, more)) = text.split_once(" (x") else {
        let once = age(text.trim())?;
        return Some((once, once, 1));
    };
    let (count, first) = more.trim_end_matches(')').split_once(" over ")?;
    Some((age(last.trim())?, age(first.trim())?, count.trim().parse().ok()?))
}

/// The moment of `Mon, 20 Nov 2026 09:59:00 +0100`.
pub(super) fn rfc1123(text: &str) -> Option<Time> {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let mut words = text.split_whitespace();
    let [_, day, month, year, time, zone] = std::array::from_fn(|_| words.next().unwrap_or_default());
    let month = MONTHS.find(month).filter(|at| month.len() == 3 && at % 3 == 0)? / 3 + 1;
    let at = Time::parse(&format!("{year}-{month:02}-{day:0>2}T{time}Z"))?;
    let offset = |text: &str| {
        let (hours, minutes) = (text.get(1..3)?.parse::<i64>().ok()?, text.get(3..5)?.parse::<i64>().ok()?);
        Some((hours * 60 + minutes) * if text.starts_with('-') { -60_000 } else { 60_000 })
    };
    Some(Time(at.0 - offset(zone).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::{age, event, rfc1123};
    use crate::objects::Time;

    #[test]
    fn what_kubectl_prints_is_read() {
        assert_eq!([age("12s"), age("3m4s"), age("5d3h")], [Some(12_000), Some(184_000), Some(442_800_000)]);
        assert_eq!([age("<unknown>"), age(""), age("5"), age("99999999999999999999d")], [None; 4]);
        assert_eq!(event("2m (x12 over 30m)"), Some((120_000, 1_800_000, 12)));
        assert_eq!(event("5s"), Some((5_000, 5_000, 1)));
        assert_eq!(rfc1123("Fri, 20 Nov 2026 10:00:00 +0100"), Time::parse("2026-11-20T09:00:00Z"));
        assert_eq!(rfc1123("Fri, 20 Nov"), None);
    }
}
