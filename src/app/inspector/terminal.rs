//! The terminal: what kubectl prints of the run, and a command line.

use crate::app::browser;
use crate::app::copy::Copy;
use crate::app::dispatch::Dispatch;
use crate::app::effects::KUBECTL_LINE;
use crate::app::language::{say, translated};
use crate::app::prose;
use crate::kubectl::{answer, complete, tab};
use crate::objects::Kind;
use crate::page::{InspectorMsg, Msg, State, TerminalEntry};
use crate::view::Screen;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;
use yew::{AttrValue, Callback, Html, InputEvent, KeyboardEvent, MouseEvent, Properties, SubmitEvent, component, html};

/// Completions offered, at most.
const OFFERED: usize = 12;

/// The tab.
pub(super) fn terminal(send: &Dispatch, state: &State) -> Html {
    let (inspector, cluster) = (&state.inspector, state.stage.session.cluster());
    let kind = state.stage.set().map_or(Kind::StatefulSet, |set| set.kind);
    let printed = match state.stage.set() {
        Some(set) => answer(cluster, &inspector.screen.shows(set)).unwrap_or_else(|error| error.to_string()),
        None => translated(&text!("There is no StatefulSet.")),
    };
    html! {
        <>
            <h2 class="unseen">{ "kubectl" }</h2>
            <Watched send={send.clone()} screens={Screen::all(kind).to_vec()} chosen={inspector.screen} {printed}
                command={state.stage.set().map(|set| inspector.screen.line(set))} />
            <Log entries={inspector.told_entries(cluster)} />
            <Line send={send.clone()} line={inspector.line.clone()} offers={complete(&inspector.line, cluster)}
                tabbed={tab(&inspector.line, cluster)} example={state.stage.set().map(Screen::example)} />
        </>
    }
}

#[derive(Properties, PartialEq)]
struct WatchedProps {
    send: Dispatch,
    screens: Vec<(Screen, String)>,
    chosen: Screen,
    printed: AttrValue,
    /// The line that prints it.
    command: Option<String>,
}

/// What is kept in view; the header of a long table stays there.
#[component]
fn Watched(props: &WatchedProps) -> Html {
    let WatchedProps { send, screens, chosen, printed, command } = props;
    let head = printed.find('\n').filter(|_| *chosen == Screen::Pods).map_or(0, |end| end + 1);
    let (head, body) = printed.split_at(head);
    html! {
        <>
            <div class="segments segments--small" role="group" aria-label={say(text!("Keep in view"))}>
                for (screen, name) in screens.iter() {
                    <button key={name.clone()} type="button" class="segments__one"
                        aria-pressed={(screen == chosen).to_string()}
                        onclick={{
                            let screen = *screen;
                            send.reform(move |_: MouseEvent| Msg::Inspector(InspectorMsg::Screen(screen)))
                        }}>{ name.clone() }</button>
                }
            </div>
            if let Some(command) = command {
                <div class="command">
                    <code>{ prose::command(command) }</code>
                    <Copy text={command.clone()} />
                </div>
            }
            <div class="screen" tabindex="0" role="region" aria-label={say(text!("What kubectl prints"))}>
                <div>
                    if !head.is_empty() { <pre class="printed screen__head">{ head.to_owned() }</pre> }
                    <pre class="printed">{ body.to_owned() }</pre>
                </div>
            </div>
        </>
    }
}

#[derive(Properties, PartialEq)]
struct LogProps {
    entries: Vec<Rc<TerminalEntry>>,
}

/// Lines and what was answered.
#[component]
fn Log(props: &LogProps) -> Html {
    html! {
        <div class="log" tabindex="0" role="region" aria-label={say(text!("Lines and answers"))}>
            <div class="log__all" role="log" aria-label={say(text!("Answers"))}>
                if props.entries.is_empty() {
                    <p class="field__means">
                        { say(text!("Type a command as in a terminal: scale, set image, delete pod, rollout undo, drain. help lists it all.")) }
                    </p>
                }
                for entry in props.entries.iter() {
                    <div class={if entry.wrong { "entry is-wrong" } else { "entry" }}>
                        <span class="entry__head">
                            <code class="entry__line"><span class="entry__prompt">{ "$ " }</span>{ prose::command(&entry.line) }</code>
                            <Copy text={entry.line.clone()} />
                        </span>
                        <pre class="printed">{ say(&entry.answer) }</pre>
                    </div>
                }
            </div>
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct LineProps {
    send: Dispatch,
    line: String,
    /// What can follow.
    offers: Vec<String>,
    /// The line as Tab completes it.
    tabbed: Option<String>,
    /// A line to begin with.
    example: Option<String>,
}

/// The command line, with what can follow.
#[component]
fn Line(props: &LineProps) -> Html {
    let LineProps { send, line, offers, tabbed, example } = props;
    let onkeydown = {
        let (send, first, tabbed) = (send.clone(), offers.first().cloned(), tabbed.clone());
        Callback::from(move |event: KeyboardEvent| {
            let ask = match event.key().as_str() {
                "ArrowUp" => Some(InspectorMsg::Recall(true)),
                "ArrowDown" => Some(InspectorMsg::Recall(false)),
                // At the end of the line it accepts the suggestion, as in fish.
                "ArrowRight" if is_at_end(&event) => first.clone().map(InspectorMsg::Take),
                // With nothing to complete, Tab moves the focus.
                "Tab" if is_at_end(&event) && !browser::is_modified(&event) => tabbed.clone().map(InspectorMsg::Line),
                _ => None,
            };
            if let Some(ask) = ask {
                event.prevent_default();
                send.emit(Msg::Inspector(ask));
            }
        })
    };
    let oninput = send.reform(|event: InputEvent| Msg::Inspector(InspectorMsg::Line(browser::value(&event))));
    let onsubmit = send.reform(|event: SubmitEvent| {
        event.prevent_default();
        Msg::Inspector(InspectorMsg::Run)
    });
    html! {
        <>
            <ul class="offers" aria-label={say(text!("What can follow"))}>
                for word in offers.iter().take(OFFERED) {
                    <li key={word.clone()}>
                        <button type="button" class="offer" onclick={{
                            let word = word.clone();
                            send.reform(move |_: MouseEvent| Msg::Inspector(InspectorMsg::Take(word.clone())))
                        }}>{ word.clone() }</button>
                    </li>
                }
            </ul>
            <form class="line" {onsubmit}>
                <span class="line__sign" aria-hidden="true">{ "$" }</span>
                <input id={KUBECTL_LINE} class="line__input" type="text" aria-label={say(text!("kubectl command"))}
                    placeholder={example.clone()} spellcheck="false" autocomplete="off" autocapitalize="off"
                    value={line.clone()} {oninput} {onkeydown} />
                <button type="submit" class="button button--small">{ say(text!("Run")) }</button>
            </form>
        </>
    }
}

fn is_at_end(event: &KeyboardEvent) -> bool {
    let Some(target) = event.target() else { return false };
    let input: HtmlInputElement = target.unchecked_into();
    let end = u32::try_from(input.value().encode_utf16().count()).ok();
    end != Some(0) && input.selection_start().ok().flatten() == end
}
