//! What a text does not say and an answer about lines rests on.

use super::rehearsed::{costs, outcome};
use super::{named, starts};
use crate::kubectl::{Beside, Command};
use crate::objects::{ContainerState, ContainerStatus, Object, ObjectRef, PersistentVolumeClaim, Pod, Typed};
use crate::releases::Release;
use crate::session::dump::{About, Assumption, Dump, Kept, NotFollowed, Scaling, named_container, runs_as};
use crate::sim::{Cluster, TraceEvent, revision_of_template};
use crate::text::{Text, about};
use crate::trial::{Course, Outcome, PassedOver, Rehearsal, Rehearsed, Tried};
use crate::verdict::{Ends, Why, pods};
use std::collections::BTreeSet;
use std::rc::Rc;

/// All of it, of what lines led to and of the ways beside them.
pub fn assumed(all: &[&Rehearsed], dump: &Dump) -> Vec<Text> {
    let mut said: Vec<Text> = not_known(dump);
    said.extend(rests_on(dump));
    let Some(rehearsed) = all.first() else { return said };
    said.extend(budgets(rehearsed, dump));
    said.extend(quotas(rehearsed, dump));
    said.extend(room(rehearsed, dump));
    said.extend(nodes(rehearsed, dump));
    said.extend(graces(rehearsed));
    let beside: Vec<String> = named::applied_beside(rehearsed).map(PassedOver::names).collect();
    if !beside.is_empty() {
        said.push(text!("nothing that is simulated depends on what else is applied: {}.", beside.join(", ")));
    }
    said.extend(changed_templates(rehearsed, dump));
    said.extend(scalers(rehearsed, dump));
    said.extend(admission(rehearsed, dump));
    // Where nothing is changed for it, that is the reason.
    let has_effect = |tried: &&Tried| matches!(tried.outcome, Outcome::Done | Outcome::Overtaken(_));
    said.extend(rehearsed.lines.iter().filter(has_effect).filter_map(|tried| tried.dropped.clone()));
    let courses = || all.iter().flat_map(|one| &one.workloads);
    let taken =
        courses().flat_map(|course| &course.changed_claims).filter(|one| one.field == "volumeAttributesClassName");
    let taken: BTreeSet<&String> = taken.map(|one| &one.after).collect();
    said.extend(taken.into_iter().map(|class| {
        text!(
            "there is a VolumeAttributesClass {}, and its driver takes it; `kubectl get vac` says whether there is.",
            class
        )
    }));
    said.extend(volumes(rehearsed).chain(new_classes(rehearsed, dump)).chain(starts::new_images(rehearsed, dump)));
    said.extend(starts::changed_starts(rehearsed, dump));
    said.extend(named::new(rehearsed, dump));
    let (mut unknown, mut in_use) = (BTreeSet::new(), BTreeSet::new());
    for one in all {
        let cluster = one.run.cluster();
        for claim in one.workloads.iter().flat_map(|course| course.grown(cluster)) {
            let class = format!("{:?}", claim.storage_class());
            if cluster.may_expand(claim).is_none() {
                unknown.insert(class.clone());
            }
            if cluster.users_of(&Object::Claim(Rc::clone(claim)).reference()).next().is_some() {
                in_use.insert(class);
            }
        }
    }
    said.extend(in_use.into_iter().map(|class| {
        text!("the driver of class {} grows volumes that pods use; where it does not, `kubectl describe pvc` says so, and the pod has to go first.", class)
    }));
    said.extend(unknown.into_iter().map(|class| {
        text!("volumes of class {} may grow, since the text has no such StorageClass; `kubectl get sc` says in ALLOWVOLUMEEXPANSION whether that is so.", class)
    }));
    said
}

/// Volumes of which the text does not say from where they are reached, and whose pods have moved within their zone or where nodes name
/// none: the verdict of a workload whose pod has left its zone says so itself.
fn volumes(rehearsed: &Rehearsed) -> impl Iterator<Item = Text> {
    let moved = rehearsed.workloads.iter().flat_map(|course| &course.astray).filter(|one| !one.has_left_zone);
    let classes: BTreeSet<String> = moved.map(|one| format!("{:?}", one.class)).collect();
    classes.into_iter().map(|class| {
        text!("volumes of class {} can be reached from other nodes than before, since the text has none of them; `kubectl get pv -o yaml` says in nodeAffinity whether they can.", class)
    })
}

