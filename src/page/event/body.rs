//! An opened row: what happened, and the exact bytes of its records.

use crate::glyph::glyph;
use crate::reactive::{Memo, Show, effect, memo};
use leptos::attr::custom::custom_attribute;
use leptos::html::Div;
use leptos::prelude::*;

use crate::annotations::comments::{Annotate, Comments};
use crate::app::notice;
use crate::app::page::Prefs;
use crate::app::pane::{Pane, pane};
use crate::browser;
use crate::event::actions;
use crate::event::change::Change;
use crate::event::compare::Changes;
use crate::event::cost::{CostOf, states_cost};
use crate::event::heights;
use crate::event::json::is_hit;
use crate::event::landing::land_here;
use crate::event::media::MediaView;
use crate::event::repeats::Repeats;
use crate::event::requesting_call::AskedBy;
use crate::event::tab::Tab;
use crate::event::values::{Cutting, More, Waiting, source_view, unfold_for_hits, value_view};
use crate::filter::by::FilterBy;
use crate::pane;
use crate::search::hits::marked_text;
use crate::shared::Shared;
use traceloupe_core::model::ErrorLabel;
use traceloupe_core::model::{BlockRole, FactKind, TimeBasis};
use traceloupe_core::reason::begins_with_exit_code;
use traceloupe_core::text::patch::{self, FileChange};
use traceloupe_protocol::detail::{ShownBlock, ShownDetail, ShownMessage, ShownRecord, ValueForm};
use traceloupe_protocol::value::{Cut, CutForm, Shown, TEXT_BYTES};
use traceloupe_search::Pattern;
use traceloupe_view::icon::{self, Icon};
use traceloupe_view::list::line_view::{failure, waited};
use traceloupe_view::list::visible_lines::Mode;
use traceloupe_words::page::event as text;
use traceloupe_words::page::timeline;
use traceloupe_words::{self as words, one_line, shown_note};

