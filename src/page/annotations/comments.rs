//! Annotations: the list beside the runs, the comments in an opened row, the form for new ones, and marks in text.

use crate::glyph::glyph;
use crate::reactive::{Show, effect, live, memo};
use std::time::Duration;

use leptos::attr::custom::custom_attribute;
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;

use crate::annotations::actions;
use crate::app::pane::{Pane, pane};
use crate::search::hits::pieces as found_pieces;
use crate::shared::Shared;
use traceloupe_core::model::{AnnotationKind, Part};
use traceloupe_core::number::{fixed, within};
use traceloupe_protocol::annotations::{AnnotationLine, AnnotationsForm, Site, Target, pieces};
use traceloupe_search::Pattern;
use traceloupe_view::icon;
use traceloupe_words as words;
use traceloupe_words::counts;
use traceloupe_words::page::annotations as text;
use traceloupe_words::problems::target_miss;

/// How long after the last keystroke the typed text is stored.
const KEPT_AFTER: Duration = Duration::from_millis(300);

/// How many are listed at first, and how many more each time.
const LIST_STEP: usize = 100;

/// The symbol and the name of a kind.
fn sign(kind: AnnotationKind) -> (&'static str, &'static str) {
    match kind {
        AnnotationKind::Comment => ("✎", text::COMMENT),
        AnnotationKind::ThumbsUp => ("▲", text::VOTE_UP),
        AnnotationKind::ThumbsDown => ("▼", text::VOTE_DOWN),
        AnnotationKind::Analyzer => ("◆", text::FINDING_OF_AN_ANALYZER),
        AnnotationKind::Guardrail => ("⚑", text::GUARDRAIL_FAILED),
        AnnotationKind::TestPassed => ("✓", text::TEST_PASSED),
        AnnotationKind::TestFailed => ("✗", text::TEST_FAILED),
        AnnotationKind::Search => ("⌕", text::SEARCH_MATCH),
    }
}

/// The list beside the runs.
#[component]
pub fn AnnotationRail() -> impl IntoView {
    let pane = pane();
    let list = pane.trace.annotations.list;
    let n = memo(move || list.with(|list| list.lines.len()));
    let unlisted = move || list.with(|list| list.unlisted);
    let (n_drawn, draw) = signal(LIST_STEP);
    let is_drafting = memo(move || {
        pane.annotations.draft.with(|draft| draft.as_ref().is_some_and(|it| it.event.is_none()))
    });
    let has_messages = memo(move || {
        pane.trace.outline.with(|outline| outline.runs.iter().any(|run| run.format == "invariant"))
    });
    markup! {
        <section class="annos" aria-label=text::ANNOTATIONS>
            <div class="annos__head">
                <h2>{text::ANNOTATIONS}</h2>
                <Show when=move || { n.get() > 0 }>
                    <button class="quiet" aria-label=text::PREVIOUS_ANNOTATION title=text::PREVIOUS_ANNOTATION_B
                        on:click=move |_| actions::next_annotation(pane, false)>"↑"</button>
                    <button class="quiet" aria-label=text::NEXT_ANNOTATION title=text::NEXT_ANNOTATION_B
                        on:click=move |_| actions::next_annotation(pane, true)>"↓"</button>
                </Show>
                <button class="quiet" title=text::ANNOTATE_THE_WHOLE_TRACE aria-label=text::ANNOTATE_THE_WHOLE_TRACE
                    on:click=move |_| actions::begin_annotation(pane, None)>"+"</button>
            </div>
            <Show when=move || is_drafting.get()><Form/></Show>
            <ul class="side__list" role="list" aria-label=text::ANNOTATIONS>
                {move || list.with(|list| {
                    let lines = list.lines.iter().enumerate().take(n_drawn.get());
                    lines.map(|(at, line)| item(pane, at, line)).collect_view()
                })}
            </ul>
            <Show when=move || { n.get() > n_drawn.get() }>
                <button class="quiet side__clear" on:click=move |_| draw.update(|n| *n += LIST_STEP)>
                    {move || text::more_annotations(n.get() - n_drawn.get())}
                </button>
            </Show>
            <Show when=move || { unlisted() > 0 }>
                <p class="annos__note">{move || text::more_not_listed(unlisted())}</p>
            </Show>
            <Show when=move || { n.get() > 0 }>
                <div class="annos__acts">
                    <button class="quiet" title=text::SAVE_AS_JSON_TITLE
                        on:click=move |_| actions::export_annotations(pane, AnnotationsForm::Alone)>{text::SAVE_AS_JSON}</button>
                    <Show when=move || has_messages.get()>
                        <button class="quiet" title=text::SAVE_TRACES_TITLE
                            on:click=move |_| actions::export_annotations(pane, AnnotationsForm::DataSet)>{text::SAVE_TRACES}</button>
                    </Show>
                </div>
            </Show>
        </section>
    }
}

