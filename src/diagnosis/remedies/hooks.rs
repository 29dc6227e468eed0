//! Doing by hand what a lifecycle hook of OpenKruise waits for.

use super::Remedy;
use super::pods::key;
use crate::diagnosis::case::Case;
use crate::kubectl::Command;
use crate::kubectl::manifest::PatchType;
use crate::objects::Pod;
use crate::reconcile::AtHook;
use std::rc::Rc;

pub(super) fn remedies(case: &Case<'_>) -> Vec<Remedy> {
    let held = case.pods.iter().filter_map(|pod| Some((*pod, AtHook::of(case.object, pod)?)));
    held.flat_map(|(pod, hook)| {
        let anew = hook.outlasts_its_hook(case.object).then(|| anew(pod));
        anew.into_iter().chain([by_hand(pod, &hook)])
    })
    .collect()
}

/// A pod that its controller does not come to is made anew.
fn anew(pod: &Rc<Pod>) -> Remedy {
    let command = Command::DeletePod { pod: key(pod), grace: None };
    Remedy::new("delete-pod", text!("Delete {}", pod.metadata.name), vec![command])
}

fn by_hand(pod: &Rc<Pod>, hook: &AtHook) -> Remedy {
    let value = |value: &Rc<str>| hook.lacks.then(|| Rc::clone(value));
    let labels = hook.labels.iter().map(|(label, own)| Command::label(key(pod), Rc::clone(label), value(own)));
    let mut commands: Vec<Command> = labels.collect();
    if !hook.finalizers.is_empty() {
        let own = pod.metadata.finalizers.iter();
        let left: Vec<&Rc<str>> = match hook.lacks {
            true => own.chain(&hook.finalizers).collect(),
            false => own.filter(|name| !hook.finalizers.contains(name)).collect(),
        };
        let patch = serde_json::json!({ "metadata": { "finalizers": left } });
        commands.push(Command::Patch { set: key(pod), patch: patch.to_string().into(), how: PatchType::Merge });
    }
    let (name, names) = (&pod.metadata.name, hook.names());
    let title = if hook.lacks {
        text!("Put {} on {}, in the place of whoever works its hook", names, name)
    } else {
        text!("Take {} off {}, in the place of whoever works its hook", names, name)
    };
    let risk = text!("What whoever works the hook does before it, such as taking traffic away, is not done.");
    Remedy::new("work-the-hook", title, commands).with_risk(risk)
}
