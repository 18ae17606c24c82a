//! Converts YAML to JSON by the core schema of YAML 1.2: files written by hand, and rows of results.
//!
//! The parser, *saphyr-parser*, emits events and builds no tree. Nothing here recurses. Depth, the expansion of
//! aliases, and the length of a file are limited.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use saphyr_parser::{Event, Parser, ScalarStyle, Tag};

use traceloupe_core::json::quoted;
use traceloupe_input::{begins_log, is_sse};

/// The deepest nesting allowed.
const MAX_DEPTH: usize = 512;

/// The maximum total expansion of all aliases in a text, across all of its documents.
const MAX_ALIASED_BYTES: usize = 8 << 20;

/// Why YAML could not be read further.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct YamlFault {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// A description of the fault.
    pub what: String,
}

/// Converts YAML to JSON and calls `each` with every document that is an object or a list. At a fault, the complete
/// part before it is closed with brackets and passed on too.
pub fn yaml_to_json(text: &str, each: &mut dyn FnMut(&str)) -> Option<YamlFault> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // The parser treats a NUL as the end.
    let text =
        if text.contains('\0') { Cow::Owned(text.replace('\0', "\u{fffd}")) } else { text.into() };
    let mut parser = Parser::new_from_str(&text);
    let mut writer = Writer::default();
    let mut fault = None;
    while let Some(next) = parser.next_event() {
        let (at, what) = match next {
            Ok((Event::StreamEnd, _)) => break,
            Ok((event, span)) => match writer.take(event, each) {
                Ok(()) => continue,
                Err(what) => (span.start, what.to_owned()),
            },
            Err(error) => (*error.marker(), error.info().to_owned()),
        };
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        fault = Some(YamlFault { line: number(at.line()), column: number(at.col() + 1), what });
        break;
    }
    writer.close(each);
    fault
}

/// A list or map that is still open.
struct Frame {
    is_map: bool,
    /// The number of keys or items so far.
    len: usize,
    /// For a map: a key has been written and its value is missing.
    has_key: bool,
    anchor: usize,
    start: usize,
}

/// Writes events as JSON.
#[derive(Default)]
struct Writer {
    out: String,
    open: Vec<Frame>,
    /// The ranges of the anchored values in `out`.
    anchors: FxHashMap<usize, std::ops::Range<usize>>,
    aliased_bytes: usize,
}

