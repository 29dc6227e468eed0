use super::{opening, page, page_of, replicas, scale, scenario, send, work};
use crate::page::{Change, ComparisonMsg, Effect, InspectorMsg, Msg, Opening, ShareMsg, State, Target};
use crate::session::comparison;
use crate::session::variants::Variant;
use crate::sim::START;
use crate::view;
use std::rc::Rc;

fn lanes(msg: ComparisonMsg) -> Msg {
    Msg::Comparison(msg)
}

fn compared(name: &str) -> State {
    let page = page_of(Opening { addressed: Ok(Some(scenario(name))), ..opening() });
    assert!(page.lanes.is_some());
    page
}

/// How many replicas each lane has.
fn desired(page: &State) -> Vec<i32> {
    page.lanes.as_ref().unwrap().view.lanes.iter().map(|lane| lane.ready.1).collect()
}

fn refused(page: &State) -> Vec<String> {
    page.lanes.as_ref().unwrap().refused.iter().map(ToString::to_string).collect()
}

fn say(line: &str) -> [Msg; 2] {
    [lanes(ComparisonMsg::Typed(line.to_owned())), lanes(ComparisonMsg::Run)]
}

#[test]
fn each_offer_compares_the_present_run_and_leaves_it_as_it_was() {
    for (variant, name) in Variant::ALL {
        let mut page = page();
        let before = page.stage.session.cluster().fingerprint();
        let mut effects = send(&mut page, [Msg::Toggle, lanes(ComparisonMsg::With(variant))]);
        assert!(!page.playback.playing, "{name}");
        effects.extend(work(&mut page));
        let Some(comparison) = &page.lanes else {
            assert!(page.sharing.problem.starts_with(&format!("Not compared: {name}: ")), "{name}");
            continue;
        };
        assert!(comparison.view.lanes.len() >= 2 && !page.playback.playing, "{name}");
        assert!(effects.iter().any(|effect| matches!(effect, Effect::EnterAddress(_))), "{name}");
        let effects = send(&mut page, [lanes(ComparisonMsg::Close)]);
        assert!(page.lanes.is_none() && effects.contains(&Effect::LeaveAddress), "{name}");
        assert_eq!(page.stage.session.cluster().fingerprint(), before, "{name}");
    }
}

#[test]
fn a_command_is_for_all_lanes_or_for_the_chosen_one() {
    let mut page = compared("ordered-against-parallel");
    send(&mut page, [lanes(ComparisonMsg::Replicas(7))]);
    assert_eq!(desired(&page), [7, 7]);
    send(&mut page, [lanes(ComparisonMsg::Aim(Some(1))), lanes(ComparisonMsg::Replicas(6))]);
    assert_eq!(desired(&page), [7, 6]);
    send(&mut page, [lanes(ComparisonMsg::Aim(None))]);
    send(&mut page, say("scale sts web --replicas=4"));
    assert_eq!(desired(&page), [4, 4]);
    assert_eq!(page.lanes.as_ref().unwrap().line, "");
    assert_eq!(replicas(&page), 3, "the single run is as it was");
}

#[test]
fn a_refused_line_stays_to_be_put_right() {
    let mut page = compared("ordered-against-parallel");
    send(&mut page, say("scael sts web"));
    assert!(refused(&page)[0].contains("unknown command"), "{:?}", refused(&page));
    assert_eq!(page.lanes.as_ref().unwrap().line, "scael sts web");
    send(&mut page, say("get pods"));
    assert_eq!(refused(&page), ["Only lines that change something are taken here."]);
    send(&mut page, [lanes(ComparisonMsg::Read)]);
    assert_eq!(refused(&page), Vec::<String>::new());
}

#[test]
fn each_command_of_a_line_says_what_was_refused() {
    let mut page = compared("ordered-against-parallel");
    send(&mut page, [Msg::Seek(1_000)]);
    // Only with Parallel is the second pod there this early.
    send(&mut page, say("delete pod web-1 web-0"));
    assert_eq!(refused(&page).len(), 1, "{:?}", refused(&page));
    assert!(refused(&page)[0].contains("\"web-1\" not found"), "{:?}", refused(&page));
    send(&mut page, [lanes(ComparisonMsg::Replicas(4))]);
    assert_eq!(refused(&page), Vec::<String>::new());
}

