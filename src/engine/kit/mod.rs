//! Building blocks of described formats.
//!
//! A described format is a [`Described`]: its card, its signs, where its lists are, and one pure function that
//! describes a record ([`Description`]). Both passes use that function: the index pass hands the description to the
//! engines of `engine::weave`, and the detail pass turns it into the blocks of an opened row. Fields of a record that
//! the description does not cover appear under *Other fields*, so nothing is lost.
//!
//! | To | Use |
//! | --- | --- |
//! | recognise a format | [`Sign`] |
//! | read values | [`traceloupe_core::json::Json`] |
//! | describe a record | [`Description`], [`Item`] |
//! | read messages, content parts, usage | `engine::shapes` |
//! | have all of these | `use super::kit::prelude::*;` |

mod about;
mod described;
mod description;
mod detail;
mod exhibit;
mod hooks;
mod item;
mod lists;
mod part;
pub mod prelude;
mod requests;
mod rest;
mod retold;
mod run_info;
mod signs;
mod table;
mod texts;
mod times;
mod what;

pub use about::{AgentLink, Ending, Known, Order, Repeats, Row, SpanIds, Timing};
pub use described::{Described, Describer, Entry, reader};
pub use description::Description;
pub use detail::detail;
pub use exhibit::{Exhibit, Outcome};
pub use hooks::{Hooks, Watch};
pub use item::{Item, has_content};
pub use lists::{find as lists_find, has as lists_has};
pub use part::{Msg, Part, Piece, PieceOf};
pub use retold::word_of;
pub use run_info::{
    About, AgentInfo, Grade, Lent, Models, Origin, Reach, Records, RunInfo, RunTimes, Series,
    Speaker, Titles, Totals,
};
pub use signs::{On, Sign, Sure, Test};
pub use table::Column;
pub use texts::Located;
#[cfg(test)]
pub use texts::{Room, Texts};
pub use times::{between, millis_ns, seconds_ns, time_of};
pub use what::{AskedBy, Joins, ModelPiece, What};
