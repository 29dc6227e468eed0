use super::{opening, page, page_of, replicas, scale, scenario, send};
use crate::page::{Caption, ClusterMsg, Dialog, Effect, LinkPlace, Msg, Opening, ShareMsg, State};
use crate::releases::Release;
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
        [Effect::WriteLink { text, place: LinkPlace::ShareDialog(_) }] => text.clone(),
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
        (&other.stage.view.clock, &other.stage.view.explanation.headline),
        (&page.stage.view.clock, &page.stage.view.explanation.headline)
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
    let effects = send(&mut page, [share(ShareMsg::Fetch(file.clone()))]);
    assert!(matches!(&effects[..], [Effect::FetchScenario(_, asked)] if **asked == *file));
}

#[test]
fn how_true_it_is_is_fetched_once() {
    let mut page = page();
    let show = || share(ShareMsg::Show(Some(Dialog::Truth)));
    assert_eq!(send(&mut page, [show()]), [Effect::FetchTruth]);
    send(&mut page, [share(ShareMsg::Truth(include_str!("../../../www/truth.json").into()))]);
    assert!(
        page.sharing.truth.as_ref().is_some_and(|truth| truth.releases.len() == Release::ALL.len()),
        "each release has its row"
    );
    assert_eq!(send(&mut page, [show()]), []);
}

#[test]
fn a_scenario_takes_the_run_s_place_and_there_is_a_way_back() {
    let mut page = page();
    let five = scale(&page, 5);
    send(&mut page, [five, Msg::Toggle]);
    let (before, clock) = (page.stage.session.cluster().fingerprint(), page.stage.view.clock.clone());
    send(&mut page, [share(ShareMsg::Show(Some(Dialog::Scenarios))), open("on-delete")]);
    assert!(!page.playback.playing && page.sharing.dialog.is_none() && page.sharing.shows_about);
    assert_ne!(page.stage.session.cluster().fingerprint(), before);
    send(&mut page, [share(ShareMsg::Back)]);
    assert_eq!((page.stage.session.cluster().fingerprint(), &page.stage.view.clock), (before, &clock));
    assert!(!page.sharing.shows_about);
}

#[test]
fn a_scenario_that_cannot_be_read_changes_nothing_and_can_be_put_right() {
    let mut page = page();
    let before = page.stage.session.position();
    let wrong = "setscope: 1\nreplica: 3\n";
    send(&mut page, [share(ShareMsg::Show(Some(Dialog::Scenarios))), share(ShareMsg::Open(wrong.into()))]);
    assert!(page.sharing.problem.starts_with("The scenario was not opened: line 2: "), "{}", page.sharing.problem);
    assert_eq!(page.sharing.dialog, Some(Dialog::Scenarios));
    assert_eq!((&*page.sharing.text, page.stage.session.position()), (wrong, before));
    send(&mut page, [share(ShareMsg::Typed(scenario("on-delete")))]);
    let text = page.sharing.text.clone();
    send(&mut page, [share(ShareMsg::Open(text.into()))]);
    assert!(page.sharing.problem.is_empty() && page.sharing.dialog.is_none());
}

/// Asks for a scenario; the number of the request.
fn fetch(page: &mut State, name: &str) -> u32 {
    match send(page, [share(ShareMsg::Fetch(format!("{name}.yaml").into()))])[..] {
        [Effect::FetchScenario(request, _)] => request,
        ref other => panic!("nothing was fetched: {other:?}"),
    }
}

#[test]
fn of_two_scenarios_pressed_quickly_the_second_is_opened_whichever_comes_first() {
    for is_first_late in [false, true] {
        let mut page = page();
        let [first, second] = ["on-delete", "stuck-rollback"].map(|name| (fetch(&mut page, name), name));
        let mut answers = [first, second];
        if is_first_late {
            answers.reverse();
        }
        let mut effects = Vec::new();
        for (request, name) in answers {
            effects.extend(send(&mut page, [share(ShareMsg::Fetched(request, scenario(name).into()))]));
        }
        assert_eq!(page.sharing.about.title, "A rollback that changes nothing");
        let named: Vec<_> = effects.into_iter().filter(|effect| matches!(effect, Effect::NameAddress(_))).collect();
        assert_eq!(named, [Effect::NameAddress("stuck-rollback".to_owned())]);
    }
}

#[test]
fn what_is_no_longer_waited_for_neither_opens_nor_fails() {
    let mut page = page();
    let late = fetch(&mut page, "stuck-rollback");
    send(&mut page, [open("on-delete")]);
    let title = page.sharing.about.title.clone();
    send(&mut page, [share(ShareMsg::NotFetched(late, "not-loaded scenarios/stuck-rollback.yaml".into()))]);
    send(&mut page, [share(ShareMsg::Fetched(late, scenario("stuck-rollback").into()))]);
    assert_eq!(page.sharing.about.title, title);
    assert!(page.sharing.problem.is_empty(), "{}", page.sharing.problem);
    let awaited = fetch(&mut page, "stuck-rollback");
    send(&mut page, [share(ShareMsg::NotFetched(awaited, "not-loaded scenarios/stuck-rollback.yaml".into()))]);
    assert!(!page.sharing.problem.is_empty());
}

#[test]
fn what_does_not_exist_is_named_and_what_did_not_come_is_a_file() {
    for (problem, said) in [
        ("not-there scenarios/nope.yaml", "There is no scenario nope: Examples has those that there are."),
        ("not-there lessons/nope.yaml", "There is no lesson nope: Examples has those that there are."),
        ("not-there scenarios/index.json", "The file scenarios/index.json could not be loaded."),
        ("not-loaded scenarios/web.yaml", "The file scenarios/web.yaml could not be loaded."),
    ] {
        let page = page_of(Opening { addressed: Err(problem.to_owned()), ..opening() });
        assert_eq!(page.sharing.problem, said);
    }
}

