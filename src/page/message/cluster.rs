//! The messages about a real cluster that was opened.

use crate::objects::ObjectRef;
use crate::releases::Release;
use crate::session::dump::About;
use crate::sim::{Behavior, Failure};
use std::rc::Rc;

/// A message about the text of a real cluster.
#[derive(Clone, Debug)]
pub enum ClusterMsg {
    /// This text was pasted, dropped or read from a file.
    Read(Rc<str>),
    /// Show the diagnosis of the run on the stage; of whose text only the objects are left, as after a reload, it is made again.
    Diagnosis,
    /// Only this namespace, or all of them.
    Namespace(Option<Rc<str>>),
    /// How many milliseconds after the newest moment that it speaks of the text was made; at that moment if none.
    Later(Option<i64>),
    /// How many nodes there are, where the text speaks of none; as assumed if none.
    Nodes(Option<usize>),
    /// The control plane's release.
    Release(Release),
    /// What became of a node; as assumed if none.
    Node(Rc<str>, Option<Failure>),
    /// What containers of an image do; as assumed if none.
    Image(Rc<str>, Option<Behavior>),
    /// Whether what was assumed of this holds.
    Holds(About, bool),
    /// Tries what could be done about this workload.
    Try(ObjectRef),
    /// Time to go on opening or trying.
    GoOn,
    /// Gives up opening; what was open before stays.
    Cancel,
    /// Stops trying; what was tried stays.
    Stop,
    /// Shows the cluster's run on the stage, with this workload of it or the first.
    Show(Option<ObjectRef>),
    /// Closes it on the stage: what was there before is there again.
    Leave,
    /// Makes a text for a report of a problem: the opened one without its names.
    Report,
    /// Saves that text as a file.
    SaveReport,
    /// Shows on the stage what the way out of this place in the list led to.
    ShowTried(usize),
}
