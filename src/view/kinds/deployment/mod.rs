//! Deployment.

mod rules;
