//! A text cut into its parts: what is YAML, what is in another form, and what people wrote around it.

use super::elision;
use super::lines::lines;
use super::tree::Line;
use super::{FORMS, Form, Mixed, Part, Told};
use crate::objects::Kind;

/// What a line belongs to.
enum Within<'t> {
    /// YAML, JSON, or somebody's words: its first line.
    Other(usize),
    Form(Part<'t>),
}

/// The command before a part of a text.
#[derive(Clone, Copy, Default)]
struct Command<'t> {
    namespace: Option<&'t str>,
    resource: Option<&'t str>,
    name: Option<&'t str>,
    /// Whether it asks for some objects of a kind alone, by their labels or fields.
    selects: bool,
}

impl Command<'_> {
    /// Whether nodes are asked for, and whether for some of them alone; none if they are not.
    fn asks_for_nodes(&self) -> Option<bool> {
        let mut kinds = self.resource?.split(',').map(|one| Kind::of_resource(one.split('/').next().unwrap_or(one)));
        let is_named = self.name.is_some_and(is_like_a_name);
        kinds.any(|kind| kind == Some(Kind::Node)).then_some(self.selects || is_named)
    }
}

/// Whether a word is a name as nodes have them, and none of a sentence.
fn is_like_a_name(word: &str) -> bool {
    let is_letter = |letter: u8| letter.is_ascii_lowercase() || letter.is_ascii_digit() || b"-.".contains(&letter);
    word.bytes().all(is_letter)
        && word.trim_matches(['.', '-']).contains(['-', '.', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
}

/// Cuts a text that has other forms than YAML, or YAML in a fence or behind a prompt. None of a text that is YAML or JSON as a whole.
pub(in super::super) fn cut(text: &str) -> Option<Mixed> {
    let lines = lines(text);
    let begins_in_words = lines.iter().find(|line| !line.is_blank()).is_some_and(|line| is_prose(line.text));
    let is_altered = || {
        let own =
            text.split_inclusive('\n').map(|whole| whole.trim_end_matches(['\n', '\r']).trim_start_matches('\u{feff}'));
        lines.iter().zip(own).any(|(line, own)| line.text != own || elision::is_elided(own) || elision::has_stars(own))
    };
    let has_document = || lines.iter().any(|line| begins_document(line.text));
    if !(lines.iter().any(|line| is_mark(line.text)) || has_document() && (begins_in_words || is_altered())) {
        return None;
    }
    let mut cutting = Cutting::default();
    for (at, line) in lines.iter().enumerate() {
        let next = lines[at + 1..].iter().take(4).find(|line| !line.is_blank()).map_or("", |line| line.text);
        cutting.take(*line, at, next);
    }
    cutting.end(lines.len());
    let is_elided = |line: &&Line<'_>| elision::is_elided(line.text);
    let elided = lines.iter().filter(is_elided).map(|line| line.number).collect();
    let mut told = Told { is_any: !cutting.parts.is_empty(), elided, ..Told::default() };
    // Where all are asked for too, all are there.
    told.has_some_nodes = !cutting.asked_nodes.is_empty() && cutting.asked_nodes.iter().all(|is_some| *is_some);
    for part in &cutting.parts {
        let before = told.trees.len();
        (part.form.read)(part, &mut told);
        if told.trees.len() > before && told.other.is_none() {
            told.other = part.lines.first().map(|line| (line.number, (part.form.what)()));
        }
    }
    let yaml = cutting.yaml(text, &lines);
    Some(Mixed { yaml: yaml.into(), told })
}

fn is_mark(text: &str) -> bool {
    fence(text).is_some() || command(text).is_some() || form_of(text).is_some()
}

/// The form that a line begins.
pub(super) fn form_of(text: &str) -> Option<&'static Form> {
    FORMS.iter().find(|form| (form.begins)(text))
}

/// The indentation of a line that begins or ends a fence.
fn fence(text: &str) -> Option<usize> {
    let inner = text.trim_start();
    let is_fence = |mark: &str| inner.strip_prefix(mark).is_some_and(|rest| !rest.contains(['`', '~', ':', ' ']));
    (is_fence("```") || is_fence("~~~")).then(|| text.len() - inner.len())
}

/// The last letters of prompts.
const PROMPTS: [char; 7] = ['$', '#', '>', '%', '❯', '➜', 'λ'];
/// What people type for kubectl, and OpenShift's own.
const ALIASES: [&str; 2] = ["k", "oc"];

/// Where the line has another name of kubectl behind a prompt.
fn alias_at(text: &str) -> Option<usize> {
    let (at, prompt) = text.match_indices(PROMPTS).find(|(at, prompt)| {
        let rest = text[at + prompt.len()..].strip_prefix(' ').unwrap_or_default();
        ALIASES.iter().any(|alias| rest.strip_prefix(alias).is_some_and(|rest| rest.starts_with(' ')))
    })?;
    Some(at + prompt.len() + 1)
}

/// Whether the line begins with another name of kubectl, without a prompt, and asks for something.
fn is_alias(text: &str) -> bool {
    let mut words = text.split(' ');
    let is_named = words.next().is_some_and(|word| ALIASES.contains(&word));
    is_named
        && words.next().is_some_and(|word| VERBS.contains(&word) || word.starts_with('-'))
        && text.split(' ').any(|word| VERBS.contains(&word))
}

/// What is asked of a cluster whose answer is read.
const VERBS: [&str; 5] = ["get", "describe", "events", "logs", "rollout"];

/// What ends a command before another one in the same line.
const BETWEEN: [char; 2] = [';', '&'];

/// Where the last of several commands behind a prompt runs kubectl.
fn last_at(text: &str) -> Option<usize> {
    let is_last = |before: &str| {
        let mut words = before.split_whitespace();
        let is_behind_prompt = words.any(|word| word.ends_with(PROMPTS)) && !text.starts_with(['-', '"', '\'']);
        is_behind_prompt && before.trim_end().ends_with(BETWEEN)
    };
    text.match_indices("kubectl ").map(|(at, _)| at).filter(|at| is_last(&text[..*at])).last()
}

/// The command at the end of a sentence, between marks of code: what it prints follows.
fn quoted_command(text: &str) -> Option<Command<'_>> {
    let (_, own) = text.trim_end_matches([' ', ':', '.', '`', '*']).rsplit_once('`')?;
    command(own).filter(|command| command.resource.is_some())
}

