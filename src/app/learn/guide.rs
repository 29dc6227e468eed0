//! The guide through a lesson: what to look at, what is asked, and why it came as it did.

use crate::app::dispatch::Dispatch;
use crate::app::effects::GUIDE;
use crate::app::language::say;
use crate::app::prose::prose;
use crate::page::{Guide, LearnMsg, Msg};
use crate::session::lesson::{Choices, Question};
use crate::text::Text;
use crate::view::Step;
use yew::{Html, MouseEvent, Properties, classes, component, html};

#[derive(Properties, PartialEq)]
pub(in crate::app) struct Props {
    pub(in crate::app) send: Dispatch,
    pub(in crate::app) guide: Guide,
}

#[component]
pub(in crate::app) fn LessonGuide(props: &Props) -> Html {
    let (send, guide) = (&props.send, &props.guide);
    let Some(step) = guide.lesson.steps.get(guide.step) else { return Html::default() };
    let question = step.question.as_ref();
    let answered = question.zip(guide.answer.as_deref());
    html! {
        <section class="guide" aria-labelledby="guide-title">
            <div class="guide__head">
                <h2 id="guide-title" class="guide__title">{ say(Text::authored(&guide.lesson.about.title)) }</h2>
                <span class="guide__step">{ say(text!("Step {} of {}", guide.step + 1, guide.lesson.steps.len())) }</span>
                { action(send, LearnMsg::Close, "button--small button--quiet", &text!("Close the lesson")) }
            </div>
            <div class="guide__said" id={GUIDE} tabindex="-1" aria-live="polite">
                if guide.is_moving {
                    <p class="guide__moving">{ say(text!("The run plays on to the next stop …")) }</p>
                } else if let Some((question, answer)) = answered {
                    { outcome(question, answer, guide.why.as_deref()) }
                } else {
                    if !step.say.is_empty() {
                        <p>{ prose(Text::authored(&step.say)) }</p>
                    }
                    if let Some(question) = question {
                        <p class="guide__ask">{ prose(Text::authored(&question.ask)) }</p>
                    }
                }
            </div>
            if guide.asks {
                if let Some(question) = question {
                    { choices(send, guide, question) }
                }
            }
            <div class="guide__acts">
                if guide.is_moving {
                    { action(send, LearnMsg::Skip, "", &text!("Skip ahead")) }
                } else if !guide.asks {
                    { onward(send, guide) }
                }
                if guide.step > 0 && !guide.is_moving {
                    { action(send, LearnMsg::Previous, "button--quiet", &text!("Step back")) }
                }
                if guide.is_left {
                    <span class="guide__left">
                        { say(text!("You are elsewhere in the run. The lesson goes on where it stopped; what you did stays as a branch.")) }
                    </span>
                }
            </div>
        </section>
    }
}

fn action(send: &Dispatch, msg: LearnMsg, look: &'static str, words: &Text) -> Html {
    let act = send.reform(move |_: MouseEvent| Msg::Learn(msg.clone()));
    html! { <button type="button" class={classes!("button", look)} onclick={act}>{ say(words) }</button> }
}

/// What there is to choose from.
fn choices(send: &Dispatch, guide: &Guide, question: &Question) -> Html {
    let choose = |answer: &str, words: Html| {
        let answer = answer.into();
        let act = send.reform(move |_: MouseEvent| Msg::Learn(LearnMsg::Answer(std::rc::Rc::clone(&answer))));
        html! { <li><button type="button" class="button guide__choice" onclick={act}>{ words }</button></li> }
    };
    match &question.choices {
        Choices::Sentences(answers) => html! {
            <ul class="guide__choices" aria-label={say(text!("Possible answers"))}>
                { for answers.iter().map(|one| choose(&one.say, prose(Text::authored(&one.say)))) }
            </ul>
        },
        Choices::Pods(_) => html! {
            <>
                <ul class="guide__choices guide__choices--pods" aria-label={say(text!("Possible answers"))}>
                    { for guide.pods.iter().map(|pod| choose(pod, html! { <code>{ &**pod }</code> })) }
                </ul>
                <p class="guide__hint">{ say(text!("Choose it here, or on the stage.")) }</p>
            </>
        },
    }
}

/// What came of it, and why.
fn outcome(question: &Question, answer: &str, why: Option<&Step>) -> Html {
    let wrong = question.choices.wrong(answer);
    let answered = match &question.choices {
        Choices::Sentences(_) => Text::authored(answer),
        Choices::Pods(_) => Text::verbatim(answer),
    };
    html! {
        <>
            if let Some(wrong) = wrong {
                <p class="guide__verdict guide__verdict--wrong">
                    <b>{ say(text!("Not quite.")) }</b>
                    { " " }<q>{ say(answered) }</q>{ " " }{ prose(Text::authored(wrong)) }
                </p>
            } else {
                <p class="guide__verdict guide__verdict--right">
                    <b>{ say(text!("Right.")) }</b>{ " " }<q>{ say(answered) }</q>
                </p>
            }
            <p>{ prose(Text::authored(&question.then)) }</p>
            if let Some(why) = why {
                <div class="guide__why">
                    <p><b>{ say(text!("What the controller decided:")) }</b>{ " " }{ say(&why.text) }</p>
                    <p class="guide__rule">
                        { say(Text::fixed(why.rule)) }{ " " }
                        <code>{ why.function }</code>{ ", " }<code>{ why.file.rsplit('/').next().unwrap_or_default() }</code>
                    </p>
                </div>
            }
        </>
    }
}

/// The way on.
fn onward(send: &Dispatch, guide: &Guide) -> Html {
    if !guide.is_over {
        return action(send, LearnMsg::Next, "button--primary", &text!("Next"));
    }
    html! {
        <>
            <span class="guide__over">{ say(text!("That was the lesson. The run is yours now.")) }</span>
            if let Some(next) = &guide.next {
                { action(send, LearnMsg::Fetch(next.name.clone()), "button--primary",
                    &text!("Next lesson: {}", Text::authored(&next.title))) }
            }
            { action(send, LearnMsg::Again, "", &text!("Once more")) }
        </>
    }
}