/// Describes what an annotation refers to.
fn place(pane: Pane, line: &AnnotationLine) -> String {
    match &line.target {
        Target::Run => text::WHOLE_TRACE.to_owned(),
        Target::Unresolved(miss) => format!("{} ({})", line.address, target_miss(miss)),
        Target::Event { id, part, .. } => {
            let number = pane.trace.outline.with_untracked(|outline| {
                let row = outline.rows.row_of(*id)?;
                Some(u64::from(row - outline.run_of(row)?.1.first_row) + 1)
            });
            let event = text::event(number);
            match part {
                Part::Whole => event,
                Part::Chars(..) => text::text_of(&event),
                Part::Line(line) => text::line_of(&event, *line),
                Part::Area(_) => text::area_of(&event),
            }
        }
    }
}

fn item(pane: Pane, at: usize, line: &AnnotationLine) -> impl IntoView + use<> {
    let (sign, kind) = sign(line.kind);
    let is_current = move || (pane.annotations.current.get() == Some(at)).then_some("true");
    let words = match line.content.as_str() {
        "" => kind.to_owned(),
        content => words_of_line(content),
    };
    let place = place(pane, line);
    let has_event = line.target.event().is_some();
    let own = line.own.filter(|_| !has_event);
    let has_words = !line.content.is_empty();
    markup! {
        <li class="annos__item">
            <button class="annos__go" data-kind=line.kind.word() aria-current=is_current
                title=line.address.clone() disabled=!has_event
                on:click=move |_| actions::show_annotation(pane, at)>
                <span class="annos__sign" role="img" aria-label=kind>{sign}</span>
                <bdi class="annos__words">{words}</bdi>
                <span class="annos__place">{place}</span>
            </button>
            {own.map(|own| own_acts(pane, own, None, has_words))}
        </li>
    }
}

/// The beginning of the content, as one line.
fn words_of_line(content: &str) -> String {
    const MAX_CHARS: usize = 120;
    traceloupe_words::one_line(content, MAX_CHARS)
}

/// The number of annotations of a row.
#[component]
pub fn AnnotationBadge(
    /// The event.
    id: u32,
) -> impl IntoView {
    let pane = pane();
    let n = memo(move || pane.trace.annotations.list.with(|list| list.of_event(id).count()));
    live(move || {
        let n = n.get();
        let words = format!("✎ {}", words::count(n as u64));
        let title = counts::annotations(n as u64);
        (n > 0).then(|| {
            markup! { <span class="badge" data-tone="anno" title=title.clone() role="img" aria-label=title>{words}</span> }
        })
    })
}

/// The annotations of an event, and the form for a new one.
#[component]
pub fn Comments(
    /// The event.
    id: u32,
) -> impl IntoView {
    let pane = pane();
    let is_drafting = memo(move || {
        pane.annotations.draft.with(|draft| draft.as_ref().is_some_and(|it| it.event == Some(id)))
    });
    // The annotation in the form is not shown a second time.
    let in_form = memo(move || pane.annotations.draft.with(|it| it.as_ref()?.own));
    let comments = move || {
        let is_in_form = |line: &AnnotationLine| line.own.is_some() && line.own == in_form.get();
        pane.trace.annotations.list.with(|list| {
            let lines = list.of_event(id).filter(|(_, line)| !is_in_form(line));
            lines.map(|(at, line)| comment(pane, at, line)).collect_view()
        })
    };
    markup! {
        <div class="comments">
            {comments}
            <Show when=move || is_drafting.get()><Form/></Show>
        </div>
    }
}

/// The button that opens the form.
#[component]
pub fn Annotate(
    /// The event.
    id: u32,
) -> impl IntoView {
    let pane = pane();
    markup! {
        <button class="quiet" title=text::ANNOTATE_TITLE aria-label=text::ANNOTATE
            // The annotation refers to the selected text, so the click must not clear the selection.
            on:mousedown=|event| event.prevent_default()
            on:click=move |_| actions::begin_annotation(pane, Some(id))>{glyph(icon::ANNOTATE)}</button>
    }
}

