//! `setscope redact`.

use crate::command::{Assume, Output};
use crate::diagnose::open;
use crate::input::{self, words};
use setscope::diagnosis::{CONDITIONS, Told, are_same, diagnose};
use setscope::session::redact;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The output of `kubectl get … -o yaml` or `-o json`; `-` is standard input.
    #[arg(short, long, default_value = "-", value_name = "FILE")]
    filename: PathBuf,
}

/// Every file is diagnosed before and after: what is printed says the same.
pub(crate) fn run(args: &Args) -> Output {
    let text = input::read(&args.filename)?;
    let said = |text: &str| {
        let dump = open(text, None, &Assume::default())?;
        let session = dump.session(1).map_err(|refusal| words(&refusal))?;
        Ok::<_, String>(diagnose(&session, Told::from(&dump), CONDITIONS))
    };
    let before = said(&text)?;
    let mut redacted = redact::cluster(&text).map_err(|refusal| words(&refusal))?;
    let after = said(redacted.text())?;
    if !are_same(&before, &after, |name| redacted.name(name)) {
        return Err("nothing is printed: the redacted text would not have the same diagnosis".to_owned());
    }
    Ok((redacted.text().into(), 0))
}
