//! Names that somebody gave, each with its stand-in: part by part, so that what is put together from names stays put together
//! from them (`data-web-0`, `web-7d4f9`, `web-0.web.prod.svc`).
//!
//! Stand-ins are in the order of what they stand for, since controllers take pods and nodes by name where nothing else decides.
//! Ordinals stay. What a controller generated keeps its letters and its length.

use crate::objects::{CONTROLLER_MANAGER, SCHEDULER, Time};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::sync::LazyLock;

/// Words of Kubernetes' own messages, in small letters. Whatever else stands in a message is a name, or somebody's secret.
static WORDS: LazyLock<BTreeSet<&'static str>> =
    LazyLock::new(|| include_str!("words.txt").split_whitespace().collect());

/// Names that every cluster has, values of labels that controllers know, and what the simulation decides by: its own nodes, and the
/// storage classes that tie a volume to a place.
static PUBLIC: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
    let all = "None Normal PreparingDelete PreparingNormal PreparingUpdate Updated Updating amd64 arm64 controller-revision-hash default \
        default-scheduler false foregroundDeletion kube-node-lease kube-public kube-root-ca.crt kube-system latest linux local \
        metadata.name node-a node-b node-c orphan pod-template-generation pod-template-hash sha256 system-cluster-critical \
        system-node-critical true windows zonal";
    all.split_whitespace().collect()
});

/// Domains whose names are known to all. What stands after `node-role.` is somebody's.
const DOMAINS: [&str; 4] = ["kubernetes.io", "k8s.io", "x-k8s.io", "kruise.io"];
const ROLE: &str = "node-role.kubernetes.io/";
const ROLES: [&str; 3] = ["control-plane", "master", "worker"];

/// What the names of the control plane's own pods begin with, before their node's: whether they run decides what others wait for.
const PARTS: [&str; 2] = [CONTROLLER_MANAGER, SCHEDULER];

/// The letters of generated names (`SafeEncodeString` of apimachinery), in the order of names; there are at least five of them.
const GENERATED: &[u8] = b"2456789bcdfghjklmnpqrstvwxz";
const SHORTEST_GENERATED: usize = 5;

/// Units of quantities and durations, as in `10Gi` and `5m0s`.
const UNITS: &str = "smhdnupkKMGTPEi.%";

/// Names in the order of a text's objects: first all are seen ([`Names::see`]), then each has its stand-in.
#[derive(Default)]
pub(super) struct Names {
    parts: BTreeSet<String>,
    /// Whole names that were given to something.
    known: BTreeSet<String>,
    /// What ordinals follow: names of sets, and those of their claims.
    bases: BTreeSet<String>,
    stand_ins: Option<BTreeMap<String, String>>,
}

pub(super) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_ordinal(text: &str) -> bool {
    is_number(text) && text.len() <= 9 && (text == "0" || !text.starts_with('0'))
}

/// Numbers of a message that tell how many or how long. Longer ones may be accounts.
fn is_amount(text: &str) -> bool {
    let is_unit = |letter: char| letter.is_ascii_digit() || UNITS.contains(letter);
    text.len() <= 9 && text.starts_with(|letter: char| letter.is_ascii_digit()) && text.chars().all(is_unit)
}

fn is_part(letter: char) -> bool {
    letter.is_alphanumeric()
}

fn is_name(letter: char) -> bool {
    is_part(letter) || "-_.".contains(letter)
}

/// Words of messages behind which a name stands without quotes.
const NAMED_BEHIND: [&str; 3] = ["quota:", "name", "namespace"];

/// What the name of a volume that is attached begins with; its driver and, behind `^`, its handle follow.
const OF_CSI: &str = "kubernetes.io/csi/";

/// Whether a key, an image or a finalizer is of a domain that all know.
fn is_public(text: &str) -> bool {
    let Some((domain, _)) = text.split_once('/') else { return PUBLIC.contains(&text) };
    let is_known = DOMAINS
        .iter()
        .any(|known| domain.strip_suffix(known).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')));
    is_known && text.strip_prefix(ROLE).is_none_or(|role| ROLES.contains(&role))
}

/// Whether more than the version of a group stands behind it, as in `metrics.k8s.io/v1beta1-mine`.
fn is_behind_version(text: &str) -> bool {
    let behind = text.split_once('/').map_or("", |(_, behind)| behind);
    let number = |text: &str| text.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let Some(rest) = behind.strip_prefix('v').filter(|rest| number(rest) < rest.len()) else { return false };
    let rest = &rest[rest.len() - number(rest)..];
    let stage = ["alpha", "beta"].iter().find_map(|stage| rest.strip_prefix(stage));
    !rest.is_empty() && !stage.is_some_and(|stage| !stage.is_empty() && number(stage) == 0)
}

/// Replaces each run of letters that belong together.
fn each(text: &str, belongs: impl Fn(char) -> bool, mut replace: impl FnMut(&str, &str) -> String) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(&belongs) {
        let (before, from) = rest.split_at(start);
        let (own, after) = from.split_at(from.find(|letter| !belongs(letter)).unwrap_or(from.len()));
        out += before;
        out += &replace(own, before);
        rest = after;
    }
    out + rest
}

