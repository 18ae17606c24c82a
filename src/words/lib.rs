//! Wording shared by the whole page: the text of warnings, and the format of numbers, durations and
//! sizes.

pub mod context;
mod errors;
pub mod expectations;
mod exports;
mod facts;
pub mod findings;
mod folds;
pub mod heads;
mod notes;
pub mod pieces;
pub mod problems;
pub mod report;
mod roles;
mod runs;
mod shown_notes;
mod time;

pub use errors::{error_label, reason};
pub use exports::{export_form, export_note};
pub use facts::{fact, fact_value};
pub use folds::{
    bookkeeping, copied, done, failed_of, kinds_of_steps, misses, more_steps, quick_spans,
};
pub use notes::{event_note, run_note};
pub use roles::role;
pub use runs::{no_end, score};
pub use shown_notes::{compared, shown_note};
pub use time::{
    clock, day_and_minute, duration, minutes, short_time, stamp, stamp_of_minute, time_of_day,
    time_of_day_ms,
};
use traceloupe_core::model::EventKind;
use traceloupe_core::notice::NoticeCode;
use traceloupe_core::number::{fixed, shortest};
pub use traceloupe_core::plain::one_line;
use traceloupe_protocol::statistics::CallsOf;

/// What a warning means, in one sentence.
#[must_use]
pub fn warning(code: NoticeCode) -> &'static str {
    use NoticeCode as Code;
    match code {
        Code::BadLine => "A line is not valid JSON and was skipped",
        Code::TruncatedLastLine => "The last line is cut off; everything before it is shown",
        Code::BrokenDocument => {
            "The document is broken in the middle; everything before the break is shown"
        }
        Code::TruncatedDocument => "The document is cut off; everything before the cut is shown",
        Code::TruncatedGzip => "The gzip file is cut off; everything before the cut is shown",
        Code::TruncatedZstd => "The zstd file is cut off; everything before the cut is shown",
        Code::CorruptGzip => "The gzip file is damaged; everything before the damage is shown",
        Code::CorruptZstd => "The zstd file is damaged; everything before the damage is shown",
        Code::GzipCrc => "The gzip file fails its checksum; its content may be damaged",
        Code::ZstdCrc => "The zstd file fails its checksum; its content may be damaged",
        Code::ZstdWindow => {
            "The file was compressed with a window of more than 128 MB, which is not read"
        }
        Code::Bomb => "The archive unpacks to far more than its size; reading stopped",
        Code::TruncatedZip => {
            "An entry of the archive is cut off; everything before the cut is shown"
        }
        Code::CorruptZip => {
            "An entry of the archive is damaged; everything before the damage is shown"
        }
        Code::ZipCrc => "An entry of the archive fails its checksum; its content may be damaged",
        Code::ZipSize => "The length of an entry differs from what the archive states",
        Code::ZipEntriesMissing => {
            "The archive's directory is damaged and entries are missing from it; all others are shown"
        }
        Code::DatabaseLog => {
            "The newest messages may still be in the file beside the database whose name ends in -wal, which is not read"
        }
        Code::DamagedDatabase => {
            "Parts of the database are damaged and could not be read; what they held is missing"
        }
        Code::RecordTooLong => "A record is too long to load and was skipped",
        Code::ResultWithoutCall => {
            "A result has no matching call in the files; shown as a row of its own"
        }
        Code::TranscodedUtf16 => "The file is UTF-16; positions refer to its conversion to UTF-8",
        Code::FromYaml => {
            "The file is YAML; raw text and positions refer to its conversion to JSON"
        }
        Code::FromMarkdown => {
            "The file is Markdown; raw text and positions refer to its conversion to JSON"
        }
        Code::FromString => {
            "The file holds JSON inside of strings; raw text and positions refer to what the strings hold"
        }
        Code::FromConsole => {
            "The file is console output of JavaScript; raw text and positions refer to its conversion to JSON"
        }
        Code::BrokenYaml => "The YAML is invalid; everything before the error is shown",
        Code::YamlTooLong => "YAML files over 64 MB cannot be loaded; convert the file to JSON",
        Code::CrLineEnds => "Lines end in a bare carriage return",
        Code::NulPadding => "The file ends in NUL bytes, as after a power loss",
        Code::SeveralValuesOnLine => "Several JSON values are on one line",
        Code::LogText => "Text between the values of the log was skipped",
        Code::MultiLineValues => "Some JSON values span several lines",
        Code::NonFiniteNumber => "NaN and Infinity are not valid JSON; shown as written",
        Code::DuplicateKey => {
            "An object has the same key twice; the last value is used, and the raw text shows both"
        }
        Code::LoneSurrogate => "A string contains half of a surrogate pair; shown as \u{fffd}",
        Code::InvalidUtf8 => "Some bytes are not valid UTF-8; shown as \u{fffd}",
        Code::TooDeep => "Values are nested too deeply; shown as raw text beyond the limit",
        Code::RawControlChar => {
            "A string contains a raw control character, which JSON does not allow"
        }
        Code::TrailingComma => "A trailing comma was ignored",
        Code::NotAnEvent => "A JSON value is not an object, so it cannot be an event",
        Code::UnknownRecord => "A record was not recognized; shown as JSON",
        Code::ParentCycle => {
            "An event names a parent that cannot be its parent; shown at the top level"
        }
        Code::ExplorerRefuses => {
            "Invariant Explorer would refuse to import this; it is shown anyway"
        }
        Code::EmptyFile => "The file is empty",
        Code::LooksLikeHtml => "This is a web page, not a trace",
        Code::NotATrace => "No JSON was found in this file",
    }
}

