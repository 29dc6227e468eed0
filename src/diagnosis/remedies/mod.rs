//! What a person could do about a workload that does not get well by itself, and what each would lead to: every one is tried in
//! a branch of the run.

mod best_first;
mod finalizers;
mod forward;
mod hooks;
mod no_node;
mod nodes;
mod pods;
mod quotas;
mod storage;
mod template;
mod told;
mod trial;
mod untold;
mod webhooks;
mod workload;

pub use best_first::add_tried;
pub use told::lines;
pub use trial::{End, Trial, Tried, trials_budget};

use super::case::Case;
use crate::kubectl::Command;
use crate::objects::Kind;
use crate::text::Text;

/// What can be done, not yet tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Remedy {
    /// Its name in reports, such as `delete-pod`.
    pub name: &'static str,
    /// What is done, in a few words.
    pub title: Text,
    /// The commands, in order. One that no kubectl has is what somebody does to a machine.
    pub commands: Vec<Command>,
    /// What can go wrong in a real cluster; empty if nothing beyond a restart.
    pub risk: Text,
    /// What has to be true for it; empty if nothing.
    pub assumes: Text,
}

impl Remedy {
    fn new(name: &'static str, title: Text, commands: Vec<Command>) -> Self {
        Self { name, title, commands, risk: Text::default(), assumes: Text::default() }
    }

    fn with_risk(self, risk: Text) -> Self {
        Self { risk, ..self }
    }

    fn assuming(self, assumes: Text) -> Self {
        Self { assumes, ..self }
    }
}

/// Where remedies come from.
const SOURCES: [fn(&Case<'_>) -> Vec<Remedy>; 13] = [
    wait,
    pods::remedies,
    finalizers::remedies,
    hooks::remedies,
    storage::remedies,
    webhooks::remedies,
    template::remedies,
    forward::remedies,
    forward::out_of_place,
    nodes::remedies,
    no_node::remedies,
    workload::remedies,
    quotas::remedies,
];

fn wait(_: &Case<'_>) -> Vec<Remedy> {
    vec![Remedy::new("wait", text!("Wait"), Vec::new())]
}

/// Whether a command changes what the workload asks for.
fn changes_spec(command: &Command) -> bool {
    matches!(
        command,
        Command::Apply { .. }
            | Command::Scale { .. }
            | Command::Recreate { .. }
            | Command::SetImage { .. }
            | Command::SetResources { .. }
            | Command::SetEnv { .. }
            | Command::Patch { .. }
            | Command::RollBack { .. }
            | Command::Restart { .. }
            | Command::Pause { .. }
    )
}

/// A remedy with what it assumes of whoever controls the workload and is not simulated: an operator writes its own back.
fn let_be(case: &Case<'_>, remedy: Remedy) -> Remedy {
    let metadata = case.object.metadata();
    let owner = metadata.controller_of().filter(|owner| Kind::named(&owner.api_version, &owner.kind).is_none());
    match owner.filter(|_| remedy.commands.iter().any(changes_spec)) {
        Some(owner) => {
            let own = text!("{} {}, which controls {}, does not write it back.", owner.kind, owner.name, metadata.name);
            Remedy { assumes: Text::sentences([remedy.assumes, own]), ..remedy }
        }
        None => remedy,
    }
}

/// Every remedy that can be tried of a workload, waiting first.
pub fn remedies(case: &Case<'_>) -> Vec<Remedy> {
    // Nobody is told to act where nothing is amiss.
    if case.is_unsaid {
        return wait(case);
    }
    let mut all: Vec<Remedy> = Vec::new();
    for remedy in SOURCES.iter().flat_map(|source| source(case)).map(|remedy| let_be(case, remedy)) {
        if all.iter().all(|known| known.commands != remedy.commands) {
            all.push(remedy);
        }
    }
    all
}
