//! What a rollout is told as.

use super::Trial;
use super::before::File;
use super::course::{Course, Happening, Rollout};
use crate::command::Form;
use serde_json::{Value, json};
use setscope::diagnosis::Tried;
use setscope::objects::ObjectRef;
use setscope::view::{self, clock};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::rc::Rc;

/// Kinds that are not simulated and may change how a rollout goes.
const CAN_MATTER: [(&str, &str); 6] = [
    ("HorizontalPodAutoscaler", "it sets replicas too"),
    ("LimitRange", "it may change pods or refuse them"),
    ("MutatingWebhookConfiguration", "it may change pods or refuse them"),
    ("PriorityClass", "preemption is not simulated"),
    ("ResourceQuota", "it may refuse pods"),
    ("ValidatingWebhookConfiguration", "it may refuse pods"),
];
/// Names of objects that are told, of each kind.
const NAMES: usize = 5;

fn name(workload: &ObjectRef) -> String {
    format!("{}/{}", workload.kind.singular(), workload.name)
}

/// What is printed.
pub(super) struct Told {
    form: Form,
    out: String,
    values: Vec<Value>,
    /// Of the change that is told next.
    stuck_if_elsewhere: Vec<Value>,
}

impl Told {
    pub(super) fn new(form: Form) -> Self {
        Self { form, out: String::new(), values: Vec::new(), stuck_if_elsewhere: Vec::new() }
    }

    /// A change that is refused, and what comes of it where what refuses it is made anew.
    pub(super) fn refused(&mut self, words: &str, anew: Option<&(Vec<String>, Rollout)>) {
        let _ = writeln!(self.out, "The API server refuses the change: {words}");
        let lines = anew.map(|(lines, _)| lines);
        let ends = anew.map(|(_, rollout)| rollout.is_done());
        self.values.push(json!({ "refused": words, "recreatedBy": lines, "recreatedIsDone": ends }));
        if let Some((lines, rollout)) = anew {
            let _ = writeln!(self.out, "\nIt is taken where the object is made anew around its pods, as was tried:\n");
            lines.iter().for_each(|line| {
                let _ = writeln!(self.out, "    {line}");
            });
            let _ = writeln!(self.out);
            self.happenings(rollout);
            self.courses(rollout);
        }
    }

    /// What lets a change that got stuck go on.
    pub(super) fn forward(&mut self, ways: &[(ObjectRef, Vec<Tried>)]) {
        let value = |tried: &Tried| {
            json!({ "remedy": tried.remedy.name, "title": tried.remedy.title.to_string(), "commands": tried.lines(),
                "result": tried.result(view::headline).to_string(), "costs": tried.costs().to_string(), "risk": tried.remedy.risk.to_string() })
        };
        let all = ways.iter().map(|(workload, tried)| (name(workload), tried.iter().map(value).collect::<Vec<_>>()));
        let all: serde_json::Map<String, Value> = all.map(|(name, tried)| (name, Value::Array(tried))).collect();
        if let Some(Value::Object(change)) = self.values.last_mut() {
            change.insert("forward".to_owned(), Value::Object(all));
        }
        for (workload, tried) in ways {
            let _ = writeln!(self.out, "\nWhat lets {} go on from there, as was tried:\n", name(workload));
            for (at, one) in tried.iter().enumerate() {
                let _ = writeln!(
                    self.out,
                    "  {}. {}: {} ({})",
                    at + 1,
                    one.remedy.title,
                    one.result(view::headline),
                    one.costs()
                );
                one.lines().iter().for_each(|line| {
                    let _ = writeln!(self.out, "       {line}");
                });
                if !one.remedy.risk.is_empty() {
                    let _ = writeln!(self.out, "     risk: {}", one.remedy.risk);
                }
            }
        }
    }

    /// A rollout that comes to its end only where pods land on the nodes that have their volumes.
    pub(super) fn depends(&mut self, elsewhere: &[(Rc<str>, Rc<str>, Rc<str>)], stuck: &Rollout) {
        let waits: Vec<Value> = elsewhere
            .iter()
            .map(|(pod, claim, node)| json!({ "pod": &**pod, "claim": &**claim, "attachedTo": &**node }))
            .collect();
        self.stuck_if_elsewhere = waits;
        let names: Vec<String> =
            elsewhere.iter().map(|(_, claim, node)| format!("{claim} (attached to {node})")).collect();
        let stuck: Vec<String> = stuck
            .courses
            .iter()
            .filter(|course| course.done_after.is_none())
            .map(|course| name(&course.workload))
            .collect();
        let _ = writeln!(
            self.out,
            "One node at a time can use the volume of {}. If every new pod lands on the node that has its volume, it goes as below. \
             On another node it waits for the old pod, which stays until the new one is ready: {} then gets stuck. With strategy \
             Recreate, or maxSurge 0, it does not.\n",
            names.join(", "),
            stuck.join(", ")
        );
    }

