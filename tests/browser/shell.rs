//! The whole app mounts, names itself, and starts at a moment that tells something.
use crate::mount::mount;
use setscope::app::App;
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
async fn the_app_mounts_and_names_itself() {
    let page = mount::<App>(()).await;
    assert_eq!(page.find("h1").text_content().as_deref(), Some("SetScope"));
    assert!(page.find(".pod .pod__word").text_content().is_some_and(|state| state == "Ready"));
    assert_eq!(page.find(".transport__play").text_content().as_deref(), Some("Play"), "it waits for the person");
}