/// The body of a row.
#[component]
pub fn Body(
    row: u32,
    /// Content above the rest of the body.
    #[prop(optional)]
    above: Option<fn(Pane, u32) -> Option<AnyView>>,
) -> impl IntoView {
    let pane = pane();
    let id = pane.trace.outline.with_untracked(|outline| outline.rows.ids.get(row));
    let detail = actions::detail_of(pane.trace, id);
    let element: NodeRef<Div> = NodeRef::new();
    if !pane.is_beside.get_untracked() {
        heights::keep(pane, pane.heights, element, row);
    }
    let (tab, set_tab) = signal(Tab::Details);
    let number = pane.trace.outline.with_untracked(|outline| {
        row - outline.run_of(row).map_or(0, |(_, run)| run.first_row) + 1
    });
    let began = pane.trace.outline.with_untracked(|outline| outline.rows.starts_ms.get(row));
    let began = words::time_of_day_ms(began);
    let panel_id = format!("body-{row}-panel");
    let controls = panel_id.clone();
    let tab_button = move |which: Tab| {
        let is_chosen = move || tab.get() == which;
        markup! {
            <button role="tab" id=which.id(row)
                {..custom_attribute("aria-controls", controls.clone())}
                aria-selected=move || is_chosen().to_string()
                tabindex=move || if is_chosen() { "0" } else { "-1" }
                on:click=move |_| set_tab.set(which)>{which.words()}</button>
        }
    };
    let wanted = pane.trace.contents.wants_changes;
    effect(move || {
        if wanted.get() == Some(row) {
            set_tab.set(Tab::Changes);
            wanted.set(None);
        }
    });
    land_here(pane, row, detail, tab, set_tab);
    let is_beyond = memo(move || {
        pane.search.beyond.get() == Some(row) && ![Tab::Details, Tab::Changes].contains(&tab.get())
    });
    let place = memo(move || detail.get().map(|it| places(pane, &it.records)));
    let place_title = move || place.get().map(|it| it.1);
    let place = move || place.get().map(|it| it.0);
    markup! {
        <div class="body" node_ref=element>
            <div id=format!("body-{row}") class="body__in" role="group" tabindex="-1"
                aria-label=text::event_opened(number)
                on:keydown=move |event: leptos::ev::KeyboardEvent| {
                    if event.key() == "Escape" {
                        event.stop_propagation();
                        browser::focus_timeline();
                    }
                }>
                <div class="body__tabs">
                    <div role="tablist" class="body__tablist" aria-label=text::VIEW_OF_THIS_EVENT
                        on:keydown=move |event: leptos::ev::KeyboardEvent| {
                            if let Some(next) = tab.get_untracked().next(&event.key()) {
                                event.prevent_default();
                                set_tab.set(next);
                                browser::focus(&next.id(row));
                            }
                        }>
                        {Tab::ALL.map(tab_button).collect_view()}
                    </div>
                    <span class="body__at" title=timeline::TIME_OF_DAY_TITLE>{began}</span>
                    <span class="body__place" title=place_title>{place}</span>
                    <button class="quiet" title=text::COPY_SHOWN_TITLE aria-label=text::COPY on:click=move |_| {
                        let shown = browser::shown_text(&format!("#body-{row} .body__panel"));
                        notice::copy(pane.page, &shown.unwrap_or_default(), text::COPIED);
                    }>{glyph(icon::COPY)}</button>
                    <Annotate id/>
                    <Link detail/>
                    <button class="quiet" aria-label=text::CLOSE_THIS_EVENT title=text::CLOSE
                        on:click=move |_| pane::actions::toggle_body(pane, row)>{glyph(icon::CLOSE)}</button>
                    // Placed beside the tabs, so that it stays visible while the record is scrolled.
                    <Show when=move || is_beyond.get()>
                        <p class="body__beyond" role="status">{text::BEYOND_DETAILS}</p>
                    </Show>
                </div>
                // Placed above all tabs, because the form for an annotation opens here.
                <Show when=move || detail.with(Option::is_some)><Comments id/></Show>
                <div class="body__panel" role="tabpanel" id=panel_id tabindex="0"
                    {..custom_attribute("aria-labelledby", move || tab.get().id(row))}>
                    {move || match (detail.get(), tab.get()) {
                        (None, _) => markup! { <Waiting/> }.into_any(),
                        (Some(detail), Tab::Details) => {
                            let states_cost = states_cost(&detail.blocks);
                            markup! {
                                {above.map(|above| move || above(pane, row))}
                                <Blocks detail/>
                                {(!states_cost).then(|| markup! { <CostOf row/> })}
                                <div class="asked">{outcome(pane, row)}<FilterBy row/><Repeats row/><AskedBy row/></div>
                            }
                            .into_any()
                        }
                        (Some(_), Tab::Changes) => markup! { <Changes row id/> }.into_any(),
                        (Some(detail), Tab::Json) => markup! { <Records detail form=CutForm::Json/> }.into_any(),
                        (Some(detail), Tab::Raw) => markup! { <Records detail form=CutForm::Raw/> }.into_any(),
                    }}
                </div>
            </div>
        </div>
    }
}

/// Whether the event failed, how long it waited, and its duration.
fn outcome(pane: Pane, row: u32) -> impl IntoView {
    let outline = pane.trace.outline.get_untracked();
    let failure = failure(&outline, row).map(|(tone, words)| {
        markup! { <span class="badge" data-tone=tone>{words}</span> }
    });
    let waited = waited(&outline, row).map(|words| markup! { <span>{words}</span> });
    let ms = outline.rows.durations_ms.get(row);
    let lasted = match outline.rows.time_basis(row) {
        TimeBasis::Elapsed => words::at_most(ms),
        TimeBasis::Unknown | TimeBasis::Stated | TimeBasis::Running | TimeBasis::WaitingForUser => {
            words::duration(ms)
        }
    };
    (failure, waited, (!lasted.is_empty()).then(|| markup! { <span>{lasted}</span> }))
}

