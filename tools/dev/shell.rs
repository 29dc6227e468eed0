//! Running other programs.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What came of it; the error says why it did not, and what would be right.
pub(crate) type Done = Result<(), String>;

pub(crate) fn say(text: &str) {
    println!("{text}");
}

pub(crate) fn installing(what: &str) {
    println!("\n==> Installing {what}");
}

/// A command whose words hold no spaces; others follow with `arg`.
pub(crate) fn command(line: &str) -> Command {
    let mut words = line.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).stdin(Stdio::null());
    command
}

/// The command as a person would type it.
fn line(command: &Command) -> String {
    let words: Vec<_> = [command.get_program()]
        .into_iter()
        .chain(command.get_args())
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    words.join(" ")
}

pub(crate) fn run(command: &mut Command) -> Done {
    let status = command.status().map_err(|error| format!("`{}` does not start: {error}", line(command)))?;
    if status.success() { Ok(()) } else { Err(format!("`{}` failed: {status}", line(command))) }
}

/// What a command printed, or nothing where it failed or is not there.
pub(crate) fn output(command: &mut Command) -> String {
    match command.stderr(Stdio::null()).output() {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).into_owned(),
        _ => String::new(),
    }
}

/// Whether a command succeeds, which prints nothing meanwhile.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

pub(crate) struct Kept {
    /// What the command printed, its errors among it.
    pub(crate) text: String,
    pub(crate) outcome: Done,
}

/// Runs a command whose output is shown as it comes, each line after `prefix`, and kept.
pub(crate) fn run_and_keep(command: &mut Command, prefix: &str) -> Kept {
    let mut text = String::new();
    let outcome = keep_lines(command, prefix, &mut text);
    Kept { text, outcome }
}

fn keep_lines(command: &mut Command, prefix: &str, text: &mut String) -> Done {
    let named = line(command);
    let broken = |error: std::io::Error| format!("`{named}` does not start: {error}");
    let (reader, writer) = std::io::pipe().map_err(broken)?;
    command.stdout(writer.try_clone().map_err(broken)?).stderr(writer);
    let mut child = command.spawn().map_err(broken)?;
    // The pipe ends when nobody holds its other end any longer, which the command still does.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut reader = BufReader::new(reader);
    let mut bytes = Vec::new();
    while reader.read_until(b'\n', &mut bytes).is_ok_and(|read| read > 0) {
        let printed = String::from_utf8_lossy(&bytes).into_owned();
        // Who no longer reads, such as a closed `less`, does not stop the tests.
        let _ = write!(std::io::stdout().lock(), "{prefix}{printed}");
        text.push_str(&printed);
        bytes.clear();
    }
    let status = child.wait().map_err(broken)?;
    if status.success() { Ok(()) } else { Err(format!("`{named}` failed: {status}")) }
}

/// Where the PATH has a program of that name.
pub(crate) fn which(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|file| is_executable(file))
}

pub(crate) fn has(name: &str) -> bool {
    which(name).is_some()
}

pub(crate) fn is_executable(file: &Path) -> bool {
    file.metadata().is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}

/// Whether something is served on that port of this machine.
pub(crate) fn answers(port: u16) -> bool {
    TcpStream::connect(("127.0.0.1", port)).is_ok()
}

/// Whether an address can be reached from here.
pub(crate) fn reaches(address: &str) -> bool {
    succeeds(command("curl -fsIL --max-time 20").arg(address))
}

pub(crate) fn read(file: &str) -> Result<String, String> {
    std::fs::read_to_string(file).map_err(|error| format!("{file} cannot be read: {error}"))
}

/// What is between the first `before` and the `after` that follows it.
pub(crate) fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(before)?;
    rest.split_once(after).map(|(found, _)| found)
}

/// An empty folder of that name, whatever was there.
pub(crate) fn empty_folder(folder: &Path) -> Done {
    let _ = std::fs::remove_dir_all(folder);
    std::fs::create_dir_all(folder).map_err(|error| format!("{} cannot be made: {error}", folder.display()))
}

/// All files in a folder and those in it, as paths from there, sorted.
pub(crate) fn files(folder: &Path) -> Vec<String> {
    fn collect(root: &Path, folder: &Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                collect(root, &path, found);
            } else if let Ok(name) = path.strip_prefix(root) {
                found.push(name.to_string_lossy().into_owned());
            }
        }
    }
    let mut found = Vec::new();
    collect(folder, folder, &mut found);
    found.sort();
    found
}
