//! What nearly every format needs: `use traceloupe_engine::prelude::*;`.

pub use crate::described::{Described, Entry, Hooks};
pub use crate::kit::{
    AskedBy, Description, Item, Joins, Known, On, Part, Piece, PieceOf, Reach, Records, Series,
    Sign, Test, What, between, has_content, millis_ns, seconds_ns, time_of,
};
pub use crate::shapes::content;
pub use crate::tokens::Flavour;
pub use traceloupe_core::catalog;
pub use traceloupe_core::json::{Json, Kind};
pub use traceloupe_core::model::{BlockRole, EventKind, FactKind, RunStatus, Status};
