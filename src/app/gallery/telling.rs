//! The note that tells the scenario that is open, one sentence at a time, by the clock.

use crate::app::dispatch::Dispatch;
use crate::app::language::say;
use crate::app::prose::prose;
use crate::page::{Msg, ShareMsg};
use crate::session::scenario::About;
use crate::text::Text;
use crate::view::clock;
use yew::{Html, MouseEvent, Properties, classes, component, html};

/// How long before its first sentence the way back from it leads, in milliseconds.
const BEFORE: i64 = 1_000;

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) send: Dispatch,
    pub(crate) about: About,
    /// How many of its sentences were said by now; none where it is not told.
    pub(crate) said: Option<usize>,
    /// Whether there is a run to go back to.
    #[prop_or_default]
    pub(crate) has_back: bool,
    /// The title stands elsewhere.
    #[prop_or_default]
    pub(crate) is_untitled: bool,
}

#[component]
pub(crate) fn Telling(props: &Props) -> Html {
    let Props { send, about, said, .. } = props;
    let told = &about.told;
    let button = |class: &'static str, words: Text, msg: ShareMsg| {
        let onclick = send.reform(move |_: MouseEvent| Msg::Share(msg.clone()));
        html! { <button type="button" class={classes!("button", "button--small", class)} {onclick}><span>{ prose(words) }</span></button> }
    };
    let sentence = said.and_then(|said| told.get(said.checked_sub(1)?)).map_or(&about.text, |told| &told.text);
    let steps = said.map(|said| {
        let back = match said {
            0 => None,
            1 => told.first().map(|first| (first.at - BEFORE).max(0)),
            said => told.get(said - 2).map(|told| told.at),
        };
        let next = told.get(said).map(|told| told.at);
        html! {
            <>
                { for back.map(|at| button("", text!("Back"), ShareMsg::Tell(at))) }
                <span class="telling__count">{ say(text!("{} of {}", said, told.len())) }</span>
                { for next.map(|at| button("", text!("What happens next, at {}", clock(at)), ShareMsg::Tell(at))) }
            </>
        }
    });
    let labeled = (!props.is_untitled).then_some("about-title");
    html! {
        <section class={classes!("about", said.map(|_| "telling"))} aria-labelledby={labeled}>
            if !props.is_untitled {
                <h2 id="about-title" class="about__title">{ say(Text::authored(&about.title)) }</h2>
            }
            <p class="about__text">{ prose(Text::authored(sentence)) }</p>
            <div class="refusal__acts">
                { for steps }
                if props.has_back {
                    { button("", text!("Back to the previous run"), ShareMsg::Back) }
                }
                { button("", text!("Dismiss"), ShareMsg::Dismiss) }
            </div>
        </section>
    }
}
