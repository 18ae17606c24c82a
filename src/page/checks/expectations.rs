//! The check against expected calls: the dialog, the list of hits and misses, and the marks on rows.

use crate::glyph::glyph;
use crate::reactive::{Show, effect, live, memo};
use leptos::prelude::*;

use crate::app::page::Dialog;
use crate::app::pane::pane;
use crate::browser;
use crate::checks::actions;
use traceloupe_core::number::fixed;
use traceloupe_view::icon;
use traceloupe_words::counts;
use traceloupe_words::page::checks as text;
use traceloupe_words::problems;
use traceloupe_words::report::{LineKind, ReportLine, report_lines};

/// How many lines of the list are drawn at first, and how many more each time.
const LIST_STEP: usize = 200;

/// The dialog: paste or drop expectations, then check.
#[component]
pub fn Expectations() -> impl IntoView {
    let pane = pane();
    let text = pane.trace.checks.text;
    let is_running = memo(move || pane.trace.checks.ticket.with(Option::is_some));
    let is_empty = memo(move || text.with(|text| text.trim().is_empty()));
    let run = move || {
        let run = pane.run.get() as usize;
        pane.trace.outline.with(|outline| outline.runs.get(run).map(|run| run.title.clone()))
    };
    let check = move |_| actions::check(pane, text.get_untracked());
    let field: NodeRef<leptos::html::Textarea> = NodeRef::new();
    effect(move || {
        if let Some(field) = field.get() {
            // A visible field can always take the focus.
            let _ = field.focus();
        }
    });
    markup! {
        <p>{text::PASTE_OR_DROP[0]}<code>"tool_trajectory"</code>", "<code>"expected_messages"</code>{text::PASTE_OR_DROP[1]}<b>{run}</b>{text::PASTE_OR_DROP[2]}</p>
        <textarea node_ref=field id="expectations" rows="12" spellcheck="false" autocapitalize="off"
            aria-label=text::EXPECTATIONS aria-invalid=move || pane.trace.checks.fault.with(Option::is_some).to_string()
            placeholder=text::EXAMPLE prop:value=move || text.get()
            on:input=move |event| actions::put_expectations(pane.trace, event_target_value(&event))></textarea>
        {move || pane.trace.checks.fault.get().map(|fault| markup! {
            <div class="fault" role="alert" aria-label=text::EXPECTATIONS>
                <b>{problems::what_happened(&fault)}</b>{text::FAULT_AT}<code>{problems::details(&fault)}</code>"). "{problems::what_to_do(&fault).into_owned()}"."
            </div>
        })}
        <p class="dialog__acts">
            <button disabled=move || is_empty.get() on:click=move |_| {
                actions::put_expectations(pane.trace, String::new());
                browser::focus("expectations");
            }>{text::EMPTY}</button>
            <button class="primary" disabled=move || is_empty.get() || is_running.get() on:click=check>
                {move || if is_running.get() { text::CHECKING } else { text::CHECK }}
            </button>
        </p>
    }
}

