//! Texts without the parts that differ each time, such as times and ids. Results and reasons are compared in this form,
//! so that what differs only there is the same. [`MASKS`] is the table of these parts.

use std::borrow::Cow;
use std::hash::Hasher as _;

use crate::model::KeyHasher;

/// A part that differs each time.
struct Mask {
    /// What is put in its place.
    placeholder: &'static str,
    /// Its length at the beginning of the second text, in bytes; 0 if there is none. The first text is what is before
    /// it.
    len: fn(&[u8], &[u8]) -> usize,
}

/// The parts that differ each time. The first one that fits is masked. All but temporary paths begin with a word that
/// contains a digit.
const MASKS: [Mask; 10] = [
    Mask { placeholder: "<path>", len: temporary_path },
    Mask { placeholder: "<time>", len: time },
    Mask { placeholder: "<id>", len: uuid },
    Mask { placeholder: "<duration>", len: duration },
    Mask { placeholder: "<percentage>", len: percentage },
    Mask { placeholder: "<attempt>", len: attempt },
    Mask { placeholder: "<process>", len: |before, rest| after(&PROCESSES, before, rest) },
    Mask { placeholder: "<port>", len: |before, rest| after(&PORTS, before, rest) },
    Mask { placeholder: "<line>", len: line_of_shell },
    Mask { placeholder: "<id>", len: id },
];

/// A shell counts the lines of all commands that it is given: `bash: line 334`.
fn line_of_shell(before: &[u8], rest: &[u8]) -> usize {
    let len = count(rest, u8::is_ascii_digit);
    if before.ends_with(b"sh: line ") && ends(rest, len) { len } else { 0 }
}

/// What else makes no difference in a reason: the line and the column.
const POSITION: Mask = Mask { placeholder: "<n>", len: position };

/// What else makes no difference in a reason that compares nothing.
const NUMBER: Mask = Mask { placeholder: "<n>", len: number };

/// A text without the parts that differ each time: `done in <duration>` for `done in 3.4 s`.
///
/// Masked are times, durations, percentages, counts of attempts, UUIDs, hashes and ids of digits and letters, the ids of
/// processes and of Codex' chunks, ports, and paths of temporary files. Other numbers stay.
#[must_use]
pub fn masked(text: &str) -> Cow<'_, str> {
    joined(text, &[&MASKS])
}

/// A hash of [`masked`] text, made without the text.
#[must_use]
pub fn masked_hash(text: &str) -> u64 {
    let mut hash = KeyHasher::default();
    pieces(text, &[&MASKS], |piece| hash.write(piece.as_bytes()));
    hash.finish()
}

/// The line that states a reason, without the parts that differ each time, positions in files, and numbers. Numbers
/// that are compared stay, and those in names and codes (`E0308`, `HTTP 404`).
#[must_use]
pub fn masked_reason(line: &str) -> Cow<'_, str> {
    const COMPARING: [&str; 6] = ["expect", "assert", "!=", "==", "left:", "right:"];
    let lower = line.to_ascii_lowercase();
    let numbers: &[Mask] = match COMPARING.iter().any(|word| lower.contains(word)) {
        true => &[POSITION],
        false => &[POSITION, NUMBER],
    };
    joined(line, &[&MASKS, numbers])
}

/// The pieces of a text, with the masks applied.
fn joined<'a>(text: &'a str, masks: &[&[Mask]]) -> Cow<'a, str> {
    let mut joined = String::new();
    pieces(text, masks, |piece| joined.push_str(piece));
    if joined == text { Cow::Borrowed(text) } else { Cow::Owned(joined) }
}

/// Calls `each` with the pieces of a text: what stays, and a placeholder for each part that is masked.
fn pieces(text: &str, masks: &[&[Mask]], mut each: impl FnMut(&str)) {
    let bytes = text.as_bytes();
    let (mut from, mut at) = (0, 0);
    while let Some((before, rest)) = bytes.split_at_checked(at) {
        let Some(first) = rest.first() else { break };
        let word = count(rest, is_word);
        let may_differ = match word {
            0 => matches!(first, b'/' | b'\\'),
            _ => rest.iter().take(word).any(u8::is_ascii_digit),
        };
        let mut fitting = masks.iter().copied().flatten().filter(|_| may_differ).map(|mask| {
            // A part of another character would be cut.
            let len = (mask.len)(before, rest);
            if text.is_char_boundary(at + len) { (len, mask.placeholder) } else { (0, "") }
        });
        match fitting.find(|it| it.0 > 0) {
            Some((len, placeholder)) => {
                text.get(from..at).filter(|it| !it.is_empty()).map(&mut each);
                each(placeholder);
                at += len;
                from = at;
            }
            None => at += word.max(1),
        }
    }
    text.get(from..).filter(|it| !it.is_empty()).map(each);
}

