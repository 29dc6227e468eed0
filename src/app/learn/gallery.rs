//! The lessons to choose from.

use crate::app::dispatch::Dispatch;
use crate::app::language::say;
use crate::page::{LearnMsg, ListedLesson, Msg};
use crate::text::Text;
use std::rc::Rc;
use yew::{Html, MouseEvent, Properties, component, html};

#[derive(Properties, PartialEq)]
pub(in crate::app) struct Props {
    pub(in crate::app) send: Dispatch,
    pub(in crate::app) list: Rc<Vec<ListedLesson>>,
}

#[component]
pub(in crate::app) fn Gallery(props: &Props) -> Html {
    let done = props.list.iter().filter(|one| one.is_done).count();
    html! {
        <div class="lessons">
            <p class="dialog__hint">
                { say(text!("Each lesson runs the real controllers, stops before the moment, and asks you what happens next.")) }
                if done > 0 {
                    { " " }{ say(text!("{} of {} are done.", done, props.list.len())) }
                }
            </p>
            <ol class="lessons__list">
                { for props.list.iter().map(|one| card(&props.send, one)) }
            </ol>
        </div>
    }
}

fn card(send: &Dispatch, lesson: &ListedLesson) -> Html {
    let name = lesson.name.clone();
    let open = send.reform(move |_: MouseEvent| Msg::Learn(LearnMsg::Fetch(name.clone())));
    html! {
        <li key={&*lesson.name}>
            <button type="button" class="lessons__card" onclick={open}>
                <b>{ say(Text::authored(&lesson.title)) }</b>
                <span class="lessons__text">{ say(Text::authored(&lesson.text)) }</span>
                <span class="lessons__foot">
                    <span>{ say(text!("{} minutes", lesson.minutes)) }</span>
                    if lesson.is_done {
                        <span class="lessons__done">{ "✓ " }{ say(text!("Done")) }</span>
                    }
                </span>
            </button>
        </li>
    }
}
