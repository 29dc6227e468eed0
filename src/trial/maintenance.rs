//! The lines of maintenance: nodes drained, some at a time, and back after a while.

/// How nodes are drained.
#[derive(Clone, Copy, Debug)]
pub struct Maintenance {
    /// How many are drained at once.
    pub at_once: usize,
    /// How long after that they take pods again, in milliseconds; none if they stay cordoned.
    pub back: Option<i64>,
    /// kubectl's timeout in milliseconds; none if it asks for ever.
    pub timeout: Option<i64>,
    /// Whether pods go too that nothing owns.
    pub force: bool,
}

impl Maintenance {
    /// The lines, as one types them.
    pub fn lines(self, nodes: &[String]) -> Vec<String> {
        nodes.chunks(self.at_once.max(1)).flat_map(|nodes| self.of(&nodes.join(" "))).collect()
    }

    fn of(self, nodes: &str) -> Vec<String> {
        let seconds = |ms: i64| ms.saturating_add(999) / 1_000;
        let timeout = self.timeout.map(|ms| format!(" --timeout={}s", seconds(ms))).unwrap_or_default();
        let force = if self.force { " --force" } else { "" };
        let mut lines =
            vec![format!("kubectl drain {nodes} --ignore-daemonsets --delete-emptydir-data{force}{timeout}")];
        if let Some(back) = self.back {
            lines.extend([format!("sleep {}", seconds(back)), format!("kubectl uncordon {nodes}")]);
        }
        lines
    }
}
