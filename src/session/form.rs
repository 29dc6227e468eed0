//! The text of a scenario: its fields, and the line in which one stands that is wrong.

use crate::kubectl::manifest;
use crate::kubectl::{Error, Problem, Refusal};
use serde_json::Value;

/// What a text may hold beside `setscope`; tests read `assert`.
const KEYS: &str = "setscope title text tags told release featureGates seed nodes objects lanes since open until opensAfter run then assert";

/// The version of the form. A later one is refused, an earlier one is read.
pub(super) const VERSION: i64 = 1;

/// A text as fields that a scenario has.
pub(super) struct Form<'a> {
    text: &'a str,
    pub(super) value: Value,
}

impl<'a> Form<'a> {
    pub(super) fn read(text: &'a str) -> Result<Self, Refusal> {
        Self::read_with(text, KEYS)
    }

    /// Fields that are known to be right.
    pub(super) fn of(value: Value) -> Self {
        Self { text: "", value }
    }

    /// A text with these fields.
    pub(super) fn read_with(text: &'a str, keys: &str) -> Result<Self, Refusal> {
        let form = Self { text, value: manifest::read_value(text).map_err(unreadable)? };
        match form.value["setscope"].as_i64() {
            Some(1..=VERSION) => {}
            Some(newer) => {
                let words = text!("this is a scenario of version {}; this page reads version {}", newer, VERSION);
                return Err(form.placed("setscope", Refusal::own(words)));
            }
            None => return Err(no_scenario()),
        }
        let unknown = |key: &&String| !keys.split(' ').any(|own| own == **key);
        if let Some(key) = form.value.as_object().and_then(|fields| fields.keys().find(unknown)) {
            return Err(form.placed(
                key,
                Refusal::own(text!("{} is not a field of a scenario; its fields are {}", format!("{key:?}"), keys)),
            ));
        }
        Ok(form)
    }

    /// What is done with a field. A refusal says in which line the field stands.
    pub(super) fn at<T>(&self, path: &str, take: impl FnOnce(&Value) -> Result<T, Refusal>) -> Result<T, Refusal> {
        take(&self.value[path]).map_err(|refusal| self.placed(path, refusal))
    }

    /// A refusal of an entry of the run. It may be about a line of the manifest in it.
    pub(super) fn placed_entry(&self, index: usize, mut refusal: Refusal) -> Refusal {
        let entry = format!("run[{index}]");
        let places = manifest::places(self.text);
        let (apply, _) = places.find(&format!("{entry}.apply"));
        let is_block = self.text.lines().nth(apply.saturating_sub(1)).is_some_and(|line| line.contains("apply: |"));
        for problem in &mut refusal.problems {
            problem.line = match problem.line {
                Some(line) if is_block => Some(apply + line),
                _ => Some(places.find(&entry).0),
            };
            problem.entry = Some(index);
        }
        refusal
    }

    pub(super) fn placed(&self, path: &str, mut refusal: Refusal) -> Refusal {
        let (line, _) = manifest::places(self.text).find(path);
        refusal.problems.iter_mut().for_each(|problem| problem.line = Some(line));
        refusal
    }
}

/// What is wrong with a text that is no YAML, without the text.
fn unreadable(read: manifest::NotAPatch) -> Refusal {
    match read.unreadable {
        Some(at) => {
            let text = text!("this is no YAML: {}", at.message);
            Problem::new(Error::Own(text)).at(at.line, at.column).into()
        }
        None => no_scenario(),
    }
}

fn no_scenario() -> Refusal {
    Refusal::own(text!("this is not a scenario: a scenario starts with `setscope: 1`"))
}
