//! The database of Zed: `threads.db`, whose table `threads` has a document per thread, most of them compressed.
//!
//! Read from the program (github.com/zed-industries/zed, `crates/agent/src/db.rs`). A thread is one row: values that
//! are only in its columns are added to the document.

use super::producer::{Fields, Ids, Order, Producer, around, messages, value};
use traceloupe_converters::sqlite::Value;
use traceloupe_input::{Decoder, Unzstd};

/// See [`Producer`].
pub(super) static ZED: Producer = Producer {
    name: "Zed",
    ids: Ids::Row("id"),
    sessions: ("threads", &["id", "summary", "updated_at", "data_type", "data"]),
    parent: "parent_id",
    outer: ("threads", &["id", "summary", "updated_at", "data_type", "data"]),
    order: Order::Columns("", ""),
    inner: None,
    begin: |row, out| {
        out.push('{');
        row.write(
            &[
                ("id", "id"),
                ("parent_id", "parent_id"),
                ("folder_paths", "folder_paths"),
                ("created_at", "created_at"),
            ],
            out,
        );
        around(value(&document(row)), "messages", out);
        out.push_str(",\"messages\":[");
    },
    message: |row, out| messages(value(&document(row)), "messages", out),
};

/// The magic number of Zstandard.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// How many bytes are unpacked at once.
const PUSH_BYTES: usize = 64 << 10;

/// The document of a thread.
fn document(row: Fields<'_>) -> String {
    let packed = match row.get("data") {
        Value::Blob(bytes) if bytes.starts_with(&ZSTD) => bytes,
        other => return other.text().unwrap_or_default().into_owned(),
    };
    let (mut decoder, mut out) = (Unzstd::new(), Vec::new());
    packed.chunks(PUSH_BYTES).for_each(|bytes| decoder.push(bytes, &mut out));
    decoder.finish(&mut out);
    String::from_utf8_lossy(&out).into_owned()
}
