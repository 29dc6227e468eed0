//! The few requests a controller makes, each of which can be refused.

use crate::objects::strategic::patch_finalizers;
use crate::objects::{ApiError, Event, Kind, Labels, Object, ObjectMeta, ObjectRef, OwnerReference};
use serde_json::{Value, json};
use std::fmt;
use std::rc::Rc;

/// How often an update that met a conflict is tried in all (client-go's DefaultBackoff).
pub(super) const UPDATE_TRIES: usize = 4;

/// The API server as a controller sees it. The simulation's store implements it, and so does a test that refuses the
/// third write.
pub trait Api {
    /// An uncached read.
    ///
    /// # Errors
    /// The server's refusal.
    fn get(&mut self, kind: Kind, namespace: &str, name: &str) -> Result<Object, ApiError>;

    /// Stores a new object and returns it as stored.
    ///
    /// # Errors
    /// The server's refusal.
    fn create(&mut self, object: Object) -> Result<Object, ApiError>;

    /// Replaces an object and returns it as stored.
    ///
    /// # Errors
    /// The server's refusal.
    fn update(&mut self, object: Object) -> Result<Object, ApiError>;

    /// Replaces the status of an object and returns it as stored.
    ///
    /// # Errors
    /// The server's refusal.
    fn update_status(&mut self, object: Object) -> Result<Object, ApiError>;

    /// An object as the controller's cache shows it after waiting for some milliseconds; none if nothing newer has arrived by
    /// then. A cache that nothing reaches during a sync stays as it is.
    fn cached_after(&mut self, _key: &ObjectRef, _milliseconds: i64) -> Option<Object> {
        None
    }

    /// Adds or removes an owner by a strategic merge patch.
    ///
    /// # Errors
    /// The server's refusal.
    fn patch_owner(&mut self, target: &ObjectRef, patch: &OwnerPatch) -> Result<(), ApiError>;

    /// Sets labels and annotations and adds finalizers by a strategic merge patch, and returns the object as stored. A
    /// server without patches reads the object and writes it back.
    ///
    /// # Errors
    /// The server's refusal.
    fn patch_metadata(&mut self, target: &ObjectRef, patch: &MetadataPatch) -> Result<Object, ApiError> {
        let mut object = self.get(target.kind, &target.namespace, &target.name)?;
        patch.apply(object.metadata_mut());
        self.update(object)
    }

    /// Asks for deletion, graceful where the kind has grace.
    ///
    /// # Errors
    /// The server's refusal.
    fn delete(&mut self, target: &ObjectRef) -> Result<(), ApiError>;

    /// Records an event about the object being reconciled.
    fn record(&mut self, event: Event);
}

/// A patch of labels, annotations and finalizers that sets and adds, and removes nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MetadataPatch {
    /// Labels to be set.
    pub labels: Labels,
    /// Annotations to be set.
    pub annotations: Labels,
    /// Finalizers to be added.
    pub finalizers: Vec<Rc<str>>,
}

impl MetadataPatch {
    /// Does to the metadata what the server does.
    pub fn apply(&self, metadata: &mut ObjectMeta) {
        for (key, value) in self.labels.iter() {
            metadata.labels.insert(Rc::clone(key), Rc::clone(value));
        }
        for (key, value) in self.annotations.iter() {
            metadata.annotations.insert(Rc::clone(key), Rc::clone(value));
        }
        if !self.finalizers.is_empty() {
            let added: Vec<Value> = self.finalizers.iter().map(|own| Value::from(&**own)).collect();
            patch_finalizers(
                &mut metadata.finalizers,
                &[("finalizers".to_owned(), added.into())].into_iter().collect(),
            );
        }
    }
}

/// A patch of `metadata.ownerReferences`, guarded by the object's uid.
#[derive(Clone, Debug, PartialEq)]
pub enum OwnerPatch {
    /// Become its controller.
    Adopt {
        /// The new owner.
        owner: OwnerReference,
        /// The adopted object's uid.
        uid: Rc<str>,
    },
    /// Stop being its controller.
    Release {
        /// The owner that leaves.
        owner_uid: Rc<str>,
        /// The released object's uid.
        uid: Rc<str>,
    },
}

impl OwnerPatch {
    /// The patch as sent.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Adopt { owner, uid } => json!({"metadata": {"ownerReferences": [{
                "apiVersion": owner.api_version, "kind": owner.kind, "name": owner.name, "uid": owner.uid,
                "controller": true, "blockOwnerDeletion": true,
            }], "uid": uid}}),
            Self::Release { owner_uid, uid } => {
                json!({"metadata": {"ownerReferences": [{"$patch": "delete", "uid": owner_uid}], "uid": uid}})
            }
        }
    }
}

/// What a sync returned as its error: the text the work queue logs before it retries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyncError(pub String);

impl SyncError {
    /// Joins errors the way apimachinery's aggregate prints them: equal texts once, one alone without brackets.
    pub(crate) fn aggregate(errors: Vec<Self>) -> Result<(), Self> {
        let mut texts: Vec<String> = Vec::new();
        for Self(text) in errors {
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        match texts.len() {
            0 => Ok(()),
            1 => Err(Self(texts.remove(0))),
            _ => {
                // What is an aggregate itself is told error by error (visit, apimachinery/pkg/util/errors); no other error begins so.
                let bare = |text: &String| {
                    text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text).to_owned()
                };
                Err(Self(format!("[{}]", texts.iter().map(bare).collect::<Vec<_>>().join(", "))))
            }
        }
    }
}

impl From<ApiError> for SyncError {
    fn from(error: ApiError) -> Self {
        Self(error.message)
    }
}

impl fmt::Display for SyncError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
