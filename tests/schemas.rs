//! The schemas that are published are those of the program, and what it reads and prints is as they say.
//! `UPDATE_EXPECT=1 cargo test --test it schemas::` writes them.
#![allow(clippy::unwrap_used, reason = "a test")]

use crate::kit;
use jsonschema::Validator;
use serde_json::{Value, json};
use setscope::kubectl::manifest;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const SETSCOPE: &str = env!("CARGO_BIN_EXE_setscope");
const FORMS: [&str; 7] = ["scenario", "lesson", "diagnose", "ways-out", "try", "rollout", "release"];

fn printed(arguments: &[&str]) -> String {
    let output = Command::new(SETSCOPE).args(arguments).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// What a verb prints with `-o json`, if it says anything.
fn value(arguments: &[&str]) -> Option<Value> {
    serde_json::from_str(&printed(&[arguments, &["-o", "json"]].concat())).ok()
}

fn validator(form: &str) -> Validator {
    let schema = fs::read_to_string(kit::folder("www/schemas").join(format!("{form}.json"))).unwrap();
    jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap()
}

/// The .yaml files of a folder and of the folders in it.
fn texts(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(texts(&path));
        } else if path.extension().is_some_and(|extension| extension == "yaml") {
            all.push(path);
        }
    }
    all.sort();
    all
}

#[track_caller]
fn is_as_said(validator: &Validator, value: &Value, what: &str) {
    let wrong: Vec<String> =
        validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(wrong.is_empty(), "{what}: {}", wrong.join("\n"));
}

#[test]
fn those_published_are_those_of_the_program() {
    for form in FORMS {
        let file = kit::folder("www/schemas").join(format!("{form}.json"));
        expect_test::expect_file![file].assert_eq(&printed(&["schema", form]));
    }
}

#[test]
fn every_scenario_and_lesson_is_as_its_schema_says_and_names_it() {
    for (folder, form) in [("www/scenarios", "scenario"), ("www/lessons", "lesson")] {
        let validator = validator(form);
        let texts = texts(&kit::folder(folder)).into_iter().map(|file| (fs::read_to_string(&file).unwrap(), file));
        let runs: Vec<_> = texts.filter(|(text, _)| text.contains("\nsetscope: ")).collect();
        assert!(runs.len() > 10, "{folder}");
        for (text, file) in runs {
            is_as_said(&validator, &manifest::read_value(&text).unwrap(), &file.display().to_string());
            let (_, schema) = text.lines().next().unwrap().split_once("$schema=").unwrap();
            assert!(file.parent().unwrap().join(schema).is_file(), "{}: {schema}", file.display());
        }
    }
}

#[test]
fn a_field_that_is_none_is_refused_by_the_schema_as_by_the_program() {
    let validator = validator("scenario");
    let entry = |fields: Value| json!({ "setscope": 1, "run": [fields] });
    assert!(validator.is_valid(&entry(json!({ "at": 0, "do": "kubectl get pods" }))));
    for wrong in [
        json!({ "setscope": 1, "runs": [] }),
        json!({ "setscope": 2 }),
        json!({ "setscope": 1, "nodes": 101 }),
        json!({ "setscope": 1, "told": [{ "at": 3 }] }),
        entry(json!({ "do": "kubectl get pods" })),
        entry(json!({ "at": 0 })),
    ] {
        assert!(!validator.is_valid(&wrong), "{wrong}");
        let text = manifest::write(&wrong);
        assert!(setscope::session::scenario::read(&text).is_err(), "{text}");
    }
}

#[test]
fn what_the_verbs_print_is_as_their_schemas_say() {
    let (diagnose, ways_out) = (validator("diagnose"), validator("ways-out"));
    let mut held = 0;
    for file in texts(&kit::folder("tests/cases")).iter().step_by(9) {
        let file = file.to_str().unwrap();
        for (verb, validator) in [("diagnose", &diagnose), ("ways-out", &ways_out)] {
            // Some cases are refused, which is no output.
            let Some(value) = value(&[verb, "-f", file]) else { continue };
            is_as_said(validator, &value, &format!("{verb} {file}"));
            held += 1;
        }
    }
    assert!(held > 20, "{held}");
    let plant = kit::folder("tests/what_ifs").join("plant.yaml");
    let plant = plant.to_str().unwrap();
    let tried = validator("try");
    for line in ["kubectl scale sts db --replicas=0", "kubectl delete pod db-0 && kubectl drain nowhere"] {
        if let Some(value) = value(&["ways-out", "-f", plant, "--try", line]) {
            is_as_said(&tried, &value, line);
        }
    }
    for verb in [&["drain", "-f", plant, "node-a"][..], &["upgrade", "-f", plant, "--return", "1m"]] {
        is_as_said(&tried, &value(verb).unwrap(), verb[0]);
    }
    let release = validator("release");
    for to in ["v1.20", "v1.36"] {
        is_as_said(&release, &value(&["release", "-f", plant, "--to", to]).unwrap(), to);
    }
}

#[test]
fn what_rollout_prints_of_every_end_is_as_its_schema_says() {
    let rollout = validator("rollout");
    let mut seen = Vec::new();
    for case in ["anti-affinity", "claim", "immutable-field", "on-delete", "partition"] {
        let [old, new] = ["old", "new"].map(|which| kit::folder("tests/rollout").join(format!("{case}-{which}.yaml")));
        let value = value(&["rollout", "-f", old.to_str().unwrap(), "-f", new.to_str().unwrap()]).unwrap();
        is_as_said(&rollout, &value, case);
        let change = &value["changes"][0];
        let is_said = |name: &&str| match &change[*name] {
            Value::Null => false,
            Value::Array(items) => !items.is_empty(),
            Value::Object(fields) => !fields.is_empty(),
            _ => true,
        };
        let names =
            ["refused", "refusedLine", "recreatedBy", "change", "ifNotReady", "stuckIfElsewhere", "kept", "forward"];
        seen.extend(names.into_iter().filter(is_said));
    }
    let [old, new] = ["old", "new"].map(|which| kit::folder("tests/rollout").join(format!("partition-{which}.yaml")));
    let beside =
        ["rollout", "-f", old.to_str().unwrap(), "-f", new.to_str().unwrap(), "--from", "v1.33", "--to", "v1.36"];
    let beside = value(&beside).unwrap();
    is_as_said(&rollout, &beside, "beside");
    assert!(beside["beside"]["workloads"][0]["under"].is_array(), "{beside}");
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(
        seen,
        ["change", "forward", "ifNotReady", "kept", "recreatedBy", "refused", "refusedLine", "stuckIfElsewhere"]
    );
}
