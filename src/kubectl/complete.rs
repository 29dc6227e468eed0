//! What a line for a terminal can go on with. The tables that say how lines are written say it.

use super::args::is_switch;
use super::simulator;
use super::verbs::VERBS;
use super::verbs::get::{Resource, budgets_of, volumes_of};
use crate::objects::{Kind, OUT_OF_SERVICE, Object};
use crate::sim::Cluster;

/// Args that some flags take.
const VALUES: [(&str, &str); 7] = [
    ("-o", "wide|yaml|json|name"),
    ("--output", "wide|yaml|json|name"),
    ("--cascade", "orphan|background|foreground"),
    ("--grace-period", "0"),
    ("--to-revision", "REVISION"),
    ("--revision", "REVISION"),
    ("--type", "strategic|merge|json"),
];

/// What the last word of the line can become, without what it already is: verbs, kinds, names, flags and their values.
pub fn complete(line: &str, cluster: &Cluster) -> Vec<String> {
    let last = &line[start_of_last(line)..];
    let mut offers = candidates(line, cluster);
    offers.retain(|offer| offer != last);
    offers
}

/// The line as Tab leaves it in a shell: its last word goes on as far as all that it can become agree, and ends if only one
/// is left. None where there is nothing to write, that is where Tab is free for what it does elsewhere.
pub fn tab(line: &str, cluster: &Cluster) -> Option<String> {
    let last = &line[start_of_last(line)..];
    let all = candidates(line, cluster);
    let first = all.first().filter(|_| !line.is_empty() && !all.iter().any(|word| word == last))?;
    // A flag is never needed: who wants one begins it.
    if last.is_empty() && first.starts_with('-') {
        return None;
    }
    if all.len() == 1 {
        return Some(finish(line, first));
    }
    let agree = |end: &usize| first.get(..*end).is_some_and(|start| all.iter().all(|word| word.starts_with(start)));
    let end = (last.len() + 1..=first.len()).rev().find(agree)?;
    Some([&line[..start_of_last(line)], &first[..end]].concat())
}

fn candidates(line: &str, cluster: &Cluster) -> Vec<String> {
    let (before, last) = line.split_at(start_of_last(line));
    let mut words: Vec<&str> = before.split_whitespace().collect();
    let program = words.first().copied().filter(|word| matches!(*word, "kubectl" | "k" | "setscope"));
    if program.is_some() {
        words.remove(0);
    }
    if words.first() == Some(&"kruise") {
        words.remove(0);
    }
    let mut offers = match words.split_first() {
        None => verbs(program, last),
        Some((verb, rest)) => after(verb, program == Some("setscope"), rest, last, cluster),
    };
    offers.retain(|offer| offer.starts_with(last));
    offers
}

/// The line with its last word made into this one, and a blank behind it where another word can follow.
pub fn finish(line: &str, word: &str) -> String {
    let blank = if word.ends_with('=') { "" } else { " " };
    [&line[..start_of_last(line)], word, blank].concat()
}

fn start_of_last(line: &str) -> usize {
    // A blank may be more than one byte: people write other languages here too.
    line.len() - line.rsplit(char::is_whitespace).next().map_or(0, str::len)
}

/// Verbs; the machine's own ones are offered where they are asked for.
fn verbs(program: Option<&str>, last: &str) -> Vec<String> {
    let kubectl = VERBS.iter().map(|verb| verb.name).filter(|_| program != Some("setscope"));
    let simulator =
        simulator::VERBS.iter().map(|(verb, _)| *verb).filter(|_| program == Some("setscope") || !last.is_empty());
    let simulator = simulator.filter(|_| !matches!(program, Some("kubectl" | "k")));
    kubectl.chain(simulator).chain(program.is_none().then_some("setscope")).map(str::to_owned).collect()
}

fn after(verb: &str, is_simulator: bool, rest: &[&str], last: &str, cluster: &Cluster) -> Vec<String> {
    let known = VERBS.iter().filter(|_| !is_simulator).find(|known| known.name == verb);
    let (usage, flags) = match known {
        Some(known) => (known.usage(), known.flags),
        None => {
            let usage = simulator::VERBS.iter().find(|(known, _)| *known == verb).map_or("", |(_, usage)| *usage);
            (usage.to_owned(), &[][..])
        }
    };
    let kinds: fn(Kind) -> bool = known.map_or(|_| false, |known| known.kinds);
    if let Some((flag, _)) = last.split_once('=').filter(|_| last.starts_with('-')) {
        return values(flag, cluster).into_iter().map(|value| [flag, "=", &value].concat()).collect();
    }
    let takes_value = |word: &&&str| word.starts_with('-') && !word.contains('=') && !is_switch(word);
    if let Some(flag) = rest.last().filter(takes_value) {
        return values(flag, cluster);
    }
    let is_meant = |form: &&str| rest.first().is_none_or(|word| form.split(' ').next() == Some(word));
    let forms: Vec<&str> = match usage.lines().count() {
        1 => vec![&usage],
        _ => usage.lines().filter(is_meant).collect(),
    };
    let mut offers = match last.starts_with('-') {
        true => Vec::new(),
        false => forms.iter().flat_map(|form| place(form, kinds, rest, cluster)).collect(),
    };
    let is_new = |flag: &&str| !flag.is_empty() && !rest.iter().any(|word| word.split('=').next() == Some(flag));
    let with_value = |flag: &str| {
        let value = if flag.starts_with("--") && !is_switch(flag) { "=" } else { "" };
        [flag, value].concat()
    };
    if offers.is_empty() {
        offers.extend(flags.iter().copied().filter(is_new).map(with_value));
    }
    offers
}

