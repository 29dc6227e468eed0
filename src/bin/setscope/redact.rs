//! `setscope redact`.

use crate::command::{Assume, Output};
use crate::diagnose::open;
use crate::input::{self, words};
use setscope::diagnosis::{CONDITIONS, Diagnosis, Gist, Told, diagnose};
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
        let all = diagnose(&session, Told::from(&dump), CONDITIONS);
        Ok::<Vec<Gist>, String>(all.iter().map(Diagnosis::gist).collect())
    };
    let before = said(&text)?;
    let mut redacted = redact::cluster(&text).map_err(|refusal| words(&refusal))?;
    let before: Vec<Gist> = before.iter().map(|one| one.renamed(|name| redacted.name(name))).collect();
    if said(redacted.text())? != before {
        return Err("nothing is printed: the redacted text would not have the same diagnosis".to_owned());
    }
    Ok((redacted.text().into(), 0))
}
