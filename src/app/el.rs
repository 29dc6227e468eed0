//! Elements as plain calls. `html!` unfolds each element's whole making where it stands; these calls share it, which took
//! half of the page's own code away.

use super::dispatch::Dispatch;
use super::language::translated;
use crate::page::Msg;
use crate::text::Text;
use std::borrow::Borrow;
use std::rc::Rc;
use web_sys::Event;
use yew::virtual_dom::{Key, Listener, ListenerKind, VList, VNode, VTag, VText};
use yew::{AttrValue, Html};

/// An element in the making.
pub(crate) struct El(Box<Parts>);

struct Parts {
    /// None in a group.
    tag: Option<VTag>,
    class: String,
    children: Vec<Html>,
}

/// An element of this tag and class; no class if that is empty.
pub(crate) fn el(tag: &'static str, class: &str) -> El {
    El(Box::new(Parts { tag: Some(VTag::new(tag)), class: class.to_owned(), children: Vec::new() }))
}

/// Elements without one around them. For its siblings it is one child, however many it holds.
pub(crate) fn group() -> El {
    El(Box::new(Parts { tag: None, class: String::new(), children: Vec::new() }))
}

/// An element that holds a text.
pub(crate) fn text(tag: &'static str, class: &str, text: impl Borrow<Text>) -> El {
    el(tag, class).text(text)
}

/// An element that holds what is the same in every language: a name, a number, words of Kubernetes.
pub(crate) fn verbatim(tag: &'static str, class: &str, words: &str) -> El {
    el(tag, class).verbatim(words)
}

/// A button that sends a message.
pub(crate) fn button(class: &str, send: &Dispatch, msg: Msg) -> El {
    el("button", class).set("type", "button").listen(On::Click, send, Act::Send(msg))
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
        if let Some(tag) = &mut self.0.tag {
            tag.add_attribute(name, AttrValue::from(Rc::<str>::from(value)));
        }
        self
    }

    /// An attribute that people read or hear.
    pub(crate) fn say(self, name: &'static str, text: impl Borrow<Text>) -> Self {
        self.set(name, &translated(text.borrow()))
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
        if let Some(tag) = &mut self.0.tag {
            tag.set_value(AttrValue::from(Rc::<str>::from(value)));
        }
        self
    }

    /// What tells it from its siblings.
    pub(crate) fn key(mut self, key: &str) -> Self {
        if let Some(tag) = &mut self.0.tag {
            tag.key = Some(Key::from(key));
        }
        self
    }

    /// A text inside.
    pub(crate) fn text(self, text: impl Borrow<Text>) -> Self {
        self.verbatim(&translated(text.borrow()))
    }

    /// What is the same in every language inside.
    pub(crate) fn verbatim(mut self, words: &str) -> Self {
        self.0.children.push(VNode::VText(VText::new(AttrValue::from(Rc::<str>::from(words)))));
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

    /// A text in its own element inside, or an empty place for it if there is no text.
    pub(crate) fn line(self, tag: &'static str, class: &str, words: impl Borrow<Text>) -> Self {
        let words = words.borrow();
        self.maybe((!words.is_empty()).then(|| text(tag, class, words)))
    }

    /// The same for what is the same in every language.
    pub(crate) fn verbatim_line(self, tag: &'static str, class: &str, words: &str) -> Self {
        self.maybe((!words.is_empty()).then(|| verbatim(tag, class, words)))
    }

    /// An element inside for each item. Beside other children the items want a parent of their own or a `group`: however
    /// many they are, their siblings stay the same ones.
    pub(crate) fn each<T>(self, items: impl IntoIterator<Item = T>, draw: impl Fn(T) -> Self) -> Self {
        items.into_iter().fold(self, |el, item| el.with(draw(item)))
    }

    /// A node inside.
    pub(crate) fn add(mut self, child: Html) -> Self {
        self.0.children.push(child);
        self
    }

    /// Makes a message of an event, if it means one.
    pub(crate) fn on(self, on: On, send: &Dispatch, ask: impl Fn(&Event) -> Option<Msg> + 'static) -> Self {
        self.listen(on, send, Act::Ask(Box::new(ask)))
    }

    fn listen(mut self, on: On, send: &Dispatch, act: Act) -> Self {
        if let Some(tag) = &mut self.0.tag {
            tag.add_listener(Rc::new(Heard { on, send: send.clone(), act }));
        }
        self
    }
}

impl From<El> for Html {
    fn from(el: El) -> Self {
        let Parts { tag, class, children } = *el.0;
        let children = VNode::VList(Rc::new(VList::with_children(children, None)));
        let Some(mut tag) = tag else { return children };
        if !class.is_empty() {
            tag.add_attribute("class", AttrValue::from(class));
        }
        if let Some(place) = tag.children_mut() {
            *place = children;
        }
        VNode::VTag(Rc::new(tag))
    }
}

/// What is listened to.
#[derive(Clone, Copy)]
pub(crate) enum On {
    Change,
    Click,
    Input,
    Key,
    PointerDown,
    PointerMove,
    Submit,
}

type Ask = dyn Fn(&Event) -> Option<Msg>;

enum Act {
    Send(Msg),
    Ask(Box<Ask>),
}

/// One listener for every kind of event.
struct Heard {
    on: On,
    send: Dispatch,
    act: Act,
}

impl Listener for Heard {
    fn kind(&self) -> ListenerKind {
        match self.on {
            On::Change => ListenerKind::onchange,
            On::Click => ListenerKind::onclick,
            On::Input => ListenerKind::oninput,
            On::Key => ListenerKind::onkeydown,
            On::PointerDown => ListenerKind::onpointerdown,
            On::PointerMove => ListenerKind::onpointermove,
            On::Submit => ListenerKind::onsubmit,
        }
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
