//! The most informative text of a JSON value, for one line: the value of an informative key, one or two levels deep,
//! rather than brackets, ids and numbers. The JSON may be cut.

use crate::render::preview::MAX_CHARS;
use traceloupe_core::json::{TokenKind, Tokens, decode_string_bytes, python_repr_to_json};
use traceloupe_core::model::arguments::{COMMANDS, FILES, PATTERNS, PLACES};
use traceloupe_core::text::command::as_typed;
use traceloupe_words::one_line;

/// How deep a value is searched. JSON inside a string counts as further levels.
const DEPTH: u32 = 6;

/// The longest value of a member, in characters.
const MAX_VALUE_CHARS: usize = 80;

/// The longest value of the most informative member, in characters.
const MAX_SAID_CHARS: usize = 160;

/// How much of a list is shown, in characters.
const MAX_LIST_CHARS: usize = 60;

/// The rank of values inside members.
const INSIDE: u8 = 3;

/// Keys of texts, besides those of commands, files, patterns and places. Most informative first.
const SAID: [&str; 13] = [
    "question",
    "prompt",
    "message",
    "task",
    "title",
    "name",
    "description",
    "summary",
    "text",
    "content",
    "skill",
    "error",
    "reason",
];

/// All informative keys.
const KEYS: [&[&str]; 5] = [&FILES, &COMMANDS, &PATTERNS, &PLACES, &SAID];

/// A value, with as much detail as one line can show.
#[derive(Debug)]
pub(super) enum Node {
    /// `null`, and values that are too deep.
    Nothing,
    /// A string.
    Text(String),
    /// A number, `true` or `false`.
    Word(String),
    /// The items of a list, and whether the list is complete.
    List(Vec<Node>, bool),
    /// The members of an object.
    Object(Vec<(String, Node)>),
}

impl Node {
    /// Parses JSON. Parts that were cut off are missing.
    pub(super) fn read(bytes: &[u8]) -> Self {
        Self::read_to(bytes, DEPTH)
    }

    fn read_to(bytes: &[u8], depth: u32) -> Self {
        let mut open: Vec<(String, Self)> = Vec::new();
        let mut key = String::new();
        for token in Tokens::new(bytes).filter(|it| it.depth <= depth) {
            let raw = bytes.get(token.start..token.end).unwrap_or_default();
            let node = match token.kind {
                TokenKind::Key => {
                    key = decode_string_bytes(raw).into_owned();
                    continue;
                }
                TokenKind::ObjectStart | TokenKind::ArrayStart => {
                    let node = match token.kind {
                        TokenKind::ObjectStart => Self::Object(Vec::new()),
                        _ => Self::List(Vec::new(), true),
                    };
                    open.push((std::mem::take(&mut key), node));
                    continue;
                }
                TokenKind::ObjectEnd | TokenKind::ArrayEnd => {
                    let Some((of, node)) = open.pop() else { continue };
                    key = of;
                    node
                }
                // A string without an end was cut by the limit.
                TokenKind::String | TokenKind::Fault if raw.first() == Some(&b'"') => {
                    let text = decode_string_bytes(raw).into_owned();
                    let left = depth.saturating_sub(token.depth + 1);
                    match inner_json(&text).filter(|_| left > 0) {
                        Some(json) => Self::read_to(json.as_bytes(), left),
                        None => Self::Text(text),
                    }
                }
                TokenKind::Number | TokenKind::True | TokenKind::False => {
                    Self::Word(String::from_utf8_lossy(raw).into_owned())
                }
                _ => Self::Nothing,
            };
            match open.last_mut() {
                Some((_, parent)) => parent.put(std::mem::take(&mut key), node),
                None => return node,
            }
        }
        let mut last = None;
        while let Some((key, mut node)) = open.pop() {
            if let Self::List(_, is_whole) = &mut node {
                *is_whole = false;
            }
            if let Some((key, inner)) = last.take() {
                node.put(key, inner);
            }
            last = Some((key, node));
        }
        last.map_or(Self::Nothing, |(_, node)| node)
    }

    fn put(&mut self, key: String, node: Self) {
        match self {
            Self::List(items, _) => items.push(node),
            // The value of this key was cut off.
            Self::Object(members) if !key.is_empty() => members.push((key, node)),
            _ => {}
        }
    }

    /// The members of an object.
    pub(super) fn members(&self) -> &[(String, Node)] {
        match self {
            Self::Object(members) => members,
            _ => &[],
        }
    }

    /// The text of a member. For a command given as a list of words, the command line.
    pub(super) fn text(&self, keys: &[&str]) -> Option<String> {
        keys.iter().find_map(|key| {
            let (_, node) = self.members().iter().find(|it| it.0 == **key)?;
            match node {
                Self::Text(text) => Some(text.clone()),
                Self::List(items, _) if COMMANDS.contains(key) => {
                    let word = |it: &Self| match it {
                        Self::Text(text) => Some(text.clone()),
                        _ => None,
                    };
                    Some(as_typed(&items.iter().map(word).collect::<Option<Vec<_>>>()?))
                }
                _ => None,
            }
            .filter(|text| !text.trim().is_empty())
        })
    }

