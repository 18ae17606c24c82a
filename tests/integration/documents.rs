//! Long documents, split at the list that contains their records, compared with the same documents
//! read whole.

use crate::harness;

use harness::claims::{check_event, check_outline, check_raw};
use harness::dump::{assert_same, full};
use harness::open_one;
use traceloupe_input::{Framed, Framer, Framing, SplitAt};

#[derive(PartialEq, Debug, Default)]
struct Outcome {
    records: Vec<(String, u64, u32)>,
    parts: Vec<(String, u64, u32)>,
    codes: Vec<String>,
    framing: Option<Framing>,
}

/// Frames chunks, splitting documents longer than `from_bytes` at `events`.
fn frame<'a>(chunks: impl IntoIterator<Item = &'a [u8]>, from_bytes: usize) -> Outcome {
    let mut framer = Framer::new();
    let ask = |beginning: &str| match beginning.contains("\"spec\"") {
        true => SplitAt::List("events".into()),
        false => SplitAt::NotYet,
    };
    framer.split(Box::new(ask), from_bytes);
    let mut outcome = Outcome::default();
    let mut sink = |framed: Framed<'_>| match framed {
        Framed::Record { json, start, line, .. } => {
            outcome.records.push((json.raw().to_owned(), start, line));
        }
        Framed::Envelope { json, start, line } => {
            outcome.parts.push((json.raw().to_owned(), start, line))
        }
        Framed::Notice { code, .. } => outcome.codes.push(code.word().to_owned()),
    };
    chunks.into_iter().for_each(|chunk| framer.push(chunk, &mut sink));
    framer.finish(&mut sink);
    outcome.framing = framer.framing();
    outcome
}

/// The outcome, which must not depend on chunk boundaries or on when the document is split.
#[track_caller]
fn read(text: &str) -> Outcome {
    let whole = frame([text.as_bytes()], 62);
    for chunk in [1, 7, 64] {
        assert_eq!(frame(text.as_bytes().chunks(chunk), 62), whole, "{chunk}");
    }
    assert_eq!(frame([text.as_bytes()], 64), whole);
    whole
}

#[track_caller]
fn check_places(text: &str, outcome: &Outcome) {
    for (record, start, line) in &outcome.records {
        let at = usize::try_from(*start).unwrap();
        assert_eq!(&text[at..at + record.len()], record);
        assert_eq!(text[..at].matches('\n').count() + 1, *line as usize);
    }
}

const PRETTY: &str = "{\n \"spec\": 1, \"run\": {\"events\": [7]},\n \"events\": [\n  {\"a\": 1},\n  {\"b\": [2, {\"c\": \"]}\"}]}, [3]\n ]\n , \"end\": {\"x\": [1]}\n}\n";

#[test]
fn a_long_document_gives_its_items_and_what_is_around_them() {
    let oneline = PRETTY.replace('\n', " ");
    for text in [PRETTY, &oneline, oneline.trim_end()] {
        let outcome = read(text);
        let records: Vec<_> = outcome.records.iter().map(|(text, ..)| text.as_str()).collect();
        assert_eq!(records, ["{\"a\": 1}", "{\"b\": [2, {\"c\": \"]}\"}]}", "[3]"]);
        check_places(text, &outcome);
        let [(head, 0, 1), (tail, start, _)] = outcome.parts.as_slice() else {
            panic!("{:?}", outcome.parts);
        };
        assert!(head.starts_with('{') && head.ends_with("\"events\": []}"), "{head}");
        assert_eq!(&text[1..head.len() - 2], &head[1..head.len() - 2]);
        assert_eq!(tail.trim_end(), tail);
        let start = usize::try_from(*start).unwrap();
        assert_eq!(tail[1..], text[start + 1..start + tail.len()]);
        assert!(tail.starts_with('{') && tail.contains("\"end\""), "{tail}");
        assert_eq!(outcome.codes, [""; 0]);
        assert_eq!(outcome.framing, Some(Framing::Document));
    }
}

#[test]
fn a_short_or_other_document_stays_whole() {
    assert_eq!(frame([PRETTY.as_bytes()], 4_000).records.len(), 1);
    let other = read(&PRETTY.replace("spec", "cpes"));
    assert_eq!((other.records.len(), other.parts.len()), (1, 0));
}

#[test]
fn a_cut_document_keeps_its_whole_items() {
    let all = read(PRETTY).records;
    for end in 66..PRETTY.len() - 2 {
        let cut = read(&PRETTY[..end]);
        assert_eq!(cut.codes, ["truncated-document"], "{end}");
        let n = cut.records.len();
        // An item that contains a list may be closed in the middle, as in a document that is read
        // whole.
        assert!(n <= all.len() && (n < 1 || cut.records[0] == all[0]), "{end}: {cut:?}");
    }
}

