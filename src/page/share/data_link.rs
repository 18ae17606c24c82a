//! A link that contains the trace.

use js_sys::{ArrayBuffer, Uint8Array};
use traceloupe_protocol::redaction::RedactionFault;
use traceloupe_protocol::route::MAX_DATA_CHARS;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, ReadableWritablePair, Response};

#[wasm_bindgen]
extern "C" {
    /// The browser's compression, which `web-sys` does not count as stable yet.
    #[wasm_bindgen(extends = ReadableWritablePair)]
    type CompressionStream;

    #[wasm_bindgen(constructor, catch)]
    fn new(format: &str) -> Result<CompressionStream, JsValue>;
}

/// Why there is no link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoLink {
    /// The trace is too long: bytes of its compressed form, and the most that fit.
    TooLong(u64, u64),
    /// The file cannot be read any more.
    Unreadable,
    /// The file cannot be redacted.
    NotRedacted(RedactionFault),
}

/// The value of `data=` for a file: `gz.` and the gzipped bytes in base64url.
///
/// # Errors
/// Why there is none.
pub async fn data_of(blob: &Blob) -> Result<String, NoLink> {
    let packed = gzip(blob).await.ok_or(NoLink::Unreadable)?;
    let most = (MAX_DATA_CHARS - PREFIX.len()) / 4 * 3;
    if packed.len() > most {
        return Err(NoLink::TooLong(packed.len() as u64, most as u64));
    }
    let mut value = String::with_capacity(PREFIX.len() + packed.len().div_ceil(3) * 4);
    value.push_str(PREFIX);
    push_base64url(&packed, &mut value);
    Ok(value)
}

const PREFIX: &str = "gz.";

/// Compresses with the browser's own gzip.
async fn gzip(blob: &Blob) -> Option<Vec<u8>> {
    let gzip = CompressionStream::new("gzip").ok()?;
    let packed = blob.stream().pipe_through(&gzip);
    let response = Response::new_with_opt_readable_stream(Some(&packed)).ok()?;
    let buffer = JsFuture::from(response.array_buffer().ok()?).await.ok()?;
    Some(Uint8Array::new(&buffer.unchecked_into::<ArrayBuffer>()).to_vec())
}

/// Appends bytes in base64url, without padding.
fn push_base64url(bytes: &[u8], out: &mut String) {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte));
        let bits = bits << (8 * (3 - chunk.len()));
        for at in 0..=chunk.len() {
            let digit = bits >> (18 - 6 * at) & 63;
            out.push(DIGITS.get(digit as usize).copied().map_or('A', char::from));
        }
    }
}
