//! Rewrites JSON as block-style YAML, item by item and without building a tree.

use traceloupe_core::json::{TokenKind, Tokens, decode_string_bytes};

use traceloupe_core::json::text::{compact, quoted};

/// Deeper values are written in flow style, which is JSON, because the total indentation grows with the square of the
/// depth.
const MAX_BLOCK_DEPTH: usize = 16;

/// Strings longer than this are always quoted or written as blocks.
const MAX_PLAIN_BYTES: usize = 120;

/// An open list or object.
struct Level {
    indent: usize,
    /// Whether the next child begins on the current line.
    is_inline: bool,
}

/// Appends a strict JSON value as one item of a top-level list (`- …`), with a line end.
pub fn write_item(json: &str, out: &mut String) {
    let bytes = json.as_bytes();
    let text_of = |start: usize, end: usize| json.get(start..end).unwrap_or_default();
    let mut levels = vec![Level { indent: 0, is_inline: true }];
    // Set inside a value written in flow style: its first byte and its depth.
    let mut flow: Option<(usize, u32)> = None;
    let mut after_key = false;
    let mut tokens = Tokens::new(bytes).peekable();
    while let Some(token) = tokens.next() {
        let is_end = matches!(token.kind, TokenKind::ObjectEnd | TokenKind::ArrayEnd);
        if let Some((start, depth)) = flow {
            if is_end && token.depth == depth {
                scalar_place(&mut levels, &mut after_key, out);
                out.push_str(&compact(text_of(start, token.end)));
                flow = None;
            }
            continue;
        }
        match token.kind {
            TokenKind::ObjectEnd | TokenKind::ArrayEnd => {
                levels.pop();
            }
            TokenKind::ObjectStart | TokenKind::ArrayStart => {
                let is_empty = tokens.peek().is_none_or(|next| {
                    matches!(next.kind, TokenKind::ObjectEnd | TokenKind::ArrayEnd)
                });
                if is_empty || levels.len() > MAX_BLOCK_DEPTH {
                    flow = Some((token.start, token.depth));
                    continue;
                }
                let was_key = std::mem::take(&mut after_key);
                let indent = levels.last().map_or(0, |it| it.indent);
                if !was_key {
                    dash(&mut levels, out);
                }
                levels.push(Level { indent: indent + 2, is_inline: !was_key });
            }
            TokenKind::Key => {
                begin_line(&mut levels, out);
                let key = decode_string_bytes(text_of(token.start, token.end).as_bytes());
                out.push_str(&one_line(&key));
                out.push(':');
                after_key = true;
            }
            TokenKind::String => {
                let indent = levels.last().map_or(0, |it| it.indent) + 2;
                scalar_place(&mut levels, &mut after_key, out);
                let text = decode_string_bytes(text_of(token.start, token.end).as_bytes());
                string(&text, indent, out);
            }
            _ => {
                scalar_place(&mut levels, &mut after_key, out);
                out.push_str(text_of(token.start, token.end));
            }
        }
    }
    out.push('\n');
}

/// Writes what comes before a value on its line: after a key or after a dash.
fn scalar_place(levels: &mut [Level], after_key: &mut bool, out: &mut String) {
    if std::mem::take(after_key) {
        out.push(' ');
    } else {
        dash(levels, out);
    }
}

fn dash(levels: &mut [Level], out: &mut String) {
    begin_line(levels, out);
    out.push_str("- ");
}

fn begin_line(levels: &mut [Level], out: &mut String) {
    let Some(level) = levels.last_mut() else { return };
    if !std::mem::take(&mut level.is_inline) {
        out.push('\n');
        out.extend(std::iter::repeat_n(' ', level.indent));
    }
}

/// Writes a string: plain if that is unambiguous, as a literal block if it has several lines,
/// otherwise quoted.
fn string(text: &str, indent: usize, out: &mut String) {
    if !is_block(text) {
        return out.push_str(&one_line(text));
    }
    out.push_str(if text.ends_with('\n') { "|" } else { "|-" });
    for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
        out.push('\n');
        if !line.is_empty() {
            out.extend(std::iter::repeat_n(' ', indent));
            out.push_str(line);
        }
    }
}

/// Whether text can be a literal block, that is, whether YAML parsers return its lines unchanged.
fn is_block(text: &str) -> bool {
    let is_odd = |it: char| (it.is_control() && it != '\n') || is_special(it);
    let starts_well = text.chars().next().is_some_and(|it| !it.is_whitespace());
    let ends_well = !text.ends_with("\n\n") && text.lines().all(|line| !line.ends_with(' '));
    text.contains('\n') && starts_well && ends_well && !text.chars().any(is_odd)
}

