//! Names, labels and annotations. Models apimachinery's util/validation.

use super::{FieldError, quoted};
use serde_json::Value;

const LABEL_MESSAGE: &str = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and \
must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is \
'[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const SUBDOMAIN_MESSAGE: &str = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or \
'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is \
'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const KEY_MESSAGE: &str = "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with \
an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is \
'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const VALUE_MESSAGE: &str = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', \
and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for \
validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

fn is_name(text: &str, inner: impl Fn(char) -> bool, edge: impl Fn(char) -> bool) -> bool {
    text.starts_with(&edge)
        && text.ends_with(&edge)
        && text.chars().all(|character| edge(character) || inner(character))
}

fn lower(character: char) -> bool {
    character.is_ascii_lowercase() || character.is_ascii_digit()
}

/// What is wrong with a DNS-1123 label, if anything.
pub(super) fn dns_label(text: &str) -> Option<String> {
    if text.len() > 63 {
        return Some("must be no more than 63 characters".to_owned());
    }
    (!is_name(text, |character| character == '-', lower)).then(|| LABEL_MESSAGE.to_owned())
}

/// What is wrong with a DNS-1123 subdomain, if anything.
fn dns_subdomain(text: &str) -> Option<String> {
    if text.len() > 253 {
        return Some("must be no more than 253 characters".to_owned());
    }
    let fine = text.split('.').all(|part| is_name(part, |character| character == '-', lower));
    (!fine).then(|| SUBDOMAIN_MESSAGE.to_owned())
}

fn qualified(text: &str) -> Option<String> {
    let (prefix, name) = match text.split_once('/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, text),
    };
    if let Some(prefix) = prefix {
        if prefix.is_empty() {
            return Some("prefix part must be non-empty".to_owned());
        }
        if let Some(wrong) = dns_subdomain(prefix) {
            return Some(format!("prefix part {wrong}"));
        }
    }
    if name.is_empty() {
        return Some("name part must be non-empty".to_owned());
    }
    if name.len() > 63 {
        return Some("name part must be no more than 63 characters".to_owned());
    }
    let fine = is_name(name, |character| "-_.".contains(character), |character| character.is_ascii_alphanumeric());
    (!fine).then(|| KEY_MESSAGE.to_owned())
}

fn label_value(text: &str) -> Option<String> {
    if text.len() > 63 {
        return Some("must be no more than 63 characters".to_owned());
    }
    let fine = text.is_empty()
        || is_name(text, |character| "-_.".contains(character), |character| character.is_ascii_alphanumeric());
    (!fine).then(|| VALUE_MESSAGE.to_owned())
}

/// Keys and values of labels.
pub(super) fn labels(labels: &Value, path: &str, errors: &mut Vec<FieldError>) {
    for (key, value) in labels.as_object().into_iter().flatten() {
        if let Some(wrong) = qualified(key) {
            errors.push(FieldError::invalid(path, quoted(key), wrong));
        }
        let value = value.as_str().unwrap_or_default();
        if let Some(wrong) = label_value(value) {
            errors.push(FieldError::invalid(path, quoted(value), wrong));
        }
    }
}

/// Name, namespace, labels and annotations of an object.
pub(super) fn metadata(metadata: &Value, path: &str, is_label: bool, errors: &mut Vec<FieldError>) {
    let word = |name: &str| metadata[name].as_str().unwrap_or_default();
    if word("name").is_empty() {
        errors.push(FieldError::required(&format!("{path}.name"), "name or generateName is required"));
    } else if let Some(wrong) = if is_label { dns_label(word("name")) } else { dns_subdomain(word("name")) } {
        errors.push(FieldError::invalid(&format!("{path}.name"), quoted(word("name")), wrong));
    }
    if let Some(wrong) = dns_label(word("namespace")) {
        errors.push(FieldError::invalid(&format!("{path}.namespace"), quoted(word("namespace")), wrong));
    }
    labels_and_annotations(metadata, path, errors);
}

/// Labels and annotations alone, as of a template.
pub(super) fn labels_and_annotations(metadata: &Value, path: &str, errors: &mut Vec<FieldError>) {
    labels(&metadata["labels"], &format!("{path}.labels"), errors);
    for key in metadata["annotations"].as_object().into_iter().flatten().map(|(key, _)| key) {
        if let Some(wrong) = qualified(&key.to_ascii_lowercase()) {
            errors.push(FieldError::invalid(&format!("{path}.annotations"), quoted(key), wrong));
        }
    }
}
