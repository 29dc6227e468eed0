//! What becomes of a workload, in words, and what to look at where that is not known.

use crate::objects::{Kind, ObjectRef};
use crate::session::dump::{self, ClearedBy, UNNAMED_GATE};
use crate::sim::{NamedObject, What};
use crate::text::{Text, about, named_node, span};
use crate::verdict::{Astray, Await, Ends, Kept, Lasting, Refuted, State, Verdict, Why};

/// What becomes of a workload.
pub fn headline(verdict: &Verdict) -> Text {
    match (&verdict.ends, verdict.available_after) {
        (Ends::ByItself { .. }, _) if verdict.is_well() => match verdict.state {
            State::Kept(kept) => text!("as it was asked to be; {}", reason(kept)),
            // Nobody asked for it here.
            _ if verdict.workload.kind == Kind::Pod => text!("well; no controller that is simulated looks after it"),
            _ => text!("as it was asked to be"),
        },
        (Ends::ByItself { after }, _) => match verdict.grace_ms {
            None => text!("not there yet; by itself in about {}", about(*after)),
            Some(grace) => text!(
                "not there yet; by itself in about {}, and later by up to {} for each pod that takes all of its grace to end",
                about(*after),
                span(grace)
            ),
        },
        (Ends::Never | Ends::When(_) | Ends::ByPerson(_), Some(0)) => {
            text!("available; a pod that is being deleted stays until somebody ends it")
        }
        (Ends::Never | Ends::When(_) | Ends::ByPerson(_), Some(after)) => {
            text!("available in about {}; a pod that is being deleted then stays until somebody ends it", about(after))
        }
        (Ends::Never, None) => text!("stuck: nothing ends this by itself"),
        (Ends::When(by) | Ends::ByPerson(by), None) => text!("stuck: {}", needs(by)),
        (Ends::NotKnown(why), _) => not_known(why),
    }
}

fn not_known(why: &Why) -> Text {
    match why {
        Why::Budget { events, ms } => text!(
            "not known: followed for {} events and {} of the cluster's time, it had not come to an end",
            *events,
            span(*ms)
        ),
        Why::Unsaid => {
            text!("not known: the text tells too little of it, and what it leaves out may hold it")
        }
        Why::Unlisted => text!("not known: the text has none of its pods"),
        Why::Volumes(pod) => {
            text!(
                "not known: the text shows no volume of {}, and a pod without the claims of its set fails each sync",
                pod
            )
        }
        Why::Nodes => {
            text!("not known: the text does not list every node, and so not whether one takes its new pods")
        }
        Why::Preemption => {
            text!("not known: the scheduler may preempt pods for those of a higher priority, which is not simulated")
        }
        Why::Devices => {
            text!("not known: a new pod claims devices, and whether there are some that are free is not simulated")
        }
        Why::Named(all) => {
            text!(
                "not known: its new pods ask for what nothing in the text shows to be there: {}; look with {}",
                NamedObject::names(all),
                NamedObject::looks(all)
            )
        }
        Why::Deadline(pod) => {
            text!(
                "not known: {} has activeDeadlineSeconds, after which its kubelet ends it, and that is not simulated",
                pod
            )
        }
        Why::Placement => {
            text!(
                "not known: its next pod starts only on the node that has its volume, and the scheduler may choose another"
            )
        }
        Why::Astray(Astray { pod, claim, .. }) => text!(
            "not known: {} is to run in another zone than it was, and the text does not say whether the volume of its claim {} can be reached from there",
            pod,
            claim
        ),
        Why::Awaits(awaits) => not_there(awaits),
        Why::Refuted(refuted) => not_borne_out(refuted),
    }
}

