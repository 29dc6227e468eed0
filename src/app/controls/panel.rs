//! The panel: the five things that are changed most, a node to break, and the last command as kubectl takes it. None of it
//! folds away; the rest of the object's fields stand beside its manifest.

use super::breakage::Breakage;
use super::choice::Choice;
use super::field::FieldControl;
use super::image::ImageControl;
use super::number::Number;
use crate::app::copy::Copy;
use crate::app::dispatch::Dispatch;
use crate::app::language::say;
use crate::app::prose::command;
use crate::app::refusal_note::RefusalNote;
use crate::objects::{PodManagementPolicy, UpdateStrategyType};
use crate::page::{Draft, Field, Origin, Refused};
use crate::text::Text;
use crate::view::{Controls, FieldInput};
use std::rc::Rc;
use yew::{AttrValue, Html, Properties, component, html};

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) send: Dispatch,
    /// None without a set.
    pub(crate) controls: Option<Rc<Controls>>,
    pub(crate) refused: Option<Rc<Refused>>,
    /// A flag on its way: its number goes with it.
    pub(crate) draft: Option<Draft>,
    /// The last command, as kubectl takes it; of what kubectl cannot do, what was done.
    pub(crate) last: (AttrValue, bool),
}

/// The panel of controls.
#[component]
pub(crate) fn ControlsPanel(props: &Props) -> Html {
    let (send, refused) = (&props.send, &props.refused);
    let Some(controls) = &props.controls else {
        return html! {
            <aside class="controls" id="controls" aria-label={say(text!("Controls"))}>
                <p class="field__means">
                    { say(text!("There is no StatefulSet. Apply a manifest in the inspector to create one.")) }
                </p>
            </aside>
        };
    };
    html! {
        <aside class="controls" id="controls" aria-label={say(text!("Controls"))}>
            <div class="controls__all">
                <h2 class="unseen">{ say(text!("Change it")) }</h2>
                { replicas(props, controls) }
                { partition(props, controls) }
                { policies(props, controls) }
                <ImageControl send={send.clone()} controls={controls.clone()} refused={refused.clone()} />
                <Breakage send={send.clone()} controls={controls.clone()} />
                { last(&props.last) }
            </div>
        </aside>
    }
}

/// What the last click was in a terminal.
fn last((line, is_kubectl): &(AttrValue, bool)) -> Html {
    if line.is_empty() {
        return Html::default();
    }
    html! {
        <div class="same" key={line.to_string()}>
            <span class="same__head">{ say(text!("Last change")) }</span>
            <code>{ command(line) }</code>
            if *is_kubectl { <Copy text={line.clone()} /> }
        </div>
    }
}

/// The value of a field: that of a flag on its way, or the one in force.
fn value(props: &Props, field: Field, now: i32) -> i64 {
    props.draft.filter(|draft| draft.field == field).map_or(i64::from(now), |draft| draft.value)
}

fn replicas(props: &Props, controls: &Controls) -> Html {
    if !controls.notes.scale.is_empty() {
        return html! { <p class="field field__means">{ say(Text::fixed(controls.notes.scale)) }</p> };
    }
    let value = value(props, Field::Replicas, controls.replicas);
    let now = Draft { field: Field::Replicas, origin: Origin::Replicas, value };
    html! {
        <div class="field">
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
    let stored = controls.partition.unwrap_or(0);
    let now =
        Draft { field: Field::Partition, origin: Origin::Partition, value: value(props, Field::Partition, stored) };
    let most = i64::from(controls.replicas.max(stored).max(1));
    html! {
        <div class="field">
            if controls.strategy == Some(UpdateStrategyType::RollingUpdate) {
                <Number send={send.clone()} id="partition-number" name={text!("Partition")} {now} {most} />
            }
            // A partition of 0 is none.
            if now.value != 0 || controls.strategy == Some(UpdateStrategyType::OnDelete) {
                <p class="field__means">{ say(&controls.partition_means) }</p>
            }
            <RefusalNote send={send.clone()} refused={refused.clone()} at={Origin::Partition} />
        </div>
    }
}

/// `spec.podManagementPolicy` and `spec.updateStrategy.type`, of pods with ordinals.
fn policies(props: &Props, controls: &Controls) -> Html {
    let (send, refused) = (&props.send, &props.refused);
    let Some((policy, strategy)) = controls.policy.zip(controls.strategy) else { return Html::default() };
    let now = |field, origin, second: bool| Draft { field, origin, value: i64::from(second) };
    html! {
        <>
            <Choice send={send.clone()} refused={refused.clone()} name={text!("Pod management policy")}
                options={["OrderedReady", "Parallel"]}
                now={now(Field::Policy, Origin::Policy, policy == PodManagementPolicy::Parallel)} />
            <Choice send={send.clone()} refused={refused.clone()} name={text!("Update strategy")}
                options={["RollingUpdate", "OnDelete"]}
                now={now(Field::Strategy, Origin::Strategy, strategy == UpdateStrategyType::OnDelete)} />
        </>
    }
}
