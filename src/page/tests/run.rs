use super::{opening, page, page_of, scale, scenario, send, work};
use crate::page::{Draft, Effect, FASTEST, Field, InspectorMsg, Msg, Opening, Origin, State};
use crate::reconcile::Release;
use crate::view::Timeline;
use std::rc::Rc;

fn play(page: &mut State) {
    send(page, [Msg::Toggle]);
    for _ in 0..20_000 {
        if !page.playback.playing {
            return;
        }
        send(page, [Msg::Tick(33)]);
    }
    panic!("it plays on without an end");
}

#[test]
fn playing_starts_the_ticks_and_the_end_stops_them() {
    let mut page = page_of(Opening { clock: Rc::new(|| 0.0), ..opening() });
    assert!(send(&mut page, [Msg::Toggle]).contains(&Effect::StartTicks));
    let before = page.stage.session.cluster().now().0;
    assert!(!send(&mut page, [Msg::Tick(100)]).contains(&Effect::StartTicks), "they are started once");
    assert_eq!(page.stage.session.cluster().now().0 - before, 200, "it plays at twice the time");
    assert!(send(&mut page, [Msg::Toggle]).contains(&Effect::StopTicks));
    let paused = page.stage.session.cluster().now();
    send(&mut page, [Msg::Tick(100)]);
    assert_eq!(page.stage.session.cluster().now(), paused, "a late tick moves nothing");
}

#[test]
fn a_slow_machine_plays_what_it_can_and_says_so() {
    // Each look at the clock finds a frame gone.
    let mut page = page();
    send(&mut page, [Msg::Speed(1_000), Msg::Toggle]);
    let before = page.stage.session.cluster().now().0;
    send(&mut page, [Msg::Tick(100)]);
    assert!(!page.is_late(), "what is due may still be caught up");
    send(&mut page, [Msg::Tick(100)]);
    let played = page.stage.session.cluster().now().0 - before;
    assert!(page.is_late() && played > 0 && played < 20_000, "{played} ms");
    while page.playback.playing {
        send(&mut page, [Msg::Tick(100)]);
    }
    assert!(page.stage.view.settled && !page.is_late(), "it comes to the same end");
}

#[test]
fn texts_are_redrawn_some_times_a_second() {
    let mut page = page();
    send(&mut page, [Msg::Toggle]);
    let before = page.text_frames.number;
    for _ in 0..25 {
        send(&mut page, [Msg::Tick(16)]);
    }
    assert!(
        page.playback.playing && (2..=6).contains(&(page.text_frames.number - before)),
        "{} times in 400 ms",
        page.text_frames.number - before
    );
    let playing = page.text_frames.number;
    send(&mut page, [Msg::Toggle]);
    assert_eq!(page.text_frames.number, playing + 1, "and at once when it stands");
}

/// 300 pods that are being created at the speed of real time, on a machine that takes none.
fn many_pods_that_play() -> State {
    let mut page = page_of(Opening { clock: Rc::new(|| 0.0), ..opening() });
    let many = scale(&page, 300);
    send(&mut page, [many, Msg::Speed(10), Msg::Toggle]);
    page
}

#[test]
fn where_the_controller_stands_is_told_of_one_moment() {
    let mut page = many_pods_that_play();
    let mut seen = Vec::new();
    for _ in 0..200 {
        send(&mut page, [Msg::Tick(16)]);
        let texts = &page.text_frames.texts;
        let headline = texts.explanation.headline.to_string();
        let at = texts.ring.map(|ordinal| format!("web-{ordinal}"));
        assert!(at.is_none_or(|pod| headline.contains(&pod)), "{:?}: {headline}", texts.ring);
        seen.push((texts.stood, headline));
    }
    seen.dedup();
    assert!(page.playback.playing && seen.is_sorted_by_key(|(stood, _)| *stood));
    let redraws: Vec<u64> = seen.iter().map(|(stood, _)| *stood).collect();
    assert!(redraws.windows(2).all(|two| two[0] < two[1]), "one sentence for each redraw: {seen:?}");
}

