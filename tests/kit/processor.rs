//! How long something takes this thread, whatever other programs do meanwhile.
#![allow(clippy::disallowed_types, reason = "it measures the machine")]

use std::fs::File;
use std::io::{Read, Seek};
use std::time::{Duration, Instant};

/// What the processor spent on this thread. Where the system does not tell (only Linux does), all time counts.
pub(crate) struct Processor {
    spent: Option<File>,
    began: Instant,
}

impl Processor {
    pub(crate) fn of_this_thread() -> Self {
        Self { spent: File::open("/proc/thread-self/schedstat").ok(), began: Instant::now() }
    }

    /// What it has spent so far.
    pub(crate) fn spent(&mut self) -> Duration {
        let Some(file) = &mut self.spent else { return self.began.elapsed() };
        let mut text = [0; 64];
        file.rewind().unwrap();
        let length = file.read(&mut text).unwrap();
        let text = std::str::from_utf8(&text[..length]).unwrap();
        Duration::from_nanos(text.split(' ').next().unwrap().parse().unwrap())
    }

    /// What it spends on `act`.
    pub(crate) fn spends(&mut self, act: impl FnOnce()) -> Duration {
        let before = self.spent();
        act();
        self.spent() - before
    }
}
