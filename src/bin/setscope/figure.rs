//! `setscope figure`: the picture and the sentence of a moment, for documents that live in a repository.

use crate::command::Output;
use crate::input::{self, read, words};
use crate::png;
use crate::printed::{self, Printed, markdown, xml};
use crate::run::milliseconds;
use clap::ValueEnum;
use setscope::session::Session;
use setscope::session::scenario::{self, About};
use setscope::view::{Export, View, build};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A scenario, as the page saves it.
    scenario: PathBuf,
    /// How long after its start, such as 90s, 10m or 1h30m; where it opens if nothing is said.
    #[arg(long, value_parser = milliseconds, value_name = "TIME")]
    at: Option<i64>,
    /// What is printed.
    #[arg(short, long, value_enum, default_value_t = Form::Svg)]
    output: Form,
    /// Where the picture stands, for the document that shows it; beside it, under the scenario's name, if nothing is said.
    #[arg(long, value_name = "ADDRESS")]
    picture: Option<String>,
    /// Prints nothing, and says where a file has something else.
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    /// The picture, light, and dark where whoever looks prefers that.
    Svg,
    /// The same, light, as pixels: two for each of the picture's own.
    Png,
    /// A figure that shows the picture, with what it says as text.
    Html,
    /// The same as Markdown.
    Md,
}

/// What stands in the place of the picture, and below it.
fn sentences(session: &Session, view: &View) -> (String, String) {
    let said = &view.explanation;
    let set = view
        .summary
        .as_ref()
        .map_or_else(String::new, |set| format!("{}: {} of {} ready. ", set.name, set.ready.0, set.ready.1));
    let release = session.scenario().release.name();
    let alternative = format!("{set}{}. At {}, Kubernetes {release}.", said.headline, view.clock);
    let more = [&said.reason, &said.resolution].map(ToString::to_string);
    (alternative, more.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" "))
}

fn figure(args: &Args) -> Result<String, String> {
    let (mut session, about) = scenario::read(&read(&args.scenario)?).map_err(|refusal| words(&refusal))?;
    if let Some(at) = args.at {
        scenario::reach(&mut session, at).map_err(|refusal| words(&refusal))?;
    }
    // A figure is published, and the scenario of a real cluster may have been saved with its values.
    let session = scenario::run_redacted(&session).map_err(|refusal| words(&refusal))?;
    if let Form::Svg | Form::Png = args.output {
        return Ok(Export::Stage.text(&session, &About::default(), None));
    }
    let view = build(&session, None);
    let (alternative, more) = sentences(&session, &view);
    let name = args.scenario.file_stem().unwrap_or_default().to_string_lossy();
    let picture = args.picture.clone().unwrap_or_else(|| format!("{name}.svg"));
    let (headline, title) = (view.explanation.headline.to_string(), about.title);
    Ok(match args.output {
        Form::Md => format!(
            "![{}](<{}>)\n\n**{}.** {}\n",
            markdown(&alternative),
            picture.replace(['<', '>', '\n'], ""),
            markdown(&headline),
            markdown(&more)
        ),
        Form::Html | Form::Svg | Form::Png => format!(
            "<figure>\n<img src=\"{}\" alt=\"{}\" title=\"{}\" loading=\"lazy\">\n<figcaption><strong>{}.</strong> {}</figcaption>\n</figure>\n",
            xml(&picture),
            xml(&alternative),
            xml(&title),
            xml(&headline),
            xml(&more)
        ),
    })
}

/// The first line in which two texts differ, counted from 1.
fn differs_at(one: &str, other: &str) -> usize {
    1 + one.lines().zip(other.lines()).take_while(|(one, other)| one == other).count()
}

fn checked(made: &str, file: &Path) -> Output {
    let there = input::read(file)?.replace("\r\n", "\n");
    Ok(out_of_date(file, (there != made).then(|| format!("line {}", differs_at(&there, made)))))
}

fn checked_png(made: &[u8], file: &Path) -> Output {
    let there = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let same = there.iter().zip(made).take_while(|(one, other)| one == other).count();
    Ok(out_of_date(file, (there != made).then(|| format!("byte {}", same + 1))))
}

/// What is said of a file, and the exit status, with the first place where it has something else.
fn out_of_date(file: &Path, place: Option<String>) -> (Printed, u8) {
    let told = |place| format!("{}: out of date from {place} on; make it anew\n", file.display()).into();
    place.map_or_else(|| (Printed::default(), 0), |place| (told(place), 1))
}

pub(crate) fn run(args: &Args) -> Output {
    let made = figure(args)?;
    match (&args.check, args.output) {
        (Some(file), Form::Png) => checked_png(&png::drawn(&made)?, file),
        (Some(file), _) => checked(&made, file),
        (None, Form::Png) => printed::hand_over(&png::drawn(&made)?).map(|()| (Printed::default(), 0)),
        (None, _) => Ok((made.into(), 0)),
    }
}
