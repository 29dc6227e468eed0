//! Commands as the lines that mean them.

use super::manifest::PatchType;
use super::simulator::{BEHAVIORS, FAILURES};
use super::{Command, Draining, hold};
use crate::objects::{Kind, OUT_OF_SERVICE, ObjectRef};
use crate::sim::Cascade;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The line that means the command. What several lines can say is said in one way, so that written lines read back alike.
pub fn write(command: &Command) -> String {
    match command {
        Command::Apply { .. } => "kubectl apply -f -".to_owned(),
        Command::Scale { set, replicas } => {
            format!("kubectl scale {} {} --replicas={replicas}{}", set.kind.short_name(), name(set), of(set))
        }
        Command::Autoscale { target, name: own, min, max } => {
            let named = if *own == target.name { String::new() } else { format!(" --name={}", quoted(own)) };
            let min = min.map_or_else(String::new, |min| format!(" --min={min}"));
            format!(
                "kubectl autoscale {} {}{named}{min} --max={max}{}",
                target.kind.short_name(),
                name(target),
                of(target)
            )
        }
        Command::Recreate { set, policy } => format!("setscope recreate {} {}", own_name(set), policy.as_str()),
        Command::SetImage { set, container, image } => {
            let image = quoted(&[container, "=", image].concat());
            format!("{} set image {}/{} {image}{}", program(set.kind), set.kind.short_name(), name(set), of(set))
        }
        Command::SetResources { set, container, limits, requests } => {
            let list = |flag: &str, quantities: &BTreeMap<Rc<str>, Rc<str>>| {
                let pairs: Vec<String> = quantities.iter().map(|(name, value)| format!("{name}={value}")).collect();
                if pairs.is_empty() { String::new() } else { format!(" --{flag}={}", quoted(&pairs.join(","))) }
            };
            let container = container.as_ref().map_or_else(String::new, |name| format!(" -c={}", quoted(name)));
            let (kind, limits, requests) = (set.kind.short_name(), list("limits", limits), list("requests", requests));
            let target = format!("{kind}/{}{container}", name(set));
            format!("{} set resources {target}{limits}{requests}{}", program(set.kind), of(set))
        }
        Command::Patch { set, patch, how } => write_patch(set, patch, *how),
        Command::RollBack { set, to } => {
            let to = if *to == 0 { String::new() } else { format!(" --to-revision={to}") };
            format!("{} rollout undo {}/{}{to}{}", program(set.kind), set.kind.short_name(), name(set), of(set))
        }
        Command::Restart { set } => {
            format!("{} rollout restart {}/{}{}", program(set.kind), set.kind.short_name(), name(set), of(set))
        }
        Command::Pause { set, paused } => {
            let verb = if *paused { "pause" } else { "resume" };
            format!("{} rollout {verb} {}/{}{}", program(set.kind), set.kind.short_name(), name(set), of(set))
        }
        Command::SetEnv { set, container, variables } => {
            let changes: Vec<String> = variables.iter().map(|(name, value)| change(name, value.as_deref())).collect();
            let container = container.as_ref().map_or_else(String::new, |name| format!(" -c={}", quoted(name)));
            let target = format!("{}/{}{container}", set.kind.short_name(), name(set));
            format!("{} set env {target} {}{}", program(set.kind), changes.join(" "), of(set))
        }
        Command::Label { object, labels } => changed("label", object, labels),
        Command::Annotate { object, annotations } => changed("annotate", object, annotations),
        Command::PatchBeside { of, namespace, name, patch, how } => {
            let (resource, space, how) = (of.short_name(), in_space(namespace), flag_of(*how));
            format!("kubectl patch {resource} {}{space}{how} -p {}", quoted(name), quoted(patch))
        }
        Command::DeleteBeside { of, namespace, name } => {
            format!("kubectl delete {} {}{}", of.short_name(), quoted(name), in_space(namespace))
        }
        Command::DeletePod { pod, grace } => {
            let force = if *grace == Some(0) { " --force" } else { "" };
            let grace = grace.map_or_else(String::new, |seconds| format!(" --grace-period={seconds}"));
            format!("kubectl delete pod {}{grace}{force}{}", name(pod), of(pod))
        }
        Command::DeleteClaim { claim } => format!("kubectl delete pvc {}{}", name(claim), of(claim)),
        Command::DeleteSet { set, cascade } => {
            let cascade = match cascade {
                Cascade::Background => "",
                Cascade::Foreground => " --cascade=foreground",
                Cascade::Orphan => " --cascade=orphan",
            };
            format!("kubectl delete {} {}{cascade}{}", set.kind.short_name(), name(set), of(set))
        }
        Command::Cordon { node } => ["kubectl cordon ", &quoted(node)].concat(),
        Command::Uncordon { node } => ["kubectl uncordon ", &quoted(node)].concat(),
        Command::Drain { node, how } => {
            let flags = "--ignore-daemonsets --delete-emptydir-data --force";
            format!("kubectl drain {} {flags}{}", quoted(node), draining(how))
        }
        Command::RemoveNode { node } => ["kubectl delete node ", &quoted(node)].concat(),
        Command::TaintOutOfService { node, effect } => {
            format!("kubectl taint nodes {} {OUT_OF_SERVICE}=nodeshutdown:{effect}", quoted(node))
        }
        Command::UntaintOutOfService { node } => format!("kubectl taint nodes {} {OUT_OF_SERVICE}-", quoted(node)),
        Command::Taint { node, key, value, effect } => {
            let equals = if value.is_empty() { "" } else { "=" };
            let taint = quoted(&[key, equals, value, ":", effect].concat());
            format!("kubectl taint nodes {} {taint} --overwrite", quoted(node))
        }
        Command::Untaint { node, key, effect } => {
            let colon = if effect.is_empty() { "" } else { ":" };
            format!("kubectl taint nodes {} {}", quoted(node), quoted(&[key, colon, effect, "-"].concat()))
        }
        Command::FailNode { node, failure } => {
            format!("setscope fail node {} {}", quoted(node), word_of(&FAILURES, *failure))
        }
        Command::FailZone { zone, failure } => {
            format!("setscope fail zone {} {}", quoted(zone), word_of(&FAILURES, *failure))
        }
        Command::RecoverNode { node } => ["setscope recover node ", &quoted(node)].concat(),
        Command::RecoverZone { zone } => ["setscope recover zone ", &quoted(zone)].concat(),
        Command::AddNode => "setscope add node".to_owned(),
        Command::SetBehavior { image, behavior } => {
            format!("setscope image {} {}", quoted(image), word_of(&BEHAVIORS, *behavior))
        }
        Command::SetReadinessDelay { milliseconds } => {
            format!("setscope ready-after {}.{:03}", milliseconds / 1000, milliseconds % 1000)
        }
        Command::SetReady { pod, ready: true } => format!("setscope ready pod {}", own_name(pod)),
        Command::SetReady { pod, .. } => format!("setscope unready pod {}", own_name(pod)),
        Command::Hold { hold } => {
            let words = hold::write(hold);
            ["setscope hold".to_owned()]
                .into_iter()
                .chain(words.iter().map(|word| quoted(word)))
                .collect::<Vec<_>>()
                .join(" ")
        }
        Command::Lift { object } => format!("setscope suppose {} starts", quoted(&hold::write_object(object))),
        Command::CrashPod { pod } => format!("setscope crash pod {}", own_name(pod)),
        Command::EvictPod { pod } => format!("setscope evict pod {}", own_name(pod)),
        Command::CompletePod { pod } => format!("setscope complete pod {}", own_name(pod)),
        Command::SetPodQuota { pods } => {
            format!("setscope quota pods {}", pods.map_or_else(|| "none".to_owned(), |pods| pods.to_string()))
        }
        Command::SetFailures { object, times, milliseconds } => {
            let name = own_name(object);
            format!("setscope failed {name} {times} {}.{:03}", milliseconds / 1000, milliseconds % 1000)
        }
        Command::SyncAfter { object, milliseconds } => {
            format!("setscope sync-after {} {}.{:03}", own_name(object), milliseconds / 1000, milliseconds % 1000)
        }
        Command::SetBudget { set, budget } => {
            let budget = budget.map_or_else(
                || "none".to_owned(),
                |budget| format!("{}{}", budget.min_available, if budget.always_allow { " always-allow" } else { "" }),
            );
            format!("setscope budget {} {budget}", own_name(set))
        }
        Command::SetWebhook { denies } => format!("setscope webhook {}", if *denies { "denies" } else { "allows" }),
    }
}

