//! `kubectl get -o jsonpath=…`. Models k8s.io/client-go/util/jsonpath, with keys that are missing allowed, as kubectl does by
//! default. The page does without it, for its weight.

use crate::bounds;
use crate::kubectl::Error;
use crate::objects::json_text;
use serde_json::Value;

/// What a template makes of a value.
///
/// # Errors
/// The template cannot be read, or asks for more than anybody reads.
pub(super) fn print(template: &str, value: &Value) -> Result<String, Error> {
    let nodes = Reader { rest: template, depth: 0 }.nodes(false)?;
    let mut printing = Printing { root: value, looked_at: 0, text: String::new() };
    printing.write(&nodes, value)?;
    Ok(printing.text)
}

/// So many values are looked at, at most: ranges over everything, one in the other, would go on for hours.
const MOST_VALUES: usize = bounds::TEMPLATE_VALUES.most() as usize;
/// So much is printed.
const MOST_BYTES: usize = bounds::TEMPLATE_BYTES.most() as usize;

enum Node {
    Text(String),
    /// What is found, with blanks between.
    Path(Vec<Step>),
    /// The nodes for each that is found.
    Range(Vec<Step>, Vec<Node>),
}

enum Step {
    /// From the whole value on.
    Root,
    Field(String),
    /// `*`
    All,
    /// `..`: the value and everything in it.
    Descend,
    /// From, to and by how much; from the end where negative.
    Slice(Option<i64>, Option<i64>, i64),
    At(Vec<i64>),
    Fields(Vec<String>),
    /// `?(left operator right)`; without an operator whether there is anything.
    Filter(Operand, Option<(Operator, Operand)>),
}

#[derive(Clone, Copy)]
enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

const OPERATORS: [(&str, Operator); 6] = [
    ("==", Operator::Equal),
    ("!=", Operator::NotEqual),
    ("<", Operator::Less),
    ("<=", Operator::LessOrEqual),
    (">", Operator::Greater),
    (">=", Operator::GreaterOrEqual),
];

enum Operand {
    Path(Vec<Step>),
    Value(Value),
}

/// What has been printed so far.
struct Printing<'v> {
    root: &'v Value,
    looked_at: usize,
    text: String,
}

