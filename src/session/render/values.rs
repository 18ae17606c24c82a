//! Prepares values of any size for display: a part at first, and more on request. Values are read from the source in
//! pieces and never held in memory as a whole.

use crate::render::image_size::n_pixels;
use crate::render::json_lines::{gap_line, item_lines, json_lines};
use traceloupe_core::json::{
    GapKind, Keep, Short, Shortener, base64, decode_string, decode_string_bytes, unfinished,
};
use traceloupe_core::model::{SourceId, Span};
use traceloupe_protocol::json_line::{Class, Piece};
pub use traceloupe_protocol::problem::ReadError;
use traceloupe_protocol::value::{Cut, CutForm, Shown, ShownMedia};

/// Reads bytes of a source. Returns fewer bytes than requested only at the end of the source.
pub type ReadSpan<'a> = &'a dyn Fn(Span) -> Result<Vec<u8>, ReadError>;

/// How many bytes of a string that contains JSON are parsed.
const INNER_BYTES: u32 = 256 * 1024;

/// Media larger than this are sent only on request.
const MAX_INLINE_BYTES: u32 = 256 * 1024;

/// Images with more pixels are not shown: browsers hold four bytes for each, however small the file is.
const MAX_PIXELS: u64 = 64 << 20;

/// How many bytes of the text of an image are searched for its size. JPEG files may begin with metadata.
const IMAGE_HEAD_BYTES: u32 = 96 << 10;

/// How much [`read_through`] reads at a time.
const PIECE_BYTES: u32 = 1 << 20;

/// The size of the first piece: most pages of items are short.
const FIRST_PIECE_BYTES: u32 = 64 << 10;

/// How much of a JSON value is shown at first.
const KEEP: Keep = Keep {
    string_bytes: 4_000,
    items: 100,
    list_bytes: 1 << 20,
    all_items: 600,
    all_bytes: 128 << 10,
    depth: 20,
};

/// Media types that the page may show or play. All others, SVG in particular, are only named and can be saved.
const SHOWN_TYPES: [&str; 18] = [
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "audio/aac",
    "audio/flac",
    "audio/mp3",
    "audio/mp4",
    "audio/mpeg",
    "audio/ogg",
    "audio/opus",
    "audio/wav",
    "audio/webm",
    "audio/x-wav",
    "video/mp4",
    "video/ogg",
    "video/quicktime",
    "video/webm",
];

/// A cut for a whole span, none of which has been shown yet.
#[must_use]
pub fn cut_of(span: Span, form: CutForm) -> Cut {
    Cut { source: span.source.number(), start: span.start, len: span.len, form, ..Cut::default() }
}

/// The span that a cut refers to.
#[must_use]
pub fn span_of(cut: &Cut) -> Span {
    let source = SourceId::from_index(cut.source as usize);
    Span { source, start: cut.start, len: cut.len }
}

/// Reads a value and prepares it for display, starting after the part that has been shown already: about `max_bytes` of
/// text, or a page of JSON.
#[must_use]
pub fn show_more(cut: &Cut, max_bytes: u32, read: ReadSpan<'_>) -> Shown {
    try_show_more(cut, max_bytes, read).unwrap_or_else(Shown::Unreadable)
}

fn try_show_more(cut: &Cut, max_bytes: u32, read: ReadSpan<'_>) -> Result<Shown, ReadError> {
    let span = span_of(cut);
    match cut.form {
        CutForm::Raw => show_raw(cut, max_bytes, read),
        CutForm::Items | CutForm::Members => show_items(cut, read),
        CutForm::Media => media_of(span, "", read).map(Shown::Media),
        CutForm::Json | CutForm::JsonInString if cut.shown_bytes > 0 => {
            show_text(cut, max_bytes, read)
        }
        CutForm::Json | CutForm::JsonInString => {
            let head = read(Span { len: span.len.min(256), ..span })?;
            let first = head.iter().position(|byte| !byte.is_ascii_whitespace()).unwrap_or(0);
            if head.get(first) != Some(&b'"') {
                return show_json(span, read);
            }
            let from_first = u32::try_from(first).unwrap_or(0);
            let start = span.start + first as u64;
            let span = Span { start, len: span.len - from_first, ..span };
            let text = head.get(first..).unwrap_or_default();
            if let Some(media) = media_type(text) {
                return media_of(span, media, read).map(Shown::Media);
            }
            if cut.form == CutForm::JsonInString
                && let Some(shown) = show_inner(span, read)?
            {
                return Ok(shown);
            }
            let cut = Cut { shown_bytes: 1, ..cut_of(span, CutForm::Json) };
            show_text(&cut, max_bytes, read)
        }
    }
}

