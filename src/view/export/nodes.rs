//! The nodes in their places, and the pods on them.

use super::MARGIN;
use super::svg::{FAILED, Font, INK, INK2, INK3, LINE, PANEL, SUNKEN, Svg, TERMINATING, UNKNOWN, edge, hue, paints};
use crate::view::{Node, NodeAppearance, NodePod, PodAppearance, View, chips, shapes};
use std::rc::Rc;

/// How wide a node must be, the gap between two, and its padding.
const NODE: i32 = 168;
const GAP: i32 = 8;
const PADDING: i32 = 12;
/// The height of a pod, and from one row of them to the next.
const CHIP: i32 = 22;
const ROW: i32 = CHIP + 4;

/// The nodes from here on; where they end.
pub(super) fn nodes(svg: &mut Svg, view: &View, top: i32) -> i32 {
    if view.nodes.is_empty() {
        return top;
    }
    let most = ((svg.room() + GAP) / (NODE + GAP)).max(1);
    let count = i32::try_from(view.nodes.len()).unwrap_or(most).min(most);
    let width = (svg.room() - GAP * (count - 1)) / count;
    let mut y = top;
    for row in view.nodes.chunks(usize::try_from(count).unwrap_or(1)) {
        let places = || (MARGIN..).step_by((width + GAP) as usize);
        let drawn: Vec<(Svg, i32)> =
            places().zip(row).map(|(x, one)| node(one, view.workload.prefix(), [x, y, width])).collect();
        let height = drawn.iter().map(|(_, end)| end - y).max().unwrap_or(0);
        for ((x, one), (words, _)) in places().zip(row).zip(drawn) {
            let ground = match one.look {
                NodeAppearance::Ready | NodeAppearance::Cordoned => SUNKEN,
                NodeAppearance::Silent => TERMINATING[1],
                NodeAppearance::Lost => UNKNOWN[1],
            };
            svg.rect([x, y, width, height], ground, r#" rx="8""#);
            svg.add(words);
        }
        y += height + GAP;
    }
    y + 14
}

/// What a node says, and where that ends.
fn node(node: &Node, prefix: &str, [x, top, width]: [i32; 3]) -> (Svg, i32) {
    let look = match node.look {
        NodeAppearance::Ready => PodAppearance::Ready,
        NodeAppearance::Cordoned => PodAppearance::Pending,
        NodeAppearance::Silent => PodAppearance::Terminating,
        NodeAppearance::Lost => PodAppearance::Unreachable,
    };
    let mut svg = Svg::new(width);
    let (x, room) = (x + PADDING, width - 2 * PADDING);
    let status = node.status.to_string();
    let name = Font::new(13, INK).bold();
    let title = name.fit_name(&node.name, room);
    svg.text([x, top + 23], name, &title);
    let beside = x + name.width(&title) + 8;
    let mut y = top + 36;
    if beside + Font::new(11, INK).bold().width(&status) + 30 <= x + room {
        svg.pill([beside, top + 9, room], look, &status);
    } else {
        svg.pill([x - 3, y - 2, room], look, &status);
        y += 24;
    }
    y = pods(&mut svg, &node.pods, prefix, [x, y, room]);
    for condition in &node.conditions {
        y = svg.paragraph([x, y + 16, room], Font::new(12, INK2), &condition.to_string()) - 14;
    }
    (svg, (y + 10).max(top + 76))
}

fn pods(svg: &mut Svg, pods: &[Rc<NodePod>], prefix: &str, [x, y, room]: [i32; 3]) -> i32 {
    if pods.is_empty() {
        svg.text([x, y + 14], Font::new(12, INK3), "No pods");
        return y + ROW;
    }
    let (shown, more) = chips(pods);
    let (mut at, mut top) = (x, y);
    for pod in shown {
        let wide = chip(&mut Svg::new(room), pod, prefix, [at, top, room]);
        if at > x && at + wide > x + room {
            (at, top) = (x, top + ROW);
        }
        at += chip(svg, pod, prefix, [at, top, room]) + 4;
    }
    if more > 0 {
        let (font, words) = (Font::new(12, INK2), format!("{more} more"));
        if at + font.width(&words) > x + room {
            (at, top) = (x, top + ROW);
        }
        svg.text([at + 2, top + 15], font, &words);
    }
    top + ROW
}

/// A pod, by its ordinal where it is one of the set that is drawn; how wide it is.
fn chip(svg: &mut Svg, pod: &NodePod, prefix: &str, [x, y, room]: [i32; 3]) -> i32 {
    let own =
        pod.name.strip_prefix(prefix).filter(|own| !prefix.is_empty() && own.bytes().all(|byte| byte.is_ascii_digit()));
    let [paint, _] = paints(pod.look);
    let (border, dashes) = if pod.ghost { (FAILED[0], "4 3") } else { (LINE, "") };
    let font = Font::new(12, INK);
    let status = if pod.ghost { format!(" {}", pod.status) } else { String::new() };
    let words = font.fit_name(&format!("{}{status}", own.unwrap_or(&pod.name)), room - 32);
    let wide = font.width(&words) + 32;
    svg.named(&format!("{}: {}", pod.name, pod.status), |svg| {
        svg.rect([x, y, wide, CHIP], PANEL, &format!(r#" rx="5"{}"#, edge(border, "1", dashes)));
        svg.rect([x, y, 4, CHIP], if pod.ghost { FAILED[0] } else { hue(pod.hue) }, r#" rx="2""#);
        svg.icon([x + 9, y + 5, 12], shapes::of_look(pod.look), paint, PANEL);
        svg.text([x + 25, y + 15], font, &words);
    });
    wide
}
