//! Maps and sets that share what did not change with every copy: a snapshot or a branch costs what differs from the last one.

use imbl::shared_ptr::RcK;
use imbl::{GenericOrdMap, GenericOrdSet, GenericVector};

/// A map in order of its keys.
pub(super) type Map<K, V> = GenericOrdMap<K, V, RcK>;

/// A set in order.
pub(super) type Set<K> = GenericOrdSet<K, RcK>;

/// A list that is read by place and grows at its end.
pub(super) type Vector<T> = GenericVector<T, RcK>;
