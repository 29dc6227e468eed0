//! The scenarios by group, with a field to search and tags to filter by.

use super::picture::picture;
use crate::app::dispatch::Dispatch;
use crate::app::language::{say, translated};
use crate::app::prose::prose;
use crate::page::{ListedScenario, Msg, ShareMsg};
use crate::text::Text;
use std::rc::Rc;
use web_sys::HtmlInputElement;
use yew::{Callback, Html, InputEvent, MouseEvent, Properties, TargetCast, classes, component, html, use_state_eq};

/// The tags, which are the groups too, in the order of the list.
fn groups() -> [(&'static str, Text); 6] {
    [
        ("node loss", text!("Node loss")),
        ("rollout", text!("Rollout")),
        ("scaling", text!("Scaling")),
        ("storage", text!("Storage")),
        ("releases", text!("Releases")),
        ("kinds", text!("Workload kinds")),
    ]
}

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) list: Rc<Vec<ListedScenario>>,
    /// Only those with several runs side by side.
    #[prop_or_default]
    pub(super) has_lanes: bool,
}

#[component]
pub(super) fn Gallery(props: &Props) -> Html {
    let search = use_state_eq(String::new);
    let tag = use_state_eq(|| None::<&'static str>);
    let found: Vec<&ListedScenario> = props
        .list
        .iter()
        .filter(|one| one.has_lanes || !props.has_lanes)
        .filter(|one| tag.is_none_or(|tag| one.tags.iter().any(|own| **own == *tag)))
        .filter(|one| matches(one, &search))
        .collect();
    let typed = {
        let search = search.clone();
        Callback::from(move |event: InputEvent| {
            search.set(event.target_dyn_into::<HtmlInputElement>().map(|field| field.value()).unwrap_or_default());
        })
    };
    let filter = |(name, words): (&'static str, Text)| {
        let is_on = *tag == Some(name);
        let tag = tag.clone();
        let onclick = Callback::from(move |_: MouseEvent| tag.set((!is_on).then_some(name)));
        html! {
            <button type="button" class="gallery__tag" aria-pressed={is_on.to_string()} {onclick}>{ say(words) }</button>
        }
    };
    let group = |(name, words): (&'static str, Text)| {
        let own: Vec<&&ListedScenario> =
            found.iter().filter(|one| one.tags.first().is_some_and(|own| **own == *name)).collect();
        if own.is_empty() {
            return Html::default();
        }
        html! {
            <section class="gallery__group" key={name}>
                <h3 class="heading">{ say(words) }</h3>
                <ul class="gallery__list">{ for own.into_iter().map(|one| card(&props.send, one)) }</ul>
            </section>
        }
    };
    html! {
        <div class="gallery">
            <div class="gallery__find" role="search">
                <input type="search" class="text" aria-label={say(text!("Search"))} placeholder={say(text!("Search"))}
                    value={(*search).clone()} oninput={typed} />
                <div class="gallery__tags" role="group" aria-label={say(text!("What it is about"))}>
                    { for groups().into_iter().map(filter) }
                </div>
                <p class="gallery__count" role="status">{ say(text!("{} found", found.len())) }</p>
            </div>
            { for groups().into_iter().map(group) }
        </div>
    }
}

/// Whether each word that is searched for stands in its title or its text, in English or in the page's language.
fn matches(one: &ListedScenario, search: &str) -> bool {
    let texts = [&one.title, &one.text];
    let own: String = texts.iter().flat_map(|text| [text.to_string(), translated(&Text::authored(text))]).collect();
    let own = own.to_lowercase();
    search.to_lowercase().split_whitespace().all(|word| own.contains(word))
}

fn card(send: &Dispatch, one: &ListedScenario) -> Html {
    let file = one.file.clone();
    let open = send.reform(move |_: MouseEvent| Msg::Share(ShareMsg::Fetch(file.clone())));
    html! {
        <li key={&*one.file}>
            <button type="button" class={classes!("scenario", one.has_lanes.then_some("scenario--lanes"))} onclick={open}>
                { picture(&one.picture) }
                <b>{ prose(Text::authored(&one.title)) }</b>
                <span class="scenario__text">{ prose(Text::authored(&one.text)) }</span>
            </button>
        </li>
    }
}