#[test]
fn a_drain_that_stops_says_why() {
    let mut page = compared("four-workloads");
    let view = Rc::clone(&page.lanes.as_ref().unwrap().view);
    let of_daemons = view.lanes.iter().position(|lane| lane.is_by_node);
    let node = &view.lanes[0].nodes[0].name;
    send(&mut page, [lanes(ComparisonMsg::Aim(of_daemons))]);
    send(&mut page, say(&format!("drain {node}")));
    let said = refused(&page).join(" ");
    assert!(said.contains("cannot delete DaemonSet-managed Pods"), "{said}");
}

#[test]
fn a_refused_number_says_which_lane_refused_it() {
    let mut page = compared("ordered-against-parallel");
    let before = desired(&page);
    send(&mut page, [lanes(ComparisonMsg::Replicas(-1))]);
    let names: Vec<_> = page.lanes.as_ref().unwrap().view.lanes.iter().map(|lane| lane.name.clone()).collect();
    for (problem, name) in refused(&page).iter().zip(names) {
        assert!(problem.starts_with(&format!("{name}: ")), "{problem}");
    }
    assert_eq!((refused(&page).len(), desired(&page)), (2, before));
}

#[test]
fn what_every_lane_refuses_sets_nothing_going() {
    let mut page = compared("ordered-against-parallel");
    let asks = |replicas| lanes(ComparisonMsg::AndOn(Box::new(ComparisonMsg::Replicas(replicas))));
    let now = |page: &State| page.lanes.as_ref().unwrap().view.moments.0;
    let before = now(&page);
    send(&mut page, [asks(-1)]);
    assert_eq!((refused(&page).len(), page.playback.playing, now(&page)), (2, false, before));
    send(&mut page, [asks(4)]);
    while page.is_moving() {
        send(&mut page, [Msg::Tick(33)]);
    }
    assert!(refused(&page).is_empty() && now(&page) > before && page.lanes.as_ref().unwrap().view.settled);
}

#[test]
fn what_is_no_number_is_refused_in_words() {
    let mut page = compared("ordered-against-parallel");
    let before = desired(&page);
    for (typed, said) in [("2.5", "2.5 is not a whole number."), (" ", "A whole number is needed here.")] {
        send(&mut page, [lanes(ComparisonMsg::NotANumber(typed.to_owned()))]);
        assert_eq!((refused(&page), desired(&page)), (vec![said.to_owned()], before.clone()));
    }
}

#[test]
fn a_lane_can_be_copied_changed_and_removed() {
    let mut page = compared("ordered-against-parallel");
    change(&mut page, 0, Change::Copy);
    assert_eq!(desired(&page).len(), 3);
    change(&mut page, 1, Change::Release("v1.28".to_owned()));
    assert_eq!(page.lanes.as_ref().unwrap().view.lanes[1].release, "v1.28");
    change(&mut page, 1, Change::Manifest("kind: Nothing\n".to_owned()));
    assert!(refused(&page)[0].starts_with("Not started again: "), "{:?}", refused(&page));
    assert_eq!(desired(&page).len(), 3, "what was there stays");
    change(&mut page, 1, Change::Remove);
    assert_eq!((desired(&page).len(), refused(&page).len()), (2, 0));
}

#[test]
fn a_comparison_of_many_pods_goes_on_from_frame_to_frame_and_its_end_is_drawn() {
    let mut page = compared("ordered-against-parallel");
    send(&mut page, [Msg::Seek(0), lanes(ComparisonMsg::Replicas(60))]);
    assert!(page.lanes.as_ref().unwrap().has_many());
    let at = |page: &State| page.lanes.as_ref().map(|comparison| comparison.view.moments.0);
    send(&mut page, [Msg::Step]);
    assert!(at(&page) > Some(0) && page.needs_draw && !page.is_moving(), "a step is drawn at once");
    let effects = send(&mut page, [Msg::RunUntilSettled]);
    assert!(effects.contains(&Effect::StartTicks), "the input is answered first");
    while page.is_moving() {
        send(&mut page, [Msg::Tick(33)]);
    }
    assert!(page.lanes.as_ref().unwrap().view.settled, "the end is drawn");
}