/// How many bytes at the beginning are of a kind.
fn count(bytes: &[u8], is: impl Fn(&u8) -> bool) -> usize {
    bytes.iter().take_while(|byte| is(byte)).count()
}

/// Whether a byte is part of a word. The beginning of a word is the only place where a word is examined.
fn is_word(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_'
}

/// Whether the word that `len` bytes are in ends after them.
fn ends(rest: &[u8], len: usize) -> bool {
    !rest.get(len).is_some_and(is_word)
}

/// What is after `len` bytes.
fn skip(rest: &[u8], len: usize) -> &[u8] {
    rest.get(len..).unwrap_or_default()
}

/// The length of a pattern at the beginning of a text; 0 if it does not fit. In a pattern, `d` is a digit, `x` a
/// hexadecimal digit, `a` a letter, `*` any further digits, `T` the letter or a space; other bytes stand for themselves.
fn pattern(pattern: &[u8], rest: &[u8]) -> usize {
    let mut len = 0;
    for kind in pattern {
        let next = rest.get(len).copied().unwrap_or_default();
        let fits = match kind {
            b'd' => next.is_ascii_digit(),
            b'x' => next.is_ascii_hexdigit(),
            b'a' => next.is_ascii_alphabetic(),
            b'T' => matches!(next, b'T' | b' '),
            b'*' => {
                len += count(skip(rest, len), u8::is_ascii_digit);
                continue;
            }
            other => next == *other,
        };
        if !fits {
            return 0;
        }
        len += 1;
    }
    len
}

/// The length of the first pattern that fits and ends with its word.
fn one_of(patterns: &[&[u8]], rest: &[u8]) -> usize {
    let lens = patterns.iter().map(|it| pattern(it, rest));
    lens.into_iter().find(|len| *len > 0 && ends(rest, *len)).unwrap_or(0)
}

/// A date with or without a time, a time of the day, or seconds or milliseconds since 1970.
fn time(before: &[u8], rest: &[u8]) -> usize {
    const CLOCK: [&[u8]; 2] = [b"dd:dd:dd", b"d:dd:dd"];
    const DATES: [&[u8]; 3] = [b"dddd-dd-dd", b"dddd/dd/dd", b"dd/aaa/dddd"];
    const SINCE_1970: [&[u8]; 2] = [b"1ddddddddd", b"1dddddddddddd"];
    const MONTHS: &[u8] = b"JanFebMarAprMayJunJulAugSepOctNovDec";
    let fraction = |len: usize| {
        let after = skip(rest, len);
        len + pattern(b".d*", after).max(pattern(b",d*", after))
    };
    let date = DATES.iter().map(|it| pattern(it, rest)).max().unwrap_or(0);
    if date > 0 {
        let clock =
            [b"Tdd:dd:dd", b"tdd:dd:dd", b":dd:dd:dd"].map(|it| pattern(it, skip(rest, date)));
        let clock = clock.into_iter().max().unwrap_or(0);
        let short = pattern(b"Tdd:dd", skip(rest, date));
        let len = if clock > 0 { fraction(date + clock) } else { date + short };
        let zones: [&[u8]; 6] = [b"Z", b"+dd:dd", b"-dd:dd", b"+dddd", b" +dddd", b" -dddd"];
        let zone = zones.iter().map(|it| pattern(it, skip(rest, len))).max().unwrap_or(0);
        let zone = if len > date { zone } else { 0 };
        return if ends(rest, len + zone) { len + zone } else { 0 };
    }
    let clock = CLOCK.iter().map(|it| pattern(it, rest)).max().unwrap_or(0);
    if clock > 0 {
        let len = fraction(clock);
        return if ends(rest, len) { len } else { 0 };
    }
    // As `ls -l` writes it: `Nov 28 13:42`.
    let month = before.trim_ascii_end().last_chunk::<3>();
    if month.is_some_and(|it| MONTHS.chunks(3).any(|known| known == it)) {
        return one_of(&[b"d* dd:dd", b"d*  dddd"], rest);
    }
    let since = one_of(&SINCE_1970, rest);
    // Nine more digits began in 2001; numbers that only look like a time are rare above 1.4 thousand million.
    let is_late = rest.get(1).is_some_and(|byte| matches!(byte, b'4'..=b'9'));
    let len = if is_late { since } else { 0 };
    if len > 0 { fraction(len) } else { 0 }
}

