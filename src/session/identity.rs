//! Who is who in a text: an API server gives each object a uid of its own, but people take uids out, or give several objects one.

use crate::objects::{Kind, Object, OwnerReference};
use crate::text::Text;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The name of a kind, a namespace, and a name.
type Identity = (Rc<str>, Rc<str>, Rc<str>);

fn of_object(object: &Object) -> Identity {
    let metadata = object.metadata();
    (object.kind().title().into(), Rc::clone(&metadata.namespace), Rc::clone(&metadata.name))
}

/// Whom an object names as its owner. Owners of kinds that are not simulated may be of no namespace.
fn of_owner(owner: &OwnerReference, namespace: &Rc<str>) -> Identity {
    let kind = Kind::named(&owner.api_version, &owner.kind);
    let namespace = if kind.is_none_or(|kind| kind == Kind::Node) { Rc::default() } else { Rc::clone(namespace) };
    (kind.map_or_else(|| Rc::clone(&owner.kind), |kind| kind.title().into()), namespace, Rc::clone(&owner.name))
}

fn made_up((kind, namespace, name): &Identity) -> Rc<str> {
    format!("{kind}/{namespace}/{name}").into()
}

/// What was made of uids.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Mended {
    /// Uids that several objects had.
    pub(super) twice: BTreeSet<Rc<str>>,
    /// Whether an owner is known by its name alone.
    pub(super) by_name: bool,
    /// Objects whose uid is made up.
    named: BTreeSet<Identity>,
    /// What names an owner that is there by the uid of another, and that owner.
    pub(super) not_owned: Vec<(Rc<str>, Rc<str>)>,
}

impl Mended {
    /// Whether a uid says nothing of whose it is.
    pub(super) fn is_unusable(&self, uid: &str) -> bool {
        uid.is_empty() || self.twice.contains(uid)
    }

    /// Whether somebody else's uid for an object, by the name of its kind, says nothing.
    pub(super) fn is_unknown(&self, uid: &str, kind: &str, namespace: &str, name: &str) -> bool {
        self.is_unusable(uid) || self.named.contains(&(kind.into(), namespace.into(), name.into()))
    }
}

/// Makes up uids for objects that have none of their own, and names their owners by these: whom the names say.
pub(super) fn mend(objects: &mut [Object]) -> Mended {
    let mut known: BTreeMap<Rc<str>, Identity> = BTreeMap::new();
    let mut mended = Mended::default();
    let mut see = |uid: &Rc<str>, identity: Identity| {
        if !uid.is_empty() && *known.entry(Rc::clone(uid)).or_insert_with(|| identity.clone()) != identity {
            mended.twice.insert(Rc::clone(uid));
        }
    };
    for object in objects.iter() {
        let metadata = object.metadata();
        see(&metadata.uid, of_object(object));
        for owner in metadata.owner_references.iter() {
            see(&owner.uid, of_owner(owner, &metadata.namespace));
        }
    }
    let mut uids: BTreeMap<Identity, Rc<str>> = BTreeMap::new();
    for object in objects.iter_mut() {
        let identity = of_object(object);
        if mended.is_unusable(&object.metadata().uid) {
            object.metadata_mut().uid = made_up(&identity);
            mended.named.insert(identity.clone());
        }
        uids.insert(identity, Rc::clone(&object.metadata().uid));
    }
    for object in objects.iter_mut() {
        let metadata = object.metadata();
        let (namespace, name) = (Rc::clone(&metadata.namespace), Rc::clone(&metadata.name));
        let mut owners: Vec<OwnerReference> = metadata.owner_references.to_vec();
        let mut is_changed = false;
        for owner in &mut owners {
            let identity = of_owner(owner, &namespace);
            let there = uids.get(&identity);
            if mended.is_unusable(&owner.uid) {
                owner.uid = there.map_or_else(|| made_up(&identity), Rc::clone);
                is_changed = true;
            } else if there.is_some_and(|uid| *uid != owner.uid) {
                let is_made_up = there == Some(&made_up(&identity));
                if is_made_up {
                    owner.uid = made_up(&identity);
                    is_changed = true;
                } else {
                    mended.not_owned.push((Rc::clone(&name), Rc::clone(&owner.name)));
                }
            }
        }
        if is_changed {
            mended.by_name = true;
            object.metadata_mut().owner_references = owners.into();
        }
    }
    mended
}

