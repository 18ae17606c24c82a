//! Values that call something: models, tools, kinds of records.

use std::borrow::Cow;

use super::Json;

impl<'a> Json<'a> {
    /// What the value calls something: its [`word`](Self::word), or nothing.
    #[must_use]
    #[inline(never)]
    pub fn label(self) -> Cow<'a, str> {
        self.word().unwrap_or_default()
    }
}

/// The label that it gives: see [`Json::label`].
impl<'a> From<Json<'a>> for Cow<'a, str> {
    fn from(value: Json<'a>) -> Self {
        value.label()
    }
}
