//! `setscope diagnose`.

#![allow(clippy::disallowed_types, reason = "what kubectl has just printed has the real clock")]

use crate::command::{Assume, Form, Input, NOT_KNOWN, Output};
use crate::input::{refused, words};
use crate::no_node;
use crate::printed::{Printed, code, is_looked_at, json, line_of, markdown as plain, shown};
use crate::release::known_gates;
use crate::values::{
    DiagnoseValue, EvidenceValue, FindingValue, NotFollowedValue, OversizedValue, SCHEMA_VERSION, StandsValue,
    StopValue,
};
use annotate_snippets::{Group, Level};
use serde_json::Value;
use setscope::diagnosis::{
    CONDITIONS, Diagnosis, Evidence, Finding, Gravity, NoNodeValue, Stop, alike, diagnose_with_run, gist_of, headline,
    holding, not_known, nothing, rests_on, said_release, without_node, written,
};
use setscope::kubectl;
use setscope::objects::{Kind, ObjectRef, Time};
use setscope::session::dump::{self, Dump, Options, Places};
use setscope::text::Text;
use setscope::verdict::Ends;
use setscope::view::{Explanation, Stands};
use std::collections::BTreeSet;
use std::fmt::{self, Write as _};
use std::time::{SystemTime, UNIX_EPOCH};

/// How long a cluster in which nothing happens may say nothing, in milliseconds.
const QUIET_MS: i64 = 600_000;

/// What is asked about.
#[derive(Clone, Copy, Default)]
pub(crate) struct Asked<'a> {
    /// Only this workload.
    pub(crate) workload: Option<(Kind, &'a str)>,
    /// The line that tries what could be done.
    pub(crate) ways_out: &'a str,
    /// Where the text is from.
    pub(crate) source: &'a str,
}

/// Opens a text; the error names its line.
pub(crate) fn open(text: &str, namespace: Option<&str>, assume: &Assume) -> Result<Dump, String> {
    let Assume { at, release, suppose, gate } = assume;
    let supposition = |text: &String| {
        kubectl::supposition(text).ok_or_else(|| format!("{text:?} supposes nothing; such as 'pod/web-2 starts' does"))
    };
    let supposed: BTreeSet<ObjectRef> = suppose.iter().map(supposition).collect::<Result<_, _>>()?;
    let namespace_of = namespace.map(Into::into);
    let options = Options {
        namespace: namespace_of,
        taken_at: *at,
        release: *release,
        supposed: supposed.clone(),
        ..Options::default()
    };
    let dump = dump::open(text, &options).map_err(|refusal| refused(text, &refusal))?;
    let gates = known_gates(dump.release, gate)?;
    let dump = dump.with_gates(gates);
    if let Some(object) = supposed.iter().find(|object| !dump.is_overruled(object)) {
        return Err(format!("the text shows nothing that holds {}/{}", object.kind.singular(), object.name));
    }
    match namespace {
        Some(asked) if !dump.namespaces.is_empty() && dump.namespaces.iter().all(|name| **name != *asked) => {
            Err(format!("the text has nothing in namespace {asked}; it has {}", dump.namespaces.join(", ")))
        }
        _ => Ok(dump),
    }
}

/// Opens a text that kubectl has just printed: it was made at the time of this machine's clock, if the text could be of that
/// moment. A quiet cluster's newest moment, at the latest a node's heartbeat, lies up to five minutes back.
pub(crate) fn open_now(text: &str, assume: &Assume) -> Result<Dump, String> {
    let dump = open(text, None, assume)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
    let now = i64::try_from(now).unwrap_or(0);
    let is_recent = (1..=QUIET_MS).contains(&(now - dump.newest.0));
    if assume.at.is_some() || !is_recent {
        return Ok(dump);
    }
    open(text, None, &Assume { at: Some(Time(now)), ..assume.clone() })
}

pub(crate) fn run(input: &Input, form: Form) -> Output {
    let ways_out = match input.filename.to_str() {
        Some("-") | None => "kubectl get … -o yaml | setscope ways-out".to_owned(),
        Some(file) => format!("setscope ways-out -f {file}"),
    };
    let source = input.filename.display().to_string();
    let asked = Asked { workload: None, ways_out: &ways_out, source: &source };
    let text = input.read()?;
    let dump = open(&text, input.namespace.as_deref(), &input.assume)?;
    report(&text, &dump, &asked, form)
}

