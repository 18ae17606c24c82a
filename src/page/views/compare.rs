//! Two runs side by side: the differences in numbers, and step by step.

use leptos::prelude::*;

use crate::app::pane::{Pane, pane};
use crate::app::trace::Trace;
use crate::browser;
use crate::event::change::{changed_view, lines_changed};
use crate::event::compare::compare_rows;
use crate::glyph::glyph;
use crate::pane;
use crate::reactive::{RwSignal, Show, effect, memo};
use crate::runs::parts::list_parts;
use crate::shared::Shared;
use crate::views::compare_sides::{numbers, run_head};
use traceloupe_core::model::{EventKind, Flags};
use traceloupe_core::text::diff::{Ranges, changed_words};
use traceloupe_protocol::messages::Request;
use traceloupe_protocol::outline::FindingLine;
use traceloupe_protocol::run_comparison::{Fate, FilePair, PairLine, RunComparison};
use traceloupe_view::icon::{self, Icon};
use traceloupe_view::list::line_view::failure;
use traceloupe_view::list::scope;
use traceloupe_view::look::look;
use traceloupe_view::outline::Outline;
use traceloupe_view::row_kind::is_thinking;
use traceloupe_view::run_pairs::folds::{Fold, folded, folds, kinds_of_lines, quiet, shortened};
use traceloupe_view::run_pairs::{
    PairRow, Part, blocks, by_likeness, differences, pair_rows, parting, telling, turn_heads,
};
use traceloupe_view::shared_turns::{SharedPart, shared_part};
use traceloupe_words as words;
use traceloupe_words::page::compare as text;
use traceloupe_words::page::timeline::changed_lines as changed_lines_title;

/// How many lines are drawn initially, and how many more each time.
const AT_ONCE: usize = 400;

/// The longest path, in characters. For a longer one, only the end is shown.
const MAX_PATH_CHARS: usize = 44;

/// How many characters of the subject of the diverging step are shown.
const MAX_TOLD_CHARS: usize = 40;

/// The most blocks in the strip of all steps.
const MAX_BLOCKS: usize = 120;

/// Takes two aligned runs.
pub fn take_run_comparison(trace: Trace, comparison: RunComparison) {
    trace.statistics.compared.set(Some(Shared::new(comparison)));
}

/// Two aligned runs, prepared for drawing.
#[derive(Default)]
struct Pairs {
    lines: Vec<PairLine>,
    /// Whether each line begins a turn.
    heads: Vec<bool>,
    /// What each line folds with.
    folds: Vec<Option<Fold>>,
    /// Whether each line is a quiet step of only one run.
    quiet: Vec<bool>,
    /// The stretches of lines that differ.
    differences: Vec<(u32, u32)>,
    n_left_out: u64,
    /// Up to where both runs do the same work, if one of them continues, and the number of lines up to there.
    part: Option<(SharedPart, usize)>,
    /// The files that the runs have changed.
    files: Vec<FilePair>,
}

impl Pairs {
    fn new(outline: &Outline, found: &RunComparison) -> Self {
        let lines = telling(outline, &found.lines);
        let heads = turn_heads(outline, &lines);
        let differences = differences(&lines, &heads);
        let folds = folds(outline, &lines);
        let part = shared_part(outline, &lines, &heads);
        let part = part.map(|part| (part, part.n_lines(outline, &lines)));
        let quiet = quiet(outline, &lines);
        let (files, n_left_out) = (found.files.clone(), found.n_left_out);
        Self { lines, heads, folds, quiet, differences, n_left_out, part, files }
    }

    /// How many lines are compared: all, or those up to the end of the common part.
    fn n_compared(&self, is_whole: bool) -> usize {
        self.part.filter(|_| !is_whole).map_or(self.lines.len(), |part| part.1)
    }

    /// The differences among some of the lines.
    fn differences_to(&self, n_lines: usize) -> impl ExactSizeIterator<Item = u32> + '_ {
        let n = self.differences.partition_point(|it| (it.0 as usize) < n_lines);
        self.differences.iter().take(n).map(|it| it.0)
    }
}

/// The inputs for drawing the lines of the list.
#[derive(Clone)]
struct Drawn {
    pane: Pane,
    pairs: Shared<Pairs>,
    /// The difference that the user went to, by its first line.
    now: RwSignal<Option<u32>>,
}

