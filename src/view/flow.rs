//! The flow chart of a sync, drawn from the table of rules: the stages down the left in the order of the real code, their
//! rules as branches to the right, and the ways out of the walk at the far right. Lengths are in units of the drawing.
//!
//! A rule leads on to the next one unless it ends the walk; what ends it goes down the right edge to the status or, if the
//! sync fails, to the work queue.

use super::build::in_context;
use super::kinds::{Context, RuleText, Weight, stages};
use crate::objects::{Kind, ObjectRef};
use crate::reconcile::{Gates, Release, Rule, Stage, stateful_set};
use crate::session::Session;
use crate::text::Text;
use std::collections::BTreeMap;

/// The chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Flow {
    /// What it shows, such as `A sync under v1.34; the path of sync 12 is highlighted`.
    pub title: Text,
    /// Its size.
    pub size: [i32; 2],
    /// Stages, rules and the end.
    pub boxes: Vec<FlowBox>,
    /// What joins them; lit ones come last, so that they lie on top.
    pub lines: Vec<FlowLine>,
}

/// What a box is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowLook {
    /// A part of the sync.
    Stage,
    /// A rule after which the walk goes on.
    Passes,
    /// A rule that ends the walk.
    Ends,
    /// A rule with which the sync fails.
    Fails,
}

/// A box.
#[derive(Clone, Debug, PartialEq)]
pub struct FlowBox {
    /// What it is.
    pub look: FlowLook,
    /// Left, top, width, height.
    pub place: [i32; 4],
    /// Its text.
    pub text: Text,
    /// The same in lines.
    pub lines: Vec<String>,
    /// How often the run decided so; empty if it never did.
    pub count: String,
    /// Where it comes from: function, file, releases.
    pub source: Text,
    /// Whether the sync came through it.
    pub lit: bool,
}

/// A line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowLine {
    /// An SVG path.
    pub path: String,
    /// Whether the sync took it.
    pub lit: bool,
}

const STAGE: [i32; 4] = [20, 0, 172, 34];
/// The middle of the stages, where the way goes down.
const TRUNK: i32 = 48;
/// Where the branches of a stage leave it.
const SPINE: i32 = 214;
const RULE: [i32; 4] = [236, 0, 452, 24];
/// The ways out: to the status, and to the queue.
const LANES: [i32; 2] = [710, 734];
const WIDTH: i32 = 756;
const LINE: i32 = 16;
/// So many letters fit into a line of a rule.
const LETTERS: usize = 66;

/// Whether there is a chart of the kind's controller.
pub(super) fn has_chart(kind: Kind) -> bool {
    kind == Kind::StatefulSet
}

/// The chart of a set's controller, with the path of the sync of this number, or of the last one. None if there is no set.
pub fn flow(session: &Session, set: Option<&ObjectRef>, number: Option<u64>) -> Option<Flow> {
    let context = in_context(session, set).filter(|context| has_chart(context.key.kind))?.at(number);
    let release = context.cluster.release();
    let mut counts: BTreeMap<Rule, u32> = BTreeMap::new();
    let syncs = session.latest().trace().syncs.iter().filter(|sync| sync.subject == context.key);
    syncs.flat_map(|sync| sync.decisions.iter()).for_each(|decision| *counts.entry(decision.rule).or_default() += 1);
    let mut chart = Chart {
        context: &context,
        release,
        gates: context.cluster.controller_gates(),
        counts,
        top: 20,
        exits: Vec::new(),
        flow: Flow { title: title_of(&context, release), size: [WIDTH, 0], boxes: Vec::new(), lines: Vec::new() },
    };
    chart.draw();
    Some(chart.flow)
}

fn title_of(context: &Context<'_>, release: Release) -> Text {
    match context.last_sync {
        Some(sync) => {
            let (release, number) = (release.name(), sync.number);
            text!("A sync of the StatefulSet controller, {}; the path of sync {} is highlighted", release, number)
        }
        None => text!("A sync of the StatefulSet controller, {}", release.name()),
    }
}

struct Chart<'a> {
    context: &'a Context<'a>,
    release: Release,
    gates: Gates,
    counts: BTreeMap<Rule, u32>,
    top: i32,
    /// Ways out that have not arrived: lane, height at which they enter it, whether lit.
    exits: Vec<(usize, i32, bool)>,
    flow: Flow,
}

