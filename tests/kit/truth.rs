//! What a test counted, in `www/truth.json`: the page "How true is this?" tells it. `WRITE_TRUTH=1` renews the part of a test.

use serde::Serialize;
use serde_json::Value;
use std::path::Path;

/// Whether the file says what a test counted; if not, why.
pub(crate) fn states<T: Serialize>(part: &str, counted: &T) -> Result<(), String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("www/truth.json");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|_| "{}".to_owned());
    let mut file: Value = serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    let counted = serde_json::to_value(counted).map_err(|error| error.to_string())?;
    if file[part] == counted {
        return Ok(());
    }
    if std::env::var_os("WRITE_TRUTH").is_none() {
        let stated = &file[part];
        return Err(format!("www/truth.json says of {part}:\n{stated}\ncounted:\n{counted}\nWRITE_TRUTH=1 renews it"));
    }
    file[part] = counted;
    let text = serde_json::to_string_pretty(&file).map_err(|error| error.to_string())? + "\n";
    std::fs::write(&path, text).map_err(|error| error.to_string())
}
