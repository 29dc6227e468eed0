//! Texts that cannot be read, by what they are: each with what would be right in their place.

use super::fragments;
use crate::text::Text;

/// What a text is, and how it is known.
type Named = (fn(&str) -> bool, fn() -> Text);

/// What is said of a table that another program than kubectl prints.
fn other_table(whose: Text) -> Text {
    text!("{}: give what `{}` prints, as it is", whose, super::super::command())
}

const NAMED: &[Named] = &[
    (
        |text| text.trim().is_empty(),
        || text!("the text is empty: `{}` prints what can be read", super::super::command()),
    ),
    (is_binary, || text!("this is no text: a screenshot cannot be read, only what kubectl prints")),
    (is_web_page, || text!("this is a web page: copy the text that it shows, or take its raw form")),
    (is_kubeconfig, || {
        text!(
            "this is a kubeconfig, which holds credentials: give nobody this, but what `{}` prints",
            super::super::command()
        )
    }),
    (is_kustomization, || text!("this is a kustomization: give the output of `kubectl kustomize`")),
    (is_template, || text!("this is a Helm template: give the output of `helm template`")),
    (is_chart, || text!("this is a Helm chart or its values: give the output of `helm template`")),
    (is_compose, || text!("this is a Compose file, and no object of Kubernetes")),
    (is_terraform, || {
        text!("this is Terraform: give what the cluster has of it, as `{}` prints it", super::super::command())
    }),
    (is_diff, || text!("this is a diff: give both versions, the old one and the new one")),
    (is_markdown_table, || {
        text!("this is a table of a document: give what `{}` prints, as it is", super::super::command())
    }),
    (is_of_runtime, || other_table(text!("these are containers of one node, as its runtime lists them"))),
    (is_csv, || other_table(text!("this is a table with commas between"))),
    (is_of_united, || {
        text!(
            "this is OpenKruise's UnitedDeployment, whose controller is not simulated: give the workloads that it has made, as `{}` prints them",
            super::super::command()
        )
    }),
    (is_of_daemons, || {
        text!(
            "this is OpenKruise's DaemonSet, whose controller is not simulated: give its pods and nodes, as `{}` prints them",
            super::super::command()
        )
    }),
    (is_of_dashboard, || other_table(text!("this is a table of a dashboard"))),
    (is_names, || text!("these are names alone: leave out `-o name`, or give `-o yaml`")),
];

/// The same of what is known by nothing but that it is nothing else.
const UNKNOWN: &[Named] = &[
    (is_program_log, || text!("these are lines that a program logs: give what `{}` prints", super::super::command())),
    (is_headless, || {
        text!(
            "these are events of a description without its head, which names what they are about: give all that `kubectl describe` prints, or the output of `{}`",
            super::super::command()
        )
    }),
    (is_words, || text!("this is nothing that kubectl prints: give the output of `{}`", super::super::command())),
];

/// What a text is that cannot be read, where that is known.
pub fn named(text: &str) -> Option<Text> {
    let own = text.trim_start_matches('\u{feff}');
    let known = NAMED.iter().find(|(is, _)| is(own)).map(|(_, text)| text());
    known.or_else(|| fragments::named(own)).or_else(|| UNKNOWN.iter().find(|(is, _)| is(own)).map(|(_, text)| text()))
}

/// The lines that say something, without comments.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
}

fn is_binary(text: &str) -> bool {
    /// Characters that tell.
    const FIRST: usize = 4096;
    let odd = |letter: &char| *letter == '\0' || *letter == '\u{fffd}';
    text.chars().take(FIRST).any(|letter| letter == '\0')
        || text.chars().take(FIRST).filter(odd).count() > 8
        || text.starts_with("%PDF-")
}

/// Rows between bars, under a line of dashes.
fn is_markdown_table(text: &str) -> bool {
    let is_rule =
        |line: &str| line.starts_with('|') && line.contains("---") && line.chars().all(|one| "|-: ".contains(one));
    lines(text).next().is_some_and(|line| line.trim_start().starts_with('|')) && has_line(text, is_rule)
}

fn is_web_page(text: &str) -> bool {
    let start: String = text.trim_start().chars().take(14).collect::<String>().to_lowercase();
    start.starts_with("<!doctype html") || start.starts_with("<html")
}

fn has_line(text: &str, is: impl Fn(&str) -> bool) -> bool {
    text.lines().any(|line| is(line.trim_end()))
}

fn is_kubeconfig(text: &str) -> bool {
    has_line(text, |line| line == "kind: Config")
        && has_line(text, |line| ["contexts:", "clusters:", "users:"].contains(&line))
}

