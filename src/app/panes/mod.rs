//! On a page without room for all panels, the tabs that choose the one beside the stage, or in the sheet under it.

use super::dispatch::Dispatch;
use super::host;
use super::inspector::{self, PANELS, panel_id};
use super::language::say;
use super::nodes::NODES;
use super::size::Size;
use crate::page::{Msg, Sheet, Tab};
use crate::text::Text;
use yew::{AttrValue, Callback, Html, KeyboardEvent, MouseEvent, Properties, component, html};

use super::browser::rove;

/// A panel of the page.
struct Panel {
    name: Text,
    /// The element it is in.
    controls: AttrValue,
    sheet: Sheet,
    /// The inspector's tab, for a panel of the inspector.
    tab: Option<Tab>,
}

/// The panels in the order of their tabs.
fn panels(size: Size) -> Vec<Panel> {
    let of_inspector = |panel: &inspector::Panel| Panel {
        name: (panel.name)(),
        controls: panel_id(panel.id).into(),
        sheet: Sheet::Inspector,
        tab: Some(panel.tab),
    };
    let controls = Panel { name: text!("Change it"), controls: "controls".into(), sheet: Sheet::Controls, tab: None };
    let nodes = Panel { name: text!("Nodes"), controls: NODES.into(), sheet: Sheet::Nodes, tab: None };
    let (why, others) = PANELS.split_at(1);
    // Whoever may only look has no controls; and where there is room the nodes stand on the stage.
    let controls = Some(controls).filter(|_| !host::is_locked());
    let nodes = Some(nodes).filter(|_| size == Size::Phone);
    let first = controls.into_iter().chain(why.iter().map(of_inspector));
    first.chain(nodes).chain(others.iter().map(of_inspector)).collect()
}

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) send: Dispatch,
    pub(crate) size: Size,
    /// The sheet that is open. Beside the stage there is always one.
    pub(crate) sheet: Option<Sheet>,
    /// The inspector's tab.
    pub(crate) tab: Tab,
}

/// The tabs; none where every panel has its place.
#[component]
pub(crate) fn Panes(props: &Props) -> Html {
    if props.size == Size::Wide {
        return Html::default();
    }
    let panels = panels(props.size);
    let usual = if host::is_locked() { Sheet::Inspector } else { Sheet::Controls };
    let beside = (props.size == Size::Panes).then_some(usual);
    let open = props.sheet.filter(|sheet| panels.iter().any(|panel| panel.sheet == *sheet)).or(beside);
    let chosen = panels
        .iter()
        .position(|panel| Some(panel.sheet) == open && panel.tab.is_none_or(|tab| tab == props.tab.panel()));
    let show = {
        let send = props.send.clone();
        let places: Vec<(Sheet, Option<Tab>)> = panels.iter().map(|panel| (panel.sheet, panel.tab)).collect();
        move |at: usize| {
            let Some((sheet, tab)) = places.get(at) else { return };
            tab.iter().for_each(|tab| send.emit(Msg::Select(*tab)));
            send.emit(Msg::Cover(Some(*sheet)));
        }
    };
    let keys = {
        let (show, count) = (show.clone(), panels.len());
        Callback::from(move |event: KeyboardEvent| {
            rove(&event, chosen.unwrap_or(0), count, false).into_iter().for_each(&show);
        })
    };
    let is_phone = props.size == Size::Phone;
    let tab = |(at, panel): (usize, Panel)| {
        let is_chosen = chosen == Some(at);
        let (show, send) = (show.clone(), props.send.clone());
        // On a phone the tab of the open sheet closes it.
        let press = Callback::from(
            move |_: MouseEvent| {
                if is_chosen && is_phone { send.emit(Msg::Cover(None)) } else { show(at) }
            },
        );
        let tabindex = if chosen.unwrap_or(0) == at { "0" } else { "-1" };
        html! {
            <button type="button" class="tabs__one" role="tab" aria-selected={is_chosen.to_string()}
                aria-controls={is_chosen.then_some(panel.controls)} {tabindex} onclick={press}>{ say(panel.name) }</button>
        }
    };
    html! {
        <div class="tabs panes" role="tablist" aria-label={say(text!("Panels"))} onkeydown={keys}>
            { for panels.into_iter().enumerate().map(tab) }
        </div>
    }
}