fn comment(pane: Pane, at: usize, line: &AnnotationLine) -> impl IntoView + use<> {
    let (sign, kind) = sign(line.kind);
    let said = |words: &str, tone: &'static str| {
        let words = words.to_owned();
        (!words.is_empty()).then(|| {
            markup! { <span class="badge" data-tone=tone>{words}</span> }
        })
    };
    let is_current = move || (pane.annotations.current.get() == Some(at)).to_string();
    let extra = line.extra.clone();
    let has_extra = !extra.is_empty();
    let own =
        line.own.map(|own| own_acts(pane, own, line.target.event(), !line.content.is_empty()));
    let who = [line.author.as_str(), line.time.as_str()];
    let who = who.into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join(" · ");
    let content = line.content.clone();
    let has_content = !content.is_empty();
    markup! {
        <article class="comment" data-kind=line.kind.word() data-current=is_current aria-label=kind>
            <header class="comment__head">
                <span class="annos__sign" aria-hidden="true">{sign}</span>
                <b>{kind}</b>
                {said(&line.source, "dim")}
                {said(&line.severity, "loop")}
                {said(&line.status, "dim")}
                <code class="comment__address">{line.address.clone()}</code>
                <span class="comment__who">{who}</span>
                {own}
            </header>
            <Show when=move || has_content><p class="comment__words">{content.clone()}</p></Show>
            <Show when={let extra = extra.clone(); move || has_extra && !extra.is_empty()}>
                <dl class="comment__extra">{extra.iter().map(|(label, value)| markup! {
                    <dt>{label.clone()}</dt><dd>{value.clone()}</dd>
                }).collect_view()}</dl>
            </Show>
        </article>
    }
}

/// The buttons of one of the user's own annotations.
fn own_acts(pane: Pane, own: u32, event: Option<u32>, has_words: bool) -> impl IntoView {
    markup! {
        <span class="comment__acts">
            <Show when=move || has_words>
                <button class="quiet" aria-label=text::EDIT_THIS_ANNOTATION title=text::EDIT
                    on:click=move |_| actions::edit_annotation(pane, own, event)>"✎"</button>
            </Show>
            <button class="quiet" aria-label=text::DELETE_THIS_ANNOTATION title=text::DELETE
                on:click=move |_| actions::delete_annotation(pane, own)>{glyph(icon::CLOSE)}</button>
        </span>
    }
}

/// The form: the subject of the annotation, its text, and votes.
#[component]
fn Form() -> impl IntoView {
    let pane = pane();
    let draft = pane.annotations.draft;
    let spots = draft.with_untracked(|it| it.as_ref().map(|it| it.spots.clone()));
    let spots = spots.unwrap_or_default();
    let is_new = !spots.is_empty();
    let text = move || draft.with(|it| it.as_ref().map(|it| it.text.clone()).unwrap_or_default());
    let field: NodeRef<leptos::html::Textarea> = NodeRef::new();
    effect(move || {
        if let Some(field) = field.get() {
            // A visible field can always take the focus.
            let _ = field.focus();
        }
    });
    let choices = spots.into_iter().enumerate().map(|(at, (words, _))| {
        let is_chosen = move || draft.with(|it| it.as_ref().is_some_and(|it| it.chosen == at));
        let choose = move |_| actions::choose_spot(pane, at);
        markup! {
            <label><input type="radio" name="annotate" prop:checked=is_chosen on:change=choose/>{words}</label>
        }
    });
    let choices = choices.collect_view();
    let timer = StoredValue::new(None::<TimeoutHandle>);
    let typed = move |event: leptos::ev::Event| {
        let text = event_target_value(&event);
        draft.update(|it| {
            if let Some(draft) = it {
                draft.text = text;
            }
        });
        if let Some(timer) = timer.get_value() {
            timer.clear();
        }
        let keep = move || _ = actions::keep_so_far(pane);
        timer.set_value(set_timeout_with_handle(keep, KEPT_AFTER).ok());
    };
    let pressed = move |event: leptos::ev::KeyboardEvent| {
        let is_enter = event.key() == "Enter" && (event.ctrl_key() || event.meta_key());
        if event.key() == "Escape" {
            event.stop_propagation();
            actions::cancel_annotation(pane);
        } else if is_enter && !event.is_composing() {
            actions::save_annotation(pane);
        }
    };
    markup! {
        <form class="anno-form" aria-label=text::ANNOTATION on:submit=move |event| {
            event.prevent_default();
            actions::save_annotation(pane);
        }>
            <fieldset><legend class="sr">{text::WHAT_IT_IS_ABOUT}</legend>{choices}</fieldset>
            <textarea node_ref=field rows="2" aria-label=text::WHAT_YOU_WANT_TO_SAY placeholder=text::KEPT_IN_THIS_BROWSER_ONLY
                prop:value=text on:input=typed on:keydown=pressed></textarea>
            <div class="anno-form__acts">
                <button class="primary" type="submit" disabled=move || text().trim().is_empty()
                    {..custom_attribute("data-act", "save")}>{text::SAVE}</button>
                <Show when=move || is_new>
                    <button type="button" title=text::VOTE_UP on:click=move |_| actions::vote(pane, true)>{text::GOOD}</button>
                    <button type="button" title=text::VOTE_DOWN on:click=move |_| actions::vote(pane, false)>{text::BAD}</button>
                </Show>
                <button class="quiet" type="button" on:click=move |_| actions::cancel_annotation(pane)>{text::CANCEL}</button>
            </div>
        </form>
    }
}

