//! Rules of the repository, checked on the text of its files: which packages may use which, where colours may be
//! defined, how long a file may be, and text that must never appear.

// A test may panic, but clippy treats the helpers of a test file as product code.
#![allow(clippy::expect_used)]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use traceloupe_core::catalog::{Card, FAMILIES, cards};

#[path = "tidy/layers.rs"]
mod layers;
#[path = "tidy/page.rs"]
mod page;
#[path = "tidy/release.rs"]
mod release;
#[path = "tidy/words.rs"]
mod words;

use layers::{PACKAGES, Package};

const LONGEST_FILE: usize = 600;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All files in a folder of the repository (or the file itself), by their path in it.
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

/// Files and folders that cargo-fuzz makes.
const FUZZED: [&str; 4] = ["Cargo.lock", "artifacts", "corpus", "target"];

/// All text files of the project: neither build output nor fixtures.
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
            || FUZZED.iter().any(|name| path.starts_with(format!("tests/fuzz/{name}")))
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

/// The text without its line comments, because the rule is about code.
fn without_comments(text: &str) -> String {
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The modules of the library that a file uses, as `layer` or `layer::module`: every path that begins with one of the
/// roots, with groups in braces expanded.
fn paths_from(roots: &[&str], text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for start in roots {
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

/// The packages of the project that a manifest names among its dependencies.
fn dependencies(manifest: &str) -> Vec<String> {
    let part = manifest.split("\n[").find(|part| part.starts_with("dependencies]"));
    let names = part.unwrap_or_default().lines().filter_map(|line| {
        line.strip_prefix("traceloupe-")?.split([' ', '=']).next().map(str::to_owned)
    });
    names.collect()
}

#[test]
fn packages_use_those_below_them() {
    let mut below: Vec<&str> = Vec::new();
    for Package { name, uses, .. } in PACKAGES {
        let manifest = text_of(Path::new(&format!("src/{name}/Cargo.toml"))).expect("UTF-8");
        let mut found = dependencies(&manifest);
        found.sort();
        let mut listed: Vec<&str> = uses.to_vec();
        listed.sort_unstable();
        assert_eq!(
            found, listed,
            "what src/{name}/Cargo.toml uses, and what the list of packages says"
        );
        assert!(uses.iter().all(|it| below.contains(it)), "{name} uses what stands after it");
        below.push(name);
    }
    let folders = fs::read_dir(root().join("src")).expect("the folder can be read");
    let folders = folders.map(|entry| entry.expect("an entry can be read").path());
    let mut folders: Vec<PathBuf> = folders.filter(|path| path.is_dir()).collect();
    folders.sort();
    let mut listed: Vec<PathBuf> =
        PACKAGES.iter().map(|it| root().join("src").join(it.name)).collect();
    listed.sort();
    assert_eq!(folders, listed, "every folder of src is a package of the list");
    assert_eq!(
        dependencies(
            "[package]\n\n[dependencies]\ntraceloupe-core = 1\nserde = 1\n[x]\ntraceloupe-y = 1"
        ),
        ["core"]
    );
}

/// Set to write the map anew instead of checking it.
const WRITE: &str = "TRACELOUPE_WRITE";

#[test]
fn the_map_of_the_architecture_is_the_list_of_packages() {
    let (begin, end) = ("<!-- packages -->\n", "<!-- /packages -->");
    let text = text_of(Path::new("ARCHITECTURE.md")).expect("UTF-8");
    let (before, rest) = text.split_once(begin).expect("the map has a beginning");
    let (old, after) = rest.split_once(end).expect("the map has an end");
    let map = layers::map();
    if std::env::var_os(WRITE).is_some() {
        let text = format!("{before}{begin}{map}{end}{after}");
        fs::write(root().join("ARCHITECTURE.md"), text).expect("the file can be written");
    } else {
        assert_eq!(old, map, "write it anew: {WRITE}=1 cargo test --test tidy the_map");
    }
}

#[test]
fn the_scan_of_paths_finds_what_is_hidden_in_groups() {
    let text = "use crate::{\n    model::{Event, Trace},\n    view::wire::Request, input,\n};\n\
                use crate::formats::Format; fn f(x: crate::analysis::Finding) {}";
    let used = paths_from(&["crate::"], text);
    let expected = [
        "analysis::Finding",
        "formats::Format",
        "input",
        "model::Event",
        "model::Trace",
        "view::wire",
    ];
    assert_eq!(used.iter().map(String::as_str).collect::<Vec<_>>(), expected);
    assert_eq!(spread("{a::{b, c}, d::e::f}"), ["a::b", "a::c", "d::e"]);
}

/// A cycle in a graph of names, as the names along it; `None` if there is none.
fn cycle_in(edges: &BTreeSet<(String, String)>) -> Option<Vec<String>> {
    // Names that nothing uses cannot be in a cycle: they are removed until only cycles, and what
    // cycles use, are left.
    let mut left = edges.clone();
    loop {
        let used: BTreeSet<String> = left.iter().map(|(_, to)| to.clone()).collect();
        let before = left.len();
        left.retain(|(from, _)| used.contains(from));
        if left.len() == before {
            break;
        }
    }
    // Every name that is left is used by another one that is left, so following the uses backwards ends in a cycle.
    let mut path = vec![left.iter().next()?.0.clone()];
    loop {
        let last = path.last()?;
        let user = &left.iter().find(|(_, to)| to == last)?.0;
        path.push(user.clone());
        let first = path.iter().position(|name| name == user)?;
        if first + 1 < path.len() {
            path.reverse();
            path.truncate(path.len() - first);
            return Some(path);
        }
    }
}

/// Which folders or files directly below a folder import which others, by paths from its crate root.
fn imports_below(folder: &str, root: &str) -> BTreeSet<(String, String)> {
    let mut edges = BTreeSet::new();
    let is_test = |path: &Path| path.ends_with("tests.rs") || path.iter().any(|it| it == "tests");
    let files = files_below(folder).into_iter();
    let files = files.filter(|path| has_extension(path, &["rs"]) && !is_test(path));
    for path in files {
        let inside = path.strip_prefix(folder).expect("the file is below the folder");
        let room = inside.iter().next().and_then(|name| name.to_str()).expect("names are UTF-8");
        let room = room.strip_suffix(".rs").unwrap_or(room);
        let name = room.to_owned();
        // The crate root lists all of its modules.
        if ["lib", "main"].contains(&room) || room == "Cargo" {
            continue;
        }
        let text = text_of(&path).expect("source is UTF-8");
        let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        let is_root = path.ends_with("mod.rs");
        let depth = inside.iter().count() - usize::from(is_root);
        let from_here = "super::".repeat(depth);
        for used in paths_from(&[root, from_here.as_str()], &without_comments(text)) {
            let used = used.split("::").next().unwrap_or_default();
            if used != name {
                edges.insert((name.clone(), used.to_owned()));
            }
        }
    }
    edges
}

#[test]
fn rooms_of_each_package_import_each_other_one_way() {
    for Package { name, .. } in PACKAGES {
        let edges = imports_below(&format!("src/{name}"), "crate::");
        assert_eq!(cycle_in(&edges), None, "a circle of imports in src/{name}");
    }
    let known = ("shell".to_owned(), "opening".to_owned());
    assert!(imports_below("src/page", "crate::").contains(&known), "imports are read");
}

#[test]
fn the_search_for_cycles_finds_one() {
    let edges = |pairs: &[(&str, &str)]| {
        pairs.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect()
    };
    assert_eq!(cycle_in(&edges(&[("a", "b"), ("b", "c"), ("a", "c")])), None);
    let found = cycle_in(&edges(&[("x", "a"), ("a", "b"), ("b", "c"), ("c", "a"), ("c", "z")]));
    assert_eq!(found.map(|path| path.len()), Some(4));
}

/// The first literal colour in a line.
fn colour_in(line: &str) -> Option<&str> {
    for name in ["rgb(", "rgba(", "hsl(", "hsla(", "oklch(", "oklab(", "light-dark("] {
        if let Some(at) = line.find(name) {
            // A wrapper around tokens is not a literal.
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
    for path in files_below("style").into_iter().chain(files_below("src/page")) {
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

#[test]
fn no_file_names_this_machine() {
    // Assembled here, so that this file does not contain them.
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

/// The tables of formats that `docs/formats.md` must contain: one per family.
fn tables_of_formats() -> String {
    let cell = |text: &str| text.replace('|', "\\|").replace('<', "\\<");
    let row = |card: &Card| {
        format!(
            "| [{}]({}) | {} | {} | {} |\n",
            cell(card.name),
            card.entry.docs,
            cell(card.entry.versions),
            cell(card.entry.found_at),
            card.entry.evidence.words()
        )
    };
    let table = |name: &str, cards: &[&Card]| {
        let rows: String = cards.iter().map(|card| row(card)).collect();
        format!(
            "## {name}\n\n| Format | Versions | Where to find the files | Read from |\n| --- | --- | --- | --- |\n{rows}\n"
        )
    };
    let families = FAMILIES.iter().map(|family| table(family.name, family.cards));
    let rest = table("Other files", &[&traceloupe_core::catalog::RECORDS]);
    families.chain([rest]).collect()
}

/// With `WRITE=1` the tables are written to the page.
#[test]
fn the_tables_of_formats_are_those_of_the_registry() {
    let path = Path::new("docs/formats.md");
    let page = text_of(path).expect("a page is UTF-8");
    let (before, after) =
        page.split_once("<!-- formats -->\n\n").expect("the tables have a beginning");
    let (written, after) = after.split_once("<!-- /formats -->").expect("the tables have an end");
    let wanted = tables_of_formats();
    if std::env::var_os("WRITE").is_some() {
        let page = format!("{before}<!-- formats -->\n\n{wanted}<!-- /formats -->{after}");
        std::fs::write(path, page).expect("the page can be written");
        return;
    }
    assert!(
        written == wanted,
        "docs/formats.md has other tables than the registry: WRITE=1 cargo test --test tidy"
    );
}

#[test]
fn the_readme_names_every_format_and_stays_short() {
    let readme = text_of(Path::new("README.md")).expect("the readme is UTF-8");
    let list = readme.split_once("## Formats\n").expect("the readme lists the formats").1;
    let list = list.split("\n## ").next().unwrap_or(list);
    for card in cards() {
        assert!(list.contains(card.name), "README.md does not name {} under Formats", card.name);
    }
    assert!(readme.lines().count() < 150, "README.md is longer than 150 lines");
}

/// The anchor of a heading in rendered Markdown: lower case, spaces as hyphens, other punctuation dropped.
fn anchor_of(heading: &str) -> String {
    let kept = heading.trim().chars().filter_map(|it| match it {
        ' ' => Some('-'),
        '-' | '_' => Some(it),
        _ => it.is_alphanumeric().then_some(it),
    });
    kept.map(|it| it.to_ascii_lowercase()).collect()
}

/// Whether a page has a heading with this anchor.
fn has_anchor(page: &str, anchor: &str) -> bool {
    let headings = page.lines().filter(|line| line.starts_with('#'));
    headings.map(|line| anchor_of(line.trim_start_matches('#'))).any(|it| it == anchor)
}

#[test]
fn links_between_documents_lead_somewhere() {
    let mut faults = Vec::new();
    let mut seen = 0;
    for path in own_files().into_iter().filter(|path| has_extension(path, &["md"])) {
        let text = text_of(&path).expect("a readme is UTF-8");
        let folder = root().join(&path).parent().expect("a file is in a folder").to_owned();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if target.contains("://") {
                continue;
            }
            seen += 1;
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let file = if file.is_empty() { root().join(&path) } else { folder.join(file) };
            let leads_somewhere = match fs::read_to_string(&file) {
                Ok(page) => anchor.is_empty() || has_anchor(&page, anchor),
                // A folder, or a picture.
                Err(_) => anchor.is_empty() && file.exists(),
            };
            if !leads_somewhere {
                faults.push(format!("{}: {target}", path.display()));
            }
        }
    }
    assert!(seen > 0, "no link was looked at");
    assert!(faults.is_empty(), "links to nothing:\n{}", faults.join("\n"));
    assert_eq!(anchor_of(" Who may do what, `x_y`?"), "who-may-do-what-x_y");
    assert!(has_anchor("# A\n## B c\n", "b-c") && !has_anchor("## B\n", "c"));
}

#[test]
fn no_key_has_two_commands() {
    let text = text_of(&root().join("src/page/shell/commands.rs")).unwrap();
    let lists = text.split("keys: &[").skip(1).filter_map(|rest| rest.split("],").next());
    let mut keys: Vec<&str> = lists.flat_map(|list| list.split(", ")).collect();
    let n_keys = keys.len();
    assert!(n_keys > 30, "the table of commands is read");
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), n_keys);
}
