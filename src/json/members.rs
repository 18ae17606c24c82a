//! The members of objects and the items of lists: passed over whole, strings by the quote.
//!
//! Made for text that has been validated. Other text does no harm, but what is wrong inside a value
//! is not seen: only what stands between the values is.

use super::scan::{run_end, skip_space, string_end};

/// Calls `each` with the raw key (in its quotes) and the raw value of every member of an object.
/// `None` if the text is no object; members before a fault have been given then.
pub fn each_member<'a>(text: &'a str, mut each: impl FnMut(&'a str, &'a str)) -> Option<()> {
    let bytes = text.as_bytes();
    let mut at = inside(bytes, b'{')?;
    if bytes.get(at) == Some(&b'}') {
        return Some(());
    }
    loop {
        if *bytes.get(at)? != b'"' {
            return None;
        }
        let key_end = string_end(bytes, at + 1)?;
        let colon = skip_space(bytes, key_end);
        if *bytes.get(colon)? != b':' {
            return None;
        }
        let start = skip_space(bytes, colon + 1);
        let end = value_end(bytes, start)?;
        each(text.get(at..key_end)?, text.get(start..end)?);
        match next(bytes, end, b'}')? {
            Some(key) => at = key,
            None => return Some(()),
        }
    }
}

/// Calls `each` with every raw item of a list. `None` if the text is no list; items before a fault
/// have been given then.
pub fn each_item<'a>(text: &'a str, mut each: impl FnMut(&'a str)) -> Option<()> {
    let bytes = text.as_bytes();
    let mut at = inside(bytes, b'[')?;
    if bytes.get(at) == Some(&b']') {
        return Some(());
    }
    loop {
        let end = value_end(bytes, at)?;
        each(text.get(at..end)?);
        match next(bytes, end, b']')? {
            Some(item) => at = item,
            None => return Some(()),
        }
    }
}

/// The offset of what stands first behind an opening bracket.
fn inside(bytes: &[u8], bracket: u8) -> Option<usize> {
    let start = skip_space(bytes, 0);
    (*bytes.get(start)? == bracket).then(|| skip_space(bytes, start + 1))
}

/// After a value: the offset of the next member or item, or nothing behind the last one.
#[inline]
#[expect(clippy::option_option, reason = "the outer one is a fault, the inner one the end")]
fn next(bytes: &[u8], end: usize, bracket: u8) -> Option<Option<usize>> {
    let at = skip_space(bytes, end);
    match *bytes.get(at)? {
        b',' => Some(Some(skip_space(bytes, at + 1))),
        byte if byte == bracket => Some(None),
        _ => None,
    }
}

/// The offset after a value. Brackets are counted, not matched.
#[inline]
fn value_end(bytes: &[u8], start: usize) -> Option<usize> {
    match *bytes.get(start)? {
        b'"' => string_end(bytes, start + 1),
        b'{' | b'[' => brackets_end(bytes, start),
        _ => Some(run_end(bytes, start)).filter(|end| *end > start),
    }
}

fn brackets_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = start;
    loop {
        match *bytes.get(at)? {
            b'"' => {
                at = string_end(bytes, at + 1)?;
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(text: &str) -> Option<Vec<(&str, &str)>> {
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
        let expected = [("\"a\"", "1"), (r#""b\"""#, r#"{"c":["}"]}"#), ("\"a\"", r#""]\\""#)];
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
        for text in ["", "[", "{}", "[1", "[1,]", "[,1]", "[1}", "[\"]", "[{]"] {
            assert_eq!(items(text), None, "{text}");
        }
        assert_eq!(members(&format!("{{\"a\":{}", "[".repeat(1_000_000))), None);
    }
}
