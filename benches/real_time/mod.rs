//! The clock of a native benchmark, and its end.

/// Hands over a clock of milliseconds, and ends the process with what came of it: 1 where something was too slow.
#[allow(clippy::disallowed_types, reason = "a benchmark measures real time")]
pub(crate) fn measure(report: impl FnOnce(&dyn Fn() -> f64) -> Vec<String>) -> ! {
    let start = std::time::Instant::now();
    let problems = report(&|| start.elapsed().as_secs_f64() * 1000.0);
    problems.iter().for_each(|problem| println!("too slow: {problem}"));
    std::process::exit(i32::from(!problems.is_empty()))
}