fn show_raw(cut: &Cut, max_bytes: u32, read: ReadSpan<'_>) -> Result<Shown, ReadError> {
    let (span, from) = (span_of(cut), cut.shown_bytes.min(cut.len));
    let len = (span.len - from).min(max_bytes);
    let bytes = read(Span { start: span.start + u64::from(from), len, ..span })?;
    let is_cut = from + len < span.len;
    let whole = match std::str::from_utf8(&bytes) {
        Err(error) if is_cut && error.error_len().is_none() && error.valid_up_to() > 0 => {
            error.valid_up_to()
        }
        _ => bytes.len(),
    };
    let text = String::from_utf8_lossy(bytes.get(..whole).unwrap_or_default()).into_owned();
    let shown_bytes = from + u32::try_from(whole).unwrap_or(len);
    let rest = (is_cut && whole > 0).then(|| Cut { shown_bytes, ..cut.clone() });
    Ok(Shown::text(text, rest))
}

/// The text of a JSON string, starting at an offset after its opening quote.
fn show_text(cut: &Cut, max_bytes: u32, read: ReadSpan<'_>) -> Result<Shown, ReadError> {
    let (span, from) = (span_of(cut), cut.shown_bytes.min(cut.len));
    // Must be at least as long as the longest escape, otherwise reading would make no progress.
    let len = (span.len - from).min(max_bytes.max(64));
    let bytes = read(Span { start: span.start + u64::from(from), len, ..span })?;
    let is_cut = from + len < span.len;
    let inside = if is_cut {
        bytes.get(..bytes.len() - unfinished(&bytes)).unwrap_or_default()
    } else {
        bytes.strip_suffix(b"\"").unwrap_or(&bytes)
    };
    let text = decoded(inside);
    let shown_bytes = from + u32::try_from(inside.len()).unwrap_or(len);
    let goes_on = is_cut && !inside.is_empty();
    Ok(Shown::text(text, goes_on.then(|| Cut { shown_bytes, form: CutForm::Json, ..cut.clone() })))
}

/// Decodes the inside of a JSON string.
fn decoded(inside: &[u8]) -> String {
    // The added quotes keep a final `\"` from being taken as the closing quote.
    decode_string(&format!("\"{}\"", String::from_utf8_lossy(inside))).into_owned()
}

/// JSON inside a JSON string; `None` if the string holds something else.
fn show_inner(span: Span, read: ReadSpan<'_>) -> Result<Option<Shown>, ReadError> {
    let len = span.len.min(INNER_BYTES);
    let bytes = read(Span { len, ..span })?;
    let inner = decode_string_bytes(&bytes);
    if !inner.trim_start().starts_with(['{', '[']) {
        return Ok(None);
    }
    let short = shorten(KEEP, inner.as_bytes());
    let is_cut = len < span.len || !short.gaps.as_slice().is_empty();
    // Offsets into the decoded JSON are not offsets into the file, so the rest is shown as text.
    let cut = is_cut.then(|| Cut { shown_bytes: 1, ..cut_of(span, CutForm::Json) });
    Ok(Some(Shown::Json(json_lines(&short, &|_, _, _| None), cut)))
}

fn shorten(keep: Keep, bytes: &[u8]) -> Short {
    let mut shortener = Shortener::new(keep);
    shortener.push(bytes);
    shortener.finish()
}

