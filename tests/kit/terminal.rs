//! A session as a person at a terminal has it.

use expect_test::Expect;
use setscope::kubectl::{Line, answer, beforehand, done, parse, refused};
use setscope::objects::{Kind, ObjectRef};
use setscope::session::{Command, Session};

/// An object of the default namespace.
pub(crate) fn reference(kind: Kind, name: &str) -> ObjectRef {
    ObjectRef { kind, namespace: "default".into(), name: name.into() }
}

/// The set that most tests are about.
pub(crate) fn web() -> ObjectRef {
    reference(Kind::StatefulSet, "web")
}

pub(crate) fn pod(name: &str) -> ObjectRef {
    reference(Kind::Pod, name)
}

#[track_caller]
pub(crate) fn give(session: &mut Session, command: Command) {
    session.command(command).unwrap_or_else(|refusal| panic!("{refusal:?}"));
}

/// Runs until nothing is left to happen.
#[track_caller]
pub(crate) fn settle(session: &mut Session) {
    for _ in 0..100_000 {
        if !session.step() {
            return;
        }
    }
    panic!("the cluster does not settle");
}

fn carry_out(session: &mut Session, commands: Vec<Command>) -> String {
    let mut printed = beforehand(session.cluster(), &commands);
    for command in commands {
        let before = session.cluster().clone();
        match session.command(command.clone()) {
            Ok(()) => printed.push_str(&done(&before, session.cluster(), &command)),
            Err(refusal) => return printed + &refused(session.cluster(), &command, &refusal),
        }
    }
    printed
}

/// What the line prints, carried out if it does something.
pub(crate) fn says(session: &mut Session, line: &str) -> String {
    match parse(line, session.cluster()) {
        Ok(Line::Show(show)) => answer(session.cluster(), &show).unwrap_or_else(|error| error.to_string()),
        Ok(Line::Do(commands)) => carry_out(session, commands),
        Ok(Line::Stop { commands, error }) => format!("{}{error}\n", carry_out(session, commands)),
        Err(error) => error.to_string(),
    }
}

/// What a line prints that only shows something.
#[track_caller]
pub(crate) fn shown(session: &Session, line: &str) -> String {
    match parse(line, session.cluster()) {
        Ok(Line::Show(show)) => answer(session.cluster(), &show).unwrap_or_else(|error| error.to_string()),
        Ok(other) => panic!("{line}: {other:?}"),
        Err(error) => error.to_string(),
    }
}

/// Compares what a line prints with what kubectl would.
#[track_caller]
pub(crate) fn check_shown(session: &Session, line: &str, want: &str) {
    assert_eq!(shown(session, line), want, "{line}");
}

/// The same of a long text, which `UPDATE_EXPECT=1` rewrites.
#[track_caller]
pub(crate) fn expect_shown(session: &Session, line: &str, want: Expect) {
    want.assert_eq(&shown(session, line));
}
