//! Numbers of pods as bands over time, one element each: of thousands of pods a course has hundreds of stretches.

/// A height in percent.
type Height<'a, T> = &'a dyn Fn(&T) -> i32;

/// The corners of a band for `clip-path: polygon()`: along the upper heights of its stretches, and back along the lower ones. Each
/// stretch begins at its moment and lasts to the next one, the last to the end; the heights are in percent.
pub(crate) fn corners<T>(
    course: &[(i64, T)],
    (scale, end): (i64, i64),
    (lower, upper): (Height<'_, T>, Height<'_, T>),
) -> String {
    let across = |at: i64| {
        let part = at.min(end) * 10_000 / scale;
        format!("{}.{:02}%", part / 100, part % 100)
    };
    let ends = course.iter().skip(1).map(|(to, _)| *to).chain([end]);
    let stretches: Vec<(String, String, &T)> =
        course.iter().zip(ends).map(|((from, counts), to)| (across(*from), across(to), counts)).collect();
    let step = |from: &str, to: &str, height: i32| format!("{from} {0}%,{to} {0}%", 100 - height);
    let there = stretches.iter().map(|(from, to, counts)| step(from, to, upper(counts)));
    let back = stretches.iter().rev().map(|(from, to, counts)| step(to, from, lower(counts)));
    there.chain(back).collect::<Vec<_>>().join(",")
}
