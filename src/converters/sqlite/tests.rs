//! Tests that need no file: numbers of variable length, and the columns in SQL. `tests/integration/databases.rs` reads
//! files that SQLite has written.
#![allow(clippy::unwrap_used)]

use super::record::varint;
use super::schema::columns;

#[test]
fn numbers_take_up_to_nine_bytes() {
    for (bytes, expected) in [
        (&[0x00][..], Some((0, 1))),
        (&[0x7f, 0xff], Some((127, 1))),
        (&[0x81, 0x00], Some((128, 2))),
        (&[0xff, 0x7f], Some((16_383, 2))),
        (&[0xff; 9], Some((u64::MAX, 9))),
        (&[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x05], Some((5, 9))),
        (&[0xff, 0xff], None),
        (&[], None),
    ] {
        assert_eq!(varint(bytes), expected, "{bytes:?}");
    }
}

#[track_caller]
fn check(sql: &str, names: &[&str], rowid: Option<usize>) {
    let expected = names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    assert_eq!(columns(sql), Some((expected, rowid)), "{sql}");
}

#[test]
fn columns_are_found_in_what_made_the_table() {
    check("CREATE TABLE t(a, b TEXT, c)", &["a", "b", "c"], None);
    check("CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, b)", &["id", "b"], Some(0));
    // Only `INTEGER` makes an alias of the row number.
    check("CREATE TABLE t (id INT PRIMARY KEY, b)", &["id", "b"], None);
    check("CREATE TABLE t (id INTEGER PRIMARY KEY DESC, b)", &["id", "b"], None);
    check("CREATE TABLE t (a TEXT, id INTEGER, PRIMARY KEY(id))", &["a", "id"], Some(1));
    check("CREATE TABLE t (a TEXT, id INTEGER, PRIMARY KEY(id, a))", &["a", "id"], None);
    check(
        "CREATE TABLE `t` (`a b` text, [c,d] text, \"e\"\"f\" text)",
        &["a b", "c,d", "e\"f"],
        None,
    );
    check(
        "CREATE TABLE t (\n-- a comment, with (\na DECIMAL(10, 2) DEFAULT (CAST(1 AS INTEGER)), /* b, */ c CHECK (c IN (1, 2)),\n CONSTRAINT x FOREIGN KEY (a) REFERENCES u(a))",
        &["a", "c"],
        None,
    );
    check(
        "CREATE TABLE t (a, b AS (a + 1), c TEXT GENERATED ALWAYS AS (a) STORED)",
        &["a", "c"],
        None,
    );
    // Text that only resembles a constraint.
    check("CREATE TABLE t (\"primary\" TEXT, key TEXT)", &["primary", "key"], None);
}

#[test]
fn tables_without_numbers_of_rows_are_left_out() {
    assert_eq!(columns("CREATE TABLE t (a TEXT PRIMARY KEY) WITHOUT ROWID"), None);
    assert_eq!(columns("CREATE TABLE t"), None);
    assert_eq!(columns("CREATE TABLE t ("), None);
    assert_eq!(columns(""), None);
}
