//! What became of a manifest that was applied: what is simulated, and what is kept and changes nothing.

mod fates;

pub(crate) use fates::is_applied;

use crate::kubectl::manifest::{self, Document};
use crate::objects::Server;
use crate::text::Text;
use fates::Fate::{self, Name, Simulated};
use fates::{Fates, PARTS, WORKLOAD, Why, fates_of, is_within, part};
use serde_json::Value;

/// What became of each document and each field of a manifest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Receipt {
    /// The objects that were applied.
    pub applied: Vec<Applied>,
    /// What is kept and not simulated, by the reason.
    pub kept: Vec<Kept>,
    /// Objects of kinds that are not simulated.
    pub ignored: Vec<TextPosition>,
}

/// An object that was applied.
#[derive(Clone, Debug, PartialEq)]
pub struct Applied {
    /// Its kind and name, and where it starts.
    pub object: TextPosition,
    /// Its fields that are simulated.
    pub fields: Vec<TextPosition>,
}

/// Fields that are kept for one reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// What is not simulated.
    pub why: Text,
    /// The fields.
    pub fields: Vec<TextPosition>,
}

/// A field or an object, and where it stands in the text: line and column, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextPosition {
    /// The path of a field, or the kind and name of an object.
    pub name: String,
    /// Its line.
    pub line: usize,
    /// Its column.
    pub column: usize,
}

/// What becomes of a manifest that this server takes.
pub fn receipt(text: &str, server: &Server) -> Receipt {
    let mut receipt = Receipt::default();
    let mut kept: Vec<(Why, TextPosition)> = Vec::new();
    for document in manifest::read(text, server).documents {
        let name = format!("{} {}", document.kind, document.name);
        let (line, column) = document.places.find("kind");
        let object = TextPosition { name, line, column };
        let Some(fates) = fates_of(&document.api_version, &document.kind) else {
            receipt.ignored.push(object);
            continue;
        };
        let mut walk = Walk { document: &document, fates, simulated: Vec::new(), kept: Vec::new() };
        let fields = document.sent.as_object();
        for (field, value) in fields.into_iter().flatten() {
            // The server fills in the status, and all know an object by the rest.
            if !["apiVersion", "kind", "metadata", "status"].contains(&field.as_str()) {
                walk.descend(value, field, field);
            }
        }
        kept.append(&mut walk.kept);
        receipt.applied.push(Applied { object, fields: walk.simulated });
    }
    for why in Why::ALL {
        let fields: Vec<TextPosition> =
            kept.iter().filter(|(other, _)| *other == why).map(|(_, place)| place.clone()).collect();
        if !fields.is_empty() {
            receipt.kept.push(Kept { why: why.text(), fields });
        }
    }
    receipt
}

struct Walk<'a> {
    document: &'a Document,
    fates: Fates,
    simulated: Vec<TextPosition>,
    kept: Vec<(Why, TextPosition)>,
}

