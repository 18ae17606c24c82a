//! References in the summaries of rows: strings that are names of values elsewhere in the file.

use std::borrow::Cow;

use super::store::Store;
use crate::answers::Answers;
use crate::render::preview::PREVIEW_BYTES;
use memchr::memmem;
use traceloupe_core::json::{TokenKind, Tokens, decode_string_bytes, quoted};
use traceloupe_core::model::{RunId, Span};
use traceloupe_engine::weave::anchor_key;

/// What every reference to text contains: `attachment://…`. Other names are not written where a text could be.
const MARK: &[u8] = b"://";

/// JSON with the beginnings of the values to which it refers in place of the references. The JSON may be cut.
pub(super) fn resolved<'b, S: Store>(
    answers: &Answers<'_, S>,
    run: RunId,
    json: &'b [u8],
) -> Cow<'b, [u8]> {
    let Some(run) = answers.trace.run(run).filter(|_| memmem::find(json, MARK).is_some()) else {
        return Cow::Borrowed(json);
    };
    let (mut resolved, mut at) = (Vec::new(), 0);
    for token in Tokens::new(json).filter(|token| token.kind == TokenKind::String) {
        let string = json.get(token.start + 1..token.end - 1).unwrap_or_default();
        if memmem::find(string, MARK).is_none() {
            continue;
        }
        let Ok(name) = std::str::from_utf8(string) else { continue };
        let Some(anchor) = answers.trace.anchor(anchor_key(&run.key, name)) else { continue };
        let beginning = Span { len: anchor.span.len.min(PREVIEW_BYTES), ..anchor.span };
        let Ok(bytes) = answers.read(beginning) else { continue };
        resolved.extend_from_slice(json.get(at..token.start).unwrap_or_default());
        resolved.extend_from_slice(quoted(&decode_string_bytes(&bytes)).as_bytes());
        at = token.end;
    }
    match at {
        0 => Cow::Borrowed(json),
        _ => {
            resolved.extend_from_slice(json.get(at..).unwrap_or_default());
            Cow::Owned(resolved)
        }
    }
}
