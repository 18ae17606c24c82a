//! What nearly every format needs: `use super::kit::prelude::*;`.

pub use super::{
    Described, Description, Entry, Hooks, Item, Joins, On, Part, Piece, PieceOf, Sign, Test, What,
    between, has_content, millis_ns, seconds_ns, time_of,
};
pub use crate::catalog;
pub use crate::format::shapes::content;
pub use crate::format::shapes::tokens::Flavour;
pub use crate::json::{Json, Kind};
pub use crate::model::{EventKind, RunStatus, Status};
