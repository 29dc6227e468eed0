//! SetScope: the StatefulSet controller's decisions on a simulated cluster, explained.
//!
//! The layers, each naming only those before it: `releases` (what each Kubernetes release does), `objects` (the API's
//! values), `reconcile` (the ported controllers), `sim` (the cluster around them), `kubectl` (lines and manifests: read, written,
//! answered), `session` (what people do, logged), `verdict` (where each workload stands and
//! what becomes of it), `view` (what is drawn, as plain data), `diagnosis` (why a
//! workload does not move, and what would help), `page` (what the page knows and
//! decides), `app` (the page in the browser).
//!
//! # A tour
//!
//! ```
//! use setscope::session::Session;
//! use setscope::view;
//!
//! // A run starts from a manifest and a seed, which decides whatever chance decides.
//! let manifest = "
//! apiVersion: apps/v1
//! kind: StatefulSet
//! metadata: {name: db}
//! spec:
//!   serviceName: db
//!   replicas: 2
//!   selector: {matchLabels: {app: db}}
//!   template:
//!     metadata: {labels: {app: db}}
//!     spec: {containers: [{name: db, image: postgres:17}]}
//! ";
//! let mut session = Session::start(manifest, 1).expect("the API server takes it");
//!
//! // Each step is one event: a sync of a controller, a pod that is bound, a container that becomes ready.
//! while session.cluster().pods().count() == 0 && session.step() {}
//! let explanation = view::build(&session, None).explanation.clone();
//! assert_eq!(explanation.headline, "db-0 was created");
//! assert!(explanation.reason.contains("OrderedReady"));
//!
//! // What each sync decided, by which rule, modeled on which function.
//! for _ in 0..100 {
//!     session.step();
//! }
//! for sync in &session.cluster().trace().syncs {
//!     for decision in sync.decisions.iter() {
//!         println!("{:?}: {}", decision.rule, decision.rule.says());
//!     }
//! }
//! assert_eq!(session.cluster().pods().count(), 2);
//! ```
//!
//! `text` has the texts that people read, for all of them.
#[macro_use]
pub mod text;

pub mod diagnosis;
pub mod kubectl;
pub mod objects;
mod order;
pub mod page;
pub mod reconcile;
pub mod releases;
pub mod session;
pub mod sim;
pub mod trial;
pub mod verdict;
pub mod view;

#[cfg(target_arch = "wasm32")]
pub mod app;
#[cfg(target_arch = "wasm32")]
pub mod js;
