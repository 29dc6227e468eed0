//! SetScope: the StatefulSet controller's decisions on a simulated cluster.
