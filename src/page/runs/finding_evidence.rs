//! The evidence for a finding: its cost, its events as a table, and the changes from the first to the last.

use leptos::prelude::*;

use crate::app::page::Dialog;
use crate::app::pane::Pane;
use crate::event::actions;
use crate::event::compare::difference;
use crate::event::values::{Cutting, value_view};
use crate::glyph::glyph;
use crate::pane;
use crate::pane::tabs::uncover;
use crate::reactive::{Memo, RwSignal};
use crate::runs::finding_entries::evidence_of;
use crate::runs::findings::{CLOSE, focus_later};
use crate::shared::Shared;
use traceloupe_protocol::detail::{ShownBlock, ShownDetail, ValueForm};
use traceloupe_protocol::finding::Family;
use traceloupe_protocol::outline::FindingLine;
use traceloupe_view::evidence::{self, Round};
use traceloupe_view::finding_list::{Entry, FindingList, Part};
use traceloupe_view::icon;
use traceloupe_view::list::folds::apart::words_between;
use traceloupe_view::list::visible_lines::Line;
use traceloupe_view::muted;
use traceloupe_view::outline::Outline;
use traceloupe_view::passages::Subject;
use traceloupe_words as words;
use traceloupe_words::counts;
use traceloupe_words::page::{brief, event, findings as text};

/// The longest path that is shown in full.
const MAX_PATH_CHARS: usize = 18;

/// How much of a stated error message is shown initially.
const SAID: Cutting = Cutting::At { lines: 4, chars: 240, thinking: 0 };

/// How many events are listed initially.
const LISTED: usize = 6;

