//! Opens the trace that is part of the single HTML file.

use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};

use crate::app::App;
use crate::app::notice;
use crate::app::trace::{Loading, Phase};
use crate::boot::{self, OwnFile, OwnTrace};
use crate::browser;
use crate::opening::{actions, loading};
use crate::state::opening::{NamedFile, Opening};
use traceloupe_protocol::messages::Problem;
use traceloupe_protocol::problem::SourceFault;

/// Opens the trace in this document, unless there is none, or something else has been given.
pub fn take_own(app: App) {
    let trace = app.trace_untracked();
    let Some(promise) = boot::own_trace() else { return };
    if trace.phase.get_untracked() != Phase::Empty {
        return;
    }
    let what = boot::own_name();
    trace.phase.set(Phase::Loading(Loading {
        what: what.clone(),
        since_ms: browser::now_ms(),
        ..Loading::default()
    }));
    spawn_local(async move {
        let own = JsFuture::from(promise).await;
        if !trace.is_open() {
            return;
        }
        trace.phase.set(Phase::Empty);
        let own: OwnTrace = match own {
            Ok(own) => own.unchecked_into(),
            Err(error) => {
                let reason = browser::error_words(&error);
                let fault = SourceFault::UnreadableAfter { len_bytes: 0, reason };
                return actions::fail(trace, Problem::NothingShown(vec![(what, fault)]));
            }
        };
        let Some(trace) = actions::open(app, opening(&own)) else { return };
        loading::show(trace);
        trace.opening.html_bytes.set(own.weight());
        match own.n_replaced() {
            0 => {}
            n => notice::report_later(trace, Problem::CharsReplaced(n)),
        }
    });
}

fn opening(own: &OwnTrace) -> Opening {
    let file = |file: OwnFile| NamedFile { path: file.path(), blob: file.blob() };
    let files = own.files().iter().map(|it| file(it.unchecked_into())).collect();
    let entry = |pair: js_sys::Array| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        // an index, as it was written
        Some((pair.get(0).as_string()?, pair.get(1).as_f64()? as u32))
    };
    let entries =
        own.entries().map(|it| it.iter().filter_map(|it| entry(it.unchecked_into())).collect());
    Opening {
        format: own.format(),
        mapping: own.mapping(),
        title: own.title(),
        entries,
        ..Opening::new(files)
    }
}
