//! What several tests need: the scenarios of www/scenarios, and links as www/host.js packs and unpacks them.
#![allow(clippy::unwrap_used, reason = "a test")]
#![allow(dead_code, unused_imports, reason = "each test uses its part")]

mod starters;
mod terminal;

pub(crate) use starters::{WEB, daemon_set, deployment, image, in_place, start, starter, under};
pub(crate) use terminal::{give, pod, reference, says, settle, shown, web};

use flate2::Compression;
use flate2::read::{DeflateDecoder, DeflateEncoder};
use std::fs;
use std::io::Read;
use std::path::PathBuf;

const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/// Bytes that a link may unfold to.
const LIMIT: u64 = 256 * 1024;

pub(crate) fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Name and text of every scenario of one run.
pub(crate) fn presets() -> Vec<(String, String)> {
    files("www/scenarios", false)
}

/// Name and text of every scenario of several runs side by side.
pub(crate) fn comparisons() -> Vec<(String, String)> {
    files("www/scenarios", true)
}

/// Name and text of every scenario that shows a difference between releases.
pub(crate) fn releases() -> Vec<(String, String)> {
    files("www/scenarios/releases", false)
}

/// web.yaml is the manifest that the page starts with.
fn files(place: &str, with_lanes: bool) -> Vec<(String, String)> {
    let files = fs::read_dir(folder(place)).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<_> = files
        .filter(|path| path.extension().is_some_and(|end| end == "yaml") && !path.ends_with("web.yaml"))
        .map(|path| (path.file_stem().unwrap().to_str().unwrap().to_owned(), fs::read_to_string(&path).unwrap()))
        .filter(|(_, text)| text.contains("\nlanes:\n") == with_lanes)
        .collect();
    found.sort();
    found
}

/// The fragment of a link.
pub(crate) fn pack(text: &str) -> String {
    let mut bytes = Vec::new();
    DeflateEncoder::new(text.as_bytes(), Compression::default()).read_to_end(&mut bytes).unwrap();
    let mut packed = "1.".to_owned();
    for group in bytes.chunks(3) {
        let bits = (0..3).fold(0, |bits, at| bits << 8 | u32::from(*group.get(at).unwrap_or(&0)));
        for at in 0..=group.len() {
            packed.push(LETTERS[(bits >> (18 - 6 * at)) as usize & 63].into());
        }
    }
    packed
}

/// The text of a fragment, if it is a sound one of version 1.
pub(crate) fn unpack(fragment: &str) -> Option<String> {
    let body = fragment.strip_prefix("1.")?;
    let mut bytes = Vec::new();
    for group in body.as_bytes().chunks(4) {
        let mut bits = 0;
        for at in 0..4 {
            let letter = group.get(at).map_or(Some(0), |own| LETTERS.iter().position(|letter| letter == own))?;
            bits = bits << 6 | letter;
        }
        bytes.extend((0..group.len() * 6 / 8).map(|at| u8::try_from(bits >> (16 - 8 * at) & 255).unwrap()));
    }
    let mut text = String::new();
    DeflateDecoder::new(&*bytes).take(LIMIT + 1).read_to_string(&mut text).ok()?;
    (text.len() as u64 <= LIMIT).then_some(text)
}
