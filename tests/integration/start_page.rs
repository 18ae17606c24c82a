//! The empty page is in `index.html`, so that it appears before any program has loaded. Content that it shares with the
//! program must be the same in both.
#![allow(clippy::expect_used)]

use std::path::Path;

use traceloupe_core::catalog::FAMILIES;
use traceloupe_view::icon::{self, Icon};

fn text_of(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    std::fs::read_to_string(path).expect("a file of the repository can be read")
}

#[test]
fn it_names_the_first_formats_of_each_family() {
    /// How many formats of a family are named; the table has all of them.
    const NAMED: usize = 5;
    let page = text_of("index.html");
    let (_, mut rest) = page.split_once("<dl class=\"empty__families\">").expect("it lists them");
    for family in FAMILIES {
        let named: String =
            family.cards.iter().take(NAMED).map(|card| format!("<li>{}</li>", card.name)).collect();
        let n_more = family.cards.len() - NAMED;
        let expected = format!(
            "<div><dt>{}</dt><dd><ul role=\"list\">\n{named}\n<li><button class=\"quiet\" data-formats>and {n_more} more</button></li>\n</ul></dd></div>\n",
            family.name
        );
        rest = rest.trim_start_matches('\n');
        assert!(rest.starts_with(&expected), "index.html should have here:\n{expected}");
        rest = &rest[expected.len()..];
    }
}

#[test]
fn its_bars_say_what_the_bars_of_the_program_say() {
    let page = text_of("index.html");
    let words = text_of("src/words/page/shell.rs") + &text_of("src/words/page/opening.rs");
    for said in [
        "Traceloupe",
        "Open…",
        "Settings",
        "Theme",
        "Switch between light and dark theme (t)",
        "No fetch, no sockets, no scripts, no remote images: see docs/privacy.md",
        "Not sealed yet",
        " all keys",
        "Drop files or a folder to open them",
        "Discard",
        "Choose files…",
        "Choose a folder…",
        "One moment…",
    ] {
        assert!(words.contains(&format!("\"{said}\"")), "the program no longer says: {said}");
        assert!(
            page.contains(&format!("{said}<")) || page.contains(&format!("\"{said}\"")),
            "index.html: {said}"
        );
    }
    let drawings =
        [icon::DROP, icon::LOCK, icon::TUNE, icon::THEME, Icon::Loop.path(), Icon::Error.path()];
    for drawing in drawings {
        assert!(
            page.contains(&format!("d=\"{drawing}\"")),
            "index.html has another drawing than {drawing}"
        );
    }
}
