//! The outline of a description: titles, what stands beside them, and what stands further in below.

use super::super::tree::Line;

/// A title, or a line that has none.
#[derive(Debug)]
pub(super) struct Entry<'t> {
    /// Empty where a line has none.
    pub(super) title: &'t str,
    pub(super) value: &'t str,
    /// The whole line.
    pub(super) line: Line<'t>,
    /// Further lines of the value.
    pub(super) more: Vec<Line<'t>>,
    pub(super) children: Vec<Entry<'t>>,
    indent: usize,
    /// Where the value begins.
    column: usize,
}

/// No description is nested further.
const DEEPEST: usize = 12;

/// The entry of a title.
pub(super) fn find<'e, 't>(all: &'e [Entry<'t>], title: &str) -> Option<&'e Entry<'t>> {
    all.iter().find(|entry| entry.title == title)
}

/// Words that nobody's message has alone before a colon at the left: the titles of descriptions.
const TITLES: [&str; 66] = [
    "Name",
    "Namespace",
    "Priority",
    "Priority Class Name",
    "PriorityClassName",
    "Runtime Class Name",
    "Service Account",
    "Node",
    "Start Time",
    "Labels",
    "Annotations",
    "Status",
    "Termination Grace Period",
    "Reason",
    "Message",
    "SeccompProfile",
    "IP",
    "IPs",
    "Controlled By",
    "Init Containers",
    "Containers",
    "Ephemeral Containers",
    "Readiness Gates",
    "Conditions",
    "Volumes",
    "QoS Class",
    "Node-Selectors",
    "Tolerations",
    "Topology Spread Constraints",
    "Events",
    "CreationTimestamp",
    "Selector",
    "Replicas",
    "Update Strategy",
    "Pods Status",
    "Pod Template",
    "Volume Claims",
    "StrategyType",
    "MinReadySeconds",
    "RollingUpdateStrategy",
    "OldReplicaSets",
    "NewReplicaSet",
    "Node-Selector",
    "Desired Number of Nodes Scheduled",
    "Current Number of Nodes Scheduled",
    "Number of Nodes Scheduled with Up-to-date Pods",
    "Number of Nodes Scheduled with Available Pods",
    "Number of Nodes Misscheduled",
    "StorageClass",
    "Volume",
    "Finalizers",
    "Capacity",
    "Access Modes",
    "VolumeMode",
    "Used By",
    "Mounted By",
    "Roles",
    "Taints",
    "Unschedulable",
    "Lease",
    "Addresses",
    "Allocatable",
    "System Info",
    "PodCIDR",
    "Non-terminated Pods",
    "Allocated resources",
];
/// What else may stand at the left.
const OTHERS: [&str; 8] = [
    "PodCIDRs",
    "ProviderID",
    "Security Context",
    "Host Users",
    "DataSource",
    "Pod Management Policy",
    "Resource Claims",
    "Nominated Node Name",
];

/// The title of a line, and what stands beside it.
fn titled(text: &str) -> Option<(&str, &str)> {
    let inner = text.trim_start();
    let at = inner.char_indices().find(|(at, letter)| {
        *letter == ':' && inner[at + 1..].chars().next().is_none_or(|next| next == ' ' || next == '\t')
    });
    let (at, _) = at?;
    let title = &inner[..at];
    (!title.is_empty() && !title.contains("  ")).then(|| (title, inner[at + 1..].trim()))
}

/// The entries of a description.
pub(super) fn entries<'t>(lines: &[Line<'t>]) -> Vec<Entry<'t>> {
    let mut root: Vec<Entry<'t>> = Vec::new();
    for line in lines {
        let indent = line.indent();
        // What is further in than anything but a value goes on with it; and a message may go on at the left.
        let own = titled(line.text);
        let is_title = |title: &str| TITLES.contains(&title) || OTHERS.contains(&title);
        let is_stray = indent == 0 && !own.is_some_and(|(title, _)| is_title(title));
        if line.is_blank() {
            continue;
        }
        let last = last(&mut root);
        if let Some(last) = last
            && (is_stray || indent > last.indent + 2 && indent == last.column && !last.value.is_empty())
        {
            last.more.push(*line);
            continue;
        }
        let (title, value) = own.unwrap_or(("", line.text.trim()));
        let column = line.text.len() - value.len();
        let entry = Entry { title, value, line: *line, more: Vec::new(), children: Vec::new(), indent, column };
        place(&mut root, entry, 0);
    }
    root
}

/// The entry that was read last, however far in.
fn last<'e, 't>(all: &'e mut Vec<Entry<'t>>) -> Option<&'e mut Entry<'t>> {
    let entry = all.last_mut()?;
    if entry.children.is_empty() { Some(entry) } else { last(&mut entry.children) }
}

/// Puts an entry under the last one that it is further in than.
fn place<'t>(all: &mut Vec<Entry<'t>>, entry: Entry<'t>, depth: usize) {
    match all.last_mut() {
        Some(last) if entry.indent > last.indent && depth < DEEPEST => place(&mut last.children, entry, depth + 1),
        _ => all.push(entry),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::tree::Line;
    use super::{entries, find};

    #[test]
    fn titles_hold_what_is_further_in() {
        let text = "Name:         web-0\nLabels:       app=web\n              tier=db\nContainers:\n  web:\n    State:          Terminated\n      Reason:       Error\n      Message:      panic: no\ngoroutine 1 [running]:\nmain.main()\n\n    Ready:          False\nEvents:\n  Type     Reason   Age  From  Message\n  Normal   Pulled   5s   kubelet  Pulled: image\n";
        let lines: Vec<Line<'_>> =
            text.lines().enumerate().map(|(at, text)| Line { number: at + 1, at: 0, text }).collect();
        let all = entries(&lines);
        assert_eq!(all.iter().map(|entry| entry.title).collect::<Vec<_>>(), ["Name", "Labels", "Containers", "Events"]);
        assert_eq!(find(&all, "Labels").unwrap().more.len(), 1);
        let web = &find(&all, "Containers").unwrap().children[0];
        let state = find(&web.children, "State").unwrap();
        assert_eq!(find(&state.children, "Message").unwrap().more.len(), 2);
        assert_eq!(find(&web.children, "Ready").unwrap().value, "False");
        assert_eq!(find(&all, "Events").unwrap().children.len(), 2);
    }
}
