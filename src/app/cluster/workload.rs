//! One workload: what becomes of it, where its sync stops, and what is known about that.

use super::Shared;
use super::findings::{Findings, Shown};
use super::ways_out::{Tries, WaysOut};
use crate::app::dispatch::{Dispatch, sends};
use crate::app::language::say;
use crate::app::prose::{command, prose};
use crate::diagnosis::{Diagnosis, headline};
use crate::objects::ObjectRef;
use crate::page::{ClusterMsg, Msg, RehearseMsg};
use crate::session::dump::{NotFollowed, Oversized};
use crate::text::Text;
use crate::verdict::{Ends, Verdict};
use crate::view::Stands;
use yew::{Callback, Html, MouseEvent, Properties, component, html, use_state};

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) opened: Shared,
    pub(super) tried: Tries,
}

/// Workloads that are drawn at once, and by each press: hundreds take the browser too long for one frame.
const AT_ONCE: usize = 20;

/// The class of what becomes of it.
fn class_of(verdict: &Verdict) -> &'static str {
    match (&verdict.ends, verdict.available_after) {
        (Ends::ByItself { .. }, _) if verdict.is_well() => "well",
        (Ends::NotKnown(_), _) => "unknown",
        (Ends::ByItself { .. }, _) | (_, Some(_)) => "moving",
        (Ends::Never | Ends::When(_) | Ends::ByPerson(_), None) => "stuck",
    }
}

#[component]
pub(super) fn Workloads(props: &Props) -> Html {
    let opened = &props.opened.0;
    let shown = use_state(|| AT_ONCE);
    let more = {
        let shown = shown.clone();
        Callback::from(move |_: MouseEvent| shown.set(*shown + AT_ONCE))
    };
    let hidden = opened.workloads.len().saturating_sub(*shown);
    let has_none = opened.workloads.is_empty() && !opened.dump.leaves_out();
    let unready = Text::list(", ", opened.unready_nodes().map(Text::verbatim));
    html! {
        <>
            if opened.is_well() {
                <strong class="cluster__well">{ say(text!("Nothing is wrong: every workload is as it was asked to be.")) }</strong>
            }
            if has_none { <p>{ say(text!("There is no workload here whose controller is simulated.")) }</p> }
            if !unready.is_empty() { <p class="cluster__headline">{ prose(text!("Nodes that are not Ready: {}", unready)) }</p> }
            { for opened.dump.oversized.iter().map(oversized) }
            { for opened.dump.not_followed.iter().map(not_followed) }
            { for opened.workloads.iter().zip(&opened.stands).enumerate().take(*shown).map(|(at, one)| workload(props, at, one)) }
            if opened.workloads.is_empty() { { what_if(&props.send, None, Html::default()) } }
            if hidden > 0 {
                <button type="button" class="button" onclick={more}>
                    { say(text!("Show more workloads ({} are not shown, those that are stuck come first)", hidden)) }
                </button>
            }
        </>
    }
}

/// A workload of which nothing is known, and what takes it.
fn oversized(one: &Oversized) -> Html {
    let ObjectRef { kind, namespace, name } = &one.workload;
    html! {
        <section class="cluster__workload cluster__workload--unknown" key={format!("{:?}", one.workload)}>
            <h3 class="heading">{ format!("{} {namespace}/{name}", kind.title()) }</h3>
            <p>{ say(text!("Not known: it asks for {} replicas, and a page simulates at most {} of one workload.", one.replicas, one.most)) }</p>
            <p>{ prose(text!("The setscope command takes more: {}", Text::verbatim(format!("kubectl setscope {}/{name} -n {namespace}", kind.singular())))) }</p>
        </section>
    }
}

