//! Logs of programs. Their lines start with the elapsed time and a label (`[+00:02] [stdout] {`), as test runners write
//! them; with a date and words (`2026-05-04T10:00:00Z [info] Message from client: {`); with a level and a name
//! (`INFO:events:{`); or with the name of a stream in a recording of a program's streams (`STDOUT: {`). Each is
//! followed by a value that may span lines. LM Studio's server writes the date in brackets (`[2026-05-04
//! 10:00:00][INFO] body {`), or with the level on a line before the words (`2026-05-04 10:00:00 [INFO]`).

use traceloupe_core::json;
use traceloupe_core::warning_code::WarningCode;

use crate::framing::emit::{At, Emitter};
use crate::framing::framer::{Framed, MAX_RECORD_BYTES};
use crate::framing::lines::{Line, LineCutter};

/// The length of a line's timestamp and labels; `None` if it has no timestamp.
pub(super) fn stamp_len(line: &[u8]) -> Option<usize> {
    let (mark_len, line) = after_mark(line);
    let len = elapsed_len(line).or_else(|| dated_len(line)).or_else(|| bracketed_len(line));
    len.or_else(|| labelled_len(line)).map(|len| mark_len + len)
}

/// The length of a byte order mark, and the line after it.
fn after_mark(line: &[u8]) -> (usize, &[u8]) {
    line.strip_prefix(b"\xef\xbb\xbf").map_or((0, line), |rest| (3, rest))
}

/// Whether a line makes a file a log. A date, a level or a stream does so only if a value follows it.
#[must_use]
pub fn begins_log(line: &[u8]) -> bool {
    let (_, line) = after_mark(line);
    let text = line.get(json::trim(line)).unwrap_or_default();
    let len = dated_len(line).or_else(|| labelled_len(line));
    let has_value = |len: usize| line.get(len) == Some(&b'{');
    elapsed_len(line).is_some()
        || bracketed_len(line).is_some_and(has_value)
        || len.is_some_and(|len| has_value(len) && text.ends_with(b"}"))
}

/// Whether a line, together with the one before it, makes a file a log. The line before consists of a date and a level.
pub(super) fn continues_log(before: &[u8], line: &[u8]) -> bool {
    let level = dated_len(before).and_then(|len| before.get(len..));
    level.is_some_and(is_level) && value_at(line).is_some()
}

/// Whether only a level follows a date: `[INFO]`.
fn is_level(rest: &[u8]) -> bool {
    let word = rest.trim_ascii().strip_prefix(b"[").and_then(|rest| rest.strip_suffix(b"]"));
    word.is_some_and(|word| !word.is_empty() && word.iter().all(u8::is_ascii_uppercase))
}

/// Where an object begins after the words of a line. Objects in JavaScript's notation count as words.
fn value_at(line: &[u8]) -> Option<usize> {
    let at = words_len(line)?;
    let inner = line.get(at + 1..)?.trim_ascii_start();
    matches!(inner.first(), None | Some(b'"' | b'}')).then_some(at)
}

/// The length of a date in brackets and the words between it and a value.
fn bracketed_len(line: &[u8]) -> Option<usize> {
    let inner = line.strip_prefix(b"[").filter(|inner| begins_with_date(inner))?;
    let end = inner.get(..DATE.len() + 8).unwrap_or(inner).iter().position(|it| *it == b']')? + 2;
    Some(end + value_at(line.get(end..)?).unwrap_or(0))
}

/// The length of a level and the name of a logger in Python's notation (`INFO:name:`), or of the name of a stream, as
/// Goose writes it for messages to and from a server.
fn labelled_len(line: &[u8]) -> Option<usize> {
    const STREAMS: [&[u8]; 3] = [b"STDIN: ", b"STDOUT: ", b"STDERR: "];
    if let Some(stream) = STREAMS.iter().find(|stream| line.starts_with(stream)) {
        return Some(stream.len());
    }
    const LEVELS: [&[u8]; 5] = [b"INFO:", b"DEBUG:", b"WARNING:", b"ERROR:", b"CRITICAL:"];
    let level = LEVELS.iter().find(|level| line.starts_with(level))?.len();
    let is_name = |it: &&u8| it.is_ascii_alphanumeric() || matches!(**it, b'_' | b'.' | b'-');
    let name = line.get(level..)?.iter().take_while(is_name).count();
    let end = level + name;
    (name > 0 && line.get(end) == Some(&b':')).then_some(end + 1)
}

