//! Values of any size: the beginning at once, more on request, and the whole value as a file.

use crate::reactive::{Memo, Show, live, memo};
use leptos::prelude::*;

use crate::annotations::comments;
use crate::app::notice;
use crate::app::pane::{Pane, pane};
use crate::event::actions;
use crate::event::code::{coloured, numbered};
use crate::event::json::json_view;
use crate::event::media::MediaView;
use crate::event::rendered::{n_drawn_hits, rendered};
use crate::search::hits;
use crate::shared::Shared;
use traceloupe_core::text::terminal;
use traceloupe_protocol::annotations::Site;
use traceloupe_protocol::markdown;
use traceloupe_protocol::text_form::{Extent, TextForm};
use traceloupe_protocol::value::{Cut, CutForm, MORE_BYTES, Shown};
use traceloupe_search::Pattern;
use traceloupe_words::page::event as text;
use traceloupe_words::problems::read_error;

/// Shown while waiting for a response from the worker.
#[component]
pub fn Waiting() -> impl IntoView {
    let pane = pane();
    let words = move || {
        if pane.trace.is_reading.get() { text::READING } else { text::WORKER_STOPPED }
    };
    markup! { <p class="body__wait" data-wait="true">{words}</p> }
}

/// How much of a text is shown before a button is pressed.
#[derive(Clone, Copy)]
pub enum Cutting {
    /// All of it.
    Never,
    /// Everything that has been sent, and the rest on request.
    Full,
    /// At most this many lines and characters. Thinking has a separate limit of characters.
    At { lines: u32, chars: u32, thinking: u32 },
}

/// Requests a value, or more of it, and shows it when it arrives.
#[component]
pub fn More(cut: Cut, max_bytes: u32) -> impl IntoView {
    let shown = asked(&cut, max_bytes);
    let is_raw = cut.form == CutForm::Raw;
    markup! {
        {move || match shown.get() {
            None => markup! { <Waiting/> }.into_any(),
            Some(shown) => {
                let limits = if is_raw { Cutting::Never } else { Cutting::Full };
                value_view(&shown, limits).into_any()
            }
        }}
    }
}

/// Requests a value. The response is dropped together with the view that requested it.
pub(super) fn asked(cut: &Cut, max_bytes: u32) -> Memo<Option<Shared<Shown>>> {
    let pane = pane();
    answer_to(pane, actions::want_more(pane.trace, cut, max_bytes))
}

/// The response with a ticket, which is dropped together with the view that requested it.
fn answer_to(pane: Pane, ticket: u32) -> Memo<Option<Shared<Shown>>> {
    on_cleanup(move || actions::forget_more(pane.trace, ticket));
    memo(move || actions::more_of(pane.trace, ticket))
}

/// The decoded content of a string.
pub(super) fn decoded_view(string: &str) -> AnyView {
    let pane = pane();
    let shown = answer_to(pane, actions::want_decoded(pane.trace, string));
    markup! {
        <div class="code__decoded">
            {move || match shown.get() {
                None => markup! { <Waiting/> }.into_any(),
                Some(shown) => value_view(&shown, Cutting::Full),
            }}
        </div>
    }
    .into_any()
}

/// A value in its form, shortened by the thresholds, with a button for the rest.
pub fn value_view(shown: &Shown, cutting: Cutting) -> AnyView {
    match shown {
        Shown::Text(text, cut, form) => text_view(text, cut.clone(), cutting, form).into_any(),
        Shown::Json(lines, cut) => json_view(lines, cut.clone(), cutting).into_any(),
        Shown::Media(media) => markup! { <MediaView media=media.clone()/> }.into_any(),
        Shown::Unreadable(error) => {
            markup! { <p class="block__error" role="alert">{read_error(error)}</p> }.into_any()
        }
    }
}

