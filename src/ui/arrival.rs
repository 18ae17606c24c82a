//! What comes from an address in the link: its body, read with progress, or the reason it failed.

use js_sys::{Array, Reflect, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, ReadableStreamDefaultReader, Response};

use super::boot::{Arrival, Source};
use super::state::{AppState, Phase};
use crate::session::protocol::Problem;

use leptos::prelude::*;

/// Pieces are put together to Blobs of this size, so that the page does not hold the file.
const PIECE_BYTES: u64 = 8 << 20;

/// Waits for the answer of an address and reads it to its end. What came before a connection broke
/// is kept: the last line is then cut, and the reader says so.
///
/// # Errors
/// The code of what went wrong before the first byte.
pub async fn body(state: AppState, source: &Source) -> Result<Blob, String> {
    let failed = |_: JsValue| "unreachable".to_owned();
    let arrival: Arrival = JsFuture::from(source.arrival()).await.map_err(failed)?.unchecked_into();
    if let Some(code) = arrival.error() {
        return Err(code);
    }
    let response: Response = arrival.response().ok_or("unreachable")?.unchecked_into();
    let total_bytes = response.headers().get("content-length").ok().flatten();
    let is_packed = response.headers().has("content-encoding").unwrap_or(false);
    let total_bytes =
        total_bytes.filter(|_| !is_packed).and_then(|it| it.parse().ok()).unwrap_or(0);
    let Some(stream) = response.body() else {
        return Blob::new().map_err(failed);
    };
    let reader: ReadableStreamDefaultReader = stream.get_reader().unchecked_into();
    let (blobs, pieces) = (Array::new(), Array::new());
    let (mut bytes, mut gathered) = (0, 0);
    loop {
        // An error in the middle of a body: what came is what there is.
        let Ok(result) = JsFuture::from(reader.read()).await else { break };
        if Reflect::get(&result, &"done".into()).is_ok_and(|done| done.is_truthy()) {
            break;
        }
        let Ok(piece) = Reflect::get(&result, &"value".into()) else { break };
        let len = u64::from(piece.unchecked_ref::<Uint8Array>().byte_length());
        pieces.push(&piece);
        bytes += len;
        gathered += len;
        if gathered >= PIECE_BYTES {
            blobs.push(&JsValue::from(Blob::new_with_u8_array_sequence(&pieces).map_err(failed)?));
            pieces.set_length(0);
            gathered = 0;
        }
        state.phase.update(|phase| {
            if let Phase::Loading(loading) = phase {
                loading.bytes = bytes;
                loading.total_bytes = total_bytes;
            }
        });
    }
    blobs.push(&JsValue::from(Blob::new_with_u8_array_sequence(&pieces).map_err(failed)?));
    Blob::new_with_blob_sequence(&blobs).map_err(failed)
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