fn uuid(_before: &[u8], rest: &[u8]) -> usize {
    one_of(&[b"xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx"], rest)
}

/// The length of a number with its fraction.
fn decimal(rest: &[u8]) -> usize {
    let whole = pattern(b"d*", rest);
    if whole > 0 { whole + pattern(b".d*", skip(rest, whole)) } else { 0 }
}

/// A number with a unit of time, or several: `1m 30s`.
fn duration(_before: &[u8], rest: &[u8]) -> usize {
    const UNITS: [&str; 17] = [
        "milliseconds",
        "seconds",
        "minutes",
        "second",
        "minute",
        "hours",
        "hour",
        "mins",
        "secs",
        "min",
        "sec",
        "µs",
        "ms",
        "us",
        "ns",
        "s",
        "hrs",
    ];
    // One letter counts only directly after the number.
    const LETTERS: [&str; 2] = ["m", "h"];
    let one = |rest: &[u8]| {
        let number = decimal(rest);
        let gap = usize::from(rest.get(number) == Some(&b' '));
        let of = |units: &[&str], from: usize| {
            let unit = units.iter().find(|it| skip(rest, from).starts_with(it.as_bytes()));
            unit.map_or(0, |it| from + it.len())
        };
        let letter = of(&LETTERS, number);
        let is_letter =
            letter > 0 && (ends(rest, letter) || rest.get(letter).is_some_and(u8::is_ascii_digit));
        match number {
            0 => 0,
            _ => match of(&UNITS, number + gap) {
                len if len > 0 && ends(rest, len) => len,
                _ if is_letter => letter,
                _ => 0,
            },
        }
    };
    let mut len = one(rest);
    while len > 0 {
        let gap = usize::from(rest.get(len) == Some(&b' '));
        match one(skip(rest, len + gap)) {
            0 => break,
            more => len += gap + more,
        }
    }
    if ends(rest, len) { len } else { 0 }
}

fn percentage(_before: &[u8], rest: &[u8]) -> usize {
    let number = decimal(rest);
    let gap = usize::from(rest.get(number) == Some(&b' '));
    if number > 0 && rest.get(number + gap) == Some(&b'%') { number + gap + 1 } else { 0 }
}

/// The number of an attempt: `2` and `2/5` after `attempt`.
fn attempt(before: &[u8], rest: &[u8]) -> usize {
    const WORDS: [&str; 6] = ["attempt ", "attempt #", "retry ", "retry #", "try ", "try #"];
    match follows(&WORDS, before) {
        true => one_of(&[b"d*/d*", b"d* of d*", b"d*"], rest),
        false => 0,
    }
}

/// What is before the id of a process, or of what Codex calls a chunk or a session.
const PROCESSES: [&str; 8] =
    ["pid ", "pid=", "pid: ", "pid:", "process id ", "session id ", "chunk id: ", "(node:"];

/// What is before a port.
const PORTS: [&str; 8] =
    ["localhost:", "127.0.0.1:", "0.0.0.0:", "::1]:", ":::", "port ", "port: ", "port="];

/// Whether a text ends with one of some words, in lower case, that begin a word.
fn follows(words: &[&str], before: &[u8]) -> bool {
    words.iter().any(|word| {
        let start = before.len().checked_sub(word.len());
        start.is_some_and(|start| {
            let (other, tail) = before.split_at_checked(start).unwrap_or_default();
            // The parent's id of a process is `ppid`.
            tail.eq_ignore_ascii_case(word.as_bytes())
                && other.last().is_none_or(|it| !is_word(it) || *it == b'p')
        })
    })
}

