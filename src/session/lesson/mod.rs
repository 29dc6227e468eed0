//! A lesson: a run that stops before its moments and asks what happens next. A text file like a scenario's, with steps:
//!
//! ```yaml
//! setscope: 1
//! lesson: create-in-order          # the file's name
//! title: …
//! text: …                          # one or two sentences, for the gallery
//! minutes: 2
//! release: v1.36                   # these four as in a scenario; without `release`, the default one
//! nodes: 3
//! run:
//! - {at: 0, apply: …}
//! steps:
//! - at: 3                          # the run plays to here, in seconds
//!   say: …
//! - at: 5
//!   run:
//!   - {at: 5, do: kubectl scale sts web --replicas=5}
//!   ask: What does the controller do?
//!   answers:
//!   - {say: …, claims: {at: 9, pod: web-3, gone: false}}
//!   - {say: …, claims: …, wrong: the reason why it is wrong}
//!   to: 9                          # after the answer the run plays to here,
//!   because: ReplicaCreated web-3  # this decision, taken on the way, is told,
//!   then: …                        # and what is to be seen
//! ```
//!
//! `claims` is an assertion on the run, in the form of a scenario's `assert`: tests prove that of the right answer, the
//! one without `wrong`, and refute the others. Where a pod is to be chosen, `pods` stands for `answers`:
//! `{right: web-2, claims: {at: 30, pod: "{}", status: Terminating}, wrong: …, reasons: {web-0: …}}`.
//!
//! With `back: 30` a step goes back to that moment, without the commands after it, and with `release` to the same
//! moment of the same commands under another release: both are runs of their own. `show: Deployment/api` draws that
//! workload. `because` may name its subject: the pod, or nothing.

mod course;
mod read;

pub use course::Course;
pub use read::{is_lesson, read};

use super::scenario::About;
use serde_json::{Map, Value};
use std::rc::Rc;

/// A lesson.
#[derive(Debug, PartialEq)]
pub struct Lesson {
    /// Its file's name, without the ending.
    pub name: Rc<str>,
    /// Title and summary.
    pub about: About,
    /// About how long it takes.
    pub minutes: u64,
    /// Its steps, in order.
    pub steps: Vec<Step>,
    /// What its runs start with, as a scenario has it.
    start: Map<String, Value>,
    /// Commands before the steps'.
    run: Vec<Entry>,
}

/// One stop.
#[derive(Debug, PartialEq)]
pub struct Step {
    /// Where the run stops, in milliseconds.
    pub at: i64,
    /// A few sentences to read; empty if there is only a question.
    pub say: String,
    /// What is asked.
    pub question: Option<Question>,
    /// The workload that is drawn, as `Kind/name`.
    pub show: Option<String>,
    back: Option<i64>,
    release: Option<Value>,
    run: Vec<Entry>,
}

/// What happens next?
#[derive(Debug, PartialEq)]
pub struct Question {
    /// The question.
    pub ask: String,
    /// What there is to choose from.
    pub choices: Choices,
    /// How far the run plays after the answer, in milliseconds.
    pub to: i64,
    /// The rule of the decision that is told, and the pod it is about, if it is about one.
    pub because: Option<(String, Option<String>)>,
    /// What is to be seen then.
    pub then: String,
}

/// What there is to choose from.
#[derive(Debug, PartialEq)]
pub enum Choices {
    /// One of these sentences.
    Sentences(Vec<Answer>),
    /// One of the pods that are drawn, or of the ordinals that lack theirs.
    Pods(PodChoice),
}

/// A sentence to choose.
#[derive(Debug, PartialEq)]
pub struct Answer {
    /// The sentence.
    pub say: String,
    /// Why it is wrong; none of the right one.
    pub wrong: Option<String>,
    /// What it claims of the run.
    pub claims: Value,
}

/// A pod to choose.
#[derive(Debug, PartialEq)]
pub struct PodChoice {
    /// The right one.
    pub right: String,
    /// What is claimed of it, with `{}` in the place of its name.
    pub claims: Value,
    /// Why another one is wrong.
    pub wrong: String,
    /// The same, of some in particular.
    pub reasons: Vec<(String, String)>,
}

/// A command with its moment, and where it stands in the text.
#[derive(Clone, Debug, PartialEq)]
struct Entry {
    at: i64,
    value: Value,
    line: usize,
}

impl Choices {
    /// Why an answer is wrong, by its sentence or its pod; none if it is right.
    pub fn wrong(&self, answer: &str) -> Option<&str> {
        match self {
            Self::Sentences(answers) => answers.iter().find(|one| one.say == answer)?.wrong.as_deref(),
            Self::Pods(pods) if pods.right == answer => None,
            Self::Pods(pods) => {
                let own = pods.reasons.iter().find(|(pod, _)| pod == answer);
                Some(own.map_or(&*pods.wrong, |(_, reason)| reason))
            }
        }
    }
}

impl Lesson {
    /// Every text in it that people read.
    pub fn texts(&self) -> Vec<&str> {
        let mut texts = vec![&*self.about.title, &*self.about.text];
        for step in &self.steps {
            texts.push(&step.say);
            let Some(question) = &step.question else { continue };
            texts.extend([&*question.ask, &*question.then]);
            match &question.choices {
                Choices::Sentences(answers) => {
                    texts.extend(answers.iter().map(|answer| &*answer.say));
                    texts.extend(answers.iter().filter_map(|answer| answer.wrong.as_deref()));
                }
                Choices::Pods(pods) => {
                    texts.push(&pods.wrong);
                    texts.extend(pods.reasons.iter().map(|(_, reason)| &**reason));
                }
            }
        }
        texts.retain(|text| !text.is_empty());
        texts
    }

    /// The commands in force in a step, in order, and the release it runs under.
    fn plan(&self, step: usize) -> (Vec<&Entry>, Option<&Value>) {
        let mut entries: Vec<&Entry> = self.run.iter().collect();
        let mut release = self.start.get("release");
        for step in self.steps.iter().take(step + 1) {
            if let Some(back) = step.back {
                entries.retain(|entry| entry.at <= back);
            }
            release = step.release.as_ref().or(release);
            entries.extend(&step.run);
        }
        (entries, release)
    }
}