impl Names {
    /// Says what ordinals follow in the names of this object's pods and claims.
    pub(super) fn note_bases(&mut self, object: &Value) {
        let name = |value: &Value| value["metadata"]["name"].as_str().unwrap_or_default().to_owned();
        let own = name(object);
        let mut claims = object["spec"]["volumeClaimTemplates"].as_array().into_iter().flatten();
        if object["kind"] == "StatefulSet" {
            self.bases.extend(claims.by_ref().map(|claim| format!("{}-{own}", name(claim))));
            self.bases.insert(own.clone());
        }
        let owners = object["metadata"]["ownerReferences"].as_array().into_iter().flatten();
        let about = [&object["involvedObject"], &object["regarding"]];
        let sets = owners.chain(about).filter(|owner| owner["kind"] == "StatefulSet");
        self.bases.extend(sets.filter_map(|owner| Some(owner["name"].as_str()?.to_owned())));
        let is_of_set = !object["metadata"]["labels"]["statefulset.kubernetes.io/pod-name"].is_null();
        let volumes = object["spec"]["volumes"].as_array().into_iter().flatten();
        let claims = volumes.filter_map(|volume| volume["persistentVolumeClaim"]["claimName"].as_str());
        let named = claims.chain(is_of_set.then_some(own.as_str())).filter(|claim| claim.ends_with(&own));
        let base = |name: &str| Some(name.rsplit_once('-').filter(|(_, ordinal)| is_ordinal(ordinal))?.0.to_owned());
        if object["kind"] == "Pod" {
            self.bases.extend(named.filter_map(base));
        }
    }

    /// From here on names are replaced.
    pub(super) fn all_seen(&mut self) {
        let (all, mut width) = (GENERATED.len(), 1);
        while self.parts.len() > all.saturating_pow(width) {
            width += 1;
        }
        let code = |mut number: usize| {
            let mut letters = vec![b'n'];
            for _ in 0..width {
                letters.insert(1, GENERATED.get(number % all).copied().unwrap_or(b'z'));
                number /= all;
            }
            String::from_utf8(letters).unwrap_or_default()
        };
        let is_generated =
            |part: &str| part.len() >= SHORTEST_GENERATED && part.bytes().all(|letter| GENERATED.contains(&letter));
        let stand_in = |(number, part): (usize, &String)| {
            let code = code(number);
            let length = if is_generated(part) { part.len() } else { 0 };
            (part.clone(), format!("{code:x<length$}"))
        };
        self.stand_ins = Some(self.parts.iter().enumerate().map(stand_in).collect());
    }

    fn part(&mut self, part: &str) -> String {
        match &self.stand_ins {
            Some(stand_ins) => stand_ins.get(part).cloned().unwrap_or_else(|| "n".to_owned()),
            None => {
                self.parts.insert(part.to_owned());
                part.to_owned()
            }
        }
    }

    /// Names joined by dots and underscores.
    fn joined(&mut self, text: &str) -> String {
        each(
            text,
            |letter| is_part(letter) || letter == '-',
            |label, _| {
                let is_of = |part: &&str| label.strip_prefix(*part).is_some_and(|rest| rest.starts_with('-'));
                let (public, label) = label.split_at(PARTS.into_iter().find(is_of).map_or(0, str::len));
                let mut base = label;
                // A set may have the name of another one's pod.
                while let Some((before, at)) = base.rsplit_once('-')
                    && is_ordinal(at)
                    && self.bases.contains(before)
                {
                    base = before;
                }
                public.to_owned() + &each(base, is_part, |part, _| self.part(part)) + &label[base.len()..]
            },
        )
    }

