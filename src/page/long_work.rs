//! Work that takes longer than a frame and changes the page only once it is done: it goes on from frame to frame while the page
//! stays as it was.

use super::run;
use super::state::State;
use crate::pause::Work;
use crate::session::Session;
use crate::text::Text;

/// Puts what came of the work on the page.
type Done = Box<dyn FnOnce(&mut State)>;

/// Work that is under way.
pub struct LongWork {
    /// What the page says meanwhile; empty for what is over in a few frames.
    pub words: Text,
    work: Work<'static, Done>,
    /// What came of it, which takes a frame of its own.
    done: Option<Done>,
    began_at: Place,
}

/// Where the page's runs stand: by branch and moves, the single run before those that are compared.
#[derive(PartialEq, Eq)]
struct Place(Vec<(usize, u64)>);

impl Place {
    fn of(state: &State) -> Self {
        let lanes = state.lanes.iter().flat_map(|comparison| comparison.lanes.lanes()).map(|lane| &lane.session);
        let place = |session: &Session| (session.branches().0.number, session.position().0);
        Self([&state.session].into_iter().chain(lanes).map(place).collect())
    }
}

impl State {
    /// Does work, at once if it is short. `done` puts what came of it on the page, unless a run was moved meanwhile: the work
    /// began from where it stood.
    pub(super) fn work_on<T: 'static>(
        &mut self,
        words: Text,
        work: impl Future<Output = T> + 'static,
        done: impl FnOnce(&mut Self, T) + 'static,
    ) {
        let work = Box::pin(async move {
            let result = work.await;
            let put: Done = Box::new(move |state| done(state, result));
            put
        });
        (self.playing, self.goal) = (false, None);
        self.long_work = Some(LongWork { words, work, done: None, began_at: Place::of(self) });
        if self.go_on_with_work(run::STEP) {
            self.put_work();
        }
        self.pace.ended(&self.clock);
    }

    /// A frame of the work. What it came to is put on the page in one frame and drawn in the next, so that inputs come in
    /// between.
    pub(super) fn tick_of_work(&mut self) {
        self.draws = false;
        if self.put_work() {
            self.is_undrawn = !self.is_comparison_unseen();
            return;
        }
        let slice = self.pace.next(&self.clock);
        self.go_on_with_work(slice);
        self.pace.ended(&self.clock);
    }

    /// For so many real milliseconds. Whether it is done.
    fn go_on_with_work(&mut self, milliseconds: f64) -> bool {
        let Some(long) = &mut self.long_work else { return false };
        long.done = run::in_time(&mut long.work, milliseconds, &self.clock);
        long.done.is_some()
    }

    /// Puts what came of the work on the page. False while it is not done.
    fn put_work(&mut self) -> bool {
        let Some(done) = self.long_work.as_mut().and_then(|long| long.done.take()) else { return false };
        self.long_work = None;
        done(self);
        true
    }

    /// Work ends without a result once what it began from has changed.
    pub(super) fn end_outdated_work(&mut self) {
        if self.long_work.as_ref().is_some_and(|long| long.began_at != Place::of(self)) {
            self.long_work = None;
        }
    }

    /// What the page says of work that is under way, or of a run to a goal.
    pub fn under_way(&self) -> Option<&Text> {
        let words = self.long_work.as_ref().map(|long| &long.words).or(self.goal.as_ref().map(|goal| &goal.words));
        words.filter(|words| !words.is_empty())
    }
}
