//! `kubectl patch`.

use super::Verb;
use crate::kubectl::manifest::{self, PatchType, is_list};
use crate::kubectl::{Args, Command, Error, Line, beside};
use crate::objects::{ApiError, Kind, Reason};
use crate::sim::Cluster;
use serde_json::Value;
use std::rc::Rc;

pub(super) const VERB: Verb = Verb {
    name: "patch",
    usage: "[TYPE|pdb|hpa|quota|limits] NAME -p PATCH",
    kinds: |kind| kind.is_workload() || is_patched_itself(kind),
    flags: &["-p", "--patch", "--type", "-n", "--namespace"],
    also: &[
        "-f",
        "--filename",
        "-R",
        "--recursive",
        "--patch-file",
        "--dry-run",
        "-o",
        "--output",
        "--field-manager",
        "--record",
        "--show-managed-fields",
        "--template",
        "--allow-missing-template-keys",
    ],
    parse,
};

fn parse(args: &Args, cluster: &Cluster) -> Result<Line, Error> {
    let files = args.files(&["--patch-file"])?;
    let patch = args
        .flag(&["-p", "--patch"])
        .or_else(|| files.first().map(|(_, text)| text.as_str()))
        .ok_or_else(|| Error::client("must specify --patch or --patch-file containing the contents of the patch"))?;
    let patch_type = args.flag(&["--type"]).unwrap_or("strategic");
    check(patch_type, patch)?;
    if let Some((of, names)) = beside::targets(args, cluster)? {
        let how = if patch_type == "json" { PatchType::Json } else { PatchType::Merge };
        let (namespace, patch): (_, Rc<str>) = (args.namespace(), patch.into());
        let one =
            |name| Command::PatchBeside { of, namespace: Rc::clone(&namespace), name, patch: Rc::clone(&patch), how };
        return Ok(Line::Do(names.into_iter().map(one).collect()));
    }
    let named = match args.operands.is_empty() {
        true => args.targets(&args.operands, cluster)?,
        false => args.objects_in(&args.operands)?,
    };
    let set = match named.as_slice() {
        [object] if object.kind == Kind::Node => {
            cluster.get(object)?;
            return of_node(Rc::clone(&object.name), patch);
        }
        [object] if is_patched_itself(object.kind) => {
            cluster.get(object)?;
            object.clone()
        }
        _ => args.workload(0, 0, cluster)?.0,
    };
    // Models runPatch, pkg/cmd/patch/patch.go of k8s.io/kubectl: it sends this type where none is named.
    if patch_type == "strategic" && set.kind.is_custom_resource() {
        return Err(Error::Client(format!(
            "application/strategic-merge-patch+json is not supported by {}, Kind={}: the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml",
            set.kind.api_version(),
            set.kind.as_str()
        )));
    }
    Ok(Line::Do(vec![match patch_type {
        "merge" => Command::Patch { set, patch: patch.into(), how: PatchType::Merge },
        _ => Command::patch(set, patch.into()),
    }]))
}

/// A patch of a node, as far as it says what `kubectl cordon` does.
fn of_node(node: Rc<str>, patch: &str) -> Result<Line, Error> {
    let patch = manifest::read_patch(patch).ok();
    let is_alone = |value: &Value| value.as_object().is_some_and(|fields| fields.len() == 1);
    let spec = patch.as_ref().filter(|patch| is_alone(patch)).and_then(|patch| patch.get("spec"));
    let asked = spec.filter(|spec| is_alone(spec)).and_then(|spec| spec.get("unschedulable"));
    match asked {
        Some(Value::Bool(true)) => Ok(Line::Do(vec![Command::Cordon { node }])),
        Some(Value::Bool(false) | Value::Null) => Ok(Line::Do(vec![Command::Uncordon { node }])),
        _ => Err(Error::Own(text!(
            "of a node only spec.unschedulable is patched here: say the rest as kubectl taint or kubectl label"
        ))),
    }
}

/// Whether it can be patched though it is no workload.
fn is_patched_itself(kind: Kind) -> bool {
    matches!(kind, Kind::Pod | Kind::PersistentVolumeClaim)
}

/// What the API server says of a patch that is not of its type.
fn check(patch_type: &str, patch: &str) -> Result<(), Error> {
    let wrong = |what: &str| {
        let message = format!("json: cannot unmarshal {what}");
        Err(ApiError::new(Reason::BadRequest, message).into())
    };
    match (patch_type, is_list(patch)) {
        ("json", false) => wrong("object into Go value of type jsonpatch.Patch"),
        ("merge" | "strategic", true) => wrong("array into Go value of type map[string]interface {}"),
        ("json" | "merge" | "strategic", _) => Ok(()),
        _ => Err(Error::Client(format!("--type must be one of [json merge strategic], not {patch_type:?}"))),
    }
}
