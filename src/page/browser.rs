//! Small wrappers of browser APIs: storage, theme, clipboard, address, clock. The browser may refuse any of them (in a
//! sandboxed frame, or because of a strict setting). Traces can be read without them.

use wasm_bindgen::{JsCast, JsValue};
use web_sys::{
    Document, Element, FocusOptions, HtmlElement, HtmlInputElement, Node, Storage, Window,
};

use traceloupe_core::model::Part;
use traceloupe_protocol::annotations::Site;

fn window() -> Option<Window> {
    web_sys::window()
}

/// The page's document.
pub fn document() -> Option<Document> {
    window()?.document()
}

fn storage() -> Option<Storage> {
    window()?.local_storage().ok().flatten()
}

/// Whether the page is visible.
pub fn is_seen() -> bool {
    let document = web_sys::window().and_then(|window| window.document());
    document.is_some_and(|document| !document.hidden())
}

/// Stores a value if storage is allowed.
pub fn store(key: &str, value: &str) {
    if let Some(storage) = storage() {
        // If storage is full or forbidden, the setting is lost on reload.
        let _ = storage.set_item(&format!("traceloupe.{key}"), value);
    }
}

/// Stores a value; `false` if storage is full or forbidden.
pub fn try_store(key: &str, value: &str) -> bool {
    storage().is_some_and(|it| it.set_item(&format!("traceloupe.{key}"), value).is_ok())
}

/// Removes a stored value.
pub fn unstore(key: &str) {
    if let Some(storage) = storage() {
        // If storage is forbidden, nothing was stored.
        let _ = storage.remove_item(&format!("traceloupe.{key}"));
    }
}

/// The remainder of every storage key that begins with this.
pub fn stored_keys(beginning: &str) -> Vec<String> {
    let Some(storage) = storage() else { return Vec::new() };
    let keys = (0..storage.length().unwrap_or(0)).filter_map(|at| storage.key(at).ok().flatten());
    keys.filter_map(|key| {
        key.strip_prefix("traceloupe.")?.strip_prefix(beginning).map(str::to_owned)
    })
    .collect()
}

/// A stored value.
pub fn stored(key: &str) -> Option<String> {
    storage()?.get_item(&format!("traceloupe.{key}")).ok().flatten()
}

/// Sets a custom property of the style sheets for the whole page.
pub fn set_root_style(property: &str, value: &str) {
    let root = document().and_then(|document| document.document_element());
    if let Some(root) = root.and_then(|root| root.dyn_into::<HtmlElement>().ok()) {
        let _ = root.style().set_property(property, value); // any value of a custom property is accepted
    }
}

/// Sets the theme: `light`, `dark` or `system`.
pub fn set_theme(theme: &str) {
    let root = document().and_then(|document| document.document_element());
    if let Some(root) = root {
        // Setting and removing a valid attribute cannot fail.
        let _ = match theme {
            "light" | "dark" => root.set_attribute("data-theme", theme),
            _ => root.remove_attribute("data-theme"),
        };
    }
}

/// Whether a theme (`light`, `dark` or `system`) is dark on this screen.
pub fn is_dark(theme: &str) -> bool {
    theme == "dark" || theme != "light" && is_so("(prefers-color-scheme: dark)")
}

/// Whether the window is narrow, by the same condition as in the style sheets.
pub fn is_narrow() -> bool {
    is_so("(max-width: 860px)")
}

/// Whether there is room for the contents of a row beside a waterfall.
pub fn has_room() -> bool {
    is_so("(min-width: 1200px)")
}

/// Whether a media query matches.
fn is_so(query: &str) -> bool {
    let query = window().and_then(|it| it.match_media(query).ok().flatten());
    query.is_some_and(|it| it.matches())
}

/// Sets the title of the browser's tab.
pub fn set_title(title: &str) {
    if let Some(document) = document() {
        document.set_title(title);
    }
}

