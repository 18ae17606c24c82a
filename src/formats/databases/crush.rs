//! The database of Crush: tables `sessions` and `messages`, with the parts of a message as JSON in a column. The
//! predecessor of OpenCode, by the same authors, had the same tables.
//!
//! Read from the program (github.com/charmbracelet/crush, `internal/db/migrations`, `internal/db/sql/messages.sql`,
//! `internal/message/content.go` and `internal/cmd/session.go`). Times are seconds, as they are stored; an export has
//! them as text. The short name of a session, a hash of its id, is not stored: the id is used instead.

use super::producer::{Fields, Ids, Order, Producer, member, separate};
use traceloupe_core::json::{Json, Kind, is_strict, quoted};

/// See [`Producer`].
pub(super) static CRUSH: Producer = Producer {
    name: "Crush",
    ids: Ids::Columns,
    sessions: (
        "sessions",
        &["id", "parent_session_id", "title", "prompt_tokens", "completion_tokens", "cost"],
    ),
    parent: "parent_session_id",
    outer: ("messages", &["id", "session_id", "role", "parts", "created_at"]),
    // Rows with equal times are in the order of their numbers.
    order: Order::Columns("created_at", ""),
    inner: None,
    begin,
    message: |row, out| {
        out.push('{');
        row.write(
            &[
                ("id", "id"),
                ("role", "role"),
                ("created", "created_at"),
                ("model", "model"),
                ("provider", "provider"),
            ],
            out,
        );
        let text = row.get("parts").text().unwrap_or_default();
        member("parts", &parts(&text), out);
        out.push('}');
    },
};

fn begin(row: Fields<'_>, out: &mut String) {
    out.push_str("{\"meta\":{");
    row.write(
        &[
            ("id", "id"),
            ("uuid", "id"),
            ("title", "title"),
            ("created", "created_at"),
            ("modified", "updated_at"),
            ("cost", "cost"),
            ("prompt_tokens", "prompt_tokens"),
            ("completion_tokens", "completion_tokens"),
        ],
        out,
    );
    let count = |column| row.get(column).integer().unwrap_or(0);
    let total = count("prompt_tokens").saturating_add(count("completion_tokens"));
    member("total_tokens", &total.to_string(), out);
    out.push_str("},\"messages\":[");
}

/// The parts of a message. They are stored with `type` and `data` each, and exported as one object without empty
/// values.
fn parts(text: &str) -> String {
    /// Members that only the provider or the program itself needs.
    const LEFT_OUT: [&str; 9] = [
        // That of a call is always `function`.
        "type",
        "signature",
        "thought_signature",
        "tool_id",
        "responses_data",
        "provider_executed",
        "finished",
        "metadata",
        "Data",
    ];
    if !is_strict(text) {
        return format!("[{{\"type\":\"text\",\"text\":{}}}]", quoted(text));
    }
    let mut out = "[".to_owned();
    for part in Json::new(text).items() {
        let kind = part.get("type");
        separate(&mut out);
        out.push('{');
        member("type", &quoted(&kind.label()), &mut out);
        for (key, value) in part.get("data").members() {
            let is_empty = match value.kind() {
                Kind::String => value.is(""),
                Kind::Number | Kind::Array | Kind::Object => false,
                _ => !value.is_true(),
            };
            if is_empty || LEFT_OUT.contains(&key.as_ref()) {
                continue;
            }
            let key = match key.as_ref() {
                "id" if kind.is("tool_call") => "tool_call_id",
                "MIMEType" => "mime_type",
                "Path" => "path",
                key => key,
            };
            member(key, value.raw(), &mut out);
        }
        out.push('}');
    }
    out.push(']');
    out
}
