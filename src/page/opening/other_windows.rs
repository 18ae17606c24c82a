//! Messages from other windows: `{traceloupe: 1, id, cmd, …}`, as described in `docs/messages.md`.
//!
//! The boot script answers `PING` before this code is loaded, and drops messages from windows that are not allowed to
//! send any. This module decides about trust: who may open a trace, and who may request information about it.

use crate::reactive::effect;
use js_sys::{Array, ArrayBuffer, JsString, Object, Reflect, Uint8Array};
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::{Blob, MessageEvent, Window};

use crate::app::App;
use crate::app::page::Dialog;
use crate::app::trace::{Phase, Trace};
use crate::boot;
use crate::browser;
use crate::opening::actions;
use crate::opening::append;
use crate::search;
use crate::state::opening::{Asker, NamedFile, Opening, len_bytes};
use traceloupe_protocol::messages::Problem;
use traceloupe_search::Query;
use traceloupe_words::page::opening as text;
use traceloupe_words::problems;

/// The largest trace in a message.
const MAX_BYTES: u64 = 2 << 30;

/// The trace of another window that awaits the user's consent.
#[derive(Clone, Copy, Default)]
pub struct Asked(StoredValue<Option<(Asker, Opening)>, LocalStorage>);

impl Asked {
    fn take(self) -> Option<(Asker, Opening)> {
        self.0.try_update_value(Option::take).flatten()
    }
}

/// Starts handling messages, and tells the parent and the opener that the page is ready for them.
pub fn listen(app: App) {
    let asked = Asked::default();
    provide_context(asked);
    let take =
        Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| take(app, asked, &event));
    boot::take_messages(take.as_ref().unchecked_ref());
    take.forget();
    // Closing the question, or replacing it with another dialog, means no.
    effect(move || {
        if !matches!(app.page.dialog.get(), Some(Dialog::Trust(..))) {
            decline(asked);
        }
    });
    if let Some(window) = web_sys::window() {
        let ready = object(&[("traceloupe", 1.into()), ("event", "ready".into())]);
        let others = [window.parent().ok().flatten(), opener(&window)];
        for other in others.into_iter().flatten().filter(|other| *other != window) {
            // The message only states that the page is ready. If the other window does not listen, nothing is lost.
            let _ = other.post_message(&ready, "*");
        }
    }
}

fn opener(window: &Window) -> Option<Window> {
    window.opener().ok().filter(|it| !it.is_null()).map(JsCast::unchecked_into)
}

fn object(fields: &[(&str, JsValue)]) -> Object {
    let object = Object::new();
    for (key, value) in fields {
        // Setting a field of a fresh plain object cannot fail.
        let _ = Reflect::set(&object, &(*key).into(), value);
    }
    object
}

fn field(data: &JsValue, key: &str) -> JsValue {
    Reflect::get(data, &key.into()).unwrap_or(JsValue::UNDEFINED)
}

fn take(app: App, asked: Asked, event: &MessageEvent) {
    let data = event.data();
    // If the page sends messages to itself, its own responses and events arrive here too.
    if field(&data, "traceloupe").as_f64() != Some(1.0) || !field(&data, "ok").is_undefined() {
        return;
    }
    let Some(cmd) = field(&data, "cmd").as_string() else { return };
    let Some(window) = event.source().map(JsCast::unchecked_into::<Window>) else { return };
    let asker = Asker { window, origin: event.origin(), id: field(&data, "id") };
    match cmd.as_str() {
        "load" => load(app, asked, asker, &data),
        "close" if may_act(app, &asker, &data) => {
            actions::close(app);
            summary(app.trace_untracked(), &asker);
        }
        "getSummary" if may_ask(app, &asker) => summary(app.trace_untracked(), &asker),
        "search" if may_ask(app, &asker) => search(app, &asker, &data),
        "append" if is_self(&asker) || brought_it(app, &asker) => append(app, &asker, &data),
        "append" | "close" | "getSummary" | "search" => {
            refuse(&asker, "refused", text::NOT_ALLOWED);
        }
        _ => {
            let words = text::KNOWN_COMMANDS;
            refuse(&asker, "unknown-command", words);
        }
    }
}

/// Appends `text` or `bytes` to the trace that the window sent. `end` means that no more will come.
fn append(app: App, asker: &Asker, data: &JsValue) {
    let given =
        [field(data, "text"), field(data, "bytes")].into_iter().find(|it| !it.is_undefined());
    let piece = given.as_ref().and_then(blob_of);
    let is_end = field(data, "end").is_truthy();
    if given.is_some() && piece.is_none() || given.is_none() && !is_end {
        return refuse(asker, "bad-trace", text::BAD_APPEND);
    }
    if !append::append(app, piece, is_end) {
        return refuse(asker, "nothing-open", text::NOTHING_TO_APPEND_TO);
    }
    post(
        asker,
        &object(&[("traceloupe", 1.into()), ("id", asker.id.clone()), ("ok", true.into())]),
    );
}

