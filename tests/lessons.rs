//! Every lesson under www/lessons runs to its end. Of each question the right answer holds, each wrong one is refuted by
//! the run, and the decision that is told was taken. `WRITE_INDEX=1 cargo test --test it lessons::` writes the list anew.
#![allow(clippy::unwrap_used, reason = "a test")]

use crate::kit::{folder, lessons, refutation};
use serde_json::{Value, json};
use setscope::session::Session;
use setscope::session::lesson::{Answer, Choices, Course, Question, is_lesson, read};
use setscope::view;
use std::fs;
use std::rc::Rc;

/// What is wrong with the answers of the question that the course is at; the session ends where the question's run does.
fn wrong_answers(course: &Course, session: &Session) -> Vec<String> {
    let question = course.open_question().unwrap();
    // Played by a copy: an assertion may look past the question's end, where the lesson's next command changes the run.
    let played = |answer: &str| {
        let (mut course, mut session) = (course.clone(), session.clone());
        course.answer(&mut session, answer).unwrap();
        let stop = course.stop();
        course.play(&mut session, stop).unwrap();
        session
    };
    match &question.choices {
        Choices::Sentences(answers) => {
            let of = |answer: &Answer| {
                let seen = check_within(&mut played(&answer.say), &answer.claims, question);
                problem(answer.wrong.is_none(), &answer.say, seen)
            };
            answers.iter().filter_map(of).collect()
        }
        Choices::Pods(pods) => {
            let view = view::build(session, None);
            let names: Vec<String> = view.workload.places().iter().map(|place| place.name.to_string()).collect();
            let of = |name: &String| {
                let claims: Value = serde_json::from_str(&pods.claims.to_string().replace("{}", name)).unwrap();
                (name.clone(), check_within(&mut played(name), &claims, question))
            };
            let mut wrong: Vec<String> =
                names.iter().map(of).filter_map(|(name, seen)| problem(name == pods.right, &name, seen)).collect();
            let named = pods.reasons.iter().map(|(name, _)| name).chain([&pods.right]);
            wrong.extend(named.filter(|name| !names.contains(name)).map(|name| format!("{name} is not there")));
            wrong
        }
    }
}

/// What is wrong with an answer, by what refutes its claim.
fn problem(is_right: bool, answer: &str, seen: Result<Option<String>, String>) -> Option<String> {
    match (is_right, seen) {
        (_, Err(problem)) => Some(format!("says nothing: {answer}: {problem}")),
        (true, Ok(Some(problem))) => Some(format!("right, and does not hold: {answer}: {problem}")),
        (false, Ok(None)) => Some(format!("wrong, and holds: {answer}")),
        _ => None,
    }
}

/// An assertion speaks of the part of the run that is played after the answer.
fn check_within(session: &mut Session, claims: &Value, question: &Question) -> Result<Option<String>, String> {
    for name in ["at", "to"] {
        let moment = claims[name].as_f64();
        #[allow(clippy::cast_possible_truncation, reason = "a moment")]
        let late = moment.is_some_and(|at| (at * 1000.0) as i64 > question.to);
        assert!(!late, "{claims} speaks of a moment after the question's end");
    }
    let seen = refutation(session, claims)?;
    // What is claimed of a pod that never was is refuted by a slip of the pen.
    if let Some(pod) = claims["pod"].as_str().filter(|_| seen.is_some()) {
        session.reach(question.to);
        let sets = view::sets(session.cluster());
        let of = sets.iter().find(|set| claims["of"] == format!("{}/{}", set.kind.title(), set.name));
        let view = view::build(session, of);
        if !view.workload.places().iter().any(|place| *place.name == *pod) {
            return Err(format!("there is no {pod}"));
        }
    }
    Ok(seen)
}

/// Everything that is wrong with a lesson.
fn problems(name: &str, text: &str) -> Vec<String> {
    let lesson = match read(text) {
        Ok(lesson) => Rc::new(lesson),
        Err(refusal) => return vec![format!("{name}: {refusal:?}")],
    };
    let mut wrong = Vec::new();
    let (mut course, mut session) = Course::start(lesson.clone()).unwrap();
    for step in 0..lesson.steps.len() {
        let mut note = |problem: String| wrong.push(format!("{name}, step {step}: {problem}"));
        let moved = if step > 0 { course.go_to(&mut session, step) } else { Ok(()) };
        let stop = course.stop();
        if let Err(refusal) = moved.and_then(|()| course.play(&mut session, stop)) {
            note(format!("{refusal:?}"));
            return wrong;
        }
        if !course.is_at_stop(&session) {
            note("the run is not where the step stops".to_owned());
        }
        if let Some(show) = &course.step().unwrap().show {
            let sets = view::sets(session.cluster());
            if !sets.iter().any(|set| format!("{}/{}", set.kind.title(), set.name) == *show) {
                note(format!("there is no {show}"));
            }
        }
        let Some(question) = course.open_question() else { continue };
        wrong_answers(&course, &session).into_iter().for_each(&mut note);
        let right = match &question.choices {
            Choices::Sentences(answers) => answers.iter().find(|one| one.wrong.is_none()).unwrap().say.clone(),
            Choices::Pods(pods) => pods.right.clone(),
        };
        let (from, to) = (course.from(), question.to);
        let because = question.because.clone();
        course.answer(&mut session, &right).unwrap();
        if let Err(refusal) = course.play(&mut session, to) {
            note(format!("{refusal:?}"));
        }
        if let Some((rule, pod)) = because
            && view::taken(&session, &rule, pod.as_deref(), from, to).is_none()
        {
            let syncs = session.cluster().trace().syncs.iter();
            let taken: Vec<String> = syncs
                .filter(|sync| (from..=to).contains(&(sync.at.0 - setscope::sim::START.0)))
                .flat_map(|sync| sync.decisions.iter().map(|one| format!("{:?} {:?}", one.rule, one.subject)))
                .collect();
            note(format!("{rule} {pod:?} was not decided: {taken:?}"));
        }
    }
    wrong
}

