//! Runs side by side: each lane's pods, nodes and where its controller stands; what differs between them and when; the table.

use super::build::Drawn;
use super::kinds::{Context, workload};
use super::nodes::Hues;
use super::text::Noun;
use super::{NodeAppearance, PodAppearance, Severity, board, explain, nodes, rail, text, workloads};
use crate::kubectl::act_line;
use crate::objects::{Object, ObjectRef, shared};
use crate::order::Order;
use crate::session::comparison::script;
use crate::session::lanes::{Accounts, Copies, Counts, Kept, Lane, Lanes, Mark, Recovery};
use crate::session::{Command, Logged};
use crate::sim::{Cluster, ObjectChange};
use crate::text::Text;
use std::rc::Rc;

/// Everything that is drawn of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct LanesView {
    /// The clock, such as `1 m 04 s`.
    pub clock: Text,
    /// Where the cursor stands, and where what is known ends, in milliseconds since the start.
    pub moments: (i64, i64),
    /// From when the table counts.
    pub since: i64,
    /// Whether nothing is due any more.
    pub settled: bool,
    /// The lanes.
    pub lanes: Vec<Rc<LaneView>>,
    /// The commands, and where the lanes begin to differ, differ otherwise, or are alike again.
    pub marks: Vec<MarkView>,
    /// The last of them that has happened.
    pub last: Option<usize>,
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

/// A row of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultRow {
    /// What it tells.
    pub name: &'static str,
    /// What each lane has.
    pub cells: Vec<ResultCell>,
}

/// What one lane has in a row of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultCell {
    /// In words.
    pub text: Text,
    /// The part of the time in hundredths, for a length of time in which something was missing.
    pub share: Option<i64>,
    /// Whether it is what nobody wants: nothing available, no recovery, two copies.
    pub is_bad: bool,
}

/// A moment that the timeline marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkView {
    /// In milliseconds since the start.
    pub at: i64,
    /// Such as `6 m 20 s`.
    pub clock: Text,
    /// What each lane has, that they are alike again, or the command.
    pub words: Text,
    /// What it is.
    pub kind: MarkKind,
}

/// What is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// A command.
    Act,
    /// A command that breaks something.
    Fault,
    /// The lanes differ.
    Differ,
    /// The lanes are alike again.
    Alike,
}

/// The comparison at its moment.
pub fn lanes(lanes: &Lanes) -> LanesView {
    DrawnLanes::default().build(lanes)
}

