//! What differs in a text each time that it is made, such as times and ids. Texts that differ only there are the same.

use std::hash::{Hash as _, Hasher as _};

use traceloupe_core::model::KeyHasher;
use traceloupe_core::visible_text::visible_text;

/// A word of a text, with what stands around it.
#[derive(Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    before: &'a str,
    after: &'a str,
}

/// What is masked, and how a word is known as such.
type Mask = (&'static str, fn(&Word<'_>) -> bool);

/// The masks. The first one that fits counts.
const MASKS: &[Mask] = &[
    ("time", |it| is_date(it.text) || is_clock(it.text)),
    ("epoch", |it| is_epoch(it.text)),
    ("duration", |it| is_duration(it.text) || is_number(it.text) && is_unit(it.after)),
    ("percentage", |it| it.text.strip_suffix('%').is_some_and(is_number)),
    ("id", |it| is_id(it.text)),
    ("process", |it| is_numbered(it, &["pid", "process"])),
    ("temporary path", |it| TEMPORARY.iter().any(|start| it.text.contains(start))),
    ("port", |it| is_port(it.text)),
    ("attempt", |it| is_numbered(it, &["attempt", "retry", "try"])),
];

/// Beginnings of lines that a program writes about a call, which say nothing about its result.
const LINES: [&str; 2] = ["Chunk ID:", "Wall time"];
/// Shells count the commands that they were given.
const COUNTED_LINES: [&str; 2] = ["bash: line ", "sh: line "];
/// Parts of temporary paths.
const TEMPORARY: [&str; 3] = ["/tmp/", "/var/folders/", "\\Temp\\"];
/// Units of time, as words or directly after a number.
const UNITS: [&str; 17] = [
    "ns", "us", "µs", "ms", "s", "m", "h", "sec", "secs", "second", "seconds", "min", "mins",
    "minute", "minutes", "hour", "hours",
];

/// A hash of a text without what differs each time: [`MASKS`], colours, and space at the ends of lines.
pub(super) fn masked_hash(text: &str) -> u64 {
    let text = visible_text(text);
    let mut hasher = KeyHasher::default();
    for line in text.lines().map(str::trim_end) {
        if !LINES.iter().any(|start| line.starts_with(start)) {
            hash_line(line, &mut hasher);
        }
        hasher.write_u8(b'\n');
    }
    hasher.finish().max(1)
}

