//! A pod's panel, whichever stage it stands on: its facts, its history, and the actions on it.

use super::appearance;
use super::beside::Beside;
use super::copy::Copy;
use super::dispatch::{Dispatch, sends};
use super::host;
use super::language::say;
use super::prose;
use super::rehearse::lines;
use super::same::Same;
use crate::diagnosis::without_node;
use crate::page::{Msg, Origin};
use crate::text::Text;
use crate::view::{Act, Claim, DecisionRun, Pod, PodDetails, PodHistory};
use yew::{AttrValue, Callback, Html, Properties, component, html};

#[derive(Properties, PartialEq)]
pub(crate) struct PodPanelProps {
    pub(crate) send: Dispatch,
    pub(crate) pod: Same<Pod>,
    pub(crate) details: Same<PodDetails>,
}

/// The panel of a pod on the stage.
#[component]
pub(crate) fn PodPanel(props: &PodPanelProps) -> Html {
    let (send, pod, details) = (&props.send, &props.pod, &props.details);
    let close = {
        let send = send.clone();
        Callback::from(move |()| send.emit(Msg::Open(None)))
    };
    html! {
        <Beside anchor={format!("pod-{}", pod.name)} label={say(text!("Pod {}", &*pod.name))} title={pod.name.clone()} {close}>
            { facts(pod, details) }
            { for details.without_node.iter().map(|told| lines(&without_node(std::slice::from_ref(told), 0))) }
            if let Some(history) = &details.history {
                { before_it_changes(history) }
                <button type="button" class="button" onclick={sends(send, Msg::RunToDecision(pod.name.clone()))}>
                    { say(text!("Run until the next decision at this pod")) }
                </button>
            }
            { acts(send, &details.acts) }
            { annotations(&details.annotations) }
            if let Some(history) = &details.history { { decisions(history) } }
        </Beside>
    }
}

fn facts(pod: &Pod, details: &PodDetails) -> Html {
    let fact = |name: Text, words: &str| match words {
        "" => Html::default(),
        words => html! { <><dt>{ say(name) }</dt><dd><code>{ words.to_owned() }</code></dd></> },
    };
    // An ordinal stands in the title already.
    let instance = if details.history.is_some() { "" } else { pod.instance() };
    html! {
        <dl class="menu__facts">
            <dt>{ say(text!("Revision")) }</dt>
            <dd class={appearance::hue(pod.revision.hue)}>
                <b class="revision__letter">{ pod.revision.letter.clone() }</b><code>{ pod.revision.name.clone() }</code>
            </dd>
            { fact(text!("Instance"), instance) }
            { fact(text!("Uid"), &pod.key) }
            { fact(text!("Node"), &pod.node) }
            { fact(Text::verbatim("IP"), &pod.ip) }
            if let Some(dns) = details.history.as_ref().and_then(|history| history.dns.as_ref()) {
                <dt>{ say(text!("DNS name")) }</dt>
                <dd><code>{ for dns.name.split_inclusive('.').map(|label| html! { <span>{ label.to_owned() }</span> }) }</code>{ " → " }{ say(&dns.address) }</dd>
            }
            { fact(text!("Lifecycle state"), &pod.state) }
            { for details.gates.iter().map(|one| gate(*one)) }
            { for details.claims.iter().map(claim) }
        </dl>
    }
}

fn gate((name, open): (&'static str, bool)) -> Html {
    let words = match (open, name) {
        (true, _) => text!("True: the kubelet decides whether it is Ready"),
        (false, "InPlaceUpdateReady") => text!("False: it is not Ready while it is changed"),
        (false, _) => text!("False: it is not Ready while a hook holds it"),
    };
    html! { <><dt>{ name }</dt><dd><code>{ say(words) }</code></dd></> }
}

fn claim(claim: &Claim) -> Html {
    let attached = claim.attached.as_ref().map_or_else(Text::default, |node| text!(", attached to {}", node));
    html! {
        <>
            <dt>{ say(text!("Claim")) }</dt>
            <dd><code>{ &claim.name }</code>{ " " }{ &claim.phase }{ say(attached) }</dd>
        </>
    }
}

fn before_it_changes(history: &PodHistory) -> Html {
    let (class, word) = appearance::severity(history.severity);
    html! {
        <div class="menu__story">
            <h3 class="heading">{ say(text!("Before it changes")) }</h3>
            <p class={format!("ends {class}")}><b>{ say(word) }</b>{ ": " }{ say(&history.next) }</p>
        </div>
    }
}

fn decisions(history: &PodHistory) -> Html {
    let one = |run: &DecisionRun| html! { <li><span class="menu__when">{ say(&run.when) }</span><span>{ say(&run.text) }</span></li> };
    html! {
        <div class="menu__story">
            <h3 class="heading">{ say(text!("Last decisions about it")) }</h3>
            if history.decisions.is_empty() {
                <p class="field__means">{ say(text!("No sync has decided about it alone.")) }</p>
            }
            <ul class="menu__decisions">{ for history.decisions.iter().map(one) }</ul>
        </div>
    }
}

fn annotations(annotations: &[(String, String)]) -> Html {
    if annotations.is_empty() {
        return Html::default();
    }
    let one = |(key, words): &(String, String)| {
        html! { <li key={key.clone()}><code class="menu__key">{ key }</code><code class="menu__value">{ words }</code></li> }
    };
    html! {
        <div class="menu__story">
            <h3 class="heading">{ say(text!("Annotations")) }</h3>
            <ul class="menu__annotations">{ for annotations.iter().map(one) }</ul>
        </div>
    }
}

/// A line of kubectl, to be copied; nothing if there is none.
pub(crate) fn command(line: &str) -> Html {
    if line.is_empty() {
        return Html::default();
    }
    let line = AttrValue::from(line.to_owned());
    html! { <span class="command"><code class="kubectl">{ prose::command(&line) }</code><Copy text={line} /></span> }
}

/// What can be done to a pod, each with its kubectl line and its risk; nothing where one may only look.
fn acts(send: &Dispatch, acts: &[Act]) -> Html {
    if host::is_locked() {
        return Html::default();
    }
    let one = |act: &Act| {
        html! {
            <li key={act.label.to_string()}>
                <button type="button" class="button" onclick={sends(send, Msg::Send(act.command.clone(), Origin::Rail))}>
                    { say(&act.label) }
                </button>
                if !act.risk.is_empty() { <p class="menu__risk">{ say(&act.risk) }</p> }
                { command(&act.kubectl) }
            </li>
        }
    };
    html! { <ul class="menu__acts">{ for acts.iter().map(one) }</ul> }
}
