//! The timeline: its rows, its slider, its keys, its branches.
use crate::mount::{Mounted, mount, press};
use setscope::app::{App, rows_drawn};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Event, EventInit, HtmlElement, HtmlInputElement};

fn slider(page: &Mounted<App>) -> HtmlInputElement {
    page.find("#moment").unchecked_into()
}

fn clock(page: &Mounted<App>) -> Option<String> {
    page.find(".transport__clock").text_content()
}

fn value_text(page: &Mounted<App>) -> String {
    slider(page).get_attribute("aria-valuetext").unwrap_or_default()
}

async fn set(page: &Mounted<App>, value: &str) {
    let slider = slider(page);
    slider.set_value(value);
    let init = EventInit::new();
    init.set_bubbles(true);
    let event = Event::new_with_event_init_dict("input", &init).expect("input is a valid type");
    slider.dispatch_event(&event).expect("an element takes events");
    yew::scheduler::flush().await;
}

#[wasm_bindgen_test]
async fn the_slider_seeks_and_says_the_clock_and_what_happened() {
    let page = mount::<App>(()).await;
    let end = clock(&page);
    let drawn = rows_drawn();
    set(&page, "2000").await;
    assert_eq!(clock(&page).as_deref(), Some("2.0 s"));
    assert!(value_text(&page).starts_with("2.0 s: At 1.6 s: The "), "{}", value_text(&page));
    press(&slider(&page), "ArrowLeft").await;
    assert_eq!(clock(&page).as_deref(), Some("1.9 s"));
    press(&slider(&page), "End").await;
    assert_eq!(clock(&page), end);
    assert_eq!(rows_drawn(), drawn, "no row is drawn again while only the cursor moves");
}

#[wasm_bindgen_test]
async fn the_keys_of_the_page_step_and_go_to_the_start() {
    let page = mount::<App>(()).await;
    let progress = || page.find(".transport__progress").text_content().unwrap_or_default();
    // Without its style sheets the stage scrolls, and Home is the scroller's.
    press(&page.find(".app"), "Home").await;
    assert!(progress().starts_with("Event 1 of "), "{}", progress());
    press(&page.find(".stage"), ".").await;
    press(&page.find("#moment"), ".").await;
    press(&page.find(".stage"), ",").await;
    assert!(progress().starts_with("Event 2 of "), "{}", progress());
    press(&page.find(".stage"), ">").await;
    let first = progress();
    press(&page.find(".stage"), ">").await;
    press(&page.find(".stage"), "<").await;
    assert_eq!(progress(), first);
}

#[wasm_bindgen_test]
async fn acting_in_the_past_offers_the_other_branch() {
    let page = mount::<App>(()).await;
    assert_eq!(page.find("#branches").text_content().as_deref(), Some(""));
    set(&page, "1000").await;
    press(&page.find(".flag--replicas"), "ArrowRight").await;
    let list = page.find("#branches").text_content().unwrap_or_default();
    assert!(
        list.starts_with("You are on branch 2") && list.contains("as it was before kubectl scale sts web --replicas=4")
    );
    page.find("[aria-label='Switch to branch 1']").unchecked_into::<HtmlElement>().click();
    yew::scheduler::flush().await;
    assert!(page.find("#branches").text_content().is_some_and(|list| list.starts_with("You are on branch 1")));
}