/// Keeps what is said of the workload that is asked about.
pub(crate) fn retain(all: &mut Vec<Diagnosis>, workload: Option<(Kind, &str)>) -> Result<(), String> {
    let Some((kind, name)) = workload else { return Ok(()) };
    all.retain(|one| one.workload.kind == kind && *one.workload.name == *name);
    match (all.is_empty(), kind) {
        (false, _) => Ok(()),
        (true, Kind::Pod) => {
            Err(format!("there is no pod/{name} that nothing controls: name its workload, such as sts/web"))
        }
        (true, _) => Err(format!("there is no {}/{name}", kind.singular())),
    }
}

/// What is said of a text.
pub(crate) fn report(text: &str, dump: &Dump, asked: &Asked<'_>, form: Form) -> Output {
    let session = dump.session(1).map_err(|refusal| words(&refusal))?;
    let (mut all, run) = diagnose_with_run(&session, dump, CONDITIONS);
    retain(&mut all, asked.workload)?;
    let stands: Vec<Stands> = all.iter().map(|one| Stands::of(&run, &session, &one.verdict)).collect();
    let places = Places::of(dump, all.iter().flat_map(Diagnosis::fields));
    let source = is_looked_at(&std::io::stdout()).then_some((asked.source, text));
    let told = Told { dump, all: &all, stands: &stands, places: &places, ways_out: asked.ways_out, source };
    let printed = match form {
        Form::Text => told.text(),
        Form::Md => told.markdown().into(),
        Form::Json => json(&told.value())?.into(),
    };
    Ok((printed, status_of(dump, &all)))
}

/// Each workload with how it stands in a line, and the exit status.
pub(crate) fn headlines(dump: &Dump, asked: &Asked<'_>) -> Result<(Vec<(String, String)>, u8), String> {
    let session = dump.session(1).map_err(|refusal| words(&refusal))?;
    let (mut all, _) = diagnose_with_run(&session, dump, CONDITIONS);
    retain(&mut all, asked.workload)?;
    let line = |one: &Diagnosis| {
        let ObjectRef { kind, namespace, name } = &one.workload;
        (format!("{}/{name} in {namespace}", kind.singular()), headline(&one.verdict).to_string())
    };
    let others = [("not simulated", not_known(dump)), ("assumed", rests_on(dump))];
    let others = others.into_iter().filter(|(_, texts)| !texts.is_empty());
    let others = others.map(|(name, texts)| (name.to_owned(), Text::list("; ", texts).to_string()));
    Ok((all.iter().map(line).chain(others).collect(), status_of(dump, &all)))
}

/// The exit status: 1 if a workload needs somebody, else 3 if it is not known of one whether it does, else 0.
pub(crate) fn status(all: &[Diagnosis]) -> u8 {
    let any = |is: fn(&Diagnosis) -> bool| all.iter().any(is);
    match (any(|one| one.verdict.needs_help()), any(|one| one.verdict.is_open())) {
        (true, _) => 1,
        (false, true) => NOT_KNOWN,
        (false, false) => 0,
    }
}

/// The same, where there is none, or nothing is known of those that are too large to be simulated, or of kinds that are not.
pub(crate) fn status_of(dump: &Dump, all: &[Diagnosis]) -> u8 {
    match status(all) {
        0 if dump.leaves_out() || all.is_empty() => NOT_KNOWN,
        status => status,
    }
}

/// What was told of workloads so far: what is said alike of a pod of another is not told again.
#[derive(Default)]
struct Before(Vec<(String, String)>);

impl Before {
    /// The workload of which the same was told, if there was one; else it is told of this one now.
    fn of(&mut self, one: &Diagnosis, finding: &Finding) -> Option<String> {
        let (own, _) = gist_of(finding)?;
        let gist = format!("{} {}", finding.condition.name, own.replace(&*one.workload.name, ""));
        let name = format!("{}/{}", one.workload.kind.singular(), one.workload.name);
        match self.0.iter().find(|(known, _)| *known == gist) {
            Some((_, before)) => Some(before.clone()).filter(|before| *before != name),
            None => {
                self.0.push((gist, name));
                None
            }
        }
    }
}

/// The pods that a finding is about.
fn pods_of(finding: &Finding, others: &[String]) -> String {
    Text::names(finding.pod.as_deref().into_iter().chain(others.iter().map(String::as_str))).to_string()
}

