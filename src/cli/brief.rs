//! The brief of a run, with all that has to be requested for it.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use traceloupe_protocol::causes::Causes;
use traceloupe_protocol::detail::ShownDetail;
use traceloupe_protocol::messages::{Request, Response};
use traceloupe_session::Session;
use traceloupe_session::store::Store;
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

/// What is known of a run beside the outline.
#[derive(Debug, Default)]
pub struct Known {
    /// What its findings are about, and why events failed.
    pub causes: Causes,
    /// The files that its calls name.
    pub files: FilesTouched,
    /// Its findings.
    pub findings: FindingList,
}

/// Requests what the page requests for a run.
pub fn known<S: Store>(session: &mut Session<S>, outline: &Arc<Outline>, run: u32) -> Known {
    let found = || outline.findings.iter().filter(|it| it.run == run);
    let rows = found().map(|it| it.mark).chain(rows_to_ask(found()));
    let ids = rows.map(|row| outline.rows.ids.get(row)).collect();
    let mut known = Known {
        files: FilesTouched { generation: 1, ..FilesTouched::default() },
        ..Known::default()
    };
    for response in session.answer(&Request::Causes(run, ids)) {
        if let Response::Causes(causes) = response {
            known.causes = *causes;
        }
    }
    for response in session.answer(&Request::Files(run, 1)) {
        if let Response::Files(batch) = response {
            known.files.add(*batch);
        }
    }
    let Known { causes, files, .. } = &known;
    let mut own = Vec::from_iter(longest_call(outline, run));
    own.extend(errors(outline, run, causes));
    own.extend(compactions(outline, run));
    own.extend(put_back(outline, run, files));
    known.findings = FindingList::new(outline.clone(), run, own, causes, &HashSet::new());
    known
}

/// The brief of a run. It may have ended at any time before, so a run without an end is never called running.
pub fn brief_of<S: Store>(
    session: &mut Session<S>,
    outline: &Outline,
    run: u32,
    known: &Known,
    (costs, prices): (&Costs, Option<&Prices>),
) -> Brief {
    let Some(line) = outline.runs.get(run as usize) else { return Brief::default() };
    let wanted = wanted(outline, run, &known.files);
    let mut details: HashMap<u32, Arc<ShownDetail>> = HashMap::new();
    for id in wanted.details {
        for response in session.answer(&Request::Detail(id)) {
            if let Response::Detail(detail) = response {
                details.insert(id, Arc::new(*detail));
            }
        }
    }
    let summaries = previews(session, wanted.summaries);
    let has_loops = known.findings.loud().iter().any(|it| !it.findings.is_empty());
    brief(&Sources {
        run,
        findings: &known.findings,
        causes: &known.causes,
        files: &known.files,
        costs,
        measured: &Measured::of_run(outline, run, prices),
        outcome: run_outcome(line, has_loops, f64::NAN),
        detail: &|id| details.get(&id).cloned(),
        summary: &|id| summaries.get(&id).cloned().unwrap_or_default(),
    })
}

/// The summaries of events, by id.
pub(crate) fn previews<S: Store>(session: &mut Session<S>, ids: Vec<u32>) -> HashMap<u32, String> {
    let mut texts = HashMap::new();
    for response in session.answer(&Request::Previews(ids)) {
        if let Response::Previews(previews) = response {
            texts.extend(previews.into_iter().map(|(id, preview)| (id, preview.text)));
        }
    }
    texts
}