/// The system clock, in milliseconds since 1970.
pub fn clock_ms() -> f64 {
    js_sys::Date::now()
}

/// The page's clock, in milliseconds since the page was loaded.
pub fn now_ms() -> f64 {
    window().and_then(|window| window.performance()).map_or(0.0, |clock| clock.now())
}

/// The height of the window at which the list of rows need not be scrolled.
pub fn whole_height_px() -> Option<f64> {
    let window_px = window()?.inner_height().ok()?.as_f64()?;
    let rows = document()?.query_selector(".list__size").ok()??;
    let list = rows.parent_element()?;
    Some(window_px - f64::from(list.client_height()) + f64::from(rows.client_height()))
}

/// Whether the page is in a frame of another page.
pub fn is_framed() -> bool {
    window().is_some_and(|it| it.parent().ok().flatten().is_some_and(|parent| parent != it))
}

/// The address of the page.
pub fn address() -> String {
    window().and_then(|window| window.location().href().ok()).unwrap_or_default()
}

/// The fragment of the address.
pub fn fragment() -> String {
    window().and_then(|window| window.location().hash().ok()).unwrap_or_default()
}

/// The address of the page with another fragment.
pub fn address_with(fragment: &str) -> String {
    let address = address();
    let page = address.split('#').next().unwrap_or_default();
    if fragment.is_empty() { page.to_owned() } else { format!("{page}#{fragment}") }
}

/// Changes the fragment without a new entry in the history.
pub fn replace_fragment(fragment: &str) {
    if let Some(history) = window().and_then(|window| window.history().ok()) {
        let state = history.state().unwrap_or(JsValue::NULL);
        // Some sandboxes refuse this. The link is then only in the clipboard.
        let _ = history.replace_state_with_url(&state, "", Some(&format!("#{fragment}")));
    }
}

/// Reloads the page with another fragment. A reload is needed because a sealed page cannot fetch.
pub fn reload_with_fragment(fragment: &str) {
    if let Some(window) = window() {
        let location = window.location();
        // Changing the fragment alone does not load anything.
        let _ = location.set_hash(fragment);
        let _ = location.reload();
    }
}

/// Opens an address in a new tab that has no access to this page.
pub fn open_outside(address: &str) {
    if let Some(window) = window() {
        // With `noopener` there is no window to return.
        let features = "noopener,noreferrer";
        let _ = window.open_with_url_and_target_and_features(address, "_blank", features);
    }
}

/// Reloads the page.
pub fn reload() {
    if let Some(window) = window() {
        // If reloading is forbidden, the page stays as it is.
        let _ = window.location().reload();
    }
}

/// Copies text to the clipboard; only the sink (`app/handoff.rs`) calls this. Reports whether that worked. There is no clipboard over plain HTTP and in some
/// frames.
pub fn copy(text: &str, done: impl FnOnce(bool) + 'static) {
    let navigator = window().map(|window| window.navigator());
    let clipboard = navigator
        .filter(|it| js_sys::Reflect::get(it, &"clipboard".into()).is_ok_and(|it| it.is_object()))
        .map(|it| it.clipboard());
    let Some(clipboard) = clipboard else { return done(false) };
    let written = clipboard.write_text(text);
    wasm_bindgen_futures::spawn_local(async move {
        done(wasm_bindgen_futures::JsFuture::from(written).await.is_ok());
    });
}