fn text_view(
    text: &str,
    cut: Option<Cut>,
    cutting: Cutting,
    form: &TextForm,
) -> impl IntoView + use<> {
    let pane = pane();
    let is_rendered = form.is_rendered();
    let (as_source, set_as_source) = signal(false);
    let head = match cutting {
        Cutting::At { lines, chars, .. } => {
            // A shell tool adds one line about the command.
            let report = match form {
                TextForm::Terminal => terminal::report(text),
                _ => None,
            };
            let from = report.map_or(0, |(_, output)| text.len() - output.len());
            head_of(text, from, lines, chars)
        }
        Cutting::Never | Cutting::Full => None,
    };
    let site = cut.as_ref().map(|cut| Site { source: cut.source, start: cut.start });
    let head = head
        .filter(|head| !comments::has_mark_behind(pane, site, text, head.len() - '…'.len_utf8()));
    let head = head.and_then(|head| Some((head_form(form, cutting)?, head)));
    let (head_form, head) = head.unzip();
    let head_form = Shared::new(head_form.unwrap_or_default());
    let form = Shared::new(form.clone());
    let cut = cut.filter(|cut| !cut.is_whole());
    let (all, set_all) = signal(head.is_none());
    let hidden_from = head.as_ref().map(|head| head.len() - '…'.len_utf8());
    let extents = |head_form: &TextForm, form: &TextForm| {
        let both = |head: &String| (head_form.extent(head, true), form.extent(text, false));
        head.as_ref().map(both).unwrap_or_default()
    };
    let drawn = extents(&head_form, &form);
    let written = extents(&TextForm::Plain, &TextForm::Plain);
    let of_bytes = cut.as_ref().map(|cut| u64::from(cut.len));
    let shown = move || if as_source.get() { written } else { drawn };
    let text = Shared::new(text.to_owned());
    if let Some(from) = hidden_from {
        let text = text.clone();
        unfold_for_hits(pane, set_all, move |pattern| {
            pattern.matches(&text).any(|range| range.end > from)
        });
    }
    let n_chars = text.chars().count() as u64;
    let copied = text.clone();
    let head = Shared::new(head.unwrap_or_default());
    let file = cut.clone();
    let place_of_rest = cut.as_ref().map(place_of);
    let content = live(move || {
        let (text, form): (&str, &TextForm) =
            if all.get() { (&text, &form) } else { (&head, &head_form) };
        let pattern = pane.search.pattern.get();
        let place = site.map(|it| format!("{}:{}", it.source, it.start));
        if let Some(marked) = comments::marked(pane, site, text, pattern.as_ref()) {
            return markup! { <pre class="text" data-site=place>{marked}</pre> }.into_any();
        }
        // A hit that the form omits is shown in the source.
        let hides_hits = pattern.as_ref().is_some_and(|pattern| {
            is_rendered && pattern.matches(text).count() > n_drawn_hits(text, form, pattern)
        });
        let source = match form {
            TextForm::Markdown(_) => TextForm::Prose,
            _ => TextForm::Plain,
        };
        let form = if as_source.get() || hides_hits { &source } else { form };
        rendered(text, form, place, pattern.as_ref())
    });
    markup! {
        <div class="value">
        {content}
        <div class="block__acts">
            <Show when=move || !all.get()>
                <span class="block__cut">{move || cut_words(shown(), of_bytes)}</span>
                <button class="quiet block__more" data-more=place_of_rest.clone() on:click=move |_| set_all.set(true)>
                    {move || text::show_all(of_bytes.is_none().then(|| shown().1.chars))}
                </button>
            </Show>
            {move || all.get().then(|| cut.clone().map(|cut| markup! { <RestOfText cut/> }))}
            {file.map(|cut| markup! { <Download cut/> })}
            <Show when=move || is_rendered>
                <button class="quiet block__source" aria-pressed=move || as_source.get().to_string()
                    title=text::SOURCE_TITLE on:click=move |_| set_as_source.update(|it| *it = !*it)>{text::SOURCE}</button>
            </Show>
            <Show when=move || { n_chars > 40 }>
                <Copy text=copied.clone()/>
            </Show>
        </div>
        </div>
    }
}

/// Source code with line numbers and syntax colours. If something in it is searched for or annotated, the marks replace
/// the colours. Very long files are shown as plain text.
pub fn source_view(shown: &Shown, language: &str) -> AnyView {
    let (text, cut) = match shown {
        Shown::Text(text, cut, _) if cut.as_ref().is_none_or(Cut::is_whole) => (text, cut),
        _ => {
            let plain = value_view(shown, Cutting::Full);
            return markup! { <div class="source">{plain}</div> }.into_any();
        }
    };
    let pane = pane();
    let site = cut.as_ref().map(|cut| Site { source: cut.source, start: cut.start });
    let n_lines = u32::try_from(text.lines().count().max(1)).unwrap_or(u32::MAX);
    let text = Shared::new(text.clone());
    let copied = text.clone();
    let language = language.to_owned();
    let place = site.map(|it| format!("{}:{}", it.source, it.start));
    let code = move || {
        let pattern = pane.search.pattern.get();
        match comments::marked(pane, site, &text, pattern.as_ref()) {
            Some(marked) => marked,
            None => coloured(&text, &language, pattern.as_ref()),
        }
    };
    markup! {
        <div class="source value">
            {numbered(1..=n_lines, code.into_any(), place)}
            <div class="block__acts"><Copy text=copied/></div>
        </div>
    }
    .into_any()
}

/// The bytes of a value as `source:start:end`. The search uses this to load the parts that have hits.
pub(super) fn place_of(cut: &Cut) -> String {
    format!("{}:{}:{}", cut.source, cut.start, cut.start + u64::from(cut.len))
}

