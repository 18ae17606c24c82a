//! Tables of an opened row, built from an object or a list only for display.

use std::borrow::Cow;

use super::detail::Show;
use crate::kit::{Column, has_content};
use traceloupe_core::json::{Json, Kind};
use traceloupe_core::model::{Block, FactKind, Field, Role, Value};

/// The rows of a table: the name and the value of each member of an object or item of a list.
fn rows(table: Json<'_>) -> Vec<(Cow<'_, str>, Json<'_>)> {
    let mut rows: Vec<_> = table.members().collect();
    rows.extend(table.items().map(|it| (it.get("name").text().unwrap_or_default(), it)));
    rows
}

/// The values that the cells of a table show.
pub(super) fn values<'a>(table: Json<'a>, columns: &[Column], add: &mut dyn FnMut(Json<'a>)) {
    for (_, row) in rows(table) {
        match row.kind() {
            Kind::Object => columns.iter().for_each(|column| add(row.field(column.key))),
            _ => add(row),
        }
    }
}

impl Show<'_, '_> {
    /// A table. Empty columns are left out. A value without rows is shown unchanged.
    pub(super) fn table(&self, title: Role, columns: &[Column], table: Json<'_>) -> Block {
        let rows = rows(table);
        let Some((name, columns)) = columns.split_first().filter(|_| !rows.is_empty()) else {
            return Block::Json(title, self.value(table));
        };
        let is_used = |it: &&Column| rows.iter().any(|row| !row.1.field(it.key).is_absent());
        let used: Vec<&Column> = columns.iter().filter(is_used).collect();
        let heads = std::iter::once(name.head).chain(used.iter().map(|it| it.head)).collect();
        let row = |(name, row): &(Cow<'_, str>, Json<'_>)| {
            let name = match row.kind() == Kind::Object || table.kind() == Kind::Object {
                true => Value::Text(name.clone().into_owned()),
                // An item in a list of texts.
                false => self.value(*row),
            };
            let cells = used.iter().map(|it| self.cell(it, row.field(it.key)));
            std::iter::once(name).chain(cells).collect()
        };
        Block::Table(title, heads, rows.iter().map(row).collect())
    }

    /// A cell: a list of texts is shown in brackets, and an absent value as nothing.
    fn cell(&self, column: &Column, value: Json<'_>) -> Value {
        let words: Option<Vec<_>> = value.items().map(Json::word).collect();
        match value.kind() {
            _ if value.raw() == "null" => Value::Text(column.null.to_owned()),
            _ if value.is_absent() => Value::Text(String::new()),
            Kind::Array => words.map_or_else(
                || self.value(value),
                |words| Value::Text(format!("[{}]", words.join(", "))),
            ),
            _ => self.value(value),
        }
    }

    /// The members of an object that have content, if there are any. Any other value is shown unchanged.
    pub(super) fn members(&self, title: Role, value: Json<'_>) -> Option<Block> {
        let members = value.members().filter(|(_, member)| has_content(*member));
        let field = |(label, member): (Cow<'_, str>, _)| Field {
            label: FactKind::Other(label.into_owned()),
            value: self.unpacked(member),
        };
        let fields: Vec<Field> = members.map(field).collect();
        match value.kind() {
            Kind::Object => (!fields.is_empty()).then_some(Block::Fields(title, fields)),
            Kind::String => Some(Block::Text(title, self.value(value))),
            _ => Some(Block::Json(title, self.value(value))),
        }
    }
}
