//! Runs side by side: each lane's pods, nodes and where its controller stands; what differs between them and when; the table.

mod marks;
mod table;

use super::build::Drawn;
use super::kinds::{Context, Surroundings, workload};
use super::nodes::Hues;
use super::workload_view::workload_view;
use super::{Layout, NodeAppearance, Pod, PodAppearance, Pods, Severity, explain, nodes, text};
use crate::objects::{Kind, Object, ObjectRef, shared};
use crate::session::lanes::{Accounts, Counts, Lane, Lanes};
use crate::sim::{Cluster, ObjectChange};
use crate::text::Text;
use crate::verdict::Standing;
use marks::marks;
pub use marks::{MarkKind, MarkView};
use std::rc::Rc;
pub use table::{ResultCell, ResultRow};
use table::{result, table};

/// Everything that is drawn of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct LanesView {
    /// The clock, such as `1 m 04 s`.
    pub clock: Text,
    /// Where the cursor stands, and where what is known ends, in milliseconds since the start.
    pub moments: (i64, i64),
    /// From when the table counts.
    pub since: i64,
    /// Up to when it counts.
    pub until: i64,
    /// Whether nothing is due any more.
    pub settled: bool,
    /// The lanes.
    pub lanes: Vec<Rc<LaneView>>,
    /// The commands, and where the lanes begin to differ, differ otherwise, or are alike again.
    pub marks: Vec<MarkView>,
    /// The last of them that has happened.
    pub last: Option<usize>,
    /// What came of it as far as it is known, in a sentence.
    pub result: Text,
    /// What the table answers, a row for each question.
    pub table: Vec<ResultRow>,
    /// What the lanes' controllers do, in one line for screen readers.
    pub announcement: Text,
}

/// One lane.
#[derive(Clone, Debug, PartialEq)]
pub struct LaneView {
    /// A few words.
    pub name: String,
    /// Its workload.
    pub set: ObjectRef,
    /// Such as `StatefulSet, v1.34, Parallel`.
    pub what: String,
    /// What its policy is now, and what it may be; none if it has none.
    pub policy: Option<(&'static str, &'static [&'static str])>,
    /// Its release.
    pub release: &'static str,
    /// Ready pods, and how many there should be.
    pub ready: (i32, i32),
    /// Its pods: those of a StatefulSet by ordinal with empty places, others oldest first.
    pub tiles: Vec<LaneTile>,
    /// How many pods and places have no tile, and how many of those pods are ready.
    pub left_out: (usize, usize),
    /// Where its controller stands.
    pub headline: Text,
    /// What ends a wait; empty if nothing is waited for.
    pub resolution: Text,
    /// Whether that is a wait.
    pub severity: Severity,
    /// Its nodes.
    pub nodes: Vec<LaneNode>,
    /// The first container's name and image.
    pub container: (Rc<str>, Rc<str>),
    /// Whether it has a pod for each node instead of a number of pods.
    pub is_by_node: bool,
    /// The partition of its update; none if its kind has none.
    pub partition: Option<String>,
    /// How many pods it had from a moment on.
    pub course: Vec<(i64, Counts)>,
}

/// A pod, or the place of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneTile {
    /// Its uid, or the name of the empty place.
    pub key: Rc<str>,
    /// Its name.
    pub name: Rc<str>,
    /// kubectl's STATUS; none for an empty place.
    pub status: Option<(PodAppearance, Rc<str>)>,
    /// Its node.
    pub node: Rc<str>,
    /// Its image's tag.
    pub tag: Rc<str>,
    /// Revision hue and letter.
    pub revision: (usize, Rc<str>),
    /// Restarts, and whether it was changed in place.
    pub restarts: i32,
}

/// A node in short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneNode {
    /// Its name.
    pub name: String,
    /// Such as `NotReady`.
    pub status: Text,
    /// How it looks.
    pub look: NodeAppearance,
}

/// The comparison at its moment.
pub fn lanes(lanes: &Lanes) -> LanesView {
    DrawnLanes::default().build(lanes)
}

/// What was read of the lanes to draw them last, for the next time.
#[derive(Default)]
pub(crate) struct DrawnLanes {
    accounts: Accounts,
    lanes: Vec<DrawnLane>,
}

/// A lane as it was drawn last.
#[derive(Default)]
struct DrawnLane {
    /// The lane, where it stood, and how it looked then.
    last: Option<(Lane, Rc<LaneView>)>,
    pods: Drawn,
}

impl DrawnLanes {
    /// The same as [`lanes`]; of a record that has grown only what is new is read, and a lane that stands as it did is as it
    /// was.
    pub(crate) fn build(&mut self, lanes: &Lanes) -> LanesView {
        self.accounts.follow(lanes);
        self.lanes.resize_with(lanes.lanes().len(), DrawnLane::default);
        whole(lanes, self)
    }
}

