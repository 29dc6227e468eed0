//! The columns of a table: their titles, and the cells of a row under them.

/// The cells of a row, each with its column's title.
pub(super) struct Cells<'t>(pub(super) Vec<(&'static str, &'t str)>);

/// A title, where it begins in its line and where it ends, in characters.
pub(in super::super) type Title = (&'static str, usize, usize);

/// Titles that kubectl prints; of those that begin alike the longer one comes first.
const TITLES: [&str; 68] = [
    "EVENT",
    "NAMESPACE",
    "NAME",
    "READY",
    "STATUS",
    "RESTARTS",
    "AGE",
    "IPS",
    "IP",
    "NODE SELECTOR",
    "NODE-SELECTOR",
    "NODE",
    "NOMINATED NODE",
    "READINESS GATES",
    "LABELS",
    "DESIRED",
    "CURRENT",
    "UPDATED_READY",
    "UPDATED_AVAILABLE",
    "UPDATED",
    "TOTAL",
    "UP-TO-DATE",
    "AVAILABLE",
    "CONTAINERS",
    "CONTAINER-RUNTIME",
    "IMAGES",
    "SELECTOR",
    "VOLUMEATTRIBUTESCLASS",
    "VOLUMEMODE",
    "VOLUME",
    "CAPACITY",
    "ACCESS MODES",
    "ACCESSMODES",
    "RECLAIM POLICY",
    "RECLAIMPOLICY",
    "CLAIM",
    "STORAGECLASS",
    "ROLES",
    "VERSION",
    "INTERNAL-IP",
    "EXTERNAL-IP",
    "OS-IMAGE",
    "KERNEL-VERSION",
    "LAST SEEN",
    "LASTSEEN",
    "FIRST SEEN",
    "FIRSTSEEN",
    "TYPE",
    "REASON",
    "OBJECT",
    "SUBOBJECT",
    "SOURCE",
    "MESSAGE",
    "COUNT",
    "COMPLETIONS",
    "KIND",
    "CLUSTER-IP",
    "PORT(S)",
    "CONTROLLER",
    "REVISION",
    "CONTROLLER-REVISION-HASH",
    "POD-TEMPLATE-HASH",
    "MINPODS",
    "SCHEDULE",
    "ALLOWED DISRUPTIONS",
    "HOSTS",
    "ENDPOINTS",
    "DATA",
];

/// What k9s writes behind the title that its table is sorted by.
const SORTED: [char; 2] = ['↑', '↓'];

/// The titles of a line, if it is the first of a table.
pub(in super::super) fn titles(text: &str) -> Option<Vec<Title>> {
    let first = text.trim_start();
    if !["NAME", "EVENT ", "LAST SEEN", "LASTSEEN", "FIRST SEEN", "FIRSTSEEN"]
        .iter()
        .any(|title| first.starts_with(title))
        || text.len() - first.len() > 3
    {
        return None;
    }
    let mut all = Vec::new();
    let (mut rest, mut at) = (first, text.chars().count() - first.chars().count());
    while !rest.is_empty() {
        // A column of another kind has a title that is not known here.
        let ends = |after: &str| {
            let after = after.trim_start_matches(SORTED);
            after.is_empty() || after.starts_with([' ', '\t'])
        };
        let known = TITLES.iter().find(|title| rest.strip_prefix(**title).is_some_and(ends));
        let length = known.map_or_else(|| rest.find([' ', '\t']).unwrap_or(rest.len()), |title| title.len());
        let word = rest[..length].trim_end_matches(SORTED);
        let is_title = |letter: char| letter.is_ascii_uppercase() || "-()_/%0123456789".contains(letter);
        if !word.chars().all(|letter| letter == ' ' || is_title(letter)) {
            return None;
        }
        let after = rest[word.len()..].trim_start_matches(SORTED).trim_start();
        all.push((known.copied().unwrap_or("?"), at, at + word.len()));
        at += rest[..rest.len() - after.len()].chars().count();
        rest = after;
    }
    (all.len() > 1).then_some(all)
}

/// Whether a line goes on with the titles of the one before, where a terminal broke it: it has nothing else.
pub(super) fn goes_on_with_titles(text: &str) -> bool {
    let is_title = |letter: char| letter.is_ascii_uppercase() || " -()_%".contains(letter);
    text.contains(|letter: char| letter.is_ascii_uppercase()) && text.chars().all(is_title) && titles(text).is_none()
}

/// Where a character stands in a text.
fn byte_of(text: &str, character: usize) -> usize {
    text.char_indices().nth(character).map_or(text.len(), |(at, _)| at)
}

/// The cells of a row under these titles; none if it cannot be told which is which.
pub(super) fn row<'t>(titles: &[Title], text: &'t str) -> Option<Cells<'t>> {
    // A rule between the titles and the rows.
    if text.chars().all(|letter| "-= ".contains(letter)) {
        return None;
    }
    let named = |cells: Vec<&'t str>| Cells(titles.iter().map(|(title, ..)| *title).zip(cells).collect());
    if let Some(cells) = by_place(titles, text) {
        return Some(named(cells));
    }
    let apart = by_blanks(text, titles.len());
    if apart.len() == titles.len() {
        return Some(named(apart));
    }
    let words = words(text, titles);
    if words.len() == titles.len() {
        return Some(named(words));
    }
    by_nearest(titles, text, &apart).map(named)
}

/// A row that lost or won so many blanks by hand is one still.
const OFF: usize = 2;

