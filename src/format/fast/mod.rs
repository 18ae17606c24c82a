//! Formats that are compiled for speed: those of most files, of the largest files, and what `make bench` measures.

pub mod agentdbg;
pub mod claude_code;
pub mod codex;
pub mod maida;
pub mod otel;

use super::{EventRecords, Format, Probe, Reader, Verdict, kit, shapes};
