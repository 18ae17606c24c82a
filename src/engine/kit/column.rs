//! Columns of tables in an opened row.

/// A column of a table: a member of the rows. The first column names the row.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// The column heading.
    pub head: &'static str,
    /// The key of the member.
    pub key: &'static str,
    /// The text to show for `null`.
    pub null: &'static str,
}

impl Column {
    /// A column for the members with a key.
    #[must_use]
    pub const fn new(head: &'static str, key: &'static str) -> Self {
        Self { head, key, null: "" }
    }
}
