//! Lists of records inside documents.

use traceloupe_core::json::{Json, Kind};

/// The end of a path if the items of its list may be documents with lists of their own.
const NESTED: &str = ".**";

/// A path without [`NESTED`], and whether it ended in it.
pub fn plain(path: &'static str) -> (&'static str, bool) {
    path.strip_suffix(NESTED).map_or((path, false), |path| (path, true))
}

/// The end of a path that stands for the values of all members of an object.
const MEMBERS: &str = "{}";

/// Calls a function with every item of the lists at a path, and with the values around it, outermost first. A `*` in
/// the path stands for every item of a list; the empty path is the document itself; a last step `a|b` stands for two
/// lists, one after the other. A path that ends in `{}` stands for the members of an object. Stops with `true` as soon
/// as the function returns `true`.
pub fn find<'a>(
    document: Json<'a>,
    path: &str,
    found: &mut dyn FnMut(Json<'a>, &[Json<'a>]) -> bool,
) -> bool {
    let steps: Vec<&str> = path.split('.').filter(|step| !step.is_empty()).collect();
    let mut around = vec![document];
    // The lists that are being iterated, each with the number of path steps that lead to it.
    let mut open = Vec::new();
    enter(document, &steps, 0, &mut open);
    while let Some((items, depth, kept)) = open.last_mut() {
        let (depth, kept) = (*depth, *kept);
        around.truncate(kept);
        let Some(item) = items.next() else {
            open.pop();
            continue;
        };
        if depth == steps.len() {
            if found(item, &around) {
                return true;
            }
            continue;
        }
        around.push(item);
        let before = open.len();
        enter(item, &steps, depth + 1, &mut open);
        if let Some((_, _, kept)) = open.get_mut(before) {
            *kept = around.len();
        }
    }
    false
}

type Open<'a> = (Children<'a>, usize, usize);

/// An iterator over the values inside a value.
enum Children<'a> {
    Items(traceloupe_core::json::Items<'a>),
    Members(traceloupe_core::json::Members<'a>),
}

impl<'a> Children<'a> {
    fn next(&mut self) -> Option<Json<'a>> {
        match self {
            Self::Items(items) => items.next(),
            Self::Members(members) => members.next().map(|(_, value)| value),
        }
    }
}

/// Follows the path from a value to its next list.
fn enter<'a>(value: Json<'a>, steps: &[&str], from: usize, open: &mut Vec<Open<'a>>) {
    let mut value = value;
    let mut at = from;
    while let Some(step) = steps.get(at).filter(|step| **step != "*" && **step != MEMBERS) {
        at += 1;
        if step.contains('|') {
            let lists = step.rsplit('|').map(|step| value.field(step));
            let lists = lists.filter(|list| list.kind() == Kind::Array);
            return open.extend(lists.map(|list| (Children::Items(list.items()), at, 1)));
        }
        value = value.field(step);
    }
    match (value.kind(), steps.get(at).is_some_and(|step| *step == MEMBERS)) {
        (Kind::Object, true) => {
            let depth = if at + 1 == steps.len() { at + 1 } else { at };
            open.push((Children::Members(value.members()), depth, 1));
        }
        (Kind::Array, false) => open.push((Children::Items(value.items()), at, 1)),
        _ => {}
    }
}

/// Whether a document has a list at a path.
#[must_use]
pub fn has(document: Json<'_>, path: &str) -> bool {
    // Most paths are a single key, and they are looked up in every record.
    if !path.is_empty() && !path.bytes().any(|byte| matches!(byte, b'*' | b'|' | b'{')) {
        return document.get(path).kind() == Kind::Array;
    }
    if path == MEMBERS {
        return document.kind() == Kind::Object;
    }
    if let Some(path) = path.strip_suffix(".{}") {
        return document.get(path).kind() == Kind::Object;
    }
    if path.contains('|') {
        return path.split('|').any(|path| has(document, path));
    }
    let (list, deeper) = halves(path);
    let list = if list.is_empty() { document } else { document.get(list) };
    list.kind() == Kind::Array && (deeper.is_empty() || list.items().any(|item| has(item, deeper)))
}

/// A path up to its first `.*.`, and the path from there on.
fn halves(path: &str) -> (&str, &str) {
    let halves = path.find('*').and_then(|star| {
        let list = path.get(..star)?.strip_suffix('.')?;
        Some((list, path.get(star + 1..)?.strip_prefix('.')?))
    });
    halves.unwrap_or((path, ""))
}

/// The top-level key of a document at which it can be split into records, if the first list on the path is at the top
/// level.
#[must_use]
pub fn top(path: &'static str) -> Option<&'static str> {
    let path = plain(path).0;
    let key = halves(path).0;
    (!key.contains(['.', '|']) && key != MEMBERS).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(document: &str, path: &str) -> Vec<String> {
        let mut items = Vec::new();
        find(Json::new(document), path, &mut |item, around| {
            items.push(format!("{} in {}", item.raw(), around.len()));
            false
        });
        items
    }

    #[test]
    fn nested_lists_are_gone_through_in_order() {
        let document =
            r#"{"a":[{"b":{"c":[1,2]}},{"b":{"c":[]}},{"x":0},{"b":{"c":[3]}}],"d":[4,[5]]}"#;
        assert_eq!(all(document, "a.*.b.c"), ["1 in 2", "2 in 2", "3 in 2"]);
        assert_eq!(all(document, "d"), ["4 in 1", "[5] in 1"]);
        assert!(all(document, "x.*.y").is_empty());
        assert!(all("7", "a").is_empty());
        assert_eq!(all(r#"{"k":{"a":1},"l":2}"#, "{}"), [r#"{"a":1} in 1"#, "2 in 1"]);
        assert_eq!(all(r#"{"k":{"a":[1]},"l":{"a":[2,3]},"m":4}"#, "{}.a").len(), 3);
        assert!(all("[1]", "{}").is_empty() && top("{}").is_none());
        assert_eq!(all("[1,[2]]", ""), ["1 in 1", "[2] in 1"]);
        assert_eq!(all(r#"{"b":[3],"a":[1,2]}"#, "a|b"), ["1 in 1", "2 in 1", "3 in 1"]);
        assert!(has(Json::new(r#"{"b":[]}"#), "a|b") && !has(Json::new("{}"), "a|b"));
        assert!(has(Json::new("[]"), "") && !has(Json::new("{}"), ""));
        for (path, is_there) in [("a.*.b.c", true), ("d", true), ("a.*.z", false), ("b", false)] {
            assert_eq!(has(Json::new(document), path), is_there, "{path}");
        }
        assert_eq!((top("a.*.b"), top("d"), top("a.b")), (Some("a"), Some("d"), None));
        assert_eq!(
            (top("a.**"), plain("a.b.**"), plain("a")),
            (Some("a"), ("a.b", true), ("a", false))
        );
    }
}
