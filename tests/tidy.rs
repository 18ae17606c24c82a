//! The borders of the house, checked on the text of the files: who may know whom, where colours
//! stand, how long a file may be, and what may never be written.

// A test may panic; clippy takes the helpers of a test file for product code.
#![allow(clippy::expect_used)]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// Layer, and what it may use: a whole layer, or one module of it.
const LAYERS: &[(&str, &[&str])] = &[
    ("order", &[]),
    ("notice", &[]),
    ("json", &["order", "notice"]),
    ("input", &["order", "notice", "json"]),
    ("model", &["order", "notice"]),
    ("search", &["order", "json"]),
    ("formats", &["order", "notice", "json", "input", "model"]),
    ("analysis", &["order", "model"]),
    ("view", &["order", "notice", "json", "model", "analysis", "search"]),
    ("export", &["order", "notice", "json", "input", "model", "analysis", "view"]),
    (
        "session",
        &[
            "order", "notice", "json", "input", "model", "search", "formats", "analysis", "view",
            "export",
        ],
    ),
    ("worker", &["order", "session", "model"]),
    (
        "ui",
        &[
            "order",
            "view",
            "session::protocol",
            "session::known_formats",
            "session::format_name",
            "session::crashed",
            "worker::client",
            "model",
            "search",
        ],
    ),
];

const LONGEST_FILE: usize = 600;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files below a folder of the repository (or the file itself), by their path in it.
fn files_below(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = vec![root().join(folder)];
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).expect("a folder of the repository can be read");
            waiting.extend(entries.map(|entry| entry.expect("an entry can be read").path()));
        } else if path.is_file() {
            found.push(path.strip_prefix(root()).expect("inside the repository").to_owned());
        }
    }
    found.sort();
    found
}

/// Everything that is ours and text: not the build, not the fixtures.
fn own_files() -> Vec<PathBuf> {
    let top = fs::read_dir(root()).expect("the repository can be read");
    let skipped = [".git", "target", "dist", "node_modules", "Cargo.lock"];
    let mut found = Vec::new();
    for entry in top {
        let name = entry.expect("an entry can be read").file_name();
        let name = name.to_str().expect("names are UTF-8").to_owned();
        if !skipped.contains(&name.as_str()) {
            found.extend(files_below(&name));
        }
    }
    let is_data = |path: &Path| {
        path.starts_with("tests/fixtures")
            || path.starts_with("public/samples")
            || path.starts_with("tests/e2e/out")
    };
    found.retain(|path| !is_data(path));
    found
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension().and_then(|it| it.to_str()).is_some_and(|it| extensions.contains(&it))
}

fn text_of(path: &Path) -> Option<String> {
    String::from_utf8(fs::read(root().join(path)).expect("a listed file can be read")).ok()
}

