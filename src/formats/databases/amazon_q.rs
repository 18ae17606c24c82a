//! The database of Kiro CLI and of Amazon Q Developer CLI, `data.sqlite3`: tables of conversations, with everything
//! that `/save` would write as JSON in a column.
//!
//! Read from its migrations (<https://github.com/aws/amazon-q-developer-cli>, `crates/chat-cli/src/database`) and
//! programs that read it. Until 2025 a folder had one conversation, with the folder's path as key. Versions since 2026
//! keep new sessions in files instead.

use super::producer::{Fields, Ids, Order, Producer, around, messages, value};

/// See [`Producer`].
pub(super) static KIRO: Producer = Producer {
    name: "Kiro CLI",
    ids: Ids::Row("conversation_id"),
    sessions: ("conversations_v2", &["conversation_id", "value"]),
    parent: "",
    outer: ("conversations_v2", &["conversation_id", "value"]),
    order: Order::Columns("", ""),
    inner: None,
    begin,
    message,
};

/// See [`Producer`].
pub(super) static AMAZON_Q: Producer = Producer {
    name: "Amazon Q Developer CLI",
    ids: Ids::Row("key"),
    sessions: ("conversations", &["key", "value"]),
    parent: "",
    outer: ("conversations", &["key", "value"]),
    order: Order::Columns("", ""),
    inner: None,
    begin,
    message,
};

fn begin(row: Fields<'_>, out: &mut String) {
    let text = row.get("value").text().unwrap_or_default();
    out.push('{');
    around(value(&text), "history", out);
    super::producer::separate(out);
    out.push_str("\"history\":[");
}

fn message(row: Fields<'_>, out: &mut String) {
    let text = row.get("value").text().unwrap_or_default();
    messages(value(&text), "history", out);
}
