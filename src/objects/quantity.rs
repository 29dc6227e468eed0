//! Quantities: `500m`, `1Gi`, `0.5`. Models apimachinery's api/resource for what fits 128 bits.

use std::cmp::Ordering;

/// The decimal suffixes, as powers of ten.
const DECIMAL: [(&str, i32); 10] =
    [("n", -9), ("u", -6), ("m", -3), ("", 0), ("k", 3), ("M", 6), ("G", 9), ("T", 12), ("P", 15), ("E", 18)];
/// The binary suffixes, as powers of 1024.
const BINARY: [(&str, u32); 6] = [("Ki", 1), ("Mi", 2), ("Gi", 3), ("Ti", 4), ("Pi", 5), ("Ei", 6)];

/// Powers of ten without a suffix: an amount that is written with one of them loses it.
const SUFFIXLESS: [i32; 3] = [21, 24, 27];

/// A billionth is the smallest step.
const NANO: i128 = 1_000_000_000;

#[derive(Default)]
struct Quantity {
    nano: i128,
    binary: bool,
    /// Written with a power of ten, such as `1e3`.
    exponent: bool,
}

fn parse(text: &str) -> Option<Quantity> {
    let end =
        text.find(|character: char| !(character.is_ascii_digit() || "+-.".contains(character))).unwrap_or(text.len());
    let (number, suffix) = text.split_at(end);
    let (negative, digits) = match number.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, number.strip_prefix('+').unwrap_or(number)),
    };
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if (whole.is_empty() && part.is_empty()) || !is_number(whole) || !is_number(part) || part.len() > 9 {
        return None;
    }
    let whole: i128 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let part: i128 = format!("{part:0<9}").parse().ok()?;
    let unit = whole.checked_mul(NANO)?.checked_add(part)?;
    let exponent = !suffix.is_empty() && !DECIMAL.iter().any(|(name, _)| *name == suffix);
    let scaled = if let Some((_, power)) = BINARY.iter().find(|(name, _)| *name == suffix) {
        unit.checked_mul(1024_i128.pow(*power))?
    } else {
        let named = DECIMAL.iter().find(|(name, _)| *name == suffix).map(|(_, power)| *power);
        let exponent = || suffix.strip_prefix(['e', 'E'])?.parse::<i32>().ok().filter(|power| power.abs() <= 27);
        match named.or_else(exponent)? {
            power if power >= 0 => unit.checked_mul(10_i128.pow(power.unsigned_abs()))?,
            // Upstream rounds up what is smaller than a billionth.
            power => {
                let divisor = 10_i128.pow(power.unsigned_abs());
                (unit + divisor - 1) / divisor
            }
        }
    };
    let binary = BINARY.iter().any(|(name, _)| *name == suffix);
    // A limit of binary amounts alone.
    let scaled = if binary { scaled.min(i128::from(i64::MAX) * NANO) } else { scaled };
    Some(Quantity { nano: if negative { -scaled } else { scaled }, binary, exponent: exponent && !binary })
}

/// The amount in billionths. None if it is no quantity.
pub(crate) fn in_nano(text: &str) -> Option<i128> {
    parse(text).map(|quantity| quantity.nano)
}

/// Such an amount as the API server writes it: with binary suffixes where its quantities have them.
pub(crate) fn from_nano(nano: i128, binary: bool) -> String {
    written(&Quantity { nano, binary, exponent: false }).unwrap_or_default()
}

/// Whether a quantity is written with a binary suffix.
pub(crate) fn is_binary(text: &str) -> bool {
    parse(text).is_some_and(|quantity| quantity.binary)
}

/// The form the API server stores: the largest suffix that leaves a whole number. None if it is no quantity.
pub(crate) fn canonical(text: &str) -> Option<String> {
    written(&parse(text)?)
}

fn written(quantity: &Quantity) -> Option<String> {
    if quantity.nano == 0 {
        return Some("0".to_owned());
    }
    if quantity.binary && quantity.nano % NANO == 0 && quantity.nano.abs() >= 1024 * NANO {
        let whole = quantity.nano / NANO;
        for (name, power) in BINARY.iter().rev() {
            let unit = 1024_i128.pow(*power);
            if whole % unit == 0 {
                return Some(format!("{}{name}", whole / unit));
            }
        }
        return Some(whole.to_string());
    }
    if quantity.exponent {
        return (-3..=9).rev().map(|thousands| thousands * 3).find_map(|power: i32| {
            let unit = 10_i128.pow((power + 9).unsigned_abs());
            let suffix = if power == 0 { String::new() } else { format!("e{power}") };
            (quantity.nano % unit == 0).then(|| format!("{}{suffix}", quantity.nano / unit))
        });
    }
    let beyond = SUFFIXLESS.iter().map(|power| ("", *power));
    DECIMAL.iter().copied().chain(beyond).rev().find_map(|(name, power)| {
        let unit = 10_i128.pow((power + 9).unsigned_abs());
        (quantity.nano % unit == 0).then(|| format!("{}{name}", quantity.nano / unit))
    })
}

