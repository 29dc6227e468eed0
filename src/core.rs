//! The simulator without the page, for JavaScript: www/pages/setscope.js loads it.

#[cfg(target_arch = "wasm32")]
#[allow(unreachable_pub, reason = "reached from JavaScript")]
mod js;

fn main() {}
