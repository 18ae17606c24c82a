//! Work that goes through a whole run, in pieces: writing it out, checking it. Between the pieces the
//! page is answered.

use super::{Pauses, Shared, hand_over, post, with};
use traceloupe::view::wire::protocol::{ConvertRequest, Response};

/// Writes a run into a file.
pub(super) async fn export(session: Shared, wanted: ConvertRequest, ticket: u32) {
    let Some(mut maker) = with(&session, |session| session.begin_export(&wanted)) else { return };
    let mut pauses = Pauses::new();
    loop {
        match with(&session, |session| session.export_some(&mut maker)) {
            None => return,
            Some(Some(file)) => return hand_over(&session, ticket, file),
            Some(None) => pauses.pause().await,
        }
    }
}

/// Holds a run against expectations.
pub(super) async fn check(session: Shared, run: u32, text: String, ticket: u32) {
    let begun = with(&session, |session| session.begin_check(run, &text));
    let mut check = match begun {
        None => return,
        Some(Ok(check)) => check,
        Some(Err(problem)) => return post(&Response::Unchecked(ticket, problem)),
    };
    let mut pauses = Pauses::new();
    loop {
        match with(&session, |session| session.check_some(&mut check)) {
            None => return,
            Some(Some(report)) => return post(&Response::Checked(ticket, Box::new(report))),
            Some(None) => pauses.pause().await,
        }
    }
}
