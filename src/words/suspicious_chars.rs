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

/// A piece of text: its name if it is made of a character that has to be marked, and the text itself.
pub type Piece<'a> = (Option<String>, Cow<'a, str>);

/// How many pieces are marked one by one. Behind them, the numbers of characters are part of the text: each mark is an
/// element, and browsers take seconds to draw a hundred thousand of them.
const MAX_PIECES: usize = 1_000;

/// Splits a text at the characters that have to be marked. `None` if it has none, which is the usual case. The same
/// character several times in a row is one piece.
#[must_use]
pub fn pieces(text: &str) -> Option<Vec<Piece<'_>>> {
    let (mut pieces, rest) = split(text, MAX_PIECES)?;
    pieces.extend((!rest.is_empty()).then(|| (None, marked(rest))));
    Some(pieces)
}

/// The first pieces of a text, and the text behind them.
fn split(text: &str, max: usize) -> Option<(Vec<Piece<'_>>, &str)> {
    if text.is_ascii()
        && !text.bytes().any(|it| it.is_ascii_control() && it != b'\n' && it != b'\t')
    {
        return None;
    }
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    let (mut from, mut before) = (0, None);
    let mut chars = text.char_indices().peekable();
    while let Some((at, char)) = chars.next() {
        // A carriage return before a line feed is part of the line ending.
        let is_line_end = char == '\r' && text.get(at + 1..).is_some_and(|it| it.starts_with('\n'));
        if let Some(mut name) = name(char, before).filter(|_| !is_line_end) {
            if pieces.len() >= max {
                break;
            }
            let (mut end, mut n) = (at + char.len_utf8(), 1);
            while chars.next_if(|next| next.1 == char).is_some() {
                (end, n) = (end + char.len_utf8(), n + 1);
            }
            if n > 1 {
                name = name.replacen(' ', &format!("×{n} "), 1);
            }
            let own = text.get(from..at).filter(|it| !it.is_empty());
            pieces.extend(own.map(|it| (None, it.into())));
            pieces.extend(text.get(at..end).map(|it| (Some(name), it.into())));
            from = end;
        }
        before = Some(char);
    }
    (from > 0).then(|| (pieces, text.get(from..).unwrap_or_default()))
}

/// A text in which each character that has to be marked is replaced by its number: `⟨U+202E⟩`.
#[must_use]
pub fn marked(text: &str) -> Cow<'_, str> {
    let Some((pieces, rest)) = split(text, usize::MAX) else { return Cow::Borrowed(text) };
    let mut written = String::with_capacity(text.len());
    for (name, text) in &pieces {
        match name {
            Some(name) => {
                written.push('⟨');
                written.push_str(name.split(' ').next().unwrap_or_default());
                written.push('⟩');
            }
            None => written.push_str(text),
        }
    }
    Cow::Owned(written + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        let pieces = pieces(text).unwrap_or_default();
        let whole: String = pieces.iter().map(|it| it.1.as_ref()).collect();
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
    fn the_same_character_several_times_is_one_piece() {
        let text = "\u{200b}".repeat(500_000);
        assert_eq!(names(&text), ["U+200B×500000 zero-width space"]);
        assert_eq!(names("a\0\0b\0"), ["U+0000×2 control character", "U+0000 control character"]);
    }

    #[test]
    fn a_text_of_nothing_else_has_a_limited_number_of_pieces() {
        let text = "\u{202e}a\u{2066}b".repeat(100_000);
        let pieces = pieces(&text).unwrap();
        assert!(pieces.len() <= MAX_PIECES + 2, "{}", pieces.len());
        let (name, rest) = pieces.last().unwrap();
        assert_eq!(*name, None);
        assert!(rest.ends_with("⟨U+202E⟩a⟨U+2066⟩b"), "the rest is written with numbers");
        assert!(rest.chars().all(|char| super::name(char, None).is_none()));
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

    fn n_times(name: &str) -> usize {
        let code = name.split(' ').next().unwrap();
        code.split_once('×').map_or(1, |(_, n)| n.parse().unwrap())
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
            let marks: usize = names(text).iter().map(|name| n_times(name)).sum();
            assert!(marks >= n, "{}", file["file"]);
        }
        assert!(files.len() > 50);
    }
}
