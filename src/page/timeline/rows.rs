//! The timeline: a virtual list of lines, with opened bodies between them.
//!
//! Only lines near the window are drawn. The tree itself has the focus and names its active line, so the
//! focus is not lost when lines are removed. Bodies are not part of the tree.

use crate::reactive::{Item, Memo, RwSignal, Show, effect, kept_list, memo};
use leptos::attr::custom::custom_attribute;
use leptos::prelude::*;

use crate::annotations::comments::AnnotationBadge;
use crate::app::pane::{Pane, pane};
use crate::checks::expectations::CheckMark;
use crate::event;
use crate::event::body::Body;
use crate::event::change::lines_changed;
use crate::filter::bar::NoMatch;
use crate::glyph::glyph;
use crate::pane;
use crate::search::hits::{RangeHits, RowHits, marked_text, pieces, row_hits};
use crate::timeline::agents::{CARD_PX, card};
use crate::timeline::badge_reason::reason_view;
use crate::timeline::bars::{bar_label, bar_view, turn_grid, waterfall_grid};
use crate::timeline::columns::columns_word;
use crate::timeline::fold_line::fold_content;
use crate::timeline::previews;
use crate::timeline::print;
use crate::timeline::scrolling::{Scrolling, said_px};
use crate::timeline::thumbnail::Thumbnail;
use crate::timeline::transcript_text::Said;
use crate::timeline::turns::{MAX_LISTED, TurnBar, stuck};
use crate::timeline::waterfall::{WaterfallAxis, critical_parts};
use traceloupe_core::model::KeyHasher;
use traceloupe_view::bars::bar_of;
use traceloupe_view::hits::end_of_path;
use traceloupe_view::icon::{DOWN, Icon, RIGHT};
use traceloupe_view::list::form::ListForm;
use traceloupe_view::list::line_view::{Bracket, mark_loops};
use traceloupe_view::list::line_view::{LineContext, LineView, line_view, mark_steps};
use traceloupe_view::list::visible_lines::{Line, index_of, is_flat, n_siblings};
use traceloupe_view::position::Placed;
use traceloupe_words as words;
use traceloupe_words::page::timeline as text;

/// How far beyond the window lines are drawn on either side, once the visible lines have been drawn.
const SPARE_PX: f64 = 240.0;

/// How far beyond the window summaries are requested, so that lines are drawn complete.
const AHEAD_PX: f64 = 2_000.0;

/// How many turns have their messages requested for the list of turns while the file is still being read. They are far
/// apart in the file, so each message is a separate read, which delays the reading of the file.
const LISTED_WHILE_READING: usize = 12;

/// The longest path that is shown in full.
const MAX_PATH_CHARS: usize = 60;

/// Tops of lines are relative to a base that moves in these steps, because browsers lose precision in very
/// tall lists.
const BASE_STEP_PX: f64 = 200_000.0;

/// Replaces the mode in the key of a transcript text, which looks the same in all modes.
const SAID: &str = "said";

/// The longest name of code whose beginning is shown.
const MAX_NAME_CHARS: usize = 36;

/// Approximately how many characters of a summary are visible.
const SEEN_CHARS: usize = 70;

