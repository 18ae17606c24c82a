//! Results that are a list of content parts, as written by MCP and the APIs of models: each text is shown as text.

use traceloupe_core::json::{Json, Kind};
use traceloupe_core::model::Span;

/// Longer lists are shown as JSON.
const MAX_LIST_BYTES: u32 = 1 << 20;
/// The same for lists with media, which may be long.
const MAX_MEDIA_LIST_BYTES: u32 = 64 << 20;

/// Whether a list of this length is examined.
pub(super) fn is_short(len_bytes: u32, has_media: bool) -> bool {
    len_bytes <= if has_media { MAX_MEDIA_LIST_BYTES } else { MAX_LIST_BYTES }
}

/// The most texts of a list that are shown as text.
const MAX_TEXTS: usize = 50;

/// Keys that a part may have besides its text and still be shown as just the text. The JSON tab shows the rest.
const QUIET: [&str; 8] =
    ["type", "text", "annotations", "cache_control", "citations", "id", "_meta", "phase"];

/// The types of parts that are media, which an opened row shows in separate blocks.
const MEDIA: [&str; 6] = ["image", "audio", "input_image", "image_url", "input_audio", "resource"];

/// The places of the texts in a result that is a list of content parts, or that contains one (`content` in MCP). `None`
/// if the result is anything else. Media parts are allowed in the list, even as its only content, if the row shows the
/// media itself.
pub(super) fn texts_in(raw: &str, span: Span, has_media: bool) -> Option<Vec<Span>> {
    let value = Json::new(raw);
    let list = match value.kind() {
        Kind::Array => value,
        Kind::Object => {
            let is_bare = value.members().all(|(key, it)| match key.as_ref() {
                "content" | "_meta" => true,
                "isError" => it.raw() == "false",
                _ => false,
            });
            is_bare.then(|| value.field("content"))?
        }
        _ => return None,
    };
    let (mut texts, mut is_seen) = (Vec::new(), false);
    for part in list.items() {
        let kind = part.field("type").text()?;
        if MEDIA.contains(&kind.as_ref()) {
            has_media.then_some(())?;
            is_seen = true;
            continue;
        }
        let text = part.field("text");
        let is_text = kind.as_ref() == "text" || kind.ends_with("_text");
        let is_quiet = part.members().all(|(key, _)| QUIET.contains(&key.as_ref()));
        (is_text && is_quiet && text.kind() == Kind::String).then_some(())?;
        let (range, start) = (text.range(), span.start);
        let len = u32::try_from(range.len()).ok()?;
        texts.push(Span { start: start + range.start as u64, len, ..span });
    }
    ((is_seen || !texts.is_empty()) && texts.len() <= MAX_TEXTS).then_some(texts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use traceloupe_core::model::SourceId;

    fn texts(raw: &str, has_media: bool) -> Option<Vec<&str>> {
        let span = Span {
            source: SourceId::from_index(0),
            start: 100,
            len: u32::try_from(raw.len()).unwrap(),
        };
        let found = texts_in(raw, span, has_media)?;
        Some(
            found
                .iter()
                .map(|it| {
                    let start = usize::try_from(it.start - 100).unwrap();
                    raw.get(start..start + it.len as usize).unwrap()
                })
                .collect(),
        )
    }

    #[test]
    fn texts_of_content_parts_are_found_where_they_stand() {
        let one = r#" [{"type":"text","text":"exit 1"}]"#;
        assert_eq!(texts(one, false), Some(vec![r#""exit 1""#]));
        let two = r#"{"content":[{"type":"text","text":"a"},{"type":"input_text","text":"b","id":"x"}],"isError":false}"#;
        assert_eq!(texts(two, false), Some(vec![r#""a""#, r#""b""#]));
        let mixed = r#"[{"type":"image","data":"AAAA"},{"type":"text","text":"seen"}]"#;
        assert_eq!(texts(mixed, true), Some(vec![r#""seen""#]));
        assert_eq!(texts(mixed, false), None, "the image would be lost");
        let only = r#"[{"type":"image","source":{"type":"base64","data":"AAAA"}}]"#;
        assert_eq!(texts(only, true), Some(Vec::new()), "the row shows the image, not its base64");
        assert_eq!(texts(only, false), None);
    }

    #[test]
    fn what_says_more_stays_json() {
        for raw in [
            r#""text""#,
            "[]",
            "{}",
            r#"["a"]"#,
            r#"[{"type":"text","text":5}]"#,
            r#"[{"type":"text","text":"a","score":0.5}]"#,
            r#"[{"type":"row","text":"a"}]"#,
            r#"{"content":[{"type":"text","text":"a"}],"isError":true}"#,
            r#"{"content":[{"type":"text","text":"a"}],"structuredContent":{"n":1}}"#,
            r#"{"content":"a"}"#,
        ] {
            assert_eq!(texts(raw, true), None, "{raw}");
        }
    }
}
