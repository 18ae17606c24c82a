//! Real sessions that were read wrongly once, against counts made independently from their bytes.

use crate::harness;

use harness::claims::check_outline;
use harness::{files_below, named, open_one, shared};
use traceloupe_core::model::EventKind;
use traceloupe_protocol::outline::RunLine;

/// What a file contains, summed over its runs.
#[derive(PartialEq, Eq, Debug)]
struct Counts {
    runs: usize,
    llm_calls: u64,
    tool_calls: u64,
    errors: u64,
    /// Input without cached tokens, output.
    tokens: (u64, u64),
}

/// The files by the beginning of their names.
const FILES: [(&str, &str, Counts); 12] = [
    ("km1-", "kimi", counts(1, 149, 287, 13, (462_086, 105_786))),
    ("km4-", "kimi", counts(1, 25, 19, 1, (30_174, 5_515))),
    ("cr3-", "crush", counts(1, 25, 23, 0, (0, 0))),
    ("co1-", "continue", counts(1, 117, 62, 6, (9_695_248, 60_092))),
    ("hm2-", "hermes", counts(1, 1, 0, 1, (0, 0))),
    ("oh1-", "openhands", counts(2, 18, 18, 9, (0, 0))),
    ("ss1-", "specstory", counts(1, 367, 332, 0, (0, 0))),
    // With a run for the results as a whole.
    ("ta1-", "tau-bench", counts(21, 212, 192, 0, (1_755_892, 3_352))),
    ("ta2-", "tau-bench", counts(1, 0, 0, 0, (0, 0))),
    // Three results have no call. 51 requests failed, and 68 tools.
    ("ow2-", "pi", counts(1, 330, 253, 118, (1_549_072, 68_395))),
    ("cl2-", "cline", counts(1, 31, 15, 13, (144_404, 4_086))),
    ("rc2-", "cline", counts(1, 32, 29, 2, (638_822, 32_273))),
];

const fn counts(
    runs: usize,
    llm_calls: u64,
    tool_calls: u64,
    errors: u64,
    tokens: (u64, u64),
) -> Counts {
    Counts { runs, llm_calls, tool_calls, errors, tokens }
}

fn counted(runs: &[RunLine]) -> Counts {
    let sum = |of: &dyn Fn(&RunLine) -> u64| runs.iter().map(of).sum();
    Counts {
        runs: runs.len(),
        llm_calls: sum(&|run| run.counts.llm_calls),
        tool_calls: sum(&|run| run.counts.tool_calls),
        errors: sum(&|run| run.counts.errors),
        tokens: (
            sum(&|run| run.usage.input.unwrap_or(0)),
            sum(&|run| run.usage.output.unwrap_or(0)),
        ),
    }
}

#[test]
fn counts_are_those_of_the_files() {
    let Some(root) = shared("misread") else { return };
    let mut n_files = 0;
    for path in files_below(&root) {
        let (name, bytes) = named(&root, &path);
        let known = FILES.iter().find(|(begin, ..)| name.starts_with(begin));
        let Some((_, format, expected)) = known else { continue };
        let opened = open_one(&name, &bytes);
        check_outline(&opened);
        let outline = opened.outline();
        let source = outline.sources.iter().find(|source| !source.is_container).unwrap();
        assert_eq!(source.format, *format, "{name}");
        assert_eq!(counted(&outline.runs), *expected, "{name}");
        n_files += 1;
    }
    assert_eq!(n_files, FILES.len());
}

#[test]
fn waiting_for_the_user_is_no_time_of_a_tool() {
    // The longest time of a tool, and all waiting, in seconds.
    let expected = [("km4-", 29, 3_406), ("rc2-", 0, 27_681), ("km1-", 328, 260)];
    let Some(root) = shared("misread") else { return };
    for path in files_below(&root) {
        let (name, bytes) = named(&root, &path);
        let known = expected.iter().find(|(begin, ..)| name.starts_with(begin));
        let Some((_, longest_s, waiting_s)) = known else { continue };
        let opened = open_one(&name, &bytes);
        let rows = &opened.outline().rows;
        let n_rows = rows.ids.len();
        let is_tool = |row: &u32| rows.kinds.get(*row) == EventKind::ToolCall as u8;
        let seconds = |row: u32| rows.durations_ms.get(row) / 1e3;
        let longest = (0..n_rows).filter(is_tool).map(seconds).fold(0.0, f64::max);
        let waited: f64 = rows.waits.iter().map(|wait| wait.len_ms() / 1e3).sum();
        assert_eq!(
            (longest.floor(), waited.floor()),
            (f64::from(*longest_s), f64::from(*waiting_s)),
            "{name}"
        );
    }
}