/// What stands in the next place of a usage such as `pod NAME KEY=VALUE|KEY-`.
fn place(usage: &str, kinds: fn(Kind) -> bool, rest: &[&str], cluster: &Cluster) -> Vec<String> {
    let mut tokens = usage.split(' ').map(|token| token.trim_matches(['[', ']'])).take_while(|it| !it.starts_with('-'));
    let mut last = Resource::Of(Kind::StatefulSet);
    let mut words = rest.iter();
    while let Some(word) = words.next() {
        if word.starts_with('-') {
            if !word.contains('=') && !is_switch(word) {
                words.next();
            }
            continue;
        }
        tokens.next();
        let (resource, name) = word.split_once('/').map_or((*word, None), |(resource, name)| (resource, Some(name)));
        if let Ok(named) = Resource::named(resource) {
            last = named;
            // `sts/web` is two words where the usage parts them.
            if name.is_some() && tokens.clone().next() == Some("NAME") {
                tokens.next();
            }
        }
    }
    let alternatives = tokens.next().unwrap_or_default().split('|');
    let offer = |alternative| match alternative {
        "TYPE/NAME" => typed_names(kinds, cluster),
        _ => offers(alternative, last, cluster),
    };
    alternatives.flat_map(offer).collect()
}

/// The words for one placeholder of a usage, or the word that it is.
fn offers(word: &str, resource: Resource, cluster: &Cluster) -> Vec<String> {
    match word {
        "NAME" => names_of(resource, cluster),
        "SET" => names(Kind::StatefulSet, cluster),
        "NODE" => names(Kind::Node, cluster),
        "CONTAINER=IMAGE" => images(cluster, true),
        "IMAGE" => images(cluster, false),
        "KEY=VALUE:EFFECT" => taints(cluster),
        "REVISION" => {
            let mut numbers: Vec<i64> = cluster.revisions().map(|revision| revision.revision).collect();
            numbers.sort();
            numbers.iter().map(ToString::to_string).collect()
        }
        _ if !word.contains(char::is_lowercase) => Vec::new(),
        _ => vec![word.to_owned()],
    }
}

/// The taint that people put on most, and those that can be taken off.
fn taints(cluster: &Cluster) -> Vec<String> {
    let mut offers = vec![[OUT_OF_SERVICE, "=nodeshutdown:NoExecute"].concat(), [OUT_OF_SERVICE, "-"].concat()];
    for taint in cluster.nodes().flat_map(|node| &node.spec.taints) {
        let offer = [&taint.key, "-"].concat();
        // Those of the node lifecycle controller are its own to take off.
        if !offer.starts_with("node.kubernetes.io/") && !offers.contains(&offer) {
            offers.push(offer);
        }
    }
    offers
}

fn values(flag: &str, cluster: &Cluster) -> Vec<String> {
    let known = VALUES.iter().find(|(known, _)| *known == flag).map_or("", |(_, values)| values);
    let named = known.split('|').filter(|value| !value.is_empty());
    named
        .flat_map(
            |value| if value == "0" { vec!["0".to_owned()] } else { offers(value, Resource::Of(Kind::Pod), cluster) },
        )
        .collect()
}

/// The names of what there is of a resource; events are not named by people.
fn names_of(resource: Resource, cluster: &Cluster) -> Vec<String> {
    match resource {
        Resource::Of(kind) => names(kind, cluster),
        Resource::Services => cluster.services().map(|service| service.metadata.name.to_string()).collect(),
        Resource::Budgets => budgets_of(cluster).iter().map(|budget| budget.metadata.name.to_string()).collect(),
        Resource::Volumes => volumes_of(cluster).iter().map(|(volume, _)| volume.metadata.name.to_string()).collect(),
        Resource::Events => Vec::new(),
    }
}

fn names(kind: Kind, cluster: &Cluster) -> Vec<String> {
    cluster.objects(kind).map(|object| object.metadata().name.to_string()).collect()
}

/// The objects of these kinds, such as `sts/web`.
fn typed_names(kinds: fn(Kind) -> bool, cluster: &Cluster) -> Vec<String> {
    let kinds = Kind::ALL.iter().filter(|kind| kinds(**kind));
    let named = |kind: &Kind| {
        let kind = *kind;
        names(kind, cluster).into_iter().map(move |name| format!("{}/{name}", kind.short_name()))
    };
    kinds.flat_map(named).collect()
}

/// The images of the sets' containers, with the container's name before or alone.
fn images(cluster: &Cluster, named: bool) -> Vec<String> {
    let templates = cluster.workloads().filter(|set| set.kind() != Kind::ReplicaSet).filter_map(Object::template);
    let containers = templates.flat_map(|template| &template.spec.containers);
    let written = containers.map(|container| {
        if named { [&container.name, "=", &container.image].concat() } else { container.image.to_string() }
    });
    written.collect()
}
