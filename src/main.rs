//! Mounts the page in the browser.

#[cfg(target_arch = "wasm32")]
fn main() {
    let place =
        web_sys::window().and_then(|window| window.document()).and_then(|document| document.get_element_by_id("app"));
    // Without its place the page is not SetScope's: there is nothing to replace and nothing to say.
    if let Some(place) = place {
        setscope::app::install_panic_hook();
        yew::Renderer::<setscope::app::App>::with_root(place).render();
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    eprintln!("SetScope is a page: ./dev serve builds it and serves it on http://127.0.0.1:8080/");
}
