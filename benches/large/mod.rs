//! Large workloads, and what they may take.

use setscope::objects::{Kind, ObjectRef};
use setscope::reconcile::Release;
use setscope::session::{Command, Session};
use setscope::sim::START;

/// Moments that are gone to, spread over the run, and how often; the fastest time of a moment counts.
const PLACES: i64 = 40;
const TIMES: usize = 2;

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Workload {
    Parallel,
    Ordered,
    /// Rolled pod by pod, each of which has to be ready for some seconds.
    Waiting,
    /// Scaled to 0 in place of a roll.
    Emptied,
    Deployment,
    DaemonSet,
    InPlace,
}

/// A workload of a size; the milliseconds in which it is to be created and rolled natively and in which any of its moments is
/// gone to, and the megabytes it may take: what loops in the shape of upstream's take, and a half more.
pub(crate) struct Case {
    pub(crate) workload: Workload,
    pub(crate) pods: i32,
    pub(crate) milliseconds: f64,
    pub(crate) seek: f64,
    #[cfg_attr(target_arch = "wasm32", expect(dead_code, reason = "memory is measured natively"))]
    pub(crate) megabytes: f64,
}

pub(crate) const fn case(workload: Workload, pods: i32, [milliseconds, seek, megabytes]: [f64; 3]) -> Case {
    Case { workload, pods, milliseconds, seek, megabytes }
}

pub(crate) const CASES: [Case; 14] = [
    case(Workload::Parallel, 100, [50.0, 20.0, 24.0]),
    case(Workload::Ordered, 100, [50.0, 20.0, 24.0]),
    case(Workload::Deployment, 100, [50.0, 20.0, 24.0]),
    case(Workload::DaemonSet, 100, [80.0, 20.0, 24.0]),
    case(Workload::InPlace, 100, [50.0, 20.0, 24.0]),
    case(Workload::Parallel, 1_000, [1_000.0, 50.0, 64.0]),
    case(Workload::Ordered, 1_000, [1_000.0, 50.0, 64.0]),
    case(Workload::Deployment, 1_000, [1_000.0, 50.0, 64.0]),
    case(Workload::DaemonSet, 1_000, [6_000.0, 400.0, 64.0]),
    case(Workload::InPlace, 1_000, [1_000.0, 50.0, 64.0]),
    case(Workload::Parallel, 10_000, [80_000.0, 150.0, 1_000.0]),
    case(Workload::Ordered, 10_000, [80_000.0, 150.0, 1_000.0]),
    case(Workload::Waiting, 10_000, [80_000.0, 150.0, 1_000.0]),
    case(Workload::Emptied, 10_000, [80_000.0, 150.0, 1_000.0]),
];

impl Case {
    pub(crate) fn name(&self) -> String {
        let workload = match self.workload {
            Workload::Parallel => "parallel",
            Workload::Ordered => "ordered",
            Workload::Waiting => "waiting",
            Workload::Emptied => "emptied",
            Workload::Deployment => "deployment",
            Workload::DaemonSet => "daemon-set",
            Workload::InPlace => "in-place",
        };
        format!("{workload}-{}", self.pods)
    }

    pub(crate) fn kind(&self) -> Kind {
        match self.workload {
            Workload::Parallel | Workload::Ordered | Workload::Waiting | Workload::Emptied => Kind::StatefulSet,
            Workload::Deployment => Kind::Deployment,
            Workload::DaemonSet => Kind::DaemonSet,
            Workload::InPlace => Kind::CloneSet,
        }
    }

    fn manifest(&self) -> String {
        let replicas = self.pods;
        let (version, own) = match self.workload {
            Workload::Parallel => (
                "apps/v1",
                format!(r#""serviceName": "n", "replicas": {replicas}, "podManagementPolicy": "Parallel","#),
            ),
            Workload::Ordered | Workload::Emptied => {
                ("apps/v1", format!(r#""serviceName": "n", "replicas": {replicas},"#))
            }
            Workload::Waiting => (
                "apps/v1",
                format!(
                    r#""serviceName": "n", "replicas": {replicas}, "podManagementPolicy": "Parallel",
                    "minReadySeconds": 5,"#
                ),
            ),
            Workload::Deployment => ("apps/v1", format!(r#""replicas": {replicas},"#)),
            Workload::DaemonSet => {
                ("apps/v1", r#""updateStrategy": {"rollingUpdate": {"maxUnavailable": "10%"}},"#.to_owned())
            }
            Workload::InPlace => (
                "apps.kruise.io/v1alpha1",
                format!(
                    r#""replicas": {replicas},
                    "updateStrategy": {{"type": "InPlaceIfPossible", "maxUnavailable": "10%"}},"#
                ),
            ),
        };
        format!(
            r#"{{"apiVersion": "{version}", "kind": "{}", "metadata": {{"name": "web"}}, "spec": {{{own}
            "selector": {{"matchLabels": {{"app": "nginx"}}}}, "template": {{"metadata": {{"labels": {{"app": "nginx"}}}},
            "spec": {{"containers": [{{"name": "nginx", "image": "nginx:1.27"}}]}}}}}}}}"#,
            self.kind().as_str()
        )
    }

    pub(crate) fn start(&self) -> Session {
        let nodes = if self.workload == Workload::DaemonSet { usize::try_from(self.pods).unwrap() } else { 3 };
        let mut session = Session::empty(Release::default(), 1, nodes);
        session.command(Command::Apply { manifest: self.manifest().as_str().into() }).unwrap();
        session
    }

    /// The command that rolls it to another image, or scales it to 0.
    pub(crate) fn roll(&self) -> Command {
        let set = ObjectRef { kind: self.kind(), namespace: "default".into(), name: "web".into() };
        if self.workload == Workload::Emptied {
            return Command::Scale { set, replicas: 0 };
        }
        Command::SetImage { set, container: "nginx".into(), image: "nginx:1.28".into() }
    }

    /// Whether every pod is there and rolled, or none is.
    pub(crate) fn is_rolled(&self, session: &Session) -> bool {
        if self.workload == Workload::Emptied {
            return session.cluster().pods().next().is_none();
        }
        let pods = session.cluster().pods().filter(|pod| &*pod.spec.containers[0].image == "nginx:1.28");
        pods.count() == usize::try_from(self.pods).unwrap()
    }
}

/// The milliseconds of the slowest of some seeks, spread over the run.
pub(crate) fn slowest_seek(session: &mut Session, now_ms: &dyn Fn() -> f64) -> f64 {
    let end = session.latest().now().0 - START.0;
    let mut fastest = vec![f64::MAX; usize::try_from(PLACES).unwrap()];
    for _ in 0..TIMES {
        for (place, fastest) in (0..).zip(&mut fastest) {
            let start = now_ms();
            session.seek(end * (place * 17 % PLACES) / PLACES);
            *fastest = fastest.min(now_ms() - start);
        }
    }
    fastest.into_iter().fold(0.0, f64::max)
}
