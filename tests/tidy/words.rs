//! No code reads a sentence, a title or a label: an enum holds the meaning, and words are made where they are shown.
//! This file checks that on the text of the source files.

use super::{files_below, has_extension, text_of};

/// Files through which our own sentences and titles pass; none of these texts may be compared.
const READERS: [&str; 5] =
    ["src/view", "src/session", "src/page", "src/analysis", "src/core/model"];

/// Words of producers that are compared, with the reason.
const WORDS_OF_FILES: [(&str, &str); 6] = [
    ("*** Begin Patch", "the first line of a patch, as Codex writes it"),
    ("*** End Patch", "the last line of such a patch"),
    ("*** End of File", "a mark in such a patch"),
    ("*** Move to: ", "a heading in such a patch"),
    ("Exit code ", "the first line of a failed command, as Claude Code writes it"),
    ("`", "the quote of template strings in scripts of agents"),
];

/// Where no sentence of ours is written: what travels is a value, and `words` makes the sentence.
const WITHOUT_SENTENCES: [&str; 9] = [
    "src/analysis",
    "src/claude-code",
    "src/converters",
    "src/core",
    "src/engine",
    "src/formats",
    "src/input",
    "src/protocol",
    "src/session",
];

/// Sentences that may be written there, by the beginning of their path, with the reason.
const SENTENCES_OF_OTHERS: [(&str, &str); 8] = [
    ("src/core/injected_context.rs", "words of programs, by which their context is known"),
    ("src/core/text/highlight.rs", "keywords of programming languages"),
    ("src/session/expectations/steps.rs", "the wording of AgentV, which must not differ"),
    ("src/session/expectations/trajectory.rs", "the wording of AgentV, which must not differ"),
    ("src/engine/shapes/tags.rs", "the words of a program about a command without output"),
    ("src/formats/aider.rs", "words of aider, by which its messages are known"),
    ("src/formats/gemini_cli.rs", "words of Gemini CLI, by which its conversations are known"),
    ("src/claude-code/index/user.rs", "words of Claude Code, by which its messages are known"),
];

/// Words that make a sentence of a label.
const VERBS: [&str; 22] = [
    "are", "be", "been", "came", "can", "cannot", "could", "did", "does", "had", "has", "have",
    "holds", "is", "may", "must", "needs", "not", "was", "were", "will", "wrote",
];

/// Methods that compare a text with their argument, or search it.
const COMPARING: [&str; 12] = [
    "contains",
    "ends_with",
    "eq",
    "eq_ignore_ascii_case",
    "find",
    "rfind",
    "rsplit_once",
    "split",
    "split_once",
    "starts_with",
    "strip_prefix",
    "strip_suffix",
];

/// A string literal in Rust code.
struct Literal {
    text: String,
    /// Its line, counted from 1.
    line: usize,
    /// The constructs around it, outermost first: the name before a parenthesis, or the bracket itself.
    around: Vec<String>,
    /// The last two characters of code before it, without `&` and parentheses.
    before: String,
    /// The code after it, without closing parentheses.
    after: String,
    /// The code after the list that contains it.
    after_list: String,
}

impl Literal {
    fn is_compared(&self) -> bool {
        let is_operator = |code: &str| code.starts_with("==") || code.starts_with("!=");
        let is_pattern = self.after.starts_with("=>")
            || self.after.starts_with("if ")
            || self.after.starts_with('|') && !self.after.starts_with("||");
        let is_sought = [".contains(", ".iter().any("];
        is_operator(&self.before)
            || is_operator(&self.after)
            || is_pattern
            || self.around.iter().any(|it| it == "matches!")
            || self.around.last().is_some_and(|it| COMPARING.contains(&it.as_str()))
            || is_sought.iter().any(|it| self.after_list.starts_with(it))
    }

    /// Whether it is a sentence or a title (words with a capital letter and a space), or the backtick that marks a name
    /// in one.
    fn is_sentence(&self) -> bool {
        let letters: Vec<char> = self.text.chars().collect();
        let is_beside = |pair: &[char]| match pair {
            [one, other] => {
                *one == ' ' && other.is_alphabetic() || one.is_alphabetic() && *other == ' '
            }
            _ => false,
        };
        self.text == "`"
            || letters.iter().any(|letter| letter.is_uppercase())
                && letters.windows(2).any(is_beside)
    }
}