impl<'v> Printing<'v> {
    fn write(&mut self, nodes: &[Node], value: &'v Value) -> Result<(), Error> {
        for node in nodes {
            match node {
                Node::Text(own) => self.put(own)?,
                Node::Path(steps) => {
                    for (at, found) in self.find(steps, value)?.into_iter().enumerate() {
                        self.put(if at == 0 { "" } else { " " })?;
                        self.put(&told(found))?;
                    }
                }
                Node::Range(steps, nodes) => {
                    for one in self.find(steps, value)? {
                        self.write(nodes, one)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn put(&mut self, text: &str) -> Result<(), Error> {
        self.text.push_str(text);
        if self.text.len() > MOST_BYTES {
            return Err(too_much(&format!("prints more than {} MiB", MOST_BYTES >> 20)));
        }
        Ok(())
    }

    fn look_at(&mut self) -> Result<(), Error> {
        self.looked_at += 1;
        if self.looked_at > MOST_VALUES {
            return Err(too_much(&format!("looks at more than {MOST_VALUES} values")));
        }
        Ok(())
    }

    fn find(&mut self, steps: &[Step], value: &'v Value) -> Result<Vec<&'v Value>, Error> {
        let mut found = vec![value];
        for step in steps {
            let mut next = Vec::new();
            for value in found {
                self.take(step, value, &mut next)?;
            }
            found = next;
        }
        Ok(found)
    }

    /// Adds what a step leads to.
    fn take(&mut self, step: &Step, value: &'v Value, found: &mut Vec<&'v Value>) -> Result<(), Error> {
        let items = value.as_array().map_or(&[][..], Vec::as_slice);
        let place = |at: i64| usize::try_from(if at < 0 { at + items.len() as i64 } else { at }).ok();
        let next: Vec<&'v Value> = match step {
            Step::Root => vec![self.root],
            Step::Field(name) => value.get(name).into_iter().collect(),
            Step::Fields(names) => names.iter().filter_map(|name| value.get(name)).collect(),
            Step::All => inner(value),
            Step::Descend => {
                self.look_at()?;
                found.push(value);
                return inner(value).into_iter().try_for_each(|one| self.take(step, one, found));
            }
            Step::At(places) => places.iter().filter_map(|at| items.get(place(*at)?)).collect(),
            Step::Slice(from, to, by) => {
                let end = to.map_or(items.len(), |to| place(to).unwrap_or(0).min(items.len()));
                let start = from.map_or(0, |from| place(from).unwrap_or(0)).min(end);
                items[start..end].iter().step_by(usize::try_from(*by).unwrap_or(1).max(1)).collect()
            }
            Step::Filter(left, compared) => {
                let mut kept = Vec::new();
                for item in items {
                    self.look_at()?;
                    if self.holds(left, compared.as_ref(), item)? {
                        kept.push(item);
                    }
                }
                kept
            }
        };
        next.iter().try_for_each(|_| self.look_at())?;
        found.extend(next);
        Ok(())
    }

    fn holds(
        &mut self,
        left: &Operand,
        compared: Option<&(Operator, Operand)>,
        item: &'v Value,
    ) -> Result<bool, Error> {
        let left = self.value_of(left, item)?;
        let Some((operator, right)) = compared else { return Ok(left.is_some()) };
        let right = self.value_of(right, item)?;
        Ok(left.zip(right).is_some_and(|both| is(&both, *operator)))
    }

    fn value_of(&mut self, operand: &Operand, item: &'v Value) -> Result<Option<Value>, Error> {
        match operand {
            Operand::Path(steps) => Ok(self.find(steps, item)?.first().map(|value| (*value).clone())),
            Operand::Value(value) => Ok(Some(value.clone())),
        }
    }
}

fn inner(value: &Value) -> Vec<&Value> {
    match value {
        Value::Object(fields) => fields.values().collect(),
        Value::Array(items) => items.iter().collect(),
        _ => Vec::new(),
    }
}

fn too_much(what: &str) -> Error {
    Error::Client(format!("the jsonpath {what}: ask for less at a time"))
}

fn told(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => json_text(other),
    }
}

fn is((left, right): &(Value, Value), operator: Operator) -> bool {
    let order = match (left, right) {
        (Value::String(left), Value::String(right)) => Some(left.cmp(right)),
        _ => left.as_f64().zip(right.as_f64()).and_then(|(left, right)| left.partial_cmp(&right)),
    };
    match operator {
        Operator::Equal => left == right,
        Operator::NotEqual => left != right,
        Operator::Less => order.is_some_and(|order| order.is_lt()),
        Operator::LessOrEqual => order.is_some_and(|order| order.is_le()),
        Operator::Greater => order.is_some_and(|order| order.is_gt()),
        Operator::GreaterOrEqual => order.is_some_and(|order| order.is_ge()),
    }
}

/// So many ranges, or filters, may stand one in the other: none that a person writes has more than a few.
const DEEPEST: usize = 32;

struct Reader<'t> {
    rest: &'t str,
    /// How many of them stand around what is read.
    depth: usize,
}

fn wrong(what: &str) -> Error {
    Error::Client(format!("error parsing jsonpath {what}"))
}

impl Reader<'_> {
    fn take(&mut self, start: &str) -> bool {
        let rest = self.rest.strip_prefix(start);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Reads what stands in a range or a filter.
    fn within<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        if self.depth == DEEPEST {
            return Err(wrong(&format!("more than {DEEPEST} ranges or filters in one another")));
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    /// Up to the first letter of which this does not hold.
    fn word(&mut self, holds: impl Fn(char) -> bool) -> String {
        let end = self.rest.find(|letter| !holds(letter)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word.to_owned()
    }

    fn blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }

    /// To the end of the text, or of the range.
    fn nodes(&mut self, in_range: bool) -> Result<Vec<Node>, Error> {
        let mut nodes = Vec::new();
        while !self.rest.is_empty() {
            let text = self.word(|letter| letter != '{');
            if !text.is_empty() {
                nodes.push(Node::Text(text));
            }
            if !self.take("{") {
                continue;
            }
            self.blanks();
            while !self.take("}") {
                if self.rest.starts_with("end") {
                    self.rest = &self.rest[3..];
                    self.blanks();
                    return if in_range && self.take("}") {
                        Ok(nodes)
                    } else {
                        Err(wrong("not in range, nothing to end"))
                    };
                }
                if self.take("range ") {
                    self.blanks();
                    let steps = self.path()?;
                    self.blanks();
                    if !self.take("}") {
                        return Err(wrong("unclosed action"));
                    }
                    nodes.push(Node::Range(steps, self.within(|range| range.nodes(true))?));
                    break;
                }
                nodes.push(match self.rest.chars().next() {
                    Some('"' | '\'') => Node::Text(self.quoted()?),
                    Some('$' | '@' | '.' | '[') => Node::Path(self.path()?),
                    Some(other) => {
                        return Err(wrong(&format!(
                            "unrecognized character in action: U+{:04X} {other:?}",
                            other as u32
                        )));
                    }
                    None => return Err(wrong("unclosed action")),
                });
                self.blanks();
            }
        }
        if in_range { Err(wrong("unclosed range")) } else { Ok(nodes) }
    }

    /// What stands between quotes, with Go's escapes.
    fn quoted(&mut self) -> Result<String, Error> {
        let mut letters = self.rest.chars();
        let quote = letters.next();
        let mut text = String::new();
        loop {
            match letters.next() {
                None => return Err(wrong("unterminated quoted string")),
                Some('\\') => text.push(match letters.next() {
                    Some('n') => '\n',
                    Some('t') => '\t',
                    Some(other) => other,
                    None => '\\',
                }),
                other if other == quote => break,
                Some(other) => text.push(other),
            }
        }
        self.rest = letters.as_str();
        Ok(text)
    }

    fn path(&mut self) -> Result<Vec<Step>, Error> {
        let mut steps = Vec::new();
        if self.take("$") {
            steps.push(Step::Root);
        } else {
            self.take("@");
        }
        loop {
            if self.take("..") {
                steps.push(Step::Descend);
                if !self.rest.starts_with('[') {
                    steps.push(self.field());
                }
            } else if self.take("[") {
                steps.push(self.brackets()?);
            } else if self.rest.starts_with(".[") {
                self.take(".");
            } else if self.take(".") {
                if self.rest.starts_with(|letter: char| letter == '}' || letter.is_whitespace() || letter == ')') {
                    return Ok(steps);
                }
                steps.push(self.field());
            } else {
                return Ok(steps);
            }
        }
    }

    /// `name`, `*`, or `a\.b` with a dot in the name.
    fn field(&mut self) -> Step {
        let mut name = self.word(|letter| !".[]{}()\\=!<>,'\" \t\n".contains(letter));
        while self.take("\\") {
            let mut letters = self.rest.chars();
            name.extend(letters.next());
            self.rest = letters.as_str();
            name += &self.word(|letter| !".[]{}()\\=!<>,'\" \t\n".contains(letter));
        }
        if name == "*" { Step::All } else { Step::Field(name) }
    }

    fn brackets(&mut self) -> Result<Step, Error> {
        self.blanks();
        let step = if self.take("*") {
            Step::All
        } else if self.take("?(") {
            self.within(Self::filter)?
        } else if self.rest.starts_with(['\'', '"']) {
            let mut names = vec![self.quoted()?];
            while self.take(",") {
                self.blanks();
                names.push(self.quoted()?);
            }
            Step::Fields(names)
        } else {
            let text = self.word(|letter| letter != ']');
            if self.rest.is_empty() {
                return Err(wrong("unterminated array"));
            }
            let number =
                |part: &str| part.trim().parse::<i64>().map_err(|_| wrong(&format!("invalid array index {text}")));
            let optional = |part: &str| if part.trim().is_empty() { Ok(None) } else { number(part).map(Some) };
            match text.split(':').collect::<Vec<_>>().as_slice() {
                [list] => Step::At(list.split(',').map(number).collect::<Result<_, _>>()?),
                [from, to] => Step::Slice(optional(from)?, optional(to)?, 1),
                [from, to, by] => Step::Slice(optional(from)?, optional(to)?, optional(by)?.unwrap_or(1)),
                _ => return Err(wrong(&format!("invalid array index {text}"))),
            }
        };
        self.blanks();
        if self.take("]") { Ok(step) } else { Err(wrong("unterminated array")) }
    }

    fn filter(&mut self) -> Result<Step, Error> {
        let left = self.operand()?;
        self.blanks();
        let word = self.word(|letter| "=!<>".contains(letter));
        let compared = if word.is_empty() {
            None
        } else {
            let known = OPERATORS.iter().find(|(own, _)| *own == word).map(|(_, operator)| *operator);
            let operator = known.ok_or_else(|| wrong(&format!("unrecognized filter operator {word}")))?;
            Some((operator, self.operand()?))
        };
        self.blanks();
        if self.take(")") { Ok(Step::Filter(left, compared)) } else { Err(wrong("unterminated filter")) }
    }

    fn operand(&mut self) -> Result<Operand, Error> {
        self.blanks();
        Ok(match self.rest.chars().next() {
            Some('"' | '\'') => Operand::Value(self.quoted()?.into()),
            Some('@' | '$' | '.') => Operand::Path(self.path()?),
            _ => {
                let word = self.word(|letter| !")=!<> ".contains(letter));
                Operand::Value(serde_json::from_str(&word).map_err(|_| wrong("invalid filter"))?)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::print;
    use serde_json::json;

    #[test]
    fn a_template_finds_what_kubectl_finds() {
        let pod = |name: &str, ready: &str| {
            json!({
                "metadata": {"name": name, "labels": {"app.kubernetes.io/name": "web"}},
                "status": {"restarts": 2, "conditions": [{"type": "Ready", "status": ready}]},
            })
        };
        let list = json!({"items": [pod("web-0", "True"), pod("web-1", "False")]});
        let table = [
            ("{.items[*].metadata.name}", "web-0 web-1"),
            ("{.items[-1].metadata.name}", "web-1"),
            ("{.items[0:1].metadata.name}", "web-0"),
            (r#"{range .items[*]}{.metadata.name}{"\t"}{.status.restarts}{"\n"}{end}"#, "web-0\t2\nweb-1\t2\n"),
            (r#"{.items[0].status.conditions[?(@.type=="Ready")].status}"#, "True"),
            (r#"{.items[?(@.status.restarts>1)].metadata.name}"#, "web-0 web-1"),
            (r"{.items[0].metadata.labels.app\.kubernetes\.io/name}", "web"),
            ("{.items[0].metadata.labels['app.kubernetes.io/name']}", "web"),
            ("{..name}", "web-0 web-1"),
            ("{.items[0].ma\\\u{e4}.x}", ""),
            ("it is {.items[0].metadata.nothing}.", "it is ."),
            ("{$.items[0].status.conditions}", r#"[{"status":"True","type":"Ready"}]"#),
            (".items", ".items"),
        ];
        for (template, want) in table {
            assert_eq!(print(template, &list).map_err(|error| error.to_string()), Ok(want.to_owned()), "{template}");
        }
        let deep = |start: &str, end: &str| format!("{}{}", start.repeat(100_000), end.repeat(100_000));
        let refused = [
            ("{.items[".to_owned(), "unterminated array"),
            ("{range .items[*]}".to_owned(), "unclosed range"),
            ("{.items[?(@.a=1)]}".to_owned(), "unrecognized filter operator ="),
            ("{.items[?(@.a=>1)]}".to_owned(), "unrecognized filter operator =>"),
            (deep("{range .items[*]}", "{end}"), "more than 32 ranges or filters in one another"),
            (format!("{{.items{}", deep("[?(@", ")]")), "more than 32 ranges or filters in one another"),
        ];
        let all = |times: usize| format!("{}{}", "{range $..*}".repeat(times), "{end}".repeat(times));
        let many = json!({"items": (0..2_000).collect::<Vec<i32>>(), "text": "x".repeat(10_000)});
        let bounded = [
            (all(2), "looks at more than 1000000 values"),
            ("{range $..*}{$.items[?(@.a>1)]}{end}".to_owned(), "looks at more than 1000000 values"),
            ("{range .items[*]}{$.text}{end}".to_owned(), "prints more than 16 MiB"),
        ];
        for (template, want) in bounded {
            let error = print(&template, &many).map_err(|error| error.to_string());
            assert!(error.as_ref().is_err_and(|error| error.contains(want)), "{want}: {error:?}");
        }
        for (template, want) in refused {
            let error = print(&template, &list).map_err(|error| error.to_string());
            assert!(error.as_ref().is_err_and(|error| error.contains(want)), "{want}: {error:?}");
        }
    }
}
