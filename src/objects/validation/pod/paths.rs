//! Paths inside volumes.

use crate::objects::json::quoted;
use crate::objects::validation::Check;

pub(super) fn descending_path(text: &str, path: &str, check: &mut Check) {
    if text.starts_with('/') {
        check.invalid(path, quoted(text), "must be a relative path");
    }
    no_backsteps(text, path, check);
}

pub(super) fn no_backsteps(text: &str, path: &str, check: &mut Check) {
    if text.split('/').any(|step| step == "..") {
        check.invalid(path, quoted(text), "must not contain '..'");
    }
}

pub(super) fn local_path(text: &str, path: &str, check: &mut Check) {
    descending_path(text, path, check);
    if text.starts_with("..") && !text.starts_with("../") {
        check.invalid(path, quoted(text), "must not start with '..'");
    }
}
