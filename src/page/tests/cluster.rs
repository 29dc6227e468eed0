//! A real cluster's text opened in the page.

use super::{page, send};
use crate::diagnosis::{what_ends, written};
use crate::kubectl::Command;
use crate::page::{ClusterMsg, Dialog, Effect, Msg, Origin, RehearseMsg, ShareMsg, State, next_steps};
use crate::reconcile::Release;
use crate::session::dump::{About, Options};
use crate::sim::Failure;
use crate::view::Severity;
use std::rc::Rc;

pub(super) fn go_on(page: &mut State) {
    while page.opened.opening.is_some() {
        send(page, [Msg::Cluster(ClusterMsg::GoOn)]);
    }
}

pub(super) fn read(page: &mut State, text: &str) {
    send(page, [Msg::Cluster(ClusterMsg::Read(text.into()))]);
    go_on(page);
}

#[test]
fn what_cannot_be_opened_leaves_what_was_open() {
    let mut page = page();
    let set = "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: a, namespace: b}\nspec: {replicas: 0, serviceName: a, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: b}]}}}\n";
    read(&mut page, set);
    assert_eq!(page.sharing.dialog, Some(Dialog::Cluster));
    let opened = page.opened.opened.clone().unwrap();
    read(&mut page, "[");
    assert!(page.opened.problem.to_string().starts_with("The text was not opened: line"), "{}", page.opened.problem);
    assert!(Rc::ptr_eq(&opened, page.opened.opened.as_ref().unwrap()));
}

#[test]
fn nothing_is_called_well_without_a_workload_or_beside_a_node_that_is_not_ready() {
    let node = |ready: &str| {
        format!(
            "apiVersion: v1\nkind: Node\nmetadata: {{name: n1}}\nstatus: {{conditions: [{{type: Ready, status: {ready:?}}}]}}\n"
        )
    };
    let set = "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: a, namespace: b}\nspec: {replicas: 0, serviceName: a, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: b}]}}}\n";
    for (text, is_well, unready) in [
        (node("True"), false, 0),
        (node("Unknown"), false, 1),
        (format!("{set}---\n{}", node("True")), true, 0),
        (format!("{set}---\n{}", node("Unknown")), false, 1),
    ] {
        let mut page = page();
        read(&mut page, &text);
        let opened = page.opened.opened.as_ref().unwrap();
        assert_eq!((opened.is_well(), opened.unready_nodes().count()), (is_well, unready), "{text}");
    }
}

/// The worst that could be said of what is not known.
#[test]
fn nothing_is_called_well_beside_a_workload_that_is_too_large_to_be_known() {
    let set = |name: &str, replicas: i32| {
        format!(
            "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {{name: {name}, namespace: b}}\nspec: {{replicas: {replicas}, serviceName: a, selector: {{matchLabels: {{a: {name}}}}}, template: {{metadata: {{labels: {{a: {name}}}}}, spec: {{containers: [{{name: a, image: b}}]}}}}}}\n"
        )
    };
    let mut page = page();
    let small = set("small", 0);
    read(&mut page, &small);
    assert!(page.opened.opened.as_ref().unwrap().is_well());
    for text in [set("large", 200_000), format!("{small}---\n{}", set("large", 200_000))] {
        read(&mut page, &text);
        let opened = page.opened.opened.as_ref().unwrap();
        assert_eq!((opened.dump.oversized.len(), opened.is_well()), (1, false), "{text}");
    }
}