/// Says that the user stopped reading, given bytes read and total bytes (0 if unknown).
#[must_use]
pub fn stopped((read, all): (u64, u64)) -> String {
    match all {
        0 => format!("stopped after {}", bytes(read)),
        _ => format!("stopped after {} of {}", bytes(read), bytes(all)),
    }
}

/// How much of what two texts have in common is shown before the first difference, in bytes, and from how much on the
/// rest is left out.
const COMMON_SHOWN: usize = 16;
const COMMON_MOST: usize = 40;

/// Two summaries, `tool · arguments` or plain words, that begin shortly before they differ if they begin alike for long.
#[must_use]
pub fn past_common(one: &str, other: &str) -> (String, String) {
    let name = one.split_once(" · ").map_or(0, |(name, _)| name.len() + " · ".len());
    let pairs = one.char_indices().zip(other.chars());
    let same =
        pairs.take_while(|((_, a), b)| a == b).last().map_or(0, |((at, it), _)| at + it.len_utf8());
    let shown = one.get(..same).unwrap_or_default();
    let words = shown
        .char_indices()
        .rev()
        .filter(|(at, char)| char.is_whitespace() && at + COMMON_SHOWN <= same);
    let from = words.map(|(at, _)| at + 1).next().unwrap_or(0);
    if from < name + COMMON_MOST - COMMON_SHOWN {
        return (one.to_owned(), other.to_owned());
    }
    let cut = |text: &str| {
        let (name, rest) = (text.get(..name).unwrap_or_default(), text.get(from..));
        format!("{name}…{}", rest.unwrap_or_default())
    };
    (cut(one), cut(other))
}

/// A percentage for style sheets: `12.34%`. Hundredths are formatted as a whole number: the standard library takes a slow
/// way for fractions of which no digit is left.
#[must_use]
pub fn css_percent(percent: f64) -> String {
    #[expect(clippy::cast_possible_truncation)] // far below 2^53
    let hundredths = (percent * 100.0).round() as i64;
    let (sign, size) = (if hundredths < 0 { "-" } else { "" }, hundredths.unsigned_abs());
    format!("{sign}{}.{:02}%", size / 100, size % 100)
}

/// A length for style sheets, written as browsers write it: `12.5px`.
#[must_use]
pub fn css_px(px: f64) -> String {
    format!("{}px", shortest((px * 100.0).round() / 100.0))
}

/// A share from 0 to 1 as a percentage: `53%`.
#[must_use]
pub fn percent(share: f64) -> String {
    format!("{}%", fixed(share * 100.0, 0))
}

