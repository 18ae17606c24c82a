//! The brief of a run, with everything that the page requests for it.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use traceloupe_protocol::causes::Causes;
use traceloupe_protocol::detail::ShownDetail;
use traceloupe_protocol::messages::{Request, Response};
use traceloupe_view::brief::{Measured, Sources, brief, wanted};
use traceloupe_view::causes::errors;
use traceloupe_view::compactions::compactions;
use traceloupe_view::evidence::rows_to_ask;
use traceloupe_view::files_touched::{FilesTouched, put_back};
use traceloupe_view::finding_list::FindingList;
use traceloupe_view::longest::longest_call;
use traceloupe_view::outline::Outline;
use traceloupe_view::prices::{Costs, Prices};
use traceloupe_view::run_outcome::run_outcome;
use traceloupe_words::brief::Brief;

use super::Opened;

/// The list of prices that the page loads.
pub fn prices() -> Prices {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/public/prices.json");
    Prices::read(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// What is known of a run beside the outline.
pub struct Known {
    pub outline: Arc<Outline>,
    pub causes: Causes,
    pub files: FilesTouched,
    pub findings: FindingList,
}

/// Requests what the page requests for a run.
pub fn known(opened: &mut Opened, run: u32) -> Known {
    let outline = Arc::new(opened.outline().clone());
    let found = || outline.findings.iter().filter(|it| it.run == run);
    let rows = found().map(|it| it.mark).chain(rows_to_ask(found()));
    let ids = rows.map(|row| outline.rows.ids.get(row)).collect();
    let Response::Causes(causes) = opened.ask(&Request::Causes(run, ids)) else { panic!() };
    let mut files = FilesTouched { generation: 1, ..FilesTouched::default() };
    for answer in opened.session.answer(&Request::Files(run, 1)) {
        let Response::Files(batch) = answer else { panic!("another answer") };
        files.add(*batch);
    }
    let mut own = Vec::from_iter(longest_call(&outline, run));
    own.extend(errors(&outline, run, &causes));
    own.extend(compactions(&outline, run));
    own.extend(put_back(&outline, run, &files));
    let findings = FindingList::new(outline.clone(), run, own, &causes, &HashSet::new());
    Known { outline, causes: *causes, files, findings }
}

/// The content of an event.
pub fn detail(opened: &mut Opened, id: u32) -> Arc<ShownDetail> {
    let Response::Detail(detail) = opened.ask(&Request::Detail(id)) else { panic!() };
    Arc::new(*detail)
}

/// The brief of a run.
pub fn brief_of(opened: &mut Opened, run: u32, prices: Option<&Prices>) -> Brief {
    let known = known(opened, run);
    let Known { outline, causes, files, findings } = &known;
    let wanted = wanted(outline, run, files);
    let details: HashMap<u32, Arc<ShownDetail>> =
        wanted.details.iter().map(|id| (*id, detail(opened, *id))).collect();
    let Response::Previews(previews) = opened.ask(&Request::Previews(wanted.summaries)) else {
        panic!()
    };
    let summaries: HashMap<u32, String> =
        previews.into_iter().map(|(id, preview)| (id, preview.text)).collect();
    let line = &outline.runs[run as usize];
    let has_loops = findings.loud().iter().any(|it| !it.findings.is_empty());
    brief(&Sources {
        run,
        findings,
        causes,
        files,
        costs: &Costs::new(outline, prices),
        measured: &Measured::of_run(outline, run, prices),
        outcome: run_outcome(line, has_loops, 0.0),
        detail: &|id| details.get(&id).cloned(),
        summary: &|id| summaries.get(&id).cloned().unwrap_or_default(),
    })
}
