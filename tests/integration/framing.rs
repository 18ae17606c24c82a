//! How records are framed: arrays, documents, event streams, truncated ends, and arbitrary chunk
//! boundaries.

use proptest::prelude::*;
use traceloupe_input::{Framed, Framer, FramerOptions, Framing};

#[derive(PartialEq, Debug, Default)]
struct Outcome {
    records: Vec<String>,
    places: Vec<(u64, u32)>,
    parts: Vec<String>,
    part_places: Vec<(u64, u32)>,
    notices: Vec<(String, u64, u32)>,
    framing: Option<Framing>,
}

impl Outcome {
    fn codes(&self) -> Vec<&str> {
        self.notices.iter().map(|(code, ..)| code.as_str()).collect()
    }
}

fn frame<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> Outcome {
    let mut framer = Framer::with_options(FramerOptions { inspect: true, validate: true });
    let mut outcome = Outcome::default();
    let mut sink = |framed: Framed<'_>| match framed {
        Framed::Record { json, start, line, .. } => {
            outcome.records.push(json.raw().to_owned());
            outcome.places.push((start, line));
        }
        Framed::Envelope { json, start, line } => {
            outcome.parts.push(json.raw().to_owned());
            outcome.part_places.push((start, line));
        }
        Framed::Notice { code, start, line, .. } => {
            outcome.notices.push((code.word().to_owned(), start, line));
        }
    };
    chunks.into_iter().for_each(|chunk| framer.push(chunk, &mut sink));
    framer.finish(&mut sink);
    outcome.framing = framer.framing();
    outcome
}

fn read(text: &str) -> Outcome {
    let whole = frame([text.as_bytes()]);
    assert_eq!(frame(text.as_bytes().chunks(1)), whole);
    whole
}

