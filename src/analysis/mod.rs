//! Findings about a trace.
