//! Syntax highlighting: comments, strings, numbers and keywords of the common languages. It works in one pass without a
//! grammar; colouring an identifier as a keyword by mistake does no harm.

/// The class of a piece of source code, which determines its colour.
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
    /// Names of the language after a Markdown fence, and extensions of its files.
    names: &'static [&'static str],
    line_comments: &'static [&'static str],
    block_comment: Option<(&'static str, &'static str)>,
    triple_quotes: bool,
    preprocessor: bool,
    /// Characters that enclose strings.
    quotes: &'static str,
    /// Keywords, separated by blanks.
    words: &'static str,
}

/// A language without rules, as a base for the others.
const BASE: Language = Language {
    names: &[],
    line_comments: &[],
    block_comment: None,
    triple_quotes: false,
    preprocessor: false,
    quotes: "\"'",
    words: "",
};

/// A language with C-style comments.
const C_LIKE: Language =
    Language { line_comments: &["//"], block_comment: Some(("/*", "*/")), ..BASE };

const LANGUAGES: [Language; 19] = [
    Language {
        names: &["python", "py", "triton", "pyi", "python3"],
        line_comments: &["#"],
        triple_quotes: true,
        words: "False None True and as assert async await break case class continue def del elif else except \
            finally for from global if import in is lambda match nonlocal not or pass raise return self try while with \
            yield",
        ..BASE
    },
    Language {
        names: &["cpp", "cuda", "c", "c++", "h", "hpp", "cc", "cu", "cuh", "cxx", "objc", "m"],
        preprocessor: true,
        words: "__device__ __global__ __host__ __restrict__ __shared__ auto bool break case char class const \
            constexpr continue default delete do double else enum extern false float for friend goto half if inline int \
            long namespace new noexcept nullptr operator override private protected public return short signed sizeof \
            static struct switch template this throw true try typedef typename union unsigned using virtual void while",
        ..C_LIKE
    },
    Language {
        names: &["rust", "rs"],
        // A single quote begins a lifetime as often as a character.
        quotes: "\"",
        words: "Err None Ok Self Some as async await break const continue crate dyn else enum extern false fn for if \
            impl in let loop match mod move mut pub ref return self static struct super trait true type unsafe use \
            where while",
        ..C_LIKE
    },
    Language {
        names: &[
            "javascript",
            "js",
            "jsx",
            "typescript",
            "ts",
            "tsx",
            "mjs",
            "cjs",
            "mts",
            "vue",
            "svelte",
        ],
        quotes: "\"'`",
        words: "abstract any as async await boolean break case catch class const continue debugger declare default \
            delete do else enum export extends false finally for from function get if implements import in instanceof \
            interface keyof let namespace never new null number of private protected public readonly return set static \
            string super switch this throw true try type typeof undefined unknown var void while with yield",
        ..C_LIKE
    },
    Language {
        names: &["go", "golang"],
        quotes: "\"'`",
        words: "bool break byte case chan const continue default defer else error fallthrough false for func go goto \
            if import int interface map nil package range return rune select string struct switch true type var",
        ..C_LIKE
    },
    Language {
        names: &["java", "kotlin", "kt", "kts", "scala", "groovy", "gradle"],
        words: "abstract as boolean break by case catch class companion const continue data def default do else enum \
            extends false final finally for fun if implements import in instanceof int interface internal is long new \
            null object open override package private protected public return sealed static super suspend switch this \
            throw throws trait true try val var void when while with yield",
        ..C_LIKE
    },
    Language {
        names: &["csharp", "cs", "c#", "fsharp", "fs"],
        words: "abstract as async await base bool break case catch class const continue decimal default do double \
            else enum event false finally for foreach get if in int interface internal is let long namespace new null \
            object out override params private protected public readonly record ref return sealed set static string \
            struct switch this throw true try using var virtual void while yield",
        ..C_LIKE
    },
    Language {
        names: &["swift", "dart"],
        words: "as async await break case catch class const continue default defer do else enum extension false \
            final for func guard if import in init let nil override private protocol public required return self \
            static struct super switch throw throws true try var void where while",
        ..C_LIKE
    },
    Language {
        names: &["php"],
        line_comments: &["//", "#"],
        words: "abstract and array as break case catch class const continue default do echo else elseif extends false \
            final fn for foreach function global if implements include instanceof interface match namespace new null \
            or private protected public readonly require return static switch this throw trait true try use while",
        ..C_LIKE
    },
    Language {
        names: &["ruby", "rb", "elixir", "ex", "exs", "crystal"],
        line_comments: &["#"],
        words: "alias and begin break case class def defmodule do else elsif end ensure false for if in include \
            module next nil not or private raise redo require rescue retry return self super then true undef unless \
            until use when while yield",
        ..BASE
    },
    Language {
        names: &[
            "bash",
            "sh",
            "shell",
            "zsh",
            "console",
            "dockerfile",
            "make",
            "makefile",
            "fish",
            "mk",
        ],
        line_comments: &["#"],
        words: "break case do done elif else esac exit export fi for function if in local return select set shift \
            then until while FROM RUN COPY ENV WORKDIR CMD ENTRYPOINT",
        ..BASE
    },
    Language {
        names: &["sql", "sqlite", "postgresql", "mysql"],
        line_comments: &["--"],
        block_comment: Some(("/*", "*/")),
        words: "ADD ALL ALTER AND AS ASC BETWEEN BY CASE COUNT CREATE DELETE DESC DISTINCT DROP ELSE END EXISTS FROM \
            GROUP HAVING IN INDEX INNER INSERT INTO IS JOIN KEY LEFT LIKE LIMIT NOT NULL ON OR ORDER OUTER PRIMARY \
            RIGHT SELECT SET TABLE THEN UNION UPDATE VALUES VIEW WHEN WHERE WITH add all alter and as asc between by \
            case count create delete desc distinct drop else end exists from group having in index inner insert into \
            is join key left like limit not null on or order outer primary right select set table then union update \
            values view when where with",
        ..BASE
    },
    Language {
        names: &["yaml", "yml", "toml", "ini", "cfg", "conf", "env", "properties"],
        line_comments: &["#", ";"],
        words: "true false null yes no on off",
        ..BASE
    },
    Language {
        names: &["json", "jsonc", "json5", "jsonl", "ndjson", "ipynb"],
        line_comments: &["//"],
        quotes: "\"",
        words: "true false null",
        ..BASE
    },
    Language {
        names: &["css", "scss", "less"],
        block_comment: Some(("/*", "*/")),
        words: "@media @import @layer @supports @keyframes @font-face important none auto inherit initial",
        ..BASE
    },
    Language {
        names: &["html", "xml", "svg", "xhtml"],
        block_comment: Some(("<!--", "-->")),
        quotes: "\"",
        ..BASE
    },
    Language {
        names: &["lua", "haskell", "hs", "elm"],
        line_comments: &["--"],
        words: "and break case class data do else elseif end false for function goto if import in instance let local \
            module nil not of or repeat return then true type until where while",
        ..BASE
    },
    Language {
        names: &["r", "julia", "jl", "perl", "pl", "nim", "tcl", "cmake"],
        line_comments: &["#"],
        words: "FALSE NULL TRUE and break do else elseif elsif end false for foreach function if in library local my \
            next not nothing or our package proc repeat return struct sub true unless until use using while",
        ..BASE
    },
    Language {
        names: &["clojure", "clj", "lisp", "scm", "el", "asm", "s"],
        line_comments: &[";"],
        quotes: "\"",
        words: "def defn defun fn if let nil",
        ..BASE
    },
];

