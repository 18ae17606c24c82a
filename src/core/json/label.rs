//! Values that name something: models, tools, kinds of records.

use std::borrow::Cow;

use super::Json;

impl<'a> Json<'a> {
    /// The name that the value gives: its [`word`](Self::word), or an empty text.
    #[must_use]
    #[inline(never)]
    pub fn label(self) -> Cow<'a, str> {
        self.word().unwrap_or_default()
    }
}

/// The label of the value: see [`Json::label`].
impl<'a> From<Json<'a>> for Cow<'a, str> {
    fn from(value: Json<'a>) -> Self {
        value.label()
    }
}