/// Searches for `q`, or ends the search if `q` is empty. Matches are shown on the page and never sent back.
fn search(app: App, asker: &Asker, data: &JsValue) {
    let text = field(data, "q").as_string().unwrap_or_default();
    search::actions::search(app.pane_untracked(), Query::literal(&text));
    post(
        asker,
        &object(&[("traceloupe", 1.into()), ("id", asker.id.clone()), ("ok", true.into())]),
    );
}

fn is_self(asker: &Asker) -> bool {
    web_sys::window().is_some_and(|window| window == asker.window)
}

fn brought_it(app: App, asker: &Asker) -> bool {
    let brought_by = app.trace_untracked().opening.brought_by;
    brought_by.with_value(|window| window.as_ref() == Some(&asker.window))
}

/// Whether a window may open a trace without asking the user.
fn may_act(app: App, asker: &Asker, data: &JsValue) -> bool {
    if is_self(asker) || is_same_origin(asker) {
        return true;
    }
    // A program of this computer that opened the page may show its trace, but not in place of what the user has opened.
    if is_loopback(&asker.origin) && (brought_it(app, asker) || is_empty(app)) {
        return true;
    }
    let token = crate::browser::route_value("token");
    if token.is_some_and(|it| it.len() >= 16 && Some(it) == field(data, "token").as_string()) {
        return true;
    }
    // The parent created this frame to show something, and none of the user's traces is open.
    let parent = web_sys::window().and_then(|window| window.parent().ok().flatten());
    parent.is_some_and(|parent| parent == asker.window) && (brought_it(app, asker) || is_empty(app))
}

fn is_empty(app: App) -> bool {
    app.trace_untracked().phase.get_untracked() == Phase::Empty
}

fn is_same_origin(asker: &Asker) -> bool {
    web_sys::window()
        .is_some_and(|window| window.origin() == asker.origin && asker.origin != "null")
}

fn is_loopback(origin: &str) -> bool {
    let host = origin.split("://").nth(1).unwrap_or_default();
    let host = host.rsplit_once(':').map_or(host, |(host, _)| host);
    ["localhost", "127.0.0.1", "[::1]"].contains(&host)
}

/// Whether a window may request counts: the one that sent the trace, or one of the same site. Content is never sent.
fn may_ask(app: App, asker: &Asker) -> bool {
    is_self(asker)
        || brought_it(app, asker)
        || is_empty(app)
        || is_same_origin(asker)
            && app.page.route.with_untracked(traceloupe_protocol::route::Route::names_trace)
}

fn load(app: App, asked: Asked, asker: Asker, data: &JsValue) {
    let trace = field(data, "trace");
    if !field(&trace, "url").is_undefined() {
        let words = text::CANNOT_FETCH;
        return refuse(&asker, "sealed", words);
    }
    let Some(blob) = blob_of(&trace) else {
        return refuse(&asker, "bad-trace", text::BAD_TRACE);
    };
    let len_bytes = len_bytes(&blob);
    if len_bytes > MAX_BYTES {
        return refuse(&asker, "too-big", text::TOO_LARGE);
    }
    let words = |key: &str| field(data, key).as_string().filter(|it| !it.is_empty());
    let path = words("fileName").unwrap_or_else(|| "trace".to_owned());
    let mut opening = Opening::new(vec![NamedFile { path, blob }]);
    opening.title = words("title").map(|title| title.chars().take(200).collect());
    opening.format = words("format");
    if may_act(app, &asker, data) {
        return accept(app, asker, opening);
    }
    if asked.0.with_value(Option::is_some) {
        return refuse(&asker, "busy", text::BUSY_ASKING);
    }
    let origin = asker.origin.clone();
    asked.0.set_value(Some((asker, opening)));
    app.page.dialog.set(Some(Dialog::Trust(origin, len_bytes)));
}

fn accept(app: App, asker: Asker, mut opening: Opening) {
    opening.brought_by = Some(asker.window.clone());
    boot::when_sealed(move || {
        // A window that still waits for the previous trace gets an error.
        if let Some(trace) = actions::open(app, opening) {
            trace.opening.asker.set_value(Some(asker));
        }
    });
}

/// Opens the trace of another window after the user has agreed.
pub fn consent(app: App, asked: Asked) {
    let asked = asked.take();
    app.page.dialog.set(None);
    if let Some((asker, opening)) = asked {
        accept(app, asker, opening);
    }
}

fn decline(asked: Asked) {
    if let Some((asker, _)) = asked.take() {
        refuse(&asker, "refused", text::DECLINED);
    }
}

