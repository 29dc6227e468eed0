//! The controls of workloads without ordinals: fields, refusals, what is done to one pod.

use super::workloads::{daemon_set, deployment, field, image, in_place, seen, starter, surge};
use super::{give, settle};
use crate::objects::Kind;
use crate::session::{Command, Session, patch_of};
use crate::view::{PodAppearance, Severity, UpdateKind, pod_details};

#[test]
fn a_priority_is_said_where_it_decides() {
    let (mut session, set) = surge();
    let weights = r#"{"spec": {"updateStrategy": {"rollingUpdate": {"paused": true, "priorityStrategy":
        {"weightPriority": [{"weight": 30, "matchSelector": {"matchLabels": {"app": "surge"}}}]}}}}}"#;
    give(&mut session, Command::patch(set.clone(), weights.into()));
    image(&mut session, &set, "nginx:1.28");
    settle(&mut session);
    let (view, _) = seen(&session, &set);
    let next = &view.workload.next_updated;
    assert!(next.iter().all(|ranked| ranked.because == "its weight is 30"), "{next:?}");
    assert_eq!(
        (&*view.explanation.headline.to_string(), &*view.explanation.resolution.to_string()),
        ("Updates are paused", "Resume the updates.")
    );
    let controls = view.controls.unwrap_or_else(|| panic!("no controls"));
    assert_eq!(controls.set_acts[0].kubectl, "kubectl kruise rollout resume cloneset/surge");
}

#[test]
fn a_refused_field_is_refused_in_the_servers_words() {
    for ((mut session, set), path, value, words) in [
        (surge(), "updateStrategy.rollingUpdate.maxUnavailable", "many", "maxUnavailable"),
        (deployment(), "strategy.rollingUpdate.maxSurge", "0", "may not be 0 when `maxSurge` is 0"),
        (daemon_set(), "updateStrategy.rollingUpdate.maxUnavailable", "0", "cannot be 0 when maxSurge is 0"),
    ] {
        let patch = patch_of(path, value).into();
        let refused = session.command(Command::patch(set, patch));
        let said = refused.err().map(|refusal| refusal.problems[0].message()).unwrap_or_default();
        assert!(said.contains(words), "{path}: {said}");
    }
}

#[test]
fn each_field_says_its_present_value_as_kubectl_does() {
    for (session, set) in [in_place(), deployment(), daemon_set()] {
        let (view, _) = seen(&session, &set);
        let controls = view.controls.unwrap_or_else(|| panic!("no controls"));
        for field in &controls.more {
            assert_eq!(field.kubectl.contains("null"), field.value.is_empty(), "{field:?}");
            let command = crate::kubectl::parse(&field.kubectl, session.cluster());
            assert!(command.is_ok(), "{field:?}: {command:?}");
        }
    }
}

#[test]
fn a_pod_that_is_chosen_goes_first_or_is_replaced() {
    let (mut session, set) = surge();
    let (before, _) = seen(&session, &set);
    let doomed =
        before.workload.next_deleted.last().map_or_else(|| panic!("nobody ranked"), |ranked| ranked.name.clone());
    let act = |session: &Session, label: &str| {
        let told = pod_details(session, Some(&set), &doomed).unwrap();
        told.acts.into_iter().find(|act| act.label == label).unwrap_or_else(|| panic!("no {label}")).command
    };
    let scale_in = act(&session, "Scale in by this pod");
    give(&mut session, scale_in);
    settle(&mut session);
    let (_, less) = seen(&session, &set);
    assert_eq!((less.cards.len(), less.wanted), (3, 3));
    assert!(less.cards.iter().all(|card| *card.pod.name != *doomed));

    let (mut session, set) = surge();
    let replace = act(&session, "Let the controller replace it");
    give(&mut session, replace);
    settle(&mut session);
    let (_, same) = seen(&session, &set);
    assert_eq!((same.cards.len(), same.wanted), (4, 4));
    assert!(same.cards.iter().all(|card| *card.pod.name != *doomed));
}

