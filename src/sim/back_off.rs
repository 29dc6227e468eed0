//! How long a kubelet waits before it tries a container again. Models pkg/util/flowcontrol/backoff.go.

use crate::objects::Time;

/// First back-off after a crash or a failed pull; it doubles up to the maximum.
const BACK_OFF_MS: i64 = 10_000;
const MAX_BACK_OFF_MS: i64 = 300_000;
/// From the start of a container that crashes to its crash.
pub(super) const CRASHES_AFTER_MS: i64 = 1_000;
/// From the end of a container that crashed for the first time to its next start.
const FIRST_RESTART_MS: i64 = 1_000;
/// A container that ran this long before it crashed starts its back-off anew.
pub(super) const BACK_OFF_RESET_MS: i64 = 600_000;

/// When a container is started again that has crashed so often in a row.
pub(super) fn restart_at(now: Time, crashes: u32) -> Time {
    match crashes.checked_sub(2) {
        None => Time(now.0 + FIRST_RESTART_MS),
        Some(failures) => back_off(now, failures),
    }
}

/// When it is tried again after so many failures before this one.
pub(super) fn back_off(now: Time, failures: u32) -> Time {
    Time(now.0 + (BACK_OFF_MS << failures.min(10)).min(MAX_BACK_OFF_MS))
}
