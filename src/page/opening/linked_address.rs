//! Reads from an address in the link. Its body goes to the worker as it arrives.

use js_sys::{Reflect, Uint8Array};
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{ReadableStreamDefaultReader, Response};

use crate::app::notice;
use crate::app::trace::Trace;
use crate::boot::{Arrival, Source};
use crate::opening::{actions, live};
use traceloupe_protocol::messages::{Growth, Problem};
use traceloupe_protocol::problem::AddressProblem;

/// An address that has responded. Its body has not been read.
pub struct Answer {
    source: Source,
    response: Response,
}

impl Answer {
    /// The name of the file.
    pub fn name(&self) -> String {
        self.source.name()
    }

    /// Length of the body, if the headers state it.
    fn len_bytes(&self) -> Option<u64> {
        let len_bytes = self.header("content-length")?.parse().ok()?;
        (!self.is_packed()).then_some(len_bytes)
    }

    /// Whether the browser unpacks the body. If so, the length in the headers is not that of the file, and the body is
    /// not a stream of events.
    fn is_packed(&self) -> bool {
        self.header("content-encoding").is_some_and(|it| it != "identity")
    }

    fn header(&self, name: &str) -> Option<String> {
        self.response.headers().get(name).ok().flatten()
    }

    /// Whether the body may still be written while it is read.
    fn is_live(&self) -> bool {
        let kind = self.header("content-type").unwrap_or_default();
        kind.contains("event-stream") || self.len_bytes().is_none() && !self.is_packed()
    }
}

/// Waits for the response of an address.
///
/// # Errors
/// What went wrong before the first byte.
pub async fn answer(source: &Source) -> Result<Answer, AddressProblem> {
    let failed = |_: JsValue| AddressProblem::Unreachable;
    let arrival: Arrival = JsFuture::from(source.arrival()).await.map_err(failed)?.unchecked_into();
    if let Some(code) = arrival.error() {
        return Err(AddressProblem::from_word(&code));
    }
    let response = arrival.response().ok_or(AddressProblem::Unreachable)?.unchecked_into();
    Ok(Answer { source: source.clone(), response })
}

/// What is known of the bodies before they are read.
pub fn growth(answers: &[Answer]) -> Growth {
    let lens = answers.iter().map(Answer::len_bytes);
    Growth {
        total_bytes: lens.sum::<Option<u64>>().unwrap_or(0),
        is_live: answers.iter().any(Answer::is_live),
    }
}

/// Reads the bodies one after the other and passes them to the worker. If a connection breaks, the part that has
/// arrived is kept and the page reports the break.
pub async fn read(trace: Trace, answers: Vec<Answer>) {
    let sources = answers.iter().map(|it| it.source.clone()).collect();
    trace.opening.sources.set_value(sources);
    if !live::begun(trace).await {
        return;
    }
    let mut pushed_bytes = 0;
    let n_answers = answers.len();
    for (index, answer) in (0..).zip(answers) {
        let before_bytes = pushed_bytes;
        let is_whole = read_body(trace, index, &answer, &mut pushed_bytes).await;
        if !trace.is_open() {
            return;
        }
        // There are no sources left if the user has stopped the reading.
        if !is_whole && trace.opening.sources.with_value(|sources| !sources.is_empty()) {
            let has_begun = pushed_bytes > before_bytes;
            let what = if has_begun { AddressProblem::Cut } else { AddressProblem::NothingCame };
            let problem = problem(what, &answer.source);
            // The worker would say that the file is empty, which nobody knows.
            if pushed_bytes == 0 && index as usize + 1 == n_answers {
                return actions::fail(trace, problem);
            }
            notice::report_later(trace, problem);
        } else if answer.response.status() == PART {
            notice::report_later(trace, problem(AddressProblem::Http(PART), &answer.source));
        }
        live::push_end(trace, index);
    }
    trace.opening.sources.set_value(Vec::new());
}

/// The status of an answer that holds only a part of the file.
const PART: u16 = 206;

/// Reads one body. Returns whether it was read to its end.
async fn read_body(trace: Trace, index: u32, answer: &Answer, pushed_bytes: &mut u64) -> bool {
    let Some(stream) = answer.response.body() else { return true };
    let reader: ReadableStreamDefaultReader = stream.get_reader().unchecked_into();
    loop {
        let Ok(result) = JsFuture::from(reader.read()).await else { return false };
        if !trace.is_open() {
            return false;
        }
        if Reflect::get(&result, &"done".into()).is_ok_and(|done| done.is_truthy()) {
            return true;
        }
        let Ok(piece) = Reflect::get(&result, &"value".into()) else { return false };
        let piece: Uint8Array = piece.unchecked_into();
        *pushed_bytes += u64::from(piece.length());
        trace.push(index, &piece);
        live::keep_pace(trace, *pushed_bytes).await;
    }
}

/// The problem to report for an address that failed.
pub fn problem(problem: AddressProblem, source: &Source) -> Problem {
    Problem::Address { problem, host: source.host(), url: source.url() }
}
