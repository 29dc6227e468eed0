//! A number, or a percentage of one: `maxUnavailable: 2`, `maxUnavailable: 20%`.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::rc::Rc;

/// apimachinery's IntOrString, as the workloads use it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum IntOrPercent {
    /// The number itself.
    Int(i32),
    /// Text such as `20%`; whether it is a percentage shows only when it is used.
    Text(Rc<str>),
}

impl fmt::Display for IntOrPercent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

/// Which way a percentage of a whole number is rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Round {
    /// To the next lower number.
    Down,
    /// To the next higher number.
    Up,
}

impl IntOrPercent {
    /// The number meant out of `total`; none for a text that is no whole percentage.
    /// Models GetScaledValueFromIntOrPercent of apimachinery's pkg/util/intstr/intstr.go.
    pub fn of(&self, total: i32, round: Round) -> Option<i32> {
        match self {
            Self::Int(number) => Some(*number),
            Self::Text(text) => {
                let percent: i32 = text.strip_suffix('%')?.parse().ok()?;
                Some(share(f64::from(percent), total, round))
            }
        }
    }
}

/// `percent` of `total`.
#[allow(clippy::cast_possible_truncation, reason = "a share of an i32, saturating where the percentage is absurd")]
pub(crate) fn share(percent: f64, total: i32, round: Round) -> i32 {
    let exact = percent * f64::from(total) / 100.0;
    match round {
        Round::Down => exact.floor() as i32,
        Round::Up => exact.ceil() as i32,
    }
}

#[cfg(test)]
mod tests {
    use super::{IntOrPercent, Round};

    #[test]
    fn a_percentage_is_rounded_either_way() {
        let percent = |text: &str| IntOrPercent::Text(text.into());
        assert_eq!(percent("20%").of(4, Round::Up), Some(1));
        assert_eq!(percent("20%").of(4, Round::Down), Some(0));
        assert_eq!(percent("20").of(4, Round::Up), None);
        assert_eq!(IntOrPercent::Int(7).of(4, Round::Up), Some(7));
    }
}