/// The timeline.
#[component]
pub fn Timeline() -> impl IntoView {
    let pane = pane();
    let scrolling = Scrolling::new(pane);
    let window = memo(move || {
        let window_px = scrolling.window_px.get();
        let spare_px = if pane.trace.rows_are_drawn.get() { SPARE_PX } else { 0.0 };
        let window =
            scrolling.position.with(|it| it.placed.layout.window(it.top_px, window_px, spare_px));
        if pane.is_printing.get() { print::window(pane) } else { window }
    });
    let layout = scrolling.layout;
    let new_lines = scrolling.new_lines();
    // A signal instead of a memo, because every drawn line depends on it, and a memo would be checked at every step.
    let base_px = RwSignal::new(0.0_f64);
    effect(move || {
        let top_px = scrolling.position.with(|it| it.top_px);
        let new_px = (top_px / BASE_STEP_PX).floor() * BASE_STEP_PX;
        // Compared bit by bit, because any difference counts.
        if new_px.to_bits() != base_px.get_untracked().to_bits() {
            base_px.set(new_px);
        }
    });
    let shift_px = memo(move || scrolling.shift_px() + base_px.get());
    let columns = memo(move || {
        let run = pane.run.get() as usize;
        pane.trace
            .outline
            .with(|outline| outline.runs.get(run).map_or_else(Default::default, |it| it.columns))
    });
    let has_costs = memo(move || {
        let run = pane.run.get() as usize;
        pane.trace.outline.with(|outline| {
            let run = outline.runs.get(run);
            run.is_some_and(|run| pane.trace.costs.with(|costs| costs.of_run(run).is_known()))
        })
    });
    let stuck = stuck(pane, scrolling);
    let beyond = selected_beyond(pane, window);
    let views = memo(move || drawn(pane, window.get(), beyond.get()));
    effect(move || {
        window.track();
        pane.lines.track();
        let window_px = scrolling.window_px.get();
        let are_drawn = pane.trace.rows_are_drawn.get();
        let ids = scrolling.position.with_untracked(|it| {
            let Placed { outline, lines, layout } = &it.placed;
            let (from, to) = window.get_untracked();
            let (first, end) = layout.window(it.top_px, window_px, AHEAD_PX);
            // Drawn lines come first.
            let near = (from..to).chain(to..end).chain(first..from);
            let rows = near.filter_map(|at| lines.get(at as usize)?.row());
            // The messages of the turns, which are listed beside the rows, come last.
            let run = outline.runs.get(pane.run.get_untracked() as usize);
            let turns = run.map(|run| outline.turns.of(run)).unwrap_or_default();
            let n_listed = match outline.complete {
                true => MAX_LISTED,
                false if are_drawn => LISTED_WHILE_READING,
                false => 0,
            };
            let turns = turns.iter().take(n_listed).map(|turn| turn.row);
            let turns = turns.chain(stuck.get().map(|turn| turn.row));
            let id = |row: u32| outline.rows.ids.get(row);
            let mut ids: Vec<u32> = rows.chain(turns).map(id).collect();
            // A card shows the last answer of its agent.
            let row = |at: u32| lines.get(at as usize).map_or(0, |line| line.first_row(outline));
            let drawn = row(from)..=row(to.saturating_sub(1));
            for agent in outline.agents.as_slice() {
                if drawn.contains(&agent.row) {
                    ids.extend(agent.answer.map(id));
                }
            }
            ids
        });
        previews::want_previews(pane.trace, ids);
    });

    effect(move || {
        let window_px = scrolling.window_px.get();
        let visible = scrolling.position.with(|it| {
            let Placed { outline, lines, layout } = &it.placed;
            let (first, end) = layout.seen(it.top_px, window_px);
            let row = |at: u32| lines.get(at as usize).map_or(0, |line| line.first_row(outline));
            (row(first), row(end.saturating_sub(1)))
        });
        if pane.visible.get_untracked() != visible {
            pane.visible.set(visible);
        }
    });

    let top_of =
        move |index: u32| layout.with(|layout| words::css_px(layout.top_px(index) - base_px.get()));
    // The texts of a transcript, each over its line. A body comes after the text.
    let saids = memo(move || {
        let outline = pane.trace.outline.get();
        views.with(|views| {
            let said = views.iter().filter(|view| view.is_speech);
            let said = said.filter_map(|view| Some((view.row?, view.index)));
            said.map(|(row, index)| (outline.rows.ids.get(row), row, index)).collect::<Vec<_>>()
        })
    });
    // The key of a body is its event and the mode, which decides what is shortened.
    let bodies = memo(move || {
        if pane.is_beside.get() {
            return Vec::new();
        }
        let outline = pane.trace.outline.get();
        let mode = pane.choice.with(|choice| choice.mode);
        views.with(|views| {
            pane.opened.with(|opened| {
                let rows = views.iter().filter_map(|view| Some((view.row?, view.index)));
                rows.filter(|(row, _)| opened.has(*row))
                    .map(|(row, index)| (outline.rows.ids.get(row), mode, row, index))
                    .collect::<Vec<_>>()
            })
        })
    });
    effect(move || {
        let mut ids: Vec<u32> = bodies.with(|bodies| bodies.iter().map(|it| it.0).collect());
        saids.with(|saids| ids.extend(saids.iter().map(|it| it.0)));
        let id = |row| pane.trace.outline.with_untracked(|outline| outline.rows.ids.get(row));
        ids.extend(pane.beside.get().map(id));
        event::actions::keep_details(pane.trace, &ids);
    });
    let said_top = move |of: u32| {
        let index = saids.with(|saids| saids.iter().find(|it| it.1 == of).map(|it| it.2));
        top_of(index.unwrap_or(0))
    };
    let is_card = move |of: u32| {
        views.with(|views| views.iter().any(|it| it.row == Some(of) && it.agent.is_some()))
    };
    let body_top = move |of: u32| {
        let index = bodies.with(|bodies| bodies.iter().find(|it| it.2 == of).map(|it| it.3));
        let is_said = saids.with(|saids| saids.iter().any(|it| it.1 == of));
        layout.with(|layout| {
            let line_px = layout.line_px();
            let over_px = match is_said {
                true => said_px(pane, of, line_px),
                false if is_card(of) => CARD_PX,
                false => 0.0,
            };
            let top = index.map_or(0.0, |index| layout.top_px(index) + line_px + over_px);
            words::css_px(top - base_px.get())
        })
    };
    // A bracket continues beside a body.
    let bracket = move |of: u32| {
        let bracket = views.with(|views| views.iter().find(|it| it.row == Some(of))?.bracket)?;
        (!bracket.is_last).then_some("inside")
    };
    // Texts and bodies, each with a key that distinguishes it from others of its event: the mode, or that it is a text.
    let over = move || {
        let saids = saids.get().into_iter().map(|(id, row, index)| (id, SAID, row, index));
        let bodies = bodies.get().into_iter();
        let bodies = bodies.map(|(id, mode, row, index)| (id, mode.word(), row, index));
        saids.chain(bodies).collect::<Vec<_>>()
    };
    let line =
        move |view: LineView| Item::new(key(&view), move || markup! { <LineRow view top_of/> });
    let part_over = move |(id, mode, row, index): (u32, &'static str, u32, u32)| {
        Item::new((id, mode, row), move || {
            let is_said = mode == SAID;
            let (class, nth) = if is_said { ("list__said", 1) } else { ("list__body", 2) };
            let top = move || if is_said { said_top(row) } else { body_top(row) };
            let bracket = move || if is_said { None } else { bracket(row) };
            markup! {
                <div class=class data-bracket=bracket style:top=top style:order=(index * 3 + nth).to_string()>
                    {if is_said { markup! { <Said row/> }.into_any() } else { markup! { <Body row/> }.into_any() }}
                </div>
            }
        })
    };
    let active = move || pane.selected.get().map(line_id);
    markup! {
        <div class="list" node_ref=scrolling.list data-form=move || pane.form.get().id() data-search=move || pane.search.pattern.with(Option::is_some).then_some("true") data-columns=move || columns_word(columns.get(), has_costs.get())
            on:scroll=move |_| scrolling.scrolled()>
            <TurnBar turn=stuck/>
            <WaterfallAxis/>
            <div class="list__size" node_ref=scrolling.size>
                <div class="list__lines" style:transform=move || format!("translateY({})", words::css_px(shift_px.get()))>
                    <div id="timeline" role="tree" aria-label=text::TIMELINE tabindex="0"
                        aria-activedescendant=active
                        on:focus=move |event| {
                            // The keyboard starts at the first visible line. A click selects its own
                            // line.
                            let list: web_sys::Element = event_target(&event);
                            if list.matches(text::FOCUS_VISIBLE).unwrap_or(true)
                                && pane.selected.get_untracked().is_none()
                                && let Some(line) = scrolling.first_line()
                            {
                                pane::actions::select_here(pane, line);
                            }
                        }>
                        {kept_list(move || views.get().into_iter().map(line).collect())}
                    </div>
                    {kept_list(move || over().into_iter().map(part_over).collect())}
                </div>
            </div>
            <Show when=move || { new_lines.get() > 0 }>
                <div class="list__new"><button on:click=move |_| {
                    if let Some(line) = pane.lines.with_untracked(|lines| lines.last().copied()) {
                        pane::actions::select(pane, line);
                    }
                }>{move || text::new_rows(new_lines.get())}</button></div>
            </Show>
            {move || print::left_out(pane).map(|words| markup! { <p class="list__left-out">{words}</p> })}
            <Show when=move || pane.lines.with(|lines| lines.is_empty())>
                <div class="list__empty">{move || empty(pane)}</div>
            </Show>
        </div>
    }
}

