//! The brief as sections of lines, over which all its forms are drawn.

use std::borrow::Cow;

use super::{
    Brief, BriefFinding, ChangedFile, Charged, EventRefs, Failures, Quote, TimeOn, TimeSplit,
};
use crate::page::{findings as finding_words, statistics as time_words};
use crate::pieces::Sentence;
use crate::{
    at_least, cost, count, counted, counts, dollars_about, duration, no_end, percent, score, stamp,
};
use traceloupe_core::model::RunOutcome;

/// A part of the brief.
#[derive(Clone, PartialEq, Debug)]
pub struct Section {
    /// Its id in style sheets.
    pub id: &'static str,
    /// Its heading.
    pub heading: &'static str,
    /// Its content.
    pub blocks: Vec<Block>,
}

/// A part of a section.
#[derive(Clone, PartialEq, Debug)]
pub enum Block {
    /// Labels with their values.
    Facts(Vec<(&'static str, Line)>),
    /// Lines.
    List(Vec<Line>),
    /// A table: headings of its columns, and rows. The first cell of a row says what the row is about.
    Table(Vec<&'static str>, Vec<Vec<Line>>),
    /// A text of the trace.
    Quote(Quote),
    /// A remark.
    Note(Sentence),
}

/// A line, with the events that it leads to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Line {
    /// What it says.
    pub words: Sentence,
    /// The events.
    pub events: EventRefs,
}

impl From<Sentence> for Line {
    fn from(words: Sentence) -> Self {
        Self { words, events: EventRefs::default() }
    }
}

fn text(words: impl Into<Cow<'static, str>>) -> Line {
    Sentence::default().text(words).into()
}

/// The sections that have something to say, in order.
#[must_use]
pub fn sections(brief: &Brief) -> Vec<Section> {
    let all = [
        Section { id: "run", heading: "Run", blocks: vec![Block::Facts(facts(brief))] },
        Section { id: "asked", heading: "Asked", blocks: asked(brief) },
        Section { id: "outcome", heading: "Outcome", blocks: outcome(brief) },
        Section { id: "stopped", heading: "Rejected and stopped calls", blocks: stopped(brief) },
        Section { id: "files", heading: "Changed files", blocks: changes(brief) },
        Section { id: "failures", heading: "Failures", blocks: failures(&brief.failures) },
        Section { id: "loops", heading: finding_words::LOOPS_HEADING, blocks: loops(brief) },
        Section { id: "tokens", heading: "Tokens and cost", blocks: tokens(brief) },
        Section {
            id: "time",
            heading: time_words::TIME_SPENT,
            blocks: brief.time.as_ref().map(time).unwrap_or_default(),
        },
    ];
    all.into_iter().filter(|section| !section.blocks.is_empty()).collect()
}

fn facts(brief: &Brief) -> Vec<(&'static str, Line)> {
    let calls = format!(
        "{}, {}",
        counts::llm_calls(brief.n_llm_calls),
        counts::tool_calls(brief.n_tool_calls)
    );
    let code = |text: &str| match text {
        "" => Line::default(),
        text => Sentence::default().code(text).into(),
    };
    let facts = [
        ("Title", code(&brief.title)),
        ("Format", text(brief.format.clone())),
        ("Model", code(&brief.models)),
        ("Started", text(stamp(brief.start_ms))),
        ("Calls", text(calls)),
    ];
    facts.into_iter().filter(|(_, line)| !line.words.is_empty()).collect()
}

fn asked(brief: &Brief) -> Vec<Block> {
    let mut blocks: Vec<Block> = brief.asked.iter().cloned().map(Block::Quote).collect();
    let later = &brief.later_messages;
    if !later.is_empty() {
        let mut lines: Vec<Line> = later.first.iter().map(one_line).collect();
        lines.extend(more(later.n_more));
        blocks.push(Block::Note(Sentence::default().text(match later.len() {
            1 => "Then the user wrote:".to_owned(),
            n => format!("Then the user wrote {}:", counted(n, "more message", "more messages")),
        })));
        blocks.push(Block::List(lines));
    }
    blocks
}

fn one_line(quote: &Quote) -> Line {
    Line { words: Sentence::default().code(quote.text.clone()), events: quote.event.into() }
}

/// The line for what is not listed.
fn more(n: u64) -> Option<Line> {
    (n > 0).then(|| text(format!("and {} more", count(n))))
}

fn outcome(brief: &Brief) -> Vec<Block> {
    let mut facts = vec![("Outcome", text(outcome_of(brief.outcome)))];
    // What is missing is not shown while the run may continue.
    let is_over = brief.outcome != RunOutcome::Running;
    if let Some(missing) = brief.no_end.filter(|_| is_over) {
        facts.push(("End", text(no_end(missing))));
    }
    let grade = score(brief.grade.0, brief.grade.1);
    if !grade.is_empty() {
        facts.push(("Grade", text(grade)));
    }
    let mut blocks = vec![Block::Facts(facts)];
    if let Some(answer) = &brief.answer {
        blocks.push(Block::Note(Sentence::default().text("The last answer:")));
        blocks.push(Block::Quote(answer.clone()));
    }
    blocks
}

fn stopped(brief: &Brief) -> Vec<Block> {
    let all =
        [(&brief.rejected, "rejected by the user"), (&brief.cancelled, "stopped before the end")];
    let line = |(events, how): (&EventRefs, &str)| Line {
        words: Sentence::default().text(format!("{} {how}", counts::tool_calls(events.len()))),
        events: events.clone(),
    };
    let lines: Vec<Line> = all.into_iter().filter(|it| !it.0.is_empty()).map(line).collect();
    if lines.is_empty() { Vec::new() } else { vec![Block::List(lines)] }
}

fn outcome_of(outcome: RunOutcome) -> &'static str {
    match outcome {
        RunOutcome::Ok => "Finished",
        RunOutcome::OkWithLoops => "Finished, with possible loops",
        RunOutcome::Failed => "Failed",
        RunOutcome::Answered => "Ended with an answer; the file states no outcome",
        RunOutcome::HasErrors => "The file states no outcome; some events failed",
        RunOutcome::GradedFail => "Graded: fail",
        RunOutcome::Running => "Running",
        RunOutcome::NoEnd => "No end in the file",
        RunOutcome::Cancelled => "Cancelled",
        RunOutcome::Unknown => "The file states no outcome",
    }
}

fn changes(brief: &Brief) -> Vec<Block> {
    let mut blocks = Vec::new();
    if let Some(files) = brief.files.as_ref().filter(|files| !files.is_empty()) {
        let mut rows: Vec<Vec<Line>> = files.first.iter().map(file).collect();
        rows.extend(more(files.n_more).map(|line| vec![line]));
        blocks.push(Block::Table(vec!["File", "Lines", "Change"], rows));
        blocks.push(Block::Note(Sentence::default().text(
            "From the arguments of the calls, without those that failed; changes made by shell commands are not included",
        )));
    }
    if !brief.commits.is_empty() {
        let line = |commit: &super::Commit| Line {
            words: Sentence::default()
                .text("Commit ")
                .code(commit.id.clone())
                .text(": ")
                .code(commit.subject.clone()),
            events: commit.event.into(),
        };
        let mut lines: Vec<Line> = brief.commits.first.iter().map(line).collect();
        lines.extend(more(brief.commits.n_more));
        blocks.push(Block::List(lines));
    }
    blocks
}

fn file(file: &ChangedFile) -> Vec<Line> {
    let part = |sign: &str, n: u32| (n > 0).then(|| format!("{sign}{}", count(u64::from(n))));
    let lines: Vec<String> =
        [part("+", file.added), part("−", file.removed)].into_iter().flatten().collect();
    let changes = counted(u64::from(file.n_changes), "change", "changes");
    let what = match (file.is_new, file.is_deleted) {
        (true, true) => format!("written and deleted, {changes}"),
        (true, false) if file.n_changes == 1 => "written".to_owned(),
        (true, false) => format!("written, {changes}"),
        (false, true) => format!("deleted, {changes}"),
        (false, false) => changes,
    };
    let what = Line { words: Sentence::default().text(what), events: file.events.clone() };
    vec![Sentence::default().code(file.path.clone()).into(), text(lines.join(" ")), what]
}

fn failures(failures: &Failures) -> Vec<Block> {
    if failures.n == 0 {
        return Vec::new();
    }
    let mut blocks = vec![Block::Note(Sentence::default().text(failure_counts(failures)))];
    let lists = [
        ("Never fixed, as far as later calls show:", &failures.never),
        ("Fixed by later calls:", &failures.fixed),
    ];
    for (heading, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
        blocks.push(Block::Note(Sentence::default().text(heading)));
        let mut lines: Vec<Line> = list.first.iter().map(finding).collect();
        lines.extend(more(list.n_more));
        blocks.push(Block::List(lines));
    }
    blocks
}

/// How many events failed, and how many of them were fixed.
#[must_use]
pub fn failure_counts(failures: &Failures) -> String {
    let Failures { n, n_fixed, n_never, n_in_loops, .. } = failures;
    let mut parts = vec![counted(*n, "event failed", "events failed")];
    if *n_fixed > 0 {
        parts.push(format!("{} fixed later", count(*n_fixed)));
    }
    if *n_never > 0 {
        parts.push(format!("{} never fixed", count(*n_never)));
    }
    if *n_in_loops > 0 {
        parts.push(format!("{} in possible loops", count(*n_in_loops)));
    }
    let n_unknown = n.saturating_sub(n_fixed + n_never + n_in_loops);
    if n_unknown > 0 && n_unknown < *n {
        parts.push(format!("for {} this is not known", count(n_unknown)));
    }
    parts.join("; ")
}

fn loops(brief: &Brief) -> Vec<Block> {
    let mut lines: Vec<Line> = brief.loops.first.iter().map(finding).collect();
    lines.extend(more(brief.loops.n_more));
    if lines.is_empty() { Vec::new() } else { vec![Block::List(lines)] }
}

fn finding(finding: &BriefFinding) -> Line {
    let figures: Vec<String> =
        finding.figures.iter().map(|(value, label)| format!("{value} ({label})")).collect();
    let words = match figures.is_empty() {
        true => finding.said.sentence.clone(),
        false => finding.said.sentence.clone().text(format!(" · {}", figures.join(" · "))),
    };
    Line { words, events: finding.events.clone() }
}

fn tokens(brief: &Brief) -> Vec<Block> {
    let usage = &brief.usage;
    let is_bound = brief.cost.is_lower_bound();
    let has_cost = !brief.cost_split.is_empty();
    let row = |charged: Charged| {
        let (label, tokens) = match charged {
            Charged::Input => ("Input", usage.input),
            Charged::CacheRead => ("Input from a cache", usage.cache_read),
            Charged::CacheWrite => ("Input written to a cache", usage.cache_write),
            Charged::Output => ("Output", usage.output),
            Charged::Requests => ("Requests", None),
        };
        let dollars = brief.cost_split.iter().find(|it| it.0 == charged).map(|it| it.1);
        tokens.or(dollars.map(|_| 0))?;
        let is_at_least = charged == Charged::Output && usage.unfinished;
        let tokens = tokens.map(|n| at_least(count(n), is_at_least)).unwrap_or_default();
        let dollars = dollars.map(|it| dollars_about(it, is_bound, true)).unwrap_or_default();
        let cells = [label.to_owned(), tokens, dollars].map(text);
        Some(cells.into_iter().take(if has_cost { 3 } else { 2 }).collect::<Vec<_>>())
    };
    let mut rows: Vec<Vec<Line>> = Charged::ALL.into_iter().filter_map(row).collect();
    let whole = cost(&brief.cost);
    if has_cost && rows.len() > 1 {
        rows.push(vec![text("Total"), Line::default(), text(whole.clone())]);
    }
    let mut blocks = Vec::new();
    if !rows.is_empty() {
        let heads = ["Kind", "Tokens", "Cost"].into_iter().take(if has_cost { 3 } else { 2 });
        blocks.push(Block::Table(heads.collect(), rows));
    }
    let mut notes = Vec::new();
    if let Some(reasoning) = usage.reasoning.filter(|n| *n > 0) {
        notes.push(format!("{} of the output tokens are reasoning", count(reasoning)));
    }
    match (brief.cost.is_known(), brief.cost.is_estimate()) {
        (true, false) => notes.push(format!("Cost as stated in the file: {whole}")),
        (true, true) if !has_cost => notes.push(format!("Cost: {whole}")),
        (true, true) => notes.push("Cost estimated with public prices".to_owned()),
        (false, _) => {}
    }
    if brief.cost.is_known() && brief.cost.n_unknown > 0 {
        let n = u64::from(brief.cost.n_unknown);
        notes.push(format!("{} without a price", counts::llm_calls(n)));
    }
    blocks.extend(notes.into_iter().map(|note| Block::Note(Sentence::default().text(note))));
    blocks
}

fn time(time: &TimeSplit) -> Vec<Block> {
    let active_ms: f64 = time.shares.iter().map(|it| it.1).sum();
    let row = |(on, ms): &(TimeOn, f64)| {
        let label = match on {
            TimeOn::Models => time_words::BY_MODELS,
            TimeOn::Tools => time_words::BY_TOOLS,
            TimeOn::Others => time_words::BY_OTHERS,
            TimeOn::BetweenTurns => time_words::BY_PERSON,
            TimeOn::Nothing => time_words::BY_NOTHING,
        };
        vec![text(label), text(duration(*ms)), text(percent(ms / active_ms))]
    };
    let rows: Vec<Vec<Line>> = time.shares.iter().map(row).collect();
    if rows.is_empty() {
        return Vec::new();
    }
    let mut said = time_words::active_time(active_ms, time.idle_ms, time.waited);
    if time.loop_ms > 0.0 {
        said.push_str(&format!("; {} in possible loops", duration(time.loop_ms)));
    }
    let note = Block::Note(Sentence::default().text(said));
    vec![Block::Table(vec!["Spent on", "Time", "Share"], rows), note]
}
