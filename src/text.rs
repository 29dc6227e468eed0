//! Texts that people read. A [`Text`] keeps its English template apart from what fills it, so that a dictionary can look the
//! template up; [`text!`](crate::text!) makes one:
//!
//! ```
//! use setscope::text;
//!
//! let waits = text!("{} is waiting at {}", "web", "web-1");
//! assert_eq!(waits.to_string(), "web is waiting at web-1");
//! ```

use std::borrow::Cow;
use std::fmt::{Display, Formatter, Result, Write};
use std::rc::Rc;

/// A template in English and the arguments that fill its holes, `{}`. English is what [`Display`] writes.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Text {
    template: Cow<'static, str>,
    args: Vec<Arg>,
}

/// What fills a hole of a template.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Arg {
    /// The same in every language: a name, a number, words of Kubernetes.
    Verbatim(Rc<str>),
    /// Translated by itself.
    Text(Text),
    /// Several texts with the same separator between them, which is translated too.
    List(&'static str, Vec<Text>),
}

/// A [`Text`] of a template and its arguments. A string among these stays as it is in every language.
#[macro_export]
macro_rules! text {
    ($template:literal) => {{
        const { assert!($crate::text::holes($template) == 0, "an argument is missing") };
        $crate::text::Text::fixed($template)
    }};
    ($template:literal, $($arg:expr),+ $(,)?) => {{
        const { assert!($crate::text::holes($template) == [$(stringify!($arg)),+].len(), "as many arguments as holes") };
        $crate::text::Text::filled($template, vec![$($crate::text::ToArg::to_arg(&$arg)),+])
    }};
}

/// How many holes a template has.
pub const fn holes(template: &str) -> usize {
    let bytes = template.as_bytes();
    let (mut at, mut holes) = (1, 0);
    while at < bytes.len() {
        if bytes[at - 1] == b'{' && bytes[at] == b'}' {
            holes += 1;
        }
        at += 1;
    }
    holes
}

impl Text {
    /// A text without holes.
    pub(crate) fn fixed(template: &'static str) -> Self {
        Self::filled(template, Vec::new())
    }

    /// A template with what fills its holes; [`text!`](crate::text!) counts them.
    pub fn filled(template: &'static str, args: Vec<Arg>) -> Self {
        let text = Self { template: Cow::Borrowed(template), args };
        #[cfg(test)]
        seen::note(&text.template);
        text
    }

    /// A whole text that somebody wrote into a file, such as a scenario's title.
    pub(crate) fn authored(text: &str) -> Self {
        Self { template: Cow::Owned(text.to_owned()), args: Vec::new() }
    }

    /// What is the same in every language.
    pub(crate) fn verbatim(name: impl ToArg) -> Self {
        Self { template: Cow::Borrowed("{}"), args: vec![name.to_arg()] }
    }

    /// These texts, with a separator between them.
    pub fn list(separator: &'static str, items: impl IntoIterator<Item = Self>) -> Self {
        let mut items: Vec<Self> = items.into_iter().filter(|item| !item.is_empty()).collect();
        match items.len() {
            0 => Self::default(),
            1 => items.remove(0),
            _ => Self { template: Cow::Borrowed("{}"), args: vec![Arg::List(separator, items)] },
        }
    }

    /// These sentences, one after the other.
    pub(crate) fn sentences(items: impl IntoIterator<Item = Self>) -> Self {
        Self::list(" ", items)
    }

    /// The first few of these, and how many more there are: `web-0, web-1 and 8 more`.
    pub(crate) fn first(most: usize, items: impl IntoIterator<Item = Self>) -> Self {
        let mut items: Vec<Self> = items.into_iter().collect();
        let more = items.split_off(items.len().min(most)).len();
        let shown = Self::list(", ", items);
        if more == 0 { shown } else { text!("{} and {} more", shown, more) }
    }

    /// Names, those of ten at most: the rest are counted.
    pub fn names<N: AsRef<str>>(names: impl IntoIterator<Item = N>) -> Self {
        Self::first(10, names.into_iter().map(|name| Self::verbatim(name.as_ref())))
    }

    /// Whether there is nothing to read.
    pub fn is_empty(&self) -> bool {
        self.template.is_empty()
    }

    /// The template.
    pub(crate) fn template(&self) -> &str {
        &self.template
    }

    /// What fills its holes.
    pub(crate) fn args(&self) -> &[Arg] {
        &self.args
    }
}

