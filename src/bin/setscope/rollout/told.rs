//! What a rollout is told as.

use super::Trial;
use super::before::File;
use super::course::{Course, Happening, Rollout};
use super::values::{
    ChangeValue, CourseValue, ElsewhereValue, ForwardValue, HappeningValue, RolloutValue, RunValue, StaysValue,
};
use super::ways::Anew;
use super::{Form, ci};
use crate::printed::{code, in_brackets, json, markdown};
use crate::values::SCHEMA_VERSION;
use setscope::diagnosis::Tried;
use setscope::objects::ObjectRef;
use setscope::session::Refusal;
use setscope::text::{Text, about};
use setscope::trial::{CutOff, LostClaims};
use setscope::view::{self, clock};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::rc::Rc;

/// Kinds that are not simulated and may change how a rollout goes.
const CAN_MATTER: [(&str, &str); 8] = [
    ("ClusterResourceQuota", "it may refuse pods and claims"),
    ("ConfigMap", OF_VALUES),
    ("HorizontalPodAutoscaler", "it sets replicas too"),
    ("MutatingWebhookConfiguration", "it may change pods or refuse them"),
    ("PriorityClass", "preemption is not simulated"),
    ("Secret", OF_VALUES),
    ("ScaledObject", "it sets replicas too"),
    ("ValidatingWebhookConfiguration", "it may refuse pods"),
];
/// What a change of values does to pods that are there.
const OF_VALUES: &str =
    "environment variables from it change only when a pod is made anew, as `kubectl rollout restart` does";
/// More pods to which the same happens one after the other are told by their number, but for the first of them.
const MOST_ALIKE: usize = 20;
const SHOWN_ALIKE: usize = 10;

pub(super) fn name(workload: &ObjectRef) -> String {
    format!("{}/{}", workload.kind.singular(), workload.name)
}

/// What is printed.
pub(super) struct Told {
    form: Form,
    out: String,
    value: RolloutValue,
    /// Of the change that is told next.
    stuck_if_elsewhere: Vec<ElsewhereValue>,
}

fn run(rollout: &Rollout, file: &File<'_>) -> RunValue {
    let course = |course: &Course| CourseValue {
        kind: course.workload.kind.as_str(),
        namespace: course.workload.namespace.to_string(),
        name: course.workload.name.to_string(),
        line: file.manifests.line_of(&course.workload),
        desired: course.desired,
        most_unavailable: course.most_unavailable,
        done_after_milliseconds: course.done_after,
        not_known: course.ran_out.map(|_| course.open_end()),
        stands: course.stands.clone(),
    };
    let happening = |one: &Happening| HappeningValue {
        after_milliseconds: one.after,
        pod: one.pod.to_string(),
        what: one.what.words(),
    };
    RunValue {
        workloads: rollout.courses.iter().map(course).collect(),
        happenings: rollout.happenings.iter().map(happening).collect(),
    }
}

/// What KEP-4650 would do with a change that is taken only where the set is made anew (kubernetes/enhancements#4651).
const PREVIEW: &str = "Preview of KEP-4650, a proposal that no release has: such a change would be taken as it is, since claim templates might \
change in the storage that they request (to more), in volumeAttributesClassName, labels and annotations. Claims that are there would \
stay as they are; with `volumeClaimUpdatePolicy: InPlace` the rolling update would patch those of each pod that it reaches.";

impl Told {
    pub(super) fn new(form: Form) -> Self {
        let value = RolloutValue { schema_version: SCHEMA_VERSION, ..RolloutValue::default() };
        Self { form, out: String::new(), value, stuck_if_elsewhere: Vec::new() }
    }

    /// Words of a file or of the API server, as they stand in what is printed.
    fn words(&self, words: &str) -> String {
        if let Form::Md = self.form { markdown(words) } else { words.to_owned() }
    }

    /// The name of an object, as it stands in what is printed.
    fn name(&self, name: &str) -> String {
        if let Form::Md = self.form { code(name) } else { name.to_owned() }
    }

