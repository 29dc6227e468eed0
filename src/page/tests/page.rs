use super::{opening, page, page_of, replicas, scale, send, set};
use crate::page::{
    Dialog, Draft, Effect, Field, InspectorMsg, LinkPlace, Msg, Opening, Origin, Sheet, Tab, Target, Theme,
};
use crate::session::Command;
use crate::session::first::MANIFEST;

#[test]
fn a_refused_number_is_said_where_it_was_given_and_changes_nothing() {
    let mut page = page();
    let before = page.stage.session.position();
    let refused = Draft { field: Field::Replicas, origin: Origin::Replicas, value: -2 };
    send(&mut page, [Msg::Set(refused)]);
    let told = page.refused.clone().unwrap();
    assert_eq!(told.origin, Origin::Replicas);
    assert!(told.refusal.problems[0].message().contains("must be greater than or equal to 0"));
    assert_eq!((replicas(&page), page.stage.session.position()), (3, before));
    send(&mut page, [Msg::Set(Draft { value: 4, ..refused })]);
    assert!(page.refused.is_none(), "the next command takes the refusal away");
    assert_eq!(replicas(&page), 4);
}

#[test]
fn a_refused_policy_stays_as_it_was_and_can_be_had_by_recreating_the_set() {
    let mut page = page();
    send(&mut page, [Msg::Set(Draft { field: Field::Policy, origin: Origin::Policy, value: 1 })]);
    let refused = page.refused.clone().unwrap();
    assert!(refused.refusal.problems[0].message().contains("Forbidden"));
    let (set, policy) = refused.command.asks_for_policy().unwrap();
    let again = Command::Recreate { set, policy };
    send(&mut page, [Msg::Send(again, Origin::Policy)]);
    assert!(page.refused.is_none());
    assert_eq!(page.stage.view.controls.as_ref().unwrap().policy, Some(policy));
}

#[test]
fn nothing_is_sent_while_a_flag_is_dragged_and_nothing_if_it_is_let_go_where_it_was() {
    let mut page = page();
    let before = page.stage.session.position();
    let draft = Draft { field: Field::Replicas, origin: Origin::Rail, value: 5 };
    send(&mut page, [Msg::Draft(Some(draft))]);
    assert_eq!((page.panels.draft, replicas(&page)), (Some(draft), 3));
    send(&mut page, [Msg::Draft(None)]);
    assert_eq!((page.panels.draft, page.stage.session.position()), (None, before));
    send(&mut page, [Msg::Draft(Some(draft)), Msg::Set(draft)]);
    assert_eq!((page.panels.draft, replicas(&page)), (None, 5));
}

#[test]
fn undo_goes_before_the_last_command_and_redo_after_it() {
    let mut page = page();
    let four = scale(&page, 4);
    send(&mut page, [four, Msg::Undo]);
    assert_eq!(replicas(&page), 3);
    send(&mut page, [Msg::Redo]);
    assert_eq!(replicas(&page), 4);
}

#[test]
fn the_editor_loses_nothing_that_was_typed() {
    let mut page = page();
    let wrong = "apiVersion: apps/v1\nkind: StatefulSet\nmetadata:\n  name: web\nspec:\n  replicas: many\n";
    send(&mut page, [Msg::Typed(wrong.to_owned()), Msg::Apply(wrong.to_owned())]);
    assert_eq!(*page.editor.text, *wrong, "a refused text stays to be put right");
    assert_eq!(page.refused.as_ref().unwrap().refusal.problems[0].line, Some(6));
    send(&mut page, [Msg::ShowManifest]);
    assert_ne!(*page.editor.text, *wrong);
    send(&mut page, [Msg::PutBack]);
    assert_eq!(*page.editor.text, *wrong);
    assert!(page.editor.kept.is_none(), "it is brought back once");
}

