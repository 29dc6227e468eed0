//! The rolling update. Models rollingUpdate of pkg/controller/daemon/update.go.

use super::history::History;
use super::{Rule, Sync, count, place};
use crate::objects::{DaemonSet, IntOrPercent, Pod, Round, UpdateStrategyType};
use crate::order::Order;
use crate::reconcile::stations::{Station, Stations, Turn};
use crate::reconcile::{Facts, SyncError};
use std::rc::Rc;

/// Whether a new pod may stand beside an old one.
pub(super) fn surges(set: &DaemonSet) -> bool {
    limits(set, 1).0 > 0
}

/// How many nodes may have two pods, and how many may have none that is available, of so many. Percentages are rounded up.
fn limits(set: &DaemonSet, nodes: i32) -> (i32, i32) {
    let strategy = &set.spec.update_strategy;
    let is_rolling = strategy.strategy_type == UpdateStrategyType::RollingUpdate;
    let rolling = strategy.rolling_update.clone().filter(|_| is_rolling).unwrap_or_default();
    let number = |value: Option<IntOrPercent>| value.and_then(|it| it.of(nodes, Round::Up)).unwrap_or(0);
    (number(rolling.max_surge), number(rolling.max_unavailable))
}

/// How many more may be unavailable.
fn room(limit: i32, unavailable: i32) -> usize {
    usize::try_from(limit.saturating_sub(unavailable)).unwrap_or(0)
}

/// The pods that are not terminating of the first of these nodes, by name.
fn living(stations: &Stations, turn: Turn, most: usize) -> impl Iterator<Item = Rc<Pod>> {
    let groups = stations.groups().filter(|(look, _)| look.turn == turn);
    let mut nodes: Vec<(&Rc<str>, &Station)> = groups.flat_map(|(_, group)| group.iter().take(most)).collect();
    nodes.order_by(|(one, _), (other, _)| one.cmp(other));
    let is_alive = |pod: &&Rc<Pod>| !pod.is_terminating();
    nodes.into_iter().take(most).filter_map(move |(_, station)| station.pods.iter().find(is_alive)).cloned()
}

