//! What is compared of an answer, and how it is counted.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

/// An answer to one text, recorded or ours.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Answer {
    pub(crate) accepted: bool,
    /// One for each field that is wrong; else one for the whole refusal.
    pub(crate) messages: Vec<String>,
    /// What is stored.
    pub(crate) object: Value,
}

impl Answer {
    /// What was recorded of a document; none for what says nothing of the server.
    pub(crate) fn recorded(document: &Value) -> Option<Self> {
        let word = |name: &str| document[name].as_str().unwrap_or_default();
        // The recording program failed on some, and could not make names.
        if !matches!(word("verdict"), "accepted" | "refused") || word("stage") == "internalerror" {
            return None;
        }
        // kubectl apply refuses generateName, which it does not know.
        if document["object"]["metadata"].get("generateName").is_some() {
            return None;
        }
        let causes = document["causes"].as_array().map_or(&[][..], Vec::as_slice);
        let mut messages: Vec<String> = causes.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        if messages.is_empty() && word("verdict") == "refused" {
            messages.push(word("message").to_owned());
        }
        Some(Self {
            accepted: word("verdict") == "accepted",
            messages: plain(messages),
            object: stored(&document["object"]),
        })
    }

    /// Ours, of the messages that stand beside the lines.
    pub(crate) fn ours(outcome: Result<Value, Vec<String>>) -> Self {
        match outcome {
            Ok(object) => Self { accepted: true, messages: Vec::new(), object: stored(&object) },
            Err(messages) => Self { accepted: false, messages: plain(messages), object: Value::Null },
        }
    }
}

/// Messages without the frames of kubectl that stand around all of one refusal, in no order: the recordings' is not
/// certain, and here each stands beside its line.
fn plain(messages: Vec<String>) -> Vec<String> {
    let mut all = Vec::new();
    for message in messages {
        let mut text = message.trim_start_matches("Error from server (BadRequest): ");
        text = text.strip_prefix("error: ").unwrap_or(text);
        let frames = ["error validating \"STDIN\": error validating data: ", "error parsing STDIN: "];
        text = frames.iter().find_map(|frame| text.strip_prefix(*frame)).unwrap_or(text);
        let validation = "; if you choose to ignore these errors, turn validation off with --validate=false";
        text = text.strip_suffix(validation).unwrap_or(text);
        // The recordings of 1.34 were made with a kubectl that put fewer words around it.
        if let Some((frame, rest)) = text.split_once("\"STDIN\": ")
            && ["unable to recognize ", "resource mapping not found for "].iter().any(|own| frame.starts_with(own))
        {
            text = rest.strip_suffix("\nensure CRDs are installed first").unwrap_or(rest);
        }
        if let Some((_, fields)) = text.split_once("strict decoding error: ") {
            all.extend(fields.split(", ").map(str::to_owned));
        } else if text.starts_with("[ValidationError") || text.starts_with("[unknown object type") {
            let inner = text.trim_start_matches('[').trim_end_matches(']');
            all.extend(inner.replace(", ValidationError", "\nValidationError").split('\n').map(str::to_owned));
        } else if let Some((_, cause)) = text.split_once(" is invalid: ").filter(|_| text.starts_with("The ")) {
            match cause.strip_prefix("\n* ") {
                Some(several) => all.extend(several.split("\n* ").map(str::to_owned)),
                None => all.push(cause.to_owned()),
            }
        } else {
            all.push(text.to_owned());
        }
    }
    all.iter_mut().for_each(|text| *text = without_context_of_the_run(&without_addresses(text)));
    all.sort();
    all.dedup();
    all
}

/// Go prints where a struct lies in memory, which is another place in each run.
fn without_addresses(text: &str) -> String {
    let mut parts = text.split("(0xc");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str("(0xc");
        plain.push_str(part.trim_start_matches(|it: char| it.is_ascii_hexdigit()));
    }
    plain
}

/// A message of 1.20's decoder without the stored object's uid and time of creation, which are others in each run: what it
/// shows of the text around an error can hold them, whole or their ends.
fn without_context_of_the_run(text: &str) -> String {
    const CONTEXT: &str = "bigger context ...|";
    let Some((before, shown)) = text.split_once(CONTEXT) else { return text.to_owned() };
    let is_end = |part: &str| !part.is_empty() && part.chars().all(|it| it.is_ascii_hexdigit() || "-:TZ".contains(it));
    let is_uid = |part: &str| part.len() == 36 && part.split('-').map(str::len).eq([8, 4, 4, 4, 12]);
    let is_time = |part: &str| part.len() == 20 && part.ends_with('Z') && part[4..].starts_with('-');
    let parts = shown.split('"').enumerate().map(|(index, part)| {
        let varies = if index == 0 { is_end(part) } else { is_end(part) && (is_uid(part) || is_time(part)) };
        if varies { "~" } else { part }
    });
    [before, CONTEXT, &parts.collect::<Vec<_>>().join("\"")].concat()
}