/// The panel.
#[component]
pub fn Compare() -> impl IntoView {
    let pane = pane();
    let wanted = pane.trace.statistics.compared_with;
    let runs = memo(move || {
        let first = pane.run.get();
        pane.trace.outline.with(|outline| {
            let is_there = |run: &u32| *run != first && (*run as usize) < outline.runs.len();
            let alike = || by_likeness(&outline.runs, first).first().copied().unwrap_or(0);
            (first, wanted.get().filter(is_there).unwrap_or_else(alike))
        })
    });
    let is_complete = memo(move || pane.trace.outline.with(|it| it.complete));
    let now = RwSignal::new(None::<u32>);
    effect(move || {
        let (first, second) = runs.get();
        now.set(None);
        if is_complete.get() {
            pane.trace.send(&Request::CompareRuns(first, second));
        }
    });
    let found = memo(move || {
        let found = pane.trace.statistics.compared.get();
        found.filter(|found| found.runs == runs.get()).map(|found| {
            Shared::new(pane.trace.outline.with(|outline| Pairs::new(outline, &found)))
        })
    });
    let chosen = RwSignal::new(0_usize);
    let part = move || Part::ALL.get(chosen.get()).copied().unwrap_or_default();
    let is_whole = pane.trace.statistics.compares_whole;
    let n_compared = move |found: &Pairs| found.n_compared(is_whole.get());
    let parts = memo(move || {
        let parts = found.get().map(|found| {
            let lines = found.lines.get(..n_compared(&found)).unwrap_or_default();
            let parts =
                (0..).zip(Part::ALL).map(|(at, part)| (at, part_words(part), part.count(lines)));
            parts.filter(|it| it.2 > 0).collect::<Vec<_>>()
        });
        parts.unwrap_or_default()
    });
    let (n_drawn, set_n_drawn) = signal(AT_ONCE);
    let rows = memo(move || {
        let rows = found.get().map(|found| {
            let (n, n_all) = (n_compared(&found), found.lines.len());
            let lines = found.lines.get(..n).unwrap_or_default();
            let rows = pair_rows(lines, &found.heads, part());
            if !part().is_of_both() {
                return rows;
            }
            let mut rows = shortened(&folded(&rows, lines, &found.folds), lines, &found.quiet);
            if let (Ok(from), Ok(rest @ 1..)) = (u32::try_from(n), u32::try_from(n_all - n)) {
                rows.push(PairRow::Beyond(from, rest));
            }
            rows
        });
        Shared::new(rows.unwrap_or_default())
    });
    let n_more = move || rows.with(|rows| rows.len()).saturating_sub(n_drawn.get());
    // Which difference the user went to, and how many there are.
    let place = move || {
        let found = found.get()?;
        let now = now.get();
        let mut differences = found.differences_to(n_compared(&found));
        let n = differences.len();
        Some((differences.position(|it| Some(it) == now), n))
    };
    let go = move |is_forwards: bool| {
        let Some((at, n)) = untrack(place) else { return };
        let to = match at {
            None => 0,
            Some(at) if is_forwards => at + 1,
            Some(at) => at.saturating_sub(1),
        };
        let to = to.min(n.saturating_sub(1));
        let to = found.with_untracked(|it| it.as_ref()?.differences.get(to).map(|it| it.0));
        if !untrack(part).is_of_both() {
            chosen.set(0);
        }
        let is_it = |row: &PairRow| matches!((row, to), (PairRow::Line(at) | PairRow::Only(at, _), Some(to)) if *at == to);
        if let Some(at) = rows.with_untracked(|rows| rows.iter().position(is_it)) {
            set_n_drawn.update(|n| *n = (*n).max(at + AT_ONCE));
        }
        now.set(to);
    };
    effect(move || {
        let Some(at) = now.get() else { return };
        let target = format!("#pair-{at}");
        browser::show_inside(".exhibit", &target);
        // A pressed button keeps the focus, so that it can be pressed again.
        if !browser::is_focus_inside(".pairs__goto") {
            browser::focus_next(&format!("{target} button"), false);
        }
    });
    let said = move || match (found.get(), place()) {
        (Some(found), Some((Some(at), n))) if n > 0 => text::difference_of(at, n, found.n_left_out),
        (Some(found), _) => {
            text::said(&found.lines, first_step(pane, &found.lines), found.n_left_out)
        }
        _ => text::COMPARING.to_owned(),
    };
    let is_at = move |is_last: bool| match place() {
        Some((at, n)) if is_last => n == 0 || at == Some(n - 1),
        Some((at, _)) => at.unwrap_or(0) == 0,
        None => true,
    };
    markup! {
        <div class="pairs">
            <div class="pairs__top">
                <div class="pairs__runs">
                    {run_head(pane, runs, true)}
                    <button class="quiet icon" title=text::SWAP aria-label=text::SWAP on:click=move |_| {
                        let (first, second) = runs.get_untracked();
                        pane::tabs::compare_two(pane, (second, first));
                    }>{glyph(icon::SWAP)}</button>
                    {run_head(pane, runs, false)}
                </div>
                <div class="pairs__bar">
                    {list_parts(text::WHICH_STEPS, parts, chosen)}
                    {move || found.get().map(|found| {
                        // The work of one run after the other has stopped has nothing to be compared with.
                        strip(found.lines.get(..n_compared(&found)).unwrap_or_default())
                    })}
                    <span class="pairs__said" role="status">{said}</span>
                    <span class="pairs__goto">
                        <button class="pairs__previous" title=text::PREVIOUS_TITLE aria-label=text::PREVIOUS
                            disabled=move || is_at(false) on:click=move |_| go(false)>{glyph(icon::UP)}</button>
                        <button class="pairs__next" title=text::NEXT_TITLE disabled=move || is_at(true)
                            on:click=move |_| go(true)>{glyph(icon::DOWN)}{text::NEXT}</button>
                    </span>
                </div>
            </div>
            {move || numbers(pane, runs.get(), found.get().map(|found| (found.part.map(|it| it.0), found.files.clone())))}
            <ol class="pairs__list" role="list" aria-label=text::STEPS>
                {move || {
                    let rows = rows.get();
                    let Some(pairs) = found.get() else { return Vec::new() };
                    let drawn = Drawn { pane, pairs, now };
                    rows.iter().take(n_drawn.get()).map(|row| row_view(&drawn, *row)).collect()
                }}
            </ol>
            <Show when=move || { n_more() > 0 }>
                <button class="quiet block__more" on:click=move |_| set_n_drawn.update(|n| *n += AT_ONCE)>
                    {move || text::more(n_more())}
                </button>
            </Show>
        </div>
    }
}

