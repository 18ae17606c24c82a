//! Tests of the whole package.

mod canaries;
mod rules;
