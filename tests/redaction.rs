//! What leaves is only what is meant to leave: links, saved runs, reports and pictures of a real cluster's run hold what the
//! simulation reads, and are the same run.
#![allow(clippy::unwrap_used, reason = "a test")]

use crate::kit;

use serde_json::Value;
use setscope::diagnosis::{CONDITIONS, Diagnosis, Gist, Told, diagnose};
use setscope::kubectl::manifest::Listing;
use setscope::objects::Time;
use setscope::session::Session;
use setscope::session::dump::{self, Options};
use setscope::session::redact;
use setscope::session::scenario::{self, About};
use setscope::session::variants::Variant;
use setscope::view::Export;
use std::collections::BTreeSet;
use std::fs;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// What the dialog says a link contains: fields whose texts are names, types, reasons, quantities, and those that hold nothing
/// else.
const LISTED: &str = "
    apiVersion kind name generateName namespace uid resourceVersion labels matchLabels matchExpressions nodeSelector finalizers
    ownerReferences claimRef selector strategy updateStrategy scaleStrategy persistentVolumeClaimRetentionPolicy
    podManagementPolicy unhealthyPodEvictionPolicy serviceName labelsHandler finalizersHandler
    nodeName hostname subdomain restartPolicy restartPolicyRules dnsPolicy schedulerName serviceAccountName serviceAccount priorityClassName
    preemptionPolicy runtimeClassName tolerations taints affinity nodeAffinity topologySpreadConstraints readinessGates
    schedulingGates imagePullSecrets resources overhead
    image imageID imagePullPolicy terminationMessagePolicy envFrom valueFrom protocol port scheme mountPropagation
    recursiveReadOnly persistentVolumeClaim emptyDir secretName key fieldRef resourceFieldRef stopSignal capabilities type
    procMount fsGroupChangePolicy
    phase reason qosClass status currentRevision updateRevision labelSelector accessModes capacity allocatable
    allocatedResources nominatedNodeName kubeletVersion operatingSystem architecture volumeName volumeMode storageClassName
    volumeAttributesClassName currentVolumeAttributesClassName targetVolumeAttributesClassName resourceClaimName
    resourceClaimTemplateName targetContainerName limits hard minAvailable maxUnavailable persistentVolumeReclaimPolicy $patch provisioner volumeBindingMode reclaimPolicy dataSource dataSourceRef
";

fn files(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, all);
        } else if path.extension().is_some_and(|ending| ending == "yaml" || ending == "json") {
            all.push(path);
        }
    }
}

/// Whether the text is objects alone: in descriptions and tables no value can be marked or taken out.
fn is_objects(text: &str) -> bool {
    let mut listing = Listing::new(text.into());
    while listing.advance() {}
    let (objects, unreadable) = listing.finish();
    unreadable.is_none() && !objects.is_empty() && objects.iter().all(|listed| listed.value["kind"].is_string())
}

/// Every text of objects of a cluster in the tests, with a name.
fn texts() -> Vec<(String, String)> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut paths = Vec::new();
    for folder in ["cases", "damaged", "diagnosis", "rollout", "what_ifs"] {
        files(&home.join(folder), &mut paths);
    }
    paths.sort();
    let written = paths.iter().map(|path| {
        let name = path.strip_prefix(&home).unwrap().display().to_string();
        (name, fs::read_to_string(path).unwrap())
    });
    let written = written.filter(|(_, text)| is_objects(text));
    let recorded = kit::dumps().into_iter().map(|(name, moment, text)| (format!("{name} at {moment}"), text));
    written.chain(recorded).collect()
}

fn run(text: &str) -> Option<Session> {
    dump::open(text, &Options::default()).ok()?.session(1).ok()
}

/// Marks every text of an object that is not listed, and counts how many.
struct Marks(u32);

/// No generated name has these letters.
const MARK: &str = "leaked";

