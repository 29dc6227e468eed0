//! A lesson from its text.

use super::{Answer, Choices, Entry, Lesson, PodChoice, Question, Step};
use crate::kubectl::{Refusal, manifest};
use crate::session::form::Form;
use crate::session::scenario;
use crate::text::Text;
use serde_json::{Map, Value};

const KEYS: &str = "setscope lesson title text minutes release featureGates seed nodes run steps";
const STEP: &str = "at say ask answers pods to because then run back release show";
const ANSWER: &str = "say claims wrong";
const PODS: &str = "right claims wrong reasons";
/// The fields that a scenario starts a run with.
const START: [&str; 5] = ["setscope", "release", "featureGates", "seed", "nodes"];

/// Whether a text is meant to be a lesson.
pub fn is_lesson(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("lesson:"))
}

/// The lesson of a text.
///
/// # Errors
/// What is wrong with it, and in which line. Whether its commands are taken shows when they are given.
pub fn read(text: &str) -> Result<Lesson, Refusal> {
    let form = Form::read_with(text, KEYS)?;
    let value = &form.value;
    let place = |path: &str| manifest::places(text).find(path).0;
    let steps = value["steps"].as_array().filter(|steps| !steps.is_empty());
    let steps = steps.ok_or_else(|| form.placed("steps", Refusal::own(text!("a lesson has `steps`"))))?;
    let steps = steps.iter().enumerate().map(|(index, value)| {
        let path = format!("steps[{index}]");
        step(value, &|own| place(&format!("{path}.{own}"))).map_err(|refusal| form.placed(&path, refusal))
    });
    let start = START.iter().filter_map(|key| Some(((*key).to_owned(), value.get(key)?.clone())));
    Ok(Lesson {
        name: form.at("lesson", |value| word(value, "lesson"))?.into(),
        about: scenario::about(&form)?,
        minutes: form.at("minutes", |value| {
            value.as_u64().ok_or_else(|| Refusal::own(text!("`{}` is a whole number", "minutes")))
        })?,
        start: start.collect(),
        run: entries(&value["run"], &|own| place(&format!("run{own}")))
            .map_err(|refusal| form.placed("run", refusal))?,
        steps: steps.collect::<Result<_, _>>()?,
    })
}

/// The one of these names that is a field's, or a refusal that names them.
fn known<'a>(value: &'a Value, what: &Text, keys: &str) -> Result<&'a Map<String, Value>, Refusal> {
    let fields = value.as_object().ok_or_else(|| Refusal::own(text!("{} is a map of {}", what.clone(), keys)))?;
    match fields.keys().find(|key| !keys.split(' ').any(|own| own == **key)) {
        Some(key) => {
            let key = format!("{key:?}");
            Err(Refusal::own(text!("{} is not a field of {}; its fields are {}", key, what.clone(), keys)))
        }
        None => Ok(fields),
    }
}

fn word(value: &Value, name: &str) -> Result<String, Refusal> {
    let text = value.as_str().filter(|text| !text.is_empty());
    text.map(str::to_owned).ok_or_else(|| Refusal::own(text!("`{}` is a text", name)))
}

fn moment(value: &Value, name: &str) -> Result<i64, Refusal> {
    scenario::moment(value)?.ok_or_else(|| Refusal::own(text!("`{}` is missing: a moment in seconds", name)))
}

fn entries(value: &Value, line: &dyn Fn(&str) -> usize) -> Result<Vec<Entry>, Refusal> {
    let entry = |(index, value): (usize, &Value)| {
        let at = scenario::given_at(value)?;
        Ok(Entry { at, value: value.clone(), line: line(&format!("[{index}]")) })
    };
    value.as_array().into_iter().flatten().enumerate().map(entry).collect()
}

fn step(value: &Value, line: &dyn Fn(&str) -> usize) -> Result<Step, Refusal> {
    let fields = known(value, &text!("a step"), STEP)?;
    let own = |name: &str| fields.get(name).and_then(Value::as_str).map(str::to_owned);
    let at = moment(&value["at"], "at")?;
    let question = fields.contains_key("ask").then(|| question(value, at)).transpose()?;
    let say = own("say").unwrap_or_default();
    if say.is_empty() && question.is_none() {
        return Err(Refusal::own(text!("a step says something, or asks")));
    }
    Ok(Step {
        at,
        say,
        question,
        show: own("show"),
        back: scenario::moment(&value["back"])?,
        release: fields.get("release").cloned(),
        run: entries(&value["run"], &|own| line(&format!("run{own}")))?,
    })
}

fn question(value: &Value, at: i64) -> Result<Question, Refusal> {
    let to = moment(&value["to"], "to")?;
    if to < at {
        return Err(Refusal::own(text!("`to` is no earlier than `at`: the run plays on after the answer")));
    }
    let choices = match (&value["answers"], &value["pods"]) {
        (Value::Array(answers), Value::Null) => {
            let answers: Vec<Answer> = answers.iter().map(answer).collect::<Result<_, _>>()?;
            if answers.len() < 2 || answers.iter().filter(|answer| answer.wrong.is_none()).count() != 1 {
                let words = text!("a question has several answers, all but one with `wrong`");
                return Err(Refusal::own(words));
            }
            Choices::Sentences(answers)
        }
        (Value::Null, pods @ Value::Object(_)) => Choices::Pods(pod_choice(pods)?),
        _ => return Err(Refusal::own(text!("a question has either `answers`, a list, or `pods`, a map"))),
    };
    let because = value["because"].as_str().map(|because| match because.split_once(' ') {
        Some((rule, pod)) => (rule.to_owned(), Some(pod.trim().to_owned())),
        None => (because.to_owned(), None),
    });
    Ok(Question { ask: word(&value["ask"], "ask")?, choices, to, because, then: word(&value["then"], "then")? })
}

fn claims(value: &Value) -> Result<Value, Refusal> {
    let claims = value["claims"].as_object().filter(|claims| !claims.is_empty());
    claims.map(|claims| Value::Object(claims.clone())).ok_or_else(|| {
        Refusal::own(text!("`claims` is missing: what the answer says of the run, in the form of `assert`"))
    })
}

fn answer(value: &Value) -> Result<Answer, Refusal> {
    known(value, &text!("an answer"), ANSWER)?;
    let wrong = value.get("wrong").map(|wrong| word(wrong, "wrong")).transpose()?;
    Ok(Answer { say: word(&value["say"], "say")?, wrong, claims: claims(value)? })
}

fn pod_choice(value: &Value) -> Result<PodChoice, Refusal> {
    known(value, &text!("`pods`"), PODS)?;
    let reasons = value["reasons"].as_object().into_iter().flatten();
    Ok(PodChoice {
        right: word(&value["right"], "right")?,
        claims: claims(value)?,
        wrong: word(&value["wrong"], "wrong")?,
        reasons: reasons.map(|(pod, reason)| Ok((pod.clone(), word(reason, pod)?))).collect::<Result<_, Refusal>>()?,
    })
}
