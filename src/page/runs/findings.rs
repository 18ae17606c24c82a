//! The findings of a run as sentences, two of them in the line of facts.

use crate::glyph::glyph;
use crate::reactive::{Memo, Show, effect, live, memo};
use crate::words::counts;
use crate::words::runs as text;
use leptos::prelude::*;

use crate::app::pane::{Pane, pane};
use crate::app::trace::Trace;
use crate::browser;
use crate::pane;
use crate::shared::Shared;
use traceloupe_core::model::{EventKind, RunStatus};
use traceloupe_core::reason::Reason;
use traceloupe_protocol::causes::Causes;
use traceloupe_protocol::messages::Request;
use traceloupe_protocol::outline::{FindingLine, RunLine};
use traceloupe_view::causes::{ErrorGroup, Said, error_groups, of_call, of_errors, of_finding};
use traceloupe_view::evidence;
use traceloupe_view::files_touched::{CallRow, PutBack, put_back};
use traceloupe_view::icon::Icon;
use traceloupe_view::longest::LongCall;
use traceloupe_view::outline::Outline;
use traceloupe_view::tries::worked_in_the_end;
use traceloupe_words as words;

/// How many findings are sentences in the line of facts.
const IN_LINE: usize = 2;

/// Of how many events it is asked what was called.
const MAX_CALLS: usize = 100;

/// Id of the button that lists all findings, which gets the focus back.
const BUTTON: &str = "all-findings";

/// Id of the list's button that closes it.
pub const CLOSE: &str = "close-findings";

/// Id of the chosen finding in the list.
pub const CHOSEN: &str = "chosen-finding";

/// Findings of a run, with the outline that has them: those that are alike together, by their indices.
pub type Found = (Shared<Outline>, Vec<Vec<u32>>);

/// The rule of what the program that wrote the trace reported itself.
pub const REPORTED: &str = "reported";

/// The findings of the run that are possible loops, or that are not, the worst first; of these all, or those that the
/// program of the trace reported, or the others.
pub fn of_run(pane: Pane, is_loud: bool, is_reported: Option<bool>) -> Memo<Found> {
    memo(move || {
        let run = pane.run.get();
        let outline = pane.trace.outline.get();
        let causes = pane.trace.statistics.causes.get();
        let found = (0..).zip(&outline.findings);
        let found = found.filter(|(_, it)| {
            let is_wanted = is_reported.is_none_or(|wanted| wanted == (it.rule == REPORTED));
            it.run == run && it.is_loud() == is_loud && is_wanted
        });
        let mut found: Vec<(bool, u32)> =
            found.map(|(at, it)| (it.severity != "critical", at)).collect();
        traceloupe_core::order::sort(&mut found);
        let found: Vec<u32> = found.into_iter().map(|(_, at)| at).collect();
        let alike = evidence::alike(&outline, &found, &causes);
        (outline, alike)
    })
}

/// Asks what the findings and errors of the run are about: for each run, and when there are more of them.
fn ask_for_causes(pane: Pane) {
    let asked = memo(move || {
        let run = pane.run.get();
        pane.trace.outline.with(|outline| {
            let n_errors = outline.runs.get(run as usize).map_or(0, |it| it.counts.errors);
            let is_there = outline.complete || outline.is_live;
            let longest = pane.longest.get().map(|it| it.row);
            (run, outline.findings.len(), n_errors, is_there, longest)
        })
    });
    effect(move || {
        let (run, _, _, is_there, longest) = asked.get();
        if !is_there {
            return;
        }
        let (ids, has_error) = pane.trace.outline.with_untracked(|outline| {
            let is_tool = |row: &u32| outline.rows.kinds.get(*row) == EventKind::ToolCall as u8;
            let found = || outline.findings.iter().filter(|it| it.run == run);
            // What the sentences name comes first.
            let marks = longest.into_iter().chain(found().map(|it| it.mark));
            let marks = marks.chain(evidence::rows_to_ask(found()));
            let mut ids = Vec::new();
            for id in marks.filter(is_tool).map(|row| outline.rows.ids.get(row)) {
                if ids.len() < MAX_CALLS && !ids.contains(&id) {
                    ids.push(id);
                }
            }
            let run = outline.runs.get(run as usize);
            (ids, run.is_some_and(|run| run.first_error.is_some()))
        });
        if has_error || !ids.is_empty() {
            pane.trace.send(&Request::Causes(run, ids));
        }
    });
}

/// Takes what the findings and errors of a run are about.
pub fn take_causes(trace: Trace, causes: Causes) {
    trace.statistics.causes.set(Shared::new(causes));
}

/// Errors that are alike, with the rows where they are.
#[derive(Clone, PartialEq)]
pub struct ErrorLine {
    /// The rows.
    pub rows: Vec<u32>,
    /// The number of the first row in its run, from 1.
    pub number: u32,
    /// What is said of them.
    pub said: Said,
}