/// The selection, if it is inside a single text of the trace: the place of the text, the selected characters in UTF-16
/// units, and the line of the first one.
pub fn selected_text() -> Option<(Site, Part, Part)> {
    let selection = window()?.get_selection().ok()??;
    let range = (selection.range_count() > 0).then(|| selection.get_range_at(0).ok())??;
    let text_of = |node: web_sys::Node| -> Option<Element> {
        let element = match node.dyn_into::<Element>() {
            Ok(element) => element,
            Err(node) => node.parent_element()?,
        };
        element.closest("[data-site]").ok()?
    };
    let (start, end) = (range.start_container().ok()?, range.end_container().ok()?);
    let text = text_of(start.clone())?;
    if text_of(end.clone())? != text {
        return None;
    }
    let (source, first) = text
        .get_attribute("data-site")?
        .split_once(':')
        .map(|(a, b)| (a.to_owned(), b.to_owned()))?;
    let site = Site { source: source.parse().ok()?, start: first.parse().ok()? };
    let before = |node: &web_sys::Node, offset: u32| -> Option<String> {
        let range = document()?.create_range().ok()?;
        range.select_node_contents(&text).ok()?;
        range.set_end(node, offset).ok()?;
        Some(String::from(range.to_string()))
    };
    let from = before(&start, range.start_offset().ok()?)?;
    let to = before(&end, range.end_offset().ok()?)?;
    let units = |text: &str| u32::try_from(text.encode_utf16().count()).unwrap_or(u32::MAX);
    let line = u32::try_from(from.matches('\n').count()).unwrap_or(u32::MAX);
    Some((site, Part::Chars(units(&from), units(&to)), Part::Line(line)))
}

/// An element, by id.
pub fn element(id: &str) -> Option<HtmlElement> {
    document()?.get_element_by_id(id)?.dyn_into().ok()
}

/// Clicks an element, given its id.
pub fn click(id: &str) {
    if let Some(element) = element(id) {
        element.click();
    }
}

/// Whether any element matches a selector.
pub fn has(selector: &str) -> bool {
    document().is_some_and(|it| it.query_selector(selector).is_ok_and(|found| found.is_some()))
}

/// Opens the browser's print dialog.
pub fn print() {
    // Nothing happens in a frame without permission.
    let _ = web_sys::window().map(|window| window.print());
}

/// Focuses an element, without scrolling to it.
pub fn focus(id: &str) {
    if let Some(element) = element(id) {
        let options = FocusOptions::new();
        options.set_prevent_scroll(true);
        // If the element cannot take the focus, nothing changes.
        let _ = element.focus_with_options(&options);
    }
}

/// Moves the focus to the next or previous element that matches a selector, or to the first one. `false` if there are
/// none.
pub fn focus_next(selector: &str, is_forwards: bool) -> bool {
    let Some(document) = document() else { return false };
    let Ok(all) = document.query_selector_all(selector) else { return false };
    let focused = document.active_element().map(Node::from);
    let at = (0..all.length()).find(|at| all.get(*at) == focused);
    let next = match at {
        None => 0,
        Some(at) if is_forwards => at + 1,
        Some(at) => at.saturating_sub(1),
    };
    if let Some(element) = all.get(next).and_then(|it| it.dyn_into::<HtmlElement>().ok()) {
        let _ = element.focus();
    }
    all.length() > 0
}

/// Clicks the first element that matches a selector, if there is one.
pub fn press(selector: &str) {
    let found = document().and_then(|it| it.query_selector(selector).ok().flatten());
    if let Some(element) = found.and_then(|it| it.dyn_into::<HtmlElement>().ok()) {
        element.click();
    }
}

/// A new element that is not in any document.
pub fn detached() -> Option<HtmlElement> {
    document()?.create_element("div").ok()?.dyn_into().ok()
}

/// Whether the focused element is inside one that matches a selector.
pub fn is_focus_inside(selector: &str) -> bool {
    let focused = document().and_then(|it| it.active_element());
    focused.is_some_and(|it| it.closest(selector).ok().flatten().is_some())
}

/// The text of an element as displayed.
pub fn shown_text(selector: &str) -> Option<String> {
    let element = document()?.query_selector(selector).ok()??;
    Some(element.dyn_into::<web_sys::HtmlElement>().ok()?.inner_text())
}

/// How much of the beginning of an element is brought into view, in pixels.
const BEGINNING_PX: f64 = 160.0;

