//! `setscope rollout`: what a change of manifests would do, before anybody applies it.

use crate::command::{Form, Output};
use crate::input::{read, words};
use serde_json::{Value, json};
use setscope::diagnosis::shortfall;
use setscope::objects::{Kind, Object, ObjectRef, Pod};
use setscope::reconcile::Release;
use setscope::session::{Command, Session};
use setscope::sim::Behavior;
use setscope::view::{clock, sets, standing};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// How long a run is followed, in milliseconds and in moves.
const LONGEST: (i64, u64) = (3_600_000, 50_000);

#[derive(clap::Args)]
pub(crate) struct Args {
    /// What is there, and then what is applied over it, one after the other; `-` is standard input.
    #[arg(short, long = "filename", required = true, num_args = 1, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The release of the control plane, such as v1.36.
    #[arg(long, value_parser = release)]
    release: Option<Release>,
    /// How many nodes there are.
    #[arg(long, default_value_t = 3)]
    nodes: usize,
    /// An image whose containers never become ready.
    #[arg(long, value_name = "IMAGE")]
    never_ready: Vec<String>,
    /// What is printed.
    #[arg(short, long, value_enum, default_value_t = Form::Text)]
    output: Form,
}

fn release(text: &str) -> Result<Release, String> {
    let known = Release::ALL.into_iter().find(|release| release.name() == text || release.name() == format!("v{text}"));
    let names = || Release::ALL.map(|release| release.name()).join(", ");
    known.ok_or_else(|| format!("there is no release {text} here, only {}", names()))
}

/// What happens to a pod.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Created,
    Ready,
    NotReady,
    Terminating,
    Gone,
    ChangedInPlace,
}

impl What {
    fn words(self) -> &'static str {
        match self {
            Self::Created => "is created",
            Self::Ready => "is Ready",
            Self::NotReady => "is no longer Ready",
            Self::Terminating => "is deleted",
            Self::Gone => "is gone",
            Self::ChangedInPlace => "is changed in place",
        }
    }
}

/// One thing that happens, so many milliseconds after the change.
struct Happening {
    after: i64,
    pod: Rc<str>,
    what: What,
}

/// How a workload goes through the change.
struct Course {
    workload: ObjectRef,
    desired: i32,
    most_unavailable: i32,
    /// None if it is never as it is asked to be.
    done_after: Option<i64>,
    /// Where it stands if it is not.
    stands: String,
}

struct Rollout {
    happenings: Vec<Happening>,
    courses: Vec<Course>,
}

impl Rollout {
    fn is_done(&self) -> bool {
        self.courses.iter().all(|course| course.done_after.is_some())
    }
}

/// A pod as far as a rollout is about it: its uid, its images, whether it is Ready and whether it terminates.
type Seen = (Rc<str>, Vec<Rc<str>>, bool, bool);

fn seen(session: &Session) -> BTreeMap<Rc<str>, Seen> {
    let one = |pod: &Rc<Pod>| {
        let images = pod.spec.containers.iter().map(|container| Rc::clone(&container.image)).collect();
        let seen = (Rc::clone(&pod.metadata.uid), images, pod.is_ready(), pod.is_terminating());
        (Rc::clone(&pod.metadata.name), seen)
    };
    session.cluster().pods().map(one).collect()
}

/// What happened to pods between two moments.
fn changes(before: &BTreeMap<Rc<str>, Seen>, after: &BTreeMap<Rc<str>, Seen>) -> Vec<(Rc<str>, What)> {
    let mut all = Vec::new();
    for name in before.keys().chain(after.keys()).collect::<BTreeSet<_>>() {
        let mut put = |what| all.push((Rc::clone(name), what));
        match (before.get(name), after.get(name)) {
            (Some(_), None) => put(What::Gone),
            (None, Some(_)) => put(What::Created),
            (Some(old), Some(new)) if old.0 != new.0 => {
                put(What::Gone);
                put(What::Created);
            }
            (Some(old), Some(new)) => {
                if !old.3 && new.3 {
                    put(What::Terminating);
                }
                if old.1 != new.1 {
                    put(What::ChangedInPlace);
                }
                match (old.2, new.2) {
                    (false, true) => put(What::Ready),
                    // A pod that terminates has said so already.
                    (true, false) if !new.3 => put(What::NotReady),
                    _ => {}
                }
            }
            (None, None) => {}
        }
    }
    all
}

fn workloads(session: &Session) -> Vec<ObjectRef> {
    let is_own = |set: &ObjectRef| {
        let object = session.cluster().get(set);
        object.is_ok_and(|object| !(set.kind == Kind::ReplicaSet && object.metadata().controller_of().is_some()))
    };
    sets(session.cluster()).into_iter().filter(is_own).collect()
}

