//! SetScope: the StatefulSet controller's decisions on a simulated cluster, explained.
//!
//! The layers, each naming only those before it: [`releases`] (what each Kubernetes release does), [`objects`] (the API's
//! values), [`reconcile`] (the ported controllers), [`sim`] (the cluster around them), [`kubectl`] (lines and manifests: read, written,
//! answered), [`session`] (what people do, logged), [`verdict`] (where each workload stands and what becomes of it), [`trial`] (what lines
//! would lead to), [`view`] (what is drawn, as plain data), [`diagnosis`] (why a workload does not move, and what would help),
//! [`page`] (what the page knows and decides), `app` (the page in the browser, for WebAssembly alone).
//!
//! # A run
//!
//! A [`Session`](session::Session) is a log of commands and the cluster that they lead to; [`view::build`] turns one of its moments into
//! what people read.
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
//! # A real cluster's text
//!
//! [`session::dump`] opens what kubectl prints as a run, and [`diagnosis::diagnose`] says of each workload where its controller stands,
//! with the [conditions](diagnosis::CONDITIONS) that hold.
//!
//! ```
//! use setscope::diagnosis::{CONDITIONS, Told, diagnose};
//! use setscope::session::dump::{self, Options};
//!
//! let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/c02.yaml"));
//! let dump = dump::open(text, &Options::default()).expect("it is what kubectl prints");
//! let session = dump.session(1).expect("it can be simulated");
//! let all = diagnose(&session, Told::from(&dump), CONDITIONS);
//! assert!(all[0].findings.iter().any(|finding| finding.condition.name == "scheduling-gate-closed"));
//! ```
//!
//! # A controller and a server of your own
//!
//! A controller reads what it [observes](reconcile::Observed) and writes through an [`Api`](reconcile::Api), so a test hands it the cluster
//! and the server that it wants to see it with: here a server whose quota is used up after one pod. What it left as
//! [decisions](reconcile::Decision) says why.
//!
//! ```
//! use setscope::objects::{ApiError, Event, Kind, Object, ObjectRef, Reason, StatefulSet, Time};
//! use setscope::reconcile::{Api, Observed, OwnerPatch, Release, stateful_set};
//! use std::rc::Rc;
//!
//! #[derive(Default)]
//! struct Server {
//!     objects: Vec<Object>,
//!     events: Vec<Event>,
//! }
//!
//! impl Server {
//!     fn place(&self, key: &ObjectRef) -> Result<usize, ApiError> {
//!         let place = self.objects.iter().position(|object| object.reference() == *key);
//!         place.ok_or_else(|| ApiError::not_found(key.kind.qualified_resource(), &key.name))
//!     }
//!
//!     fn pods(&self) -> Vec<&str> {
//!         let pods = self.objects.iter().filter(|object| object.kind() == Kind::Pod);
//!         pods.map(|pod| &*pod.metadata().name).collect()
//!     }
//! }
//!
//! impl Api for Server {
//!     fn get(&mut self, kind: Kind, namespace: &str, name: &str) -> Result<Object, ApiError> {
//!         let key = ObjectRef { kind, namespace: namespace.into(), name: name.into() };
//!         self.place(&key).map(|place| self.objects[place].clone())
//!     }
//!     fn create(&mut self, object: Object) -> Result<Object, ApiError> {
//!         if object.kind() == Kind::Pod && !self.pods().is_empty() {
//!             return Err(ApiError::new(Reason::Forbidden, "exceeded quota: one-pod"));
//!         }
//!         self.objects.push(object.clone());
//!         Ok(object)
//!     }
//!     fn update(&mut self, object: Object) -> Result<Object, ApiError> {
//!         let place = self.place(&object.reference())?;
//!         self.objects[place] = object.clone();
//!         Ok(object)
//!     }
//!     fn update_status(&mut self, object: Object) -> Result<Object, ApiError> {
//!         self.update(object)
//!     }
//!     fn patch_owner(&mut self, key: &ObjectRef, _: &OwnerPatch) -> Result<(), ApiError> {
//!         self.place(key).map(|_| ())
//!     }
//!     fn delete(&mut self, key: &ObjectRef) -> Result<(), ApiError> {
//!         self.place(key).map(|place| drop(self.objects.remove(place)))
//!     }
//!     fn record(&mut self, event: Event) {
//!         self.events.push(event);
//!     }
//! }
//!
//! let set: StatefulSet = serde_json::from_value(serde_json::json!({
//!     "metadata": {"name": "web", "namespace": "default", "uid": "1"},
//!     "spec": {
//!         "replicas": 3, "serviceName": "web", "podManagementPolicy": "Parallel",
//!         "selector": {"matchLabels": {"app": "web"}},
//!         "template": {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "app", "image": "app:1"}]}},
//!     },
//! }))?;
//! let set = Rc::new(set);
//! let mut server = Server { objects: vec![Object::StatefulSet(Rc::clone(&set))], ..Server::default() };
//! let mut decisions = Vec::new();
//!
//! // The cache shows the set and no pod yet. One sync, as v1.36 does it.
//! let observed = Observed::alone(Time(0), &set);
//! let outcome = stateful_set::sync(&Release::V1_36.gates(), &observed, &mut server, &mut decisions);
//!
//! assert_eq!(server.pods(), ["web-0"]);
//! assert!(outcome.error.expect("it is tried again").0.contains("exceeded quota"));
//! assert_eq!(server.events.last().expect("it tells of it").reason, "FailedCreate");
//! let said: Vec<&str> = decisions.iter().map(|decision| decision.rule.says()).collect();
//! assert!(said.iter().any(|says| says.contains("ordinal is missing")), "{said:?}");
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! [`text`](mod@text) has the texts that people read, for all of them.
#[macro_use]
pub mod text;

pub mod bounds;
pub mod diagnosis;
mod go_yaml;
pub mod kubectl;
pub mod objects;
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
