//! One cluster on the way through its interleavings, and what must hold in it.

use crate::model::{DESCENDS, ENDS_WELL, ONE_LIFE, ONE_NAME, ORDER, Story};
use setscope::objects::{Json, Kind, Object, Pod, StatefulSet, defaults};
use setscope::reconcile::{Gates, Release, is_healthy, parent_and_ordinal, revision_of, stateful_set};
use setscope::sim::{Choice, Cluster, Settings, Verb};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What may come next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Act {
    Event(Choice),
    Scale,
    ChangeTemplate,
    Fail,
    Repair,
}

#[derive(Clone)]
pub(crate) struct World {
    cluster: Cluster,
    story: Story,
    /// Scaled, changed, failed, repaired, or not to be.
    done: [bool; 4],
    broken: Option<&'static str>,
}

const NODE: &str = "node-a";
/// The newest release whose syncs run ahead of their cache.
pub(crate) const RELEASE: Release = Release::V1_35;

impl World {
    /// A set that has come up on two nodes, under a controller with these gates.
    pub(crate) fn start(story: Story, gates: Gates) -> Self {
        let mut cluster = Cluster::new(RELEASE, gates, 1);
        (0..2).for_each(|_| cluster.add_node());
        cluster.create(Object::StatefulSet(Rc::new(set(&cluster, story.from)))).unwrap();
        while cluster.step() {}
        cluster.set_settings(Settings { cache_lag: story.cache_lag, ..cluster.settings().clone() });
        Self {
            cluster,
            story,
            done: [story.from == story.to, !story.changes, story.failure.is_none(), false],
            broken: None,
        }
    }

    pub(crate) fn acts(&self) -> Vec<Act> {
        let [scaled, changed, failed, repaired] = self.done;
        let mut acts: Vec<Act> = self.cluster.choices(self.story.most_behind).into_iter().map(Act::Event).collect();
        let commands = [
            (!scaled, Act::Scale),
            (!changed, Act::ChangeTemplate),
            (!failed, Act::Fail),
            (failed && !repaired && self.story.failure.is_some(), Act::Repair),
        ];
        let works = self.cluster.has_work();
        acts.extend(commands.into_iter().filter(|(may, _)| *may && !works).map(|(_, act)| act));
        acts
    }

    pub(crate) fn take(&mut self, act: Act) {
        match act {
            Act::Event(choice) => self.take_event(choice),
            Act::Scale => {
                self.done[0] = true;
                let replicas = self.story.to;
                self.change_set(&|set| Rc::make_mut(&mut set.spec).replicas = Some(replicas));
            }
            Act::ChangeTemplate => {
                self.done[1] = true;
                self.change_set(&|set| {
                    let template = &mut Rc::make_mut(&mut set.spec).template;
                    Rc::make_mut(&mut template.spec).containers[0].image = "nginx:2".into();
                });
            }
            Act::Fail => {
                self.done[2] = true;
                let failure = self.story.failure.unwrap();
                self.cluster.fail(&NODE.into(), failure);
            }
            Act::Repair => {
                self.done[3] = true;
                self.cluster.recover(&NODE.into());
            }
        }
        self.cluster.forget_delays();
        self.look();
    }

    fn take_event(&mut self, choice: Choice) {
        let cached = self.cluster.cache().namespace("default");
        let shown = cached.map_or_else(Vec::new, |cached| cached.pods.to_vec());
        let set = cached.and_then(|cached| cached.stateful_sets.get("web"));
        let template = set.map(|set| Rc::clone(&set.spec.template.spec.containers[0].image));
        self.cluster.choose(choice);
        let syncs = self.cluster.trace().syncs.clone();
        for sync in &syncs {
            for write in sync.writes.iter().filter(|write| write.kind == Kind::Pod) {
                let (_, ordinal) = parent_and_ordinal(&write.name).unwrap();
                let rolled = |rule| sync.decisions.iter().any(|it| it.rule == rule && it.ordinal() == Some(ordinal));
                let broken = match write.verb {
                    Verb::Create => breaks_on_create(&shown, &write.name, ordinal),
                    Verb::Delete if rolled(stateful_set::Rule::UpdateDeleted) => {
                        breaks_on_update(&shown, ordinal, template.as_deref().unwrap_or_default())
                    }
                    _ => None,
                };
                self.broken = self.broken.or(broken);
            }
        }
    }

