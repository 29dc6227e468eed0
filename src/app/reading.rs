//! What people read of very much is not drawn with each picture while the run plays: nobody could follow it.

use crate::page::State;
use std::rc::Rc;
use yew::{Html, Properties, component, hook, use_mut_ref};

/// Which reading of the page this is.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Reading {
    /// Whether the run plays.
    pub(crate) plays: bool,
    /// How often what people read was drawn (`State::beat`); whenever something happens while the run stands.
    pub(crate) beat: u64,
}

impl Reading {
    pub(crate) fn of(state: &State) -> Self {
        Self { plays: state.playing, beat: state.beat }
    }

    /// While the run plays, each so many-th reading. What takes turns is not all drawn in one picture.
    pub(crate) fn each(self, of: u64, turn: u64) -> Self {
        Self { beat: if self.plays { (self.beat + turn) / of } else { self.beat }, ..self }
    }
}

/// What `make` made when it was asked by an equal key; without a key it is made anew each time.
#[hook]
pub(crate) fn use_kept<K: PartialEq + 'static, T: 'static>(key: Option<K>, make: impl FnOnce() -> T) -> Rc<T> {
    let kept = use_mut_ref(|| None::<(K, Rc<T>)>);
    let mut kept = kept.borrow_mut();
    let Some(key) = key else {
        *kept = None;
        return Rc::new(make());
    };
    match kept.as_ref() {
        Some((known, made)) if *known == key => Rc::clone(made),
        _ => {
            let made = Rc::new(make());
            *kept = Some((key, Rc::clone(&made)));
            made
        }
    }
}

#[derive(Properties)]
pub(crate) struct KeptProps {
    pub(crate) made: Rc<Html>,
}

impl PartialEq for KeptProps {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.made, &other.made)
    }
}

/// What was made before: as long as it is the same, nothing in it is compared.
#[component]
pub(crate) fn Kept(props: &KeptProps) -> Html {
    (*props.made).clone()
}
