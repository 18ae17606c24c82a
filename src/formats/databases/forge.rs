//! The database of ForgeCode: `.forge.db`, whose table `conversations` has the model's context as JSON in a column.
//!
//! Read from programs that read it and from the types of its messages (github.com/antinomyhq/forge,
//! `crates/forge_domain/src/context.rs`). A conversation is one row.

use super::producer::{Ids, Order, Producer, around, messages, value};

/// See [`Producer`].
pub(super) static FORGE: Producer = Producer {
    name: "ForgeCode",
    ids: Ids::Row("conversation_id"),
    sessions: ("conversations", &["conversation_id", "title", "context", "created_at"]),
    parent: "",
    outer: ("conversations", &["conversation_id", "title", "context", "created_at"]),
    order: Order::Columns("", ""),
    inner: None,
    begin: |row, out| {
        out.push('{');
        row.write(
            &[
                ("id", "conversation_id"),
                ("title", "title"),
                ("created_at", "created_at"),
                ("updated_at", "updated_at"),
            ],
            out,
        );
        row.write_json(&[("metrics", "metrics")], out);
        let text = row.get("context").text().unwrap_or_default();
        around(value(&text), "messages", out);
        out.push_str(",\"messages\":[");
    },
    message: |row, out| {
        let text = row.get("context").text().unwrap_or_default();
        messages(value(&text), "messages", out);
    },
};
