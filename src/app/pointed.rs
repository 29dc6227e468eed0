//! The pod that a person points at or has the focus on: one value for the whole page. Whatever shows a pod says so by
//! `data-pod`, watches that value by itself, and is drawn again alone when it begins or ceases to be the one.

use super::browser::document;
use gloo_events::EventListener;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, Event};
use yew::{
    Callback, ContextProvider, Html, Properties, component, hook, html, use_context, use_effect_with, use_memo,
    use_state_eq,
};

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

/// The value as components have it: always the same one, so that none is drawn again for it.
#[derive(Clone)]
struct Shared(Rc<Pointed>);

impl PartialEq for Shared {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) children: Html,
}

/// The page within which pods are pointed at.
#[component]
pub(crate) fn Pointing(props: &Props) -> Html {
    let shared = Shared(use_memo((), |()| Pointed::default()));
    use_effect_with((), {
        let pointed = Rc::clone(&shared.0);
        move |()| {
            let listen = |kind: &'static str| {
                let pointed = Rc::clone(&pointed);
                document().map(|document| EventListener::new(&document, kind, move |event| pointed.set(pod_of(event))))
            };
            let listeners = ["pointerover", "pointerleave", "focusin"].map(listen);
            move || drop(listeners)
        }
    });
    html! { <ContextProvider<Shared> context={shared}>{ props.children.clone() }</ContextProvider<Shared>> }
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
    let shared = use_context::<Shared>();
    let made = use_state_eq(|| make(&key, None));
    use_effect_with((shared, key), {
        let made = made.setter();
        move |(shared, key)| {
            let watched = shared.clone().map(|Shared(pointed)| {
                made.set(make(key, pointed.name.borrow().as_deref()));
                let key = key.clone();
                let id = pointed.watch(Callback::from(move |name: Name| made.set(make(&key, name.as_deref()))));
                (pointed, id)
            });
            move || watched.iter().for_each(|(pointed, id)| pointed.leave(*id))
        }
    });
    (*made).clone()
}
