//! The data of a tool call's row: keys of arguments and result, outcome, duration.

use super::call_keys::{note_failure, set_arguments};
use super::item_context::{Taken, summarize};
use crate::fields::between;
use crate::kit::{Item, Part};
use crate::shapes::exit_code::name_exit_code;
use traceloupe_core::json::{Json, shape};
use traceloupe_core::model::{
    ErrorId, EventId, Flags, MaybeNs, NameId, Status, TimeBasis, TraceBuilder,
};

/// The result in an item, or else the output that the tool printed.
pub(super) fn result_of<'a>(item: &Item<'a>) -> Json<'a> {
    let result = item.parts.iter().find_map(|part| match part {
        Part::Result(value) => Some(*value),
        _ => None,
    });
    let printed = || {
        item.parts.iter().find_map(|part| match part {
            Part::Log(_, text) => Some(*text),
            _ => None,
        })
    };
    result.or_else(printed).unwrap_or_default()
}

/// The arguments in an item.
pub(super) fn arguments_of<'a>(item: &Item<'a>) -> Json<'a> {
    let arguments = item.parts.iter().find_map(|part| match part {
        Part::Arguments(value) => Some(*value),
        _ => None,
    });
    arguments.unwrap_or_default()
}

/// Handles a call, perhaps with its result.
pub(super) fn begin(call: EventId, taken: &Taken<'_, '_>, out: &mut TraceBuilder) {
    let item = taken.item;
    let arguments = arguments_of(item).present();
    let name = out.name(&item.name);
    let result = result_of(item);
    if let Some(structure) = item.compared().given() {
        let structure = out.name(&shape(structure.raw()));
        out.set_structure(call, structure);
    }
    if let Some(arguments) = arguments {
        set_arguments(call, arguments, out);
    }
    let Some(event) = out.event_mut(call) else { return };
    if name != NameId::NONE {
        event.name = name;
    }
    if event.result_hash == 0 && result.is_absent() {
        event.status = item.ending.status.unwrap_or(Status::Missing);
        if !event.start.is_known() {
            event.start = item.time.start;
        }
    } else if !event.start.is_known() || item.time.start.is_known() {
        // Its result came first.
        event.start = item.time.start;
    }
    if arguments.is_some() {
        event.flags.clear(Flags::ESCAPED);
        summarize(call, taken, out);
    }
    if !result.is_absent() {
        set_result(call, result, taken, out);
    }
}

/// Handles a further piece of the arguments of a call: the call cannot run before it has them all.
pub(super) fn goes_on(call: EventId, written: MaybeNs, out: &mut TraceBuilder) {
    if let Some(event) = out.event_mut(call)
        && written.is_known()
        && !event.duration.is_known()
    {
        event.start = written;
    }
}

/// Handles a result.
pub(super) fn answer(call: EventId, taken: &Taken<'_, '_>, out: &mut TraceBuilder) {
    let result = result_of(taken.item);
    let written = taken.item.time.start;
    if let Some(event) = out.event_mut(call) {
        // If one record has both call and result, they have the same time, and the duration is unknown.
        let elapsed = between(event.start, written);
        if event.duration.is_known() {
            out.note_elapsed(call, elapsed);
            return set_result(call, result, taken, out);
        }
        let is_known = elapsed != MaybeNs::new(0);
        let basis = event.expected_basis().unwrap_or(TimeBasis::Elapsed);
        event.set_duration(if is_known { elapsed } else { MaybeNs::UNKNOWN }, basis);
        if event.time_basis() == TimeBasis::Elapsed {
            event.flags.set(Flags::INFERRED_TIME);
        }
    }
    set_result(call, result, taken, out);
}

fn set_result(call: EventId, result: Json<'_>, taken: &Taken<'_, '_>, out: &mut TraceBuilder) {
    if let Some(event) = out.event_mut(call) {
        if !result.is_absent() {
            event.result_hash = result.fingerprint();
        }
        if event.status == Status::Missing {
            event.status = Status::Unknown;
        }
    }
    enrich(call, taken, out);
    name_exit_code(call, Some(result), out);
    // A message of an error is more informative than a result.
    let message = taken.item.parts.iter().find_map(|part| match part {
        Part::Error(_, message, _) if message.is_given() => Some(*message),
        _ => None,
    });
    note_failure(call, message.unwrap_or(result), out);
}

/// Handles further data about a call.
pub(super) fn enrich(call: EventId, taken: &Taken<'_, '_>, out: &mut TraceBuilder) {
    let item = taken.item;
    let name = out.name(&item.name);
    let error = out.error(&item.ending.error);
    let Some(event) = out.event_mut(call) else { return };
    if event.name == NameId::NONE {
        event.name = name;
    }
    // A tool reports as its failure that the user rejected it.
    if let Some(status) = item.ending.status
        && event.status != Status::Rejected
    {
        event.status = status;
    }
    if error != ErrorId::NONE {
        event.error = error;
    }
    event.flags.set(item.flags);
    if item.time.duration.is_known() {
        out.state_duration(call, item.time.duration);
    }
}

/// Gives a call the result that is in a row of another source.
pub(super) fn take_over(call: EventId, result: EventId, out: &mut TraceBuilder) {
    let Some(from) = out.trace().event(result).cloned() else { return };
    let Some(event) = out.event_mut(call) else { return };
    event.result_hash = from.result_hash;
    event.status = from.status;
    if from.error != ErrorId::NONE {
        event.error = from.error;
    }
    if from.duration.is_known() && !event.duration.is_known() {
        event.set_duration(from.duration, from.time_basis());
    } else if !event.duration.is_known() {
        event.set_duration(between(event.start, from.start), TimeBasis::Elapsed);
        event.flags.set(Flags::INFERRED_TIME);
    }
}
