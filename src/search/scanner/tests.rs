//! The scanner against a slow oracle that reads every value with `serde_json`.

use proptest::prelude::*;
use serde_json::Value;

use super::*;

fn scan(query: &Query, bytes: &[u8], piece: usize) -> Vec<(u64, String)> {
    let mut scanner = Scanner::new(query).unwrap();
    let mut found = Vec::new();
    let mut keep =
        |hit: Hit<'_>| found.push((hit.leaf, hit.text.get(hit.range).unwrap().to_owned()));
    for piece in bytes.chunks(piece.max(1)) {
        scanner.push(piece, &mut keep);
    }
    scanner.finish(&mut keep);
    found
}

fn count(query: &str, text: &str) -> usize {
    scan(&Query::literal(query), text.as_bytes(), 7).len()
}

/// Every string, key, number and word of a value as text.
fn leaves(value: &Value, into: &mut Vec<(String, bool)>) {
    match value {
        Value::String(text) => into.push((text.clone(), true)),
        Value::Array(items) => items.iter().for_each(|item| leaves(item, into)),
        Value::Object(members) => {
            for (key, value) in members {
                into.push((key.clone(), true));
                leaves(value, into);
            }
        }
        other => into.push((other.to_string(), false)),
    }
}

/// Matches one after another, character by character.
fn naive(text: &str, query: &Query) -> usize {
    let fold = |text: &str| -> Vec<char> {
        let chars = text.chars();
        if query.is_case_sensitive() {
            chars.collect()
        } else {
            chars.map(super::super::fold::fold).collect()
        }
    };
    let (text, needle) = (fold(text), fold(&query.text));
    let is_word = |at: Option<&char>| at.is_some_and(|it| it.is_alphanumeric() || *it == '_');
    let (mut at, mut n) = (0, 0);
    while at + needle.len() <= text.len() {
        let end = at + needle.len();
        let goes_on = at > 0 && is_word(text.get(at - 1)) && is_word(text.get(at))
            || is_word(text.get(end - 1)) && is_word(text.get(end));
        if text[at..end] == needle[..] && !(query.word && goes_on) {
            (at, n) = (end, n + 1);
        } else {
            at += 1;
        }
    }
    n
}

fn oracle(values: &[Value], query: &Query) -> usize {
    let mut all = Vec::new();
    values.iter().for_each(|value| leaves(value, &mut all));
    let one = |(text, is_string): &(String, bool)| {
        let n = naive(text, query);
        let is_json = *is_string && text.trim_start().starts_with(['{', '[', '"']);
        if n == 0 && is_json && text.contains('\\') {
            return naive(&decode_inner(text.as_bytes()), query);
        }
        n
    };
    all.iter().map(one).sum()
}

/// Writes a value, choosing one of the possible spellings of each character.
fn write(value: &Value, ways: &mut dyn Iterator<Item = u8>, out: &mut String) {
    match value {
        Value::String(text) => write_string(text, ways, out),
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                write(item, ways, out);
            }
            out.push(']');
        }
        Value::Object(members) => {
            out.push('{');
            for (at, (key, value)) in members.iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                write_string(key, ways, out);
                out.push(':');
                write(value, ways, out);
            }
            out.push('}');
        }
        other => out.push_str(&other.to_string()),
    }
}

fn write_string(text: &str, ways: &mut dyn Iterator<Item = u8>, out: &mut String) {
    out.push('"');
    for char in text.chars() {
        let way = ways.next().unwrap_or(0);
        let short = match char {
            '"' => "\\\"",
            '\\' => "\\\\",
            '\n' => "\\n",
            '\t' => "\\t",
            '/' if way % 2 == 1 => "\\/",
            _ => "",
        };
        if way.is_multiple_of(5) || short.is_empty() && char.is_control() {
            let mut units = [0; 2];
            for unit in char.encode_utf16(&mut units) {
                let hex = format!("\\u{unit:04x}");
                out.push_str(&if way.is_multiple_of(2) { hex.replace('d', "D") } else { hex });
            }
        } else if short.is_empty() {
            out.push(char);
        } else {
            out.push_str(short);
        }
    }
    out.push('"');
}

/// Texts of few different letters, so that queries are found in them.
fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(CHARS.to_vec()), 0..12)
        .prop_map(|chars| chars.into_iter().collect())
}