    /// The most informative text of the value; empty if there is none.
    pub(super) fn gist(&self) -> String {
        match self {
            Self::Nothing => String::new(),
            Self::Text(text) => one_line(text, MAX_CHARS),
            Self::Word(word) => short(word),
            Self::List(items, is_whole) => list(items, *is_whole),
            Self::Object(members) => {
                let mut given = members.iter().filter(|it| !it.1.gist_is_empty());
                match (given.next(), given.next()) {
                    (Some((_, only @ Self::Object(_))), None) => only.gist(),
                    _ => fields(members),
                }
            }
        }
    }

    /// The text of all arguments of a call, longest text first, because that is what distinguishes it from other calls
    /// of the tool. `None` if no text is long.
    pub(super) fn said(&self) -> Option<String> {
        let members = self.members();
        if let [(_, only)] = members
            && !only.members().is_empty()
        {
            return only.said();
        }
        let long = |it: &&(String, Self)| match &it.1 {
            Self::Text(text) if text.len() > MAX_VALUE_CHARS && text.contains(' ') => text.len(),
            _ => 0,
        };
        let (key, Self::Text(text)) = members.iter().filter(|it| long(it) > 0).max_by_key(long)?
        else {
            return None;
        };
        let mut all = Vec::new();
        let rest = members.iter().filter(|it| it.0 != *key);
        rest.for_each(|it| add_fields("", std::slice::from_ref(it), &mut all));
        let words = format!("{key}: \"{}\"", one_line(text, MAX_SAID_CHARS));
        Some(if all.is_empty() { words } else { format!("{words}, {}", joined(&all)) })
    }

    /// Whether there is nothing to show.
    fn gist_is_empty(&self) -> bool {
        match self {
            Self::Nothing => true,
            Self::Text(text) => text.trim().is_empty(),
            Self::Word(_) => false,
            Self::List(items, _) => items.iter().all(Self::gist_is_empty),
            Self::Object(members) => members.iter().all(|it| it.1.gist_is_empty()),
        }
    }

    /// The value of the most informative key, in the value or nested in it.
    pub(super) fn telling(&self) -> Option<String> {
        let own = KEYS.iter().find_map(|keys| self.text(keys));
        own.map(|it| one_line(&it, MAX_CHARS)).or_else(|| {
            let inner = |it: &Self| match it {
                Self::List(items, is_whole) => {
                    let is_told = items.first().and_then(Self::telling).is_some();
                    is_told.then(|| list(items, *is_whole))
                }
                other => other.telling(),
            };
            self.members().iter().find_map(|(_, node)| inner(node))
        })
    }

    /// The text for an item of a list: its most informative text, otherwise its first value.
    fn as_item(&self) -> String {
        let first = || self.members().iter().find(|it| rank(&it.0, &it.1) < 2).map(|it| &it.1);
        match self {
            Self::Object(members) => self.telling().unwrap_or_else(|| {
                let first =
                    first().or_else(|| Some(&members.iter().find(|it| !it.1.gist_is_empty())?.1));
                first.map(Self::gist).unwrap_or_default()
            }),
            other => other.gist(),
        }
    }
}

/// The JSON in a string: an object or a list of objects, or such a value as printed by Python.
fn inner_json(text: &str) -> Option<String> {
    let trimmed = text.trim_start();
    match trimmed.as_bytes() {
        [b'{', b'\'', ..] | [b'[', b'{', b'\'', ..] => python_repr_to_json(trimmed),
        [b'{', b'"', ..] | [b'[', b'{', ..] => Some(trimmed.to_owned()),
        _ => None,
    }
}

/// The first items, and the number of remaining items.
fn list(items: &[Node], is_whole: bool) -> String {
    let items: Vec<&Node> = items.iter().filter(|it| !it.gist_is_empty()).collect();
    let mut words = String::new();
    let mut n = 0;
    for item in &items {
        let next = item.as_item();
        if n > 0 && words.len() + next.len() > MAX_LIST_CHARS {
            break;
        }
        words.push_str(if n > 0 { ", " } else { "" });
        words.push_str(&next);
        n += 1;
    }
    match items.len() - n {
        0 if is_whole => words,
        n if is_whole => format!("{words} and {n} more"),
        _ => format!("{words} and more"),
    }
}

/// `key: value, key: value`: informative members first, then others, ids and long texts, and values inside members.
fn fields(members: &[(String, Node)]) -> String {
    let mut all = Vec::new();
    add_fields("", members, &mut all);
    joined(&all)
}

/// Members with their rank, most informative first.
fn joined(all: &[(u8, String)]) -> String {
    let of_rank = |rank| all.iter().filter(move |it: &&(u8, String)| it.0 == rank);
    let words: Vec<&str> = (0..=INSIDE).flat_map(of_rank).map(|it| it.1.as_str()).collect();
    words.join(", ")
}