impl Literal {
    /// Whether it is a whole sentence in English, which begins with a capital letter.
    fn is_whole_sentence(&self) -> bool {
        let words: Vec<&str> = self.text.split_whitespace().collect();
        self.text.starts_with(|first: char| first.is_ascii_uppercase())
            && words.len() >= 4
            && words.iter().any(|word| VERBS.contains(word))
    }
}

/// The string literals in code, and the character `'`'`. Comments are left out.
fn literals(code: &str) -> Vec<Literal> {
    let letters: Vec<char> = code.chars().collect();
    let (mut found, mut around): (Vec<Literal>, Vec<String>) = (Vec::new(), Vec::new());
    let (mut at, mut line) = (0, 1);
    let mut lists: Vec<(usize, usize)> = Vec::new();
    while let Some(letter) = letters.get(at).copied() {
        let rest = |from: usize| letters.iter().skip(from).take(40).collect::<String>();
        match letter {
            '\n' => line += 1,
            '/' if letters.get(at + 1) == Some(&'/') => {
                while letters.get(at + 1).is_some_and(|it| *it != '\n') {
                    at += 1;
                }
            }
            '\'' => {
                // A character; anything else is the name of a lifetime.
                let len = if letters.get(at + 1) == Some(&'\\') { 3 } else { 2 };
                if letters.get(at + len) == Some(&'\'') {
                    if letters.get(at + 1) == Some(&'`') {
                        found.push(literal(&letters, at, at + len, "`".to_owned(), line, &around));
                    }
                    at += len;
                }
            }
            '"' => {
                let start = at;
                let n_marks = letters.iter().take(at).rev().take_while(|it| **it == '#').count();
                let before = at.checked_sub(n_marks + 1).and_then(|it| letters.get(it));
                let is_raw = before == Some(&'r');
                at += 1;
                let mut text = String::new();
                let is_end = |at: usize| {
                    letters.get(at) == Some(&'"')
                        && (!is_raw
                            || letters.iter().skip(at + 1).take(n_marks).all(|it| *it == '#'))
                };
                let first = line;
                while at < letters.len() && !is_end(at) {
                    if letters.get(at) == Some(&'\\') && !is_raw {
                        at += 1;
                    }
                    text.extend(letters.get(at));
                    line += usize::from(letters.get(at) == Some(&'\n'));
                    at += 1;
                }
                if is_raw {
                    at += n_marks;
                }
                if around.last().is_some_and(|it| it == "[") {
                    lists.push((around.len(), found.len()));
                }
                found.push(literal(&letters, start, at, text, first, &around));
            }
            '(' => {
                let is_name = |it: &&char| it.is_alphanumeric() || matches!(**it, '_' | '!');
                let name: Vec<char> =
                    letters.iter().take(at).rev().take_while(is_name).copied().collect();
                around.push(name.into_iter().rev().collect());
            }
            '[' | '{' => around.push(letter.to_string()),
            ')' | ']' | '}' => {
                let after = rest(at + 1).trim_start().to_owned();
                for (_, index) in lists.iter().filter(|(depth, _)| *depth == around.len()) {
                    if let Some(literal) = found.get_mut(*index) {
                        literal.after_list.clone_from(&after);
                    }
                }
                lists.retain(|(depth, _)| *depth < around.len());
                around.pop();
            }
            _ => {}
        }
        at += 1;
    }
    found
}

fn literal(
    letters: &[char],
    start: usize,
    end: usize,
    text: String,
    line: usize,
    around: &[String],
) -> Literal {
    let is_kept = |it: &&char| !it.is_whitespace() && !matches!(**it, '&' | '(');
    let before: Vec<char> =
        letters.iter().take(start).rev().filter(is_kept).take(2).copied().collect();
    let after: String = letters.iter().skip(end + 1).take(40).collect();
    Literal {
        text,
        line,
        around: around.to_vec(),
        before: before.into_iter().rev().collect(),
        after: after.trim_start_matches(|it: char| it.is_whitespace() || it == ')').to_owned(),
        after_list: String::new(),
    }
}

/// The code of a file without its tests.
fn product_code(text: &str) -> &str {
    text.split_once("#[cfg(test)]\nmod ").map_or(text, |(code, _)| code)
}

/// The code files of folders, without tests.
fn product_files(folders: &[&str]) -> Vec<(String, String)> {
    let files = folders.iter().flat_map(|folder| files_below(folder));
    let files = files.filter(|path| has_extension(path, &["rs"]));
    let is_test = |path: &str| {
        path.ends_with("tests.rs") || path.contains("/tests/") || path.ends_with("testing.rs")
    };
    let files = files.map(|path| {
        let text = text_of(&path).unwrap_or_default();
        (path.display().to_string(), product_code(&text).to_owned())
    });
    files.filter(|(path, _)| !is_test(path)).collect()
}

