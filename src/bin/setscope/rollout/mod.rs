//! `setscope rollout`: what a change of manifests would do, before anybody applies it.

mod before;
mod beside;
mod ci;
mod course;
mod lacks;
mod named;
mod told;
mod values;
mod volumes;
mod ways;

pub(crate) use values::RolloutValue;

use crate::command::{NOT_KNOWN, Output, release};
use crate::input::words;
use crate::release::gate;
use before::{Before, File, Plane, never_ready};
use clap::ValueEnum;
use course::{Rollout, asked, follow, workloads};
use setscope::bounds;
use setscope::objects::{Kind, Object, ObjectRef};
use setscope::releases::Release;
use setscope::session::{Command, Session};
use setscope::trial::{cut_off, services};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::rc::Rc;
use told::Told;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// What is there, and then what is applied over it, one after the other; `-` is standard input. As somebody wrote it, or as
    /// `kubectl get -o yaml` prints it; with pods, the whole cluster goes on from there. One file alone, or one over a file without a
    /// workload, is a first rollout.
    #[arg(short, long = "filename", required = true, num_args = 1, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The release of the control plane, such as v1.36.
    #[arg(long, value_parser = release)]
    release: Option<Release>,
    /// Tries the change under two releases, this one and that of --to, and says where they part.
    #[arg(long, value_parser = release, value_name = "VERSION", requires = "to", conflicts_with = "release")]
    from: Option<Release>,
    /// The release that is to run.
    #[arg(long, value_parser = release, value_name = "VERSION", requires = "from")]
    to: Option<Release>,
    /// A feature gate of the release that runs, such as MaxUnavailableStatefulSet=true. May be given several times.
    #[arg(long, value_parser = gate, value_name = "NAME=BOOL", requires = "from")]
    from_gate: Vec<(String, bool)>,
    /// A feature gate of the release that is to run.
    #[arg(long, value_parser = gate, value_name = "NAME=BOOL", requires = "to")]
    to_gate: Vec<(String, bool)>,
    /// How many nodes there are, or a file with what `kubectl get nodes -o yaml` prints. Without it, the nodes in the files, else 3.
    #[arg(long, value_name = "N|FILE", value_parser = nodes)]
    nodes: Option<Nodes>,
    /// An image whose containers never become ready.
    #[arg(long, value_name = "IMAGE")]
    never_ready: Vec<String>,
    /// What is printed.
    #[arg(short, long, value_enum, default_value_t = Form::Text)]
    output: Form,
}

/// The form of what is printed.
#[derive(Clone, Copy, ValueEnum)]
enum Form {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// For an issue, a chat or the summary of a job.
    Md,
    /// For CI systems, as XML: a case for each workload.
    Junit,
    /// For code scanning: what is refused, gets stuck or stays as it is, at its line.
    Sarif,
}

/// The nodes of a cluster that is made up.
#[derive(Clone)]
enum Nodes {
    /// So many, all alike.
    Count(usize),
    /// Those of a file.
    File(PathBuf),
}

/// More nodes than a cluster may have.
const MOST_NODES: usize = bounds::NODES.most() as usize;