/// Classes that nothing in the text shows to make volumes, and that have made some for claims of the lines.
fn new_classes(rehearsed: &Rehearsed, dump: &Dump) -> Vec<Text> {
    let known: BTreeSet<String> = dump.objects.iter().filter_map(bound_class).collect();
    // The verdict of a workload says so.
    let is_told = |class: &str| {
        rehearsed.workloads.iter().filter_map(|course| course.after.as_ref()).any(
            |after| matches!(&after.ends, Ends::NotKnown(Why::Named(all)) if all.iter().any(|one| *one.name == *class)),
        )
    };
    making(rehearsed.run.cluster(), &known, &is_told)
}

/// The same of what was applied to a cluster.
pub fn classes_anew(before: &Cluster, after: &Cluster) -> Vec<Text> {
    let bound = before.claims().filter(|claim| claim.spec.volume_name.is_some());
    making(after, &bound.map(|claim| claim.storage_class().to_owned()).collect(), &|_| false)
}

fn making(cluster: &Cluster, known: &BTreeSet<String>, is_told: &dyn Fn(&str) -> bool) -> Vec<Text> {
    let is_new = |claim: &&Rc<PersistentVolumeClaim>| {
        let is_made = claim.spec.volume_name.as_ref().is_some_and(|volume| !cluster.lists_volume(volume));
        // One that names no class is of the default one, and whatever class a claim has may be that.
        let is_known = known.contains(claim.storage_class()) || claim.storage_class().is_empty() && !known.is_empty();
        is_made && !is_known && !cluster.knows_class(claim) && !is_told(claim.storage_class())
    };
    let new: BTreeSet<&str> = cluster.claims().filter(is_new).map(|claim| claim.storage_class()).collect();
    let told = |class: &str| match class {
        "" => text!(
            "a default class makes volumes for claims that name none, since the text has neither a StorageClass nor a claim that is bound; `kubectl get sc` says whether there is one."
        ),
        class => text!(
            "class {} makes volumes for claims, since the text has neither such a StorageClass nor a claim of it that is bound; `kubectl get sc` says whether there is one.",
            format!("{class:?}")
        ),
    };
    new.into_iter().map(told).collect()
}

fn bound_class(object: &Object) -> Option<String> {
    let Object::Claim(claim) = object else { return None };
    claim.spec.volume_name.is_some().then(|| claim.storage_class().to_owned())
}

/// Workloads that the text shows to be held, and that only a template of which it has no pod makes well.
fn changed_templates(rehearsed: &Rehearsed, dump: &Dump) -> Vec<Text> {
    let revisions = dump.objects.iter().flat_map(|object| {
        let metadata = object.metadata();
        let labels = ["pod-template-hash", "controller-revision-hash"].map(|label| metadata.labels.get(label));
        labels.into_iter().flatten().chain([&metadata.name])
    });
    let revisions: BTreeSet<&str> = revisions.map(|name| &**name).collect();
    let was_held = |course: &&Course| {
        let held = course.before.as_ref().is_some_and(|before| before.needs_help() && !before.holds.is_empty());
        held && course.after.as_ref().is_some_and(|after| !after.is_open())
    };
    let cluster = rehearsed.run.cluster();
    let is_changed = |course: &&Course| {
        let own = cluster.get(&course.workload).map(|object| pods(cluster, object)).unwrap_or_default();
        own.iter().any(|pod| !revisions.contains(revision_of_template(pod)))
    };
    let changed = rehearsed.workloads.iter().filter(was_held).filter(is_changed);
    let told = |course: &Course| {
        let what = format!("{}/{}", course.workload.kind.singular(), course.workload.name);
        text!("pods of the changed template of {} get Ready; the text has none of them.", what)
    };
    changed.map(told).collect()
}

