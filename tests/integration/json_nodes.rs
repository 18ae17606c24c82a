//! JSON as lines and as nodes: the worker makes the lines, the page finds the nodes.

use traceloupe_core::json::{Keep, Shortener};
use traceloupe_protocol::json_line::JsonLine;
use traceloupe_session::render::json_lines::json_lines;
use traceloupe_view::json_nodes::{path, table, value};

fn lines(json: &str) -> Vec<JsonLine> {
    let keep = Keep {
        string_bytes: 2_000,
        items: 100,
        list_bytes: 1 << 20,
        all_items: 1_000,
        all_bytes: 1 << 20,
        depth: 8,
    };
    let mut shortener = Shortener::new(keep);
    shortener.push(json.as_bytes());
    json_lines(&shortener.finish(), &|_, _, _| None)
}

fn at(lines: &[JsonLine], text: &str) -> usize {
    let has = |line: &JsonLine| line.pieces.iter().any(|piece| piece.1.contains(text));
    lines.iter().position(has).unwrap()
}

const LONG: &str = "a text that is long enough to need a line of its own, and some more of it";

#[test]
fn each_line_has_a_path() {
    let json = format!(
        r#"{{"a":[{{"b":"{LONG}"}},{{"b":"{LONG}","odd key":["{LONG}","second {LONG}"]}}],"z":1}}"#
    );
    let lines = lines(&json);
    let of = |text: &str| path(&lines, at(&lines, text));
    assert_eq!(of("z").as_deref(), Some("$.z"));
    assert_eq!(of("second").as_deref(), Some(r#"$.a[1]["odd key"][1]"#));
    assert_eq!(path(&lines, 0).as_deref(), Some("$"));
    assert_eq!(path(&lines, lines.len() - 1), None, "a bracket is no value");
    assert_eq!(path(&lines, 99), None);
}

#[test]
fn the_value_of_a_line_is_json_and_a_string_is_its_text() {
    let json = format!(r#"{{"a":{{"b":"{LONG} \"quoted\"","c":[1,{{"d":null}}]}},"z":1}}"#);
    let lines = lines(&json);
    let of = |text: &str| value(&lines, at(&lines, text));
    assert_eq!(of("quoted"), (format!("{LONG} \"quoted\""), true));
    assert_eq!(of("z"), ("1".to_owned(), true));
    let (text, is_whole) = value(&lines, at(&lines, "a"));
    assert!(is_whole);
    let expected = format!("\"b\": \"{LONG} \\\"quoted\\\"\"");
    assert!(text.starts_with("{\n  ") && text.ends_with('}'), "{text}");
    assert!(text.contains(&expected), "{text}");
    assert!(text.contains("\"d\": null"), "{text}");
}

#[test]
fn objects_with_the_same_keys_are_a_table() {
    let json = format!(
        r#"{{"list":[{{"name":"bread","price":3,"tags":["a",{{"b":1}}]}},{{"name":"salt {LONG}","price":1}},{{"price":2,"name":"x","more":true}}]}}"#
    );
    let lines = lines(&json);
    let found = table(&lines, at(&lines, "list")).unwrap();
    assert_eq!(found.columns, ["name", "price", "tags", "more"]);
    assert_eq!(found.rows[0].cells, ["bread", "3", r#"[ "a", { b: 1 } ]"#, ""]);
    assert!(found.rows[1].cells[0].starts_with("salt a text"));
    assert_eq!(found.rows[2].cells, ["x", "2", "", "true"]);
    assert_eq!(path(&lines, found.rows[2].line).as_deref(), Some("$.list[2]"));
}

#[test]
fn other_lists_are_no_table() {
    for json in [
        format!(r#"[{{"a":"{LONG}"}},"{LONG}"]"#),
        format!(r#"[{{"a":"{LONG}"}}]"#),
        format!(r#"[{{"a":"{LONG}"}},{{"b":"{LONG}"}},{{"c":1}}]"#),
        format!(r#"["{LONG}","{LONG}"]"#),
        format!(r#"{{"a":"{LONG}","b":"{LONG}"}}"#),
    ] {
        let lines = lines(&json);
        assert_eq!(table(&lines, 0), None, "{json}");
    }
}
