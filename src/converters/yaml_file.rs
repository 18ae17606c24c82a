//! Converts a YAML file to JSON lines.

use super::yaml::{YamlFault, yaml_to_json};
use traceloupe_core::json::Notice;
use traceloupe_core::warning_code::WarningCode;
use traceloupe_input::{Decoder, Remark};

/// The longest file read as YAML, because the whole file has to be held in memory.
const MAX_YAML_BYTES: usize = 64 << 20;

/// Converts a YAML file to JSON lines once all of it has been pushed.
#[derive(Default)]
pub struct Yaml {
    held: Vec<u8>,
    is_too_long: bool,
    fault: Option<YamlFault>,
    is_told: bool,
}

impl Yaml {
    /// Creates a decoder without input.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl Decoder for Yaml {
    fn push(&mut self, bytes: &[u8], _out: &mut Vec<u8>) {
        if self.is_too_long || self.held.len() + bytes.len() > MAX_YAML_BYTES {
            self.is_too_long = true;
            self.held = Vec::new();
        } else {
            self.held.extend_from_slice(bytes);
        }
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        let held = std::mem::take(&mut self.held);
        let text = String::from_utf8_lossy(&held);
        self.fault = yaml_to_json(&text, &mut |json| {
            out.extend_from_slice(json.as_bytes());
            out.push(b'\n');
        });
    }

    fn notices(&mut self) -> Vec<Notice> {
        self.remarks().into_iter().map(|remark| remark.notice).collect()
    }

    fn remarks(&mut self) -> Vec<Remark> {
        let mut remarks = Vec::new();
        if !std::mem::replace(&mut self.is_told, true) {
            remarks.push(Remark::from(Notice::new(WarningCode::FromYaml, 0)));
        }
        if std::mem::take(&mut self.is_too_long) {
            remarks.push(Remark::from(Notice::new(WarningCode::YamlTooLong, 0)));
        }
        if let Some(YamlFault { line, column, what }) = self.fault.take() {
            let detail = format!("column {column}: {what}");
            remarks.push(Remark { notice: Notice::new(WarningCode::BrokenYaml, 0), line, detail });
        }
        remarks
    }
}