#[test]
fn many_pods_play_at_the_speed_of_time_and_their_rows_are_of_the_end() {
    let mut page = many_pods_that_play();
    send(&mut page, [Msg::Tick(16)]);
    assert!(page.playback.playing && page.timeline.has_many());
    let began = page.stage.session.cluster().now().0;
    (0..100).for_each(|_| _ = send(&mut page, [Msg::Tick(16)]));
    let played = page.stage.session.cluster().now().0 - began;
    assert!(page.playback.playing && (1_584..=1_600).contains(&played), "{played} of 1600 ms");
    while page.playback.playing {
        send(&mut page, [Msg::Tick(100)]);
    }
    let (shares, most) = &*page.timeline.line.shares;
    assert_eq!(shares.last().map(|(_, counts)| counts[0]), Some(*most), "all are Ready at the end");
    // Stopped by hand, so that a command does not play on.
    send(&mut page, [Msg::StepBack, Msg::RunUntilSettled]);
    while page.playback.playing {
        send(&mut page, [Msg::Tick(100)]);
    }
    let more = scale(&page, 301);
    send(&mut page, [more]);
    assert!(!page.stage.view.settled && !page.playback.playing, "a command is drawn at once");
}

#[test]
fn of_many_pods_words_change_when_they_are_read_and_the_picture_always() {
    let mut page = many_pods_that_play();
    let (mut told, mut drawn) = (0, 0);
    for _ in 0..200 {
        let before = (page.text_frames.number, page.text_frames.texts.clone(), Rc::clone(&page.stage.view));
        send(&mut page, [Msg::Tick(16)]);
        drawn += usize::from(!Rc::ptr_eq(&before.2, &page.stage.view));
        if before.1 != page.text_frames.texts {
            assert_ne!(before.0, page.text_frames.number, "words rest between two readings");
            told += 1;
        }
    }
    assert!(page.playback.playing && told > 10 && drawn > 2 * told, "{told} times told, {drawn} times drawn");
    send(&mut page, [Msg::Toggle]);
    let (told, view) = (&page.text_frames.texts, &page.stage.view);
    assert_eq!(
        (&told.summary, &told.line, &told.explanation),
        (&view.summary, &view.workload.axis().unwrap().line, &view.explanation)
    );
    assert_eq!((told.now, told.end, &told.clock), (page.timeline.line.now, page.timeline.line.end, &view.clock));
}

#[test]
fn playing_goes_on_after_a_command_when_it_had_settled() {
    let mut page = page();
    send(&mut page, [Msg::Speed(1_000)]);
    play(&mut page);
    assert!(page.stage.view.settled);
    let five = scale(&page, 5);
    let effects = send(&mut page, [five]);
    assert!(page.playback.playing && effects.contains(&Effect::StartTicks));
}

#[test]
fn a_pause_by_hand_holds_after_a_command() {
    let mut page = page();
    let five = scale(&page, 5);
    send(&mut page, [Msg::Toggle, Msg::Tick(33), Msg::Toggle, five]);
    assert!(!page.playback.playing);
}

#[test]
fn stepping_ends_playing() {
    for step in [Msg::Step, Msg::StepBack, Msg::StepSync, Msg::Seek(1_000), Msg::ToStart, Msg::Undo] {
        let mut page = page();
        let name = format!("{step:?}");
        let effects = send(&mut page, [Msg::Toggle, step]);
        assert!(!page.playback.playing && effects.contains(&Effect::StopTicks), "{name}");
    }
}

/// Where the run stands, and under which release.
fn place(page: &State) -> (u64, usize, &'static str) {
    (page.stage.session.position().0, page.stage.session.branches().1.len(), page.stage.session.release().name())
}

