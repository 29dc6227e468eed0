//! The types behind `Object`, for what keeps or claims objects of one kind.

use super::object::objects;
use super::pick::pick;
use super::{Json, Kind, Mismatch, Object, ObjectMeta};
use serde_json::{Value, json};
use std::rc::Rc;

/// A type of the API that is stored under one kind.
pub trait Typed: Sized {
    /// Its kind.
    const KIND: Kind;

    /// Its metadata.
    fn metadata(&self) -> &ObjectMeta;

    /// The object as this type; none if it is of another kind.
    fn of(object: &Object) -> Option<&Rc<Self>>;
}

impl Object {
    /// The object as JSON, with its kind and version.
    pub fn to_value(&self) -> Value {
        let mut value = self.fields();
        if let Some(fields) = value.as_object_mut() {
            fields.insert("apiVersion".into(), self.kind().api_version().into());
            fields.insert("kind".into(), self.kind().as_str().into());
        }
        value
    }

    /// The object of a JSON value, by its kind and version.
    ///
    /// # Errors
    /// Its kind is not simulated, or something in it is of another type than its field.
    pub fn from_value(mut value: Value) -> Result<Self, String> {
        let field = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
        let (version, name) = (field("apiVersion"), field("kind"));
        let kind = Kind::named(&version, &name).filter(|kind| kind.api_version() == version);
        let kind = kind.ok_or_else(|| format!("objects of kind {name:?}, version {version:?}, are not simulated"))?;
        if let Some(fields) = value.as_object_mut() {
            fields.remove("apiVersion");
            fields.remove("kind");
        }
        Self::of_fields(kind, value).map_err(|error| format!("{name}: {error}"))
    }
}

macro_rules! typed {
    ($($Type:ident as $Variant:ident: $list:ident $(, $module:ident)?;)*) => {
        $(impl Typed for super::$Type {
            const KIND: Kind = Kind::$Type;

            fn metadata(&self) -> &ObjectMeta {
                &self.metadata
            }

            fn of(object: &Object) -> Option<&Rc<Self>> {
                if let Object::$Variant(object) = object { Some(object) } else { None }
            }
        })*

        impl Object {
            /// The object as JSON, without its kind and version.
            pub(crate) fn fields(&self) -> Value {
                match self { $(Self::$Variant(object) => json!(object),)* }
            }

            /// The value of one field, such as `status.conditions[1].status`, without writing the others; null if there is none.
            pub fn value_at(&self, path: &str) -> Value {
                match (path, self) {
                    ("apiVersion", _) => self.kind().api_version().into(),
                    ("kind", _) => self.kind().as_str().into(),
                    $((_, Self::$Variant(object)) => pick(object, path),)*
                }
            }

            pub(super) fn of_fields(kind: Kind, value: Value) -> Result<Self, Mismatch> {
                match kind { $(Kind::$Type => super::$Type::from_json(value).map(Rc::new).map(Self::$Variant),)* }
            }
        }
    };
}

objects!(typed);