/// All steps as a strip of blocks, coloured by how the runs differ.
fn strip(lines: &[PairLine]) -> impl IntoView + use<> {
    let blocks = blocks(lines, MAX_BLOCKS);
    let n = blocks.len().max(1);
    let view_box = format!("0 0 {} 1", n * 100);
    // In hundredths of a block, so that the gaps are about equally wide for any number of blocks.
    let width = 100 - n / 5;
    let mut paths: Vec<AnyView> = Vec::new();
    for fate in Fate::ALL {
        let mut path = String::new();
        for (at, block) in blocks.iter().enumerate() {
            if *block == fate {
                path.push_str(&format!("M{at}00 0h{width}v1h-{width}z"));
            }
        }
        if !path.is_empty() {
            let path = markup! { <path data-fate=text::fate(fate).0 d=path></path> };
            paths.push(path.into_any());
        }
    }
    markup! {
        <svg class="pairs__strip" viewBox=view_box preserveAspectRatio="none" aria-hidden="true">{paths}</svg>
    }
}

/// The number of an event in its run.
fn step_of(outline: &Outline, id: u32) -> Option<u32> {
    let row = outline.row_of(id)?;
    Some(row - outline.run_of(row)?.1.first_row + 1)
}

/// The numbers of the steps where the runs diverge.
fn first_step(pane: Pane, lines: &[PairLine]) -> [Option<u32>; 2] {
    let ids = parting(lines).map_or([None; 2], |it| it.1);
    let outline = pane.trace.outline.get_untracked();
    ids.map(|id| step_of(&outline, id?))
}

fn row_view(drawn: &Drawn, row: PairRow) -> AnyView {
    match row {
        PairRow::Line(at) => line_view(drawn, at),
        PairRow::Same(from, n) => same_view(drawn, from, n),
        PairRow::Only(from, n) => only_view(drawn, from, n),
        PairRow::Beyond(from, n) => beyond_view(drawn, from, n),
        PairRow::Parting => parting_view(drawn),
    }
}

