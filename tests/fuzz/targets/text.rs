//! Texts of a trace that are parsed for display: Markdown, terminal output, patches, source code.
#![no_main]

use libfuzzer_sys::fuzz_target;
use traceloupe_core::text::{diff, highlight, patch, terminal};
use traceloupe_protocol::markdown::each_text;
use traceloupe_session::render::markdown;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let nodes = markdown::parse(&text);
    each_text(&nodes, &mut |_| {});
    let _ = (
        markdown::is_worth_it(&nodes),
        markdown::is_document(&nodes),
        terminal::is_terminal(&text),
    );
    let _ = terminal::pieces(&text);
    if patch::is_patch(&text) {
        patch::parse(&text).iter().for_each(|change| assert!(change.counts().0 <= text.len()));
    }
    for language in
        ["rust", "python", "json", "html", "bash", "typescript", "sql", "css", "yaml", "go"]
    {
        let parts = highlight::highlight(&text, language);
        assert_eq!(
            parts.iter().map(|(_, part)| part.len()).sum::<usize>(),
            text.len(),
            "{language}"
        );
    }
    let (old, new) = text.split_at(text.floor_char_boundary(text.len() / 2));
    let _ = (diff::line_diff(old, new), diff::changed_words(old, new));
});
