//! The columns of `kubectl get`, a file for each kind. Models pkg/printers/internalversion/printers.go.

use crate::kubectl::age::since;
use crate::objects::{Kind, Object, ObjectMeta, PodTemplateSpec, Time};
use crate::releases::Kubectl;
use crate::sim::Cluster;

/// Where and when rows are printed, and how many at most.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    pub(super) cluster: &'a Cluster,
    pub(super) now: Time,
    pub(super) most: usize,
}

impl At<'_> {
    /// The AGE of an object.
    fn age(&self, metadata: &ObjectMeta) -> String {
        since(self.now, metadata.creation_timestamp)
    }
}

/// One column of a kind's table.
pub(super) struct Column<T> {
    title: &'static str,
    cell: fn(&T, At) -> String,
    /// It is shown only with `-o wide`.
    is_wide: bool,
    /// Whether the release's kubectl has it.
    is_known: fn(&Kubectl) -> bool,
}

impl<T> Column<T> {
    const fn new(title: &'static str, cell: fn(&T, At) -> String) -> Self {
        Self { title, cell, is_wide: false, is_known: |_| true }
    }

    /// Shown only with `-o wide`.
    const fn wide(title: &'static str, cell: fn(&T, At) -> String) -> Self {
        Self { is_wide: true, ..Self::new(title, cell) }
    }

    /// Shown only by the kubectl of some releases.
    const fn when(is_known: fn(&Kubectl) -> bool, title: &'static str, cell: fn(&T, At) -> String) -> Self {
        Self { is_known, ..Self::new(title, cell) }
    }

    /// Shown only with `-o wide`, by the kubectl of some releases.
    const fn wide_when(is_known: fn(&Kubectl) -> bool, title: &'static str, cell: fn(&T, At) -> String) -> Self {
        Self { is_known, ..Self::wide(title, cell) }
    }
}

/// Titles and rows, before they are aligned.
pub(super) struct Table {
    pub(super) titles: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
    /// How many rows are left out.
    pub(super) left_out: usize,
}

/// The table of these things, in their order, the last ones left out if there are too many.
fn table<'a, T: 'a>(
    columns: &[Column<T>],
    at: At,
    is_wide: bool,
    mut things: impl Iterator<Item = (&'a T, Time)>,
) -> Table {
    let kubectl = at.cluster.release().kubectl();
    let shown: Vec<&Column<T>> =
        columns.iter().filter(|column| (is_wide || !column.is_wide) && (column.is_known)(kubectl)).collect();
    let row = |(thing, now)| shown.iter().map(|column| (column.cell)(thing, At { now, ..at })).collect();
    let rows = things.by_ref().take(at.most).map(row).collect();
    Table { titles: shown.iter().map(|column| column.title.to_owned()).collect(), rows, left_out: things.count() }
}

// A row: the kind, its variant of `Object` and the file that has its columns.
macro_rules! tables {
    ($($Kind:ident as $Variant:ident => $file:ident;)+) => {
        $(mod $file;)+

        /// The table of the objects of a kind, each as it was at a time.
        pub(super) fn of_objects<'a>(
            kind: Kind,
            at: At,
            is_wide: bool,
            objects: impl Iterator<Item = (&'a Object, Time)>,
        ) -> Table {
            match kind {
                $(Kind::$Kind => {
                    let things = objects.filter_map(|(object, time)| match object {
                        Object::$Variant(thing) => Some((&**thing, time)),
                        _ => None,
                    });
                    table($file::COLUMNS, at, is_wide, things)
                })+
            }
        }
    };
}

tables! {
    Pod as Pod => pod;
    StatefulSet as StatefulSet => stateful_set;
    Deployment as Deployment => deployment;
    ReplicaSet as ReplicaSet => replica_set;
    DaemonSet as DaemonSet => daemon_set;
    CloneSet as CloneSet => clone_set;
    AdvancedStatefulSet as AdvancedStatefulSet => advanced_stateful_set;
    Node as Node => node;
    PersistentVolumeClaim as Claim => claim;
    ControllerRevision as Revision => revision;
}

mod budget;
mod event;
mod service;
mod volume;
pub(super) use budget::budgets;
pub(in crate::kubectl) use budget::budgets_of;
pub(super) use event::events;
pub(super) use service::services;
pub(super) use volume::volumes;
pub(in crate::kubectl) use volume::volumes_of;

/// The names of a template's containers.
fn containers(template: &PodTemplateSpec) -> String {
    template.spec.containers.iter().map(|container| &*container.name).collect::<Vec<_>>().join(",")
}

/// The images of a template's containers.
fn images(template: &PodTemplateSpec) -> String {
    template.spec.containers.iter().map(|container| &*container.image).collect::<Vec<_>>().join(",")
}