/// A stored object without what differs from run to run, and without the status, which the controllers write.
fn stored(object: &Value) -> Value {
    let mut object = without_nulls(object);
    if let Some(fields) = object.as_object_mut() {
        fields.remove("status");
    }
    if let Some(metadata) = object["metadata"].as_object_mut() {
        for field in ["uid", "resourceVersion", "creationTimestamp", "selfLink"] {
            metadata.remove(field);
        }
    }
    object
}

/// A recorded answer without the times of deletion that a text gave: the server's handler takes them away before an object is
/// made (WipeObjectMetaSystemFields, rest/meta.go), which the program that recorded 1.34 did not run.
pub(crate) fn without_wiped(mut recorded: Answer) -> Answer {
    if let Some(metadata) = recorded.object.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.remove("deletionTimestamp");
        metadata.remove("deletionGracePeriodSeconds");
    }
    recorded
}

fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields.iter().filter(|(_, value)| !value.is_null());
            Value::Object(fields.map(|(key, value)| (key.clone(), without_nulls(value))).collect())
        }
        Value::Array(items) => items.iter().map(without_nulls).collect(),
        value => value.clone(),
    }
}

/// Counts of what is equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) verdicts: (usize, usize),
    pub(crate) objects: (usize, usize),
    pub(crate) messages: (usize, usize),
}

impl Tally {
    /// Counts one answer, and says what differs.
    pub(crate) fn add(&mut self, want: &Answer, got: &Answer) -> Option<String> {
        let count = |pair: &mut (usize, usize), equal: bool| {
            pair.1 += 1;
            pair.0 += usize::from(equal);
        };
        count(&mut self.verdicts, want.accepted == got.accepted);
        if want.accepted != got.accepted {
            return Some(if want.accepted {
                format!("accepted, here refused: {:?}", got.messages)
            } else {
                format!("refused, here accepted: {:?}", want.messages)
            });
        }
        if want.accepted {
            count(&mut self.objects, want.object == got.object);
            let mut differences = Vec::new();
            differing("", &want.object, &got.object, &mut differences);
            return (!differences.is_empty()).then(|| format!("object: {}", differences.join("; ")));
        }
        count(&mut self.messages, want.messages == got.messages);
        let lacking: Vec<_> = want.messages.iter().filter(|message| !got.messages.contains(message)).collect();
        let added: Vec<_> = got.messages.iter().filter(|message| !want.messages.contains(message)).collect();
        (want.messages != got.messages).then(|| format!("messages: lacking {lacking:?} added {added:?}"))
    }

    pub(crate) fn join(&mut self, other: Self) {
        for (own, other) in [
            (&mut self.verdicts, other.verdicts),
            (&mut self.objects, other.objects),
            (&mut self.messages, other.messages),
        ] {
            *own = (own.0 + other.0, own.1 + other.1);
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pair = |pair: (usize, usize)| format!("{}/{}", pair.0, pair.1);
        let (verdicts, objects, messages) = (pair(self.verdicts), pair(self.objects), pair(self.messages));
        write!(f, "verdicts {verdicts} objects {objects} messages {messages}")
    }
}

/// The paths at which two values differ.
fn differing(path: &str, want: &Value, got: &Value, into: &mut Vec<String>) {
    match (want, got) {
        (Value::Object(want), Value::Object(got)) => {
            for key in want.keys().chain(got.keys().filter(|key| !want.contains_key(*key))) {
                let (want, got) = (want.get(key).unwrap_or(&Value::Null), got.get(key).unwrap_or(&Value::Null));
                differing(&format!("{path}.{key}"), want, got, into);
            }
        }
        (Value::Array(want), Value::Array(got)) if want.len() == got.len() => {
            for (index, (want, got)) in want.iter().zip(got).enumerate() {
                differing(&format!("{path}[{index}]"), want, got, into);
            }
        }
        _ if want != got => into.push(format!("{path}: {want} / {got}")),
        _ => {}
    }
}

/// Tallies by kind and release, and the differences found.
#[derive(Default)]
pub(crate) struct Report {
    pub(crate) tallies: BTreeMap<(String, String), Tally>,
    pub(crate) differences: Vec<String>,
}

impl Report {
    pub(crate) fn add(&mut self, release: &str, kind: &str, id: &str, want: &Answer, got: &Answer) {
        let tally = self.tallies.entry((release.to_owned(), kind.to_owned())).or_default();
        if let Some(difference) = tally.add(want, got) {
            self.differences.push(format!("{id} {release}: {difference}"));
        }
    }

    pub(crate) fn sum(&self) -> Tally {
        let mut sum = Tally::default();
        self.tallies.values().for_each(|tally| sum.join(*tally));
        sum
    }
}
