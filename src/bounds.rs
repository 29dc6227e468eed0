//! What a text, a scenario or a person may ask for at most. Each bound is told where it is met, before it hurts: beyond it time or memory
//! would be no longer what people expect. docs/bounds.md is made of this table, and `tests/bounds.rs` has for each row what goes beyond it.

/// Whether this is a page, whose addresses have 32 bits, and which people wait for.
pub(crate) const IN_PAGE: bool = usize::BITS <= 32;

/// A bound.
pub struct Bound {
    /// Of what.
    pub of: &'static str,
    /// How many the command takes.
    pub native: u64,
    /// How many a page takes.
    pub page: u64,
    /// What becomes of more.
    pub beyond: Beyond,
}

/// What becomes of what goes beyond a bound.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Beyond {
    /// It is refused in one line.
    Refused,
    /// It is left out, which stands under "Assumed", and is not known.
    LeftOut,
    /// It is followed so far, and then not known.
    NotKnown,
}

impl Beyond {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::LeftOut => "left out and said to be not known",
            Self::NotKnown => "not known, with how far it was followed",
        }
    }
}

impl Bound {
    /// How many are taken here.
    pub const fn most(&self) -> u64 {
        if IN_PAGE { self.page } else { self.native }
    }
}

macro_rules! bounds {
    ($($name:ident: $of:literal, $native:expr, $page:expr, $beyond:ident;)+) => {
        $(#[doc = $of] pub const $name: Bound = Bound { of: $of, native: $native, page: $page, beyond: Beyond::$beyond };)+
        /// Every bound.
        pub const ALL: [&Bound; [$($native as u64),+].len()] = [$(&$name),+];
    };
}

const MIB: u64 = 1 << 20;
const NONE: u64 = 0;

bounds! {
    TEXT: "Bytes of a text, a file or a pipe", 64 * MIB, 20 * MIB, Refused;
    FILES: "Files of a folder or an archive", 50_000, NONE, Refused;
    UNPACKED: "Bytes of an archive, unpacked", 2_048 * MIB, NONE, Refused;
    FOLDERS: "Folders in one another", 16, NONE, Refused;
    REPLICAS: "Replicas of one workload", 20_000, 2_000, Refused;
    REPLICAS_OF_TEXT: "Replicas of one workload of a cluster's text", 20_000, 2_000, LeftOut;
    REPLICAS_TOGETHER: "Replicas of all workloads together", 20_000, 20_000, Refused;
    NODES: "Nodes of `rollout --nodes`", 5_000, NONE, Refused;
    SCENARIO_REPLICAS: "Replicas of a workload of a scenario, a link or a comparison", 1_000, 1_000, Refused;
    SCENARIO_NODES: "Nodes of a scenario or a link", 100, 100, Refused;
    SCENARIO_PODS: "Pods of a scenario or a link at once", 5_000, 5_000, Refused;
    RUN_EVENTS: "Events and commands of a scenario, a link or `run --until`", 20_000, 20_000, Refused;
    RUN_SECONDS: "Seconds of a scenario, a link or `run --until`", 7 * 24 * 3_600, 7 * 24 * 3_600, Refused;
    EVENTS: "Events that a cluster's text is followed for, beside 60 for each pod", 20_000, 20_000, NotKnown;
    LOOKS: "Pods and nodes that controllers, the scheduler and who follows them look at for one question, each look counted", 50_000_000, 50_000_000, NotKnown;
    MADE: "Times that as many pods are made as there are or should be", 4, 4, NotKnown;
    TRIED: "Events for which all ways out of a text together are tried", 300_000, NONE, NotKnown;
    TEMPLATE_VALUES: "Values that a template of `-o jsonpath` looks at", 1_000_000, 1_000_000, Refused;
    TEMPLATE_BYTES: "Bytes that a template of `-o jsonpath` prints", 16 * MIB, 16 * MIB, Refused;
}