/// The word after one of some words.
fn after(words: &[&str], before: &[u8], rest: &[u8]) -> usize {
    if follows(words, before) { count(rest, is_word) } else { 0 }
}

/// A hash or an address, or an id of a provider: `4f2a9c1`, `0x7ffe1c`, `toolu_01AbC2dEf3GhI4jK`.
fn id(_before: &[u8], rest: &[u8]) -> usize {
    const HASH_BYTES: usize = 7;
    const ID_BYTES: usize = 12;
    const CHANGES: usize = 4;
    let len = count(rest, is_word);
    let word = rest.get(..len).unwrap_or_default();
    let has_letter = |it: &[u8]| it.iter().any(u8::is_ascii_alphabetic);
    let is_hex = |it: &[u8]| it.iter().all(u8::is_ascii_hexdigit);
    let is_address = word.strip_prefix(b"0x").is_some_and(|it| it.len() >= 4 && is_hex(it));
    let is_hash = len >= HASH_BYTES && has_letter(word) && is_hex(word);
    let last = word.rsplit(|byte| *byte == b'_').next().unwrap_or_default();
    // Between letters and digits, as in nothing that somebody named.
    let changes =
        last.windows(2).filter(|it| it.iter().filter(|byte| byte.is_ascii_digit()).count() == 1);
    let is_id = last.len() >= ID_BYTES && changes.count() >= CHANGES;
    if is_address || is_hash || is_id { len } else { 0 }
}

/// A path of a temporary file, up to its last part with a digit or `tmp` at its beginning: other parts are names that
/// somebody chose.
fn temporary_path(before: &[u8], rest: &[u8]) -> usize {
    const ROOTS: [&str; 6] = [
        "/private/var/folders/",
        "/private/tmp/",
        "/var/folders/",
        "/var/tmp/",
        "/tmp/",
        "\\AppData\\Local\\Temp\\",
    ];
    let root = ROOTS.iter().find(|root| rest.starts_with(root.as_bytes()));
    let is_inside =
        before.last().is_some_and(|byte| is_word(byte) || matches!(byte, b'.' | b'/' | b'-'));
    let Some(root) = root.filter(|root| !is_inside || root.starts_with('\\')) else { return 0 };
    let (mut len, mut at) = (0, root.len());
    let separator = root.bytes().next().unwrap_or(b'/');
    loop {
        let is_name =
            |byte: &u8| is_word(byte) || matches!(byte, b'-' | b'.' | b'+' | b'@' | b'~' | 0x80..);
        let name = rest.get(at..at + count(skip(rest, at), is_name)).unwrap_or_default();
        if name.starts_with(b"tmp") || name.iter().any(u8::is_ascii_digit) {
            len = at + name.len();
        }
        at += name.len();
        if rest.get(at) != Some(&separator) {
            return len;
        }
        at += 1;
    }
}

/// A line, or a line and a column: after `file.rs:`, after `line`, or in parentheses.
fn position(before: &[u8], rest: &[u8]) -> usize {
    let number = one_of(&[b"d*"], rest);
    let is_after = match before {
        [.., name, b':'] => is_word(name),
        [.., b'('] => return one_of(&[b"d*,d*", b"d*:d*"], rest),
        _ => follows(&["line ", "lines "], before),
    };
    if is_after { number } else { 0 }
}

