//! Dropped, chosen or pasted files and text, and the addresses in the link.

use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    Blob, ClipboardEvent, DataTransfer, DragEvent, File, FileList, FileSystemDirectoryEntry,
    FileSystemEntry, FileSystemFileEntry, HtmlInputElement,
};

use crate::app::App;
use crate::app::notice;
use crate::app::page::Dialog;
use crate::app::price_list::take_list;
use crate::app::trace::{Loading, Phase};
use crate::boot::{self, Given};
use crate::browser;
use crate::checks;
use crate::opening::actions;
use crate::opening::folder;
use crate::opening::follow;
use crate::opening::linked_address;
use crate::opening::loading;
use crate::pane::tabs::choose_tab;
use crate::state::opening::{NamedFile, Opening, Origin};
use traceloupe_protocol::messages::Problem;
use traceloupe_protocol::route::{COMPARE, percent_encode};
use traceloupe_words::page::opening as text;

/// Limits of a folder. Anything beyond them is skipped and reported.
const MAX_FILES: usize = 10_000;
const MAX_DEPTH: usize = 16;

thread_local! {
    /// Whether the current drag started on this page. The browser drags one thing at a time, so this is not part of a
    /// trace.
    static DRAGGED_HERE: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Listens on the whole window.
pub fn listen(app: App) {
    let on = |name: &'static str, act: fn(App, &DragEvent)| {
        let listener = window_event_listener_untyped(name, move |event| {
            act(app, event.unchecked_ref());
        });
        // These listeners live as long as the page.
        std::mem::forget(listener);
    };
    on("dragstart", |_, _| DRAGGED_HERE.set(true));
    on("dragend", |_, _| DRAGGED_HERE.set(false));
    on("dragover", |app, event| {
        event.prevent_default();
        if !app.page.is_embedded() && !DRAGGED_HERE.get() {
            app.page.dragging.set(true);
        }
    });
    on("dragleave", |app, event| {
        if event.related_target().is_none() {
            app.page.dragging.set(false);
        }
    });
    on("drop", |app, event| {
        event.prevent_default();
        app.page.dragging.set(false);
        // Text of the page itself that is dragged by accident must not be opened.
        if app.page.is_embedded() || DRAGGED_HERE.take() {
            return;
        }
        if let Some(data) = event.data_transfer() {
            if app.page.dialog.get_untracked() == Some(Dialog::Check) {
                return take_expectations(app, &data);
            }
            // While the settings are open, a file is a list of prices.
            if app.page.dialog.get_untracked() == Some(Dialog::Settings)
                && let Some(file) = data.files().and_then(|files| files.get(0))
            {
                return take_list(app.page, file);
            }
            take(app, &boot::contents(&data), false);
        }
    });
    let pasted = window_event_listener_untyped("paste", move |event| {
        let event: &ClipboardEvent = event.unchecked_ref();
        if app.page.is_embedded() || browser::takes_text(event.target()) {
            return;
        }
        if let Some(data) = event.clipboard_data() {
            paste(app, &data);
        }
    });
    std::mem::forget(pasted);
}

/// Takes the input collected by `public/start.js`: what was dropped, chosen or pasted before this program ran, and
/// later the input of the elements of the empty page.
pub fn take_given(app: App) {
    let take_later = Closure::<dyn FnMut(Given)>::new(move |given: Given| take(app, &given, false));
    let Some(given) = boot::take_given(take_later.into_js_value().unchecked_ref()) else { return };
    // The frame in `index.html` already shows it as accepted. Continue from there.
    app.trace_untracked().phase.set(Phase::Loading(Loading {
        what: given.name(),
        since_ms: browser::now_ms(),
        ..Loading::default()
    }));
    take(app, &given, true);
}

/// Opens input. `is_shown` means that it is already shown as loading.
fn take(app: App, given: &Given, is_shown: bool) {
    let trace = app.trace_untracked();
    let entries = given.entries();
    let handles = given.handles().iter().map(JsCast::unchecked_into).collect();
    let plain: Vec<_> =
        given.files().iter().map(|file| named(file.unchecked_into::<File>())).collect();
    let (text, is_picked) = (given.text(), given.is_picked());
    spawn_local(async move {
        let mut files = Vec::new();
        let mut skipped = 0;
        for entry in entries.iter() {
            walk(entry.unchecked_into(), &mut files, &mut skipped).await;
        }
        let origin = if is_picked { Origin::Picked } else { follow::origin_of(handles).await };
        if files.len() < plain.len() {
            files = plain; // a picker, the clipboard, or a browser that supports files but not entries
        }
        if is_shown {
            if !trace.is_open() {
                return;
            }
            trace.phase.set(Phase::Empty);
        }
        if files.is_empty() {
            take_text(app, &text);
        } else {
            let origin = if files.len() == 1 { origin } else { Origin::Other };
            folder::open_or_list(app, Opening { origin, ..Opening::new(files) });
        }
        if is_shown {
            loading::show(app.trace_untracked());
        }
        if skipped > 0 {
            notice::report_later(app.trace_untracked(), Problem::FilesSkipped(skipped));
        }
    });
}