#[test]
fn another_release_is_run_while_the_page_goes_on_and_whoever_acts_meanwhile_ends_it() {
    let mut page = page();
    let many = scale(&page, 40);
    send(&mut page, [many, Msg::RunUntilSettled]);
    while page.playback.playing {
        send(&mut page, [Msg::Tick(33)]);
    }
    let (before, other) = (place(&page), || Msg::Release("v1.28".to_owned()));
    let effects = send(&mut page, [other()]);
    assert!(effects.contains(&Effect::StartTicks) && page.needs_draw, "the page says that it runs");
    send(&mut page, [Msg::Tick(33)]);
    assert!(page.long_work.is_some() && place(&page) == before && !page.needs_draw);
    // Looking at something else does not end it; Cancel does, and so does whatever moves the run.
    send(&mut page, [Msg::Help(true), Msg::Help(false)]);
    assert!(page.long_work.is_some());
    let effects = send(&mut page, [Msg::Toggle]);
    assert!(page.long_work.is_none() && place(&page) == before && effects.contains(&Effect::StopTicks));
    send(&mut page, [other(), Msg::StepBack]);
    assert!(page.long_work.is_none() && !page.playback.playing && place(&page) == (before.0 - 1, 0, before.2));
    send(&mut page, [Msg::Step]);
    // Left alone it comes to what running the commands at once comes to.
    let mut at_once = page.stage.session.clone();
    at_once.run_under(Release::V1_28, Vec::new());
    send(&mut page, [other()]);
    work(&mut page);
    assert_eq!(place(&page).2, "v1.28");
    assert_eq!(page.stage.session, at_once);
    assert_eq!(page.stage.session.cluster().fingerprint(), at_once.cluster().fingerprint());
    assert!(page.needs_draw && !page.is_moving());
}

#[test]
fn the_timeline_of_a_new_branch_is_that_of_the_whole_run() {
    let mut page = page();
    let many = scale(&page, 300);
    let parallel = Msg::Set(Draft { field: Field::Policy, origin: Origin::Field("policy"), value: 1 });
    send(&mut page, [parallel, many, Msg::RunUntilSettled]);
    while page.playback.playing {
        send(&mut page, [Msg::Tick(33)]);
    }
    // A command in the past begins a branch, whose record is new to the timeline.
    let at = page.timeline.line.now - 1;
    let more = scale(&page, 301);
    send(&mut page, [Msg::Seek(at), more]);
    let mut whole = Timeline::default();
    whole.follow(&page.stage.session, page.stage.set().unwrap());
    assert!(page.needs_draw && !page.is_moving());
    assert_eq!((&page.timeline.line.ordinals, page.timeline.line.end), (&whole.ordinals, whole.end));
}

#[test]
fn a_step_is_one_event_however_much_it_changes_and_is_drawn_at_once() {
    let (mut page, many) = (page(), 400);
    let own = page.stage.session.manifest(page.stage.set().unwrap());
    let own = own.replacen("name: web\n", "name: many\n", 1).replacen("replicas: 3", "replicas: 400", 1);
    send(&mut page, [Msg::Apply(own.replacen("OrderedReady", "Parallel", 1))]);
    let pods = |page: &State| page.stage.session.cluster().pods().count();
    let before = pods(&page);
    while pods(&page) == before {
        let (there, shown) = (page.stage.session.position(), Rc::clone(&page.stage.view));
        send(&mut page, [Msg::Step]);
        assert_eq!(page.stage.session.position().0, there.0 + 1);
        assert!(!page.playback.playing && page.needs_draw && !Rc::ptr_eq(&page.stage.view, &shown));
    }
    assert_eq!(pods(&page), before + many, "one sync makes them all");
    assert!(page.playback.goal.is_none() && page.stage.view.workload.places().len() >= many);
}

#[test]
fn a_run_to_the_end_goes_on_in_slices_until_it_is_settled() {
    let mut page = page();
    send(&mut page, [Msg::RunUntilSettled]);
    let mut ticks = 0;
    while page.playback.playing {
        assert_eq!(page.playback.goal.as_ref().unwrap().words, "Running until everything is settled.");
        send(&mut page, [Msg::Tick(33)]);
        ticks += 1;
    }
    assert!(ticks > 0, "the clock ends the first slice before that");
    assert!(page.stage.view.settled && page.playback.goal.is_none() && page.note.is_empty());
}

#[test]
fn a_run_to_the_end_can_be_canceled() {
    let mut page = page();
    send(&mut page, [Msg::RunUntilSettled, Msg::Toggle]);
    assert!(!page.playback.playing && page.playback.goal.is_none() && !page.stage.view.settled);
}

#[test]
fn a_run_to_the_next_decision_about_a_pod_stops_there() {
    let mut page = page();
    send(&mut page, [Msg::ToStart, Msg::RunToDecision("web-2".into())]);
    while page.playback.playing {
        send(&mut page, [Msg::Tick(33)]);
    }
    let sync = page.stage.session.cluster().trace().syncs.last().unwrap();
    assert!(sync.decisions.iter().any(|decision| decision.ordinal() == Some(2)));
    assert!(!page.stage.view.settled);
}

