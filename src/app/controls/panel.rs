//! The panel: what is changed most, what can break, the rest folded away, and one line that says the same in a terminal.

use super::breakage::Breakage;
use super::field::FieldControl;
use super::image::ImageControl;
use super::lines::{self, line_of};
use super::more::More;
use super::number::Number;
use crate::app::copy::Copy;
use crate::app::dispatch::Dispatch;
use crate::app::language::say;
use crate::app::refusal_note::RefusalNote;
use crate::objects::UpdateStrategyType;
use crate::page::{Draft, Field, Origin, Refused};
use crate::text::Text;
use crate::view::{Controls, FieldInput};
use std::rc::Rc;
use yew::{AttrValue, Callback, Html, Properties, component, html, use_state_eq};

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) send: Dispatch,
    /// None without a set.
    pub(crate) controls: Option<Rc<Controls>>,
    pub(crate) refused: Option<Rc<Refused>>,
}

/// The panel of controls.
#[component]
pub(crate) fn ControlsPanel(props: &Props) -> Html {
    // The control that was pointed at or used last, and the image as it is typed.
    let pointed = use_state_eq(|| AttrValue::from(lines::REPLICAS));
    let typed = use_state_eq(AttrValue::default);
    let point = {
        let pointed = pointed.clone();
        Callback::from(move |control: AttrValue| pointed.set(control))
    };
    let Some(controls) = &props.controls else {
        return html! {
            <aside class="controls" id="controls" aria-label={say(text!("Controls"))}>
                <p class="field__means">
                    { say(text!("There is no StatefulSet. Apply a manifest in the inspector to create one.")) }
                </p>
            </aside>
        };
    };
    let (send, refused) = (&props.send, &props.refused);
    let ontyped = {
        let typed = typed.clone();
        Callback::from(move |image: AttrValue| typed.set(image))
    };
    let line: AttrValue = line_of(controls, &typed, &pointed).into();
    html! {
        <aside class="controls" id="controls" aria-label={say(text!("Controls"))}
            onpointerover={lines::pointed_at(&point)} onfocusin={lines::pointed_at(&point)}>
            <div class="controls__all">
                <h2 class="heading">{ say(text!("Change it")) }</h2>
                { replicas(props, controls) }
                <ImageControl send={send.clone()} controls={controls.clone()} refused={refused.clone()} {ontyped} />
                { partition(props, controls) }
                <Breakage send={send.clone()} controls={controls.clone()} />
                <More send={send.clone()} controls={controls.clone()} refused={refused.clone()} />
                <div class="same">
                    <div class="same__head">
                        <span>{ say(text!("the same in a terminal")) }</span>
                        if !line.is_empty() { <Copy text={line.clone()} /> }
                    </div>
                    if line.is_empty() {
                        <p>{ say(text!("kubectl has no command for it.")) }</p>
                    } else {
                        <code>{ line }</code>
                    }
                </div>
            </div>
        </aside>
    }
}

fn replicas(props: &Props, controls: &Controls) -> Html {
    if !controls.notes.scale.is_empty() {
        return html! { <p class="field field__means">{ say(Text::fixed(controls.notes.scale)) }</p> };
    }
    let now = Draft { field: Field::Replicas, origin: Origin::Replicas, value: i64::from(controls.replicas) };
    html! {
        <div class="field" data-line={lines::REPLICAS}>
            <Number send={props.send.clone()} id="replicas-number" name={text!("Replicas")} {now} />
            <RefusalNote send={props.send.clone()} refused={props.refused.clone()} at={Origin::Replicas} />
        </div>
    }
}

/// A partition counts ordinals, or pods of kinds without them; with OnDelete there is none.
fn partition(props: &Props, controls: &Controls) -> Html {
    let (send, refused) = (&props.send, &props.refused);
    if controls.policy.is_none() {
        let field = controls.more.iter().find(|field| field.input == FieldInput::Partition);
        return html! {
            if let Some(field) = field {
                <FieldControl send={send.clone()} field={field.clone()} refused={refused.clone()}
                    note={controls.partition_means.clone()} />
            }
        };
    }
    let value = controls.partition.unwrap_or(0);
    let now = Draft { field: Field::Partition, origin: Origin::Partition, value: i64::from(value) };
    let most = i64::from(controls.replicas.max(value).max(1));
    html! {
        <div class="field" data-line={lines::PARTITION}>
            if controls.strategy == Some(UpdateStrategyType::RollingUpdate) {
                <Number send={send.clone()} id="partition-number" name={text!("Partition")} {now} {most} />
            }
            <p class="field__means">{ say(&controls.partition_means) }</p>
            <RefusalNote send={send.clone()} refused={refused.clone()} at={Origin::Partition} />
        </div>
    }
}