fn draining(how: &Draining) -> String {
    let Draining { pods, grace, skip, timeout } = how;
    let pods = pods.as_ref().map(|pods| format!(" --pod-selector={}", quoted(pods)));
    let grace = grace.map(|seconds| format!(" --grace-period={seconds}"));
    let skip = skip.map(|seconds| format!(" --skip-wait-for-delete-timeout={seconds}"));
    let timeout = timeout.map(|seconds| format!(" --timeout={seconds}s"));
    [pods, grace, skip, timeout].into_iter().flatten().collect()
}

/// `KEY=VALUE`, or `KEY-`.
fn change(key: &str, value: Option<&str>) -> String {
    match value {
        Some(value) => quoted(&[key, "=", value].concat()),
        None => quoted(&[key, "-"].concat()),
    }
}

fn changed(verb: &str, object: &ObjectRef, all: &BTreeMap<Rc<str>, Option<Rc<str>>>) -> String {
    let changes: Vec<String> = all.iter().map(|(key, value)| change(key, value.as_deref())).collect();
    let overwrite = if all.values().any(Option::is_some) { " --overwrite" } else { "" };
    let kind = if object.kind == Kind::Pod { "pod" } else { object.kind.short_name() };
    let space = if object.namespace.is_empty() { String::new() } else { of(object) };
    format!("kubectl {verb} {kind} {} {}{overwrite}{space}", name(object), changes.join(" "))
}

