//! Tests of the whole package.
#![allow(clippy::string_slice)] // of texts that the tests make

mod canaries;
mod rules;