/// Focuses an element in the list, and scrolls the list as far as needed to show the beginning of an element below the
/// window.
pub fn focus_beginning(id: &str) {
    focus(id);
    scroll_list(id, |around, inside| {
        inside.top() + inside.height().min(BEGINNING_PX) - around.bottom()
    });
}

/// Height of the row of an opened body, and of the turn header above it, in pixels.
const ABOVE_BODY_PX: f64 = 80.0;

/// Scrolls the list as far as needed to show an opened body, but only so far that its row stays in view.
pub fn show_body(id: &str) {
    scroll_list(id, |around, inside| {
        let hidden_px = inside.bottom() - around.bottom();
        hidden_px.min(inside.top() - around.top() - ABOVE_BODY_PX)
    });
}

/// Scrolls the list down by an amount computed from its rectangle and that of an element.
fn scroll_list(id: &str, by_px: impl Fn(&web_sys::DomRect, &web_sys::DomRect) -> f64) {
    let list = document().and_then(|it| it.query_selector(".list").ok().flatten());
    let (Some(list), Some(element)) = (list, element(id)) else { return };
    if !list.contains(Some(&element)) {
        return;
    }
    let by_px = by_px(&list.get_bounding_client_rect(), &element.get_bounding_client_rect());
    if by_px > 0.0 {
        #[expect(clippy::cast_possible_truncation)] // pixels
        list.set_scroll_top(list.scroll_top() + by_px.ceil() as i32);
    }
}

/// Focuses the timeline.
pub fn focus_timeline() {
    focus("timeline");
}

/// Scrolls the first element that matches `scroller` until the first match of `target` in it is visible, with some of
/// its surroundings.
pub fn show_inside(scroller: &str, target: &str) {
    const MARGIN_PX: f64 = 32.0;
    let Some(document) = document() else { return };
    let find = |selector: &str| document.query_selector(selector).ok().flatten();
    let Some((scroller, target)) = find(scroller).zip(find(target)) else { return };
    let (inside, place) = (scroller.get_bounding_client_rect(), target.get_bounding_client_rect());
    let above_px = place.top() - MARGIN_PX - inside.top();
    let below_px = place.bottom() + MARGIN_PX - inside.bottom();
    let by_px = if above_px < 0.0 { above_px } else { below_px.max(0.0) };
    #[expect(clippy::cast_possible_truncation)] // pixels of a page
    scroller.set_scroll_top(scroller.scroll_top() + by_px as i32);
}

/// Scrolls a scrollable element until another one inside it is a third from its top and not beyond its sides.
pub fn scroll_to(scroller: &Element, target: &Element) {
    // Closer to an edge, the target may be covered by a sticky bar.
    const MARGIN_PX: f64 = 48.0;
    let bar = scroller.query_selector(":scope > .body__tabs").ok().flatten();
    let margin_px =
        bar.map_or(MARGIN_PX, |bar| MARGIN_PX.max(bar.get_bounding_client_rect().height() + 8.0));
    let (inside, place) = (scroller.get_bounding_client_rect(), target.get_bounding_client_rect());
    let style = window().and_then(|it| it.get_computed_style(scroller).ok().flatten());
    let scrolls = |property: &str| {
        let how = style.as_ref().and_then(|it| it.get_property_value(property).ok());
        how.is_some_and(|how| how == "auto" || how == "scroll")
    };
    let is_high = scroller.scroll_height() > scroller.client_height() + 1;
    let is_above = place.top() < inside.top() + margin_px;
    let is_below = place.bottom() > inside.bottom().min(screen_bottom()) - MARGIN_PX;
    #[expect(clippy::cast_possible_truncation)] // pixels of a page
    if is_high && (is_above || is_below) && scrolls("overflow-y") {
        let by_px = place.top() - inside.top() - inside.height() / 3.0;
        scroller.set_scroll_top(scroller.scroll_top() + by_px.round() as i32);
    }
    let is_wide = scroller.scroll_width() > scroller.client_width() + 1;
    let is_beside = place.left() < inside.left() || place.right() > inside.right();
    #[expect(clippy::cast_possible_truncation)] // pixels of a page
    if is_wide && is_beside && scrolls("overflow-x") {
        let by_px = place.left() - inside.left() - inside.width() / 3.0;
        scroller.set_scroll_left(scroller.scroll_left() + by_px.round() as i32);
    }
}

