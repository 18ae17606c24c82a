//! Converts the notation of Node's `util.inspect`, which JavaScript consoles show, to JSON.
//!
//! Keys have no quotes, strings have any of three kinds of quotes and are joined with `+`, there is `undefined`, and
//! `[Object]` stands for values that are nested too deeply for the console.

use std::fmt::Write as _;

use traceloupe_core::number;

/// The longest class name before an object.
const MAX_CLASS_CHARS: usize = 100;

/// Deeper nesting than this is not converted.
const MAX_DEPTH: usize = 100;

/// Converts the object or the list at the beginning of a text to JSON. Also returns how many bytes of the text it
/// takes. `None` if there is none, or if it is nested deeper than 100 levels.
#[must_use]
pub fn inspected_to_json(text: &str) -> Option<(String, usize)> {
    let mut reader = Reader { text, at: 0, out: String::new() };
    text.starts_with(['{', '[']).then_some(())?;
    reader.value(0)?;
    Some((reader.out, reader.at))
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    out: String,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn eat(&mut self, token: &str) -> bool {
        let is_next = self.rest().starts_with(token);
        if is_next {
            self.at += token.len();
        }
        is_next
    }

    fn value(&mut self, depth: usize) -> Option<()> {
        if depth > MAX_DEPTH {
            return None;
        }
        self.skip_space();
        self.skip_class();
        let rest = self.rest();
        match rest.chars().next()? {
            '{' => self.members(depth),
            // A list has a space or its end after the bracket; `[Object]` does not.
            '[' if rest.get(1..)?.starts_with([' ', '\n', '\r', ']']) => self.items(depth),
            '\'' | '"' | '`' => self.joined(),
            _ => self.word(),
        }
    }

    /// The name of a class before a bracket, such as `Resource {`, `Array(2) [`, `[Object: null prototype] {` or `<ref *1> {`.
    fn skip_class(&mut self) {
        // Cut first: a line may be as long as the file, and every value of the line is checked for a class.
        let rest = self.rest();
        let end = rest.char_indices().nth(MAX_CLASS_CHARS).map_or(rest.len(), |(at, _)| at);
        let line = rest.get(..end).and_then(|it| it.split('\n').next()).unwrap_or_default();
        let before = match line.find(" {").into_iter().chain(line.find(" [ ")).min() {
            Some(open) => line.get(..open),
            None => line.trim_end().strip_suffix(" ["),
        };
        if let Some(class) = before.filter(|it| is_class(it)) {
            self.at += class.len() + 1;
        }
    }

    fn members(&mut self, depth: usize) -> Option<()> {
        self.between('{', '}', |reader| {
            reader.key()?;
            reader.out.push(':');
            reader.value(depth + 1)
        })
    }

    fn items(&mut self, depth: usize) -> Option<()> {
        self.between('[', ']', |reader| reader.value(depth + 1))
    }

    /// The items between two brackets, separated by commas.
    fn between(
        &mut self,
        opener: char,
        closer: char,
        mut item: impl FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        self.at += 1;
        self.out.push(opener);
        let mut is_first = true;
        loop {
            self.skip_space();
            if self.rest().starts_with(closer) {
                break;
            }
            if self.skip_more() {
                continue;
            }
            if !is_first {
                self.out.push(',');
            }
            is_first = false;
            item(self)?;
            self.after_item(closer)?;
        }
        self.at += 1;
        self.out.push(closer);
        Some(())
    }

    fn key(&mut self) -> Option<()> {
        let rest = self.rest();
        if rest.starts_with(['\'', '"']) {
            self.joined()?;
            self.skip_space();
            return (self.eat(":") || self.eat("=>")).then_some(());
        }
        let end = rest.find([':', '\n', '{', '}', ','])?;
        let key = rest.get(..end)?;
        if !rest.get(end..)?.starts_with(':') {
            return None;
        }
        self.out.push('"');
        key.chars().for_each(|it| self.push(it));
        self.out.push('"');
        self.at += end + 1;
        Some(())
    }

    /// The comma after an item; it is optional before the closing bracket.
    fn after_item(&mut self, closer: char) -> Option<()> {
        self.skip_space();
        (self.eat(",") || self.rest().starts_with(closer)).then_some(())
    }

    /// `... 3 more items`, if the console does not show all of them.
    fn skip_more(&mut self) -> bool {
        let is_more = self.rest().starts_with("... ");
        if is_more {
            let rest = self.rest();
            self.at += rest.find(['\n', ']', '}']).unwrap_or(rest.len());
        }
        is_more
    }

    /// A string, or several that are joined with `+`.
    fn joined(&mut self) -> Option<()> {
        self.out.push('"');
        loop {
            self.string()?;
            let end = self.at;
            if self.eat("... ") {
                let rest = self.rest();
                self.at += rest.find(['\n', ',', ']', '}']).unwrap_or(rest.len());
                self.push('…');
                break;
            }
            self.skip_space();
            if !self.eat("+") {
                self.at = end;
                break;
            }
            self.skip_space();
        }
        self.out.push('"');
        Some(())
    }

    fn string(&mut self) -> Option<()> {
        let quote = self.rest().chars().next().filter(|it| matches!(it, '\'' | '"' | '`'))?;
        self.at += 1;
        loop {
            let read = self.rest().chars().next()?;
            self.at += read.len_utf8();
            match read {
                _ if read == quote => return Some(()),
                '\\' => self.escape()?,
                other => self.push(other),
            }
        }
    }

    /// The rest of an escape whose backslash has been read.
    fn escape(&mut self) -> Option<()> {
        let kind = self.rest().chars().next()?;
        self.at += kind.len_utf8();
        let digits = match kind {
            'n' => return self.pushed('\n'),
            'r' => return self.pushed('\r'),
            't' => return self.pushed('\t'),
            'b' => return self.pushed('\u{8}'),
            'f' => return self.pushed('\u{c}'),
            'v' => return self.pushed('\u{b}'),
            'x' => 2,
            'u' => 4,
            other => return self.pushed(other),
        };
        let hex = self.rest().get(..digits)?;
        let code = u32::from_str_radix(hex, 16).ok()?;
        self.at += digits;
        // Halves of a surrogate pair stay JSON escapes.
        match char::from_u32(code) {
            Some(read) => self.push(read),
            None => write!(self.out, "\\u{code:04x}").ok()?,
        }
        Some(())
    }

    fn pushed(&mut self, read: char) -> Option<()> {
        self.push(read);
        Some(())
    }

    fn push(&mut self, read: char) {
        match read {
            '"' | '\\' => self.out.extend(['\\', read]),
            '\n' => self.out.push_str("\\n"),
            '\0'..'\u{20}' => self.out.push_str(&format!("\\u{:04x}", u32::from(read))),
            other => self.out.push(other),
        }
    }

    /// A number, `undefined`, `[Object]`, a date, or anything else up to the end of its item.
    fn word(&mut self) -> Option<()> {
        let rest = self.rest();
        let is_bracketed = rest.starts_with('[');
        let end = match is_bracketed {
            true => rest.find(']')? + 1,
            false => rest.find([',', '\n', ']', '}']).unwrap_or(rest.len()),
        };
        let word = rest.get(..end)?.trim_end();
        self.at += end;
        let digits = word.strip_suffix('n').unwrap_or(word);
        match word {
            "" => return None,
            "undefined" | "null" => self.out.push_str("null"),
            "true" | "false" => self.out.push_str(word),
            _ if number::is_number(digits.as_bytes()) => self.out.push_str(digits),
            _ => {
                self.out.push('"');
                word.chars().for_each(|it| self.push(it));
                self.out.push('"');
            }
        }
        Some(())
    }
}

