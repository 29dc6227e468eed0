//! A text on its way to being opened, in steps that are short enough to be taken between two drawings.

use super::assume::{About, Assumed};
use super::not_followed::NotFollowed;
use super::plain::plain;
use super::read::{Event, Found, Objects, Oversized};
use super::statuses::Statuses;
use super::written::SPEC_WRITTEN;
use super::{
    Dump, Options, assume, attachment, claim, class, clock, container, cut, damage, forms, gates, held, image, kubelet,
    mended, named, node, not_followed, owner, policy, pulls, read, refused, requeue, restarting, revision, since,
    terminating, tried, volume, written,
};
use crate::kubectl::Refusal;
use crate::kubectl::manifest::{Listed, Listing};
use crate::objects::{Kind, Object, ObjectRef, Time, UpdateStrategyType};
use crate::releases::Release;
use crate::session::identity;
use crate::sim::START;
use crate::text::Text;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::vec::IntoIter;

/// So many places of a text are named that are no objects.
const MOST_STRANGE: usize = 3;

/// A text on its way to being opened.
pub struct Opening {
    text: Rc<str>,
    options: Options,
    stage: Stage,
    /// What kubectl says in the place of objects.
    said: Option<Text>,
    /// What was undone of what others have made of the text.
    mended: Vec<Text>,
}

enum Stage {
    Begin,
    /// The text is read; beside it stands what its other forms tell of.
    Read(Listing, forms::Told),
    /// What it lists is sorted.
    Sort(IntoIter<Listed>, Found, forms::Joined),
    /// What is simulated becomes objects, its moments on the run's clock; `of` is how many there are.
    Convert {
        left: IntoIter<Listed>,
        of: usize,
        objects: Box<Objects>,
        found: Found,
        joined: forms::Joined,
        taken_at: Time,
    },
    End,
}

impl Opening {
    /// Nothing is read yet.
    pub(crate) fn new(text: Rc<str>, options: Options) -> Self {
        let (text, mended) = mended::mended(plain(text));
        Self { text, options, stage: Stage::Begin, said: None, mended: mended.into_iter().collect() }
    }

    /// How far it is, from 0 to 1.
    pub fn progress(&self) -> f64 {
        // As long as it takes: most of it is reading.
        const READ: f64 = 0.7;
        let part = |done: usize, all: usize| done as f64 / all.max(1) as f64;
        match &self.stage {
            Stage::Begin => 0.0,
            Stage::Read(listing, _) => {
                let (read, all) = listing.progress();
                READ * part(read, all)
            }
            Stage::Sort(..) => READ,
            Stage::Convert { left, of, .. } => READ + (1.0 - READ) * part(of - left.len(), *of),
            Stage::End => 1.0,
        }
    }

    /// Takes one step: it is over with what comes of it.
    ///
    /// # Errors
    /// The text cannot be read, or nothing in it is of a kind that is simulated; with the line.
    pub(crate) fn advance(&mut self) -> Option<Result<Dump, Refusal>> {
        // Before anything looks for what else it could be.
        if let Err(refusal) = read::is_short(&self.text) {
            return Some(Err(refusal));
        }
        // What was understood is refused for what it says.
        let is_understood = matches!(self.stage, Stage::Convert { .. });
        let step = self.step();
        step.map_err(|refusal| if is_understood { refusal } else { self.explained(refusal) }).transpose()
    }

    /// Why a text cannot be opened, by what it is, where that is known.
    fn explained(&self, refusal: Refusal) -> Refusal {
        match &self.said {
            Some(said) => Refusal::own(said.clone()),
            None => forms::named(&self.text).map_or(refusal, |text| read::at(1, text)),
        }
    }

