//! Help for people: what this page is, what to do first, what colors and shapes mean, how true it is, the keys.

use super::appearance;
use super::dispatch::{Dispatch, sends};
use super::icon;
use super::language::say;
use super::modal::{Closed, Modal};
use crate::page::{Dialog, Msg, ShareMsg};
use crate::text::Text;
use crate::view::PodAppearance;
use yew::{Html, Properties, component, html};

fn first_steps() -> [Text; 5] {
    [
        text!("Press Play and watch the controller create the pods one by one."),
        text!(
            "Change something on the left: replicas, the image, the partition. Each control shows its kubectl command."
        ),
        text!("Read below the pods where the controller stands, what it waits for, and what ends the wait."),
        text!("Break something: a node, a container, an image. Then look for the way out."),
        text!("Go back in time and act otherwise: both runs are kept, as branches."),
    ]
}

/// The states of pods: shape, color and word.
fn states() -> [(PodAppearance, Text, Text); 6] {
    [
        (PodAppearance::Ready, Text::verbatim("Ready"), text!("runs and is ready")),
        (PodAppearance::Starting, text!("Running, not Ready"), text!("its containers run, its readiness is awaited")),
        (PodAppearance::Pending, Text::verbatim("Pending"), text!("has no node yet, or its containers are being made")),
        (PodAppearance::Terminating, Text::verbatim("Terminating"), text!("is marked for deletion and still there")),
        (PodAppearance::Failed, Text::verbatim("Failed"), text!("its container fails, or its image cannot be pulled")),
        (
            PodAppearance::Unreachable,
            text!("Unreachable"),
            text!("its node is silent: this is what was last known of it"),
        ),
    ]
}

/// The other marks: the class that draws each.
fn marks() -> [(&'static str, Text); 5] {
    [
        (
            "help__revision",
            text!("The band on a pod has its revision's color and letter: which template it was made from."),
        ),
        ("time__dot", text!("A sync of the controller that wrote something; a ring is one that wrote nothing.")),
        ("time__act", text!("A command was given here.")),
        ("time__act time__act--fault", text!("Something was broken here.")),
        ("help__ring", text!("The controller stands at this ordinal.")),
    ]
}

fn keys() -> [(Text, Text); 16] {
    [
        (text!("Space"), text!("Play or pause")),
        (text!(". or →"), text!("One event forward")),
        (text!(", or ←"), text!("One event back")),
        (text!("Shift + . or →"), text!("To the end of the next sync")),
        (text!("Shift + , or ←"), text!("To the end of the previous sync")),
        (Text::verbatim("End"), text!("Run until something needs you")),
        (Text::verbatim("Home"), text!("Back to the start")),
        (Text::verbatim("Ctrl/⌘ + K"), text!("The kubectl line")),
        (text!("→ at its end"), text!("Accept the suggestion")),
        (text!("Tab at its end"), text!("Complete the word as a shell does, or move on")),
        (Text::verbatim("Ctrl/⌘ + Z"), text!("To right before the last command")),
        (Text::verbatim("Shift + Ctrl/⌘ + Z"), text!("To right after the next command")),
        (Text::verbatim("?"), text!("This help")),
        (text!("Arrows on a pod"), text!("To the next pod; Home and End lead to the first and the last")),
        (text!("A number on a pod"), text!("To the pod of that ordinal")),
        (text!("Arrows on a flag"), text!("Move partition or replicas")),
    ]
}

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) send: Dispatch,
    pub(crate) is_open: bool,
}

#[component]
pub(crate) fn Help(props: &Props) -> Html {
    let send = &props.send;
    html! {
        <Modal send={send.clone()} id="help" title={text!("Help")} is_open={props.is_open} class="help"
            closed={Closed(Msg::Help(false))}>
            if props.is_open { { body(send) } }
        </Modal>
    }
}

fn body(send: &Dispatch) -> Html {
    let state = |(look, word, means): (PodAppearance, Text, Text)| {
        html! {
            <div class="help__row">
                <dt><span class={format!("tag {}", appearance::look(look))}>{ icon::look(look) }{ say(word) }</span></dt>
                <dd>{ say(means) }</dd>
            </div>
        }
    };
    let mark = |(class, means): (&'static str, Text)| {
        html! { <li class="help__row"><span><i class={class} aria-hidden="true" /></span><span>{ say(means) }</span></li> }
    };
    let key = |(key, act): (Text, Text)| {
        html! { <div class="keys__row"><dt><kbd>{ say(key) }</kbd></dt><dd>{ say(act) }</dd></div> }
    };
    let truth = Msg::Share(ShareMsg::Show(Some(Dialog::Truth)));
    html! {
        <>
            <p>{ say(text!("SetScope shows why a Kubernetes StatefulSet does what it does. The controller's own decision logic, release by release, runs on a simulated cluster inside this page: nothing can be damaged, and nothing is sent anywhere.")) }</p>
            <h3 class="heading">{ say(text!("What to do first")) }</h3>
            <ol class="help__steps">{ for first_steps().into_iter().map(|step| html! { <li>{ say(step) }</li> }) }</ol>
            <h3 class="heading">{ say(text!("What colors and shapes mean")) }</h3>
            <dl>{ for states().into_iter().map(state) }</dl>
            <ul class="help__marks">{ for marks().into_iter().map(mark) }</ul>
            <h3 class="heading">{ say(text!("How true is this?")) }</h3>
            <p>{ say(text!("The controllers are proved on recorded runs of the real ones.")) }{ " " }
                <button type="button" class="button button--small" onclick={sends(send, truth)}>
                    { say(text!("What the tests counted")) }
                </button>
            </p>
            <h3 class="heading" id="help-keys">{ say(text!("Keys")) }</h3>
            <dl class="keys__list">{ for keys().into_iter().map(key) }</dl>
        </>
    }
}