fn is_kustomization(text: &str) -> bool {
    let fields = [
        "namePrefix:",
        "nameSuffix:",
        "patchesStrategicMerge:",
        "patches:",
        "configMapGenerator:",
        "secretGenerator:",
        "commonLabels:",
        "bases:",
        "components:",
    ];
    let has_kind = has_line(text, |line| line.starts_with("kind:"));
    has_line(text, |line| line == "kind: Kustomization" || line == "kind: Component")
        || !has_kind && has_line(text, |line| line == "resources:")
        || !has_kind && has_line(text, |line| fields.iter().any(|field| line.starts_with(field)))
}

/// An action of Go's templates where YAML has a value, or alone on its line: a map that begins with a map is none of an object.
fn is_template(text: &str) -> bool {
    has_line(text, |line| {
        let action = line.find("{{").filter(|at| line[*at..].contains("}}"));
        action.is_some_and(|at| {
            let before = line[..at].trim_end();
            before.is_empty() || before.ends_with([':', '-', '"', '\'']) || line[at..].contains(".Values")
        })
    })
}

fn is_chart(text: &str) -> bool {
    let has = |field: &str| has_line(text, |line| line.starts_with(field));
    let is_object = has("kind:") || has("items:");
    !is_object
        && (has("apiVersion: v2") && has("version:")
            || has("replicaCount:")
            || has("fullnameOverride:")
            || has("nameOverride:"))
}

fn is_compose(text: &str) -> bool {
    let has = |field: &str| has_line(text, |line| line.starts_with(field));
    !has("kind:") && has("services:")
}

fn is_terraform(text: &str) -> bool {
    has_line(text, |line| line.starts_with("resource \"") && line.ends_with('{'))
}

fn is_diff(text: &str) -> bool {
    text.starts_with("diff ")
        || has_line(text, |line| line.starts_with("@@ -")) && has_line(text, |line| line.starts_with("+++ "))
}

/// Such as `pod/web-0`.
fn is_names(text: &str) -> bool {
    let is_name = |line: &str| {
        line.split_once('/').is_some_and(|(kind, name)| {
            let is_word = |word: &str| {
                !word.is_empty()
                    && word
                        .bytes()
                        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-.".contains(&byte))
            };
            is_word(kind) && is_word(name)
        })
    };
    lines(text).next().is_some() && lines(text).all(|line| is_name(line.trim()))
}

/// Such as `crictl ps` and `docker ps` print them.
fn is_of_runtime(text: &str) -> bool {
    has_line(text, |line| line.starts_with("CONTAINER") && line.contains("IMAGE") && line.contains("CREATED"))
}

/// The titles of a table, and rows with as many cells, each with commas between.
fn is_csv(text: &str) -> bool {
    /// So few cells a sentence may have.
    const FEW: usize = 3;
    let cells = |line: &str| line.split(',').count();
    let mut all = lines(text);
    let titles = all.next().unwrap_or_default().to_lowercase();
    let is_title =
        |word: &str| ["name", "namespace", "status", "ready", "restarts", "age", "phase", "node"].contains(&word);
    let known = titles.split(',').filter(|cell| is_title(cell.trim().trim_matches('"'))).count();
    known > 1 && cells(&titles) >= FEW && all.all(|line| cells(line) >= cells(&titles))
}

/// Whether a command of the text asks for one of these resources.
fn asks_for(text: &str, resources: &[&str]) -> bool {
    let is_asked = |line: &str| {
        let words = line.split_whitespace().skip_while(|word| !["get", "describe"].contains(word));
        words.skip(1).any(|word| word.split([',', '/']).any(|one| resources.contains(&one)))
    };
    has_line(text, |line| line.contains("kubectl ") && is_asked(line))
}

fn is_of_united(text: &str) -> bool {
    asks_for(text, &["ud", "uniteddeployment", "uniteddeployments", "uniteddeployments.apps.kruise.io"])
        || has_line(text, |line| line.starts_with("uniteddeployment.apps.kruise.io/"))
}

fn is_of_daemons(text: &str) -> bool {
    asks_for(text, &["ads", "daemonsets.apps.kruise.io", "daemonset.apps.kruise.io"])
        || has_line(text, |line| line.starts_with("daemonset.apps.kruise.io/"))
        || has_line(text, |line| line.contains("DESIREDNUMBER") && line.contains("CURRENTNUMBER"))
}

/// Titles as Rancher and the dashboards have them, a capital letter each: kubectl has capitals alone.
fn is_of_dashboard(text: &str) -> bool {
    const TITLES: [&str; 11] =
        ["Name", "Namespace", "State", "Status", "Ready", "Restarts", "Age", "Image", "Node", "Pods", "Created"];
    has_line(text, |line| {
        let cells: Vec<&str> = line.split(['\t', '|']).flat_map(|cell| cell.split("  ")).map(str::trim).collect();
        let known = cells.iter().filter(|cell| TITLES.contains(cell)).count();
        known > 2 && cells.contains(&"Name")
    })
}

