//! Patches of single fields.

use crate::objects::write_quoted;

/// The patch that sets one field of the spec, by its path below it: a number as a number, `true` and `false` as such, a
/// list or an object in JSON as it is, a word as a word, nothing as null.
pub(crate) fn patch_of(path: &str, value: &str) -> String {
    let value = value.trim();
    let value = match value.parse::<i64>() {
        Ok(number) => number.to_string(),
        Err(_) if value.is_empty() => "null".to_owned(),
        Err(_) if matches!(value, "true" | "false") || value.starts_with(['[', '{']) => value.to_owned(),
        Err(_) => {
            let mut quoted = String::new();
            write_quoted(value, "", &mut quoted);
            quoted
        }
    };
    // What `$retainKeys` of kubectl apply does: Recreate has no limits.
    if (path, &*value) == ("strategy.type", "\"Recreate\"") {
        return r#"{"spec":{"strategy":{"type":"Recreate","rollingUpdate":null}}}"#.to_owned();
    }
    let open: String = path.split('.').flat_map(|name| ["{\"", name, "\":"]).collect();
    let close = "}".repeat(path.split('.').count());
    ["{\"spec\":", &open, &value, &close, "}"].concat()
}