/// What every answer about a text rests on: a release that was not recorded, and what was made of what no API server prints, since
/// somebody changed the text or put two together.
pub fn rests_on(dump: &Dump) -> Vec<Text> {
    let damage = dump.assumptions.iter().filter(|one| matches!(one.about, About::Damage(_)));
    run_as(dump.release).into_iter().chain(damage.map(|one| one.text.clone())).collect()
}

/// That a release was not recorded, and what is run in its place.
pub fn run_as(release: Release) -> Option<Text> {
    Some(text!("The control plane is run as {}, {}.", release.name(), runs_as(release)?))
}

/// What is assumed of a text and holds; where a person says which release runs, what that one rests on.
pub fn holding(dump: &Dump) -> Vec<Text> {
    let holds = dump.assumptions.iter().filter(|one| !one.is_overruled).map(|one| one.text.clone());
    holds.chain(said_release(dump)).collect()
}

/// What the release rests on that a person says.
pub fn said_release(dump: &Dump) -> Option<Text> {
    let is_said = |one: &Assumption| one.about == About::Release && one.is_overruled;
    run_as(dump.release).filter(|_| dump.assumptions.iter().any(is_said))
}

/// A line for each workload of which nothing is known: it is too large to be simulated, or of a kind that is not; and for what stood
/// behind the end of a text that is cut off.
pub fn not_known(dump: &Dump) -> Vec<Text> {
    let cut_off =
        dump.is_cut_off.then(|| text!("What followed in the text: not known: it is cut off. Give the whole of it."));
    let oversized = dump.oversized.iter().map(|one| {
        let (kind, ObjectRef { namespace, name, .. }) = (one.workload.kind.singular(), &one.workload);
        text!(
            "{}/{} (namespace {}): not known: it asks for {} replicas, and at most {} are simulated",
            kind,
            name,
            namespace,
            one.replicas,
            one.most
        )
    });
    let not_followed = dump.not_followed.iter().map(|one| {
        let NotFollowed { kind, namespace, name, ready, unready, failed, .. } = one;
        let look = one.look();
        let kind = kind.to_lowercase();
        match ready + unready + failed {
            _ if one.is_pod() => text!(
                "{}/{} (namespace {}): not known: pods of such a name have failed ({}), and no line tells who made them. Look at it: {}",
                kind,
                name,
                namespace,
                *failed,
                look
            ),
            _ if one.is_given_up => text!(
                "{}/{} (namespace {}): it has failed, and nothing starts it again. Look at it: {}",
                kind,
                name,
                namespace,
                look
            ),
            0 => text!(
                "{}/{} (namespace {}): not known: its controller is not simulated. Look at it: {}",
                kind,
                name,
                namespace,
                look
            ),
            _ => text!(
                "{}/{} (namespace {}): not known: its controller is not simulated; of its pods {} are Ready, {} are not, {} have failed{}. Look at it: {}",
                kind,
                name,
                namespace,
                ready,
                unready,
                failed,
                how_it_failed(dump, one).unwrap_or_default(),
                look
            ),
        }
    });
    cut_off.into_iter().chain(oversized).chain(not_followed).collect()
}

/// How the first container ended that made a pod fail.
fn how_it_failed(dump: &Dump, one: &NotFollowed) -> Option<Text> {
    let mut pods = dump.objects.iter().filter_map(Pod::of);
    let pod =
        pods.find(|pod| Some(&pod.metadata.name) == one.ended.as_ref() && pod.metadata.namespace == one.namespace)?;
    let status = &pod.status;
    let of = |statuses: &[ContainerStatus], is_init: bool| {
        statuses.iter().find_map(|status| match &status.state {
            ContainerState::Terminated { exit_code, reason, .. } if *exit_code != 0 && !reason.is_empty() => {
                let name = named_container(&status.name, is_init);
                Some(text!(" ({} of {}: exit code {}, {})", name, pod.metadata.name, *exit_code, reason))
            }
            _ => None,
        })
    };
    of(&status.init_container_statuses, true).or_else(|| of(&status.container_statuses, false))
}