/// Equal steps, which can be unfolded.
fn same_view(drawn: &Drawn, from: u32, n: u32) -> AnyView {
    folded_view(drawn, (from, n), text::the_same(n), None)
}

/// Related steps of only one run, which can be unfolded.
fn only_view(drawn: &Drawn, from: u32, n: u32) -> AnyView {
    let pairs = &drawn.pairs;
    let fold = pairs.folds.get(from as usize).copied().flatten();
    let fate = pairs.lines.get(from as usize).map_or(Fate::Same, |line| line.fate);
    let outline = drawn.pane.trace.outline.get_untracked();
    let said = match fold {
        Some(Fold::Loop(finding)) => {
            let line = outline.findings.get(finding as usize);
            line.map(|it| words::findings::fold(&it.evidence, &it.between))
        }
        Some(Fold::Agent(row)) => outline.agents.at(row).map(|it| scope::name(&outline, it)),
        Some(Fold::Turn(row)) => outline.turns.at(row).map(|it| {
            let line = pairs.lines.get(from as usize);
            text::turn(it.number, line.map_or("", |line| &line.first_words))
        }),
        None => {
            let stretch = pairs.lines.get(from as usize..(from + n) as usize);
            Some(words::kinds_of_steps(&kinds_of_lines(&outline, stretch.unwrap_or_default())))
        }
    };
    let is_loop = match fold {
        Some(Fold::Loop(_)) => true,
        Some(Fold::Turn(row)) => outline.turns.at(row).is_some_and(|turn| {
            let begins = |it: &FindingLine| (row..turn.end).contains(&it.first);
            outline.findings.iter().any(|it| it.is_loud() && begins(it))
        }),
        Some(Fold::Agent(_)) | None => false,
    };
    let said = match fold {
        Some(_) => text::only(&said.unwrap_or_default(), n, fate),
        None => text::quiet_only(&said.unwrap_or_default(), n, fate),
    };
    folded_view(drawn, (from, n), said, Some((fate, is_loop)))
}

/// The turns that only one run has, after the last turn of the other. They can be unfolded.
fn beyond_view(drawn: &Drawn, from: u32, n: u32) -> AnyView {
    let pairs = &drawn.pairs;
    let range = from as usize..(from + n) as usize;
    let lines = pairs.lines.get(range.clone()).unwrap_or_default();
    let fate = lines.first().map_or(Fate::Same, |line| line.fate);
    let heads = lines.iter().zip(pairs.heads.get(range).unwrap_or_default());
    let turns: Vec<&str> = heads.filter(|it| *it.1).map(|it| it.0.first_words.as_str()).collect();
    folded_view(drawn, (from, n), text::turns_only(&turns, fate), Some((fate, false)))
}

/// A line that replaces others, which can be unfolded: the first of them, and how many there are. If only one run has
/// them, the line has a colour, and also the icon of a loop if they form one.
fn folded_view(
    drawn: &Drawn,
    (from, n): (u32, u32),
    said: String,
    only: Option<(Fate, bool)>,
) -> AnyView {
    let is_open = RwSignal::new(false);
    let begins = only.and_then(|_| drawn.pairs.differences.iter().find(|it| it.0 == from));
    let (begins, now) = (begins.map(|it| it.0), drawn.now);
    let drawn = drawn.clone();
    let lines = move || {
        let lines = is_open.get().then(|| (from..from + n).map(|at| line_view(&drawn, at)));
        lines.map(|lines| markup! { <ol role="list">{lines.collect_view()}</ol> })
    };
    let (sign, verb) = (
        move || if is_open.get() { icon::DOWN } else { icon::RIGHT },
        move || if is_open.get() { text::HIDE } else { text::SHOW },
    );
    let id = only.map(|_| format!("pair-{from}"));
    let fate = only.map(|(fate, _)| text::fate(fate).0);
    let is_now = move || (begins.is_some() && now.get() == begins).then_some("true");
    let is_loop = only.filter(|it| it.1).map(|_| "true");
    let sign_of_loop = only.filter(|it| it.1).map(|_| glyph(icon::Icon::Loop.path()));
    markup! {
        <li class="pairs__same" id=id data-fate=fate data-loop=is_loop data-now=is_now>
            <button class="quiet" aria-expanded=move || is_open.get().to_string()
                on:click=move |_| is_open.update(|it| *it = !*it)>
                {move || glyph(sign())}{sign_of_loop}<span>{said}</span>{verb}
            </button>
            {lines}
        </li>
    }
    .into_any()
}