#[test]
fn a_text_is_opened_in_slices_and_until_then_what_was_open_stays() {
    let mut page = page();
    let node = |at: usize| format!("- {{apiVersion: v1, kind: Node, metadata: {{name: n{at}}}}}\n");
    let list = |nodes: usize| format!("items:\n{}kind: List\n", (0..nodes).map(node).collect::<String>());
    read(&mut page, &list(1));
    let before = page.opened.opened.clone().unwrap();
    assert_eq!(send(&mut page, [Msg::Cluster(ClusterMsg::Read(list(50).into()))]), [Effect::GoOn]);
    let mut percents = Vec::new();
    while let Some(opening) = &page.opened.opening {
        percents.push(opening.percent());
        assert!(Rc::ptr_eq(&before, page.opened.opened.as_ref().unwrap()));
        assert!(
            page.opened.shown().is_none(),
            "its diagnosis could be taken for that of the text that is being opened"
        );
        send(&mut page, [Msg::Cluster(ClusterMsg::GoOn)]);
    }
    assert!(page.opened.shown().is_some());
    assert!(percents.is_sorted() && percents[0] < 5 && percents.iter().any(|percent| (20..60).contains(percent)));
    assert_eq!(page.opened.opened.as_ref().unwrap().dump.objects.len(), 50);
    // Given up, it is as if it had not begun.
    send(&mut page, [Msg::Cluster(ClusterMsg::Read(list(70).into())), Msg::Cluster(ClusterMsg::GoOn)]);
    send(&mut page, [Msg::Cluster(ClusterMsg::Cancel)]);
    assert_eq!(send(&mut page, [Msg::Cluster(ClusterMsg::GoOn)]), []);
    assert_eq!(page.opened.shown().unwrap().dump.objects.len(), 50);
}

#[test]
fn an_assumption_is_said_otherwise_and_back() {
    let mut page = page();
    read(
        &mut page,
        "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {nodeName: n1, containers: [{name: a, image: b}]}\n",
    );
    let overruled = |page: &State| {
        let opened = page.opened.opened.clone().unwrap();
        opened.dump.assumptions.iter().filter(|one| one.is_overruled).map(|one| one.about.clone()).collect::<Vec<_>>()
    };
    for (failure, want) in [(Some(Failure::PowerLost), vec![About::Node("n1".into())]), (None, Vec::new())] {
        send(&mut page, [Msg::Cluster(ClusterMsg::Node("n1".into(), failure))]);
        go_on(&mut page);
        assert_eq!(overruled(&page), want);
    }
    assert_eq!(page.opened.opened.as_ref().unwrap().options, Options::default());
    // What is said while it is being opened again for what was said before is added to that.
    send(&mut page, [Msg::Cluster(ClusterMsg::Node("n1".into(), Some(Failure::PowerLost)))]);
    send(&mut page, [Msg::Cluster(ClusterMsg::Release(Release::V1_20))]);
    go_on(&mut page);
    assert_eq!(overruled(&page), [About::Release, About::Node("n1".into())]);
}

#[test]
fn ways_out_are_tried_in_slices_and_one_is_shown() {
    let mut page = page();
    let text = "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: web, namespace: prod}\nspec: {replicas: 1, serviceName: web, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {nodeSelector: {disk: none}, containers: [{name: a, image: b}]}}}\n---\napiVersion: v1\nkind: Node\nmetadata: {name: n1}\nspec: {unschedulable: true}\nstatus: {conditions: [{type: Ready, status: 'True'}]}\n";
    read(&mut page, text);
    let opened = page.opened.opened.clone().unwrap();
    let stuck = opened.workloads[0].workload.clone();
    let finding = &opened.workloads[0].findings[0];
    assert_eq!(finding.condition.name, "pod-about-to-be-made", "nothing has made it yet");
    assert_eq!(send(&mut page, [Msg::Cluster(ClusterMsg::Try(stuck.clone()))]), [Effect::GoOn]);
    while page.opened.trials.is_running() {
        send(&mut page, [Msg::Cluster(ClusterMsg::GoOn)]);
    }
    assert_eq!(page.opened.trials.ended, page.opened.trials.count);
    send(&mut page, [Msg::Cluster(ClusterMsg::ShowTried(0))]);
    assert_eq!((page.sharing.dialog, page.stage.set()), (None, Some(&stuck)));
}

fn rehearsed(page: &mut State, msg: RehearseMsg) -> String {
    send(page, [Msg::Rehearse(msg)]);
    while page.rehearsing.is_running() {
        send(page, [Msg::Cluster(ClusterMsg::GoOn)]);
    }
    page.rehearsing.said.as_ref().map(|said| written(said)).unwrap_or_default()
}