#[test]
fn a_text_that_the_page_wrote_is_not_kept() {
    let mut page = page();
    send(&mut page, [Msg::ShowManifest, Msg::ShowManifest]);
    assert!(page.editor.kept.is_none());
}

#[test]
fn a_starter_makes_its_workload_and_shows_it_with_its_manifest() {
    let mut page = page();
    let at = crate::page::starters().position(|name| name == "Deployment").unwrap();
    send(&mut page, [Msg::Starter(at)]);
    assert_eq!(set(&page).name.as_ref(), "shop");
    assert!(page.editor.text.contains("kind: Deployment"));
    send(&mut page, [Msg::Choose(0)]);
    assert_eq!(set(&page).name.as_ref(), "web", "the other one can be chosen again");
}

#[test]
fn the_kubectl_line_answers_and_remembers() {
    let mut page = page();
    let say = |line: &str| [Msg::Inspector(InspectorMsg::Line(line.to_owned())), Msg::Inspector(InspectorMsg::Run)];
    send(&mut page, say("scale sts web --replicas=4"));
    send(&mut page, say("nonsense"));
    let said: Vec<_> = page.inspector.entries.iter().map(|entry| (entry.answer.to_string(), entry.wrong)).collect();
    assert_eq!((&*said[0].0, said[0].1), ("statefulset.apps/web scaled", false));
    assert!(said[1].0.contains("unknown command \"nonsense\"") && said[1].1);
    assert_eq!((replicas(&page), &*page.inspector.line), (4, ""));
    let mut recall = |older| {
        send(&mut page, [Msg::Inspector(InspectorMsg::Recall(older))]);
        page.inspector.line.clone()
    };
    assert_eq!(recall(true), "nonsense");
    assert_eq!(recall(true), "scale sts web --replicas=4");
    assert_eq!(recall(true), "scale sts web --replicas=4", "there is no older one");
    assert_eq!(recall(false), "nonsense");
    assert_eq!(recall(false), "");
}

#[test]
fn the_kubectl_line_completes_a_word_and_keeps_the_focus() {
    let mut page = page();
    let line = Msg::Inspector(InspectorMsg::Line("scale sts w".to_owned()));
    let effects = send(&mut page, [line, Msg::Inspector(InspectorMsg::Take("web".to_owned()))]);
    assert_eq!(page.inspector.line.trim_end(), "scale sts web");
    assert_eq!(effects, [Effect::Focus(Target::KubectlLine)]);
}

#[test]
fn the_key_of_the_kubectl_line_shows_it_on_a_narrow_screen_too() {
    let mut page = page();
    let effects = send(&mut page, [Msg::Inspector(InspectorMsg::Prompt)]);
    assert_eq!((page.panels.tab, page.panels.sheet), (Tab::Kubectl, Some(Sheet::Inspector)));
    assert_eq!(effects, [Effect::Focus(Target::KubectlLine)]);
}

#[test]
fn kubectl_edit_opens_the_editor_with_the_set() {
    let mut page = page();
    let edit = Msg::Inspector(InspectorMsg::Line("edit sts web".to_owned()));
    send(&mut page, [edit, Msg::Inspector(InspectorMsg::Run)]);
    assert_eq!(page.panels.tab, Tab::Manifest);
    assert!(page.editor.text.contains("name: web"));
}

#[test]
fn in_a_locked_figure_nothing_can_be_done_to_the_cluster() {
    let mut page = page_of(Opening { locked: true, embedded: true, ..opening() });
    let before = page.stage.session.scenario().commands.len();
    let four = scale(&page, 4);
    let line = Msg::Inspector(InspectorMsg::Line("scale sts web --replicas=4".to_owned()));
    send(&mut page, [four, Msg::Release("v1.28".to_owned()), line, Msg::Inspector(InspectorMsg::Run), Msg::StartOver]);
    assert_eq!(page.stage.session.scenario().commands.len(), before);
    assert_eq!(page.inspector.entries[0].answer, "error: this figure is read-only");
    send(&mut page, [Msg::Step]);
    assert!(page.stage.session.position().0 > 1, "time can still be moved");
}