/// A description of how the runs diverge.
fn parting_view(drawn: &Drawn) -> AnyView {
    let lines = &drawn.pairs.lines;
    let Some((fate, ids)) = parting(lines) else { return ().into_any() };
    let outline = drawn.pane.trace.outline.get_untracked();
    let steps = ids.map(|id| {
        let row = outline.row_of(id?)?;
        let kind = EventKind::from_code(outline.rows.kinds.get(row));
        Some((kind, outline.name(outline.rows.names.get(row)).to_owned()))
    });
    let told = |is_it: &dyn Fn(&PairLine) -> bool, words: &dyn Fn(&PairLine) -> &str| {
        let line = lines.iter().find(|line| is_it(line))?;
        let told = words(line).split_once(" · ")?.1;
        Some(words::one_line(told, MAX_TOLD_CHARS))
    };
    let first = told(&|line| line.first == ids[0], &|line| &line.first_words);
    let second = told(&|line| line.second == ids[1], &|line| match line.second_words.as_str() {
        "" => &line.first_words,
        words => words,
    });
    let heading = text::first_difference(first_step(drawn.pane, lines));
    markup! {
        <li class="pairs__parting">{glyph(icon::FORK)}<b>{heading}</b>
            <span>{text::parting(fate, steps, [first, second].map(Option::unwrap_or_default))}</span></li>
    }
    .into_any()
}

fn line_view(drawn: &Drawn, at: u32) -> AnyView {
    let (pane, now) = (drawn.pane, drawn.now);
    let Some(line) = drawn.pairs.lines.get(at as usize) else { return ().into_any() };
    let PairLine { first, second, fate, first_words, second_words, changed_lines } = line.clone();
    let (first_words, second_words) = match (fate, second_words.is_empty()) {
        (_, true) => (first_words.clone(), first_words),
        (Fate::Changed, false) => words::past_common(&first_words, &second_words),
        (_, false) => (first_words, second_words),
    };
    let changed = Some(fate).filter(|fate| *fate == Fate::Changed);
    let changed = changed.and_then(|_| changed_words(&first_words, &second_words));
    // If most of a text would be marked, it is simply a different text, which the sign already shows.
    let is_telling = |ranges: &Ranges, text: &str| {
        ranges.iter().map(|it| it.len()).sum::<usize>() * 5 <= text.len() * 2
    };
    let changed = changed
        .filter(|(one, other)| is_telling(one, &first_words) && is_telling(other, &second_words));
    let (first_changed, second_changed) = changed.unwrap_or_default();
    let outline = pane.trace.outline.get_untracked();
    let row = |id: Option<u32>| id.and_then(|id| outline.row_of(id));
    let rows = (row(first), row(second));
    let is_head = drawn.pairs.heads.get(at as usize) == Some(&true);
    if let (true, Fate::Same, (Some(one), Some(other))) = (is_head, fate, rows) {
        return turn_view(pane, (one, other), first_words);
    }
    let changes = rows.0.zip(rows.1).filter(|_| [Fate::Changed, Fate::OtherResult].contains(&fate));
    let (word, sign, said) = text::fate(fate);
    let begins = drawn.pairs.differences.iter().find(|it| (it.0..it.1).contains(&at));
    let begins = begins.map(|it| it.0);
    let is_now = move || (begins.is_some() && now.get() == begins).then_some("true");
    markup! {
        <li class="pairs__pair" id=format!("pair-{at}") data-fate=word data-turn=is_head.then_some("true") data-now=is_now>
            {side(pane, "1", rows.0, &first_words, &first_changed, changed_lines[0])}
            <span class="pairs__fate">{match changes {
                None => markup! { <span title=said role="img" aria-label=said>{sign}</span> }.into_any(),
                Some((one, other)) => markup! {
                    <button class="quiet" title=text::SHOW_DIFFERENCE aria-label=said on:click=move |_| compare_rows(pane, other, one)>{sign}</button>
                }.into_any(),
            }}</span>
            {side(pane, "2", rows.1, &second_words, &second_changed, changed_lines[1])}
        </li>
    }
    .into_any()
}

