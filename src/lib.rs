//! SetScope: the StatefulSet controller's decisions on a simulated cluster.

#[cfg(target_arch = "wasm32")]
pub mod app;
