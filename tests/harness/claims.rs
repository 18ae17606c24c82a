//! Checks that hold for every opened trace.

use traceloupe_core::model::{EventKind, Flags, RunId};
use traceloupe_protocol::columns::Column;
use traceloupe_protocol::detail::ShownDetail;
use traceloupe_protocol::messages::{Request, Response, encode};
use traceloupe_protocol::outline::{MAX_TOOLS, RunLine};
use traceloupe_protocol::value::{Cut, CutForm, Shown};
use traceloupe_session::store::{Handle, Store as _};
use traceloupe_view::outline::Outline;
use traceloupe_view::row_columns::NO_ROW;

use super::{Opened, Outcome};

/// The largest allowed response about one row.
pub const MAX_DETAIL_BYTES: usize = 2 << 20;

/// Checks the rows and findings of an outline.
pub fn check_outline(opened: &Opened) {
    let Outcome::Outline(outline) = &opened.outcome else { return };
    let trace = opened.session.trace();
    let rows = &outline.rows;
    let n = rows.ids.len();
    let mut ids = rows.ids.as_slice().to_vec();
    ids.sort_unstable();
    let present = (0..).zip(trace.events()).filter(|(_, event)| !event.is_absorbed());
    let present: Vec<u32> = present.map(|(id, _)| id).collect();
    assert_eq!(ids, present, "every event that is not absorbed has one row");
    let lens = [
        rows.kinds.len(),
        rows.statuses.len(),
        rows.flags.len(),
        rows.depths.len(),
        rows.nested.len(),
        rows.names.len(),
        rows.errors.len(),
        rows.starts_ms.len(),
        rows.durations_ms.len(),
        rows.tokens_in.len(),
        rows.tokens_out.len(),
        rows.parents.len(),
        rows.positions.len(),
        rows.children.len(),
        rows.tool_children.len(),
    ];
    assert_eq!(lens, [n; 15], "columns of one length");
    assert_eq!(outline.n_rows, n);
    assert!((0..n).all(|row| rows.row_of(rows.ids.get(row)) == Some(row)));
    let mut first = 0;
    for (at, run) in outline.runs.iter().enumerate() {
        assert_eq!(run.first_row, first, "the rows of run {at}");
        first += run.n_rows;
        assert_eq!(trace.order(RunId::from_index(at)).len(), run.n_rows as usize);
        check_nesting(outline, run.first_row, first);
        check_counts(outline, run);
        assert_eq!(u64::from(run.n_rows), run.counts.events);
        if let Some(row) = run.first_error {
            assert!((run.first_row..first).contains(&row));
        }
        assert_eq!(run.first_error.is_some(), run.counts.errors > 0);
        assert!(run.duration_ms.is_nan() || run.duration_ms >= 0.0);
    }
    assert_eq!(first, n, "every row is of a run");
    for finding in &outline.findings {
        let run = &outline.runs[finding.run as usize];
        let own = run.first_row..run.first_row + run.n_rows;
        let (evidence, folded) = (finding.rows.as_slice(), finding.folded.as_slice());
        let named = [evidence, folded, &finding.reported].concat();
        assert!(named.iter().all(|row| own.contains(row)), "{finding:?}");
        assert!(finding.first <= finding.last && own.contains(&finding.first));
        assert!(own.contains(&finding.last), "{finding:?}");
        assert!(evidence.is_sorted());
        match finding.is_apart() {
            // With the rows in between.
            true => assert!(folded.iter().all(|row| (finding.first..=finding.last).contains(row))),
            false => assert!(folded.iter().all(|row| evidence.binary_search(row).is_ok())),
        }
        assert!(!finding.is_loud() || evidence.iter().all(|row| outline.loops.has(*row)));
    }
    assert!(outline.warnings.iter().all(|it| it.count >= it.places.len() as u64));
}

/// Compares the counts of a run with a count of its rows.
fn check_counts(outline: &Outline, run: &RunLine) {
    let rows = &outline.rows;
    let of_run = run.first_row..run.first_row + run.n_rows;
    let count = |is: &dyn Fn(u32) -> bool| of_run.clone().filter(|row| is(*row)).count() as u64;
    // Kinds and tools are those of the run's own events, without copies of events of other runs.
    let is_own = |row: u32| !Flags::from_bits(rows.flags.get(row)).has(Flags::COPY);
    for (kind, n) in &run.kinds {
        assert_eq!(
            count(&|row| is_own(row) && rows.kinds.get(row) == *kind),
            *n,
            "rows of kind {kind}"
        );
    }
    assert_eq!(run.kinds.iter().map(|(_, n)| n).sum::<u64>(), count(&is_own));
    let tool = EventKind::ToolCall as u8;
    let is_tool = |row: u32| is_own(row) && rows.kinds.get(row) == tool;
    for (name, n) in &run.tools {
        assert_eq!(count(&|row| is_tool(row) && rows.names.get(row) == *name), *n);
    }
    assert!(run.tools.len() <= MAX_TOOLS && run.tools.is_sorted_by(|a, b| a.1 >= b.1));
    if run.tools.len() < MAX_TOOLS {
        assert_eq!(run.tools.iter().map(|(_, n)| n).sum::<u64>(), count(&is_tool));
    }
    assert_eq!(u64::from(run.n_roots), count(&|row| rows.depths.get(row) == 0));
    let columns = &run.columns;
    let known = |column: &Column<f64>, row: u32| !column.get(row).is_nan();
    assert_eq!(columns.durations, count(&|row| known(&rows.durations_ms, row)) > 0);
    let has_tokens = |row: u32| known(&rows.tokens_in, row) || known(&rows.tokens_out, row);
    assert_eq!(columns.tokens, count(&has_tokens) > 0);
    let has_starts = count(&|row| known(&rows.starts_ms, row)) > 0;
    assert_eq!(columns.bars, has_starts && run.end_ms > run.start_ms);
}

