//! How many random cases a property is tried with.

use proptest::test_runner::{Config, RngSeed};

/// The same `cases` random cases at every run, so that what new ones find does not fail a change that has nothing to do
/// with it. `PROPTEST_CASES`, which `./dev fuzz` sets, asks for that many new ones instead.
pub(crate) fn cases(cases: u32) -> Config {
    let told = Config { failure_persistence: None, ..Config::default() };
    if std::env::var_os("PROPTEST_CASES").is_some() {
        told
    } else {
        Config { cases, rng_seed: RngSeed::Fixed(20), ..told }
    }
}