/// The chosen finding.
pub fn opened(pane: Pane, list: &FindingList, entry: &Entry) -> AnyView {
    let outline = list.outline();
    let lines = list.lines(entry);
    let evidence = evidence_of(pane, list, entry);
    let mute_button = lines.first().map(|line| {
        let keys: Vec<u64> = lines.iter().map(|line| muted::key(outline, line)).collect();
        let (words, title, sign) = match (line.is_muted, line.may_be_loud()) {
            (true, true) => (text::A_LOOP_AFTER_ALL, text::UNMUTE_TITLE, icon::SEE),
            (true, false) => (text::UNMUTE, text::UNMUTE_TITLE, icon::SEE),
            (false, true) => (text::NOT_A_LOOP, text::MUTE_TITLE, icon::MUTE),
            (false, false) => (text::MUTE, text::MUTE_TITLE, icon::MUTE),
        };
        let title = format!("{words}: {title}");
        markup! {
            <button class="quiet" aria-label=words title=title on:click=move |_| mute(pane, &keys)>{glyph(sign)}</button>
        }
    });
    let is_own = |line: &&FindingLine| line.rule.family() != Family::Reported;
    let is_confirmed = lines.iter().any(|it| is_own(it) && !it.reported.is_empty());
    let confirmed = is_confirmed.then(
        || markup! { <p><span class="badge" data-tone="dim">{text::REPORTED_TOO}</span></p> },
    );
    let row = lines.first().map_or(0, |line| line.mark);
    let (n_rows, number) =
        (list.rows(entry).len(), evidence.rounds.first().map_or(0, |round| round.number));
    let noun = match entry.part {
        Part::Loops => text::LOOP_NOUN,
        Part::Reported => text::REPORT_NOUN,
        Part::Errors => text::ERROR_NOUN,
        Part::Longest => text::CALL_NOUN,
        Part::Compactions => text::COMPACTION_NOUN,
        Part::RevertedEdits => text::EDIT_NOUN,
        Part::Quiet => text::REPETITION_NOUN,
    };
    let heading = match n_rows {
        n if n > 1 && entry.part == Part::Errors => text::errors_at(n, number),
        _ => text::finding_at(noun, number),
    };
    let took = match entry.part {
        Part::Longest | Part::Compactions | Part::RevertedEdits => text::IT_TOOK,
        Part::Errors if n_rows == 1 => text::IT_TOOK,
        Part::Errors => text::FAILED_CALLS_TOOK,
        Part::Loops | Part::Reported | Part::Quiet
            if lines.first().is_some_and(|line| line.folds_with_others()) =>
        {
            text::REPEATED_APART
        }
        Part::Loops | Part::Reported | Part::Quiet => text::REPEATED,
    };
    // For a single event, a table would add nothing except what was called.
    let is_one = evidence.rounds.len() == 1 && evidence.n_more == 0;
    let (id, key) = (outline.rows.ids.get(row), entry.key);
    let has_failed = lines.first().is_some_and(|line| line.fails());
    let detail = (is_one || has_failed).then(|| actions::detail_of(pane.trace, id));
    let call = detail.filter(|_| is_one).map(|it| called(it, evidence.rounds.first()));
    let is_since = lines.first().is_some_and(|line| line.folds_with_others());
    let table = (!is_one).then(|| table(pane, evidence.rounds, evidence.n_more, is_since));
    let failed = detail.filter(|_| has_failed).map(said);
    let figures = evidence.figures.iter().map(|figure| {
        markup! { <div><dd>{figure.value.clone()}</dd><dt>{figure.label.clone()}</dt></div> }
    });
    let figures = (!evidence.figures.is_empty()).then(|| {
        markup! { <p class="evidence__took">{took}</p><dl class="evidence__figures">{figures.collect_view()}</dl> }
    });
    let why = lines.first().filter(|line| line.is_apart()).map(|line| {
        let why = text::why(line.has_same_args(), line.fails());
        markup! { <p class="evidence__why">{words::with_more(why, &words_between(outline, line))}"."</p> }
    });
    let ends = match entry.part {
        Part::Errors => lines.first().map(|line| (line.first, line.last)),
        Part::Loops
        | Part::Longest
        | Part::Reported
        | Part::Compactions
        | Part::RevertedEdits
        | Part::Quiet => lines.first().and_then(|line| evidence::first_and_last(line)),
    };
    // For a failed call, the differences include the error message.
    let tells_apart = ends.is_some_and(|(first, last)| first != last)
        && lines.first().is_some_and(|line| line.has_same_args());
    let failed = failed.filter(|_| !tells_apart);
    let difference = ends.filter(|(first, last)| first != last).map(|(first, last)| {
        // If the calls are different, everything differs.
        let is_same = lines.first().is_some_and(|line| line.has_same_args());
        markup! {
            <details open=is_same>
                <summary>{text::FIRST_AND_LAST}</summary>
                {difference(pane, last, first)}
            </details>
        }
    });
    markup! {
        <section class="evidence" aria-label=text::EVIDENCE>
            <header class="evidence__head">
                <h3>{heading}</h3>
                <button class="quiet" aria-label=text::SHOW title=text::SHOW_IN_ROWS on:click=move |_| {
                    uncover(pane);
                    pane::actions::jump(pane, row);
                }>{glyph(icon::GO)}</button>
                <button class="quiet" aria-label=event::LINK title=event::LINK_TITLE on:click=move |_| {
                    actions::copy_link(pane.trace, id);
                }>{glyph(icon::LINK)}</button>
                <button class="quiet" aria-label=brief::FOR_LLM title=brief::FOR_LLM_TITLE on:click=move |_| {
                    pane.page.dialog.set(Some(Dialog::ForLlm(Subject::Finding(key))));
                }>{glyph(icon::COPY)}</button>
                {mute_button}
            </header>
            {call}
            {figures}
            {why}
            {confirmed}
            {difference}
            {table}
            {failed}
        </section>
    }
    .into_any()
}

/// The content of an event, once it is there.
type Content = Memo<Option<Shared<ShownDetail>>>;

/// What was called: the whole command, or the summary in the row of any other call.
fn called(detail: Content, round: Option<&Round>) -> AnyView {
    let what = round.map(|round| round.what.clone()).unwrap_or_default();
    let view = move || {
        let detail = detail.get();
        let command = detail.as_ref().and_then(|it| {
            it.blocks.iter().find_map(|block| match block {
                ShownBlock::Command(shown) => Some(value_view(shown, SAID)),
                _ => None,
            })
        });
        let called = command.or_else(|| (!what.is_empty()).then(|| what.clone().into_any()))?;
        Some(markup! { <div class="evidence__call">{called}</div> })
    };
    view.into_any()
}