fn hash_line(line: &str, hasher: &mut KeyHasher) {
    let counts = COUNTED_LINES.iter().any(|start| line.contains(start));
    let mut rest = line;
    let mut before = "";
    while !rest.is_empty() {
        let end = rest.find(|char| !is_in_word(char)).unwrap_or(rest.len());
        let (text, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        if text.is_empty() {
            let len = after.chars().next().map_or(1, char::len_utf8);
            let (between, more) = after.split_at_checked(len).unwrap_or((after, ""));
            between.hash(hasher);
            rest = more;
            continue;
        }
        let text = text.trim_end_matches(['.', ':', '-']);
        let (text, after) = match text.is_empty() {
            true => rest.split_at_checked(end).unwrap_or((rest, "")),
            false => rest.split_at_checked(text.len()).unwrap_or((rest, "")),
        };
        let word = Word { text, before, after };
        let is_counted = counts && before == "line" && is_digits(text);
        match MASKS.iter().position(|(_, fits)| fits(&word)) {
            Some(mask) => hasher.write_usize(mask),
            None if is_counted => hasher.write_usize(MASKS.len()),
            None => text.hash(hasher),
        }
        if text.contains(char::is_alphanumeric) {
            before = text;
        }
        rest = after;
    }
}

fn is_in_word(char: char) -> bool {
    char.is_alphanumeric() || "_-./:%+\\~@".contains(char)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A number, perhaps with a fraction: `12`, `0.5`.
fn is_number(text: &str) -> bool {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    is_digits(whole) && is_digits(part)
}

/// `2026-03-04`, perhaps with a time.
fn is_date(text: &str) -> bool {
    let mut parts = text.splitn(3, '-');
    let sizes = [parts.next(), parts.next()].map(|part| part.filter(|it| is_digits(it)));
    let [Some(year), Some(month)] = sizes else { return false };
    let day = parts.next().and_then(|rest| rest.get(..2));
    year.len() == 4 && month.len() == 2 && day.is_some_and(is_digits)
}

/// `11:20:33`, perhaps with a fraction or a zone.
fn is_clock(text: &str) -> bool {
    let mut parts = text.split(':');
    let hour = parts.next().is_some_and(|it| it.len() <= 2 && is_digits(it));
    let minute = parts.next().is_some_and(|it| it.len() == 2 && is_digits(it));
    let second = parts.next().and_then(|it| it.get(..2)).is_some_and(is_digits);
    hour && minute && second
}

/// Seconds or milliseconds since 1970, from 2017 on.
fn is_epoch(text: &str) -> bool {
    let whole = text.split('.').next().unwrap_or_default();
    is_number(text)
        && matches!(whole.len(), 10 | 13)
        && whole.get(..2).is_some_and(|it| ("15".."20").contains(&it))
}

/// `4.12s`, `0m1.5s`.
fn is_duration(text: &str) -> bool {
    let mut rest = text;
    while !rest.is_empty() {
        let number = rest.find(|char: char| !char.is_ascii_digit() && char != '.');
        let Some((number, after)) = number.and_then(|at| rest.split_at_checked(at)) else {
            return false;
        };
        let end = after.find(|char: char| char.is_ascii_digit()).unwrap_or(after.len());
        let Some((unit, after)) = after.split_at_checked(end) else { return false };
        if !is_number(number) || !UNITS.contains(&unit) {
            return false;
        }
        rest = after;
    }
    true
}

/// Whether the next word is a unit of time.
fn is_unit(after: &str) -> bool {
    let Some(rest) = after.strip_prefix(' ') else { return false };
    let end = rest.find(|char: char| !char.is_alphabetic()).unwrap_or(rest.len());
    rest.get(..end).is_some_and(|word| UNITS.contains(&word))
}

/// Hashes, UUIDs and ids: long enough, and of letters and digits.
fn is_id(text: &str) -> bool {
    if text.starts_with("0x") {
        return true;
    }
    let has_digit = text.bytes().any(|byte| byte.is_ascii_digit());
    let has_letter = text.bytes().any(|byte| byte.is_ascii_alphabetic());
    let is_hex = text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    // A word in lower case with a number at its end is a name.
    let is_mixed = || {
        let digits = text.bytes().filter(u8::is_ascii_digit).count();
        text.len() >= 16 && digits >= 2 && text.bytes().any(|byte| byte.is_ascii_uppercase())
    };
    has_digit && has_letter && (is_hex && text.len() >= 7 || is_plain && is_mixed())
}

/// Whether a number stands after one of some words, or is joined to it: `pid 12`, `pid:12`, `attempt 2/5`.
fn is_numbered(it: &Word<'_>, words: &[&str]) -> bool {
    let is_named = |name: &str| words.iter().any(|word| name.eq_ignore_ascii_case(word));
    let joined = it.text.split_once(':');
    it.text.split('/').all(is_digits) && is_named(it.before)
        || joined.is_some_and(|(name, number)| is_named(name) && is_digits(number))
}

/// `localhost:8080`.
fn is_port(text: &str) -> bool {
    let Some((host, port)) = text.rsplit_once(':') else { return false };
    let is_host = host.ends_with("localhost") || host.ends_with(|char: char| char.is_ascii_digit());
    is_host && host.contains(['.', 'l']) && matches!(port.len(), 4 | 5) && is_digits(port)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(a: &str, b: &str) -> bool {
        masked_hash(a) == masked_hash(b)
    }

    #[test]
    fn what_differs_each_time_is_masked() {
        for (a, b) in [
            ("done at 2026-03-04T11:20:33Z", "done at 2026-11-14T09:02:10Z"),
            ("[11:20:33.5] ok", "[09:02:10.1] ok"),
            (r#"{"sim_time": 1728978794.207}"#, r#"{"sim_time": 1728978929.9}"#),
            ("ok  pkg/a  0.345s", "ok  pkg/a  1.2s"),
            ("12 passed in 0.5 seconds", "12 passed in 11 seconds"),
            ("real 0m1.234s", "real 0m0.9s"),
            ("38.5% of it", "99% of it"),
            ("commit 3f2a91c", "commit 9b01dd4"),
            ("id 123e4567-e89b-12d3-a456-426614174000", "id 00000000-e89b-12d3-a456-42661417400f"),
            ("call_Bl90uksby7PWGVeLVpSb", "call_YRMBQQrlVRawLDK83eUG"),
            ("at 0x7ffe12", "at 0x55aa"),
            ("PID: 12", "PID: 1734"),
            ("started (pid 7)", "started (pid 99)"),
            ("wrote /tmp/abc/x", "wrote /tmp/def/y"),
            ("on localhost:8080", "on localhost:39121"),
            ("on 127.0.0.1:8080.", "on 127.0.0.1:39121."),
            ("attempt 2/5", "attempt 3/5"),
            ("Chunk ID: ab12\nWall time: 1 s\nx", "Chunk ID: 9\nWall time: 20 s\nx"),
            ("/bin/bash: line 334: cd: a: no", "/bin/bash: line 1252: cd: a: no"),
            ("\u{1b}[32mok\u{1b}[0m  \r\n", "ok\n"),
        ] {
            assert!(same(a, b), "{a} | {b}");
        }
    }

    #[test]
    fn what_says_something_is_not() {
        for (a, b) in [
            ("12 passed, 3 failed", "13 passed, 2 failed"),
            ("line 12: undefined", "line 14: undefined"),
            ("cannot find alpha", "cannot find beta"),
            ("main.rs:12", "main.rs:14"),
            ("version 1.2", "version 1.3"),
            ("10 parts", "11 parts"),
            ("12 s", "12 files"),
            ("test_7 failed", "test_8 failed"),
            ("decade", "facade"),
            ("a\nb", "a b"),
            ("", " x"),
        ] {
            assert!(!same(a, b), "{a} | {b}");
        }
    }
}
