//! Images, recordings and documents in content parts of all APIs.

use std::borrow::Cow;

use crate::kit::Part;
use traceloupe_core::json::{Json, Kind};

/// An image, a recording or a document: media type and base64 data. `None` for a URL, which is never fetched, and for
/// data that is not in base64.
pub(super) fn media(part: Json<'_>) -> Option<Part<'_>> {
    const SOURCES: [&str; 11] = [
        "source",
        "inlineData",
        "inline_data",
        "image",
        "file",
        "input_audio",
        "audio",
        "video",
        "video_url",
        "input_video",
        "resource",
    ];
    let source = part.any(&SOURCES);
    let source = if source.kind() == Kind::Object { source } else { part };
    let kind = source.any(&["media_type", "mimeType", "mime_type", "mediaType", "format"]);
    let kind = kind.label();
    let data = source.any(&[
        "data",
        "bytes",
        "source.bytes",
        "content",
        "image_url.url",
        "url",
        "image_url",
        "image",
        "file_data",
        "blob",
    ]);
    if data.kind() != Kind::String {
        return None;
    }
    let named =
        data.raw().strip_prefix("\"data:").and_then(|it| Some(it.split_once(";base64,")?.0));
    // Inspect writes each image once, and refers to it.
    let is_reference = ["\"attachment://", "\"tc://"].iter().any(|it| data.raw().starts_with(it));
    let kind = match kind.as_ref() {
        word if is_media(word) => kind,
        _ if is_reference && part.get("type").is("image") => Cow::Borrowed(""),
        "png" | "jpeg" | "gif" | "webp" => Cow::Owned(format!("image/{kind}")),
        "wav" | "flac" | "ogg" | "opus" | "aac" => Cow::Owned(format!("audio/{kind}")),
        "mp3" => Cow::Borrowed("audio/mpeg"),
        "mp4" | "webm" => Cow::Owned(format!("video/{kind}")),
        "pdf" => Cow::Borrowed("application/pdf"),
        // The media type in the data URL is better than a word that is not a media type.
        _ => Cow::Borrowed(named.filter(|named| is_media(named))?),
    };
    let is_base64 = named.is_some() || is_reference || !data.raw().contains("://");
    is_base64.then_some(Part::Media(kind, data))
}

/// The name of an image, a recording or a document that is a file beside the trace.
pub(super) fn beside(part: Json<'_>) -> Option<Part<'_>> {
    let source = part.get("source");
    let path = source.get("path");
    let kind = source.any(&["media_type", "mime_type"]).word()?;
    let title = match kind.split('/').next() {
        _ if path.kind() != Kind::String => return None,
        Some("image") => "Image",
        Some("audio" | "video") => "Recording",
        _ => "Attachment",
    };
    Some(Part::Value(title.into(), path))
}

/// Whether a media type is that of an image, a recording or a document.
#[must_use]
pub fn is_media(kind: &str) -> bool {
    let is_of = |family| kind.starts_with(family);
    is_of("image/") || is_of("audio/") || is_of("video/") || kind == "application/pdf"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_beside_the_trace_are_named() {
        let of = |part: &str| match beside(Json::new(part)) {
            Some(Part::Value(title, path)) => {
                format!("{} {}", crate::testing::title_of(title), path.raw())
            }
            other => format!("{other:?}"),
        };
        let image = r#"{"type":"image","source":{"media_type":"image/png","path":"images/a.png"}}"#;
        assert_eq!(of(image), r#"Image "images/a.png""#);
        let file = r#"{"type":"file","source":{"media_type":"text/csv","path":"a.csv"}}"#;
        assert_eq!(of(file), r#"Attachment "a.csv""#);
        assert_eq!(of(r#"{"type":"image","source":{"media_type":"image/png"}}"#), "None");
    }

    #[test]
    fn media_of_all_apis() {
        let of = |part: &str| match media(Json::new(part)) {
            Some(Part::Media(kind, data)) => format!("{kind} {}", data.raw()),
            other => format!("{other:?}"),
        };
        for (part, expected) in [
            (
                r#"{"type":"image_url","image_url":{"url":"data:image/png;base64,AA"}}"#,
                r#"image/png "data:image/png;base64,AA""#,
            ),
            (
                r#"{"type":"input_audio","input_audio":{"data":"AA","format":"mp3"}}"#,
                r#"audio/mpeg "AA""#,
            ),
            (r#"{"inlineData":{"mimeType":"audio/wav","data":"AA"}}"#, r#"audio/wav "AA""#),
            (
                r#"{"type":"video_url","video_url":{"url":"data:video/mp4;base64,AA"}}"#,
                r#"video/mp4 "data:video/mp4;base64,AA""#,
            ),
            (r#"{"video":{"format":"webm","source":{"bytes":"AA"}}}"#, r#"video/webm "AA""#),
            (r#"{"type":"audio","mimeType":"audio/ogg","data":"AA"}"#, r#"audio/ogg "AA""#),
            (
                r#"{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,AA"}}"#,
                r#"application/pdf "data:application/pdf;base64,AA""#,
            ),
            (
                r#"{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"AA"}}"#,
                r#"application/pdf "AA""#,
            ),
            (
                r#"{"document":{"format":"pdf"},"type":"document","format":"pdf","source":{"bytes":"AA","format":"pdf"}}"#,
                r#"application/pdf "AA""#,
            ),
            (
                r#"{"type":"resource","resource":{"uri":"a:b","mimeType":"image/gif","blob":"AA"}}"#,
                r#"image/gif "AA""#,
            ),
            (
                r#"{"type":"resource","resource":{"uri":"a:b","mimeType":"text/plain","text":"words"}}"#,
                "None",
            ),
            (
                r#"{"type":"document","source":{"type":"text","media_type":"text/plain","data":"words"}}"#,
                "None",
            ),
            (r#"{"type":"image_url","image_url":{"url":"https://example.org/a.png"}}"#, "None"),
            (
                r#"{"type":"image","mimeType":"image/png","url":"https://example.org/a.png"}"#,
                "None",
            ),
            (r#"{"type":"file","file":{"file_id":"file-1"}}"#, "None"),
        ] {
            assert_eq!(of(part), expected, "{part}");
        }
    }
}
