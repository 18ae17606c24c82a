//! Rules for the sources of the page: no HTML from text, no words, no hidden state.

use std::path::Path;

use super::{files_below, has_extension, text_of, without_comments};

/// Code that would turn text into elements, or that the page's policy would refuse.
fn forbidden_in_ui(text: &str) -> Vec<&'static str> {
    let names = ["inner_html", "set_inner_html", "outer_html", "insert_adjacent_html", "srcdoc"];
    let mut found: Vec<_> = names.into_iter().filter(|name| text.contains(name)).collect();
    // Only `markup!` gives its elements the global class that keeps Leptos from using `innerHTML`.
    if text.replace("::leptos::view! {", "").contains("view! {") {
        found.push("view!");
    }
    // `style=` as an attribute; `style:height=` is fine.
    if [" style=", "\nstyle=", "\tstyle=", "\"style\""].iter().any(|name| text.contains(name)) {
        found.push("style=");
    }
    found
}

#[test]
fn the_page_makes_no_html_and_no_style_attributes() {
    let mut faults = Vec::new();
    for path in files_below("src/page") {
        let text = without_comments(&text_of(&path).expect("source is UTF-8"));
        for name in forbidden_in_ui(&text) {
            faults.push(format!("{}: {name}", path.display()));
        }
    }
    assert!(faults.is_empty(), "forbidden in src/page:\n{}", faults.join("\n"));
    assert_eq!(forbidden_in_ui("<p style=\"x\" inner_html=y>"), ["inner_html", "style="]);
    assert!(forbidden_in_ui("<p style:height=h class=\"styled\">").is_empty());
    assert_eq!(forbidden_in_ui("view! { <p/> }"), ["view!"]);
}

/// Leptos code that would be compiled again for each closure although `reactive` has a boxed form of it.
fn unboxed_in(text: &str) -> Vec<&'static str> {
    let names = ["Effect::new(move |_|", "Memo::new(move |_|", "Memo::new(move ||"];
    names.into_iter().filter(|name| text.contains(name)).collect()
}

/// Imports from Leptos for which `reactive` has a version that is compiled once.
fn of_leptos_in(text: &str) -> Vec<&'static str> {
    let imports = text.split("use crate::reactive::").nth(1).unwrap_or_default();
    let imports = imports.split(';').next().unwrap_or_default();
    let is_imported = |name: &str| imports.contains(name.trim_matches(['<', ':', ' ']));
    let names = ["<Show ", "RwSignal<", "RwSignal::", "Memo<", "Memo::"];
    names.into_iter().filter(|name| text.contains(name) && !is_imported(name)).collect()
}

#[test]
fn closures_of_the_page_are_boxed() {
    let mut faults = Vec::new();
    let is_own = |path: &Path| path.ends_with("reactive.rs") || path.ends_with("signals.rs");
    for path in files_below("src/page").iter().filter(|it| !is_own(it)) {
        let text = text_of(path).expect("source is UTF-8");
        let names = unboxed_in(&text).into_iter().chain(of_leptos_in(&text));
        faults.extend(names.map(|name| format!("{}: {name}", path.display())));
    }
    assert!(faults.is_empty(), "use src/page/reactive.rs:\n{}", faults.join("\n"));
    assert_eq!(unboxed_in("Memo::new(move |_| 1)"), ["Memo::new(move |_|"]);
    assert!(unboxed_in("Memo::new(move |before: Option<&u8>| 1)").is_empty());
    let own = "use crate::reactive::{Memo, Show};\n";
    assert_eq!(of_leptos_in(&format!("{own}a: RwSignal<u8>")), ["RwSignal<"]);
    assert!(of_leptos_in(&format!("{own}<Show when> a: Memo<u8>")).is_empty());
}

/// String literals of a file with two or more words, except names of classes and selectors.
fn wording_in(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('"') {
        let Some(end) = end_of_literal(after) else { break };
        let (literal, next) = after.split_at(end);
        rest = next.get(1..).unwrap_or_default();
        let is_name = before.ends_with("class=")
            || ["__", "--"].iter().any(|it| literal.contains(it))
            || literal.starts_with(['#', '.'])
            || before.ends_with(" d=");
        let is_word = |word: &&str| word.chars().filter(|it| it.is_alphabetic()).count() > 1;
        if !is_name && without_placeholders(literal).split_whitespace().filter(is_word).count() > 1
        {
            found.push(literal);
        }
    }
    found
}

/// A literal without the placeholders of `format!`.
fn without_placeholders(literal: &str) -> String {
    let parts = literal.split('{').map(|part| part.split_once('}').map_or(part, |(_, rest)| rest));
    parts.collect()
}

/// Where a string literal ends, from its first character.
fn end_of_literal(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    text.char_indices().find_map(|(at, letter)| {
        let ends = letter == '"' && !is_escaped;
        is_escaped = letter == '\\' && !is_escaped;
        ends.then_some(at)
    })
}

#[test]
fn the_page_has_no_words_of_its_own() {
    // A media query, and the messages of a crash, which the library parses.
    let exceptions = ["src/page/browser.rs", "src/page/client.rs"];
    let mut faults = Vec::new();
    for path in files_below("src/page") {
        let is_exception = exceptions.iter().any(|file| path == Path::new(file));
        if is_exception || !has_extension(&path, &["rs"]) {
            continue;
        }
        let text = without_comments(&text_of(&path).expect("source is UTF-8"));
        let wording = wording_in(&text);
        faults.extend(wording.iter().map(|words| format!("{}: {words}", path.display())));
    }
    assert!(faults.is_empty(), "words that belong into src/words:\n{}", faults.join("\n"));
    let text = r#"<p class="a row" title="Copy \"this\" run">"No hits"</p> id="x" "{a} of {b}" "#;
    assert_eq!(wording_in(text), [r#"Copy \"this\" run"#, "No hits"]);
}

#[test]
fn only_what_belongs_to_the_browser_page_is_thread_local() {
    let files = files_below("src/page").into_iter().filter(|path| has_extension(path, &["rs"]));
    let found: Vec<_> = files
        .filter(|path| text_of(path).expect("source is UTF-8").contains("thread_local!"))
        .collect();
    let known = ["app/history.rs", "opening/intake.rs", "opening/spare_worker.rs"];
    assert_eq!(found, known.map(|file| Path::new("src/page").join(file)));
}

/// The browser's ways out, by which a file or a text leaves the page.
const WAYS_OUT: [&str; 5] =
    ["browser::save", "browser::copy", "write_text", "set_download", "navigator.clipboard"];

#[test]
fn everything_leaves_through_one_sink() {
    let is_sink = |path: &Path| path.ends_with("app/handoff.rs") || path.ends_with("browser.rs");
    let mut faults = Vec::new();
    let mut has_sink = false;
    for path in files_below("src/page") {
        let text = without_comments(&text_of(&path).expect("source is UTF-8"));
        for name in WAYS_OUT.iter().filter(|name| text.contains(**name)) {
            if is_sink(&path) {
                has_sink = true;
            } else {
                faults.push(format!("{}: {name}", path.display()));
            }
        }
    }
    assert!(has_sink, "the sink has other names");
    assert!(faults.is_empty(), "around the sink:\n{}", faults.join("\n"));
}