/// The place of an event: `line 14 · byte 22 871`. The second text adds the path of its file if there are several
/// files, and the number of further records of the event.
fn places(pane: Pane, records: &[ShownRecord]) -> (String, String) {
    let Some(first) = records.first() else { return Default::default() };
    let more = records.len() - 1;
    let path = pane.trace.outline.with_untracked(|outline| {
        let several = outline.sources.iter().filter(|it| !it.is_container).count() > 1;
        let source = outline.sources.get(first.source as usize).filter(|_| several);
        source.map(|it| it.path.clone())
    });
    let place = text::place(first.line, first.start);
    let whole = format!("{place}{}", text::and_more_records(more));
    match path {
        None => (place, whole),
        // File names are long and often uninformative, because many are ids.
        Some(path) => (place, text::in_file(&whole, &path)),
    }
}

#[component]
fn Link(detail: Memo<Option<Shared<ShownDetail>>>) -> impl IntoView {
    let pane = pane();
    markup! {
        <button class="quiet" title=text::LINK_TITLE aria-label=text::LINK on:click=move |_| {
            if let Some(detail) = detail.get_untracked() {
                notice::link_to(pane.page, &detail.sel);
            }
        }>{glyph(icon::LINK)}</button>
    }
}

/// The records themselves, as indented JSON or as exact bytes.
#[component]
fn Records(detail: Shared<ShownDetail>, form: CutForm) -> impl IntoView {
    let records = detail.records.clone();
    let several = records.len() > 1;
    markup! {
        <div class="body__raw">
            {records.into_iter().map(|record| {
                let ShownRecord { source, line, start, len } = record;
                let cut = Cut { source, start, len, form, ..Cut::default() };
                let title = text::record(line, start, len);
                markup! {
                    <Show when=move || several><h3>{title.clone()}</h3></Show>
                    <More cut max_bytes=TEXT_BYTES/>
                }
            }).collect_view()}
        </div>
    }
}

/// The blocks of an opened row.
#[component]
pub fn Blocks(detail: Shared<ShownDetail>) -> impl IntoView {
    let pane = pane();
    let cutting = cutting(pane);
    let is_empty = detail.blocks.is_empty();
    // Arguments and result are shown side by side if there is room.
    let pair = matches!(
        detail.blocks.as_slice(),
        [a, b, ..] if is_arguments(a) && is_result(b)
    );
    markup! {
        <div class="body__blocks" data-pair=pair.to_string()>
            {detail.blocks.iter().map(|block| block_view(block, cutting)).collect_view()}
            <Show when=move || is_empty>
                <p class="body__wait">{text::NOTHING_MORE}</p>
            </Show>
        </div>
    }
}

fn is_arguments(block: &ShownBlock) -> bool {
    match block {
        // With only one or two lines, half of the width would stay empty.
        ShownBlock::Table(role, rows) => *role == BlockRole::Arguments && rows.len() > 2,
        ShownBlock::Value(role, ..) => *role == BlockRole::Arguments,
        _ => false,
    }
}

fn is_result(block: &ShownBlock) -> bool {
    matches!(block, ShownBlock::Value(BlockRole::Result, ValueForm::Result, _))
}

/// How outputs and thinking are shortened.
pub fn cutting(pane: Pane) -> Cutting {
    if pane.choice.with_untracked(|choice| choice.mode) == Mode::Verbose {
        return Cutting::Full;
    }
    let Prefs { output_lines: lines, output_chars: chars, thinking_chars: thinking, .. } =
        pane.page.prefs.get_untracked();
    Cutting::At { lines, chars, thinking }
}

/// A message text, shortened to a number of lines and characters.
pub fn speech_view(shown: &Shown, lines: u32, chars: u32) -> AnyView {
    let view = value_view(shown, Cutting::At { lines, chars, thinking: chars });
    markup! { <section class="block" data-word="text">{view}</section> }.into_any()
}