#[test]
fn lines_are_rehearsed_on_the_opened_text_and_what_they_lead_to_is_shown() {
    let mut page = page();
    read(&mut page, include_str!("../../../tests/what_ifs/shop.yaml"));
    send(&mut page, [Msg::Rehearse(RehearseMsg::Text(None))]);
    assert!(page.stage.session.is_of_text() && page.sharing.dialog == Some(Dialog::Rehearse));
    assert_eq!(rehearsed(&mut page, RehearseMsg::Lines("kubectl get pods".into())), "");
    assert!(page.rehearsing.problem.to_string().ends_with("nothing to try"), "{}", page.rehearsing.problem);
    let said = rehearsed(&mut page, RehearseMsg::Lines("kubectl scale sts web --replicas=2".into()));
    assert!(said.contains("  claims that go, with their data: data-web-2\n"), "{said}");
    let said = rehearsed(&mut page, RehearseMsg::Drain("node-a".into()));
    assert!(said.contains("never ends: eviction of web-0: Cannot evict pod"), "{said}");
    assert!(said.contains("node/node-a: stays cordoned"), "{said}");
    let before = page.stage.session.position();
    send(&mut page, [Msg::Rehearse(RehearseMsg::Show)]);
    assert_eq!(page.sharing.dialog, None);
    assert!(
        page.stage.session.position() > before && page.stage.session.cluster().is_draining("node-a"),
        "the branch is on the stage"
    );
}

/// Each question, with what its answer has to say of `shop.yaml`.
const ASKED: [(&str, &str); 18] = [
    (
        "A new image never gets Ready, and is rolled back",
        "stuck: nothing ends this by itself (web-2 is Running and not Ready)",
    ),
    ("A label and an annotation of it are changed", "changes nothing, because metadata of an object"),
    ("Resources of its containers are changed", "pods replaced, under the same names: web-2, web-1, web-0"),
    ("It is restarted with maxUnavailable 2", "pods replaced, under the same names: web-2, web-1, web-0"),
    ("It is scaled in to 2, by a person or an autoscaler", "claims that go, with their data: data-web-2"),
    ("Its volumes shall be larger: 2Gi", "resources.requests.storage of data-web-0, data-web-1, data-web-2: 1Gi → 2Gi"),
    ("Larger volumes, and then one more pod", "web-3 is Pending"),
    ("Its volumes shall be of another class", "keep storageClassName standard; the next claim comes with fast"),
    ("Its volumes shall have other attributes", "there is a VolumeAttributesClass gold"),
    ("One more claim template, and a label on the first", "The way that works, tried:"),
    ("It shall be Parallel", "it is another object of this name now"),
    ("It shall be an Advanced StatefulSet", "kubectl delete sts web --cascade=orphan\n  done"),
    ("A node is drained: node-a", "never ends: eviction of web-0: Cannot evict pod"),
    ("All nodes are drained, one by one", "not reached"),
    ("A zone loses power: zone-a", "web-0 is Terminating on node-a, which does not confirm that it stopped"),
    ("A node loses power: node-a", "web-0 is Terminating on node-a, which does not confirm that it stopped"),
    ("The control plane goes on to v1.37", "The control plane goes from v1.36 to v1.37.\n"),
    ("Something of a higher priority arrives", "important"),
];

#[test]
fn a_report_is_the_opened_text_without_its_names_or_says_why_there_is_none() {
    let mut page = page();
    let mut report = |text: &str| {
        read(&mut page, text);
        assert!(
            page.opened.report.text.is_empty() && page.opened.report.problem.is_empty(),
            "of this text, not of the last"
        );
        send(&mut page, [Msg::Cluster(ClusterMsg::Report)]);
        let mut percents = Vec::new();
        while let Some(percent) = page.opened.report.percent() {
            percents.push(percent);
            send(&mut page, [Msg::Cluster(ClusterMsg::GoOn)]);
        }
        assert!(percents.is_sorted(), "{percents:?}");
        let saved = send(&mut page, [Msg::Cluster(ClusterMsg::SaveReport)]);
        (page.opened.report.text.to_string(), page.opened.report.problem.to_string(), saved)
    };
    let (text, problem, saved) = report(include_str!("../../../tests/what_ifs/shop.yaml"));
    assert_eq!(problem, "");
    assert!(text.contains("kind: StatefulSet") && !text.contains("web") && !text.contains("shop"), "{text}");
    assert!(matches!(&saved[..], [Effect::Download { name, text: file }] if name.ends_with(".yaml") && *file == text));
    // In a table a name may stand anywhere.
    let (text, problem, saved) = report(include_str!("../../../tests/cases/d11-table-of-ended-pods.yaml"));
    assert!(text.is_empty() && saved.is_empty() && problem.contains("here begins a table"), "{problem}");
}

