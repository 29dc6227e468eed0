//! One container of a description: what it is made from, and what it does.

use super::super::tree::{Tree, field};
use super::super::{Told, time};
use super::entry::{Entry, find};
use super::{put_word, values};
use serde_json::{Value, json};

/// Writes a container to one path, and its status to another where it has one.
pub(super) fn container(entry: &Entry<'_>, at: &str, status: Option<&str>, tree: &mut Tree, told: &mut Told) {
    let all = &entry.children;
    tree.put(&format!("{at}.name"), entry.title, entry.line);
    put_word(all, "Image", &format!("{at}.image"), tree);
    for (title, field) in [("Command", "command"), ("Args", "args")] {
        if let Some(section) = find(all, title) {
            let words: Vec<&str> = section.children.iter().map(|line| line.line.text.trim()).collect();
            tree.put(&format!("{at}.{field}"), words, section.line);
        }
    }
    ports(all, at, tree);
    for (title, field) in [("Limits", "limits"), ("Requests", "requests")] {
        for amount in find(all, title).map_or(&[][..], |section| &section.children) {
            if !amount.title.is_empty() {
                tree.put_key(&format!("{at}.resources.{field}"), amount.title, amount.value, amount.line);
            }
        }
    }
    for (title, field) in [("Liveness", "livenessProbe"), ("Readiness", "readinessProbe"), ("Startup", "startupProbe")]
    {
        if let Some(entry) = find(all, title)
            && let Some(probe) = probe(entry.value)
        {
            tree.put(&format!("{at}.{field}"), probe, entry.line);
        }
    }
    environment(all, at, tree);
    mounts(all, at, tree);
    if let Some(status) = status {
        put_status(entry, at, status, tree, told);
    }
}

fn put_status(entry: &Entry<'_>, at: &str, status: &str, tree: &mut Tree, told: &mut Told) {
    let all = &entry.children;
    // A container of which the kubelet has said nothing yet has no state.
    if find(all, "State").is_none() {
        return;
    }
    tree.put(&format!("{status}.name"), entry.title, entry.line);
    put_word(all, "Image", &format!("{status}.image"), tree);
    put_word(all, "Image ID", &format!("{status}.imageID"), tree);
    put_word(all, "Container ID", &format!("{status}.containerID"), tree);
    for (title, field) in [("State", "state"), ("Last State", "lastState")] {
        let Some(state) = find(all, title) else { continue };
        let kind = state.value.to_lowercase();
        if !["waiting", "running", "terminated"].contains(&&*kind) {
            continue;
        }
        let own = format!("{status}.{field}.{kind}");
        tree.put(&own, json!({}), state.line);
        put_word(&state.children, "Reason", &format!("{own}.reason"), tree);
        put_word(&state.children, "Message", &format!("{own}.message"), tree);
        for (title, field) in [("Exit Code", "exitCode"), ("Signal", "signal")] {
            if let Some(entry) = find(&state.children, title)
                && let Ok(number) = entry.value.parse::<i32>()
            {
                tree.put(&format!("{own}.{field}"), number, entry.line);
            }
        }
        for (title, field) in [("Started", "startedAt"), ("Finished", "finishedAt")] {
            if let Some(entry) = find(&state.children, title)
                && let Some(moment) = time::rfc1123(entry.value).filter(|moment| moment.0 > 0)
            {
                told.not_before(moment);
                tree.put(&format!("{own}.{field}"), moment.to_string(), entry.line);
            }
        }
    }
    let is_ready = find(all, "Ready").is_some_and(|entry| entry.value == "True");
    tree.put(&format!("{status}.ready"), is_ready, find(all, "Ready").map_or(entry.line, |entry| entry.line));
    let restarts = find(all, "Restart Count");
    let count = restarts.and_then(|entry| entry.value.parse::<i32>().ok()).unwrap_or(0);
    tree.put(&format!("{status}.restartCount"), count, restarts.map_or(entry.line, |entry| entry.line));
    // An init container that runs for good says so by running beside others, which no line tells.
    let _ = at;
}

