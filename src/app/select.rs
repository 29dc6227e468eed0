//! A list of options that shows what the page's state says.

use super::browser::value;
use web_sys::HtmlSelectElement;
use yew::{AttrValue, Callback, Event, Html, Properties, component, html, use_effect, use_force_update, use_node_ref};

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    /// The values and what they are called.
    pub(crate) options: Vec<(AttrValue, AttrValue)>,
    /// The value that is in force.
    pub(crate) chosen: AttrValue,
    /// Told which value a person chose.
    pub(crate) onchange: Callback<String>,
    #[prop_or_default]
    pub(crate) id: Option<AttrValue>,
    #[prop_or("select".into())]
    pub(crate) class: AttrValue,
    /// Its name, where no label has it.
    #[prop_or_default]
    pub(crate) label: Option<AttrValue>,
    /// The id of what describes it.
    #[prop_or_default]
    pub(crate) described: Option<AttrValue>,
}

/// The list.
#[component]
pub(crate) fn Select(props: &Props) -> Html {
    let Props { options, chosen, onchange, id, class, label, described } = props;
    let list = use_node_ref();
    // Browsers ignore the attribute `selected`, which Yew sets, once a person has chosen an option.
    use_effect({
        let (list, chosen) = (list.clone(), chosen.clone());
        move || {
            let list = list.cast::<HtmlSelectElement>().filter(|list| list.value() != *chosen);
            list.iter().for_each(|list| list.set_value(&chosen));
        }
    });
    // A choice that is refused leaves the state, and so the properties, as they were.
    let refresh = use_force_update();
    let onchange = {
        let onchange = onchange.clone();
        Callback::from(move |event: Event| {
            onchange.emit(value(&event));
            refresh.force_update();
        })
    };
    html! {
        <select ref={list} class={class.clone()} id={id.clone()} aria-label={label.clone()} aria-describedby={described.clone()} {onchange}>
            for (value, words) in options {
                <option key={value.to_string()} value={value.clone()} selected={value == chosen}>{ words.clone() }</option>
            }
        </select>
    }
}
