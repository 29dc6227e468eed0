//! The tabs and their panels. Panels that hold typed text stay on the page when another is chosen, so that it is never lost.

use super::events::Events;
use super::object::object;
use super::terminal::terminal;
use super::why::Why;
use crate::app::browser::rove;
use crate::app::dispatch::Dispatch;
use crate::app::language::say;
use crate::app::text_frame::TextFrame;
use crate::page::{Msg, State, Tab};
use crate::text::Text;
use crate::view::{self, EventRow, SyncView};
use std::rc::Rc;
use yew::{Callback, Html, KeyboardEvent, MouseEvent, Properties, component, html};

/// A tab of the inspector.
pub(crate) struct Panel {
    /// What a person who chooses it sees first.
    pub(crate) tab: Tab,
    /// In ids and classes.
    pub(crate) id: &'static str,
    pub(crate) name: fn() -> Text,
    draw: fn(&Dispatch, &State, &Shown) -> Html,
}

/// The tabs in their order: a row each.
pub(crate) const PANELS: [Panel; 4] = [
    Panel { tab: Tab::Why, id: "why", name: || text!("Why"), draw: why },
    Panel {
        tab: Tab::Kubectl,
        id: "kubectl",
        name: || text!("Terminal"),
        draw: |send, state, _| terminal(send, state),
    },
    Panel { tab: Tab::Events, id: "events", name: || text!("Events"), draw: events },
    Panel { tab: Tab::Manifest, id: "object", name: || text!("Object"), draw: |send, state, _| object(send, state) },
];

/// The id of a panel's element.
pub(crate) fn panel_id(id: &str) -> String {
    format!("panel-{id}")
}

/// The inspector.
pub(crate) fn inspector(send: &Dispatch, state: &State, shown: Rc<Shown>) -> Html {
    let chosen = PANELS.iter().position(|panel| panel.tab == state.panels.tab.panel()).unwrap_or(0);
    let tabs: Vec<Choice> =
        PANELS.iter().map(|panel| Choice { tab: panel.tab, id: panel.id, name: (panel.name)() }).collect();
    html! {
        <aside class="inspector" id="inspector" aria-label={say(text!("Inspector"))}>
            <Tabs send={send.clone()} {tabs} {chosen} name={text!("Inspector")} />
            if state.learn.guide(&state.stage).is_some_and(|guide| guide.asks) {
                <p class="inspector__asks">{ say(text!("Hidden until you answer: what stands here gives the answer away.")) }</p>
            }
            for (at, panel) in PANELS.iter().enumerate() {
                <div key={panel.id} class={format!("panel panel--{}", panel.id)} id={panel_id(panel.id)}
                    role="tabpanel" tabindex="0" aria-labelledby={format!("tab-{}", panel.id)} hidden={at != chosen}>
                    // What holds no typed text and shows the present moment is drawn only while it is seen.
                    if at == chosen || panel.tab == Tab::Manifest { { (panel.draw)(send, state, &shown) } }
                </div>
            }
        </aside>
    }
}

/// What the panels show that nobody could read if it changed with every frame.
#[derive(Default, PartialEq)]
pub(crate) struct Shown {
    sync: Option<Rc<SyncView>>,
    events: Rc<Vec<EventRow>>,
}

impl Shown {
    /// What it is made for. Beside many pods it is read anew when the verdict is.
    pub(crate) fn key(state: &State) -> impl PartialEq + 'static {
        let text_frame = TextFrame::of(state);
        let many = state.timeline.has_many();
        let asked = (state.panels.tab, state.stage.set().cloned(), state.inspector.sync, state.inspector.told);
        (if many { TextFrame { number: state.text_frames.texts.stood, ..text_frame } } else { text_frame }, asked)
    }

    /// As it is now, as much of it as the chosen panel needs.
    pub(crate) fn of(state: &State) -> Self {
        match state.panels.tab.panel() {
            Tab::Why => {
                let asked = &state.inspector;
                let sync = view::sync(&state.stage.session, state.stage.set(), asked.sync, asked.told);
                Self { sync: sync.map(Rc::new), ..Self::default() }
            }
            Tab::Events => Self { events: Rc::new(view::events(&state.stage.session)), ..Self::default() },
            _ => Self::default(),
        }
    }
}

fn why(send: &Dispatch, _: &State, shown: &Shown) -> Html {
    html! { <Why send={send.clone()} sync={shown.sync.clone()} /> }
}

fn events(_: &Dispatch, _: &State, shown: &Shown) -> Html {
    html! { <Events events={Rc::clone(&shown.events)} /> }
}

/// One of several tabs.
#[derive(Clone, PartialEq)]
pub(super) struct Choice {
    pub(super) tab: Tab,
    pub(super) id: &'static str,
    pub(super) name: Text,
}

#[derive(Properties, PartialEq)]
pub(super) struct TabsProps {
    pub(super) send: Dispatch,
    pub(super) tabs: Vec<Choice>,
    pub(super) chosen: usize,
    pub(super) name: Text,
    #[prop_or_default]
    pub(super) class: &'static str,
}

/// A row of tabs; the arrow keys move between them.
#[component]
pub(super) fn Tabs(props: &TabsProps) -> Html {
    let TabsProps { send, tabs, chosen, name, class } = props;
    let onkeydown = {
        let (send, tabs, chosen) = (send.clone(), tabs.clone(), *chosen);
        Callback::from(move |event: KeyboardEvent| {
            if let Some(choice) = rove(&event, chosen, tabs.len(), false).and_then(|at| tabs.get(at)) {
                send.emit(Msg::Select(choice.tab));
            }
        })
    };
    html! {
        <div class={format!("tabs {class}")} role="tablist" aria-label={say(name)} {onkeydown}>
            for (at, choice) in tabs.iter().enumerate() {
                <button key={choice.id} type="button" class="tabs__one" id={format!("tab-{}", choice.id)} role="tab"
                    aria-selected={(at == *chosen).to_string()} aria-controls={panel_id(choice.id)}
                    tabindex={if at == *chosen { "0" } else { "-1" }}
                    onclick={{
                        let tab = choice.tab;
                        send.reform(move |_: MouseEvent| Msg::Select(tab))
                    }}>{ say(&choice.name) }</button>
            }
        </div>
    }
}
