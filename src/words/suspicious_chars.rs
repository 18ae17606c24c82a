//! Characters that the user cannot see, or that reorder the text around them. They are marked wherever trace text is
//! shown, so that text is what it appears to be (*Trojan Source*, CVE-2021-42574; invisible instructions in prompts).

use std::borrow::Cow;

/// The name of a character that has to be marked, given the preceding character. `None` for all others.
///
/// Joiners are marked only where they join nothing, because emoji and several scripts need them.
#[must_use]
pub fn name(char: char, before: Option<char>) -> Option<String> {
    let said = match char {
        '\t' | '\n' => return None,
        '\u{200c}' | '\u{200d}' if before.is_some_and(|it| !it.is_ascii() && !is_hidden(it)) => {
            return None;
        }
        '\u{fe00}'..='\u{fe0f}' if before.is_some_and(|it| !is_hidden(it)) => return None,
        '\u{200b}' => "zero-width space",
        '\u{200c}' => "zero-width non-joiner",
        '\u{200d}' => "zero-width joiner",
        '\u{2060}' => "word joiner",
        '\u{feff}' => "byte order mark",
        '\u{ad}' => "soft hyphen",
        '\u{200e}' => "left-to-right mark",
        '\u{200f}' => "right-to-left mark",
        '\u{61c}' => "Arabic letter mark",
        '\u{202a}' => "left-to-right embedding",
        '\u{202b}' => "right-to-left embedding",
        '\u{202c}' => "end of embedding",
        '\u{202d}' => "left-to-right override",
        '\u{202e}' => "right-to-left override",
        '\u{2066}' => "left-to-right isolate",
        '\u{2067}' => "right-to-left isolate",
        '\u{2068}' => "first strong isolate",
        '\u{2069}' => "end of isolate",
        '\u{2028}' => "line separator",
        '\u{2029}' => "paragraph separator",
        '\u{e0000}'..='\u{e007f}' => "tag character",
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => "variation selector",
        '\u{fffd}' => "replacement character",
        _ if is_hidden(char) => "invisible character",
        _ if char.is_control() => "control character",
        _ => return None,
    };
    Some(format!("U+{:04X} {said}", u32::from(char)))
}

/// Whether a character is drawn as nothing.
fn is_hidden(char: char) -> bool {
    matches!(char,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// A piece of text: its name if it is a character that has to be marked, and the text itself.
pub type Piece<'a> = (Option<String>, &'a str);

/// Splits a text at the characters that have to be marked. `None` if it has none, which is the usual case.
#[must_use]
pub fn pieces(text: &str) -> Option<Vec<Piece<'_>>> {
    if text.is_ascii()
        && !text.bytes().any(|it| it.is_ascii_control() && it != b'\n' && it != b'\t')
    {
        return None;
    }
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    let (mut from, mut before) = (0, None);
    for (at, char) in text.char_indices() {
        // A carriage return before a line feed is part of the line ending.
        let is_line_end = char == '\r' && text.get(at + 1..).is_some_and(|it| it.starts_with('\n'));
        if let Some(name) = name(char, before).filter(|_| !is_line_end) {
            let end = at + char.len_utf8();
            pieces.extend(text.get(from..at).filter(|it| !it.is_empty()).map(|it| (None, it)));
            pieces.extend(text.get(at..end).map(|it| (Some(name), it)));
            from = end;
        }
        before = Some(char);
    }
    if from == 0 {
        return None;
    }
    pieces.extend(text.get(from..).filter(|it| !it.is_empty()).map(|it| (None, it)));
    Some(pieces)
}

/// A text in which each character that has to be marked is replaced by its number: `⟨U+202E⟩`.
#[must_use]
pub fn marked(text: &str) -> Cow<'_, str> {
    let Some(pieces) = pieces(text) else { return Cow::Borrowed(text) };
    let written = |(name, text): &Piece<'_>| match name {
        Some(name) => format!("⟨{}⟩", name.split(' ').next().unwrap_or_default()),
        None => (*text).to_owned(),
    };
    Cow::Owned(pieces.iter().map(written).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        let pieces = pieces(text).unwrap_or_default();
        let whole: String = pieces.iter().map(|it| it.1).collect();
        assert!(pieces.is_empty() || whole == text);
        pieces.into_iter().filter_map(|it| it.0).collect()
    }

    #[test]
    fn what_cannot_be_seen_is_named() {
        assert_eq!(
            names("a\u{202e}b\u{2066}"),
            ["U+202E right-to-left override", "U+2066 left-to-right isolate"]
        );
        assert_eq!(names("pass\u{200b}word"), ["U+200B zero-width space"]);
        assert_eq!(names("a\u{e0041}"), ["U+E0041 tag character"]);
        assert_eq!(
            names("a\u{0}b\u{1b}[31m"),
            ["U+0000 control character", "U+001B control character"]
        );
        assert_eq!(names("a\u{200d}b"), ["U+200D zero-width joiner"]);
    }

    #[test]
    fn what_cannot_be_seen_can_be_written_as_its_number() {
        assert_eq!(marked("a\u{202e}b\u{0}"), "a⟨U+202E⟩b⟨U+0000⟩");
        assert_eq!(marked("a\nb"), "a\nb");
    }

    #[test]
    fn ordinary_text_is_left_alone() {
        for text in [
            "plain\n\ttext\r\n",
            "Grüße, мир, 你好",
            "👩\u{200d}🔬 ❤\u{fe0f}",
            "می\u{200c}خواهم",
            "",
        ] {
            assert_eq!(pieces(text), None, "{text}");
        }
    }

    /// Every file of the Trojan Source paper that contains such a character is marked.
    #[test]
    fn trojan_source() {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../../shared/hostile/trojan-source/trojan-source.json"
        );
        let Ok(bytes) = std::fs::read(path) else {
            println!("not run: hostile/trojan-source is not beside the project");
            return;
        };
        let files: Vec<serde_json::Value> = serde_json::from_slice(&bytes).unwrap();
        let is_odd = |char: char| matches!(char, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}'..='\u{200f}');
        for file in &files {
            let text = file["content"].as_str().unwrap();
            let n = text.chars().filter(|char| is_odd(*char)).count();
            assert!(names(text).len() >= n, "{}", file["file"]);
        }
        assert!(files.len() > 50);
    }
}
