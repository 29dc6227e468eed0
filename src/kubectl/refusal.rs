//! Why a command was not carried out: the error, where in a text it is, and what would be right.

use super::Error;
use crate::objects::ApiError;
use crate::text::Text;

/// A command that was not carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What is wrong: of a manifest everything, otherwise one error.
    pub problems: Vec<Problem>,
}

/// One error, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Line in the text, counted from 1, if the command has one.
    pub line: Option<usize>,
    /// Column, counted from 1.
    pub column: Option<usize>,
    /// The entry of a scenario's `run` that the command is, counted from 0.
    pub entry: Option<usize>,
    /// What is wrong.
    pub error: Error,
    /// What would be right, in our words.
    pub remedy: Option<Text>,
}

impl Problem {
    /// An error that no place is known of.
    pub(crate) fn new(error: impl Into<Error>) -> Self {
        Self { line: None, column: None, entry: None, error: error.into(), remedy: None }
    }

    /// The same error at a place of the text.
    pub(crate) fn at(self, line: usize, column: usize) -> Self {
        Self { line: Some(line), column: Some(column), ..self }
    }

    /// The same error with what would be right.
    pub(crate) fn with_remedy(self, remedy: Text) -> Self {
        Self { remedy: Some(remedy), ..self }
    }

    /// The message for people: the simulator's own words can be translated, others stay as they are.
    pub fn text(&self) -> Text {
        let text = match &self.error {
            Error::Own(text) => text.clone(),
            error => Text::verbatim(&*error.message()),
        };
        match self.entry {
            Some(entry) => text!("run[{}]: {}", entry, text),
            None => text,
        }
    }

    /// Kind and name of the object that the server refuses, if it says so.
    pub fn object(&self) -> Option<(&str, &str)> {
        match &self.error {
            Error::Server(error) => Some((&error.details.kind, &error.details.name)),
            _ => None,
        }
    }

    /// The message for people, and what would be right.
    pub fn advice(&self) -> Text {
        match &self.remedy {
            Some(remedy) if !remedy.is_empty() => {
                let text = self.text();
                // Of the server's words few are a whole sentence.
                let between = if text.to_string().ends_with(['.', ':', '!', '?']) { " " } else { ". " };
                Text::list(between, [text, remedy.clone()])
            }
            _ => self.text(),
        }
    }

    /// The error's message, without kubectl's prefix.
    pub fn message(&self) -> String {
        let message = self.error.message();
        self.entry.map_or_else(|| message.to_string(), |entry| format!("run[{entry}]: {message}"))
    }
}

impl Refusal {
    /// A refusal of the simulator, in its own words.
    pub(crate) fn own(text: Text) -> Self {
        Error::Own(text).into()
    }

    /// Whether it is the simulator that refuses: the API server may well take it.
    pub fn is_own(&self) -> bool {
        self.problems.iter().all(|problem| matches!(problem.error, Error::Own(_)))
    }

    /// A refusal that kubectl makes itself, in its words.
    pub(crate) fn of(message: impl Into<String>) -> Self {
        Error::client(message).into()
    }

    /// The messages of all problems, without kubectl's prefix.
    pub fn messages(&self) -> impl Iterator<Item = String> {
        self.problems.iter().map(Problem::message)
    }
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self { problems: vec![problem] }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Problem::new(error).into()
    }
}

impl From<ApiError> for Refusal {
    fn from(error: ApiError) -> Self {
        Error::from(error).into()
    }
}