impl Marks {
    fn mark(&mut self, name: &str, value: &mut Value) {
        match value {
            Value::String(text) => {
                let is_moment = Time::parse(text).is_some();
                let is_json = ["inplace-update-state", "inplace-update-grace"].iter().any(|own| name.ends_with(own));
                if text.is_empty() || is_moment || is_json {
                    return;
                }
                self.0 += 1;
                *text = match text.parse::<IpAddr>() {
                    Ok(_) => format!("172.31.{}.{}", self.0 / 256 % 256, self.0 % 256),
                    Err(_) => format!("{text}-{MARK}{}", self.0),
                };
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.mark(name, item)),
            Value::Object(fields) => {
                let is_free = ["parameters", "volumeAttributes", "options", "fieldsV1"].contains(&name);
                *fields = std::mem::take(fields)
                    .into_iter()
                    .map(|(own, mut value)| {
                        if is_free || !is_listed(&own, &value) {
                            self.mark(&own, &mut value);
                        }
                        (if is_free { format!("{own}-{MARK}") } else { own }, value)
                    })
                    .collect();
            }
            _ => {}
        }
    }
}

/// Annotations that the controllers decide by.
const ANNOTATIONS: [&str; 9] = [
    "deployment.kubernetes.io/",
    "deprecated.",
    "pv.kubernetes.io/",
    "storageclass.",
    "volume.",
    "controller.kubernetes.io/",
    "apps.kruise.io/cloneset-",
    "kruise.io/cloneset-",
    "kueue.x-k8s.io/pod-group-total-count",
];

fn is_listed(name: &str, value: &Value) -> bool {
    if ANNOTATIONS.iter().any(|own| name.starts_with(own)) {
        return true;
    }
    // `status` is a part of an object, or a condition's word; `type` may be a map's key.
    LISTED.split_whitespace().any(|listed| listed == name) && !(name == "status" && value.is_object())
}

fn marked(text: &str) -> Option<(String, u32)> {
    let mut listing = Listing::new(text.into());
    while listing.advance() {}
    let (objects, unreadable) = listing.finish();
    if unreadable.is_some() {
        return None;
    }
    let mut marks = Marks(0);
    let documents = objects.into_iter().map(|listed| {
        let mut value = listed.value;
        marks.mark("", &mut value);
        value.to_string()
    });
    let documents: Vec<String> = documents.collect();
    Some((documents.join("\n---\n"), marks.0))
}

/// Everything that can be made of a run for others.
fn leaving(session: &Session, link_alone: bool) -> Vec<(String, String)> {
    let about = About::default();
    let link = ("link".to_owned(), scenario::write_redacted(session, &about));
    if link_alone {
        return vec![link];
    }
    let passed_on = scenario::run_redacted(session).unwrap();
    let set = passed_on.cluster().workloads().next().map(|object| object.reference());
    let mut all = vec![link];
    for (export, name, _) in Export::ALL {
        all.push((name.to_owned(), export.text(&passed_on, &about, set.as_ref())));
    }
    for (variant, name) in Variant::ALL {
        for lane in set.iter().flat_map(|set| variant.lanes(session, set)) {
            all.push((name.to_owned(), lane.manifest.to_string()));
        }
    }
    all
}

#[test]
fn nothing_leaves_that_the_dialog_does_not_list() {
    let (mut opened, mut marks) = (0, 0);
    for (name, text) in texts() {
        if run(&text).is_none() {
            continue;
        }
        let (text, count) = marked(&text).unwrap_or_else(|| panic!("{name} cannot be marked"));
        let mut session = dump::open(&text, &Options::default())
            .unwrap_or_else(|refusal| panic!("{name} is not opened once it is marked: {refusal:?}"))
            .session(1)
            .unwrap();
        session.advance(1_000);
        // Files are made of the run that the link is made of: of recorded moments a part is enough.
        let all = leaving(&session, name.contains(" at ") && opened % 5 != 0);
        for (what, left) in all {
            for mark in [MARK, "172.31."] {
                let found = left.lines().find(|line| line.contains(mark));
                assert_eq!(found, None, "{name}: in the {what}");
            }
        }
        opened += 1;
        marks += count;
    }
    assert!(opened > 130 && marks > 10_000, "{opened} texts with {marks} marks");
}