impl DrawnLane {
    fn draw(&mut self, lane: &Lane, course: Vec<(i64, Counts)>) -> Rc<LaneView> {
        let is_same = |before: &Lane| before.session == lane.session && before.name == lane.name;
        let view = match self.last.take().filter(|(before, _)| is_same(before)) {
            Some((_, view)) if view.course == course => view,
            Some((_, view)) => Rc::new(LaneView { course, ..LaneView::clone(&view) }),
            None => Rc::new(self::lane(lane, course, &mut self.pods)),
        };
        self.last = Some((lane.clone(), Rc::clone(&view)));
        view
    }
}

fn whole(lanes: &Lanes, drawn: &mut DrawnLanes) -> LanesView {
    let (accounts, end) = (&drawn.accounts, lanes.end().max(1));
    let courses = accounts.courses();
    let differences = Lanes::marks_of(&courses);
    let results = accounts.results(lanes, lanes.counts_until());
    let each = lanes.lanes().iter().zip(courses).zip(&mut drawn.lanes);
    let views: Vec<Rc<LaneView>> = each.map(|((one, course), drawn)| drawn.draw(one, drawable(course, end))).collect();
    let names: Vec<&str> = views.iter().map(|lane| &*lane.name).collect();
    let marks = marks(lanes, &differences, &names);
    let headlines = views.iter().map(|lane| text!("{}: {}", Text::authored(&lane.name), lane.headline));
    LanesView {
        clock: text::clock(lanes.now()),
        moments: (lanes.now(), end),
        since: lanes.since(),
        until: lanes.counted_to(),
        settled: lanes.is_settled(),
        last: marks.iter().rposition(|mark| mark.at <= lanes.now()),
        marks,
        result: result(lanes, &results),
        table: table(lanes, &results),
        announcement: Text::list(". ", headlines),
        lanes: views,
    }
}

fn lane(lane: &Lane, course: Vec<(i64, Counts)>, drawn: &mut Drawn) -> LaneView {
    let cluster = lane.session.cluster();
    let release = lane.session.release().name();
    let object = cluster.get(&lane.set).ok();
    let workload = object.and_then(workload);
    let policy = workload.and_then(|workload| workload.policy());
    let mut what = vec![lane.set.kind.title().to_owned(), release.to_owned()];
    what.extend(policy.iter().map(|(policy, _)| (*policy).to_owned()));
    let mut view = LaneView {
        name: lane.name.clone(),
        set: lane.set.clone(),
        what: what.join(", "),
        policy,
        release,
        ready: (0, lane.wanted()),
        tiles: Vec::new(),
        left_out: (0, 0),
        headline: text!("There is no workload"),
        resolution: Text::default(),
        severity: Severity::Settled,
        nodes: Vec::new(),
        container: container(cluster, &lane.set),
        is_by_node: workload.is_some_and(|workload| workload.layout() == Layout::Nodes),
        partition: workload.and_then(|workload| workload.partition()),
        course,
    };
    let haunted = cluster.haunted();
    let then = std::mem::replace(&mut drawn.then, cluster.objects_now());
    let changes: Vec<ObjectChange<'_>> = cluster.changed_since(&then).collect();
    // Who does not look at the changes of each time starts anew.
    let mut own = std::mem::take(&mut drawn.own);
    let context = object.and_then(|object| Context::new(cluster, object));
    let (context, changed) = context.map(|context| own.follow(context, &changes)).unzip();
    if context.is_some() {
        drawn.own = own;
    }
    if let Some(around) = object.and_then(|object| Surroundings::of(cluster, object, context.as_ref())) {
        let explanation = explain::explain(&around, &Standing::of(cluster, around.object));
        (view.headline, view.resolution, view.severity) =
            (explanation.headline, explanation.resolution, explanation.severity);
        view.tiles = match workload_view(&around, &haunted, changed.flatten().as_deref(), &mut drawn.places).pods {
            Pods::Axis(rail) => rail.places.iter().map(|place| of_place(place)).collect(),
            Pods::Cards(cards) => cards.cards.iter().map(|card| of_pod(&card.pod)).collect(),
        };
    }
    let ready = view.tiles.iter().filter(|tile| tile.is_ready()).count();
    view.ready.0 = i32::try_from(ready).unwrap_or(i32::MAX);
    if view.set.kind != Kind::StatefulSet {
        let waits = view.tiles.len() <= usize::try_from(view.ready.1).unwrap_or(0);
        let stays = workload.is_some_and(|workload| workload.stays_on_lost_node());
        let note = |tile: &LaneTile| lost(stays, tile, waits);
        // What becomes of the lost pod says more than what a wait for it ends with.
        view.resolution = view.tiles.iter().find_map(note).unwrap_or(view.resolution);
    }
    let tiles = view.tiles.len();
    shorten(&mut view.tiles);
    view.left_out = (tiles - view.tiles.len(), ready - view.tiles.iter().filter(|tile| tile.is_ready()).count());
    let short =
        |node: &Rc<super::Node>| LaneNode { name: node.name.clone(), status: node.status.clone(), look: node.look };
    view.nodes = nodes::nodes(cluster, &haunted, &changes, &Hues { of: &|_| 0, names: Vec::new() }, &mut drawn.pods)
        .iter()
        .map(short)
        .collect();
    view
}

