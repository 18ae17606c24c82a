//! JSON in lines, as a tree with objects and lists that fold. Lists of objects can be shown as tables.

use std::ops::Range;

use crate::reactive::{RwSignal, Show};
use leptos::html::Div;
use leptos::prelude::*;

use crate::app::pane::pane;
use crate::event::nodes::{node_acts, pointed, stepped, table_switch, table_view};
use crate::event::values::{
    Copy, Cutting, Download, NextText, Waiting, asked, decoded_view, place_of, unfold_for_hits,
    value_view,
};
use crate::search::hits;
use crate::shared::Shared;
use traceloupe_protocol::json_line::{Class, JsonLine, MAX_INDENT, plain};
use traceloupe_protocol::value::{Cut, CutForm, MORE_BYTES, Shown};
use traceloupe_search::Pattern;
use traceloupe_view::json_nodes::{end_of_inside, table, unquoted};
use traceloupe_words::page::event as text;

/// A value drawn as a tree.
#[derive(Clone)]
pub(super) struct Tree {
    pub(super) lines: Shared<Vec<JsonLine>>,
    pub(super) element: NodeRef<Div>,
    /// The line whose value can be copied, from 1 (0: none), and the position of its buttons, in pixels from the top.
    pub(super) at: RwSignal<(u32, u32)>,
    /// Shows all lines.
    pub(super) set_all: WriteSignal<bool>,
}

/// Lines of JSON: the first ones at once, and all of them on request.
pub(super) fn json_view(
    lines: &[JsonLine],
    cut: Option<Cut>,
    cutting: Cutting,
) -> impl IntoView + use<> {
    let n_head = match cutting {
        Cutting::At { lines: max, .. } if lines.len() > max as usize => max as usize,
        _ => lines.len(),
    };
    let (all, set_all) = signal(n_head == lines.len());
    let n_lines = lines.len() as u64;
    let copied = Shared::new(plain(lines));
    let lines = Shared::new(lines.to_vec());
    let at = RwSignal::new((0, 0));
    let tree = Tree { lines: lines.clone(), element: NodeRef::new(), at, set_all };
    if n_head < lines.len() {
        let lines = lines.clone();
        unfold_for_hits(pane(), set_all, move |pattern| {
            lines.iter().skip(n_head).any(|line| is_hit(line, pattern))
        });
    }
    let (drawn, element) = (tree.clone(), tree.element);
    let file = cut.clone();
    let place_of_rest = cut.as_ref().map(place_of);
    // The rest of JSON inside a string can only be shown as text.
    let as_text = cut.filter(|cut| cut.shown_bytes > 0);
    markup! {
        <div class="value" node_ref=element on:mouseleave=move |_| at.set((0, 0))>
        {node_acts(&tree)}
        <pre class="code" tabindex="0" role="group" aria-label=text::JSON
            on:mousemove=pointed(&tree) on:keydown=stepped(&tree)>{move || {
            let n = if all.get() { drawn.lines.len() } else { n_head };
            json_tree(&drawn, 0..n)
        }}</pre>
        <div class="block__acts">
            <Show when=move || !all.get()>
                <span class="block__cut">{text::showing_lines(n_head as u64, n_lines)}</span>
                <button class="quiet block__more" data-more=place_of_rest.clone() on:click=move |_| set_all.set(true)>
                    {text::show_all_lines(n_lines)}
                </button>
            </Show>
            {move || all.get().then(|| as_text.clone().map(|cut| markup! { <AsText cut/> }))}
            {file.map(|cut| markup! { <Download cut/> })}
            <Show when=move || { n_lines > 1 }>
                <Copy text=copied.clone()/>
            </Show>
        </div>
        </div>
    }
}

#[component]
fn AsText(cut: Cut) -> impl IntoView {
    let (is_asked, set_asked) = signal(false);
    let place = place_of(&cut);
    markup! {
        {move || if is_asked.get() {
            markup! { <NextText cut=cut.clone()/> }.into_any()
        } else {
            markup! {
                <button class="quiet block__more" data-more=place.clone() on:click=move |_| set_asked.set(true)>{text::SHOW_AS_TEXT}</button>
            }.into_any()
        }}
    }
}

