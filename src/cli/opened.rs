//! Opened files: a session with its trace, and what is made of it.

use std::collections::HashMap;
use std::sync::Arc;

use traceloupe_protocol::file_selection::left_out_ending;
use traceloupe_protocol::messages::{EntryLine, Input, OpenRequest, Problem, Response};
use traceloupe_protocol::outline::OutlineHead;
use traceloupe_session::Session;
use traceloupe_session::store::{Handle, Store};
use traceloupe_view::assembly::Assembly;
use traceloupe_view::file_title::title_of;
use traceloupe_view::outline::Outline;
use traceloupe_view::prices::{Costs, Prices};
use traceloupe_view::static_summary::{MAX_ROWS, StaticSummary};
use traceloupe_words::brief::{Brief, brief_html, brief_markdown};
use traceloupe_words::command::further_runs;

use crate::brief::{Known, brief_of, known, previews};

/// How many bytes are read at a time.
const SLICE_BYTES: usize = 1 << 20;

/// How many runs have a brief in a report. Those of one run take a few kilobytes, and hosts limit summaries to a megabyte.
const MAX_BRIEFS: usize = 24;

/// Opened files.
#[derive(Debug)]
pub struct Opened<S> {
    session: Session<S>,
    outline: Arc<Outline>,
    prices: Option<Prices>,
    costs: Costs,
    title: String,
}

impl<S: Store> Opened<S> {
    /// Opens files, by their paths. `stored` gives a store that has them, with their handles; it is asked again if there are
    /// archives or databases, of which everything is read.
    ///
    /// # Errors
    /// If nothing can be shown.
    pub fn open(
        paths: &[String],
        stored: impl Fn() -> (S, Vec<Handle>),
        prices: Option<Prices>,
    ) -> Result<Self, Problem> {
        let title = title_of(&paths.iter().map(String::as_str).collect::<Vec<_>>());
        let mut entries = None;
        loop {
            let (store, handles) = stored();
            let input = |(path, handle): (&String, &Handle)| Input {
                path: path.clone(),
                len_bytes: store.len(*handle),
            };
            let inputs = paths.iter().zip(&handles).map(input).collect();
            let is_first = entries.is_none();
            let request = OpenRequest { inputs, entries: entries.take(), ..OpenRequest::default() };
            let mut session = Session::new(store, request);
            let mut chosen = Vec::new();
            for response in session.open_all(&handles, SLICE_BYTES) {
                match response {
                    Response::Outline(head) => return Ok(Self::of(session, *head, prices, title)),
                    Response::Failed(problem) => return Err(problem),
                    Response::Choose(path, lines) => chosen.extend(entries_of(&path, &lines)),
                    _ => {}
                }
            }
            if chosen.is_empty() || !is_first {
                return Err(Problem::NoEvents);
            }
            entries = Some(chosen);
        }
    }

    fn of(session: Session<S>, head: OutlineHead, prices: Option<Prices>, title: String) -> Self {
        let mut assembly = Assembly::new(head.clone());
        for response in session.rows(&head) {
            if let Response::Rows(rows) = response {
                assembly.append(&rows);
            }
        }
        let outline = Arc::new(assembly.finish());
        let costs = Costs::new(&outline, prices.as_ref());
        Self { session, outline, prices, costs, title }
    }

    /// The outline.
    #[must_use]
    pub fn outline(&self) -> &Outline {
        &self.outline
    }

    /// The title of the files.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The runs that are listed, by their indices.
    #[must_use]
    pub fn listed_runs(&self) -> Vec<u32> {
        let runs = (0..).zip(&self.outline.runs);
        runs.filter(|(_, run)| self.outline.is_listed(run)).map(|(at, _)| at).collect()
    }

    /// What is known of a run beside the outline.
    pub(crate) fn known(&mut self, run: u32) -> Known {
        known(&mut self.session, &self.outline, run)
    }

    /// The brief of a run of which everything is known.
    pub(crate) fn brief_with(&mut self, run: u32, known: &Known) -> Brief {
        let costs = (&self.costs, self.prices.as_ref());
        brief_of(&mut self.session, &self.outline, run, known, costs)
    }

    /// The brief of a run.
    pub fn brief(&mut self, run: u32) -> Brief {
        let known = self.known(run);
        self.brief_with(run, &known)
    }

    /// The runs of a report, the one that is shown first at its beginning, and how many more there are.
    fn reported_runs(&self) -> (Vec<u32>, u64) {
        let first = self.outline.run_to_read();
        let mut runs = self.listed_runs();
        let n_runs = runs.len();
        if let Some(at) = runs.iter().position(|run| *run == first) {
            runs.get_mut(..=at).unwrap_or_default().rotate_right(1);
        }
        runs.truncate(MAX_BRIEFS);
        (runs, n_runs.saturating_sub(MAX_BRIEFS) as u64)
    }

    /// The briefs of the runs as Markdown.
    pub fn markdown(&mut self) -> String {
        let (runs, n_more) = self.reported_runs();
        let mut briefs: Vec<String> =
            runs.into_iter().map(|run| brief_markdown(&self.brief(run))).collect();
        if n_more > 0 {
            briefs.push(format!("{}\n", further_runs(n_more)));
        }
        briefs.join("\n")
    }

    /// What a report shows without scripts, as HTML: the summary of the first run, and the briefs of the others.
    pub fn html(&mut self, title: &str) -> String {
        let (runs, n_more) = self.reported_runs();
        let mut html = String::new();
        for (at, run) in runs.into_iter().enumerate() {
            let brief = self.brief(run);
            html.push_str(&match at {
                0 => self.static_summary(run, title).html(&brief),
                _ => brief_html(&brief),
            });
        }
        if n_more > 0 {
            html.push_str(&format!("<p>{}</p>\n", further_runs(n_more)));
        }
        html
    }

    fn static_summary(&mut self, run: u32, title: &str) -> StaticSummary {
        let line = self.outline.runs.get(run as usize);
        let (first, n_rows) = line.map_or((0, 0), |run| (run.first_row, run.n_rows));
        let rows = (first..first + n_rows).take(MAX_ROWS);
        let ids = rows.map(|row| self.outline.rows.ids.get(row)).collect();
        let texts: HashMap<u32, String> = previews(&mut self.session, ids);
        let text = |id: u32| texts.get(&id).cloned().unwrap_or_default();
        StaticSummary::of_run(&self.outline, run, title, &text)
    }
}

/// The entries of an archive that may be traces.
fn entries_of<'a>(
    path: &'a str,
    lines: &'a [EntryLine],
) -> impl Iterator<Item = (String, u32)> + 'a {
    let is_read = move |line: &&EntryLine| {
        line.problem.is_none() && left_out_ending(&format!("{path}/{}", line.path)).is_none()
    };
    lines.iter().filter(is_read).map(|line| (path.to_owned(), line.index))
}