/// Marks a formatted number as a lower bound if it is one: `≥ 640`. An empty text stays empty.
#[must_use]
pub fn at_least(number: String, is_lower_bound: bool) -> String {
    if is_lower_bound && !number.is_empty() { format!("≥ {number}") } else { number }
}

/// Marks a formatted number as an estimate: `≈ 640`. An empty text stays empty.
#[must_use]
pub fn about(number: String) -> String {
    if number.is_empty() { number } else { format!("≈ {number}") }
}

/// Formats dollars that are a lower bound or an estimate: `≥ $1.20`, `≈ $1.20`. Less than a tenth of a cent is `> $0` at
/// least, and has no estimate. Empty for NaN.
#[must_use]
pub fn dollars_about(n: f64, is_lower_bound: bool, is_estimate: bool) -> String {
    match (is_lower_bound, is_estimate) {
        (true, _) if is_tiny(n) => "> $0".to_owned(),
        (true, _) => at_least(dollars(n), true),
        (false, true) if !is_tiny(n) => about(dollars(n)),
        _ => dollars(n),
    }
}

/// Whether dollars are too few to be written.
fn is_tiny(dollars: f64) -> bool {
    dollars > 0.0 && dollars < 0.001
}

/// Formats a number of tokens: `640`, `2.1k`, `1.2M`. Empty for NaN.
#[must_use]
pub fn tokens(n: f64) -> String {
    if n.is_nan() {
        String::new()
    } else if n < 1e3 {
        fixed(n, 0)
    } else if n < 9_950.0 {
        format!("{}k", fixed(n / 1e3, 1))
    } else if n < 999_500.0 {
        format!("{}k", fixed(n / 1e3, 0))
    } else {
        format!("{}M", fixed(n / 1e6, 1))
    }
}

/// A price in dollars, exactly.
#[must_use]
pub fn price(dollars: f64) -> String {
    let text = fixed(dollars, 6);
    let short = text.trim_end_matches('0').trim_end_matches('.');
    format!("${short}")
}

/// Dollars, with as many digits as matter.
#[must_use]
pub fn dollars(n: f64) -> String {
    match n {
        n if n.is_nan() => String::new(),
        n if n <= 0.0 => "$0".to_owned(),
        n if is_tiny(n) => "< $0.001".to_owned(),
        n if n < 0.0995 => format!("${}", fixed(n, 3)),
        n if n < 999.995 => format!("${}", fixed(n, 2)),
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates
        n => format!("${}", count(n.round() as u64)),
    }
}

/// Formats a size in decimal units: `410 B`, `12.4 MB`.
#[must_use]
pub fn bytes(n: u64) -> String {
    #[expect(clippy::cast_precision_loss)]
    let size = n as f64;
    match n {
        0..1_000 => format!("{n} B"),
        1_000..1_000_000 => format!("{} kB", fixed(size / 1e3, 1)),
        1_000_000..1_000_000_000 => format!("{} MB", fixed(size / 1e6, 1)),
        _ => format!("{} GB", fixed(size / 1e9, 2)),
    }
}

/// `1 event`, `1,284 events`.
#[must_use]
pub fn events(n: u64) -> String {
    counted(n, "event", "events")
}

/// When a file was written: `written 2026-03-01 14:33:02`.
#[must_use]
pub fn written(time: &str) -> String {
    format!("written {time}")
}

/// Formats a whole number with commas: `1,284`.
#[must_use]
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() * 2);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Before a turn: how long nothing happened, in milliseconds.
#[must_use]
pub fn after_idle(ms: f64) -> String {
    format!("after {} idle", duration(ms))
}

/// Adds something to a statement, if there is something.
#[must_use]
pub fn with_more(said: &str, more: &str) -> String {
    if more.is_empty() { said.to_owned() } else { format!("{said}, {more}") }
}

/// A text without the signs of Markdown for code and bold words, which say nothing in one line.
#[must_use]
pub fn without_marks(text: &str) -> String {
    text.replace("**", "").replace('`', "")
}

/// Formats a number with its noun: `1 event`, `3 events`.
#[must_use]
pub fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(n), if n == 1 { one } else { many })
}

