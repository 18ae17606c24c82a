//! The database of OpenCode: tables `session`, `message` and `part`. The last two have the exported content as JSON in
//! `data`, without the ids, which are columns.
//!
//! Since version 2 the tables are `session_v2` and `session_message`.
//!
//! Read from the program (github.com/anomalyco/opencode, `packages/opencode/src/session/session.sql.ts`, `index.ts`,
//! `message-v2.ts` and `cli/cmd/export.ts`).

use super::producer::{Fields, Ids, Inner, Order, Producer, member};

/// See [`Producer`].
pub(super) static OPENCODE: Producer = Producer {
    name: "OpenCode",
    ids: Ids::Columns,
    sessions: ("session", &["id", "project_id", "directory", "title", "time_created"]),
    parent: "parent_id",
    outer: ("message", &["id", "session_id", "time_created", "data"]),
    order: Order::Columns("time_created", "id"),
    inner: Some(Inner {
        table: ("part", &["id", "message_id", "session_id", "data"]),
        of: "message_id",
        order: "id",
        part: |row, out| {
            out.push('{');
            row.write(
                &[("id", "id"), ("sessionID", "session_id"), ("messageID", "message_id")],
                out,
            );
            row.write_members("data", out);
            out.push('}');
        },
    }),
    begin,
    message: |row, out| {
        out.push_str("{\"info\":{");
        row.write(&[("id", "id"), ("sessionID", "session_id")], out);
        row.write_members("data", out);
        out.push_str("},\"parts\":[");
    },
};

/// The tables of version 2: a message is one row, whose `data` has its parts.
pub(super) static OPENCODE_TWO: Producer = Producer {
    name: "OpenCode",
    ids: Ids::Columns,
    sessions: ("session_v2", &["id", "project_id", "directory", "title", "time_created"]),
    parent: "parent_id",
    outer: ("session_message", &["id", "session_id", "type", "seq", "data"]),
    order: Order::Columns("seq", "id"),
    inner: None,
    begin,
    message: |row, out| {
        out.push('{');
        row.write(&[("id", "id"), ("type", "type")], out);
        row.write_members("data", out);
        out.push('}');
    },
};

fn begin(row: Fields<'_>, out: &mut String) {
    out.push_str("{\"info\":{");
    row.write(
        &[
            ("id", "id"),
            ("slug", "slug"),
            ("version", "version"),
            ("projectID", "project_id"),
            ("workspaceID", "workspace_id"),
            ("directory", "directory"),
            ("parentID", "parent_id"),
            ("title", "title"),
            ("agent", "agent"),
        ],
        out,
    );
    row.write_json(&[("model", "model"), ("revert", "revert"), ("permission", "permission")], out);
    nested(
        "time",
        row,
        &[
            ("created", "time_created"),
            ("updated", "time_updated"),
            ("compacting", "time_compacting"),
            ("archived", "time_archived"),
        ],
        out,
    );
    nested(
        "summary",
        row,
        &[
            ("additions", "summary_additions"),
            ("deletions", "summary_deletions"),
            ("files", "summary_files"),
        ],
        out,
    );
    nested("share", row, &[("url", "share_url")], out);
    out.push_str("},\"messages\":[");
}

/// Writes an object of several columns, unless none of them has a value.
fn nested(key: &str, row: Fields<'_>, members: &[(&str, &str)], out: &mut String) {
    let mut inside = "{".to_owned();
    row.write(members, &mut inside);
    if inside.len() > 1 {
        inside.push('}');
        member(key, &inside, out);
    }
}
