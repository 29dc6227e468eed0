//! What is said alike of several pods: it is told of the first, and the others are named behind it.

use super::conditions::Finding;
use crate::text::{Text, UNITS};

/// What is said of a pod, but for its name, counts and durations. An exit or status code is none of these.
pub fn gist(words: &str, pod: &str) -> String {
    let own = words.replace(pod, "");
    let is_measure = |word: &str| {
        let own = word.trim_matches(|letter: char| !letter.is_alphanumeric());
        // One is counted in the singular.
        UNITS.contains(&own)
            || ["time", "times"].contains(&own)
            || own.bytes().next().is_some_and(|first| first.is_ascii_digit())
    };
    let all: Vec<&str> = own.split_whitespace().collect();
    let is_code = |at: usize| at > 0 && all[at - 1].trim_end_matches(':').ends_with("code");
    let told = all.iter().enumerate().filter(|(at, word)| is_code(*at) || !is_measure(word));
    told.map(|(_, word)| *word).collect::<Vec<_>>().join(" ")
}

/// What a finding says of its pod, but for its name, and the name; none if it is about no pod.
pub fn gist_of(finding: &Finding) -> Option<(String, String)> {
    let pod = finding.pod.as_deref()?;
    let Finding { condition, gravity, text, mistaken_for, .. } = finding;
    let said = format!("{} {gravity:?} {text} {mistaken_for}", condition.name);
    Some((gist(&said, pod), pod.to_owned()))
}

/// One of each gist, in their order, with the names of the others; what has no gist stands alone.
pub fn once<T>(all: &[T], gist: impl Fn(&T) -> Option<(String, String)>) -> Vec<(&T, Vec<String>)> {
    let mut told: Vec<(&T, Option<String>, Vec<String>)> = Vec::new();
    let is_own = |first: &T, name: &String| gist(first).is_some_and(|(_, own)| own == *name);
    for one in all {
        let own = gist(one);
        let first = own.as_ref().and_then(|(own, _)| told.iter_mut().find(|(_, known, _)| known.as_ref() == Some(own)));
        match (first, own) {
            (Some((first, _, others)), Some((_, name))) if !others.contains(&name) && !is_own(first, &name) => {
                others.push(name);
            }
            (Some(_), _) => {}
            (None, own) => told.push((one, own.map(|(gist, _)| gist), Vec::new())),
        }
    }
    told.into_iter().map(|(one, _, others)| (one, others)).collect()
}

/// Sentences that are the same but for one name: the first of each, with the names of the others.
pub fn alike<'a>(all: impl IntoIterator<Item = &'a Text>) -> Vec<(&'a Text, Vec<String>)> {
    let mut told: Vec<(&Text, Option<usize>, Vec<String>)> = Vec::new();
    for text in all {
        let same = told.iter_mut().find_map(|(first, hole, others)| {
            let own = only_other(first, text).filter(|own| hole.is_none_or(|hole| hole == *own))?;
            Some((own, hole, others))
        });
        match same {
            Some((own, hole, others)) => {
                *hole = Some(own);
                others.push(text.args()[own].to_string());
            }
            None => told.push((text, None, Vec::new())),
        }
    }
    told.into_iter().map(|(first, _, others)| (first, others)).collect()
}

/// So many words a name has at most: `node kube-1`.
const NAME: usize = 2;

/// The hole in which alone two sentences of one template differ, but for what that name is a part of.
fn only_other(one: &Text, other: &Text) -> Option<usize> {
    if one.template() != other.template() {
        return None;
    }
    let filled = |text: &Text| text.args().iter().map(ToString::to_string).collect::<Vec<_>>();
    let (one, other) = (filled(one), filled(other));
    let first = one.iter().zip(&other).position(|(one, other)| one != other)?;
    let without = |args: &[String]| args.iter().map(|arg| arg.replace(&args[first], "")).collect::<Vec<_>>();
    (one.len() == other.len() && without(&one) == without(&other) && one[first].split(' ').count() <= NAME)
        .then_some(first)
}

#[cfg(test)]
mod tests {
    use super::{alike, gist, once};

    #[test]
    fn names_counts_and_times_make_no_difference() {
        let one = gist("Container app of web-0 was restarted 5 times (not Ready for 1 h 19 m 00 s).", "web-0");
        let other = gist("Container app of web-12 was restarted 120 times (not Ready for 3 m 00 s).", "web-12");
        assert_eq!(one, other);
        assert_eq!(one, gist("Container app of web-3 was restarted 1 time (not Ready for 9 d 3 h).", "web-3"));
        let code = |code: i32, pod: &str| gist(&format!("{pod} ended with exit code {code} (Error)."), pod);
        assert!(code(1, "web-0") == code(1, "web-1") && code(1, "web-0") != code(2, "web-1"));
        assert_ne!(one, gist("Container log of web-1 was restarted 5 times (not Ready for 3 m 00 s).", "web-1"));
    }

    #[test]
    fn sentences_that_differ_in_one_name_are_told_once() {
        let of = |set: &str, revision: &str| text!("The template of {} is that of revision {}.", set, revision);
        let all = [
            of("a", "a-not-in-the-text"),
            of("b", "b-1"),
            of("c", "c-not-in-the-text"),
            text!("Containers of {} have images that no line names.", "a"),
            of("d", "d-not-in-the-text"),
        ];
        let told: Vec<(String, Vec<String>)> =
            alike(&all).into_iter().map(|(text, others)| (text.to_string(), others)).collect();
        let names = told.iter().map(|(_, others)| others.join(" ")).collect::<Vec<_>>();
        assert_eq!(names, ["c d", "", ""]);
        assert_eq!(told[0].0, all[0].to_string());
    }

    #[test]
    fn what_is_alike_is_told_once_with_the_others_named() {
        let all = [("a", "x"), ("b", "y"), ("c", "x"), ("", "x")];
        let of = |(name, gist): &(&str, &str)| (!name.is_empty()).then(|| ((*gist).to_owned(), (*name).to_owned()));
        let told: Vec<(&str, Vec<String>)> = once(&all, of).into_iter().map(|(one, others)| (one.0, others)).collect();
        assert_eq!(told, [("a", vec!["c".to_owned()]), ("b", vec![]), ("", vec![])]);
    }
}