/// What the controller would do next, in the page's words.
fn text_if_cleared(one: &Diagnosis) -> String {
    format!("If that cleared: {}", one.next)
}

/// Where the controller of a workload stands, and what it does next.
fn standing(out: &mut Printed, one: &Diagnosis, stands: &Stands) {
    if !one.verdict.is_well() {
        // Where findings tell the reason, it is not said again.
        let said = format!("  {}. {}", stands.explanation.headline, stands.explanation.reason);
        let _ = writeln!(out, "{}", said.trim_end());
    }
    if let Some(stop) = &one.stop {
        let pod = stop.pod.as_deref().map(|pod| format!(" at {pod}")).unwrap_or_default();
        let _ = writeln!(out, "  The sync stops{pod}: {}", stop.check);
        let _ = writeln!(out, "    {} ({})", stop.function, stop.file);
        if let Some(log) = &stands.log {
            let _ = writeln!(out, "    log: {log}");
        }
    }
    if !one.first.is_empty() {
        let _ = writeln!(out, "  {}", one.first);
    }
    if !one.next.is_empty() {
        let _ = writeln!(out, "  {}", text_if_cleared(one));
    }
    for line in one.never.iter().chain([&one.on_edit]).filter(|line| !line.is_empty()) {
        let _ = writeln!(out, "  {line}");
    }
}

/// The same as Markdown.
fn standing_in_markdown(out: &mut String, one: &Diagnosis, explanation: &Explanation) {
    let said = format!("**{}.** {}", plain(&explanation.headline), plain(&explanation.reason));
    let _ = writeln!(out, "{}\n", said.trim_end());
    if let Some(stop) = &one.stop {
        let _ = writeln!(out, "Stops in `{}` (`{}`): {}\n", stop.function, stop.file, plain(stop.check));
    }
    if !one.first.is_empty() {
        let _ = writeln!(out, "{}\n", plain(&one.first));
    }
    if !one.next.is_empty() {
        let _ = writeln!(out, "{}\n", plain(text_if_cleared(one)));
    }
    for line in one.never.iter().chain([&one.on_edit]).filter(|line| !line.is_empty()) {
        let _ = writeln!(out, "{}\n", plain(line));
    }
}

/// What is said, and where the text has what it rests on.
struct Told<'a> {
    dump: &'a Dump,
    all: &'a [Diagnosis],
    /// Where the controllers of these stand.
    stands: &'a [Stands],
    places: &'a Places,
    /// The line that tries what could be done.
    ways_out: &'a str,
    /// What was read, by its name, if its lines are shown.
    source: Option<(&'a str, &'a str)>,
}