/// A number that is no code.
fn number(before: &[u8], rest: &[u8]) -> usize {
    const CODES: [&str; 7] =
        ["code ", "code: ", "status ", "status: ", "http ", "errno ", "error "];
    let number = decimal(rest);
    if ends(rest, number) && !follows(&CODES, before) { number } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_each_time_is_masked() {
        for (text, expected) in [
            ("at 2026-05-04T10:00:02.123Z done", "at <time> done"),
            ("2026-05-04 10:00:02,345 INFO", "<time> INFO"),
            ("2026-05-04 10:00:02 +0200 x", "<time> x"),
            ("[04/May/2026:10:00:02 +0000] \"GET /\"", "[<time>] \"GET /\""),
            ("10:00:02 up 3 days", "<time> up 3 days"),
            ("-rw-r--r-- 1 a a 12 Nov  8 13:42 b.rs", "-rw-r--r-- 1 a a 12 Nov  <time> b.rs"),
            ("id 1764337369 and 1764337369123.5", "id <time> and <time>"),
            (
                "took 12ms, 3.4 s, 1m 30s, 0m0.12s, 5 minutes",
                "took <duration>, <duration>, <duration>, <duration>, <duration>",
            ),
            ("12µs or 7 µs.", "<duration> or <duration>."),
            ("45.5% of 12 %", "<percentage> of <percentage>"),
            (
                "Attempt 2/5, retry #3, try 1 of 4",
                "Attempt <attempt>, retry #<attempt>, try <attempt>",
            ),
            ("pid 4321, PID: 77, ppid=9", "pid <process>, PID: <process>, ppid=<process>"),
            ("(node:4711) Warning", "(node:<process>) Warning"),
            ("/bin/bash: line 334: cd: a: no", "/bin/bash: line <line>: cd: a: no"),
            ("Chunk ID: 5a0c8d", "Chunk ID: <process>"),
            ("Wall time: 0.0512 seconds", "Wall time: <duration>"),
            ("Process running with session ID 71234", "Process running with session ID <process>"),
            ("http://localhost:5173/a, port 8080", "http://localhost:<port>/a, port <port>"),
            ("commit 4f2a9c1, at 0x7ffe1c20", "commit <id>, at <id>"),
            ("3f2504e0-4f89-11d3-9a0c-0305e82c3301", "<id>"),
            ("toolu_01AbC2dEf3GhI4jK", "<id>"),
            ("in /tmp/pytest-of-a/pytest-12/test_x0/name.txt", "in <path>/name.txt"),
            ("/var/folders/q1/8xyz/T/tmp.AbCd: no", "<path>: no"),
            ("C:\\Users\\a\\AppData\\Local\\Temp\\tmpx1\\b.txt", "C:\\Users\\a<path>\\b.txt"),
        ] {
            assert_eq!(masked(text), expected, "{text}");
            assert_eq!(masked_hash(text) == masked_hash(""), text.is_empty());
        }
    }

    #[test]
    fn what_may_be_news_stays() {
        for text in [
            "",
            "3 passed, 1 failed",
            "src/a.rs:12:5: error[E0308]",
            "expected 4249 to be 4250",
            "/tmp/out.txt and /srv/tmp/a1",
            "sha256 of utf8 in py311 and x86_64",
            "test_parses_iso8601_2 and deadbeef",
            "v1.2.3, 10.0.0.1, 12:34",
            "5 sets of 3 maps, 7 mice",
            "ü1 é2 – 3µ",
            "1234567890",
        ] {
            assert!(matches!(masked(text), Cow::Borrowed(_)), "{text}: {}", masked(text));
        }
    }

    #[test]
    fn texts_that_are_the_same_once_masked_have_one_hash() {
        let hash = masked_hash;
        assert_eq!(hash("ran 3 in 0.2s\nok"), hash("ran 3 in 1.25s\nok"));
        assert_ne!(hash("ran 3 in 0.2s\nok"), hash("ran 4 in 0.2s\nok"));
        assert_eq!(hash("12:00:01"), hash("12:00:02"));
        assert_ne!(hash("12:00:01"), hash("4f2a9c1"));
    }

    #[test]
    fn reasons_are_the_same_at_other_places_unless_they_compare() {
        for (one, other) in [
            ("bash: line 12: rg: command not found", "bash: line 3: rg: command not found"),
            ("src/a.ts(12,5): error TS2304: no x", "src/a.ts(3,40): error TS2304: no x"),
            ("a.py:12: SyntaxError", "a.py:7: SyntaxError"),
            ("File has 23 lines, asked for 40", "File has 24 lines, asked for 41"),
            (
                "a.rs:3:9: assertion failed: left == right",
                "a.rs:5:1: assertion failed: left == right",
            ),
        ] {
            assert_eq!(masked_reason(one), masked_reason(other));
        }
        for (one, other) in [
            ("error TS2304: no x", "error TS2345: no x"),
            ("HTTP 404", "HTTP 500"),
            ("expected 4249 to be 4250", "expected 120 to be 100"),
            ("assert 2 == 3", "assert 2 == 4"),
            ("rg: command not found", "fd: command not found"),
            ("/a/b: No such file", "/a/c: No such file"),
        ] {
            assert_ne!(masked_reason(one), masked_reason(other));
        }
    }
}
