//! The stage at this moment: the set's line, its pods, where the controller stands, the nodes.

use super::svg::{
    ACCENT, ACCENT_SOFT, FAILED, Font, INK, INK2, INK3, LINE, PANEL, PENDING, READY, TERMINATING, UNKNOWN,
};
use super::svg::{Svg, edge, hue, paints, stripes};
use super::{MARGIN, cards, rail};
use crate::objects::Kind;
use crate::session::Session;
use crate::view::{Explanation, Node, NodeAppearance, NodePod, PodAppearance, Severity, Summary, View, shapes};

/// The picture.
pub(super) fn stage(session: &Session, view: &View, mut svg: Svg) -> String {
    let mut y = match &view.summary {
        Some(summary) => head(&mut svg, summary),
        None => MARGIN,
    };
    y = match &view.board {
        Some(board) => cards::draw(&mut svg, board, y),
        None => rail::draw(&mut svg, &view.rail, y),
    };
    y = write_explanation(&mut svg, &view.explanation, y);
    y = view.warnings.iter().fold(y, |y, words| warning(&mut svg, &words.to_string(), y));
    if let Some(board) = &view.board {
        y = cards::ranks(&mut svg, board, y);
    }
    y = nodes(&mut svg, view, y);
    let made = format!("Kubernetes {} · at {} · made with SetScope", session.scenario().release.name(), view.clock);
    svg.text([MARGIN, y + 10], Font::new(11, INK3), &made);
    let title = view.summary.as_ref().map_or_else(
        || view.explanation.headline.to_string(),
        |own| format!("{}: {} / {} ready, at {}", own.name, own.ready.0, own.ready.1, view.clock),
    );
    let said = format!("{}. {} {}", view.explanation.headline, view.explanation.reason, view.explanation.resolution);
    svg.close(y + MARGIN, &title, said.trim(), &grounds())
}

/// The stripes of condemned ground, of a pod that terminates, and of a band that was changed in place.
fn grounds() -> String {
    [
        stripes("condemned", [7, 14, 45], TERMINATING[1], "none"),
        stripes("terminating", [5, 10, 45], TERMINATING[1], "none"),
        stripes("in-place", [3, 12, 45], INK, "none"),
    ]
    .concat()
}