/// Follows the run until every workload is as it is asked to be, or nothing more comes.
fn follow(session: &mut Session) -> Rollout {
    let (began, first) = (session.cluster().now().0, session.position().0);
    let mut courses: Vec<Course> = Vec::new();
    let mut happenings = Vec::new();
    let mut last = seen(session);
    loop {
        let after = session.cluster().now().0 - began;
        for workload in workloads(session) {
            let Ok(object) = session.cluster().get(&workload) else { continue };
            let missing = shortfall(session.cluster(), object);
            let at = courses.iter().position(|course| course.workload == workload).unwrap_or_else(|| {
                let desired = object.desired();
                courses.push(Course {
                    workload,
                    desired,
                    most_unavailable: 0,
                    done_after: None,
                    stands: String::new(),
                });
                courses.len() - 1
            });
            let course = &mut courses[at];
            course.desired = object.desired();
            course.most_unavailable = course.most_unavailable.max(missing.unavailable);
            course.done_after = if missing.is_none() { course.done_after.or(Some(after)) } else { None };
        }
        let is_done = courses.iter().all(|course| course.done_after.is_some());
        let due = session.cluster().next_event_at().is_some_and(|at| at.0 <= began + LONGEST.0);
        if is_done || !due || session.position().0 > first + LONGEST.1 {
            break;
        }
        session.step();
        let now = seen(session);
        let after = session.cluster().now().0 - began;
        happenings.extend(changes(&last, &now).into_iter().map(|(pod, what)| Happening { after, pod, what }));
        last = now;
    }
    for course in courses.iter_mut().filter(|course| course.done_after.is_none()) {
        let explanation = standing(session, &course.workload).explanation;
        course.stands = format!("{}. {}", explanation.headline, explanation.reason);
    }
    Rollout { happenings, courses }
}

fn images(object: &Object) -> Vec<Rc<str>> {
    let containers = object.template().map(|template| &template.spec.containers);
    containers.into_iter().flatten().map(|container| Rc::clone(&container.image)).collect()
}

/// The workloads whose template the change touches.
fn changed(start: &Session, done: &Session) -> Vec<ObjectRef> {
    let is_changed = |set: &ObjectRef| {
        let of = |session: &Session| session.cluster().get(set).ok().and_then(|object| object.template().cloned());
        of(start) != of(done)
    };
    workloads(done).into_iter().filter(is_changed).collect()
}

/// Images of workloads' templates.
fn images_of(session: &Session, workloads: &[ObjectRef]) -> BTreeSet<Rc<str>> {
    workloads.iter().filter_map(|set| session.cluster().get(set).ok()).flat_map(images).collect()
}

fn never_ready(session: &mut Session, image: &str) -> Result<(), String> {
    let command = Command::SetBehavior { image: image.into(), behavior: Behavior::NeverReady };
    session.command(command).map_err(|refusal| words(&refusal))
}

/// The pods that are Ready at a moment stay so, whatever their image does to others.
fn keep_ready(session: &mut Session, at: &Session) -> Result<(), String> {
    for pod in at.cluster().pods().filter(|pod| pod.is_ready()) {
        let (namespace, name) = (Rc::clone(&pod.metadata.namespace), Rc::clone(&pod.metadata.name));
        let pod = ObjectRef { kind: Kind::Pod, namespace, name };
        session.command(Command::SetReady { pod, ready: true }).map_err(|refusal| words(&refusal))?;
    }
    Ok(())
}

pub(crate) fn run(args: &Args) -> Output {
    let [first, others @ ..] = &args.files[..] else { return Err("give what is there and what is applied".to_owned()) };
    if others.is_empty() {
        return Err("give two files: -f what is there, and -f what is applied over it".to_owned());
    }
    let mut session = Session::empty(args.release.unwrap_or_default(), 1, args.nodes);
    args.never_ready.iter().try_for_each(|image| never_ready(&mut session, image))?;
    let apply = |session: &mut Session, file: &PathBuf| -> Result<Result<(), String>, String> {
        let manifest: Rc<str> = read(file)?.into();
        Ok(session
            .command(Command::Apply { manifest })
            .map_err(|refusal| format!("{}: {}", file.display(), words(&refusal))))
    };
    apply(&mut session, first)??;
    let before = follow(&mut session);
    if let Some(course) = before.courses.iter().find(|course| course.done_after.is_none()) {
        return Err(format!("{}: it does not get well before anything is changed: {}", first.display(), course.stands));
    }
    let mut out = Told::new(args.output);
    let mut status = 0;
    for file in others {
        let start = session.clone();
        if let Err(refused) = apply(&mut session, file)? {
            out.refused(&refused);
            return Ok((out.end(), 1));
        }
        let rollout = follow(&mut session);
        let trial = if_not_ready(&start, file, &session)?;
        status |= u8::from(!rollout.is_done());
        out.tell(&rollout, trial.as_ref());
        if !rollout.is_done() {
            break;
        }
    }
    Ok((out.end(), status))
}