/// Text of the trace that is not a value, with marks on hits.
fn marked(text: &str) -> impl IntoView + use<> {
    let text = text.to_owned();
    marked_text(pane(), move || text.clone(), || true)
}

/// One block.
pub fn block_view(block: &ShownBlock, cutting: Cutting) -> AnyView {
    match block {
        ShownBlock::Table(role, rows) => table_view(role, rows, cutting).into_any(),
        ShownBlock::Value(role, form, shown) => {
            // Only outputs and thinking are shortened. Prompts and answers are shown in full.
            let cutting = match (form, cutting) {
                (ValueForm::Thinking, Cutting::At { thinking, .. }) => {
                    Cutting::At { lines: u32::MAX, chars: thinking, thinking }
                }
                (ValueForm::Result | ValueForm::Json, cutting) => cutting,
                (
                    ValueForm::Thinking | ValueForm::Text | ValueForm::Log | ValueForm::Unreadable,
                    _,
                ) => Cutting::Full,
            };
            let title = words::role(role).into_owned();
            let has_title = !title.is_empty();
            markup! {
                <section class="block" data-word=form.word()>
                    <Show when=move || has_title><h3>{title.clone()}</h3></Show>
                    {value_view(shown, cutting)}
                </section>
            }
            .into_any()
        }
        ShownBlock::Messages(role, before, new) => {
            messages_view(role, before, new, cutting).into_any()
        }
        ShownBlock::Error(kind, message, stack) => error_view(kind, message, stack).into_any(),
        ShownBlock::Media(media) => {
            markup! { <section class="block block--media"><MediaView media=media.clone()/></section> }.into_any()
        }
        ShownBlock::Note(note) => {
            markup! { <p class="block block--note">{shown_note(note).into_owned()}</p> }.into_any()
        }
        ShownBlock::Code(role, language, shown) => code_view(role, language, shown).into_any(),
        ShownBlock::Grid(role, heads, rows) => grid_view(role, heads, rows).into_any(),
        ShownBlock::Diff(role, lines) => diff_view(role, lines).into_any(),
        ShownBlock::Patch(text) => patch_view(text).into_any(),
        ShownBlock::Command(shown) => command_view(shown).into_any(),
        ShownBlock::Tasks(tasks) => tasks_view(tasks).into_any(),
    }
}

fn table_view(
    role: &BlockRole,
    rows: &[(FactKind, Shown)],
    cutting: Cutting,
) -> impl IntoView + use<> {
    let rows: Vec<_> = rows
        .iter()
        .map(|(kind, value)| {
            markup! {
                <tr><th scope="row">{marked(&words::fact(kind))}</th><td>{value_view(value, cutting)}</td></tr>
            }
        })
        .collect();
    let is_empty = rows.is_empty();
    markup! {
        <section class="block">
            <h3>{words::role(role).into_owned()}</h3>
            <table><tbody>{rows}</tbody></table>
            <Show when=move || is_empty><p class="body__wait">"none"</p></Show>
        </section>
    }
}

fn code_view(role: &BlockRole, language: &str, shown: &Shown) -> impl IntoView + use<> {
    markup! {
        <section class="block">
            <h3>{marked(&words::role(role))}</h3>
            {source_view(shown, language)}
        </section>
    }
}

fn grid_view(role: &BlockRole, heads: &[String], rows: &[Vec<Shown>]) -> impl IntoView + use<> {
    let heads: Vec<_> =
        heads.iter().map(|head| markup! { <th scope="col">{marked(head)}</th> }).collect();
    let cell = |shown: &Shown| {
        let is_empty = matches!(shown, Shown::Text(text, ..) if text.is_empty());
        let value = (!is_empty).then(|| value_view(shown, Cutting::Full));
        markup! { <td>{value}</td> }
    };
    let rows: Vec<_> = rows
        .iter()
        .map(|cells| {
            let cells: Vec<_> = cells.iter().map(cell).collect();
            markup! { <tr>{cells}</tr> }
        })
        .collect();
    markup! {
        <section class="block">
            <h3>{words::role(role).into_owned()}</h3>
            <table class="grid">
                <thead><tr>{heads}</tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </section>
    }
}

