//! What people do on the page, by the keys and buttons they do it with.
use crate::mount::{Mounted, mount, press};
use setscope::app::{App, tiles_drawn};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Event, EventInit, HtmlElement, HtmlInputElement, HtmlTextAreaElement};

async fn click(page: &Mounted<App>, selector: &str) {
    page.find(selector).dyn_into::<HtmlElement>().expect("it can be clicked").click();
    yew::scheduler::flush().await;
}

#[wasm_bindgen_test]
async fn a_flag_moved_by_keyboard_sends_the_change_and_keeps_the_focus() {
    let page = mount::<App>(()).await;
    let flag = page.find(".flag--replicas").dyn_into::<HtmlElement>().expect("a flag takes the focus");
    flag.focus().expect("a flag takes the focus");
    press(&flag, "ArrowRight").await;
    let flag = page.find(".flag--replicas");
    assert_eq!(flag.get_attribute("aria-valuenow").as_deref(), Some("4"));
    assert!(flag.text_content().is_some_and(|label| label.contains('4')));
    assert!(page.text().contains("kubectl scale sts web --replicas=4"), "the control shows the same number");
    let focused = web_sys::window().and_then(|window| window.document()).and_then(|document| document.active_element());
    assert_eq!(focused.as_ref(), Some(&flag));
}

#[wasm_bindgen_test]
async fn a_refusal_appears_where_the_command_was_given_and_can_be_answered() {
    let page = mount::<App>(()).await;
    click(&page, "[aria-label='Pod management policy'] [role=radio]:nth-child(2)").await;
    let field =
        page.find("[aria-label='Pod management policy']").parent_element().expect("the control stands in a field");
    let words =
        field.query_selector("[role=alert]").expect("the selector is valid").and_then(|alert| alert.text_content());
    assert!(words.is_some_and(|words| words.contains("Forbidden")), "{}", field.inner_html());
    assert_eq!(chosen_policy(&page).as_deref(), Some("OrderedReady"), "what was refused is not shown as if it were so");
    click(&page, ".refusal__acts button").await;
    assert_eq!(chosen_policy(&page).as_deref(), Some("Parallel"));
}

fn chosen_policy(page: &Mounted<App>) -> Option<String> {
    page.find("[aria-label='Pod management policy'] [aria-checked=true]").text_content()
}

#[wasm_bindgen_test]
async fn the_editor_keeps_what_was_typed_and_shows_the_line() {
    let page = mount::<App>(()).await;
    let wrong = "apiVersion: apps/v1\nkind: StatefulSet\nmetadata:\n  name: web\nspec:\n  replicas: many\n";
    let area = page.find(".editor__text").dyn_into::<HtmlTextAreaElement>().expect("a text area");
    area.set_value(wrong);
    click(&page, ".editor__acts .button--strong").await;
    assert_eq!(area.value(), wrong);
    assert_eq!(area.get_attribute("aria-invalid").as_deref(), Some("true"));
    assert!(page.find(".problem__place").text_content().is_some_and(|place| place.starts_with("Line 6:")));
    // Another tab and back: the text is still there.
    click(&page, "#tab-events").await;
    click(&page, "#tab-manifest").await;
    click(&page, ".problem__place").await;
    assert_eq!(area.value(), wrong);
    let caret = area.selection_start().ok().flatten().unwrap_or(0) as usize;
    assert_eq!(wrong[..caret].matches('\n').count(), 5, "the caret stands in line 6");
}

#[wasm_bindgen_test]
async fn tiles_that_did_not_change_are_not_drawn_again() {
    let page = mount::<App>(()).await;
    let before = tiles_drawn();
    click(&page, "#tab-events").await;
    assert_eq!(tiles_drawn(), before, "another tab draws no tile");
    press(&page.find(".flag--replicas"), "ArrowRight").await;
    let drawn = tiles_drawn() - before;
    assert_eq!(drawn, 1, "a fourth place draws one tile, not four");
}

#[wasm_bindgen_test]
async fn space_on_the_page_plays_and_pauses_and_on_a_button_does_not() {
    let page = mount::<App>(()).await;
    let word = || page.find(".transport__play").text_content();
    press(&page.find(".stage"), " ").await;
    assert_eq!(word().as_deref(), Some("Pause"));
    press(&page.find(".stage"), " ").await;
    assert_eq!(word().as_deref(), Some("Play"));
    press(&page.find("#tab-events"), " ").await;
    press(&page.find(".editor__text"), " ").await;
    assert_eq!(word().as_deref(), Some("Play"), "a button and the editor keep their own space");
}

#[wasm_bindgen_test]
async fn a_number_that_was_refused_does_not_stay_as_if_it_held() {
    let page = mount::<App>(()).await;
    let number = page.find("#replicas-number").dyn_into::<HtmlInputElement>().expect("an input");
    number.set_value("-2");
    let init = EventInit::new();
    init.set_bubbles(true);
    let change = Event::new_with_event_init_dict("change", &init).expect("change is a valid type");
    number.dispatch_event(&change).expect("an element takes events");
    yew::scheduler::flush().await;
    assert!(page.text().contains("must be greater than or equal to 0"), "the refusal stands below the control");
    assert_eq!(number.value(), "3");
}

#[wasm_bindgen_test]
async fn a_step_by_hand_is_told_at_once() {
    let page = mount::<App>(()).await;
    press(&page.find(".stage"), "End").await;
    let title = page.find("#explanation-title").text_content().expect("a headline");
    let told = page.find("[aria-live=polite]").text_content().expect("what is told");
    assert!(told.contains(&title), "{told}");
}
