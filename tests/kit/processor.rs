//! How long something takes this thread, whatever other programs do meanwhile.
#![allow(clippy::disallowed_types, reason = "it measures the machine")]

use std::time::Duration;

/// What the processor spends on this thread. Elsewhere than on Unix, all time counts.
///
/// `/proc/thread-self/schedstat` would tell it, too, but by ticks of some milliseconds: as long as all events of a small cluster.
pub(crate) struct Processor {
    #[cfg(not(unix))]
    began: std::time::Instant,
}

impl Processor {
    pub(crate) fn of_this_thread() -> Self {
        Self {
            #[cfg(not(unix))]
            began: std::time::Instant::now(),
        }
    }

    /// What it has spent so far.
    #[cfg(unix)]
    #[allow(clippy::unused_self, reason = "elsewhere it knows when it began")]
    pub(crate) fn spent(&self) -> Duration {
        let spent = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        Duration::try_from(spent).unwrap()
    }

    /// What it has spent so far.
    #[cfg(not(unix))]
    pub(crate) fn spent(&self) -> Duration {
        self.began.elapsed()
    }

    /// What it spends on `act`.
    pub(crate) fn spends(&self, act: impl FnOnce()) -> Duration {
        let before = self.spent();
        act();
        self.spent() - before
    }
}
