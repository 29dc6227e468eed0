//! The pictures to take away: whole, and with everything that the stage shows. `WRITE_PICTURES=<folder>` keeps them to look at.

use super::workloads::{daemon_set, deployment, field, image, in_place};
use super::{WEB, give, settle, start, web};
use crate::objects::{Kind, ObjectRef};
use crate::session::scenario::{self, About};
use crate::session::{Command, Session};
use crate::sim::Failure;
use crate::view::{Export, Place, PodAppearance, View, build, chips, shapes};
use std::rc::Rc;

/// Both pictures, once all that holds of every picture is checked.
fn drawn(name: &str, session: &Session, set: Option<&ObjectRef>) -> [String; 2] {
    [Export::Stage, Export::Timeline].map(|what| {
        let picture = what.text(session, &About::default(), set);
        whole(name, &picture);
        if let Ok(folder) = std::env::var("WRITE_PICTURES") {
            let file = if what == Export::Stage { "moment" } else { "run" };
            std::fs::write(format!("{folder}/{name}-{file}.svg"), &picture).unwrap_or_else(|why| panic!("{why}"));
        }
        picture
    })
}

/// Every element is closed where it was opened, and every number is one.
fn whole(name: &str, picture: &str) {
    let mut open = Vec::new();
    let mut rest = picture;
    while let Some((_, from)) = rest.split_once('<') {
        let (tag, after) = from.split_once('>').unwrap_or_else(|| panic!("{name}: an open tag: {from}"));
        let word = tag.split([' ', '\n']).next().unwrap_or_default();
        match word.strip_prefix('/') {
            Some(word) => assert_eq!(open.pop(), Some(word), "{name}"),
            None if tag.ends_with('/') => {}
            None => open.push(word),
        }
        rest = after;
    }
    assert!(open.is_empty(), "{name}: {open:?}");
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"), "{name}");
    assert!(!picture.contains("NaN") && !picture.contains("width=\"-") && !picture.contains("height=\"-"), "{name}");
    assert!(!picture.contains("<text x=\"-"), "{name}: a text begins outside");
}

/// The words of a picture without its marks.
fn words(picture: &str) -> String {
    let texts = picture.split("<text ").skip(1).filter_map(|text| text.split_once('>')?.1.split_once("</text>"));
    texts.map(|(words, _)| words.replace("&lt;", "<").replace("&amp;", "&")).collect::<Vec<_>>().join(" ")
}

/// What its parts are called, for whoever points at them.
fn titles(picture: &str) -> Vec<String> {
    let titles = picture.split("<title>").skip(1).filter_map(|text| text.split_once("</title>"));
    titles.map(|(title, _)| title.replace("&lt;", "<").replace("&amp;", "&")).collect()
}

/// The part of the picture that draws a place: from its title to the end of its group.
fn drawn_place<'a>(picture: &'a str, name: &str) -> Option<&'a str> {
    let titled = [' ', ':'].iter().find_map(|after| picture.split_once(&format!("<g><title>{name}{after}")));
    // The icons within are groups of their own.
    let rest = titled?.1;
    Some(rest.split("<g><title>").next().unwrap_or(rest))
}

/// Its ordinal, its revision, its state with its shape, its claims and what still runs of it elsewhere.
fn says_the_place(name: &str, picture: &str, place: &Place, prefix: &str) {
    let drawn = drawn_place(picture, &place.name).unwrap_or_else(|| panic!("{name} lacks {}", place.name));
    let has = |what: &str| assert!(drawn.contains(what), "{name}: {} lacks {what}: {drawn}", place.name);
    has(&format!(">{}</text>", place.name.strip_prefix(prefix).unwrap_or(&place.name)));
    place.claims.iter().for_each(|claim| has(&claim.name));
    place.ghosts.iter().for_each(|node| has(&format!("still running on {node}")));
    match &place.pod {
        Some(pod) => {
            [&*pod.status, &pod.ready, &pod.node, &pod.tag, &pod.revision.name].into_iter().for_each(has);
            let (_, shape) = shapes::of_look(pod.look)[0];
            has(shape);
        }
        None => has(&place.empty.to_string()),
    }
}

fn says_the_stage(name: &str, picture: &str, view: &View) {
    let (words, titles) = (words(picture), titles(picture));
    let has = |what: &str| {
        assert!(words.contains(what), "{name} lacks {what}: {words}");
    };
    let rail = view.workload.axis();
    let flags = rail.map(|rail| [("partition", &rail.partition), ("replicas", &rail.replicas)]);
    for (name, flag) in flags.into_iter().flatten() {
        let Some(flag) = flag else { continue };
        has(&format!("{name} {}", flag.at));
        assert!(titles.contains(&flag.consequence.to_string()), "{titles:?}");
    }
    assert!(titles.iter().any(|title| title.contains(view.workload.prefix())), "{name} lacks its names");
    view.workload.places().iter().for_each(|place| says_the_place(name, picture, place, view.workload.prefix()));
    let ringed = view.workload.places().iter().any(|place| place.ringed);
    assert_eq!(picture.contains("stroke-width=\"2.5\""), ringed, "{name}: the ring around a card");
    for card in view.workload.cards().iter().flat_map(|cards| &cards.cards) {
        [card.pod.instance(), &card.pod.status, &card.pod.ready, &card.pod.tag].into_iter().for_each(&has);
        assert!(picture.contains(&format!("<title>{} ", card.pod.name)), "{name} lacks {}", card.pod.name);
    }
    for blank in view.workload.cards().iter().flat_map(|cards| &cards.blanks) {
        [&blank.title, &blank.words].into_iter().for_each(|what| has(&what.to_string()));
    }
    for node in &*view.nodes {
        [node.name.clone(), node.status.to_string()].into_iter().for_each(|what| has(&what.to_string()));
        node.conditions.iter().for_each(|condition| has(&condition.to_string()));
        let (shown, _) = chips(&node.pods);
        for pod in shown {
            let title = format!("{}: {}", pod.name, pod.status);
            assert!(titles.contains(&title), "{name} lacks {title}");
        }
    }
    has(&view.explanation.headline.to_string());
    has(view.explanation.reason.to_string().trim());
    has(&view.explanation.resolution.to_string());
    view.warnings.iter().for_each(|warning| has(&warning.to_string()));
    let is_condemned = |place: &&Rc<Place>| {
        place.condemned && place.pod.as_ref().is_none_or(|pod| pod.look != PodAppearance::Terminating)
    };
    let condemned = view.workload.places().iter().filter(is_condemned).count();
    assert_eq!(picture.matches("fill=\"url(#condemned)\"").count(), condemned, "{name}");
}

