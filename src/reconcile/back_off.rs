//! How long a node is left without a pod after its pods failed. Models Backoff of client-go's util/flowcontrol/backoff.go.

use crate::objects::Time;
use std::collections::BTreeMap;
use std::time::Duration;

const FIRST: Duration = Duration::from_secs(1);
const MAX_WAIT: Duration = Duration::from_secs(15 * 60);

/// Waiting times by key: 1 s, doubled each time up to 15 min, and forgotten after twice that.
#[derive(Clone, Debug, Default)]
pub struct BackOff(BTreeMap<String, (Duration, Time)>);

impl BackOff {
    /// Puts a waiting time in, as of a moment.
    pub fn set(&mut self, key: &str, wait: Duration, since: Time) {
        self.0.insert(key.to_owned(), (wait, since));
    }

    /// The waiting time, if it has not passed.
    pub(super) fn current(&self, key: &str, now: Time) -> Option<Duration> {
        let (wait, since) = self.0.get(key)?;
        let passed = elapsed(*since, now);
        (passed <= MAX_WAIT * 2 && passed < *wait).then_some(*wait)
    }

    /// Starts the next waiting time.
    pub(super) fn next(&mut self, key: &str, now: Time) {
        let entry = self.0.get(key).filter(|(_, since)| elapsed(*since, now) <= MAX_WAIT * 2);
        let wait = entry.map_or(FIRST, |(wait, _)| (*wait * 2).min(MAX_WAIT));
        self.set(key, wait, now);
    }
}

fn elapsed(since: Time, now: Time) -> Duration {
    Duration::from_millis(u64::try_from(now.0 - since.0).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_doubles_up_to_a_quarter_of_an_hour_and_is_forgotten_after_half_an_hour() {
        let (mut back_off, mut now) = (BackOff::default(), Time(0));
        assert_eq!(back_off.current("node", now), None);
        for seconds in [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900] {
            back_off.next("node", now);
            assert_eq!(back_off.current("node", now), Some(Duration::from_secs(seconds)));
            now = Time(now.0 + i64::try_from(seconds).unwrap() * 1000);
            assert_eq!(back_off.current("node", now), None);
        }
        now = Time(now.0 + 30 * 60 * 1000);
        back_off.next("node", now);
        assert_eq!(back_off.current("node", now), Some(Duration::from_secs(1)));
    }
}
