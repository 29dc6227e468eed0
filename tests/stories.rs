//! Stories: what a person does to a run, and what is then told and seen. Each file of tests/stories has several, in the form
//! of datadriven tests: `# its title`, then commands, `----`, and what is seen after them, up to an empty line.
//!
//! Every story begins with the page's own run, settled. A command is a line of the terminal, or one of
//!
//! - `settle`: runs until nothing is left to happen;
//! - `at <seconds>`: goes to this moment of the run;
//! - `release <name>`: gives the run so far to the controller of another release;
//! - `ways <node>`: lists what can be done to a node, with its command and what it risks.
//!
//! `UPDATE_EXPECT=1 cargo test --test it stories::` writes what is seen into the files.
#![allow(clippy::unwrap_used, reason = "a test")]

use crate::kit::{folder, says, settle};
use expect_test::expect_file;
use setscope::reconcile::Release;
use setscope::session::scenario::About;
use setscope::session::{Session, first};
use setscope::view::{self, Act, Export};
use std::fmt::Write;
use std::fs;

#[test]
fn each_story_is_told_and_seen_as_it_is_written() {
    let files = fs::read_dir(folder("tests/stories")).unwrap().map(|entry| entry.unwrap().path());
    let mut stories = 0;
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        stories += text.lines().filter(|line| line.starts_with("# ")).count();
        expect_file![file].assert_eq(&play(&text));
    }
    assert!(stories >= 35, "{stories} stories");
}

/// The file with what is seen after each block of commands.
fn play(text: &str) -> String {
    let mut story = Story::default();
    let mut played = Vec::new();
    for block in text.split("\n\n").map(str::trim).filter(|block| !block.is_empty()) {
        let commands = block.split("\n----").next().unwrap();
        if commands.starts_with("# ") {
            story = Story::default();
        }
        let seen = story.play(commands.lines().filter(|line| !line.starts_with('#')));
        played.push(format!("{commands}\n----\n{seen}"));
    }
    played.join("\n")
}

struct Story {
    session: Session,
    /// What the report has told of it.
    told: Vec<String>,
}

impl Default for Story {
    fn default() -> Self {
        let mut session = first::session().unwrap();
        settle(&mut session);
        Self { told: told(&session), session }
    }
}

impl Story {
    fn play<'a>(&mut self, commands: impl Iterator<Item = &'a str>) -> String {
        let mut seen = String::new();
        for command in commands {
            let answer = self.carry_out(command);
            if !["", "done\n"].contains(&&*answer) {
                seen.push_str(&answer);
            }
        }
        let told = told(&self.session);
        let known = self.told.iter().zip(&told).take_while(|(before, now)| before == now).count();
        for line in &told[known..] {
            writeln!(seen, "{line}").unwrap();
        }
        self.told = told;
        seen + &drawn(&self.session)
    }

    fn carry_out(&mut self, command: &str) -> String {
        match command.split_once(' ') {
            None if command == "settle" => settle(&mut self.session),
            Some(("at", seconds)) => self.session.reach(seconds.parse::<i64>().unwrap() * 1000),
            Some(("release", name)) => {
                let refused = self.session.run_under(Release::of_version(name).unwrap(), Vec::new());
                assert!(refused.is_empty(), "{refused:?}");
            }
            Some(("ways", node)) => return ways(&self.session, node),
            _ => return says(&mut self.session, command),
        }
        String::new()
    }
}

fn ways(session: &Session, node: &str) -> String {
    let view = view::build(session, None);
    let node = view.nodes.iter().find(|shown| shown.name == node).unwrap();
    let line = |act: &Act| {
        let words = [act.label.to_string(), act.kubectl.clone(), act.risk.to_string()];
        words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" · ") + "\n"
    };
    node.acts.iter().map(line).collect()
}

/// What happened, and why: the lines of the report, with their clock.
fn told(session: &Session) -> Vec<String> {
    let report = Export::Report.text(session, &About::default(), None);
    report.lines().filter_map(|line| Some(line.strip_prefix("- **")?.replacen("**", "", 1))).collect()
}

/// The stage: pods by ordinal, nodes of which there is something to say, claims with two writers, warnings, the explanation.
fn drawn(session: &Session) -> String {
    let view = view::build(session, None);
    let mut seen = format!("[{}]\n", view.clock);
    for place in view.workload.places().iter() {
        let pod = place.pod.as_ref().map_or_else(
            || place.empty.to_string(),
            |pod| {
                let restarts = match pod.restarts {
                    0 => String::new(),
                    1 => " 1 restart".to_owned(),
                    many => format!(" {many} restarts"),
                };
                format!("{} {} {} {}{restarts}", pod.status, pod.node, pod.ready, pod.tag)
            },
        );
        writeln!(seen, "{} {pod}", place.name).unwrap();
    }
    for node in &*view.nodes {
        let ghosts = node.pods.iter().filter(|pod| pod.ghost).map(|pod| format!("{} {}", pod.name, pod.status));
        let said: Vec<String> = node.conditions.iter().map(ToString::to_string).chain(ghosts).collect();
        if node.status != "Ready" || !said.is_empty() {
            writeln!(seen, "{} {}", node.name, node.status).unwrap();
        }
        said.iter().for_each(|line| writeln!(seen, "  {line}").unwrap());
    }
    for claim in view.workload.places().iter().flat_map(|place| &place.claims).filter(|claim| claim.shared) {
        writeln!(seen, "{} has two writers", claim.name).unwrap();
    }
    for warning in &view.warnings {
        writeln!(seen, "Warning: {warning}").unwrap();
    }
    let explanation = &view.explanation;
    writeln!(seen, "{}. {}", explanation.headline, explanation.reason).unwrap();
    if !explanation.resolution.to_string().is_empty() {
        writeln!(seen, "What ends it: {}", explanation.resolution).unwrap();
    }
    seen
}