#[test]
fn what_comes_later_of_a_scenario_is_drawn_once_it_was_seen() {
    let mut page = page_of(Opening { addressed: Ok(Some(scenario("stuck-rollback"))), ..opening() });
    assert_eq!((page.timeline.seen(&page.stage.session), page.timeline.line.end), (19_000, 90_000));
    send(&mut page, [Msg::Seek(60_000), Msg::Seek(30_000)]);
    assert_eq!(page.timeline.seen(&page.stage.session), 60_000);
    let five = scale(&page, 5);
    send(&mut page, [five]);
    assert_eq!(page.timeline.seen(&page.stage.session), 30_000, "a branch of its own");
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

#[test]
fn what_is_shared_has_a_title_and_a_text_of_one_s_own() {
    let mut page = page();
    send(&mut page, [open("on-delete"), share(ShareMsg::Show(Some(Dialog::Share)))]);
    let caption = Caption { title: "Mine".to_owned(), text: "Look at web-1.".to_owned() };
    let effects = send(&mut page, [share(ShareMsg::Caption(caption))]);
    let [Effect::WriteLink { text, .. }] = &effects[..] else { panic!("no link was written: {effects:?}") };
    let other = page_of(Opening { addressed: Ok(Some(text.clone())), ..opening() });
    assert_eq!((&*other.sharing.about.title, &*other.sharing.about.text), ("Mine", "Look at web-1."));
    assert_ne!(page.sharing.about.title, "Mine", "what was opened keeps its own");
    send(&mut page, [share(ShareMsg::Preview(true))]);
    let preview = page.sharing.preview.clone().unwrap();
    assert!(preview.report.starts_with("# Mine\n\nLook at web-1."));
    assert!(preview.moment.contains(">Mine</text>") && preview.run.contains(">Mine</text>"));
    send(&mut page, [share(ShareMsg::Preview(false))]);
    assert!(page.sharing.preview.is_some(), "printed, and still looked at");
    send(&mut page, [open("on-delete")]);
    assert_eq!(page.sharing.caption, None, "another run has a title of its own");
    assert!(page.sharing.preview.is_none());
}

const CLUSTER: &str = "
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, uid: a, annotations: {example.com/owner: s3cret-owner}}
spec:
  replicas: 1
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: db, image: postgres, env: [{name: PASSWORD, value: s3cret}]}]}
";

#[test]
fn the_browser_keeps_of_a_cluster_what_may_be_passed_on() {
    let mut page = page();
    super::cluster::read(&mut page, CLUSTER);
    send(&mut page, [Msg::Cluster(ClusterMsg::Show(None)), Msg::Step]);
    let effects = send(&mut page, [Msg::Save]);
    let is_kept = |text: &str| text.contains("PASSWORD") && !text.contains("s3cret");
    assert!(matches!(&effects[..], [Effect::Store { text, .. }] if is_kept(text)), "{effects:?}");
}

#[test]
fn the_values_of_a_cluster_leave_the_page_only_when_asked_for() {
    let mut page = page();
    super::cluster::read(&mut page, CLUSTER);
    send(&mut page, [Msg::Cluster(ClusterMsg::Show(None))]);
    let without = link(&mut page);
    assert!(!without.contains("s3cret"), "{without}");
    assert!(without.contains("PASSWORD") && without.contains("redacted-1"));
    let other = page_of(Opening { addressed: Ok(Some(without)), ..opening() });
    assert_eq!(other.stage.view.explanation.headline, page.stage.view.explanation.headline);
    let effects = send(&mut page, [share(ShareMsg::Save(Export::Scenario))]);
    assert!(matches!(&effects[..], [Effect::Download { text, .. }] if !text.contains("s3cret")));
    let effects = send(&mut page, [share(ShareMsg::Values(true))]);
    assert!(matches!(&effects[..], [Effect::WriteLink { text, .. }] if text.contains("s3cret-owner")));
    // Ticked and unticked quickly: a link that holds the values is not shown, however late it is made.
    let number = |effects: &[Effect]| match effects {
        [Effect::WriteLink { place: LinkPlace::ShareDialog(request), .. }] => *request,
        other => panic!("no link was written: {other:?}"),
    };
    let with = number(&effects);
    send(&mut page, [share(ShareMsg::Linked(with, "#with".into()))]);
    assert_eq!(&*page.sharing.link, "#with");
    let without = number(&send(&mut page, [share(ShareMsg::Values(false))]));
    assert_eq!(&*page.sharing.link, "", "the one that holds them is gone at once");
    send(
        &mut page,
        [share(ShareMsg::Linked(without, "#without".into())), share(ShareMsg::Linked(with, "#with".into()))],
    );
    assert_eq!(&*page.sharing.link, "#without");
}

#[test]
fn what_a_figure_s_address_asks_in_vain_is_said() {
    let asked = [("show", "stage"), ("show", "pods"), ("at", "soon"), ("theme", "blue")];
    let unknown = asked.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    let page = page_of(Opening { embedded: true, unknown, ..opening() });
    assert_eq!(
        page.note,
        "show= has no panel stage, pods: there are text, summary, rail, stands, time, timeline, nodes, events, controls, \
         inspector. at=soon is not a moment: it is a time since the start, such as at=90s. theme=blue is not known: it is light, dark."
    );
}