const CHARS: &[char] = &[
    'a', 'b', 'A', 'u', 'n', '0', '6', '1', ' ', '"', '\\', '/', '\n', '\t', '\u{1f}', 'é', 'É',
    'ß', '東', '😀', '{', '_', '.',
];

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        text().prop_map(Value::from),
        // A string that contains JSON.
        (text(), text())
            .prop_map(|(key, text)| Value::from(serde_json::json!({ key: text }).to_string())),
        any::<i16>().prop_map(Value::from),
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((text(), inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn query() -> impl Strategy<Value = Query> {
    let chars = prop::collection::vec(prop::sample::select(CHARS.to_vec()), 1..4);
    let case = prop_oneof![Just(None), any::<bool>().prop_map(Some)];
    (chars, case, any::<bool>()).prop_map(|(chars, case, word)| Query {
        text: chars.into_iter().collect(),
        case,
        word,
        regex: false,
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn finds_what_the_oracle_finds(
        values in prop::collection::vec(value(), 1..4),
        query in query(),
        ways in prop::collection::vec(any::<u8>(), 32),
        piece in 1..40_usize,
        line_end in prop::sample::select(vec!["\n", "\r\n"]),
    ) {
        let mut ways = ways.iter().copied().cycle();
        let mut bytes = String::new();
        for value in &values {
            write(value, &mut ways, &mut bytes);
            bytes.push_str(line_end);
        }
        let read: Vec<Value> = bytes.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let expected = oracle(&read, &query);
        let whole = scan(&query, bytes.as_bytes(), usize::MAX);
        prop_assert_eq!(whole.len(), expected, "{:?} in {}", query, bytes);
        prop_assert_eq!(scan(&query, bytes.as_bytes(), piece), whole);
        // The same as an expression, with and without anchors.
        let mut escaped = String::new();
        for char in query.text.chars() {
            escaped.push_str(&if char.is_ascii_punctuation() { format!("\\{char}") } else { char.to_string() });
        }
        if !query.word {
            let case = Some(query.is_case_sensitive());
            for text in [escaped.clone(), format!("(?:{escaped})"), format!("{escaped}|{escaped}")] {
                let regex = Query { text, regex: true, case, ..Query::default() };
                prop_assert_eq!(scan(&regex, bytes.as_bytes(), piece).len(), expected, "{:?} in {}", regex, bytes);
            }
        }
    }

    #[test]
    fn any_bytes_end_and_pieces_change_nothing(
        bytes in prop::collection::vec(prop::sample::select(b"\"\"\\\\uD8dcx0a\n\r{}[]:, \xc3\xa9\xff\x00".to_vec()), 0..200),
        query in query(),
        piece in 1..30_usize,
    ) {
        let whole = scan(&query, &bytes, usize::MAX);
        prop_assert_eq!(scan(&query, &bytes, piece), whole);
    }
}

#[test]
fn escapes_are_seen_through() {
    let line = r#"{"a":"x\n\u00e9 \ud83d\ude00 \"q\" \/p\\"}"#;
    for query in ["x\né", "é 😀", "\"q\" /p\\", "😀", "\n", "\\"] {
        assert_eq!(count(query, line), 1, "{query}");
    }
    for query in ["xn", "u00e9", r"\n", "ud83d"] {
        assert_eq!(count(query, line), 0, "{query}: how it is written is not what it says");
    }
}

#[test]
fn strings_within_strings() {
    let line = r#"{"arguments":"{\"q\": \"x y\", \"code\": \"a\\nb \\\"z\\\"\"}"}"#;
    assert_eq!(count("\"q\": \"x y\"", line), 1);
    assert_eq!(count("a\nb \"z\"", line), 1, "one level deeper");
    assert_eq!(count(r"a\nb", line), 1, "as the outer string has it");
    assert_eq!(count("x\ny", r#"{"a":"x\\ny"}"#), 0, "which is a path and no JSON");
}

#[test]
fn keys_numbers_and_words_are_searched_and_marks_are_not() {
    let line = r#"{"tokens":[12,112,-1.2e3],"ok":true,"none":null}"#;
    assert_eq!(count("12", line), 2);
    assert_eq!(count("1.2e3", line), 1);
    assert_eq!(count("true", line), 1);
    assert_eq!(count("TOKENS", &line.to_ascii_uppercase()), 1);
    for mark in [",", ":", "[", "}", "12,112", "\"ok\":true"] {
        assert_eq!(count(mark, line), 0, "{mark}");
    }
}

#[test]
fn what_is_no_json_is_searched_as_it_stands() {
    assert_eq!(count("[main] task: 3", "INFO [main] task: 3\n{\"a\":1}\n"), 1);
    assert_eq!(
        count("said", "INFO said \"half\n{\"a\":\"said\"}\n"),
        2,
        "an odd quote ends with its line"
    );
    assert_eq!(count("a", "{\"a\":\"cut a"), 2, "an unfinished last string");
    assert_eq!(count("é", "caf\u{e9}"), 1);
}

#[test]
fn a_long_string_is_searched_in_windows() {
    let Windows { len, margin } = OF_TEXT;
    // A word at every odd place, so that some of them cross the borders of windows, and escapes.
    let mut inside = String::new();
    let mut n = 0;
    while inside.len() < 3 * len {
        inside.push_str(&"é\\n\\u00e9\\ud83d\\ude00".repeat(n % 7));
        inside.push_str("need\\u006ce");
        n += 1;
    }
    let text = format!("{{\"a\":\"{inside}\",\"b\":\"needle\"}}\n");
    for (query, piece) in [("needle", 1 << 20), ("needle", 10_007), ("NEEDLE", 70_001)] {
        let query = Query { case: Some(false), ..Query::literal(query) };
        let found = scan(&query, text.as_bytes(), piece);
        assert_eq!(found.len(), n + 1);
        assert!(found[..n].iter().all(|(leaf, _)| *leaf == 6), "one leaf");
    }
    let regex = Query { regex: true, ..Query::literal(r"ne+dl[e]") };
    assert_eq!(scan(&regex, text.as_bytes(), 10_007).len(), n + 1);
    let long = "x".repeat(super::super::MAX_QUERY_CHARS);
    for before in [len - margin - 7, len - 5_000, len - 1, len + 3] {
        let text = format!("\"{}{}{}\"", "y".repeat(before), long, "y".repeat(len));
        assert_eq!(scan(&Query::literal(&long), text.as_bytes(), 100_003).len(), 1, "{before}");
    }
    // Text that is not JSON may be as long.
    let noise = format!("{}needle{}", "é ".repeat(len / 2), "z ".repeat(len));
    assert_eq!(scan(&Query::literal("needle"), noise.as_bytes(), 100_003).len(), 1);
}

#[test]
fn an_expression_that_may_be_slow_ends() {
    let text = format!("\"{}\"", "a".repeat(100_000));
    for slow in ["(a*)*b", "(a|aa)+$", "(x+x+)+y"] {
        let regex = Query { regex: true, ..Query::literal(slow) };
        scan(&regex, text.as_bytes(), 1 << 16);
    }
}