/// A node within a sentence: `node-c`, and `node worker-1` where the name does not say what it is.
pub(crate) fn named_node(name: &str) -> Text {
    if says_node(name) { Text::verbatim(name) } else { text!("node {}", name) }
}

/// The same at the beginning of a sentence: `node-c`, `Node worker-1`.
pub(crate) fn named_node_first(name: &str) -> Text {
    if says_node(name) { Text::verbatim(name) } else { text!("Node {}", name) }
}

fn says_node(name: &str) -> bool {
    name.contains("node")
}

/// `1 m 04 s`, from milliseconds.
pub fn clock(milliseconds: i64) -> Text {
    let seconds = milliseconds / 1000;
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match (hours, minutes) {
        (0, 0) => text!("{} s", format!("{rest}.{}", milliseconds % 1000 / 100)),
        (0, _) => text!("{} m {} s", minutes, format!("{rest:02}")),
        _ => text!("{} h {} m {} s", hours, format!("{minutes:02}"), format!("{rest:02}")),
    }
}

/// What stands behind the numbers of a duration.
pub(crate) const UNITS: [&str; 5] = ["d", "h", "m", "s", "ms"];

/// How long something has lasted, no more exact than one reads it: `2.4 s`, `25 s`, `32 m`, `3 h 53 m`, `9 d 3 h`.
pub(crate) fn span(milliseconds: i64) -> Text {
    match milliseconds {
        ..10_000 if milliseconds % 1000 >= 100 => clock(milliseconds),
        _ => whole(milliseconds / 1000),
    }
}

/// Days and hours, from whole hours.
fn days(hours: i64) -> Text {
    match (hours / 24, hours % 24) {
        (days, 0) => text!("{} d", days),
        (days, hours) => text!("{} d {} h", days, hours),
    }
}

/// A time that rests on how long containers are taken to start, no more exact than that: `10 s`, `3 m 30 s`. It stands after `about`.
pub fn about(milliseconds: i64) -> Text {
    let step = match milliseconds {
        ..59_500 => 1_000,
        59_500..3_595_000 => 10_000,
        _ => 60_000,
    };
    match (milliseconds + step / 2) / step * step / 1000 {
        ..=1 => text!("a second"),
        seconds => whole(seconds),
    }
}

/// `12 s`, `4 m 30 s`, `5 m`, from whole seconds. From an hour on nobody reads seconds, and from two days on minutes.
pub(crate) fn whole(seconds: i64) -> Text {
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match (hours, minutes, rest) {
        (48.., ..) => days(hours),
        (1.., 0, _) => text!("{} h", hours),
        (1.., ..) => text!("{} h {} m", hours, minutes),
        (_, 0, _) => text!("{} s", rest),
        (_, _, 0) => text!("{} m", minutes),
        _ => text!("{} m {} s", minutes, rest),
    }
}

/// Questions about the English text, for whoever tests what is read.
impl Text {
    /// Whether it has this part.
    pub fn contains(&self, part: &str) -> bool {
        self.to_string().contains(part)
    }

    /// Whether it begins so.
    pub fn starts_with(&self, start: &str) -> bool {
        self.to_string().starts_with(start)
    }

    /// Whether it ends so.
    pub fn ends_with(&self, end: &str) -> bool {
        self.to_string().ends_with(end)
    }
}

impl Display for Text {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let mut parts = self.template.split("{}");
        f.write_str(parts.next().unwrap_or_default())?;
        for (arg, part) in self.args.iter().zip(parts) {
            write!(f, "{arg}")?;
            match one_of(arg, part) {
                Some((one, rest)) => write!(f, "{one}{rest}")?,
                None => f.write_str(part)?,
            }
        }
        Ok(())
    }
}

/// What is counted in English, as words of several and of one.
const COUNTED: [(&str, &str); 7] = [
    (" pods", " pod"),
    (" healthy pods", " healthy pod"),
    (" times", " time"),
    (" nodes", " node"),
    (" replicas", " replica"),
    (" events", " event"),
    (" restarts", " restart"),
];

/// What stands behind the number 1, where the template counts several: the word of one, and what follows it.
fn one_of<'t>(arg: &Arg, behind: &'t str) -> Option<(&'static str, &'t str)> {
    let is_one = matches!(arg, Arg::Verbatim(number) if **number == *"1");
    COUNTED.iter().filter(|_| is_one).find_map(|(several, one)| {
        let rest = behind.strip_prefix(several)?;
        (!rest.starts_with(char::is_alphanumeric)).then_some((*one, rest))
    })
}

