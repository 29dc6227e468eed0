//! Lines that ask to see something: `kubectl get` and `kubectl describe`.

use super::args::{Args, kind_of, server};
use super::{Form, Show, Table};
use crate::objects::Object;
use crate::sim::Cluster;

/// What `-o` says.
const FORMS: [(&str, Form); 5] =
    [("", Form::Table), ("json", Form::Json), ("name", Form::Name), ("wide", Form::Wide), ("yaml", Form::Yaml)];

impl Args {
    pub(super) fn get(&self) -> Result<Show, String> {
        let output = self.flag(&["-o", "--output"]).unwrap_or_default();
        let Some((_, form)) = FORMS.iter().find(|(word, _)| *word == output) else {
            let known: Vec<&str> = FORMS[1..].iter().map(|(word, _)| *word).collect();
            return Err(format!(
                "error: unable to match a printer suitable for the output format {output:?}, allowed here: {}",
                known.join(",")
            ));
        };
        let Some(first) = self.places.first() else {
            return Err("error: You must specify the type of resource to get.".to_owned());
        };
        let (resource, name) = match first.split_once('/') {
            Some((resource, name)) => (resource, Some(name)),
            None => (&**first, None),
        };
        let table = match resource {
            "ev" | "event" | "events" => Table::Events,
            other => Table::Of(kind_of(other)?),
        };
        let others = self.places[1..].iter().map(|word| word.split_once('/').map_or(&**word, |(_, name)| name));
        let names = name.into_iter().chain(others).map(Into::into).collect();
        let watch = self.flag(&["-w", "--watch"]).is_some();
        Ok(Show::Get { table, namespace: self.namespace(), names, form: *form, watch })
    }

    /// What is named, all of a kind, or what has a name that begins so.
    pub(super) fn describe(&self, cluster: &Cluster) -> Result<Show, String> {
        let [first, others @ ..] = &self.places[..] else {
            return Err("error: You must specify the type of resource to describe.".to_owned());
        };
        if first.contains('/') || others.len() > 1 {
            let keys = self.objects(0)?;
            keys.iter().try_for_each(|key| cluster.get(key).map(drop).map_err(|refusal| server(&refusal)))?;
            return Ok(Show::Describe(keys));
        }
        let kind = kind_of(first)?;
        let begin = others.first().map_or("", |name| name);
        let named = self.object(kind, begin);
        let found = cluster.get(&named);
        if found.is_ok() {
            return Ok(Show::Describe(vec![named]));
        }
        let all = cluster.objects(kind).map(Object::reference);
        let keys: Vec<_> = all.filter(|key| key.namespace == named.namespace && key.name.starts_with(begin)).collect();
        match found {
            Err(refusal) if keys.is_empty() && !begin.is_empty() => Err(server(&refusal)),
            _ if keys.is_empty() => Err(format!("No resources found in {} namespace.", self.namespace())),
            _ => Ok(Show::Describe(keys)),
        }
    }
}