/// What may refuse or change the pods that are made on the way, and is not simulated.
fn admission(rehearsed: &Rehearsed, dump: &Dump) -> Vec<Text> {
    let makes = |course: &&Course| !course.kept_names.is_empty() || course.is_touched() && course.desired.1 > 0;
    let made: BTreeSet<&Rc<str>> =
        rehearsed.workloads.iter().filter(makes).map(|course| &course.workload.namespace).collect();
    let of = |kept: &Kept| {
        let (does, look) =
            ADMISSION.iter().find(|(kind, ..)| *kind == &*kept.kind).map(|(_, does, look)| (does(), look))?;
        let space = if kept.namespace.is_empty() { String::new() } else { format!(" -n {}", kept.namespace) };
        let is_asked = if kept.namespace.is_empty() { !made.is_empty() } else { made.contains(&kept.namespace) };
        let line = format!("kubectl {look} {}{space}", kept.name);
        is_asked.then(|| text!("{} {} is not simulated, and {}: `{}` says how.", kept.kind, kept.name, does, line))
    };
    dump.kept.iter().filter_map(of).collect()
}

/// Kinds that admission reads: what they may do, and how to look at one.
type Admission = (&'static str, fn() -> Text, &'static str);

const ADMISSION: [Admission; 5] = [
    ("ClusterResourceQuota", || text!("may refuse pods and claims"), "describe clusterresourcequota"),
    ("ResourceQuota", || text!("may refuse pods and claims"), "describe quota"),
    ("LimitRange", || text!("may change or refuse pods and claims"), "describe limits"),
    ("MutatingWebhookConfiguration", || text!("may change or refuse pods"), "describe mutatingwebhookconfiguration"),
    ("ValidatingWebhookConfiguration", || text!("may refuse pods"), "describe validatingwebhookconfiguration"),
];

/// That evictions are held by no budget which the text does not list.
fn budgets(rehearsed: &Rehearsed, dump: &Dump) -> Option<Text> {
    let drains = |tried: &Tried| tried.commands.iter().any(|command| matches!(command, Command::Drain { .. }));
    if !rehearsed.lines.iter().any(drains) {
        return None;
    }
    if !dump.kinds.contains("PodDisruptionBudget") {
        return Some(text!(
            "no PodDisruptionBudget stands in the way, since the text has none; `kubectl get pdb -A` says whether that is so."
        ));
    }
    let touched = rehearsed.workloads.iter().filter(|course| course.is_touched());
    let spaces: BTreeSet<&Rc<str>> = touched.map(|course| &course.workload.namespace).collect();
    let open: Vec<&str> =
        spaces.into_iter().map(|space| &**space).filter(|space| !dump.has_all("PodDisruptionBudget", space)).collect();
    (!open.is_empty()).then(|| {
        text!(
            "no other PodDisruptionBudget of namespace {} stands in the way than the text has; `kubectl get pdb -A` says whether that is so.",
            open.join(", ")
        )
    })
}

/// That more pods than there were are refused by no quota, where the text lists those of other namespaces.
fn quotas(rehearsed: &Rehearsed, dump: &Dump) -> Option<Text> {
    if !dump.kinds.contains("ResourceQuota") {
        return None;
    }
    let grows = |course: &&Course| course.desired.1 > course.desired.0 && course.after.is_some();
    let spaces = rehearsed.workloads.iter().filter(grows).map(|course| &course.workload.namespace);
    let open: BTreeSet<&Rc<str>> = spaces.filter(|space| !dump.has_all("ResourceQuota", space)).collect();
    let open: Vec<&str> = open.into_iter().map(|space| &**space).collect();
    (!open.is_empty()).then(|| {
        text!(
            "no ResourceQuota of namespace {} refuses more pods, beside those in the text; `kubectl get quota -n {}` says whether that is so.",
            open.join(", "),
            open.first().copied().unwrap_or_default()
        )
    })
}

