//! The dialog "Your cluster": a text goes in; what stands still in it, why, and what would help comes out.

mod assumptions;
mod findings;
mod open;
mod report;
mod strip;
mod ways_out;
mod workload;

use super::dispatch::Dispatch;
use super::language::say;
use crate::page::{ClusterMsg, ClusterState, Msg, Opened, OpeningCluster, State};
use crate::session::dump::Options;
use crate::text::Text;
use open::OpenText;
use std::rc::Rc;
pub(crate) use strip::strip;
use workload::Workloads;
use yew::{Callback, Html, MouseEvent, Properties, component, html};

/// What was opened, compared by identity.
#[derive(Clone)]
pub(super) struct Shared(Rc<Opened>);

impl PartialEq for Shared {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

/// The dialog's body.
pub(super) fn body(send: &Dispatch, state: &State) -> Html {
    let ClusterState { opened, opening, problem, trials, report, .. } = &state.opened;
    let is_open = opened.is_none();
    let tried = ways_out::Tries {
        workload: trials.workload.clone(),
        tried: Rc::clone(&trials.tried),
        ended: trials.ended,
        count: trials.count,
        is_running: trials.is_running(),
    };
    let opened = state.opened.shown().cloned().map(Shared);
    let options = state.opened.options();
    let percent = opening.as_ref().map(OpeningCluster::percent);
    let note = state.note.clone();
    let made = report::Made { text: report.text.clone(), problem: report.problem.clone(), percent: report.percent() };
    html! { <Cluster send={send.clone()} {is_open} {opened} {percent} {options} problem={problem.clone()} {note} {tried} {made} /> }
}

#[derive(Properties, PartialEq)]
struct Props {
    send: Dispatch,
    /// Whether nothing was opened yet.
    is_open: bool,
    opened: Option<Shared>,
    /// How much of a text is opened, while it is.
    percent: Option<u32>,
    problem: Text,
    /// What else is to be said, such as which files were not read.
    note: Text,
    options: Options,
    tried: ways_out::Tries,
    made: report::Made,
}

#[component]
fn Cluster(props: &Props) -> Html {
    let send = &props.send;
    let cancel = {
        let send = send.clone();
        Callback::from(move |_: MouseEvent| send.emit(Msg::Cluster(ClusterMsg::Cancel)))
    };
    html! {
        <div class="cluster">
            <OpenText send={send.clone()} is_open={props.is_open} />
            if let Some(percent) = props.percent {
                <div class="dialog__row">
                    <label for="cluster-progress">{ say(text!("Reading and diagnosing: {}%", percent)) }</label>
                    <progress id="cluster-progress" max="100" value={percent.to_string()} />
                    <button type="button" class="button button--small" onclick={cancel}>{ say(text!("Cancel")) }</button>
                </div>
            } else if !props.problem.is_empty() {
                <p class="refusal" role="alert">{ say(&props.problem) }</p>
            }
            if !props.note.is_empty() {
                <p class="dialog__hint" role="status">{ say(&props.note) }</p>
            }
            if let Some(opened) = &props.opened {
                <Workloads send={send.clone()} opened={opened.clone()} tried={props.tried.clone()} />
                <assumptions::Assumptions send={send.clone()} opened={opened.clone()} options={props.options.clone()} />
                <report::Report send={send.clone()} made={props.made.clone()} />
            }
        </div>
    }
}