/// What is on its way, and the text does not tell when it comes.
fn not_there(awaits: &Await) -> Text {
    match awaits {
        Await::Node { pod, ago_ms } => text!(
            "not known: no node takes {}, and another was asked for {} ago; the text does not tell when it comes",
            pod,
            span(*ago_ms)
        ),
        Await::Detach { pod, lasts_ms } => text!(
            "not known: {} has waited {} for a volume that another node is to let go; from one that does not answer it is taken after six minutes",
            pod,
            span(*lasts_ms)
        ),
        Await::Volume { pod, lasts_ms, said } => text!(
            "not known: the kubelet has been at work on the volume of {} for {}, and the text does not tell when it is done. It says: {}",
            pod,
            span(*lasts_ms),
            said.trim()
        ),
        Await::Joins { pod, node, ago_ms: Some(ago_ms) } => text!(
            "not known: {} needs {}, which came {} ago and is not Ready yet; whether it gets so, a later text tells",
            pod,
            named_node(node),
            span(*ago_ms)
        ),
        Await::Joins { pod, node, ago_ms: None } => {
            text!("not known: {} needs {}, and the text does not say whether that is Ready", pod, named_node(node))
        }
        Await::Ready { pod, lasts_ms } => text!(
            "not known: {} was started {} ago and is not Ready yet; whether it gets so, a later text tells",
            pod,
            span(*lasts_ms)
        ),
        Await::End { pod, ago_ms, left_ms } => text!(
            "not known: {} was asked to end {} ago, and its grace is over in {}; when its program ends before that, no text tells",
            pod,
            span(*ago_ms),
            span(*left_ms)
        ),
        Await::Init { pod, kind, name, has_failed: true, lasts_ms } => text!(
            "not known: an init container of {} has been running for {} and may wait for {} {}, which has failed",
            pod,
            span(*lasts_ms),
            kind,
            name
        ),
        Await::Init { pod, kind, name, lasts_ms, .. } => text!(
            "not known: an init container of {} has been running for {} and may wait for {} {}; whether that comes about, a later text tells",
            pod,
            span(*lasts_ms),
            kind,
            name
        ),
    }
}

/// Why the text does not bear a forecast out.
pub(super) fn not_borne_out(refuted: &Refuted) -> Text {
    match &refuted.state {
        // How old it is the text does not tell.
        Lasting::Flapping if refuted.lasted_ms < 1_000 => {
            text!(
                "not known: {} is Ready, and its containers have ended and been started again: this time need not be the last",
                refuted.subject.name
            )
        }
        Lasting::Flapping => text!(
            "not known: {} is Ready, and its containers have ended and been started again for {}: this time need not be the last",
            refuted.subject.name,
            span(refuted.lasted_ms)
        ),
        Lasting::LosesReadiness => text!(
            "not known: {} is Ready, and its readiness probe has failed again and again for {}: this time need not be the last",
            refuted.subject.name,
            span(refuted.lasted_ms)
        ),
        Lasting::LosesNode { node } => {
            text!(
                "not known: {} is Ready, and {}, where it runs, was lost and came back again and again for {}: this time need not be the last",
                refuted.subject.name,
                named_node(node),
                span(refuted.lasted_ms)
            )
        }
        Lasting::Silent { node } => {
            text!(
                "not known: {} is on {}, which counts as Ready though its kubelet has not been heard of for {}: whoever would say that it is lost does not look",
                refuted.subject.name,
                node,
                span(refuted.lasted_ms)
            )
        }
        Lasting::Undeleted => text!(
            "not known: the API server has refused for {} to delete pods of {}; whether it goes on doing so, a later text tells",
            span(refuted.lasted_ms),
            refuted.subject.name
        ),
        Lasting::Pulling => text!(
            "not known: the kubelet has been pulling an image of {} for {}, and the text does not tell how much of it is left",
            refuted.subject.name,
            span(refuted.lasted_ms)
        ),
        Lasting::Starting { allowed_ms } => {
            text!(
                "not known: {} has been starting for {}; its startup probe allows it {}, and nobody can tell from here whether it passes",
                refuted.subject.name,
                span(refuted.lasted_ms),
                span(*allowed_ms)
            )
        }
        Lasting::Standing => text!(
            "not known: nothing of {} has moved for {}; left to the controllers it would go on in about {}, so something holds it that the text does not show",
            refuted.subject.name,
            span(refuted.lasted_ms),
            about(refuted.would_end_in_ms)
        ),
        Lasting::NotInText { counted, there } => {
            text!(
                "not known: the status of {} counts {} pods and the text has {}, and nothing of it has moved for {}: what is missing may be missing in the text alone",
                refuted.subject.name,
                i64::from(*counted),
                i64::from(*there),
                span(refuted.lasted_ms)
            )
        }
        _ => text!(
            "not known: {} for {}; left to the controllers it would end in about {}, so something holds it that the text does not show",
            lasting(refuted),
            span(refuted.lasted_ms),
            about(refuted.would_end_in_ms)
        ),
    }
}

