use super::cluster::read;
use super::{opening, page, page_of, replicas, scale, scenario, send};
use crate::page::{ClusterMsg, Effect, Msg, Opening, QUARANTINE_KEY, SAVED, State};

fn saved(page: &mut State) -> String {
    match &send(page, [Msg::Save])[..] {
        [Effect::Store { key: SAVED, text }] => text.clone(),
        other => panic!("nothing was saved: {other:?}"),
    }
}

/// A run that was scaled to `to`, as it was saved.
fn own_run(to: i32) -> String {
    let mut page = page();
    let scaled = scale(&page, to);
    send(&mut page, [Msg::Seek(4_500), scaled]);
    saved(&mut page)
}

#[test]
fn a_change_is_saved_once_a_second() {
    let mut page = page();
    assert_eq!(send(&mut page, [Msg::Save]), [], "nothing is saved before something happens");
    assert_eq!(send(&mut page, [Msg::Step]), [Effect::SaveLater]);
    assert_eq!(send(&mut page, [Msg::Step]), [], "the time is set already");
    saved(&mut page);
    assert_eq!(send(&mut page, [Msg::Step]), [Effect::SaveLater]);
}

#[test]
fn a_reload_shows_again_what_was_there() {
    let text = own_run(5);
    let (page, effects) = State::open(Opening { saved: Some(text.clone()), ..opening() }).unwrap();
    let resumed = "This is the run that you left here. Start over begins anew.";
    assert_eq!((replicas(&page), page.note.to_string()), (5, resumed.to_owned()), "a resumed run is said");
    assert_eq!(
        effects,
        [Effect::Forget(QUARANTINE_KEY), Effect::Store { key: SAVED, text }],
        "what was read goes back to its place"
    );
    assert!(page.editor.text.contains("replicas: 5"));
}

#[test]
fn branches_are_there_again_too() {
    let mut first = page();
    let four = scale(&first, 4);
    send(&mut first, [Msg::Seek(1_000), four]);
    assert_eq!(first.stage.session.branches().1.len(), 1);
    let text = saved(&mut first);
    let again = page_of(Opening { saved: Some(text), ..opening() });
    assert_eq!((again.stage.session.branches().1.len(), replicas(&again)), (1, 4));
}

#[test]
fn a_clusters_run_is_saved_without_its_values_and_goes_when_it_is_closed() {
    let mut page = page();
    let set = "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: shop, namespace: b}\nspec: {replicas: 1, serviceName: a, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: b, env: [{name: PASSWORD, value: hunter2}]}]}}}\n";
    read(&mut page, set);
    send(&mut page, [Msg::Cluster(ClusterMsg::Show(None)), Msg::Step]);
    let text = saved(&mut page);
    assert!(text.contains("shop") && !text.contains("hunter2"), "{text}");
    send(&mut page, [Msg::Cluster(ClusterMsg::Leave), Msg::Step]);
    let text = saved(&mut page);
    assert!(text.contains("name: web") && !text.contains("shop"), "{text}");
}

#[test]
fn the_own_run_stays_within_reach_when_a_link_names_another() {
    let opening = Opening { saved: Some(own_run(7)), addressed: Ok(Some(scenario("on-delete"))), ..opening() };
    let mut page = page_of(opening);
    assert_ne!(replicas(&page), 7);
    assert!(page.sharing.shows_about, "the scenario says what it shows");
    let (_, others) = page.stage.session.branches();
    let own = others.last().unwrap().number;
    send(&mut page, [Msg::Switch(own), Msg::Seek(60_000)]);
    assert_eq!(replicas(&page), 7);
}

#[test]
fn what_cannot_be_read_stays_aside_and_is_said() {
    let (page, effects) =
        State::open(Opening { saved: Some("setscope: 1\nreplica: 3\n".to_owned()), ..opening() }).unwrap();
    assert!(page.note.starts_with("A run that was saved here cannot be read: "), "{}", page.note);
    assert!(page.note.contains(QUARANTINE_KEY));
    assert_eq!(effects, []);
    assert_eq!(replicas(&page), 3, "the usual run is there instead");
}

#[test]
fn a_figure_saves_nothing() {
    let mut page = page_of(Opening { embedded: true, ..opening() });
    assert_eq!(send(&mut page, [Msg::Step]), []);
    assert_eq!(send(&mut page, [Msg::Save]), []);
}

#[test]
fn a_lesson_is_not_said_to_be_the_run_that_was_left() {
    let text = own_run(5);
    let opening = Opening {
        saved: Some(text),
        addressed: Ok(Some(include_str!("../../../www/lessons/create-in-order.yaml").to_owned())),
        ..opening()
    };
    let page = page_of(opening);
    assert!(page.learn.guide(&page.stage).is_some() && page.note.is_empty(), "{}", page.note);
}
