//! The SQLite database of Agno: tables `agno_sessions` and `agno_runs`, with a run as JSON in a column.
//!
//! Read from a database that version 3.1 wrote. In earlier versions, the runs of a session were a column of the session
//! table, and each program chose the name of that table: these databases are not read.

use super::producer::{Ids, Order, Producer, value};

/// See [`Producer`].
pub(super) static AGNO: Producer = Producer {
    name: "Agno",
    ids: Ids::Named("session_id", "run_id"),
    sessions: ("agno_sessions", &["session_id", "session_type", "session_data", "created_at"]),
    parent: "",
    outer: ("agno_runs", &["run_id", "session_id", "run_index", "run_data"]),
    order: Order::Columns("run_index", ""),
    inner: None,
    begin: |row, out| {
        out.push('{');
        const WORDS: [&str; 7] = [
            "session_id",
            "agent_id",
            "team_id",
            "workflow_id",
            "user_id",
            "created_at",
            "updated_at",
        ];
        row.write(&WORDS.map(|column| (column, column)), out);
        const DATA: [&str; 6] =
            ["session_data", "agent_data", "team_data", "workflow_data", "metadata", "summary"];
        row.write_json(&DATA.map(|column| (column, column)), out);
        out.push_str(",\"runs\":[");
    },
    message: |row, out| {
        let text = row.get("run_data").text().unwrap_or_default();
        out.push_str(value(&text).raw());
    },
};