/// What ends where it stands, in words that go on from there; empty if nothing does.
pub fn what_ends(verdict: &Verdict) -> Text {
    match (&verdict.ends, verdict.available_after) {
        (Ends::When(by) | Ends::ByPerson(by), None) => needs(by),
        (Ends::Never, None) => Text::default(),
        // It names what to look at itself.
        (Ends::NotKnown(Why::Named(_)), _) => headline(verdict),
        (Ends::NotKnown(_), _) => match look(verdict) {
            Some(look) => text!("{}. {}", headline(verdict), look),
            None => headline(verdict),
        },
        _ => headline(verdict),
    }
}

fn needs(by: &ClearedBy) -> Text {
    match by {
        ClearedBy::AnotherRevision => text!(
            "no pod of this revision was ever Ready: the template, or what it needs, has to be corrected, and then its pods made anew"
        ),
        ClearedBy::ShorterName => {
            text!("its name is too long for a label of its pods: it has to be made anew under a shorter one")
        }
        ClearedBy::Named { kind, name } => until(kind, name),
        ClearedBy::AnotherNode => text!("it stays so until there is another node for it"),
        ClearedBy::Repair(node) => {
            text!("what fails on {} has to be repaired, or the pod made anew on another node", named_node(node))
        }
        ClearedBy::Kubelet(node) => {
            text!("it stays so until {} takes its pods, or there is another node for them", named_node(node))
        }
        ClearedBy::Image(node) => text!("it stays so until {} gets the image from its registry", named_node(node)),
        ClearedBy::Person => text!("nothing ends this by itself; its cause has to be found"),
        ClearedBy::SchedulingGate(gate) if **gate == *UNNAMED_GATE => {
            text!("it stays so until whoever put its scheduling gate on takes it away")
        }
        ClearedBy::Finalizer(name) => text!("it stays so until its finalizer {} is removed", name),
        ClearedBy::SchedulingGate(gate) => text!("it stays so until its scheduling gate {} is removed", gate),
        ClearedBy::ReadinessGate(gate) => text!("it stays so until its readiness gate {} is True", gate),
        ClearedBy::Hook { pod, names, lacks: true } => {
            text!("it stays so until whoever works its hook has put {} on {}", names, pod)
        }
        ClearedBy::Hook { pod, names, lacks: false } => {
            text!("it stays so until whoever works its hook has taken {} off {}", names, pod)
        }
        ClearedBy::NodeOrForce(node) => {
            text!("what holds it on {} has to end, or somebody deletes it by force", node)
        }
        ClearedBy::GraceOrForce { node, left_ms } => text!(
            "its grace is over in {}; before that what holds it on {} has to end, or somebody deletes it by force",
            span(*left_ms),
            node
        ),
        ClearedBy::RestartOfPod => text!("it stays so until the pod is made anew"),
        ClearedBy::Detached { claim, node } => {
            text!("it stays so until {} lets the volume of claim {} go", named_node(node), claim)
        }
        ClearedBy::Scheduler => text!("it stays so until the scheduler says otherwise"),
        ClearedBy::OtherWriter => text!("somebody makes it anew again and again; whoever does has to stop"),
        ClearedBy::OtherScaler => {
            text!("two writers set its replicas to different numbers, again and again; one of them has to stop")
        }
        ClearedBy::Resizer => text!("it stays so until the resizer of its storage class is done"),
    }
}

/// What has to become of an object that holds a workload.
fn until(kind: &str, name: &str) -> Text {
    match (kind, name) {
        ("StorageClass", "") => text!("it stays so until its claim names a StorageClass, or one is the default"),
        ("PersistentVolume", "") => {
            text!("it stays so until a PersistentVolume that is made by hand and fits its claim is free")
        }
        ("PersistentVolumeClaim", _) => {
            text!("it stays so until PersistentVolumeClaim {} is there and has its volume", name)
        }
        ("ResourceQuota", "") => {
            text!("it stays so until a ResourceQuota of its namespace lets its pods in, or they ask for something else")
        }
        ("ResourceQuota", _) => {
            text!("it stays so until ResourceQuota {} has room for its pods, and they say what it counts", name)
        }
        ("QuotaStatus", _) => text!("it stays so until the quota controller has counted ResourceQuota {}", name),
        ("Webhook", _) => text!("it stays so until webhook {} answers, and lets its pods in", name),
        ("Image", _) => text!("it stays so until image {} can be had, or the template names another", name),
        ("Namespace", _) => text!("it stays so: Namespace {} is being deleted, and takes no new pod", name),
        ("Token", _) => text!(
            "it stays so until the controller manager has made a token for ServiceAccount {}, for which it needs a key to sign with",
            name
        ),
        ("Pod", _) => text!("it stays so until {}, a part of the control plane, runs again", name),
        ("scheduler", _) => text!("it stays so until scheduler {} looks at its pods", name),
        ("provisioner", _) => text!("it stays so until provisioner {} makes the volume", name),
        ("ConfigMap" | "Secret" | "ServiceAccount" | "PriorityClass" | "RuntimeClass", _) if !name.is_empty() => {
            text!("it stays so until {} {} is there, with all that is asked of it", kind, name)
        }
        (_, "") => text!("it stays so until the template keeps to the {}, or that is changed", kind),
        _ => text!("it stays so until the template keeps to {} {}, or that is changed", kind, name),
    }
}

