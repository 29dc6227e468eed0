//! Links, as the page's own www/host.js packs and opens them: it runs in Node.js, one for each test binary.

use super::folder;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{LazyLock, Mutex};

struct Host {
    questions: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
}

static HOST: LazyLock<Mutex<Host>> = LazyLock::new(|| Mutex::new(Host::start()));

impl Host {
    fn start() -> Self {
        let mut command = Command::new("node");
        command.arg(folder("tests/kit/host.mjs")).stdin(Stdio::piped()).stdout(Stdio::piped());
        #[expect(clippy::zombie_processes, reason = "it ends with its input, as this process ends")]
        let mut node = command.spawn().unwrap_or_else(|error| panic!("links need Node.js 20 or newer: {error}"));
        let answers = BufReader::new(node.stdout.take().unwrap()).lines();
        Self { questions: node.stdin.take().unwrap(), answers }
    }

    fn ask(&mut self, question: &Value) -> Value {
        writeln!(self.questions, "{question}").unwrap();
        let answer = self.answers.next().unwrap_or_else(|| panic!("no answer to {question}"));
        serde_json::from_str(&answer.unwrap()).unwrap()
    }
}

fn ask(question: &Value) -> Value {
    HOST.lock().unwrap().ask(question)
}

/// The address of a link to this text.
pub(crate) fn link(text: &str) -> String {
    ask(&json!({"pack": text}))["address"].as_str().unwrap().to_owned()
}

/// The text that the page opens where the address ends in `#` and this fragment; else the page's words about it, which are
/// none where it takes the fragment for no link.
pub(crate) fn open_link(fragment: &str) -> Result<String, String> {
    let answer = ask(&json!({"open": fragment}));
    answer["text"].as_str().map(str::to_owned).ok_or_else(|| answer["problem"].as_str().unwrap_or_default().to_owned())
}
