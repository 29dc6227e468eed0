//! StatefulSet.

mod rules;
