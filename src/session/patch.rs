//! Patches of single fields.

use crate::objects::write_quoted;

/// The patch that sets one field of the spec, by its path below it: a number as a number, `true` and `false` as such, a
/// word as a word, nothing as null.
pub fn patch_of(path: &str, value: &str) -> String {
    let value = value.trim();
    let value = match value.parse::<i64>() {
        Ok(number) => number.to_string(),
        Err(_) if value.is_empty() => "null".to_owned(),
        Err(_) if matches!(value, "true" | "false") => value.to_owned(),
        Err(_) => {
            let mut quoted = String::new();
            write_quoted(value, "", &mut quoted);
            quoted
        }
    };
    let open: String = path.split('.').flat_map(|name| ["{\"", name, "\":"]).collect();
    let close = "}".repeat(path.split('.').count());
    ["{\"spec\":", &open, &value, &close, "}"].concat()
}
