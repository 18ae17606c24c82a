//! Converts spans that the console exporter of OpenTelemetry for JavaScript printed to JSON lines.
//!
//! `console.dir` writes the notation of Node's `util.inspect`: keys without quotes, strings in any of three kinds of
//! quotes and joined with `+`, `undefined`, and `[Object]` for values that are nested too deeply. Lines between the
//! objects, such as other output of the program, are skipped. In a terminal the output has colours, so escape sequences
//! are removed first.

use super::node_inspect::inspected_to_json;
use traceloupe_core::json::Notice;
use traceloupe_core::visible_text::without_escapes;
use traceloupe_core::warning_code::WarningCode;
use traceloupe_input::{Decoder, Remark};

/// The longest output that is read, because all of it has to be held in memory.
const MAX_BYTES: usize = 64 << 20;

/// Whether a text contains an object from `console.dir` with a trace id: a line that is `{` and, among the lines of the
/// object, `traceId: '…'`.
#[must_use]
pub fn looks_like_console_dump(head: &[u8]) -> bool {
    let head = head.get(..64 * 1024).unwrap_or(head);
    if head.contains(&b'\x1b') {
        let text = String::from_utf8_lossy(head);
        return is_console_dump(without_escapes(&text).as_bytes());
    }
    is_console_dump(head)
}

fn is_console_dump(head: &[u8]) -> bool {
    let mut is_in_object = false;
    head.split(|byte| *byte == b'\n').any(|line| {
        match line.trim_ascii_end() {
            b"{" | b"[" => is_in_object = true,
            // JSON and code have other lines without indentation.
            [first, ..] if !matches!(first, b' ' | b'\t' | b'}' | b']') => is_in_object = false,
            _ => {}
        }
        let member = line.trim_ascii_start();
        is_in_object && [&b"traceId: '"[..], b"traceId: \""].iter().any(|it| member.starts_with(it))
    })
}

/// Converts console output to JSON lines, once all of it has been pushed.
#[derive(Default)]
pub struct ConsoleDump {
    held: Vec<u8>,
    is_too_long: bool,
    is_told: bool,
}

impl ConsoleDump {
    /// Creates a decoder without input.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl Decoder for ConsoleDump {
    fn push(&mut self, bytes: &[u8], _out: &mut Vec<u8>) {
        if self.is_too_long || self.held.len() + bytes.len() > MAX_BYTES {
            self.is_too_long = true;
        } else {
            self.held.extend_from_slice(bytes);
        }
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        let held = std::mem::take(&mut self.held);
        let text = String::from_utf8_lossy(&held);
        let text = without_escapes(&text);
        let mut rest = &*text;
        while !rest.is_empty() {
            let (part, behind) = rest.split_at_checked(next_start(rest)).unwrap_or((rest, ""));
            convert(part, out);
            rest = behind;
        }
    }

    fn notices(&mut self) -> Vec<Notice> {
        self.remarks().into_iter().map(|remark| remark.notice).collect()
    }

    fn remarks(&mut self) -> Vec<Remark> {
        let mut remarks = Vec::new();
        if !std::mem::replace(&mut self.is_told, true) {
            remarks.push(Remark::from(Notice::new(WarningCode::FromConsole, 0)));
        }
        if std::mem::take(&mut self.is_too_long) {
            remarks.push(Remark::from(Notice::new(WarningCode::RecordTooLong, 0)));
        }
        remarks
    }
}

/// How many bytes there are up to the next line that begins with a bracket. Nested lines are indented, so an object
/// that has not ended there was cut off, and each byte is read only once whatever the text.
fn next_start(text: &str) -> usize {
    let is_start = |at: &usize| text.get(at + 1..).is_some_and(|it| it.starts_with(['{', '[']));
    let mut line_ends = memchr::memchr_iter(b'\n', text.as_bytes());
    line_ends.find(is_start).map_or(text.len(), |at| at + 1)
}

/// Writes the objects and lists that begin at the start of a line.
fn convert(text: &str, out: &mut Vec<u8>) {
    let mut rest = text;
    while !rest.is_empty() {
        let len = if let Some((json, len)) = inspected_to_json(rest) {
            out.extend_from_slice(json.as_bytes());
            out.push(b'\n');
            len
        } else {
            rest.find('\n').map_or(rest.len(), |end| end + 1)
        };
        rest = rest.get(len..).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn converted(text: &str) -> String {
        let mut decoder = ConsoleDump::new();
        let mut out = Vec::new();
        decoder.push(text.as_bytes(), &mut out);
        decoder.finish(&mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn other_output_is_skipped() {
        let text = "ready\n{\n  a: 1\n}\n{ broken\nGET / 200\n{ a: 2 }\n{ a: 'cut";
        assert_eq!(converted(text), "{\"a\":1}\n{\"a\":2}\n");
        assert_eq!(converted(&"{a: ".repeat(5000)), "");
        assert_eq!(converted("{ a: [ { b"), "");
    }

    #[test]
    fn what_never_ends_is_read_once() {
        let line = format!("{{ a: [{}\n", " 1,".repeat(1 << 16));
        let text = format!("{}{{ a: 1 }}\n", line.repeat(40));
        assert_eq!(converted(&text), "{\"a\":1}\n");
        assert_eq!(converted(&"[ 1,\n".repeat(1 << 18)), "");
        let long = format!("{{ a: [{} 1 ] }}", " 1,".repeat(1 << 18));
        assert_eq!(converted(&long).len(), 2 * (1 << 18) + 10);
    }

    #[test]
    fn colours_of_the_terminal_are_taken_out() {
        let text = "ready\n{\n  traceId: \x1b[32m'aa'\x1b[39m,\n  n: \x1b[33m3\x1b[39m,\n  o: \x1b[36m[Object]\x1b[39m\n}\n";
        assert!(looks_like_console_dump(text.as_bytes()));
        assert_eq!(converted(text), "{\"traceId\":\"aa\",\"n\":3,\"o\":\"[Object]\"}\n");
        // The console writes the escape sequences of a string as text.
        assert_eq!(converted("{ a: '\\x1B[0m' }"), "{\"a\":\"\\u001b[0m\"}\n");
    }

    #[test]
    fn a_dump_is_told_by_the_id_of_its_trace() {
        let is = |text: &str| looks_like_console_dump(text.as_bytes());
        assert!(is("started\n{\n  resource: {\n    attributes: {}\n  },\n  traceId: 'aa',\n"));
        assert!(is("[\n  {\n    traceId: 'aa',"));
        for other in [
            "{\"traceId\": 'a'}",
            "{\n  \"traceId\": \"a\"\n}",
            "  traceId: 'aa'",
            "spans:\n  traceId: 'aa'",
        ] {
            assert!(!is(other), "{other}");
        }
    }
}