/// What was read of the lanes to draw them last, for the next time.
#[derive(Default)]
pub struct DrawnLanes {
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
    pub fn build(&mut self, lanes: &Lanes) -> LanesView {
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
    let each = lanes.lanes().iter().zip(courses).zip(&mut drawn.lanes);
    let views: Vec<Rc<LaneView>> = each.map(|((one, course), drawn)| drawn.draw(one, drawable(course, end))).collect();
    let names: Vec<&str> = views.iter().map(|lane| &*lane.name).collect();
    let marks = marks(lanes, &differences, &names);
    let headlines = views.iter().map(|lane| text!("{}: {}", Text::authored(&lane.name), lane.headline));
    LanesView {
        clock: text::clock(lanes.now()),
        moments: (lanes.now(), end),
        since: lanes.since(),
        settled: lanes.is_settled(),
        last: marks.iter().rposition(|mark| mark.at <= lanes.now()),
        marks,
        table: table(lanes, accounts),
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
        is_by_node: workload.is_some_and(|workload| workload.is_by_node()),
        partition: workload.and_then(|workload| workload.partition()),
        course,
    };
    let haunted = cluster.haunted();
    let then = std::mem::replace(&mut drawn.then, cluster.objects_now());
    let changes: Vec<ObjectChange<'_>> = cluster.changed_since(&then).collect();
    // Who does not look at the changes of each time starts anew.
    let mut own = std::mem::take(&mut drawn.own);
    match (object, object.and_then(|object| Context::new(cluster, object))) {
        (_, Some(context)) => {
            let (context, changed) = own.follow(context, &changes);
            drawn.own = own;
            let rail = rail::rail(&context, &haunted, changed.as_deref(), &mut drawn.places);
            view.tiles = rail.places.iter().map(|place| of_place(place)).collect();
            let explanation = explain::explain(&context);
            (view.headline, view.resolution, view.severity) =
                (explanation.headline, explanation.resolution, explanation.severity);
        }
        (Some(object), None) => {
            if let Some(board) = board::board(cluster, &lane.set) {
                view.tiles = board.cards.iter().map(|card| of_card(card)).collect();
                let explanation = workloads::explain(cluster, object, &board);
                (view.headline, view.resolution, view.severity) =
                    (explanation.headline, explanation.resolution, explanation.severity);
            }
        }
        (None, None) => {}
    }
    let ready = view.tiles.iter().filter(|tile| tile.is_ready()).count();
    view.ready.0 = i32::try_from(ready).unwrap_or(i32::MAX);
    if !view.set.kind.has_ordinals() {
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
    LaneTile {
        key: place.key.clone(),
        name: pod.name.clone(),
        status: Some((pod.look, pod.status.clone())),
        node: pod.node.clone(),
        tag: pod.tag.clone(),
        revision: (pod.revision.hue, pod.revision.letter.clone()),
        restarts: pod.restarts,
    }
}

fn of_card(card: &super::Card) -> LaneTile {
    LaneTile {
        key: card.key.clone(),
        name: card.name.clone(),
        status: Some((card.look, card.status.clone())),
        node: card.node.clone(),
        tag: card.tag.clone(),
        revision: (card.revision.hue, card.revision.letter.clone()),
        restarts: card.restarts,
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

/// Commands and differences, by their moments.
fn marks(lanes: &Lanes, differences: &[Mark], names: &[&str]) -> Vec<MarkView> {
    let mut marks: Vec<MarkView> = script(lanes).iter().filter_map(|group| act(group, names)).collect();
    let mut seen: Vec<MarkView> = Vec::new();
    for mark in differences {
        let mark = mark_view(mark, names);
        // Of those that one reading of the clock cannot tell apart, the last.
        if seen.last().is_some_and(|last| last.clock == mark.clock) {
            seen.pop();
        }
        let is_alike = |mark: &MarkView| mark.kind == MarkKind::Alike;
        if !(is_alike(&mark) && seen.last().is_none_or(is_alike)) {
            seen.push(mark);
        }
    }
    marks.extend(seen);
    marks.order_by_key(|mark| mark.at);
    marks
}

fn act(group: &[(usize, &Logged)], names: &[&str]) -> Option<MarkView> {
    let (_, first) = group.first()?;
    let fault = matches!(first.command, Command::FailNode { .. } | Command::FailZone { .. } | Command::CrashPod { .. });
    let line = act_line(&first.command);
    let own = group.iter().map(|(place, _)| Text::authored(names[*place]));
    Some(MarkView {
        at: first.at,
        clock: text::clock(first.at),
        words: if group.len() < names.len() {
            text!("{}: {}", Text::list(", ", own), line)
        } else {
            Text::verbatim(line)
        },
        kind: if fault { MarkKind::Fault } else { MarkKind::Act },
    })
}

fn mark_view(mark: &Mark, names: &[&str]) -> MarkView {
    let alike = mark.is_alike();
    // Lanes that have the same stand together.
    let mut groups: Vec<(Counts, Vec<&str>)> = Vec::new();
    for (name, counts) in names.iter().zip(&mark.counts) {
        match groups.iter_mut().find(|(own, _)| own == counts) {
            Some((_, group)) => group.push(name),
            None => groups.push((*counts, vec![name])),
        }
    }
    let has = |(counts, names): &(Counts, Vec<&str>)| {
        let names = Text::list(", ", names.iter().map(|name| Text::authored(name)));
        let pods = text::count(counts.pods, Noun::Pod);
        match counts.terminating {
            0 => text!("{}: {} of {} available", names, counts.available, pods),
            terminating => text!("{}: {} of {} available, {} terminating", names, counts.available, pods, terminating),
        }
    };

    MarkView {
        at: mark.at,
        clock: text::clock(mark.at),
        words: if alike { text!("Alike again") } else { Text::list("; ", groups.iter().map(has)) },
        kind: if alike { MarkKind::Alike } else { MarkKind::Differ },
    }
}

fn table(lanes: &Lanes, accounts: &Accounts) -> Vec<ResultRow> {
    let (outcomes, figures) = (accounts.outcomes(lanes), accounts.table(lanes));
    let passed = (lanes.now() - lanes.since()).max(1);
    let row =
        |name, cell: &dyn Fn(usize) -> ResultCell| ResultRow { name, cells: (0..figures.len()).map(cell).collect() };
    let plain = |text: Text| ResultCell { text, share: None, is_bad: false };
    let lasting = |time: i64, is_bad: bool| ResultCell {
        text: if time == 0 { text!("none") } else { text::clock(time) },
        share: Some(time * 100 / passed),
        is_bad: is_bad && time > 0,
    };
    let count = |number: i32| plain(Text::verbatim(number));
    let last = |lane: usize| plain(figures[lane].settled_after.map_or_else(|| text!("no change"), text::clock));
    vec![
        row("Time with no pod available", &|lane| lasting(outcomes[lane].down, true)),
        row("Time with fewer pods than asked for", &|lane| lasting(outcomes[lane].short, false)),
        row("Recovered by itself", &|lane| recovery(outcomes[lane].recovery, lanes.is_settled())),
        row("Names kept", &|lane| plain(kept(outcomes[lane].names, text!("no pods before")))),
        row("Volumes kept", &|lane| plain(kept(outcomes[lane].claims, text!("no volumes")))),
        row("Two copies of a pod", &|lane| copies(outcomes[lane].copies)),
        row("Most pods unavailable at once", &|lane| count(figures[lane].most_unavailable)),
        row("Pods recreated", &|lane| count(figures[lane].recreated)),
        row("Restarts in place", &|lane| count(figures[lane].restarts)),
        row("Claims left behind", &|lane| count(figures[lane].claims_left)),
        row(if lanes.is_settled() { "Last change after" } else { "Last change after, so far" }, &last),
    ]
}

fn recovery(recovery: Recovery, is_settled: bool) -> ResultCell {
    let (text, is_bad) = match recovery {
        Recovery::NeverShort => (text!("was never short"), false),
        Recovery::ByItself(after) => (text!("yes, after {}", text::clock(after)), false),
        Recovery::WithHelp(after) => (text!("no: with help, after {}", text::clock(after)), true),
        Recovery::NotYet if is_settled => (text!("no"), true),
        Recovery::NotYet => (text!("not yet"), true),
    };
    ResultCell { text, share: None, is_bad }
}

fn kept(kept: Kept, none: Text) -> Text {
    if kept.of == 0 { none } else { text!("{} of {}", kept.kept, kept.of) }
}

fn copies(copies: Copies) -> ResultCell {
    let text = match copies {
        Copies::No => text!("no"),
        Copies::Possible => text!("possible: nobody confirmed that the first had stopped"),
        Copies::Ran => text!("yes, both ran"),
    };
    ResultCell { text, share: None, is_bad: copies == Copies::Ran }
}
