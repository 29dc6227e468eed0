//! The core for JavaScript: text in, values out, refusals as strings. www/pages/setscope.js makes errors of those; the
//! page's own program carries it, so there is one WebAssembly file for both.

use crate::diagnosis::{said, written};
use crate::kubectl::{self, Context, Line};
use crate::session::scenario::{self, About};
use crate::session::{Command, Refusal, Session};
use crate::trial::{self, Rehearsal};
use crate::verdict::judge;
use crate::view::json;
use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// A run.
#[wasm_bindgen]
pub struct Playground(Session);

impl Playground {
    fn carry_out(&mut self, commands: Vec<Command>) -> Result<(), String> {
        commands.into_iter().try_for_each(|command| self.0.command(command)).map_err(words)
    }
}

fn words(refusal: Refusal) -> String {
    refusal.messages().collect::<Vec<_>>().join("\n")
}

/// A value as JSON has it: `null` for nothing, objects for maps.
fn value(value: &impl Serialize) -> Result<JsValue, String> {
    value.serialize(&Serializer::json_compatible()).map_err(|error| error.to_string())
}

#[wasm_bindgen]
impl Playground {
    /// The run of a scenario's text, or of a manifest.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn open(text: &str) -> Result<Playground, String> {
        let is_scenario = scenario::is_scenario(text);
        let session =
            if is_scenario { scenario::read(text).map(|(session, _)| session) } else { Session::start(text, 1) };
        session.map(Self).map_err(words)
    }

    /// `kubectl apply -f -`.
    ///
    /// # Errors
    /// The API server's refusal.
    pub fn apply(&mut self, manifest: &str) -> Result<(), String> {
        self.0.command(Command::Apply { manifest: manifest.into() }).map_err(words)
    }

    /// A line of kubectl or setscope that does something.
    ///
    /// # Errors
    /// kubectl's words for a wrong line, or the API server's refusal.
    pub fn command(&mut self, line: &str) -> Result<(), String> {
        match kubectl::parse(line, self.0.cluster()).map_err(|error| error.to_string())? {
            Line::Do(commands) => self.carry_out(commands),
            Line::Stop { commands, error } => self.carry_out(commands).and(Err(error.to_string())),
            Line::Show(_) => Err("error: this line only shows something; state() has it".to_owned()),
        }
    }

    /// What lines would lead to, one below the other, as `setscope ways-out --try` prints it. The run stays as it is.
    ///
    /// # Errors
    /// The first is not understood, or they do nothing.
    pub fn rehearse(&self, lines: &str) -> Result<String, String> {
        let namespace = trial::only_namespace(&self.0);
        let context = Context { namespace: &namespace, files: &|_| None };
        let lines = trial::check(&self.0, &context, lines).map_err(words)?;
        self.0.cluster().forget_looks();
        let judged = judge(&self.0, &[], &[]);
        let files = Box::new(|_: &str| None);
        let rehearsal = Rehearsal::new(&judged.rest, judged.verdicts, &[], lines, namespace.clone(), files);
        Ok(written(&said(&rehearsal.to_the_end())))
    }

    /// One event. False if nothing is due.
    pub fn step(&mut self) -> bool {
        self.0.step()
    }

    /// To this moment, in seconds, into the past or into what is not known yet.
    ///
    /// # Errors
    /// There are too many events or pods before it.
    pub fn seek(&mut self, seconds: f64) -> Result<(), String> {
        #[allow(clippy::cast_possible_truncation, reason = "a moment")]
        let at = (seconds * 1000.0) as i64;
        scenario::reach(&mut self.0, at).map_err(words)
    }

    /// `State` of www/pages/setscope.d.ts.
    ///
    /// # Errors
    /// Never fails: every value is plain JSON.
    pub fn state(&self) -> Result<JsValue, String> {
        value(&json::state(&self.0))
    }

    /// `Sync[]` of www/pages/setscope.d.ts, from the sync of this number on.
    ///
    /// # Errors
    /// Never fails: every value is plain JSON.
    pub fn syncs(&self, from: u32) -> Result<JsValue, String> {
        value(&json::syncs(&self.0, from.into()))
    }

    /// The scenario as YAML.
    pub fn scenario(&self) -> String {
        scenario::write(&self.0, &About::default())
    }
}
