//! Tells a screen reader where the controller stands: at once when stepping, at most every two seconds while playing.

use gloo_timers::callback::Timeout;
use yew::prelude::*;

const APART: u32 = 2_000;

#[derive(Properties, PartialEq)]
pub(crate) struct LiveProps {
    pub(crate) said: String,
    pub(crate) playing: bool,
}

/// The live region.
#[component]
pub(crate) fn Live(props: &LiveProps) -> Html {
    let spoken = use_state_eq(String::new);
    let latest = use_mut_ref(String::new);
    let waiting = use_mut_ref(|| None::<Timeout>);
    {
        let setter = spoken.setter();
        use_effect_with((props.said.clone(), props.playing), move |(said, playing)| {
            latest.replace(said.clone());
            if !playing {
                waiting.replace(None);
                setter.set(said.clone());
            } else if waiting.borrow().is_none() {
                let later = waiting.clone();
                let timeout = Timeout::new(APART, move || {
                    later.replace(None);
                    setter.set(latest.borrow().clone());
                });
                waiting.replace(Some(timeout));
            }
        });
    }
    html! { <div class="unseen" role="status" aria-live="polite">{ &*spoken }</div> }
}
