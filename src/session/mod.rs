//! The sans-IO heart of the worker.
