//! SetScope: the StatefulSet controller's decisions on a simulated cluster, explained.
//!
//! The rooms, each naming only those before it: `releases` (what each Kubernetes release does), `objects` (the API's
//! values), `reconcile` (the ported controllers), `sim` (the cluster around them), `kubectl` (lines and manifests: read, written,
//! answered), `session` (what people do, logged), `view` (what is drawn, as plain data), `page` (what the page knows and
//! decides), `app` (the page in the browser).
pub mod kubectl;
pub mod objects;
pub mod page;
pub mod reconcile;
pub mod releases;
pub mod session;
pub mod sim;
pub mod view;

#[cfg(target_arch = "wasm32")]
pub mod app;
#[cfg(target_arch = "wasm32")]
pub mod js;
