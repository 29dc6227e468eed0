//! Results as CI systems read them: JUnit's XML.

use crate::printed::xml;
use std::fmt::Write as _;

/// Something that was looked at.
pub(crate) struct Case {
    /// What it belongs to, such as a file.
    pub(crate) class: String,
    pub(crate) name: String,
    pub(crate) problem: Option<Problem>,
}

/// What is wrong with it, in words.
pub(crate) enum Problem {
    /// It is not as it should be.
    Failure(String),
    /// It could not be looked at.
    Error(String),
}

/// A suite of them.
pub(crate) fn suite(name: &str, cases: &[Case]) -> String {
    let count =
        |is: fn(&Problem) -> bool| cases.iter().filter_map(|case| case.problem.as_ref()).filter(|it| is(it)).count();
    let failures = count(|problem| matches!(problem, Problem::Failure(_)));
    let errors = count(|problem| matches!(problem, Problem::Error(_)));
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"{}\" tests=\"{}\" failures=\"{failures}\" \
         errors=\"{errors}\">\n",
        xml(name),
        cases.len()
    );
    for case in cases {
        let opening = format!("<testcase classname=\"{}\" name=\"{}\"", xml(&case.class), xml(&case.name));
        let (tag, words) = match &case.problem {
            None => {
                let _ = writeln!(out, "{opening}/>");
                continue;
            }
            Some(Problem::Failure(words)) => ("failure", words),
            Some(Problem::Error(words)) => ("error", words),
        };
        let first = words.lines().next().unwrap_or_default();
        let _ = writeln!(out, "{opening}><{tag} message=\"{}\">{}</{tag}></testcase>", xml(first), xml(words));
    }
    out + "</testsuite>\n</testsuites>\n"
}
