//! A cursor finds the same values as serde_json, with a tape and without.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::Value;
use traceloupe_core::json::{self, Inspected, Inspector, Json, KeySet, Kind};

/// The value of a cursor, rebuilt from the cursor's answers. Like serde_json it keeps the last of several members with
/// one key.
fn value_of(json: Json<'_>) -> Value {
    match json.kind() {
        Kind::Null => Value::Null,
        Kind::Bool => json.bool().unwrap().into(),
        Kind::Number => serde_json::from_str(json.raw()).unwrap(),
        Kind::String => json.text().unwrap().into_owned().into(),
        Kind::Array => json.items().map(value_of).collect(),
        Kind::Object => Value::Object(
            json.members().map(|(key, value)| (key.into_owned(), value_of(value))).collect(),
        ),
        kind => panic!("{kind:?}: {json:?}"),
    }
}

/// Every property of a value and of the values inside it, as text.
fn answers(json: Json<'_>) -> Vec<String> {
    let mut said = Vec::new();
    let mut left = vec![json];
    while let Some(json) = left.pop() {
        said.push(format!(
            "{json:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:x}",
            json.range(),
            json.kind(),
            json.text(),
            json.word(),
            json.number(),
            json.count(),
            json.integer(),
            json.fingerprint(),
        ));
        left.extend(json.items());
        for (key, value) in json.members() {
            said.push(format!("{key} {:?}", json.field(&key)));
            said.push(format!("{:?}", json.fields(&KeySet::new([&key, "a", ""]))));
            said.push(format!("{:?}", json.get(&key)));
            left.push(value);
        }
        said.push(format!(
            "{:?} {:?}",
            json.item(1),
            json.any(&["b", "a.a", "a.0", "0", "a.a.b", "."])
        ));
    }
    said
}

/// A string literal, also with escapes that have shorter spellings and with lone surrogates.
fn literal() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-c]{0,3}",
        "\\PC{0,12}".prop_map(|text| {
            let quoted = serde_json::to_string(&text).unwrap();
            quoted[1..quoted.len() - 1].to_owned()
        }),
        Just(r"\u0061".to_owned()),
        Just(r"\/".to_owned()),
        Just(r#"\n\\\""#.to_owned()),
        Just(r"\ud83d\ude00".to_owned()),
        Just(r"\ud83d".to_owned()),
        Just(r"\ude00\ud83d".to_owned()),
        Just("{".to_owned()),
        Just(".".to_owned()),
        Just(r#"{\"a\":1}"#.to_owned()),
    ];
    prop::collection::vec(piece, 0..4).prop_map(|pieces| format!("\"{}\"", pieces.concat()))
}

