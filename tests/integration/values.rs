//! Values of any size: a part is sent first, the parts fit together, and exported files contain the whole value.

use crate::harness;

use harness::claims::{check_event, check_raw};
use harness::{Opened, open_one};
use traceloupe_core::model::BlockRole;
use traceloupe_protocol::detail::{ShownBlock, ShownDetail, ValueForm};
use traceloupe_protocol::json_line::{JsonLine, plain};
use traceloupe_protocol::messages::{Request, Response, encode};
use traceloupe_protocol::value::{Cut, CutForm, MORE_BYTES, Shown};
use traceloupe_session::store::{Handle, Store as _};

/// The largest allowed response, however large the value.
const MAX_ANSWER_BYTES: usize = 2 << 20;

/// An AgentDbg event with this result.
fn event(result: &str) -> String {
    format!(
        "{{\"spec_version\":\"0.1\",\"event_id\":\"e\",\"run_id\":\"11111111-2222-3333-4444-555555555555\",\
         \"event_type\":\"TOOL_CALL\",\"ts\":\"2026-03-01T10:00:00Z\",\"name\":\"t\",\
         \"payload\":{{\"tool_name\":\"t\",\"args\":{{\"before\":1}},\"result\":{result},\"status\":\"ok\"}},\
         \"meta\":{{\"after\":\"the value\"}}}}"
    )
}