/// Cells each of which begins nearly under its title, where some have nothing under them.
fn by_nearest<'t>(titles: &[Title], text: &'t str, apart: &[&'t str]) -> Option<Vec<&'t str>> {
    let mut cells = vec![""; titles.len()];
    let mut free = 0;
    for cell in apart {
        let start = text[..cell.as_ptr().addr() - text.as_ptr().addr()].chars().count();
        let at = free + titles[free..].iter().position(|(_, title, _)| title.abs_diff(start) <= OFF)?;
        cells[at] = cell;
        free = at + 1;
    }
    (apart.len() > 1).then_some(cells)
}

/// Each cell begins under its title, as kubectl aligns them.
fn by_place<'t>(titles: &[Title], text: &'t str) -> Option<Vec<&'t str>> {
    let starts: Vec<usize> = titles.iter().map(|(_, start, _)| byte_of(text, *start)).collect();
    let is_apart = |(index, start): (usize, &usize)| {
        let before = &text[..*start];
        index == 0 || before.is_empty() || *start == text.len() || before.ends_with([' ', '\t'])
    };
    if text.contains('\t') || !starts.iter().enumerate().all(is_apart) {
        return None;
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let cells: Vec<&str> = starts.iter().zip(ends).map(|(start, end)| text[*start..end.max(*start)].trim()).collect();
    // Two cells under one title: the row is not aligned with them.
    let last = cells.len() - 1;
    let is_one = |cell: &str| !cell.contains("  ");
    let is_whole = titles.iter().zip(&cells).enumerate().all(|(at, (_, cell))| at == last || is_one(cell));
    (is_whole && !cells.first()?.is_empty()).then_some(cells)
}

/// Cells with two blanks or a tab between; the last one may have such.
pub(super) fn by_blanks(text: &str, most: usize) -> Vec<&str> {
    let mut cells = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let end = [rest.find("  "), rest.find('\t')].into_iter().flatten().min();
        let end = end.filter(|_| cells.len() + 1 < most).unwrap_or(rest.len());
        cells.push(rest[..end].trim());
        rest = rest[end..].trim_start();
    }
    cells
}

/// Cells with one blank between, as where a text has lost the others; what is in brackets belongs to the word before.
fn words<'t>(text: &'t str, titles: &[Title]) -> Vec<&'t str> {
    let mut cells: Vec<&'t str> = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let is_last = cells.len() + 1 == titles.len();
        let takes_brackets =
            titles.get(cells.len()).is_some_and(|(title, ..)| ["RESTARTS", "LAST SEEN"].contains(title));
        let mut end = if is_last { rest.len() } else { rest.find(' ').unwrap_or(rest.len()) };
        if takes_brackets && rest[end..].starts_with(" (") {
            end = rest.find(')').map_or(end, |end| end + 1);
        }
        cells.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::{row, titles};

    #[track_caller]
    fn reads(table: &str, title: &str, want: &[&str]) {
        let mut lines = table.lines();
        let titles = titles(lines.next().unwrap()).unwrap();
        let cell = |line| {
            let cells = row(&titles, line).unwrap().0;
            cells.into_iter().find(|(own, _)| *own == title).unwrap().1
        };
        assert_eq!(lines.map(cell).collect::<Vec<_>>(), want, "{table}");
    }

    #[test]
    fn cells_are_found_however_they_are_set() {
        let pods = "NAME    READY   STATUS             RESTARTS         AGE\nweb-0   1/1     Running            0                5d\nweb-1   0/1     CrashLoopBackOff   837 (2m4s ago)   3d1h\n";
        reads(pods, "RESTARTS", &["0", "837 (2m4s ago)"]);
        reads(pods, "AGE", &["5d", "3d1h"]);
        let claims = "NAME   STATUS    VOLUME   CAPACITY   ACCESS MODES   STORAGECLASS   AGE\nd-0    Bound     pvc-1    1Gi        RWO            fast           5d\nd-1    Pending                                      fast           5m\n";
        reads(claims, "STORAGECLASS", &["fast", "fast"]);
        reads(claims, "VOLUME", &["pvc-1", ""]);
        let off = claims.replace(
            "Pending                                      fast",
            "Pending                                     fast",
        );
        reads(&off, "STORAGECLASS", &["fast", "fast"]);
        reads("NAME READY STATUS RESTARTS AGE\nweb-0 0/1 Error 3 (5m ago) 2d\n", "AGE", &["2d"]);
        reads("NAME\tREADY\tAGE\nweb\t2/3\t5d\n", "READY", &["2/3"]);
        // A later row of a watch is longer than the titles were set for.
        reads(
            "NAME    READY   STATUS    RESTARTS   AGE\nweb-0   0/1     ContainerCreating   0          3s\n",
            "STATUS",
            &["ContainerCreating"],
        );
        reads(
            "LAST SEEN   TYPE      REASON    OBJECT      MESSAGE\n2m          Warning   BackOff   pod/web-0   Back-off  restarting\n",
            "MESSAGE",
            &["Back-off  restarting"],
        );
        let screen = "NAMESPACE↑   NAME    PF  READY  STATUS   RESTARTS  CPU  %CPU/R  AGE\nshop         web-0   ●   0/1    Error    61        0    n/a     5h2m\n";
        reads(screen, "READY", &["0/1"]);
        reads(screen, "AGE", &["5h2m"]);
        assert!(titles("NAME is what I call it").is_none());
    }
}