/// Stretches of a lane's course, at most about so many.
const STRETCHES: i64 = 500;

/// Of moments too close to be drawn apart, the one with the fewest available pods.
fn drawable(course: Vec<(i64, Counts)>, end: i64) -> Vec<(i64, Counts)> {
    if i64::try_from(course.len()).unwrap_or(i64::MAX) <= STRETCHES {
        return course;
    }
    let last = course.last().copied();
    let mut drawn: Vec<(i64, Counts)> = Vec::new();
    for (at, counts) in course {
        match drawn.last_mut().filter(|(since, _)| at * STRETCHES / end == since * STRETCHES / end) {
            Some((_, kept)) if kept.available <= counts.available => {}
            Some((_, kept)) => *kept = counts,
            None => drawn.push((at, counts)),
        }
    }
    drawn.extend(last.filter(|last| drawn.last() != Some(last)));
    drawn
}

/// Tiles of a lane, at most.
const TILES: usize = 48;

impl LaneTile {
    fn is_ready(&self) -> bool {
        matches!(self.status, Some((PodAppearance::Ready, _)))
    }

    /// What is left out first if there are too many: empty places, then ready pods.
    fn rank(&self) -> u8 {
        match self.status {
            Some((PodAppearance::Ready, _)) => 1,
            Some(_) => 0,
            None => 2,
        }
    }
}

/// Leaves out what is too much, the last before the first.
fn shorten(tiles: &mut Vec<LaneTile>) {
    let mut room = TILES;
    let mut left = [0, 1, 2].map(|rank| {
        let stay = tiles.iter().filter(|tile| tile.rank() == rank).count().min(room);
        room -= stay;
        stay
    });
    tiles.retain(|tile| {
        let left = &mut left[usize::from(tile.rank())];
        let stays = *left > 0;
        *left = left.saturating_sub(1);
        stays
    });
}

fn container(cluster: &Cluster, set: &ObjectRef) -> (Rc<str>, Rc<str>) {
    let template = cluster.get(set).ok().and_then(Object::template);
    let first = template.and_then(|template| template.spec.containers.first());
    first.map_or_else(|| ("".into(), "".into()), |first| (first.name.clone(), first.image.clone()))
}

fn of_place(place: &super::Place) -> LaneTile {
    let Some(pod) = &place.pod else {
        return LaneTile {
            key: place.key.clone(),
            name: place.name.clone(),
            status: None,
            node: shared(""),
            tag: shared(""),
            revision: (0, shared("")),
            restarts: 0,
        };
    };
    of_pod(pod)
}

fn of_pod(pod: &Pod) -> LaneTile {
    LaneTile {
        key: pod.key.clone(),
        name: pod.name.clone(),
        status: Some((pod.look, pod.status.clone())),
        node: pod.node.clone(),
        tag: pod.tag.clone(),
        revision: (pod.revision.hue, pod.revision.letter.clone()),
        restarts: pod.restarts,
    }
}

/// What becomes of a pod on a node that cannot be reached; a StatefulSet's own sentence says it for that.
fn lost(stays: bool, tile: &LaneTile, waits: bool) -> Option<Text> {
    let (_, status) = tile.status.as_ref().filter(|(look, _)| *look == PodAppearance::Unreachable)?;
    let (name, node) = (&tile.name, &tile.node);
    Some(match (stays, &**status) {
        (_, "Terminating") if waits => {
            text!("{} stays Terminating until {} returns, and none replaces it yet.", name, node)
        }
        (_, "Terminating") => text!("{} no longer counts. It stays Terminating until {} returns.", name, node),
        (true, _) => {
            text!("{} stays on {}: a DaemonSet's pod tolerates the loss for as long as it lasts.", name, node)
        }
        _ => text!("{} counts as long as it is not marked for deletion, although {} cannot be reached.", name, node),
    })
}
