//! One field of a value as JSON, without writing the rest of the value.

use serde::ser::{self, Impossible, Serialize, Serializer};
use serde_json::{Error, Map, Value};

/// A step of a path: into a field or to an item.
enum Step<'p> {
    Field(&'p str),
    Item(usize),
}

/// The value at a path such as `status.conditions[1].status`; null if there is none.
pub(super) fn pick(value: &impl Serialize, path: &str) -> Value {
    let mut all = Vec::new();
    for part in path.split('.') {
        let (name, index) = part.split_once('[').unwrap_or((part, ""));
        all.push(Step::Field(name));
        let item = || Step::Item(index.trim_end_matches(']').parse().unwrap_or(usize::MAX));
        all.extend((!index.is_empty()).then(item));
    }
    at(value, &all)
}

fn at(value: &(impl Serialize + ?Sized), steps: &[Step<'_>]) -> Value {
    let picked = if steps.is_empty() { serde_json::to_value(value) } else { value.serialize(Pick(steps)) };
    picked.unwrap_or_default()
}

/// Writes what is at these steps, of which there is at least one. What has no fields and no items has nothing there.
struct Pick<'s>(&'s [Step<'s>]);

macro_rules! nothing {
    ($($method:ident($($Type:ty),*);)*) => {
        $(fn $method(self, $(_: $Type),*) -> Result<Value, Error> {
            Ok(Value::Null)
        })*
    };
}

impl<'s> Serializer for Pick<'s> {
    type Ok = Value;
    type Error = Error;
    type SerializeSeq = Items<'s>;
    type SerializeTuple = Items<'s>;
    type SerializeTupleStruct = Items<'s>;
    type SerializeTupleVariant = Impossible<Value, Error>;
    type SerializeMap = Fields<'s>;
    type SerializeStruct = Fields<'s>;
    type SerializeStructVariant = Variant<'s>;

    nothing! {
        serialize_bool(bool);
        serialize_i8(i8);
        serialize_i16(i16);
        serialize_i32(i32);
        serialize_i64(i64);
        serialize_u8(u8);
        serialize_u16(u16);
        serialize_u32(u32);
        serialize_u64(u64);
        serialize_f32(f32);
        serialize_f64(f64);
        serialize_char(char);
        serialize_str(&str);
        serialize_bytes(&[u8]);
        serialize_none();
        serialize_unit();
        serialize_unit_struct(&'static str);
        serialize_unit_variant(&'static str, u32, &'static str);
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Value, Error> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<Value, Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        value: &T,
    ) -> Result<Value, Error> {
        Ok(Fields::new(self.0).picked(name, value))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items<'s>, Error> {
        Ok(Items { steps: self.0, at: 0, found: Value::Null })
    }

    fn serialize_tuple(self, len: usize) -> Result<Items<'s>, Error> {
        self.serialize_seq(Some(len))
    }

    fn serialize_tuple_struct(self, _: &'static str, len: usize) -> Result<Items<'s>, Error> {
        self.serialize_seq(Some(len))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Error> {
        Err(ser::Error::custom(name))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Fields<'s>, Error> {
        Ok(Fields::new(self.0))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Fields<'s>, Error> {
        Ok(Fields::new(self.0))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Variant<'s>, Error> {
        let steps = match self.0 {
            [Step::Field(meant), rest @ ..] if *meant == name => Some(rest),
            _ => None,
        };
        Ok(Variant { steps, whole: Map::new(), found: Value::Null })
    }
}

/// The items of a list, of which one is meant.
struct Items<'s> {
    steps: &'s [Step<'s>],
    at: usize,
    found: Value,
}

impl Items<'_> {
    fn item(&mut self, value: &(impl Serialize + ?Sized)) {
        if let [Step::Item(index), rest @ ..] = self.steps
            && *index == self.at
        {
            self.found = at(value, rest);
        }
        self.at += 1;
    }
}

macro_rules! items {
    ($($Trait:ident::$method:ident;)*) => {
        $(impl ser::$Trait for Items<'_> {
            type Ok = Value;
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.item(value);
                Ok(())
            }

            fn end(self) -> Result<Value, Error> {
                Ok(self.found)
            }
        })*
    };
}