/// The errors of the run, those that are alike in one line. Until they have been looked into, the first error is
/// all that is known.
pub fn errors(pane: Pane) -> Memo<Shared<Vec<ErrorLine>>> {
    memo(move || {
        let run = pane.run.get();
        let outline = pane.trace.outline.get();
        let causes = pane.trace.statistics.causes.get();
        let first_row = outline.runs.get(run as usize).map_or(0, |it| it.first_row);
        let line = |group: &ErrorGroup| {
            let rows: Vec<u32> = group.ids.iter().filter_map(|id| outline.row_of(*id)).collect();
            let number = rows.first()?.saturating_sub(first_row) + 1;
            let mut said = of_errors(&outline, group);
            if worked_in_the_end(&outline, &rows) {
                said.headline.push_str(text::THEN_WORKED);
                said.sentence.push_str(text::THEN_WORKED);
            }
            Some(ErrorLine { rows, number, said })
        };
        let mut lines: Vec<ErrorLine> = match causes.run == run {
            true => error_groups(&outline, &causes).iter().filter_map(line).collect(),
            false => Vec::new(),
        };
        let first = outline.runs.get(run as usize).and_then(|it| it.first_error);
        if let Some(row) = first.filter(|_| causes.run != run) {
            let reason = Reason::of(outline.error(row).map(str::to_owned), "");
            let ids = vec![outline.rows.ids.get(row)];
            lines.extend(line(&ErrorGroup { ids, reason, ..ErrorGroup::default() }));
        }
        Shared::new(lines)
    })
}

/// The files of the run with edits that were put back, as far as its calls have been looked at.
pub fn put_back_in(pane: Pane) -> Vec<PutBack> {
    let run = pane.run.get();
    let outline = pane.trace.outline.get();
    let call_of = |id| CallRow::of_run(&outline, run, id);
    pane.trace.statistics.files.with(|found| put_back(found, call_of))
}

/// What is said of the longest call.
pub fn said_of_longest(pane: Pane, outline: &Outline, call: &LongCall) -> Said {
    let causes = pane.trace.statistics.causes.get();
    let took = text::took(&words::duration(call.active_ms), &words::percent(call.share));
    of_call(outline, call.row, &causes, &took)
}

fn error_words(error: &ErrorLine) -> impl IntoView + use<> {
    let at = text::at_event(error.rows.len(), error.number);
    markup! { <span class="finding__words">{with_code(&error.said.headline)}<span class="finding__at">{at}</span></span> }
}

/// What is said of a finding, with what was called.
pub fn said_of(pane: Pane, outline: &Outline, line: &FindingLine) -> Said {
    of_finding(outline, line, &pane.trace.statistics.causes.get())
}

/// What is said of a run without findings. Nothing reassuring is said of one that failed, or has no events.
pub fn nothing_found(pane: Pane) -> Option<String> {
    let run = pane.run.get();
    pane.trace.outline.with(|outline| {
        let run = outline.runs.get(run as usize)?;
        if run.given.is_some() || matches!(run.status, RunStatus::Error | RunStatus::Cancelled) {
            return None;
        }
        if !RunLine::knows_calls(run) {
            return Some(text::NOT_CHECKED.to_owned());
        }
        // Commands that failed although their calls are told to have worked.
        let rows = run.first_row..run.first_row.saturating_add(run.n_rows);
        let n_exits = rows.filter(|row| outline.error(*row).exit_code().is_some()).count();
        Some(match n_exits {
            0 => text::NOTHING_FOUND.to_owned(),
            n => counts::exit_codes(n as u64),
        })
    })
}

