//! What could be done, each tried in a branch of the run, what helps first.

use crate::app::copy::Copy;
use crate::app::dispatch::Dispatch;
use crate::app::language::say;
use crate::app::prose::{command, prose};
use crate::diagnosis::{End, Tried};
use crate::objects::ObjectRef;
use crate::page::{ClusterMsg, Msg};
use crate::view::headline;
use std::rc::Rc;
use yew::{Callback, Html, MouseEvent, Properties, classes, component, html};

/// What is being tried.
#[derive(Clone)]
pub(super) struct Tries {
    pub(super) workload: Option<ObjectRef>,
    pub(super) tried: Rc<Vec<Rc<Tried>>>,
    pub(super) ended: usize,
    pub(super) count: usize,
    pub(super) is_running: bool,
}

impl PartialEq for Tries {
    fn eq(&self, other: &Self) -> bool {
        self.workload == other.workload
            && self.tried.first().map(Rc::as_ptr) == other.tried.first().map(Rc::as_ptr)
            && (self.ended, self.count, self.is_running) == (other.ended, other.count, other.is_running)
    }
}

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) send: Dispatch,
    pub(super) workload: ObjectRef,
    /// Whether it is the first of them: the dialog has one primary button.
    pub(super) is_first: bool,
    /// None until somebody asks.
    pub(super) tried: Option<Tries>,
}

#[component]
pub(super) fn WaysOut(props: &Props) -> Html {
    let send_of = |msg: ClusterMsg| {
        let send = props.send.clone();
        Callback::from(move |_: MouseEvent| send.emit(Msg::Cluster(msg.clone())))
    };
    let Some(tries) = &props.tried else {
        return html! {
            <button type="button" class={classes!("button", props.is_first.then_some("button--primary"))}
                onclick={send_of(ClusterMsg::Try(props.workload.clone()))}>
                { say(text!("Try the ways out")) }
            </button>
        };
    };
    let progress = text!("Tried {} of {}", tries.ended.to_string(), tries.count.to_string());
    html! {
        <>
            if tries.count > 0 {
                <div class="cluster__ways">
                    <div class="dialog__row">
                        <span role="status">{ say(progress) }</span>
                        if tries.is_running {
                            <button type="button" class="button button--small" onclick={send_of(ClusterMsg::Stop)}>
                                { say(text!("Stop")) }
                            </button>
                        }
                    </div>
                    <ol>{ for tries.tried.iter().enumerate().map(|(at, one)| way(&send_of, at, one)) }</ol>
                </div>
            }
        </>
    }
}

fn way(send_of: &impl Fn(ClusterMsg) -> Callback<MouseEvent>, at: usize, one: &Tried) -> Html {
    let lines = one.lines();
    let helps = matches!(one.end, End::Well(_));
    let class = if helps { "cluster__way cluster__way--helps" } else { "cluster__way" };
    html! {
        <li {class} key={one.remedy.title.to_string()}>
            <p><strong>{ prose(&one.remedy.title) }</strong>{ ": " }{ prose(one.result(headline)) }</p>
            if !one.costs().is_empty() {
                <p class="dialog__hint">{ prose(one.costs()) }</p>
            }
            if !lines.is_empty() {
                <div class="cluster__command">
                    <code>{ command(&lines.join("\n")) }</code>
                    <Copy text={lines.join("\n")} />
                </div>
            }
            if !one.remedy.assumes.is_empty() {
                <p class="dialog__hint">{ prose(text!("Assumes: {}", one.remedy.assumes)) }</p>
            }
            if !one.remedy.risk.is_empty() {
                <p class="dialog__hint">{ prose(text!("Risk: {}", one.remedy.risk)) }</p>
            }
            <button type="button" class="button button--small" onclick={send_of(ClusterMsg::ShowTried(at))}>
                { say(text!("Show this branch")) }
            </button>
        </li>
    }
}
