//! The middle: the set's line, the axis, where the controller stands, the nodes.

use super::appearance;
use super::cards::{Cards, ranks};
use super::cluster::strip;
use super::dialogs::notes;
use super::dispatch::Dispatch;
use super::icon::{Sign, sign};
use super::inspector::latest;
use super::language::say;
use super::learn::LessonGuide;
use super::next_steps::next;
use super::nodes::Nodes;
use super::prose::prose;
use super::rail::Axis;
use super::refusal_note::RefusalNote;
use super::same::Same;
use super::select::Select;
use super::starters;
use super::text_frame::TextFrame;
use super::verdict::{Verdict, Ways};
use crate::page::{Msg, Origin, State};
use crate::text::Text;
use crate::view::{self, Pods, Revision, Summary};
use std::rc::Rc;
use yew::{Callback, Html, classes, html};

/// The stage.
pub(crate) fn stage(send: &Dispatch, state: &State) -> Html {
    let (view, texts, refused) = (&state.stage.view, &state.text_frames.texts, state.refused.clone());
    let details =
        state.panels.pod.as_deref().and_then(|pod| view::pod_details(&state.stage.session, state.stage.set(), pod));
    let details = details.map(|details| Same(Rc::new(details)));
    let text_frame = TextFrame::of(state);
    let ways = Ways { tried: Rc::clone(&state.ways.tried), is_running: state.ways.is_running() };
    let (severity, _) = appearance::severity(texts.explanation.severity);
    let offers = next(send, state);
    // Letters of revisions are drawn where there are two: of pods too, since the status says nothing of a pod that a rollback left.
    let mut hues = view.workload.places().iter().filter_map(|place| Some(place.pod.as_ref()?.revision.hue));
    let first = hues.next();
    let is_mixed = texts.summary.as_ref().is_some_and(|summary| summary.current != summary.update)
        || hues.any(|hue| Some(hue) != first);
    html! {
        <main class={classes!("stage", severity, is_mixed.then_some("stage--mixed"))} tabindex="-1">
            if let Some(guide) = state.learn.guide(&state.stage) { <LessonGuide send={send.clone()} {guide} /> }
            // As high as the stage at most: the verdict scrolls within rather than cover a pod.
            <div class="stage__main">
                { strip(send, state) }
                { summary(send, texts.summary.as_ref(), &view.sets, state) }
                { match &view.workload.pods {
                    Pods::Cards(cards) => html! { <Cards send={send.clone()} cards={Same::from(cards)} open={state.panels.pod.clone()} {details} /> },
                    Pods::Axis(rail) => html! {
                        <Axis send={send.clone()} rail={Same::from(rail)} line={texts.line.clone()} ring={texts.ring} open={state.panels.pod.clone()} {details} draft={state.panels.draft}
                            {text_frame} theme={state.theme} />
                    },
                } }
                <RefusalNote send={send.clone()} refused={refused.clone()} at={Origin::Rail} />
                <Verdict send={send.clone()} explanation={Same::from(&texts.explanation)} {ways}>{ offers }</Verdict>
            </div>
            if state.lanes.is_none() { { notes(send, state) } }
            { for view.warnings.iter().map(|words| html! {
                <p class="warning" role="alert">{ sign(Sign::Hand) }<span>{ prose(words) }</span></p>
            }) }
            { ranks(&view.workload, texts.explanation.severity) }
            <Nodes send={send.clone()} nodes={Same::from(&view.nodes)} prefix={view.workload.prefix().to_owned()} {text_frame}
                many={state.timeline.has_many()} {refused} />
            // A figure has no panel of events.
            if state.embedded { { latest(&view::events(&state.stage.session)) } }
        </main>
    }
}

fn summary(send: &Dispatch, summary: Option<&Summary>, (sets, drawn): &(Vec<String>, usize), state: &State) -> Html {
    let release = state.stage.session.release().name();
    let Some(summary) = summary else {
        return html! {
            <div class="summary">
                <h2 class="summary__name" title={say(text!("No StatefulSet"))}>{ say(text!("No StatefulSet")) }</h2>
                { starters::folded(send, sets.len()) }
            </div>
        };
    };
    let several = sets.len() > 1;
    let rolling = summary.current != summary.update;
    let update = summary.update.as_ref().filter(|_| rolling);
    let digits = format!("--digits:{}", summary.ready.1.to_string().len());
    // The line below a long axis counts the pods themselves, and may be ahead of the status.
    let source = say(text!("the count in the object's status, which its controller writes"));
    html! {
        <div class={classes!("summary", several.then_some("summary--several"))}>
            <h2 class={if several { "unseen" } else { "summary__name" }} title={summary.name.clone()}>
                // Where the strip of an opened text has no room for the name.
                if let Some(set) = state.stage.set().filter(|_| state.stage.session.is_of_text()) { <span class="summary__space">{ &set.namespace }{ "/" }</span> }
                <span>{ &summary.name }</span>
            </h2>
            if several { { picker(send, sets, *drawn) } }
            <div class="summary__facts" style={digits}>
                <span class="summary__count" title={source.clone()}><b>{ summary.ready.0 }</b>{ say(text!(" of {} Ready", summary.ready.1)) }</span>
                if rolling {
                    <span class="summary__count" title={source}><b>{ summary.updated }</b>{ say(text!(" updated")) }</span>
                }
                // Before there is a second one the revision says nothing.
                <span class="summary__revisions">
                    if update.is_some() { { revision(text!("current"), summary.current.as_ref()) }{ revision(text!("update"), update) } }
                </span>
                <span class="summary__kind">{ summary.kind.title() }{ " · " }{ release }</span>
                { starters::folded(send, sets.len()) }
            </div>
        </div>
    }
}

/// Which of several sets is drawn.
fn picker(send: &Dispatch, sets: &[String], drawn: usize) -> Html {
    let send = send.clone();
    let onchange = Callback::from(move |at: String| {
        at.parse().into_iter().for_each(|at| send.emit(Msg::Choose(at)));
    });
    let options: Vec<_> =
        sets.iter().enumerate().map(|(at, name)| (at.to_string().into(), name.clone().into())).collect();
    html! {
        <Select class="select summary__name" label={say(text!("Workload"))} {options} chosen={drawn.to_string()} {onchange} />
    }
}

fn revision(word: Text, revision: Option<&Revision>) -> Html {
    let Some(revision) = revision else { return Html::default() };
    html! {
        <span class={format!("revision {}", appearance::hue(revision.hue))}>
            <span class="revision__word" title={say(&word)}>{ say(&word) }</span>
            <b class="revision__letter">{ revision.letter.clone() }</b>
            <code title={revision.name.clone()}>{ revision.name.clone() }</code>
        </span>
    }
}