/// While the dialog of the check is open, dropped files are expectations, not a trace.
fn take_expectations(app: App, data: &DataTransfer) {
    let file = data.files().and_then(|files| files.get(0));
    let Some(file) = file else {
        return checks::actions::put_expectations(
            app.trace_untracked(),
            data.get_data("text/plain").unwrap_or_default(),
        );
    };
    spawn_local(async move {
        match JsFuture::from(file.text()).await {
            Ok(text) => checks::actions::put_expectations(
                app.trace_untracked(),
                text.as_string().unwrap_or_default(),
            ),
            Err(_) => notice::say(app.page, text::FILE_UNREADABLE),
        }
    });
}

fn files_of(list: Option<FileList>) -> Vec<NamedFile> {
    let Some(list) = list else { return Vec::new() };
    (0..list.length()).filter_map(|index| list.get(index)).map(named).collect()
}

fn named(file: File) -> NamedFile {
    let inside = js_sys::Reflect::get(&file, &"webkitRelativePath".into()).ok();
    let inside = inside.and_then(|it| it.as_string()).filter(|it| !it.is_empty());
    NamedFile { path: inside.unwrap_or_else(|| file.name()), blob: file.into() }
}

/// Collects the files below an entry, without recursion.
async fn walk(entry: FileSystemEntry, files: &mut Vec<NamedFile>, skipped: &mut u32) {
    let mut open = vec![(entry, 0_usize)];
    while let Some((entry, depth)) = open.pop() {
        if files.len() >= MAX_FILES || depth > MAX_DEPTH {
            *skipped += 1;
            continue;
        }
        if entry.is_file() {
            let path = entry.full_path().trim_start_matches('/').to_owned();
            match file_of(entry.unchecked_into()).await {
                Ok(file) => files.push(NamedFile { path, blob: file.into() }),
                Err(_) => *skipped += 1,
            }
            continue;
        }
        let reader = entry.unchecked_into::<FileSystemDirectoryEntry>().create_reader();
        // Chromium returns at most a hundred entries at a time, so repeat until there are no more.
        loop {
            let batch = promise(|done, failed| {
                reader.read_entries_with_callback_and_callback(done, failed)
            });
            let Ok(batch) = batch.await else {
                *skipped += 1;
                break;
            };
            let batch: js_sys::Array = batch.unchecked_into();
            if batch.length() == 0 {
                break;
            }
            open.extend(batch.iter().map(|it| (it.unchecked_into(), depth + 1)));
        }
    }
}

async fn file_of(entry: FileSystemFileEntry) -> Result<File, JsValue> {
    let file = promise(|done, failed| {
        entry.file_with_callback_and_callback(done, failed);
        Ok(())
    });
    Ok(file.await?.unchecked_into())
}

/// Turns a pair of callbacks into a future.
async fn promise(
    act: impl FnOnce(&js_sys::Function, &js_sys::Function) -> Result<(), JsValue>,
) -> Result<JsValue, JsValue> {
    let mut act = Some(act);
    let promise = js_sys::Promise::new(&mut |done, failed| {
        if let Some(act) = act.take()
            && let Err(error) = act(&done, &failed)
        {
            let _ = failed.call1(&JsValue::NULL, &error);
        }
    });
    JsFuture::from(promise).await
}

/// Opens pasted files or text.
pub fn paste(app: App, data: &DataTransfer) {
    let files = files_of(data.files());
    if files.is_empty() {
        take_text(app, &data.get_data("text/plain").unwrap_or_default());
    } else {
        actions::open(app, Opening::new(files));
    }
}

/// The text as an address, if it is one.
pub fn address_in(text: &str) -> Option<&str> {
    let text = text.trim();
    let is_address = text.starts_with("http://") || text.starts_with("https://");
    (is_address && !text.contains(char::is_whitespace)).then_some(text)
}

/// Opens pasted text, which is an address or a trace.
pub fn take_text(app: App, text: &str) {
    // The address may come from a trace, so the user is asked before the open trace is closed for it.
    if let Some(address) = address_in(text)
        && app.trace_untracked().has_rows_untracked()
    {
        return app.page.dialog.set(Some(Dialog::Leave(address.to_owned())));
    }
    open_text(app, text);
}

