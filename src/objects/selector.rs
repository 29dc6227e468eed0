//! Label selectors.

use super::Labels;
use super::json::{nullable, text};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// `spec.selector` of a workload. All parts must hold.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LabelSelector {
    /// Labels that must be there with this value.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Labels::is_empty")]
    pub match_labels: Labels,
    /// Further conditions.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub match_expressions: Vec<Requirement>,
}

/// One of `matchExpressions`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Requirement {
    /// The label's key.
    #[serde(deserialize_with = "text")]
    pub key: Rc<str>,
    /// `In`, `NotIn`, `Exists` or `DoesNotExist`; in a selector of a request also `Gt` or `Lt`.
    #[serde(deserialize_with = "text")]
    pub operator: Rc<str>,
    /// Values for `In` and `NotIn`.
    #[serde(deserialize_with = "nullable", skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Rc<str>>,
}

impl LabelSelector {
    /// Says what is wrong with the selector, in the words of apimachinery.
    ///
    /// # Errors
    /// An operator that does not exist.
    pub(crate) fn check(&self) -> Result<(), String> {
        for requirement in &self.match_expressions {
            if !matches!(&*requirement.operator, "In" | "NotIn" | "Exists" | "DoesNotExist") {
                return Err(format!("{:?} is not a valid label selector operator", requirement.operator));
            }
        }
        Ok(())
    }

    /// The selector as apimachinery prints it, its parts by key.
    pub(crate) fn to_text(&self) -> String {
        let mut parts: Vec<(&str, String)> =
            self.match_labels.iter().map(|(key, value)| (&**key, format!("{key}={value}"))).collect();
        for requirement in &self.match_expressions {
            let key = &*requirement.key;
            let values = requirement.values.join(",");
            let text = match &*requirement.operator {
                "In" => format!("{key} in ({values})"),
                "NotIn" => format!("{key} notin ({values})"),
                "Exists" => key.to_owned(),
                _ => format!("!{key}"),
            };
            parts.push((key, text));
        }
        parts.sort();
        parts.into_iter().map(|(_, text)| text).collect::<Vec<String>>().join(",")
    }

    /// Whether `labels` are selected. An empty selector selects everything.
    pub(crate) fn matches(&self, labels: &Labels) -> bool {
        for (key, value) in self.match_labels.iter() {
            if labels.get(key) != Some(value) {
                return false;
            }
        }
        self.match_expressions.iter().all(|requirement| requirement.holds(labels))
    }
}

impl Requirement {
    fn holds(&self, labels: &Labels) -> bool {
        let value = labels.get(&self.key);
        match &*self.operator {
            "In" => value.is_some_and(|value| self.values.contains(value)),
            "NotIn" => value.is_none_or(|value| !self.values.contains(value)),
            "Exists" => value.is_some(),
            "DoesNotExist" => value.is_none(),
            "Gt" => self.compares(value, |own, limit| own > limit),
            "Lt" => self.compares(value, |own, limit| own < limit),
            _ => false,
        }
    }

    /// Whether a label that is a whole number stands so to the only value.
    fn compares(&self, label: Option<&Rc<str>>, holds: fn(i64, i64) -> bool) -> bool {
        let number = |text: &Rc<str>| text.parse().ok();
        let own: Option<i64> = label.and_then(number);
        own.zip(self.values.first().and_then(number)).is_some_and(|(own, limit)| holds(own, limit))
    }
}