impl Writer {
    fn take(&mut self, event: Event<'_>, each: &mut dyn FnMut(&str)) -> Result<(), &'static str> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let is_key = self.before();
                let start = self.out.len();
                if is_key {
                    push_string(&text, &mut self.out);
                } else {
                    push_scalar(&text, style, tag.as_deref(), &mut self.out);
                }
                self.anchors.insert(anchor, start..self.out.len());
                self.after(is_key);
            }
            Event::SequenceStart(anchor, _) => return self.begin(false, anchor),
            Event::MappingStart(anchor, _) => return self.begin(true, anchor),
            Event::SequenceEnd | Event::MappingEnd => self.end(),
            Event::Alias(anchor) => return self.alias(anchor),
            Event::DocumentEnd => self.close(each),
            _ => {}
        }
        Ok(())
    }

    /// Writes the separator between the previous value and the next. Returns whether the next one
    /// is a key.
    fn before(&mut self) -> bool {
        let is_top = self.open.len() == 1;
        let Some(frame) = self.open.last_mut() else { return false };
        if frame.is_map && frame.has_key {
            frame.has_key = false;
            return false;
        }
        if frame.len > 0 {
            self.out.push(',');
        }
        if is_top && !frame.is_map {
            // Put each item of a top-level list on its own line.
            self.out.push('\n');
        }
        frame.len += 1;
        frame.has_key = frame.is_map;
        frame.is_map
    }

    fn after(&mut self, is_key: bool) {
        if is_key {
            self.out.push(':');
        }
    }

    fn begin(&mut self, is_map: bool, anchor: usize) -> Result<(), &'static str> {
        if self.open.last().is_some_and(|frame| frame.is_map && !frame.has_key) {
            return Err("a key that is a list or a map");
        }
        if self.open.len() >= MAX_DEPTH {
            return Err("values are nested too deeply");
        }
        self.before();
        let start = self.out.len();
        self.out.push(if is_map { '{' } else { '[' });
        self.open.push(Frame { is_map, len: 0, has_key: false, anchor, start });
        Ok(())
    }

    fn end(&mut self) {
        let Some(frame) = self.open.pop() else { return };
        if frame.has_key {
            self.out.push_str("null");
        }
        self.out.push(if frame.is_map { '}' } else { ']' });
        self.anchors.insert(frame.anchor, frame.start..self.out.len());
    }

    fn alias(&mut self, anchor: usize) -> Result<(), &'static str> {
        let range = self.anchors.get(&anchor).cloned().ok_or("an alias within its own value")?;
        let value = self.out.get(range).unwrap_or_default().to_owned();
        self.aliased_bytes += value.len();
        if self.aliased_bytes > MAX_ALIASED_BYTES {
            return Err("aliases expand to too much");
        }
        let is_key = self.before();
        if is_key && !value.starts_with('"') {
            push_string(&value, &mut self.out);
        } else {
            self.out.push_str(&value);
        }
        self.after(is_key);
        Ok(())
    }

    /// Ends a document, whether it is whole or broken.
    fn close(&mut self, each: &mut dyn FnMut(&str)) {
        while !self.open.is_empty() {
            self.end();
        }
        if self.out.starts_with(['{', '[']) {
            each(&self.out);
        }
        *self = Self { aliased_bytes: self.aliased_bytes, ..Self::default() };
    }
}

fn push_string(text: &str, out: &mut String) {
    out.push_str(&quoted(text));
}

/// Writes a scalar by the core schema: plain scalars may be null, booleans or numbers; quoted ones
/// are text.
fn push_scalar(text: &str, style: ScalarStyle, tag: Option<&Tag>, out: &mut String) {
    let tag = tag.map(|tag| if tag.is_yaml_core_schema() { tag.suffix.as_str() } else { "" });
    let is_plain = match tag {
        Some("str") => false,
        Some("int" | "float" | "bool" | "null") => true,
        _ => style == ScalarStyle::Plain,
    };
    if !is_plain {
        return push_string(text, out);
    }
    match text {
        "" | "~" | "null" | "Null" | "NULL" => out.push_str("null"),
        "true" | "True" | "TRUE" => out.push_str("true"),
        "false" | "False" | "FALSE" => out.push_str("false"),
        _ => match number(text) {
            Some(number) => out.push_str(&number),
            None => push_string(text, out),
        },
    }
}

