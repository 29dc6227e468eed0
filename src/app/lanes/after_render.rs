//! What follows a render of a comparison: the focus, the values that fields propose, the current line of the list.

use super::controls::{IMAGE, PARTITION, REPLICAS, WHOSE};
use super::lane::manifest_id;
use super::page::MAIN;
use super::table::{CURRENT, LIST};
use crate::app::browser::{by_id, document, focus, write};
use crate::page::ComparisonPage;
use std::rc::Rc;
use web_sys::{Element, HtmlElement};

/// What was applied after the last render.
#[derive(Default)]
pub(crate) struct AfterRender {
    open: bool,
    fields: Option<[String; 3]>,
    manifests: Vec<Rc<str>>,
    aim: Option<usize>,
    now: Option<usize>,
}

impl AfterRender {
    /// Whether a comparison was open.
    pub(crate) fn is_open(&self) -> bool {
        self.open
    }

    /// Applies what differs from the last render.
    pub(crate) fn apply(&mut self, comparison: Option<&ComparisonPage>) {
        if self.open != comparison.is_some() {
            *self = Self { open: comparison.is_some(), ..Self::default() };
            let main = if self.open { by_id::<Element>(MAIN) } else { document().and_then(stage) };
            main.iter().for_each(focus);
        }
        let Some(comparison) = comparison else { return };
        let fields = comparison.proposed();
        if self.fields != fields {
            for (id, text) in [REPLICAS, IMAGE, PARTITION].into_iter().zip(fields.iter().flatten()) {
                write(id, text);
            }
            self.fields = fields;
        }
        let manifests = comparison.manifests();
        if self.manifests != manifests {
            manifests.iter().enumerate().for_each(|(at, text)| write(&manifest_id(at), text));
            self.manifests = manifests;
        }
        if self.aim != comparison.aim {
            self.aim = comparison.aim;
            write(WHOSE, &self.aim.map_or_else(String::new, |at| at.to_string()));
        }
        if self.now != comparison.view.last {
            self.now = comparison.view.last;
            keep_in_sight();
        }
    }
}

fn stage(document: web_sys::Document) -> Option<Element> {
    document.query_selector(".stage").ok().flatten()
}

/// Scrolls the list, and nothing else, to the current line.
fn keep_in_sight() {
    let (Some(list), Some(line)) = (by_id::<HtmlElement>(LIST), by_id::<HtmlElement>(CURRENT)) else { return };
    let (from, to) = (line.offset_top(), line.offset_top() + line.offset_height());
    if from < list.scroll_top() || to > list.scroll_top() + list.client_height() {
        list.set_scroll_top(to - list.client_height() + line.offset_height());
    }
}
