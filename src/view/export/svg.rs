//! A pen for pictures that stand for themselves: plain shapes and words in the page's colors, no script. They are light, and
//! dark where the one who looks prefers that.

use super::MARGIN;
use crate::view::PodAppearance;
use crate::view::shapes::{self, Shape, Stroke};

/// A color, as it is on light ground.
pub(super) type Paint = &'static str;

pub(super) const BG: Paint = "#f0f3f7";
pub(super) const PANEL: Paint = "#ffffff";
pub(super) const LINE: Paint = "#dfe4eb";
pub(super) const INK: Paint = "#17202e";
pub(super) const INK2: Paint = "#414c5f";
pub(super) const INK3: Paint = "#566277";
pub(super) const ACCENT: Paint = "#2a56e2";
pub(super) const ACCENT_SOFT: Paint = "#ebf0fe";
pub(super) const READY: [Paint; 2] = ["#126843", "#e6f4ec"];
pub(super) const PENDING: [Paint; 2] = ["#7a5200", "#fff4d6"];
pub(super) const TERMINATING: [Paint; 2] = ["#774628", "#f5ebe4"];
/// A card that is neither ready nor failed, and a moment that is stuck.
pub(super) const SUNKEN: Paint = "#f3f5f8";
pub(super) const STUCK: [Paint; 2] = ["#a3155c", "#fceff5"];
pub(super) const FAILED: [Paint; 2] = ["#a92a19", "#fdeeeb"];
pub(super) const UNKNOWN: [Paint; 2] = ["#6b4fa0", "#f0eaf9"];
const HUES: [Paint; 6] = ["#5d6980", "#0a7580", "#4b4fc4", "#8a5a00", "#8a3ca8", "#3c7416"];

/// The page's names of the colors, and what they are on dark ground. Letters on a color have the panel's.
const DARK: [(&str, Paint, Paint); 27] = [
    ("bg", BG, "#0c1016"),
    ("panel", PANEL, "#151c26"),
    ("sunken", SUNKEN, "#1c2430"),
    ("line", LINE, "#283344"),
    ("ink", INK, "#e8edf5"),
    ("ink2", INK2, "#b3bed0"),
    ("ink3", INK3, "#98a6bc"),
    ("accent", ACCENT, "#8ba6ff"),
    ("accent-soft", ACCENT_SOFT, "#1a2442"),
    ("ready", READY[0], "#4cc38a"),
    ("ready-soft", READY[1], "#12291f"),
    ("pending", PENDING[0], "#e8b44a"),
    ("pending-soft", PENDING[1], "#2a220f"),
    ("terminating", TERMINATING[0], "#e0a07a"),
    ("terminating-soft", TERMINATING[1], "#2b1f18"),
    ("failed", FAILED[0], "#ff8a78"),
    ("failed-soft", FAILED[1], "#311916"),
    ("unknown", UNKNOWN[0], "#b79cf0"),
    ("unknown-soft", UNKNOWN[1], "#221a35"),
    ("stuck", STUCK[0], "#ff8bbd"),
    ("stuck-soft", STUCK[1], "#2b1621"),
    ("rev-a", HUES[0], "#94a1b8"),
    ("rev-b", HUES[1], "#35c3d0"),
    ("rev-c", HUES[2], "#9c9fff"),
    ("rev-d", HUES[3], "#e0ad3f"),
    ("rev-e", HUES[4], "#d79af0"),
    ("rev-f", HUES[5], "#8fcf63"),
];

/// A revision's color.
pub(super) fn hue(hue: usize) -> Paint {
    HUES[hue % HUES.len()]
}

/// A state's color, and that of its ground.
pub(super) fn paints(look: PodAppearance) -> [Paint; 2] {
    match look {
        PodAppearance::Ready | PodAppearance::Starting => READY,
        PodAppearance::Pending => PENDING,
        PodAppearance::Terminating => TERMINATING,
        PodAppearance::Failed => FAILED,
        PodAppearance::Unreachable => UNKNOWN,
    }
}

/// So many letters of a long name are kept at its end.
const KEPT: usize = 5;

/// How words are written.
#[derive(Clone, Copy)]
pub(super) struct Font {
    size: i32,
    paint: Paint,
    bold: bool,
    anchor: &'static str,
}

impl Font {
    pub(super) const fn new(size: i32, paint: Paint) -> Self {
        Self { size, paint, bold: false, anchor: "" }
    }

    pub(super) const fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    /// The words end at their place.
    pub(super) const fn ending(self) -> Self {
        Self { anchor: " text-anchor=\"end\"", ..self }
    }

    pub(super) const fn centred(self) -> Self {
        Self { anchor: " text-anchor=\"middle\"", ..self }
    }

