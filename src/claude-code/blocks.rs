//! Messages as the Anthropic API has them: content blocks and usage.
//!
//! Description: <https://docs.claude.com/en/api/messages>. Content is a string or a list of blocks;
//! real files also have a bare string as an item and, from imitators, an object as a tool result.

use super::tolerant::{Raw, tolerant_object};
use traceloupe_core::model::{Content, Span, Usage, Value};

tolerant_object! {
    /// A message.
    Message {
        id: Raw<'a> = "id",
        model: Raw<'a> = "model",
        content: Raw<'a> = "content",
        stop_reason: Raw<'a> = "stop_reason",
        usage: Raw<'a> = "usage",
    }
}

tolerant_object! {
    /// A content block of any type.
    Block {
        kind: Raw<'a> = "type",
        text: Raw<'a> = "text",
        thinking: Raw<'a> = "thinking",
        id: Raw<'a> = "id",
        name: Raw<'a> = "name",
        input: Raw<'a> = "input",
        tool_use_id: Raw<'a> = "tool_use_id",
        content: Raw<'a> = "content",
        is_error: Raw<'a> = "is_error",
        source: Raw<'a> = "source",
    }
}

tolerant_object! {
    /// The data of an image or a document.
    Source {
        media_type: Raw<'a> = "media_type",
        data: Raw<'a> = "data",
    }
}

tolerant_object! {
    /// Token counts.
    UsageFields {
        input: Raw<'a> = "input_tokens",
        output: Raw<'a> = "output_tokens",
        cache_read: Raw<'a> = "cache_read_input_tokens",
        cache_write: Raw<'a> = "cache_creation_input_tokens",
        details: Raw<'a> = "output_tokens_details",
    }
}

tolerant_object! {
    /// The parts of the output.
    OutputFields {
        thinking: Raw<'a> = "thinking_tokens",
    }
}

/// The kind of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BlockKind {
    /// Text.
    Text,
    /// Thinking.
    Thinking,
    /// Thinking that is encrypted.
    RedactedThinking,
    /// A call of a tool, whoever runs it: `tool_use`, `server_tool_use`, `mcp_tool_use`.
    ToolUse,
    /// The result of a call: `tool_result`, `web_search_tool_result`, `mcp_tool_result`…
    ToolResult,
    /// An image.
    Image,
    /// Anything else.
    Other,
}

impl<'a> Block<'a> {
    /// The kind of the block.
    pub(super) fn kind(&self) -> BlockKind {
        match self.kind.json().unwrap_or_default().trim_matches('"') {
            "text" => BlockKind::Text,
            "thinking" => BlockKind::Thinking,
            "redacted_thinking" => BlockKind::RedactedThinking,
            "image" => BlockKind::Image,
            kind if kind.ends_with("tool_use") => BlockKind::ToolUse,
            kind if kind.ends_with("tool_result") => BlockKind::ToolResult,
            _ => BlockKind::Other,
        }
    }

    /// The image's media type and the JSON string that holds its base64 data.
    pub(super) fn image(&self) -> Option<(String, &'a str)> {
        let source: Source<'a> = self.source.object();
        let data = source.data.json().filter(|raw| raw.starts_with('"'))?;
        Some((source.media_type.text().unwrap_or_default().into_owned(), data))
    }
}