/// Such as `80/TCP, 9090/TCP`.
fn ports(all: &[Entry<'_>], at: &str, tree: &mut Tree) {
    let list = |titles: [&str; 2]| titles.iter().find_map(|title| find(all, title));
    let Some(entry) = list(["Port", "Ports"]).filter(|entry| !entry.value.starts_with('<')) else { return };
    let host = list(["Host Port", "Host Ports"]).map_or("", |entry| entry.value);
    let mut hosts = host.split(", ").map(|port| port.split('/').next().unwrap_or_default().parse::<i32>().unwrap_or(0));
    for (index, port) in entry.value.split(", ").enumerate() {
        let (number, rest) = port.split_once('/').unwrap_or((port, "TCP"));
        // Since 1.33 the port's name stands behind it.
        let protocol = rest.split(' ').next().unwrap_or("TCP");
        let host = hosts.next().unwrap_or(0);
        if let Ok(number) = number.trim().parse::<i32>() {
            let mut port = json!({ "containerPort": number, "protocol": protocol });
            if host > 0 {
                *field(&mut port, "hostPort") = host.into();
            }
            tree.put(&format!("{at}.ports[{index}]"), port, entry.line);
        }
    }
}

/// A port by number or name.
fn port(text: &str) -> Value {
    text.parse::<i32>().map_or_else(|_| text.into(), Into::into)
}

/// Such as `http-get http://:80/healthz delay=0s timeout=1s period=10s #success=1 #failure=3`.
fn probe(text: &str) -> Option<Value> {
    let (how, settings) = text.split_once(" delay=")?;
    let (kind, what) = how.split_once(' ')?;
    let mut probe = match kind {
        "exec" => {
            let words = what.trim_start_matches('[').trim_end_matches(']').split(' ');
            json!({ "exec": { "command": words.collect::<Vec<_>>() } })
        }
        "http-get" => {
            let (scheme, rest) = what.split_once("://")?;
            let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
            let (_, number) = host.rsplit_once(':')?;
            json!({ "httpGet": { "scheme": scheme.to_uppercase(), "port": port(number), "path": format!("/{path}") } })
        }
        "tcp-socket" => json!({ "tcpSocket": { "port": port(what.rsplit_once(':')?.1) } }),
        "grpc" => {
            json!({ "grpc": { "port": what.trim_start_matches("<pod>:").split(' ').next()?.parse::<i32>().ok()? } })
        }
        _ => return None,
    };
    let settings = format!("delay={settings}");
    for (word, field) in [
        ("delay", "initialDelaySeconds"),
        ("timeout", "timeoutSeconds"),
        ("period", "periodSeconds"),
        ("#success", "successThreshold"),
        ("#failure", "failureThreshold"),
    ] {
        let own = settings.split(' ').find_map(|setting| setting.strip_prefix(word)?.strip_prefix('='));
        if let Some(number) = own.and_then(|own| own.trim_end_matches('s').parse::<i32>().ok())
            && (number > 0 || word == "delay")
        {
            probe[field] = number.into();
        }
    }
    Some(probe)
}

fn environment(all: &[Entry<'_>], at: &str, tree: &mut Tree) {
    let from = find(all, "Environment Variables from").map_or(&[][..], |section| &section.children);
    for (index, source) in from.iter().enumerate() {
        let cells = super::cells(source.line.text, 3);
        let [name, kind, optional] = cells.as_slice() else { continue };
        let field = if kind.starts_with("Secret") { "secretRef" } else { "configMapRef" };
        let reference = json!({ field: { "name": name, "optional": optional.ends_with("true") } });
        tree.put(&format!("{at}.envFrom[{index}]"), reference, source.line);
    }
    let Some(section) = find(all, "Environment") else { return };
    for (index, variable) in section.children.iter().filter(|variable| !variable.title.is_empty()).enumerate() {
        tree.put(&format!("{at}.env[{index}]"), variable_of(variable.title, variable.value), variable.line);
    }
}

/// A value, or where it comes from: `<set to the key 'k' in secret 's'>  Optional: false`.
fn variable_of(name: &str, text: &str) -> Value {
    let key = text.strip_prefix("<set to the key '").and_then(|rest| rest.split_once('\''));
    let Some((key, rest)) = key else {
        let field = text.strip_suffix(')').and_then(|text| text.rsplit_once(" (v1:").or(text.split_once("(v1:")));
        return match field {
            Some((_, path)) => {
                json!({ "name": name, "valueFrom": { "fieldRef": { "apiVersion": "v1", "fieldPath": path } } })
            }
            None => json!({ "name": name, "value": text }),
        };
    };
    let of = rest.split_once('\'').and_then(|(_, rest)| rest.split_once('\'')).map_or("", |(of, _)| of);
    let field = if rest.contains("in secret") { "secretKeyRef" } else { "configMapKeyRef" };
    json!({ "name": name, "valueFrom": { field: { "name": of, "key": key, "optional": rest.ends_with("Optional: true") } } })
}

/// Such as `/data from data (rw,path="x")`.
fn mounts(all: &[Entry<'_>], at: &str, tree: &mut Tree) {
    let Some(section) = find(all, "Mounts") else { return };
    let lines = values(section).chain(section.children.iter().map(|line| (line.line.text.trim(), line.line)));
    let mut index = 0;
    for (text, line) in lines {
        let Some((path, rest)) = text.split_once(" from ") else { continue };
        let (name, how) = rest.split_once(" (").unwrap_or((rest, ""));
        let mut mount = json!({ "name": name, "mountPath": path });
        if how.starts_with("ro") {
            *field(&mut mount, "readOnly") = true.into();
        }
        if let Some((_, below)) = how.split_once("path=\"") {
            *field(&mut mount, "subPath") = below.split('"').next().unwrap_or_default().into();
        }
        tree.put(&format!("{at}.volumeMounts[{index}]"), mount, line);
        index += 1;
    }
}