/// A message that begins the same turn in both runs, with the durations of that turn.
fn turn_view(pane: Pane, (one, other): (u32, u32), words: String) -> AnyView {
    let outline = pane.trace.outline.get_untracked();
    let turn = |row: u32| outline.turns.at(row);
    let time = |row: u32| turn(row).map_or_else(String::new, |it| words::duration(it.duration_ms));
    let number = turn(one).map(|it| it.number);
    let times = text::times(&time(one), &time(other));
    markup! {
        <li class="pairs__turn">
            <button class="pairs__step" on:click=move |_| pane::actions::jump(pane, one)>
                <span class="pairs__number">{number}</span><b class="pairs__words">{words}</b>
                <span class="pairs__time">{times}</span>
            </button>
        </li>
    }
    .into_any()
}

/// The text of a step, with differing words marked: a file with its folder greyed out, or prose without Markdown
/// markup.
fn told_view(look: &str, told: &str, changed: &Ranges) -> AnyView {
    match look {
        "read" | "edit" if changed.is_empty() => {
            let told = words::end_of_path(told, MAX_PATH_CHARS).unwrap_or_else(|| told.to_owned());
            let (folder, name) = words::folder_and_name(&told);
            let (folder, name) = (folder.to_owned(), name.to_owned());
            markup! { <span class="row__folder">{folder}</span>{name} }.into_any()
        }
        "llm" | "think" | "user" if changed.is_empty() => words::without_marks(told).into_any(),
        _ => changed_view(told, changed).into_any(),
    }
}

/// A step of one of the runs, with its differences marked.
fn side(
    pane: Pane,
    which: &'static str,
    row: Option<u32>,
    said: &str,
    changed: &Ranges,
    lines: Option<(u32, u32)>,
) -> impl IntoView + use<> {
    let step = row.map(|row| {
        let outline = pane.trace.outline.get_untracked();
        let rows = &outline.rows;
        let kind = EventKind::from_code(rows.kinds.get(row));
        let number = row - outline.run_of(row).map_or(0, |(_, run)| run.first_row) + 1;
        let (icon, look) = look(kind, outline.name(rows.names.get(row)));
        let is_thinking = is_thinking(kind, Flags::from_bits(rows.flags.get(row)));
        let (icon, look) = if is_thinking { (Icon::Think, "think") } else { (icon, look) };
        // A message represents its turn.
        let ms = outline.turns.at(row).map_or(rows.durations_ms.get(row), |it| it.duration_ms);
        let failure = failure(&outline, row);
        // The text of a tool call begins with its name.
        let (name, told) = match said.split_once(" · ").filter(|_| kind == EventKind::ToolCall) {
            Some((name, told)) => (words::tool_name(name), told),
            None => (String::new(), said),
        };
        let before = said.len() - told.len();
        let changed = changed.iter().filter(|it| it.start >= before);
        let changed: Ranges = changed.map(|it| it.start - before..it.end - before).collect();
        let lines = lines.map(|(added, removed)| {
            let title = changed_lines_title(added, removed);
            markup! { <span class="row__lines" title=title>{lines_changed(added as usize, removed as usize)}</span> }
        });
        let failure = failure.map(|(tone, words)| {
            markup! { <span class="badge" data-tone=tone>{words}</span> }
        });
        markup! {
            <button class="pairs__step" data-look=look on:click=move |_| pane::actions::jump(pane, row)>
                <span class="pairs__no">{number}</span>{glyph(icon.path())}
                <span class="pairs__words">{name}" "<span>{told_view(look, told, &changed)}</span></span>{lines}{failure}
                <span class="pairs__time">{words::duration(ms)}</span>
            </button>
        }
    });
    markup! { <div class="pairs__side" data-run=which>{step}</div> }
}

/// What a part of the steps is called.
fn part_words(part: Part) -> &'static str {
    match part {
        Part::All => text::ALL_STEPS,
        Part::Differences => text::ONLY_DIFFERENCES,
        Part::OnlyFirst => text::ONLY_IN_A,
        Part::OnlySecond => text::ONLY_IN_B,
    }
}
