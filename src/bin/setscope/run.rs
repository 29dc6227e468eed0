//! `setscope run`: a scenario carried out to a moment, and what `kubectl get` prints then.

use crate::command::Output;
use crate::input::{read, words};
use setscope::kubectl::{Line, answer, parse, quoted};
use setscope::session::scenario;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A scenario, as the page saves it; `-` is standard input.
    scenario: PathBuf,
    /// How long after its start, such as 90s, 10m or 1h30m; where it opens if nothing is said.
    #[arg(long, value_parser = milliseconds, value_name = "TIME")]
    until: Option<i64>,
    /// What is printed: what stands behind `kubectl get`, such as `pods` or `sts,pods`. May be given several times.
    #[arg(long, default_value = "sts,pods", value_name = "WHAT")]
    get: Vec<String>,
    /// As kubectl's: wide, yaml, json or name.
    #[arg(short, long, value_name = "FORM")]
    output: Option<String>,
}

/// A length of time, in milliseconds: a number of seconds, or such as `1h30m`, `90s`, `250ms`.
pub(crate) fn milliseconds(text: &str) -> Result<i64, String> {
    let wrong = || format!("{text:?} is no length of time; such as 90s, 10m or 1h30m is");
    let (mut sum, mut rest) = (0_i64, text.trim());
    if rest.is_empty() {
        return Err(wrong());
    }
    while !rest.is_empty() {
        let digits = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
        let number: i64 = rest[..digits].parse().map_err(|_| wrong())?;
        let unit_end = rest[digits..].find(|letter: char| letter.is_ascii_digit()).map_or(rest.len(), |at| digits + at);
        let factor = match &rest[digits..unit_end] {
            "ms" => 1,
            "" | "s" => 1_000,
            "m" => 60_000,
            "h" => 3_600_000,
            _ => return Err(wrong()),
        };
        sum = number.checked_mul(factor).and_then(|part| sum.checked_add(part)).ok_or_else(wrong)?;
        rest = &rest[unit_end..];
    }
    Ok(sum)
}

pub(crate) fn run(args: &Args) -> Output {
    let (mut session, _) = scenario::read(&read(&args.scenario)?).map_err(|refusal| words(&refusal))?;
    if let Some(until) = args.until {
        scenario::reach(&mut session, until).map_err(|refusal| words(&refusal))?;
    }
    let mut printed = Vec::new();
    for what in &args.get {
        let form = args.output.as_ref().map(|form| format!(" -o {}", quoted(form))).unwrap_or_default();
        let line = format!("kubectl get {what}{form}");
        match parse(&line, session.cluster()).map_err(|error| error.to_string())? {
            Line::Show(show) => printed.push(answer(session.cluster(), &show).map_err(|error| error.to_string())?),
            Line::Do(_) | Line::Stop { .. } => return Err(format!("{line:?} does more than to print")),
        }
    }
    Ok((printed.join("\n").into(), 0))
}

#[cfg(test)]
mod tests {
    use super::milliseconds;

    #[test]
    fn lengths_of_time() {
        assert_eq!(
            ["90", "90s", "10m", "1h30m", "250ms"].map(milliseconds),
            [90_000, 90_000, 600_000, 5_400_000, 250].map(Ok)
        );
        for wrong in ["", "m", "ten", "-1", "5d", "9999999999999999h"] {
            assert!(milliseconds(wrong).is_err(), "{wrong}");
        }
    }
}