/// Whether the form that is stored says another amount.
pub(super) fn is_lossy(text: &str) -> bool {
    canonical(text).is_some_and(|stored| in_nano(&stored) != in_nano(text))
}

/// Whether the API server takes it for a whole number: it looks at its thousandths in 64 bits, and of more than 18 digits
/// only the lowest are left. Models MilliValue.
#[allow(clippy::cast_possible_truncation, reason = "what is left of a number that is too large")]
pub(super) fn is_whole(text: &str) -> bool {
    let Some(nano) = in_nano(text) else { return true };
    let milli = nano.div_euclid(1_000_000) + i128::from(nano.rem_euclid(1_000_000) != 0);
    let digits = text.trim_start_matches(['+', '-', '0']).chars().take_while(|it| it.is_ascii_digit() || *it == '.');
    let is_long = digits.filter(char::is_ascii_digit).count() > 18;
    (if is_long { i128::from(milli as i64) } else { milli }) % 1000 == 0
}

/// Amounts added up. The first that is not nothing says how the sum is written.
#[derive(Default)]
pub(crate) struct QuantitySum(Quantity);

impl QuantitySum {
    /// Adds a quantity; what is none adds nothing.
    pub(crate) fn add(&mut self, text: &str) {
        self.join(Self(parse(text).unwrap_or_default()));
    }

    /// Adds another sum.
    pub(crate) fn join(&mut self, other: Self) {
        self.0.binary = if self.0.nano == 0 { other.0.binary } else { self.0.binary };
        self.0.nano = self.0.nano.saturating_add(other.0.nano);
    }

    /// In billionths.
    pub(crate) fn nano(&self) -> i128 {
        self.0.nano
    }

    /// As the API writes it.
    pub(crate) fn text(&self) -> String {
        written(&self.0).unwrap_or_default()
    }
}

/// How the first compares with the second; none if one of them is no quantity.
pub(super) fn compare(one: &str, other: &str) -> Option<Ordering> {
    Some(parse(one)?.nano.cmp(&parse(other)?.nano))
}

/// Why a text is no quantity.
pub(crate) fn quantity_error(text: &str) -> Option<&'static str> {
    match canonical(text) {
        Some(_) => None,
        None if has_quantity_form(text) => Some("unable to parse quantity's suffix"),
        None => Some("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"),
    }
}

/// Whether the text has a number and letters of a suffix, though perhaps none that there is.
fn has_quantity_form(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let number = unsigned.trim_start_matches(|it: char| it.is_ascii_digit());
    let number = number.strip_prefix('.').unwrap_or(number).trim_start_matches(|it: char| it.is_ascii_digit());
    let suffix = number.trim_start_matches(|it: char| "eEinumkKMGTP".contains(it));
    let exponent = suffix.strip_prefix(['+', '-']).unwrap_or(suffix);
    number.len() < unsigned.len() && exponent.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::{canonical, is_lossy, is_whole};

    #[test]
    fn quantities_are_stored_in_their_canonical_form() {
        for (text, want) in [
            ("1000m", "1"),
            ("0.5", "500m"),
            ("1024Mi", "1Gi"),
            ("1Gi", "1Gi"),
            ("1.5Gi", "1536Mi"),
            ("100M", "100M"),
            ("1000k", "1M"),
            ("1e3", "1e3"),
            ("12E2", "1200"),
            ("1000e0", "1e3"),
            ("5e-4", "500e-6"),
            ("1e21", "1e21"),
            ("1e+21", "1e21"),
            ("0", "0"),
            ("-1", "-1"),
            ("0.5Ki", "512"),
            ("0.9765625Ki", "1k"),
            ("16Ei", "9223372036854775807"),
            ("7Ei", "7Ei"),
            ("120000000000000000000", "120E"),
            // There is no suffix for so much, and none is written.
            ("1000000000000000000000", "1"),
            ("3500000000000000000000", "3500E"),
            ("7000000000000000000000000", "7"),
        ] {
            assert_eq!(canonical(text).as_deref(), Some(want), "{text}");
        }
        for text in ["", "Gi", "1GB", "one", "1.2.3", "--1"] {
            assert_eq!(canonical(text), None, "{text}");
        }
    }

    #[test]
    fn an_amount_that_is_too_large_is_no_whole_number() {
        for text in ["0", "1", "-3", "1E", "1000m", "2Gi"] {
            assert!(is_whole(text), "{text}");
        }
        for text in ["1500m", "0.1", "1n", "1000000000000000000000"] {
            assert!(!is_whole(text), "{text}");
        }
        assert!(is_lossy("1000000000000000000000"));
        assert!(!is_lossy("1000000000000000000"));
    }
}