/// A number in JSON syntax. Infinities and NaN become strings, because JSON has none.
fn number(text: &str) -> Option<String> {
    let radix = |digits: &str, radix| u128::from_str_radix(digits, radix).ok();
    if let Some(digits) = text.strip_prefix("0x") {
        return radix(digits, 16).filter(|_| !digits.starts_with('+')).map(|n| n.to_string());
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return radix(digits, 8).filter(|_| !digits.starts_with('+')).map(|n| n.to_string());
    }
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (rest, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let has_digits = !whole.is_empty() || fraction.is_some_and(|it| !it.is_empty());
    let power = exponent.map(|it| it.strip_prefix(['-', '+']).unwrap_or(it));
    if !has_digits
        || !is_digits(whole)
        || !fraction.is_none_or(is_digits)
        || power.is_some_and(|it| it.is_empty() || !is_digits(it))
    {
        return None;
    }
    let whole = whole.trim_start_matches('0');
    let mut number = format!("{sign}{}", if whole.is_empty() { "0" } else { whole });
    if let Some(fraction) = fraction {
        number.push('.');
        number.push_str(if fraction.is_empty() { "0" } else { fraction });
    }
    if let Some(exponent) = exponent {
        number.push('e');
        number.push_str(exponent);
    }
    Some(number)
}

/// Whether a text is YAML and no other format. `head` is the beginning of a source without its last line, which may be
/// cut. If the file name indicates YAML, the text only has to start like a list or map; otherwise the parser must find
/// a list or map with another one inside.
#[must_use]
pub fn looks_like_yaml(head: &[u8], is_whole: bool, name: &str) -> bool {
    if begins_like_json(head) {
        return false;
    }
    let text = String::from_utf8_lossy(head);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let is_skipped = |line: &&str| {
        let line = line.trim();
        line.is_empty() || line.starts_with(['#', '%']) || line == "---"
    };
    let first = text.lines().find(|line| !is_skipped(line)).unwrap_or_default();
    if !may_begin_yaml(first, text) || begins_log(first.as_bytes()) {
        return false;
    }
    if [".yaml", ".yml"].iter().any(|ending| name.ends_with(ending)) {
        return true;
    }
    let end = if is_whole { text.len() } else { text.rfind('\n').unwrap_or(0) };
    is_nested(text.get(..end).unwrap_or_default(), is_whole)
}

/// Whether a text starts with brackets and a quote, so that it is JSON rather than YAML. This holds for nearly all
/// files, so their first piece of some megabytes need not be decoded to decide.
fn begins_like_json(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    let is_bracket = |it: &u8| matches!(it, b'{' | b'[');
    let inside = head.iter().skip_while(|it| is_bracket(it) || it.is_ascii_whitespace());
    head.first().is_some_and(is_bracket) && inside.take(1).any(|it| *it == b'"')
}

/// Whether a first line starts like a YAML list or map, and not like JSON or a stream of events.
fn may_begin_yaml(first: &str, text: &str) -> bool {
    let line = first.trim_start();
    if is_sse(line.as_bytes()) {
        return false;
    }
    if line.starts_with(['{', '[']) {
        // Flow style with unquoted keys.
        let from = text.find(['{', '[']).unwrap_or(0);
        let inside = text.get(from..).unwrap_or_default();
        let inside =
            inside.trim_start_matches(|it: char| matches!(it, '{' | '[') || it.is_whitespace());
        return is_key(inside);
    }
    let line = line.strip_prefix('"').unwrap_or(line);
    line == "-" || line.strip_prefix("- ").is_some() || is_key(line)
}

/// Whether text starts with a word, a colon, and white space or the end.
fn is_key(text: &str) -> bool {
    let word = |it: &char| it.is_alphanumeric() || matches!(it, '_' | '-' | '.');
    let len: usize = text.chars().take_while(word).map(char::len_utf8).sum();
    let begins = text.starts_with(|it: char| it.is_alphabetic() || it == '_');
    let behind = text.get(len..).unwrap_or_default().trim_start_matches(['"', '\'']);
    let Some(behind) = behind.strip_prefix(':') else { return false };
    begins && behind.chars().next().is_none_or(char::is_whitespace)
}

/// Whether text is YAML with a collection inside a collection. A fault near the end is accepted:
/// the YAML may be broken there, or the file cut within a value.
fn is_nested(text: &str, is_whole: bool) -> bool {
    let (mut depth, mut deepest) = (0_usize, 0);
    for event in Parser::new_from_str(text) {
        match event {
            Ok((Event::SequenceStart(..) | Event::MappingStart(..), _)) => {
                depth += 1;
                deepest = deepest.max(depth);
                if depth > MAX_DEPTH {
                    break;
                }
            }
            Ok((Event::SequenceEnd | Event::MappingEnd, _)) => depth = depth.saturating_sub(1),
            Ok((Event::Scalar(..), _)) if depth == 0 => return false,
            Ok(_) => {}
            Err(error) => {
                let (line, lines) = (error.marker().line(), text.lines().count());
                let is_late = line > 3 && line * 2 > lines;
                let is_cut = !is_whole && error.info().contains("end of stream");
                return deepest > 1 && (is_late || is_cut);
            }
        }
    }
    deepest > 1
}

#[cfg(test)]
mod tests;