/// A change whose containers do not become ready.
struct Trial {
    rollout: Rollout,
    /// Images that nothing had before; none if only other fields of a template change.
    new_images: BTreeSet<Rc<str>>,
}

/// The same change if what it starts never becomes ready: its new images, or the templates' images from here on where it brings
/// none. Nothing if it leaves the templates as they are.
fn if_not_ready(start: &Session, file: &Path, done: &Session) -> Result<Option<Trial>, String> {
    let changed = changed(start, done);
    if changed.is_empty() {
        return Ok(None);
    }
    let (old, all) = (images_of(start, &workloads(start)), images_of(done, &changed));
    let new_images: BTreeSet<Rc<str>> = all.difference(&old).cloned().collect();
    let tried = if new_images.is_empty() { &all } else { &new_images };
    let mut session = start.clone();
    tried.iter().try_for_each(|image| never_ready(&mut session, image))?;
    keep_ready(&mut session, start)?;
    let manifest: Rc<str> = read(file)?.into();
    session.command(Command::Apply { manifest }).map_err(|refusal| words(&refusal))?;
    Ok(Some(Trial { rollout: follow(&mut session), new_images }))
}

/// What is printed.
struct Told {
    form: Form,
    out: String,
    values: Vec<Value>,
}

impl Told {
    fn new(form: Form) -> Self {
        Self { form, out: String::new(), values: Vec::new() }
    }

    fn refused(&mut self, words: &str) {
        let _ = writeln!(self.out, "The API server refuses the change: {words}");
        self.values.push(json!({ "refused": words }));
    }

    fn tell(&mut self, rollout: &Rollout, trial: Option<&Trial>) {
        let name = |course: &Course| format!("{}/{}", course.workload.kind.singular(), course.workload.name);
        let value = |rollout: &Rollout| {
            let course = |course: &Course| {
                json!({
                    "kind": course.workload.kind.as_str(), "namespace": &*course.workload.namespace, "name": &*course.workload.name,
                    "desired": course.desired, "mostUnavailable": course.most_unavailable,
                    "doneAfterMilliseconds": course.done_after, "stands": course.stands,
                })
            };
            let happening =
                |one: &Happening| json!({ "afterMilliseconds": one.after, "pod": &*one.pod, "what": one.what.words() });
            json!({
                "workloads": rollout.courses.iter().map(course).collect::<Vec<_>>(),
                "happenings": rollout.happenings.iter().map(happening).collect::<Vec<_>>(),
            })
        };
        self.values.push(json!({ "change": value(rollout), "ifNotReady": trial.map(|trial| value(&trial.rollout)) }));
        let (bullet, code) = if matches!(self.form, Form::Md) { ("- ", "`") } else { ("  ", "") };
        let out = &mut self.out;
        for one in &rollout.happenings {
            let _ = writeln!(
                out,
                "{bullet}{:>10}  {code}{}{code} {}",
                clock(one.after).to_string(),
                one.pod,
                one.what.words()
            );
        }
        if rollout.happenings.is_empty() {
            let _ = writeln!(out, "{bullet}No pod is touched.");
        }
        let _ = writeln!(out);
        for course in &rollout.courses {
            let most = format!("at most {} of {} not ready", course.most_unavailable, course.desired);
            let end = match course.done_after {
                Some(after) => format!("done after {}, {most}", clock(after)),
                None => format!("gets stuck, {most}: {}", course.stands),
            };
            let _ = writeln!(out, "{code}{}{code}: {end}", name(course));
        }
        match trial {
            Some(trial) => {
                let what = if trial.new_images.is_empty() {
                    "If what the changed template starts does not become ready (pods that are Ready by then stay so)"
                } else {
                    "If the new image does not become ready"
                };
                let _ = writeln!(out, "\n{what}:\n");
                for course in &trial.rollout.courses {
                    let end = match course.done_after {
                        Some(_) => "is not affected".to_owned(),
                        None => format!(
                            "gets stuck with {} of {} not ready: {}",
                            course.most_unavailable, course.desired, course.stands
                        ),
                    };
                    let _ = writeln!(out, "{bullet}{code}{}{code} {end}", name(course));
                }
            }
            None => {
                let _ = writeln!(out, "The change touches no template, so a failing one was not tried.");
            }
        }
    }

    fn end(self) -> String {
        if matches!(self.form, Form::Json) { format!("{:#}\n", Value::Array(self.values)) } else { self.out }
    }
}