/// JSON on each line, or a date and a level, and no object of the API.
fn is_program_log(text: &str) -> bool {
    let is_json = |line: &str| line.starts_with('{') && line.ends_with('}') && !line.contains("\"apiVersion\"");
    let is_dated = |line: &str| {
        line.len() > 19 && line.as_bytes()[4] == b'-' && line.bytes().take(4).all(|byte| byte.is_ascii_digit())
    };
    // `time="…" level=… msg="…"`, as logrus writes it.
    let is_fields = |line: &str| line.starts_with("time=\"") || line.starts_with("level=") || line.starts_with("ts=");
    let is_logged = |line: &&str| [is_json, is_dated, is_fields].iter().any(|is| is(line.trim()));
    let count = lines(text).take(50).count();
    count > 1 && lines(text).take(50).filter(is_logged).count() * 2 > count
}

/// Rows of events as a description has them, and no line that begins one.
fn is_headless(text: &str) -> bool {
    let is_row = |line: &str| {
        let mut cells = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty());
        cells.next().is_some_and(|first| ["Normal", "Warning"].contains(&first)) && cells.count() > 2
    };
    has_line(text, is_row) && !has_line(text, |line| line.starts_with("Name:"))
}

/// Neither a field of an object nor JSON anywhere.
fn is_words(text: &str) -> bool {
    let is_field = |line: &str| {
        let own = line.trim_start().trim_start_matches("- ");
        own.split_once(':').is_some_and(|(name, rest)| {
            !name.is_empty() && !name.contains(' ') && (rest.is_empty() || rest.starts_with(' '))
        })
    };
    let start = text.trim_start();
    !start.starts_with(['{', '[', '&', '!', '|', '>', '%', '@']) && !lines(text).any(is_field)
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn what_cannot_be_read_is_named() {
        for (text, want) in [
            ("", "the text is empty"),
            (" \n", "the text is empty"),
            ("\u{fffd}PNG\r\n\u{1a}\n\0\0\0\rIHDR", "a screenshot"),
            ("<!DOCTYPE html>\n<html>", "a web page"),
            ("apiVersion: v1\nclusters:\n- cluster: {}\ncontexts: []\nkind: Config\n", "a kubeconfig"),
            ("resources:\n- web.yaml\nnamePrefix: x-\n", "a kustomization"),
            ("apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n", "a kustomization"),
            ("apiVersion: apps/v1\nkind: StatefulSet\nspec:\n  replicas: {{ .Values.replicas }}\n", "a Helm template"),
            ("kind: StatefulSet\nmetadata:\n  name: {{ helm }}\n", "a Helm template"),
            ("{{- if .Values.x }}\na: 1\n{{- end }}\n", "a Helm template"),
            ("apiVersion: v2\nname: web\nversion: 1.2.3\n", "a Helm chart"),
            ("replicaCount: 3\nimage:\n  tag: x\n", "a Helm chart"),
            ("version: '3'\nservices:\n  web: {}\n", "a Compose file"),
            ("diff --git a/x b/x\n", "a diff"),
            ("pod/web-0\nstatefulset.apps/web\n", "names alone"),
            ("{\"level\":\"info\",\"msg\":\"x\"}\n{\"level\":\"info\",\"msg\":\"y\"}\n", "a program logs"),
            ("2026-11-20T10:00:00Z INFO starting\n2026-11-20T10:00:01Z INFO started\n", "a program logs"),
            ("time=\"x\" level=info msg=y\ntime=\"x\" level=error msg=z\n", "a program logs"),
            ("Events:\n  Warning  BackOff  2s (x4 over 44s)  kubelet, node-a  Back-off\n", "without its head"),
            (
                "CONTAINER   IMAGE   CREATED   STATE   NAME\n9f2   nginx   1 day ago   Running   web\n",
                "its runtime lists",
            ),
            ("CONTAINER ID   IMAGE   COMMAND   CREATED   STATUS\n", "its runtime lists"),
            ("name,namespace,ready,status\nweb-0,shop,1/1,Running\n", "with commas between"),
            ("State\tName\tNamespace\tImage\nRunning\tweb-0\tshop\tweb:1\n", "a dashboard"),
            ("$ kubectl get ud -n shop\nNAME   DESIRED\nweb    6\n", "UnitedDeployment"),
            ("NAME   DESIREDNUMBER   CURRENTNUMBER   AGE\nlog    3   3   5d\n", "OpenKruise's DaemonSet"),
            ("{\"readyReplicas\": 2, \"replicas\": 3}", "kubectl get sts,deploy,rs -o yaml"),
            ("hello", "nothing that kubectl prints"),
        ] {
            let said = named(text).map(|text| text.to_string()).unwrap_or_default();
            assert!(said.contains(want), "{text:?}: {said:?}");
        }
        assert_eq!(named("apiVersion: v1\nkind: Pod\nmetadata: [\n"), None);
    }
}