/// Why there are no lines, and what the user can do about it.
fn empty(pane: Pane) -> AnyView {
    let is_summary = pane.trace.outline.with(|outline| {
        outline.runs.get(pane.run.get() as usize).is_some_and(|run| run.n_rows == 0)
    });
    if is_summary {
        return markup! { <p>{text::ONLY_A_SUMMARY}</p> }.into_any();
    }
    if !pane.choice.with(|choice| choice.is_filtered()) {
        return markup! { <p>{text::NO_MATCHING_EVENTS}</p> }.into_any();
    }
    markup! { <NoMatch/> }.into_any()
}

/// The selected line and its index, if it is outside the window.
fn selected_beyond(pane: Pane, window: Memo<(u32, u32)>) -> Memo<Option<(u32, Line)>> {
    memo(move || {
        let line = pane.selected.get()?;
        let outline = pane.trace.outline.get();
        let index = pane.lines.with(|lines| index_of(&outline, lines, line)).ok()?;
        let (first, end) = window.get();
        (!(first..end).contains(&index)).then_some((index, line))
    })
}

/// The views of the lines in the window, and of the selected line wherever it is, because screen readers must find the
/// active line.
fn drawn(pane: Pane, (first, end): (u32, u32), beyond: Option<(u32, Line)>) -> Vec<LineView> {
    let outline = pane.trace.outline.get();
    let lines = pane.lines.get();
    let matching = pane.matching.get();
    let (costs, alike) = (pane.trace.costs.get(), pane.alike.get());
    let waterfall = pane.waterfall.get();
    let plan = pane.replay.plan.get();
    let replay = plan.as_deref().map(|plan| (plan, pane.replay.head.get()));
    pane.choice.with(|choice| {
        let waterfall = waterfall.as_deref();
        let context = LineContext {
            outline: &outline,
            choice,
            matching: &matching,
            costs: &costs,
            waterfall,
            replay,
        };
        let slice = lines.get(first as usize..end as usize).unwrap_or_default();
        let mut views: Vec<LineView> =
            (first..).zip(slice).map(|(index, line)| line_view(&context, index, *line)).collect();
        views.extend(beyond.map(|(index, line)| line_view(&context, index, line)));
        mark_steps(&context, &lines, &mut views);
        mark_loops(&context, &alike, &lines, &mut views);
        views
    })
}

