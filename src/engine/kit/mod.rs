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
mod column;
mod description;
mod exhibit;
mod item;
pub(crate) mod lists;
mod part;
mod run_info;
pub(crate) mod signs;
mod texts;
mod times;
mod what;

pub use about::{
    AgentLink, CallEvent, CallStage, Ending, Known, Order, Repeats, Row, SpanIds, Timing, Wait,
};
pub use column::Column;
pub use description::Description;
pub use exhibit::{Exhibit, Outcome};
pub use item::{Item, has_content};
pub use lists::{find as lists_find, has as lists_has};
pub use part::{Msg, Part, Piece, PieceOf, word_of};
pub use run_info::{
    About, AgentInfo, Grade, Lent, Models, Origin, Reach, Records, RunInfo, RunTimes, Series,
    Speaker, Titles, Totals,
};
pub use signs::{On, Sign, Sure, Test};
pub(crate) use texts::on_tape;
pub use texts::{Located, Room, Texts};
pub use times::{between, iso_duration_ns, millis_ns, seconds_ns, time_of};
pub use what::{AskedBy, Joins, ModelPiece, What};
