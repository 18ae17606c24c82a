//! The strict walk that checks records accepts exactly what serde_json accepts, and skips values as
//! serde_json does.

use crate::harness;

use harness::{at_least, files_below, json_cases, named, shared_also};
use proptest::prelude::*;
use serde_json::value::RawValue;
use traceloupe_core::json::{self, Json};

fn serde_takes(text: &str) -> bool {
    serde_json::from_str::<&RawValue>(text).is_ok()
}

/// The raw items of a list, according to serde_json.
fn serde_items(text: &str) -> Option<Vec<&str>> {
    let items = serde_json::from_str::<Vec<&RawValue>>(text).ok()?;
    Some(items.into_iter().map(RawValue::get).collect())
}

fn items(text: &str) -> Vec<&str> {
    Json::new(text).items().map(Json::raw).collect()
}

#[test]
fn texts_of_every_kind_are_judged_alike() {
    let mut cases = json_cases::cases();
    if let Some(folder) = shared_also("hostile/jsontestsuite/test_parsing") {
        cases.extend(files_below(&folder).iter().map(|path| named(&folder, path)));
    }
    let mut told_apart = [0; 2];
    for (name, bytes) in &cases {
        let Ok(text) = std::str::from_utf8(bytes) else { continue };
        let is_strict = json::is_strict(text);
        assert_eq!(is_strict, serde_takes(text), "{name}");
        told_apart[usize::from(is_strict)] += 1;
        if is_strict && text.trim_start().starts_with('[') {
            assert_eq!(Some(items(text)), serde_items(text), "{name}");
        }
    }
    assert!(told_apart.iter().all(|n| *n > at_least(180, 80)), "{told_apart:?}");
}

/// Fragments of JSON, some of them slightly wrong.
fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        " ",
        "\n",
        "\t",
        "\r",
        "a",
        "\u{e9}",
        "\u{1}",
        "\u{7f}",
        "null",
        "true",
        "false",
        "nul",
        "0",
        "-",
        "01",
        "1.5",
        "1e5",
        "1.",
        "-0.0E-1",
        "\"a\"",
        "\"a\":",
        "\"\\u0061\":",
        "\"\\ud83d\\ude00\"",
        "\"\\ud83d\"",
        "\"\\u12\"",
        "\"\\n\\/\"",
        "\"\\q\"",
        "[]",
        "{}",
        "{\"a\":1}",
        "[1,2]",
        "\"long enough for whole words\"",
        "\"more than thirty-two bytes, a quote \\\" and a tab \\t in it\"",
    ])
}

/// Values written by serde_json, with white space and mistakes inserted.
fn value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        any::<bool>().prop_map(|it| it.to_string()),
        any::<i32>().prop_map(|it| it.to_string()),
        any::<String>().prop_map(|it| serde_json::to_string(&it).unwrap()),
    ];
    leaf.prop_recursive(5, 60, 6, |inner| {
        let items = prop::collection::vec(inner.clone(), 0..6);
        let members = prop::collection::vec((any::<String>(), inner), 0..6);
        prop_oneof![
            items.prop_map(|items| format!("[{}]", items.join(" ,"))),
            members.prop_map(|members| {
                let members: Vec<_> = members
                    .iter()
                    .map(|(key, value)| format!("{}:{value}", serde_json::to_string(key).unwrap()))
                    .collect();
                format!("{{{}}}", members.join(",\n"))
            }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4000) })]

    #[test]
    fn soup_is_judged_alike(pieces in prop::collection::vec(piece(), 0..14)) {
        let text = pieces.concat();
        prop_assert_eq!(json::is_strict(&text), serde_takes(&text), "{}", text);
        let list = format!("[{text}]");
        if let Some(expected) = serde_items(&list) {
            prop_assert_eq!(items(&list), expected);
        }
    }

    #[test]
    fn values_are_taken_and_their_mistakes_are_not(
        text in value(),
        at in any::<prop::sample::Index>(),
        mistake in piece(),
    ) {
        prop_assert!(json::is_strict(&text));
        let at = text.floor_char_boundary(at.index(text.len() + 1));
        let changed = [&text[..at], mistake, &text[at..]].concat();
        prop_assert_eq!(json::is_strict(&changed), serde_takes(&changed), "{}", changed);
        let cut = &text[..at];
        prop_assert_eq!(json::is_strict(cut), serde_takes(cut), "{}", cut);
    }

    #[test]
    fn repeated_keys_are_found(
        keys in prop::collection::vec("[a-d]{0,2}|\\PC{0,40}", 0..40),
    ) {
        let members: Vec<_> = keys
            .iter()
            .map(|key| format!("{}:{{\"in\":1}}", serde_json::to_string(key).unwrap()))
            .collect();
        let text = format!("{{{}}}", members.join(","));
        let second = (1..keys.len()).find(|at| keys[..*at].contains(&keys[*at]));
        let place = second.map(|at| 1 + members[..at].iter().map(|it| it.len() + 1).sum::<usize>());
        let found: Vec<_> = json::inspect(&text).into_iter().map(|it| (it.code.word(), it.offset)).collect();
        let expected: Vec<_> = place.map(|at| ("duplicate-key", at as u64)).into_iter().collect();
        prop_assert_eq!(found, expected);
    }
}
