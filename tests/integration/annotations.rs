//! Annotations in whole sessions: the target of each kind of address, and addresses for new annotations.

use crate::harness;

use harness::{Opened, fixtures, open_one, shared};
use traceloupe_core::model::{AnnotationKind, Part};
use traceloupe_protocol::annotations::{AnnotationList, OwnAnnotation, Site, Spot, Target};
use traceloupe_protocol::detail::ShownBlock;
use traceloupe_protocol::messages::{Request, Response};
use traceloupe_protocol::value::{Cut, Shown};

const TRACE: &str = concat!(
    r#"{"index":1,"messages":["#,
    r#"{"role":"user","content":"one\ntwo 😀 three"},"#,
    r#"{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":{"x":"value","y":[{"z":"deep"}]}}}]},"#,
    r#"{"role":"tool","tool_call_id":"a","content":[{"type":"text","text":"found"},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}}]}"#,
    r#"],"annotations":[@]}"#,
);

/// The trace with annotations at these addresses.
fn annotated(addresses: &[&str]) -> String {
    let all: Vec<String> = addresses
        .iter()
        .map(|address| format!(r#"{{"content":"c","address":"{address}"}}"#))
        .collect();
    TRACE.replace('@', &all.join(","))
}

fn list(opened: &mut Opened, own: &[OwnAnnotation]) -> AnnotationList {
    let Response::Annotations(list) = opened.ask(&Request::Annotations(0, own.to_vec())) else {
        panic!("no list")
    };
    *list
}

/// The event, the file's text from the value on, and the part.
fn pointed(text: &str, target: &Target) -> String {
    match target {
        Target::Run => "run".to_owned(),
        Target::Unresolved(why) => format!("? {why}"),
        Target::Event { id, site: None, part } => format!("{id} {part:?}"),
        Target::Event { id, site: Some(site), part } => {
            let from = usize::try_from(site.start).unwrap();
            let value: String = text.get(from..).unwrap().chars().take(6).collect();
            format!("{id} {part:?} {value}")
        }
    }
}

#[test]
fn every_kind_of_address_points_at_its_event_value_and_part() {
    let cases = [
        ("messages.0.content:5-10", "0 Chars(5, 10) \"one\\n"),
        ("messages[0].content:L1", "0 Line(1) \"one\\n"),
        ("messages[0]", "0 Whole"),
        ("messages[1].tool_calls[0].function.arguments.x:0-5", "2 Chars(0, 5) \"value"),
        ("messages[1].tool_calls.0.function.arguments.y[0].z:1-2", "2 Chars(1, 2) \"deep\""),
        ("messages[1].tool_calls[0]", "2 Whole {\"id\":"),
        ("messages[2].content:0-3", "2 Chars(0, 3) \"found"),
        ("messages[2].content[0].text:0-3", "2 Chars(0, 3) \"found"),
        ("messages[2].content:bbox-0.1,0.2,0.3,0.4", "2 Area([0.1, 0.2, 0.3, 0.4]) \"data:"),
        ("messages[2]", "2 Whole"),
        ("<root>", "run"),
        ("messages[9]", "? there is no such message"),
        ("messages[0].missing", "? there is no such value"),
        ("events[1]", "1 Whole"),
        ("nonsense", "? the address cannot be read"),
    ];
    let text = annotated(&cases.map(|(address, _)| address));
    let mut opened = open_one("x.jsonl", text.as_bytes());
    let list = list(&mut opened, &[]);
    let found: Vec<_> = list
        .lines
        .iter()
        .map(|line| (line.address.as_str(), pointed(&text, &line.target)))
        .collect();
    let expected: Vec<_> = cases.iter().map(|(address, at)| (*address, (*at).to_owned())).collect();
    assert_eq!(found, expected);
    let tally = opened.outline().runs[0].annotations;
    assert_eq!((tally.all, tally.comments), (15, 15));
}

/// The positions of all texts in an opened row.
fn texts(blocks: &[ShownBlock]) -> Vec<(Cut, String)> {
    let mut found = Vec::new();
    let mut take = |shown: &Shown| {
        if let Shown::Text(text, Some(cut), _) = shown {
            found.push((cut.clone(), text.clone()));
        }
    };
    for block in blocks {
        match block {
            ShownBlock::Value(_, _, shown) => take(shown),
            ShownBlock::Table(_, rows) => rows.iter().for_each(|(_, shown)| take(shown)),
            _ => {}
        }
    }
    found
}

#[test]
fn what_is_shown_can_be_annotated_and_is_found_again() {
    let text = annotated(&["<root>"]);
    let mut opened = open_one("x.jsonl", text.as_bytes());
    let expected = [
        (0, "one\ntwo 😀 three", "messages[0].content:1-3"),
        (2, "value", "messages[1].tool_calls[0].function.arguments.x:1-3"),
        (2, "found", "messages[2].content[0].text:1-3"),
    ];
    let mut own = Vec::new();
    let mut spots = Vec::new();
    for (event, value, address) in expected {
        let Response::Detail(detail) = opened.ask(&Request::Detail(event)) else { panic!() };
        let texts = texts(&detail.blocks);
        let (cut, _) = texts.iter().find(|(_, text)| text == value).unwrap();
        assert!(cut.is_whole());
        let site = Some(Site { source: cut.source, start: cut.start });
        let spot = Spot { run: 0, event: Some(event), site, part: Part::Chars(1, 3) };
        let answer = opened.ask(&Request::Address(spot));
        assert_eq!(answer, Response::Address(Some(address.to_owned())));
        own.push(OwnAnnotation { address: address.to_owned(), ..OwnAnnotation::default() });
        spots.push(Target::Event { id: event, site, part: spot.part });
    }
    let list = list(&mut opened, &own);
    let targets: Vec<_> = list.lines.iter().skip(1).map(|line| line.target.clone()).collect();
    assert_eq!(targets, spots);
    assert_eq!(list.lines[3].own, Some(2));
    for (event, address) in [
        (None, "<root>"),
        (Some(0), "messages[0]"),
        (Some(1), "messages[1]"),
        (Some(2), "messages[1].tool_calls[0]"),
    ] {
        let answer = opened.ask(&Request::Address(Spot { event, ..Spot::default() }));
        assert_eq!(answer, Response::Address(Some(address.to_owned())));
    }
}

#[test]
fn arguments_in_a_string_are_followed_to_their_call() {
    let arguments = r#""{\"city\":\"Graz\",\"n\":[1]}""#;
    let text = TRACE
        .replace(r#"{"x":"value","y":[{"z":"deep"}]}"#, arguments)
        .replace('@', &["city:0-2", "n[0]", "none"].map(|key| format!(
            r#"{{"content":"c","address":"messages[1].tool_calls[0].function.arguments.{key}"}}"#
        )).join(","));
    let mut opened = open_one("x.jsonl", text.as_bytes());
    let list = list(&mut opened, &[]);
    let found: Vec<_> = list.lines.iter().map(|line| pointed(&text, &line.target)).collect();
    assert_eq!(found, ["2 Chars(0, 2)", "2 Whole", "? there is no such value"]);
}

#[test]
fn runs_that_are_no_conversation_count_events_or_name_them() {
    let text = "{\"id\":\"a b\",\"msg\":\"first\"}\n{\"msg\":\"second\"}\n";
    let mut opened = open_one("x.jsonl", text.as_bytes());
    let at = |opened: &mut Opened, event: u32, value: &str| {
        let start = text.find(value).unwrap() as u64 - 1;
        let site = Some(Site { source: 0, start });
        let spot = Spot { event: Some(event), site, part: Part::Line(0), run: 0 };
        match opened.ask(&Request::Address(spot)) {
            Response::Address(Some(address)) => address,
            other => panic!("{other:?}"),
        }
    };
    let addresses = [at(&mut opened, 0, "first"), at(&mut opened, 1, "second")];
    assert_eq!(addresses, [r#"events["a b"].msg:L0"#, "events[1].msg:L0"]);
    let own = addresses.map(|address| OwnAnnotation { address, ..OwnAnnotation::default() });
    let list = list(&mut opened, &own);
    let found: Vec<_> = list.lines.iter().map(|line| pointed(text, &line.target)).collect();
    assert_eq!(found, ["0 Line(0) \"first", "1 Line(0) \"secon"]);
}

#[test]
fn a_run_is_known_by_its_bytes_wherever_it_stands() {
    let row = annotated(&[]);
    let hash = |text: &str, run: u32| {
        let mut opened = open_one("x.jsonl", text.as_bytes());
        let Response::Annotations(list) = opened.ask(&Request::Annotations(run, Vec::new())) else {
            panic!()
        };
        list.hash
    };
    let alone = hash(&row, 0);
    assert!(!alone.is_empty());
    let other = row.replace("three", "3");
    assert_eq!(hash(&format!("{other}\n{row}\n"), 1), alone);
    assert_ne!(hash(&format!("{other}\n{row}\n"), 0), alone);
}

#[test]
fn votes_and_sources_have_their_kinds() {
    let annotations = r#"{"content":":feedback:thumbs-up","address":"<root>"},{"content":"f","address":"<root>","extra_metadata":{"source":"analyzer-model","severity":"high","status":"proposed"}},7,{"address":"x"}"#;
    let text = TRACE.replace('@', annotations);
    let mut opened = open_one("x.jsonl", text.as_bytes());
    let list = list(&mut opened, &[]);
    let [vote, finding] = list.lines.as_slice() else { panic!("{list:?}") };
    assert_eq!((vote.kind, vote.content.as_str()), (AnnotationKind::ThumbsUp, ""));
    assert_eq!(finding.kind, AnnotationKind::Analyzer);
    assert_eq!((finding.severity.as_str(), finding.status.as_str()), ("high", "proposed"));
    assert_eq!(opened.codes(), ["explorer-refuses", "explorer-refuses"]);
}

#[test]
fn a_hundred_thousand_annotations_are_counted_and_the_first_listed() {
    let one = r#"{"content":"c","address":"messages[0].content:0-1"}"#;
    let text = TRACE.replace('@', &vec![one; 100_000].join(","));
    let mut opened = open_one("x.jsonl", text.as_bytes());
    assert_eq!(opened.outline().runs[0].annotations.all, 100_000);
    let list = list(&mut opened, &[]);
    assert_eq!((list.lines.len(), list.unlisted), (2_000, 98_000));
}

#[test]
fn a_data_set_with_annotations() {
    let path = fixtures::folder().join("invariant/dataset.jsonl");
    let mut opened = open_one("dataset.jsonl", &std::fs::read(path).unwrap());
    let list = list(&mut opened, &[]);
    let of_runs: Vec<u32> = opened.outline().runs.iter().map(|it| it.annotations.all).collect();
    assert_eq!(of_runs, [3, 0]);
    let targets: Vec<_> = list.lines.iter().map(|line| &line.target).collect();
    assert!(
        targets
            .iter()
            .any(|it| matches!(it, Target::Event { id: 3, part: Part::Chars(3, 10), .. })),
        "{targets:?}"
    );
    assert!(
        targets.iter().any(|it| matches!(it, Target::Event { id: 1, part: Part::Whole, .. })),
        "{targets:?}"
    );
}

#[test]
fn the_real_file_with_annotations() {
    let Some(path) = shared("traces/invariant-explorer/with_annotations.jsonl") else { return };
    let mut opened = open_one("with_annotations.jsonl", &std::fs::read(path).unwrap());
    let list = list(&mut opened, &[]);
    let [line] = list.lines.as_slice() else { panic!("{list:?}") };
    assert_eq!(line.target, Target::Event { id: 0, site: None, part: Part::Whole });
    let of_runs: Vec<u32> = opened.outline().runs.iter().map(|it| it.annotations.all).collect();
    assert_eq!(of_runs, [1, 0]);
}
