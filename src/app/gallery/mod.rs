//! The dialogs "Scenarios" and "Compare": what there is to open, in groups, each with its run in small; and the note that
//! tells the one that is open.

mod list;
mod own;
mod picture;
mod telling;

use super::dispatch::Dispatch;
use super::language::say;
use crate::page::{ComparisonMsg, Dialog, ListedScenario, Msg, ShareMsg};
use crate::session::variants::Variant;
use crate::text::Text;
use list::Gallery;
use own::OwnScenario;
use std::rc::Rc;
pub(crate) use telling::Telling;
use yew::{Callback, Html, MouseEvent, Properties, component, html};

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) send: Dispatch,
    pub(crate) list: Rc<Vec<ListedScenario>>,
    /// The text in the field for a scenario of one's own.
    #[prop_or_default]
    pub(crate) text: String,
}

/// The dialog "Scenarios".
#[component]
pub(crate) fn Scenarios(props: &Props) -> Html {
    let open = props.send.reform(|_: MouseEvent| Msg::Share(ShareMsg::Show(Some(Dialog::Cluster))));
    html! {
        <>
            <Gallery send={props.send.clone()} list={props.list.clone()} />
            <div class="gallery__more">
                <section class="dialog__own">
                    <h3 class="heading">{ say(text!("Your cluster")) }</h3>
                    <p class="dialog__hint">
                        { say(text!("Open what kubectl prints of it, see where each controller stands, and try the ways out.")) }
                    </p>
                    <button type="button" class="button" onclick={open}>
                        { say(text!("Open what kubectl prints of your cluster")) }
                    </button>
                </section>
                <OwnScenario send={props.send.clone()} text={props.text.clone()} />
            </div>
        </>
    }
}

/// The dialog "Compare".
#[component]
pub(crate) fn Compare(props: &Props) -> Html {
    let offer = |(variant, name): &(Variant, &'static str)| {
        let variant = *variant;
        let open: Callback<MouseEvent> = props.send.reform(move |_| Msg::Comparison(ComparisonMsg::With(variant)));
        html! { <button type="button" class="button" onclick={open}>{ say(Text::fixed(name)) }</button> }
    };
    html! {
        <>
            <p class="dialog__hint">
                { say(text!("Two to four runs on one clock, with the same commands for all of them.")) }
            </p>
            <h3 class="heading">{ say(text!("The set on this page, as it is now")) }</h3>
            <div class="dialog__row">{ for Variant::ALL.iter().map(offer) }</div>
            <Gallery send={props.send.clone()} list={props.list.clone()} has_lanes={true} />
        </>
    }
}