/// Gives those objects a uid that have none, as an API server does, where nothing has to be assumed for it.
///
/// # Errors
/// Two have one uid, or it is not clear whom one names as its owner: where that object stands among them, and what is wrong.
pub(super) fn fill(objects: &mut [Object]) -> Result<(), (usize, Text)> {
    let before = objects.to_vec();
    mend(objects);
    let owners = |object: &Object| -> Vec<Rc<str>> {
        object.metadata().owner_references.iter().map(|owner| Rc::clone(&owner.uid)).collect()
    };
    for (at, (old, new)) in before.iter().zip(objects.iter()).enumerate() {
        let (metadata, kind) = (old.metadata(), old.kind().title());
        if !metadata.uid.is_empty() && metadata.uid != new.metadata().uid {
            return Err((at, text!("{} {} has the uid of another object; give each its own", kind, metadata.name)));
        }
        if owners(old) != owners(new) {
            let text = text!(
                "the uid by which {} {} names its owner says nothing; give the owner one of its own, and name it by that",
                kind,
                metadata.name
            );
            return Err((at, text));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]

    use super::mend;
    use crate::objects::Object;
    use serde_json::{Value, json};

    fn pod(name: &str, uid: &str, owner_uid: &str) -> Value {
        json!({ "apiVersion": "v1", "kind": "Pod", "metadata": { "name": name, "namespace": "d", "uid": uid, "ownerReferences": [
            { "apiVersion": "apps/v1", "kind": "StatefulSet", "name": "w", "uid": owner_uid, "controller": true },
        ] } })
    }

    fn set(uid: &str) -> Value {
        json!({ "apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": { "name": "w", "namespace": "d", "uid": uid } })
    }

    /// Whether the pods belong to the set.
    fn belong(values: Vec<Value>) -> (Vec<bool>, super::Mended) {
        let mut objects: Vec<Object> = values.into_iter().map(|value| Object::from_value(value).unwrap()).collect();
        let mended = mend(&mut objects);
        let uid = objects[0].metadata().uid.clone();
        let uids: std::collections::BTreeSet<_> = objects.iter().map(|one| one.metadata().uid.clone()).collect();
        assert_eq!(uids.len(), objects.len(), "each has its own");
        let owned = objects[1..].iter().map(|pod| pod.metadata().controller_of().unwrap().uid == uid).collect();
        (owned, mended)
    }

    #[test]
    fn owners_hold_by_name_where_uids_say_nothing() {
        for uid in ["", "REDACTED"] {
            let (owned, mended) = belong(vec![set(uid), pod("w-0", uid, uid), pod("w-1", uid, uid)]);
            assert_eq!((owned, mended.by_name), (vec![true, true], true), "{uid:?}");
        }
        let (owned, mended) = belong(vec![set("u"), pod("w-0", "a", "u"), pod("w-1", "a", "u")]);
        assert_eq!((owned, mended.by_name, mended.twice.len()), (vec![true, true], false, 1), "pods with one uid");
        let (owned, _) = belong(vec![set(""), pod("w-0", "a", "u")]);
        assert_eq!(owned, [true], "the set's was taken out");
    }

    #[test]
    fn an_owner_that_was_made_anew_is_not_the_owner() {
        let (owned, mended) = belong(vec![set("new"), pod("w-0", "a", "old"), pod("w-1", "b", "new")]);
        assert_eq!((owned, mended.not_owned.len()), (vec![false, true], 1));
    }
}
