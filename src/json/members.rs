//! The members of objects and the items of lists: passed over whole, strings by the quote.
//!
//! Made for text that has been validated. Other text does no harm, but what is wrong inside a value
//! is not seen: only what stands between the values is.

use std::borrow::Cow;

use super::decode::decode_string;
use super::lexer::{Escapes, Structure, run_end, skip_space, string_scan};
use super::tape::{Known, known};

/// Calls `each` with the key (decoded) and the raw value of every member of an object. `None` if the text is no object; members before a fault have been given then.
pub fn each_member<'a>(text: &'a str, mut each: impl FnMut(Cow<'a, str>, &'a str)) -> Option<()> {
    let by_tape = known(text.as_bytes(), |object| {
        starts_with(text, b'{')?;
        let mut children = object.children();
        while let (Some(key), Some(value)) = (children.next(), children.next()) {
            each(known_key(text, key)?, text.get(value.start()..value.end())?);
        }
        Some(())
    });
    if let Some(done) = by_tape {
        return done;
    }
    let mut at = inside(text, b'{', b'}')?;
    while at < text.len() {
        let (key, value, next) = member(text, at)?;
        each(key, value);
        at = next;
    }
    Some(())
}

/// Calls `each` with every raw item of a list. `None` if the text is no list; items before a fault
/// have been given then.
pub fn each_item<'a>(text: &'a str, mut each: impl FnMut(&'a str)) -> Option<()> {
    let by_tape = known(text.as_bytes(), |list| {
        starts_with(text, b'[')?;
        for item in list.children() {
            each(text.get(item.start()..item.end())?);
        }
        Some(())
    });
    if let Some(done) = by_tape {
        return done;
    }
    let mut at = inside(text, b'[', b']')?;
    while at < text.len() {
        let (item, next) = item(text, at, b']')?;
        each(item);
        at = next;
    }
    Some(())
}

/// The first raw items of a list, at most `max`. Empty for text that is no list; what is wrong behind
/// these items is not seen.
#[must_use]
pub fn first_items(text: &str, max: usize) -> Vec<&str> {
    let mut found = Vec::new();
    let Some(mut at) = inside(text, b'[', b']') else { return found };
    while at < text.len()
        && found.len() < max
        && let Some((item, next)) = item(text, at, b']')
    {
        found.push(item);
        at = next;
    }
    found
}

// The functions below are not generic: the two above are made once for every caller, and these are
// nearly all of the code.

fn starts_with(text: &str, bracket: u8) -> Option<()> {
    (text.as_bytes().first() == Some(&bracket)).then_some(())
}

fn known_key<'a>(text: &'a str, key: Known<'_>) -> Option<Cow<'a, str>> {
    Some(match key.escapes() {
        Escapes::None => Cow::Borrowed(text.get(key.start() + 1..key.end() - 1)?),
        _ => decode_string(text.get(key.start()..key.end())?),
    })
}

/// The offset of the first member or item; the length of the text if there is none.
fn inside(text: &str, open: u8, close: u8) -> Option<usize> {
    let bytes = text.as_bytes();
    let start = skip_space(bytes, 0);
    if *bytes.get(start)? != open {
        return None;
    }
    let first = skip_space(bytes, start + 1);
    Some(if *bytes.get(first)? == close { bytes.len() } else { first })
}

/// The key and the value of the member at an offset, and the offset of the next one; the length of
/// the text behind the last one.
fn member(text: &str, at: usize) -> Option<(Cow<'_, str>, &str, usize)> {
    let bytes = text.as_bytes();
    if *bytes.get(at)? != b'"' {
        return None;
    }
    let (key_end, escapes) = string_scan(bytes, at + 1)?;
    let key = match escapes {
        Escapes::None => Cow::Borrowed(text.get(at + 1..key_end - 1)?),
        _ => decode_string(text.get(at..key_end)?),
    };
    let colon = skip_space(bytes, key_end);
    if *bytes.get(colon)? != b':' {
        return None;
    }
    let (value, next) = item(text, skip_space(bytes, colon + 1), b'}')?;
    Some((key, value, next))
}

/// The value at an offset, and the offset of what follows behind the comma; the length of the text
/// behind the last one.
fn item(text: &str, at: usize, close: u8) -> Option<(&str, usize)> {
    let bytes = text.as_bytes();
    let end = value_end(bytes, at)?;
    let behind = skip_space(bytes, end);
    let next = match *bytes.get(behind)? {
        // Something must follow: at the end of the text nothing does.
        b',' => Some(skip_space(bytes, behind + 1)).filter(|next| *next < bytes.len())?,
        byte if byte == close => bytes.len(),
        _ => return None,
    };
    Some((text.get(at..end)?, next))
}

/// The offset after a value. Brackets are counted, not matched.
#[inline]
fn value_end(bytes: &[u8], start: usize) -> Option<usize> {
    match *bytes.get(start)? {
        b'"' => string_scan(bytes, start + 1).map(|(end, _)| end),
        b'{' | b'[' => Structure::default().close(bytes.get(start..)?).map(|len| start + len),
        _ => Some(run_end(bytes, start)).filter(|end| *end > start),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(text: &str) -> Option<Vec<(Cow<'_, str>, &str)>> {
        let mut found = Vec::new();
        each_member(text, |key, value| found.push((key, value))).map(|()| found)
    }

    fn items(text: &str) -> Option<Vec<&str>> {
        let mut found = Vec::new();
        each_item(text, |item| found.push(item)).map(|()| found)
    }

    #[test]
    fn members_and_items_are_given_as_they_stand() {
        let text = r#" {"a" : 1 ,"b\"":{"c":["}"]}, "a":"]\\"} "#;
        let expected = [("a", "1"), ("b\"", r#"{"c":["}"]}"#), ("a", r#""]\\""#)];
        let expected = expected.map(|(key, value)| (Cow::from(key), value));
        assert_eq!(members(text).unwrap(), expected);
        assert_eq!(items(r#"[ true,[[]], "," ,-1e5]"#).unwrap(), ["true", "[[]]", "\",\"", "-1e5"]);
        assert_eq!((members("{ }"), items(" [\n]")), (Some(vec![]), Some(vec![])));
    }

    #[test]
    fn other_text_is_none() {
        for text in
            ["", "[", "{", "null", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\":1]", "{a:1}"]
        {
            assert_eq!(members(text), None, "{text}");
        }
        assert_eq!(first_items("[1, {\"a\": 2}, 3", 2), ["1", "{\"a\": 2}"]);
        assert!(first_items("{}", 2).is_empty() && first_items("[]", 2).is_empty());
        for text in ["", "[", "{}", "[1", "[1,]", "[,1]", "[1}", "[\"]", "[{]"] {
            assert_eq!(items(text), None, "{text}");
        }
        assert_eq!(members(&format!("{{\"a\":{}", "[".repeat(1_000_000))), None);
    }
}