impl Told<'_> {
    /// What the text says, which has its own clock; and what the run says where the text has nothing.
    fn seen(&self, one: &Evidence) -> (Value, Option<usize>) {
        match self.places.find(&one.object, &one.path) {
            Some(place) => (place.value.clone().unwrap_or_else(|| one.value.clone()), Some(place.line)),
            None => (one.value.clone(), None),
        }
    }

    fn evidence(&self, finding: &Finding) -> impl Iterator<Item = String> {
        finding.evidence.iter().map(|one| {
            let (value, line) = self.seen(one);
            let line = line.map(|line| format!(" (line {line})")).unwrap_or_default();
            format!("{}/{} {} = {value}{line}", one.object.kind.singular(), one.object.name, one.path)
        })
    }

    /// A finding with the lines that show it, as compilers tell of one.
    fn finding(&self, finding: &Finding, others: &[String], (name, text): (&str, &str)) -> Group<'static> {
        let level = match finding.gravity {
            Gravity::Stuck => Level::ERROR,
            Gravity::Waiting => Level::WARNING,
            Gravity::Notice => Level::INFO,
        };
        let title =
            level.with_name(finding.gravity.words().to_string()).primary_title(shown(&finding.text.to_string()));
        let mut group = Group::with_title(title.id(finding.condition.name));
        for one in &finding.evidence {
            let (value, line) = self.seen(one);
            let what = format!("{}/{} {}", one.object.kind.singular(), one.object.name, one.path);
            group = match line {
                Some(line) => group.element(line_of(text, line, &what).path(name.to_owned())),
                None => group.element(Level::NOTE.message(shown(&format!("{what} = {value}")))),
            };
        }
        let cause = format!("cause: {}", finding.cause.words());
        let likewise = if others.is_empty() { String::new() } else { format!("likewise: {}", Text::names(others)) };
        let notes = [likewise, cause, finding.mistaken_for.to_string(), finding.condition.issue.to_owned()];
        group.elements(notes.into_iter().filter(|note| !note.is_empty()).map(|note| Level::NOTE.message(shown(&note))))
    }

    fn text(&self) -> Printed {
        let mut out = Printed::default();
        for line in not_known(self.dump) {
            let _ = writeln!(out, "{line}");
        }
        for line in nothing(self.dump, self.all.len()) {
            let _ = writeln!(out, "{line}");
        }
        let mut told = Before::default();
        for (one, stands) in self.all.iter().zip(self.stands) {
            let name = format!("{}/{}", one.workload.kind.singular(), one.workload.name);
            let _ = writeln!(out, "{name} (namespace {}): {}", one.workload.namespace, headline(&one.verdict));
            // A known cause says more than where the controller waits for what it causes.
            let is_explained = one.cause().is_some();
            if !is_explained {
                standing(&mut out, one, stands);
            }
            let findings: Vec<(&Finding, &[String])> = one.told_once().collect();
            if let Some(source) = self.source {
                let groups: Vec<Group<'_>> =
                    findings.iter().map(|(finding, others)| self.finding(finding, others, source)).collect();
                groups.iter().for_each(|group| out.snippet(group));
            }
            for (finding, others) in findings.into_iter().filter(|_| self.source.is_none()) {
                if let Some(before) = told.of(one, finding) {
                    let pods = pods_of(finding, others);
                    let _ = writeln!(out, "  * {}: {pods}: as told of {before} above", finding.gravity.words());
                    let _ = writeln!(out, "    [{}: {}]", finding.cause.words(), finding.condition.name);
                    continue;
                }
                let _ = writeln!(out, "  * {}: {}", finding.gravity.words(), finding.text);
                if !others.is_empty() {
                    let _ = writeln!(out, "    Likewise: {}", Text::names(others));
                }
                let _ = writeln!(out, "    [{}: {}]", finding.cause.words(), finding.condition.name);
                if !finding.mistaken_for.is_empty() {
                    let _ = writeln!(out, "    {}", finding.mistaken_for);
                }
                for line in self.evidence(finding) {
                    let _ = writeln!(out, "    {line}");
                }
                if !finding.condition.issue.is_empty() {
                    let _ = writeln!(out, "    {}", finding.condition.issue);
                }
            }
            if is_explained {
                standing(&mut out, one, stands);
            }
            let _ = out.write_str(&written(&without_node(&one.without_node, 1)));
            for line in &one.unsettled {
                let _ = writeln!(out, "  {line}");
            }
        }
        self.assumptions(&mut out, "Assumed:", ["  ", "    "], ToString::to_string);
        if self.all.iter().any(|one| one.verdict.is_open()) {
            let _ = writeln!(out, "\nWhat would help: {}", self.ways_out);
        }
        out
    }

    fn assumptions(
        &self,
        out: &mut dyn fmt::Write,
        title: &str,
        [indent, further]: [&str; 2],
        words: fn(&Text) -> String,
    ) {
        let dump = self.dump;
        let _ = writeln!(out, "\n{title}");
        let texts = |is_overruled: bool| {
            let all = dump.assumptions.iter().filter(move |one| one.is_overruled == is_overruled);
            all.map(|one| &one.text)
        };
        for text in texts(true) {
            let _ = writeln!(out, "{indent}{} (you say otherwise)", words(text));
        }
        for (text, others) in alike(texts(false)) {
            let _ = writeln!(out, "{indent}{}", words(text));
            if !others.is_empty() {
                let _ = writeln!(out, "{further}Likewise: {}", words(&Text::names(others)));
            }
        }
        if let Some(text) = said_release(dump) {
            let _ = writeln!(out, "{indent}{}", words(&text));
        }
        let left = dump.left_out().count();
        if left > 0 {
            let objects = if left == 1 { "object" } else { "objects" };
            let _ = writeln!(out, "{indent}{left} {objects} of kinds that are not simulated left out.");
        }
    }

    fn markdown(&self) -> String {
        let mut out = String::new();
        for line in not_known(self.dump) {
            let _ = writeln!(out, "{}\n", plain(line));
        }
        for line in nothing(self.dump, self.all.len()) {
            let _ = writeln!(out, "{}\n", plain(line));
        }
        let mut told = Before::default();
        for (one, Stands { explanation, .. }) in self.all.iter().zip(self.stands) {
            let name = format!("{}/{}", one.workload.kind.singular(), one.workload.name);
            let _ = writeln!(out, "## {}: {}\n", code(&name), plain(headline(&one.verdict)));
            let is_explained = one.cause().is_some();
            if !is_explained {
                standing_in_markdown(&mut out, one, explanation);
            }
            for (finding, others) in one.told_once() {
                if let Some(before) = told.of(one, finding) {
                    let pods = plain(pods_of(finding, others));
                    let _ =
                        writeln!(out, "- **{}** {pods}: as told of {} above", finding.condition.name, code(&before));
                    continue;
                }
                let _ = writeln!(out, "- **{}** {}", finding.condition.name, plain(&finding.text));
                if !others.is_empty() {
                    let _ = writeln!(out, "  - Likewise: {}", plain(Text::names(others)));
                }
                for line in self.evidence(finding) {
                    let _ = writeln!(out, "  - {}", code(line));
                }
            }
            out.push('\n');
            if is_explained {
                standing_in_markdown(&mut out, one, explanation);
            }
            out.push_str(&no_node::markdown(&one.without_node));
            for line in &one.unsettled {
                let _ = writeln!(out, "{}\n", plain(line));
            }
        }
        self.assumptions(&mut out, "### Assumed", ["- ", "  - "], |words| plain(words));
        out
    }

    fn value(&self) -> DiagnoseValue {
        DiagnoseValue {
            schema_version: SCHEMA_VERSION,
            oversized: OversizedValue::all(self.dump),
            not_followed: NotFollowedValue::all(self.dump),
            workloads: self.all.iter().zip(self.stands).map(|(one, stands)| self.stands_value(one, stands)).collect(),
            assumptions: holding(self.dump).iter().map(ToString::to_string).collect(),
            not_simulated: self.dump.left_out().map(|kept| format!("{}/{}", kept.kind, kept.name)).collect(),
        }
    }

    fn stands_value(&self, one: &Diagnosis, Stands { explanation, log }: &Stands) -> StandsValue {
        let after = match one.verdict.ends {
            Ends::ByItself { after } if !one.verdict.is_well() => Some(after),
            _ => None,
        };
        let stop = |stop: &Stop| StopValue {
            pod: stop.pod.as_deref().map(str::to_owned),
            check: stop.check,
            function: stop.function,
            file: stop.file,
            log: log.clone(),
        };
        StandsValue {
            kind: one.workload.kind.as_str(),
            api_version: one.workload.kind.api_version(),
            namespace: one.workload.namespace.to_string(),
            name: one.workload.name.to_string(),
            health: one.verdict.word(),
            recovers_after_milliseconds: after,
            shortfall: one.verdict.shortfall,
            headline: explanation.headline.to_string(),
            reason: explanation.reason.to_string(),
            stop: one.stop.as_ref().map(stop),
            first: one.first.to_string(),
            next: one.next.to_string(),
            on_edit: one.on_edit.to_string(),
            never: one.never.iter().map(ToString::to_string).collect(),
            findings: one.findings.iter().map(|finding| self.finding_value(finding)).collect(),
            without_node: one.without_node.iter().map(NoNodeValue::from).collect(),
            unsettled: one.unsettled.iter().map(ToString::to_string).collect(),
        }
    }

    fn finding_value(&self, finding: &Finding) -> FindingValue {
        let evidence = |one: &Evidence| {
            let (value, line) = self.seen(one);
            EvidenceValue {
                kind: one.object.kind.as_str(),
                name: one.object.name.to_string(),
                path: one.path.to_string(),
                value,
                line,
            }
        };
        FindingValue {
            condition: finding.condition.name,
            gravity: finding.gravity,
            cause: finding.cause,
            pod: finding.pod.as_deref().map(str::to_owned),
            text: finding.text.to_string(),
            is_not: finding.mistaken_for.to_string(),
            issue: finding.condition.issue,
            evidence: finding.evidence.iter().map(evidence).collect(),
        }
    }
}