    /// A change that is refused, and what comes of it where what refuses it is made anew.
    pub(super) fn refused(&mut self, file: &File<'_>, refusal: &Refusal, anew: Option<&Anew>) {
        let words = file.refused(refusal);
        let _ = writeln!(self.out, "The change is refused: {}", self.words(&words));
        let left = anew.into_iter().flat_map(|anew| &anew.left);
        self.value.changes.push(ChangeValue {
            file: file.path.display().to_string(),
            refused: Some(words),
            refused_line: refusal.problems.iter().find_map(|problem| problem.line),
            recreated_by: anew.map(|anew| anew.lines.clone()),
            recreated_is_done: anew.map(|anew| anew.rollout.is_done()),
            stays: left.map(|(name, pods)| StaysValue { replica_set: name.to_string(), pods: *pods }).collect(),
            afterwards: anew.map(|anew| anew.after.clone()).unwrap_or_default(),
            ..ChangeValue::default()
        });
        let Some(Anew { lines, rollout, left, after }) = anew else { return };
        let _ = writeln!(self.out, "\nIt is taken where the object is made anew around its pods, as was tried:\n");
        self.lines(lines);
        if lines.iter().any(|line| line.contains(" patch pvc ")) {
            let _ = writeln!(self.out, "\n{PREVIEW}");
        }
        let _ = writeln!(self.out);
        self.happenings(rollout);
        self.courses(rollout);
        for (name, pods) in left.iter().filter(|(_, pods)| *pods > 0) {
            let name = self.name(&format!("replicaset/{name}"));
            let _ = writeln!(
                self.out,
                "\n{name} and its {pods} pods stay beside the new ones: the new selector misses them, and nobody deletes them."
            );
        }
        if !after.is_empty() {
            let _ = writeln!(self.out, "\nThen:\n");
            self.lines(after);
        }
    }

    fn lines(&mut self, lines: &[String]) {
        lines.iter().for_each(|line| {
            let _ = writeln!(self.out, "    {line}");
        });
    }