    fn step(&mut self) -> Result<Option<Dump>, Refusal> {
        self.stage = match std::mem::replace(&mut self.stage, Stage::End) {
            Stage::Begin => match forms::cut(&self.text) {
                Some(forms::Mixed { yaml, told }) => Stage::Read(Listing::passing_over(yaml), told),
                None => Stage::Read(Listing::passing_over(Rc::clone(&self.text)), forms::Told::default()),
            },
            Stage::Read(mut listing, told) => {
                if listing.advance() {
                    Stage::Read(listing, told)
                } else {
                    let options = &self.options;
                    let ending = listing.ending();
                    if let Some((text, said)) = mended::for_reading(&self.text, listing.unreadable()) {
                        self.text = text;
                        self.mended.push(said);
                        self.stage = Stage::Begin;
                        return Ok(None);
                    }
                    let (mut listed, unreadable) = read::read(listing)?;
                    mended::out_of_watch(&mut listed);
                    let is_cut_off = cut::take_half(&mut listed, ending);
                    let mut joined = forms::join(listed, told, options.taken_at, options.namespace.as_deref());
                    let damage = |text: Text| (About::Damage(text.to_string().into()), text);
                    joined.assumptions.extend(self.mended.drain(..).chain(unreadable).map(damage));
                    self.said = joined.said.first().cloned();
                    let found = Found { is_cut_off, ..Found::default() };
                    Stage::Sort(std::mem::take(&mut joined.listed).into_iter(), found, joined)
                }
            }
            Stage::Sort(mut left, mut found, joined) => match left.next() {
                Some(listed) => {
                    found.take(listed, &self.options);
                    Stage::Sort(left, found, joined)
                }
                None => {
                    self.said = self.said.take().or_else(|| found.events_alone());
                    found
                        .check()
                        .map_err(|refusal| joined.said.first().map_or(refusal, |said| Refusal::own(said.clone())))?;
                    let (newest, ahead) = std::mem::take(&mut found.moments).newest();
                    (found.newest, found.ahead) = (newest.max(joined.made), ahead);
                    let left = std::mem::take(&mut found.listed).into_iter();
                    let taken_at = self.options.taken_at.or(found.newest).unwrap_or(START);
                    Stage::Convert { of: left.len(), left, objects: Box::default(), found, joined, taken_at }
                }
            },
            Stage::Convert { mut left, of, mut objects, found, joined, taken_at } => match left.next() {
                Some(mut listed) => {
                    if !found.ahead.is_empty() {
                        clock::hold_back(&mut listed.value, taken_at);
                    }
                    clock::shift(&mut listed.value, taken_at);
                    objects.take(listed, &self.options)?;
                    Stage::Convert { left, of, objects, found, joined, taken_at }
                }
                None => {
                    objects.ask_for_little()?;
                    let text = Rc::clone(&self.text);
                    return Ok(Some(Dump { text, ..assumed(*objects, found, joined, taken_at, &self.options) }));
                }
            },
            Stage::End => return Ok(None),
        };
        Ok(None)
    }
}

/// Names without a namespace are in the one in which their objects are opened.
fn in_namespace(keys: BTreeSet<ObjectRef>, options: &Options) -> BTreeSet<ObjectRef> {
    let own = || options.namespace.clone().unwrap_or_else(|| "default".into());
    let named = |key: ObjectRef| if key.namespace.is_empty() { ObjectRef { namespace: own(), ..key } } else { key };
    keys.into_iter().map(named).collect()
}

/// What a text says, with what it does not say.
fn assumed(read: Objects, mut found: Found, joined: forms::Joined, taken_at: Time, options: &Options) -> Dump {
    let Objects { mut objects, sources, statuses, mut events, oversized, twice, cut, .. } = read;
    leave_out(&mut objects, &oversized);
    for kept in &mut found.kept {
        kept.made = kept.made.map(|made| Time(made.0.saturating_sub(taken_at.0).saturating_add(START.0)));
    }
    events.extend(attachment::failures(&objects, &found.attachments));
    events.extend(named::came(&events, &found.kept));
    events.extend(std::mem::take(&mut found.writes).into_iter().map(|write| written::shifted(write, taken_at)));
    events.extend(since::came(&objects, &events));
    let mended = identity::mend(&mut objects);
    damage::rename(&mended, &mut events, &mut found.storage);
    events.sort_by_key(|event| event.last);
    if let Some(namespace) = &options.namespace {
        objects.retain(|object| ["", namespace].contains(&&*object.metadata().namespace));
    }
    tried::note(&mut objects, &events);
    let mut assumed = Assumed::new(options);
    assume::moment(found.newest, joined.has_only_ages, &mut assumed);
    let is_dated = options.taken_at.is_some() || (found.newest.is_some() && !joined.has_only_ages);
    note_strange(&found.strange, &mut assumed);
    damage::note(&objects, &mended, &twice, &found.ahead, &mut assumed);
    damage::note_cut(&objects, &cut, &mut assumed);
    let forms::Joined { assumptions, guessed, thin, said, has_some_nodes, .. } = joined;
    let [guessed, mut thin] = [guessed, thin].map(|keys| in_namespace(keys, options));
    let there = pods_there(&objects);
    let unlisted = unlisted(&objects, &there, &thin);
    thin.extend(lacking_pods(&objects, &there));
    thin.extend(cut::workloads(&objects, &cut));
    thin.extend(unseen(&objects, &events));
    if found.is_cut_off {
        damage::note_end(&mut assumed);
        thin.extend(objects.iter().map(Object::reference));
    }
    assumptions.into_iter().for_each(|(about, text)| assumed.note(about, text, false));
    let not_followed = not_followed::all(&objects, &found.kept);
    note_not_simulated(&oversized, said, &not_followed, &mut assumed);
    let release = node::release(&objects, &mut assumed);
    events.extend(node::unsaid(&mut objects, &mut assumed));
    let node::Unlisted { there, is_partial, are_counted, are_chosen } =
        node::missing(&objects, &events, has_some_nodes, &mut assumed);
    let unlisted_nodes = there.iter().map(|node| Rc::clone(&node.metadata().name)).collect();
    objects.extend(there);
    objects.extend(claim::unlisted(&objects, &mut assumed));
    revision::as_written(&mut objects, release);
    objects.extend(revision::missing(&objects, release, &mut assumed));
    events.extend(node::failures(&objects, &mut assumed));
    carry_on(&objects, (&mut events, &statuses), &mut found, &not_followed, release, &mut assumed);
    let Assumed { assumptions, commands, holds, .. } = assumed;
    Dump {
        newest: found.newest.unwrap_or(taken_at),
        taken_at,
        is_dated,
        release,
        gates: needed_gates(&objects, release),
        commands,
        holds,
        assumptions,
        kept: found.kept,
        services: found.services,
        has_all_nodes: found.kinds.contains(Kind::Node.as_str()) && !is_partial,
        unlisted_nodes,
        are_nodes_counted: are_counted,
        are_nodes_chosen: are_chosen,
        kinds: found.kinds,
        whole: policy::whole(&found.policies, &objects),
        events,
        namespaces: found.namespaces.into_iter().collect(),
        guessed,
        thin,
        unlisted,
        speaks_v1alpha1: found.has_v1alpha1,
        is_cut_off: found.is_cut_off,
        not_followed,
        oversized: oversized.into_iter().filter(|one| one.is_told).collect(),
        text: Rc::default(),
        sources,
        objects,
    }
}

