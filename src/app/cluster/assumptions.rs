//! What the text does not say, and the choices that put it right.

use super::Shared;
use crate::app::browser;
use crate::app::dispatch::Dispatch;
use crate::app::language::say;
use crate::page::{ClusterMsg, FAILURES, Msg, failure_text};
use crate::reconcile::Release;
use crate::session::dump::{About, Assumption};
use crate::sim::Behaviour;
use crate::text::Text;
use crate::view::clock;
use std::rc::Rc;
use yew::{Callback, Event, Html, Properties, component, html};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) opened: Shared,
    /// How often what a control asked for was given up.
    pub(super) given_up: usize,
}

fn behaviors() -> [(Behaviour, Text); 4] {
    [
        (Behaviour::Healthy, text!("become ready")),
        (Behaviour::NeverReady, text!("never become ready")),
        (Behaviour::Crashes, text!("crash")),
        (Behaviour::CannotBePulled, text!("cannot be started")),
    ]
}

#[component]
pub(super) fn Assumptions(props: &Props) -> Html {
    let dump = &props.opened.0.dump;
    let kept: Vec<String> = dump.kept.iter().map(|kept| format!("{}/{}", kept.kind, kept.name)).collect();
    html! {
        <details class="cluster__assumed" open={true}>
            <summary>{ say(text!("What was assumed")) }</summary>
            // Drawn anew where a choice did not come to be: the browser would go on showing it.
            if dump.namespaces.len() > 1 { <span key={props.given_up}>{ namespaces(props) }</span> }
            <ul key={props.given_up}>{ for dump.assumptions.iter().map(|one| assumption(props, one)) }</ul>
            if !kept.is_empty() {
                <p class="dialog__hint">{ say(text!("Not simulated, and left out: {}", kept.join(", "))) }</p>
            }
        </details>
    }
}

/// A choice among options; the present one first says nothing.
fn choice(
    label: AttrText,
    options: Vec<(String, bool)>,
    chosen: impl Fn(usize) -> Option<ClusterMsg> + 'static,
    send: &Dispatch,
) -> Html {
    let send = send.clone();
    let onchange = Callback::from(move |event: Event| {
        let at = browser::value(&event).parse().unwrap_or(usize::MAX);
        chosen(at).into_iter().for_each(|msg| send.emit(Msg::Cluster(msg)));
    });
    html! {
        <select class="select" aria-label={label} {onchange}>
            { for options.into_iter().enumerate().map(|(at, (name, selected))| html! {
                <option value={at.to_string()} {selected}>{ name }</option>
            }) }
        </select>
    }
}

type AttrText = yew::AttrValue;

fn namespaces(props: &Props) -> Html {
    let names: Vec<Rc<str>> = props.opened.0.dump.namespaces.clone();
    let is_of = |name: &Rc<str>| {
        props.opened.0.dump.objects.iter().all(|object| ["", name].contains(&&*object.metadata().namespace))
    };
    let mut options = vec![(say(text!("every namespace")).to_string(), !names.iter().any(is_of))];
    options.extend(names.iter().map(|name| (name.to_string(), is_of(name))));
    let chosen = move |at: usize| Some(ClusterMsg::Namespace(at.checked_sub(1).and_then(|at| names.get(at)).cloned()));
    choice(say(text!("Namespace")), options, chosen, &props.send)
}

fn assumption(props: &Props, one: &Assumption) -> Html {
    html! {
        <li>
            if one.is_overruled { <s>{ say(&one.text) }</s> } else { { say(&one.text) } }
            { " " }
            { control(props, &one.about) }
        </li>
    }
}

/// What a person can say instead.
fn control(props: &Props, about: &About) -> Html {
    let options = &props.opened.0.options;
    match about {
        About::Release => {
            let own = props.opened.0.dump.release;
            let names = Release::ALL.iter().map(|release| (release.name().to_owned(), *release == own)).collect();
            choice(
                say(text!("Say otherwise")),
                names,
                |at| Release::ALL.get(at).copied().map(ClusterMsg::Release),
                &props.send,
            )
        }
        About::Node(name) => {
            let said = options.nodes.get(name).copied();
            let failures = FAILURES.iter().map(|(failure, _)| (*failure, failure_text(*failure))).collect();
            let name = Rc::clone(name);
            instead(said, failures, move |failure| ClusterMsg::Node(Rc::clone(&name), failure), &props.send)
        }
        About::Image(image) => {
            let said = options.images.get(image).copied();
            let image = Rc::clone(image);
            let chosen = move |behaviour| ClusterMsg::Image(Rc::clone(&image), behaviour);
            instead(said, behaviors().into(), chosen, &props.send)
        }
        About::Nodes => {
            let counts = [0, 1, 2, 5, 10].map(|count| (count, text!("this many nodes: {}", count)));
            instead(options.node_count, counts.into(), ClusterMsg::Nodes, &props.send)
        }
        About::Moment => {
            let dump = &props.opened.0.dump;
            let said = options.taken_at.map(|at| at.0 - dump.newest.0);
            let later =
                [60_000, 300_000, 900_000, 3_600_000].map(|later| (later, text!("made {} later", clock(later))));
            instead(said, later.into(), ClusterMsg::Later, &props.send)
        }
        About::Gone(_)
        | About::Owners(_)
        | About::Revision(_)
        | About::Pod(..)
        | About::Class(_)
        | About::Volume(_)
        | About::Admission
        | About::Failures(_) => {
            let is_denied = options.denied.contains(about);
            let about = about.clone();
            let chosen = move |denied: Option<()>| ClusterMsg::Holds(about.clone(), denied.is_none());
            instead(is_denied.then_some(()), vec![((), text!("this is not so"))], chosen, &props.send)
        }
    }
}

/// A choice between what was assumed and what a person says instead.
fn instead<T: Copy + PartialEq + 'static>(
    said: Option<T>,
    all: Vec<(T, Text)>,
    msg: impl Fn(Option<T>) -> ClusterMsg + 'static,
    send: &Dispatch,
) -> Html {
    let mut options = vec![(say(text!("as assumed")).to_string(), said.is_none())];
    options.extend(all.iter().map(|(value, words)| (say(words).to_string(), said == Some(*value))));
    let chosen = move |at: usize| match at.checked_sub(1) {
        None => Some(msg(None)),
        Some(at) => all.get(at).map(|(value, _)| msg(Some(*value))),
    };
    choice(say(text!("Say otherwise")), options, chosen, send)
}
