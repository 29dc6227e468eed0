//! The selector of `-l`, with the API server's words for what it cannot read. Models Parser of apimachinery
//! pkg/labels/selector.go.

use super::Error;
use crate::objects::validation::{label_value, qualified};
use crate::objects::{ApiError, FieldError, LabelSelector, Requirement};
use std::rc::Rc;

/// Such as `apps/v1, Resource=statefulsets`. Models String of GroupVersionResource of apimachinery.
pub(super) fn with_version(version: &str, resource: &str) -> String {
    // The core's group is the empty one.
    let slash = if version.contains('/') { "" } else { "/" };
    format!("{slash}{version}, Resource={resource}")
}

/// What `-l` selects of a resource such as `apps/v1, Resource=statefulsets`; kubectl leaves it to the server to read it.
///
/// # Errors
/// The server's words of a text that it cannot read.
pub(super) fn of(text: &str, resource: &str) -> Result<LabelSelector, Error> {
    let text = text.trim();
    parse(text).map_err(|wrong| {
        let request = format!("Unable to find {resource:?} that match label selector {text:?}, field selector \"\"");
        ApiError::bad_request(format!("{request}: {wrong}")).into()
    })
}

/// A selector such as `app=nginx,tier!=db,zone in (a, b),!old`.
///
/// # Errors
/// What is found where something else is expected, or a key or a value that no label can have.
pub(super) fn parse(text: &str) -> Result<LabelSelector, String> {
    let mut tokens = Tokens { rest: text };
    let mut selector = LabelSelector::default();
    match tokens.peek() {
        Token::End => return Ok(selector),
        Token::Word(_) | Token::Symbol("!") => {}
        other => return found(other, ", expected: !, identifier, or 'end of string'"),
    }
    loop {
        let one = requirement(&mut tokens).map_err(|wrong| format!("unable to parse requirement: {wrong}"))?;
        selector.match_expressions.push(one);
        match tokens.advance() {
            Token::End => return Ok(selector),
            Token::Symbol(",") => {}
            other => return found(other, ", expected: ',' or 'end of string'"),
        }
        match tokens.peek() {
            Token::Word(_) | Token::Symbol("!") => {}
            other => return found(other, ", expected: identifier after ','"),
        }
    }
}

/// Such as `app=nginx`, `zone in (a, b)` or `!old`.
fn requirement(tokens: &mut Tokens) -> Result<Requirement, String> {
    let is_absent = tokens.peek() == Token::Symbol("!");
    if is_absent {
        tokens.advance();
    }
    let key = match tokens.advance() {
        Token::Word(key) => key,
        other => return found(other, ", expected: identifier"),
    };
    // Upstream has no path here and prints what it has instead of one.
    valid("<nil>", key, &qualified(key))?;
    let requires =
        |operator: &str, values: Vec<Rc<str>>| Requirement { key: key.into(), operator: operator.into(), values };
    if is_absent {
        return Ok(requires("DoesNotExist", Vec::new()));
    }
    if matches!(tokens.peek(), Token::End | Token::Symbol(",")) {
        return Ok(requires("Exists", Vec::new()));
    }
    let (operator, values) = match tokens.advance() {
        Token::Word("in") => ("In", list(tokens)?),
        Token::Word("notin") => ("NotIn", list(tokens)?),
        Token::Symbol("=" | "==") => ("In", vec![value(tokens)?]),
        Token::Symbol("!=") => ("NotIn", vec![value(tokens)?]),
        Token::Symbol(">") => ("Gt", vec![number(tokens)?]),
        Token::Symbol("<") => ("Lt", vec![number(tokens)?]),
        other => return found(other, ", expected: in, notin, =, ==, !=, gt, lt"),
    };
    for (at, value) in values.iter().enumerate() {
        valid(&format!("values[{at}][{key}]"), value, &label_value(value))?;
    }
    Ok(requires(operator, values))
}

fn valid(path: &str, text: &str, wrong: &[String]) -> Result<(), String> {
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(FieldError::invalid(path, format!("{text:?}"), wrong.join("; ")).to_string())
    }
}

/// The one value behind an operator; an empty one need not be written.
fn value<'a>(tokens: &mut Tokens<'a>) -> Result<Rc<str>, String> {
    if matches!(tokens.peek(), Token::End | Token::Symbol(",")) {
        return Ok("".into());
    }
    match tokens.advance() {
        Token::Word(value) => Ok(value.into()),
        other => found(other, ", expected: identifier"),
    }
}

/// The whole number behind `>` or `<`.
fn number(tokens: &mut Tokens) -> Result<Rc<str>, String> {
    let number = value(tokens)?;
    if number.parse::<i64>().is_err() {
        let detail = "for 'Gt', 'Lt' operators, the value must be an integer";
        return Err(FieldError::invalid("values[0]", format!("{number:?}"), detail).to_string());
    }
    Ok(number)
}

/// The values in parentheses, of which each may be empty, by name.
fn list(tokens: &mut Tokens) -> Result<Vec<Rc<str>>, String> {
    match tokens.advance() {
        Token::Symbol("(") => {}
        other => return found(other, " expected: '('"),
    }
    if !matches!(tokens.peek(), Token::Word(_) | Token::Symbol("," | ")")) {
        return found(tokens.peek(), ", expected: ',', ')' or identifier");
    }
    let mut values: Vec<Rc<str>> = Vec::new();
    loop {
        match tokens.peek() {
            Token::Word(value) => {
                values.push(value.into());
                tokens.advance();
            }
            Token::Symbol("," | ")") => values.push("".into()),
            other => return found(other, ", expected: ',', or identifier"),
        }
        match tokens.advance() {
            Token::Symbol(",") => {}
            Token::Symbol(")") => break,
            other => return found(other, ", expected: ',' or ')'"),
        }
    }
    values.sort();
    values.dedup();
    Ok(values)
}

/// A part of a selector's text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Token<'a> {
    /// A key, a value, `in` or `notin`.
    Word(&'a str),
    Symbol(&'a str),
    End,
}

/// What is left of a selector's text.
#[derive(Clone, Copy)]
struct Tokens<'a> {
    rest: &'a str,
}

/// A longer one stands before those that it begins with.
const SYMBOLS: [&str; 9] = ["==", "!=", "=", "!", "(", ")", ",", ">", "<"];

impl<'a> Tokens<'a> {
    fn advance(&mut self) -> Token<'a> {
        let is_blank = |letter: char| matches!(letter, ' ' | '\t' | '\r' | '\n');
        let text = self.rest.trim_start_matches(is_blank);
        let symbol = SYMBOLS.iter().find(|symbol| text.starts_with(**symbol));
        let is_end = |letter: char| is_blank(letter) || "=!(),><".contains(letter);
        let length = symbol.map_or_else(|| text.find(is_end).unwrap_or(text.len()), |symbol| symbol.len());
        let (token, rest) = text.split_at(length);
        self.rest = rest;
        match symbol {
            Some(_) => Token::Symbol(token),
            None if token.is_empty() => Token::End,
            None => Token::Word(token),
        }
    }

    fn peek(mut self) -> Token<'a> {
        self.advance()
    }
}

fn found<T>(token: Token, expected: &str) -> Result<T, String> {
    let text = match token {
        Token::Word(text) | Token::Symbol(text) => text,
        Token::End => "",
    };
    Err(format!("found '{text}'{expected}"))
}