/// The command that stands behind a prompt.
fn command(text: &str) -> Option<Command<'_>> {
    let trimmed = text.trim_start();
    let at = last_at(trimmed)
        .or_else(|| trimmed.find("kubectl "))
        .or_else(|| alias_at(trimmed))
        .or_else(|| is_alias(trimmed).then_some(0))
        .or_else(|| trimmed.starts_with("$ ").then_some(2))?;
    let prompt = trimmed[..at].trim_end();
    // kubectl itself, a prompt's last letter, or a program that runs it.
    let runs = |word: &str| {
        ["sudo", "watch", "time", "+", "~", "microk8s", "microk8s.", "minikube", "k3s", "rke2", "k0s"].contains(&word)
    };
    let is_prompt = prompt.is_empty()
        || prompt.ends_with(PROMPTS)
        || prompt.ends_with(BETWEEN)
        || prompt.split_whitespace().last().is_some_and(runs);
    if !is_prompt || prompt.contains(": ") || text.len() - trimmed.len() > 3 {
        return None;
    }
    let words: Vec<&str> = trimmed[at..].split_whitespace().collect();
    let is_kubectl = words.first().is_some_and(|word| *word == "kubectl" || ALIASES.contains(word));
    let mut command = Command::default();
    let verb = words.iter().position(|word| VERBS.contains(word));
    if is_kubectl && prompt.is_empty() && verb.is_none() {
        return None;
    }
    // What it does to a rollout stands before what it asks for.
    let asked = verb.map(|verb| if words[verb] == "rollout" { verb + 2 } else { verb + 1 });
    for (at, word) in words.iter().enumerate() {
        let after = words.get(at + 1).copied();
        let attached = ["--namespace=", "-n="].iter().find_map(|flag| word.strip_prefix(flag));
        // A sentence goes on, or ends, behind it.
        let spaced = match *word {
            "-n" | "--namespace" => after,
            _ => attached,
        };
        command.selects |= verb.is_some() && is_selector(word);
        command.namespace = spaced.map(|space| space.trim_end_matches([':', ',', '.', '`'])).or(command.namespace);
        if Some(at) == asked && !word.starts_with('-') {
            command.resource = Some(word);
            let next = after.filter(|next| !next.starts_with('-'));
            command.name = word.split_once('/').map(|(_, name)| name).or(next);
        }
    }
    Some(command)
}

/// Whether a word is the flag of `kubectl get` by which not all are asked for.
fn is_selector(word: &str) -> bool {
    let flag = word.split('=').next().unwrap_or(word);
    ["--selector", "--field-selector"].contains(&flag) || word.starts_with("-l") && !word.starts_with("--")
}

/// Where a document of YAML or JSON begins.
pub(super) fn begins_document(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}');
    text.starts_with("apiVersion:") || text.starts_with('{') || text.trim_end() == "---"
}

/// Whether a line is somebody's words: it begins at the left and is neither a field nor an item.
fn is_prose(text: &str) -> bool {
    let is_field = |text: &str| {
        text.split_once(':')
            .is_some_and(|(name, rest)| !name.contains(' ') && (rest.is_empty() || rest.starts_with([' ', '\t'])))
    };
    text.starts_with(char::is_alphabetic) && !is_field(text)
}

