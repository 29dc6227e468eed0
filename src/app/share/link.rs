//! The link to this moment, what it contains, and the run as files.

use super::save;
use crate::app::dispatch::{Dispatch, sends};
use crate::app::effects::SHARE_LINK;
use crate::app::language::say;
use crate::page::{ClusterMsg, Msg, ShareMsg};
use crate::view::Export;
use std::rc::Rc;
use yew::{Html, Properties, component, html};

/// Characters of an address that every program takes.
const SHORT: usize = 8_000;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) link: Rc<str>,
    pub(super) is_comparison: bool,
    pub(super) has_objects: bool,
    pub(super) has_values: bool,
}

#[component]
pub(super) fn Link(props: &Props) -> Html {
    let Props { send, link, has_values, .. } = props;
    html! {
        <>
            <label for={SHARE_LINK}>{ say(text!("A link that opens the page at this moment")) }</label>
            <div class="dialog__row">
                <input id={SHARE_LINK} class="text" type="text" readonly=true size="1" value={link.to_string()} />
                <button type="button" class="button button--primary" disabled={link.is_empty()}
                    onclick={sends(send, Msg::Share(ShareMsg::Copy))}>
                    { say(text!("Copy link")) }
                </button>
            </div>
            <p class="dialog__hint">{ say(text!("The whole run is in the link; nothing is stored anywhere.")) }</p>
            if link.len() > SHORT {
                <p class="share__warning">
                    { say(text!("The link has {} characters, more than some programs take: save the scenario instead.", link.len())) }
                </p>
            }
            <h3 class="heading">{ say(text!("What the link and the scenario contain")) }</h3>
            <ul class="share__contents">
                if props.has_objects && *has_values {
                    <li>
                        { say(text!("The objects that the run started with, as they were opened, with every value in them. Secrets and ConfigMaps are not among them.")) }
                    </li>
                } else if props.has_objects {
                    <li>
                        { say(text!("Of the objects that the run started with, what the simulation reads: namespaces, uids, labels, selectors, taints and finalizers; names of objects, fields, containers, variables, ports, volumes and annotations; images and versions; numbers, quantities and moments; types, phases, reasons and conditions; annotations that controllers decide by.")) }
                    </li>
                    <li>
                        { say(text!("In the place of every other text, such as the value of a variable or an annotation, a command, a path, an address or a message, a stand-in such as redacted-1.")) }
                    </li>
                    <li>
                        { say(text!("The names are in it. A report to strangers can be without them:")) }{ " " }
                        <button type="button" class="button button--small" onclick={sends(send, Msg::Cluster(ClusterMsg::Diagnosis))}>
                            { say(text!("Report a problem")) }
                        </button>
                    </li>
                }
                <li>
                    if props.has_objects && !has_values {
                        { say(text!("Every command of the run; manifests and patches have the same stand-ins.")) }
                    } else {
                        { say(text!("Every command of the run and every manifest that was applied, as it was typed.")) }
                    }
                </li>
                <li>{ say(text!("The release, the seed, the title and the text.")) }</li>
            </ul>
            if props.has_objects {
                <label class="share__tick">
                    <input type="checkbox" checked={*has_values} onclick={sends(send, Msg::Share(ShareMsg::Values(!has_values)))} />
                    { say(text!("Include every value of the objects")) }
                </label>
            }
            <h3 class="heading">{ say(text!("Save as a file")) }</h3>
            <div class="dialog__row">
                { save(send, Export::Scenario) }
                if !props.is_comparison { { save(send, Export::Pods) } }
            </div>
        </>
    }
}