#[test]
fn every_lesson_tells_what_happens() {
    let all = lessons();
    assert!(all.len() >= 12, "{} lessons", all.len());
    let wrong: Vec<String> = all.iter().flat_map(|(name, text)| problems(name, text)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_lesson_is_short_and_asks() {
    for (name, text) in lessons() {
        let lesson = read(&text).unwrap();
        assert!(is_lesson(&text) && *lesson.name == *name, "{name} is called {}", lesson.name);
        let questions = lesson.steps.iter().filter(|step| step.question.is_some()).count();
        assert!((2..=6).contains(&questions), "{name} has {questions} questions");
        assert!((1..=4).contains(&lesson.minutes), "{name}: {} minutes", lesson.minutes);
        let words = |text: &str| text.split_whitespace().count();
        assert!((12..=45).contains(&words(&lesson.about.text)), "{name}: {}", lesson.about.text);
        for text in lesson.texts() {
            assert!(words(text) <= 65, "{name}, {} words: {text}", words(text));
        }
        let words: usize = lesson.texts().into_iter().map(words).sum();
        // At 200 words a minute, with time to look and to think.
        assert!(words <= 700, "{name} has {words} words");
    }
}

/// The first lesson with one line changed.
fn changed(from: &str, to: &str) -> Vec<String> {
    let (name, text) = lessons().into_iter().find(|(name, _)| name == "create-in-order").unwrap();
    assert!(text.contains(from), "{from} is there");
    problems(&name, &text.replace(from, to))
}

#[test]
fn what_is_not_so_is_noticed() {
    for (from, to, problem) in FALSIFIED {
        let found = changed(from, to);
        assert!(found.iter().any(|one| one.contains(problem)), "{to}: {found:#?}");
    }
}

/// A line of the first lesson, what it is changed to, and what is then found.
const FALSIFIED: [(&str, &str, &str); 7] = [
    ("right: web-0", "right: web-1", "right, and does not hold: web-1"),
    ("right: web-0", "right: web-1", "wrong, and holds: web-0"),
    ("at: 4.2, pod: web-1, gone: false", "at: 4.2, pod: web-1, gone: true", "wrong, and holds: It creates web-1,"),
    ("at: 4.2, pod: web-1, gone: false", "at: 4.2, pod: web-1, missing: true", "says nothing"),
    ("headline: web-0 is starting", "headline: Nothing to do", "right, and does not hold: It waits"),
    ("because: ReplicaCreated web-0", "because: ReplicaCreated web-1", "was not decided"),
    ("do: kubectl delete pod web-1", "do: kubectl delete pod web-7", "Refusal"),
];

#[test]
fn what_is_wrong_in_a_text_is_told_with_its_line() {
    let text = "setscope: 1\nlesson: own\ntitle: Own\nminutes: 2\nsteps:\n- at: 1\n  say: A\n- at: 2\n  ask: B?\n";
    for (end, line, problem) in [
        ("  to: 3\n  then: C\n", 8, "either `answers`, a list, or `pods`, a map"),
        ("  then: C\n", 8, "`to` is missing"),
        ("  to: 1\n  then: C\n", 8, "`to` is no earlier than `at`"),
        ("  to: 3\n  than: C\n", 8, "\"than\" is not a field of a step"),
        ("  to: 3\n  then: C\n  answers: [{say: D, claims: {at: 3}}]\n", 8, "several answers, all but one"),
        ("  to: 3\n  then: C\n  pods: {right: web-0, wrong: D}\n", 8, "`claims` is missing"),
        ("  to: 3\n  then: C\nmoments: 3\n", 12, "\"moments\" is not a field"),
    ] {
        let refusal = read(&format!("{text}{end}")).unwrap_err();
        let found = &refusal.problems[0];
        assert!(found.text().contains(problem), "{end}: {}", found.text());
        assert_eq!(found.line, Some(line), "{end}");
    }
}

/// The order of the list is the order on the page.
#[test]
fn the_list_names_every_lesson_as_it_names_itself() {
    let path = folder("www/lessons/index.json");
    let listed = fs::read_to_string(&path).unwrap_or_else(|_| "{}".to_owned());
    let mut order: Value = serde_json::from_str(&listed).unwrap();
    let order = order["lessons"].take().as_array().cloned().unwrap_or_default();
    let place = |name: &str| order.iter().position(|entry| entry["name"] == name).unwrap_or(usize::MAX);
    let mut entries: Vec<Value> = lessons()
        .into_iter()
        .map(|(name, text)| {
            let lesson = read(&text).unwrap();
            json!({"name": name, "title": lesson.about.title, "text": lesson.about.text, "minutes": lesson.minutes})
        })
        .collect();
    entries.sort_by_key(|entry| place(entry["name"].as_str().unwrap()));
    let right = serde_json::to_string_pretty(&json!({"lessons": entries})).unwrap() + "\n";
    if std::env::var_os("WRITE_INDEX").is_some() {
        fs::write(path, right).unwrap();
    } else {
        assert_eq!(listed, right);
    }
}