fn check_nesting(outline: &Outline, from: u32, to: u32) {
    let rows = &outline.rows;
    let mut open: Vec<u32> = Vec::new();
    let mut n_children = std::collections::HashMap::new();
    for row in from..to {
        let depth = rows.depths.get(row);
        while open.last().is_some_and(|above| rows.nested.get(*above) + above < row) {
            open.pop();
        }
        let expected = u16::try_from(open.len()).unwrap_or(u16::MAX);
        assert_eq!(depth, expected, "depth of row {row}");
        let parent = open.last().copied();
        assert_eq!(rows.parents.get(row), parent.unwrap_or(NO_ROW), "parent of row {row}");
        let siblings = n_children.entry(parent).or_insert(0);
        *siblings += 1;
        assert_eq!(rows.positions.get(row), *siblings, "position of row {row}");
        assert!(row + rows.nested.get(row) < to, "nested rows of row {row}");
        open.push(row);
    }
    for row in from..to {
        let n = n_children.get(&Some(row)).copied().unwrap_or(0);
        assert_eq!(rows.children.get(row), n, "children of row {row}");
    }
}

/// The ids of all events that have a row. Events that became part of others have none.
pub fn event_ids(outline: &Outline) -> Vec<u32> {
    let ids = &outline.rows.ids;
    (0..ids.len()).map(|row| ids.get(row)).collect()
}

/// Opens a row and requests its summary. Both must exist, be small, and name valid positions.
pub fn check_event(opened: &mut Opened, id: u32) -> ShownDetail {
    let Response::Detail(detail) = opened.ask(&Request::Detail(id)) else { panic!("no detail") };
    assert_eq!(detail.id, id);
    assert!(!detail.blocks.is_empty(), "event {id} shows nothing");
    assert!(!detail.records.is_empty(), "event {id} stands nowhere");
    assert!(!detail.sel.is_empty(), "event {id} has no link");
    let size = encode(detail.as_ref()).len();
    assert!(size < MAX_DETAIL_BYTES, "the detail of event {id} has {size} bytes");
    let Response::Previews(previews) = opened.ask(&Request::Previews(vec![id])) else {
        panic!("no preview")
    };
    let (of, preview) = &previews[0];
    assert_eq!(*of, id);
    let preview = &preview.text;
    assert!(preview.chars().count() <= 262, "{} characters", preview.chars().count());
    assert!(!preview.contains(|char: char| char.is_control()), "{preview:?} is one line");
    *detail
}

/// Checks that the raw text of an event's records equals the file's bytes at the stated positions,
/// and that line numbers are right. `bytes` is the content of the first source.
pub fn check_raw(opened: &mut Opened, detail: &ShownDetail, bytes: &[u8]) {
    for record in &detail.records {
        assert_eq!(record.source, 0);
        let from = usize::try_from(record.start).unwrap();
        let to = from + record.len as usize;
        assert!(to <= bytes.len(), "{record:?} goes beyond the end");
        let before = memchr::memchr_iter(b'\n', &bytes[..from]).count();
        assert_eq!(record.line as usize, before + 1, "the line of byte {from}");
        let cut = Cut {
            source: record.source,
            start: record.start,
            len: record.len,
            form: CutForm::Raw,
            ..Cut::default()
        };
        let Response::More(9, shown) = opened.ask(&Request::More(cut, record.len, 9)) else {
            panic!("no raw text")
        };
        let expected = String::from_utf8_lossy(&bytes[from..to]).into_owned();
        assert_eq!(shown, Shown::text(expected, None), "the raw text at byte {from}");
    }
}

/// The bytes that a session stores under a handle.
pub fn stored(opened: &Opened, handle: u32) -> Vec<u8> {
    let handle = Handle(handle);
    let len = usize::try_from(opened.session.store().len(handle)).unwrap();
    opened.session.store().read(handle, 0, len).unwrap()
}
