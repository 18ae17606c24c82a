//! The database of Goose: tables `sessions` and `messages`. Contents, settings and recipes are JSON in columns.
//!
//! Read from the program (github.com/block/goose, `crates/goose/src/session/session_manager.rs`: `create_schema`,
//! `run_migrations`, `get_conversation`). Token counts are written side by side, as in exports until 2026; newer
//! exports nest them.

use super::producer::{Fields, Ids, Order, Producer, member};
use traceloupe_converters::sqlite::Value;

/// See [`Producer`].
pub(super) static GOOSE: Producer = Producer {
    name: "Goose",
    ids: Ids::Columns,
    sessions: ("sessions", &["id", "working_dir", "created_at", "extension_data"]),
    parent: "parent_session_id",
    outer: ("messages", &["session_id", "role", "content_json", "created_timestamp"]),
    // Rows with equal times are in the order of their numbers.
    order: Order::Columns("created_timestamp", ""),
    inner: None,
    begin,
    message: |row, out| {
        out.push('{');
        row.write(&[("id", "message_id"), ("role", "role"), ("created", "created_timestamp")], out);
        row.write_json(&[("content", "content_json")], out);
        match row.get("metadata_json") {
            // At first the visibility of a message was not stored: everyone sees it.
            Value::Null => member("metadata", "{\"userVisible\":true,\"agentVisible\":true}", out),
            _ => row.write_json(&[("metadata", "metadata_json")], out),
        }
        out.push('}');
    },
};

fn begin(row: Fields<'_>, out: &mut String) {
    out.push('{');
    let is_named = row.get("name").text().is_some_and(|name| !name.is_empty());
    row.write(
        &[
            ("id", "id"),
            ("working_dir", "working_dir"),
            ("name", if is_named { "name" } else { "description" }),
            ("session_type", "session_type"),
            ("created_at", "created_at"),
            ("updated_at", "updated_at"),
        ],
        out,
    );
    if let Value::Integer(is_own) = row.get("user_set_name") {
        member("user_set_name", if is_own == 0 { "false" } else { "true" }, out);
    }
    row.write_json(&[("extension_data", "extension_data")], out);
    const COLUMNS: [&str; 18] = [
        "total_tokens",
        "input_tokens",
        "output_tokens",
        "cache_read_tokens",
        "cache_write_tokens",
        "accumulated_total_tokens",
        "accumulated_input_tokens",
        "accumulated_output_tokens",
        "accumulated_cache_read_tokens",
        "accumulated_cache_write_tokens",
        "accumulated_cost",
        "schedule_id",
        "provider_name",
        "goose_mode",
        "archived_at",
        "project_id",
        "parent_session_id",
        "parent_delegation",
    ];
    row.write(&COLUMNS.map(|column| (column, column)), out);
    row.write_json(
        &[
            ("recipe", "recipe_json"),
            ("user_recipe_values", "user_recipe_values_json"),
            ("model_config", "model_config_json"),
        ],
        out,
    );
    out.push_str(",\"conversation\":[");
}
