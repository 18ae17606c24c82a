//! Briefs in unit tests.

use super::*;
use crate::pieces::Sentence;

/// A brief with a text of the trace in every place that has one.
pub(super) fn with_text(text: &str) -> Brief {
    let event = EventRef { row: 6, number: 7 };
    let quote = Quote { event, text: text.to_owned(), n_cut_bytes: 2_000 };
    let sentence = Sentence::default().code(text).text(format!(" failed: {text}"));
    let finding = BriefFinding {
        said: Said { headline: sentence.clone(), sentence, rest: Sentence::default() },
        figures: vec![("1.0 s".to_owned(), "active time".to_owned())],
        events: EventRefs { named: vec![event, EventRef { row: 8, number: 9 }], n_more: 3 },
    };
    let file = ChangedFile {
        path: text.to_owned(),
        added: 3,
        removed: 1,
        n_changes: 2,
        is_new: false,
        is_deleted: false,
        events: event.into(),
    };
    let commit = Commit { event, id: text.to_owned(), subject: text.to_owned() };
    Brief {
        title: text.to_owned(),
        format: "Claude Code".to_owned(),
        models: text.to_owned(),
        start_ms: 1_767_607_200_000.0,
        n_llm_calls: 4,
        n_tool_calls: 1_284,
        asked: Some(quote.clone()),
        later_messages: Listed { first: vec![quote.clone()], n_more: 2 },
        outcome: RunOutcome::Answered,
        no_end: None,
        grade: (Some(0.5), Some(RunVerdict::Fail)),
        answer: Some(quote),
        files: Some(Listed { first: vec![file], n_more: 1 }),
        commits: Listed { first: vec![commit], n_more: 0 },
        rejected: event.into(),
        cancelled: EventRefs::default(),
        failures: Failures {
            n: 5,
            n_fixed: 2,
            n_never: 2,
            n_in_loops: 1,
            never: Listed { first: vec![finding.clone()], n_more: 0 },
            fixed: Listed { first: vec![finding.clone()], n_more: 0 },
        },
        loops: Listed { first: vec![finding], n_more: 0 },
        usage: Usage {
            input: Some(1_200),
            cache_read: Some(90_000),
            output: Some(640),
            reasoning: Some(12),
            ..Usage::default()
        },
        cost: CostSum { dollars: 0.25, n_known: 4, ..CostSum::default() },
        cost_split: vec![
            (Charged::Input, 0.05),
            (Charged::CacheRead, 0.12),
            (Charged::Output, 0.08),
        ],
        time: Some(TimeSplit {
            shares: vec![(TimeOn::Models, 3_000.0), (TimeOn::Tools, 1_000.0)],
            idle_ms: 60_000.0,
            waited: (5_000.0, true),
            loop_ms: 500.0,
        }),
    }
}

/// A brief with something in every section.
pub(super) fn full() -> Brief {
    with_text("Find the fault")
}

/// Texts that are markup elsewhere, beside those of real collections if they are there.
pub(super) fn payloads() -> Vec<String> {
    let mut all: Vec<String> = [
        "<script>alert(1)</script>",
        "</code></pre><img src=x onerror=alert(1)>",
        "\" onmouseover=\"alert(1)",
        "'><svg/onload=alert(1)>",
        "&lt;b&gt;",
        "![x](https://a.example/x.png)",
        "[x](javascript:alert(1))",
        "```\n# heading\n```",
        "````\n~~~\n",
        "| a | b |\n|---|---|",
        "\\`a\\`",
        "- [ ] task\n1. one",
        "\u{202e}reversed\u{2066}",
        "a\r\nb\rc",
        "<!-- -->",
        "]]>",
    ]
    .map(str::to_owned)
    .to_vec();
    let hostile = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/hostile");
    let mut folders = vec![std::path::PathBuf::from(hostile)];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        for entry in entries.filter_map(Result::ok) {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(bytes) = std::fs::read(path) {
                let text = String::from_utf8_lossy(&bytes);
                let head = text.char_indices().nth(4_000).map_or(text.len(), |it| it.0);
                all.push(text.get(..head).unwrap_or_default().to_owned());
                all.extend(text.lines().take(200).map(str::to_owned));
            }
        }
    }
    all
}