#[test]
fn undo_goes_back_to_the_text_and_no_further() {
    let mut page = page();
    read(&mut page, include_str!("../../../tests/what_ifs/shop.yaml"));
    send(&mut page, [Msg::Cluster(ClusterMsg::Show(None))]);
    let (given, moment) = (page.stage.session.commands_given(), page.stage.session.position());
    assert!(given > 1 && given == page.opened.began_with(&page.stage.session));
    send(&mut page, [Msg::Undo]);
    assert_eq!(page.stage.session.position(), moment);
    let set = page.stage.set().unwrap().clone();
    send(&mut page, [Msg::Send(Command::Scale { set, replicas: 2 }, Origin::Replicas), Msg::Step, Msg::Undo]);
    assert_eq!(page.stage.session.commands_given(), given);
}

#[test]
fn each_question_has_its_answer() {
    let mut page = page();
    read(&mut page, include_str!("../../../tests/what_ifs/shop.yaml"));
    let set = page.opened.opened.as_ref().unwrap().workloads.iter().find(|one| &*one.workload.name == "web").unwrap();
    let set = set.workload.clone();
    send(&mut page, [Msg::Rehearse(RehearseMsg::Text(None))]);
    page.choose(set);
    let asked: Vec<String> = page.stage.questions().iter().map(|question| question.asks.to_string()).collect();
    assert_eq!(asked, ASKED.map(|(asks, _)| asks));
    for (at, (asks, answer)) in ASKED.into_iter().enumerate() {
        send(&mut page, [Msg::Rehearse(RehearseMsg::Ask(at))]);
        assert!(
            !page.rehearsing.is_running() && page.rehearsing.said.is_none(),
            "{asks}: one looks at the lines first"
        );
        let lines = page.rehearsing.lines.clone();
        let said = rehearsed(&mut page, RehearseMsg::Lines(lines));
        assert!(said.contains(answer), "{asks}: {}\n{said}", page.rehearsing.problem);
    }
}

#[test]
fn a_rehearsal_keeps_the_text_that_it_began_with_and_ends_with_its_dialog() {
    let mut page = page();
    read(&mut page, include_str!("../../../tests/what_ifs/shop-scaled.yaml"));
    send(&mut page, [Msg::Rehearse(RehearseMsg::Text(None))]);
    let scale = || RehearseMsg::Lines("kubectl scale sts web --replicas=4".into());
    let said = rehearsed(&mut page, scale());
    assert!(said.contains("Assumed: what HorizontalPodAutoscaler web measures"), "{said}");
    send(&mut page, [Msg::Rehearse(scale()), Msg::Cluster(ClusterMsg::Leave)]);
    assert!(!page.stage.session.is_of_text() && page.rehearsing.is_running());
    while page.rehearsing.is_running() {
        send(&mut page, [Msg::Cluster(ClusterMsg::GoOn)]);
    }
    assert_eq!(page.rehearsing.said.as_ref().map(|all| written(all)), Some(said));
    send(&mut page, [Msg::Rehearse(RehearseMsg::Drain("node-a".into()))]);
    assert!(page.rehearsing.is_running());
    send(&mut page, [Msg::Share(ShareMsg::Show(None))]);
    assert!(!page.rehearsing.is_running());
}

