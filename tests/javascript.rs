//! The values for JavaScript have the types that www/pages/setscope.d.ts declares, and every declared field is in some value.
#![allow(clippy::unwrap_used, reason = "a test")]

use serde_json::{Map, Value};
use setscope::session::scenario;
use setscope::view::json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A field: whether it may be missing, and its type.
type Fields = BTreeMap<String, (bool, String)>;

fn file(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("www").join(name)).unwrap()
}

/// The interfaces of the declaration, by name.
fn interfaces(text: &str) -> BTreeMap<String, Fields> {
    let parts = text.split("export interface ").skip(1);
    let fields = |body: &str| -> Fields {
        let lines = body.lines().map(str::trim).filter(|line| line.ends_with(';'));
        let field = |line: &str| {
            let (name, kind) = line.trim_end_matches(';').split_once(": ").unwrap();
            (name.trim_end_matches('?').to_owned(), (name.ends_with('?'), kind.to_owned()))
        };
        // `[field: string]: unknown` allows any other field.
        let named = |line: &&str| !line.starts_with('[');
        let other = body.contains("[field: string]").then(|| ("*".to_owned(), (true, "unknown".to_owned())));
        lines.filter(named).map(field).chain(other).collect()
    };
    parts
        .map(|part| {
            let (name, rest) = part.split_once(" {").unwrap();
            (name.to_owned(), fields(rest.split_once("\n}").unwrap().0))
        })
        .collect()
}

/// The declared types, and the fields that were seen in values.
struct Types {
    interfaces: BTreeMap<String, Fields>,
    seen: BTreeSet<String>,
}

impl Types {
    fn fits(&mut self, value: &Value, kind: &str, place: &str) -> Result<(), String> {
        if kind.contains(" | ") {
            let fits = kind.split(" | ").any(|one| self.fits(value, one, place).is_ok());
            return if fits { Ok(()) } else { Err(format!("{place} is {value}, not {kind}")) };
        }
        let fits = match (kind, value) {
            ("number", Value::Number(_))
            | ("string", Value::String(_))
            | ("boolean", Value::Bool(_))
            | ("null", Value::Null)
            | ("unknown", _)
            | ("Record<string, unknown>", Value::Object(_)) => true,
            ("Record<string, string>", Value::Object(fields)) => fields.values().all(Value::is_string),
            (_, Value::Array(items)) if kind.ends_with("[]") => {
                return items.iter().try_for_each(|item| self.fits(item, kind.trim_end_matches("[]"), place));
            }
            (_, Value::String(text)) if kind.starts_with('"') => kind.trim_matches('"') == text,
            (_, Value::Object(fields)) => return self.has_fields(fields, kind, place),
            _ => false,
        };
        if fits { Ok(()) } else { Err(format!("{place} is {value}, not {kind}")) }
    }

    fn has_fields(&mut self, value: &Map<String, Value>, kind: &str, place: &str) -> Result<(), String> {
        let declared = self.interfaces.get(kind).cloned().ok_or_else(|| format!("{place}: no type {kind}"))?;
        let missing = declared.iter().find(|(name, (optional, _))| !optional && !value.contains_key(*name));
        if let Some((name, _)) = missing {
            return Err(format!("{place}.{name} is missing"));
        }
        for (name, value) in value {
            let place = format!("{place}.{name}");
            match declared.get(name) {
                Some((_, kind)) => self.fits(value, kind, &place)?,
                None if declared.contains_key("*") => {}
                None => return Err(format!("{place} is not declared")),
            }
            if !value.is_null() {
                self.seen.insert(format!("{kind}.{name}"));
            }
        }
        Ok(())
    }
}

#[test]
fn values_have_their_declared_types_and_every_declared_field_occurs() {
    let mut types = Types { interfaces: interfaces(&file("pages/setscope.d.ts")), seen: BTreeSet::new() };
    // Between them they have revisions, deletions, refused writes and failed syncs.
    for name in ["on-delete", "node-lost", "two-copies", "drain-refused", "old-revision-returns"] {
        let (mut session, _) = scenario::read(&file(&format!("scenarios/{name}.yaml"))).unwrap();
        for _ in 0..20 {
            let state = serde_json::to_value(json::state(&session)).unwrap();
            types.fits(&state, "State", name).unwrap();
            let syncs = serde_json::to_value(json::syncs(&session, 1)).unwrap();
            types.fits(&syncs, "Sync[]", name).unwrap();
            (0..20).for_each(|_| _ = session.step());
        }
    }
    let declared = types
        .interfaces
        .iter()
        .flat_map(|(kind, fields)| fields.keys().filter(|name| *name != "*").map(move |name| format!("{kind}.{name}")));
    let unseen: Vec<String> = declared.filter(|field| !types.seen.contains(field)).collect();
    // A write is refused and a sync fails only where another writer comes in between.
    let rare = ["KubernetesObject.apiVersion", "KubernetesObject.kind", "Sync.error", "Write.refused"];
    assert!(unseen.iter().all(|field| rare.contains(&&**field)), "declared, and in no value: {unseen:?}");
}

