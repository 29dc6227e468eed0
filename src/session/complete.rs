//! What a line for a terminal can go on with. The tables that say how lines are written say it.

use super::kubectl::{OUT_OF_SERVICE, OWN, SWITCHES, VERBS, kind_of, short_name};
use crate::objects::{Kind, Object};
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
    let kubectl = VERBS.iter().map(|(verb, _, _)| *verb).filter(|_| program != Some("setscope"));
    let own = OWN.iter().map(|(verb, _)| *verb).filter(|_| program == Some("setscope") || !last.is_empty());
    let own = own.filter(|_| !matches!(program, Some("kubectl" | "k")));
    kubectl.chain(own).chain(program.is_none().then_some("setscope")).map(str::to_owned).collect()
}

fn after(verb: &str, own: bool, rest: &[&str], last: &str, cluster: &Cluster) -> Vec<String> {
    let known = VERBS.iter().filter(|_| !own).find(|(known, _, _)| *known == verb);
    let (usage, flags) = match known {
        Some((_, usage, flags)) => (*usage, *flags),
        None => (OWN.iter().find(|(known, _)| *known == verb).map_or("", |(_, usage)| usage), ""),
    };
    if let Some((flag, _)) = last.split_once('=').filter(|_| last.starts_with('-')) {
        return values(flag, cluster).into_iter().map(|value| [flag, "=", &value].concat()).collect();
    }
    let takes_value = |word: &&&str| word.starts_with('-') && !word.contains('=') && !SWITCHES.contains(word);
    if let Some(flag) = rest.last().filter(takes_value) {
        return values(flag, cluster);
    }
    let mut offers = if last.starts_with('-') { Vec::new() } else { place(usage, rest, cluster) };
    let is_new = |flag: &&str| !flag.is_empty() && !rest.iter().any(|word| word.split('=').next() == Some(flag));
    let with_value = |flag: &str| {
        let value = if flag.starts_with("--") && !SWITCHES.contains(&flag) { "=" } else { "" };
        [flag, value].concat()
    };
    if offers.is_empty() {
        offers.extend(flags.split(' ').filter(is_new).map(with_value));
    }
    offers
}

/// What stands in the next place of a usage such as `pod NAME KEY=VALUE|KEY-`.
fn place(usage: &str, rest: &[&str], cluster: &Cluster) -> Vec<String> {
    let mut tokens = usage.split(' ').map(|token| token.trim_matches(['[', ']'])).take_while(|it| !it.starts_with('-'));
    let mut kind = Kind::StatefulSet;
    let mut words = rest.iter();
    while let Some(word) = words.next() {
        if word.starts_with('-') {
            if !word.contains('=') && !SWITCHES.contains(word) {
                words.next();
            }
            continue;
        }
        tokens.next();
        let (resource, name) = word.split_once('/').map_or((*word, None), |(resource, name)| (resource, Some(name)));
        if let Ok(named) = kind_of(resource) {
            kind = named;
            // `sts/web` is two words where the usage parts them.
            if name.is_some() && tokens.clone().next() == Some("NAME") {
                tokens.next();
            }
        }
    }
    let alternatives = tokens.next().unwrap_or_default().split('|');
    alternatives.flat_map(|alternative| offers(alternative, kind, cluster)).collect()
}

