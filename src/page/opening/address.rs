//! What comes from an address in the link: its body, handed to the reader as it comes, or the reason it
//! failed.

use js_sys::{Reflect, Uint8Array};
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{ReadableStreamDefaultReader, Response};

use crate::app::notice;
use crate::app::trace::Trace;
use crate::boot::{Arrival, Source};
use crate::opening::live;
use traceloupe::view::wire::protocol::{Growth, Problem};

/// An address that has answered; its body has yet to come.
pub struct Answer {
    source: Source,
    response: Response,
}

impl Answer {
    /// The name of the file.
    pub fn name(&self) -> String {
        self.source.name()
    }

    /// Length of the body, where it is told.
    fn len_bytes(&self) -> Option<u64> {
        let len_bytes = self.header("content-length")?.parse().ok()?;
        (!self.is_packed()).then_some(len_bytes)
    }

    /// Whether what comes is unpacked on the way: then the length is not that of the file, and the
    /// file is no stream of events.
    fn is_packed(&self) -> bool {
        self.header("content-encoding").is_some_and(|it| it != "identity")
    }

    fn header(&self, name: &str) -> Option<String> {
        self.response.headers().get(name).ok().flatten()
    }

    /// Whether it may come as something happens.
    fn is_live(&self) -> bool {
        let kind = self.header("content-type").unwrap_or_default();
        kind.contains("event-stream") || self.len_bytes().is_none() && !self.is_packed()
    }
}

/// Waits for the answer of an address.
///
/// # Errors
/// The code of what went wrong before the first byte.
pub async fn answer(source: &Source) -> Result<Answer, String> {
    let failed = |_: JsValue| "unreachable".to_owned();
    let arrival: Arrival = JsFuture::from(source.arrival()).await.map_err(failed)?.unchecked_into();
    if let Some(code) = arrival.error() {
        return Err(code);
    }
    let response = arrival.response().ok_or("unreachable")?.unchecked_into();
    Ok(Answer { source: source.clone(), response })
}

/// What is known of the bodies that are to come.
pub fn growth(answers: &[Answer]) -> Growth {
    let lens = answers.iter().map(Answer::len_bytes);
    Growth {
        total_bytes: lens.sum::<Option<u64>>().unwrap_or(0),
        is_live: answers.iter().any(Answer::is_live),
    }
}

/// Reads the bodies one after the other and hands what comes to the reader. What came before a
/// connection broke is kept, and the page says that it broke.
pub async fn read(trace: Trace, answers: Vec<Answer>) {
    let sources = answers.iter().map(|it| it.source.clone()).collect();
    trace.opening.sources.set_value(sources);
    if !live::begun(trace).await {
        return;
    }
    let mut pushed_bytes = 0;
    for (index, answer) in (0..).zip(answers) {
        let is_whole = read_body(trace, index, &answer, &mut pushed_bytes).await;
        if !trace.is_open() {
            return;
        }
        // There are no sources any more if the person has stopped reading.
        if !is_whole && trace.opening.sources.with_value(|sources| !sources.is_empty()) {
            notice::report_later(trace, problem("cut", &answer.source));
        }
        live::push_end(trace, index);
    }
    trace.opening.sources.set_value(Vec::new());
}

/// Whether the body came to its end.
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

/// What a failed address is told as.
pub fn problem(code: &str, source: &Source) -> Problem {
    let host = match source.host() {
        host if host.is_empty() => "the address".to_owned(),
        host => host,
    };
    let download = "Download it and drop it here";
    let (what, next) = match code {
        "cors" => (
            format!(
                "{host} answered, but does not let other sites read this file (no CORS header)"
            ),
            format!(
                "{download}, or host it where CORS is on (GitHub raw, gist, Hugging Face, S3 with CORS)"
            ),
        ),
        "unreachable" => (
            format!("Could not reach {host}"),
            "Check the address or your connection; a content blocker can also cause this"
                .to_owned(),
        ),
        "offline" => (
            "You are offline".to_owned(),
            "Connect, then reload the page; files from disk open without a network".to_owned(),
        ),
        "mixed-content" => (
            format!("This page is https and cannot read the http address of {host}"),
            download.to_owned(),
        ),
        "csp" => (
            format!("The security policy of the page that hosts this viewer blocks {host}"),
            download.to_owned(),
        ),
        "cut" => (
            format!("The connection to {host} broke off in the middle"),
            "What had come until then is shown; reload the page to try again".to_owned(),
        ),
        "cancelled" => ("Stopped".to_owned(), "Reload the page to try again".to_owned()),
        "user-info" => (
            "The address holds a user name or password, which browsers refuse to send".to_owned(),
            format!("{download}, or leave that part out"),
        ),
        "data-address" => (
            "A data: address is not opened".to_owned(),
            "Paste the trace itself, or drop it as a file".to_owned(),
        ),
        "private-host" => (
            format!(
                "{host} is on your own computer or network, and this page is in a frame of another site"
            ),
            "Open this page in a tab of its own to read from there".to_owned(),
        ),
        "scheme" | "blob-address" | "bad-address" => (
            "The link names an address that cannot be opened".to_owned(),
            "Addresses begin with http:// or https://, or are relative to this page".to_owned(),
        ),
        code => match code.strip_prefix("http-") {
            Some("401" | "403") => (
                format!("{host} refuses to hand out this file ({})", code.replace('-', " ")),
                format!("The link may have expired, or needs a login. {download}"),
            ),
            Some("404" | "410") => (
                format!("{host} says that there is no such file (http 404)"),
                "Check the address".to_owned(),
            ),
            Some(status) => {
                (format!("{host} answered with status {status}"), "Try again later".to_owned())
            }
            None => (format!("{host} could not be read"), download.to_owned()),
        },
    };
    Problem { code: code.to_owned(), what, next, details: source.url() }
}
