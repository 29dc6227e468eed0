//! `kubectl apply`, `kubectl create` and `kubectl replace` of files.

use super::Verb;
use crate::kubectl::manifest::{self, Document, PatchType};
use crate::kubectl::{Args, Command, Error, Line};
use crate::objects::{ApiError, Reason};
use crate::sim::Cluster;
use crate::text::Text;
use serde_json::{Value, json};

pub(super) const APPLY: Verb = Verb {
    name: "apply",
    usage: "-f FILE",
    kinds: |_| false,
    flags: &["-f", "--filename", "-n", "--namespace"],
    also: OF_APPLY,
    parse: |args, _| {
        if args.is_set(&["--force"]) || args.is_set(&["--prune"]) {
            return Err(Error::Own(text!(
                "--prune and --force are not simulated: leave them out, and delete by name what is to go"
            )));
        }
        let texts = texts(args)?;
        Ok(Line::Do(texts.into_iter().map(|text| Command::Apply { manifest: text.into() }).collect()))
    },
};

pub(super) const CREATE: Verb = Verb {
    name: "create",
    usage: "-f FILE",
    kinds: |_| false,
    flags: &["-f", "--filename", "-n", "--namespace"],
    also: OF_APPLY,
    parse: |args, cluster| {
        let mut commands = Vec::new();
        for text in texts(args)? {
            for object in args.objects_of(&text, cluster) {
                if cluster.get(&object).is_ok() {
                    let message = format!("{} {:?} already exists", object.kind.qualified_resource(), object.name);
                    return Err(ApiError::new(Reason::AlreadyExists, message).into());
                }
            }
            commands.push(Command::Apply { manifest: text.into() });
        }
        Ok(Line::Do(commands))
    },
};

pub(super) const REPLACE: Verb = Verb {
    name: "replace",
    usage: "-f FILE",
    kinds: |_| false,
    flags: &["-f", "--filename", "-n", "--namespace"],
    also: OF_APPLY,
    parse: |args, cluster| {
        if args.is_set(&["--force"]) {
            return Err(Error::Own(text!(
                "--force deletes and creates: say it as kubectl delete and kubectl apply -f, one after the other"
            )));
        }
        let mut commands = Vec::new();
        for text in texts(args)? {
            for document in documents(&text, cluster) {
                let key = args.key(&document).ok_or_else(|| {
                    Error::Own(text!("a {} is not simulated", Text::verbatim(document.kind.as_str())))
                })?;
                cluster.get(&key)?;
                commands.push(Command::Patch { set: key, patch: replacing(&document).into(), how: PatchType::Json });
            }
        }
        Ok(Line::Do(commands))
    },
};

/// Flags that change how it is sent, or how it is said.
const OF_APPLY: &[&str] = &[
    "-k",
    "--kustomize",
    "--prune",
    "--force",
    "--dry-run",
    "-o",
    "--output",
    "--field-manager",
    "--record",
    "--server-side",
    "--force-conflicts",
    "--save-config",
    "--validate",
    "--wait",
    "--timeout",
    "-R",
    "--recursive",
    "--overwrite",
];

/// The JSON patch that puts the document's fields in the place of those that are there.
fn replacing(document: &Document) -> String {
    let set = |path: &str, value: &Value| json!({"op": "add", "path": path, "value": value});
    let of = |name: &str| document.sent["metadata"].get(name).cloned().unwrap_or_else(|| json!({}));
    let spec = document.sent.get("spec").cloned().unwrap_or_else(|| json!({}));
    let all =
        [set("/metadata/labels", &of("labels")), set("/metadata/annotations", &of("annotations")), set("/spec", &spec)];
    Value::from(all.to_vec()).to_string()
}

/// The texts of the files, each object with the namespace that it is meant to be in.
fn texts(args: &Args<'_>) -> Result<Vec<String>, Error> {
    if args.flag(&["-k", "--kustomize"]).is_some() {
        return Err(Error::Own(text!(
            "a kustomization is not built here: write kubectl kustomize DIR > all.yaml, and give -f all.yaml"
        )));
    }
    let files = args.files(&["-f", "--filename"])?;
    if files.is_empty() {
        return Err(Error::client("must specify one of -f and -k"));
    }
    files.into_iter().map(|(_, text)| placed(args, text)).collect()
}

/// Models RequireNamespace of k8s.io/cli-runtime pkg/resource/visitor.go.
fn placed(args: &Args<'_>, text: String) -> Result<String, Error> {
    let namespace = args.namespace();
    let others = manifest::namespaces(&text);
    match args.flag(&["-n", "--namespace"]).and(others.iter().find(|own| **own != *namespace)) {
        Some(own) => Err(Error::Client(format!(
            "the namespace from the provided object {own:?} does not match the namespace \"{namespace}\". You must pass '--namespace={own}' to perform this operation."
        ))),
        // What names none is taken to be there.
        None if *namespace == *"default" => Ok(text),
        None => Ok(manifest::in_namespace(&text, &namespace)),
    }
}

fn documents(text: &str, cluster: &Cluster) -> Vec<Document> {
    manifest::read(text, &cluster.server()).documents
}