/// The worst findings as sentences, and a button that lists all of them.
#[component]
pub fn Strip() -> impl IntoView {
    let pane = pane();
    let (loud, quiet) = (of_run(pane, true, None), of_run(pane, false, None));
    ask_for_causes(pane);
    let errors = errors(pane);
    let has_error = memo(move || errors.with(|it| !it.is_empty()));
    let is_slow = memo(move || pane.longest.with(Option::is_some));
    let n_faults = memo(move || {
        let n_loud = loud.with(|it| it.1.len()) + quiet.with(|it| it.1.len());
        n_loud + errors.with(|it| it.len())
    });
    let n_all = move || {
        let n_other = pane.compactions.with(Vec::len) + put_back_in(pane).len();
        n_faults.get() + usize::from(is_slow.get()) + n_other
    };
    // An error keeps its place, however many loops there are, and the longest call has one beside either.
    let n_loops = memo(move || {
        let room = IN_LINE - usize::from(has_error.get() || is_slow.get());
        loud.with(|it| it.1.len()).min(room)
    });
    let n_errors = memo(move || {
        let room = match n_loops.get() {
            0 => IN_LINE - usize::from(is_slow.get()),
            n => IN_LINE - n,
        };
        errors.with(|it| it.len()).min(room)
    });
    let has_room = move || is_slow.get() && n_loops.get() + n_errors.get() < IN_LINE;
    let n_more = move || n_all() - n_loops.get() - n_errors.get() - usize::from(has_room());
    let slow = live(move || {
        let call = pane.longest.get().filter(|_| has_room())?;
        let said = pane.trace.outline.with(|outline| said_of_longest(pane, outline, &call));
        Some(markup! {
            <button class="sentence" title=text::SHOW on:click=move |_| pane::actions::jump(pane, call.row)>
                {glyph(Icon::Slow.path())}
                <span class="finding__words">{with_code(&said.sentence)}</span>
            </button>
        })
    });
    let sentences = move || {
        let (outline, found) = loud.get();
        let found = found.into_iter().take(n_loops.get());
        let lines = found.filter_map(|alike| outline.findings.get(*alike.first()? as usize));
        lines.map(|line| sentence(&outline, line)).collect_view()
    };
    let error = move || {
        let line = |error: &ErrorLine| {
            let row = error.rows.first().copied().unwrap_or(0);
            let is_first = pane.trace.outline.with_untracked(|outline| {
                let run = outline.runs.get(pane.run.get_untracked() as usize);
                run.is_some_and(|run| run.first_error == Some(row))
            });
            let label = if is_first { text::SHOW_THE_FIRST_ERROR } else { text::SHOW };
            markup! {
                <button class="sentence" data-severity="error" title=label
                    on:click=move |_| pane::actions::jump(pane, row)>
                    {glyph(Icon::Error.path())}
                    <span class="sr">{label}": "</span>
                    {error_words(error)}
                </button>
            }
        };
        // What failed most often comes first.
        let all = errors.get();
        let mut lines: Vec<&ErrorLine> = all.iter().collect();
        traceloupe_core::order::sort_by_key(&mut lines, |it| std::cmp::Reverse(it.rows.len()));
        lines.into_iter().take(n_errors.get()).map(line).collect_view()
    };
    markup! {
        <section class="findings" role="region" aria-label=text::FINDINGS>
            <div class="findings__line">
                {sentences}
                {error}
                <Show when=move || n_faults.get() == 0>
                    {move || nothing_found(pane).map(|words| markup! { <p class="findings__none">{words}</p> })}
                </Show>
                <Show when=move || n_loops.get() == 0 && !has_error.get() && { n_faults.get() > 0 }>
                    <p class="findings__none">{move || counts::quiet_findings(n_faults.get() as u64)}</p>
                </Show>
                {slow}
            </div>
            <Show when=move || { n_all() > 0 }>
                <button id=BUTTON class="findings__all" aria-expanded=move || pane.lists_findings.get().to_string()
                    title=text::ALL_FINDINGS_TITLE
                    on:click=move |_| toggle(pane)>
                    <span class="findings__more-of">{move || match n_more() {
                        0 => text::DETAILS.to_owned(),
                        n => counts::more(n),
                    }}</span>
                    // On narrow screens, where no sentence has room.
                    <span class="findings__n">
                        {move || glyph(if n_loops.get() == 0 && has_error.get() { Icon::Error } else { Icon::Loop }.path())}
                        {n_all}
                    </span>
                    <span class="sr">{text::OF_ALL_FINDINGS}</span>
                </button>
            </Show>
        </section>
    }
}

/// Lists all findings beside the timeline, or no longer.
pub fn toggle(pane: Pane) {
    // On a narrow screen the filters cover the findings.
    let is_covered = pane.shows_side.get_untracked();
    pane.shows_side.set(false);
    let is_open = is_covered || !pane.lists_findings.get_untracked();
    pane.lists_findings.set(is_open);
    // A finding that leads to its row on a narrow screen leaves the panel, but not its marks.
    if !is_open {
        pane.alike.set(Shared::default());
    }
    focus_later(if is_open { CHOSEN } else { BUTTON });
}

/// Gives a button the keyboard. The list is drawn a moment later.
pub fn focus_later(id: &'static str) {
    leptos::task::spawn_local(async move {
        gloo_timers::future::TimeoutFuture::new(30).await;
        browser::focus(id);
    });
}

/// A finding in the line of facts. It leads to the event that it is about.
fn sentence(outline: &Outline, line: &FindingLine) -> impl IntoView + use<> {
    let pane = pane();
    let mark = line.mark;
    let said = said_of(pane, outline, line);
    let plain = said.sentence.replace('`', "");
    let label = text::show(&plain);
    let spent = pane.trace.costs.with(|costs| {
        let causes = pane.trace.statistics.causes.get();
        evidence::of_findings(outline, &[line], costs, &causes).main_figure
    });
    markup! {
        <button class="sentence" data-severity=line.severity.clone() data-rule=line.rule.clone() title=plain
            aria-label=label on:click=move |_| pane::actions::jump(pane, mark)>
            {glyph(Icon::Loop.path())}
            <span class="finding__words">{with_code(&said.headline)}</span>
            {(!spent.is_empty()).then(|| markup! { <span class="finding__spent">{spent}</span> })}
        </button>
    }
}

/// Shows names between backticks as code. Everything stays text.
pub fn with_code(sentence: &str) -> impl IntoView + use<> {
    let parts: Vec<String> = sentence.split('`').map(str::to_owned).collect();
    parts
        .into_iter()
        .enumerate()
        .map(
            |(at, part)| {
                if at % 2 == 1 {
                    markup! { <code>{part}</code> }.into_any()
                } else {
                    part.into_any()
                }
            },
        )
        .collect_view()
}
