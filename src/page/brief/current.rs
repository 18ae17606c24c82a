//! The brief of the displayed run, once what it is made of has arrived.

use crate::app::handoff;
use crate::app::pane::Pane;
use crate::event::actions::want_detail;
use crate::reactive::{Memo, effect, memo};
use crate::runs::facts::loop_rows;
use crate::runs::files::want_files;
use crate::runs::finding_entries::found;
use crate::runs::outcome::outcome;
use crate::shared::Shared;
use crate::timeline::previews::want_also;
use traceloupe_view::brief::{Measured, Sources, brief, wanted};
use traceloupe_words::brief::{Brief, brief_markdown};
use traceloupe_words::page::brief as text;

/// The brief of the displayed run. Requests what it is made of.
pub fn current(pane: Pane) -> Memo<Shared<Brief>> {
    let statistics = pane.trace.statistics;
    let found = found(pane);
    // Requested again for another run, and when everything has been read.
    let asked = memo(move || (pane.run.get(), pane.trace.outline.with(|it| it.complete)));
    effect(move || want_files(pane.trace, asked.get().0));
    let wanted = memo(move || {
        let run = pane.run.get();
        pane.trace
            .outline
            .with(|outline| statistics.files.with(|files| wanted(outline, run, files)))
    });
    effect(move || {
        let wanted = wanted.get();
        wanted.details.into_iter().for_each(|id| want_detail(pane.trace, id));
        wanted.summaries.into_iter().for_each(|id| want_also(pane.trace, id));
    });
    let measured = memo(move || {
        let run = pane.run.get();
        let outline = pane.trace.outline.get();
        let prices = pane.page.prices.get();
        Shared::new(Measured::of_run(&outline, run, prices.as_deref()))
    });
    memo(move || {
        let run = pane.run.get();
        let findings = found.get();
        let (causes, files) = (statistics.causes.get(), statistics.files.get());
        let (costs, measured) = (pane.trace.costs.get(), measured.get());
        let outline = findings.outline();
        let has_loops = !loop_rows(outline, run).is_empty();
        let line = outline.runs.get(run as usize);
        let outcome = line.map(|line| outcome(line, has_loops, outline.is_live));
        let detail =
            |id: u32| pane.trace.contents.details.with(|known| known.get(&id).map(Shared::arc));
        Shared::new(brief(&Sources {
            run,
            findings: &findings,
            causes: &causes,
            files: &files,
            costs: &costs,
            measured: &measured,
            outcome: outcome.unwrap_or_default(),
            detail: &detail,
            summary: &|id| pane.trace.previews.text(id),
        }))
    })
}

/// Whether all texts of the brief of the displayed run have arrived.
pub fn has_arrived(pane: Pane) -> bool {
    let run = pane.run.get_untracked();
    let files = pane.trace.statistics.files;
    let wanted = pane.trace.outline.with_untracked(|outline| {
        files.with_untracked(|files| wanted(outline, run, files)).details
    });
    let details = pane.trace.contents.details;
    details.with_untracked(|known| wanted.iter().all(|id| known.contains_key(id)))
}

/// Copies a brief as Markdown.
pub fn copy_markdown(pane: Pane, brief: &Brief) {
    handoff::copy_report(pane.page, &brief_markdown(brief), text::BRIEF_COPIED);
}