/// How old the last event of a run may be for the run to count as possibly still running.
const STILL_RUNNING_MS: f64 = 10.0 * 60e3;

/// Whether a run without an end may still be running, because its last event is recent by the
/// user's clock. Both times are in milliseconds since 1970.
#[must_use]
pub fn is_still_running(last_event_ms: f64, now_ms: f64) -> bool {
    (now_ms - last_event_ms).abs() <= STILL_RUNNING_MS
}

/// Server and tool of a tool's name as MCP clients write it: `mcp__server__tool`, `mcp_server_tool`, `server.tool`,
/// `server-mcp-server-tool`, `server-tool_name`. `None` for a tool of no server.
#[must_use]
pub fn mcp_parts(name: &str) -> Option<(&str, &str)> {
    // Tools and namespaces of APIs that are no servers.
    if name.starts_with("functions.") || ["mcp_list_tools", "mcp_call"].contains(&name) {
        return None;
    }
    let is_word = |it: &str| {
        let is_in_word = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == '-';
        it.len() > 1
            && it.starts_with(|it: char| it.is_ascii_alphabetic())
            && it.chars().all(is_in_word)
    };
    let of_prefix = name.strip_prefix("mcp__").and_then(|rest| rest.split_once("__"));
    let plain = name.strip_prefix("mcp_").filter(|rest| !rest.starts_with('_'));
    let of_plain = || plain.and_then(|rest| rest.split_once('_')).filter(|(_, tool)| is_word(tool));
    let of_dot = || name.split_once('.').filter(|(server, tool)| is_word(server) && is_word(tool));
    let of_server = || name.split_once("-mcp-server-");
    let of_dash = || {
        let parts = name.rsplit_once('-');
        parts.filter(|(server, tool)| tool.contains('_') && is_word(tool) && !server.contains('_'))
    };
    let parts = of_prefix.or_else(of_plain).or_else(of_dot).or_else(of_server).or_else(of_dash);
    parts.filter(|(server, tool)| !server.is_empty() && !tool.is_empty())
}

/// The displayed name of a tool: `server › tool` for one of a server.
#[must_use]
pub fn tool_name(name: &str) -> String {
    match mcp_parts(name) {
        Some((server, tool)) => format!("{server} › {tool}"),
        None => name.to_owned(),
    }
}

/// A path of more than `max` characters without its beginning: `…/cart/total.ts`. `None` for a text that is short
/// enough, or no single path. The telling end of a path is its last part.
#[must_use]
pub fn end_of_path(text: &str, max: usize) -> Option<String> {
    let is_path = text.starts_with(['/', '~', '.']) || text.get(1..3) == Some(":\\");
    if !is_path || text.chars().count() <= max || text.contains(char::is_whitespace) {
        return None;
    }
    let mut from = text.len();
    for (at, _) in text.char_indices().rev().filter(|(_, char)| ['/', '\\'].contains(char)) {
        let n_chars = text.get(at..).unwrap_or_default().chars().count();
        if n_chars >= max && from < text.len() {
            break;
        }
        from = at;
    }
    (from > 0 && from < text.len()).then(|| format!("…{}", text.get(from..).unwrap_or_default()))
}

/// A dotted name of more than `max` characters without its beginning: `…EventQueue.dequeue_event`. `None` for a name that
/// is short enough, or is no name of code. What is done stands in its last part.
#[must_use]
pub fn end_of_dotted(name: &str, max: usize) -> Option<String> {
    let is_code = |char: char| char.is_alphanumeric() || "._:-".contains(char);
    if name.chars().count() <= max || !name.chars().all(is_code) {
        return None;
    }
    let dots = name.match_indices('.').map(|(at, _)| at + 1);
    let ends = dots.filter_map(|at| name.get(at..)).filter(|end| !end.is_empty());
    // The longest end that fits, or else the last part.
    let ends: Vec<&str> = ends.collect();
    let end = ends.iter().find(|end| end.chars().count() < max).or(ends.last())?;
    Some(format!("…{end}"))
}