fn nodes(text: &str) -> Result<Nodes, String> {
    match text.parse::<usize>() {
        Ok(count) if count > MOST_NODES => Err(format!("at most {MOST_NODES} nodes are simulated")),
        Ok(count) => Ok(Nodes::Count(count)),
        Err(_) => Ok(Nodes::File(text.into())),
    }
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

/// The pods that are Ready at a moment stay so, whatever their image does to others.
fn keep_ready(session: &mut Session, at: &Session) -> Result<(), String> {
    for pod in at.cluster().pods().filter(|pod| pod.is_ready()) {
        let pod = Object::Pod(Rc::clone(pod)).reference();
        // Of one whose containers the text does not show no probe changes anything.
        if let Err(refusal) = session.command(Command::SetReady { pod, ready: true })
            && !refusal.is_own()
        {
            return Err(words(&refusal));
        }
    }
    Ok(())
}

pub(crate) fn run(args: &Args) -> Output {
    let mut files = args.files.iter().map(|path| File::read(path)).collect::<Result<Vec<_>, _>>()?;
    if let [only] = &files[..]
        && only.manifests.is_cluster()
    {
        return Err("give two files: -f what is there, and -f what is applied over it".to_owned());
    }
    if files.len() == 1 {
        files.insert(0, File::nothing());
    }
    let others = &files[1..];
    if let (Some(_), Some(_)) = (args.from, args.to) {
        let planes = [(args.from, &args.from_gate), (args.to, &args.to_gate)]
            .map(|(release, gates)| Plane { release, gates: gates.clone() });
        return beside::run(args, &planes, &files);
    }
    let plane = Plane { release: args.release, ..Plane::default() };
    let before = match Before::new(args, &plane, &files) {
        Ok(before) => before,
        Err(unfit) => return unfit.output(),
    };
    let Before { mut session, mut watched, set_aside, mut assumed, has_made_up_nodes } = before;
    let before = session.clone();
    let mut out = Told::new(args.output);
    let mut status = 0;
    let mut asks_for_pods = asks_for_pods(&session, &watched);
    for (at, file) in others.iter().enumerate() {
        let start = session.clone();
        if let Err(refused) = file.apply(&mut session, None) {
            if file.is_unreadable(&refused) {
                return Err(file.refused(&refused));
            }
            out.refused(file, &refused, ways::recreated(&start, file, &refused.problems, &watched).as_ref());
            out.left_out(&files, &set_aside, &assumed);
            return Ok((out.end()?.into(), 1));
        }
        let is_new = |workload: &ObjectRef| start.cluster().get(workload).is_err();
        watched.extend(workloads(&session).into_iter().filter(is_new));
        let mut rollout = follow(&mut session, &watched);
        let elsewhere = if rollout.is_done() { Vec::new() } else { volumes::wait_for_theirs(&session) };
        if !elsewhere.is_empty()
            && let Some((beside, done)) = volumes::beside_theirs(&start, file, &watched)?
        {
            out.depends(&elsewhere, &rollout);
            (session, rollout) = (beside, done);
        }
        asks_for_pods |= self::asks_for_pods(&session, &watched);
        if !asks_for_pods && rollout.is_done() {
            return Err(nothing_to_watch(&session, &watched));
        }
        let trial = if_not_ready(&start, file, &session, &watched)?;
        status = rollout.status();
        let kept = changed(&start, &session).into_iter();
        let kept: Vec<_> =
            kept.filter_map(|workload| ways::kept(&session, &workload).map(|why| (workload, why))).collect();
        out.tell(file, &rollout, trial.as_ref(), &kept);
        out.data(&ways::lost_claims(&start, &session));
        let cut_off = cut_off(&services(start.cluster()), [start.cluster(), session.cluster()]);
        if status == 0 && !cut_off.is_empty() {
            status = 1;
        }
        out.cut_off(&cut_off);
        if !rollout.is_done() {
            out.forward(&ways::forward(&session, &rollout));
            if !files[0].manifests.is_cluster() {
                let tried = &files[..=at + 1];
                let is_enough = |count| Before::comes_to_its_end(args, &plane, tried, count);
                out.lacks(lacks::to_give(&session, has_made_up_nodes.then_some(&is_enough)));
            }
            break;
        }
    }
    assumed.extend(named::told(before.cluster(), session.cluster(), &files));
    if status == 0 && named::is_open(before.cluster(), session.cluster(), &files) {
        status = NOT_KNOWN;
    }
    out.left_out(&files, &set_aside, &assumed);
    Ok((out.end()?.into(), status))
}

/// Whether one of the workloads asks for a pod.
fn asks_for_pods(session: &Session, workloads: &[ObjectRef]) -> bool {
    workloads.iter().filter_map(|workload| session.cluster().get(workload).ok()).any(|object| asked(object) > 0)
}

/// Why a rollout cannot be said to be well: there was no pod.
fn nothing_to_watch(session: &Session, workloads: &[ObjectRef]) -> String {
    let reason = |workload: &ObjectRef| match workload.kind {
        Kind::DaemonSet => {
            let nodes = session.cluster().nodes().count();
            let asked = session.cluster().get(workload).map(asked_of_nodes).unwrap_or_default();
            format!(
                "daemonset/{}: none of the {nodes} nodes suits it{asked}; `--nodes FILE` names a file with what `kubectl get nodes -o yaml` prints",
                workload.name
            )
        }
        kind => format!("{}/{} asks for no pods", kind.singular(), workload.name),
    };
    let reasons: Vec<String> = workloads.iter().map(reason).collect();
    format!("there is nothing to watch, so nothing can be said of the rollout: {}", reasons.join("; "))
}

/// What a workload's template asks of its nodes, if it names labels.
fn asked_of_nodes(workload: &Object) -> String {
    let selector = workload.value_at("spec.template.spec.nodeSelector");
    let labels = selector.as_object().into_iter().flatten();
    let labels: Vec<String> =
        labels.map(|(name, value)| format!("{name}={}", value.as_str().unwrap_or_default())).collect();
    if labels.is_empty() { String::new() } else { format!(" (its nodeSelector asks for {})", labels.join(", ")) }
}

/// A change whose containers do not become ready.
struct Trial {
    rollout: Rollout,
    /// Images that nothing had before; none if only other fields of a template change.
    new_images: BTreeSet<Rc<str>>,
}

/// The same change if what it starts never becomes ready: its new images, or the templates' images from here on where it brings
/// none. Nothing if it leaves the templates as they are.
fn if_not_ready(
    start: &Session,
    file: &File<'_>,
    done: &Session,
    watched: &[ObjectRef],
) -> Result<Option<Trial>, String> {
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
    file.apply(&mut session, None).map_err(|refusal| file.refused(&refusal))?;
    Ok(Some(Trial { rollout: follow(&mut session, watched), new_images }))
}
