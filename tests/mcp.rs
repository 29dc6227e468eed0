//! The command as a program sees it that speaks the Model Context Protocol: a client on the other end of its pipes.
#![allow(clippy::unwrap_used, reason = "a test")]

use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const SETSCOPE: &str = env!("CARGO_BIN_EXE_setscope");

struct Client {
    server: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    asked: u32,
}

impl Client {
    fn new() -> Self {
        let mut server =
            Command::new(SETSCOPE).arg("mcp").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (to, from) = (server.stdin.take().unwrap(), BufReader::new(server.stdout.take().unwrap()));
        let mut client = Self { server, to, from, asked: 0 };
        let who = json!({ "name": "test", "version": "0" });
        client.ask("initialize", &json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": who }));
        writeln!(client.to, "{}", json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).unwrap();
        client
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.asked += 1;
        let asked = json!({ "jsonrpc": "2.0", "id": self.asked, "method": method, "params": params });
        writeln!(self.to, "{asked}").unwrap();
        let mut line = String::new();
        self.from.read_line(&mut line).unwrap();
        let answer: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(answer["id"], self.asked, "{answer}");
        answer["result"].clone()
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.ask("tools/call", &json!({ "name": tool, "arguments": arguments }))
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn cluster() -> String {
    fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/what_ifs/plant.yaml")).unwrap()
}

/// What the verb itself prints of a file.
fn printed(arguments: &[&str]) -> Value {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/what_ifs/plant.yaml");
    let output = Command::new(SETSCOPE).args(arguments).args(["-o", "json", "-f", file]).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_client_finds_every_tool_marked_as_reading_only() {
    let tools = Client::new().ask("tools/list", &json!({}))["tools"].clone();
    let tools = tools.as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["diagnose", "drain", "rollout", "try", "ways_out"]);
    for tool in tools {
        assert_eq!(tool["annotations"]["readOnlyHint"], true, "{tool}");
        assert!(tool["description"].as_str().unwrap().len() > 40, "{tool}");
        for (name, field) in tool["inputSchema"]["properties"].as_object().unwrap() {
            assert!(field["description"].is_string(), "{name} says nothing of itself");
        }
    }
}

#[test]
fn a_call_answers_as_the_verb_does() {
    let mut client = Client::new();
    let text = cluster();
    let called = client.call("diagnose", &json!({ "cluster": text }));
    assert_eq!(called["structuredContent"], printed(&["diagnose"]));
    let line = "kubectl scale sts db --replicas=1";
    let called = client.call("try", &json!({ "cluster": text, "lines": [line] }));
    assert_eq!(called["structuredContent"], printed(&["ways-out", "--try", line]));
}

#[test]
fn a_tool_has_every_option_of_its_verb() {
    let tools = Client::new().ask("tools/list", &json!({}))["tools"].clone();
    // What the server gives by itself, and what has another name there.
    let own = ["filename", "output", "help"];
    let renamed = |option: &str| match option {
        "return" => "return_after".to_owned(),
        "try" => "lines".to_owned(),
        other => other.replace('-', "_"),
    };
    for tool in tools.as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        let verb = if name == "try" { "ways-out".to_owned() } else { name.replace('_', "-") };
        let help = Command::new(SETSCOPE).args([&*verb, "--help"]).output().unwrap();
        let help = String::from_utf8(help.stdout).unwrap();
        let options = help.lines().filter_map(|line| {
            let line = line.trim_start();
            let long = line.split_once(", ").filter(|(short, _)| short.len() == 2).map_or(line, |(_, long)| long);
            long.strip_prefix("--")?.split(|letter: char| !letter.is_alphanumeric() && letter != '-').next()
        });
        for option in options.filter(|option| !own.contains(option) && (name, *option) != ("ways_out", "try")) {
            let field = renamed(option);
            assert!(tool["inputSchema"]["properties"][&field].is_object(), "{name} has no {field}");
        }
    }
}

#[test]
fn a_text_or_a_name_that_is_wrong_is_an_error_in_words_and_the_next_call_is_answered() {
    let mut client = Client::new();
    let text = cluster();
    // A name that is an option to kubectl is refused as kubectl refuses it, and drains nothing.
    let called = client.call("drain", &json!({ "cluster": text, "nodes": ["--help"] }));
    let line = &called["structuredContent"]["lines"][0];
    assert_eq!((&line["outcome"], &line["reason"]), (&"refused".into(), &"unknown flag: --help".into()), "{called}");
    let mut fails = |tool: &str, arguments: Value, words: &str| {
        let called = client.call(tool, &arguments);
        assert_eq!(called["isError"], true, "{called}");
        let said = called["content"][0]["text"].as_str().unwrap();
        assert!(said.contains(words), "{said}");
    };
    fails("diagnose", json!({ "cluster": "apiVersion: [" }), "did not find expected node content");
    fails("rollout", json!({ "before": "kind: [", "after": text }), "before.yaml");
    let called = client.call("diagnose", &json!({ "cluster": text, "namespace": "default" }));
    assert_eq!(called["isError"], false, "{called}");
}
