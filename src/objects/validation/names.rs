//! Names, labels and annotations. Models apimachinery's util/validation.

use super::{Check, FieldError};
use crate::releases::Validation;
use serde_json::Value;

const LABEL_MESSAGE: &str = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and \
must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is \
'[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const SUBDOMAIN_MESSAGE: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or \
'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is \
'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const KEY_MESSAGE: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with \
an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is \
'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const VALUE_MESSAGE: &str = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', \
and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for \
validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

/// The bytes that an object's annotations may have.
const ANNOTATIONS: usize = 256 * 1024;

fn is_name(text: &str, inner: impl Fn(char) -> bool, edge: impl Fn(char) -> bool) -> bool {
    text.starts_with(&edge)
        && text.ends_with(&edge)
        && text.chars().all(|character| edge(character) || inner(character))
}

fn lower(character: char) -> bool {
    character.is_ascii_lowercase() || character.is_ascii_digit()
}

fn is_label(text: &str) -> bool {
    is_name(text, |character| character == '-', lower)
}

fn too_long(text: &str, most: usize) -> Option<String> {
    (text.len() > most).then(|| format!("must be no more than {most} characters"))
}

/// What is wrong with a DNS-1123 label.
pub(super) fn dns_label(text: &str, release: &Validation) -> Vec<String> {
    let mut wrong: Vec<String> = too_long(text, 63).into_iter().collect();
    if !is_label(text) {
        let has_dots = release.tells_dots && text.split('.').all(is_label);
        wrong.push(if has_dots { "must not contain dots" } else { LABEL_MESSAGE }.to_owned());
    }
    wrong
}

/// What is wrong with a DNS-1123 subdomain.
pub(super) fn dns_subdomain(text: &str) -> Vec<String> {
    let mut wrong: Vec<String> = too_long(text, 253).into_iter().collect();
    if !text.split('.').all(is_label) {
        wrong.push(SUBDOMAIN_MESSAGE.to_owned());
    }
    wrong
}

/// What is wrong with a name that may have a prefix: a label's key and its like.
pub(crate) fn qualified(text: &str) -> Vec<String> {
    let parts: Vec<&str> = text.split('/').collect();
    let mut wrong = Vec::new();
    let name = match parts[..] {
        [name] => name,
        [prefix, name] => {
            if prefix.is_empty() {
                wrong.push("prefix part must be non-empty".to_owned());
            } else {
                wrong.extend(dns_subdomain(prefix).into_iter().map(|words| format!("prefix part {words}")));
            }
            name
        }
        _ => {
            let prefix = " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
            return vec![format!("a qualified name {KEY_MESSAGE}{prefix}")];
        }
    };
    if name.is_empty() {
        wrong.push("name part must be non-empty".to_owned());
    }
    wrong.extend(too_long(name, 63).map(|words| format!("name part {words}")));
    if !is_name(name, |character| "-_.".contains(character), |character| character.is_ascii_alphanumeric()) {
        wrong.push(format!("name part {KEY_MESSAGE}"));
    }
    wrong
}

/// What is wrong with the value of a label.
pub(crate) fn label_value(text: &str) -> Vec<String> {
    let mut wrong: Vec<String> = too_long(text, 63).into_iter().collect();
    let fine = text.is_empty()
        || is_name(text, |character| "-_.".contains(character), |character| character.is_ascii_alphanumeric());
    if !fine {
        wrong.push(VALUE_MESSAGE.to_owned());
    }
    wrong
}

/// What is wrong with the name of a port.
pub(super) fn port_name(text: &str, release: &Validation) -> Vec<String> {
    let mut wrong = Vec::new();
    if text.len() > 15 {
        wrong.push("must be no more than 15 characters");
    }
    if !text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-') || text.is_empty() {
        wrong.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
    }
    if !text.bytes().any(|byte| byte.is_ascii_lowercase()) {
        wrong.push(release.port_without_letter);
    }
    if text.contains("--") {
        wrong.push("must not contain consecutive hyphens");
    }
    if text.starts_with('-') || text.ends_with('-') {
        wrong.push("must not begin or end with a hyphen");
    }
    wrong.into_iter().map(str::to_owned).collect()
}

/// What is wrong with the name of an environment variable.
pub(super) fn variable_name(text: &str, release: &Validation) -> Vec<String> {
    if release.relaxed_variable_names {
        let printable = text.bytes().all(|byte| (b' '..=b'~').contains(&byte) && byte != b'=');
        let words = "a valid environment variable name must consist only of printable ASCII characters other than '='";
        return if printable && !text.is_empty() { Vec::new() } else { vec![words.to_owned()] };
    }
    let inner = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    let fine = text.bytes().all(inner) && !text.starts_with(|first: char| first.is_ascii_digit()) && !text.is_empty();
    let mut wrong = Vec::new();
    if !fine {
        let words = "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and \
                     must not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for \
                     validation is '[-._a-zA-Z][-._a-zA-Z0-9]*')";
        wrong.push(words.to_owned());
    }
    wrong.extend(dots(text));
    wrong
}

/// What is wrong with a key of a ConfigMap or a Secret.
pub(super) fn config_key(text: &str) -> Vec<String> {
    let mut wrong: Vec<String> = too_long(text, 253).into_iter().collect();
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)) {
        let words = "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or \
                     'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
        wrong.push(words.to_owned());
    }
    wrong.extend(dots(text));
    wrong
}

