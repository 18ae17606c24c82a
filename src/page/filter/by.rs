//! Buttons in an opened row that filter by its tool or model, and by the file that it names.

use crate::reactive::memo;
use leptos::prelude::*;

use crate::app::pane::pane;
use crate::glyph::glyph;
use crate::pane::filtering;
use traceloupe_core::model::EventKind;
use traceloupe_protocol::matches::first_path;
use traceloupe_view::icon;
use traceloupe_view::query::Key;
use traceloupe_words::mcp_parts;
use traceloupe_words::page::filter as text;

/// The longest path that is shown in full.
const MAX_PATH_CHARS: usize = 28;

/// The buttons.
#[component]
pub fn FilterBy(row: u32) -> impl IntoView {
    let pane = pane();
    let (id, kind, name) = pane.trace.outline.with_untracked(|outline| {
        let rows = &outline.rows;
        let name = outline.name(rows.names.get(row)).to_owned();
        (rows.ids.get(row), EventKind::from_code(rows.kinds.get(row)), name)
    });
    let key = match kind {
        EventKind::ToolCall => Key::Tool,
        EventKind::LlmCall => Key::Model,
        _ => return ().into_any(),
    };
    let path = memo(move || {
        let summary = pane.trace.previews.text(id);
        first_path(&summary).filter(|_| kind == EventKind::ToolCall).map(str::to_owned)
    });
    let button = move |key: Key, word: String, shown: String| {
        let title = text::filter_by(key.word(), &word);
        markup! {
            <button class="quiet by" title=title.clone() aria-label=title
                on:click=move |_| filtering::show_only(pane, key, &word)>
                {glyph(icon::FUNNEL)}
                <bdi>{shown}</bdi>
            </button>
        }
    };
    let own = (!name.is_empty()).then(|| {
        let parts = mcp_parts(&name).filter(|_| key == Key::Tool);
        let shown = parts.map_or_else(|| name.clone(), |(_, tool)| tool.to_owned());
        button(key, name, shown)
    });
    markup! {
        {own}
        {move || path.get().map(|path| {
            let shown = pane.short_path(&path, MAX_PATH_CHARS);
            button(Key::File, path, shown)
        })}
    }
    .into_any()
}
