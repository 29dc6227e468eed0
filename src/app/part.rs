//! The one component below the page. A part is drawn again only when what it shows has changed; everything else on the
//! page is a plain function. One component for all parts: each would bring two kilobytes of Yew's own code along.

use super::dispatch::Dispatch;
use super::time;
use crate::view::{SyncMark, TimeRow};
use std::rc::Rc;
use yew::virtual_dom::{Key, VComp, VNode};
use yew::{Component, Context, Html, Properties};

/// What is worth comparing before it is drawn.
#[derive(Clone, PartialEq)]
pub(crate) enum Shown {
    TimeRow(Rc<TimeRow>),
    Syncs(Rc<Vec<SyncMark>>),
}

#[derive(Clone, PartialEq, Properties)]
struct PartProps {
    send: Dispatch,
    shown: Shown,
}

struct Part;

/// A part, with a key among its siblings.
pub(crate) fn part(send: &Dispatch, key: Option<&str>, shown: Shown) -> Html {
    let props = PartProps { send: send.clone(), shown };
    VNode::VComp(Rc::new(VComp::new::<Part>(Rc::new(props), key.map(Key::from))))
}

impl Component for Part {
    type Message = ();
    type Properties = PartProps;

    fn create(_: &Context<Self>) -> Self {
        Self
    }

    fn view(&self, context: &Context<Self>) -> Html {
        let PartProps { shown, .. } = context.props();
        match shown {
            Shown::TimeRow(row) => time::row(row),
            Shown::Syncs(marks) => time::syncs(marks),
        }
        .into()
    }
}
