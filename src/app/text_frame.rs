//! While playing, text about very much is redrawn ten times a second or less, not every frame.

use crate::page::State;
use std::rc::Rc;
use yew::{Html, Properties, component, hook, use_mut_ref};

/// Which redraw of the page's texts this is.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct TextFrame {
    /// Whether the run plays.
    pub(crate) plays: bool,
    /// `TextFrames::number`; whenever something happens while the run stands.
    pub(crate) number: u64,
}

/// How much less often something is redrawn than other texts.
pub(crate) struct Throttle {
    pub(crate) every: u64,
    pub(crate) offset: u64,
}

impl TextFrame {
    pub(crate) fn of(state: &State) -> Self {
        Self { plays: state.playback.playing, number: state.text_frames.number }
    }

    /// While the run plays, one in `every` of them. What has another `offset` is redrawn in another frame.
    pub(crate) fn throttle(self, Throttle { every, offset }: Throttle) -> Self {
        let number = if self.plays { (self.number + offset) / every } else { self.number };
        Self { number, ..self }
    }
}

/// What `make` made when it was asked by an equal key; without a key it is made anew each time.
#[hook]
pub(crate) fn use_memoized<K: PartialEq + 'static, T: 'static>(key: Option<K>, make: impl FnOnce() -> T) -> Rc<T> {
    let memo = use_mut_ref(|| None::<(K, Rc<T>)>);
    let mut memo = memo.borrow_mut();
    let Some(key) = key else {
        *memo = None;
        return Rc::new(make());
    };
    match memo.as_ref() {
        Some((known, made)) if *known == key => Rc::clone(made),
        _ => {
            let made = Rc::new(make());
            *memo = Some((key, Rc::clone(&made)));
            made
        }
    }
}

#[derive(Properties)]
pub(crate) struct MemoProps {
    pub(crate) html: Rc<Html>,
}

impl PartialEq for MemoProps {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.html, &other.html)
    }
}

/// What was made before: as long as it is the same, nothing in it is compared.
#[component]
pub(crate) fn Memo(props: &MemoProps) -> Html {
    (*props.html).clone()
}
