//! Runs the jobs of the session step by step. Other messages are handled between steps.

pub mod blobs;
pub mod growing;
pub mod reading;

use std::cell::Cell;

use wasm_bindgen_futures::spawn_local;

use crate::jobs::blobs::BlobStore;
use crate::{Pauses, Shared, answer_with, with};
use traceloupe_session::{Pace, Progress, Session};

/// The first steps are small, so that a slow query does not block the page.
const FIRST_BYTES: usize = 128 << 10;
const MIN_BYTES: usize = 64 << 10;
const MAX_BYTES: usize = 4 << 20;

/// The approximate duration of a step, in milliseconds.
const STEP_MS: f64 = 12.0;

/// How often a search reports, in milliseconds.
const REPORT_MS: f64 = 60.0;

thread_local! {
    static IS_RUNNING: Cell<bool> = const { Cell::new(false) };
    static STEP_BYTES: Cell<usize> = const { Cell::new(FIRST_BYTES) };
    static REPORTED_MS: Cell<f64> = const { Cell::new(0.0) };
}

/// Starts with small steps again, because the next query may be slower than the last one.
pub(crate) fn reset_pace() {
    STEP_BYTES.set(FIRST_BYTES);
}

/// Runs the jobs until all of them have finished or wait for more bytes. Costs nothing if there are none.
pub(crate) fn wake(shared: &Shared) {
    let has_jobs = shared.borrow().as_ref().is_some_and(Session::has_jobs);
    if has_jobs && !IS_RUNNING.replace(true) {
        let shared = shared.clone();
        spawn_local(async move {
            run(&shared, |_| true, || ()).await;
            IS_RUNNING.set(false);
        });
    }
}

/// Runs the jobs while `goes_on` returns `true` and there is something to do.
pub(crate) async fn run(
    shared: &Shared,
    goes_on: impl Fn(&Session<BlobStore>) -> bool,
    mut after_step: impl FnMut(),
) {
    let mut pauses = Pauses::every(STEP_MS);
    loop {
        pauses.pause().await;
        let progress = with(shared, |session| goes_on(session).then(|| step(session)));
        after_step();
        if progress.flatten() != Some(Progress::Working) {
            return;
        }
    }
}

fn step(session: &mut Session<BlobStore>) -> Progress {
    let began_ms = js_sys::Date::now();
    let is_report_due = began_ms - REPORTED_MS.get() > REPORT_MS;
    let max_bytes = STEP_BYTES.get();
    let mut answers = Vec::new();
    let progress = session.step(Pace { max_bytes, is_report_due }, &mut answers);
    let ended_ms = js_sys::Date::now();
    let next = if ended_ms - began_ms < STEP_MS { max_bytes * 2 } else { max_bytes / 2 };
    STEP_BYTES.set(next.clamp(MIN_BYTES, MAX_BYTES));
    if !answers.is_empty() {
        REPORTED_MS.set(ended_ms);
    }
    answers.iter().for_each(|answer| answer_with(session, answer));
    progress
}
