//! Facts about a run from its records: title, directory, branch, versions, models.

use super::link_keys;
use crate::tolerant::Raw;
use crate::wire::Envelope;
use traceloupe_core::model::{EventId, Fact, FactKind, RunId, TraceBuilder};
use traceloupe_core::visible_text;

/// A title is cut at this many characters.
const MAX_TITLE_CHARS: usize = 120;
/// A fact is cut at this many bytes.
const MAX_VALUE_BYTES: usize = 500;
/// How many different values of one fact are kept.
const MAX_VALUES: usize = 16;

/// The source of a title, the better ones first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TitleRank {
    /// `ai-title`.
    Ai,
    /// `custom-title`.
    Custom,
    /// A summary whose leaf is in the run.
    OwnSummary,
    /// The first message of the user.
    UserText,
    /// The first slash command, if there is no other user message.
    Command,
    /// A summary in the run's file whose leaf is elsewhere: usually that of another session.
    OtherSummary,
    /// The first prompt of a sub-agent, where the main agent's file is missing.
    AgentPrompt,
}

const RANKS: [(TitleRank, &str); 7] = [
    (TitleRank::Ai, "ai"),
    (TitleRank::Custom, "custom"),
    (TitleRank::OwnSummary, "own-summary"),
    (TitleRank::UserText, "user-text"),
    (TitleRank::Command, "command"),
    (TitleRank::OtherSummary, "other-summary"),
    (TitleRank::AgentPrompt, "agent-prompt"),
];

/// A `summary` record.
pub(super) struct SummaryTitle {
    pub(super) text: String,
    /// Key of the last record of the conversation that the summary is about.
    pub(super) leaf: u64,
}

/// The facts of the run that were seen last, so that each record costs only a comparison.
#[derive(Default)]
pub(super) struct RunInfo {
    cwd: String,
    branch: String,
    version: String,
    model: String,
    is_labelled: bool,
    summaries: Vec<(SummaryTitle, EventId)>,
}

impl RunInfo {
    /// Reads the facts of a record.
    pub(super) fn see(&mut self, env: &Envelope<'_>, run: RunId, out: &mut TraceBuilder) {
        see_fact(&mut self.cwd, env.cwd, FactKind::Folder, run, out);
        see_fact(&mut self.branch, env.git_branch, FactKind::Branch, run, out);
        see_fact(&mut self.version, env.version, FactKind::Version, run, out);
        if !self.is_labelled {
            self.is_labelled = true;
            // A mark of iFlow: the session ids of Claude Code are bare UUIDs.
            if env.session_id.text().is_some_and(|id| id.starts_with("session-")) {
                add_fact(run, "Written by".into(), "iFlow", out);
            }
        }
    }

    /// Reads the model of an LLM call.
    pub(super) fn see_model(&mut self, model: Raw<'_>, run: RunId, out: &mut TraceBuilder) {
        see_fact(&mut self.model, model, FactKind::Model, run, out);
    }

    /// Stores a summary; whether it belongs to this run is known only after the file has been read.
    pub(super) fn offer_summary(&mut self, summary: SummaryTitle, event: EventId) {
        if self.summaries.len() < MAX_VALUES {
            self.summaries.push((summary, event));
        }
    }

    /// Assigns the summaries to their runs.
    pub(super) fn finish(&mut self, run: RunId, run_key: &str, out: &mut TraceBuilder) {
        for (summary, event) in self.summaries.drain(..) {
            let leaf = out
                .bound_late(summary.leaf)
                .and_then(|leaf| out.trace().event(leaf))
                .map(|leaf| leaf.run);
            match leaf {
                Some(owner) if owner != run => {
                    let key = out.trace().run(owner).map(|run| run.key.clone());
                    let key = key.unwrap_or_default();
                    offer_title(TitleRank::OwnSummary, &summary.text, owner, &key, event, out);
                }
                Some(_) => {
                    offer_title(TitleRank::OwnSummary, &summary.text, run, run_key, event, out);
                }
                None => {
                    offer_title(TitleRank::OtherSummary, &summary.text, run, run_key, event, out);
                }
            }
        }
    }
}

/// Offers a title for a run. The best rank wins. Within one rank, the latest title wins if the producer sets it anew
/// (`ai-title`, `custom-title`, `summary`); among user messages, the first one wins.
pub(super) fn offer_title(
    rank: TitleRank,
    text: &str,
    run: RunId,
    run_key: &str,
    event: EventId,
    out: &mut TraceBuilder,
) {
    if !takes_title(rank, run_key, out) {
        return;
    }
    let title = one_line(&visible_text::visible_text(text));
    if title.is_empty() {
        return;
    }
    if let Some((_, name)) = RANKS.iter().find(|(known, _)| *known == rank) {
        out.bind(link_keys::title(run_key, name), event);
    }
    out.run_mut(run).title = Some(title);
}

/// Whether a title of this rank would become that of the run.
pub(super) fn takes_title(rank: TitleRank, run_key: &str, out: &TraceBuilder) -> bool {
    let stays = matches!(rank, TitleRank::UserText | TitleRank::Command | TitleRank::AgentPrompt);
    for (better, name) in RANKS {
        let is_taken = out.bound(link_keys::title(run_key, name)).is_some();
        if is_taken && (better != rank || stays) {
            return false;
        }
        if better == rank {
            break;
        }
    }
    true
}

/// A text as a title: on one line, cut at [`MAX_TITLE_CHARS`].
pub(super) fn one_line(text: &str) -> String {
    let mut line = String::new();
    let mut n_chars = 0;
    for word in text.split_whitespace() {
        if n_chars > 0 {
            line.push(' ');
            n_chars += 1;
        }
        for c in word.chars() {
            if n_chars == MAX_TITLE_CHARS {
                line.push('…');
                return line;
            }
            line.push(c);
            n_chars += 1;
        }
    }
    line
}

fn see_fact(seen: &mut String, raw: Raw<'_>, kind: FactKind, run: RunId, out: &mut TraceBuilder) {
    let Some(json) = raw.json() else { return };
    if seen == json {
        return;
    }
    seen.clear();
    seen.push_str(json);
    if let Some(text) = raw.filled() {
        add_fact(run, kind, &text, out);
    }
}

/// Reads the cost of the run so far, in dollars. The latest amount counts.
pub(super) fn see_cost(dollars: &str, run: RunId, out: &mut TraceBuilder) {
    let facts = &mut out.run_mut(run).facts;
    facts.retain(|fact| fact.kind != FactKind::Cost);
    facts.push(Fact::new(FactKind::Cost, dollars.to_owned()));
}

fn add_fact(run: RunId, kind: FactKind, value: &str, out: &mut TraceBuilder) {
    let value = value.get(..value.floor_char_boundary(MAX_VALUE_BYTES)).unwrap_or(value);
    let facts = &mut out.run_mut(run).facts;
    let fact = Fact::new(kind, value.to_owned());
    if facts.contains(&fact) {
        return;
    }
    if facts.iter().filter(|known| known.kind == fact.kind).count() < MAX_VALUES {
        facts.push(fact);
    }
}
