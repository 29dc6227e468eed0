//! Rows without the titles of their table, as a filter or a copy from the middle leaves them: what they are tells their shape.

use super::super::time;
use super::cells::{Cells, by_blanks};

/// The cells of such a row; none if the line is nothing of the kind.
pub(super) fn row(text: &str) -> Option<Cells<'_>> {
    // A line of YAML or of a description begins otherwise.
    let first = text.split_whitespace().next().unwrap_or_default();
    let is_row = text.starts_with(|letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit());
    if TYPES.contains(&first) {
        return ageless(text).map(Cells);
    }
    if !is_row || first.ends_with(':') {
        return None;
    }
    event(text).or_else(|| old_event(text)).or_else(|| of_pod(text)).or_else(|| of_workload(text)).map(Cells)
}

/// The titles of a row of `kubectl get events`.
const EVENT: [&str; 6] = ["NAMESPACE", "LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE"];

fn event(text: &str) -> Option<Vec<(&'static str, &str)>> {
    [&EVENT[1..], &EVENT[..]].into_iter().find_map(|titles| {
        let cells: Vec<_> = titles.iter().copied().zip(by_blanks(text, titles.len())).collect();
        let cell = |title: &str| cells.iter().find(|(own, _)| *own == title).map(|(_, cell)| *cell);
        let is_event =
            time::event(cell("LAST SEEN")?).is_some() && TYPES.contains(&cell("TYPE")?) && is_object(cell("OBJECT")?);
        is_event.then_some(cells)
    })
}

/// The types of events.
const TYPES: [&str; 2] = ["Normal", "Warning"];

/// Such as `pod/web-0`.
fn is_object(cell: &str) -> bool {
    cell.split_once('/').is_some_and(|(kind, name)| {
        !kind.is_empty() && !name.is_empty() && kind.bytes().all(|byte| byte.is_ascii_lowercase())
    })
}

/// The same, of which somebody cut off when it was.
fn ageless(text: &str) -> Option<Vec<(&'static str, &str)>> {
    let titles = &EVENT[2..];
    let cells = by_blanks(text, titles.len());
    (cells.len() == titles.len() && is_object(cells[2])).then(|| titles.iter().copied().zip(cells).collect())
}

/// A row of an old kubectl: two ages, a count, the object in two columns and, of a container, in a third one.
fn old_event(text: &str) -> Option<Vec<(&'static str, &str)>> {
    const TITLES: [&str; 9] = ["FIRSTSEEN", "LASTSEEN", "COUNT", "NAME", "KIND", "TYPE", "REASON", "SOURCE", "MESSAGE"];
    let mut cells = by_blanks(text, TITLES.len() + 1);
    if cells.get(5).is_some_and(|cell| !TYPES.contains(cell)) {
        cells.remove(5);
    } else {
        cells = by_blanks(text, TITLES.len());
    }
    let [one, other, count, _, _, event_type, ..] = cells[..] else { return None };
    let is_event = cells.len() == TITLES.len() && is_number(count) && TYPES.contains(&event_type);
    let ages = time::age(one).zip(time::age(other)).filter(|_| is_event)?;
    // Which of the two comes first changed.
    if ages.0 < ages.1 {
        cells.swap(0, 1);
    }
    Some(TITLES.into_iter().zip(cells).collect())
}

/// `1/2`.
fn is_fraction(word: &str) -> bool {
    let is_short = |part: &str| part.len() < 4 && is_number(part);
    word.split_once('/').is_some_and(|(ready, all)| is_short(ready) && is_short(all))
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_age(word: &str) -> bool {
    time::age(word).is_some() || word.starts_with('<')
}

/// The words of a row, `3 (2m ago)` being one.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let word = rest.find([' ', '\t']).unwrap_or(rest.len());
        let is_counted = is_number(&rest[..word]) && rest[word..].trim_start().starts_with('(');
        let end = if is_counted { rest.find(')').map_or(word, |end| end + 1) } else { word };
        words.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    words
}

/// Before the first word that says how many are ready stands the name, and where the table has several namespaces that of its own.
const POD: [&str; 6] = ["NAMESPACE", "NAME", "READY", "STATUS", "RESTARTS", "AGE"];

fn of_pod(text: &str) -> Option<Vec<(&'static str, &str)>> {
    let words = words(text);
    let ready = words.iter().take(3).position(|word| is_fraction(word)).filter(|at| *at > 0)?;
    let [_, status, restarts, age, rest @ ..] = &words[ready..] else { return None };
    let count = restarts.split(' ').next().unwrap_or_default();
    let is_word = !is_number(status) && !status.contains(':') | status.starts_with("Init:");
    if !is_word || !is_number(count) || !is_age(age) {
        return None;
    }
    let titles = POD[2 - ready..].iter().copied();
    let mut cells: Vec<_> = titles.zip(words.iter().copied()).collect();
    // The wide form goes on with the address and the node.
    if let [ip, node, ..] = rest
        && (ip.starts_with('<') || ip.parse::<std::net::IpAddr>().is_ok())
    {
        cells.extend([("IP", *ip), ("NODE", *node)]);
    }
    Some(cells)
}

