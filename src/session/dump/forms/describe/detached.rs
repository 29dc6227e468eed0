//! Events that were cut off from the description of their pod: whose they are.

use super::super::key;
use super::super::tree::Tree;
use super::entry::{Entry, find};

/// The namespace, as far as it is told, and the name of the pod that events are of: one that a message names, or else the only one before
/// them.
pub(super) fn pod(all: &[Entry<'_>], trees: &[Tree]) -> Option<(Option<String>, String)> {
    let rows = || find(all, "Events").into_iter().flat_map(|events| &events.children);
    let known = |name: &str| trees.iter().map(|tree| key(&tree.value)).find(|own| own[0] == "Pod" && own[2] == name);
    if let Some((space, name)) = rows().find_map(|row| named(row.line.text)) {
        let space = known(name).map_or(space, |[_, space, _]| space);
        return Some((Some(space).filter(|space| !space.is_empty()).map(str::to_owned), name.to_owned()));
    }
    let mut pods = trees.iter().map(|tree| key(&tree.value)).filter(|own| own[0] == "Pod");
    let [_, space, name] = pods.next().filter(|_| pods.next().is_none())?;
    Some((Some(space).filter(|space| !space.is_empty()).map(str::to_owned), name.to_owned()))
}

/// The namespace and the name of a pod in the words of the scheduler: `Successfully assigned shop/web-0 to node-a`; or of a kubelet:
/// `pod "web-0_shop(4f6c)"`.
fn named(text: &str) -> Option<(&str, &str)> {
    let of_scheduler = || text.split_once("Successfully assigned ")?.1.split_once(" to ")?.0.split_once('/');
    let of_kubelet = || {
        let (name, rest) = text.split_once(" pod \"")?.1.split_once('_')?;
        Some((rest.split_once('(')?.0, name))
    };
    let is_name =
        |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte));
    of_scheduler().or_else(of_kubelet).filter(|(space, name)| is_name(space) && is_name(name))
}