impl Walk<'_> {
    fn fate(&self, path: &str) -> Fate {
        let (path, fates) = part(path, self.fates);
        let rows = fates.iter().filter(|(row, _)| is_within(path, row));
        rows.max_by_key(|(row, _)| row.len()).map_or(Simulated, |(_, fate)| *fate)
    }

    /// Whether something below a path has a fate of its own.
    fn is_divided(&self, path: &str) -> bool {
        let has_part = self.fates == WORKLOAD && PARTS.iter().any(|(start, _)| is_within(start, path));
        let (path, fates) = part(path, self.fates);
        has_part || fates.iter().any(|(row, _)| *row != path && is_within(row, path))
    }

    fn place(&self, exact: &str) -> TextPosition {
        let (line, column) = self.document.places.find(exact);
        TextPosition { name: exact.to_owned(), line, column }
    }

    /// `exact` is the path with the indexes of lists, `plain` the one without.
    fn descend(&mut self, value: &Value, exact: &str, plain: &str) {
        if !self.is_divided(plain) || !(value.is_object() || value.is_array()) {
            return match self.fate(plain) {
                Simulated => self.simulated.push(self.place(exact)),
                Name => {}
                Fate::Kept(why) => self.kept.push((why, self.place(exact))),
            };
        }
        let (simulated, kept) = (self.simulated.len(), self.kept.len());
        match value {
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.descend(item, &format!("{exact}[{index}]"), plain);
                }
            }
            value => {
                for (field, value) in value.as_object().into_iter().flatten() {
                    if field.ends_with("Probe") && exact.contains(".initContainers[") {
                        self.kept.push((Why::Sidecars, self.place(&format!("{exact}.{field}"))));
                        continue;
                    }
                    // Init containers and containers have the same fields.
                    let known = if field == "initContainers" { "containers" } else { field };
                    self.descend(value, &format!("{exact}.{field}"), &format!("{plain}.{known}"));
                }
            }
        }
        // What is kept as a whole, and for one reason, is told once.
        if let Some((why, _)) = self.kept.get(kept).cloned()
            && self.simulated.len() == simulated
            && self.kept[kept..].iter().all(|(other, _)| *other == why)
            && self.fate(plain) == Fate::Kept(why)
        {
            self.kept.truncate(kept);
            self.kept.push((why, self.place(exact)));
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test")]

    use super::*;
    use crate::reconcile::Release;
    use crate::session::Session;

    const MANIFEST: &str = "\
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
---
apiVersion: v1
kind: Service
metadata: {name: db}
spec:
  clusterIP: None
  selector: {app: db}
  ports:
  - port: 80
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec:
      priorityClassName: high
      nodeSelector: {disk: ssd}
      initContainers:
      - name: prepare
        image: tools:1
        command: [prepare]
      containers:
      - name: db
        image: db:1
        ports:
        - containerPort: 5432
          name: sql
        env:
        - {name: A, value: b}
        readinessProbe:
          periodSeconds: 5
          tcpSocket: {port: 5432}
        resources:
          requests: {cpu: 1}
          limits: {cpu: 2}
  volumeClaimTemplates:
  - metadata: {name: data}
    spec:
      accessModes: [ReadWriteOnce]
      resources: {requests: {storage: 1Gi}}
";

    fn told(text: &str) -> Receipt {
        receipt(text, &Session::empty(Release::default(), 1, 1).cluster().server())
    }

    fn names(places: &[TextPosition]) -> Vec<String> {
        places.iter().map(|place| format!("{}:{} {}", place.line, place.column, place.name)).collect()
    }

    #[test]
    fn every_field_is_simulated_or_kept_with_a_reason_and_its_line() {
        let receipt = told(MANIFEST);
        assert_eq!(names(&receipt.ignored), ["2:1 ConfigMap settings"]);
        let applied: Vec<&str> = receipt.applied.iter().map(|applied| applied.object.name.as_str()).collect();
        assert_eq!(applied, ["Service db", "StatefulSet db"]);
        assert_eq!(names(&receipt.applied[0].fields), ["9:3 spec.clusterIP", "10:3 spec.selector"]);
        let simulated = names(&receipt.applied[1].fields);
        for field in [
            "24:7 spec.template.spec.nodeSelector",
            "27:9 spec.template.spec.initContainers[0].image",
            "38:11 spec.template.spec.containers[0].readinessProbe.periodSeconds",
            "41:11 spec.template.spec.containers[0].resources.requests",
            "46:7 spec.volumeClaimTemplates[0].spec.accessModes",
        ] {
            assert!(simulated.iter().any(|known| known == field), "{field} in {simulated:#?}");
        }
        let kept: Vec<Vec<String>> = receipt.kept.iter().map(|kept| names(&kept.fields)).collect();
        assert_eq!(
            kept,
            [
                vec!["39:11 spec.template.spec.containers[0].readinessProbe.tcpSocket"],
                vec!["35:9 spec.template.spec.containers[0].env", "28:9 spec.template.spec.initContainers[0].command"],
                vec!["42:11 spec.template.spec.containers[0].resources.limits"],
                vec!["47:7 spec.volumeClaimTemplates[0].spec.resources"],
                vec!["11:3 spec.ports", "32:9 spec.template.spec.containers[0].ports"],
                vec!["23:7 spec.template.spec.priorityClassName"],
            ]
        );
    }

    #[test]
    fn a_field_that_no_row_names_is_told_as_kept() {
        let text = MANIFEST.replace("priorityClassName: high", "runtimeClassName: sandbox");
        let kept = told(&text).kept.pop().unwrap();
        assert_eq!(names(&kept.fields), ["23:7 spec.template.spec.runtimeClassName"]);
        assert_eq!(kept.why, Why::Nothing.text());
    }

    #[test]
    fn the_probes_of_a_sidecar_are_told_as_kept() {
        let sidecar = "restartPolicy: Always\n        startupProbe: {periodSeconds: 5, tcpSocket: {port: 1}}";
        let receipt = told(&MANIFEST.replace("command: [prepare]", sidecar));
        let kept = receipt.kept.iter().find(|kept| kept.why == Why::Sidecars.text()).unwrap();
        assert_eq!(names(&kept.fields), ["29:9 spec.template.spec.initContainers[0].startupProbe"]);
        let simulated = names(&receipt.applied[1].fields);
        assert!(!simulated.iter().any(|field| field.contains("startupProbe")), "{simulated:#?}");
    }
}