/// What is said of each workload, without a word.
fn verdicts(session: &Session, told: Told<'_>) -> Vec<String> {
    diagnose(session, told, CONDITIONS)
        .iter()
        .map(|one| {
            let findings: Vec<String> = one
                .findings
                .iter()
                .map(|found| format!("{} {:?} {:?} {:?}", found.condition.name, found.gravity, found.cause, found.pod))
                .collect();
            let verdict = &one.verdict;
            let ends = format!("{:?}", verdict.ends).split(['(', '{']).next().unwrap().to_owned();
            format!(
                "{:?} {:?} {ends} {:?} {:?} {findings:?}",
                one.workload, verdict.state, verdict.available_after, one.stop
            )
        })
        .collect()
}

#[test]
fn an_opened_link_says_the_same_as_the_run_that_it_was_made_of() {
    let cases = texts().into_iter().filter(|(name, _)| name.starts_with("cases") || name.starts_with("diagnosis"));
    let mut compared = 0;
    for (name, text) in cases {
        let Some(session) = run(&text) else { continue };
        let read = |text: String| scenario::read(&text).unwrap_or_else(|refusal| panic!("{name}: {refusal:?}")).0;
        let whole = read(scenario::write(&session, &About::default()));
        let link = scenario::write_redacted(&session, &About::default());
        let redacted = read(link);
        assert_eq!(verdicts(&redacted, Told::default()), verdicts(&whole, Told::default()), "{name}");
        let [once, again] =
            [scenario::write, scenario::write_redacted].map(|write| write(&redacted, &About::default()));
        assert!(once == again, "{name}: once is enough");
        compared += 1;
    }
    assert!(compared > 40, "{compared}");
}

/// A text whose uids are all this one, or are not there.
fn with_uid(text: &str, uid: Option<&str>) -> String {
    fn set(value: &mut Value, uid: Option<&str>) {
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| set(item, uid)),
            Value::Object(fields) => {
                match uid {
                    Some(uid) if fields.contains_key("uid") => drop(fields.insert("uid".to_owned(), uid.into())),
                    _ => drop(fields.remove("uid")),
                }
                fields.values_mut().for_each(|value| set(value, uid));
            }
            _ => {}
        }
    }
    let mut listing = Listing::new(text.into());
    while listing.advance() {}
    let documents = listing.finish().0.into_iter().map(|listed| {
        let mut value = listed.value;
        set(&mut value, uid);
        value.to_string()
    });
    documents.collect::<Vec<String>>().join("\n---\n")
}