    /// About how wide the words are, rather too wide than too narrow: nobody knows the font in which they will be drawn.
    pub(super) fn width(self, words: &str) -> i32 {
        let hundredths = |letter: char| match letter {
            'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' => 29,
            ' ' | 'f' | 'r' | 't' | '(' | ')' | '/' => 38,
            '-' | 's' | 'c' | 'k' | 'v' | 'x' | 'y' | 'z' => 53,
            'm' | 'w' | 'M' | 'W' => 90,
            'A'..='Z' => 69,
            _ => 62,
        };
        let sum: i32 = words.chars().map(hundredths).sum();
        (sum * self.size * if self.bold { 114 } else { 100 } + 9_999) / 10_000
    }

    /// The words, or as many of their letters as there is room for.
    pub(super) fn fit(self, words: &str, room: i32) -> String {
        self.cut(words, room, "")
    }

    /// The same for a name, whose end tells it from the others.
    pub(super) fn fit_name(self, name: &str, room: i32) -> String {
        let end = name.char_indices().rev().nth(KEPT - 1).map_or("", |(at, _)| &name[at..]);
        self.cut(name, room, end)
    }

    fn cut(self, words: &str, room: i32, end: &str) -> String {
        if self.width(words) <= room {
            return words.to_owned();
        }
        let mut short = words.to_owned();
        while !short.is_empty() && self.width(&short) + self.width(end) + self.size > room {
            short.pop();
        }
        short + "…" + end
    }

    fn lines(self, words: &str, room: i32) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for word in words.split(' ') {
            match lines.last_mut() {
                Some(line) if self.width(&format!("{line} {word}")) <= room => *line += &format!(" {word}"),
                _ => lines.push(word.to_owned()),
            }
        }
        lines
    }
}

/// A picture in the making.
pub(super) struct Svg {
    width: i32,
    text: String,
    /// What stands above it, and how high that is.
    caption: (String, i32),
}

impl Svg {
    /// An empty one, so many pixels wide.
    pub(super) fn new(width: i32) -> Self {
        Self { width, text: String::new(), caption: Default::default() }
    }

    /// With a title and a text above it, where there are any.
    pub(super) fn captioned(self, title: &str, text: &str) -> Self {
        let mut caption = Self::new(self.width);
        let mut y = MARGIN;
        for (font, words) in [(Font::new(18, INK).bold(), title), (Font::new(13, INK2), text)] {
            if !words.trim().is_empty() {
                y = caption.paragraph([MARGIN, y + font.size, caption.room()], font, words.trim());
            }
        }
        let height = if y > MARGIN { y - MARGIN / 2 } else { 0 };
        Self { caption: (caption.text, height), ..self }
    }

    pub(super) fn width(&self) -> i32 {
        self.width
    }

    /// The width between the margins.
    pub(super) fn room(&self) -> i32 {
        self.width - 2 * MARGIN
    }