/// The lower edge of the visible part of the page, in pixels.
fn screen_bottom() -> f64 {
    let height = window().and_then(|it| it.inner_height().ok());
    height.and_then(|it| it.as_f64()).unwrap_or(f64::MAX)
}

/// Focuses a field and selects its content.
pub fn focus_all(id: &str) {
    focus(id);
    if let Some(input) = element(id).and_then(|it| it.dyn_into::<HtmlInputElement>().ok()) {
        input.select();
    }
}

/// Whether keys typed in an element are text rather than commands.
pub fn takes_text(target: Option<web_sys::EventTarget>) -> bool {
    let Some(element) = target.and_then(|it| it.dyn_into::<Element>().ok()) else { return false };
    let tag = element.tag_name();
    ["INPUT", "TEXTAREA", "SELECT"].contains(&tag.as_str())
        || element.get_attribute("contenteditable").is_some()
}

/// The message of a JavaScript error.
pub fn error_words(error: &JsValue) -> String {
    match error.dyn_ref::<js_sys::Error>() {
        Some(error) => String::from(error.message()),
        None => format!("{error:?}"),
    }
}

/// The decoded value of a fragment key that [`Route`](traceloupe_protocol::route::Route) does not handle.
pub fn route_value(key: &str) -> Option<String> {
    let fragment = fragment();
    let pairs = fragment.trim_start_matches('#').split('&');
    let found = pairs.filter_map(|pair| pair.split_once('=')).find(|(name, _)| *name == key);
    found.map(|(_, value)| traceloupe_protocol::route::percent_decode(value))
}

/// A URL for a Blob, for images. `None` if the browser refuses.
pub fn address_of(blob: &web_sys::Blob) -> Option<String> {
    web_sys::Url::create_object_url_with_blob(blob).ok()
}

/// Revokes the URL of a Blob, so that the Blob can be freed.
pub fn give_up_address(address: &str) {
    // Revoking a URL twice does no harm.
    let _ = web_sys::Url::revoke_object_url(address);
}

/// A text as a Blob with a media type.
pub fn blob_of(text: &str, media_type: &str) -> Option<web_sys::Blob> {
    let options = web_sys::BlobPropertyBag::new();
    options.set_type(media_type);
    let parts = js_sys::Array::of1(&JsValue::from_str(text));
    web_sys::Blob::new_with_str_sequence_and_options(&parts, &options).ok()
}

/// Bytes as a Blob with a media type.
pub fn blob_of_bytes(bytes: &js_sys::Uint8Array, media_type: &str) -> Option<web_sys::Blob> {
    let options = web_sys::BlobPropertyBag::new();
    options.set_type(media_type);
    let parts = js_sys::Array::of1(bytes);
    web_sys::Blob::new_with_u8_array_sequence_and_options(&parts, &options).ok()
}

/// Saves a Blob as a download. Only the sink (`app/handoff.rs`) calls this.
pub fn save(blob: &web_sys::Blob, name: &str) {
    let Some(address) = address_of(blob) else { return };
    let link = document().and_then(|it| it.create_element("a").ok());
    if let Some(link) = link.and_then(|it| it.dyn_into::<web_sys::HtmlAnchorElement>().ok()) {
        link.set_href(&address);
        link.set_download(name);
        link.click();
    }
    leptos::task::spawn_local(async move {
        // By then the download has started, and the browser holds the Blob itself.
        gloo_timers::future::TimeoutFuture::new(60_000).await;
        give_up_address(&address);
    });
}