    fn look(&mut self) {
        let live = self.cluster.live_containers();
        let names: BTreeSet<&str> = live.iter().map(|live| &*live.pod.name).collect();
        if names.len() < live.len() {
            self.broken = self.broken.or(Some(ONE_LIFE));
        }
        if self.acts().is_empty() && !self.is_as_asked_for() {
            self.broken = self.broken.or(Some(ENDS_WELL));
        }
    }

    fn is_as_asked_for(&self) -> bool {
        let set = self.cluster.stateful_sets().next().unwrap();
        let pods: Vec<_> = self.cluster.pods().collect();
        let update = &*set.status.update_revision;
        let (wanted, live) = (usize::try_from(self.story.to).unwrap(), self.cluster.live_containers());
        let status = (set.status.replicas, set.status.ready_replicas, set.status.updated_replicas);
        pods.len() == wanted
            && live.len() == wanted
            && pods.iter().all(|pod| {
                is_healthy(pod)
                    && revision_of(pod) == update
                    && &*pod.spec.containers[0].image == if self.story.changes { "nginx:2" } else { "nginx:1" }
            })
            && status == (self.story.to, self.story.to, self.story.to)
            && set.status.current_revision == set.status.update_revision
    }

    fn change_set(&mut self, change: &dyn Fn(&mut StatefulSet)) {
        let mut set = (**self.cluster.stateful_sets().next().unwrap()).clone();
        change(&mut set);
        self.cluster.update(Object::StatefulSet(Rc::new(set))).unwrap();
    }

    pub(crate) fn broken(&self) -> Option<&'static str> {
        self.broken
    }

    /// What the cluster is and what is still to be done to it.
    pub(crate) fn digest(&self) -> u64 {
        let done = self.done.iter().fold(0, |number, done| number << 1 | u64::from(*done));
        self.cluster.digest() ^ done.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// Of the new pod's name, and of all lower ordinals.
fn breaks_on_create(shown: &[Rc<Pod>], name: &str, ordinal: i32) -> Option<&'static str> {
    let held = |name: &str| shown.iter().find(|pod| &*pod.metadata.name == name);
    if held(name).is_some_and(|pod| pod.is_terminating() || !pod.has_ended()) {
        return Some(ONE_NAME);
    }
    let is_ready = |lower: i32| held(&format!("web-{lower}")).is_some_and(|pod| is_healthy(pod));
    (!(0..ordinal).all(is_ready)).then_some(ORDER)
}

fn breaks_on_update(shown: &[Rc<Pod>], ordinal: i32, image: &str) -> Option<&'static str> {
    let is_higher = |pod: &&Rc<Pod>| parent_and_ordinal(&pod.metadata.name).is_some_and(|(_, it)| it > ordinal);
    (!shown.iter().filter(is_higher).all(|pod| is_healthy(pod) && &*pod.spec.containers[0].image == image))
        .then_some(DESCENDS)
}

fn set(cluster: &Cluster, replicas: i32) -> StatefulSet {
    let mut value = serde_json::json!({
        "apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "web", "namespace": "default"},
        "spec": {"serviceName": "nginx", "replicas": replicas, "selector": {"matchLabels": {"app": "nginx"}},
            "template": {"metadata": {"labels": {"app": "nginx"}},
                "spec": {"containers": [{"name": "nginx", "image": "nginx:1"}]}}}
    });
    defaults::stateful_set(&mut value, &cluster.server());
    StatefulSet::from_json(value).unwrap()
}