/// An object or list with fewer lines inside is not worth folding.
const MIN_FOLDED_LINES: usize = 3;

/// Lines of JSON. The contents of an object or list can be folded.
fn json_tree(tree: &Tree, range: Range<usize>) -> Vec<AnyView> {
    let lines = &tree.lines;
    let mut views = Vec::new();
    let mut at = range.start;
    while let Some(line) = lines.get(at).filter(|_| at < range.end) {
        let inside = at + 1..end_of_inside(lines, at, range.end);
        at = if inside.len() >= MIN_FOLDED_LINES {
            let (is_open, set_open) = signal(true);
            views.push(fold_sign(is_open, set_open));
            let (is_tree, set_tree) = signal(true);
            if table(lines, at).is_some() {
                views.push(line_view(line, Some(at)));
                views.push(table_switch(is_tree, set_tree, set_open));
                views.push("\n".into_any());
            } else {
                views.extend(json_line_view(line, Some(at)));
            }
            let signals = (is_open, set_open, is_tree, set_tree);
            views.push(inside_view(tree.clone(), inside.clone(), signals));
            inside.end
        } else {
            views.extend(json_line_view(line, Some(at)));
            at + 1
        };
    }
    views
}

/// Whether the contents are shown, and whether they are shown as a tree.
type Signals = (ReadSignal<bool>, WriteSignal<bool>, ReadSignal<bool>, WriteSignal<bool>);

/// The toggle before a line that folds its contents. It is only for the mouse, because a value is a single tab stop.
fn fold_sign(is_open: ReadSignal<bool>, set_open: WriteSignal<bool>) -> AnyView {
    markup! {
        <i class="code__fold" aria-hidden="true" title=text::FOLD data-open=move || is_open.get().to_string()
            on:click=move |_| set_open.update(|is_open| *is_open = !*is_open)></i>
    }
    .into_any()
}

/// The contents, or the number of lines in them.
fn inside_view(
    tree: Tree,
    inside: Range<usize>,
    (is_open, set_open, is_tree, set_tree): Signals,
) -> AnyView {
    for shows in [set_open, set_tree] {
        let (in_hits, looked_at) = (inside.clone(), tree.lines.clone());
        unfold_for_hits(pane(), shows, move |pattern| {
            looked_at
                .get(in_hits.clone())
                .is_some_and(|lines| lines.iter().any(|line| is_hit(line, pattern)))
        });
    }
    let lines = &tree.lines;
    let indent = lines.get(inside.start).map_or(0, |line| usize::from(line.indent));
    (move || match is_open.get() {
        false => markup! {
            {"  ".repeat(indent)}<button class="quiet code__more" on:click=move |_| set_open.set(true)>{text::folded(inside.len())}</button>"\n"
        }
        .into_any(),
        true if !is_tree.get() => table_view(&tree, inside.start.saturating_sub(1), set_tree),
        true => json_tree(&tree, inside.clone()).into_any(),
    })
    .into_any()
}

fn json_line_view(line: &JsonLine, at: Option<usize>) -> Vec<AnyView> {
    match &line.more {
        // Loaded items replace the note about omitted items.
        Some(more) if matches!(more.form, CutForm::Items | CutForm::Members) => {
            let cut = (**more).clone();
            vec![markup! { <RestOfItems cut line=line.clone()/> }.into_any()]
        }
        Some(more) => {
            let mut pieces = vec![line_view(line, at)];
            pieces.push(markup! { <RestOfString cut=(**more).clone()/> }.into_any());
            pieces
        }
        None if line.is_encoded => vec![line_view(line, at), decode_switch(line)],
        None => {
            vec![line_view(line, at), "\n".into_any()]
        }
    }
}