fn reason(kept: Kept) -> Text {
    match kept {
        Kept::Paused => text!("updates are paused"),
        Kept::OnDelete => text!("OnDelete leaves updates to people"),
        Kept::Partition => text!("the partition keeps the other pods old"),
    }
}

fn lasting(refuted: &Refuted) -> Text {
    let name = &refuted.subject.name;
    match refuted.state {
        Lasting::Terminating if refuted.subject.kind != Kind::Pod => text!("{} is being deleted and not gone", name),
        Lasting::Terminating => text!("{} is past its grace and not gone", name),
        Lasting::Ended => text!("{} has ended and was not replaced", name),
        Lasting::Unscheduled => text!("{} has had no node", name),
        Lasting::NotStarted => text!("{} has not started its containers", name),
        Lasting::Restarting => text!("containers of {} have ended and been started again", name),
        Lasting::NotReady | Lasting::Starting { .. } => text!("{} has not been Ready", name),
        Lasting::NotAvailable => text!("{} has not been available", name),
        Lasting::Refused => text!("making a pod of {} has been refused", name),
        Lasting::Flapping
        | Lasting::Undeleted
        | Lasting::LosesReadiness
        | Lasting::LosesNode { .. }
        | Lasting::Silent { .. }
        | Lasting::Pulling
        | Lasting::Standing
        | Lasting::NotInText { .. }
        | Lasting::MadeAnew
        | Lasting::Scaled
        | Lasting::Evicted
        | Lasting::Resizing(_) => {
            text!("{} has been so", name)
        }
    }
}

/// The commands that tell more of a cause outside the workload: its node, its volumes, its images' registry.
fn look_at_cause(verdict: &Verdict, by: &ClearedBy) -> Vec<String> {
    let of_node = |node: &str| {
        vec![
            format!("kubectl describe node {node}"),
            format!("kubectl get pods -A -o wide --field-selector spec.nodeName={node}"),
        ]
    };
    let held = verdict.holds.iter().find(|held| held.object().kind == Kind::Pod);
    let describe =
        held.map(|held| format!("kubectl describe pod {} -n {}", held.object().name, held.object().namespace));
    let is_waiting = held.is_some_and(|held| matches!(held.hold.what, What::Waits { .. }));
    match by {
        ClearedBy::Repair(node) | ClearedBy::Kubelet(node) => of_node(node),
        ClearedBy::Detached { node, .. } => {
            [format!("kubectl describe node {node}"), "kubectl get volumeattachments -o yaml".to_owned()].into()
        }
        ClearedBy::Image(node) => describe.into_iter().chain(of_node(node)).collect(),
        ClearedBy::Resizer | ClearedBy::RestartOfPod => {
            vec![format!("kubectl describe pvc -n {}", verdict.workload.namespace)]
        }
        ClearedBy::Person if is_waiting => {
            let volumes = ["kubectl get volumeattachments", "kubectl get csidrivers,csinodes"].map(str::to_owned);
            describe.into_iter().chain(volumes).collect()
        }
        _ => Vec::new(),
    }
}

/// What to look at next, where it is not known what holds a workload.
pub(super) fn look(verdict: &Verdict) -> Option<Text> {
    let lines = look_next(verdict);
    (!lines.is_empty()).then(|| text!("Look at what the text does not show: {}", lines.join("; ")))
}

