//! Determines how the records of a source are framed, from its beginning.

use memchr::{memchr, memmem, memrchr};
use traceloupe_core::warning_code::WarningCode;

use traceloupe_core::json::{self, Repaired, Structure};

use crate::framing::lines::significant;
use crate::framing::log::{begins_log, continues_log};
use crate::framing::sse::is_sse;
use crate::sniff::is_html;

/// How a source is framed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Begin {
    Lines,
    /// Lines that end in a bare carriage return.
    CrLines,
    /// Values that span several lines: one document, or several.
    Values,
    Array,
    Sse,
    /// Values after the timestamps of a log.
    Log,
    /// Not to be read, with the reason.
    Refuse(WarningCode),
}

/// Determines the framing from the beginning of a source (all of it if `is_whole`). Also returns the length of the
/// unrelated lines before the first record.
pub(super) fn begin(head: &[u8], is_whole: bool) -> (Begin, usize) {
    if is_html(head) {
        return (Begin::Refuse(WarningCode::LooksLikeHtml), 0);
    }
    let mut seen = Seen::default();
    if let Some(found) = first_record(head, is_whole, &mut seen) {
        return found;
    }
    let is_all_scalars = seen.scalars > 0 && seen.noise == 0;
    let is_blank = seen.scalars + seen.noise == 0;
    if seen.broken > 0 || is_all_scalars || is_blank {
        (Begin::Lines, 0)
    } else {
        (Begin::Refuse(WarningCode::NotATrace), 0)
    }
}

/// Determines the framing from the beginning of a source that has paused; `None` if more of it is needed. With
/// `is_patient`, a list on one line waits for more bytes, because it may be the first of several.
pub(super) fn begin_so_far(head: &[u8], is_patient: bool) -> Option<(Begin, usize)> {
    // The last line may continue, so only whole lines count.
    let whole = head.get(..=memrchr(b'\n', head)?)?;
    if is_html(whole) {
        return None;
    }
    let (begin, at) = first_record(whole, false, &mut Seen::default())?;
    if begin != Begin::Array {
        return Some((begin, at));
    }
    let rest = head.get(at..).unwrap_or_default();
    let start = next_significant(rest, 0).map_or(0, |(start, _)| start);
    let list = rest.get(start..).unwrap_or_default();
    let end = Structure::default().close(list);
    let is_line = |end: usize| !list.get(..end).unwrap_or_default().contains(&b'\n');
    match end.filter(|end| is_line(*end)).map(|end| next_significant(list, end)) {
        Some(None) if is_patient => None,
        Some(Some((_, b'{' | b'['))) => Some((Begin::Lines, at)),
        _ => Some((begin, at)),
    }
}

/// The framing of the first record, and the length of the unrelated lines before it.
fn first_record(head: &[u8], is_whole: bool, seen: &mut Seen) -> Option<(Begin, usize)> {
    // A line that starts with a colon or `id:` only belongs to an event stream if data follows.
    let last_data = memmem::rfind(head, b"\ndata:").map_or(0, |at| at + 1);
    let (mut at, mut before) = (0, &b""[..]);
    while let Some(rest) = head.get(at..).filter(|rest| !rest.is_empty()) {
        let end = memchr(b'\n', rest);
        let line = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        let ends = Ends { is_cut: end.is_none() && !is_whole, is_last: end.is_none() };
        let has_data = at <= last_data && (last_data > 0 || is_data(line));
        if has_data && is_sse(significant_text(line)) {
            return Some((Begin::Sse, at));
        }
        if begins_log(line) || continues_log(before, line) {
            // The lines before it are the beginning of the log.
            return Some((Begin::Log, 0));
        }
        if let Some(begin) = line_begin(rest, line, ends, is_whole, seen) {
            return Some((begin, at));
        }
        at += line.len() + 1;
        before = line;
    }
    None
}

/// The lines seen before the first record.
#[derive(Default)]
struct Seen {
    scalars: u32,
    noise: u32,
    /// Lines that start like an object.
    broken: u32,
}

#[derive(Clone, Copy)]
struct Ends {
    /// The line continues after the head.
    is_cut: bool,
    /// No other line follows in the head.
    is_last: bool,
}

fn line_begin(
    rest: &[u8],
    line: &[u8],
    ends: Ends,
    is_whole: bool,
    seen: &mut Seen,
) -> Option<Begin> {
    let range = significant(line);
    let text = line.get(range.clone()).unwrap_or_default();
    let from_here = rest.get(range.start..).unwrap_or_default();
    match text.first()? {
        b'{' => object_begin(from_here, text, ends, is_whole, seen),
        b'[' => array_begin(from_here, is_whole, seen),
        _ if is_scalar(text) => {
            seen.scalars += 1;
            None
        }
        // A run of NULs, left by a power loss, has no bearing on what follows.
        0 if after_nuls(text).is_some() => Some(Begin::Lines),
        _ => {
            seen.noise += 1;
            None
        }
    }
}

