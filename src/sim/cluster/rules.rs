//! ResourceQuotas and LimitRanges that were applied.

use super::Cluster;
use crate::objects::{LimitRange, ResourceQuota};

impl Cluster {
    /// Keeps a quota, in the place of one of its name. What the first one's status counts beyond the objects that are here goes on
    /// being used.
    pub(crate) fn apply_resource_quota(&mut self, quota: ResourceQuota) {
        let mut rules = std::mem::take(&mut self.world.store.rules);
        rules.keep_quota(quota, &self.world.store, self.world.now);
        self.world.store.rules = rules;
    }

    /// Deletes the quota of this name; false if there is none.
    pub(crate) fn delete_resource_quota(&mut self, namespace: &str, name: &str) -> bool {
        self.world.store.rules.delete_quota(namespace, name)
    }

    /// Every quota.
    pub(crate) fn resource_quotas(&self) -> impl Iterator<Item = &ResourceQuota> {
        self.world.store.rules.quotas()
    }

    /// The quota of this name.
    pub(crate) fn resource_quota(&self, namespace: &str, name: &str) -> Option<&ResourceQuota> {
        let is_it = |quota: &&ResourceQuota| (&*quota.metadata.namespace, &*quota.metadata.name) == (namespace, name);
        self.resource_quotas().find(is_it)
    }

    /// Keeps a range, in the place of one of its name.
    pub(crate) fn apply_limit_range(&mut self, range: LimitRange) {
        self.world.store.rules.keep_limit_range(range);
    }

    /// Deletes the range of this name; false if there is none.
    pub(crate) fn delete_limit_range(&mut self, namespace: &str, name: &str) -> bool {
        self.world.store.rules.delete_limit_range(namespace, name)
    }

    /// Every range.
    pub(crate) fn limit_ranges(&self) -> impl Iterator<Item = &LimitRange> {
        self.world.store.rules.all_limit_ranges().iter().map(|range| &**range)
    }

    /// The range of this name.
    pub(crate) fn limit_range(&self, namespace: &str, name: &str) -> Option<&LimitRange> {
        let is_it = |range: &&LimitRange| (&*range.metadata.namespace, &*range.metadata.name) == (namespace, name);
        self.limit_ranges().find(is_it)
    }

    /// Whether quotas and ranges ask for the same in another cluster.
    pub(crate) fn has_same_rules(&self, other: &Self) -> bool {
        let quotas = |cluster: &Self| {
            let all = cluster.world.store.rules.quotas();
            all.map(|quota| (quota.metadata.name.clone(), quota.spec.clone())).collect::<Vec<_>>()
        };
        let ranges = |cluster: &Self| cluster.world.store.rules.all_limit_ranges().to_vec();
        quotas(self) == quotas(other) && ranges(self) == ranges(other)
    }
}