fn messages_view(
    role: &BlockRole,
    before: &[ShownMessage],
    new: &[ShownMessage],
    cutting: Cutting,
) -> impl IntoView + use<> {
    let (is_open, set_open) = signal(false);
    let before = Shared::new(before.to_vec());
    if !before.is_empty() {
        let before = before.clone();
        unfold_for_hits(pane(), set_open, move |pattern| messages_match(&before, pattern));
    }
    let n_before = before.len() as u64;
    let is_alone = before.len() + new.len() == 1;
    let new: Vec<_> = new.iter().map(|message| message_view(message, cutting, is_alone)).collect();
    markup! {
        <section class="block block--messages">
            <h3>{words::role(role).into_owned()}</h3>
            <Show when=move || { n_before > 0 }>
                <button class="quiet block__more" aria-expanded=move || is_open.get().to_string()
                    on:click=move |_| set_open.update(|open| *open = !*open)>
                    {move || text::earlier_messages(n_before, is_open.get())}
                </button>
            </Show>
            {move || is_open.get().then(|| before.iter().map(|message| message_view(message, cutting, false)).collect_view())}
            {new}
        </section>
    }
}

/// Whether any of the messages has a hit.
fn messages_match(messages: &[ShownMessage], pattern: &Pattern) -> bool {
    let has = |text: &str| pattern.matches(text).next().is_some();
    let shown = |shown: &Shown| match shown {
        Shown::Text(text, ..) => has(text),
        Shown::Json(lines, _) => lines.iter().any(|line| is_hit(line, pattern)),
        Shown::Media(_) | Shown::Unreadable(_) => false,
    };
    let block = |block: &ShownBlock| match block {
        ShownBlock::Table(_, rows) => {
            rows.iter().any(|(kind, value)| has(&words::fact(kind)) || shown(value))
        }
        ShownBlock::Value(_, _, value)
        | ShownBlock::Code(_, _, value)
        | ShownBlock::Command(value) => shown(value),
        ShownBlock::Grid(_, _, rows) => rows.iter().flatten().any(shown),
        ShownBlock::Error(kind, message, stack) => {
            has(&words::error_label(kind.as_str())) || message.iter().chain(stack).any(shown)
        }
        ShownBlock::Diff(_, lines) => lines.iter().any(|line| has(&line.1)),
        ShownBlock::Patch(text) => has(text),
        ShownBlock::Tasks(tasks) => tasks.iter().any(|task| has(&task.1)),
        // Messages do not contain these.
        ShownBlock::Messages(..) | ShownBlock::Media(_) | ShownBlock::Note(_) => false,
    };
    messages.iter().flat_map(|message| &message.content).any(block)
}

/// A message. System prompts are often long and the same each time, so they are folded beside other messages.
fn message_view(message: &ShownMessage, cutting: Cutting, is_alone: bool) -> impl IntoView + use<> {
    let ShownMessage { role, name, content } = message;
    let who = if name.is_empty() { role.clone() } else { format!("{role} · {name}") };
    let first_words = Shared::new(first_words(content));
    let content: Vec<_> = content.iter().map(|block| block_view(block, cutting)).collect();
    let is_folded = !is_alone && ["system", "developer"].contains(&role.as_str());
    let (is_open, set_open) = signal(!is_folded);
    if is_folded {
        let message = message.clone();
        unfold_for_hits(pane(), set_open, move |pattern| {
            messages_match(std::slice::from_ref(&message), pattern)
        });
    }
    markup! {
        <div class="message" data-role=role.clone()>
            <button class="quiet message__role" aria-expanded=move || is_open.get().to_string()
                on:click=move |_| set_open.update(|open| *open = !*open)>{who}</button>
            <Show when=move || !is_open.get()><span class="message__first">{(*first_words).clone()}</span></Show>
            <div class="message__content" class:hidden=move || !is_open.get()>{content}</div>
        </div>
    }
}

