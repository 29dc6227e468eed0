//! The figure for a page of one's own: how it looks, the code to copy, and the figure itself.

use crate::app::browser::value;
use crate::app::copy::Copy;
use crate::app::language::{is_chinese, say};
use crate::text::Text;
use std::rc::Rc;
use yew::{Callback, Event, Html, MouseEvent, Properties, component, html, use_state_eq};

/// How high a figure is until it says how high it needs to be, in pixels.
const HEIGHT: u32 = 260;

/// The panels by their names in the address, and whether a figure that names none has them. `www/theme.js` has the same.
fn panels() -> [(&'static str, Text, bool); 10] {
    [
        ("text", text!("Title and text"), false),
        ("summary", text!("Summary"), false),
        ("rail", text!("Pods"), true),
        ("stands", text!("Where the controller stands"), true),
        ("time", text!("Buttons of time"), true),
        ("timeline", text!("Timeline"), false),
        ("nodes", text!("Nodes"), false),
        ("events", text!("Events"), false),
        ("controls", text!("Controls"), false),
        ("inspector", text!("Inspector"), false),
    ]
}

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    /// The address that opens the page at this moment; empty until it is made.
    pub(super) link: Rc<str>,
    pub(super) title: String,
    pub(super) is_comparison: bool,
    /// The name of the lesson that is on, which a figure can begin with.
    pub(super) lesson: Option<Rc<str>>,
}

/// The panels that a figure of a lesson has beside the guide. `www/theme.js` has the same.
const OF_LESSON: [&str; 3] = ["summary", "rail", "stands"];

/// How a figure looks.
#[derive(Clone, PartialEq)]
struct Options {
    panels: Vec<&'static str>,
    /// `light` or `dark`; empty for the reader's own.
    theme: String,
    /// `en` or `zh`; empty for the reader's own.
    language: String,
    /// Whether readers may act on the cluster.
    is_open: bool,
    /// The lesson that it begins, in the place of the moment.
    lesson: Option<Rc<str>>,
}

impl Options {
    fn usual(lesson: Option<Rc<str>>) -> Self {
        let panels = usual_panels(lesson.is_some());
        Self { panels, theme: String::new(), language: String::new(), is_open: false, lesson }
    }

    /// With this panel if it was without it, and the other way around.
    fn toggled(&self, panel: &str) -> Self {
        let is_shown = |name: &&str| self.panels.contains(name) != (*name == panel);
        let panels = panels().into_iter().map(|(name, _, _)| name).filter(is_shown).collect();
        Self { panels, ..self.clone() }
    }

    /// The figure's address, made of that of the page.
    fn address(&self, link: &str) -> String {
        let (page, run) = link.split_once('#').unwrap_or((link, ""));
        let mut fields = vec!["embed".to_owned()];
        fields.extend(self.lesson.iter().map(|lesson| format!("lesson={lesson}")));
        if self.panels != usual_panels(self.lesson.is_some()) {
            fields.push(format!("show={}", self.panels.join(",")));
        }
        if self.is_open {
            fields.push("controls=open".to_owned());
        }
        let chosen = [("theme", &self.theme), ("lang", &self.language)];
        fields.extend(
            chosen.iter().filter(|(_, value)| !value.is_empty()).map(|(name, value)| format!("{name}={value}")),
        );
        let run = if self.lesson.is_some() { String::new() } else { format!("#{run}") };
        format!("{page}?{}{run}", fields.join("&"))
    }
}

/// The panels of a figure whose address names none.
fn usual_panels(is_lesson: bool) -> Vec<&'static str> {
    let is_shown = |name: &str, is_usual: bool| if is_lesson { OF_LESSON.contains(&name) } else { is_usual };
    panels().into_iter().filter(|(name, _, is_usual)| is_shown(name, *is_usual)).map(|(name, ..)| name).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

/// What somebody writes into a page of theirs. The caption is the page's own: it stands below the figure, in that page's letters.
fn snippet(address: &str, title: &str) -> String {
    let name = if title.is_empty() { "SetScope" } else { title };
    let frame = format!(
        r#"<iframe src="{}" title="{}" width="100%" height="{HEIGHT}" style="border:0" loading="lazy" allow="clipboard-write"></iframe>"#,
        escaped(address),
        escaped(name)
    );
    match title {
        "" => frame,
        title => format!("<figure>{frame}<figcaption>{}</figcaption></figure>", escaped(title)),
    }
}

