//! The colors and the fonts of the stylesheet, as a canvas takes them.

use crate::app::appearance;
use crate::view::PodAppearance;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{CssStyleDeclaration, Element, HtmlElement, window};

/// Reads variables of tokens.css where an element stands, each once.
pub(super) struct Palette {
    /// An element that is not drawn, whose color is set to what is asked for.
    probe: HtmlElement,
    computed: CssStyleDeclaration,
    known: RefCell<BTreeMap<&'static str, Rc<str>>>,
    /// The families of ordinals, and of the labels beside rows.
    pub(super) families: [String; 2],
}

impl Palette {
    /// `around` has two elements that are not drawn: one whose color is asked, and one in the font of labels.
    pub(super) fn of(around: &Element) -> Option<Self> {
        let children = around.children();
        let (probe, label) = (children.item(0)?, children.item(1)?);
        let window = window()?;
        let family = |element: &Element| -> Option<String> {
            window.get_computed_style(element).ok()??.get_property_value("font-family").ok()
        };
        let families = [family(&probe)?, family(&label)?];
        let computed = window.get_computed_style(&probe).ok()??;
        Some(Self { probe: probe.unchecked_into(), computed, known: RefCell::default(), families })
    }

    /// The color that a variable has there, such as `--ink`.
    pub(super) fn color(&self, token: &'static str) -> Rc<str> {
        if let Some(known) = self.known.borrow().get(token) {
            return Rc::clone(known);
        }
        // A variable alone is what was written, such as `light-dark(…)`; a color is resolved.
        let _ = self.probe.style().set_property("color", &format!("var({token})"));
        let color: Rc<str> = self.computed.get_property_value("color").unwrap_or_default().into();
        self.known.borrow_mut().insert(token, Rc::clone(&color));
        color
    }

    pub(super) fn state(&self, look: PodAppearance) -> Rc<str> {
        self.color(appearance::state_token(look))
    }

    pub(super) fn revision(&self, hue: usize) -> Rc<str> {
        self.color(appearance::hue_token(hue))
    }
}
