//! Pods that fail and are not what others of their revision are: somebody changed one by hand, or what adds containers to pods as they
//! are made did not answer then.

use super::kubelet::holds_of;
use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::{Case, of_pod};
use crate::objects::{Container, Kind, Pod};
use crate::sim::revision_of_template;
use crate::text::Text;
use crate::verdict::made_from;
use std::rc::Rc;

pub(super) const IMAGE: Condition = Condition { name: "image-unlike-its-template", issue: "", find: with_image };
pub(super) const CONTAINERS: Condition = Condition {
    name: "lacks-containers-of-others",
    issue: "https://github.com/openkruise/charts/issues/54",
    find: without_containers,
};

/// The pods that fail, of kinds whose controller changes none in place.
fn failing<'a>(case: &Case<'a>) -> impl Iterator<Item = &'a Rc<Pod>> {
    let is_changed_in_place = matches!(case.object.kind(), Kind::CloneSet | Kind::AdvancedStatefulSet);
    let fails = move |pod: &&Rc<Pod>| !is_changed_in_place && !pod.is_ready() && holds_of(case, pod).next().is_some();
    case.observed_pods.iter().copied().filter(fails)
}

/// Others of the pod's revision that are Ready.
fn others<'a>(case: &Case<'a>, pod: &Pod) -> impl Iterator<Item = &'a Rc<Pod>> {
    let is_other = |other: &&Rc<Pod>| {
        other.metadata.uid != pod.metadata.uid
            && other.is_ready()
            && revision_of_template(other) == revision_of_template(pod)
    };
    case.observed_pods.iter().copied().filter(is_other)
}

fn containers(pod: &Pod) -> impl Iterator<Item = &Container> {
    pod.spec.init_containers.iter().chain(&pod.spec.containers)
}

/// Where a container of this name stands in its pod.
fn path_of(pod: &Pod, name: &str) -> String {
    let place = |all: &[Container]| all.iter().position(|container| *container.name == *name);
    match place(&pod.spec.init_containers) {
        Some(at) => format!("spec.initContainers[{at}]"),
        None => format!("spec.containers[{}]", place(&pod.spec.containers).unwrap_or(0)),
    }
}

fn named<'c>(mut all: impl Iterator<Item = &'c Container>, name: &str) -> Option<&'c Container> {
    all.find(|container| *container.name == *name)
}

/// The API server lets an image of a pod be changed. A webhook that changes those of all pods changes those of the others too.
fn with_image(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let of = |pod: &Rc<Pod>| {
        let template = &made_from(case.cluster(), pod)?.spec;
        let is_changed = |own: &&Container| {
            let wanted = named(template.init_containers.iter().chain(&template.containers), &own.name);
            let is_told = !own.image.is_empty() && wanted.is_some_and(|wanted| !wanted.image.is_empty());
            let is_of_all =
                |other: &Rc<Pod>| named(containers(other), &own.name).is_some_and(|it| it.image == own.image);
            is_told && wanted.is_some_and(|wanted| wanted.image != own.image) && !others(case, pod).any(is_of_all)
        };
        let own = containers(pod).find(is_changed)?;
        let wanted = named(template.init_containers.iter().chain(&template.containers), &own.name)?;
        let text = text!(
            "Container {} of {} has image {}, and its template says {}: the pod itself was changed.",
            own.name,
            pod.metadata.name,
            own.image,
            wanted.image
        );
        let mistaken_for =
            text!("Not the template: the next pod is made of it again, unless an admission webhook changes each.");
        let finding = Finding::new(condition, Gravity::Stuck, Cause::OtherWriter, text).at(pod);
        let path = format!("{}.image", path_of(pod, &own.name));
        Some(finding.mistaken_for(mistaken_for).evidence(&of_pod(pod), &[&path]))
    };
    failing(case).filter_map(of).collect()
}

fn without_containers(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let of = |pod: &Rc<Pod>| {
        let other = others(case, pod).next()?;
        let lacks = |own: &&Container| named(containers(pod), &own.name).is_none();
        let mut lacking = containers(other).filter(lacks).map(|own| &own.name).peekable();
        let path = format!("{}.name", path_of(other, lacking.peek()?));
        let text = text!(
            "{} lacks containers that {} of its revision has: {}. What adds them to pods as they are made did not do so with this one.",
            pod.metadata.name,
            other.metadata.name,
            Text::names(lacking)
        );
        let mistaken_for =
            text!("Not the template and not the node: made anew, it has them if what adds them answers.");
        let finding = Finding::new(condition, Gravity::Stuck, Cause::OtherWriter, text).at(pod);
        Some(finding.mistaken_for(mistaken_for).evidence(&of_pod(other), &[&path]))
    };
    failing(case).filter_map(of).collect()
}