/// Opens text without asking. It is an address or a trace.
pub fn open_text(app: App, text: &str) {
    if text.trim().is_empty() {
        return;
    }
    if let Some(address) = address_in(text) {
        // The page is sealed by now. A reloaded page fetches the address before it is sealed.
        return load_address(address);
    }
    if let Some(blob) = browser::blob_of(text, "application/json") {
        let file = NamedFile { path: text::PASTED_TEXT.to_owned(), blob };
        actions::open(app, Opening::new(vec![file]));
    }
}

/// Reloads the page with a trace from an address.
pub fn load_address(address: &str) {
    browser::reload_with_fragment(&format!("trace={}", percent_encode(address)));
}

/// Waits for the addresses in the link, which the boot script is fetching, and opens them.
pub fn take_addresses(app: App) {
    let trace = app.trace_untracked();
    let sources = boot::all_sources();
    // Opening anything else cancels them, because pending addresses would delay the seal, and with it the other trace.
    trace.opening.sources.set_value(sources.clone());
    if sources.iter().any(|source| source.role() == COMPARE) {
        let is_chosen = app.page.route.with_untracked(|route| route.tab.is_some());
        if !is_chosen {
            choose_tab(app.pane_untracked(), COMPARE);
        }
    }
    if sources.is_empty() {
        return;
    }
    spawn_local(async move {
        let mut answers = Vec::new();
        let mut problems = Vec::new();
        for source in sources {
            let host = source.host();
            trace.phase.set(Phase::Loading(Loading {
                what: if host.is_empty() { source.name() } else { host },
                since_ms: browser::now_ms(),
                ..Loading::default()
            }));
            match linked_address::answer(&source).await {
                Ok(answer) => answers.push(answer),
                Err(code) => problems.push(linked_address::problem(code, &source)),
            }
            // Loading was cancelled, or another trace was opened in the meantime.
            if !trace.is_open() {
                return;
            }
        }
        let sealed = JsFuture::from(boot::sealed()).await;
        if !trace.is_open() {
            return;
        }
        if sealed.is_err() {
            return actions::watch_completeness(app);
        }
        // All addresses have responded. The trace opened below reads their bodies.
        trace.opening.sources.set_value(Vec::new());
        traceloupe_core::sorting::sort_by_key(&mut answers, linked_address::Answer::name);
        let empty = answers
            .iter()
            .filter_map(|answer| Some(NamedFile { path: answer.name(), blob: Blob::new().ok()? }));
        let files: Vec<_> = empty.collect();
        if files.is_empty() {
            if let Some(problem) = problems.into_iter().next() {
                actions::fail(trace, problem);
            }
            return;
        }
        let mut opening = Opening::new(files);
        opening.title = app.page.route.with_untracked(|route| route.title.clone());
        opening.grows = Some(linked_address::growth(&answers));
        let Some(trace) = actions::open(app, opening) else { return };
        for problem in problems {
            notice::report_later(trace, problem);
        }
        linked_address::read(trace, answers).await;
    });
}

/// Ids of the pickers in `index.html`, for files and for a folder.
const PICKERS: [&str; 2] = ["pick-files", "pick-folder"];

/// Disables or enables the pickers. They are disabled while a file is being read.
pub fn disable_pickers(is_busy: bool) {
    for picker in PICKERS {
        if let Some(input) = browser::element(picker)
            && let Ok(input) = input.dyn_into::<HtmlInputElement>()
        {
            input.set_disabled(is_busy);
        }
    }
}

/// Opens the file picker.
pub fn pick() {
    let [files, _] = PICKERS;
    browser::click(files);
}

/// Id of the picker for files to compare the open trace with.
pub const TO_COMPARE: &str = "pick-to-compare";

/// Opens the picker for files to compare the open trace with.
pub fn pick_to_compare() {
    browser::click(TO_COMPARE);
}

/// Opens the chosen files together with the open ones, to compare them.
pub fn picked_to_compare(app: App, input: &HtmlInputElement) {
    let picked = files_of(input.files());
    input.set_value("");
    let Some(open) = app.trace_untracked().opening.whole().filter(|_| !picked.is_empty()) else {
        return;
    };
    let is_known = |path: &str| open.files.iter().any(|file| file.path == path);
    let picked = picked.into_iter().map(|file| match is_known(&file.path) {
        true => NamedFile { path: format!("2/{}", file.path), ..file },
        false => file,
    });
    let files = open.files.iter().cloned().chain(picked).collect();
    choose_tab(app.pane_untracked(), COMPARE);
    actions::open(app, Opening::new(files));
}

/// Opens the folder picker.
pub fn pick_folder() {
    let [_, folder] = PICKERS;
    browser::click(folder);
}
