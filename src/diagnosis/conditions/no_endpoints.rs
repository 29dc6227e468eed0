//! A Service that is meant for a workload's pods selects none, or sends to a port by a name that none of them has.

use super::{Cause, Condition, Finding, Gravity};
use crate::diagnosis::case::Case;
use crate::objects::{Container, Kind, Labels, Object};
use crate::session::dump::Service;
use std::rc::Rc;

pub(super) const CONDITION: Condition = Condition { name: "service-selects-no-pod", issue: "", find };

pub(super) const PORT: Condition = Condition { name: "service-names-no-port", issue: "", find: find_ports };

fn find(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let metadata = case.observed.metadata();
    let Some(template) = case.observed.template() else { return Vec::new() };
    let own = case.services.iter().filter(|one| one.namespace == metadata.namespace && !one.selector.is_empty());
    let lost = own.filter(|service| is_meant(case, service) && !selects_any(case, service));
    let words = |labels: &Labels| {
        let all = labels.iter().map(|(key, value)| format!("{key}={value}"));
        all.collect::<Vec<String>>().join(",")
    };
    let finding = |service: &Service| {
        let text = text!(
            "Service {} selects {}, and no pod has these labels: it sends nobody anywhere. The pods of {} have {}.",
            service.name,
            words(&service.selector),
            metadata.name,
            words(&template.metadata.labels)
        );
        Finding::new(condition, Gravity::Notice, Cause::AsAsked, text)
            .mistaken_for(text!("Not the controller: it never looks at a Service."))
            .evidence(case.observed, &["spec.template.metadata.labels"])
    };
    lost.map(finding).collect()
}

/// Whether a container has a port of this name.
fn has_port(container: &Container, name: &str) -> bool {
    let ports = container.extra.get("ports").and_then(|ports| ports.as_array());
    ports.into_iter().flatten().any(|port| port.get("name").is_some_and(|own| own == name))
}

fn find_ports(case: &Case<'_>, condition: &'static Condition) -> Vec<Finding> {
    let metadata = case.observed.metadata();
    let Some(template) = case.observed.template() else { return Vec::new() };
    let fits = |service: &&Service| {
        service.namespace == metadata.namespace
            && !service.selector.is_empty()
            && service.selector.are_among(&template.metadata.labels)
    };
    // Admission may have put in containers that the template does not have.
    let of_pods =
        case.observed_pods.iter().flat_map(|pod| pod.spec.init_containers.iter().chain(pod.spec.containers.iter()));
    let of_template = template.spec.init_containers.iter().chain(template.spec.containers.iter());
    let containers: Vec<&Container> = of_pods.chain(of_template).collect();
    let lost = |service: &Service| -> Vec<Rc<str>> {
        let names = service.target_ports.iter();
        names.filter(|name| !containers.iter().any(|container| has_port(container, name))).cloned().collect()
    };
    let finding = |service: &Service| {
        let lost = lost(service);
        let text = text!(
            "Service {} sends to the port {}, and no container of {} has a port of that name: nobody is reached there.",
            service.name,
            lost.join(", "),
            metadata.name
        );
        let finding = Finding::new(condition, Gravity::Notice, Cause::AsAsked, text)
            .mistaken_for(text!("Not the controller: it never looks at a Service."));
        (!lost.is_empty()).then(|| {
            finding
                .evidence(case.observed, &["spec.template.metadata.labels", "spec.template.spec.containers[0].ports"])
        })
    };
    case.services.iter().filter(fits).filter_map(finding).collect()
}

/// Whether the Service bears the workload's name, or there is no other workload that it could be meant for.
fn is_meant(case: &Case<'_>, service: &Service) -> bool {
    let (name, own) = (&*service.name, &*case.observed.metadata().name);
    let goes_on = |longer: &str, shorter: &str| longer.strip_prefix(shorter).is_some_and(|rest| rest.starts_with('-'));
    name == own || goes_on(name, own) || goes_on(own, name) || workloads(case).count() == 1
}

/// The workloads of the namespace that nobody controls.
fn workloads<'a>(case: &Case<'a>) -> impl Iterator<Item = &'a Object> {
    let (cluster, namespace) = (case.observed_run.cluster(), &case.observed.metadata().namespace);
    let kinds = Kind::ALL.iter().filter(|kind| kind.is_workload());
    let all =
        kinds.flat_map(|kind| cluster.objects(*kind)).filter(|object| object.metadata().controller_of().is_none());
    all.filter(move |object| object.metadata().namespace == *namespace)
}

fn selects_any(case: &Case<'_>, service: &Service) -> bool {
    let fits = |labels: &Labels| service.selector.are_among(labels);
    case.observed_run.cluster().pods_in(&service.namespace).any(|pod| fits(&pod.metadata.labels))
        || workloads(case).filter_map(Object::template).any(|template| fits(&template.metadata.labels))
}