#[derive(Default)]
struct Cutting<'t> {
    within: Option<Within<'t>>,
    command: Command<'t>,
    /// The command that the last line which is not blank ends with, outside of a fence.
    said: Option<Command<'t>>,
    /// The indentation of the fence that is open.
    fence: Option<usize>,
    was_blank: bool,
    /// Whether what is neither has somebody's words.
    is_prose: bool,
    parts: Vec<Part<'t>>,
    /// Of each command that asks for nodes, whether it asks for some of them alone.
    asked_nodes: Vec<bool>,
    /// Lines that are neither: their first, and what comes after their last.
    other: Vec<(usize, usize)>,
}

impl<'t> Cutting<'t> {
    fn take(&mut self, line: Line<'t>, at: usize, next: &str) {
        if elision::is_elided(line.text) {
            return;
        }
        let was_blank = std::mem::replace(&mut self.was_blank, line.is_blank());
        if let Some(indent) = fence(line.text) {
            self.end(at);
            self.fence = if self.fence.is_some() { None } else { Some(indent) };
            // What a sentence asks for right before a fence is what stands in it.
            self.command = self.said.take().unwrap_or_default();
            return;
        }
        let outer = self.fence.unwrap_or(0).min(line.indent());
        let own = Line { at: line.at + outer, text: &line.text[outer..], ..line };
        let is_within = matches!(self.within, Some(Within::Form(_)));
        if !line.is_blank() {
            self.said = if self.fence.is_none() { quoted_command(own.text) } else { None };
        }
        if let Some(said) = self.said.filter(|_| !line.is_blank() && !is_within && form_of(next).is_some()) {
            self.end(at);
            self.command = said;
            return;
        }
        if let Some(command) = command(own.text) {
            // In YAML a line that begins with # is a comment.
            let is_comment = matches!(self.within, Some(Within::Other(_))) && own.text.trim_start().starts_with('#');
            if !is_comment || begins_document(next) || form_of(next).is_some() {
                self.end(at);
                self.asked_nodes.extend(command.asks_for_nodes());
                self.command = command;
                return;
            }
        }
        if let Some(Within::Form(part)) = &mut self.within {
            if !begins_document(own.text) && (part.form.goes_on)(own.text, was_blank) {
                part.lines.push(own);
                return;
            }
            self.end(at);
        }
        match form_of(own.text) {
            Some(form) => {
                self.end(at);
                let Command { namespace, resource, name, .. } = self.command;
                self.within = Some(Within::Form(Part { form, lines: vec![own], namespace, resource, name }));
            }
            None if self.within.is_none() || self.is_prose && begins_document(own.text) => {
                self.end(at);
                self.within = Some(Within::Other(at));
                self.is_prose = is_prose(own.text);
            }
            // Between two documents somebody says what the next one is.
            None if !self.is_prose && is_prose(own.text) && (begins_document(next) || is_mark(next)) => {
                self.end(at);
                self.within = Some(Within::Other(at));
                self.is_prose = true;
            }
            None => self.is_prose |= is_prose(own.text),
        }
    }

    /// What is open ends before this line.
    fn end(&mut self, at: usize) {
        match self.within.take() {
            Some(Within::Form(part)) => self.parts.push(part),
            Some(Within::Other(from)) => self.other.push((from, at)),
            None => {}
        }
    }

    /// The text with everything but its YAML blank, each byte where it was.
    fn yaml(&self, text: &str, lines: &[Line<'_>]) -> String {
        let is_document = |line: &Line<'_>| {
            let own = line.text.trim_start().trim_start_matches("- ");
            ["apiVersion:", "\"apiVersion\":", "kind:", "items:", "{"].iter().any(|mark| own.starts_with(mark))
        };
        let mut is_yaml = vec![false; lines.len()];
        for (from, to) in &self.other {
            if lines[*from..*to].iter().any(is_document) {
                is_yaml[*from..*to].fill(true);
            }
        }
        let mut yaml = String::with_capacity(text.len());
        for ((whole, line), is_yaml) in text.split_inclusive('\n').zip(lines).zip(is_yaml) {
            let own = whole.trim_end_matches(['\n', '\r']);
            let blanks = |count: usize| std::iter::repeat_n(' ', count);
            if elision::is_elided(line.text) {
                yaml.extend(blanks(own.len()));
                yaml.push_str(&whole[own.len()..]);
                continue;
            }
            if is_yaml {
                let before = line.at - yaml.len();
                match own.strip_prefix('\u{feff}') {
                    Some(_) => yaml.push('\u{feff}'),
                    None => yaml.extend(blanks(before)),
                }
                yaml.push_str(&elision::without_stars(line.text));
                yaml.extend(blanks((own.len() - before).saturating_sub(line.text.len())));
                yaml.push_str(&whole[own.len()..]);
                continue;
            }
            let mark = if own.len() < 3 { "" } else { "---" };
            yaml.push_str(mark);
            yaml.extend(blanks(own.len() - mark.len()));
            yaml.push_str(&whole[own.len()..]);
        }
        yaml
    }
}
