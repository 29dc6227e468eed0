use super::{Msg, Opening, opening, page, page_of, send, set};
use crate::page::{Dialog, Effect, LEARNED, LearnMsg, Origin, ShareMsg, State};
use crate::session::Command;

const FIRST: &str = include_str!("../../../www/lessons/create-in-order.yaml");
const LIST: &str = include_str!("../../../www/lessons/index.json");

fn learn(msg: LearnMsg) -> Msg {
    Msg::Learn(msg)
}

fn opened() -> State {
    let mut state = page();
    send(&mut state, [Msg::Share(ShareMsg::Open(FIRST.into()))]);
    state
}

fn answer(state: &mut State, answer: &str) {
    send(state, [learn(LearnMsg::Answer(answer.into())), learn(LearnMsg::Skip)]);
}

fn now(state: &State) -> i64 {
    state.stage.session.cluster().now().0 - crate::sim::START.0
}

#[test]
fn a_lesson_stops_asks_plays_on_and_says_why() {
    let mut state = opened();
    let guide = state.learn.guide(&state.stage).unwrap();
    assert!(guide.asks && !state.playback.playing && now(&state) == 0);
    assert_eq!(guide.pods.iter().map(|pod| &**pod).collect::<Vec<_>>(), ["web-0", "web-1", "web-2"]);
    send(&mut state, [learn(LearnMsg::Answer("web-1".into()))]);
    assert!(state.playback.playing && state.learn.guide(&state.stage).unwrap().is_moving);
    for _ in 0..200 {
        send(&mut state, [Msg::Tick(33)]);
    }
    let guide = state.learn.guide(&state.stage).unwrap();
    assert!(!state.playback.playing && !guide.is_moving && now(&state) == 1_000);
    assert_eq!(guide.answer.as_deref(), Some("web-1"));
    let why = guide.why.unwrap();
    assert!(why.text.contains("web-0") && why.function == "CreateStatefulPod", "{}", why.text);
}

#[test]
fn the_run_of_a_lesson_is_not_kept_as_the_readers_own() {
    let mut state = page();
    let mut effects = send(&mut state, [Msg::Share(ShareMsg::Open(FIRST.into()))]);
    effects.extend(send(&mut state, [learn(LearnMsg::Answer("web-0".into())), learn(LearnMsg::Skip), Msg::Save]));
    let is_kept = |effect: &Effect| matches!(effect, Effect::SaveLater | Effect::Store { key: crate::page::SAVED, .. });
    assert!(now(&state) > 0 && !effects.iter().any(is_kept), "{effects:?}");
}

#[test]
fn a_pod_that_is_chosen_on_the_stage_is_an_answer() {
    let mut state = opened();
    send(&mut state, [Msg::Open(Some("web-0".into())), learn(LearnMsg::Skip)]);
    assert_eq!(state.learn.guide(&state.stage).unwrap().answer.as_deref(), Some("web-0"));
    assert_eq!(state.panels.pod, None);
    send(&mut state, [Msg::Open(Some("web-0".into()))]);
    assert_eq!(state.panels.pod.as_deref(), Some("web-0"), "afterwards it opens its menu again");
}

#[test]
fn play_goes_on_at_a_stop_and_waits_at_a_question() {
    let mut state = opened();
    send(&mut state, [Msg::Toggle]);
    assert!(!state.playback.playing && state.learn.guide(&state.stage).unwrap().step == 0, "a question is open");
    answer(&mut state, "web-0");
    send(&mut state, [Msg::Toggle]);
    assert!(state.playback.playing && state.learn.guide(&state.stage).unwrap().step == 1);
    send(&mut state, [Msg::Toggle]);
    assert!(!state.playback.playing, "and it pauses on the way");
}

#[test]
fn a_person_who_acts_in_a_lesson_finds_its_run_again() {
    let mut state = opened();
    answer(&mut state, "web-0");
    let replicas = Command::Scale { set: set(&state), replicas: 7 };
    send(&mut state, [Msg::Send(replicas, Origin::Replicas)]);
    assert!(state.learn.guide(&state.stage).unwrap().is_left);
    send(&mut state, [learn(LearnMsg::Next), learn(LearnMsg::Skip)]);
    assert!(!state.learn.guide(&state.stage).unwrap().is_left);
    assert_eq!(state.stage.view.controls.as_ref().unwrap().replicas, 3, "what was done stays on a branch");
    assert_eq!(now(&state), 2_500);
    send(&mut state, [Msg::Seek(500)]);
    assert!(state.learn.guide(&state.stage).unwrap().is_left);
    answer(&mut state, "It waits for web-0 to be Ready");
    assert_eq!(now(&state), 4_200, "an answer goes on from where it was asked");
}

#[test]
fn a_lesson_that_was_done_is_remembered() {
    let mut state = opened();
    send(&mut state, [learn(LearnMsg::List(LIST.into()))]);
    let mut stored = None;
    for _ in 0..12 {
        let guide = state.learn.guide(&state.stage).unwrap();
        let step = &guide.lesson.steps[guide.step];
        let next = match &step.question {
            Some(question) if guide.asks => {
                let pick = match &question.choices {
                    crate::session::lesson::Choices::Sentences(answers) => answers[0].say.as_str().into(),
                    crate::session::lesson::Choices::Pods(_) => guide.pods[0].clone(),
                };
                LearnMsg::Answer(pick)
            }
            _ if guide.is_over => break,
            _ => LearnMsg::Next,
        };
        for effect in [learn(next), learn(LearnMsg::Skip)].into_iter().flat_map(|msg| state.reduce(msg)) {
            if let Effect::Store { key: LEARNED, text } = effect {
                stored = Some(text);
            }
        }
    }
    assert_eq!(stored.as_deref(), Some("create-in-order"));
    assert_eq!(&*state.learn.guide(&state.stage).unwrap().next.unwrap().name, "scale-down-and-claims");
    assert_eq!(state.learn.list.iter().filter(|one| one.is_done).count(), 1);
    let mut again = page_of(Opening { learned: stored, ..opening() });
    let effects = send(&mut again, [Msg::Share(ShareMsg::Show(Some(Dialog::Learn)))]);
    assert_eq!(effects, [Effect::FetchLessonList]);
    send(&mut again, [learn(LearnMsg::List(LIST.into()))]);
    assert!(again.learn.list[0].is_done && !again.learn.list[1].is_done);
}

#[test]
fn the_address_opens_a_lesson_and_closing_it_keeps_the_run() {
    let mut state = page_of(Opening { addressed: Ok(Some(FIRST.to_owned())), ..opening() });
    assert!(state.learn.guide(&state.stage).is_some());
    answer(&mut state, "web-0");
    send(&mut state, [learn(LearnMsg::Close)]);
    assert!(state.learn.guide(&state.stage).is_none());
    assert_eq!(now(&state), 1_000);
    let refused = Msg::Share(ShareMsg::Open("setscope: 1\nlesson: own\nminutes: 1\nsteps: []\n".into()));
    send(&mut state, [refused]);
    assert!(state.sharing.problem.contains("a lesson has `steps`"), "{}", state.sharing.problem);
}