#[test]
fn what_stands_worse_after_a_rehearsal_stands_out() {
    let mut page = page();
    read(&mut page, include_str!("../../../tests/what_ifs/shop.yaml"));
    send(&mut page, [Msg::Cluster(ClusterMsg::Show(None))]);
    let mut grave = |lines: &str| {
        rehearsed(&mut page, RehearseMsg::Lines(lines.into()));
        let said = page.rehearsing.said.iter().flat_map(|all| all.iter());
        said.filter(|one| one.is_grave).map(|one| one.text.to_string()).collect::<Vec<_>>()
    };
    let none = r#"kubectl patch sts web -p '{"spec":{"template":{"spec":{"nodeSelector":{"a":"none"}}}}}'"#;
    let stuck = grave(none);
    let begins: Vec<_> = stuck.iter().filter_map(|line| line.split_once(": ")).map(|(begins, _)| begins).collect();
    assert_eq!(begins, ["never ends", "after"], "{stuck:?}");
    assert_eq!(grave("kubectl delete pod web-0"), [""; 0]);
}

#[test]
fn a_node_is_rehearsed_on_the_run_that_is_on_the_stage() {
    let mut page = page();
    send(&mut page, [Msg::RunUntilSettled]);
    while page.is_moving() {
        send(&mut page, [Msg::Tick(1_000)]);
    }
    let (before, node) = (page.stage.session.cluster().fingerprint(), "node-a");
    let said = rehearsed(&mut page, RehearseMsg::Drain(node.into()));
    assert!(said.contains(&format!("node/{node}: stays cordoned")), "{said}");
    assert_eq!(page.stage.session.cluster().fingerprint(), before, "the stage's own run is as it was");
}

#[test]
fn a_cluster_on_the_stage_is_closed_and_what_was_there_is_there_again() {
    let mut page = page();
    send(&mut page, [Msg::StepSync, Msg::StepSync]);
    let (before, moment) = (page.stage.session.cluster().fingerprint(), page.stage.session.position());
    assert!(!page.stage.session.is_of_text());
    let set = "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: a, namespace: b}\nspec: {replicas: 0, serviceName: a, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: b}]}}}\n";
    for _ in 0..2 {
        read(&mut page, set);
        send(&mut page, [Msg::Cluster(ClusterMsg::Show(None))]);
        assert!(page.stage.session.is_of_text() && page.stage.set().is_some_and(|set| &*set.name == "a"));
    }
    send(&mut page, [Msg::Cluster(ClusterMsg::Leave)]);
    assert!(!page.stage.session.is_of_text());
    assert_eq!((page.stage.session.cluster().fingerprint(), page.stage.session.position()), (before, moment));
    assert!(page.stage.set().is_some_and(|set| &*set.name == "web"));
}

/// The worst that could be said of what is not known.
#[test]
fn nothing_is_called_well_beside_an_owner_of_pods_that_nobody_follows() {
    let mut page = page();
    read(
        &mut page,
        "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: b, uid: u, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: load, uid: j, controller: true}]}\nspec: {nodeName: n1, containers: [{name: a, image: b}]}\nstatus: {phase: Running, conditions: [{type: Ready, status: 'True'}], containerStatuses: [{name: a, ready: true, image: b, state: {running: {}}}]}\n",
    );
    let opened = page.opened.opened.as_ref().unwrap();
    assert_eq!((opened.dump.not_followed.len(), opened.is_well()), (1, false));
}

#[test]
fn nobody_is_invited_to_watch_what_does_not_end_by_itself() {
    let mut page = page();
    // Its pod on a lost node was replaced, and stays terminating there.
    read(&mut page, include_str!("../../../tests/cases/l07-upgrade-stands-with-one-node-lost.yaml"));
    let opened = page.opened.opened.clone().unwrap();
    let own = opened.workloads.iter().find(|one| &*one.workload.name == "system-upgrade-controller").unwrap();
    send(&mut page, [Msg::Cluster(ClusterMsg::Show(Some(own.workload.clone())))]);
    assert_eq!(page.stage.view.explanation.severity, Severity::Waiting, "it is available");
    assert!(next_steps(&page).is_some_and(|steps| steps.is_empty()));
}