/// Says what is no object as kubectl prints it.
fn note_strange(lines: &[usize], assumed: &mut Assumed<'_>) {
    for line in lines.iter().take(MOST_STRANGE) {
        let text = text!("What begins at line {} is no object as kubectl prints it: it is left out.", *line);
        assumed.note(About::Damage(text.to_string().into()), text, false);
    }
}

/// Says what is not simulated: workloads that are too large, what the text said without an object, and kinds of other controllers.
fn note_not_simulated(
    oversized: &[Oversized],
    said: Vec<Text>,
    not_followed: &[NotFollowed],
    assumed: &mut Assumed<'_>,
) {
    for one in oversized.iter().filter(|one| one.is_told) {
        let text = text!(
            "{} {} asks for {} replicas, and at most {} are simulated: it is left out, with what belongs to it, and nothing is known of it.",
            one.workload.kind.as_str(),
            one.workload.name,
            one.replicas,
            one.most
        );
        assumed.note(About::Unsaid(Rc::clone(&one.workload.name)), text, false);
    }
    said.into_iter().for_each(|text| assumed.note(About::Unsaid(text.to_string().into()), text, false));
    for one in not_followed.iter().filter(|one| !one.is_pod()) {
        let text = text!(
            "{} {} is not simulated: nothing is known of it, nor of what it does to its pods.",
            one.kind,
            one.name
        );
        assumed.note(About::Unsaid(Rc::clone(&one.name)), text, false);
    }
}

/// What the text shows that goes on in the run: what holds pods, claims and creations, each until something ends it, and the settings of
/// classes, policies and nodes.
fn carry_on(
    objects: &[Object],
    (events, statuses): (&mut Vec<Event>, &Statuses),
    found: &mut Found,
    not_followed: &[NotFollowed],
    release: Release,
    assumed: &mut Assumed<'_>,
) {
    image::chosen(assumed);
    events.extend(container::held(objects, statuses, (&found.kept, not_followed), assumed));
    restarting::held(objects, events, statuses, assumed);
    pulls::tell(objects, events, &mut assumed.holds);
    gates::of_scheduling(objects, assumed);
    events.extend(gates::of_readiness(objects, assumed));
    attachment::held(objects, &found.attachments, assumed);
    kubelet::preparations(objects, events, &found.kept, assumed);
    kubelet::rejections(objects, events, assumed);
    refused::creations(objects, events, &found.policies, assumed);
    refused::in_namespaces(objects, &found.kept, assumed);
    assumed.commands.extend(class::listed(&found.storage));
    assumed.commands.extend(policy::listed(&found.policies, objects, assumed.options));
    policy::mark(&mut found.kept, &found.policies, objects);
    class::known(objects, events, &found.storage, assumed);
    class::unanswered(objects, events, assumed);
    class::absent(objects, events, &found.storage, assumed);
    volume::out_of_reach(objects, &found.storage, assumed);
    assume::failures(objects, events, assumed);
    requeue::planned(objects, release, &mut assumed.commands);
    // What is deleted here may be what other commands are about.
    owner::left_out(objects, assumed);
    terminating::past_grace(objects, assumed);
    terminating::within_grace(objects, assumed);
    held::carry_out(assumed);
}