/// An owner of pods of which nothing is known.
fn not_followed(one: &NotFollowed) -> Html {
    let NotFollowed { kind, namespace, name, ready, unready, failed, .. } = one;
    html! {
        <section class="cluster__workload cluster__workload--unknown" key={format!("{kind} {namespace}/{name}")}>
            <h3 class="heading">{ format!("{kind} {namespace}/{name}") }</h3>
            <p>{ say(if one.is_pod() { text!("Not known: pods of such a name have failed ({}), and no line tells who made them.", *failed) } else { text!("Not known: its controller is not simulated. Of its pods {} are Ready, {} are not, {} have failed.", *ready, *unready, *failed) }) }</p>
            <p><code>{ command(&one.look()) }</code></p>
        </section>
    }
}

/// The ways to what would happen if, from this workload or from the text, behind what is pressed first.
fn what_if(send: &Dispatch, workload: Option<&ObjectRef>, first: Html) -> Html {
    let show = sends(send, Msg::Cluster(ClusterMsg::Show(workload.cloned())));
    let rehearse = sends(send, Msg::Rehearse(RehearseMsg::Text(workload.cloned())));
    html! {
        <div class="dialog__row">
            { first }
            // A stage without a workload would look at rest.
            if workload.is_some() {
                <button type="button" class="button button--small" onclick={show}>{ say(text!("Show it on the stage")) }</button>
            }
            <button type="button" class="button button--small" onclick={rehearse}>{ say(text!("Rehearse")) }</button>
        </div>
    }
}

fn workload(props: &Props, at: usize, (one, stands): (&Diagnosis, &Stands)) -> Html {
    let (words, class) = (headline(&one.verdict), class_of(&one.verdict));
    // A known cause says more than where the controller waits for what it causes.
    let is_explained = one.cause().is_some();
    let standing = html! {
        <>
            <p class={(!is_explained).then_some("cluster__headline")}><strong>{ prose(&stands.explanation.headline) }</strong></p>
            <p>{ prose(&stands.explanation.reason) }</p>
            { stop(one, stands) }
            if !one.next.is_empty() {
                <p>{ prose(text!("If that cleared: {}", one.next)) }</p>
            }
            { for one.never.iter().map(|line| html! { <p>{ prose(line) }</p> }) }
        </>
    };
    let is_tried = props.tried.workload.as_ref() == Some(&one.workload);
    let ways = || {
        html! {
            if one.verdict.is_open() {
                <WaysOut send={props.send.clone()} workload={one.workload.clone()} is_first={at == 0} tried={is_tried.then(|| props.tried.clone())} />
            }
        }
    };
    html! {
        <section class={format!("cluster__workload cluster__workload--{class}")} key={format!("{:?}", one.workload)}>
            <h3 class="heading">{ format!("{} {}/{}", one.workload.kind.title(), one.workload.namespace, one.workload.name) }</h3>
            <p class="cluster__outlook">{ prose(words) }</p>
            if one.verdict.is_well() {
                if !one.on_edit.is_empty() { <p>{ prose(&one.on_edit) }</p> }
            } else if !is_explained {
                { standing.clone() }
            }
            <Findings opened={props.opened.clone()} {at} />
            { for one.unsettled.iter().map(|line| html! { <p class="dialog__hint">{ prose(line) }</p> }) }
            if is_tried { { ways() } }
            { what_if(&props.send, Some(&one.workload), if is_tried { Html::default() } else { ways() }) }
            <Shown opened={props.opened.clone()} {at} />
            if is_explained {
                <details>
                    <summary>{ say(text!("Where its controller stands")) }</summary>
                    { standing }
                </details>
            }
        </section>
    }
}

fn stop(one: &Diagnosis, stands: &Stands) -> Html {
    let Some(stop) = &one.stop else { return Html::default() };
    let at = match &stop.pod {
        Some(pod) => text!("The sync stops at {}", pod),
        None => text!("The sync stops here"),
    };
    html! {
        <dl class="cluster__stop">
            <div><dt>{ say(at) }</dt><dd>{ stop.check }</dd></div>
            <div><dt>{ say(text!("In")) }</dt><dd><code>{ stop.function }</code>{ " " }<code>{ stop.file }</code></dd></div>
            if let Some(log) = &stands.log {
                <div><dt>{ say(text!("Look in the log for")) }</dt><dd><code>{ log }</code></dd></div>
            }
        </dl>
    }
}