/// JSON that does not occur in the file in this form, and so has no position in it.
#[must_use]
pub fn show_owned(json: &[u8]) -> Shown {
    if json.first() == Some(&b'"') {
        return Shown::text(decode_string_bytes(json), None);
    }
    Shown::Json(json_lines(&shorten(KEEP, json), &|_, _, _| None), None)
}

/// Feeds a value to a shortener piece by piece, until the shortener has enough.
///
/// # Errors
/// If the source cannot be read.
pub fn read_through(
    span: Span,
    shortener: &mut Shortener,
    read: ReadSpan<'_>,
) -> Result<(), ReadError> {
    let (mut at, mut piece) = (0, FIRST_PIECE_BYTES);
    while at < span.len && !shortener.is_done() {
        let len = (span.len - at).min(piece);
        let bytes = read(Span { start: span.start + u64::from(at), len, ..span })?;
        if bytes.is_empty() {
            break;
        }
        at += len;
        piece = PIECE_BYTES;
        shortener.push(&bytes);
    }
    Ok(())
}

fn show_json(span: Span, read: ReadSpan<'_>) -> Result<Shown, ReadError> {
    let mut shortener = Shortener::new(KEEP);
    read_through(span, &mut shortener, read)?;
    let short = shortener.finish();
    let is_cut = !short.gaps.as_slice().is_empty();
    let lines = json_lines(&short, &|start, end, kind| cut_at(span, start, end, kind));
    Ok(Shown::Json(lines, is_cut.then(|| cut_of(span, CutForm::Json))))
}

/// A page of items of a list, or of members of an object.
fn show_items(cut: &Cut, read: ReadSpan<'_>) -> Result<Shown, ReadError> {
    let span = span_of(cut);
    let is_object = cut.form == CutForm::Members;
    let mut shortener = Shortener::inside(KEEP, is_object);
    read_through(span, &mut shortener, read)?;
    let (is_cut, used) = (shortener.is_done(), shortener.used_bytes());
    let n_items = shortener.items() as u64;
    let short = shortener.finish();
    let ask = |start, end, kind| cut_at(span, start, end, kind);
    let mut lines = item_lines(&short, is_object, &ask);
    if is_cut {
        // The comma before the next page.
        if let Some(last) = lines.last_mut() {
            last.pieces.push(Piece(Class::Mark, ",".to_owned()));
        }
        let count = cut.items.saturating_sub(n_items);
        let kind = GapKind::Items { is_object, count };
        let more = cut_at(span, used, u64::from(span.len), kind);
        lines.push(gap_line(kind, more));
    }
    Ok(Shown::Json(lines, None))
}

/// The place of the part that was left out between two offsets of a value.
fn cut_at(span: Span, start: u64, end: u64, kind: GapKind) -> Option<Cut> {
    let len = u32::try_from(end.checked_sub(start)?).ok()?;
    let form = |is_object| if is_object { CutForm::Members } else { CutForm::Items };
    let (form, items) = match kind {
        GapKind::String => (CutForm::Json, 0),
        GapKind::Items { is_object, count } => (form(is_object), count),
        GapKind::Inside { is_object } => (form(is_object), 0),
    };
    let place = Span { start: span.start + start, len, ..span };
    Some(Cut { items, ..cut_of(place, form) })
}

/// The media type, if a JSON string begins with the data URL of an image or a recording.
fn media_type(head: &[u8]) -> Option<&str> {
    let text = head.strip_prefix(b"\"data:")?;
    let end = text.iter().position(|byte| *byte == b';')?;
    let media = std::str::from_utf8(text.get(..end)?).ok()?;
    let is_base64 = text.get(end..)?.starts_with(b";base64,");
    (is_base64 && SHOWN_TYPES.contains(&media)).then_some(media)
}

/// Whether this is the type of an image that the page may show.
#[must_use]
pub fn is_shown_image(media: &str) -> bool {
    media.starts_with("image/") && SHOWN_TYPES.contains(&media)
}