/// The length of a date and a time and the words between them and a value.
fn dated_len(line: &[u8]) -> Option<usize> {
    let words = line.get(DATE.len()..).filter(|_| begins_with_date(line))?;
    Some(DATE.len() + words_len(words).unwrap_or(0))
}

/// The pattern of a date.
const DATE: &[u8] = b"0000-00-00T00:00:00";

fn begins_with_date(line: &[u8]) -> bool {
    line.len() > DATE.len()
        && line.iter().zip(DATE).all(|(byte, shape)| match shape {
            b'0' => byte.is_ascii_digit(),
            b'T' => matches!(byte, b'T' | b' '),
            shape => byte == shape,
        })
}

/// The length of the words before an object.
fn words_len(line: &[u8]) -> Option<usize> {
    /// The maximum length, because messages before a value are short.
    const MAX_WORDS: usize = 200;
    let words = line.get(..line.len().min(MAX_WORDS))?;
    let at = words.iter().position(|byte| matches!(byte, b'{' | b'"'))?;
    let before = at.checked_sub(1).and_then(|at| words.get(at));
    (words.get(at) == Some(&b'{') && before.is_some_and(|it| b" :\t".contains(it))).then_some(at)
}

/// The length of an elapsed time and the labels after it.
fn elapsed_len(line: &[u8]) -> Option<usize> {
    let inner = line.strip_prefix(b"[+")?;
    let digits = inner.iter().take_while(|it| matches!(it, b'0'..=b'9' | b':' | b'.')).count();
    if digits == 0 || inner.get(digits) != Some(&b']') {
        return None;
    }
    let mut at = digits + 3;
    // Labels are words. Anything else in brackets is a value.
    while let Some(label) = line.get(at..).map(json_free_label).filter(|len| *len > 0) {
        at += label;
    }
    Some(at)
}

fn json_free_label(rest: &[u8]) -> usize {
    let Some(inner) = rest.strip_prefix(b" [") else { return 0 };
    let is_word =
        |it: &&u8| it.is_ascii_alphanumeric() || matches!(**it, b'_' | b'.' | b'-' | b'/');
    let len = inner.iter().take_while(is_word).count();
    let has_letter = inner.first().is_some_and(u8::is_ascii_alphabetic);
    if has_letter && inner.get(len) == Some(&b']') { len + 3 } else { 0 }
}

/// Reads the values in a log.
pub(super) struct Log {
    cutter: LineCutter,
    block: Option<Block>,
}

/// The output since the last timestamp, which is one piece of the source.
struct Block {
    data: Vec<u8>,
    at: At,
}

