//! SetScope: the StatefulSet controller's decisions on a simulated cluster, explained.
pub mod objects;
pub mod reconcile;
pub mod session;
pub mod sim;
pub mod view;

#[cfg(target_arch = "wasm32")]
pub mod app;
#[cfg(target_arch = "wasm32")]
pub mod js;
