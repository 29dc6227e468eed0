//! The tests of the core and of the native command, in one program that is linked once: a module each, beside what it reads.
//! Apart stand `browser`, `api_server` (no harness), `extremes` (it measures its process), `interleavings` and `mutated` (optimized in
//! `./dev fuzz`).
#![cfg(not(target_arch = "wasm32"))]

mod admission;
mod agreement;
mod architecture;
mod beside_workloads;
mod bounds;
mod cases;
mod comparisons;
mod conformance;
mod control_plane;
mod damaged;
mod diagnosis;
mod docs;
mod dump;
mod exports;
mod first_picture;
mod forms;
mod fuzz;
mod golden;
mod growth;
mod javascript;
mod kit;
mod kubectl;
mod lessons;
mod lines;
mod links;
mod manifests;
mod many;
mod mcp;
mod native;
mod node_loss;
mod page;
mod pods;
mod prediction;
mod presets;
mod properties;
mod publishing;
mod redaction;
mod releases;
mod rollout;
mod schemas;
mod simulation;
mod start;
mod storage;
mod stories;
mod styles;
mod third_party;
mod time;
mod truth;
mod verdict;
mod what_ifs;
mod workloads;