#[test]
fn of_many_pods_the_last_moment_that_was_asked_for_is_gone_to() {
    let mut page = compared("ordered-against-parallel");
    send(&mut page, [Msg::Seek(0), lanes(ComparisonMsg::Replicas(60)), Msg::RunUntilSettled]);
    while page.is_moving() {
        send(&mut page, [Msg::Tick(33)]);
    }
    let at = |page: &State| page.lanes.as_ref().map(|comparison| comparison.view.moments.0);
    let end = at(&page);
    send(&mut page, [Msg::Seek(9_000), Msg::Seek(5_000), Msg::Seek(7_000)]);
    assert!(page.long_work.is_some() && at(&page) == end && page.under_way().is_none(), "nothing flickers");
    let mut seen = Vec::new();
    while page.is_moving() {
        send(&mut page, [Msg::Tick(33)]);
        seen.push(at(&page));
    }
    seen.dedup();
    assert_eq!(seen.split_off(seen.len() - 2), [Some(9_000), Some(7_000)]);
    // Whoever presses Play meanwhile plays on from there.
    send(&mut page, [Msg::Seek(3_000), Msg::Toggle]);
    (0..20).for_each(|_| _ = send(&mut page, [Msg::Tick(33)]));
    assert!(page.playback.playing && (Some(3_000)..Some(60_000)).contains(&at(&page)), "{:?}", at(&page));
}

/// Changes a lane, and lets the commands run again.
fn change(page: &mut State, at: usize, change: Change) {
    send(page, [lanes(ComparisonMsg::Change(at, change))]);
    work(page);
}

#[test]
fn while_a_changed_lane_runs_again_the_lanes_stay_as_they_were_and_a_command_ends_the_work() {
    let mut page = compared("ordered-against-parallel");
    let copy = || lanes(ComparisonMsg::Change(0, Change::Copy));
    send(&mut page, [copy()]);
    let words = page.long_work.as_ref().map(|work| work.words.to_string());
    assert_eq!(words.as_deref(), Some("Running the same commands again."));
    send(&mut page, [Msg::Tick(33)]);
    assert_eq!(desired(&page).len(), 2, "until it is done");
    send(&mut page, [lanes(ComparisonMsg::Replicas(7))]);
    assert!(page.long_work.is_none());
    work(&mut page);
    assert_eq!(desired(&page), [7, 7]);
    send(&mut page, [Msg::RunUntilSettled]);
    while page.playback.playing {
        send(&mut page, [Msg::Tick(33)]);
    }
    send(&mut page, [copy(), Msg::Toggle]);
    assert!(page.long_work.is_none() && !page.playback.playing, "Cancel");
    change(&mut page, 0, Change::Copy);
    assert_eq!(desired(&page), [7, 7, 7]);
}

#[test]
fn nothing_that_was_read_of_a_lane_is_taken_for_the_one_in_its_place() {
    let mut page = compared("ordered-against-parallel");
    let is_as_read_anew = |page: &State| {
        let comparison = page.lanes.as_ref().unwrap();
        *comparison.view == view::lanes(&comparison.lanes)
    };
    let changes: [fn() -> Change; 4] = [
        || Change::Policy("Parallel".to_owned()),
        || Change::Release("v1.17".to_owned()),
        || Change::Copy,
        || Change::Remove,
    ];
    for (at, made) in changes.into_iter().enumerate() {
        send(&mut page, [Msg::RunUntilSettled]);
        while page.is_moving() {
            send(&mut page, [Msg::Tick(33)]);
        }
        change(&mut page, 0, made());
        assert!(refused(&page).is_empty() && is_as_read_anew(&page), "change {at}");
    }
    send(&mut page, [Msg::StartOver, Msg::Step, Msg::Step]);
    assert!(is_as_read_anew(&page));
}

#[test]
fn more_replicas_than_a_comparison_holds_are_refused_and_nothing_else_changes() {
    let said = |refused: &str| refused.ends_with("1001 replicas are too many for a comparison: it holds at most 1000");
    let mut page = compared("ordered-against-parallel");
    let before = desired(&page);
    send(&mut page, [lanes(ComparisonMsg::Replicas(1_001))]);
    assert!(refused(&page).iter().all(|refused| said(refused)) && refused(&page).len() == 2, "{:?}", refused(&page));
    assert_eq!(desired(&page), before);
    send(&mut page, [lanes(ComparisonMsg::Close)]);
    let many = scale(&page, 1_001);
    send(&mut page, [many, lanes(ComparisonMsg::With(Variant::Policy))]);
    assert!(page.lanes.is_none() && said(&page.sharing.problem.to_string()), "{}", page.sharing.problem);
}