fn word_of<T: Copy + PartialEq>(table: &[(&'static str, T)], value: T) -> &'static str {
    table.iter().find(|(_, known)| *known == value).map_or("", |(word, _)| word)
}

fn name(object: &ObjectRef) -> String {
    quoted(&object.name)
}

/// What kubectl itself can do only to its own kinds, OpenKruise's plugin does to its own kinds.
pub fn program(kind: Kind) -> &'static str {
    if kind.is_custom_resource() { "kubectl kruise" } else { "kubectl" }
}

fn of(object: &ObjectRef) -> String {
    in_space(&object.namespace)
}

fn in_space(namespace: &str) -> String {
    if namespace == "default" { String::new() } else { [" -n ", &quoted(namespace)].concat() }
}

/// The word as a shell takes it: as it stands, or between quotes.
pub fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./:=@%+,~".contains(letter);
    match word.is_empty() || !word.chars().all(is_plain) {
        true => ["'", &word.replace('\'', r#"'"'"'"#), "'"].concat(),
        false => word.to_owned(),
    }
}

fn own_name(object: &ObjectRef) -> String {
    let space = if &*object.namespace == "default" { String::new() } else { format!("{}/", object.namespace) };
    match object.kind {
        Kind::StatefulSet | Kind::Pod => quoted(&(space + &object.name)),
        kind => quoted(&[kind.short_name(), "/", &space, &object.name].concat()),
    }
}

fn write_patch(set: &ObjectRef, patch: &str, how: PatchType) -> String {
    let kind = set.kind.short_name();
    format!("kubectl patch {kind} {}{}{} -p {}", name(set), of(set), flag_of(how), quoted(patch))
}

fn flag_of(how: PatchType) -> &'static str {
    match how {
        PatchType::Strategic => "",
        PatchType::Merge => " --type=merge",
        PatchType::Json => " --type=json",
    }
}