fn object_begin(
    rest: &[u8],
    line: &[u8],
    ends: Ends,
    is_whole: bool,
    seen: &mut Seen,
) -> Option<Begin> {
    if let Some(cr) = memchr(b'\r', line)
        && is_good(line.get(..cr).unwrap_or_default())
    {
        return Some(Begin::CrLines);
    }
    let mut structure = Structure::default();
    let looks_like_object = matches!(next_significant(line, 1), Some((_, b'"' | b'}')) | None);
    match structure.close(line) {
        // There is no line end in sight, so values are separated by their brackets.
        Some(_) if ends.is_cut => Some(Begin::Values),
        Some(_) if !matches!(json::repair(line), Repaired::Bad { .. }) => Some(Begin::Lines),
        None if ends.is_last && looks_like_object && line.len() > 1 => Some(Begin::Lines),
        None if goes_on(&structure, line, rest.get(line.len()..).unwrap_or_default())
            && !lines_follow(*b"{}", rest.get(line.len()..).unwrap_or_default(), is_whole) =>
        {
            Some(Begin::Values)
        }
        _ => {
            if looks_like_object {
                seen.broken += 1;
            } else {
                seen.noise += 1;
            }
            None
        }
    }
}

/// Whether a value that is open at the end of a line continues on the next line, judging by the
/// last byte before the line end and the first byte after it.
fn goes_on(structure: &Structure, line: &[u8], after: &[u8]) -> bool {
    if structure.in_string() {
        return false;
    }
    let Some(last) = line.iter().rev().find(|byte| !byte.is_ascii_whitespace()) else {
        return false;
    };
    let Some((_, next)) = next_significant(after, 0) else { return true };
    match last {
        b'{' => matches!(next, b'"' | b'}'),
        b'[' | b':' => !matches!(next, b'}' | b',' | b':'),
        b',' => !matches!(next, b',' | b':'),
        _ => matches!(next, b',' | b'}' | b']' | b':'),
    }
}

/// How many lines are examined to distinguish a cut line from a value over several lines.
const MAX_LINES_AFTER: usize = 16;

/// Whether objects, or lists, on lines of their own follow, neither indented nor separated by commas. If so, an open
/// value before them was cut, even if the cut made it look as if it continued.
fn lines_follow([open, close]: [u8; 2], after: &[u8], is_whole: bool) -> bool {
    let lines = after.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
    let mut lines = lines.filter(|line| !line.is_empty()).peekable();
    for _ in 0..MAX_LINES_AFTER {
        let Some(line) = lines.next() else { return false };
        let is_followed = lines.peek().map_or(is_whole, |next| next.first() == Some(&open));
        let is_value = line.first() == Some(&open) && line.last() == Some(&close);
        if is_followed && is_value && is_good(line) {
            return true;
        }
    }
    false
}

fn array_begin(rest: &[u8], is_whole: bool, seen: &mut Seen) -> Option<Begin> {
    let (line, after) = rest.split_at(memchr(b'\n', rest).unwrap_or(rest.len()));
    // A line with only the bracket begins a document over several lines.
    if line.trim_ascii_end().len() > 1 && lines_follow(*b"[]", after, is_whole) && !is_good(line) {
        seen.broken += 1;
        return None;
    }
    let is_after_broken = seen.broken > 0;
    let mut noise = || {
        seen.noise += 1;
        None
    };
    match next_significant(rest, 1) {
        None | Some((_, b'{' | b'[' | b']' | b'"')) => {}
        // `[12:00:01] starting`, `[INFO] …`
        Some((at, _)) => {
            let item = rest.get(at..).unwrap_or_default();
            let len = item.iter().position(|byte| matches!(byte, b',' | b']' | b'\n'));
            let len = match len {
                Some(len) => len,
                None if is_whole => return noise(),
                None => item.len(),
            };
            let word = item.get(..len).unwrap_or_default();
            if !is_scalar(word.trim_ascii()) {
                return noise();
            }
        }
    }
    let Some(end) = Structure::default().close(rest) else { return Some(Begin::Array) };
    let is_on_one_line = !rest.get(..end).unwrap_or_default().contains(&b'\n');
    let Some((next_at, next)) = next_significant(rest, end) else {
        // The rest of several lines that each have a list.
        let is_line = is_on_one_line && is_after_broken;
        return Some(if is_line { Begin::Lines } else { Begin::Array });
    };
    let gap = rest.get(end..next_at).unwrap_or_default();
    match (is_on_one_line, gap.contains(&b'\n'), next) {
        (true, _, b'{' | b'[') => Some(Begin::Lines),
        (true, false, _) => noise(),
        _ => Some(Begin::Array),
    }
}

fn significant_text(line: &[u8]) -> &[u8] {
    line.get(significant(line)).unwrap_or_default()
}

fn is_data(line: &[u8]) -> bool {
    significant_text(line).starts_with(b"data:")
}

fn next_significant(bytes: &[u8], from: usize) -> Option<(usize, u8)> {
    let rest = bytes.get(from..)?;
    let at = from + rest.iter().position(|byte| !byte.is_ascii_whitespace() && *byte != 0x1e)?;
    Some((at, *bytes.get(at)?))
}

fn is_scalar(text: &[u8]) -> bool {
    text.first().is_some_and(|byte| b"\"-0123456789tfnNI".contains(byte)) && is_good(text)
}

fn is_good(text: &[u8]) -> bool {
    matches!(json::repair(text), Repaired::Good { .. })
}

/// Whether an object follows a run of NULs.
fn after_nuls(text: &[u8]) -> Option<()> {
    let at = text.iter().position(|byte| *byte != 0)?;
    text.get(at..)?.starts_with(b"{\"").then_some(())
}