/// A text with marks on annotated parts and on matches of the search. `None` if nothing in it is annotated.
pub fn marked(
    pane: Pane,
    site: Option<Site>,
    text: &str,
    pattern: Option<&Shared<Pattern>>,
) -> Option<AnyView> {
    let site = site?;
    let list = pane.trace.annotations.list.get();
    let marks = list.marks(site, text);
    if marks.is_empty() {
        return None;
    }
    let plain = |text: &str| match pattern {
        Some(pattern) => found_pieces(text, pattern),
        None => text.to_owned().into_any(),
    };
    let view = pieces(text.len(), &marks).into_iter().map(|((from, to), on_it)| {
        let piece = text.get(from..to).unwrap_or_default();
        let lines: Vec<&AnnotationLine> = on_it.iter().filter_map(|at| list.lines.get(*at)).collect();
        let Some(first) = lines.first() else { return plain(piece) };
        let title: Vec<String> = lines
            .iter()
            .map(|line| match line.content.as_str() {
                "" => sign(line.kind).1.to_owned(),
                content => words_of_line(content),
            })
            .collect();
        let kind = first.kind.word();
        let depth = lines.len().min(3).to_string();
        let at = on_it.first().copied();
        let is_current = move || {
            pane.annotations.current.get().is_some_and(|current| on_it.contains(&current)).to_string()
        };
        markup! {
            <span class="annotated" data-kind=kind data-depth=depth data-current=is_current title=title.join("\n")
                on:click=move |_| pane.annotations.current.set(at)>{plain(piece)}</span>
        }
        .into_any()
    });
    Some(view.collect::<Vec<_>>().into_any())
}

/// Whether anything after the first `from` bytes of a text is annotated.
pub fn has_mark_behind(pane: Pane, site: Option<Site>, text: &str, from: usize) -> bool {
    let Some(site) = site else { return false };
    pane.trace
        .annotations
        .list
        .with_untracked(|list| list.marks(site, text).iter().any(|(_, to, _)| *to > from))
}

/// The boxes of annotations on an image.
pub fn boxes(pane: Pane, site: Site) -> impl IntoView {
    live(move || {
        pane.trace.annotations.list.with(|list| {
            let here = list.lines.iter().filter_map(|line| match &line.target {
                Target::Event { site: Some(its), part: Part::Area(area), .. } if *its == site => {
                    Some((line, *area))
                }
                _ => None,
            });
            here.map(|(line, [left, top, right, bottom])| {
                let percent =
                    |share: f32| format!("{}%", fixed(within(share.into(), 0.0, 1.0) * 100.0, 3));
                let (width, height) = ((right - left).max(0.0), (bottom - top).max(0.0));
                let title = words_of_line(&line.content);
                markup! {
                    <span class="image__box" data-kind=line.kind.word() title=title
                        style:left=percent(left) style:top=percent(top)
                        style:width=percent(width) style:height=percent(height)></span>
                }
            })
            .collect_view()
        })
    })
}