/// The text without its line comments: a rule is about code.
fn without_comments(text: &str) -> String {
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// What a file takes from its own crate, as `layer` or `layer::module`: every path that begins with
/// `crate::` or `traceloupe::`, with the groups in braces taken apart.
fn crate_paths(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for start in ["crate::", "traceloupe::"] {
        for (at, _) in text.match_indices(start) {
            let before = text.get(..at).and_then(|before| before.chars().next_back());
            if before.is_some_and(|it| it.is_alphanumeric() || it == '_' || it == '$') {
                continue;
            }
            let rest = text.get(at + start.len()..).unwrap_or_default();
            for path in spread(rest) {
                found.insert(path);
            }
        }
    }
    found
}

/// The paths of one `use` tree, cut to two names: `a::b`, and for `{a::{b, c}, d}` `a::b`, `a::c`,
/// and `d`.
fn spread(tree: &str) -> Vec<String> {
    let mut done = Vec::new();
    let mut prefixes: Vec<Vec<String>> = Vec::new();
    let mut path: Vec<String> = Vec::new();
    let mut word = String::new();
    let keep = |path: &[String], done: &mut Vec<String>| {
        if let Some(first) = path.first() {
            done.push(
                path.get(1).map_or_else(|| first.clone(), |second| format!("{first}::{second}")),
            );
        }
    };
    for letter in tree.chars() {
        if letter.is_alphanumeric() || letter == '_' || letter == '*' {
            word.push(letter);
            continue;
        }
        if !word.is_empty() {
            path.push(std::mem::take(&mut word));
        }
        match letter {
            ':' => {}
            ' ' | '\n' if !prefixes.is_empty() => {}
            '{' => prefixes.push(path.clone()),
            ',' | '}' if !prefixes.is_empty() => {
                keep(&path, &mut done);
                path = prefixes.last().cloned().unwrap_or_default();
                if letter == '}' {
                    prefixes.pop();
                    path.clear();
                    if prefixes.is_empty() {
                        return done;
                    }
                }
            }
            _ => break,
        }
    }
    if !word.is_empty() {
        path.push(word);
    }
    keep(&path, &mut done);
    done
}

fn layer_of(path: &Path) -> Option<&str> {
    let name = path.strip_prefix("src").ok()?.iter().next()?.to_str()?;
    Some(name.strip_suffix(".rs").unwrap_or(name))
}

/// The paths that a layer may not use, of those it uses.
fn strangers(layer: &str, used: &BTreeSet<String>) -> Vec<String> {
    let Some((_, allowed)) = LAYERS.iter().find(|(name, _)| *name == layer) else {
        return Vec::new();
    };
    let known = |first: &str| LAYERS.iter().any(|(name, _)| *name == first);
    let admitted = |path: &str| {
        let first = path.split("::").next().unwrap_or(path);
        first == layer || !known(first) || allowed.contains(&first) || allowed.contains(&path)
    };
    used.iter().filter(|path| !admitted(path)).cloned().collect()
}

#[test]
fn layers_know_only_those_below_them() {
    let mut faults = Vec::new();
    for path in files_below("src") {
        if !has_extension(&path, &["rs"]) {
            continue;
        }
        let layer = layer_of(&path).expect("a file below src has a layer").to_owned();
        // The roots of the packages, and what tests the page.
        if ["lib", "main", "page"].contains(&layer.as_str()) {
            continue;
        }
        let is_listed = LAYERS.iter().any(|(name, _)| *name == layer);
        assert!(is_listed, "{} is in no layer of this test", path.display());
        let text = text_of(&path).expect("source is UTF-8");
        for stranger in strangers(&layer, &crate_paths(&without_comments(&text))) {
            faults.push(format!("{} uses crate::{stranger}", path.display()));
        }
    }
    assert!(faults.is_empty(), "layers that know too much:\n{}", faults.join("\n"));
}

#[test]
fn the_scan_of_layers_finds_what_is_hidden_in_groups() {
    let text = "use crate::{\n    model::{Event, Trace},\n    session::protocol::Request, input,\n};\n\
                use crate::formats::Format; fn f(x: crate::analysis::Finding) {}";
    let used = crate_paths(text);
    let expected = [
        "analysis::Finding",
        "formats::Format",
        "input",
        "model::Event",
        "model::Trace",
        "session::protocol",
    ];
    assert_eq!(used.iter().map(String::as_str).collect::<Vec<_>>(), expected);
    assert_eq!(strangers("ui", &used), ["analysis::Finding", "formats::Format", "input"]);
    assert_eq!(strangers("model", &used).len(), 4);
    assert_eq!(strangers("ui", &crate_paths("use crate::session::Session;")), ["session::Session"]);
    assert_eq!(spread("{a::{b, c}, d::e::f}"), ["a::b", "a::c", "d::e"]);
}

/// The first thing in a line that is a colour by value.
fn colour_in(line: &str) -> Option<&str> {
    for name in ["rgb(", "rgba(", "hsl(", "hsla(", "oklch(", "oklab(", "light-dark("] {
        if let Some(at) = line.find(name) {
            // A wrapper around tokens is no literal.
            let inside = line.get(at + name.len()..).unwrap_or_default();
            if name != "light-dark(" || !inside.trim_start().starts_with("var(") {
                return line.get(at..);
            }
        }
    }
    line.match_indices('#').find_map(|(at, _)| {
        let digits = line.get(at + 1..).unwrap_or_default();
        let length = digits.chars().take_while(char::is_ascii_hexdigit).count();
        let next = digits.chars().nth(length);
        let is_whole = !next.is_some_and(|it| it.is_alphanumeric() || it == '-' || it == '_');
        ([3, 4, 6, 8].contains(&length) && is_whole).then(|| line.get(at..)).flatten()
    })
}

#[test]
fn colours_stand_in_the_tokens_alone() {
    let mut faults = Vec::new();
    for path in files_below("style").into_iter().chain(files_below("src/ui")) {
        if path.ends_with("style/tokens.css") || !has_extension(&path, &["css", "rs"]) {
            continue;
        }
        let text = without_comments(&text_of(&path).expect("source is UTF-8"));
        faults.extend(text.lines().filter_map(|line| {
            colour_in(line).map(|colour| format!("{}: {colour}", path.display()))
        }));
    }
    assert!(faults.is_empty(), "colours outside style/tokens.css:\n{}", faults.join("\n"));
}

#[test]
fn the_scan_of_colours_knows_a_colour() {
    for line in
        ["color: #fff;", "x: #12345678", "rgb(1 2 3)", "hsl(1deg 2% 3%)", "light-dark(red, blue)"]
    {
        assert!(colour_in(line).is_some(), "{line}");
    }
    for line in
        ["#frame {", "color: var(--ink)", "light-dark(var(--a), var(--b))", "#fade-in {", "r#\"x"]
    {
        assert!(colour_in(line).is_none(), "{line}");
    }
}

#[test]
fn no_file_is_too_long() {
    let mut faults = Vec::new();
    for path in own_files() {
        if !has_extension(&path, &["rs", "css", "js", "mjs", "sh", "html"]) {
            continue;
        }
        let lines = text_of(&path).expect("source is UTF-8").lines().count();
        if lines > LONGEST_FILE {
            faults.push(format!("{}: {lines} lines", path.display()));
        }
    }
    assert!(faults.is_empty(), "files above {LONGEST_FILE} lines:\n{}", faults.join("\n"));
}

/// What would turn text into elements, or be refused by the page's policy.
fn forbidden_in_ui(text: &str) -> Vec<&'static str> {
    let names = ["inner_html", "set_inner_html", "outer_html", "insert_adjacent_html", "srcdoc"];
    let mut found: Vec<_> = names.into_iter().filter(|name| text.contains(name)).collect();
    // `style=` as an attribute; `style:height=` is fine.
    if [" style=", "\nstyle=", "\tstyle=", "\"style\""].iter().any(|name| text.contains(name)) {
        found.push("style=");
    }
    found
}