/// The error message of a failed call, as stated in the file.
fn said(detail: Content) -> AnyView {
    let view = move || {
        let detail = detail.get()?;
        let error = detail.blocks.iter().find_map(|block| match block {
            ShownBlock::Error(_, message, stack) => message.as_ref().or(stack.as_ref()),
            _ => None,
        });
        let result = || {
            detail.blocks.iter().find_map(|block| match block {
                ShownBlock::Value(_, ValueForm::Result | ValueForm::Log, shown) => Some(shown),
                _ => None,
            })
        };
        let shown = error.or_else(result)?;
        Some(markup! { <div class="evidence__said">{value_view(shown, SAID)}</div> })
    };
    view.into_any()
}

/// Mutes findings, or unmutes them.
fn mute(pane: Pane, all: &[u64]) {
    let mut outline = Outline::clone(&pane.trace.outline.get_untracked());
    pane.trace.statistics.muted.update_value(|keys| {
        for key in all {
            if !keys.remove(key) {
                keys.insert(*key);
            }
        }
        muted::apply(&mut outline, keys);
    });
    let outline = Shared::new(outline);
    pane.trace.outline.set(outline.clone());
    pane.trace.around.set(outline);
    // The list and its buttons are drawn anew.
    focus_later(CLOSE);
}

/// The events as a table. Its numbers may be relative to the previous event. Empty columns are not drawn.
fn table(pane: Pane, rounds: Vec<Round>, n_more: usize, is_since: bool) -> AnyView {
    type Column = (&'static str, fn(&Round) -> &String);
    const COLUMNS: [Column; 5] = [
        (text::AT, |it| &it.at),
        (text::WHAT, |it| &it.what),
        (text::TIME_HEAD, |it| &it.time),
        (text::TOKENS, |it| &it.tokens),
        (text::COST_HEAD, |it| &it.cost),
    ];
    let what = |head: &str| (head == text::WHAT).then_some("true");
    let columns = COLUMNS.into_iter().filter(|(_, of)| rounds.iter().any(|it| !of(it).is_empty()));
    let columns: Vec<Column> = columns.collect();
    let heads = columns.iter().map(|(head, _)| {
        let since =
            (is_since && [text::TIME_HEAD, text::COST_HEAD].contains(head)).then_some(text::SINCE);
        let title = since.map(|_| text::SINCE_TITLE);
        markup! { <th scope="col" data-what=what(head) title=title>{*head}{since}</th> }
    });
    let heads = heads.collect_view();
    let line = |(at, round): (usize, &Round)| {
        let (row, number) = (round.row, round.number);
        let cells = columns.iter().map(|(head, of)| {
            let title = of(round).clone();
            // The end of a path is its most informative part.
            let words = words::end_of_path(&title, MAX_PATH_CHARS).unwrap_or_else(|| title.clone());
            markup! { <td data-what=what(head) title=title>{words}</td> }
        });
        markup! {
            <tr data-late=(at >= LISTED).then_some("true")
                data-now=move || (pane.selected.get() == Some(Line::Row(row))).then_some("true") on:click=move |_| {
                uncover(pane);
                pane::actions::go_to(pane, row);
            }>
                <td><button class="quiet" aria-label=text::go_to_event(number)>{number}</button></td>
                {cells.collect_view()}
            </tr>
        }
    };
    let lines = rounds.iter().enumerate().map(line).collect_view();
    let is_cut = RwSignal::new(rounds.len() > LISTED);
    let n_cut = rounds.len() - LISTED.min(rounds.len());
    markup! {
        <table data-cut=move || is_cut.get().then_some("true")>
            <thead><tr><th scope="col">{text::EVENT}</th>{heads}</tr></thead>
            <tbody>{lines}</tbody>
        </table>
        {move || match is_cut.get() {
            true => markup! {
                <button class="quiet" on:click=move |_| is_cut.set(false)>{counts::more(n_cut + n_more)}</button>
            }
            .into_any(),
            false => (n_more > 0).then(|| markup! { <p>{counts::and_more(n_more)}</p> }).into_any(),
        }}
    }
    .into_any()
}
