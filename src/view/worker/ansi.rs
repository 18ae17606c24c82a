//! Removes terminal escape sequences, such as colours, from program output.

/// The text without escape sequences (ECMA-48): `ESC [ … letter`, `ESC ] … BEL`, `ESC letter`. A
/// sequence that does not end extends to the end of the text.
#[must_use]
pub fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(char) = rest.next() {
        if char != '\u{1b}' {
            plain.push(char);
            continue;
        }
        match rest.next() {
            Some('[') => {
                // Parameter and intermediate bytes sort before `@`; the final byte does not.
                rest.by_ref().find(|char| matches!(char, '@'..='~'));
            }
            Some(']') => skip_string(&mut rest),
            _ => {}
        }
    }
    plain
}

/// Skips an operating system command (a title, a link), which ends with BEL or `ESC \`.
fn skip_string(rest: &mut std::str::Chars<'_>) {
    while let Some(char) = rest.next() {
        match char {
            '\u{7}' => return,
            '\u{1b}' => {
                rest.next();
                return;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_are_removed_and_text_is_kept() {
        let cases = [
            ("\u{1b}[31mred\u{1b}[0m line\n", "red line\n"),
            ("\u{1b}[1;38;5;208mbold\u{1b}[m", "bold"),
            ("\u{1b}]8;;https://x\u{7}link\u{1b}]8;;\u{1b}\\.", "link."),
            ("a\u{1b}[2Kb\u{1b}Mc", "abc"),
            ("cut \u{1b}[31", "cut "),
            ("cut \u{1b}", "cut "),
            ("[31m stays", "[31m stays"),
        ];
        for (text, expected) in cases {
            assert_eq!(plain(text), expected, "{text:?}");
        }
    }
}
