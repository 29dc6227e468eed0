//! Every rule a controller can decide by, by its kind.

use super::Release;
use super::stage::{Source, Stage, Weight};
use crate::objects::{Kind, workloads};
use std::fmt;

macro_rules! rules {
    ($($Kind:ident as $Variant:ident: $list:ident, $module:ident;)*) => {
        /// A decision point of a controller.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Rule {
            $(#[doc = concat!("Of the ", stringify!($Kind), " controller.")] $Kind(super::$module::Rule),)*
        }

        impl Rule {
            const COUNT: usize = 0 $(+ super::$module::Rule::ALL.len())*;

            /// Every rule, by kind, in the order of the real code.
            pub const ALL: &'static [Self] = &{
                let mut all = [Self::StatefulSet(super::stateful_set::Rule::ALL[0]); Self::COUNT];
                let mut next = 0;
                $(
                    let mut place = 0;
                    while place < super::$module::Rule::ALL.len() {
                        all[next] = Self::$Kind(super::$module::Rule::ALL[place]);
                        place += 1;
                        next += 1;
                    }
                )*
                all
            };

            /// The kind whose controller decides by it.
            pub fn kind(self) -> Kind {
                match self { $(Self::$Kind(_) => Kind::$Kind,)* }
            }

            /// Its name in its kind's table.
            pub(crate) fn name(self) -> &'static str {
                match self { $(Self::$Kind(rule) => rule.name(),)* }
            }

            /// The part of the sync it belongs to.
            pub(crate) fn stage(self) -> Stage {
                match self { $(Self::$Kind(rule) => rule.stage(),)* }
            }

            /// How much a decision by it says about where a sync stands.
            pub(crate) fn weight(self) -> Weight {
                match self { $(Self::$Kind(rule) => rule.weight(),)* }
            }

            /// What it says, in one sentence.
            pub fn says(self) -> &'static str {
                match self { $(Self::$Kind(rule) => rule.says(),)* }
            }

            /// The upstream function it models in a release.
            pub fn source(self, release: Release) -> Source {
                match self { $(Self::$Kind(rule) => rule.source(release),)* }
            }
        }

        /// By its name in its kind's table.
        impl fmt::Debug for Rule {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }

        $(
            impl From<super::$module::Rule> for Rule {
                fn from(rule: super::$module::Rule) -> Self {
                    Self::$Kind(rule)
                }
            }

            impl PartialEq<super::$module::Rule> for Rule {
                fn eq(&self, other: &super::$module::Rule) -> bool {
                    *self == Self::from(*other)
                }
            }
        )*
    };
}

workloads!(rules);
