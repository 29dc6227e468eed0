//! The text of the manifest's editor.

use crate::session::Receipt;
use std::rc::Rc;

/// What the editor shows, and what it would lose by showing something else.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Editor {
    /// The text as it is now.
    pub text: Rc<str>,
    /// The text that the page wrote last.
    written: Rc<str>,
    /// What a person had typed before the page wrote another text.
    pub kept: Option<Rc<str>>,
    /// What became of the text when it was applied, as long as it is the same text.
    pub receipt: Option<Rc<Receipt>>,
}

impl Editor {
    /// Shows a text of the page; what was typed is kept aside.
    pub fn show(&mut self, text: &str) {
        let is_typed = !self.text.is_empty() && self.text != self.written;
        self.kept = is_typed.then(|| self.text.clone());
        // As a text area gives it back.
        self.written = text.replace("\r\n", "\n").into();
        self.text = self.written.clone();
        self.receipt = None;
    }

    /// The text was changed by hand.
    pub fn typed(&mut self, text: &str) {
        if *self.text != *text {
            self.text = text.into();
            self.receipt = None;
        }
    }

    /// Shows again what was kept aside.
    pub fn put_back(&mut self) {
        if let Some(kept) = self.kept.take() {
            self.text = kept;
            self.receipt = None;
        }
    }

    /// How many lines the text has.
    pub fn lines(&self) -> usize {
        self.text.split('\n').count()
    }
}