items! {
    SerializeSeq::serialize_element;
    SerializeTuple::serialize_element;
    SerializeTupleStruct::serialize_field;
}

/// The fields of a variant, such as `waiting` of a container's state.
struct Variant<'s> {
    /// The steps into it; none where another variant is meant.
    steps: Option<&'s [Step<'s>]>,
    whole: Map<String, Value>,
    found: Value,
}

impl ser::SerializeStructVariant for Variant<'_> {
    type Ok = Value;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
        match self.steps {
            Some([]) => drop(self.whole.insert(name.to_owned(), serde_json::to_value(value)?)),
            Some([Step::Field(meant), rest @ ..]) if *meant == name => self.found = at(value, rest),
            _ => {}
        }
        Ok(())
    }

    fn end(self) -> Result<Value, Error> {
        Ok(if self.steps.is_some_and(<[_]>::is_empty) { Value::Object(self.whole) } else { self.found })
    }
}

/// The fields of an object, of which one is meant.
struct Fields<'s> {
    steps: &'s [Step<'s>],
    /// The key whose value comes next.
    key: Value,
    found: Value,
}

impl<'s> Fields<'s> {
    fn new(steps: &'s [Step<'s>]) -> Self {
        Self { steps, key: Value::Null, found: Value::Null }
    }

    fn picked(mut self, name: &str, value: &(impl Serialize + ?Sized)) -> Value {
        self.field(name, value);
        self.found
    }

    fn field(&mut self, name: &str, value: &(impl Serialize + ?Sized)) {
        if let [Step::Field(meant), rest @ ..] = self.steps
            && *meant == name
        {
            self.found = at(value, rest);
        }
    }
}

impl ser::SerializeMap for Fields<'_> {
    type Ok = Value;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.key = serde_json::to_value(key)?;
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let key = std::mem::take(&mut self.key);
        self.field(key.as_str().unwrap_or_default(), value);
        Ok(())
    }

    fn end(self) -> Result<Value, Error> {
        Ok(self.found)
    }
}

impl ser::SerializeStruct for Fields<'_> {
    type Ok = Value;
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), Error> {
        self.field(name, value);
        Ok(())
    }

    fn end(self) -> Result<Value, Error> {
        Ok(self.found)
    }
}

#[cfg(test)]
mod tests {
    use super::pick;
    use crate::objects::Object;
    use serde_json::{Value, json};

    #[test]
    fn a_field_is_what_it_is_in_the_whole() {
        let pod = json!({
            "apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": "web-0", "namespace": "default", "labels": {"app": "web"}},
            "spec": {"containers": [{"name": "main", "image": "nginx:1"}, {"name": "side", "image": "side:1"}],
                "volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "data-web-0"}}], "unknown": {"a": [1, 2]}},
            "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}],
                "containerStatuses": [{"name": "main", "state": {"waiting": {"reason": "CrashLoopBackOff"}}}]},
        });
        let object = Object::from_value(pod).unwrap();
        let whole = object.to_value();
        for path in [
            "metadata.labels",
            "metadata.labels.app",
            "spec.containers[1].image",
            "spec.containers[1]",
            "spec.containers[7]",
            "spec.unknown.a[1]",
            "spec.volumes[0].persistentVolumeClaim.claimName",
            "status.phase",
            "status.phase.none",
            "status.conditions[0].status",
            "status.containerStatuses[0].state",
            "status.containerStatuses[0].state.waiting",
            "status.containerStatuses[0].state.waiting.reason",
            "status.containerStatuses[0].state.running",
            "status.none",
            "apiVersion",
            "kind",
        ] {
            let pointer = format!("/{}", path.replace(['.', '['], "/").replace(']', ""));
            assert_eq!(object.value_at(path), whole.pointer(&pointer).cloned().unwrap_or_default(), "{path}");
        }
        assert_eq!(pick(&Value::Null, "a.b"), Value::Null);
    }
}
