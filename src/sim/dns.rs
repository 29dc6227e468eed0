//! Services, and the names that pods have in DNS at this moment.
//! Models podToEndpoint and ShouldPodBeInEndpoints of staging/src/k8s.io/endpointslice, and CoreDNS's kubernetes plugin.

use super::refs::pod_ref;
use crate::objects::{ObjectRef, Pod, Service, Time};
use std::rc::Rc;

/// The domain of a cluster where nothing else is said.
const CLUSTER_DOMAIN: &str = "svc.cluster.local";

/// A pod's own name in DNS.
#[derive(Clone, Debug, PartialEq)]
pub struct DnsRecord {
    /// Such as `web-0.nginx.default.svc.cluster.local`.
    pub name: String,
    /// What it resolves to, or why it does not.
    pub address: Result<Rc<str>, NoAddress>,
}

/// Why a pod's name does not resolve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAddress {
    /// There is no Service of the name that the pod's subdomain gives.
    NoService,
    /// The Service has one address for all its pods.
    NotHeadless,
    /// The Service's selector does not select the pod.
    NotSelected,
    /// The pod has not been given an address.
    NotStarted,
    /// The pod has ended.
    Ended,
    /// The pod is being deleted.
    Terminating,
    /// The pod is not ready.
    NotReady,
}

/// The Services that were applied, the oldest first.
#[derive(Clone, Default)]
pub(super) struct Services(Vec<Rc<Service>>);

impl Services {
    /// Keeps a Service, in the place of one of its name. One that is not headless is given an address as the API server gives one.
    pub(super) fn apply(&mut self, mut service: Service, now: Time) {
        let is_same = |other: &Rc<Service>| {
            (&other.metadata.namespace, &other.metadata.name) == (&service.metadata.namespace, &service.metadata.name)
        };
        let known = self.0.iter().position(is_same).map(|at| self.0.remove(at));
        service.metadata.creation_timestamp =
            known.as_ref().map_or(Some(now), |known| known.metadata.creation_timestamp);
        if service.spec.cluster_ip.is_empty()
            && service.spec.extra.get("type").is_none_or(|kind| kind != "ExternalName")
        {
            let own =
                known.map(|known| Rc::clone(&known.spec.cluster_ip)).filter(|own| !own.is_empty() && &**own != "None");
            service.spec.cluster_ip = own.unwrap_or_else(|| format!("10.96.0.{}", self.0.len() + 2).into());
        }
        self.0.push(Rc::new(service));
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Rc<Service>> {
        self.0.iter()
    }

    /// The pod's own name in DNS; none if it has no subdomain, as pods of other kinds than sets.
    pub(super) fn dns_record(&self, pod: &Pod) -> Option<DnsRecord> {
        let (metadata, spec) = (&pod.metadata, &pod.spec);
        if spec.subdomain.is_empty() || spec.hostname.is_empty() {
            return None;
        }
        let name = format!("{}.{}.{}.{CLUSTER_DOMAIN}", spec.hostname, spec.subdomain, metadata.namespace);
        let service = self.0.iter().find(|service| {
            service.metadata.name == spec.subdomain && service.metadata.namespace == metadata.namespace
        });
        let address = match service {
            None => Err(NoAddress::NoService),
            Some(service) if !service.is_headless() => Err(NoAddress::NotHeadless),
            Some(service) => address(service, pod),
        };
        Some(DnsRecord { name, address })
    }
}

/// The addresses under the Service's own name: those of its pods that are ready, with the pods.
pub(super) fn addresses<'p>(service: &Service, pods: impl Iterator<Item = &'p Rc<Pod>>) -> Vec<(ObjectRef, Rc<str>)> {
    pods.filter_map(|pod| Some((pod_ref(pod), address(service, pod).ok()?))).collect()
}

/// The address that a Service publishes of a pod.
fn address(service: &Service, pod: &Pod) -> Result<Rc<str>, NoAddress> {
    let selector = &service.spec.selector;
    let is_selected = service.metadata.namespace == pod.metadata.namespace
        && !selector.is_empty()
        && selector.are_among(&pod.metadata.labels);
    let publishes_all = service.spec.publish_not_ready_addresses;
    let ip = Some(&*pod.status.pod_ip).filter(|ip| !ip.is_empty());
    if !is_selected {
        return Err(NoAddress::NotSelected);
    }
    if pod.has_ended() {
        return Err(NoAddress::Ended);
    }
    let ip = ip.ok_or(NoAddress::NotStarted)?;
    if publishes_all || (pod.is_ready() && !pod.is_terminating()) {
        return Ok(ip.into());
    }
    Err(if pod.is_terminating() { NoAddress::Terminating } else { NoAddress::NotReady })
}
