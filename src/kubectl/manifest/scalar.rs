//! What a plain YAML scalar means, read as kubectl reads it: by YAML 1.1, as go-yaml does.

use serde_json::{Number, Value};

/// The value of an unquoted scalar.
pub(super) fn resolve(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Value::Null,
        "true" | "True" | "TRUE" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" => return Value::Bool(true),
        "false" | "False" | "FALSE" | "no" | "No" | "NO" | "off" | "Off" | "OFF" => return Value::Bool(false),
        _ => {}
    }
    number(text).map_or_else(|| Value::String(text.to_owned()), Value::Number)
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
    let radix = |prefix: &str, radix: u32| {
        let digits = digits.strip_prefix(prefix).filter(|digits| !digits.starts_with(['+', '-']))?;
        i64::from_str_radix(digits, radix).ok()
    };
    let whole = radix("0x", 16).or_else(|| radix("0b", 2)).or_else(|| radix("0o", 8)).or_else(|| {
        let is_octal =
            digits.len() > 1 && digits.starts_with('0') && digits.bytes().all(|byte| matches!(byte, b'0'..=b'7'));
        if is_octal { i64::from_str_radix(digits, 8).ok() } else { None }
    });
    if let Some(whole) = whole {
        return Some(Number::from(if negative { -whole } else { whole }));
    }
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        if let Ok(whole) = plain.parse::<i64>() {
            return Some(whole.into());
        }
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
            ("y", json!("y")),
        ] {
            assert_eq!(resolve(text), want, "{text}");
        }
    }
}
