//! Advanced StatefulSet of OpenKruise.

mod rules;