/// A button that shows the decoded content of a line's string below the line.
fn decode_switch(line: &JsonLine) -> AnyView {
    let (is_shown, set_shown) = signal(false);
    let string = line.pieces.iter().find(|piece| piece.0 == Class::Text);
    let string = string.map(|piece| unquoted(&piece.1).to_owned()).unwrap_or_default();
    markup! {
        " "<button class="quiet code__more" title=text::DECODE_TITLE aria-pressed=move || is_shown.get().to_string()
            on:click=move |_| set_shown.update(|it| *it = !*it)>{text::DECODE}</button>"\n"
        {move || is_shown.get().then(|| decoded_view(&string))}
    }
    .into_any()
}

/// A line. It has a number if its value can be copied.
fn line_view(line: &JsonLine, at: Option<usize>) -> AnyView {
    let pane = pane();
    let line = line.clone();
    // Another query redraws the line, but not the parts that were opened after it.
    let pieces = move || marked_pieces(&line, pane.search.pattern.get().as_ref());
    markup! { <span data-at=at.map(|at| at.to_string())>{pieces}</span> }.into_any()
}

fn marked_pieces(line: &JsonLine, pattern: Option<&Shared<Pattern>>) -> Vec<AnyView> {
    let mut pieces =
        vec![markup! { <span>{"  ".repeat(usize::from(line.indent))}</span> }.into_any()];
    for piece in &line.pieces {
        let class = match piece.0 {
            Class::Mark => "mark",
            Class::Key => "key",
            Class::Text => "string",
            Class::Number => "number",
            Class::Word => "word",
            Class::Odd => "odd",
            Class::Note => "note",
        };
        let text = match pattern.filter(|_| is_from_file(piece.0)) {
            Some(pattern) => hits::pieces(&piece.1, pattern),
            None => hits::text_pieces(&piece.1, None),
        };
        pieces.push(markup! { <span data-json=class>{text}</span> }.into_any());
    }
    pieces
}

/// The rest of a string in JSON: first a button, then the text after the line.
#[component]
fn RestOfString(cut: Cut) -> impl IntoView {
    let (is_asked, set_asked) = signal(false);
    let place = place_of(&cut);
    markup! {
        {move || if is_asked.get() {
            markup! { "\n"<NextText cut=cut.clone()/> }.into_any()
        } else {
            markup! {
                " "<button class="quiet code__more" data-more=place.clone() on:click=move |_| set_asked.set(true)>{text::SHOW_MORE}</button>"\n"
            }.into_any()
        }}
    }
}

/// Omitted items: first their number with a button, then the next items.
#[component]
fn RestOfItems(cut: Cut, line: JsonLine) -> impl IntoView {
    let (is_asked, set_asked) = signal(false);
    let words = if cut.items > 100 { text::SHOW_100_MORE } else { text::SHOW };
    let place = place_of(&cut);
    markup! {
        {move || if is_asked.get() {
            markup! { <NextLines cut=cut.clone() indent=line.indent/> }.into_any()
        } else {
            markup! {
                {line_view(&line, None)}" "
                <button class="quiet code__more" data-more=place.clone() on:click=move |_| set_asked.set(true)>{words}</button>"\n"
            }.into_any()
        }}
    }
}

#[component]
fn NextLines(cut: Cut, indent: u16) -> impl IntoView {
    let shown = asked(&cut, MORE_BYTES);
    markup! {
        {move || match shown.get().as_deref() {
            Some(Shown::Json(lines, _)) => {
                let lines = lines.iter().map(|line| JsonLine { indent: (line.indent + indent).min(MAX_INDENT), ..line.clone() });
                lines.flat_map(|line| json_line_view(&line, None)).collect_view().into_any()
            }
            Some(shown) => value_view(shown, Cutting::Full),
            None => markup! { <Waiting/> }.into_any(),
        }}
    }
}

/// Whether a line of JSON has a hit.
pub fn is_hit(line: &JsonLine, pattern: &Pattern) -> bool {
    let mut texts = line.pieces.iter().filter(|piece| is_from_file(piece.0));
    texts.any(|piece| pattern.matches(&piece.1).next().is_some())
}

/// Whether a piece of a line is text of the trace, as opposed to a bracket or a note by the page.
fn is_from_file(class: Class) -> bool {
    !matches!(class, Class::Mark | Class::Note)
}