#[test]
fn time_is_the_comparison_s_while_it_is_open() {
    let mut page = compared("ordered-against-parallel");
    let before = page.stage.session.position();
    let now = |page: &State| page.lanes.as_ref().unwrap().view.moments.0;
    send(&mut page, [Msg::ToStart]);
    assert_eq!(now(&page), 0);
    send(&mut page, [Msg::Step]);
    let stepped = now(&page);
    assert!(stepped > 0);
    let effects = send(&mut page, [Msg::Toggle, Msg::Tick(33)]);
    assert!(page.playback.playing && now(&page) > stepped);
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::SetAddress(_))), "not at each tick");
    send(&mut page, [Msg::RunUntilSettled]);
    while page.playback.playing {
        send(&mut page, [Msg::Tick(33)]);
    }
    assert!(page.lanes.as_ref().unwrap().view.settled);
    assert_eq!(page.stage.session.position(), before, "the single run waits");
    send(&mut page, [lanes(ComparisonMsg::Replicas(9))]);
    assert!(!page.playback.playing, "a run until settled does not go on by itself");
}

#[test]
fn a_slow_machine_plays_what_it_can_of_all_lanes_and_says_so() {
    // Each look at the clock finds a frame gone.
    let mut page = compared("ordered-against-parallel");
    send(&mut page, [Msg::ToStart, Msg::Speed(1_000), Msg::Toggle, Msg::Tick(100), Msg::Tick(100)]);
    let lanes = &page.lanes.as_ref().unwrap().lanes;
    let moments: Vec<i64> = lanes.lanes().iter().map(|lane| lane.session.cluster().now().0 - START.0).collect();
    assert!(page.is_late() && moments[0] > 0 && moments[0] < 20_000, "{moments:?}");
    assert!(moments.iter().all(|moment| *moment == moments[0]), "the lanes stay at one moment: {moments:?}");
    while page.playback.playing {
        send(&mut page, [Msg::Tick(100)]);
    }
    assert!(page.lanes.as_ref().unwrap().view.settled && !page.is_late(), "they come to the same end");
}

#[test]
fn playing_goes_on_after_a_command_when_all_lanes_had_settled() {
    let mut page = compared("ordered-against-parallel");
    send(&mut page, [Msg::Speed(1_000), Msg::Toggle]);
    while page.playback.playing {
        send(&mut page, [Msg::Tick(33)]);
    }
    let effects = send(&mut page, [lanes(ComparisonMsg::Replicas(9))]);
    assert!(page.playback.playing && effects.contains(&Effect::StartTicks));
}

#[test]
fn the_key_of_the_kubectl_line_goes_to_the_comparison_s_own() {
    let mut page = compared("ordered-against-parallel");
    let effects = send(&mut page, [Msg::Inspector(InspectorMsg::Prompt)]);
    assert_eq!(effects, [Effect::Focus(Target::LanesLine)]);
}

#[test]
fn a_scenario_of_one_run_closes_the_comparison() {
    let mut page = compared("ordered-against-parallel");
    send(&mut page, [Msg::Share(ShareMsg::Open(scenario("on-delete").into()))]);
    assert!(page.lanes.is_none());
}

#[test]
fn the_result_is_that_of_all_that_is_known_at_every_moment() {
    let (mut lanes, _) = comparison::read(&scenario("four-workloads")).unwrap();
    let mut result = |at: i64| {
        lanes.seek(at);
        let view = view::lanes(&lanes);
        assert!(view.table.iter().flat_map(|row| &row.cells).all(|cell| cell.text != "–"));
        view.result.to_string()
    };
    for at in [29_000, 40_000, 660_000] {
        assert_eq!(result(at), "StatefulSet is down longest, 8 m 43 s, and needed help");
    }
}

/// The worst that could be said before anything was lost.
#[test]
fn nothing_is_counted_before_anything_happened() {
    let (mut lanes, _) = comparison::read(&scenario("four-workloads")).unwrap();
    lanes.count_from(660_000);
    let view = view::lanes(&lanes);
    assert!(view.table.iter().flat_map(|row| &row.cells).all(|cell| cell.text == "–"));
    assert_eq!(view.result, "Nothing has happened since 11 m 00 s: say what shall happen, or play");
}
