//! Versions of Kubernetes' own kinds that not every release serves.
//! <https://kubernetes.io/docs/reference/using-api/deprecation-guide/>

use super::read::no_matches;
use crate::kubectl::{Error, Problem};
use crate::releases::Release;

/// Kinds in a version, the minor releases that serve them, from the first to before the second, and the version that takes its place.
type Row = (&'static [&'static str], &'static str, [u32; 2], &'static str);

const EVER: u32 = u32::MAX;
const INGRESS: &[&str] = &["Ingress", "IngressClass"];
const RIGHTS: &[&str] = &["ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"];
const VOLUMES: &[&str] = &["CSIDriver", "CSINode", "StorageClass", "VolumeAttachment"];
const FLOWS: &[&str] = &["FlowSchema", "PriorityLevelConfiguration"];
const WEBHOOKS: &[&str] = &["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"];

const ROWS: &[Row] = &[
    (&["PodDisruptionBudget"], "policy/v1beta1", [0, 25], "policy/v1"),
    (&["PodDisruptionBudget"], "policy/v1", [21, EVER], "policy/v1beta1"),
    (&["PodSecurityPolicy"], "policy/v1beta1", [0, 25], ""),
    (&["HorizontalPodAutoscaler"], "autoscaling/v2beta1", [0, 25], "autoscaling/v2"),
    (&["HorizontalPodAutoscaler"], "autoscaling/v2beta2", [0, 26], "autoscaling/v2"),
    (&["HorizontalPodAutoscaler"], "autoscaling/v2", [23, EVER], "autoscaling/v2beta2"),
    (&["CronJob"], "batch/v1beta1", [0, 25], "batch/v1"),
    (&["CronJob"], "batch/v1", [21, EVER], "batch/v1beta1"),
    (&["Ingress"], "extensions/v1beta1", [0, 22], "networking.k8s.io/v1"),
    (INGRESS, "networking.k8s.io/v1beta1", [0, 22], "networking.k8s.io/v1"),
    (INGRESS, "networking.k8s.io/v1", [19, EVER], "networking.k8s.io/v1beta1"),
    (&["NetworkPolicy"], "extensions/v1beta1", [0, 16], "networking.k8s.io/v1"),
    (&["CustomResourceDefinition"], "apiextensions.k8s.io/v1beta1", [0, 22], "apiextensions.k8s.io/v1"),
    (WEBHOOKS, "admissionregistration.k8s.io/v1beta1", [0, 22], "admissionregistration.k8s.io/v1"),
    (&["APIService"], "apiregistration.k8s.io/v1beta1", [0, 22], "apiregistration.k8s.io/v1"),
    (RIGHTS, "rbac.authorization.k8s.io/v1beta1", [0, 22], "rbac.authorization.k8s.io/v1"),
    (&["PriorityClass"], "scheduling.k8s.io/v1beta1", [0, 22], "scheduling.k8s.io/v1"),
    (VOLUMES, "storage.k8s.io/v1beta1", [0, 22], "storage.k8s.io/v1"),
    (&["CSIStorageCapacity"], "storage.k8s.io/v1beta1", [0, 27], "storage.k8s.io/v1"),
    (&["CSIStorageCapacity"], "storage.k8s.io/v1", [24, EVER], "storage.k8s.io/v1beta1"),
    (&["CertificateSigningRequest"], "certificates.k8s.io/v1beta1", [0, 22], "certificates.k8s.io/v1"),
    (FLOWS, "flowcontrol.apiserver.k8s.io/v1beta1", [0, 26], "flowcontrol.apiserver.k8s.io/v1"),
    (FLOWS, "flowcontrol.apiserver.k8s.io/v1beta2", [23, 29], "flowcontrol.apiserver.k8s.io/v1"),
    (FLOWS, "flowcontrol.apiserver.k8s.io/v1beta3", [26, 32], "flowcontrol.apiserver.k8s.io/v1"),
    (FLOWS, "flowcontrol.apiserver.k8s.io/v1", [29, EVER], "flowcontrol.apiserver.k8s.io/v1beta3"),
    (&["Lease"], "coordination.k8s.io/v1beta1", [0, 22], "coordination.k8s.io/v1"),
    (&["EndpointSlice"], "discovery.k8s.io/v1beta1", [0, 25], "discovery.k8s.io/v1"),
    (&["RuntimeClass"], "node.k8s.io/v1beta1", [0, 25], "node.k8s.io/v1"),
];

/// What kubectl says of an object whose version a release does not serve, with the version that it does; none of any other.
pub fn unserved(release: Release, api_version: &str, kind: &str, [namespace, name]: [&str; 2]) -> Option<Problem> {
    let is_it = |(kinds, version, ..): &&Row| kinds.contains(&kind) && *version == api_version;
    let (_, _, [since, until], instead) = ROWS.iter().find(is_it)?;
    if (*since..*until).contains(&release.minor()) {
        return None;
    }
    let words = no_matches(release.profile().server.names_resource_mapping, kind, api_version, [namespace, name]);
    let remedy = match *instead {
        "" => text!("{} serves no {}", release.name(), kind),
        instead => text!("{} serves {} as {}", release.name(), kind, instead),
    };
    Some(Problem::new(Error::client(words)).with_remedy(remedy))
}

#[cfg(test)]
mod tests {
    use super::{ROWS, unserved};
    use crate::releases::Release;

    #[test]
    fn what_a_release_does_not_serve_is_refused_with_what_it_does() {
        let of = |minor: u32, version: &str, kind: &str| {
            let release = Release::ALL.into_iter().find(|release| release.minor() == minor)?;
            unserved(release, version, kind, ["default", "web"]).map(|problem| problem.advice().to_string())
        };
        let refused = |minor, version, kind, instead: &str| {
            let said = of(minor, version, kind).unwrap_or_default();
            assert!(said.contains("no matches for kind") && said.contains(instead), "{version} {kind}: {said}");
        };
        refused(25, "policy/v1beta1", "PodDisruptionBudget", "as policy/v1");
        refused(20, "policy/v1", "PodDisruptionBudget", "as policy/v1beta1");
        refused(32, "flowcontrol.apiserver.k8s.io/v1beta3", "FlowSchema", "as flowcontrol.apiserver.k8s.io/v1");
        refused(25, "policy/v1beta1", "PodSecurityPolicy", "serves no PodSecurityPolicy");
        assert_eq!(of(24, "policy/v1beta1", "PodDisruptionBudget"), None);
        assert_eq!(of(36, "apps/v1", "Deployment"), None);
    }

    #[test]
    fn every_release_serves_a_kind_in_one_of_its_versions() {
        for release in Release::ALL.into_iter().filter(|release| release.minor() > 11) {
            for (kinds, _, _, instead) in ROWS.iter().filter(|row| !row.3.is_empty()) {
                let rows = || ROWS.iter().filter(|row| row.0 == *kinds);
                let is_served = rows().any(|row| unserved(release, row.1, kinds[0], ["", ""]).is_none());
                let has_row = rows().any(|row| row.1 == *instead);
                assert!(is_served || !has_row, "{} {kinds:?}", release.name());
            }
        }
    }
}
