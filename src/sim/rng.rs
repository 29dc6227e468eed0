//! Chance, handed in: one seeded SplitMix64 per actor. The algorithm is part of what a saved run means, so it is our own.

use std::rc::Rc;

const HEXADECIMAL: &[u8; 16] = b"0123456789abcdef";

/// A generator of 64-bit numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rng(u64);

impl Rng {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A generator for one actor, so that actors do not perturb each other.
    pub(super) fn fork(&mut self) -> Self {
        Self(self.next())
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// `duration` give or take a tenth.
    pub(super) fn around(&mut self, duration: i64) -> i64 {
        let spread = duration / 10;
        if spread == 0 {
            return duration;
        }
        let width = u64::try_from(2 * spread + 1).unwrap_or(1);
        duration - spread + i64::try_from(self.next() % width).unwrap_or(0)
    }

    /// A text with the look of a version 4 UUID.
    pub(super) fn uuid(&mut self) -> Rc<str> {
        let (high, low) = (self.next() & !0xf000 | 0x4000, self.next() & !(3 << 62) | 1 << 63);
        let bytes = high.to_be_bytes().into_iter().chain(low.to_be_bytes());
        let digits = bytes.flat_map(|byte| [byte >> 4, byte & 0xf]);
        let mut text = [b'-'; 36];
        for (at, digit) in (0..36).filter(|at| !matches!(at, 8 | 13 | 18 | 23)).zip(digits) {
            text[at] = HEXADECIMAL[usize::from(digit)];
        }
        String::from_utf8_lossy(&text).into()
    }
}

#[cfg(test)]
mod tests {
    use super::Rng;

    #[test]
    fn the_published_sequence_of_splitmix64_is_reproduced() {
        let mut rng = Rng::new(1_234_567);
        assert_eq!(
            [rng.next(), rng.next(), rng.next()],
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn a_uuid_is_of_version_4() {
        assert_eq!(&*Rng::new(1_234_567).uuid(), "599ed017-fb08-4c85-ac73-f08458540fa5");
    }
}