/// The list of hits and misses, beside the timeline.
#[component]
pub fn CheckList() -> impl IntoView {
    let pane = pane();
    let report = pane.trace.checks.report;
    let hits_are_shown =
        move || pane.search.list_is_open.get() && pane.search.query.with(|query| !query.is_empty());
    let is_shown = memo(move || {
        pane.trace.checks.list_is_open.get() && report.with(Option::is_some) && !hits_are_shown()
    });
    let lines = memo(move || {
        let lines = report.with(|report| report.as_ref().map(|it| report_lines(it)));
        crate::shared::Shared::new(lines.unwrap_or_default())
    });
    let (n_drawn, draw) = signal(LIST_STEP);
    effect(move || {
        report.track();
        draw.set(LIST_STEP);
    });
    let rest = move || lines.with(|lines| lines.len()).saturating_sub(n_drawn.get());
    let head = move || {
        let (score, verdict) = report.with(|it| it.as_ref().map(|it| it.overall()))?;
        let (hits, misses) = report.with(|it| it.as_ref().map(|it| it.counts()))?;
        let verdict = verdict.map(|it| {
            markup! {
                <span class="verdict" data-verdict=it.word()>{it.word()}</span>
            }
        });
        let said = format!("{} · {hits} ✓ {misses} ✗", fixed(score, 2));
        Some(markup! { {verdict}" "{said} })
    };
    let other_run = move || {
        let of = report.with(|report| report.as_ref().map(|it| it.run))?;
        (of != pane.run.get()).then(|| {
            let title = pane.trace.outline.with(|outline| {
                outline.runs.get(of as usize).map(|run| run.title.clone()).unwrap_or_default()
            });
            markup! { <p class="hits__cut">{text::checked_run(&title)}</p> }
        })
    };
    markup! {
        <Show when=move || is_shown.get()>
            <aside class="hits checks" aria-label=text::EXPECTATIONS>
                <header class="hits__head">
                    <h2>{head}</h2>
                    <span class="checks__acts">
                        <button class="quiet" title=text::PREVIOUS_CHECKED_CALL_E aria-label=text::PREVIOUS_CHECKED_CALL
                            on:click=move |_| actions::next_mark(pane, false)>"↑"</button>
                        <button class="quiet" title=text::NEXT_CHECKED_CALL_E aria-label=text::NEXT_CHECKED_CALL
                            on:click=move |_| actions::next_mark(pane, true)>"↓"</button>
                        <button class="quiet" title=text::EDIT_TITLE
                            on:click=move |_| pane.page.dialog.set(Some(Dialog::Check))>{text::EDIT}</button>
                        <button class="quiet" aria-label=text::CLOSE_LIST
                            on:click=move |_| actions::clear_checks(pane.trace)>{glyph(icon::CLOSE)}</button>
                    </span>
                </header>
                {other_run}
                <ol class="hits__list" role="list">
                    {move || {
                        let lines = lines.get();
                        lines.iter().take(n_drawn.get()).cloned().map(line_view).collect_view()
                    }}
                </ol>
                <Show when=move || { rest() > 0 }>
                    <button class="quiet hits__more" on:click=move |_| draw.update(|n| *n += LIST_STEP)>
                        {move || counts::show_more(rest().min(LIST_STEP))}
                    </button>
                </Show>
            </aside>
        </Show>
    }
}

fn line_view(line: ReportLine) -> AnyView {
    let pane = pane();
    let ReportLine { kind, text, score, events } = line;
    let sign = match kind {
        LineKind::Hit => "✓",
        LineKind::Miss => "✗",
        LineKind::Note => "i",
        LineKind::Test | LineKind::Check => {
            let (score, verdict) = score.unwrap_or_default();
            let class = if kind == LineKind::Test { "checks__test" } else { "checks__check" };
            return markup! {
                <li class=class>
                    <bdi>{text}</bdi>
                    <span class="verdict" data-verdict=verdict.word()>{format!("{} {}", fixed(score, 2), verdict.word())}</span>
                </li>
            }
            .into_any();
        }
    };
    let tone = match kind {
        LineKind::Hit => "pass",
        LineKind::Miss => "miss",
        _ => "note",
    };
    let said = match kind {
        LineKind::Hit => text::HIT,
        LineKind::Miss => text::MISS,
        _ => text::NOTE,
    };
    let more = (events.len() > 1).then(|| {
        let more = events.len() - 1;
        markup! { <span class="hit__place">{text::more_events(more)}</span> }
    });
    let first = events.first().copied();
    let content = markup! {
        <span class="checks__sign" data-tone=tone aria-hidden="true">{sign}</span>
        <span class="sr">{said}</span>
        <bdi class="hit__text">{text}</bdi>
        {more}
    };
    match first {
        Some(event) => markup! {
            <li><button class="hit checks__line" on:click=move |_| actions::go_to_event(pane, event)>{content}</button></li>
        }
        .into_any(),
        None => markup! { <li><div class="hit checks__line">{content}</div></li> }
            .into_any(),
    }
}

/// The mark on a row that is a hit or a miss.
#[component]
pub fn CheckMark(
    /// The event.
    id: u32,
) -> impl IntoView {
    let pane = pane();
    let mark = memo(move || pane.trace.checks.marks.with(|marks| marks.get(&id).copied()));
    live(move || {
        let (hits, misses) = mark.get()?;
        let badge = |tone: &'static str, sign: &'static str, said: &'static str, n: u32| {
            let count = if n > 1 { format!(" {n}") } else { String::new() };
            (n > 0).then(|| {
                markup! {
                    <span class="badge" data-tone=tone title=text::WHAT_WAS_EXPECTED>
                        <span aria-hidden="true">{sign}</span><span class="sr">{said}</span>{count}
                    </span>
                }
            })
        };
        Some((
            badge("pass", "✓", text::EXPECTATION_HIT, hits),
            badge("miss", "✗", text::EXPECTATION_MISSED, misses),
        ))
    })
}
