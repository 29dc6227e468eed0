//! The cluster as stateright explores it. A state is the way to it: objects are shared by pointers that stay on one thread, so
//! the cluster itself lies in that thread's store and is made anew from the way where it is missing.

use crate::world::{Act, World};
use setscope::reconcile::Gates;
use setscope::sim::Failure;
use stateright::{Model, Property};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

pub(crate) const ONE_LIFE: &str = "never two live containers of one name";
pub(crate) const ONE_NAME: &str = "no pod is created under a name that the cache shows taken";
pub(crate) const ORDER: &str = "an ordinal is created only when the cache shows all lower ones Ready";
pub(crate) const DESCENDS: &str =
    "an update takes an ordinal only when the cache shows all higher ones updated and Ready";
pub(crate) const ENDS_WELL: &str = "where nothing is left to come, the set is as it was asked for";
/// Not a property of one state: from each, some way leads to an end.
pub(crate) const SETTLES: &str = "it can always settle";

/// What people do and what breaks, each once and at any moment: a scale, a template change, a node's failure, its repair.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Story {
    /// Replicas at first and in the end; equal: no scale.
    pub(crate) from: i32,
    pub(crate) to: i32,
    pub(crate) changes: bool,
    pub(crate) failure: Option<Failure>,
    /// Milliseconds to the cache, of which only this is left where changes arrive in any order: a status write that met a
    /// conflict is tried again for 40 ms, and by then sees either every change so far or none.
    pub(crate) cache_lag: i64,
    /// Changes of one kind that may be on their way to the cache before one must arrive.
    pub(crate) most_behind: usize,
}

pub(crate) struct Interleavings {
    story: Story,
    gates: Gates,
    graph: Arc<Mutex<Graph>>,
}

impl Interleavings {
    pub(crate) fn of(story: Story, gates: Gates) -> Self {
        Self { story, gates, graph: Arc::default() }
    }

    pub(crate) fn graph(&self) -> Arc<Mutex<Graph>> {
        Arc::clone(&self.graph)
    }

    fn start(&self) -> World {
        World::start(self.story, self.gates)
    }

    /// Calls with the state's cluster.
    fn with<T>(&self, state: &State, look: impl FnOnce(&World) -> T) -> T {
        WORLDS.with_borrow_mut(|worlds| {
            let world = worlds.entry(state.held.0).or_insert_with(|| {
                let mut world = self.start();
                state.way.iter().for_each(|at| {
                    let act = world.acts()[*at];
                    world.take(act);
                });
                world
            });
            look(world)
        })
    }

    fn state(way: Vec<usize>, world: World) -> State {
        static MADE: AtomicU64 = AtomicU64::new(0);
        let held = Held(MADE.fetch_add(1, Ordering::Relaxed));
        let (digest, broken) = (world.digest(), world.broken());
        WORLDS.with_borrow_mut(|worlds| worlds.insert(held.0, world));
        State { way, digest, broken, held: Arc::new(held) }
    }
}

thread_local! {
    static WORLDS: RefCell<BTreeMap<u64, World>> = const { RefCell::new(BTreeMap::new()) };
}

/// A state's claim on its cluster.
#[derive(Debug)]
struct Held(u64);

impl Drop for Held {
    fn drop(&mut self) {
        // On another thread there is nothing to let go.
        let _ = WORLDS.try_with(|worlds| worlds.borrow_mut().remove(&self.0));
    }
}

#[derive(Clone, Debug)]
pub(crate) struct State {
    /// Which of the possible acts was taken, each time.
    way: Vec<usize>,
    digest: u64,
    broken: Option<&'static str>,
    held: Arc<Held>,
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.digest == other.digest
    }
}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (self.digest, self.broken).hash(hasher);
    }
}

impl Model for Interleavings {
    type State = State;
    type Action = (usize, Act);

    fn init_states(&self) -> Vec<State> {
        vec![Self::state(Vec::new(), self.start())]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Self::Action>) {
        let acts = self.with(state, World::acts);
        if acts.is_empty() {
            self.graph.lock().unwrap().ends.insert(state.digest);
        }
        actions.extend(acts.into_iter().enumerate());
    }

    fn next_state(&self, last: &State, (at, act): Self::Action) -> Option<State> {
        let mut world = self.with(last, World::clone);
        world.take(act);
        let way = last.way.iter().copied().chain([at]).collect();
        let next = Self::state(way, world);
        self.graph.lock().unwrap().steps.push((last.digest, next.digest));
        Some(next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always(ONE_LIFE, |_, state: &State| state.broken != Some(ONE_LIFE)),
            Property::always(ONE_NAME, |_, state: &State| state.broken != Some(ONE_NAME)),
            Property::always(ORDER, |_, state: &State| state.broken != Some(ORDER)),
            Property::always(DESCENDS, |_, state: &State| state.broken != Some(DESCENDS)),
            Property::always(ENDS_WELL, |_, state: &State| state.broken != Some(ENDS_WELL)),
        ]
    }
}

/// The graph of the states, by digest. stateright's own `eventually` overlooks cycles; here a state that cannot reach an end
/// is found.
#[derive(Default)]
pub(crate) struct Graph {
    steps: Vec<(u64, u64)>,
    ends: BTreeSet<u64>,
}

impl Graph {
    /// How many states have no way to an end.
    pub(crate) fn strays(&self) -> usize {
        let mut before: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        let mut all: BTreeSet<u64> = self.ends.clone();
        for (from, to) in &self.steps {
            before.entry(*to).or_default().push(*from);
            all.extend([*from, *to]);
        }
        let mut reached: BTreeSet<u64> = self.ends.clone();
        let mut front: Vec<u64> = self.ends.iter().copied().collect();
        while let Some(state) = front.pop() {
            let earlier = before.get(&state).into_iter().flatten();
            front.extend(earlier.filter(|state| reached.insert(**state)));
        }
        all.len() - reached.len()
    }
}