fn blob_of(trace: &JsValue) -> Option<Blob> {
    if let Some(blob) = trace.dyn_ref::<Blob>() {
        return Some(blob.clone());
    }
    if let Some(text) = trace.dyn_ref::<JsString>() {
        return browser::blob_of(&String::from(text), "application/json");
    }
    if trace.is_instance_of::<ArrayBuffer>() || ArrayBuffer::is_view(trace) {
        return Blob::new_with_buffer_source_sequence(&Array::of1(trace)).ok();
    }
    // Buffers of another window are not instances of this window's classes, but they can be wrapped.
    let is_buffer = Reflect::get(trace, &"constructor".into())
        .and_then(|made_by| Reflect::get(&made_by, &"name".into()))
        .is_ok_and(|name| name == "ArrayBuffer");
    if is_buffer {
        return Blob::new_with_u8_array_sequence(&Array::of1(&Uint8Array::new(trace))).ok();
    }
    None
}

fn waiting(trace: Trace) -> Option<Asker> {
    trace.opening.asker.try_update_value(Option::take).flatten()
}

/// Handles the closing or replacement of a trace: a window that still waits for it gets an error.
pub fn displaced(trace: Trace) {
    if let Some(asker) = waiting(trace) {
        refuse(&asker, "cancelled", text::REPLACED);
    }
}

/// Tells the window that sent a trace about an event of the page. Other windows are told nothing.
pub fn tell(trace: Trace, event: &str, fields: &[(&str, JsValue)]) {
    let Some(window) = trace.opening.brought_by.get_value() else { return };
    let message = object(&[("traceloupe", 1.into()), ("event", event.into())]);
    for (key, value) in fields {
        // Setting a field of a fresh plain object cannot fail.
        let _ = Reflect::set(&message, &(*key).into(), value);
    }
    // Only this window holds the trace, whatever its origin is.
    let _ = window.post_message(&message, "*");
}

/// Responds to the window that waits for the trace.
pub fn loaded(trace: Trace) {
    if let Some(asker) = waiting(trace) {
        summary(trace, &asker);
    }
}

/// Reports to the window that waits for the trace why it could not be read.
pub fn failed(trace: Trace, problem: &Problem) {
    if let Some(asker) = waiting(trace) {
        refuse(&asker, &problem.code().word(), &problems::what_happened(problem));
    }
}

fn refuse(asker: &Asker, code: &str, message: &str) {
    let error = object(&[("code", code.into()), ("message", message.into())]);
    let answer = object(&[
        ("traceloupe", 1.into()),
        ("id", asker.id.clone()),
        ("ok", false.into()),
        ("error", error.into()),
    ]);
    post(asker, &answer);
}

fn post(asker: &Asker, answer: &Object) {
    let target =
        if asker.origin == "null" || asker.origin.is_empty() { "*" } else { &asker.origin };
    // The window may have been closed.
    let _ = asker.window.post_message(answer, target);
}

/// Sends counts, but no content.
fn summary(trace: Trace, asker: &Asker) {
    let outline = trace.outline.get_untracked();
    let is_loading = matches!(trace.phase.get_untracked(), Phase::Loading(_));
    #[expect(clippy::cast_precision_loss)] // counts of events
    let sum = |of: fn(&traceloupe_protocol::outline::Counts) -> u64| {
        let given = outline.runs.iter().map(|run| of(&run.given.unwrap_or(run.counts)));
        JsValue::from_f64(given.sum::<u64>() as f64)
    };
    #[expect(clippy::cast_precision_loss)]
    let warnings = outline.warnings.iter().map(|it| it.count).sum::<u64>() as f64;
    #[expect(clippy::cast_precision_loss)]
    let runs = outline.n_listed() as f64;
    let findings: Array = outline
        .findings
        .iter()
        .map(|finding| {
            let first_row = outline.runs.get(finding.run as usize).map_or(0, |run| run.first_row);
            let number = |row: u32| JsValue::from(row.saturating_sub(first_row) + 1);
            JsValue::from(object(&[
                ("rule", finding.rule.id().into()),
                ("severity", finding.severity.id().into()),
                ("run", (finding.run + 1).into()),
                ("first", number(finding.first)),
                ("last", number(finding.last)),
                ("repetitions", finding.repetitions().into()),
            ]))
        })
        .collect();
    let format = outline.runs.first().map_or("", |run| run.format.as_str());
    let mut fields = vec![
        ("traceloupe", 1.into()),
        ("id", asker.id.clone()),
        ("ok", true.into()),
        ("loading", is_loading.into()),
        ("format", if format.is_empty() { JsValue::NULL } else { format.into() }),
        ("runs", runs.into()),
        ("events", sum(|it| it.events)),
        ("llm_calls", sum(|it| it.llm_calls)),
        ("tool_calls", sum(|it| it.tool_calls)),
        ("errors", sum(|it| it.errors)),
        ("warnings", warnings.into()),
        ("findings", findings.into()),
    ];
    if let Phase::Failed(problem) = trace.phase.get_untracked() {
        let error = object(&[
            ("code", (&*problem.code().word()).into()),
            ("message", problems::what_happened(&problem).into()),
        ]);
        fields.push(("error", error.into()));
    }
    post(asker, &object(&fields));
}
