//! Passes each message of a worker to the area that handles it.

use crate::annotations;
use crate::app::pane::Pane;
use crate::app::trace::{Loading, Phase};
use crate::checks;
use crate::client::Heard;
use crate::event;
use crate::export;
use crate::opening;
use crate::pane;
use crate::runs;
use crate::search;
use crate::shell::address;
use crate::timeline;
use traceloupe_protocol::messages::Response;

/// Handles a message from the worker of this pane's trace.
pub fn dispatch(pane: Pane, heard: Heard) {
    match heard {
        Heard::Response(response) => answered(pane, response),
        Heard::File(Response::File(ticket, file), blob)
            if export::html::take_excerpt(pane.trace, ticket, &file, &blob) => {}
        Heard::File(Response::File(ticket, file), blob) => {
            event::actions::take_file(pane.trace, ticket, &file, &blob);
        }
        Heard::File(Response::Grown(index, _), blob) => {
            opening::live::grown(pane.trace, index, &blob)
        }
        Heard::File(..) => {}
        Heard::Crashed(words) => opening::actions::crashed(pane.trace, &words),
    }
}

fn answered(pane: Pane, response: Response) {
    match response {
        Response::Progress(bytes, total_bytes, events) => {
            let loading = pane.trace.phase.get_untracked();
            if let Phase::Loading(loading) = loading {
                let loading = Loading { bytes, total_bytes, events, ..loading };
                pane.trace.phase.set(Phase::Loading(loading));
            }
        }
        Response::Choose(path, entries) => {
            opening::loading::show(pane.trace);
            opening::folder::list_entries(pane, path, entries);
        }
        Response::Outline(outline) => opening::outline::begin(pane, *outline),
        Response::Rows(rows) => opening::outline::append(pane, &rows),
        Response::Previews(previews) => timeline::previews::take_previews(pane.trace, previews),
        Response::Detail(detail) => {
            event::actions::link_arrived(pane.trace, &detail);
            event::actions::take_detail(pane.trace, *detail);
        }
        Response::Comparison(comparison) => {
            event::prompt_change::arrived(pane, &comparison);
            event::compare::take_comparison(pane.trace, *comparison);
        }
        Response::Causes(causes) => runs::findings::take_causes(pane.trace, *causes),
        Response::NetChange(path, blocks) => {
            runs::files::take_net_change(pane.trace, path, blocks);
        }
        Response::ContextParts(parts) => runs::context::take_parts(pane.trace, *parts),
        Response::ContextLayers(layers) => runs::context::take_layers(pane.trace, *layers),
        Response::RunComparison(comparison) => {
            crate::views::compare::take_run_comparison(pane.trace, *comparison);
        }
        Response::More(ticket, shown) => event::actions::take_more(pane.trace, ticket, shown),
        // These arrive with a Blob, as `Heard::File`, or from the worker of a folder, an archive or the table of
        // formats.
        Response::File(..) | Response::Grown(..) | Response::Heads(_) | Response::Formats(_) => {}
        Response::ExportPreview(ticket, text, is_whole) => {
            checks::actions::take_export_preview(pane.trace, ticket, text, is_whole);
        }
        Response::Excerpted(ticket, are_lines) => {
            export::html::excerpt_ended(pane, ticket, are_lines);
        }
        Response::Checked(ticket, report) => checks::actions::checked(pane, ticket, *report),
        Response::RequestFailed(ticket, problem) => {
            if !checks::actions::check_failed(pane.trace, ticket, &problem) {
                event::actions::failed(pane.trace, ticket, problem);
            }
        }
        Response::Summary(run, summary) => checks::actions::take_summary(pane.trace, run, *summary),
        Response::Memory(memory) => pane.trace.memory.set(memory),
        Response::Statistics(run, lines) => {
            runs::statistics::take_statistics(pane.trace, run, lines);
        }
        Response::Found(id, note) => address::found(pane, id, note),
        Response::Annotations(list) => annotations::actions::arrived(pane, *list),
        Response::Address(address) => annotations::actions::addressed(pane, address),
        Response::Hits(batch) => search::actions::found(pane, *batch),
        Response::Matches(batch) => pane::filtering::take_matches(pane, &batch),
        Response::Files(batch) => runs::files::take_files(pane.trace, *batch),
        Response::Failed(problem) => opening::actions::fail(pane.trace, problem),
    }
}
