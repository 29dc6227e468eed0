//! A report of a problem: the opened text without its names, for strangers. It is handed out where its diagnosis is the same.

use super::opening::OpeningCluster;
use crate::diagnosis::{Diagnosis, are_same};
use crate::page::problems::problems_text;
use crate::page::run::Clock;
use crate::session::Refusal;
use crate::session::dump::Options;
use crate::session::redact::{self, Redacted};
use crate::text::Text;
use std::rc::Rc;

/// The name of the file that it is saved as.
const FILE: &str = "cluster-without-names.yaml";

/// The report, and how far it is.
#[derive(Default)]
pub struct Report {
    making: Option<Making>,
    /// The text without names, once its diagnosis is known to be the same.
    pub text: Rc<str>,
    /// Why there is none.
    pub problem: Text,
}

/// Both texts are diagnosed, the person's own first, with nothing said instead of an assumption: names would be in that.
struct Making {
    redacted: Redacted,
    before: Option<Vec<Diagnosis>>,
    opening: OpeningCluster,
}

impl Report {
    pub(super) fn begin(text: &Rc<str>) -> Self {
        match redact::cluster(text) {
            Ok(redacted) => {
                let opening = OpeningCluster::new(Rc::clone(text), Options::default());
                Self { making: Some(Making { redacted, before: None, opening }), ..Self::default() }
            }
            Err(refusal) => Self::refused(&refusal),
        }
    }

    fn refused(refusal: &Refusal) -> Self {
        Self { problem: problems_text(refusal), ..Self::default() }
    }

    /// How far it is, in percent, while it is made.
    pub fn percent(&self) -> Option<u32> {
        let making = self.making.as_ref()?;
        Some(if making.before.is_some() { 50 } else { 0 } + making.opening.percent() / 2)
    }

    /// The file that it is saved as, its name and its text, once there is one.
    pub(in crate::page) fn file(&self) -> Option<(String, String)> {
        (!self.text.is_empty()).then(|| (FILE.to_owned(), self.text.to_string()))
    }

    /// Goes on until this time, and at least one step.
    pub(in crate::page) fn go_on(&mut self, until: f64, clock: &Clock) {
        while let Some(making) = &mut self.making {
            if let Some(opened) = making.opening.advance() {
                match (opened, making.before.take()) {
                    (Err(refusal), _) => *self = Self::refused(&refusal),
                    (Ok(opened), None) => {
                        making.before = Some(opened.workloads);
                        making.opening = OpeningCluster::new(making.redacted.text().into(), Options::default());
                    }
                    (Ok(opened), Some(before)) => {
                        *self = if are_same(&before, &opened.workloads, |name| making.redacted.name(name)) {
                            Self { text: making.redacted.text().into(), ..Self::default() }
                        } else {
                            Self {
                                problem: text!("without its names the text has another diagnosis"),
                                ..Self::default()
                            }
                        }
                    }
                }
            }
            if clock() >= until {
                return;
            }
        }
    }
}