/// The blocks of a message's content; a string is one text block.
pub(super) fn blocks(content: Raw<'_>) -> Vec<Block<'_>> {
    match content.json() {
        Some(raw) if raw.starts_with('"') => {
            vec![Block { kind: Raw::literal(TEXT_KIND), text: content, ..Block::default() }]
        }
        Some(raw) if raw.starts_with('[') => content.objects(),
        _ => Vec::new(),
    }
}

/// The type of a text block.
const TEXT_KIND: &str = "\"text\"";

/// The first text in a content: a string, or the first text block that is not empty.
pub(super) fn first_text(content: Raw<'_>) -> Raw<'_> {
    blocks(content)
        .into_iter()
        .find(|block| block.kind() == BlockKind::Text && !block.text.is_blank())
        .map_or(Raw::default(), |block| block.text)
}

/// The usage of a message. If every count is zero, nothing is reported: every request costs something, and imitators
/// and locally made messages write zeros if they do not know.
pub(super) fn usage(raw: Raw<'_>) -> Usage {
    let fields: UsageFields<'_> = raw.object();
    let all = [fields.input, fields.output, fields.cache_read, fields.cache_write];
    let redacted = all.iter().any(|count| count.json().is_some_and(|raw| raw.starts_with('"')));
    if !redacted && all.iter().all(|count| count.count().unwrap_or(0) == 0) {
        return Usage::default();
    }
    let details: OutputFields<'_> = fields.details.object();
    Usage {
        input: fields.input.count(),
        output: fields.output.count(),
        cache_read: fields.cache_read.count(),
        cache_write: fields.cache_write.count(),
        reasoning: details.thinking.count(),
        redacted,
        unfinished: false,
    }
}

/// A content as pieces to show; `span_of` returns the place of a borrowed slice in the source.
pub(super) fn contents(content: Raw<'_>, span_of: impl Fn(&str) -> Option<Span>) -> Vec<Content> {
    let json = |raw: Raw<'_>| raw.json().and_then(&span_of).map(Value::Json);
    if let Some(raw) = content.json()
        && !raw.starts_with('[')
    {
        let value = span_of(raw).map(Value::Json);
        let piece = if raw.starts_with('"') { Content::Text } else { Content::Other };
        return value.map(piece).into_iter().collect();
    }
    let mut pieces = Vec::new();
    for item in content.list::<Raw<'_>>() {
        let block: Block<'_> = item.object();
        let piece = match block.kind() {
            BlockKind::Text => json(block.text).map(Content::Text),
            BlockKind::Thinking if block.thinking.is_blank() => Some(Content::HiddenThinking),
            BlockKind::Thinking => json(block.thinking).map(Content::Thinking),
            BlockKind::RedactedThinking => Some(Content::HiddenThinking),
            BlockKind::ToolUse => {
                let name = block.name.text().unwrap_or_default().into_owned();
                json(block.input).map(|input| Content::ToolUse(name, input))
            }
            BlockKind::ToolResult => json(block.content).map(Content::ToolResult),
            BlockKind::Image => block
                .image()
                .and_then(|(media, data)| Some(Content::Media(media, span_of(data)?)))
                .or_else(|| json(item).map(Content::Other)),
            BlockKind::Other if item.text().is_some() => json(item).map(Content::Text),
            BlockKind::Other => json(item).map(Content::Other),
        };
        pieces.extend(piece);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use traceloupe_core::model::SourceId;

    fn raw(text: &str) -> Raw<'_> {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn usage_of_zeros_is_not_reported() {
        assert!(usage(raw(r#"{"input_tokens":0,"output_tokens":0}"#)).is_empty());
        let known = usage(raw(r#"{"input_tokens":0,"output_tokens":3,"service_tier":null}"#));
        assert_eq!((known.input, known.output, known.cache_read), (Some(0), Some(3), None));
        assert!(usage(raw(r#"{"input_tokens":"[REDACTED]"}"#)).redacted);
        let thought = r#"{"output_tokens":9,"output_tokens_details":{"thinking_tokens":7}}"#;
        assert_eq!(usage(raw(thought)).reasoning, Some(7));
        assert!(usage(raw("[]")).is_empty());
    }

    #[test]
    fn content_of_every_shape() {
        let text = r#"["bare",{"type":"text","text":"a"},{"type":"thinking","thinking":""},
            {"type":"image","source":{"media_type":"image/png","data":"AAAA"}},
            {"type":"server_tool_use","id":"s","name":"web_search","input":{}},7,
            {"type":"redacted_thinking","data":"x"},{"type":"document"}]"#;
        let span_of = |slice: &str| {
            let start = (slice.as_ptr() as usize - text.as_ptr() as usize) as u64;
            let len = u32::try_from(slice.len()).ok()?;
            Some(Span { source: SourceId::from_index(0), start, len })
        };
        let kinds: Vec<_> = contents(raw(text), span_of)
            .into_iter()
            .map(|piece| match piece {
                Content::Text(_) => "text",
                Content::HiddenThinking => "hidden",
                Content::Media(media, _) if media == "image/png" => "image",
                Content::ToolUse(name, _) if name == "web_search" => "use",
                Content::Other(_) => "other",
                _ => "wrong",
            })
            .collect();
        assert_eq!(kinds, ["text", "text", "hidden", "image", "use", "other", "hidden", "other"]);
        assert_eq!(first_text(raw(text)).text().as_deref(), Some("a"));
        assert_eq!(blocks(raw("\"x\"")).len(), 1);
        assert!(blocks(raw("{}")).is_empty());
    }
}