#[test]
fn uids_that_are_taken_out_change_no_verdict() {
    let said = |text: &str| {
        let dump = dump::open(text, &Options::default()).unwrap();
        verdicts(&dump.session(1).unwrap(), Told::from(&dump))
    };
    // A recorded moment takes long; SETSCOPE_ALL=1 tries all of them.
    let is_all = std::env::var_os("SETSCOPE_ALL").is_some();
    let mut wrong = Vec::new();
    for (at, (name, text)) in texts().into_iter().enumerate() {
        if run(&text).is_none() || rests_on_uids(&text) || (!is_all && name.contains(" at ") && at % 6 != 0) {
            continue;
        }
        let before = said(&text);
        for uid in [Some("REDACTED"), None] {
            if said(&with_uid(&text, uid)) != before {
                wrong.push(format!("{name} with {uid:?}"));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

/// Whether an object is owned by one of a name that is there with another uid: nothing but the uid tells the two apart.
fn rests_on_uids(text: &str) -> bool {
    let objects = dump::open(text, &Options::default()).unwrap().objects;
    objects.iter().any(|own| {
        own.metadata().controller_of().is_some_and(|owner| {
            objects.iter().map(|other| (other.kind(), other.metadata())).any(|(kind, other)| {
                (kind.as_str(), &other.name, &other.namespace) == (&*owner.kind, &owner.name, &own.metadata().namespace)
                    && other.uid != owner.uid
            })
        })
    })
}

/// Words that stand for what they are, wherever they are: of Kubernetes' messages, and of its fields.
fn is_word(part: &str) -> bool {
    static WORDS: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
        let public =
            "kubernetes k8s kruise apps statefulset failure domain lifecycle stopped nodeclass zone region arch io sha256 normal zonal local
            multi anti non amd64 arm64 kube updating coredns pause kueue root metrics v1beta1";
        include_str!("../src/session/redact/words.txt").split_whitespace().chain(public.split(' ')).collect()
    });
    let is_amount = || part.trim_start_matches(|letter: char| letter.is_ascii_digit()).len() < 3;
    let starts_with_digit = part.starts_with(|letter: char| letter.is_ascii_digit());
    let is_number = part.len() < 3 || starts_with_digit && (part.len() < 8 || is_amount());
    is_number || WORDS.contains(&*part.to_ascii_lowercase())
}

/// The parts of what somebody named or wrote: of everything but what has words of Kubernetes.
fn given(field: &str, value: &Value, all: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => {
            let is_given = "name namespace generateName serviceName nodeName hostname image imageID uid value command args message
                nominatedNodeName claimName secretName key topologyKey serviceAccountName storageClassName volumeName podIP hostIP
                label clusterIP containerID providerID";
            // Kubernetes' own images are the same everywhere.
            let is_public = text.contains("kubernetes.io/") || text.starts_with("registry.k8s.io/");
            if is_given.split_whitespace().any(|given| given == field) && !is_public {
                let parts = text.split(|letter: char| !letter.is_alphanumeric());
                all.extend(parts.filter(|part| !is_word(part)).map(str::to_owned));
            }
        }
        Value::Array(items) => items.iter().for_each(|item| given(field, item, all)),
        Value::Object(fields) => {
            for (name, value) in fields {
                let is_label = ["labels", "matchLabels", "nodeSelector"].contains(&field);
                given(if is_label { "label" } else { name }, value, all);
            }
        }
        _ => {}
    }
}

#[test]
fn a_redacted_cluster_has_the_same_diagnosis_and_no_name_that_was_given() {
    let said = |text: &str| -> Vec<Gist> {
        let dump = dump::open(text, &Options::default()).unwrap();
        diagnose(&dump.session(1).unwrap(), Told::from(&dump), CONDITIONS).iter().map(Diagnosis::gist).collect()
    };
    // A recorded moment takes long; SETSCOPE_ALL=1 tries all of them.
    let is_all = std::env::var_os("SETSCOPE_ALL").is_some();
    let (mut wrong, mut left, mut redacted_texts, mut parts) = (Vec::new(), Vec::new(), 0, 0);
    for (at, (name, text)) in texts().into_iter().enumerate() {
        if run(&text).is_none() || (!is_all && name.contains(" at ") && at % 6 != 0) {
            continue;
        }
        let mut redacted = redact::cluster(&text).unwrap_or_else(|refusal| panic!("{name}: {refusal:?}"));
        let before: Vec<Gist> = said(&text).iter().map(|one| one.renamed(|name| redacted.name(name))).collect();
        let after = match dump::open(redacted.text(), &Options::default()) {
            Ok(_) => said(redacted.text()),
            Err(refusal) => panic!("{name}: {refusal:?}"),
        };
        if before != after {
            wrong.push(format!("{name}:\n  {before:?}\n  {after:?}"));
        }
        let mut names = BTreeSet::new();
        listed(&text).iter().for_each(|value| given("", value, &mut names));
        let mut stand_ins = BTreeSet::new();
        listed(redacted.text()).iter().for_each(|value| given("", value, &mut stand_ins));
        left.extend(names.intersection(&stand_ins).map(|part| format!("{name}: {part}")));
        redacted_texts += 1;
        parts += names.len();
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(left, Vec::<String>::new());
    assert!(redacted_texts > 60 && parts > 1_000, "{redacted_texts} texts with {parts} parts of names");
}

fn listed(text: &str) -> Vec<Value> {
    let mut listing = Listing::new(text.into());
    while listing.advance() {}
    listing.finish().0.into_iter().map(|listed| listed.value).collect()
}

#[test]
fn what_no_list_has_is_in_no_redacted_cluster() {
    let mut marks = 0;
    for (name, text) in texts().into_iter().filter(|(name, _)| !name.contains(" at ")) {
        if run(&text).is_none() {
            continue;
        }
        let (text, count) = marked(&text).unwrap();
        let redacted = redact::cluster(&text).unwrap();
        for mark in [MARK, "172.31."] {
            assert_eq!(redacted.text().lines().find(|line| line.contains(mark)), None, "{name}");
        }
        marks += count;
    }
    assert!(marks > 1_000, "{marks}");
}

#[test]
fn what_is_no_object_is_not_redacted() {
    assert!(redact::cluster("NAME READY\nweb-0 1/1\n").is_err());
}