#[test]
fn a_broken_item_does_not_hide_the_others() {
    let text = PRETTY.replace("[2, {", "[2 oops {");
    let outcome = read(&text);
    let records: Vec<_> = outcome.records.iter().map(|(text, ..)| text.as_str()).collect();
    assert_eq!(records, ["{\"a\": 1}", "[3]"]);
    assert_eq!(outcome.codes, ["bad-line"]);
    assert_eq!(outcome.parts.len(), 2);
}

#[test]
fn several_documents_are_split_one_after_the_other() {
    let outcome = read(&format!("{PRETTY}{PRETTY}"));
    assert_eq!((outcome.records.len(), outcome.parts.len()), (6, 4));
    check_places(&format!("{PRETTY}{PRETTY}"), &outcome);
}

#[test]
fn a_minified_document_that_breaks_shows_what_is_before_the_break() {
    let start = r#"{"v":1,"events":[{"a":1},{"b":2},"#;
    for (rest, code) in [
        ("{\"c\":oops}]}\n", "broken-document"),
        ("{\"c\":oops}]}\n\n \n", "broken-document"),
        ("{\"c\":\"cut\n", "truncated-document"),
        ("{\"c\":oops}]}", "broken-document"),
    ] {
        let outcome = frame([format!("{start}{rest}").as_bytes()], 1 << 20);
        let records: Vec<_> = outcome.records.iter().map(|(text, ..)| text.as_str()).collect();
        assert_eq!(records, [r#"{"v":1,"events":[{"a":1},{"b":2}]}"#], "{rest}");
        assert_eq!(outcome.codes, [code], "{rest}");
    }
    // If other lines follow, it is one bad line among them.
    let outcome = frame([format!("{start}{{\"c\":oops}}]}}\n{{\"d\":1}}\n").as_bytes()], 1 << 20);
    assert_eq!((outcome.records.len(), outcome.codes), (1, vec!["bad-line".to_owned()]));
}

/// An export with so many events that it is split, or read whole because its run comes last.
fn export(is_split: bool, n_events: usize, end: &str) -> String {
    let run = r#""run": {"spec_version": "0.1", "run_id": "11111111-2222-3333-4444-555555555555", "run_name": "long", "started_at": "2026-01-01T00:00:00.000Z", "ended_at": null, "duration_ms": null, "status": "ok", "counts": {"llm_calls": 0, "tool_calls": 1, "errors": 0, "loop_warnings": 0}}"#;
    let events: Vec<String> = (0..n_events)
        .map(|at| {
            let at_text = format!(
                r#""event_id": "e{at}", "run_id": "11111111-2222-3333-4444-555555555555", "parent_id": null, "ts": "2026-01-01T00:00:{:02}.000Z", "duration_ms": null"#,
                at % 60
            );
            let note = "and so on ".repeat(30);
            format!(
                r#"{{"spec_version": "0.1", {at_text}, "event_type": "TOOL_CALL", "name": "look", "payload": {{"tool_name": "look", "args": {{"at": {at}}}, "result": "{note}{}", "status": "ok", "error": null}}, "meta": {{}}}}"#,
                at % 7
            )
        })
        .collect();
    let events = format!("\"events\": [\n{}\n]", events.join(",\n"));
    if is_split {
        format!("{{\"spec_version\": \"0.1\",\n{run},\n{events}{end}")
    } else {
        format!("{{\"spec_version\": \"0.1\",\n{events},\n{run}{end}")
    }
}

#[test]
fn a_split_export_is_read_like_a_whole_one() {
    let (text, whole) = (export(true, 2_000, "}\n"), export(false, 2_000, "}\n"));
    assert!(text.len() > 2 * traceloupe_input::SPLIT_FROM_BYTES);
    let mut split = open_one("export.json", text.as_bytes());
    let whole = open_one("export.json", whole.as_bytes());
    assert_eq!(split.outline().rows.kinds.len(), 2_000);
    assert_eq!(split.codes(), whole.codes());
    assert_same(&full(split.outline()), &full(whole.outline()));
    check_outline(&split);
    for id in [0, 1, 999, 1_999] {
        let detail = check_event(&mut split, id);
        check_raw(&mut split, &detail, text.as_bytes());
    }
    // Minified, it is a single line of a megabyte.
    let minified = open_one("export.json", text.replace('\n', "").as_bytes());
    assert_same(&full(minified.outline()), &full(split.outline()));
}

#[test]
fn a_cut_split_export_says_so() {
    let text = export(true, 2_000, "}\n");
    let cut = open_one("export.json", &text.as_bytes()[..text.len() - 200]);
    assert_eq!(cut.outline().rows.kinds.len(), 1_999);
    assert_eq!(cut.codes(), ["truncated-document"]);
}

/// The members after a document's list are the record of a row of their own.
#[test]
fn what_follows_the_list_of_a_split_document_can_be_opened() {
    let event = r#"{"event":"info","span_id":"a","timestamp":"2026-11-02T09:00:00+00:00","working_start":1.0,"data":"the lamp is on"}"#;
    let events = vec![event; 6000].join(",");
    let sample = format!(
        r#"{{"id":"lamp","epoch":1,"input":"Switch it on","target":"on","messages":[],"events":[{events}],"total_time":12.5,"working_time":7.25}}"#
    );
    let mut opened = open_one("samples/lamp_epoch_1.json", sample.as_bytes());
    check_outline(&opened);
    let last = opened.outline().rows.ids.len() - 1;
    let id = opened.outline().rows.ids.get(last);
    let shown = format!("{:?}", check_event(&mut opened, id).blocks);
    assert!(shown.contains("Seconds of work") && shown.contains("7.25"));
}

#[test]
fn a_document_that_is_never_split_is_asked_about_once() {
    let item = format!("{{\"words\":\"{}\"}}", "x".repeat(100));
    let text = format!("{{\"a\":[{}]}}", vec![item; 1_000].join(","));
    for (answer, at_least, at_most) in [(SplitAt::NotYet, 4, 9), (SplitAt::Never, 1, 1)] {
        let n_asked = std::rc::Rc::new(std::cell::Cell::new(0));
        let (asked, answer) = (n_asked.clone(), answer.clone());
        let mut framer = Framer::new();
        let ask = move |_: &str| {
            asked.set(asked.get() + 1);
            answer.clone()
        };
        framer.split(Box::new(ask), 1_000);
        let mut n_records = 0;
        let mut sink = |framed: Framed<'_>| {
            n_records += u32::from(matches!(framed, Framed::Record { .. }));
        };
        text.as_bytes().chunks(500).for_each(|chunk| framer.push(chunk, &mut sink));
        framer.finish(&mut sink);
        assert_eq!(n_records, 1);
        assert!((at_least..=at_most).contains(&n_asked.get()), "{}", n_asked.get());
    }
}

#[test]
fn spans_on_a_console_of_javascript() {
    let span = |id: &str, parent: &str, name: &str, attributes: &str, code: u32| {
        format!(
            "{{\n  resource: {{ attributes: {{ 'service.name': 'ferry-desk' }} }},\n  instrumentationScope: {{ \
             name: 'ai', version: undefined, schemaUrl: undefined }},\n  traceId: \
             '9c0d4a4b2f6e4c1d8a7b6c5d4e3f2a10',\n  parentSpanContext: {parent},\n  traceState: undefined,\n  \
             name: '{name}',\n  id: '{id}',\n  kind: 0,\n  timestamp: 1767225600000000,\n  duration: 750250.5,\n  \
             attributes: {{\n    {attributes}\n  }},\n  status: {{ code: {code} }},\n  events: [],\n  links: []\n}}\n"
        )
    };
    let parent = "{\n    traceId: '9c0d4a4b2f6e4c1d8a7b6c5d4e3f2a10',\n    spanId: 'a1b2c3d4e5f60001',\n    \
                  traceFlags: 1,\n    traceState: undefined\n  }";
    let call = "'ai.operationId': 'ai.generateText.doGenerate',\n    'gen_ai.request.model': 'gpt-5-mini',\n    \
                'ai.response.text': 'At noon.\\n' +\n      \"It's the last one.\",\n    \
                'gen_ai.usage.input_tokens': 41,\n    'gen_ai.usage.output_tokens': 12";
    let text = format!(
        "ready on port 3000\n{}GET /ferry 200\n{}",
        span("a1b2c3d4e5f60002", parent, "ai.generateText.doGenerate", call, 0),
        span(
            "a1b2c3d4e5f60001",
            "undefined",
            "ai.generateText",
            "'ai.operationId': 'ai.generateText'",
            2
        ),
    );
    let opened = open_one("app.log", text.as_bytes());
    let outline = opened.outline();
    assert_eq!(outline.sources.last().map(|it| it.format.as_str()), Some("otel"));
    assert_eq!(opened.codes(), ["from-console"]);
    let counts = &outline.runs[0].counts;
    assert_eq!((outline.runs.len(), counts.llm_calls, counts.errors), (1, 1, 1));
    assert_eq!(outline.runs[0].usage.input, Some(41));
    let depths: Vec<u16> =
        (0..outline.runs[0].n_rows).map(|row| outline.rows.depths.get(row)).collect();
    assert!(depths.ends_with(&[0, 1]), "{depths:?}");
}