/// Whether a text is the class before the bracket of an object or a list.
fn is_class(text: &str) -> bool {
    let is_name = |it: char| it.is_ascii_alphanumeric() || "_$ .<>()[]:*".contains(it);
    text.starts_with(|it: char| it.is_ascii_uppercase() || it == '[' || it == '<')
        && (!text.starts_with('[') || text.ends_with(']'))
        && text.chars().all(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_console_shows_becomes_json() {
        for (text, json) in [
            ("{ a: [ { b: 1 } ] }", r#"{"a":[{"b":1}]}"#),
            ("{ a: 1, 'b.c': 'x' }", r#"{"a":1,"b.c":"x"}"#),
            (
                "{\n  a: undefined,\n  b: null,\n  c: [ true, -1.5, 7n ]\n}",
                r#"{"a":null,"b":null,"c":[true,-1.5,7]}"#,
            ),
            (
                "{ a: [Object], b: [Array], c: [] , d: {} }",
                r#"{"a":"[Object]","b":"[Array]","c":[],"d":{}}"#,
            ),
            (
                "{ a: 'one\\n' +\n    'it\\'s', b: \"it's\", c: `\"it's\"` }",
                r#"{"a":"one\nit's","b":"it's","c":"\"it's\""}"#,
            ),
            (
                "{ a: Resource { b: 1 }, c: [Object: null prototype] { d: 2 } }",
                r#"{"a":{"b":1},"c":{"d":2}}"#,
            ),
            ("{\n  a: Array(2) [\n    1,\n    ... 1 more item\n  ]\n}", r#"{"a":[1]}"#),
            (
                "{ a: 'long'... 20 more characters, b: 2026-01-02T03:04:05.000Z }",
                r#"{"a":"long…","b":"2026-01-02T03:04:05.000Z"}"#,
            ),
            ("{ a: '\\x1B[0m', b: '\\u00e9' }", r#"{"a":"\u001b[0m","b":"é"}"#),
        ] {
            assert_eq!(inspected_to_json(text), Some((json.to_owned(), text.len())), "{text}");
            assert!(traceloupe_core::json::is_strict(json), "{json}");
        }
    }

    #[test]
    fn nothing_else_is_converted() {
        for text in ["", "x", "{ a", "{ a: [ { b", "{ a: 'cut", "{ a 1 }"] {
            assert_eq!(inspected_to_json(text), None, "{text}");
        }
        assert_eq!(inspected_to_json(&"{a: ".repeat(5000)), None);
    }
}
