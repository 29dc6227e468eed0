//! Our small object types and k8s-openapi's full ones agree.
#![cfg(not(target_arch = "wasm32"))]

use k8s_openapi::api::apps::v1::StatefulSet as _;
use stateright as _;