    /// What lets a change that got stuck go on.
    pub(super) fn forward(&mut self, ways: &[(ObjectRef, Vec<Rc<Tried>>)]) {
        let value = |tried: &Tried| ForwardValue {
            remedy: tried.remedy.name,
            title: tried.remedy.title.to_string(),
            commands: tried.lines(),
            result: tried.result(view::headline).to_string(),
            costs: tried.costs().to_string(),
            risk: tried.remedy.risk.to_string(),
        };
        if let Some(change) = self.value.changes.last_mut() {
            let all =
                ways.iter().map(|(workload, tried)| (name(workload), tried.iter().map(|one| value(one)).collect()));
            change.forward = all.collect();
        }
        for (workload, tried) in ways {
            let _ = writeln!(self.out, "\nWhat lets {} go on from there, as was tried:\n", name(workload));
            for (at, one) in tried.iter().enumerate() {
                let _ = writeln!(
                    self.out,
                    "  {}. {}: {}{}",
                    at + 1,
                    one.remedy.title,
                    one.result(view::headline),
                    in_brackets(&one.costs().to_string())
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

    /// What the files lack for a change that got stuck.
    pub(super) fn lacks(&mut self, lines: Vec<String>) {
        for line in &lines {
            let _ = writeln!(self.out, "\n{}", self.words(line));
        }
        if let Some(change) = self.value.changes.last_mut() {
            change.to_give = lines;
        }
    }

    /// A rollout that comes to its end only where pods land on the nodes that have their volumes.
    pub(super) fn depends(&mut self, elsewhere: &[(Rc<str>, Rc<str>, Rc<str>)], stuck: &Rollout) {
        let wait = |(pod, claim, node): &(Rc<str>, Rc<str>, Rc<str>)| ElsewhereValue {
            pod: pod.to_string(),
            claim: claim.to_string(),
            attached_to: node.to_string(),
        };
        self.stuck_if_elsewhere = elsewhere.iter().map(wait).collect();
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
            Text::names(names),
            Text::names(stuck)
        );
    }

    pub(super) fn tell(
        &mut self,
        file: &File<'_>,
        rollout: &Rollout,
        trial: Option<&Trial>,
        kept: &[(ObjectRef, String)],
    ) {
        self.value.changes.push(ChangeValue {
            file: file.path.display().to_string(),
            change: Some(run(rollout, file)),
            if_not_ready: trial.map(|trial| run(&trial.rollout, file)),
            stuck_if_elsewhere: std::mem::take(&mut self.stuck_if_elsewhere),
            kept: kept.iter().map(|(workload, why)| (name(workload), why.clone())).collect(),
            ..ChangeValue::default()
        });
        self.happenings(rollout);
        self.courses(rollout);
        for (workload, why) in kept {
            let _ = writeln!(self.out, "{}: {}", self.name(&name(workload)), self.words(why));
        }
        match trial {
            Some(trial) => {
                let what = if trial.new_images.is_empty() {
                    "If what the changed template starts does not become ready (pods that are Ready by then stay so)"
                } else if trial.new_images.len() > 1 {
                    "If the new images do not become ready"
                } else {
                    "If the new image does not become ready"
                };
                let _ = writeln!(self.out, "\n{what}:\n");
                for course in &trial.rollout.courses {
                    let end = match course.done_after {
                        Some(_) => "is not affected".to_owned(),
                        None => format!(
                            "{} with {} of {} not ready: {}",
                            course.open_end(),
                            course.most_unavailable,
                            course.desired,
                            self.words(&course.stands)
                        ),
                    };
                    let _ = writeln!(self.out, "{}{} {end}", self.bullet(), self.name(&name(&course.workload)));
                }
            }
            None => {
                let _ = writeln!(self.out, "The change touches no template, so a failing one was not tried.");
            }
        }
    }

    /// Claims that go with the change that was told last.
    pub(super) fn data(&mut self, lost: &LostClaims) {
        let names = |all: &[Rc<str>]| all.iter().map(ToString::to_string).collect::<Vec<_>>();
        if let Some(change) = self.value.changes.last_mut() {
            (change.claims_lost, change.data_retained) = (names(&lost.all()), names(&lost.retained));
            change.data_not_known = names(&lost.not_known);
        }
        for told in setscope::diagnosis::lost(lost) {
            let _ = writeln!(self.out, "\nThe change has {}", self.words(&told.to_string()));
        }
    }

    /// Services that the change which was told last has taken their pods from.
    pub(super) fn cut_off(&mut self, all: &[CutOff]) {
        let told: Vec<String> = all.iter().map(|one| setscope::diagnosis::cut_off(one).to_string()).collect();
        for one in &told {
            let _ = writeln!(self.out, "\n{}", self.words(one));
        }
        if let Some(change) = self.value.changes.last_mut() {
            change.services_cut_off = told;
        }
    }

    /// What stands before a line.
    fn bullet(&self) -> &'static str {
        if let Form::Md = self.form { "- " } else { "  " }
    }

    fn happenings(&mut self, rollout: &Rollout) {
        let bullet = self.bullet();
        for alike in rollout.happenings.chunk_by(|one, next| one.what == next.what) {
            let shown = if alike.len() > MOST_ALIKE { SHOWN_ALIKE } else { alike.len() };
            for one in &alike[..shown] {
                let at = clock(one.after).to_string();
                let _ = writeln!(self.out, "{bullet}{at:>10}  {} {}", self.name(&one.pod), one.what.words());
            }
            if let Some(last) = alike[shown..].last() {
                let (at, words) = (clock(last.after).to_string(), last.what.words().replacen("is", "are", 1));
                let _ = writeln!(self.out, "{bullet}{at:>10}  by then {} more {words}", alike.len() - shown);
            }
        }
        // One that is made and deleted in one sync has no moment of its own.
        if rollout.happenings.is_empty() && rollout.courses.iter().all(|course| course.ran_out.is_none()) {
            let _ = writeln!(self.out, "{bullet}No pod is touched.");
        }
        let _ = writeln!(self.out);
    }

    fn courses(&mut self, rollout: &Rollout) {
        for course in &rollout.courses {
            let most = format!("at most {} of {} not ready", course.most_unavailable, course.desired);
            let end = match course.done_after {
                Some(after) => format!("done after about {}, {most}", about(after)),
                None => format!("{}, {most}: {}", course.open_end(), self.words(&course.stands)),
            };
            let _ = writeln!(self.out, "{}: {end}", self.name(&name(&course.workload)));
        }
    }

    /// What was not simulated, what was set aside and what was assumed.
    pub(super) fn left_out(&mut self, files: &[File<'_>], set_aside: &[ObjectRef], assumed: &[String]) {
        let mut kinds: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (kind, names) in files.iter().flat_map(|file| file.manifests.left_out()) {
            kinds.entry(kind).or_default().extend(names);
        }
        let owned = |names: &BTreeSet<&str>| names.iter().map(|name| (*name).to_owned()).collect();
        self.value.left_out = kinds.iter().map(|(kind, names)| ((*kind).to_owned(), owned(names))).collect();
        self.value.set_aside = set_aside.iter().map(name).collect();
        self.value.assumed = assumed.to_vec();
        let bullet = self.bullet();
        if !kinds.is_empty() {
            let _ = writeln!(self.out, "\nLeft out, as they are not simulated:\n");
        }
        for (kind, names) in &kinds {
            let matters = CAN_MATTER.iter().find(|(known, _)| known == kind);
            let matters = matters.map_or_else(String::new, |(_, why)| format!(" ({why})"));
            let names = Text::names(names);
            let told = self.words(&format!("{kind}: {names}"));
            let _ = writeln!(self.out, "{bullet}{told}{matters}");
        }
        if !set_aside.is_empty() {
            let names: Vec<String> = set_aside.iter().map(|workload| self.name(&name(workload))).collect();
            let _ = writeln!(self.out, "\nNot as asked before the change, and not part of it: {}", Text::names(names));
        }
        if !assumed.is_empty() {
            let _ = writeln!(self.out, "\nAssumed:\n");
            for text in assumed {
                let _ = writeln!(self.out, "{bullet}{}", self.words(text));
            }
        }
    }

    pub(super) fn end(self) -> Result<String, String> {
        match self.form {
            Form::Text | Form::Md => Ok(self.out),
            Form::Json => json(&self.value),
            Form::Junit => Ok(ci::junit(&self.value)),
            Form::Sarif => json(&ci::sarif(&self.value)),
        }
    }
}