/// The sentences and titles that code compares: line and text.
fn compared_sentences(code: &str) -> Vec<(usize, String)> {
    let found = literals(code).into_iter().filter(|it| it.is_sentence() && it.is_compared());
    found.map(|it| (it.line, it.text)).collect()
}

#[test]
fn no_code_reads_a_sentence() {
    let is_of_files = |text: &str| WORDS_OF_FILES.iter().any(|(words, _)| *words == text);
    let mut found = Vec::new();
    for (path, code) in product_files(&READERS) {
        let compared = compared_sentences(&code).into_iter().filter(|it| !is_of_files(&it.1));
        found.extend(compared.map(|(line, text)| format!("{path}:{line}: {text:?}")));
    }
    assert!(
        found.is_empty(),
        "compared with words, ask for a value instead:\n{}",
        found.join("\n")
    );
}

#[test]
fn the_search_for_compared_sentences_finds_them() {
    for code in [
        r#"if title == "Other fields" {}"#,
        r#"if "Other fields" != title {}"#,
        r#"matches!(block, Block::Text("Other fields", _))"#,
        r#"match title { "Other fields" => 1, _ => 2 }"#,
        r#"match title { Some("Other fields") if x => 1, _ => 2 }"#,
        r#"match title { "Other fields" | "x" => 1, _ => 2 }"#,
        r#"sentence.starts_with("Other fields")"#,
        r#"sentence.contains(&"Other fields")"#,
        r#"["Other fields", "x"].contains(&title)"#,
        r##"sentence.ends_with(r#"Other fields"#)"##,
        "sentence.split('`')",
    ] {
        assert_eq!(compared_sentences(code).len(), 1, "{code}");
    }
    for code in [
        r#"let title = "Other fields";"#,
        r#"match role { Role::Other => "Other fields", Role::State => "The state" }"#,
        r#"// title == "Other fields""#,
        r#"if key == "file_path" || key == "name" {}"#,
        r#"titles.push("Other fields"); let x = '"';"#,
        r#"fn a<'a>(it: &'a str) { say("Other fields") }"#,
    ] {
        assert_eq!(compared_sentences(code), [], "{code}");
    }
}

/// The sentences that code writes: line and text. Labels of roles and facts are none, nor is the reason of an attribute.
fn written_sentences(code: &str) -> Vec<(usize, String)> {
    let is_ours = |it: &Literal| {
        let is_label = is_first_in(it, &["value", "field", "Named", "Other"]);
        let is_reason = it.around.iter().any(|around| around == "expect" || around == "allow");
        it.is_whole_sentence() && !it.is_compared() && !is_label && !is_reason
    };
    literals(code).into_iter().filter(is_ours).map(|it| (it.line, it.text)).collect()
}

#[test]
fn sentences_are_written_in_words() {
    let (mut found, mut used) = (Vec::new(), Vec::new());
    for (path, code) in product_files(&WITHOUT_SENTENCES) {
        let written = written_sentences(&code);
        match SENTENCES_OF_OTHERS.iter().find(|(start, _)| path.starts_with(start)) {
            Some((start, _)) if !written.is_empty() => used.push(*start),
            Some(_) => {}
            None => {
                let written = written.into_iter();
                found.extend(written.map(|(line, text)| format!("{path}:{line}: {text:?}")));
            }
        }
    }
    assert!(found.is_empty(), "sentences outside of src/words:\n{}", found.join("\n"));
    let unused =
        SENTENCES_OF_OTHERS.iter().map(|(start, _)| *start).filter(|it| !used.contains(it));
    assert_eq!(unused.collect::<Vec<_>>(), [""; 0], "exceptions that nothing needs");
}

#[test]
fn the_search_for_written_sentences_finds_them() {
    for code in [
        r#"notes.push("The file was not read".to_owned())"#,
        r#"let what = format!("There are {n} files in it");"#,
        r#"const NOTE: &str = "Some values are redacted";"#,
    ] {
        assert_eq!(written_sentences(code).len(), 1, "{code}");
    }
    for code in [
        r#"words.starts_with("The file was not read")"#,
        r#"item.value("Answer that is not preferred", it)"#,
        r#"("Time to first token in seconds", "ttft")"#,
        r#"#[expect(clippy::x, reason = "The count is never that large")]"#,
        r#"// "The file was not read""#,
    ] {
        assert_eq!(written_sentences(code), [], "{code}");
    }
}

