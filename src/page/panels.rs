//! What is open beside the stage and over it.

use super::message::{Draft, Sheet, Tab};
use std::rc::Rc;

/// What is chosen and open.
pub struct Panels {
    /// The chosen tab of the inspector.
    pub tab: Tab,
    /// The sheet over the stage.
    pub sheet: Option<Sheet>,
    /// The pod whose menu is open.
    pub pod: Option<Rc<str>>,
    /// Whether the help is open.
    pub help: bool,
    /// A number while it is dragged.
    pub draft: Option<Draft>,
}

impl Default for Panels {
    fn default() -> Self {
        Self { tab: Tab::Why, sheet: None, pod: None, help: false, draft: None }
    }
}

impl Panels {
    /// Shows a tab of the inspector, on a page without room for all panels over the stage.
    pub(super) fn show_inspector(&mut self, tab: Tab) {
        self.tab = tab;
        self.sheet = Some(Sheet::Inspector);
    }
}