    /// A rectangle; `more` are further attributes.
    pub(super) fn rect(&mut self, [x, y, width, height]: [i32; 4], fill: &str, more: &str) {
        self.text += &format!(r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{fill}"{more}/>"#);
        self.text.push('\n');
    }

    pub(super) fn path(&mut self, path: &str, fill: &str, more: &str) {
        self.text += &format!(r#"<path d="{path}" fill="{fill}"{more}/>"#);
        self.text.push('\n');
    }

    /// Words on one line.
    pub(super) fn text(&mut self, [x, y]: [i32; 2], font: Font, words: &str) {
        let Font { size, paint, bold, anchor } = font;
        let weight = if bold { " font-weight=\"650\"" } else { "" };
        let words = escaped(words);
        self.text +=
            &format!(r#"<text x="{x}" y="{y}" font-size="{size}" fill="{paint}"{weight}{anchor}>{words}</text>"#);
        self.text.push('\n');
    }

    /// Words on as many lines as they need; the place of the line that comes after them.
    pub(super) fn paragraph(&mut self, [x, y, room]: [i32; 3], font: Font, words: &str) -> i32 {
        let step = font.size * 3 / 2;
        font.lines(words, room).iter().fold(y, |y, line| {
            self.text([x, y], font, line);
            y + step
        })
    }

    /// A shape, with its upper left corner here, on this ground.
    pub(super) fn icon(&mut self, [x, y, size]: [i32; 3], shape: Shape, paint: Paint, ground: Paint) {
        let scale = f64::from(size) / 16.0;
        self.text += &format!(
            r#"<g transform="translate({x} {y}) scale({scale})" stroke-linecap="round" stroke-linejoin="round">"#
        );
        for (stroke, path) in shape {
            match stroke {
                Stroke::Fill => self.path(path, paint, ""),
                Stroke::Line => self.path(path, "none", &edge(paint, "1.8", "")),
                Stroke::Dashed => self.path(path, "none", &edge(paint, "1.8", "2.6 3.4")),
                Stroke::Thin => self.path(path, "none", &edge(paint, "1.1", "")),
                Stroke::Cut => self.path(path, "none", &edge(ground, "1.8", "")),
            }
        }
        self.text += "</g>\n";
    }

    /// A state's shape and words in a pill; how wide it is.
    pub(super) fn pill(&mut self, [x, y, room]: [i32; 3], look: PodAppearance, words: &str) -> i32 {
        let [paint, ground] = paints(look);
        let font = Font::new(11, paint).bold();
        let words = font.fit(words, room - 32);
        let width = font.width(&words) + 30;
        self.rect([x, y, width, 20], ground, r#" rx="10""#);
        self.icon([x + 6, y + 4, 12], shapes::of_look(look), paint, ground);
        self.text([x + 22, y + 14], font, &words);
        width
    }

    /// What is drawn next has this name, which is shown where it is pointed at, until it is closed.
    pub(super) fn named(&mut self, name: &str, draw: impl FnOnce(&mut Self)) {
        self.text += &format!("<g><title>{}</title>\n", escaped(name));
        draw(self);
        self.text += "</g>\n";
    }

    /// Everything of another one, over what is here.
    pub(super) fn add(&mut self, other: Self) {
        self.text += &other.text;
    }

    /// The picture, with what it says in words and the stripes it uses.
    pub(super) fn close(self, height: i32, title: &str, words: &str, stripes: &str) -> String {
        let dark = |(_, light, dark): &(&str, Paint, Paint)| {
            format!("[fill=\"{light}\"]{{fill:{dark}}}[stroke=\"{light}\"]{{stroke:{dark}}}")
        };
        let dark: String = DARK.iter().map(dark).collect();
        let (title, words) = (escaped(title), escaped(words));
        let Self { width, text: body, caption: (caption, above) } = self;
        let (body, height) = match above {
            0 => (body, height),
            above => (format!("{caption}<g transform=\"translate(0 {above})\">\n{body}</g>\n"), height + above),
        };
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             role=\"img\" font-family=\"system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif\">\n\
             <title>{title}</title>\n<desc>{words}</desc>\n\
             <style>@media (prefers-color-scheme:dark){{{dark}}}</style>\n<defs>{stripes}</defs>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"{PANEL}\"/>\n{body}</svg>\n"
        )
    }
}

/// The picture for the page itself, which has variables for the colors and whose policy allows no style element. It has
/// no stripes.
pub(super) fn for_page(picture: &str) -> String {
    let (head, rest) = picture.split_once("<style>").unwrap_or((picture, ""));
    let body = rest.split_once("</defs>\n").map_or(rest, |(_, body)| body);
    DARK.iter().fold(format!("{head}{body}"), |text, (name, light, _)| {
        text.replace(&format!("\"{light}\""), &format!("\"var(--{name})\""))
    })
}

/// The attributes of an edge; dashes may be empty.
pub(super) fn edge(paint: Paint, width: &str, dashes: &str) -> String {
    let dashes = if dashes.is_empty() { String::new() } else { format!(r#" stroke-dasharray="{dashes}""#) };
    format!(r#" stroke="{paint}" stroke-width="{width}"{dashes}"#)
}

/// A fill of stripes: how wide they are and how far it is from one to the next, their angle, and what is between them.
pub(super) fn stripes(id: &str, [width, every, angle]: [i32; 3], paint: Paint, ground: Paint) -> String {
    format!(
        r#"<pattern id="{id}" width="{every}" height="{every}" patternUnits="userSpaceOnUse" patternTransform="rotate({angle})"><rect width="{every}" height="{every}" fill="{ground}"/><rect width="{width}" height="{every}" fill="{paint}"/></pattern>"#
    )
}

fn escaped(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::{DARK, Font, INK, PANEL};

    #[test]
    fn the_colors_are_the_pages() {
        let tokens = include_str!("../../../www/tokens.css");
        for (name, light, dark) in DARK {
            let line = format!("--{name}: light-dark({light}, {dark});");
            assert!(tokens.contains(&line), "{line}");
        }
        let lights: std::collections::BTreeSet<&str> = DARK.iter().map(|(_, light, _)| *light).collect();
        assert_eq!(lights.len(), DARK.len(), "no color has two meanings");
        assert!(tokens.contains(&format!("--on-rev: light-dark({PANEL},")));
    }

    #[test]
    fn words_keep_within_their_room() {
        let font = Font::new(12, INK);
        assert_eq!(font.fit("web-0", 100), "web-0");
        let short = font.fit("a-name-that-is-longer-than-a-card-is-wide-0", 100);
        assert!(short.ends_with('…') && font.width(&short) <= 100 + 12, "{short}");
        let short = font.fit_name("a-name-that-is-longer-than-a-card-is-wide-0", 100);
        assert!(short.ends_with("…ide-0") && font.width(&short) <= 100 + 12, "{short}");
        assert!(font.lines("The controller waits until web-1 is Ready.", 120).len() > 1);
        assert_eq!(font.lines("one", 1), ["one"]);
    }
}