/// The API server keeps the strategy Recreate only behind its gate, which the controller is taken to have too.
fn needed_gates(objects: &[Object], release: Release) -> Vec<(Rc<str>, bool)> {
    const RECREATE: &str = "StatefulSetRecreateStrategy";
    let recreates = |object: &Object| match object {
        Object::StatefulSet(set) => set.spec.update_strategy.strategy_type == UpdateStrategyType::Recreate,
        _ => false,
    };
    let is_on = release.feature_gates().contains(&RECREATE) && objects.iter().any(recreates);
    is_on.then(|| (RECREATE.into(), true)).into_iter().collect()
}

/// Fewer pods that a status counts and the text lacks may have gone a moment ago.
const LACKS: i32 = 2;

/// How many pods the text has of each workload, by its uid.
type There<'o> = BTreeMap<&'o Rc<str>, i32>;

fn pods_there(objects: &[Object]) -> There<'_> {
    let mut there = There::new();
    for kind in [Kind::Pod, Kind::ReplicaSet] {
        for metadata in objects.iter().filter(|object| object.kind() == kind).map(Object::metadata) {
            let own = if kind == Kind::Pod { 1 } else { there.get(&metadata.uid).copied().unwrap_or(0) };
            if let Some(owner) = metadata.controller_of() {
                *there.entry(&owner.uid).or_default() += own;
            }
        }
    }
    there
}

/// Workloads whose status counts pods of which the text lacks several: what becomes of those it does not tell.
fn lacking_pods(objects: &[Object], there: &There<'_>) -> Vec<ObjectRef> {
    let lacks_pods = |object: &&Object| {
        let (counted, there) = (object.pods_by_status(), there.get(&object.metadata().uid).copied().unwrap_or(0));
        object.is_workload() && there > 0 && counted.saturating_sub(there) >= LACKS
    };
    objects.iter().filter(lacks_pods).map(Object::reference).collect()
}

/// Workloads of which the text has none of the pods that their status counts, or a row that does not tell of any, where no pod is in the
/// text at all.
fn unlisted(objects: &[Object], there: &There<'_>, thin: &BTreeSet<ObjectRef>) -> BTreeSet<ObjectRef> {
    let has_pods = objects.iter().any(|object| object.kind() == Kind::Pod);
    let is_unlisted = |object: &&Object| {
        let is_wanted = || !has_pods && object.desired() > 0 && thin.contains(&object.reference());
        let has_none = there.get(&object.metadata().uid).is_none_or(|there| *there == 0);
        object.is_workload() && has_none && (object.pods_by_status() > 0 || is_wanted())
    };
    objects.iter().filter(is_unlisted).map(Object::reference).collect()
}

/// Workloads whose controller has not seen the last change of their spec, where nothing tells when that was: a controller sees each at
/// once, so either the text was made in that moment, or it does not look.
fn unseen(objects: &[Object], events: &[Event]) -> Vec<ObjectRef> {
    let is_unseen = |object: &&Object| {
        let generation = object.metadata().generation;
        generation > 1 && object.observed_generation().is_some_and(|seen| (1..generation).contains(&seen))
    };
    let has_time = |object: &ObjectRef| {
        let is_of = |event: &&Event| (&event.name, &event.namespace) == (&object.name, &object.namespace);
        events.iter().filter(is_of).any(|event| &*event.reason == SPEC_WRITTEN && *event.kind == *object.kind.as_str())
    };
    let all = objects.iter().filter(|object| object.is_workload()).filter(is_unseen).map(Object::reference);
    all.filter(|object| !has_time(object)).collect()
}

/// Leaves out what belongs to workloads that are too large to be simulated, and to their ReplicaSets.
fn leave_out(objects: &mut Vec<Object>, oversized: &[Oversized]) {
    let mut owners: BTreeSet<Rc<str>> = oversized.iter().map(|one| Rc::clone(&one.uid)).collect();
    if owners.is_empty() {
        return;
    }
    let is_owned = |owners: &BTreeSet<Rc<str>>, object: &Object| {
        object.metadata().controller_of().is_some_and(|owner| owners.contains(&owner.uid))
    };
    let sets = objects.iter().filter(|object| object.is_workload() && is_owned(&owners, object));
    let sets: Vec<Rc<str>> = sets.map(|set| Rc::clone(&set.metadata().uid)).collect();
    owners.extend(sets);
    objects.retain(|object| !is_owned(&owners, object));
}
