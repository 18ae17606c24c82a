//! Where each message of the worker goes.

use leptos::prelude::*;

use crate::annotations;
use crate::app::state::{AppState, Dialog, Loading, Phase};
use crate::checks;
use crate::client::Heard;
use crate::event;
use crate::opening;
use crate::runs;
use crate::search;
use crate::shell::address;
use crate::timeline;
use traceloupe::view::wire::protocol::Response;

/// Hands what the worker sends to the room that owns it.
pub fn dispatch(state: AppState, heard: Heard) {
    match heard {
        Heard::Response(response) => answered(state, response),
        Heard::File(Response::File(ticket, file), blob) => {
            event::actions::take_file(state, ticket, &file, &blob);
        }
        Heard::File(Response::Grown(index, _), blob) => opening::live::grown(index, &blob),
        Heard::File(..) => {}
        Heard::Crashed(words) => opening::actions::crashed(state, &words),
    }
}

fn answered(state: AppState, response: Response) {
    match response {
        Response::Progress(bytes, total_bytes, events) => {
            let loading = state.phase.get_untracked();
            if let Phase::Loading(loading) = loading {
                opening::loading::go_on(state, Loading { bytes, total_bytes, events, ..loading });
            }
        }
        Response::Choose(path, entries) => {
            opening::loading::show(state);
            state.dialog.set(Some(Dialog::Entries(path, entries)));
        }
        Response::Outline(outline) => opening::outline::begin(state, *outline),
        Response::Rows(rows) => opening::outline::append(state, &rows),
        Response::Previews(previews) => timeline::previews::answered(state, previews),
        Response::Detail(detail) => {
            event::actions::take_detail(state, *detail);
        }
        Response::More(ticket, shown) => event::actions::take_more(state, ticket, shown),
        // They come with their Blobs.
        Response::File(..) | Response::Grown(..) => {}
        Response::ConvertPreview(ticket, text, is_whole) => {
            checks::actions::take_export_preview(state, ticket, text, is_whole);
        }
        Response::Checked(ticket, report) => checks::actions::checked(state, ticket, *report),
        Response::RequestFailed(ticket, problem) => {
            if !checks::actions::check_failed(state, ticket, &problem) {
                event::actions::failed(state, ticket, problem);
            }
        }
        Response::Summary(run, summary) => checks::actions::take_summary(state, run, *summary),
        Response::Memory(memory) => state.memory.set(memory),
        Response::Statistics(run, lines) => {
            runs::statistics::take_statistics(state, run, lines);
        }
        Response::Found(id, note) => address::found(state, id, note),
        Response::Annotations(list) => annotations::actions::arrived(state, *list),
        Response::Address(address) => annotations::actions::addressed(state, address),
        Response::Hits(batch) => search::actions::found(state, *batch),
        Response::Failed(problem) => opening::actions::fail(state, problem),
    }
}