fn says_the_run(name: &str, picture: &str) {
    let words = words(picture);
    for what in ["Running, not Ready", "sync that wrote nothing", "command", "fault", "this moment", "0 s"] {
        assert!(words.contains(what), "{name} lacks {what}: {words}");
    }
}

fn check(name: &str, session: &Session, set: Option<&ObjectRef>) {
    let [stage, run] = drawn(name, session, set);
    says_the_stage(name, &stage, &build(session, set));
    says_the_run(name, &run);
}

#[test]
fn the_pictures_of_every_scenario_say_what_its_stage_says() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/www/scenarios");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let text = std::fs::read_to_string(entry.path()).unwrap_or_default();
        if let Ok((session, _)) = scenario::read(&text) {
            check(&entry.file_name().to_string_lossy().replace(".yaml", ""), &session, None);
            count += 1;
        }
    }
    assert!(count >= 15, "{count}");
}

#[test]
fn the_claims_that_stay_after_a_scale_down_are_in_the_picture() {
    let (mut session, set) = (start(), web());
    settle(&mut session);
    give(&mut session, Command::Scale { set: set.clone(), replicas: 1 });
    session.advance(1_000);
    check("scale-down", &session, None);
    assert!(drawn("scale-down", &session, None)[0].contains("<title>replicas 1: web-1 and web-2 will be deleted"));
    settle(&mut session);
    check("scaled-down", &session, None);
    let [stage, _] = drawn("scaled-down", &session, None);
    assert_eq!(stage.matches("url(#condemned)").count(), 2);
    assert!(stage.contains("www-web-2") && stage.contains("only its claim is left"));
}

#[test]
fn a_picture_is_of_the_set_that_is_drawn() {
    let (mut session, set) = deployment();
    give(&mut session, Command::Apply { manifest: WEB.into() });
    settle(&mut session);
    check("beside-deployment", &session, Some(&set));
    assert!(drawn("beside-web", &session, None)[0].contains("<title>web: 3 of 3 Ready"));
    assert!(drawn("beside-deployment", &session, Some(&set))[0].contains("<title>shop: "));
}

#[test]
fn workloads_without_ordinals_have_their_cards_in_the_picture() {
    for (name, (mut session, set)) in [
        ("in-place", in_place()),
        ("surge", super::workloads::surge()),
        ("deployment", deployment()),
        ("daemons", daemon_set()),
    ] {
        check(name, &session, Some(&set));
        image(&mut session, &set, "nginx:1.28");
        if name == "in-place" {
            field(&mut session, &set, "updateStrategy.rollingUpdate.partition", "2");
        }
        session.advance(6_000);
        check(&format!("{name}-rolls"), &session, Some(&set));
        give(&mut session, Command::FailNode { node: "node-b".into(), failure: Failure::PowerLost });
        session.advance(90_000);
        check(&format!("{name}-lost"), &session, Some(&set));
    }
}

/// The ordinals of each run that is folded.
fn runs(titles: &[String], prefix: &str) -> Vec<std::ops::RangeInclusive<i32>> {
    let spans = titles.iter().filter_map(|title| title.strip_prefix(prefix)?.split_once(':')?.0.split_once('–'));
    spans.filter_map(|(from, to)| Some(from.parse().ok()?..=to.parse().ok()?)).collect()
}

#[test]
fn many_pods_and_long_names_keep_within_the_picture() {
    for (name, replicas) in [("many", 18), ("rows", 60), ("many-rows", 240), ("runs", 1_000)] {
        let (mut session, set) = (start(), web());
        give(&mut session, Command::Scale { set: set.clone(), replicas });
        session.advance(20_000);
        let view = build(&session, None);
        let [stage, run] = drawn(name, &session, None);
        says_the_run(name, &run);
        let runs = runs(&titles(&stage), view.workload.prefix());
        for place in view.workload.places().iter() {
            let is_drawn = drawn_place(&stage, &place.name).is_some();
            let is_folded = runs.iter().any(|run| run.contains(&place.ordinal));
            assert!(is_drawn != is_folded, "{name}: {}", place.name);
        }
        assert!(stage.contains(&format!("<title>replicas {replicas}: web-0 to web-{} should exist", replicas - 1)));
    }
    let long = "a-name-that-is-longer-than-a-card-is-wide";
    let manifest = WEB.replace(r#""name": "web""#, &format!(r#""name": "{long}""#));
    let mut session = Session::start(&manifest, 1).unwrap_or_else(|refusal| panic!("{refusal:?}"));
    settle(&mut session);
    let set = ObjectRef { kind: Kind::StatefulSet, namespace: "default".into(), name: long.into() };
    let [stage, _] = drawn("long-names", &session, Some(&set));
    assert!(stage.contains(&format!("<title>{long}-2 Running")));
}