/// That new pods which ask for room find no pods of other namespaces in it, where the text has none of those that every cluster has.
fn room(rehearsed: &Rehearsed, dump: &Dump) -> Option<Text> {
    let listed = || dump.objects.iter().filter_map(Pod::of);
    let is_of_system = |pod: &Rc<Pod>| {
        let namespace = &*pod.metadata.namespace;
        namespace == "kube-system" || namespace.starts_with("openshift-")
    };
    let cluster = rehearsed.run.cluster();
    let asks = |pod: &Pod| {
        let mut requests = pod.spec.containers.iter().filter_map(|container| container.resources.get("requests"));
        requests.any(|requests| requests.as_object().is_some_and(|requests| !requests.is_empty()))
    };
    let is_placed = |course: &Course| {
        let made = |pod: &Rc<Pod>| {
            let mut made = course.made.iter().filter(|(_, node)| !node.is_empty());
            made.any(|(name, _)| *name == pod.metadata.name)
        };
        let own = cluster.get(&course.workload).map(|object| pods(cluster, object)).unwrap_or_default();
        own.into_iter().any(|pod| made(pod) && asks(pod))
    };
    if listed().any(is_of_system) || !rehearsed.workloads.iter().any(is_placed) {
        return None;
    }
    let spaces: BTreeSet<&str> = listed().map(|pod| &*pod.metadata.namespace).collect();
    Some(text!(
        "nothing else takes room on the nodes than the text's pods, which are those of namespace {}; `kubectl describe nodes` says under Allocated resources what is free.",
        spaces.into_iter().collect::<Vec<_>>().join(", ")
    ))
}

/// That there is no node beside those of the text which would take a pod that none of these takes.
fn nodes(rehearsed: &Rehearsed, dump: &Dump) -> Option<Text> {
    let waits = rehearsed.workloads.iter().any(Course::waits_for_a_node);
    (waits && dump.has_all_nodes && !dump.are_nodes_counted)
        .then(|| text!("there are no other nodes than those of the text; `kubectl get nodes` says whether that is so."))
}

/// The grace of a pod that says nothing, in seconds: no longer one is told of.
const USUAL_GRACE: i64 = 30;

/// That pods which may take long to end do not.
fn graces(rehearsed: &Rehearsed) -> Option<Text> {
    let cluster = rehearsed.run.cluster();
    let grace = |course: &Course| {
        let template = cluster.get(&course.workload).ok()?.template()?;
        template.spec.termination_grace_period_seconds.filter(|seconds| *seconds > USUAL_GRACE)
    };
    let gone = rehearsed.workloads.iter().filter(|course| !course.replaced.is_empty());
    let slow: Vec<(&Course, i64)> = gone.filter_map(|course| Some((course, grace(course)?))).collect();
    let most = slow.iter().map(|(_, seconds)| *seconds).max()?;
    let names = slow.iter().map(|(course, _)| format!("{}/{}", course.workload.kind.singular(), course.workload.name));
    Some(text!(
        "containers of {} end soon after they are asked to, as tried; they may take up to {}, and all of it then takes longer.",
        names.collect::<Vec<_>>().join(", "),
        about(most.saturating_mul(1_000))
    ))
}