/// The words for one placeholder of a usage, or the word that it is.
fn offers(word: &str, kind: Kind, cluster: &Cluster) -> Vec<String> {
    match word {
        "NAME" => names(kind, cluster),
        "SET" => names(Kind::StatefulSet, cluster),
        "NODE" => names(Kind::Node, cluster),
        "sts/NAME" => {
            let named =
                |kind| names(kind, cluster).into_iter().map(move |name| [short_name(kind), "/", &name].concat());
            let others = [Kind::Deployment, Kind::DaemonSet, Kind::CloneSet].into_iter().flat_map(named);
            named(Kind::StatefulSet).chain(others).collect()
        }
        "CONTAINER=IMAGE" => images(cluster, true),
        "IMAGE" => images(cluster, false),
        "KEY=VALUE:EFFECT" => taints(cluster),
        "REVISION" => {
            let mut numbers: Vec<i64> = cluster.revisions().map(|revision| revision.revision).collect();
            numbers.sort_unstable();
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
        .flat_map(|value| if value == "0" { vec!["0".to_owned()] } else { offers(value, Kind::Pod, cluster) })
        .collect()
}

fn names(kind: Kind, cluster: &Cluster) -> Vec<String> {
    cluster.objects(kind).map(|object| object.metadata().name.to_string()).collect()
}

/// The images of the sets' containers, with the container's name before or alone.
fn images(cluster: &Cluster, named: bool) -> Vec<String> {
    let templates = cluster.workloads().filter(|set| set.kind() != Kind::ReplicaSet).filter_map(Object::template);
    let containers = templates.flat_map(|template| &template.spec.containers);
    let written =
        containers.map(|own| if named { [&own.name, "=", &own.image].concat() } else { own.image.to_string() });
    written.collect()
}

#[cfg(test)]
mod tests {
    use super::{complete, finish, tab};
    use crate::session::{Command, Session};

    const WEB: &str = r#"{"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "web"},
      "spec": {"serviceName": "nginx", "replicas": 2, "selector": {"matchLabels": {"app": "nginx"}},
        "template": {"metadata": {"labels": {"app": "nginx"}},
          "spec": {"containers": [{"name": "nginx", "image": "nginx:1.27"}]}}}}"#;

    fn session() -> Session {
        let mut session = Session::start(WEB, 1).unwrap_or_else(|refusal| panic!("{refusal:?}"));
        session.advance(60_000);
        session
    }

    #[track_caller]
    fn check(line: &str, want: &[&str]) {
        assert_eq!(complete(line, session().cluster()), want, "{line:?}");
    }

    #[test]
    fn verbs_come_first() {
        check("sc", &["scale"]);
        check("kubectl ro", &["rollout"]);
        check("kubectl fa", &[]);
        check("fa", &["fail"]);
        check("setscope q", &["quota"]);
        let all = complete("", session().cluster());
        assert_eq!((all.first().map(String::as_str), all.last().map(String::as_str)), (Some("get"), Some("setscope")));
        assert!(!all.iter().any(|verb| verb == "fail"), "machines' own verbs stay behind their program");
    }

    #[test]
    fn kinds_and_names_follow_as_the_usage_says() {
        check(
            "get ",
            &["sts", "deploy", "rs", "ds", "cloneset", "pods", "pvc", "nodes", "controllerrevisions", "events"],
        );
        check("get po", &["pods"]);
        check("delete pod ", &["web-0", "web-1"]);
        check("delete pod web-0", &[]);
        check("cordon ", &["node-a", "node-b", "node-c"]);
        check("kubectl describe sts ", &["web"]);
        check("rollout ", &["status", "history", "undo", "restart", "pause", "resume"]);
        check("kubectl kruise rollout status ", &["sts/web"]);
        check("rollout status ", &["sts/web"]);
        check("set image sts/web ", &["nginx=nginx:1.27"]);
        check(
            "taint nodes node-a ",
            &["node.kubernetes.io/out-of-service=nodeshutdown:NoExecute", "node.kubernetes.io/out-of-service-"],
        );
        check("setscope fail node node-b p", &["power"]);
        check("recreate web ", &["OrderedReady", "Parallel"]);
        check("nonsense ", &[]);
    }

    #[test]
    fn workloads_of_every_kind_are_offered() {
        let mut session = session();
        let manifest = include_str!("../../www/starters/deployment.yaml").into();
        session.command(Command::Apply { manifest }).unwrap_or_else(|refusal| panic!("{refusal:?}"));
        assert_eq!(complete("rollout undo ", session.cluster()), ["sts/web", "deploy/shop"]);
        assert_eq!(complete("describe deploy ", session.cluster()), ["shop"]);
    }

    #[test]
    fn flags_and_their_values_come_last() {
        check("scale sts web ", &["--replicas=", "-n", "--namespace="]);
        check("scale sts/web ", &["--replicas=", "-n", "--namespace="]);
        check("scale sts web --replicas=3 -", &["-n", "--namespace="]);
        check("delete pod web-0 --f", &["--force"]);
        check("delete pod web-0 --grace-period=", &["--grace-period=0"]);
        check("delete sts web --cascade=o", &["--cascade=orphan"]);
        check("get pods -o ", &["wide", "yaml", "json", "name"]);
        check("get -o wide p", &["pods", "pvc"]);
        let mut session = session();
        let set = crate::objects::ObjectRef {
            kind: crate::objects::Kind::StatefulSet,
            namespace: "default".into(),
            name: "web".into(),
        };
        let image = Command::SetImage { set, container: "nginx".into(), image: "nginx:1.28".into() };
        session.command(image).unwrap_or_else(|refusal| panic!("{refusal:?}"));
        session.advance(60_000);
        let offers = complete("rollout undo sts/web --to-revision=", session.cluster());
        assert_eq!(offers, ["--to-revision=1", "--to-revision=2"]);
    }

    #[test]
    fn tab_completes_as_a_shell_does_and_is_free_where_it_cannot() {
        let mut session = session();
        let manifest = WEB.replace(r#""name": "web""#, r#""name": "web-two""#);
        session.command(Command::Apply { manifest: manifest.into() }).unwrap_or_else(|refusal| panic!("{refusal:?}"));
        let check = |line: &str, want: Option<&str>| {
            assert_eq!(tab(line, session.cluster()).as_deref(), want, "{line:?}");
        };
        // Nothing is written yet, or nothing can follow.
        check("", None);
        check("nonsense ", None);
        check("kubectl exec", None);
        check("sc", Some("scale "));
        check("kubectl ro", Some("kubectl rollout "));
        check("d", None);
        check("de", None);
        check("des", Some("describe "));
        check("get no", Some("get nodes "));
        check("cordon n", Some("cordon node-"));
        check("cordon node-", None);
        check("cordon ", Some("cordon node-"));
        // The word is complete, although it could go on.
        check("get", None);
        check("scale sts web", None);
        check("scale sts web-", Some("scale sts web-two "));
        check("scale sts w", Some("scale sts web"));
        // A flag is completed once it is begun.
        check("scale sts web ", None);
        check("scale sts web --r", Some("scale sts web --replicas="));
        check("scale sts web --replicas=", None);
        check("get pods -o y", Some("get pods -o yaml "));
        check("delete pod web-0 --grace-period=", Some("delete pod web-0 --grace-period=0 "));
    }

    #[test]
    fn a_word_taken_ends_in_a_blank_unless_a_value_follows() {
        assert_eq!(finish("scale sts w", "web"), "scale sts web ");
        assert_eq!(finish("scale sts web ", "--replicas="), "scale sts web --replicas=");
        assert_eq!(finish("", "get"), "get ");
        assert_eq!(finish("scale\u{3000}s", "sts"), "scale\u{3000}sts ");
        check("scale\u{3000}s", &["sts"]);
    }
}