/// The text on the line of a collapsed message.
fn first_words(content: &[ShownBlock]) -> String {
    const MAX_CHARS: usize = 160;
    let words = content.iter().find_map(|block| match block {
        ShownBlock::Value(_, _, Shown::Text(text, ..)) => Some(one_line(text, MAX_CHARS)),
        _ => None,
    });
    words.unwrap_or_else(|| "…".to_owned())
}

fn error_view(
    kind: &ErrorLabel<String>,
    message: &Option<Shown>,
    stack: &Option<Shown>,
) -> impl IntoView + use<> {
    // A harness may already state the exit code before the output.
    let says_code = |it: &Shown| matches!(it, Shown::Text(text, ..) if begins_with_exit_code(text));
    let is_said = kind.exit_code().is_some() && message.as_ref().is_some_and(says_code);
    let kind = match kind.as_str() {
        ErrorLabel::None => text::ERROR.to_owned(),
        kind => words::error_label(kind).into_owned(),
    };
    let heading =
        (!is_said).then(|| markup! { <h3>{glyph(Icon::Error.path())}{marked(&kind)}</h3> });
    let message = message.as_ref().map(|it| value_view(it, Cutting::Full));
    let stack = stack.as_ref().map(|it| {
        markup! {
            <details open=true><summary>{text::STACK}</summary>{value_view(it, Cutting::Full)}</details>
        }
    });
    markup! {
        <section class="block block--error">{heading}{message}{stack}</section>
    }
}

fn diff_view(role: &BlockRole, lines: &[(char, String)]) -> impl IntoView + use<> {
    let file = FileChange::of_lines(&words::role(role), lines);
    markup! { <section class="block"><Change file/></section> }
}

fn patch_view(patch: &str) -> impl IntoView + use<> {
    let changes: Vec<_> =
        patch::parse_marked(patch).into_iter().map(|file| markup! { <Change file/> }).collect();
    markup! { <section class="block">{changes}</section> }
}

/// A command, as at a shell prompt.
fn command_view(shown: &Shown) -> impl IntoView + use<> {
    let command = value_view(shown, Cutting::Full);
    markup! {
        <section class="block block--command" aria-label=text::COMMAND>
            <span class="command__sign" aria-hidden="true">"$"</span>
            {command}
        </section>
    }
}

/// A task list.
fn tasks_view(tasks: &[(String, String)]) -> impl IntoView + use<> {
    let items: Vec<_> = tasks
        .iter()
        .map(|(status, words)| {
            let (sign, state) = match status.to_ascii_lowercase().as_str() {
                "completed" | "done" | "complete" | "finished" => ("✓", "done"),
                "in_progress" | "in-progress" | "active" | "doing" | "inprogress" => ("▸", "active"),
                "cancelled" | "canceled" | "skipped" | "failed" => ("✕", "dropped"),
                _ => ("○", "open"),
            };
            let (status, words) = (status.replace('_', " "), words.clone());
            let words = marked(&words);
            markup! {
                <li class="task" data-state=state>
                    <span class="task__sign" role="img" aria-label=status.clone() title=status>{sign}</span>
                    <span class="task__words">{words}</span>
                </li>
            }
        })
        .collect();
    let n_done = tasks.iter().filter(|it| matches!(it.0.as_str(), "completed" | "done")).count();
    let title = text::tasks(n_done as u64, tasks.len() as u64);
    markup! {
        <section class="block"><h3>{title}</h3><ul class="tasks" role="list">{items}</ul></section>
    }
}
