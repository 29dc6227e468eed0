//! The pod that a person points at or has the focus on: one value for the whole page. Whatever shows a pod says so by
//! `data-pod`, watches that value by itself, and is drawn again alone when it begins or ceases to be the one.

use super::browser::document;
use gloo_events::EventListener;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event};
use yew::{Callback, hook, use_effect_with, use_state_eq};

type Name = Option<Rc<str>>;

/// The one value, and who watches it.
#[derive(Default)]
struct Pointed {
    name: RefCell<Name>,
    watching: RefCell<Vec<(usize, Callback<Name>)>>,
    next: Cell<usize>,
}

impl Pointed {
    fn set(&self, name: Name) {
        if *self.name.borrow() == name {
            return;
        }
        *self.name.borrow_mut() = name.clone();
        // One that is told may leave, or bring others.
        let watching = self.watching.borrow().clone();
        watching.into_iter().for_each(|(_, tell)| tell.emit(name.clone()));
    }

    fn watch(&self, tell: Callback<Name>) -> usize {
        let id = self.next.replace(self.next.get() + 1);
        self.watching.borrow_mut().push((id, tell));
        id
    }

    fn leave(&self, id: usize) {
        self.watching.borrow_mut().retain(|(own, _)| *own != id);
    }
}

thread_local! {
    // No context: its provider would have the whole page as its children, which Yew takes for the same when only their props
    // differ.
    static POINTED: Pointed = Pointed::default();
}

/// Listens to the pointer and the focus, until what this returns is dropped.
pub(crate) fn listen() -> Vec<EventListener> {
    let Some(document) = document() else { return Vec::new() };
    let listen = |kind: &'static str| {
        EventListener::new(&document, kind, |event| POINTED.with(|pointed| pointed.set(pod_of(event))))
    };
    ["pointerover", "pointerleave", "focusin"].map(listen).into()
}

/// The pod that the event is about.
fn pod_of(event: &Event) -> Name {
    let target = event.target()?.dyn_into::<Element>().ok()?;
    target.closest("[data-pod]").ok()??.get_attribute("data-pod").map(Rc::from)
}

/// What `make` makes of the pod that is pointed at. The component is drawn again only when that is something else.
#[hook]
pub(crate) fn use_pointed<K, T>(key: K, make: fn(&K, Option<&str>) -> T) -> T
where
    K: Clone + PartialEq + 'static,
    T: Clone + PartialEq + 'static,
{
    let made = use_state_eq(|| make(&key, None));
    use_effect_with(key, {
        let made = made.setter();
        move |key| {
            let key = key.clone();
            let tell = Callback::from(move |pod: Name| made.set(make(&key, pod.as_deref())));
            let watching = POINTED.with(|pointed| {
                tell.emit(pointed.name.borrow().clone());
                pointed.watch(tell)
            });
            move || POINTED.with(|pointed| pointed.leave(watching))
        }
    });
    (*made).clone()
}
