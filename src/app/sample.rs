//! A picture by hand, until the real one is there.

use crate::objects::{Kind, ObjectRef, PodManagementPolicy, UpdateStrategyType};
use crate::session::{Command, Session};
use crate::sim::Behaviour;
use crate::view::*;
use std::rc::Rc;

fn revision(hue: usize) -> Revision {
    Revision { name: ["web-5cdb7d", "web-7f94c8"][hue].into(), letter: ["A", "B"][hue].into(), hue }
}

fn set() -> ObjectRef {
    ObjectRef { kind: Kind::StatefulSet, namespace: "default".into(), name: "web".into() }
}

fn act(label: &str) -> Act {
    Act {
        label: label.into(),
        command: Command::AddNode,
        kubectl: "kubectl delete pod web-2 --grace-period=0 --force".into(),
        risk: if label.contains("orce") { "Two web-2 may write to www-web-2.".into() } else { String::new() },
    }
}

fn place(ordinal: i32, look: Look, status: &str, hue: usize) -> Place {
    let name = format!("web-{ordinal}");
    let pod = (!status.is_empty()).then(|| {
        Rc::new(Pod {
            name: name.clone(),
            status: status.into(),
            ready: if look == Look::Ready { "1/1" } else { "0/1" }.into(),
            look,
            node: if look == Look::Pending { String::new() } else { format!("node-{}", ordinal % 3 + 1) },
            tag: ["1.27", "1.28"][hue].into(),
            restarts: if look == Look::Failed { 4 } else { 0 },
            revision: revision(hue),
            dns: format!("web-{ordinal}.nginx.default.svc.cluster.local"),
            acts: vec![act("Delete"), act("Force delete"), act("Crash the container"), act("Evict")],
        })
    });
    Place {
        key: format!("{ordinal}-{}", pod.is_some()),
        ordinal,
        name,
        pod,
        empty: "will be created at revision B".into(),
        condemned: ordinal > 5,
        ringed: ordinal == 2,
        claims: vec![Claim { name: format!("www-web-{ordinal}"), phase: "Bound".into() }],
    }
}

pub(crate) fn build(session: &Session, _set: Option<&ObjectRef>) -> View {
    let seconds = (session.cluster().now().0 % 3_600_000) / 1000;
    let stage = |title: &str, state, steps: &[&str]| Stage {
        title: title.into(),
        state,
        steps: steps.iter().map(|text| Step { text: (*text).into(), function: "updateStatefulSet".into(), file: "pkg/controller/statefulset/stateful_set_control.go".into() }).collect(),
    };
    let node = |name: &str, look, status: &str, pods: &[(i32, Look, usize)]| Node {
        name: name.into(),
        status: status.into(),
        look,
        pods: pods.iter().map(|(ordinal, look, hue)| NodePod { name: format!("web-{ordinal}"), look: *look, status: "Running".into(), hue: *hue }).collect(),
        conditions: if look == NodeLook::Lost { vec![Condition { text: "Its pods are deleted in 4 m 12 s, and stay Terminating until it answers.".into() }] } else { vec![] },
        acts: vec![act("Lose the node"), act("Cordon"), act("Remove")],
    };
    View {
        summary: Some(Summary { name: "web".into(), ready: (3, 5), updated: 2, current: Some(revision(0)), update: Some(revision(1)) }),
        rail: Rc::new(Rail {
            places: vec![
                place(0, Look::Ready, "Running", 0), place(1, Look::Ready, "Running", 0), place(2, Look::Unreachable, "Terminating", 0),
                place(3, Look::Starting, "ContainerCreating", 1), place(4, Look::Failed, "CrashLoopBackOff", 1), place(5, Look::Pending, "", 1), place(6, Look::Terminating, "Terminating", 0),
            ],
            partition: Some(Flag { label: "partition 2".into(), at: 2, max: 6, consequence: "partition 2: web-2 to web-5 will update".into() }),
            replicas: Some(Flag { label: "replicas 6".into(), at: 6, max: 20, consequence: "replicas 6: web-6 is deleted".into() }),
            density: Density::Card,
        }),
        stands: Rc::new(Stands {
            title: "Controller is waiting at web-2".into(),
            body: "It is terminating on a node nobody can reach, and OrderedReady goes no further until it is gone.".into(),
            unblocks: "node-3 returns, or you remove it, or you force delete web-2. Force delete can leave two web-2 writing to www-web-2.".into(),
            tone: Tone::Stuck,
        }),
        why: Rc::new(vec![
            stage("Claim pods", StepState::Done, &["6 owned, 0 adopted"]),
            stage("Revisions", StepState::Done, &["current A, update B"]),
            stage("Split by ordinal", StepState::Done, &["6 replicas, 1 condemned"]),
            stage("Scan replicas in order", StepState::Here, &["web-0 is ready and matches", "web-1 is ready and matches", "web-2 is terminating: OrderedReady stops here"]),
            stage("Delete condemned", StepState::NotReached, &[]),
            stage("Rolling update", StepState::NotReached, &[]),
            stage("Write status", StepState::Done, &["unchanged"]),
        ]),
        nodes: Rc::new(vec![
            node("node-1", NodeLook::Ready, "Ready", &[(0, Look::Ready, 0), (3, Look::Starting, 1), (6, Look::Terminating, 0)]),
            node("node-2", NodeLook::Cordoned, "Ready,SchedulingDisabled", &[(1, Look::Ready, 0), (4, Look::Failed, 1)]),
            node("node-3", NodeLook::Lost, "NotReady", &[(2, Look::Unreachable, 0)]),
        ]),
        controls: Some(Rc::new(Controls {
            set: set(), release: "v1.20.2".into(), replicas: 6, policy: PodManagementPolicy::OrderedReady, strategy: UpdateStrategyType::RollingUpdate,
            partition: Some(2), partition_means: "web-2 to web-5 move to the new revision; web-0 and web-1 stay.".into(), container: "nginx".into(),
            image: "nginx:1.27".into(), next_image: "nginx:1.28".into(), behaviour: Behaviour::Healthy, can_roll_back: true, readiness: 3000,
            kubectl: KubectlLines {
                replicas: "kubectl scale sts web --replicas=6".into(), policy: String::new(),
                strategy: r#"kubectl patch sts web -p '{"spec":{"updateStrategy":{"type":"RollingUpdate"}}}'"#.into(),
                partition: r#"kubectl patch sts web -p '{"spec":{"updateStrategy":{"rollingUpdate":{"partition":2}}}}'"#.into(),
                image: "kubectl set image sts/web nginx=nginx:1.28".into(), undo: "kubectl rollout undo sts/web".into(),
            },
        })),
        events: Rc::new((0..12).map(|n| EventRow {
            key: n.to_string(), warning: n == 1, reason: if n == 1 { "RecreatingFailedPod" } else { "SuccessfulCreate" }.into(), age: format!("{n}s"),
            from: "statefulset-controller".into(), about: "statefulset/web".into(), message: format!("create Pod web-{n} in StatefulSet web successful"),
        }).collect()),
        clock: format!("{} m {:02} s", seconds / 60, seconds % 60),
        progress: format!("Step {}", session.position().0),
        settled: false,
        last: "The kubelet of node-1 reported web-0 Ready.".into(),
    }
}