    pub(super) fn tell(&mut self, rollout: &Rollout, trial: Option<&Trial>, kept: &[(ObjectRef, String)]) {
        let value = |rollout: &Rollout| {
            let course = |course: &Course| {
                json!({
                    "kind": course.workload.kind.as_str(), "namespace": &*course.workload.namespace, "name": &*course.workload.name,
                    "desired": course.desired, "mostUnavailable": course.most_unavailable,
                    "doneAfterMilliseconds": course.done_after, "stands": course.stands,
                })
            };
            let happening =
                |one: &Happening| json!({ "afterMilliseconds": one.after, "pod": &*one.pod, "what": one.what.words() });
            json!({
                "workloads": rollout.courses.iter().map(course).collect::<Vec<_>>(),
                "happenings": rollout.happenings.iter().map(happening).collect::<Vec<_>>(),
            })
        };
        self.values.push(json!({
            "change": value(rollout),
            "ifNotReady": trial.map(|trial| value(&trial.rollout)),
            "stuckIfElsewhere": std::mem::take(&mut self.stuck_if_elsewhere),
            "kept": kept.iter().map(|(workload, why)| (name(workload), Value::from(&**why))).collect::<serde_json::Map<_, _>>(),
        }));
        self.happenings(rollout);
        self.courses(rollout);
        let (bullet, code) = self.marks();
        let out = &mut self.out;
        for (workload, why) in kept {
            let _ = writeln!(out, "{code}{}{code}: {why}", name(workload));
        }
        match trial {
            Some(trial) => {
                let what = if trial.new_images.is_empty() {
                    "If what the changed template starts does not become ready (pods that are Ready by then stay so)"
                } else {
                    "If the new image does not become ready"
                };
                let _ = writeln!(out, "\n{what}:\n");
                for course in &trial.rollout.courses {
                    let end = match course.done_after {
                        Some(_) => "is not affected".to_owned(),
                        None => format!(
                            "gets stuck with {} of {} not ready: {}",
                            course.most_unavailable, course.desired, course.stands
                        ),
                    };
                    let _ = writeln!(out, "{bullet}{code}{}{code} {end}", name(&course.workload));
                }
            }
            None => {
                let _ = writeln!(out, "The change touches no template, so a failing one was not tried.");
            }
        }
    }

    /// What stands before a line, and around a name.
    fn marks(&self) -> (&'static str, &'static str) {
        if matches!(self.form, Form::Md) { ("- ", "`") } else { ("  ", "") }
    }

    fn happenings(&mut self, rollout: &Rollout) {
        let (bullet, code) = self.marks();
        let out = &mut self.out;
        for one in &rollout.happenings {
            let at = clock(one.after).to_string();
            let _ = writeln!(out, "{bullet}{at:>10}  {code}{}{code} {}", one.pod, one.what.words());
        }
        if rollout.happenings.is_empty() {
            let _ = writeln!(out, "{bullet}No pod is touched.");
        }
        let _ = writeln!(out);
    }

    fn courses(&mut self, rollout: &Rollout) {
        let (_, code) = self.marks();
        for course in &rollout.courses {
            let most = format!("at most {} of {} not ready", course.most_unavailable, course.desired);
            let end = match course.done_after {
                Some(after) => format!("done after {}, {most}", clock(after)),
                None => format!("gets stuck, {most}: {}", course.stands),
            };
            let _ = writeln!(self.out, "{code}{}{code}: {end}", name(&course.workload));
        }
    }

    /// What was not simulated, what was set aside and what was assumed.
    pub(super) fn left_out(&mut self, files: &[File<'_>], set_aside: &[ObjectRef], assumed: &[String]) {
        let mut kinds: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (kind, names) in files.iter().flat_map(|file| file.manifests.left_out()) {
            kinds.entry(kind).or_default().extend(names);
        }
        if kinds.is_empty() && set_aside.is_empty() && assumed.is_empty() {
            return;
        }
        self.values.push(json!({
            "leftOut": kinds,
            "setAside": set_aside.iter().map(name).collect::<Vec<_>>(),
            "assumed": assumed,
        }));
        let bullet = if matches!(self.form, Form::Md) { "- " } else { "  " };
        let out = &mut self.out;
        if !kinds.is_empty() {
            let _ = writeln!(out, "\nLeft out, as they are not simulated:\n");
        }
        for (kind, names) in &kinds {
            let matters = CAN_MATTER.iter().find(|(known, _)| known == kind);
            let matters = matters.map_or_else(String::new, |(_, why)| format!(" ({why})"));
            let shown: Vec<&str> = names.iter().copied().take(NAMES).collect();
            let more = names.len().saturating_sub(NAMES);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let _ = writeln!(out, "{bullet}{kind}: {}{more}{matters}", shown.join(", "));
        }
        if !set_aside.is_empty() {
            let names: Vec<String> = set_aside.iter().map(name).collect();
            let _ = writeln!(out, "\nNot as asked before the change, and not part of it: {}", names.join(", "));
        }
        if !assumed.is_empty() {
            let _ = writeln!(out, "\nAssumed:\n");
            assumed.iter().for_each(|text| {
                let _ = writeln!(out, "{bullet}{text}");
            });
        }
    }

    pub(super) fn end(self) -> String {
        if let Form::Json = self.form {
            return format!("{:#}\n", json!({ "schemaVersion": 1, "changes": self.values }));
        }
        self.out
    }
}