/// The commands that tell more where it is not known what holds a workload.
pub fn look_next(verdict: &Verdict) -> Vec<String> {
    let (subject, state) = match &verdict.ends {
        Ends::NotKnown(
            Why::Unsaid | Why::Unlisted | Why::Refuted(Refuted { state: Lasting::NotInText { .. }, .. }),
        ) => {
            return vec![format!("{} -n {}", dump::command(), verdict.workload.namespace)];
        }
        Ends::NotKnown(Why::Refuted(Refuted { subject, state, .. })) => (subject, state),
        Ends::NotKnown(Why::Nodes) => {
            return vec!["kubectl get nodes -o yaml".to_owned(), "kubectl get pods -A -o wide".to_owned()];
        }
        Ends::NotKnown(Why::Preemption) => {
            return vec!["kubectl get events -A --field-selector reason=Preempted".to_owned()];
        }
        Ends::NotKnown(Why::Devices) => {
            return vec![
                format!("kubectl get resourceclaims -n {}", verdict.workload.namespace),
                "kubectl get resourceslices".to_owned(),
            ];
        }
        Ends::NotKnown(Why::Named(all)) => return all.iter().map(NamedObject::look).collect(),
        Ends::NotKnown(Why::Volumes(pod)) => {
            return vec![format!("kubectl get pod {pod} -n {} -o yaml", verdict.workload.namespace)];
        }
        Ends::NotKnown(Why::Deadline(pod)) => {
            return vec![format!(
                "kubectl get pod {pod} -n {} -o jsonpath={{.status.startTime}}",
                verdict.workload.namespace
            )];
        }
        Ends::NotKnown(Why::Astray(_)) => return vec!["kubectl get pv -o yaml".to_owned()],
        Ends::NotKnown(Why::Placement) => return vec!["kubectl get volumeattachments".to_owned()],
        Ends::NotKnown(Why::Awaits(Await::Node { .. })) => {
            return vec!["kubectl get nodes".to_owned(), "kubectl get nodeclaims".to_owned()];
        }
        Ends::NotKnown(Why::Awaits(Await::Joins { node, ago_ms: None, .. })) => {
            return vec![format!("kubectl get node {node} -o yaml")];
        }
        Ends::NotKnown(Why::Awaits(Await::Joins { node, .. })) => {
            return vec![format!("kubectl describe node {node}"), format!("kubectl get node {node} --watch")];
        }
        Ends::NotKnown(Why::Awaits(Await::Ready { pod, .. } | Await::Volume { pod, .. } | Await::End { pod, .. })) => {
            return vec![format!("kubectl get pod {pod} -n {} --watch", verdict.workload.namespace)];
        }
        Ends::NotKnown(Why::Awaits(Await::Init { pod, kind, name, has_failed, .. })) => {
            let namespace = &verdict.workload.namespace;
            let logs = format!("kubectl logs {pod} -n {namespace} --all-containers");
            let of_failed = format!("kubectl logs job/{name} -n {namespace}");
            let describe = format!("kubectl describe {} {name} -n {namespace}", kind.to_lowercase());
            return [logs, describe].into_iter().chain(has_failed.then_some(of_failed)).collect();
        }
        Ends::NotKnown(Why::Awaits(Await::Detach { .. })) => return vec!["kubectl get volumeattachments".to_owned()],
        Ends::When(by) | Ends::ByPerson(by) => return look_at_cause(verdict, by),
        _ => return Vec::new(),
    };
    let ObjectRef { kind, namespace, name } = subject;
    let describe = format!("kubectl describe {} {name} -n {namespace}", kind.singular());
    // Those of a workload's pods are about these.
    let of_pod = format!(" --field-selector involvedObject.name={name}");
    let of = if *kind == Kind::Pod { of_pod.as_str() } else { " --sort-by=.lastTimestamp" };
    let events = format!("kubectl get events -n {namespace}{of}");
    let logs = format!("kubectl logs {name} -n {namespace} --all-containers --previous");
    match state {
        Lasting::Restarting | Lasting::Flapping => vec![describe, logs],
        Lasting::NotReady | Lasting::Starting { .. } | Lasting::LosesReadiness => {
            vec![describe, logs.replace(" --previous", "")]
        }
        Lasting::LosesNode { node } => vec![format!("kubectl describe node {node}")],
        Lasting::Silent { node } => {
            let of_control_plane = "kubectl get pods -n kube-system -l component=kube-controller-manager".to_owned();
            vec![format!("kubectl describe node {node}"), of_control_plane]
        }
        _ if *kind == Kind::Pod => vec![describe, events],
        _ => vec![events, describe],
    }
}
