//! What is kept beside the objects that controllers act on, and is changed in part and deleted by its name.

use super::{Args, Error, manifest, selector};
use crate::objects::{ApiError, Json, ObjectMeta, Reason};
use crate::sim::Cluster;
use serde_json::Value;
use std::rc::Rc;

/// A resource of these. None of their lists is merged by a key, so a strategic patch does what a merge patch does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    /// A PodDisruptionBudget.
    Budget,
    /// A HorizontalPodAutoscaler.
    Autoscaler,
    /// A ResourceQuota.
    Quota,
    /// A LimitRange.
    Limits,
}

use Beside::{Autoscaler, Budget, Limits, Quota};

impl Beside {
    const ALL: [Self; 4] = [Budget, Autoscaler, Quota, Limits];

    /// Its kind, its names in a line, the shortest first, its group and its version.
    fn row(self) -> (&'static str, [&'static str; 3], &'static str, &'static str) {
        match self {
            Budget => {
                ("PodDisruptionBudget", ["pdb", "poddisruptionbudget", "poddisruptionbudgets"], ".policy", "policy/v1")
            }
            Autoscaler => (
                "HorizontalPodAutoscaler",
                ["hpa", "horizontalpodautoscaler", "horizontalpodautoscalers"],
                ".autoscaling",
                "autoscaling/v2",
            ),
            Quota => ("ResourceQuota", ["quota", "resourcequota", "resourcequotas"], "", "v1"),
            Limits => ("LimitRange", ["limits", "limitrange", "limitranges"], "", "v1"),
        }
    }

    /// By its name in a line, with or without its group.
    pub(crate) fn named(word: &str) -> Option<Self> {
        let word = word.split('.').next()?.to_lowercase();
        Self::ALL.into_iter().find(|of| of.row().1.contains(&&*word))
    }

    /// Whether one has this kind in a manifest.
    pub(crate) fn of_kind(kind: &str) -> bool {
        Self::ALL.into_iter().any(|of| of.kind() == kind)
    }

    /// As manifests have it.
    pub(crate) fn kind(self) -> &'static str {
        self.row().0
    }

    /// The shortest name in a line.
    pub(crate) fn short_name(self) -> &'static str {
        self.row().1[0]
    }

    /// Such as `poddisruptionbudget.policy`.
    pub(super) fn qualified(self) -> String {
        let (_, [_, singular, _], group, _) = self.row();
        [singular, group].concat()
    }

    /// What the server says of one that is not there.
    pub(crate) fn not_found(self, name: &str) -> ApiError {
        let (_, [.., plural], group, _) = self.row();
        ApiError::new(Reason::NotFound, format!("{plural}{group} {name:?} not found"))
    }

    /// One as it is stored.
    pub(crate) fn stored(self, cluster: &Cluster, namespace: &str, name: &str) -> Option<Value> {
        match self {
            Budget => cluster.disruption_budget(namespace, name).map(|own| own.to_json()),
            Autoscaler => cluster.autoscaler(namespace, name).map(Json::to_json),
            Quota => cluster.resource_quota(namespace, name).map(Json::to_json),
            Limits => cluster.limit_range(namespace, name).map(Json::to_json),
        }
    }

    /// The metadata of all that there are.
    fn all(self, cluster: &Cluster) -> Vec<ObjectMeta> {
        match self {
            Budget => cluster.all_disruption_budgets().map(|own| own.metadata.clone()).collect(),
            Autoscaler => cluster.autoscalers().map(|own| own.metadata.clone()).collect(),
            Quota => cluster.resource_quotas().map(|own| own.metadata.clone()).collect(),
            Limits => cluster.limit_ranges().map(|own| own.metadata.clone()).collect(),
        }
    }
}

/// One of these resources, its namespace and its name.
pub(super) type Placed = (Beside, Rc<str>, Rc<str>);

/// Those that a text has, each of which is there.
pub(super) fn in_text(args: &Args, text: &str, cluster: &Cluster) -> Result<Vec<Placed>, Error> {
    let mut found = Vec::new();
    for document in manifest::read(text, &cluster.server()).documents {
        let Some(of) = Beside::ALL.into_iter().find(|of| of.kind() == document.kind) else { continue };
        let written = document.sent["metadata"]["namespace"].as_str().filter(|namespace| !namespace.is_empty());
        let namespace = written.map_or_else(|| args.namespace(), Into::into);
        match of.stored(cluster, &namespace, &document.name) {
            Some(_) => found.push((of, namespace, document.name.as_str().into())),
            None if args.is_set(&["--ignore-not-found"]) => {}
            None => return Err(of.not_found(&document.name).into()),
        }
    }
    Ok(found)
}

/// Names of objects of one of these resources.
pub(super) type Named = (Beside, Vec<Rc<str>>);

/// The names of objects of one of these resources that a line is about, in its namespace; none if it is about something else.
pub(super) fn targets(args: &Args, cluster: &Cluster) -> Result<Option<Named>, Error> {
    let Some((first, rest)) = args.operands.split_first() else { return Ok(None) };
    let Some(of) = Beside::named(first.split('/').next().unwrap_or_default()) else { return Ok(None) };
    let namespace = args.namespace();
    let here: Vec<ObjectMeta> =
        of.all(cluster).into_iter().filter(|metadata| metadata.namespace == namespace).collect();
    if args.is_selecting() {
        let (_, [.., plural], _, version) = of.row();
        let asked = args.flag(&["-l", "--selector"]).unwrap_or_default();
        let labels = selector::of(asked, &format!("{version}, Resource={plural}"))?;
        let selected = here.into_iter().filter(|metadata| labels.matches(&metadata.labels));
        return Ok(Some((of, selected.map(|metadata| metadata.name).collect())));
    }
    let names: Vec<&str> = match first.contains('/') {
        true => args.operands.iter().filter_map(|word| Some(word.split_once('/')?.1)).collect(),
        false => rest.iter().map(|name| &**name).collect(),
    };
    if names.is_empty() {
        return Err(args.no_name());
    }
    let is_ignored = args.is_set(&["--ignore-not-found"]);
    let mut found = Vec::new();
    for name in names {
        match here.iter().any(|metadata| *metadata.name == *name) {
            true => found.push(name.into()),
            false if is_ignored => {}
            false => return Err(of.not_found(name).into()),
        }
    }
    Ok(Some((of, found)))
}
