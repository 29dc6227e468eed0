//! One pod as a card, in three sizes: with all that is known of it, with its name, or just with its version and state.

use super::svg::{ACCENT, BG, FAILED, Font, INK, INK2, INK3, LINE, PANEL, PENDING, Paint, READY, Svg, UNKNOWN};
use super::svg::{edge, hue, paints};
use crate::view::shapes::{self, Shape};
use crate::view::{Card, Density, Pod, PodAppearance, UpdateKind, UpdateRank};

/// What a card shows.
pub(super) struct PodCard<'a> {
    /// Its full name.
    pub(super) name: &'a str,
    /// What stands as its name.
    title: &'a str,
    letter: &'a str,
    hue: usize,
    /// What stands at the right of the band, such as `next`.
    turn: &'static str,
    status: &'a str,
    look: PodAppearance,
    /// Two lines, each with a left and a right end.
    lines: [[&'a str; 2]; 2],
    restarts: String,
    /// Further lines.
    pub(super) more: Vec<(&'a str, Paint, Option<Shape>)>,
    ringed: bool,
    surge: bool,
    in_place: bool,
}

/// How high a card without further lines is.
pub(super) const HEIGHT: i32 = 122;
/// How high a further line is.
pub(super) const MORE: i32 = 18;

const NAME: Font = Font::new(13, INK).bold();

fn restarts(count: i32) -> String {
    match count {
        0 => String::new(),
        1 => "1 restart".to_owned(),
        count => format!("{count} restarts"),
    }
}

fn or_none(node: &str) -> &str {
    if node.is_empty() { "no node yet" } else { node }
}

impl<'a> PodCard<'a> {
    /// The card; `by_node` if its node tells it from the others.
    pub(super) fn of_card(card: &'a Card, by_node: bool) -> Self {
        let pod = &card.pod;
        let node = or_none(&pod.node);
        let (title, below) = if by_node { (node, pod.instance()) } else { (pod.instance(), node) };
        Self {
            name: &pod.name,
            title,
            letter: &pod.revision.letter,
            hue: pod.revision.hue,
            turn: if card.surge { "surge" } else { turn_word(pod) },
            status: &pod.status,
            look: pod.look,
            lines: [[below, &pod.ready], [&pod.ip, &pod.tag]],
            restarts: restarts(pod.restarts),
            more: further(pod),
            ringed: card.ringed,
            surge: card.surge,
            in_place: pod.came == UpdateKind::InPlace,
        }
    }

    /// Draws it.
    pub(super) fn draw(&self, svg: &mut Svg, at: [i32; 4], density: Density) {
        svg.named(&[self.name, " ", self.status].concat(), |svg| match density {
            Density::Card => self.card(svg, at),
            Density::Chip | Density::Cell => self.small(svg, at, density),
        });
    }

    fn card(&self, svg: &mut Svg, at: [i32; 4]) {
        let [x, y, width, _] = at;
        self.ground(svg, at, 10);
        let band = format!("M{x} {}v-7a10 10 0 0 1 10-10h{}a10 10 0 0 1 10 10v7z", y + 17, width - 20);
        svg.path(&band, hue(self.hue), "");
        if self.in_place {
            svg.path(&band, "url(#in-place)", r#" fill-opacity=".34""#);
        }
        svg.text([x + 10, y + 12], Font::new(11, PANEL).bold(), self.letter);
        svg.text([x + width - 10, y + 12], Font::new(10, PANEL).bold().ending(), self.turn);
        self.outline(svg, at, 10);
        let room = width - 20;
        svg.text([x + 10, y + 38], NAME, &NAME.fit_name(self.title, room));
        svg.pill([x + 7, y + 47, room + 6], self.look, self.status);
        let small = Font::new(11, INK3);
        let [first, [address, tag]] = self.lines;
        let tag = if tag.is_empty() { String::new() } else { format!(":{tag}") };
        for (y, [left, right]) in [y + 85, y + 105].into_iter().zip([first, [address, &tag]]) {
            svg.text([x + 10, y], small, &small.fit_name(left, room - small.width(right) - 6));
            svg.text([x + width - 10, y], small.ending(), right);
        }
        let again = Font::new(11, if self.in_place { INK3 } else { FAILED[0] });
        // Without ordinals the image's tag stands there.
        let y_more = if self.lines[1][1].is_empty() || self.restarts.is_empty() {
            svg.text([x + width - 10, y + 105], again.bold().ending(), &self.restarts);
            y + 105 + MORE
        } else {
            svg.text([x + 10, y + 105 + MORE], again.bold(), &self.restarts);
            y + 105 + 2 * MORE
        };
        for (y, (words, paint, shape)) in (y_more..).step_by(MORE as usize).zip(&self.more) {
            if let Some(shape) = shape {
                svg.icon([x + 10, y - 10, 12], shape, paint, PANEL);
            }
            svg.text([x + if shape.is_some() { 27 } else { 10 }, y], Font::new(11, paint), words);
        }
    }

    /// How many lines it has below the usual ones.
    pub(super) fn further_lines(&self) -> i32 {
        let restarts = !self.restarts.is_empty() && !self.lines[1][1].is_empty();
        i32::try_from(self.more.len()).unwrap_or(0) + i32::from(restarts)
    }

    /// Of many pods each has room for its version, its look and perhaps its name.
    fn small(&self, svg: &mut Svg, at: [i32; 4], density: Density) {
        let [x, y, width, height] = at;
        let [paint, _] = paints(self.look);
        self.ground(svg, at, 4);
        let letter = Font::new(9, PANEL).bold().centred();
        if density == Density::Chip {
            svg.rect([x + 1, y + 1, 16, height - 2], hue(self.hue), r#" rx="3""#);
            svg.text([x + 9, y + 21], letter, self.letter);
            let name = Font::new(12, INK).bold();
            svg.text([x + 22, y + 21], name, &name.fit_name(self.title, width - 42));
            svg.icon([x + width - 18, y + 11, 12], shapes::of_look(self.look), paint, PANEL);
        } else {
            svg.rect([x + 1, y + 1, width - 2, 9], hue(self.hue), r#" rx="2""#);
            svg.text([x + width / 2, y + 9], letter, self.letter);
            svg.icon([x + width / 2 - 7, y + 14, 14], shapes::of_look(self.look), paint, PANEL);
        }
        self.outline(svg, at, 4);
    }

    fn ground(&self, svg: &mut Svg, at: [i32; 4], radius: i32) {
        let fill = if self.look == PodAppearance::Terminating { "url(#terminating)" } else { PANEL };
        svg.rect(at, PANEL, &format!(r#" rx="{radius}""#));
        svg.rect(at, fill, &format!(r#" rx="{radius}""#));
    }

    fn outline(&self, svg: &mut Svg, at: [i32; 4], radius: i32) {
        let [x, y, width, height] = at;
        let edge = match self.look {
            _ if self.surge => edge(ACCENT, "2", "5 3"),
            _ if self.ringed => edge(ACCENT, "1", ""),
            PodAppearance::Pending => edge(PENDING[0], "1", "4 3"),
            PodAppearance::Unreachable => edge(UNKNOWN[0], "1", "4 3"),
            PodAppearance::Failed => edge(FAILED[0], "1", ""),
            PodAppearance::Ready | PodAppearance::Starting | PodAppearance::Terminating => edge(LINE, "1", ""),
        };
        svg.rect(at, "none", &format!(r#" rx="{radius}"{edge}"#));
        if self.ringed {
            let edge = super::svg::edge(ACCENT, "2", "");
            let around = [x - 4, y - 4, width + 8, height + 8];
            svg.rect(around, "none", &format!(r#" rx="{}"{edge}"#, radius + 4));
        }
    }
}

/// What an update under way has in mind with a pod, in a word or two; empty if nothing.
pub(super) fn turn_word(pod: &Pod) -> &'static str {
    match pod.turn {
        UpdateRank::Next => "next",
        UpdateRank::Kept => "stays old",
        UpdateRank::Later | UpdateRank::None => "",
    }
}

/// Where a CloneSet's pod is in its life, its gate, and whether it is the same pod with another image.
fn further(pod: &Pod) -> Vec<(&str, Paint, Option<Shape>)> {
    let state =
        (!pod.state.is_empty()).then(|| (&*pod.state, if *pod.state == *"Normal" { INK3 } else { READY[0] }, None));
    let gate = pod.gate.map(|open| if open { ("gate open", INK3, None) } else { ("gate closed", PENDING[0], None) });
    let came = match pod.came {
        UpdateKind::First => None,
        UpdateKind::Replaced => Some(("another pod", INK2, Some(shapes::ANEW))),
        UpdateKind::InPlace if pod.gate == Some(false) => Some(("changing in place", PENDING[0], Some(shapes::CLOCK))),
        UpdateKind::InPlace => Some(("changed in place", READY[0], Some(shapes::CHECK))),
    };
    [state, gate, came].into_iter().flatten().collect()
}

/// A place without a pod.
pub(super) fn empty(svg: &mut Svg, [x, y, width, height]: [i32; 4], density: Density, name: &str, words: &str) {
    svg.named(&[name, ": ", words].concat(), |svg| {
        let radius = if density == Density::Card { 10 } else { 4 };
        svg.rect([x, y, width, height], BG, &format!(r#" rx="{radius}"{}"#, edge(INK3, "1.5", "5 4")));
        let name_font = Font::new(if density == Density::Card { 13 } else { 12 }, INK2).bold();
        match density {
            Density::Card => {
                svg.text([x + 10, y + 26], name_font, &name_font.fit_name(name, width - 20));
                svg.paragraph([x + 10, y + 48, width - 16], Font::new(12, INK3), words);
            }
            Density::Chip => svg.text([x + 8, y + 21], name_font, &name_font.fit_name(name, width - 12)),
            Density::Cell => {}
        }
    });
}