/// Its buttons are off where it stands then, or words say why it went no further.
#[test]
fn every_scenario_runs_to_an_end_that_the_page_shows() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/www/scenarios");
    let mut stops = Vec::new();
    for file in std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()) {
        let Some(name) = file.strip_suffix(".yaml") else { continue };
        let mut page = page_of(Opening { addressed: Ok(Some(scenario(name))), ..opening() });
        if page.lanes.is_some() {
            continue;
        }
        send(&mut page, [Msg::RunUntilSettled]);
        while page.playback.playing {
            send(&mut page, [Msg::Tick(33)]);
        }
        if !page.stage.view.settled && !page.is_held() && page.note.is_empty() {
            stops.push(format!("{name} at {}", page.timeline.line.now));
        }
    }
    assert!(stops.is_empty(), "{stops:?}");
}

#[test]
fn a_run_that_finds_no_end_says_so() {
    let mut page = page();
    let image = page.stage.view.controls.as_ref().unwrap().image.clone();
    let crashes = crate::session::Command::SetBehavior { image, behavior: crate::sim::Behavior::Crashes };
    let five = scale(&page, 5);
    send(&mut page, [Msg::Send(crashes, crate::page::Origin::Image), five, Msg::RunUntilSettled]);
    let run = |page: &mut State| {
        for _ in 0..20_000 {
            if page.playback.playing {
                send(page, [Msg::Tick(33)]);
            }
        }
    };
    run(&mut page);
    let at = page.timeline.line.now;
    assert!(
        page.is_held() && at < 60_000 && page.note.is_empty(),
        "it stops where only a person helps: {at} {}",
        page.note
    );
    // A drain that is refused again and again is tried for ever.
    let mut page = page_of(opening());
    send(&mut page, [Msg::RunUntilSettled]);
    run(&mut page);
    for line in ["setscope budget web 3", "drain node-b --ignore-daemonsets"] {
        send(&mut page, [Msg::Inspector(InspectorMsg::Line(line.to_owned())), Msg::Inspector(InspectorMsg::Run)]);
    }
    send(&mut page, [Msg::RunUntilSettled]);
    run(&mut page);
    assert!(!page.playback.playing && page.note.starts_with("Something goes on without an end"), "{}", page.note);
    send(&mut page, [Msg::Read]);
    assert_eq!(page.note, "");
}

#[test]
fn as_fast_as_possible_a_slice_is_as_long_as_the_drawing_before_it() {
    let mut page = page();
    let before = page.stage.session.position().0;
    send(&mut page, [Msg::Speed(FASTEST), Msg::Toggle, Msg::Tick(33)]);
    assert!(page.stage.session.position().0 >= before + 8, "a slice takes several events");
}

#[test]
fn a_very_long_answer_is_printed_in_part_and_says_how_much_more_there_is() {
    let mut page = page_of(Opening { clock: Rc::new(|| 0.0), ..opening() });
    let many = scale(&page, 600);
    let parallel = Msg::Set(Draft { field: Field::Policy, origin: Origin::Field("policy"), value: 1 });
    send(&mut page, [parallel, many, Msg::RunUntilSettled]);
    let mut answer = |line: &str| {
        let line = Msg::Inspector(InspectorMsg::Line(line.to_owned()));
        send(&mut page, [line, Msg::Inspector(InspectorMsg::Run)]);
        page.inspector.entries.last().unwrap().answer.to_string()
    };
    let pods = answer("kubectl get pods");
    assert!(pods.starts_with("NAME") && pods.contains("\nweb-0 ") && pods.ends_with("\n… and 100 more"), "{pods}");
    assert_eq!(pods.lines().count(), 502);
    let objects = answer("kubectl get pods -o yaml");
    assert!(objects.matches("kind: Pod").count() == 3 && objects.ends_with("… and 597 more"), "{objects}");
    let one = answer("kubectl get pod web-599");
    assert!(one.lines().count() == 2 && one.contains("web-599"), "{one}");
}
