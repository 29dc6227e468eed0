//! Where the controller stands, why, and what would move it: a callout that points to its ordinal.

use super::appearance;
use super::copy::Copy;
use super::dispatch::{Dispatch, sends};
use super::icon;
use super::language::{say, translated, width};
use super::prose::{command, first_sentence, prose, prose_of, sentence};
use super::same::Same;
use crate::diagnosis::{End, Tried};
use crate::kubectl::command_line;
use crate::page::Msg;
use crate::session::Command;
use crate::view::{Explanation, Severity, headline};
use std::rc::Rc;
use yew::{Callback, Html, MouseEvent, Properties, UseStateHandle, classes, component, html, use_state};

/// Ways out shown at most that help.
const HELPFUL: usize = 2;

/// Letters from which on a headline is a sentence of its own: the cause of an opened text.
const LONG: usize = 96;

/// Letters from which on a command has a line below its button, as on narrow screens.
const LONG_COMMAND: usize = 80;

/// What was tried to end the wait.
#[derive(Clone)]
pub(crate) struct Ways {
    pub(crate) tried: Rc<Vec<Rc<Tried>>>,
    pub(crate) is_running: bool,
}

impl PartialEq for Ways {
    fn eq(&self, other: &Self) -> bool {
        self.is_running == other.is_running && Rc::ptr_eq(&self.tried, &other.tried)
    }
}

#[derive(Properties, PartialEq)]
pub(crate) struct VerdictProps {
    pub(crate) send: Dispatch,
    pub(crate) ways: Ways,
    pub(crate) explanation: Same<Explanation>,
    /// What to try once there is nothing to do.
    pub(crate) children: Html,
}

/// The callout.
#[component]
pub(crate) fn Verdict(props: &VerdictProps) -> Html {
    let explanation = &props.explanation;
    let (class, word) = appearance::severity(explanation.severity);
    let unfolded = use_state(|| false);
    let said = translated(&explanation.headline);
    let is_long = width(&said) > LONG;
    let (headline, rest) = if is_long { first_sentence(&said) } else { (&*said, "") };
    // It scrolls where there is little height, by keyboard too.
    html! {
        <section class={format!("explanation {class}")} aria-labelledby="explanation-state explanation-title" tabindex="0">
            <div class="explanation__text">
                <span class="explanation__severity" id="explanation-state">{ icon::severity(explanation.severity) }{ say(word) }</span>
                <h3 class={classes!("explanation__headline", is_long.then_some("explanation__headline--long"))} id="explanation-title">{ prose_of(headline) }</h3>
                if !rest.is_empty() { <p class="explanation__rest">{ prose_of(rest) }</p> }
                if !explanation.reason.is_empty() { <p>{ prose(&explanation.reason) }</p> }
                if !explanation.resolution.is_empty() {
                    <p class="explanation__resolution">
                        // At rest there is nothing to end.
                        if explanation.severity != Severity::Settled { <b>{ say(text!("What ends it:")) }</b>{ " " } }
                        { sentence(&explanation.resolution) }
                    </p>
                }
            </div>
            { ways(props, &unfolded) }
            { props.children.clone() }
        </section>
    }
}

