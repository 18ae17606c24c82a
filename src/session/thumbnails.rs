//! Finds the rows that have an image, and where it is.

use super::read_together::read_together;
use super::store::Store;
use crate::answers::Answers;
use crate::render::values::{cut_of, is_shown_image, may_be_drawn, span_of};
use traceloupe_core::model::{Block, Content, Detail, EventId, EventKind, Span};
use traceloupe_protocol::preview::Preview;
use traceloupe_protocol::value::{Cut, CutForm};

/// How much of a record is read to check whether it may have an image.
const HEAD_BYTES: u32 = 16 << 10;

/// Larger records get no thumbnail, because they would be read each time their rows are shown.
const MAX_RECORD_BYTES: u32 = 16 << 20;

/// What precedes the data of an image: its type, or its key.
const SIGNS: [&[u8]; 3] = [b"image/", b"\"image", b"\"inline"];

/// Adds the first image of each event that is a user message or a tool call.
pub(super) fn add_thumbnails<S: Store>(answers: &Answers<'_, S>, previews: &mut [(u32, Preview)]) {
    let mut heads: Vec<(usize, Span)> = Vec::new();
    for (at, (id, _)) in previews.iter().enumerate() {
        let event = answers.trace.event(EventId::from_index(*id as usize));
        let may_have = |kind| matches!(kind, EventKind::UserMessage | EventKind::ToolCall);
        let Some(event) = event.filter(|event| may_have(event.kind)) else { continue };
        let records = answers.trace.places(event).map(|place| place.span);
        let records = records.filter(|record| record.len <= MAX_RECORD_BYTES);
        heads
            .extend(records.map(|record| (at, Span { len: record.len.min(HEAD_BYTES), ..record })));
    }
    let mut found = Vec::new();
    read_together(
        answers,
        &mut heads,
        |head| head.1,
        |(at, _), bytes| {
            let has = |sign: &&[u8]| bytes.is_ok_and(|it| memchr::memmem::find(it, sign).is_some());
            if SIGNS.iter().any(has) {
                found.push(*at);
            }
        },
    );
    for at in found {
        let Some((id, preview)) = previews.get_mut(at) else { continue };
        if preview.image.is_none()
            && let Some(event) = answers.trace.event(EventId::from_index(*id as usize))
        {
            let detail = answers.blocks_after(event, &[]);
            let image = detail.ok().and_then(|detail| first_image(&detail));
            let read = |span| answers.read(span);
            preview.image =
                image.filter(|cut| may_be_drawn(span_of(cut), &read).unwrap_or_default());
        }
    }
}

/// The first image of an opened row that the page may show.
fn first_image(detail: &Detail) -> Option<Cut> {
    let of_message = |content: &Content| match content {
        Content::Media(media, span) => image(media, *span),
        _ => None,
    };
    detail.blocks.iter().find_map(|block| match block {
        Block::Media(media, span) => image(media, *span),
        Block::Messages(_, messages, _) => {
            messages.iter().flat_map(|message| &message.content).find_map(of_message)
        }
        _ => None,
    })
}

fn image(media: &str, span: Span) -> Option<Cut> {
    is_shown_image(media).then(|| cut_of(span, CutForm::Media))
}