/// The folders of a path and its last part, with all that follows the path.
#[must_use]
pub fn folder_and_name(text: &str) -> (&str, &str) {
    let path = text.split(char::is_whitespace).next().unwrap_or(text);
    let at = path.rfind(['/', '\\']).map_or(0, |at| at + 1);
    text.split_at_checked(at).unwrap_or(("", text))
}

/// The plural name of a kind, for lists of kinds.
#[must_use]
pub fn plural(kind: EventKind) -> &'static str {
    match kind {
        EventKind::UserMessage => "User messages",
        EventKind::SystemMessage => "System messages",
        EventKind::LlmCall => "LLM calls",
        EventKind::ToolCall => "Tool calls",
        EventKind::State => "States",
        EventKind::Error => "Errors",
        EventKind::LoopWarning => "Loop warnings",
        EventKind::Agent => "Agents",
        EventKind::Compaction => "Compactions",
        EventKind::RunStart => "Run starts",
        EventKind::RunEnd => "Run ends",
        EventKind::Note => "Notes",
        EventKind::Record => "Records",
        EventKind::Evaluation => "Evaluations",
        EventKind::Span => "Spans",
    }
}

/// Which calls a line of statistics counts.
#[must_use]
pub fn calls_of(of: CallsOf) -> &'static str {
    match of {
        CallsOf::Kind(kind) => plural(kind),
        CallsOf::Agent => "Agent",
        CallsOf::Turn => "Turn",
        CallsOf::File => "File",
        CallsOf::Command => "Command",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use traceloupe_core::model::RunVerdict;

    #[test]
    fn a_tool_of_a_server_is_known_by_its_name() {
        assert_eq!(mcp_parts("mcp__sandbox__run_it"), Some(("sandbox", "run_it")));
        assert_eq!(mcp_parts("mcp_github_search_code"), Some(("github", "search_code")));
        assert_eq!(mcp_parts("github.search_code"), Some(("github", "search_code")));
        assert_eq!(mcp_parts("github-mcp-server-search"), Some(("github", "search")));
        assert_eq!(mcp_parts("browser-take_picture"), Some(("browser", "take_picture")));
        let others = [
            "mcp____run",
            "read_file",
            "str-replace-editor",
            "str_replace_based-edit_tool",
            "mcp_list_tools",
            "functions.exec",
            "run.",
            "a.b.c",
            "v1.2",
            "mcp_search",
            "",
        ];
        for name in others {
            assert_eq!(mcp_parts(name), None, "{name}");
        }
        assert_eq!(tool_name("mcp__sandbox__run_it"), "sandbox › run_it");
        assert_eq!(tool_name("bash"), "bash");
    }

    #[test]
    fn the_end_of_a_long_name_of_code_is_kept() {
        let name = "a2a.server.events.event_queue.EventQueue.dequeue_event";
        assert_eq!(end_of_dotted(name, 36).as_deref(), Some("…EventQueue.dequeue_event"));
        assert_eq!(end_of_dotted("agent.run", 36), None);
        assert_eq!(end_of_dotted("Version 2.0 of a sentence that is rather long", 36), None);
        let single = format!("a.{}", "x".repeat(50));
        assert_eq!(end_of_dotted(&single, 36), Some(format!("…{}", "x".repeat(50))));
    }

    #[test]
    fn the_end_of_a_long_path_is_kept() {
        let end = |text: &str| end_of_path(text, 20);
        assert_eq!(end("/short/path.rs"), None);
        assert_eq!(
            end("/srv/someone/project/src/cart/total.ts").as_deref(),
            Some("…/src/cart/total.ts")
        );
        assert_eq!(
            end("/srv/a_file_name_that_is_long.rs").as_deref(),
            Some("…/a_file_name_that_is_long.rs")
        );
        assert_eq!(end("not a path but a long text"), None);
        assert_eq!(end("/a_file_name_that_is_long_at_the_root"), None);
        assert_eq!(end("C:\\Users\\someone\\total.ts").as_deref(), Some("…\\someone\\total.ts"));
    }

    #[test]
    fn records_are_counted_by_kind() {
        let kinds = [("snapshot", 2), ("", 1), ("progress", 1)];
        assert_eq!(
            bookkeeping(4, kinds.into_iter()),
            "4 bookkeeping records: 2 snapshot, progress"
        );
        assert_eq!(bookkeeping(2, [("", 2)].into_iter()), "2 bookkeeping records");
    }

    #[test]
    fn the_time_of_day_is_without_a_date() {
        assert_eq!(time_of_day(1_767_607_382_000.0), "10:03:02");
        assert_eq!(time_of_day(f64::NAN), "");
        assert_eq!(
            [0.0, 30.0, 12.5, 1e9 + 0.126].map(css_px).join(" "),
            "0px 30px 12.5px 1000000000.13px"
        );
        assert_eq!((percent(0.534), percent(1.0)), ("53%".to_owned(), "100%".to_owned()));
        assert_eq!(time_of_day_ms(1_767_607_382_080.5), "10:03:02.080");
        assert_eq!(time_of_day_ms(f64::NAN), "");
    }

    #[test]
    fn a_run_without_an_end_counts_as_running_while_its_last_event_is_recent() {
        let now = 1_795_000_000_000.0;
        assert!(is_still_running(now - 9.0 * 60e3, now));
        assert!(is_still_running(now + 5e3, now), "clocks differ a little");
        assert!(!is_still_running(now - 11.0 * 60e3, now));
        assert!(!is_still_running(f64::NAN, now), "no time, no claim");
    }

    #[test]
    fn texts_that_begin_alike_begin_where_they_differ() {
        let one = "Here are the direct flights from New York to Seattle on May 20th";
        let other = "Here are the direct flights from New York to Seattle in June";
        let cut = past_common(one, other);
        assert_eq!(
            cut,
            ("…York to Seattle on May 20th".to_owned(), "…York to Seattle in June".to_owned())
        );
        let named = |text: &str| format!("say · {text}");
        let cut = past_common(&named(one), &named(other));
        assert_eq!(cut.1, "say · …York to Seattle in June");
        for (one, other) in [("short", "shorter"), ("", "x"), ("ééé é", "ééé è")] {
            assert_eq!(past_common(one, other), (one.to_owned(), other.to_owned()));
        }
    }

    #[test]
    fn percentages_of_style_sheets_are_as_the_standard_library_has_them() {
        for percent in [0.0, 0.004, 0.006, 1.0, 12.344, 12.346, 99.999, 100.0, -0.5, -12.34, 1e6] {
            assert_eq!(css_percent(percent), format!("{percent:.2}%"));
        }
        assert_eq!(css_percent(-0.001), "0.00%");
    }

    #[test]
    fn durations() {
        let cases = [
            (0.0, "0 ms"),
            (0.25, "0.2 ms"),
            (12.0, "12 ms"),
            (3_400.0, "3.4 s"),
            (59_949.0, "59.9 s"),
            (252_000.0, "4 min 12 s"),
            (7_500_000.0, "2 h 5 min"),
            (200_000_000.0, "2 d 7 h"),
            (f64::NAN, ""),
        ];
        for (ms, words) in cases {
            assert_eq!(duration(ms), words, "{ms}");
        }
    }

    #[test]
    fn numbers() {
        assert_eq!(tokens(640.0), "640");
        assert_eq!(tokens(2_100.0), "2.1k");
        assert_eq!(tokens(412_345.0), "412k");
        assert_eq!(tokens(1_234_567.0), "1.2M");
        assert_eq!(tokens(f64::NAN), "");
        assert_eq!(score(Some(2.0 / 3.0), Some(RunVerdict::Fail)), "0.67, fail");
        assert_eq!(
            (score(Some(1.0), None), score(None, Some(RunVerdict::Pass))),
            ("1".into(), "pass".into())
        );
        assert_eq!(bytes(410), "410 B");
        assert_eq!(bytes(12_400_000), "12.4 MB");
        assert_eq!(count(1_284), "1,284");
        assert_eq!(count(12), "12");
        assert_eq!(counted(1, "event", "events"), "1 event");
        assert_eq!(stamp(0.0), "1970-01-01 00:00:00 UTC");
    }
}
