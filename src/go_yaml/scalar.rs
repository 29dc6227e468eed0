//! What a YAML scalar means, read as kubectl reads it: by YAML 1.1, as go-yaml does.

use serde_json::{Number, Value};

/// Why a scalar has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// It is not what its tag says.
    Yaml(String),
    /// JSON has no such number.
    Json(String),
}

/// The value of an unquoted scalar, or of one with a tag.
pub(crate) fn resolve(text: String, tag: &str) -> Result<Value, Unfit> {
    let plain = tag.strip_prefix("!<tag:yaml.org,2002:").and_then(|tag| tag.strip_suffix('>'));
    let tag = match tag.strip_prefix("!!").or(plain) {
        Some(tag) => tag,
        None if tag.is_empty() => "",
        None => return Ok(Value::String(text)),
    };
    if tag == "binary" {
        return decoded(&text)
            .map(Value::String)
            .ok_or_else(|| Unfit::Yaml("yaml: !!binary value contains invalid base64 data".to_owned()));
    }
    if !matches!(tag, "" | "bool" | "int" | "float" | "timestamp" | "null") {
        return Ok(Value::String(text));
    }
    let (found, value) = implied(&text);
    let fits = found == tag || (found, tag) == ("int", "float") || (tag == "timestamp" && is_date(&text));
    if !tag.is_empty() && !fits {
        return Err(Unfit::Yaml(format!("yaml: cannot decode !!{found} `{text}` as a !!{tag}")));
    }
    match infinite(&text) {
        Some(name) => Err(Unfit::Json(format!("json: unsupported value: {name}"))),
        None => Ok(value.unwrap_or(Value::String(text))),
    }
}

/// What base64 stands for, its line ends left out.
fn decoded(text: &str) -> Option<String> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let text: Vec<u8> = text.bytes().filter(|byte| !b"\r\n".contains(byte)).collect();
    let letters: Vec<u8> = text.iter().copied().take_while(|byte| *byte != b'=').collect();
    let padding = &text[letters.len()..];
    if !text.len().is_multiple_of(4) || padding.len() > 2 || padding.iter().any(|byte| *byte != b'=') {
        return None;
    }
    let mut bytes = Vec::new();
    for group in letters.chunks(4) {
        let mut bits = 0_u32;
        for letter in group {
            bits = bits << 6 | u32::try_from(LETTERS.iter().position(|known| known == letter)?).ok()?;
        }
        bits <<= 6 * (4 - group.len());
        bytes.extend_from_slice(&bits.to_be_bytes()[1..group.len()]);
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The tag of a scalar by its form, and its value if it is no text.
fn implied(text: &str) -> (&'static str, Option<Value>) {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return ("null", Some(Value::Null)),
        "y" | "Y" | "true" | "True" | "TRUE" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" => {
            return ("bool", Some(true.into()));
        }
        "n" | "N" | "false" | "False" | "FALSE" | "no" | "No" | "NO" | "off" | "Off" | "OFF" => {
            return ("bool", Some(false.into()));
        }
        _ if infinite(text).is_some() => return ("float", None),
        _ => {}
    }
    match number(text) {
        Some(number) => {
            let is_float = text.contains('.') || (text.contains(['e', 'E']) && !text.contains(['x', 'X']));
            (if is_float { "float" } else { "int" }, Some(Value::Number(number)))
        }
        None => ("str", None),
    }
}

/// Go's name of a number that is none.
fn infinite(text: &str) -> Option<&'static str> {
    match text {
        ".nan" | ".NaN" | ".NAN" => Some("NaN"),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => Some("+Inf"),
        "-.inf" | "-.Inf" | "-.INF" => Some("-Inf"),
        _ => None,
    }
}

fn is_date(text: &str) -> bool {
    let mut parts = text.splitn(3, '-');
    let digits = |part: Option<&str>, most: usize| {
        part.is_some_and(|part| (1..=most).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit()))
    };
    digits(parts.next(), 4)
        && digits(parts.next(), 2)
        && parts.next().is_some_and(|day| day.starts_with(|it: char| it.is_ascii_digit()))
}

fn number(text: &str) -> Option<Number> {
    let first = text.bytes().next()?;
    if !(first.is_ascii_digit() || matches!(first, b'+' | b'-' | b'.')) {
        return None;
    }
    let plain = text.replace('_', "");
    let (negative, digits) = match plain.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, plain.strip_prefix('+').unwrap_or(&plain)),
    };
    let radix = |small: &str, capital: &str, radix: u32| {
        let digits = digits
            .strip_prefix(small)
            .or_else(|| digits.strip_prefix(capital))
            .filter(|digits| !digits.starts_with(['+', '-']))?;
        i64::from_str_radix(digits, radix).ok()
    };
    let whole = radix("0x", "0X", 16).or_else(|| radix("0b", "0B", 2)).or_else(|| radix("0o", "0O", 8)).or_else(|| {
        let is_octal =
            digits.len() > 1 && digits.starts_with('0') && digits.bytes().all(|byte| matches!(byte, b'0'..=b'7'));
        if is_octal { i64::from_str_radix(digits, 8).ok() } else { None }
    });
    if let Some(whole) = whole {
        return Some(Number::from(if negative { -whole } else { whole }));
    }
    if !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && let Ok(whole) = plain.parse::<i64>()
    {
        return Some(whole.into());
    }
    is_decimal(digits).then(|| plain.parse().ok().and_then(fraction))?
}

/// Digits, a point somewhere, and an exponent behind them.
fn is_decimal(digits: &str) -> bool {
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (mantissa, exponent) = digits.split_once(['e', 'E']).unwrap_or((digits, "0"));
    let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    is_number(whole)
        && is_number(part)
        && !(whole.is_empty() && part.is_empty())
        && !exponent.is_empty()
        && is_number(exponent)
}

/// A whole number stays one, as it does on its way through Go's JSON.
#[allow(clippy::cast_possible_truncation, reason = "only what fits is cast")]
fn fraction(number: f64) -> Option<Number> {
    if number.fract() == 0.0 && number.abs() < 9.0e18 {
        Some(Number::from(number as i64))
    } else {
        Number::from_f64(number)
    }
}

#[cfg(test)]
mod tests {
    use super::resolve;
    use serde_json::json;

    #[test]
    fn scalars_are_read_as_kubectl_reads_them() {
        for (text, want) in [
            ("yes", json!(true)),
            ("off", json!(false)),
            ("~", json!(null)),
            ("3", json!(3)),
            ("-1", json!(-1)),
            ("0x1f", json!(31)),
            ("0644", json!(420)),
            ("0o17", json!(15)),
            ("1_000", json!(1000)),
            ("1.5", json!(1.5)),
            ("+.5", json!(0.5)),
            ("1e", json!("1e")),
            ("1.27.3", json!("1.27.3")),
            ("1Gi", json!("1Gi")),
            ("2024-01-01", json!("2024-01-01")),
            ("-", json!("-")),
            (".", json!(".")),
            ("y", json!(true)),
            ("0X10", json!(16)),
            ("18446744073709551615", json!(18446744073709552000.0)),
        ] {
            assert_eq!(resolve(text.to_owned(), ""), Ok(want), "{text}");
        }
    }
}