/// What would end it, tried in branches of the run: what helps, and what would not and why.
fn ways(props: &VerdictProps, unfolded: &UseStateHandle<bool>) -> Html {
    let Ways { tried, is_running } = &props.ways;
    if *is_running {
        return html! { <p class="verdict__trying">{ say(text!("Trying what would help")) }{ " …" }</p> };
    }
    let is_act = |one: &&(usize, &Rc<Tried>)| !one.1.remedy.commands.is_empty();
    let helps = |one: &&(usize, &Rc<Tried>)| matches!(one.1.end, End::Well(_));
    let all: Vec<(usize, &Rc<Tried>)> = tried.iter().enumerate().collect();
    let mut shown: Vec<_> = all.iter().filter(is_act).filter(helps).take(HELPFUL).collect();
    // Where nothing is known to help, what may is told first. People delete by force anyway, and here they read what it risks. What
    // would not help is last: it may be below the fold.
    let may = all.iter().filter(is_act).find(|one| shown.is_empty() && matches!(one.1.end, End::Either(..)));
    let forces = all.iter().find(|(_, one)| one.remedy.commands.iter().any(is_force));
    let useless = all.iter().filter(is_act).find(|one| matches!(one.1.end, End::Stuck));
    for more in may.into_iter().chain(forces).chain(useless) {
        if shown.iter().all(|(at, _)| *at != more.0) {
            shown.push(more);
        }
    }
    let Some((_, best)) = shown.first() else { return Html::default() };
    let others = shown.len() - 1;
    let more = match others {
        0 if typed(best).is_some_and(|line| is_long(&line)) => Some(text!("The whole command")),
        0 => None,
        _ => Some(text!("What else was tried: {}", others)),
    };
    let class = classes!("verdict__ways", unfolded.then_some("verdict__ways--all"));
    let toggle = {
        let unfolded = unfolded.clone();
        Callback::from(move |_: MouseEvent| unfolded.set(!*unfolded))
    };
    let mut first = true;
    let row = |(at, one): &&(usize, &Rc<Tried>)| way(&props.send, *at, one, std::mem::take(&mut first), &toggle);
    let rows: Vec<Html> = shown.iter().map(row).collect();
    html! {
        <>
            <ul {class} aria-label={say(text!("What would end it"))}>{ for rows }</ul>
            // Where there is little room the first stands alone.
            if let Some(more) = more {
                <button type="button" class="button button--small button--quiet verdict__more" aria-expanded={unfolded.to_string()} onclick={toggle}>
                    { say(more) }{ if **unfolded { " ▲" } else { " ▼" } }
                </button>
            }
        </>
    }
}

fn is_force(command: &Command) -> bool {
    matches!(command, Command::DeletePod { grace: Some(0), .. })
}

/// What one types for it; nothing for what kubectl cannot do.
fn typed(one: &Tried) -> Option<String> {
    let is_typed = one.remedy.commands.iter().all(|command| !command_line(command).is_empty());
    is_typed.then(|| one.lines().join(" && "))
}

fn is_long(line: &str) -> bool {
    line.len() > LONG_COMMAND
}

/// One of them; the first that helps is the primary button. A press on its command shows all of that.
fn way(send: &Dispatch, at: usize, one: &Tried, is_first: bool, toggle: &Callback<MouseEvent>) -> Html {
    let key = one.remedy.title.to_string();
    let see = html! {
        <button type="button" class="button button--small button--quiet" onclick={sends(send, Msg::SeeWayOut(at))}>{ say(text!("See it")) }</button>
    };
    if !matches!(one.end, End::Well(_)) {
        let result = one.result(headline);
        let is_useless = matches!(one.end, End::Stuck | End::Refused(_));
        return html! {
            <li class="verdict__way verdict__way--aside" {key}>
                <span class="verdict__leads">
                    <b>{ say(&one.remedy.title) }</b>
                    // For whoever copies or hears it.
                    { " " }
                    <span>{ prose(if is_useless { text!("would not help: {}", result) } else { result }) }</span>
                </span>
                { see }
            </li>
        };
    }
    let line = typed(one);
    let is_long = line.as_ref().is_some_and(|line| is_long(line));
    html! {
        <li class={classes!("verdict__way", is_long.then_some("verdict__way--long"))} {key}>
            <button type="button" class={classes!("button", is_first.then_some("button--primary"))}
                onclick={sends(send, Msg::TakeWayOut(at))}><span>{ prose(&one.remedy.title) }</span></button>
            <span class="verdict__leads">
                if let Some(line) = &line { <code title={line.clone()} onclick={toggle.clone()}>{ command(line) }</code> }
                <span>{ prose(one.result(headline)) }</span>
                if !one.remedy.risk.is_empty() { <span class="verdict__risk">{ say(text!("Risk: {}", one.remedy.risk)) }</span> }
            </span>
            if line.is_some() { <Copy text={one.lines().join("\n")} /> } else { <span /> }
            { see }
        </li>
    }
}
