//! The dialog that makes a text for an LLM: what to copy, within how many tokens. The text is shown before it is copied.

use leptos::prelude::*;

use crate::app::handoff;
use crate::app::page::Dialog;
use crate::app::pane::{Pane, pane};
use crate::brief::current;
use crate::browser;
use crate::event::actions::want_detail;
use crate::reactive::{Memo, RwSignal, effect, memo};
use crate::runs::finding_entries::{Found, found, said};
use crate::shared::Shared;
use traceloupe_protocol::route::BRIEF;
use traceloupe_view::list::visible_lines::Line;
use traceloupe_view::passages::{Subject, passage, rows_of};
use traceloupe_words::brief::{brief_markdown, sentence_markdown};
use traceloupe_words::llm_text::{LlmText, llm_text};
use traceloupe_words::page::brief as text;

/// The numbers of tokens to choose from.
const PRESETS: [usize; 3] = [2_000, 8_000, 32_000];

/// The smallest and the largest number of tokens that can be entered.
const LEAST: usize = 200;
const MOST: usize = 1_000_000;

/// Storage key of the number of tokens that was chosen last.
const KEPT: &str = "llm-tokens";

/// Opens the dialog for what is shown: the brief, otherwise the selected row.
pub fn open(pane: Pane) {
    let selected = pane.selected.get_untracked().and_then(Line::row);
    let subject = match selected {
        _ if pane.tab.with_untracked(|tab| tab == BRIEF) => Subject::Brief,
        Some(row) => Subject::Row(row),
        None => Subject::Brief,
    };
    pane.page.dialog.set(Some(Dialog::ForLlm(subject)));
}

/// The subjects that can be chosen, with their labels.
fn subjects(pane: Pane, first: Subject) -> Vec<(Subject, String)> {
    let mut all = vec![(Subject::Brief, text::WHOLE_BRIEF.to_owned())];
    if let Some(row) = pane.selected.get_untracked().and_then(Line::row) {
        pane.trace.outline.with_untracked(|outline| {
            let first = outline.run_of(row).map_or(0, |(_, run)| run.first_row);
            all.push((Subject::Row(row), text::event(row - first + 1)));
            if let Some(turn) = outline.turns.around(row) {
                all.push((Subject::Turn(row), text::turn(turn.number)));
            }
        });
    }
    let chosen = pane.finding.get_untracked().map(Subject::Finding);
    let is_finding = matches!(first, Subject::Finding(_));
    let finding = if is_finding { Some(first) } else { chosen };
    all.extend(finding.map(|subject| (subject, text::FINDING.to_owned())));
    all
}

/// The heading of a text, before its events.
fn head(pane: Pane, found: Found, subject: Subject, brief: &str) -> String {
    match subject {
        Subject::Brief => brief.to_owned(),
        Subject::Row(_) | Subject::Turn(_) => String::new(),
        Subject::Finding(key) => found.with(|list| {
            let entry = list.entries().iter().find(|entry| entry.key == key);
            let sentence = entry.map(|entry| said(pane, list, entry).sentence);
            sentence.map(|it| format!("## {}\n", sentence_markdown(&it))).unwrap_or_default()
        }),
    }
}

/// The text, and whether everything that it is made of has arrived.
fn made(
    pane: Pane,
    subject: RwSignal<Subject>,
    max_tokens: RwSignal<usize>,
) -> Memo<Shared<(LlmText, bool)>> {
    let found = found(pane);
    let brief = current(pane);
    let rows = memo(move || {
        let subject = subject.get();
        found.with(|list| rows_of(list.outline(), list, subject))
    });
    effect(move || {
        let ids = pane.trace.outline.with_untracked(|outline| {
            rows.with(|(rows, _)| {
                rows.iter().map(|row| outline.rows.ids.get(*row)).collect::<Vec<_>>()
            })
        });
        ids.into_iter().for_each(|id| want_detail(pane.trace, id));
    });
    memo(move || {
        let causes = pane.trace.statistics.causes.get();
        let outline = pane.trace.outline.get();
        let mut is_whole = true;
        let mut passages = Vec::new();
        let (rows, n_more) = rows.get();
        for row in rows {
            let id = outline.rows.ids.get(row);
            let detail = pane.trace.contents.details.with(|known| known.get(&id).cloned());
            is_whole &= detail.is_some();
            passages.extend(detail.map(|it| passage(&outline, row, &it, &causes)));
        }
        let subject = subject.get();
        let brief = match subject {
            Subject::Brief => brief.with(|brief| brief_markdown(brief)),
            Subject::Row(_) | Subject::Turn(_) | Subject::Finding(_) => String::new(),
        };
        let head = head(pane, found, subject, &brief);
        Shared::new((llm_text(&head, &passages, n_more, max_tokens.get()), is_whole))
    })
}

/// The dialog.
#[component]
pub fn ForLlm(subject: Subject) -> impl IntoView {
    let pane = pane();
    let kept = browser::stored(KEPT).and_then(|kept| kept.parse().ok());
    let all = subjects(pane, subject);
    let (subject, max_tokens) = (RwSignal::new(subject), RwSignal::new(kept.unwrap_or(PRESETS[1])));
    let choose = move |n: usize| {
        browser::store(KEPT, &n.to_string());
        max_tokens.set(n);
    };
    let made = made(pane, subject, max_tokens);
    let option = move |(of, label): (Subject, String)| {
        let checked = move || subject.get() == of;
        markup! {
            <label class="export__form">
                <input type="radio" name="subject" prop:checked=checked on:change=move |_| subject.set(of)/>
                <span>{label}</span>
            </label>
        }
    };
    let preset = move |n: usize| {
        let pressed = move || (max_tokens.get() == n).to_string();
        markup! { <button aria-pressed=pressed on:click=move |_| choose(n)>{text::preset(n)}</button> }
    };
    let entered = move |event| {
        if let Ok(n) = event_target_value(&event).parse::<usize>() {
            choose(n.clamp(LEAST, MOST));
        }
    };
    let size = move || {
        made.with(|made| match made.1 {
            true => text::size(made.0.n_tokens, &made.0.left_out),
            false => text::READING.to_owned(),
        })
    };
    let copy = move |_| {
        let made = made.get_untracked();
        handoff::copy_report(pane.page, &made.0.markdown, text::COPIED);
    };
    markup! {
        <fieldset><legend>{text::WHAT}</legend>{all.into_iter().map(option).collect_view()}</fieldset>
        <div class="llm__tokens">
            <span id="llm-tokens">{text::AT_MOST}</span>
            <div class="seg" role="group" aria-labelledby="llm-tokens">{PRESETS.map(preset).collect_view()}</div>
            <input type="number" min=LEAST max=MOST step="100" aria-label=text::OTHER_NUMBER
                prop:value=move || max_tokens.get().to_string() on:change=entered/>
        </div>
        <pre class="export__preview" tabindex="0" aria-label=text::PREVIEW>{move || made.with(|made| made.0.markdown.clone())}</pre>
        <p class="export__notes" role="status">{size}</p>
        <p class="dialog__acts"><button class="primary" disabled=move || made.with(|made| !made.1) on:click=copy>{text::COPY}</button></p>
    }
}
