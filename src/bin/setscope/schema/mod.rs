//! `setscope schema`: the form of scenarios and lessons, and of what the verbs print for programs, as JSON Schema. It is made of
//! the types that are printed, and published beside the page (`www/schemas`).

mod lesson;
mod scenario;

use crate::command::Output;
use crate::printed::json;
use crate::release::ReleaseValue;
use crate::rollout::RolloutValue;
use crate::values::{DiagnoseValue, WaysOutValue};
use clap::ValueEnum;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use setscope::diagnosis::RehearsedValue;

/// What has a schema.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Form {
    /// A run as text, or a comparison of several.
    Scenario,
    /// A lesson.
    Lesson,
    /// What `diagnose -o json` prints.
    Diagnose,
    /// What `ways-out -o json` prints.
    WaysOut,
    /// What `ways-out --try`, `drain` and `upgrade` print with `-o json`.
    Try,
    /// What `rollout -o json` prints.
    Rollout,
    /// What `release -o json` prints.
    Release,
}

pub(crate) fn run(form: Form) -> Output {
    let schema = match form {
        Form::Scenario => read::<scenario::Scenario>(),
        Form::Lesson => read::<lesson::Lesson>(),
        Form::Diagnose => printed::<DiagnoseValue>(),
        Form::WaysOut => printed::<WaysOutValue>(),
        Form::Try => printed::<RehearsedValue>(),
        Form::Rollout => printed::<RolloutValue>(),
        Form::Release => printed::<ReleaseValue>(),
    };
    Ok((json(&schema)?.into(), 0))
}

/// Of what is read.
fn read<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>()
}

/// Of what is printed: a field that is always there is required.
fn printed<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>()
}
