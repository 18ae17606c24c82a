//! The database of Cursor: `state.vscdb`, whose table `cursorDiskKV` has JSON under keys: `composerData:<id>` is a
//! conversation, `bubbleId:<id>:<bubble>` a piece of one.
//!
//! Read from programs that read these databases (versions of 2025 and 2026); no real file was at hand. The order of the
//! pieces is that of `fullConversationHeadersOnly`. There is no export as JSON: the document is like the conversations
//! that earlier versions kept in one value, with the members that are known to be useful. Keys of encryption and copies
//! of files are left out. Conversations that are still kept in one value are not read.

use super::producer::{Fields, Ids, Order, Producer, copy, member, value};
use traceloupe_core::json::quoted;

/// See [`Producer`].
pub(super) static CURSOR: Producer = Producer {
    name: "Cursor",
    ids: Ids::Keys("composerData:", "bubbleId:"),
    sessions: ("cursorDiskKV", &["key", "value"]),
    parent: "",
    outer: ("cursorDiskKV", &["key", "value"]),
    order: Order::Listed(|row| {
        let text = row.get("value").text().unwrap_or_default();
        let headers = value(&text).get("fullConversationHeadersOnly");
        headers.items().filter_map(|it| Some(it.get("bubbleId").word()?.into_owned())).collect()
    }),
    inner: None,
    begin,
    message: |row, out| {
        const KEPT: [&str; 9] = [
            "type",
            "createdAt",
            "text",
            "thinking",
            "toolFormerData",
            "tokenCount",
            "modelInfo",
            "timingInfo",
            "requestId",
        ];
        let text = row.get("value").text().unwrap_or_default();
        let bubble = value(&text);
        let Some((_, id)) = CURSOR.ids.message(row) else { return };
        // A piece may be `null`.
        if bubble.get("type").is_given() {
            out.push('{');
            member("bubbleId", &quoted(&id), out);
            copy(bubble, &KEPT, out);
            out.push('}');
        }
    },
};

fn begin(row: Fields<'_>, out: &mut String) {
    let text = row.get("value").text().unwrap_or_default();
    out.push('{');
    member("composerId", &quoted(&CURSOR.ids.session(row).unwrap_or_default()), out);
    const KEPT: [&str; 5] = ["name", "createdAt", "lastUpdatedAt", "unifiedMode", "modelConfig"];
    copy(value(&text), &KEPT, out);
    out.push_str(",\"conversation\":[");
}