/// Where to read more.
fn more() -> Html {
    html! {
        <p class="share__more">
            <a href={if is_chinese() { "embed.zh.html" } else { "embed.html" }}>
                { say(text!("Snippets for an embedded figure")) }
            </a>
            { " · " }
            <a href="example.html">{ say(text!("The simulator from JavaScript")) }</a>
            { " · " }
            <a href="hosting.html">{ say(text!("Hosting it yourself")) }</a>
        </p>
    }
}

#[component]
pub(super) fn Figure(props: &Props) -> Html {
    let options = use_state_eq(|| Options::usual(props.lesson.clone()));
    let address = options.address(&props.link);
    let code = snippet(&address, &props.title);
    let change = |set: fn(&mut Options, String)| {
        let options = options.clone();
        Callback::from(move |event: Event| {
            let mut new = (*options).clone();
            set(&mut new, value(&event));
            options.set(new);
        })
    };
    let panel = |(name, words, _): (&'static str, Text, bool)| {
        let toggled = options.toggled(name);
        let checked = options.panels.contains(&name);
        // A figure that shows nothing would have the usual panels.
        let disabled = checked && options.panels.len() == 1;
        let options = options.clone();
        let onclick = Callback::from(move |_: MouseEvent| options.set(toggled.clone()));
        html! { <label class="share__tick"><input type="checkbox" {checked} {disabled} {onclick} />{ say(words) }</label> }
    };
    let open = {
        let options = options.clone();
        Callback::from(move |_: MouseEvent| options.set(Options { is_open: !options.is_open, ..(*options).clone() }))
    };
    let begins = |lesson: Option<Rc<str>>, words: Text| {
        let checked = options.lesson == lesson;
        let options = options.clone();
        let onclick = Callback::from(move |_: MouseEvent| {
            let panels = usual_panels(lesson.is_some());
            options.set(Options { lesson: lesson.clone(), panels, ..(*options).clone() });
        });
        html! { <label class="share__tick"><input type="radio" name="figure-of" {checked} {onclick} />{ say(words) }</label> }
    };
    html! {
        <>
            <div class="share__options">
                if let Some(lesson) = &props.lesson {
                    <fieldset class="share__panels">
                        <legend>{ say(text!("What it begins with")) }</legend>
                        { begins(Some(Rc::clone(lesson)), text!("the lesson")) }
                        { begins(None, text!("this moment of the run")) }
                    </fieldset>
                }
                if !props.is_comparison {
                    <fieldset class="share__panels">
                        <legend>{ say(text!("What it shows")) }</legend>
                        { for panels().into_iter().map(panel) }
                    </fieldset>
                }
                <label>
                    { say(text!("Theme")) }
                    <select class="select" onchange={change(|options, theme| options.theme = theme)}>
                        <option value="" selected=true>{ say(text!("the reader's own")) }</option>
                        <option value="light">{ say(text!("Light")) }</option>
                        <option value="dark">{ say(text!("Dark")) }</option>
                    </select>
                </label>
                <label>
                    { say(text!("Language")) }
                    <select class="select" onchange={change(|options, language| options.language = language)}>
                        <option value="" selected=true>{ say(text!("the reader's own")) }</option>
                        <option value="en" lang="en">{ "English" }</option>
                        <option value="zh" lang="zh-CN">{ "中文" }</option>
                    </select>
                </label>
                <label class="share__tick">
                    <input type="checkbox" checked={options.is_open} onclick={open} />
                    { say(text!("Readers may act on the cluster")) }
                </label>
            </div>
            <div class="share__code">
                <pre tabindex="0" role="region" aria-label={say(text!("The figure's code"))}><code>{ code.clone() }</code></pre>
                <Copy text={code} name={text!("The figure's code")} />
            </div>
            if !props.link.is_empty() {
                <iframe key={address.clone()} class="share__preview" src={address.clone()} title={say(text!("The figure"))} />
            }
            { more() }
        </>
    }
}
