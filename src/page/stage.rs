//! The run on the stage, and what is drawn of it.

use crate::objects::ObjectRef;
use crate::session::{Command, Session};
use crate::sim::START;
use crate::trial::{Question, questions};
use crate::view::{self, Comparison, Drawn, View};
use std::rc::Rc;

/// The run, and the workload of it that is drawn.
pub struct Stage {
    /// The run.
    pub session: Session,
    /// What is drawn of it.
    pub view: Rc<View>,
    drawn: Drawn,
    /// The set that was chosen; of several the one made last is drawn without a choice.
    pub(super) chosen: Option<ObjectRef>,
    /// The branch that is compared with the present one.
    pub compared: Option<Comparison>,
}

impl Stage {
    pub(super) fn new(session: Session) -> Self {
        let mut drawn = Drawn::default();
        let view = Rc::new(drawn.build(&session, None));
        Self { session, view, drawn, chosen: None, compared: None }
    }

    /// The set the controls are about.
    pub(crate) fn set(&self) -> Option<&ObjectRef> {
        self.view.controls.as_ref().map(|controls| &controls.set)
    }

    /// The last command before the cursor.
    pub fn last_command(&self) -> Option<&Command> {
        let given = self.session.commands_given();
        self.session.scenario().commands.get(given.checked_sub(1)?).map(|logged| &logged.command)
    }

    /// What can be asked of the run.
    pub fn questions(&self) -> Vec<Question> {
        questions(&self.session, self.set())
    }

    /// The branch, and the moment in milliseconds since the start.
    pub(super) fn place(&self) -> (usize, i64) {
        (self.session.branches().0.number, self.session.cluster().now().0 - START.0)
    }

    /// Goes to a moment of a branch.
    pub(super) fn go_to(&mut self, (branch, at): (usize, i64)) {
        self.session.switch(branch);
        self.session.seek(at);
    }

    /// The manifest of the set, empty where there is none.
    pub(super) fn manifest(&self) -> Rc<str> {
        self.set().map(|set| self.session.manifest(set)).unwrap_or_default()
    }

    /// Draws the run as it is, with what is known of it beside.
    pub(super) fn draw(&mut self, bound: impl FnOnce(&Session, View) -> View) {
        let view = self.drawn.build(&self.session, self.chosen.as_ref());
        self.view = Rc::new(bound(&self.session, view));
    }

    /// Compares the branch of this number with the present one; none closes the comparison.
    pub(super) fn compare(&mut self, number: Option<usize>) {
        let asked = number.filter(|_| self.set().is_some());
        self.compared = asked.and_then(|number| view::compare(&self.session, number));
    }

    /// What is compared is compared as it is now.
    pub(super) fn compare_again(&mut self) {
        self.compare(self.compared.as_ref().map(|compared| compared.number));
    }
}