fn one_line(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    let mut out = String::new();
    for letter in quoted(text).chars() {
        if letter == '\u{7f}' || is_special(letter) {
            out.push_str(&format!("\\u{:04x}", u32::from(letter)));
        } else {
            out.push(letter);
        }
    }
    out
}

/// Characters that YAML treats as line ends or does not allow unescaped.
fn is_special(letter: char) -> bool {
    matches!(
        letter,
        '\u{80}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
    )
}

/// Words that some version of YAML does not parse as strings.
const WORDS: [&str; 11] =
    ["true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"];

fn is_plain(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./ ".contains(&byte);
    text.len() <= MAX_PLAIN_BYTES
        && text.bytes().next().is_some_and(|it| it.is_ascii_alphabetic() || it == b'_')
        && text.bytes().all(is_letter)
        && !text.ends_with(' ')
        && !WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn yaml(json: &str) -> String {
        let mut out = String::new();
        write_item(json, &mut out);
        out
    }

    #[test]
    fn block_style_as_the_design_of_agentv_has_it() {
        let json = r#"{"role":"assistant","tool_calls":[{"tool":"getWeather","input":{"city":"NYC"},"output":"72°F"},{"tool":"getTime","input":{},"output":["14:30",1]}]}"#;
        let expected = "\
- role: assistant
  tool_calls:
    - tool: getWeather
      input:
        city: NYC
      output: \"72°F\"
    - tool: getTime
      input: {}
      output:
        - \"14:30\"
        - 1
";
        assert_eq!(yaml(json), expected);
        assert_eq!(yaml("1"), "- 1\n");
        assert_eq!(yaml("[]"), "- []\n");
        assert_eq!(yaml("[[1,[2]],3]"), "- - - 1\n    - - 2\n  - 3\n");
    }

    #[test]
    fn strings_that_could_mean_something_else_are_quoted() {
        for text in [
            "",
            " a",
            "a ",
            "true",
            "No",
            "1",
            "1e3",
            "2024-01-01",
            "a: b",
            "a #b",
            "- a",
            "{a}",
            "~",
            "null",
            "@a",
            "é",
            "a\tb",
        ] {
            let out = yaml(&quoted(text));
            assert_eq!(out, format!("- {}\n", quoted(text)), "{text}");
        }
        assert_eq!(yaml("\"a/b c.d-e_f\""), "- a/b c.d-e_f\n");
        assert_eq!(yaml("{\"a: b\":1}"), "- \"a: b\": 1\n");
        assert_eq!(yaml("\"a\u{2028}b\u{85}\""), "- \"a\\u2028b\\u0085\"\n");
    }

    #[test]
    fn lines_become_a_block() {
        assert_eq!(yaml(r#"{"text":"a\n\n  b"}"#), "- text: |-\n    a\n\n      b\n");
        assert_eq!(yaml(r#"["a\nb\n",1]"#), "- - |\n    a\n    b\n  - 1\n");
        assert_eq!(yaml(r#""a\nb\n\n""#), "- \"a\\nb\\n\\n\"\n");
        assert_eq!(yaml(r#""a \nb""#), "- \"a \\nb\"\n");
        assert_eq!(yaml(r#"" a\nb""#), "- \" a\\nb\"\n");
    }

    #[test]
    fn depth_costs_neither_stack_nor_indentation() {
        let deep = format!("{}1{}", "[".repeat(50_000), "]".repeat(50_000));
        let out = yaml(&deep);
        assert!(out.len() < 101_000, "{}", out.len());
        assert!(out.contains(&"[".repeat(49_000)));
    }

    proptest::proptest! {
        /// Reading the output as YAML gives the input.
        #[test]
        fn what_is_written_is_read_back(texts in proptest::collection::vec(".{0,24}", 1..6), lines in "[a-z #:\\-\n\"']{0,30}", n in proptest::prelude::any::<i64>()) {
            let values: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
            let keyed = format!("{{{}:{n},\"lines\":{},\"in\":[{{\"a\":[]}},{}]}}", quoted(&texts[0]), quoted(&lines), values.join(","));
            let json = format!("[{keyed},[{}],{}]", values.join(","), quoted(&lines));
            let mut read = Vec::new();
            let fault = traceloupe_converters::yaml_to_json(&yaml(&json), &mut |json| read.push(json.to_owned()));
            proptest::prop_assert_eq!(fault, None, "{}", yaml(&json));
            let same = |json: &str| serde_json::from_str::<serde_json::Value>(json).unwrap();
            proptest::prop_assert_eq!(same(&read[0]), same(&format!("[{json}]")), "{}", yaml(&json));
        }
    }
}