/// A text with marks on hits.
fn marked(text: &str) -> impl IntoView + use<> {
    let pane = pane();
    let text = Shared::new(text.to_owned());
    live(move || hits::text_pieces(&text, pane.search.pattern.get().as_ref()))
}

/// A button for the next part of a text. The part replaces it and has a button of its own.
#[component]
fn RestOfText(cut: Cut) -> impl IntoView {
    let (is_asked, set_asked) = signal(false);
    let total = u64::from(cut.len);
    let left = total.saturating_sub(u64::from(cut.shown_bytes));
    let words = text::show_next(left, total);
    let place = place_of(&cut);
    markup! {
        {move || if is_asked.get() {
            markup! { <NextText cut=cut.clone()/> }.into_any()
        } else {
            markup! {
                <button class="quiet block__more" data-more=place.clone() on:click=move |_| set_asked.set(true)>{words.clone()}</button>
            }.into_any()
        }}
    }
}

#[component]
pub(super) fn NextText(cut: Cut) -> impl IntoView {
    let shown = asked(&cut, MORE_BYTES);
    markup! {
        {move || match shown.get().as_deref() {
            Some(Shown::Text(text, cut, _)) => markup! {
                <pre class="text">{marked(text)}</pre>
                {cut.clone().map(|cut| markup! { <RestOfText cut/> }.into_any())}
            }.into_any(),
            Some(shown) => value_view(shown, Cutting::Full),
            None => markup! { <Waiting/> }.into_any(),
        }}
    }
}

/// A button that saves the whole value as a file.
#[component]
pub(super) fn Download(cut: Cut, #[prop(optional)] n_bytes: Option<u64>) -> impl IntoView {
    let pane = pane();
    let total = n_bytes.unwrap_or(u64::from(cut.len));
    markup! {
        <button class="quiet block__file" on:click=move |_| actions::save_value(pane.trace, &cut)>
            {text::download_all(total)}
        </button>
    }
}

/// A button that copies a text.
#[component]
pub fn Copy(
    /// The text.
    text: Shared<String>,
) -> impl IntoView {
    let pane = pane();
    markup! {
        <button class="quiet block__copy" on:click=move |_| {
            notice::copy(pane.page, &text, text::COPIED);
        }>{text::COPY}</button>
    }
}

/// Shows all of a shortened value if the hidden part has a hit, also for later queries, because hits must not be
/// hidden.
pub fn unfold_for_hits(
    pane: Pane,
    set_all: WriteSignal<bool>,
    has_hit: impl Fn(&Pattern) -> bool + 'static,
) {
    let unfold = move |pattern: Option<Shared<Pattern>>| {
        if pattern.is_some_and(|pattern| has_hit(&pattern)) {
            set_all.set(true);
        }
    };
    // Done before anything is drawn, so that nothing is drawn twice.
    unfold(pane.search.pattern.get_untracked());
    Effect::new(move |is_known: Option<()>| {
        let pattern = pane.search.pattern.get();
        if is_known.is_some() {
            unfold(pattern);
        }
    });
}

/// States how much of a text is shown. If the text is longer than the loaded part, only its size in bytes is known.
fn cut_words((shown, all): (Extent, Extent), of_bytes: Option<u64>) -> String {
    match of_bytes {
        Some(of_bytes) => text::showing_bytes(shown.bytes, of_bytes),
        None => text::showing_chars(shown.chars, all.chars),
    }
}

/// The form in which the beginning of a text is drawn; nothing if the whole text is short enough.
fn head_form(form: &TextForm, cutting: Cutting) -> Option<TextForm> {
    match (form, cutting) {
        (TextForm::Markdown(nodes), Cutting::At { lines, chars, .. }) => {
            markdown::head(nodes, lines, chars).map(TextForm::Markdown)
        }
        (form, _) => Some(form.clone()),
    }
}

/// The beginning of a text, if the text exceeds the limits by more than a quarter. (A button for a few more words takes
/// more space than the words.) The bytes before `from` are not counted.
fn head_of(text: &str, from: usize, max_lines: u32, max_chars: u32) -> Option<String> {
    let (before, text) = text.split_at_checked(from)?;
    let by_chars = text.char_indices().nth(max_chars as usize).map(|(at, _)| at);
    let by_lines =
        text.match_indices('\n').nth((max_lines as usize).saturating_sub(1)).map(|(at, _)| at);
    let at = by_chars.into_iter().chain(by_lines).min()?;
    let (head, rest) = text.split_at_checked(at)?;
    let is_more_than = |n: usize, quarters: u32| n > (quarters / 4) as usize;
    let is_long = is_more_than(rest.chars().count(), max_chars)
        || is_more_than(rest.trim_end().lines().count(), max_lines);
    is_long.then(|| format!("{before}{head}…"))
}