impl Chart<'_> {
    fn draw(&mut self) {
        let decided = |stage: Stage| {
            self.context
                .last_sync
                .is_some_and(|sync| sync.decisions.iter().any(|decision| decision.rule.stage() == stage))
        };
        let stages: Vec<_> = stages(self.context.key.kind).collect();
        let walked = stages.iter().rev().find(|(stage, _)| *stage < Stage::Status && decided(*stage));
        let reached: Vec<bool> =
            stages.iter().map(|(stage, _)| decided(*stage) || walked.is_some_and(|(last, _)| stage < last)).collect();
        let mut left = false;
        for (at, (stage, title)) in stages.into_iter().enumerate() {
            let came = at > 0 && reached[at - 1] && reached[at] && !left;
            if stage == Stage::Status {
                self.arrive(0);
            }
            if at > 0 {
                self.line(format!("M{TRUNK} {}V{}", self.trunk_from(), self.top), came);
            }
            left = self.stage(stage, title, reached[at]);
        }
        self.arrive(1);
        let lit = self.context.last_sync.is_some_and(|sync| sync.error.is_some());
        let text = text!("A failed sync is queued again, each time after twice as long");
        self.put(FlowLook::Fails, [RULE[0], self.top - 8], text, String::new(), Text::default(), lit);
        self.flow.size[1] = self.top + 40;
        let lines = std::mem::take(&mut self.flow.lines);
        let (lit, other): (Vec<_>, Vec<_>) = lines.into_iter().partition(|line| line.lit);
        self.flow.lines = other;
        self.flow.lines.extend(lit);
    }

    /// The bottom of the last stage's own box.
    fn trunk_from(&self) -> i32 {
        let stages = self.flow.boxes.iter().rev();
        stages.filter(|own| own.look == FlowLook::Stage).map(|own| own.place[1] + own.place[3]).next().unwrap_or(0)
    }

    /// A stage with its rules. Whether the sync left the walk here.
    fn stage(&mut self, stage: Stage, title: &'static str, reached: bool) -> bool {
        let top = self.top;
        let name = Text::fixed(title);
        self.put(FlowLook::Stage, [STAGE[0], top], name, String::new(), Text::default(), reached);
        let rules =
            Rule::ALL.iter().copied().filter(|rule| rule.stage() == stage && rule.kind() == self.context.key.kind);
        let rules: Vec<Rule> = rules.filter(|rule| rule.source(self.release).holds_in(self.release)).collect();
        let mut left = false;
        for rule in rules {
            let lit = self.context.last_sync.is_some_and(|sync| sync.decisions.iter().any(|own| own.rule == rule));
            let look = self.leads(rule);
            let (top_of_rule, source) = (self.top, rule.source(self.release));
            let words = text!("{} in {}; {}", source.function, source.file, rule.holds(source));
            let count = match self.counts.get(&rule).copied().unwrap_or(0) {
                0 => String::new(),
                count => format!("{count}×"),
            };
            let height = self.put(look, [RULE[0], top_of_rule], Text::fixed(rule.says()), count, words, lit);
            let middle = top_of_rule + height / 2;
            let from = top + STAGE[3] / 2;
            self.line(format!("M{} {from}H{SPINE}V{middle}H{}", STAGE[0] + STAGE[2], RULE[0]), lit);
            if look != FlowLook::Passes {
                left |= lit;
                let lane = usize::from(look == FlowLook::Fails);
                self.exits.push((lane, middle, lit));
            }
            self.top += height + 6;
        }
        self.top = self.top.max(top + STAGE[3] + 6) + 18;
        left
    }

    /// Where a rule leads.
    fn leads(&self, rule: Rule) -> FlowLook {
        let ordered = self.context.is_ordered();
        match rule.weight() {
            // The status is counted and written before the refusal is returned.
            Weight::Refused if self.gates.processes_pods_apart && is_walk(rule.stage()) => FlowLook::Ends,
            Weight::Refused => FlowLook::Fails,
            Weight::Waits => FlowLook::Ends,
            _ if rule == stateful_set::Rule::SetTerminating => FlowLook::Ends,
            _ if ordered
                && (rule == stateful_set::Rule::ReplicaCreated || rule == stateful_set::Rule::CondemnedDeleted) =>
            {
                FlowLook::Ends
            }
            _ if rule == stateful_set::Rule::UpdateDeleted && !self.gates.max_unavailable => FlowLook::Ends,
            _ => FlowLook::Passes,
        }
    }

    fn put(
        &mut self,
        look: FlowLook,
        [left, top]: [i32; 2],
        text: Text,
        count: String,
        source: Text,
        lit: bool,
    ) -> i32 {
        let [_, _, width, least] = if look == FlowLook::Stage { STAGE } else { RULE };
        let lines = wrapped(&text.to_string(), LETTERS);
        let more = i32::try_from(lines.len().saturating_sub(1)).unwrap_or(0) * LINE;
        let place = [left, top, width, least + more];
        self.flow.boxes.push(FlowBox { look, place, text, lines, count, source, lit });
        least + more
    }

    fn line(&mut self, path: String, lit: bool) {
        self.flow.lines.push(FlowLine { path, lit });
    }

    /// Leads what left the walk by a lane back to the trunk or to the end.
    fn arrive(&mut self, lane: usize) {
        let exits: Vec<_> = self.exits.iter().copied().filter(|exit| exit.0 == lane).collect();
        if exits.is_empty() {
            return;
        }
        let (x, from, y) = (LANES[lane], RULE[0] + RULE[2], self.top + 4);
        let to = if lane == 0 { format!("{TRUNK}V{}", y + 18) } else { from.to_string() };
        for (_, middle, lit) in exits {
            self.line(format!("M{from} {middle}H{x}V{y}H{to}"), lit);
        }
        self.top = y + if lane == 0 { 18 } else { 0 };
    }
}

/// Whether pods are looked at one by one in it.
fn is_walk(stage: Stage) -> bool {
    matches!(stage, Stage::Replicas | Stage::Condemned | Stage::Update)
}

/// A text in lines of so many letters.
fn wrapped(text: &str, letters: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.replace('`', "").split(' ') {
        let full = lines.last().is_some_and(|line| !line.is_empty() && line.len() + word.len() >= letters);
        if full {
            lines.push(String::new());
        }
        let Some(line) = lines.last_mut() else { continue };
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines
}
