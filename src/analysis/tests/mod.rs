//! Tests of the findings: small traces written as text, random ones, and the producers' own files.

pub(super) mod notation;
mod oracle;
mod random;
mod vectors;
