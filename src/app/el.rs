//! Elements as plain calls. `html!` unfolds each element where it stands; these calls share one body, which makes the
//! page's code a third of the size.

use super::state::Msg;
use std::rc::Rc;
use web_sys::Event;
use yew::virtual_dom::{Key, Listener, ListenerKind, VList, VNode, VTag, VText};
use yew::{AttrValue, Callback, Html};

/// The one way up: what is drawn can only send messages.
pub(crate) type Dispatch = Callback<Msg>;

/// An element in the making.
pub(crate) struct El(Box<Parts>);

struct Parts {
    tag: VTag,
    class: String,
    children: Vec<Html>,
}

/// An element of this tag and class; no class if that is empty.
pub(crate) fn el(tag: &'static str, class: &str) -> El {
    El(Box::new(Parts { tag: VTag::new(tag), class: class.to_owned(), children: Vec::new() }))
}

/// An element that holds a text.
pub(crate) fn text(tag: &'static str, class: &str, text: &str) -> El {
    el(tag, class).text(text)
}

/// A button that sends a message.
pub(crate) fn button(class: &str, send: &Dispatch, msg: Msg) -> El {
    el("button", class).set("type", "button").listen(ListenerKind::onclick, send, Act::Send(msg))
}

impl El {
    /// One more class, unless it is empty.
    pub(crate) fn class(mut self, class: &str) -> Self {
        if !class.is_empty() {
            self.0.class.push(' ');
            self.0.class.push_str(class);
        }
        self
    }

    /// An attribute.
    pub(crate) fn set(mut self, name: &'static str, value: &str) -> Self {
        self.0.tag.add_attribute(name, AttrValue::from(Rc::<str>::from(value)));
        self
    }

    /// An attribute, or none if its value is empty.
    pub(crate) fn some(self, name: &'static str, value: &str) -> Self {
        if value.is_empty() { self } else { self.set(name, value) }
    }

    /// An attribute that is there or not.
    pub(crate) fn flag(self, name: &'static str, on: bool) -> Self {
        if on { self.set(name, name) } else { self }
    }

    /// An attribute of the values `true` and `false`.
    pub(crate) fn truth(self, name: &'static str, value: bool) -> Self {
        self.set(name, if value { "true" } else { "false" })
    }

    /// What an input shows, whatever was typed.
    pub(crate) fn value(mut self, value: &str) -> Self {
        self.0.tag.set_value(AttrValue::from(Rc::<str>::from(value)));
        self
    }

    /// What tells it from its siblings.
    pub(crate) fn key(mut self, key: &str) -> Self {
        self.0.tag.key = Some(Key::from(key));
        self
    }

    /// A text inside.
    pub(crate) fn text(mut self, text: &str) -> Self {
        self.0.children.push(VNode::VText(VText::new(AttrValue::from(Rc::<str>::from(text)))));
        self
    }

    /// An element inside.
    pub(crate) fn with(self, child: Self) -> Self {
        self.add(child.into())
    }

    /// An element inside, or an empty place for it: its siblings stay the same ones.
    pub(crate) fn maybe(self, child: Option<Self>) -> Self {
        self.add(child.map_or_else(Html::default, Into::into))
    }

    /// A text of its own element inside, or an empty place for it if there is no text.
    pub(crate) fn line(self, tag: &'static str, class: &str, words: &str) -> Self {
        self.maybe((!words.is_empty()).then(|| text(tag, class, words)))
    }

    /// A list inside. It is one child however long it is, so its siblings stay the same ones.
    pub(crate) fn each(self, children: Vec<Html>) -> Self {
        self.add(list(children))
    }

    /// A node inside.
    pub(crate) fn add(mut self, child: Html) -> Self {
        self.0.children.push(child);
        self
    }

    /// Makes a message of an event, if it means one.
    pub(crate) fn on(self, kind: ListenerKind, send: &Dispatch, ask: impl Fn(&Event) -> Option<Msg> + 'static) -> Self {
        self.listen(kind, send, Act::Ask(Box::new(ask)))
    }

    fn listen(mut self, kind: ListenerKind, send: &Dispatch, act: Act) -> Self {
        self.0.tag.add_listener(Rc::new(Heard { kind, send: send.clone(), act }));
        self
    }
}

/// A list of nodes.
pub(crate) fn list(children: Vec<Html>) -> Html {
    VNode::VList(Rc::new(VList::with_children(children, None)))
}

impl From<El> for Html {
    fn from(el: El) -> Self {
        let Parts { mut tag, class, children } = *el.0;
        if !class.is_empty() {
            tag.add_attribute("class", AttrValue::from(class));
        }
        if let Some(place) = tag.children_mut() {
            *place = list(children);
        }
        VNode::VTag(Rc::new(tag))
    }
}

type Ask = dyn Fn(&Event) -> Option<Msg>;

enum Act {
    Send(Msg),
    Ask(Box<Ask>),
}

/// One listener for every kind of event.
struct Heard {
    kind: ListenerKind,
    send: Dispatch,
    act: Act,
}

impl Listener for Heard {
    fn kind(&self) -> ListenerKind {
        self.kind.clone()
    }

    fn handle(&self, event: Event) {
        let msg = match &self.act {
            Act::Send(msg) => Some(msg.clone()),
            Act::Ask(ask) => ask(&event),
        };
        if let Some(msg) = msg {
            self.send.emit(msg);
        }
    }

    fn passive(&self) -> bool {
        false
    }
}