/// Who else writes replicas of the workloads, and what that may do, tried from where the lines have led.
fn scalers(rehearsed: &Rehearsed, dump: &Dump) -> Vec<Text> {
    let mut all = Vec::new();
    for course in rehearsed.workloads.iter().filter(|course| course.is_touched() && course.after.is_some()) {
        let ObjectRef { kind, namespace, name } = &course.workload;
        let is_its = |scaler: &&Kept| {
            let target = scaler.scales.as_ref().is_some_and(|(of, target)| **of == *kind.as_str() && target == name);
            target && scaler.namespace == *namespace
        };
        let commands = || rehearsed.lines.iter().flat_map(|tried| &tried.commands);
        let is_deleted = |scaler: &Kept| {
            let deletes = |command: &Command| matches!(command, Command::DeleteBeside { of: Beside::Autoscaler, namespace, name } if *namespace == scaler.namespace && **name == *scaler.name);
            &*scaler.kind == "HorizontalPodAutoscaler" && commands().any(deletes)
        };
        for scaler in dump.kept.iter().filter(|scaler| is_its(scaler) && !is_deleted(scaler)) {
            let who = format!("{} {}", scaler.kind, scaler.name);
            let what = format!("{}/{name}", kind.singular());
            let desired = i64::from(course.desired.1);
            let tried = |to: i64| scaled(rehearsed, dump, &course.workload, to);
            if let Some(off) = switched_off(scaler, desired, name).filter(|_| course.scaled_from_none.is_none()) {
                all.push(off);
                continue;
            }
            let cluster = rehearsed.run.cluster();
            let runs = |name: &Rc<str>| cluster.autoscaler(namespace, name).is_some();
            let is_simulated = scaler.runs_as.as_ref().is_some_and(runs);
            // The line that is taken back says so.
            if course.scaled_from_none.is_some() || is_simulated && is_rescaled(rehearsed, &course.workload) {
                continue;
            }
            if matches!(scaler.scaling, Scaling::Paused(_)) {
                continue;
            }
            all.push(match scaler.bounds {
                Some((least, _)) if is_simulated && desired > least => {
                    text!(
                        "what {} measures is not simulated: it may scale {} in to {}, as tried: {}",
                        who,
                        what,
                        least,
                        tried(least)
                    )
                }
                _ if is_simulated => text!("what {} measures is not simulated: it may scale {} out.", who, what),
                Some((least, most)) if desired < least || desired > most => {
                    let to = desired.clamp(least, most.max(least));
                    text!("{} may scale {} to {}, as tried: {}", who, what, to, tried(to))
                }
                Some((least, _)) if desired > least => {
                    text!("{} is not simulated and may scale {} in to {}, as tried: {}", who, what, least, tried(least))
                }
                _ => text!("{} writes the replicas of {} too, and is not simulated.", who, what),
            });
        }
    }
    all
}

/// Whether an autoscaler has set other replicas than the lines did.
fn is_rescaled(rehearsed: &Rehearsed, workload: &ObjectRef) -> bool {
    let events = &rehearsed.run.cluster().trace().events;
    events.iter().any(|(_, event)| matches!(event, TraceEvent::Rescaled { workload: own, .. } if own == workload))
}

/// How the names of KEDA's autoscalers begin (getHPAName, controllers/keda/hpa.go of kedacore/keda).
const OF_KEDA: &str = "keda-hpa-";

/// That an autoscaler leaves a workload alone whose replicas are 0: for it somebody has switched it off, unless 0 is its own least.
pub(super) fn switched_off(scaler: &Kept, desired: i64, workload: &Rc<str>) -> Option<Text> {
    if desired == 0 && scaler.name.starts_with(OF_KEDA) {
        let look = format!("kubectl get scaledobject -n {}", scaler.namespace);
        return Some(text!(
            "KEDA, which made HorizontalPodAutoscaler {}, scales {} out from none once what it listens to asks for a pod: `{}` shows it.",
            &*scaler.name,
            workload,
            look
        ));
    }
    let may_be_none = scaler.bounds.is_some_and(|(least, _)| least <= 0);
    let is_off = desired == 0 && &*scaler.kind == "HorizontalPodAutoscaler" && !may_be_none;
    is_off.then(|| {
        text!(
            "{} {} does not scale {} while its replicas are 0: none comes back before somebody sets another number.",
            &*scaler.kind,
            &*scaler.name,
            workload
        )
    })
}

/// What it costs a workload to be scaled.
fn scaled(rehearsed: &Rehearsed, dump: &Dump, workload: &ObjectRef, to: i64) -> Text {
    let ObjectRef { kind, namespace, name } = workload;
    let line = format!("kubectl scale {}/{name} -n {namespace} --replicas={to}", kind.short_name());
    let verdicts = rehearsed.workloads.iter().filter_map(|course| course.after.clone()).collect();
    let files = Box::new(|_: &str| None);
    let rehearsal = Rehearsal::new(&rehearsed.run, verdicts, &dump.holds, vec![line], Rc::clone(namespace), files);
    let tried = rehearsal.to_the_end();
    let course = tried.workloads.iter().find(|course| course.workload == *workload);
    let costs = course.map(costs).unwrap_or_default();
    let ends = tried.lines.iter().map(outcome);
    Text::list("; ", ends.chain(costs))
}
