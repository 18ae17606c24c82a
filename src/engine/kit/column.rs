//! Columns of tables in an opened row.

/// A column of a table: a member that the rows have. The first column names the row.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// What stands above it.
    pub head: &'static str,
    /// The key of the member.
    pub key: &'static str,
    /// What `null` means.
    pub null: &'static str,
}

impl Column {
    /// A column of the members with a key.
    #[must_use]
    pub const fn new(head: &'static str, key: &'static str) -> Self {
        Self { head, key, null: "" }
    }
}
