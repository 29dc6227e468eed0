//! How fast this machine is, so that goals that were set on one machine can be held on another.

use std::collections::BTreeMap;
use std::hint::black_box;

/// How many times as long as the machine that the goals were set on this one takes: the geometric mean of sorting a million
/// numbers and of filling a map with 200,000 short texts, each at its best of several.
pub(crate) fn slowness(now_ms: &dyn Fn() -> f64) -> f64 {
    const TIMES: usize = 7;
    let best = |work: &dyn Fn()| {
        let times = (0..TIMES).map(|_| {
            let start = now_ms();
            work();
            now_ms() - start
        });
        times.fold(f64::INFINITY, f64::min)
    };
    let mut state = 1_u64;
    let mut split_mix = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    };
    let numbers: Vec<u64> = (0..1_000_000).map(|_| split_mix()).collect();
    let texts: Vec<String> = numbers.iter().take(200_000).map(|number| format!("{number:x}")).collect();
    let copied = best(&|| drop(black_box(numbers.clone())));
    let sorted = best(&|| {
        let mut numbers = numbers.clone();
        numbers.sort_unstable();
        black_box(numbers);
    });
    let filled = best(&|| {
        let map: BTreeMap<String, usize> = texts.iter().enumerate().map(|(at, text)| (text.clone(), at)).collect();
        black_box(map.len());
    });
    ((sorted - copied) / 16.6 * filled / 160.0).sqrt()
}