fn head(svg: &mut Svg, summary: &Summary) -> i32 {
    let (name, strong, plain) = (Font::new(20, INK).bold(), Font::new(16, INK).bold(), Font::new(13, INK2));
    let mut x = MARGIN;
    let mut y = MARGIN + 18;
    let kind = if summary.kind == Kind::StatefulSet { "" } else { summary.kind.title() };
    let words = [
        (name, summary.name.clone(), 8),
        (plain, kind.to_owned(), if kind.is_empty() { 8 } else { 16 }),
        (strong, summary.ready.0.to_string(), 4),
        (plain, format!("/ {} ready", summary.ready.1), 16),
        (strong, summary.updated.to_string(), 4),
        (plain, "updated".to_owned(), 16),
    ];
    for (font, words, gap) in words {
        svg.text([x, y], font, &words);
        x += font.width(&words) + gap;
    }
    let rolling = summary.current != summary.update;
    let both = [("current", &summary.current), ("update", &summary.update)];
    let both = if rolling { &both[..] } else { &[("revision", &summary.current)] };
    let shown: Vec<_> = both.iter().filter_map(|(word, revision)| Some((*word, revision.as_ref()?))).collect();
    let small = Font::new(12, INK2);
    let wide: i32 = shown.iter().map(|(word, own)| small.width(word) + small.width(&own.name) + 48).sum();
    if x + wide > svg.width() - MARGIN {
        y += 26;
    }
    let mut x = if x + wide > svg.width() - MARGIN { MARGIN } else { svg.width() - MARGIN - wide + 16 };
    for (word, revision) in shown {
        svg.text([x, y], small, word);
        x += small.width(word) + 6;
        svg.rect([x, y - 13, 17, 17], hue(revision.hue), r#" rx="4""#);
        svg.text([x + 9, y], Font::new(11, PANEL).bold().centred(), &revision.letter);
        svg.text([x + 24, y], small, &revision.name);
        x += small.width(&revision.name) + 42;
    }
    y + 16
}

fn write_explanation(svg: &mut Svg, explanation: &Explanation, top: i32) -> i32 {
    let (word, [paint, ground]) = match explanation.severity {
        Severity::Settled => ("Settled", READY),
        Severity::Waiting => ("Waiting", [ACCENT, ACCENT_SOFT]),
        Severity::Stuck => ("Stuck", PENDING),
    };
    // The words are measured before their ground is drawn below them.
    let mut words = Svg::new(svg.width());
    words.icon([MARGIN + 20, top + 15, 16], shapes::of_severity(explanation.severity), paint, ground);
    words.text([MARGIN + 42, top + 28], Font::new(13, paint).bold(), word);
    let (x, room) = (MARGIN + 116, svg.room() - 132);
    let mut y = words.paragraph([x, top + 28, room], Font::new(16, INK).bold(), &explanation.headline.to_string());
    if !explanation.reason.is_empty() {
        y = words.paragraph([x, y, room], Font::new(13, INK), &explanation.reason.to_string());
    }
    if !explanation.resolution.is_empty() {
        y = words.paragraph(
            [x, y + 2, room],
            Font::new(13, INK2),
            &format!("What ends it: {}", explanation.resolution),
        );
    }
    let height = y - top - 2;
    svg.rect([MARGIN, top, svg.room(), height], ground, r#" rx="6""#);
    svg.rect([MARGIN, top, 4, height], paint, r#" rx="2""#);
    svg.add(words);
    top + height + 16
}

fn warning(svg: &mut Svg, words: &str, top: i32) -> i32 {
    let mut text = Svg::new(svg.width());
    let y = text.paragraph([MARGIN + 44, top + 24, svg.room() - 60], Font::new(13, INK), words);
    let height = y - top - 4;
    svg.rect([MARGIN, top, svg.room(), height], FAILED[1], &format!(r#" rx="6"{}"#, edge(FAILED[0], "1", "")));
    svg.icon([MARGIN + 16, top + 12, 16], shapes::HAND, FAILED[0], FAILED[1]);
    svg.add(text);
    top + height + 16
}

/// The most nodes in one row, how wide one must be, and from one to the next.
const IN_A_ROW: i32 = 4;
const NODE: i32 = 170;
const APART: i32 = 12;
/// Of more pods a node only says how many are in which state.
const NAMED: usize = 12;

fn nodes(svg: &mut Svg, view: &View, top: i32) -> i32 {
    if view.nodes.is_empty() {
        return top;
    }
    svg.text([MARGIN, top + 14], Font::new(12, INK2).bold(), "Nodes");
    let most = ((svg.room() + APART) / (NODE + APART)).clamp(1, IN_A_ROW);
    let count = i32::try_from(view.nodes.len()).unwrap_or(most).min(most);
    let width = ((svg.room() - APART * (count - 1)) / count).min(296);
    let mut y = top + 26;
    for row in view.nodes.chunks(usize::try_from(count).unwrap_or(1)) {
        let places = || (MARGIN..).step_by((width + APART) as usize);
        let drawn: Vec<(Svg, i32)> = places().zip(row).map(|(x, one)| node(one, [x, y, width])).collect();
        let height = drawn.iter().map(|(_, end)| end - y).max().unwrap_or(0);
        for ((x, one), (words, _)) in places().zip(row).zip(drawn) {
            let (paint, ground) = match one.look {
                NodeAppearance::Ready | NodeAppearance::Cordoned => (LINE, PANEL),
                NodeAppearance::Silent => (TERMINATING[0], TERMINATING[1]),
                NodeAppearance::Lost => (UNKNOWN[0], UNKNOWN[1]),
            };
            svg.rect([x, y, width, height], ground, &format!(r#" rx="10"{}"#, edge(paint, "1", "")));
            svg.add(words);
        }
        y += height + APART;
    }
    y + 10
}

/// What a node says, and where that ends.
fn node(node: &Node, [x, top, width]: [i32; 3]) -> (Svg, i32) {
    let look = match node.look {
        NodeAppearance::Ready => PodAppearance::Ready,
        NodeAppearance::Cordoned => PodAppearance::Pending,
        NodeAppearance::Silent => PodAppearance::Terminating,
        NodeAppearance::Lost => PodAppearance::Unreachable,
    };
    let mut svg = Svg::new(width);
    let (x, room) = (x + 14, width - 28);
    let status = node.status.to_string();
    let (name, pill) = (Font::new(13, INK).bold(), Font::new(11, INK).bold().width(&status) + 30);
    svg.text([x, top + 26], name, &name.fit_name(&node.name, room));
    let mut y = top + 40;
    if name.width(&node.name) + 8 + pill <= room {
        svg.pill([x + room - pill, top + 12, room], look, &status);
    } else {
        svg.pill([x - 3, y, room], look, &status);
        y += 28;
    }
    y = pods(&mut svg, &node.pods, [x, y, room]);
    for condition in &node.conditions {
        y = svg.paragraph([x, y + 16, room], Font::new(12, INK2), &condition.to_string()) - 14;
    }
    (svg, y + 12)
}

fn pods(svg: &mut Svg, pods: &[NodePod], [x, y, room]: [i32; 3]) -> i32 {
    if pods.is_empty() {
        svg.text([x, y + 14], Font::new(12, INK3), "No pods");
        return y + 22;
    }
    if pods.len() <= NAMED {
        return pods.iter().fold(y, |y, one| pod(svg, one, [x, y, room]));
    }
    let mut counts: Vec<(&NodePod, usize)> = Vec::new();
    for one in pods {
        match counts.iter_mut().find(|(other, _)| (other.look, &other.status) == (one.look, &one.status)) {
            Some((_, count)) => *count += 1,
            None => counts.push((one, 1)),
        }
    }
    counts.iter().fold(y, |y, (one, count)| {
        svg.pill([x - 3, y, room], one.look, &format!("{count} {}", one.status));
        y + 26
    })
}

fn pod(svg: &mut Svg, pod: &NodePod, [x, y, room]: [i32; 3]) -> i32 {
    let [paint, _] = paints(pod.look);
    let (border, dashes) = if pod.ghost { (FAILED[0], "4 3") } else { (LINE, "") };
    svg.rect([x, y, room, 24], PANEL, &format!(r#" rx="5"{}"#, edge(border, "1", dashes)));
    svg.rect([x, y, 4, 24], if pod.ghost { FAILED[0] } else { hue(pod.hue) }, r#" rx="2""#);
    svg.icon([x + 11, y + 6, 12], shapes::of_look(pod.look), paint, PANEL);
    let (name, status) = (Font::new(12, INK), Font::new(11, INK2));
    let shown = name.fit_name(&pod.name, room - 40);
    svg.text([x + 29, y + 16], name, &shown);
    let left = room - 44 - name.width(&shown);
    if left > 30 {
        svg.text([x + room - 8, y + 16], status.ending(), &status.fit(&pod.status.to_string(), left));
    }
    y + 28
}
