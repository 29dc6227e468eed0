//! The strip that stays over the run of an opened text: whose it is, of when, what was assumed; and the way back.

use crate::app::dispatch::{Dispatch, sends};
use crate::app::language::say;
use crate::app::prose::prose;
use crate::page::{ClusterMsg, Msg, State};
use crate::session::dump;
use crate::text::Text;
use yew::{Html, html};

/// The strip; nothing over any other run.
pub(crate) fn strip(send: &Dispatch, state: &State) -> Html {
    if !state.stage.session.is_of_text() || state.embedded {
        return Html::default();
    }
    let name = state.stage.set().map(|set| format!("{}/{}", set.namespace, set.name)).unwrap_or_default();
    let dump = state.opened.opened.as_ref().map(|opened| &opened.dump);
    let taken = |dump: &dump::Dump| dump.taken_at.to_string().replace('T', " ").replace('Z', " UTC");
    // The moments of a text that was left are not known any more.
    let known = dump.filter(|_| !state.opened.is_again);
    let from = match known {
        Some(dump) if dump.is_dated => text!("From your text of {}", taken(dump)),
        Some(_) => text!("From your text, which names no moment"),
        None => text!("From a text of a cluster"),
    };
    let assumed = dump.map(|dump| say(text!("{} assumptions", dump.assumptions.len())));
    // A phone has room for what tells texts apart.
    let short = match known {
        Some(dump) if dump.is_dated => Text::verbatim(taken(dump)),
        Some(_) => text!("It names no moment"),
        None => from.clone(),
    };
    let diagnosis = Msg::Cluster(ClusterMsg::Diagnosis);
    html! {
        <div class="opened" role="group" aria-label={say(&from)}>
            <b class="opened__name" title={name.clone()}>{ &name }</b>
            <span class="opened__from">{ prose(&from) }{ " · " }{ state.stage.session.release().name() }</span>
            <span class="opened__short">
                <span>{ say(&short) }</span>
                <span>{ state.stage.session.release().name() }if let Some(assumed) = &assumed { { " · " }{ assumed } }</span>
            </span>
            if let Some(assumed) = assumed {
                <button type="button" class="button button--small button--quiet opened__assumed" onclick={sends(send, diagnosis.clone())}>
                    { assumed }
                </button>
            }
            <button type="button" class="button button--small" onclick={sends(send, diagnosis)}>{ say(text!("Diagnosis")) }</button>
            <button type="button" class="button button--small" onclick={sends(send, Msg::Cluster(ClusterMsg::Leave))}>
                { say(text!("Close")) }
            </button>
        </div>
    }
}