/// The language of a file, as a name that [`highlight`] accepts; `None` if there are no rules for it.
#[must_use]
pub fn language_of(path: &str) -> Option<&'static str> {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let name = name.to_ascii_lowercase();
    let end = match name.rsplit_once('.') {
        Some((_, end)) => end,
        None => Some(name.as_str()).filter(|it| ["dockerfile", "makefile"].contains(it))?,
    };
    LANGUAGES.iter().flat_map(|it| it.names).find(|it| **it == end).copied()
}

/// How many pieces are classified. Each is drawn as an element, and browsers take long to draw tens of thousands of them.
const MAX_PIECES: usize = 5_000;

/// Splits source code into classified pieces that cover the whole text, in order. Text in an unknown language is one
/// piece, and so is the text behind many pieces.
#[must_use]
pub fn highlight<'a>(text: &'a str, language: &str) -> Vec<(CodeClass, &'a str)> {
    let name = language.to_ascii_lowercase();
    let Some(language) = LANGUAGES.iter().find(|it| it.names.contains(&name.as_str())) else {
        return vec![(CodeClass::Plain, text)];
    };
    let mut pieces: Vec<(CodeClass, &str)> = Vec::new();
    let (mut plain_from, mut at, mut line_is_blank) = (0, 0, true);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        if pieces.len() >= MAX_PIECES {
            break;
        }
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
    if language.line_comments.iter().any(|it| rest.starts_with(it)) {
        return (CodeClass::Comment, line_len());
    }
    if let Some((start, end)) = language.block_comment
        && let Some(inner) = rest.strip_prefix(start)
    {
        let len = inner.find(end).map(|at| start.len() + at + end.len());
        return (CodeClass::Comment, len.unwrap_or(rest.len()));
    }
    let Some(first) = rest.chars().next() else { return (CodeClass::Plain, 1) };
    if language.preprocessor && line_is_blank && first == '#' {
        // Only the directive itself: the rest of the line is code.
        let word = rest.get(1..).and_then(|rest| rest.find(|char: char| !char.is_alphanumeric()));
        return (CodeClass::Word, word.map_or(rest.len(), |len| len + 1));
    }
    if language.quotes.contains(first) {
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
        let word = rest.get(..len).unwrap_or_default();
        let is_word = language.words.split_ascii_whitespace().any(|it| it == word);
        return (if is_word { CodeClass::Word } else { CodeClass::Plain }, len);
    }
    (CodeClass::Plain, first.len_utf8())
}

/// The length of a string including its quotes. An unterminated string ends with its line.
fn string_len(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, char) in rest.char_indices().skip(1) {
        match char {
            // A template string can span lines.
            '\n' if !is_escaped && quote != '`' => return at,
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
    fn other_languages() {
        let text = "fn f<'a>(x: &'a str) {} // it's";
        let expected = [(Word, "fn"), (Plain, " f<'a>(x: &'a str) {} "), (Comment, "// it's")];
        assert_eq!(highlight(text, "Rust"), expected);
        let text = "const a = `x\n${b}`;";
        assert_eq!(highlight(text, "ts")[2], (Text, "`x\n${b}`"));
        assert_eq!(highlight("<!-- a\n--> b", "html")[0], (Comment, "<!-- a\n-->"));
        for (path, language) in [
            ("src/a.rs", Some("rs")),
            ("C:\\b\\C.PY", Some("py")),
            ("Dockerfile", Some("dockerfile")),
            ("notes.md", None),
            ("a.b/c", None),
        ] {
            assert_eq!(language_of(path), language, "{path}");
        }
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
        assert_eq!(highlight("def", "brainfuck"), [(Plain, "def")]);
    }
}