#[test]
fn a_figure_has_its_link_to_the_whole_page_from_the_start() {
    let mut page = page_of(Opening { embedded: true, ..opening() });
    let effects = send(&mut page, [Msg::Opened]);
    assert!(
        matches!(&effects[..], [Effect::WriteLink { place: LinkPlace::OpenHere, text }] if text.contains("setscope: 1"))
    );
}

#[test]
fn a_theme_is_shown_and_remembered() {
    let mut page = page();
    assert_eq!(send(&mut page, [Msg::Theme(Theme::Dark)]), [Effect::SetTheme(Theme::Dark)]);
    assert_eq!(page.theme, Theme::Dark);
}

#[test]
fn a_moment_is_announced_when_stepping_and_now_and_then_while_playing() {
    let mut page = page();
    send(&mut page, [Msg::ToStart]);
    let first = page.announcer.text.clone();
    let heard = first.to_string();
    assert!(heard.starts_with(&format!("Waiting: {}. ", page.stage.view.explanation.headline)), "{heard}");
    assert!(heard.contains(&page.stage.view.explanation.reason.to_string()), "{heard}");
    send(&mut page, [Msg::Speed(1_000), Msg::Toggle, Msg::Tick(33)]);
    assert_eq!(page.announcer.text, first, "not at each tick");
    for _ in 0..61 {
        send(&mut page, [Msg::Tick(33)]);
    }
    assert_ne!(page.announcer.text, first, "but after two seconds");
}

#[test]
fn the_kubectl_line_means_the_namespace_of_the_workload_on_the_stage() {
    let mut page = page();
    send(&mut page, [Msg::Apply(MANIFEST.replace("  name: web\nspec", "  name: web\n  namespace: prod\nspec"))]);
    assert_eq!(&*set(&page).namespace, "prod");
    let say = |line: &str| [Msg::Inspector(InspectorMsg::Line(line.to_owned())), Msg::Inspector(InspectorMsg::Run)];
    send(&mut page, say("scale sts web --replicas=1"));
    assert_eq!((replicas(&page), page.inspector.entries[0].wrong), (1, false));
    send(&mut page, say("get sts web -n default -o name"));
    assert!(!page.inspector.entries[1].wrong, "another one can be named");
}

#[test]
fn a_file_is_a_manifest_for_the_editor_or_what_a_cluster_printed() {
    let mut page = page();
    send(&mut page, [Msg::File(MANIFEST.into())]);
    assert_eq!((page.panels.tab, &*page.editor.text), (Tab::Manifest, MANIFEST));
    let printed = MANIFEST.to_owned() + "status:\n  replicas: 3\n";
    send(&mut page, [Msg::File(printed.into())]);
    assert_eq!(page.sharing.dialog, Some(Dialog::Cluster));
}

#[test]
fn a_text_that_comes_in_by_any_door_goes_where_it_belongs() {
    let file = |text: &str| {
        let mut page = page();
        send(&mut page, [Msg::File(text.into())]);
        page
    };
    // A manifest is looked at before it is applied.
    let page = file(MANIFEST);
    assert!(page.panels.tab == Tab::Manifest && page.sharing.dialog.is_none());
    let scenario = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/www/scenarios/stuck-rollback.yaml"));
    let page = file(&scenario.expect("a scenario"));
    assert!(page.sharing.shows_about && page.sharing.problem.is_empty(), "{}", page.sharing.problem);
    // What cannot be read is named, with the one command to type.
    let mut page = file("It does not work since this morning");
    super::cluster::go_on(&mut page);
    assert_eq!(page.sharing.dialog, Some(Dialog::Cluster));
    assert!(page.opened.problem.contains("give the output of `kubectl get"), "{}", page.opened.problem);
}