/// The event as a line, in an export that is split, and in one that is read whole.
fn containers(result: &str) -> [(&'static str, String); 3] {
    let run = "\"run\":{\"run_id\":\"11111111-2222-3333-4444-555555555555\",\"status\":\"ok\"}";
    let event = event(result);
    // A small event comes first, so that splitting begins in time.
    let small = event.replace(result, "1").replace("\"e\"", "\"d\"");
    [
        ("events.jsonl", format!("{small}\n{event}\n")),
        (
            "export.json",
            format!("{{\"spec_version\":\"0.1\",{run},\"events\":[{small},\n{event}]}}\n"),
        ),
        (
            "whole.json",
            format!("{{\"spec_version\":\"0.1\",\"events\":[{small},\n{event}],\n{run}}}\n"),
        ),
    ]
}

fn opened_row(name: &str, text: &str) -> (Opened, ShownDetail) {
    let mut opened = open_one(name, text.as_bytes());
    assert_eq!(opened.outline().rows.ids.len(), 2, "{name}");
    let detail = check_event(&mut opened, 1);
    assert!(encode(&detail).len() < MAX_ANSWER_BYTES, "{name}");
    (opened, detail)
}

fn result(detail: &ShownDetail) -> &Shown {
    let of_result = detail.blocks.iter().find_map(|block| match block {
        ShownBlock::Value(_, ValueForm::Result, shown) => Some(shown),
        _ => None,
    });
    of_result.unwrap()
}

fn more(opened: &mut Opened, cut: &Cut) -> Shown {
    let answer = opened.ask(&Request::More(cut.clone(), MORE_BYTES, 7));
    assert!(encode(&answer).len() < MAX_ANSWER_BYTES);
    let Response::More(7, shown) = answer else { panic!("{answer:?}") };
    shown
}

/// The bytes of a value exported as a file, with its name and type.
fn file(opened: &mut Opened, cut: &Cut) -> (Vec<u8>, String, String) {
    let Response::File(3, file) = opened.ask(&Request::File(cut.clone(), 3)) else { panic!() };
    let len = usize::try_from(file.len).unwrap();
    let bytes = opened.session.store().read(Handle(file.handle), file.start, len).unwrap();
    opened.session.drop_file(&file);
    if file.is_made {
        assert_eq!(opened.session.store().len(Handle(file.handle)), 0);
    }
    (bytes, file.name, file.media)
}

fn gap(lines: &[JsonLine]) -> Cut {
    lines.iter().find_map(|line| line.more.as_deref()).unwrap().clone()
}

#[test]
fn the_parts_of_a_long_string_fit_together() {
    let words = "two \"words\", a\ttab, an é, a 😀, a \\, a \u{1} and a line\n";
    let value = words.repeat(100_000);
    let plain_json = serde_json::to_string(&value).unwrap();
    // The same text with every non-ASCII character escaped.
    let escaped: String = plain_json.chars().fold(String::new(), |mut text, char| {
        if char.is_ascii() {
            text.push(char);
        } else {
            let mut units = [0; 2];
            for unit in char.encode_utf16(&mut units) {
                text.push_str(&format!("\\u{unit:04x}"));
            }
        }
        text
    });
    for json in [plain_json, escaped] {
        for (name, text) in containers(&json) {
            let (mut opened, detail) = opened_row(name, &text);
            let Shown::Text(mut shown, Some(first), _) = result(&detail).clone() else {
                panic!("{name}")
            };
            assert_eq!(file(&mut opened, &first).0, value.as_bytes(), "{name}");
            let mut next = Some(first);
            while let Some(cut) = next {
                let Shown::Text(part, rest, _) = more(&mut opened, &cut) else { panic!("{name}") };
                assert!(!part.is_empty(), "{name}");
                shown.push_str(&part);
                next = rest;
            }
            assert!(shown == value, "{name}: the parts are not the whole");
        }
    }
}

#[test]
fn the_pages_of_a_long_list_fit_together() {
    let value: Vec<u32> = (0..1_050).collect();
    let long =
        format!("[{}]", (0..1_000_000).map(|at| format!("{at}")).collect::<Vec<_>>().join(","));
    for (json, n) in [(serde_json::to_string(&value).unwrap(), 1_050), (long, 1_000_000)] {
        for (name, text) in containers(&json) {
            let (mut opened, detail) = opened_row(name, &text);
            let Shown::Json(lines, Some(all)) = result(&detail).clone() else { panic!("{name}") };
            assert_eq!(file(&mut opened, &all).0, json.as_bytes());
            let mut numbers: Vec<String> = Vec::new();
            let mut page = lines;
            loop {
                let text = plain(&page);
                let own = text.lines().map(|line| line.trim().trim_end_matches(','));
                numbers.extend(own.filter(|it| it.parse::<u32>().is_ok()).map(str::to_owned));
                let Some(cut) = page.iter().find_map(|line| line.more.clone()) else { break };
                assert_eq!(
                    (cut.form, cut.items),
                    (CutForm::Items, n - numbers.len() as u64),
                    "{name}"
                );
                if numbers.len() > 2_000 {
                    break;
                }
                let Shown::Json(next, _) = more(&mut opened, &cut) else { panic!("{name}") };
                page = next;
            }
            let expected = (0..numbers.len()).map(|at| at.to_string());
            assert!(numbers.iter().cloned().eq(expected), "{name}");
            assert_eq!(numbers.len(), if n == 1_050 { 1_050 } else { 2_100 }, "{name}");
        }
    }
}

#[test]
fn what_stands_behind_a_long_value_is_shown_too() {
    // Longer than the part of a record that is read at once.
    let long = format!("\"{}\"", "x".repeat(6 << 20));
    let wide = format!("[{}]", vec!["{\"a\":[1,2,3]}"; 700_000].join(","));
    for json in [long, wide] {
        assert!(json.len() > 5 << 20);
        for (name, text) in containers(&json) {
            let (mut opened, detail) = opened_row(name, &text);
            let meta = detail.blocks.iter().find_map(|block| match block {
                ShownBlock::Value(BlockRole::Meta, _, Shown::Json(lines, _)) => Some(plain(lines)),
                _ => None,
            });
            assert_eq!(meta.as_deref(), Some("{ after: \"the value\" }\n"), "{name}");
            // The whole record as lines of JSON.
            let record = &detail.records[0];
            let cut = Cut {
                source: record.source,
                start: record.start,
                len: record.len,
                ..Cut::default()
            };
            let Shown::Json(lines, Some(_)) = more(&mut opened, &cut) else { panic!("{name}") };
            let text_of = plain(&lines);
            assert!(
                text_of.contains("the value") && text_of.contains(" more"),
                "{name}: {text_of}"
            );
            let rest = more(&mut opened, &gap(&lines));
            assert!(!matches!(&rest, Shown::Text(text, ..) if text.is_empty()), "{name}");
            assert_eq!(file(&mut opened, &cut).0.len(), record.len as usize, "{name}");
        }
    }
    let (name, text) = containers(&format!("\"{}\"", "x".repeat(5 << 20)))[0].clone();
    let (mut opened, detail) = opened_row(name, &text);
    let ShownDetail { records, .. } = &detail;
    assert!(records[0].len > 4 << 20);
    check_raw(&mut opened, &detail, text.as_bytes());
}

#[test]
fn members_and_depth_are_opened_step_by_step() {
    let members: Vec<String> =
        (0..20_000).map(|at| format!("\"key {at}\":{{\"n\":{at}}}")).collect();
    let (name, text) = containers(&format!("{{{}}}", members.join(",")))[0].clone();
    let (mut opened, detail) = opened_row(name, &text);
    let Shown::Json(lines, _) = result(&detail).clone() else { panic!() };
    let cut = gap(&lines);
    assert_eq!((cut.form, cut.items), (CutForm::Members, 19_900));
    let Shown::Json(next, _) = more(&mut opened, &cut) else { panic!() };
    assert!(plain(&next).starts_with("key 100: { n: 100 },\nkey 101:"), "{}", plain(&next));

    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    for (name, text) in containers(&deep) {
        let (mut opened, detail) = opened_row(name, &text);
        let Shown::Json(lines, _) = result(&detail).clone() else { panic!("{name}") };
        let mut cut = gap(&lines);
        let mut len = 100_000;
        for _ in 0..50 {
            assert!((cut.len as usize) < 2 * len, "{name}: it comes nearer");
            len = cut.len as usize / 2;
            let Shown::Json(next, _) = more(&mut opened, &cut) else { panic!("{name}") };
            cut = gap(&next);
        }
        assert!(len < 100_000 - 50 * 20, "{name}");
    }
}

#[test]
fn images_are_shown_small_and_kept_whole() {
    let bytes: Vec<u8> = [0x89, b'P', b'N', b'G']
        .into_iter()
        .chain((0..2_000_000).map(|at| (at % 251) as u8))
        .collect();
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut base64 = String::new();
    for group in bytes.chunks(3) {
        let [a, b, c] = [group[0], *group.get(1).unwrap_or(&0), *group.get(2).unwrap_or(&0)];
        let all = [a >> 2, (a & 3) << 4 | b >> 4, (b & 15) << 2 | c >> 6, c & 63];
        let n = group.len() + 1;
        base64.extend(all[..n].iter().map(|at| digits[*at as usize] as char));
        base64.push_str(&"="[..usize::from(n == 3)]);
        base64.push_str(&"=="[..2 * usize::from(n == 2)]);
    }
    // Some producers escape the slash.
    for escaped in [base64.clone(), base64.replace('/', "\\/")] {
        for (name, text) in containers(&format!("\"data:image/png;base64,{escaped}\"")) {
            let (mut opened, detail) = opened_row(name, &text);
            let Shown::Media(image) = result(&detail).clone() else { panic!("{name}") };
            assert_eq!(
                (image.media.as_str(), image.is_safe, image.base64.as_str()),
                ("image/png", true, "")
            );
            let (found, file_name, media) = file(&mut opened, &image.cut);
            assert!(found == bytes, "{name}: the file is not the image");
            assert!(file_name.ends_with(".png") && media == "image/png", "{file_name} {media}");
        }
    }
    let (name, text) = containers("\"data:image/png;base64,iVBORw0KGgo=\"")[0].clone();
    let (_, detail) = opened_row(name, &text);
    let Shown::Media(image) = result(&detail) else { panic!() };
    assert_eq!(image.base64, "iVBORw0KGgo=");
    // Images the page may not show are only named, and text that merely looks like an image is shown as text.
    for text in
        ["data:image/svg+xml;base64,AAAA", "data:image/png,AAAA", "see data:image/png;base64,AA"]
    {
        let (name, text) = containers(&format!("\"{text}\""))[0].clone();
        let (_, detail) = opened_row(name, &text);
        assert!(matches!(result(&detail), Shown::Text(..)));
    }
}

#[test]
fn places_that_are_none_are_answered() {
    let (name, text) = containers("[1,2]")[0].clone();
    let mut opened = open_one(name, text.as_bytes());
    let forms = [
        CutForm::Json,
        CutForm::JsonInString,
        CutForm::Raw,
        CutForm::Items,
        CutForm::Members,
        CutForm::Media,
    ];
    for form in forms {
        for (source, start, len) in [(0, 5, u32::MAX), (0, u64::MAX - 9, 9), (9, 0, 10), (0, 3, 0)]
        {
            for shown_bytes in [0, 1, u32::MAX] {
                let cut = Cut { source, start, len, form, shown_bytes, items: u64::MAX };
                assert!(encode(&more(&mut opened, &cut)).len() < MAX_ANSWER_BYTES);
            }
            let cut = Cut { source, start, len, form, ..Cut::default() };
            let answers = opened.session.answer(&Request::File(cut, 1));
            assert!(answers.len() <= 1);
        }
    }
}