impl Display for Arg {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Verbatim(name) => f.write_str(name),
            Self::Text(text) => text.fmt(f),
            Self::List(separator, items) => {
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        f.write_str(separator)?;
                    }
                    item.fmt(f)?;
                }
                Ok(())
            }
        }
    }
}

impl serde::Serialize for Text {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, english: &str) -> bool {
        // Compared piece by piece: nothing is put together for it.
        struct Left<'a>(&'a str);
        impl Write for Left<'_> {
            fn write_str(&mut self, piece: &str) -> Result {
                self.0 = self.0.strip_prefix(piece).ok_or(std::fmt::Error)?;
                Ok(())
            }
        }
        let mut left = Left(english);
        write!(left, "{self}").is_ok() && left.0.is_empty()
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, english: &&str) -> bool {
        *self == **english
    }
}

impl PartialEq<String> for Text {
    fn eq(&self, english: &String) -> bool {
        *self == **english
    }
}

/// What can fill a hole of a template.
pub trait ToArg {
    /// It as an argument.
    fn to_arg(&self) -> Arg;
}

impl ToArg for Text {
    fn to_arg(&self) -> Arg {
        Arg::Text(self.clone())
    }
}

impl ToArg for Rc<str> {
    fn to_arg(&self) -> Arg {
        Arg::Verbatim(Rc::clone(self))
    }
}

impl<T: ToArg + ?Sized> ToArg for &T {
    fn to_arg(&self) -> Arg {
        (**self).to_arg()
    }
}

macro_rules! verbatim {
    ($($own:ty),+) => {$(
        impl ToArg for $own {
            fn to_arg(&self) -> Arg {
                Arg::Verbatim(self.to_string().into())
            }
        }
    )+};
}

verbatim!(str, String, char, i32, u32, i64, u64, usize);

/// The templates that were used since the thread began, for the test that each is in the dictionary.
#[cfg(test)]
pub(crate) mod seen {
    use std::cell::RefCell;
    use std::collections::BTreeSet;

    thread_local! {
        static SEEN: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
    }

    pub(super) fn note(template: &str) {
        SEEN.with_borrow_mut(|seen| seen.insert(template.to_owned()));
    }

    pub(crate) fn templates() -> BTreeSet<String> {
        SEEN.with_borrow(Clone::clone)
    }
}

#[cfg(test)]
mod tests {
    use super::Text;

    #[test]
    fn one_is_counted_as_one() {
        let times = |number| text!("{} times so far, of {} pods", number, 1);
        assert_eq!(times(1), "1 time so far, of 1 pod");
        assert_eq!(times(21), "21 times so far, of 1 pod");
        assert_eq!(text!("{} timestamps", 1), "1 timestamps");
    }

    #[test]
    fn a_node_is_called_one_where_its_name_does_not_say_so() {
        let told = |name| [super::named_node(name), super::named_node_first(name)].map(|text| text.to_string());
        assert_eq!(told("node-c"), ["node-c", "node-c"]);
        assert_eq!(told("worker-1"), ["node worker-1", "Node worker-1"]);
    }

    #[test]
    fn a_duration_is_told_no_more_exactly_than_it_is_read() {
        let span = |seconds: f64| super::span((seconds * 1000.0) as i64).to_string();
        let short = [0.0, 0.05, 2.4, 9.9, 10.0, 25.3, 60.0, 65.0, 1920.0].map(span);
        assert_eq!(short, ["0 s", "0 s", "2.4 s", "9.9 s", "10 s", "25 s", "1 m", "1 m 5 s", "32 m"]);
        let hours = |hours: f64| span(hours * 3600.0);
        let long = [1.0, 3.9, 47.0, 48.0, 744.0, 4803.0].map(hours);
        assert_eq!(long, ["1 h", "3 h 54 m", "47 h", "2 d", "31 d", "200 d 3 h"]);
        assert_eq!(super::about(744 * 3_600_000), "31 d");
    }

    #[test]
    fn a_text_reads_as_english_and_compares_with_it() {
        let pods = text!("{} pods", 3);
        let text = text!("{}: {} of {}.", "web", 2, pods);
        assert_eq!(text, "web: 2 of 3 pods.");
        assert_ne!(text, "web: 2 of 3 pods");
        assert_ne!(text, "web: 2 of 3 pods. And");
        let all = Text::sentences([text!("One."), Text::default(), text]);
        assert_eq!(all.to_string(), "One. web: 2 of 3 pods.");
        assert_eq!(Text::verbatim("web-0"), "web-0");
    }
}