#[test]
fn arrays_give_their_items() {
    let read = read("[\n  {\"a\": 1},\n  {\"b\": [2]}, [3]\n]\n");
    assert_eq!(read.framing, Some(Framing::Array));
    assert_eq!(read.records, [r#"{"a": 1}"#, r#"{"b": [2]}"#, "[3]"]);
    assert_eq!(read.places, [(4, 2), (16, 3), (28, 3)]);
    assert_eq!(read.codes(), [""; 0]);
}

#[test]
fn a_cut_array_keeps_its_whole_items() {
    let cut = read("[\n{\"a\":1},\n{\"b\":2},\n{\"c\":\"x");
    assert_eq!(cut.records, [r#"{"a":1}"#, r#"{"b":2}"#]);
    assert_eq!(cut.codes(), ["truncated-document"]);
    assert_eq!(read("[\n{\"a\":1},\n").codes(), ["truncated-document"]);
}

#[test]
fn lines_may_be_arrays() {
    let lines = read("[{\"role\":\"user\"},{}]\n[{\"role\":\"user\"}]\n");
    assert_eq!(lines.framing, Some(Framing::Lines));
    assert_eq!(lines.records.len(), 2);
    assert_eq!(read("[[1],[2]]").records, ["[1]", "[2]"]);
}

#[test]
fn log_lines_with_brackets_are_no_arrays() {
    let noisy = read("[INFO] start\n[12:00:01] go\n[2026-01-01] {x}\n{\"a\":1}\n{\"b\":2}\n");
    assert_eq!(noisy.records, [r#"{"a":1}"#, r#"{"b":2}"#]);
    assert_eq!(noisy.codes(), ["bad-line"; 3]);
    let document = read("starting\n{\n  \"a\": 1\n}\n");
    assert_eq!((document.records.len(), document.codes()), (1, vec!["bad-line"]));
    assert_eq!(document.places, [(9, 2)]);
}

#[test]
fn documents_are_one_record() {
    let pretty = read("{\n  \"runs\": [\n    {\"a\": 1}\n  ]\n}\n");
    assert_eq!((pretty.framing, pretty.records.len()), (Some(Framing::Document), 1));
    assert_eq!(pretty.codes(), [""; 0]);
}

#[test]
fn cut_documents_are_closed() {
    let minified = read(r#"{"spec_version":"1","events":[{"a":1},{"b":2},{"a":"#);
    assert_eq!(minified.records, [r#"{"spec_version":"1","events":[{"a":1},{"b":2}]}"#]);
    assert_eq!(minified.codes(), ["truncated-document"]);
    let pretty = read("{\n \"events\": [\n  {\"a\":1},\n  {\"a\"");
    assert_eq!(pretty.records, ["{\n \"events\": [\n  {\"a\":1}]}"]);
    assert_eq!(pretty.codes(), ["truncated-document"]);
    assert_eq!(read("{\n \"a\": 1,\n").records, [""; 0]);
    assert_eq!(read("{\"a\":1}\n{\"b\":").codes(), ["truncated-last-line"]);
}

#[test]
fn broken_documents_keep_what_stands_before_the_break() {
    let minified = read(r#"{"v":1,"events":[{"a":1},{"b":2},{"a":oops},{"c":3}]}"#);
    assert_eq!(minified.records, [r#"{"v":1,"events":[{"a":1},{"b":2}]}"#]);
    assert_eq!(minified.notices, [("broken-document".to_owned(), 38, 1)]);
    let pretty = read("{\n \"events\": [\n  {\"a\":1},\n  {\"b\" 2},\n  {\"c\":3}\n ]\n}\n");
    assert_eq!(pretty.records, ["{\n \"events\": [\n  {\"a\":1}]}"]);
    assert_eq!((pretty.codes(), pretty.notices[0].2), (vec!["broken-document"], 4));
    let quote = read("{\n \"events\": [\n  {\"a\":1},\n  {\"b:2},\n  {\"c\":3}\n ]\n}\n");
    assert_eq!((quote.records.len(), quote.codes()), (1, vec!["truncated-document"]));
    // Half of a list within several lines gives no events.
    let lines = read("{\"a\":[{\"b\":1},oops]}\n{\"a\":2}\n{\"a\":[{\"b\":1},oops]}");
    assert_eq!((lines.records.len(), lines.codes()), (1, vec!["bad-line"; 2]));
}

#[test]
fn a_value_cut_in_the_middle_costs_itself_alone() {
    let text = "{\n \"a\": 1\n}\n{\n \"b\": \"cut\n{\n \"c\": 3\n}\n{\n \"d\": 4\n}\n";
    let read = read(text);
    assert_eq!(read.records, ["{\n \"a\": 1\n}", "{\n \"c\": 3\n}", "{\n \"d\": 4\n}"]);
    let third = text.find("{\n \"c\"").unwrap() as u64;
    assert_eq!(read.places, [(0, 1), (third, 6), (third + 12, 9)]);
    assert_eq!(read.codes(), ["bad-line", "multi-line-values"]);
}

#[test]
fn a_first_line_that_was_cut_costs_itself_alone() {
    // Each cut leaves text that could continue with an object on the next line.
    for cut in ["{\"type\":", "{\"type\": 1, ", "{\"list\": [", "{\"a\":1,\n{\"b\":[{\"c\":"] {
        for n_lines in [1, 3] {
            let lines = "{\"whole\":{\"n\":1}}\n".repeat(n_lines);
            let found = read(&format!("{cut}\n{lines}"));
            assert_eq!(found.records.len(), n_lines, "{cut} {n_lines}");
        }
    }
    // A document that does continue.
    let document = "{\"list\": [\n{\"n\":1},\n{\"n\":2}\n],\n\"more\":\n{\"n\":3}\n}\n";
    assert_eq!(read(document).records.len(), 1);
}

#[test]
fn a_first_list_that_is_damaged_costs_itself_alone() {
    // A lost quote inverts the strings, so that the brackets of later lines seem to be inside one.
    for damaged in ["[{\"a: 1}]", "[{\"a\": 1}", "[{\"a\": [1}]", "[{\"a\": \"x\n\"}]"] {
        for n_lines in [1, 3] {
            let lines = "[{\"whole\":\"n\"},{\"n\":2}]\n".repeat(n_lines);
            let found = read(&format!("{damaged}\n{lines}"));
            assert_eq!(found.records.len(), n_lines, "{damaged} {n_lines}");
            assert!(found.codes().contains(&"bad-line"), "{damaged}: {:?}", found.codes());
        }
    }
    // A document that does continue.
    assert_eq!(read("[\n[{\"n\":1}],\n[{\"n\":2}]\n]\n").records.len(), 2);
}

#[test]
fn events_give_their_data() {
    let text =
        ": hi\nevent: a\ndata: {\"a\":1}\n\nid: 2\ndata: {\"b\":\r\ndata:  2}\n\ndata: [DONE]\n\n";
    let read = read(text);
    assert_eq!(read.framing, Some(Framing::Sse));
    assert_eq!(read.codes(), [""; 0]);
    assert_eq!(read.records[0], r#"{"a":1}"#);
    let start = usize::try_from(read.places[1].0).unwrap();
    assert_eq!(read.records[1].len(), text.find("2}").unwrap() + 2 - start);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&read.records[1]).unwrap()["b"], 2);
}

#[test]
fn text_is_no_trace() {
    let prose = "The quick brown fox\njumps { over }\nthe lazy dog\n".repeat(20_000);
    assert_eq!(frame(prose.as_bytes().chunks(4096)).codes(), ["not-a-trace"]);
    assert_eq!(read("body {\n  color: red;\n}\n").codes(), ["not-a-trace"]);
    assert_eq!(read(":\u{1}\u{2}\nid: 7\nname: x\n").codes(), ["not-a-trace"]);
    assert_eq!(read("[]").codes(), ["empty-file"]);
    assert_eq!(read("{\"id\": oops}").codes(), ["bad-line"]);
}

#[test]
fn a_hole_before_the_first_line_is_no_end() {
    let hole = format!("{}{}", "\0".repeat(1000), "{\"a\":1}\n{\"b\":2}\n");
    let read = read(&hole);
    assert_eq!((read.records.len(), read.codes()), (2, vec!["nul-padding"]));
    assert_eq!(read.places[0], (1000, 1));
}

#[test]
fn long_sources_keep_their_places() {
    let record = format!("{{\"text\":\"é {{\\\"[ {} \\\\\"}}", "x".repeat(300));
    for (open, between, close) in [("", "\n", "\n"), ("[", ",\n", "]"), ("", "", "")] {
        let mut text = String::from(open);
        let starts: Vec<usize> = (0..1500)
            .map(|nth| {
                if nth > 0 {
                    text.push_str(between);
                }
                text.push_str(&record);
                text.len() - record.len()
            })
            .collect();
        text.push_str(close);
        let whole = frame([text.as_bytes()]);
        for chunk_len in [1, 2, 3, 5, 997] {
            // Not `assert_eq`, which would print everything.
            assert!(frame(text.as_bytes().chunks(chunk_len)) == whole, "chunks of {chunk_len}");
        }
        let places: Vec<usize> =
            whole.places.iter().map(|(start, _)| usize::try_from(*start).unwrap()).collect();
        assert_eq!(places, starts);
        assert!(whole.records.iter().all(|it| *it == record));
    }
}

/// Fragments of traces, so that random input often has structure.
fn soup() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "{",
            "}",
            "[",
            "]",
            "\"",
            "\\",
            ",",
            ":",
            "\n",
            "\r",
            "\r\n",
            " ",
            "\0",
            "\u{1e}",
            "NaN",
            "-Infinity",
            "null",
            "1",
            "data: ",
            "event: x",
            "[DONE]",
            "{\"a\":1}",
            "{\"a\":1}\n",
            "{\n\"a\":[{\"b\":2},",
            "\n{",
            "\\ud83d",
            "\u{feff}",
            "[INFO] x\n",
            "\"k\":",
            "{\"a\":1,\"a\":2}",
            "{}",
            "é",
        ])
        .prop_map(|piece| piece.as_bytes().to_vec()),
        prop::collection::vec(any::<u8>(), 0..4),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

thread_local! {
    /// Beginnings that decide the framing, long enough that the rest is read as it arrives.
    static BEGINNINGS: [String; 5] = {
        let long = "x".repeat(256 * 1024);
        [
            String::new(),
            format!("{{\"a\":1}}\n{{\"long\":\"{long}\"}}\n"),
            format!("[{{\"long\":\"{long}\"}},"),
            format!("{{\n\"long\":\"{long}\"\n}}\n"),
            format!("data: {{\"long\":\"{long}\"}}\n\n"),
        ]
    };
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) })]

    #[test]
    fn chunks_do_not_matter(
        bytes in soup(),
        beginning in 0_usize..5,
        cuts in prop::collection::vec(1_usize..9, 1..20),
    ) {
        let beginning = &BEGINNINGS.with(|all| all[beginning].clone());
        let whole = frame([[beginning.as_bytes(), &bytes].concat().as_slice()]);
        let mut chunks = vec![beginning.as_bytes()];
        let mut rest = bytes.as_slice();
        for cut in cuts.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (chunk, after) = rest.split_at((*cut).min(rest.len()));
            chunks.push(chunk);
            rest = after;
        }
        prop_assert_eq!(frame(chunks), whole);
    }

    #[test]
    fn json_takes_anything(bytes in soup()) {
        use traceloupe_core::json;
        let text = String::from_utf8_lossy(&bytes);
        prop_assert_ne!(json::fingerprint(&text), 0);
        for token in json::Tokens::new(&bytes) {
            prop_assert!(token.start < token.end && token.end <= bytes.len());
        }
        if let Some(converted) = json::python_repr_to_json(&text) {
            prop_assert!(json::is_strict(&converted));
        }
        if let Some(completed) = json::complete(&bytes) {
            prop_assert!(json::is_strict(&completed));
        }
        if let json::Repaired::Good { text, .. } = json::repair(&bytes) {
            prop_assert_eq!(text.len(), bytes.len());
            prop_assert!(!json::has_lone_surrogate(text.as_bytes()));
        }
        let _ = (json::shape(&text), json::inspect(&text), json::decode_string(&text));
    }

    #[test]
    fn records_are_strict(bytes in soup()) {
        for record in frame([bytes.as_slice()]).records {
            prop_assert!(traceloupe_core::json::is_strict(&record));
        }
    }
}