/// The offset of the base64 digits of media within their text: after the head of a data URL, or after the prefix
/// written by Invariant Explorer; otherwise 0.
#[must_use]
pub fn base64_start(text: &str) -> usize {
    const EXPLORER: &str = "local_base64_img:";
    const LONGEST: usize = 256;
    let head = text.get(..text.floor_char_boundary(LONGEST)).unwrap_or(text);
    let after = |mark: &str| head.find(mark).map(|at| at + mark.len());
    let start = after("base64,").or_else(|| after(EXPLORER)).unwrap_or(0);
    let blank = text.get(start..).map_or(0, |rest| rest.len() - rest.trim_start().len());
    start + blank
}

/// Whether an image has few enough pixels to be drawn, as far as the beginning of its base64 text says.
///
/// # Errors
/// If the source cannot be read.
pub fn may_be_drawn(span: Span, read: ReadSpan<'_>) -> Result<bool, ReadError> {
    let head = read(Span { len: span.len.min(IMAGE_HEAD_BYTES), ..span })?;
    let text = decode_string_bytes(&head);
    let digits = text.get(base64_start(&text)..).unwrap_or_default();
    let head = base64::decode(digits.as_bytes(), &mut Vec::new(), false);
    Ok(n_pixels(&head).is_none_or(|n| n <= MAX_PIXELS))
}

/// Media whose base64 text is in a JSON string, with or without the head of a data URL.
///
/// # Errors
/// If the source cannot be read.
pub fn media_of(span: Span, media: &str, read: ReadSpan<'_>) -> Result<ShownMedia, ReadError> {
    let is_safe = SHOWN_TYPES.contains(&media);
    let cut = cut_of(span, CutForm::Media);
    let mut image = ShownMedia {
        n_bytes: u64::from(span.len.saturating_sub(2)) * 3 / 4,
        media: media.to_owned(),
        base64: String::new(),
        cut,
        is_safe,
        points: Vec::new(),
    };
    if is_safe && media.starts_with("image/") {
        image.is_safe = may_be_drawn(span, read)?;
    }
    if image.is_safe && span.len <= MAX_INLINE_BYTES {
        let text = decode_string_bytes(&read(span)?).into_owned();
        let base64 = text.get(base64_start(&text)..).unwrap_or_default();
        let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=-_\r\n".contains(&byte);
        if base64.bytes().all(is_base64) {
            base64.clone_into(&mut image.base64);
        } else {
            image.is_safe = false;
        }
    }
    Ok(image)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_of_too_many_pixels_is_not_shown() {
        // The beginnings of PNG files of 1,024 and 16,128 pixels squared.
        for (base64, is_shown) in [
            ("iVBORw0KGgoAAAANSUhEUgAABAAAAAQA", true),
            ("iVBORw0KGgoAAAANSUhEUgAAPwAAAD8A", false),
        ] {
            let bytes = format!("\"{base64}\"").into_bytes();
            let len = u32::try_from(bytes.len()).unwrap();
            let span = Span { source: SourceId::from_index(0), start: 0, len };
            let read = |_| Ok(bytes.clone());
            let image = media_of(span, "image/png", &read).unwrap();
            assert_eq!((image.is_safe, image.base64.is_empty()), (is_shown, !is_shown));
        }
    }

    #[test]
    fn the_base64_of_an_image_begins_after_its_prefix() {
        for (text, expected) in [
            ("iVBORw0KGgo=", "iVBORw0KGgo="),
            ("data:image/png;base64,iVBOR", "iVBOR"),
            ("local_base64_img: iVBOR", "iVBOR"),
            ("local_base64_img:iVBOR", "iVBOR"),
            ("data:image/png;base64,", ""),
            ("", ""),
        ] {
            assert_eq!(text.get(base64_start(text)..), Some(expected), "{text}");
        }
        let span = Span { source: SourceId::from_index(0), start: 0, len: 28 };
        let read = |_| Ok(b"\"local_base64_img: iVBORw0K\"".to_vec());
        let image = media_of(span, "image/png", &read).unwrap();
        assert_eq!((image.base64.as_str(), image.is_safe), ("iVBORw0K", true));
        let image = media_of(span, "image/svg+xml", &read).unwrap();
        assert_eq!((image.base64.as_str(), image.is_safe), ("", false));
    }
}