    /// What somebody named, as the text of a field; `address` has the stand-ins of addresses.
    pub(super) fn name(&mut self, text: &str, address: &mut impl FnMut(&str) -> String) -> String {
        if let Some((driver, handle)) = text.strip_prefix(OF_CSI).and_then(|rest| rest.split_once('^')) {
            return format!("{OF_CSI}{}^{}", self.name(driver, address), self.name(handle, address));
        }
        if text.is_empty() || is_public(text) || Time::parse(text).is_some() {
            return text.to_owned();
        }
        if text.parse::<IpAddr>().is_ok() {
            return address(text);
        }
        self.known.insert(text.to_owned());
        each(
            text,
            |letter| !",=() ".contains(letter),
            |word, _| {
                if is_public(word) {
                    return word.to_owned();
                }
                each(word, is_name, |name, _| if PUBLIC.contains(&name) { name.to_owned() } else { self.joined(name) })
            },
        )
    }

    /// A message: the words that Kubernetes has stay.
    pub(super) fn message(&mut self, text: &str, address: &mut impl FnMut(&str) -> String) -> String {
        let is_word = |letter: char| !letter.is_whitespace() && !"\"'`()[]{}<>,;".contains(letter);
        let mut last = "".to_owned();
        each(text, is_word, |word, before| {
            let is_behind = NAMED_BEHIND.contains(&&*std::mem::replace(&mut last, word.to_owned()));
            let bare = word.trim_end_matches(['.', ':']);
            if bare.parse::<IpAddr>().is_ok() {
                return address(bare) + &word[bare.len()..];
            }
            // Behind a group and its version a path has names.
            let is_key = || bare.matches('/').count() == 1 && is_public(bare) && !is_behind_version(bare);
            if is_key() || Time::parse(bare).is_some() {
                return word.to_owned();
            }
            let is_quoted = before.ends_with(['"', '\'', '`']) || word.contains('/') || is_behind;
            each(word, is_name, |name, _| self.named(name, is_quoted, address))
        })
    }

    /// A word of a message without what stands around it.
    fn named(&mut self, text: &str, is_quoted: bool, address: &mut impl FnMut(&str) -> String) -> String {
        let name = text.trim_matches(['-', '_', '.']);
        let Some((before, after)) = text.split_once(name).filter(|_| !name.is_empty()) else { return text.to_owned() };
        let is_given = self.known.contains(name) && (is_quoted || name.contains(['-', '_', '.']));
        let is_word = name.to_ascii_lowercase().split('.').all(|word| WORDS.contains(word)) && !is_given;
        let own = match name.parse::<IpAddr>() {
            Ok(_) => address(name),
            Err(_) if is_word || is_amount(name) || is_public(name) => name.to_owned(),
            Err(_) => self.joined(name),
        };
        format!("{before}{own}{after}")
    }
}

#[cfg(test)]
mod tests {
    use super::super::PHRASES;
    use super::Names;
    use serde_json::json;

    #[test]
    fn what_is_read_of_messages_stays_in_them() {
        let mut names = Names::default();
        for phrase in PHRASES {
            assert_eq!(names.message(phrase, &mut |_| String::new()), phrase);
        }
    }

    #[test]
    fn what_is_put_together_from_names_stays_so() {
        let mut names = Names::default();
        names.note_bases(&json!({"kind": "StatefulSet", "metadata": {"name": "web"},
            "spec": {"volumeClaimTemplates": [{"metadata": {"name": "data"}}]}}));
        let all = [
            "web",
            "data-web-10",
            "web-7d4f9c",
            "web-0.web.prod.svc",
            "acme/web:1.25@sha256:0f3e",
            "10.0.0.7",
            "node-2",
        ];
        let message = r#"0/3 nodes are available: pods "web-0" of acme.example/x at 10.0.0.7:80 in 5m0s, limits.cpu=2"#;
        let mut address = |_: &str| "0.0.0.1".to_owned();
        for text in all {
            names.name(text, &mut address);
        }
        names.message(message, &mut address);
        names.all_seen();
        let mut told: Vec<String> = all.iter().map(|text| names.name(text, &mut address)).collect();
        told.push(names.message(message, &mut address));
        let told = told.join("\n");
        let web = told.lines().next().unwrap().to_owned();
        let told = told.replace(&web, "WEB");
        assert_eq!(
            told,
            "WEB\nn9-WEB-10\nWEB-n7xxxx\nWEB-0.WEB.nd.nf\nn8/WEB:n4.n6@sha256:n2\n0.0.0.1\nnc-n5\n\
            0/3 nodes are available: pods \"WEB-0\" of n8.nb/nh at 0.0.0.1:80 in 5m0s, limits.cpu=2"
        );
    }
}