#[test]
fn the_page_makes_no_html_and_no_style_attributes() {
    let mut faults = Vec::new();
    for path in files_below("src/ui") {
        let text = without_comments(&text_of(&path).expect("source is UTF-8"));
        for name in forbidden_in_ui(&text) {
            faults.push(format!("{}: {name}", path.display()));
        }
    }
    assert!(faults.is_empty(), "forbidden in src/ui:\n{}", faults.join("\n"));
    assert_eq!(forbidden_in_ui("<p style=\"x\" inner_html=y>"), ["inner_html", "style="]);
    assert!(forbidden_in_ui("<p style:height=h class=\"styled\">").is_empty());
}

#[test]
fn no_file_names_this_machine() {
    // Put together here, so that this file does not hold them.
    let paths = [["/ro", "ot/"].concat(), ["/wo", "rk/"].concat(), ["/ho", "me/"].concat()];
    let mut faults = Vec::new();
    for path in own_files() {
        let Some(text) = text_of(&path) else { continue };
        for name in &paths {
            let is_there = text.match_indices(name.as_str()).any(|(at, _)| {
                let before = text.get(..at).and_then(|before| before.chars().next_back());
                !before.is_some_and(|it| it.is_alphanumeric() || "/.-_~".contains(it))
            });
            if is_there {
                faults.push(format!("{}: {name}", path.display()));
            }
        }
    }
    assert!(faults.is_empty(), "machine paths:\n{}", faults.join("\n"));
}

#[test]
fn packages_come_from_the_public_registry_alone() {
    let lock = text_of(Path::new("Cargo.lock")).expect("a lock file is UTF-8");
    let public = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";
    for line in lock.lines().filter(|line| line.starts_with("source = ")) {
        assert_eq!(line, public);
    }
    let config = text_of(Path::new(".cargo/config.toml")).expect("settings are UTF-8");
    for section in ["[source", "[registr", "replace-with"] {
        assert!(!config.contains(section), ".cargo/config.toml names a registry: {section}");
    }
    let settings: Vec<_> =
        own_files().into_iter().filter(|path| path.ends_with(".npmrc")).collect();
    assert!(settings.is_empty(), "{settings:?}");
}

/// The table of formats as the readme must have it.
fn table_of_formats() -> String {
    let cell = |text: &str| text.replace('|', "\\|").replace('<', "\\<");
    let rows =
        traceloupe::session::known_formats().into_iter().map(|[_, name, of_it, at, docs]| {
            format!("| [{}]({docs}) | {} | {} |\n", cell(name), cell(of_it), cell(at))
        });
    let head = "| Format | What of it | Where such files are |\n| --- | --- | --- |\n";
    format!("{head}{}", rows.collect::<String>())
}

#[test]
fn the_table_of_formats_is_that_of_the_registry() {
    let readme = text_of(Path::new("README.md")).expect("the readme is UTF-8");
    let after = readme.split_once("<!-- formats -->\n").expect("the table has a beginning").1;
    let written = after.split_once("<!-- /formats -->").expect("the table has an end").0;
    let wanted = table_of_formats();
    assert!(written == wanted, "README.md must have this table between its marks:\n{wanted}");
}

#[test]
fn links_of_the_readmes_lead_somewhere() {
    let mut faults = Vec::new();
    let mut seen = 0;
    for path in own_files().into_iter().filter(|path| has_extension(path, &["md"])) {
        let text = text_of(&path).expect("a readme is UTF-8");
        let folder = root().join(&path).parent().expect("a file is in a folder").to_owned();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let target = target.split('#').next().unwrap_or(target);
            if target.is_empty() || target.contains("://") {
                continue;
            }
            seen += 1;
            if !folder.join(target).exists() {
                faults.push(format!("{}: {target}", path.display()));
            }
        }
    }
    assert!(seen > 0, "no link was looked at");
    assert!(faults.is_empty(), "links to nothing:\n{}", faults.join("\n"));
}

#[test]
fn no_key_has_two_commands() {
    let text = text_of(&root().join("src/ui/commands.rs")).unwrap();
    let lists = text.split("keys: &[").skip(1).filter_map(|rest| rest.split("],").next());
    let mut keys: Vec<&str> = lists.flat_map(|list| list.split(", ")).collect();
    let n_keys = keys.len();
    assert!(n_keys > 30, "the table of commands is read");
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), n_keys);
}
