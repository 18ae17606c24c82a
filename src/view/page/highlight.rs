//! Syntax highlighting: comments, strings, numbers and keywords. It works in one pass without a
//! grammar; an identifier that is wrongly coloured as a keyword does no harm.

/// The class of a piece of source code; decides its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CodeClass {
    /// Anything else.
    Plain,
    /// A comment.
    Comment,
    /// A string or a character.
    Text,
    /// A number.
    Number,
    /// A keyword or a preprocessor line.
    Word,
}

/// The lexical rules of a language.
struct Language {
    line_comment: &'static str,
    block_comment: bool,
    triple_quotes: bool,
    preprocessor: bool,
    words: &'static [&'static str],
}

const PYTHON: Language = Language {
    line_comment: "#",
    block_comment: false,
    triple_quotes: true,
    preprocessor: false,
    words: &[
        "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class",
        "continue", "def", "del", "elif", "else", "except", "finally", "for", "from", "global",
        "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return",
        "try", "while", "with", "yield",
    ],
};

const CPP: Language = Language {
    line_comment: "//",
    block_comment: true,
    triple_quotes: false,
    preprocessor: true,
    words: &[
        "__device__",
        "__global__",
        "__host__",
        "__restrict__",
        "__shared__",
        "auto",
        "bool",
        "break",
        "case",
        "char",
        "class",
        "const",
        "constexpr",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "extern",
        "false",
        "float",
        "for",
        "half",
        "if",
        "inline",
        "int",
        "long",
        "namespace",
        "nullptr",
        "return",
        "short",
        "signed",
        "sizeof",
        "static",
        "struct",
        "switch",
        "template",
        "this",
        "true",
        "typedef",
        "typename",
        "union",
        "unsigned",
        "using",
        "void",
        "while",
    ],
};

/// Splits source code into classified pieces that cover the whole text, in order. Text in an
/// unknown language is one piece.
#[must_use]
pub fn highlight<'a>(text: &'a str, language: &str) -> Vec<(CodeClass, &'a str)> {
    let language = match language {
        "python" | "triton" => &PYTHON,
        "cpp" | "cuda" | "c" | "c++" => &CPP,
        _ => return vec![(CodeClass::Plain, text)],
    };
    let mut pieces: Vec<(CodeClass, &str)> = Vec::new();
    let (mut plain_from, mut at, mut line_is_blank) = (0, 0, true);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let (class, len) = piece(rest, language, line_is_blank);
        let end = at + len.max(1);
        if class != CodeClass::Plain {
            if let Some(plain) = text.get(plain_from..at).filter(|plain| !plain.is_empty()) {
                pieces.push((CodeClass::Plain, plain));
            }
            pieces.extend(text.get(at..end).map(|piece| (class, piece)));
            plain_from = end;
        }
        let done = text.get(at..end).unwrap_or_default();
        line_is_blank = match done.rfind('\n') {
            Some(line) => done.get(line..).unwrap_or_default().trim().is_empty(),
            None => line_is_blank && done.trim().is_empty(),
        };
        at = end;
    }
    pieces.extend(
        text.get(plain_from..).filter(|it| !it.is_empty()).map(|it| (CodeClass::Plain, it)),
    );
    pieces
}

/// The class and length in bytes of the piece at the start of a text.
fn piece(rest: &str, language: &Language, line_is_blank: bool) -> (CodeClass, usize) {
    let line_len = || rest.find('\n').unwrap_or(rest.len());
    if rest.starts_with(language.line_comment) {
        return (CodeClass::Comment, line_len());
    }
    if language.block_comment && rest.starts_with("/*") {
        let end = rest.get(2..).and_then(|inner| inner.find("*/"));
        return (CodeClass::Comment, end.map_or(rest.len(), |end| end + 4));
    }
    let Some(first) = rest.chars().next() else { return (CodeClass::Plain, 1) };
    if language.preprocessor && line_is_blank && first == '#' {
        // Only the directive itself: what follows it is code.
        let word = rest.get(1..).and_then(|rest| rest.find(|char: char| !char.is_alphanumeric()));
        return (CodeClass::Word, word.map_or(rest.len(), |len| len + 1));
    }
    if matches!(first, '"' | '\'') {
        let triple = if first == '"' { "\"\"\"" } else { "'''" };
        if language.triple_quotes && rest.starts_with(triple) {
            let end = rest.get(3..).and_then(|inner| inner.find(triple));
            return (CodeClass::Text, end.map_or(rest.len(), |end| end + 6));
        }
        return (CodeClass::Text, string_len(rest, first));
    }
    let is_part = |char: char| char.is_alphanumeric() || char == '_';
    if first.is_ascii_digit() {
        let end = rest.find(|char: char| !is_part(char) && char != '.');
        return (CodeClass::Number, end.unwrap_or(rest.len()));
    }
    if is_part(first) {
        let len = rest.find(|char: char| !is_part(char)).unwrap_or(rest.len());
        let is_word = language.words.contains(&rest.get(..len).unwrap_or_default());
        return (if is_word { CodeClass::Word } else { CodeClass::Plain }, len);
    }
    (CodeClass::Plain, first.len_utf8())
}

/// The length of a string including its quotes. A string without a closing quote ends with its
/// line.
fn string_len(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, char) in rest.char_indices().skip(1) {
        match char {
            '\n' if !is_escaped => return at,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if char == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::CodeClass::{Comment, Number, Plain, Text, Word};
    use super::*;

    #[test]
    fn python() {
        let text =
            "import x  # é\n\ndef f(a):\n    \"\"\"two\nlines\"\"\"\n    return 'it\\'s' + 0x1f";
        let expected = [
            (Word, "import"),
            (Plain, " x  "),
            (Comment, "# é"),
            (Plain, "\n\n"),
            (Word, "def"),
            (Plain, " f(a):\n    "),
            (Text, "\"\"\"two\nlines\"\"\""),
            (Plain, "\n    "),
            (Word, "return"),
            (Plain, " "),
            (Text, "'it\\'s'"),
            (Plain, " + "),
            (Number, "0x1f"),
        ];
        assert_eq!(highlight(text, "python"), expected);
    }

    #[test]
    fn cuda() {
        let text = "#include <a.h>\nint x = 1.5f; // one\n  # if\n/* two\n*/ \"a\\\"b\" 'c' y#z";
        let expected = [
            (Word, "#include"),
            (Plain, " <a.h>\n"),
            (Word, "int"),
            (Plain, " x = "),
            (Number, "1.5f"),
            (Plain, "; "),
            (Comment, "// one"),
            (Plain, "\n  "),
            (Word, "#"),
            (Plain, " "),
            (Word, "if"),
            (Plain, "\n"),
            (Comment, "/* two\n*/"),
            (Plain, " "),
            (Text, "\"a\\\"b\""),
            (Plain, " "),
            (Text, "'c'"),
            (Plain, " y#z"),
        ];
        assert_eq!(highlight(text, "cuda"), expected);
    }

    #[test]
    fn nothing_of_any_text_is_lost() {
        let odd =
            ["", "\"", "'''", "/*", "\"\\", "0", "#", "é'ü\n\"ß", "'a\nb'", "\u{0}\u{fffd}", "1é"];
        for text in odd {
            for language in ["python", "cpp", "unknown", ""] {
                let whole: String = highlight(text, language).iter().map(|(_, it)| *it).collect();
                assert_eq!(whole, text, "{language}");
            }
        }
    }

    #[test]
    fn an_unknown_language_is_one_piece() {
        assert_eq!(highlight("def", "rust"), [(Plain, "def")]);
    }
}
