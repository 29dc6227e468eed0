//! The objects that the kubelet's words name where one is not there.

use super::kept::Kept;
use super::read::Event;
use crate::objects::Pod;
use std::rc::Rc;

/// What messages call a kind, and the kind.
const KINDS: [(&str, &str); 6] = [
    ("configmap", "ConfigMap"),
    ("secret", "Secret"),
    ("persistentvolumeclaim", "PersistentVolumeClaim"),
    ("serviceaccount", "ServiceAccount"),
    ("runtimeclass", "RuntimeClass"),
    ("priorityclass", "PriorityClass"),
];

/// The kind and name of what a message says is not there, or lacks a key, such as `configmap "peers" not found`,
/// `couldn't find key url in Secret prod/db`, `serviceaccounts "app" not found`.
pub(super) fn object_in(message: &str) -> Option<(Rc<str>, Rc<str>)> {
    let lower = message.to_ascii_lowercase();
    let is_missing = ["not found", "couldn't find key", "non-existent", "not registered", "does not exist"];
    if !is_missing.iter().any(|words| lower.contains(words)) {
        return None;
    }
    let found = KINDS.iter().filter_map(|(word, kind)| {
        let at = lower.rfind(word)?;
        let name = name_after(&message[at + word.len()..]).filter(|name| !UNNAMED.contains(name))?;
        Some((at, *kind, name))
    });
    let (_, kind, name) = found.max_by_key(|(at, ..)| *at)?;
    Some((kind.into(), name.into()))
}

/// What stands behind a kind where the kubelet names a key and not the object, as pkg/volume/configmap and pkg/volume/secret do.
const UNNAMED: [&str; 2] = ["references", "key"];

/// The same of a pod's volume: the object that the volume is made of, where the message names the volume alone, such as
/// `MountVolume.SetUp failed for volume "etc" : configmap references non-existent config key: a`.
pub(super) fn object_of(pod: &Pod, message: &str) -> Option<(Rc<str>, Rc<str>)> {
    object_in(message).or_else(|| {
        let (kind, source, name) = match message.split_once("non-existent ")?.1 {
            rest if rest.starts_with("config key") => ("ConfigMap", "configMap", "name"),
            rest if rest.starts_with("secret key") => ("Secret", "secret", "secretName"),
            _ => return None,
        };
        let volume = message.split_once("for volume \"")?.1.split('"').next()?;
        let volume = pod.spec.volumes.iter().find(|own| *own.name == *volume)?;
        let of_one = || volume.extra.get(source)?.get(name)?.as_str();
        let of_several = || {
            let sources = volume.extra.get("projected")?.get("sources")?.as_array()?;
            let mut names = sources.iter().filter_map(|one| one.get(source)?.get("name")?.as_str());
            names.next().filter(|_| names.next().is_none())
        };
        Some((kind.into(), of_one().or_else(of_several)?.into()))
    })
}

/// Whether a registry says that it does not have an image.
pub(super) fn is_no_image(message: &str) -> bool {
    ["code = NotFound", "manifest unknown", "not found: manifest"].iter().any(|words| message.contains(words))
}

/// Whether a message says that an object lacks a key, and not that it is not there.
pub(super) fn lacks_key(message: &str) -> bool {
    message.contains("find key ") || message.contains("non-existent") && message.contains(" key")
}

/// Whether the text has the object that a message says is not there. That it lacks a key its being there does not mend.
pub(super) fn is_there(kept: &[Kept], namespace: &str, message: &str) -> bool {
    there(kept, namespace, message).is_some()
}

fn there<'a>(kept: &'a [Kept], namespace: &str, message: &str) -> Option<&'a Kept> {
    let (kind, name) = object_in(message).filter(|_| !lacks_key(message))?;
    kept.iter().find(|one| *one.kind == *kind && *one.name == *name && *one.namespace == *namespace)
}

/// The reason of what is told as an event here: the text has the object now that a pod waited for.
pub const CAME: &str = "ObjectCame";

/// When the objects were made that events about pods, or refusals of pods, say are not there.
pub(super) fn came(events: &[Event], kept: &[Kept]) -> Vec<Event> {
    let is_refusal = |event: &Event| &*event.reason == "FailedCreate";
    let came = events.iter().filter(|event| &*event.kind == "Pod" || is_refusal(event)).filter_map(|event| {
        let made = there(kept, &event.namespace, &event.message)?.made?;
        // A refusal that was said since is of something else.
        if is_refusal(event) && made < event.last {
            return None;
        }
        Some(Event { reason: CAME.into(), count: 1, first: made, last: made, ..event.clone() })
    });
    came.collect()
}

/// The name in `s "app" not found`, in ` prod/db`, in ` "prod"/"db" not registered`.
fn name_after(rest: &str) -> Option<&str> {
    // A plural, or the group that follows it. What goes on otherwise is a longer word, such as a driver's name.
    let rest = rest.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric() || letter == '.');
    let word = rest.strip_prefix(' ')?.trim_start().split([' ', ',', ';', ':']).next()?;
    let name = word.rsplit('/').next()?.trim_matches(['"', '\'']);
    let is_name = |name: &&str| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'))
    };
    Some(name).filter(is_name)
}

#[cfg(test)]
mod tests {
    use super::object_in;

    #[test]
    fn messages_name_what_is_missing() {
        let named = |message| object_in(message).map(|(kind, name)| format!("{kind}/{name}"));
        let is = |message, want: &str| assert_eq!(named(message).as_deref(), Some(want), "{message}");
        is(
            "MountVolume.SetUp failed for volume \"genesis\" : configmap \"chain-genesis\" not found",
            "ConfigMap/chain-genesis",
        );
        is("secret \"db\" not found", "Secret/db");
        is("couldn't find key url in Secret prod/db", "Secret/db");
        is(
            "MountVolume.SetUp failed for volume \"c\" : object \"prod\"/\"ca\" not registered, secret \"ca\" not found",
            "Secret/ca",
        );
        is(
            "pods \"a-\" is forbidden: error looking up service account prod/app: serviceaccount \"app\" not found",
            "ServiceAccount/app",
        );
        is("references non-existent secret key: tls.crt, secret \"web\"", "Secret/web");
        assert_eq!(named("configmap references non-existent config key: a"), None);
        assert_eq!(named("references non-existent secret key: tls.crt"), None);
        is("runtimeclasses.node.k8s.io \"gvisor\" not found", "RuntimeClass/gvisor");
        let driver = "driver name secrets-store.csi.k8s.io not found in the list of registered CSI drivers";
        assert_eq!(named(driver), None);
        assert_eq!(named("back-off 5m0s restarting failed container"), None);
        assert_eq!(named("rpc error: code = NotFound: registry.example/app:9: not found"), None);
    }
}
