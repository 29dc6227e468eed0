//! The same act for a terminal.

use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct KubectlProps {
    pub(crate) line: String,
}

/// The line, if kubectl has one: cut to the width there is until it is opened.
#[component]
pub(crate) fn Kubectl(props: &KubectlProps) -> Html {
    if props.line.is_empty() {
        return Html::default();
    }
    html! {
        <details class="kubectl">
            <summary class="kubectl__line" title={props.line.clone()}><code>{ &props.line }</code></summary>
        </details>
    }
}
