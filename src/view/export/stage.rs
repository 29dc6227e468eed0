//! The stage at this moment: the set's line, its pods, where the controller stands, the nodes.

use super::callout::{callout, tone};
use super::nodes::nodes;
use super::rail::Drawn;
use super::svg::{FAILED, Font, INK, INK2, INK3, PANEL, Svg, TERMINATING, edge, hue, stripes};
use super::{MARGIN, cards, rail};
use crate::session::Session;
use crate::view::{Pods, Summary, View, shapes};

/// The picture, with the nodes or without them.
pub(super) fn stage(session: &Session, view: &View, has_nodes: bool, mut svg: Svg) -> String {
    let mut y = match &view.summary {
        Some(summary) => head(&mut svg, summary),
        None => MARGIN,
    };
    let axis = match &view.workload.pods {
        Pods::Axis(rail) => rail::draw(&mut svg, rail, y, tone(view.explanation.severity).1[0]),
        Pods::Cards(cards) => Drawn { bottom: cards::draw(&mut svg, cards, y), ringed: None },
    };
    y = callout(&mut svg, &view.explanation, &axis);
    y = view.warnings.iter().fold(y, |y, words| warning(&mut svg, &words.to_string(), y));
    y = cards::ranks(&mut svg, &view.workload, y);
    if has_nodes {
        y = nodes(&mut svg, view, y);
    }
    let made = format!("Kubernetes {} · at {} · made with SetScope", session.scenario().release.name(), view.clock);
    svg.text([MARGIN, y + 10], Font::new(11, INK3), &made);
    let title = view.summary.as_ref().map_or_else(
        || view.explanation.headline.to_string(),
        |own| format!("{}: {} of {} Ready, at {}", own.name, own.ready.0, own.ready.1, view.clock),
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
    let (name, strong, plain) = (Font::new(20, INK).bold(), Font::new(15, INK).bold(), Font::new(13, INK2));
    let mut x = MARGIN;
    let mut y = MARGIN + 18;
    let rolling = summary.current != summary.update;
    let mut words = vec![
        (name, summary.name.clone(), 16),
        (strong, summary.ready.0.to_string(), 4),
        (plain, format!("of {} Ready", summary.ready.1), 16),
    ];
    // Before any update, how many are updated says nothing.
    if rolling {
        words.extend([(strong, summary.updated.to_string(), 4), (plain, "updated".to_owned(), 16)]);
    }
    words.push((plain, summary.kind.title().to_owned(), 16));
    for (font, words, gap) in words {
        svg.text([x, y], font, &words);
        x += font.width(&words) + gap;
    }
    let both = [("current", &summary.current), ("update", &summary.update)];
    let both = if rolling { &both[..] } else { &[] };
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

fn warning(svg: &mut Svg, words: &str, top: i32) -> i32 {
    let mut text = Svg::new(svg.width());
    let y = text.paragraph([MARGIN + 44, top + 24, svg.room() - 60], Font::new(13, INK), words);
    let height = y - top - 4;
    svg.rect([MARGIN, top, svg.room(), height], FAILED[1], &format!(r#" rx="6"{}"#, edge(FAILED[0], "1", "")));
    svg.icon([MARGIN + 16, top + 12, 16], shapes::HAND, FAILED[0], FAILED[1]);
    svg.add(text);
    top + height + 16
}