#[test]
fn a_hook_holds_a_pod_until_its_label_is_taken_off_and_put_back() {
    let manifest = include_str!("../../../www/starters/clone-set-hooks.yaml");
    let (mut session, set) = starter(Kind::CloneSet, "hooked", manifest);
    image(&mut session, &set, "nginx:1.28");
    for _ in 0..3 {
        for (state, label) in [
            ("PreparingUpdate", "Hook: take off example.com/traffic=on"),
            ("Updated", "Hook: put on example.com/traffic=on"),
        ] {
            settle(&mut session);
            let (view, board) = seen(&session, &set);
            let held: Vec<_> = board.cards.iter().filter(|card| *card.pod.state == *state).collect();
            assert_eq!(held.len(), 1, "{state}: {:?}", view.explanation);
            let act = pod_details(&session, Some(&set), &held[0].pod.name).unwrap().acts.swap_remove(0);
            assert_eq!((act.label.to_string().as_str(), held[0].ringed), (label, true));
            let waits = format!("{} is {state} and waits at its hook until this is ", held[0].pod.name);
            assert!(view.explanation.reason.contains(&waits), "{:?}", view.explanation);
            give(&mut session, act.command);
        }
    }
    settle(&mut session);
    let (view, board) = seen(&session, &set);
    assert_eq!(view.explanation.severity, Severity::Settled);
    assert!(board.cards.iter().all(|card| card.pod.came == UpdateKind::InPlace && *card.pod.state == *"Normal"));
}

#[test]
fn a_list_in_json_ranks_pods_and_lets_one_go() {
    let (mut session, set) = surge();
    let (_, before) = seen(&session, &set);
    let name = before.cards[0].pod.name.clone();
    field(&mut session, &set, "scaleStrategy.podsToDelete", &format!(r#"["{name}"]"#));
    field(
        &mut session,
        &set,
        "updateStrategy.rollingUpdate.priorityStrategy.weightPriority",
        r#"[{"weight": 7, "matchSelector": {"matchLabels": {"app": "surge"}}}]"#,
    );
    settle(&mut session);
    let (view, after) = seen(&session, &set);
    assert!(after.cards.len() == 4 && after.cards.iter().all(|card| card.pod.name != name));
    let value = |path: &str| {
        let controls = view.controls.as_ref().unwrap_or_else(|| panic!("no controls"));
        controls.more.iter().find(|field| field.path.ends_with(path)).map(|field| field.value.clone())
    };
    assert!(value("weightPriority").is_some_and(|value| value.contains("\"weight\":7")));
    let both = patch_of("updateStrategy.rollingUpdate.priorityStrategy.orderPriority", r#"[{"orderedKey": "tier"}]"#);
    let refused = session.command(Command::patch(set.clone(), both.into()));
    let said = refused.err().map(|refusal| refusal.problems[0].message()).unwrap_or_default();
    assert!(said.contains("only one of weightPriority and orderPriority can be used"), "{said}");
    let unclosed = patch_of("scaleStrategy.podsToDelete", "[\"a\"").into();
    let refused = session.command(Command::patch(set, unclosed));
    assert!(refused.is_err_and(|refusal| refusal.problems[0].message().starts_with("unable to parse")));
}

#[test]
fn recreate_takes_the_limits_with_it_and_has_no_pod_of_both_templates() {
    let (mut session, set) = deployment();
    field(&mut session, &set, "strategy.type", "Recreate");
    image(&mut session, &set, "nginx:1.28");
    while session.step() {
        let (_, board) = seen(&session, &set);
        let live = board.cards.iter().filter(|card| card.pod.look != PodAppearance::Terminating);
        let letters: std::collections::BTreeSet<&str> = live.map(|card| &*card.pod.revision.letter).collect();
        assert!(letters.len() < 2, "{:#?}", board.cards);
    }
    let (_, last) = seen(&session, &set);
    assert!(last.cards.len() == 4 && last.cards.iter().all(|card| &*card.pod.tag == "1.28"));
}
