//! Elements as plain calls. `html!` unfolds each element's whole making where it stands; these calls share it, which took
//! half of the page's own code away.

use super::language::{said, translated};
use crate::page::Msg;
use crate::text::Text;
use std::rc::Rc;
use web_sys::Event;
use yew::virtual_dom::{Key, Listener, ListenerKind, VList, VNode, VTag, VText};
use yew::{AttrValue, Callback, Html};

/// The one way up: what is drawn can only send messages.
pub(crate) type Dispatch = Callback<Msg>;

/// What an element can say.
pub(crate) trait Readable {
    /// It in the page's language, inside an element of this tag.
    fn read(&self, tag: &str) -> Rc<str>;

    /// Whether there is nothing to read.
    fn is_blank(&self) -> bool;
}

impl Readable for Text {
    fn read(&self, _: &str) -> Rc<str> {
        translated(self).into()
    }

    fn is_blank(&self) -> bool {
        self.is_empty()
    }
}

impl Readable for str {
    fn read(&self, tag: &str) -> Rc<str> {
        said(self, tag)
    }

    fn is_blank(&self) -> bool {
        self.is_empty()
    }
}

impl Readable for String {
    fn read(&self, tag: &str) -> Rc<str> {
        said(self, tag)
    }

    fn is_blank(&self) -> bool {
        self.is_empty()
    }
}

impl Readable for Rc<str> {
    fn read(&self, tag: &str) -> Rc<str> {
        said(self, tag)
    }

    fn is_blank(&self) -> bool {
        self.is_empty()
    }
}

impl<T: Readable + ?Sized> Readable for &T {
    fn read(&self, tag: &str) -> Rc<str> {
        (**self).read(tag)
    }

    fn is_blank(&self) -> bool {
        (**self).is_blank()
    }
}

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

/// Attributes that are words.
const READ: [&str; 5] = ["aria-label", "title", "aria-valuetext", "placeholder", "aria-description"];

/// An element that holds a text.
pub(crate) fn text(tag: &'static str, class: &str, text: &(impl Readable + ?Sized)) -> El {
    el(tag, class).text(text)
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

    /// An attribute. What is read or heard of it is in the page's language.
    pub(crate) fn set(mut self, name: &'static str, value: &str) -> Self {
        if let Some(tag) = &mut self.0.tag {
            let value = if READ.contains(&name) { said(value, "") } else { Rc::from(value) };
            tag.add_attribute(name, AttrValue::from(value));
        }
        self
    }

    /// An attribute that is read or heard.
    pub(crate) fn say(mut self, name: &'static str, text: &Text) -> Self {
        if let Some(tag) = &mut self.0.tag {
            tag.add_attribute(name, AttrValue::from(text.read("")));
        }
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

    /// A text inside, in the page's language.
    pub(crate) fn text(mut self, text: &(impl Readable + ?Sized)) -> Self {
        let tag = self.0.tag.as_ref().map_or("", |tag| tag.tag());
        self.0.children.push(VNode::VText(VText::new(AttrValue::from(text.read(tag)))));
        self
    }

    /// A text inside that is the same in every language: a name, or words of Kubernetes.
    pub(crate) fn verbatim(mut self, text: &str) -> Self {
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
    pub(crate) fn line(self, tag: &'static str, class: &str, words: &(impl Readable + ?Sized)) -> Self {
        self.maybe((!words.is_blank()).then(|| text(tag, class, words)))
    }

    /// An element inside for each item. ComparisonPage other children the items want a parent of their own or a `group`: however
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
    Close,
    Input,
    Key,
    PointerCancel,
    PointerDown,
    PointerMove,
    PointerUp,
    Scroll,
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
            On::Close => ListenerKind::onclose,
            On::Input => ListenerKind::oninput,
            On::Key => ListenerKind::onkeydown,
            On::PointerCancel => ListenerKind::onpointercancel,
            On::PointerDown => ListenerKind::onpointerdown,
            On::PointerMove => ListenerKind::onpointermove,
            On::PointerUp => ListenerKind::onpointerup,
            On::Scroll => ListenerKind::onscroll,
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
