//! The line numbers beside the editor.

use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub(crate) struct GutterProps {
    pub(crate) lines: usize,
    /// Lines something is wrong with.
    pub(crate) wrong: Vec<usize>,
    pub(crate) place: NodeRef,
}

/// The numbers; the editor scrolls them along.
#[component]
pub(crate) fn Gutter(props: &GutterProps) -> Html {
    html! {
        <div ref={props.place.clone()} class="editor__gutter" aria-hidden="true">
            for line in 1..=props.lines {
                <span key={line} class={props.wrong.contains(&line).then_some("is-wrong")}>{ line }</span>
            }
        </div>
    }
}