fn dots(text: &str) -> Option<String> {
    match text {
        "." => Some("must not be '.'".to_owned()),
        ".." => Some("must not be '..'".to_owned()),
        _ if text.starts_with("..") => Some("must not start with '..'".to_owned()),
        _ => None,
    }
}

/// Keys and values of labels.
pub(super) fn labels(labels: &Value, path: &str, check: &mut Check) {
    for (key, value) in labels.as_object().into_iter().flatten() {
        check.all(path, key, qualified(key));
        let value = value.as_str().unwrap_or_default();
        check.all(path, value, label_value(value));
    }
}

/// Name, namespace, labels, annotations and the rest of a new object's metadata.
pub(super) fn metadata(metadata: &Value, name_is_label: bool, check: &mut Check) {
    let word = |name: &str| metadata[name].as_str().unwrap_or_default();
    let release = &check.server.validation;
    let of_name = |text: &str| if name_is_label { dns_label(text, release) } else { dns_subdomain(text) };
    if !word("generateName").is_empty() {
        let wrong = of_name(&masked(word("generateName")));
        check.all("metadata.generateName", word("generateName"), wrong);
    }
    if word("name").is_empty() {
        check.push(FieldError::required("metadata.name", "name or generateName is required"));
    } else {
        check.all("metadata.name", word("name"), of_name(word("name")));
    }
    check.all("metadata.namespace", word("namespace"), dns_label(word("namespace"), release));
    common_metadata(metadata, check);
}

/// The end of a prefix of names does not count.
fn masked(prefix: &str) -> String {
    match prefix.strip_suffix('-') {
        Some(before) if !before.is_empty() => format!("{before}a"),
        _ => prefix.to_owned(),
    }
}

/// What is checked of an object's metadata whenever it is written.
pub(super) fn common_metadata(metadata: &Value, check: &mut Check) {
    if let Some(generation) = metadata["generation"].as_i64().filter(|generation| *generation < 0) {
        check.invalid("metadata.generation", generation.to_string(), "must be greater than or equal to 0");
    }
    labels(&metadata["labels"], "metadata.labels", check);
    annotations(metadata, "metadata", check);
    owners(metadata, check);
    for (index, finalizer) in metadata["finalizers"].as_array().into_iter().flatten().enumerate() {
        let finalizer = finalizer.as_str().unwrap_or_default();
        check.all("metadata.finalizers", finalizer, qualified(finalizer));
        if !finalizer.contains('/') && !matches!(finalizer, "kubernetes" | "orphan" | "foregroundDeletion") {
            let path = format!("metadata.finalizers[{index}]");
            let detail = "name is neither a standard finalizer name nor is it fully qualified";
            check.invalid(&path, crate::objects::json::quoted(finalizer), detail);
        }
    }
}

fn owners(metadata: &Value, check: &mut Check) {
    let mut controller: Option<&Value> = None;
    for owner in metadata["ownerReferences"].as_array().into_iter().flatten() {
        let path = "metadata.ownerReferences";
        let word = |name: &str| owner[name].as_str().unwrap_or_default();
        let version = word("apiVersion").rsplit('/').next().unwrap_or_default();
        if version.is_empty() {
            check.invalid(
                &format!("{path}.apiVersion"),
                crate::objects::json::quoted(word("apiVersion")),
                "version must not be empty",
            );
        }
        for (name, detail) in
            [("kind", "kind must not be empty"), ("name", "name must not be empty"), ("uid", "uid must not be empty")]
        {
            if word(name).is_empty() {
                let detail =
                    if check.server.validation.brief_empty_owner_fields { "must not be empty" } else { detail };
                check.invalid(&format!("{path}.{name}"), crate::objects::json::quoted(""), detail);
            }
        }
        if owner["controller"] == true {
            match controller {
                None => controller = Some(owner),
                Some(first) => {
                    let names_kind = check.server.validation.tells_kinds_of_controllers;
                    let name = |owner: &Value| {
                        let word = |field: &str| owner[field].as_str().unwrap_or_default().to_owned();
                        if names_kind { format!("{}/{}", word("kind"), word("name")) } else { word("name") }
                    };
                    let detail = format!(
                        "Only one reference can have Controller set to true. Found \"true\" in references for {} and {}",
                        name(first),
                        name(owner)
                    );
                    let shown = check.go_value(&metadata["ownerReferences"], "OwnerReferences");
                    check.invalid(path, shown, detail);
                }
            }
        }
    }
}

/// Keys and size of annotations.
pub(super) fn annotations(metadata: &Value, path: &str, check: &mut Check) {
    let path = format!("{path}.annotations");
    let mut size = 0;
    for (key, value) in metadata["annotations"].as_object().into_iter().flatten() {
        check.all(&path, key, qualified(&key.to_ascii_lowercase()));
        size += key.len() + value.as_str().map_or(0, str::len);
    }
    if size > ANNOTATIONS {
        let words = check.server.validation.annotations_limit;
        check.push(FieldError::new(super::ErrorKind::TooLong, &path, "", format!("{words} {ANNOTATIONS} bytes")));
    }
}
