//! What people type in a shell, command by command.

use super::Error;
use crate::text::Text;

/// The commands of a text: parted by ends of lines, `&&` and `;`, without prompts and comments. What stands in the text for a
/// command's standard input (`<<EOF`) stays with it, see `here_document`.
///
/// # Errors
/// What only a shell could do, and a `<<` whose end is missing.
pub fn commands(text: &str) -> Result<Vec<String>, Error> {
    let text = text.replace("\r\n", "\n");
    let (mut all, mut command, mut open): (Vec<String>, String, Option<char>) = (Vec::new(), String::new(), None);
    let mut letters = text.chars().peekable();
    let mut later = Vec::new();
    while let Some(letter) = letters.next() {
        match (open, letter) {
            (Some('\''), '\'') | (Some('"'), '"') => open = None,
            (None, '\'' | '"') => open = Some(letter),
            (_, '\\') if letters.next_if_eq(&'\n').is_some() => {
                command.push(' ');
                continue;
            }
            (None | Some('"'), '\\') => {
                command.push(letter);
                command.extend(letters.next());
                continue;
            }
            (None | Some('"'), '`') => return Err(only_shell("`")),
            (None | Some('"'), '$') if letters.peek() == Some(&'(') => return Err(only_shell("$(")),
            (Some(_), _) => {}
            (None, '#') if command.is_empty() || command.ends_with(char::is_whitespace) => {
                while letters.next_if(|letter| *letter != '\n').is_some() {}
                continue;
            }
            (None, '\n' | ';') => {
                all.push(std::mem::take(&mut command));
                continue;
            }
            (None, '&') if letters.next_if_eq(&'&').is_some() => {
                all.push(std::mem::take(&mut command));
                continue;
            }
            (None, '&') => return Err(only_shell("&")),
            (None, '|') => return Err(only_shell("|")),
            (None, '>') => return Err(only_shell(">")),
            (None, '<') if letters.next_if_eq(&'<').is_some() => {
                let rest: String = letters.collect();
                let (here, after) = here(&rest)?;
                command.push_str(&here);
                later = commands(after)?;
                break;
            }
            (None, _) => {}
        }
        command.push(letter);
    }
    all.push(command);
    let bare = |command: &String| {
        let command = command.trim();
        let command = command.strip_prefix("$ ").unwrap_or(command).trim();
        command.strip_prefix("sudo ").unwrap_or(command).trim().to_owned()
    };
    Ok(all.iter().map(bare).filter(|command| !command.is_empty()).chain(later).collect())
}

fn only_shell(sign: &str) -> Error {
    Error::Own(text!("{} is left to a shell: give one command a line, or join them with && or ;", Text::verbatim(sign)))
}

/// What begins behind `<<`, up to the line that ends it; and what comes after that line.
fn here(rest: &str) -> Result<(String, &str), Error> {
    let (word, body) = rest.split_once('\n').unwrap_or((rest, ""));
    let word = word.strip_prefix('-').unwrap_or(word).trim().trim_matches(['\'', '"']);
    if word.is_empty() || word.contains(char::is_whitespace) {
        return Err(only_shell("<<"));
    }
    let mut end = 0;
    for line in body.split_inclusive('\n') {
        let (own, after) = (end, end + line.len());
        if line.trim() == word {
            return Ok((format!("<<{word}\n{}{word}", &body[..own]), &body[after..]));
        }
        end = after;
    }
    Err(Error::Own(text!("no line is {}, which ends what << begins", Text::verbatim(word))))
}

/// A command with what stands behind it for its standard input, apart; none if nothing does.
pub(super) fn here_document(command: &str) -> Option<(&str, &str)> {
    let (first, rest) = command.split_once('\n')?;
    let (command, word) = first.rsplit_once("<<")?;
    let body = rest.strip_suffix(word)?;
    (body.is_empty() || body.ends_with('\n')).then_some((command, body))
}
