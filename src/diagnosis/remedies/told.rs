//! What came of a trial, in words.

use super::{End, Tried};
use crate::diagnosis::headline::not_borne_out;
use crate::diagnosis::rehearsed::{gone, lost};
use crate::kubectl::{Command, Problem, act_line, command_line};
use crate::objects::ObjectRef;
use crate::session::Session;
use crate::sim::NamedObject;
use crate::text::{Text, about, span};

/// Commands as kubectl takes them; what no kubectl does in words.
pub fn lines(commands: &[Command]) -> Vec<String> {
    let line =
        |command| Some(command_line(command)).filter(|line| !line.is_empty()).unwrap_or_else(|| act_line(command));
    commands.iter().map(line).collect()
}

impl Tried {
    /// Its commands, as kubectl takes them; what no kubectl does in words.
    pub fn lines(&self) -> Vec<String> {
        lines(&self.remedy.commands)
    }

    /// What it led to, in a few words; `stands` has those for where a controller stands with a workload in a run.
    pub fn result(&self, stands: impl FnOnce(&Session, &ObjectRef) -> Text) -> Text {
        match &self.end {
            End::Well(after) => text!("well in about {}", about(*after)),
            End::Either(after, pods) => text!(
                "not known: well in about {} if what holds {} goes with the pod; if it is its data, its volume or its node, the next one fails as well",
                about(*after),
                Text::names(pods)
            ),
            End::Gone(who) => gone(who),
            End::Peers(pod) => text!(
                "not known: if {} waits for the others, which come now, all get ready; if not, they may fail as it does",
                pod
            ),
            End::Open(pods) => text!(
                "not known: if what holds {} goes with the pod, the next one starts; if it is its data, its volume or its node, it fails as well",
                Text::names(pods)
            ),
            End::Untold(_) if self.is_unlisted => text!("not known: the text has none of its pods"),
            End::Untold(0) if self.remedy.commands.is_empty() => {
                text!(
                    "not known: nothing that the text shows is amiss, and it tells too little to say that all is well"
                )
            }
            End::Untold(_) if self.remedy.commands.is_empty() => {
                text!("not known: the text does not tell whether it comes to an end by itself")
            }
            End::Untold(after) => {
                text!(
                    "not known: it would be well in about {}, if nothing held it that the text leaves out",
                    about(*after)
                )
            }
            End::Altered(after, pods) => text!(
                "not known: it would be well in about {}, if the next pods were as the template says; {} were changed as they were made, and the next are, too",
                about(*after),
                Text::names(pods)
            ),
            End::Named(after, all) => text!(
                "not known: it would be well in about {}, if what nothing in the text shows is there: {}; look with {}",
                about(*after),
                NamedObject::names(all),
                NamedObject::looks(all)
            ),
            End::Refuted(after, refuted) if refuted.has_lasted_too_long() => text!(
                "not known: it would be well in about {}, and the text shows that this has lasted far longer",
                about(*after)
            ),
            End::Refuted(_, refuted) => not_borne_out(refuted),
            End::Awaits => {
                text!("not known: what it waits for is not there yet, and the text does not tell when it comes")
            }
            End::NotTried => {
                text!("not known: not tried, for all the work that the text may take was taken before")
            }
            End::RanOut(events, ms) => text!(
                "not known: followed for {} events and {} of the cluster's time, it had not come to an end",
                *events,
                span(*ms)
            ),
            End::Stuck if let Some([stay, anew]) = &self.untouched => {
                text!(
                    "stays stuck: whatever becomes of {}, these stay as they are: {}",
                    Text::names(anew),
                    Text::names(stay)
                )
            }
            End::Stuck => text!("stays stuck: {}", stands(&self.branch, &self.workload)),
            End::Refused(refusal) => {
                text!("refused: {}", Text::list("; ", refusal.problems.iter().map(Problem::advice)))
            }
        }
    }

    /// What it cost on the way, as far as the text has the pods that it costs.
    pub fn costs(&self) -> Text {
        let is_of_text = !self.is_unlisted;
        let mut costs: Vec<Text> =
            is_of_text.then(|| text!("at most {} not ready", self.most_unavailable)).into_iter().collect();
        if !self.pods_recreated.is_empty() {
            costs.push(text!("made anew: {}", Text::names(&self.pods_recreated)));
        }
        costs.extend(lost(&self.lost_claims));
        if self.two_copies {
            costs.push(text!("two copies ran at once"));
        }
        Text::list("; ", costs)
    }
}
