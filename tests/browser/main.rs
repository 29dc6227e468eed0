//! The components in a real browser: one binary for all of them, as each would cost a whole build of its own.
//! Add a module per component and mount it with `mount`.
#![cfg(target_arch = "wasm32")]

mod acts;
#[path = "../golden.rs"]
mod golden;
mod mount;
mod shell;
mod tabs;
mod time;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
