//! The inspector's tabs: the arrows move between them, and the kubectl line keeps what is typed and goes back in time.
use crate::mount::{Mounted, mount, press};
use setscope::app::App;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Element, Event, EventInit, HtmlElement, HtmlInputElement};

fn focused() -> Option<Element> {
    web_sys::window().and_then(|window| window.document()).and_then(|document| document.active_element())
}

#[wasm_bindgen_test]
async fn arrows_move_between_tabs_and_only_the_chosen_one_takes_the_focus() {
    let page = mount::<App>(()).await;
    let names = ["why", "kubectl", "events", "object"];
    let tab = |name: &str| page.find(&format!("#tab-{name}"));
    tab("why").unchecked_into::<HtmlElement>().focus().expect("a tab takes the focus");
    for name in ["kubectl", "events", "object", "why"] {
        press(&focused().expect("a tab has the focus"), "ArrowRight").await;
        assert_eq!(focused(), Some(tab(name)), "{name}");
        let chosen = |one: &&str| tab(one).get_attribute("tabindex").as_deref() == Some("0");
        assert_eq!(names.iter().copied().filter(|one| chosen(one)).collect::<Vec<_>>(), [name]);
        let panel = page.find(&format!("#panel-{name}"));
        assert!(!panel.has_attribute("hidden") && panel.text_content().is_some_and(|text| !text.is_empty()), "{name}");
    }
    press(&focused().expect("a tab has the focus"), "End").await;
    assert_eq!(focused(), Some(tab("object")));
    press(&focused().expect("a tab has the focus"), "Home").await;
    assert_eq!(focused(), Some(tab("why")));
}

async fn say(page: &Mounted<App>, line: &str) {
    let input: HtmlInputElement = page.find("#kubectl-line").unchecked_into();
    input.set_value(line);
    send(&input, "input").await;
    send(&page.find("form.line"), "submit").await;
}

async fn send(target: &Element, kind: &str) {
    let init = EventInit::new();
    init.set_bubbles(true);
    init.set_cancelable(true);
    let event = Event::new_with_event_init_dict(kind, &init).expect("a valid type");
    target.dispatch_event(&event).expect("an element takes events");
    yew::scheduler::flush().await;
}

#[wasm_bindgen_test]
async fn the_line_answers_and_brings_back_what_was_said() {
    let page = mount::<App>(()).await;
    page.find("#tab-kubectl").unchecked_into::<HtmlElement>().click();
    yew::scheduler::flush().await;
    say(&page, "scale sts web --replicas=4").await;
    say(&page, "nonsense").await;
    let said = page.find(".log__all").text_content().unwrap_or_default();
    assert!(said.contains("statefulset.apps/web scaled") && said.contains("unknown command \"nonsense\""), "{said}");
    let input = page.find("#kubectl-line");
    let value = || input.unchecked_ref::<HtmlInputElement>().value();
    assert_eq!(value(), "");
    press(&input, "ArrowUp").await;
    press(&input, "ArrowUp").await;
    assert_eq!(value(), "scale sts web --replicas=4");
    press(&input, "ArrowDown").await;
    assert_eq!(value(), "nonsense");
    assert_eq!(page.find(".flag--replicas").get_attribute("aria-valuenow").as_deref(), Some("4"));
}