#[test]
fn a_value_of_another_type_is_noticed() {
    let text = "export interface Pod {\n  name: string;\n  node?: string;\n  look: \"ready\" | \"failed\";\n}\n";
    let fits = |value: Value| {
        Types { interfaces: interfaces(text), seen: BTreeSet::new() }
            .fits(&value, "Pod", "pod")
            .err()
            .unwrap_or_default()
    };
    assert_eq!(fits(serde_json::json!({"name": "web-0", "look": "ready"})), "");
    assert_eq!(fits(serde_json::json!({"look": "ready"})), "pod.name is missing");
    assert_eq!(fits(serde_json::json!({"name": "web-0", "look": "ready", "ip": ""})), "pod.ip is not declared");
    assert_eq!(
        fits(serde_json::json!({"name": "web-0", "look": "odd"})),
        "pod.look is \"odd\", not \"ready\" | \"failed\""
    );
    assert_eq!(fits(serde_json::json!({"name": 1, "look": "ready"})), "pod.name is 1, not string");
}

/// `setscope.js` with a program in the place of the real one.
const PROGRAM: &str = r#"
export default async () => {};
export class Playground {
  static open() { return new Playground(); }
  command(line) {
    if (line === "wrong") throw "error: unknown command";
    if (line === "panic") throw new WebAssembly.RuntimeError("unreachable");
  }
  step() { return true; }
  seek() {}
  state() { return { position: 1 }; }
  syncs() { return []; }
  scenario() { return ""; }
  apply() {}
  rehearse() { return ""; }
  free() {}
}
"#;

const CALLS: &str = r#"
import init, { Playground } from "./setscope.mjs";
await init();
const told = (act) => { try { return String(act()); } catch (error) { return `${error.name}: ${error.message}`; } };
globalThis.reportError = () => {};
const run = new Playground("");
const heard = [];
console.log(told(() => run.subscribe(5)));
run.subscribe(() => { throw new Error("mine"); });
run.subscribe((state) => heard.push(state.position));
console.log(told(() => run.step()), heard.join());
console.log(told(() => run.seek(null)));
console.log(told(() => run.command("wrong")), "|", told(() => run.step()));
const other = new Playground("");
other.free();
console.log(told(() => other.step()), "|", told(() => other.free()));
const calls = { apply: "", command: "", rehearse: "", step: "", seek: 1, state: "", decisions: 1, scenario: "", subscribe: () => {} };
const one = (run) => [...new Set(Object.entries(calls).map(([name, argument]) => told(() => run[name](argument))))].join();
const every = Object.getOwnPropertyNames(Playground.prototype).filter((name) => !["constructor", "free"].includes(name));
console.log(every.sort().join() === Object.keys(calls).sort().join(), one(other));
console.log(told(() => run.command("panic")));
console.log(one(run) === told(() => new Playground("")), one(run));
console.log(told(() => run.free()));
"#;

#[test]
fn whoever_calls_a_run_that_is_over_is_told_so_in_a_sentence() {
    let home = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("javascript");
    std::fs::create_dir_all(&home).unwrap();
    let script = file("pages/setscope.js").replace("./setscope-page.js", "./setscope-page.mjs");
    std::fs::write(home.join("setscope.mjs"), script).unwrap();
    std::fs::write(home.join("setscope-page.mjs"), PROGRAM).unwrap();
    std::fs::write(home.join("calls.mjs"), CALLS).unwrap();
    let output = std::process::Command::new("node").arg(home.join("calls.mjs")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "TypeError: subscribe takes a function\n\
         true 1\n\
         RangeError: a moment is a number of seconds, at most a week\n\
         Error: error: unknown command | true\n\
         Error: this run was freed: make another one | undefined\n\
         true Error: this run was freed: make another one\n\
         Error: SetScope's program has stopped (unreachable): load this page again\n\
         true Error: SetScope's program has stopped (unreachable): load this page again\n\
         undefined\n"
    );
}