type Sink<'s> = &'s mut dyn FnMut(Framed<'_>);

impl Log {
    pub fn new(at: At) -> Self {
        Self { cutter: LineCutter::new(b'\n', at), block: None }
    }

    pub fn push(&mut self, chunk: &[u8], emitter: &mut Emitter, sink: Sink<'_>) {
        let block = &mut self.block;
        self.cutter.push(chunk, &mut |line, at| take(block, &line, at, emitter, sink));
    }

    pub fn finish(&mut self, emitter: &mut Emitter, sink: Sink<'_>) {
        let block = &mut self.block;
        self.cutter.finish(&mut |line, at| take(block, &line, at, emitter, sink));
        dispatch(block.take(), true, emitter, sink);
    }
}

fn take(block: &mut Option<Block>, line: &Line<'_>, at: At, emitter: &mut Emitter, sink: Sink<'_>) {
    let Line::Whole(line) = *line else {
        dispatch(block.take(), false, emitter, sink);
        return emitter.notice(WarningCode::RecordTooLong, at, "", sink);
    };
    if let Some(len) = stamp_len(line) {
        dispatch(block.take(), false, emitter, sink);
        let data = line.get(len..).unwrap_or_default().to_vec();
        *block = Some(Block { data, at: At { start: at.start + len as u64, ..at } });
        return;
    }
    if let Some(len) =
        value_at(line).filter(|_| block.as_ref().is_some_and(|it| is_level(&it.data)))
    {
        let data = line.get(len..).unwrap_or_default().to_vec();
        *block = Some(Block { data, at: At { start: at.start + len as u64, ..at } });
        return;
    }
    // Values without a timestamp may follow text that had one.
    let is_value = matches!(line.first(), Some(b'{' | b'['));
    if is_value && block.as_ref().is_none_or(|open| !is_json_start(&open.data)) {
        dispatch(block.take(), false, emitter, sink);
        *block = Some(Block { data: line.to_vec(), at });
        return;
    }
    match block {
        Some(open) if open.data.len() + line.len() < MAX_RECORD_BYTES => {
            open.data.push(b'\n');
            open.data.extend_from_slice(line);
        }
        Some(_) => {
            *block = None;
            emitter.notice(WarningCode::RecordTooLong, at, "", sink);
        }
        // Comments at the beginning of a log describe it.
        None if is_comment(line) || json::trim(line).is_empty() => {}
        None => emitter.notice(WarningCode::LogText, at, &String::from_utf8_lossy(line), sink),
    }
}

/// Whether a line is a comment. The first line of a file may begin with a byte order mark.
fn is_comment(line: &[u8]) -> bool {
    line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).starts_with(b"#")
}

fn is_json_start(data: &[u8]) -> bool {
    matches!(data.get(json::trim(data)).and_then(<[u8]>::first), Some(b'{' | b'['))
}

/// Whether the words of a log begin with a label: `[LM STUDIO SERVER] Ready`.
fn begins_with_label(value: &[u8]) -> bool {
    let Some(inner) = value.strip_prefix(b"[") else { return false };
    let end = inner.iter().find(|it| matches!(it, b']' | b',' | b'"' | b'{' | b'['));
    inner.first().is_some_and(u8::is_ascii_alphabetic) && end == Some(&b']')
}