/// Strict JSON with white space; there are few keys, so that they are repeated.
fn strict() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        any::<bool>().prop_map(|it| it.to_string()),
        any::<i64>().prop_map(|it| it.to_string()),
        any::<f64>()
            .prop_filter("JSON has no others", |it| it.is_finite())
            .prop_map(|it| format!("{it:?}")),
        Just("12.0".to_owned()),
        Just("\"12\"".to_owned()),
        literal(),
    ];
    leaf.prop_recursive(6, 60, 6, |inner| {
        let space = prop::sample::select(vec!["", "", " ", "\n\t", "\r\n  "]);
        let items = prop::collection::vec((space.clone(), inner.clone()), 0..6);
        let members = prop::collection::vec((literal(), space, inner), 0..6);
        prop_oneof![
            items.prop_map(|items| {
                let items: Vec<_> =
                    items.iter().map(|(space, item)| format!("{space}{item}{space}")).collect();
                format!("[{}]", items.join(","))
            }),
            members.prop_map(|members| {
                let members: Vec<_> = members
                    .iter()
                    .map(|(key, space, value)| format!("{space}{key}{space}:{space}{value}{space}"))
                    .collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) })]

    #[test]
    fn a_cursor_finds_what_serde_finds(text in strict()) {
        let mut inspector = Inspector::default();
        let Inspected { json, .. } = inspector.inspect(&text).unwrap();
        // serde_json refuses lone surrogates; the cursor reads them as U+FFFD.
        if let Ok(expected) = serde_json::from_str::<Value>(&text) {
            prop_assert_eq!(value_of(json), expected.clone());
            prop_assert_eq!(value_of(Json::new(&text)), expected);
        } else {
            prop_assert!(json::has_lone_surrogate(text.as_bytes()), "{}", text);
        }
    }

    #[test]
    fn the_tape_changes_no_answer(text in strict(), space in "[ \n]{0,2}") {
        let text = format!("{space}{text}{space}");
        let mut inspector = Inspector::default();
        let with_tape = answers(inspector.inspect(&text).unwrap().json);
        prop_assert_eq!(with_tape, answers(Json::new(&text)));
    }

    #[test]
    fn broken_text_does_no_harm(
        text in strict(),
        at in any::<prop::sample::Index>(),
        piece in prop::sample::select(vec!["", "{", "}", "[", "]", ",", ":", "\"", "\\", "nul", "\u{e9}"]),
    ) {
        let at = text.floor_char_boundary(at.index(text.len() + 1));
        for broken in [text[..at].to_owned(), [&text[..at], piece, &text[at..]].concat()] {
            for line in answers(Json::new(&broken)) {
                prop_assert!(!line.is_empty());
            }
        }
    }

    #[test]
    fn values_are_where_their_ranges_say(text in strict()) {
        let mut left = vec![Json::new(&text)];
        while let Some(json) = left.pop() {
            prop_assert_eq!(&text[json.range()], json.raw());
            left.extend(json.items());
            left.extend(json.members().map(|(_, value)| value));
        }
    }

    #[test]
    fn the_last_of_repeated_keys_counts(values in prop::collection::vec(("[ab]?", 0..9_u8), 0..9)) {
        let members: Vec<_> =
            values.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
        let text = format!("{{{}}}", members.join(","));
        let last: BTreeMap<&str, u8> =
            values.iter().map(|(key, value)| (key.as_str(), *value)).collect();
        let mut inspector = Inspector::default();
        for json in [inspector.inspect(&text).unwrap().json, Json::new(&text)] {
            let [a, b, none, empty] = json.fields(&KeySet::new(["a", "b", "ab", ""])).unwrap();
            prop_assert!(none.is_absent());
            for (key, found) in [("a", a), ("b", b), ("", empty)] {
                prop_assert_eq!(found.count(), last.get(key).map(|it| u64::from(*it)));
                prop_assert_eq!(json.field(key), found);
            }
            prop_assert_eq!(json.members().count(), values.len());
        }
    }
}

#[test]
fn paths_go_through_objects_and_arrays() {
    let text = r#"{"a": {"b": [10, {"c": "x"}]}, "a.b": 1, "n": null, "e": {}}"#;
    let json = Json::new(text);
    assert_eq!(json.get("a.b.0").count(), Some(10));
    assert_eq!(json.get("a.b.1.c").text().as_deref(), Some("x"));
    assert_eq!(json.field("a.b").count(), Some(1));
    assert_eq!(json.any(&["x", "n", "a.b.0", "e"]).count(), Some(10));
    for path in ["x", "a.x", "a.b.2", "a.b.c", "a.b.0.c", "", "a.", ".a", "a..b"] {
        assert!(json.get(path).is_absent(), "{path}");
    }
    assert!(json.get("n").present().is_some() && json.get("n").given().is_none());
    assert!(json.get("a.b.1.c").is("x") && !json.get("a").is("x"));
    assert!(Json::new("{\"\\u0061\":\"\\u0078\"}").get("a").is("x"));
}

#[test]
fn numbers_are_read_however_they_are_written() {
    for (raw, count, integer, number) in [
        ("12", Some(12), Some(12), Some(12.0)),
        ("12.0", Some(12), Some(12), Some(12.0)),
        ("1.2e1", Some(12), Some(12), Some(12.0)),
        ("\"12\"", Some(12), Some(12), Some(12.0)),
        ("\"12.0\"", Some(12), Some(12), Some(12.0)),
        ("-3", None, Some(-3), Some(-3.0)),
        ("\"-3.0\"", None, Some(-3), Some(-3.0)),
        ("1.5", None, None, Some(1.5)),
        ("1e22", None, None, Some(1e22)),
        ("1e999", None, None, None),
        ("18446744073709551615", Some(u64::MAX), None, Some(18_446_744_073_709_551_615.0)),
        ("\"\"", None, None, None),
        ("\"twelve\"", None, None, None),
        ("\"NaN\"", None, None, None),
        ("\"inf\"", None, None, None),
        ("null", None, None, None),
        ("true", None, None, None),
        ("[12]", None, None, None),
        ("", None, None, None),
    ] {
        let json = Json::new(raw);
        assert_eq!(
            (json.count(), json.integer(), json.number()),
            (count, integer, number),
            "{raw}"
        );
    }
}

