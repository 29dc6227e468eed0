//! `kubectl get controllerrevisions`.

use super::Column;
use crate::kubectl::text::{NONE, qualified};
use crate::objects::{ControllerRevision, Kind};

pub(super) const COLUMNS: &[Column<ControllerRevision>] = &[
    Column::new("NAME", |revision, _| revision.metadata.name.to_string()),
    Column::new("CONTROLLER", |revision, _| match revision.metadata.controller_of() {
        None => NONE.to_owned(),
        Some(owner) => match Kind::named(&owner.api_version, &owner.kind) {
            Some(kind) => format!("{}/{}", qualified(kind), owner.name),
            None => format!("{}/{}", owner.kind.to_lowercase(), owner.name),
        },
    }),
    Column::new("REVISION", |revision, _| revision.revision.to_string()),
    Column::new("AGE", |revision, at| at.age(&revision.metadata)),
];
