//! The clock of a benchmark, and its end.

/// Hands over a clock of milliseconds, and ends the process with what came of it: 1 where something was too slow.
#[cfg(not(target_arch = "wasm32"))]
#[allow(clippy::disallowed_types, reason = "a benchmark measures real time")]
pub(crate) fn measure(report: impl FnOnce(&dyn Fn() -> f64) -> Vec<String>) -> ! {
    let start = std::time::Instant::now();
    let problems = report(&|| start.elapsed().as_secs_f64() * 1000.0);
    problems.iter().for_each(|problem| println!("too slow: {problem}"));
    std::process::exit(i32::from(!problems.is_empty()))
}

/// Hands over a clock of milliseconds, how many times as long as the machine of the goals this one takes, and where to
/// print, and fails where something was too slow. The native benchmark measures the machine; `./dev bench` hands its figure
/// over.
#[cfg(target_arch = "wasm32")]
pub(crate) fn measure_in_wasm(report: impl FnOnce(&dyn Fn() -> f64, f64, &dyn Fn(String)) -> Vec<String>) {
    use wasm_bindgen::prelude::*;

    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_namespace = performance, js_name = now)]
        fn now() -> f64;
    }

    let machine = option_env!("SETSCOPE_MACHINE").and_then(|machine| machine.parse().ok()).unwrap_or(1.0);
    let problems = report(&now, machine, &|line| wasm_bindgen_test::console_log!("{line}"));
    assert!(problems.is_empty(), "too slow: {problems:?}");
}