/// A line is rebuilt when this changes. Changes by the user (selecting, opening) and changes that affect every line
/// while more is read (number of siblings, bar) are reactive attributes instead.
fn key(view: &LineView) -> u64 {
    use std::hash::{Hash as _, Hasher as _};
    let mut hasher = KeyHasher::default();
    (view.index, view.line, view.notes, &view.name, view.indent, &view.badges).hash(&mut hasher);
    (view.form, view.turn, view.is_speech, view.ends_steps).hash(&mut hasher);
    (&view.tokens, &view.cost, &view.duration, &view.own).hash(&mut hasher);
    (view.expanded, view.has_nested, view.position).hash(&mut hasher);
    (view.in_loop, view.failed, view.id, &view.fold_words).hash(&mut hasher);
    (view.is_running, view.is_ahead, view.is_dim, view.has_bar).hash(&mut hasher);
    (view.repeats_name, view.told, view.bracket, view.is_found).hash(&mut hasher);
    view.agent.map(|it| (it.n_calls, it.n_errors, it.answer)).hash(&mut hasher);
    hasher.finish()
}

fn line_id(line: Line) -> String {
    match line {
        Line::Row(row) => format!("row-{row}"),
        Line::Fold(finding) => format!("fold-{finding}"),
        Line::Notes(first) => format!("notes-{first}"),
        Line::Misses(first, _) => format!("misses-{first}"),
    }
}