#[test]
fn the_stage_says_of_an_opened_workload_what_its_diagnosis_says() {
    let claim = include_str!("../../../tests/cases/v10-block-storage-for-many-nodes.yaml");
    let row = claim.lines().find(|line| line.starts_with("home-assistant-code-config")).unwrap();
    // What holds it is told, though not of which of its claims.
    let two_claims = claim.replace(row, &format!("{row}\n{}", row.replace("code", "data")));
    for (text, severity) in [
        (include_str!("../../../tests/cases/e60-key-missing-for-init.yaml"), Severity::Stuck),
        (include_str!("../../../tests/cases/d11-table-of-ended-pods.yaml"), Severity::NotKnown),
        (include_str!("../../../tests/cases/c02.yaml"), Severity::Stuck),
        (include_str!("../../../tests/cases/q12-daemon-rejected-on-a-full-node.yaml"), Severity::Stuck),
        // Past its deadline: a rollout without progress, whose pods get Ready in the run.
        (include_str!("../../../tests/cases/e45-no-device-to-allocate.yaml"), Severity::Stuck),
        (include_str!("../../../tests/cases/h09-past-its-deadline-and-starting.yaml"), Severity::NotKnown),
        (claim, Severity::Stuck),
        (&two_claims, Severity::NotKnown),
    ] {
        let mut page = page();
        read(&mut page, text);
        send(&mut page, [Msg::Cluster(ClusterMsg::Show(None))]);
        assert_eq!(page.stage.view.explanation.severity, severity, "{:?}", page.stage.view.explanation);
        let opened = page.opened.opened.clone().unwrap();
        let own = opened.workloads.iter().find(|one| Some(&one.workload) == page.stage.set()).unwrap();
        let cause = own.cause();
        assert!(cause.is_some() || severity != Severity::Stuck, "{:?}", own.findings);
        let (said, ends) = (&page.stage.view.explanation, what_ends(&own.verdict));
        assert!(ends.is_empty() || said.resolution == ends, "{} is not {ends}", said.resolution);
        let stands = &opened.stands[opened.workloads.iter().position(|one| one.workload == own.workload).unwrap()];
        for reason in [&said.reason, &stands.explanation.reason] {
            let promises =
                ["later", "expected to be Ready", "being started"].iter().any(|words| reason.contains(words));
            assert!(!promises, "nothing is promised: {reason}");
        }
        assert!(next_steps(&page).is_some_and(|steps| steps.is_empty()), "nobody is invited to watch it come up");
        assert!(
            cause.is_none_or(|cause| page.stage.view.explanation.headline == cause.text),
            "the cause is the headline"
        );
        let moment = page.stage.session.position();
        send(&mut page, [Msg::RunUntilSettled, Msg::Tick(1_000), Msg::Toggle, Msg::Tick(1_000)]);
        assert!(severity != Severity::Stuck || page.stage.session.position() == moment, "there is nothing to run to");
        send(&mut page, [Msg::Step]);
        assert_eq!(page.stage.view.explanation.severity, severity, "{:?}", page.stage.view.explanation);
    }
}

#[test]
fn nothing_is_about_to_bind_a_claim_that_is_lost() {
    let mut page = page();
    read(&mut page, include_str!("../../../tests/cases/c14.yaml"));
    send(&mut page, [Msg::Cluster(ClusterMsg::Show(None))]);
    for _ in 0..20 {
        send(&mut page, [Msg::Step]);
        let said = &page.stage.view.explanation;
        assert_eq!(said.severity, Severity::Stuck, "{said:?}");
        assert!(!said.resolution.contains("about to be bound"), "{}", said.resolution);
    }
}

#[test]
fn a_workload_without_its_pods_is_told_by_its_status_and_not_by_pods_of_the_run() {
    let mut page = page();
    read(&mut page, include_str!("../../../tests/cases/i13-daemon-sets-alone.yaml"));
    send(&mut page, [Msg::Cluster(ClusterMsg::Show(None))]);
    let said = &page.stage.view.explanation;
    assert_eq!(said.severity, Severity::NotKnown);
    assert!(said.headline.starts_with("Ready by its status"), "{}", said.headline);
    assert!(said.reason.ends_with("The pods that are drawn are made by the simulation."), "{}", said.reason);
}
