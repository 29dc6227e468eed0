//! How the places stand in rows, and how often that changes.

use crate::app::text_frame::use_memoized;
use crate::view::{AlikeRows, Flag, Place, Rail, RailLayout};
use std::collections::BTreeSet;
use std::rc::Rc;
use yew::{UseStateHandle, hook, use_mut_ref};

/// The rows of the axis, and the places when they were arranged: what a folded run says of all that it holds, and where the
/// controller stood.
pub(super) struct Arranged {
    pub(super) layout: Rc<RailLayout>,
    pub(super) places: Rc<Vec<Rc<Place>>>,
}

/// The rows, of which those at the `unfolded` ordinals were opened by hand. Of very many places rows fold and unfold with each
/// place that changes, and all below move: while these play they are arranged only so many `times`, and in between each place
/// changes where it stands.
#[hook]
pub(super) fn use_arranged(
    times: Option<u64>,
    rail: &Rail,
    width: f64,
    unfolded: &UseStateHandle<BTreeSet<i32>>,
) -> Rc<Arranged> {
    let alike = use_mut_ref(AlikeRows::default);
    let at = |flag: &Option<Flag>| flag.as_ref().map(|flag| (flag.before, flag.at));
    let first = rail.places.first().map(|place| place.ordinal);
    let of = (rail.prefix.clone(), first, rail.places.len(), at(&rail.partition), at(&rail.replicas));
    use_memoized(times.map(|times| (times, of, width, unfolded.clone())), || {
        let is_open = |ordinal: i32| unfolded.contains(&ordinal);
        let layout = Rc::new(RailLayout::of(rail, width, &is_open, &mut alike.borrow_mut()));
        Arranged { layout, places: Rc::clone(&rail.places) }
    })
}