fn dispatch(block: Option<Block>, is_last: bool, emitter: &mut Emitter, sink: Sink<'_>) {
    let Some(Block { data, at }) = block else { return };
    let range = json::trim(&data);
    let at = at.within(&data, range.start);
    let value = data.get(range).unwrap_or_default();
    match value.first() {
        None => {}
        Some(b'{' | b'[') if !begins_with_label(value) => {
            match emitter.value(value, at, true, sink) {
                Ok(()) => {}
                Err(bad) if is_last && bad.truncated => {
                    emitter.cut(WarningCode::TruncatedLastLine, bad.at, &bad.reason, sink);
                }
                Err(bad) => emitter.bad(WarningCode::BadLine, &bad, sink),
            }
        }
        Some(_) => emitter.notice(WarningCode::LogText, at, &String::from_utf8_lossy(value), sink),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::framing::framer::Framer;

    fn framed(bytes: &[u8], chunk_len: usize) -> Vec<String> {
        let mut framer = Framer::new();
        let mut found = Vec::new();
        let mut sink = |framed: Framed<'_>| {
            found.push(match framed {
                Framed::Record { json, start, line, .. } => {
                    format!("{start} {line} {}", json.raw())
                }
                Framed::Envelope { .. } => "part".to_owned(),
                Framed::Notice { code, line, .. } => format!("{code} {line}"),
            });
        };
        bytes.chunks(chunk_len).for_each(|chunk| framer.push(chunk, &mut sink));
        framer.finish(&mut sink);
        found
    }

    #[test]
    fn values_of_many_lines_behind_stamps() {
        let text = b"# Some log\n\n[+00:02] [stdout] {\n \"a\": 1\n}\n[+00:03] [stderr] warning: x\n[+1:00:04] {\"b\": 2}\n[+00:05] [1, 2]\n[+00:06] [stdout] {\"c\":\n";
        let expected = [
            "30 3 {\n \"a\": 1\n}",
            "log-text 6",
            "82 7 {\"b\": 2}",
            "100 8 [1, 2]",
            "truncated-last-line 9",
        ];
        for chunk in [1, 7, 1000] {
            assert_eq!(framed(text, chunk), expected);
        }
        let words = b"[+00:01] starting\n{\"a\": 1}\n";
        assert_eq!(framed(words, 5), ["log-text 1", "18 2 {\"a\": 1}"]);
        let at = |from: usize| text.get(from..from + 1).unwrap();
        assert_eq!((at(30), at(82), at(100)), (&b"{"[..], &b"{"[..], &b"["[..]));
    }

    #[test]
    fn values_behind_dates_and_words() {
        let text = b"2026-05-04T10:00:00Z [info] Ready\n2026-05-04T10:00:01Z [info] Message from client: {\"a\":1}\n2026-05-04T10:00:02Z [info] Done\n";
        let expected = ["log-text 1", "83 2 {\"a\":1}", "log-text 3"];
        for chunk in [1, 1000] {
            assert_eq!(framed(text, chunk), expected);
        }
        // Only dates with values make a log.
        assert_eq!(framed(b"2026-05-04T10:00:00Z [info] Ready\n", 100), ["not-a-trace 1"]);
    }

    #[test]
    fn values_of_many_lines_behind_words() {
        let bracketed = b"[2026-05-04 10:00:00][INFO][LM STUDIO SERVER] Ready\n[2026-05-04 10:00:01.5] [DEBUG] Received request: POST to /v1 with body  {\n \"a\": [\n  1\n ]\n}\n[2026-05-04 10:00:02][INFO] Last message: { role: 'user' } (1 in all)\n[2026-05-04 10:00:03][INFO][keel-1] Generated prediction: {\n \"b\": 2\n}\n";
        let alone = b"2026-05-04 10:00:00  [INFO]\n [LM STUDIO SERVER] Ready\n2026-05-04 10:00:01 [DEBUG]\n Received request: POST to /v1 with body  {\n \"a\": [\n  {\"c\": 1}\n ]\n}\n2026-05-04 10:00:02  [INFO]\n [keel-1] Ready\nLayers: {\n";
        for chunk in [1, 7, 1000] {
            assert_eq!(
                framed(bracketed, chunk),
                [
                    "log-text 1",
                    "125 2 {\n \"a\": [\n  1\n ]\n}",
                    "log-text 7",
                    "272 8 {\n \"b\": 2\n}",
                ]
            );
            assert_eq!(
                framed(alone, chunk),
                ["log-text 1", "124 4 {\n \"a\": [\n  {\"c\": 1}\n ]\n}", "log-text 9"]
            );
        }
        // Dates in brackets alone make no log.
        assert_eq!(framed(b"[2026-05-04 10:00:00][INFO] Ready\n", 100), ["not-a-trace 1"]);
    }

    #[test]
    fn what_is_a_stamp() {
        for (line, len) in [
            (&b"[+00:02] [stdout] {"[..], Some(17)),
            (b"[+00:02] {", Some(8)),
            (b"[+3] [item.completed] [1]", Some(21)),
            (b"[+] x", None),
            (b"[+00:02", None),
            (b"[1, 2]", None),
            (b"[+00:02] [1, 2]", Some(8)),
            (b"2026-05-04T10:00:00.5Z [info] [quay] Message from client: {", Some(58)),
            (b"2026-05-04 10:00:00,123 - quay - {\"a\":1}", Some(33)),
            (b"2026-05-04T10:00:00Z [info] Ready", Some(19)),
            (b"2026-05-04T10:00:00Z \"{", Some(19)),
            (b"\xef\xbb\xbf2026-05-04T10:00:00Z {", Some(24)),
            (b"2026-05-04", None),
            (b"[2026-05-04 10:00:00][INFO] Ready", Some(21)),
            (b"[2026-05-04 10:00:00.123] [INFO] with body: {", Some(44)),
            (b"[2026-05-04, 1]", None),
            (b"INFO:quay.events:{\"a\":1}", Some(17)),
            (b"INFO: {", None),
            (b"STDOUT: {\"a\":1}", Some(8)),
            (b"STDIN: {", Some(7)),
            (b"20260504T10:00:00Z {", None),
        ] {
            assert_eq!(stamp_len(line), len, "{}", String::from_utf8_lossy(line));
        }
    }
}