/// One line.
#[component]
fn LineRow(
    view: LineView,
    top_of: impl Fn(u32) -> String + Send + Sync + Copy + 'static,
) -> impl IntoView {
    let pane = pane();
    let index = view.index;
    let style_top = move || top_of(index);
    let LineView { line, level, position, .. } = view;
    let set_size = move || {
        pane.trace.outline.with(|outline| n_siblings(outline, line.first_row(outline)).to_string())
    };
    let click = move |_| {
        pane::actions::select_here(pane, line);
        pane::actions::toggle_line(pane, line);
    };
    let indent = format!("{}px", u32::from(view.indent) * 20);
    let class = match line {
        Line::Row(_) if view.turn.is_some() => "row row--turn",
        Line::Row(_) if view.agent.is_some() => "row row--card",
        Line::Row(_) => "row",
        Line::Fold(_) => "fold",
        Line::Notes(_) | Line::Misses(..) => "fold fold--notes",
    };
    let is_selected = move || (pane.selected.get() == Some(line)).to_string();
    let is_open =
        memo(move || line.row().is_some_and(|row| pane.opened.with(|opened| opened.has(row))));
    let bracket = view.bracket.map(Bracket::word);
    let view_found = view.is_found.then_some("true");
    let LineView { expanded, failed, in_loop, look, is_ahead, is_dim, .. } = view;
    let (is_speech, (is_first, is_last)) = (view.is_speech, view.ends_steps);
    let ends = match (is_first, is_last) {
        (true, true) => Some("both"),
        (true, false) => Some("first"),
        (false, true) => Some("last"),
        (false, false) => None,
    };
    let content = match line {
        Line::Row(_) if is_speech => speech_content(pane, view).into_any(),
        Line::Row(_) => row_content(pane, view, indent).into_any(),
        Line::Fold(_) | Line::Notes(_) | Line::Misses(..) => {
            fold_content(pane, &view, indent).into_any()
        }
    };
    markup! {
        <div id=line_id(line) class=class role="treeitem" {..custom_attribute("aria-level", level.to_string())}
            aria-posinset=position.to_string() aria-setsize=set_size
            aria-expanded=expanded.map(|expanded| expanded.to_string()) aria-selected=is_selected
            data-failed=failed.to_string() data-loop=in_loop.to_string() data-bracket=bracket data-found=view_found
            data-dim=is_dim.then_some("true") data-speech=is_speech.then_some("true") data-ends=ends data-look=look data-open=move || is_open.get().to_string() data-ahead=is_ahead.to_string()
            aria-disabled=is_ahead.then_some("true")
            style:top=style_top style:order=(index * 3).to_string() on:click=click>
            {content}
            // The body is not part of the tree, so a text states that it is open.
            {move || is_open.get().then(|| markup! { <span class="sr">{text::OPENED}</span> })}
        </div>
    }
}

/// The badge of a call in progress.
fn running() -> impl IntoView {
    markup! {
        <span class="badge" data-tone="running"><i class="spinner" aria-hidden="true"></i>"running"</span>
    }
}

