//! What people type in a shell, command by command.

use super::Error;
use crate::text::Text;

/// The commands of a text: parted by ends of lines, `&&` and `;`, without prompts and comments.
///
/// # Errors
/// What only a shell could do.
pub fn commands(text: &str) -> Result<Vec<String>, Error> {
    let only_shell = |sign: &str| {
        Error::Own(text!(
            "{} is left to a shell: give one command a line, or join them with && or ;",
            Text::verbatim(sign)
        ))
    };
    let text = text.replace("\\\r\n", " ").replace("\\\n", " ");
    let (mut all, mut command, mut open): (Vec<String>, String, Option<char>) = (Vec::new(), String::new(), None);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match (open, letter) {
            (Some('\''), '\'') | (Some('"'), '"') => open = None,
            (None, '\'' | '"') => open = Some(letter),
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
            (None, '<') if letters.peek() == Some(&'<') => return Err(only_shell("<<")),
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
    Ok(all.iter().map(bare).filter(|command| !command.is_empty()).collect())
}