fn add_fields(of: &str, members: &[(String, Node)], all: &mut Vec<(u8, String)>) {
    for (key, node) in members.iter().filter(|it| !it.1.gist_is_empty()) {
        let label = format!("{of}{}", one_line(key, MAX_VALUE_CHARS));
        let rank = if of.is_empty() { rank(key, node) } else { INSIDE };
        let words = match node {
            Node::Object(inner) => {
                add_fields(&format!("{label}."), inner, all);
                continue;
            }
            Node::List(items, true) if items.len() > 1 && items.iter().all(is_id) => {
                format!("{} {label}", items.len())
            }
            Node::Text(text) => format!("{label}: \"{}\"", one_line(text, MAX_VALUE_CHARS)),
            other => format!("{label}: {}", one_line(&other.gist(), MAX_VALUE_CHARS)),
        };
        all.push((rank, words));
    }
}

/// How informative a member of an object is: 0 is most.
fn rank(key: &str, node: &Node) -> u8 {
    let is_telling = || KEYS.iter().any(|it| it.contains(&key));
    let ends = ["id", "Id", "_ms", "imeout", "_at", "imestamp"];
    match node {
        Node::Object(_) => INSIDE,
        Node::Text(_) | Node::Word(_) if is_id(node) || ends.iter().any(|it| key.ends_with(it)) => {
            2
        }
        Node::Text(_) if is_telling() => 0,
        // A long text would push out all others.
        Node::Text(text) if text.len() > MAX_VALUE_CHARS => 2,
        _ => 1,
    }
}

/// Whether a text is an id rather than words: long, of hexadecimal digits and dashes.
fn is_id(node: &Node) -> bool {
    let Node::Text(text) = node else { return false };
    text.len() >= 16 && text.bytes().all(|it| it.is_ascii_hexdigit() || it == b'-')
}

/// A number without excess digits: `0.0298` for `0.029804999999999998`.
fn short(number: &str) -> String {
    let places = number.find('.').map(|at| at + 1).filter(|_| !number.contains(['e', 'E']));
    let Some(rest) = places.and_then(|at| number.get(at..)) else { return number.to_owned() };
    let n_zeros = rest.len() - rest.trim_start_matches('0').len();
    let n_kept = number.len() - rest.len() + n_zeros + 4;
    number.get(..n_kept).unwrap_or(number).trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gist(json: &str) -> String {
        Node::read(json.as_bytes()).gist()
    }

    #[test]
    fn telling_members_stand_first_and_empty_ones_are_left_out() {
        let cases = [
            (
                r#"{"n":3,"id":"a","x":null,"y":"","z":[],"command":"make"}"#,
                r#"command: "make", n: 3, id: "a""#,
            ),
            (r#"{"city":"Graz","f":{"x":[1],"g":{}}}"#, r#"city: "Graz", f.x: 1"#),
            (
                r#"{"result":{"accepted":false,"n":2,"why":{"late":true}}}"#,
                "accepted: false, n: 2, why.late: true",
            ),
            (r#"{"result":"{\"ok\":true}"}"#, "ok: true"),
            (r#"{"cost":0.029804999999999998,"n":12.50,"m":3}"#, "cost: 0.0298, n: 12.5, m: 3"),
            (r#"{"a":{},"b":[[],{}],"c":null}"#, ""),
            (
                &format!(r#"{{"script":"{}","status":"ok"}}"#, "x".repeat(90)),
                &format!(r#"status: "ok", script: "{}…""#, "x".repeat(80)),
            ),
            ("[[[[[[[[[[1]]]]]]]]]]", ""),
        ];
        for (json, expect) in cases {
            assert_eq!(gist(json), expect, "{json}");
        }
    }

    #[test]
    fn a_list_says_what_its_first_items_are() {
        let ids = r#"{"targets":["019d7d09-b4a2-74f0-b87f-791514eb33b8","019d7d09-b4a2-74f0-b87f-791514eb33b9"],"timeout_ms":1}"#;
        let long = "x".repeat(60);
        let cases = [
            (r#"["a",1,{"b":2}]"#, "a, 1, 2"),
            (r#"[{"op":"replace","path":"/a"},{"op":"add","path":"/b"}]"#, "/a, /b"),
            (r#"[{"type":"function","function":{"name":"look","parameters":{}}}]"#, "look"),
            (
                r#"{"flights":[{"number":"HAT1","date":"2024"},{"number":"HAT2"}]}"#,
                "flights: HAT1, HAT2",
            ),
            (ids, "2 targets, timeout_ms: 1"),
            (&format!(r#"["{long}",1,2]"#), &format!("{long} and 2 more")),
            (&format!(r#"["{long}",1,2"#), &format!("{long} and more")),
            ("[]", ""),
        ];
        for (json, expect) in cases {
            assert_eq!(gist(json), expect, "{json}");
        }
    }

    #[test]
    fn broken_values_give_what_is_there() {
        for json in ["{]", "]", "{\"a\":", "{\"a\":[{\"b\"", "\"", ""] {
            let _ = gist(json);
        }
        assert_eq!(gist(r#"{"a":1,"cut he"#), "a: 1");
        assert_eq!(gist(r#"{"a":{"b":"cut he"#), r#"b: "cut he""#);
    }
}