/// The pods of a node that are not terminating.
enum Pair<'p> {
    New(&'p Rc<Pod>),
    Old(&'p Rc<Pod>),
    Both(&'p Rc<Pod>, &'p Rc<Pod>),
    None,
    /// More than one of either.
    Crowd,
}

/// What a surge does, node by node.
#[derive(Default)]
struct Surge {
    /// Nodes that have two pods, the new one not available yet.
    surging: i32,
    /// Nodes with a pod that is available.
    available: i32,
    /// Nodes whose old pod is not available: they get a new one whatever the limit.
    lost: Vec<Rc<str>>,
    candidates: Vec<Rc<str>>,
    /// Old pods that are not needed any more.
    done: Vec<Rc<Pod>>,
    /// Available pods on nodes that should have none.
    misplaced: Vec<Rc<Pod>>,
}

impl Sync<'_> {
    fn pair<'p>(&self, pods: &'p [Rc<Pod>], history: &History) -> Pair<'p> {
        let hash = history.hash();
        let alive = pods.iter().filter(|pod| !pod.is_terminating());
        let is_updated = |pod: &&Rc<Pod>| place::is_updated(&self.work.gates, self.observed.set, &hash, pod);
        let (new, old): (Vec<&Rc<Pod>>, Vec<&Rc<Pod>>) = alive.partition(is_updated);
        match (&new[..], &old[..]) {
            ([], []) => Pair::None,
            ([new], []) => Pair::New(new),
            ([], [old]) => Pair::Old(old),
            ([new], [old]) => Pair::Both(new, old),
            _ => Pair::Crowd,
        }
    }

    pub(super) fn roll(&mut self, history: &History) -> Result<(), SyncError> {
        let stations = self.stations(history)?;
        if !self.work.gates.workloads.updates_daemons_by_node {
            return self.roll_by_list(&stations, history);
        }
        let nodes = stations.count(|look| look.fit.runs);
        let (surge, unavailable) = limits(self.observed.set, nodes);
        if surge > 0 {
            self.roll_by_surge(&stations, history, (surge, nodes))
        } else {
            let unavailable = if nodes > 0 && unavailable == 0 { 1 } else { unavailable };
            self.roll_by_deletion(&stations, history, unavailable)
        }
    }

    /// Old pods that are not available go; of the others as many as may be unavailable beside the nodes that are already.
    /// Node by node.
    fn roll_by_deletion(&mut self, stations: &Stations, history: &History, limit: i32) -> Result<(), SyncError> {
        let unavailable = stations.count(|look| matches!(look.turn, Turn::Unavailable | Turn::Lost));
        let room = room(limit, unavailable);
        let waits = usize::try_from(stations.count(|look| look.turn == Turn::Candidate)).is_ok_and(|all| all > room);
        let chosen = living(stations, Turn::Lost, usize::MAX).chain(living(stations, Turn::Candidate, room)).collect();
        self.replace(chosen, waits, unavailable, history)
    }

    /// The same through the list of old pods, as older releases do: a node is unavailable that has no available pod, old
    /// or new. An available one may be chosen although it is terminating.
    fn roll_by_list(&mut self, stations: &Stations, history: &History) -> Result<(), SyncError> {
        let (set, hash) = (self.observed.set, history.hash());
        let (mut nodes, mut unavailable) = (0, 0);
        for (_, _, station) in stations.by_name().filter(|(_, look, _)| look.fit.runs) {
            nodes += 1;
            let is_held = |pod: &Rc<Pod>| !pod.is_terminating() && self.is_available(pod);
            unavailable += i32::from(!station.pods.iter().any(is_held));
        }
        let pods = stations.by_name().flat_map(|(_, _, station)| &station.pods);
        let old = pods.filter(|pod| !place::is_updated(&self.work.gates, set, &hash, pod));
        let (candidates, mut lost): (Vec<Rc<Pod>>, Vec<Rc<Pod>>) = old.cloned().partition(|pod| self.is_available(pod));
        lost.retain(|pod| !pod.is_terminating());
        let room = room(limits(set, nodes).1, unavailable);
        let waits = candidates.len() > room;
        let chosen = lost.into_iter().chain(candidates.into_iter().take(room)).collect();
        self.replace(chosen, waits, unavailable, history)
    }

    /// `waits`: whether more are to go than may be unavailable at once.
    fn replace(
        &mut self,
        chosen: Vec<Rc<Pod>>,
        waits: bool,
        unavailable: i32,
        history: &History,
    ) -> Result<(), SyncError> {
        let rule = if waits { Rule::DaemonUpdateLimited } else { Rule::DaemonUpdateSettled };
        if chosen.is_empty() || waits {
            self.work.decide(rule, Facts::Count(unavailable));
        }
        let chosen: Vec<(Rc<Pod>, Rule)> = chosen.into_iter().map(|pod| (pod, Rule::DaemonUpdateDeleted)).collect();
        self.sync_nodes(&chosen, &[], history)
    }

    /// A new pod beside an old one, and the old one goes once the new one is available. A pod on a node that should have none
    /// goes as soon as enough others are available.
    fn roll_by_surge(
        &mut self,
        stations: &Stations,
        history: &History,
        (limit, nodes): (i32, i32),
    ) -> Result<(), SyncError> {
        let mut surge = self.surge(stations, history, limit)?;
        let spare = usize::try_from(surge.available - nodes).unwrap_or(0);
        // One that the cache no longer lists would be passed over: this is what it lists.
        surge.done.extend(surge.misplaced.into_iter().take(spare));
        let room = usize::try_from(limit.saturating_sub(surge.surging)).unwrap_or(0);
        if surge.candidates.len() > room {
            self.work.decide(Rule::DaemonUpdateLimited, Facts::Count(surge.surging));
        } else if surge.lost.is_empty() && surge.candidates.is_empty() && surge.done.is_empty() {
            self.work.decide(Rule::DaemonUpdateSettled, Facts::Count(surge.surging));
        }
        let new: Vec<Rc<str>> = surge.lost.into_iter().chain(surge.candidates.into_iter().take(room)).collect();
        if !new.is_empty() {
            self.work.decide(Rule::DaemonUpdateSurged, Facts::Count(count(new.len())));
        }
        let done: Vec<(Rc<Pod>, Rule)> = surge.done.into_iter().map(|pod| (pod, Rule::DaemonUpdateDeleted)).collect();
        self.sync_nodes(&done, &new, history)
    }

    fn surge(&self, stations: &Stations, history: &History, limit: i32) -> Result<Surge, SyncError> {
        let mut surge = Surge::default();
        for (name, look, station) in stations.by_name() {
            let pair = self.pair(&station.pods, history);
            if let Pair::New(pod) | Pair::Old(pod) | Pair::Both(_, pod) = &pair {
                surge.available += i32::from(self.is_available(pod));
            }
            match pair {
                Pair::Crowd => surge.surging += 1,
                Pair::New(_) | Pair::None => {}
                Pair::Both(new, _) if !self.is_available(new) => surge.surging += 1,
                Pair::Both(_, old) => surge.done.push(Rc::clone(old)),
                Pair::Old(old) => {
                    if !look.is_known {
                        let message = format!("couldn't get node for nodeName \"{name}\": node \"{name}\" not found");
                        return Err(SyncError(message));
                    }
                    match (look.fit.runs, self.is_available(old)) {
                        (false, false) => surge.done.push(Rc::clone(old)),
                        (false, true) => surge.misplaced.push(Rc::clone(old)),
                        (true, false) => surge.lost.push(Rc::clone(name)),
                        // A node that comes up once the limit is reached is not even a candidate.
                        (true, true) if surge.surging < limit => surge.candidates.push(Rc::clone(name)),
                        (true, true) => {}
                    }
                }
            }
        }
        Ok(surge)
    }
}