/// What the cells of workloads are, behind the name: a fraction, a number, an age, or anything.
const WORKLOADS: [(&str, &[&str]); 4] = [
    ("daemonset", &["DESIRED", "CURRENT", "READY", "UP-TO-DATE", "AVAILABLE", "NODE SELECTOR", "AGE"]),
    ("deployment", &["READY", "UP-TO-DATE", "AVAILABLE", "AGE"]),
    ("replicaset", &["DESIRED", "CURRENT", "READY", "AGE"]),
    ("statefulset", &["READY", "AGE"]),
];

fn of_workload(text: &str) -> Option<Vec<(&'static str, &str)>> {
    let words = words(text);
    // Only the name says that a set is one: rows of other kinds look the same.
    let fits = |(kind, titles): &(&str, &[&str]), name: &str, cells: &[&str]| {
        let named = name.split_once('/').map(|(word, _)| word.split('.').next().unwrap_or_default());
        named.map_or(*kind != "statefulset", |named| named == *kind)
            && cells.len() >= titles.len()
            && titles.iter().zip(cells).all(|(title, cell)| match *title {
                "NODE SELECTOR" => cell.starts_with('<') || cell.contains('='),
                "AGE" => is_age(cell),
                "READY" if titles[0] == "READY" => is_fraction(cell),
                _ => is_number(cell),
            })
    };
    [1, 2].into_iter().find_map(|name| {
        let cells = words.get(name..)?;
        let (_, titles) = WORKLOADS.iter().find(|one| fits(one, words[name - 1], cells))?;
        let before = ["NAMESPACE", "NAME"][2 - name..].iter().copied();
        Some(before.chain(titles.iter().copied()).zip(words.iter().copied()).collect())
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]

    use super::row;

    #[track_caller]
    fn reads(text: &str, title: &str, want: &str) {
        let cells = row(text).unwrap().0;
        assert_eq!(cells.into_iter().find(|(own, _)| *own == title).unwrap().1, want, "{text}");
    }

    #[test]
    fn rows_are_known_by_their_shape() {
        reads("web-0   0/1     CrashLoopBackOff   837 (2m4s ago)   3d1h", "RESTARTS", "837 (2m4s ago)");
        reads("db   pg-0   1/1   Running   0   9d   10.0.0.1   n1", "NODE", "n1");
        reads("cart-6f7d8c9b5-4kz2x 0/2 Init:0/1 0 9d", "STATUS", "Init:0/1");
        reads("deployment.apps/cart   4/4     4            3           61d", "AVAILABLE", "3");
        reads("cart   4/4     4            3           61d", "UP-TO-DATE", "4");
        reads(
            "daemonset.apps/ds1   5         5         4       5            4           <none>          9d",
            "READY",
            "4",
        );
        reads("kube-system   ds1   5   5   4   5   4   kubernetes.io/os=linux   9d", "NAMESPACE", "kube-system");
        reads("replicaset.apps/cart-75cc6d5b9f   0   0   0   31d", "DESIRED", "0");
        reads("statefulset.apps/web   2/3   31d", "READY", "2/3");
        let event =
            "2m4s        Warning   FailedCreate   replicaset/cart-6f7d8c9b5   Error creating: pods is forbidden";
        reads(event, "MESSAGE", "Error creating: pods is forbidden");
        reads(
            "shop   3m (x4 over 9m)   Normal   Killing   pod/web-0   Stopping container web",
            "LAST SEEN",
            "3m (x4 over 9m)",
        );
    }

    #[test]
    fn events_are_known_without_their_age_and_in_columns_of_old() {
        let ageless = "Warning   FailedScheduling   pod/web-1   0/8 nodes are available";
        reads(ageless, "OBJECT", "pod/web-1");
        reads(ageless, "MESSAGE", "0/8 nodes are available");
        let old = "36m  37m  1  web-0  Pod  spec.containers{web}  Normal  Started  {kubelet n-1}  Started container";
        reads(old, "LASTSEEN", "36m");
        reads(old, "REASON", "Started");
        reads(
            "1h  37m  28  web-0  Pod  Warning  FailedScheduling  {default-scheduler }  no  fit",
            "MESSAGE",
            "no  fit",
        );
        assert!(row("Warning  BackOff  2s (x4 over 44s)  kubelet, node-a  Back-off").is_none());
    }

    #[test]
    fn what_only_looks_like_a_row_is_none() {
        for text in ["replicas: 3/3 4 4 5d", "job-1   0/1   5m   5m", "web   2/3   31d", "on 3 of 4 nodes", "a 1/2 b"] {
            assert!(row(text).is_none(), "{text}");
        }
    }
}
