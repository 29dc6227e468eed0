use super::{opening, page, page_of, replicas, scale, scenario, send};
use crate::page::{Dialog, Effect, LinkPlace, Msg, Opening, ShareMsg, State};
use crate::session::comparison::{self, Opened};
use crate::view::Export;

fn share(msg: ShareMsg) -> Msg {
    Msg::Share(msg)
}

fn open(name: &str) -> Msg {
    share(ShareMsg::Open(scenario(name).into()))
}

/// The link's text in the share dialog.
fn link(page: &mut State) -> String {
    match &send(page, [share(ShareMsg::Show(Some(Dialog::Share)))])[..] {
        [Effect::WriteLink { text, place: LinkPlace::ShareDialog }] => text.clone(),
        other => panic!("no link was written: {other:?}"),
    }
}

#[test]
fn a_link_opens_the_page_at_the_same_moment() {
    let mut page = page();
    let five = scale(&page, 5);
    send(&mut page, [Msg::Seek(4_500), five, Msg::Step, Msg::Step, Msg::StepSync]);
    let text = link(&mut page);
    let mut other = page_of(Opening { addressed: Ok(Some(text.clone())), ..opening() });
    assert_eq!(
        (&other.view.clock, &other.view.explanation.headline),
        (&page.view.clock, &page.view.explanation.headline)
    );
    assert_eq!(link(&mut other), text);
}

#[test]
fn a_damaged_link_is_said_and_the_usual_run_is_there() {
    let page = page_of(Opening { addressed: Err("damaged".to_owned()), ..opening() });
    assert_eq!(page.sharing.problem, "This link is damaged: a part of it is missing or was changed.");
    assert_eq!(replicas(&page), 3);
}

#[test]
fn the_list_of_scenarios_is_fetched_once() {
    let mut page = page();
    let show = || share(ShareMsg::Show(Some(Dialog::Scenarios)));
    assert_eq!(send(&mut page, [show()]), [Effect::FetchScenarioList]);
    send(&mut page, [share(ShareMsg::List(include_str!("../../../www/scenarios/index.json").into()))]);
    assert!(page.sharing.list.iter().any(|one| one.has_lanes) && page.sharing.list.iter().any(|one| !one.has_lanes));
    assert_eq!(send(&mut page, [show()]), []);
    let file = page.sharing.list[0].file.clone();
    assert_eq!(send(&mut page, [share(ShareMsg::Fetch(file.clone()))]), [Effect::FetchScenario(file.to_string())]);
}

#[test]
fn how_true_it_is_is_fetched_once() {
    let mut page = page();
    let show = || share(ShareMsg::Show(Some(Dialog::Truth)));
    assert_eq!(send(&mut page, [show()]), [Effect::FetchTruth]);
    send(&mut page, [share(ShareMsg::Truth(include_str!("../../../www/truth.json").into()))]);
    assert!(page.sharing.truth.as_ref().is_some_and(|truth| truth.releases.len() == 9), "each release has its row");
    assert_eq!(send(&mut page, [show()]), []);
}

#[test]
fn a_scenario_takes_the_run_s_place_and_there_is_a_way_back() {
    let mut page = page();
    let five = scale(&page, 5);
    send(&mut page, [five, Msg::Toggle]);
    let (before, clock) = (page.session.cluster().fingerprint(), page.view.clock.clone());
    send(&mut page, [share(ShareMsg::Show(Some(Dialog::Scenarios))), open("on-delete")]);
    assert!(!page.playing && page.sharing.dialog.is_none() && page.sharing.shows_about);
    assert_ne!(page.session.cluster().fingerprint(), before);
    send(&mut page, [share(ShareMsg::Back)]);
    assert_eq!((page.session.cluster().fingerprint(), &page.view.clock), (before, &clock));
    assert!(!page.sharing.shows_about);
}

#[test]
fn a_scenario_that_cannot_be_read_changes_nothing_and_can_be_put_right() {
    let mut page = page();
    let before = page.session.position();
    let wrong = "setscope: 1\nreplica: 3\n";
    send(&mut page, [share(ShareMsg::Show(Some(Dialog::Scenarios))), share(ShareMsg::Open(wrong.into()))]);
    assert!(page.sharing.problem.starts_with("The scenario was not opened: line 2: "), "{}", page.sharing.problem);
    assert_eq!(page.sharing.dialog, Some(Dialog::Scenarios));
    assert_eq!((&*page.sharing.text, page.session.position()), (wrong, before));
    send(&mut page, [share(ShareMsg::Typed(scenario("on-delete")))]);
    let text = page.sharing.text.clone();
    send(&mut page, [share(ShareMsg::Open(text.into()))]);
    assert!(page.sharing.problem.is_empty() && page.sharing.dialog.is_none());
}

#[test]
fn the_address_names_a_scenario_until_something_is_done() {
    let mut page = page_of(Opening { addressed: Ok(Some(scenario("on-delete"))), ..opening() });
    assert!(!send(&mut page, [Msg::Step]).contains(&Effect::LeaveAddress), "looking on changes nothing");
    let five = scale(&page, 5);
    assert!(send(&mut page, [five]).contains(&Effect::LeaveAddress));
    let four = scale(&page, 4);
    assert!(!send(&mut page, [four]).contains(&Effect::LeaveAddress), "it was left already");
}

#[test]
fn every_file_of_the_run_has_a_name_and_a_content() {
    for (export, _, file) in Export::ALL {
        let mut page = page();
        match &send(&mut page, [share(ShareMsg::Save(export))])[..] {
            [Effect::Download { name, text }] => assert!(name == file && !text.is_empty(), "{file}"),
            other => panic!("{file}: {other:?}"),
        }
    }
}

#[test]
fn a_note_is_dismissed_one_at_a_time() {
    let mut page = page();
    send(&mut page, [open("on-delete"), share(ShareMsg::Problem("No.".into()))]);
    send(&mut page, [share(ShareMsg::Dismiss)]);
    assert!(page.sharing.problem.is_empty() && page.sharing.shows_about);
    send(&mut page, [share(ShareMsg::Dismiss)]);
    assert!(!page.sharing.shows_about);
}

#[test]
fn a_comparison_s_link_is_of_the_comparison() {
    let mut page = page();
    send(&mut page, [open("ordered-against-parallel")]);
    let text = link(&mut page);
    assert!(matches!(comparison::open(&text).unwrap().0, Opened::Lanes(lanes) if lanes.lanes().len() == 2));
}

#[test]
fn a_dialog_that_another_replaced_does_not_close_it() {
    let mut page = page();
    let show = |dialog: Dialog| share(ShareMsg::Show(Some(dialog)));
    send(&mut page, [show(Dialog::Scenarios), show(Dialog::Cluster), share(ShareMsg::Closed(Dialog::Scenarios))]);
    assert_eq!(page.sharing.dialog, Some(Dialog::Cluster));
    send(&mut page, [share(ShareMsg::Closed(Dialog::Cluster))]);
    assert_eq!(page.sharing.dialog, None);
}