/// The content that a screen reader finds for a transcript text, which is drawn over its line.
fn speech_content(pane: Pane, view: LineView) -> impl IntoView {
    let id = view.id;
    let summary = move || pane.trace.previews.text(id);
    markup! {
        <span class="row__what">
            <span class="sr">{view.kind}</span>
            <span class="row__name">{view.name}</span>
            <bdi class="row__sum">{summary}</bdi>
        </span>
    }
}

fn row_content(pane: Pane, view: LineView, indent: String) -> impl IntoView {
    let row = view.row.unwrap_or(0);
    let has_nested = view.has_nested;
    let chevron = view.expanded.map(|is_open| glyph(if is_open { DOWN } else { RIGHT }));
    let toggle = move |event: leptos::ev::MouseEvent| {
        if has_nested {
            event.stop_propagation();
            pane::actions::select_here(pane, Line::Row(row));
            pane::actions::toggle_nested(pane, row);
        }
    };
    let card = view.agent.map(|agent| card(pane, &view, agent, &indent));
    let (grid, turn_grid) = (waterfall_grid(pane, &view), turn_grid(pane, &view));
    let badges = view.badges.into_iter().map(|(tone, words)| {
        let sign = match tone {
            "error" => Some(Icon::Error),
            "loop" => Some(Icon::Loop),
            _ => None,
        };
        let sign = sign.map(|sign| glyph(sign.path()));
        let why = (tone == "error").then(|| reason_view(pane, view.id, &words));
        markup! { <span class="badge" data-tone=tone>{sign}{words}{why}</span> }
    });
    // The summary is the only part of a row that arrives later.
    let (id, failed) = (view.id, view.failed);
    let whole = move || pane.trace.previews.text(id);
    let changed = move || {
        // A failed edit has no effect.
        let (added, removed) = pane.trace.previews.changed_lines(id).filter(|_| !failed)?;
        let title = text::changed_lines(added, removed);
        let lines = lines_changed(added as usize, removed as usize);
        Some(markup! { <span class="row__lines" title=title>{lines}</span> })
    };
    // Marks are shown only if the row has a hit, because a summary joins pieces that are not adjacent in the file, and
    // not every name comes from the file.
    let own_hits = row_hits(pane, id);
    let pattern = move || pane.search.pattern.get().filter(|_| own_hits.get() > 0);
    let end = move || end_of_path(&whole(), MAX_PATH_CHARS, pattern().as_deref());
    let is_prose = matches!(view.look, "llm" | "think" | "user");
    let own_name = view.agent.map(|_| view.name.clone());
    // The summary of an agent may be its name, or begin with it.
    let summary_words = move || {
        end().unwrap_or_else(|| {
            let whole = whole();
            let own = own_name.as_deref().and_then(|own| whole.strip_prefix(own));
            let task =
                own.and_then(
                    |rest| if rest.is_empty() { Some(rest) } else { rest.strip_prefix(": ") },
                );
            let told = task.unwrap_or(&whole);
            if is_prose { words::without_marks(told) } else { told.to_owned() }
        })
    };
    let summary_title = move || end().map(|_| whole());
    // A file's name is more informative than its folder.
    let is_path = matches!(view.look, "read" | "edit");
    // A hit that is in neither the summary nor the name is shown after them, with its surrounding text.
    let hit_name = if view.is_tool { view.name.clone() } else { String::new() };
    let hit = move || {
        let pattern = pattern()?;
        let is_seen = |text: &str| pattern.matches(text).next().is_some();
        // Text beyond the width of the row is not visible.
        let words: String = end().unwrap_or_else(whole).chars().take(SEEN_CHARS).collect();
        if is_seen(&words) || is_seen(&hit_name) {
            return None;
        }
        let [before, hit, after] = pane.search.found.with(|found| found.first_in(id))?;
        Some(markup! { <bdi class="row__hit">{before}<mark>{hit}</mark>{after}</bdi> })
    };
    let summary = move || match pattern() {
        Some(pattern) => pieces(&summary_words(), &pattern),
        None if is_path => {
            let summary = summary_words();
            let (folder, name) = words::folder_and_name(&summary);
            let (folder, name) = (folder.to_owned(), name.to_owned());
            markup! { <span class="row__folder">{folder}</span>{name} }.into_any()
        }
        None => summary_words().into_any(),
    };
    let is_tool = view.is_tool;
    let may_have_image = is_tool || view.look == "user";
    let icon = match view.turn {
        Some(number) => markup! { <span class="row__turn" title=text::turn(number)>{number}</span> }.into_any(),
        None => markup! {
            <svg class="row__icon" viewBox="0 0 16 16" aria-hidden="true"><path d=view.icon.path()></path></svg>
        }.into_any(),
    };
    let turn_end = view.turn.and_then(|_| {
        pane.trace.outline.with_untracked(|outline| outline.turns.at(row).map(|turn| turn.end))
    });
    let hides_nested = view.expanded == Some(false);
    let summary_class = if view.is_thinking { "row__sum row__sum--think" } else { "row__sum" };
    let is_again = view.repeats_name.then_some("true");
    let is_model = view.names_model.then_some("true");
    let is_code = !is_tool && !view.names_model;
    let short = words::end_of_dotted(&view.name, MAX_NAME_CHARS).filter(|_| is_code);
    let title = short.is_some().then(|| view.name.clone());
    let name = (!view.name.is_empty()).then(|| {
        let name = short.unwrap_or(view.name);
        let name = marked_text(pane, move || name.clone(), move || is_tool && own_hits.get() > 0);
        markup! { <span class="row__name" title=title data-again=is_again data-model=is_model>{name}</span> }
    });
    let told_bar = view.told.map(|asked| {
        let place = move || {
            let is_flat = pane.choice.with(is_flat);
            pane.trace.outline.with(|outline| bar_of(outline, is_flat, asked))
        };
        bar_view(Some("row__asked"), place)
    });
    let is_waterfall = view.form == ListForm::Waterfall;
    let bar = view.has_bar.then(|| {
        let place = move || {
            let is_flat = pane.choice.with(is_flat);
            pane.trace.outline.with(|outline| match pane.waterfall.get() {
                Some(waterfall) => {
                    waterfall.bar(outline, row).map(|(from, len)| (from * 100.0, len * 100.0))
                }
                None => bar_of(outline, is_flat, row),
            })
        };
        let bar = bar_view(None, place);
        let label = is_waterfall.then(|| bar_label(place, view.duration.clone()));
        markup! { {bar}{label}{move || critical_parts(pane, row)} }
    });
    markup! {
        <span class="row__num">{view.number}</span>
        <span class="row__chev" aria-hidden="true" data-nested=has_nested.to_string() on:click=toggle>{chevron}</span>
        <span class="row__what" style:padding-left=indent.clone() style:background-size=format!("{indent} 100%")>
            {icon}
            <span class="sr">{view.kind}</span>
            {name}
            <bdi class=summary_class title=summary_title>{summary}</bdi>
            {hit}
            {changed}
            {may_have_image.then(|| markup! { <Thumbnail id/> })}
            <RowHits id row hides_nested/>
            {turn_end.map(|end| markup! { <RangeHits first=row + 1 end/> })}
            <CheckMark id/>
            {view.is_running.then(running)}
            <AnnotationBadge id/>
            {badges.collect_view()}
        </span>
        <span class="row__at" title=text::TIME_OF_DAY_TITLE>{words::time_of_day(view.start_ms)}</span>
        <span class="row__tok">{view.tokens}</span>
        <span class="row__cost">{view.cost}</span>
        <span class="row__dur">{view.duration}</span>
        {is_waterfall.then(|| markup! { <span class="row__own">{view.own}</span> })}
        <span class="row__bar" aria-hidden="true">{grid}{turn_grid}{told_bar}{bar}</span>
        {card}
    }
}
