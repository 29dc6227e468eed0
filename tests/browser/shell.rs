//! The whole app mounts and names itself.
use crate::mount::mount;
use setscope::app::App;
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
async fn the_app_mounts_and_names_itself() {
    let page = mount::<App>(()).await;
    assert_eq!(page.find("h1").text_content().as_deref(), Some("SetScope"));
    assert!(page.text().contains("SetScope"));
}
