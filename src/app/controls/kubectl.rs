//! The same act for a terminal.

use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct KubectlProps {
    pub(crate) line: String,
}

/// The line, if kubectl has one.
#[component]
pub(crate) fn Kubectl(props: &KubectlProps) -> Html {
    if props.line.is_empty() {
        return Html::default();
    }
    html! { <code class="kubectl">{ &props.line }</code> }
}
