//! Actions on JSON nodes: copying a path or a value, and showing a list of objects as a table.

use leptos::prelude::*;
use wasm_bindgen::JsCast;

use crate::app::notice;
use crate::app::pane::pane;
use crate::browser;
use crate::event::json::Tree;
use traceloupe_view::json_nodes::{Item, path, table, value};
use traceloupe_words as words;
use traceloupe_words::page::event as text;

/// Buttons beside a line that copy its path or value.
pub(super) fn node_acts(tree: &Tree) -> AnyView {
    let page = pane().page;
    let (at, lines) = (tree.at, tree.lines.clone());
    (move || {
        let (line, top_px) = at.get();
        let line = (line as usize).checked_sub(1)?;
        let path = path(&lines, line)?;
        let (value, is_whole) = value(&lines, line);
        let words = if is_whole { text::COPY_VALUE } else { text::COPY_SHOWN };
        let shown = path.clone();
        let button = |words: &'static str, copied: String| {
            markup! {
                <button on:click=move |_| notice::copy(page, &copied, text::COPIED)>{words}</button>
            }
            .into_any()
        };
        Some(
            markup! {
                <div class="code__acts" style:top=words::css_px(top_px.into())>
                    <bdi class="code__path" role="status">{shown}</bdi>
                    {button(text::COPY_PATH, path)}
                    {button(words, value)}
                </div>
            }
            .into_any(),
        )
    })
    .into_any()
}

/// Selects the line under the pointer.
pub(super) fn pointed(tree: &Tree) -> impl Fn(leptos::ev::MouseEvent) + 'static + use<> {
    let tree = tree.clone();
    move |event| {
        // Browsers also report a move when another element has come under the pointer.
        if (event.movement_x(), event.movement_y()) == (0, 0) {
            return;
        }
        let target = event.target().and_then(|it| it.dyn_into::<web_sys::Element>().ok());
        let line = target.and_then(|it| it.closest("[data-at]").ok().flatten());
        let number = line.and_then(|it| it.get_attribute("data-at")?.parse().ok());
        if let Some(number) = number.filter(|number| tree.at.get_untracked().0 != number + 1) {
            place(&tree, number);
        }
    }
}

/// Moves between lines with the arrow keys.
pub(super) fn stepped(tree: &Tree) -> impl Fn(leptos::ev::KeyboardEvent) + 'static + use<> {
    let tree = tree.clone();
    move |event| {
        let n_lines = u32::try_from(tree.lines.len()).unwrap_or(u32::MAX);
        let mut line = tree.at.get_untracked().0;
        let step = match event.key().as_str() {
            "ArrowDown" => 1,
            "ArrowUp" => -1,
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        // Skip closing lines and folded lines.
        loop {
            line = line.saturating_add_signed(step);
            if line == 0 || line > n_lines {
                return;
            }
            if path(&tree.lines, line as usize - 1).is_some() && choose(&tree, line - 1) {
                return;
            }
        }
    }
}

/// Offers the actions on a line; `false` if the line is not drawn.
fn choose(tree: &Tree, number: u32) -> bool {
    let Some(line) = place(tree, number) else { return false };
    // An opened row may scroll, and so may the list.
    let mut around = line.parent_element();
    while let Some(element) = around {
        browser::scroll_to(&element, &line);
        around = element.parent_element();
    }
    true
}

/// Offers the actions on a line at its current position.
fn place(tree: &Tree, number: u32) -> Option<web_sys::Element> {
    let element = tree.element.get_untracked()?;
    let line = element.query_selector(&format!("[data-at=\"{number}\"]")).ok()??;
    // If a line continues below, its beginning is used.
    let first = line.first_element_child().unwrap_or(line.clone());
    let top_px = first.get_bounding_client_rect().top() - element.get_bounding_client_rect().top();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates
    tree.at.set((number + 1, top_px as u32));
    Some(line)
}

/// The button that switches a list of objects between tree and table.
pub(super) fn table_switch(
    is_tree: ReadSignal<bool>,
    set_tree: WriteSignal<bool>,
    set_open: WriteSignal<bool>,
) -> AnyView {
    let switch = move |_| {
        set_tree.update(|is_tree| *is_tree = !*is_tree);
        set_open.set(true);
    };
    markup! {
        " "<button class="quiet code__more" title=text::TABLE_TITLE aria-pressed=move || (!is_tree.get()).to_string()
            on:click=switch>{text::TABLE}</button>
    }
    .into_any()
}

/// A list of objects as a table. The number of a row links to the item in the tree.
pub(super) fn table_view(tree: &Tree, at: usize, set_tree: WriteSignal<bool>) -> AnyView {
    let Some(table) = table(&tree.lines, at) else { return ().into_any() };
    let cell = |words: String| {
        let title = words.clone();
        markup! { <td title=title>{words}</td> }.into_any()
    };
    let mut rows = Vec::new();
    for Item { line, number, cells } in table.rows {
        let tree = tree.clone();
        let go = move |_| {
            set_tree.set(true);
            tree.set_all.set(true);
            let tree = tree.clone();
            leptos::task::spawn_local(async move {
                // The tree is drawn a moment later.
                gloo_timers::future::TimeoutFuture::new(30).await;
                choose(&tree, u32::try_from(line).unwrap_or(0));
            });
        };
        let cells: Vec<AnyView> = cells.into_iter().map(cell).collect();
        let row = markup! {
            <tr>
                <th scope="row"><button class="quiet" title=text::TO_ITEM on:click=go>{number}</button></th>
                {cells}
            </tr>
        };
        rows.push(row.into_any());
    }
    let heads =
        table.columns.into_iter().map(|key| markup! { <th scope="col">{key}</th> }.into_any());
    let heads: Vec<AnyView> = heads.collect();
    let rest = (table.n_left_out > 0).then(|| text::more_columns(table.n_left_out));
    markup! {
        <div class="code__table table" tabindex="0" role="group" aria-label=text::TABLE>
            <table>
                <thead><tr><th scope="col">"#"</th>{heads}</tr></thead>
                <tbody>{rows}</tbody>
            </table>
            {rest}
        </div>
    }
    .into_any()
}
