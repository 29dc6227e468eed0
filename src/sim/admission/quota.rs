//! ResourceQuotas: what they leave for a new object, or for one that grows.
//! Models CheckRequest, k8s.io/apiserver/pkg/admission/plugin/resourcequota/controller.go.
//! Simplified: What a ResourceQuota counts as used is always of this moment.

use super::Stored;
use super::usage::{bytes, is_in, is_used_by, unsaid, usage};
use crate::objects::quantity::{canonical, from_nano, is_binary};
use crate::objects::{ApiError, Kind, Object, Reason, ResourceQuota, Time, quantity_text};
use crate::sim::amounts::{Amounts, amount};

/// A quota, and what is used of it by what the cluster does not hold.
#[derive(Clone, Debug)]
pub(in crate::sim) struct Quota {
    pub(super) quota: ResourceQuota,
    others: Amounts,
}

impl Quota {
    /// One that nothing else uses.
    pub(super) fn new(quota: ResourceQuota) -> Self {
        Self { quota, others: Amounts::default() }
    }

    /// One that objects which are not stored use too, as its status says.
    pub(super) fn measured(quota: ResourceQuota, stored: &dyn Stored, now: Time) -> Self {
        let mut own = Self::new(quota);
        let mut others = Amounts::default();
        for kind in Kind::ALL {
            let here = own.used(stored, *kind, now);
            for resource in own.limited(*kind) {
                let said = own.quota.status.used.get(resource).and_then(amount).unwrap_or(0);
                others.set(resource, (said - here.get(resource)).max(0));
            }
        }
        own.others = others;
        own
    }

    /// Another one of the name, which the same others use.
    pub(super) fn replaced_by(&self, quota: ResourceQuota) -> Self {
        Self { quota, others: self.others.clone() }
    }

    /// The resources that it limits and that objects of a kind use.
    fn limited(&self, kind: Kind) -> impl Iterator<Item = &str> {
        self.quota.spec.hard.keys().map(|resource| &**resource).filter(move |resource| is_used_by(kind, resource))
    }

    fn hard(&self, resource: &str) -> i128 {
        self.quota.spec.hard.get(resource).and_then(amount).unwrap_or(0)
    }

    /// Whether it counts an object. Models generic.Matches.
    fn counts(&self, stored: &dyn Stored, object: &Object) -> bool {
        self.limited(object.kind()).next().is_some() && self.quota.scopes().all(|scope| is_in(stored, object, &scope))
    }

    /// What the objects of a kind use of it.
    fn used(&self, stored: &dyn Stored, kind: Kind, now: Time) -> Amounts {
        let mut sum = self.others.clone();
        for object in stored.objects_in(kind, &self.quota.metadata.namespace) {
            if self.counts(stored, object) {
                sum.add(&usage(object, now), 1);
            }
        }
        sum
    }

    /// An amount of a resource as the server writes it.
    fn written(&self, resource: &str, nano: i128) -> String {
        let is_whole = nano % (1_000_000_000 << 20) == 0;
        let hard = self.quota.spec.hard.get(resource).map(quantity_text).unwrap_or_default();
        from_nano(nano, is_binary(&hard) || bytes(resource) && is_whole)
    }

    /// That an object asks for more than is left.
    fn check(&self, stored: &dyn Stored, object: &Object, asked: &Amounts, now: Time) -> Result<(), ApiError> {
        let kind = object.kind();
        let asked: Vec<(&str, i128)> =
            self.limited(kind).map(|name| (name, asked.get(name))).filter(|(_, asked)| *asked > 0).collect();
        if asked.is_empty() {
            return Ok(());
        }
        let used = self.used(stored, kind, now);
        let exceeded: Vec<(&str, i128)> =
            asked.into_iter().filter(|(name, asked)| used.get(name) + asked > self.hard(name)).collect();
        if exceeded.is_empty() {
            return Ok(());
        }
        let all = |amount: &dyn Fn(&str, i128) -> String| {
            let parts = exceeded.iter().map(|(name, asked)| format!("{name}={}", amount(name, *asked)));
            parts.collect::<Vec<_>>().join(",")
        };
        let hard = |name: &str| self.quota.spec.hard.get(name).map(quantity_text).unwrap_or_default();
        Err(forbidden(
            object,
            &format!(
                "exceeded quota: {}, requested: {}, used: {}, limited: {}",
                self.quota.metadata.name,
                all(&|name, asked| self.written(name, asked)),
                all(&|name, _| self.written(name, used.get(name))),
                all(&|name, _| canonical(&hard(name)).unwrap_or_else(|| hard(name))),
            ),
        ))
    }
}

/// Models admission.NewForbidden.
pub(super) fn forbidden(object: &Object, why: &str) -> ApiError {
    let (resource, name) = (object.kind().qualified_resource(), &object.metadata().name);
    ApiError::new(Reason::Forbidden, format!("{resource} \"{name}\" is forbidden: {why}"))
}

/// Whether the quotas over an object have room for it, or for what it asks for beyond the one `before`.
///
/// # Errors
/// Which one has none, or asks for something to be said.
pub(super) fn admit<'a>(
    stored: &dyn Stored,
    quotas: impl Iterator<Item = &'a Quota>,
    (object, before): (&Object, Option<&Object>),
    now: Time,
) -> Result<(), ApiError> {
    let over: Vec<&Quota> = quotas.filter(|quota| quota.counts(stored, object)).collect();
    if let Object::Pod(pod) = object {
        for quota in &over {
            if let Some(unsaid) = unsaid(pod, quota.limited(Kind::Pod)) {
                return Err(forbidden(object, &format!("failed quota: {}: {unsaid}", quota.quota.metadata.name)));
            }
        }
    }
    if over.is_empty() {
        return Ok(());
    }
    let all = usage(object, now);
    over.into_iter().try_for_each(|quota| {
        let mut asked = all.clone();
        if let Some(before) = before.filter(|before| quota.counts(stored, before)) {
            asked.add(&usage(before, now), -1);
        }
        quota.check(stored, object, &asked, now)
    })
}
