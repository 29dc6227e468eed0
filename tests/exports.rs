//! What is taken away as files: of every scenario, whole and readable.
#![allow(clippy::unwrap_used, reason = "a test")]

use crate::kit::presets;
use setscope::kubectl;
use setscope::session::scenario;
use setscope::sim::START;
use setscope::view::{self, Export};

#[test]
fn the_report_says_every_command_and_where_the_controller_stands() {
    for (name, text) in presets() {
        let (session, about) = scenario::read(&text).unwrap();
        let report = Export::Report.text(&session, &about, None);
        assert!(report.starts_with(&format!("# {}\n\n{}", about.title, about.text.trim())), "{name}");
        let now = session.cluster().now().0 - START.0;
        for logged in session.scenario().commands.iter().filter(|logged| logged.at <= now) {
            let line = format!("`{}`", kubectl::write(&logged.command));
            assert!(report.contains(&line), "{name} lacks {line}");
        }
        let headline = view::build(&session, None).explanation.headline.clone();
        assert!(report.contains(&format!("**{headline}.**")), "{name}");
    }
}

#[test]
fn after_a_command_the_report_says_what_is_waited_for() {
    let (_, text) = presets().into_iter().find(|(name, _)| name == "stuck-rollback").unwrap();
    let (mut session, about) = scenario::read(&text).unwrap();
    session.reach(60_000);
    let report = Export::Report.text(&session, &about, None);
    let (_, after) = report.split_once("`kubectl rollout undo sts/web`").unwrap();
    assert!(
        after.starts_with("\n- **40.0 s** web-2 is not Running and Ready; OrderedReady waits until it is.\n"),
        "{after}"
    );
}

#[test]
fn pictures_are_whole_and_name_every_pod() {
    for (name, text) in presets() {
        let (session, about) = scenario::read(&text).unwrap();
        let pods: Vec<String> = session.cluster().pods().map(|pod| pod.metadata.name.to_string()).collect();
        for what in [Export::Stage, Export::Timeline] {
            let picture = what.text(&session, &about, None);
            assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"), "{name}");
            for pod in &pods {
                // On the axis and on a node a pod is its ordinal; its name is its title.
                let is_named = [format!(">{pod}<"), format!("<title>{pod} "), format!("<title>{pod}: ")];
                assert!(is_named.iter().any(|named| picture.contains(named)), "{name}: {what:?} lacks {pod}");
            }
            for element in ["text", "title", "g", "pattern", "defs", "style", "desc"] {
                let opened =
                    picture.matches(&format!("<{element} ")).count() + picture.matches(&format!("<{element}>")).count();
                assert_eq!(
                    picture.matches(&format!("</{element}>")).count(),
                    opened,
                    "{name}: every {element} is closed"
                );
            }
            assert!(!picture.contains("NaN") && !picture.contains("width=\"-"), "{name}");
        }
    }
}

#[test]
fn the_watched_pods_have_kubectls_columns() {
    let (_, text) = presets().swap_remove(0);
    let (session, about) = scenario::read(&text).unwrap();
    let lines = Export::Pods.text(&session, &about, None);
    let head = lines.lines().next().unwrap();
    assert_eq!(head.split_whitespace().take(5).collect::<Vec<_>>(), ["NAME", "READY", "STATUS", "RESTARTS", "AGE"]);
    assert!(lines.lines().count() > session.cluster().pods().count());
}