/// The words of an enum: the literals that the arms of its function return.
fn words_in(file: &str) -> Vec<String> {
    let text = text_of(std::path::Path::new(file)).unwrap_or_default();
    let given = literals(&text).into_iter().filter(|it| it.before == "=>" && !it.text.is_empty());
    given.map(|it| it.text).collect()
}

/// Whether a call or variant names something: the literal is its first argument.
fn is_first_in(literal: &Literal, names: &[&str]) -> bool {
    let name = literal.around.last().map_or("", String::as_str);
    let is_first = !matches!(literal.before.as_str(), it if it.ends_with(','));
    is_first && names.contains(&name)
}

#[test]
fn formats_name_roles_and_kinds_by_their_variants() {
    let (roles, kinds) = (words_in("src/words/roles.rs"), words_in("src/words/facts.rs"));
    assert!(roles.len() > 20 && kinds.len() > 10, "{roles:?} {kinds:?}");
    let of_roles = [
        "value",
        "log",
        "group",
        "members",
        "table",
        "Value",
        "Log",
        "Group",
        "Members",
        "Table",
        "Messages",
        "Referred",
        "Fields",
        "Text",
        "Json",
        "Diff",
        "Named",
        "OtherInput",
        "OtherOutput",
        "push_fields",
    ];
    let mut found = Vec::new();
    for (path, code) in
        product_files(&["src/claude-code", "src/engine", "src/formats", "src/session"])
    {
        for literal in literals(&code) {
            let is_role = roles.contains(&literal.text) && is_first_in(&literal, &of_roles);
            let is_kind =
                kinds.contains(&literal.text) && is_first_in(&literal, &["field", "Other"]);
            if is_role || is_kind {
                found.push(format!("{path}:{}: {:?}", literal.line, literal.text));
            }
        }
    }
    assert!(found.is_empty(), "there is a variant for it:\n{}", found.join("\n"));
}

#[test]
fn no_code_asks_for_a_label_of_a_format() {
    let mut found = Vec::new();
    for (path, code) in product_files(&READERS) {
        for literal in literals(&code) {
            let name = literal.around.last().map_or("", String::as_str);
            if ["Named", "OtherInput", "OtherOutput", "Other"].contains(&name) {
                found.push(format!("{path}:{}: {:?}", literal.line, literal.text));
            }
        }
    }
    assert!(found.is_empty(), "labels are only drawn:\n{}", found.join("\n"));
}

/// The constants and functions that a file of words offers.
fn offered_in(code: &str) -> Vec<&str> {
    let lines = code.lines().map(str::trim_start);
    let names = lines.filter_map(|line| {
        let rest = line.strip_prefix("pub const ").or_else(|| line.strip_prefix("pub fn "))?;
        rest.split(|it: char| !it.is_alphanumeric() && it != '_').next()
    });
    names.collect()
}

/// The compiler finds unused items within a package only, and all words are public.
#[test]
fn all_words_are_used() {
    let mut uses: std::collections::HashMap<String, usize> = std::collections::HashMap::new();
    for (_, code) in product_files(&["src"]) {
        for name in code.split(|it: char| !it.is_alphanumeric() && it != '_') {
            *uses.entry(name.to_owned()).or_default() += 1;
        }
    }
    let mut found = Vec::new();
    for (path, code) in product_files(&["src/words"]) {
        let unused = offered_in(&code).into_iter().filter(|name| uses.get(*name) == Some(&1));
        found.extend(unused.map(|name| format!("{path}: {name}")));
    }
    assert!(found.is_empty(), "nothing shows these words:\n{}", found.join("\n"));
    assert_eq!(
        offered_in("pub const A_B: &str = \"\";\npub fn said(n: u8) {}\nfn x() {}"),
        ["A_B", "said"]
    );
}

#[test]
fn what_tools_do_is_in_one_table() {
    // A single word may mean something else.
    let is_tool =
        |name: &str| name.contains('_') && traceloupe_core::tools::work_of(name).is_some();
    assert!(is_tool("read_file") && !is_tool("file_path"));
    let mut named: Vec<String> = Vec::new();
    for (path, code) in product_files(&["src/analysis", "src/page", "src/view", "src/words"]) {
        let tools = literals(&code).into_iter().filter(|it| is_tool(&it.text));
        named.extend(tools.map(|it| format!("{path}:{}: {}", it.line, it.text)));
    }
    assert!(named.is_empty(), "ask core/tools.rs instead:\n{}", named.join("\n"));
}