#[test]
fn absence_goes_through_every_question() {
    for json in [Json::ABSENT, Json::new(""), Json::new(" \n"), Json::new("{}").get("a.b")] {
        assert_eq!((json.kind(), json.raw(), json.fingerprint()), (Kind::Absent, "", 0));
        assert!(json.get("a").any(&["b"]).item(3).field("c").is_absent());
        assert_eq!((json.text(), json.word(), json.count(), json.bool()), (None, None, None, None));
        assert_eq!((json.items().count(), json.members().count()), (0, 0));
        assert!(
            json.fields(&KeySet::new(["a"])).is_none()
                && json.present().is_none()
                && !json.is_given()
        );
    }
    assert_ne!(Json::new("null").fingerprint(), 0);
}

#[test]
fn depth_costs_no_stack() {
    let levels = 200_000;
    let text = format!("{{\"a\":{}1{}}}", "[".repeat(levels), "]".repeat(levels));
    let mut inspector = Inspector::default();
    let json = inspector.inspect(&text).unwrap().json;
    for json in [json, Json::new(&text)] {
        assert_eq!(json.get("a").raw().len(), 2 * levels + 1);
        assert_ne!(json.fingerprint(), 0);
    }
    let mut deepest = json.get("a");
    while deepest.kind() == Kind::Array {
        deepest = deepest.item(0);
    }
    assert_eq!((deepest.count(), deepest.range().start), (Some(1), levels + 5));
}

#[test]
fn a_text_with_too_many_values_has_no_tape_and_the_same_answers() {
    let text = format!("[{}7]", "1,".repeat(1 << 20));
    let mut inspector = Inspector::default();
    let json = inspector.inspect(&text).unwrap().json;
    assert_eq!(json.items().count(), (1 << 20) + 1);
    assert_eq!(json.items().last().unwrap().count(), Some(7));
    assert!(!json.has_tape());
    // A text with as many long values has a tape.
    let text = format!("[{}7]", "\"a longer value, as in a trace\",".repeat(1 << 20));
    assert!(inspector.inspect(&text).unwrap().json.has_tape());
    // The next text has a tape again.
    assert_eq!(inspector.inspect("{\"a\":[1,2]}").unwrap().json.get("a.1").count(), Some(2));
}

#[test]
fn paths_of_any_length_are_split_at_their_dots() {
    for len in 1..40 {
        let key = "k".repeat(len);
        let text = format!(r#"{{"{key}":{{"{key}":[{{"{key}":7}}]}},"{key}.{key}":8}}"#);
        let mut inspector = Inspector::default();
        for json in [inspector.inspect(&text).unwrap().json, Json::new(&text)] {
            assert_eq!(json.get(&format!("{key}.{key}.0.{key}")).count(), Some(7));
            assert_eq!(json.field(&format!("{key}.{key}")).count(), Some(8));
            assert!(json.get(&format!("{key}k.{key}")).is_absent());
            assert!(json.get(&format!("{key}.{key}.{key}")).is_absent());
        }
    }
}

#[test]
fn the_last_of_several_members_counts_whatever_the_order() {
    for text in [
        r#"{"a":1,"b":2,"a":3}"#,
        r#"{"\u0061":1,"b":2,"a":3}"#,
        r#"{"a":1,"b":2,"\u0061":3}"#,
        r#"{"c":{"d":1,"d":2},"a":1,"a":2,"a":3,"b":2}"#,
    ] {
        let mut inspector = Inspector::default();
        for json in [inspector.inspect(text).unwrap().json, Json::new(text)] {
            assert_eq!((json.get("a").count(), json.get("b").count()), (Some(3), Some(2)));
            assert_eq!(json.fields(&KeySet::new(["a"])).unwrap()[0].count(), Some(3));
        }
    }
}
