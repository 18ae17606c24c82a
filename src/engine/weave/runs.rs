//! Determines which run a record belongs to, and collects the run's data from its records: title, times, status, facts.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::{Weave, agents};
use crate::Record;
use crate::kit::{Description, Reach, Records, RunInfo, Series, Titles, What};
use traceloupe_core::injected_context::{after_context, is_prompt_of_program, task_of};
use traceloupe_core::json::{Json, Kind};
use traceloupe_core::model::{
    Fact, LaneId, Run, RunCounts, RunId, RunStatus, TraceBuilder, key_hash,
};
use traceloupe_core::visible_text;

/// The run that records belong to.
pub(super) struct OpenRun {
    pub(super) key: Rc<str>,
    pub(super) id: RunId,
    pub(super) main: LaneId,
    pub(super) model: String,
    /// Whether it is the run of a sub-agent without any known event.
    pub(super) is_new_agent: bool,
    /// Whether its key was generated because no record names the run.
    is_nameless: bool,
    has_events: bool,
    /// The agents that have reached the end of the run.
    over: FxHashSet<u64>,
}

/// A key for the agent of a record within its run.
fn agent_key(info: &RunInfo<'_>) -> u64 {
    key_hash(&[&info.agent.id().label()])
}

impl OpenRun {
    /// Records data about the end of the run.
    pub(super) fn note(&mut self, info: &RunInfo<'_>, has_events: bool) {
        self.has_events |= has_events;
        if info.agent.has_ended {
            self.over.insert(agent_key(info));
        }
    }

    /// Whether a record belongs to the next run, if its id does not show it.
    fn is_before(&self, description: &Description<'_>) -> bool {
        let info = &description.run;
        let works =
            || description.items.iter().any(|it| matches!(it.what(), What::Model | What::Call));
        let is_over = || !self.over.is_empty() && works() && self.over.contains(&agent_key(info));
        info.records == Records::Next && self.has_events || is_over()
    }
}

impl Weave {
    /// A key that no other source has: the key with the path of this source, if the key is taken. With `is_next`, it
    /// must also differ from the keys of other runs of this source.
    fn own_key(&mut self, key: String, is_next: bool, out: &TraceBuilder) -> String {
        match (self.own.contains(&key), out.has_run(self.format, &key)) {
            (true, true) if is_next => format!("{key}, run {}", self.n_runs + 1),
            (true, _) => key,
            (false, true) => format!("{key} of {}", out.path(self.source)),
            (false, false) => {
                self.own.insert(key.clone());
                key
            }
        }
    }

    pub(super) fn open_run(
        &mut self,
        record: &Record<'_>,
        description: &Description<'_>,
        out: &mut TraceBuilder,
    ) {
        let info = &description.run;
        if info.reach == Reach::Source && self.run.is_some() {
            return;
        }
        let is_next = self.run.as_ref().is_none_or(|run| run.is_before(description));
        let source = self.source.index();
        let word = info.key.word();
        let is_nameless = word.is_none();
        let key = match word {
            // Nearly all records belong to the same run as the previous one.
            Some(key) if !is_next && self.run.as_ref().is_some_and(|run| *run.key == *key) => None,
            Some(key) => Some(key.into_owned()),
            None if info.records == Records::Itself => {
                Some(format!("record {source} {}", record.start))
            }
            None if !is_next => None,
            None if self.n_runs == 0 => Some(format!("source {source}")),
            None => Some(format!("source {source}, run {}", self.n_runs + 1)),
        };
        let key = key.map(|key| match info.reach {
            Reach::File => self.own_key(key, is_next, out),
            Reach::Everywhere | Reach::Source => key,
        });
        if info.records == Records::EarlierToo
            && let (Some(key), Some(run)) = (&key, &mut self.run)
            && run.is_nameless
            && out.rename_run(run.id, key)
        {
            (run.key, run.is_nameless) = (key.as_str().into(), false);
        }
        if let Some(key) = key.filter(|key| self.run.as_ref().is_none_or(|run| *run.key != **key)) {
            let id = out.run(self.format, &key);
            let is_new_agent = info.origin.started_by.is_given();
            let main = out.lane(id, if is_new_agent { &key } else { "" });
            if is_new_agent {
                agents::name_lane(main, info.agent.name, out);
            }
            if info.records == Records::Itself {
                out.run_mut(id).record = Some(record.place().span);
                self.n_own += 1;
            }
            self.n_runs += 1;
            self.run = Some(OpenRun {
                key: key.into(),
                id,
                main,
                model: self.model_of_all.clone(),
                is_new_agent,
                is_nameless,
                has_events: false,
                over: FxHashSet::default(),
            });
        }
        self.set_model(info);
        let Some(run) = &self.run else { return };
        describe(run.id, info, out);
        let run = out.run_mut(run.id);
        match info.titles.series {
            Series::All(word) => {
                let number = self.n_own.saturating_sub(1);
                run.title.get_or_insert_with(|| format!("{word} {number}"));
            }
            Series::Further(word) if self.n_runs > 1 => {
                run.title.get_or_insert_with(|| format!("{word} {}", self.n_runs));
            }
            Series::Further(_) | Series::None => {}
        }
        // If lines are runs of their own, the file is a data set.
        let is_line = info.records == Records::Itself;
        let ahead = self.ahead.drain(..).map(|fact| match is_line {
            true => Fact { kind: fact.kind.of_data_set(), ..fact },
            false => fact,
        });
        run.facts.extend(ahead);
    }

    pub(super) fn set_model(&mut self, info: &RunInfo<'_>) {
        if let (Some(run), Some(model)) = (&mut self.run, info.models.name.word()) {
            run.model = model.into_owned();
        }
        if let Some(model) = info.models.of_all.word() {
            self.model_of_all = model.into_owned();
        }
    }
}

/// Whether a title is only a command to the program, such as `/model`, or a prompt of the program itself.
fn is_command(title: &str) -> bool {
    let name = title.strip_prefix('/');
    is_prompt_of_program(title)
        || name.is_some_and(|name| {
            name.bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':'))
        })
}

/// A line without the marks of a heading in Markdown.
fn unmarked(line: &str) -> &str {
    let line = line.trim();
    let words = line.trim_start_matches('#');
    // `#12` and `#!/bin/sh` are no headings.
    if words.len() < line.len() && words.starts_with(' ') { words.trim_start() } else { line }
}

/// Whether a heading only says that a task follows: `## Task description`.
fn is_generic_heading(heading: &str) -> bool {
    const WORDS: [&str; 16] = [
        "background",
        "context",
        "description",
        "goal",
        "instruction",
        "instructions",
        "issue",
        "objective",
        "overview",
        "problem",
        "prompt",
        "question",
        "request",
        "scenario",
        "statement",
        "task",
    ];
    heading.split_whitespace().all(|word| {
        WORDS.iter().any(|known| known.eq_ignore_ascii_case(word.trim_end_matches(':')))
    })
}

/// The first line of a text that has content, cut to the maximum length of a title. `text` may contain tags of
/// programs. `None` if it contains only text that a program added.
fn headline(text: &str) -> Option<String> {
    const MAX_CHARS: usize = 100;
    // The first text may be a whole document.
    const MAX_BYTES: usize = 64 << 10;
    let text = after_context(text).unwrap_or(text);
    let text = text.get(..text.floor_char_boundary(MAX_BYTES)).unwrap_or(text);
    let text = task_of(text).unwrap_or(text);
    let (words, is_added) = visible_text::text_and_origin(text);
    if is_added {
        return None;
    }
    let lines = words.lines().map(|line| (line, unmarked(line))).filter(|(_, it)| !it.is_empty());
    let is_heading = |(line, words): (&str, &str)| {
        line.trim_start().starts_with('#') && is_generic_heading(words)
    };
    let said = lines.clone().find(|it| !is_heading(*it));
    let (_, line) = said.or_else(|| lines.clone().next())?;
    Some(match line.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or(line).trim_end()),
        None => line.to_owned(),
    })
}

/// The rank of a title, from the least informative to the most: the program, a name that many runs have, an agent, the
/// text of the user, the name of the run.
const SHARED_NAME: u8 = 1;
const AGENT_NAME: u8 = 2;
const WORDS: u8 = 3;
const OWN_NAME: u8 = 4;

/// Adds a record's data about its run. The first title is kept, and the last end counts.
fn describe(id: RunId, info: &RunInfo<'_>, out: &mut TraceBuilder) {
    let has_agents = !info.totals.usage_of_models.is_empty()
        && out.trace().lanes().iter().filter(|lane| lane.run == id).count() > 1;
    let run = out.run_mut(id);
    run.is_by_start |= info.times.order_rows;
    count(run, info);
    let is_known = |is_known: bool| info.gives_way && is_known;
    let Titles { own, words, agent, request, service, .. } = info.titles;
    // The user's text, or an agent, is a better title than a name that many runs have.
    let is_common =
        |name: &str| visible_text::is_request(name) || visible_text::is_generic_name(name);
    let own_rank = match own.word().is_some_and(|name| is_common(&name)) {
        true => SHARED_NAME,
        false => OWN_NAME,
    };
    let mut names = [(own, own_rank), (agent, AGENT_NAME), (request, SHARED_NAME), (service, 0)];
    // Hardly a record names its run.
    if names.iter().any(|(name, _)| name.is_given()) {
        names.sort_by_key(|(_, rank)| std::cmp::Reverse(*rank));
    }
    let named = names.into_iter().find_map(|(name, rank)| Some((name.word()?, rank)));
    // The words of the same record say more than a name that many runs have.
    let named = named.filter(|(_, rank)| {
        *rank >= WORDS || words.word().is_none_or(|words| headline(&words).is_none())
    });
    if let Some((title, rank)) = named.filter(|_| !is_known(run.title.is_some())) {
        // If titles have the same rank, the first one is kept, but for names of the run itself the last one counts.
        if run.title.is_none() || rank > run.title_rank || rank == OWN_NAME {
            (run.title, run.title_rank) =
                (Some(visible_text::visible_text(&title).into_owned()), rank);
        }
    } else if (run.title_rank < WORDS || run.title_rank == WORDS && run.title.as_deref().is_none_or(is_command))
        && let Some(words) = words.word()
        // Text that a program added is not a title, because the user's text follows it. A command is kept only if there
        // is no other text.
        && let Some(line) = headline(&words)
    {
        (run.title, run.title_rank) = (Some(line), WORDS);
    }
    if let Some(status) = info.status
        && (status != RunStatus::Running || run.status == RunStatus::Unknown)
        && !is_known(!matches!(run.status, RunStatus::Unknown | RunStatus::Running))
    {
        run.status = status;
    }
    if info.times.start.is_known() && !run.start.is_known() {
        run.start = info.times.start;
    }
    if info.times.end.is_known() {
        run.end = info.times.end;
    }
    if info.times.duration.is_known() && !is_known(run.duration.is_known()) {
        run.duration = info.times.duration;
    }
    run.context_window = info.models.context_window.or(run.context_window);
    (run.score, run.verdict) = match info.gives_way {
        true => (run.score.or(info.grade.score), run.verdict.or(info.grade.verdict)),
        false => (info.grade.score.or(run.score), info.grade.verdict.or(run.verdict)),
    };
    let totals = &info.totals;
    if !totals.usage.is_empty() {
        let is_part = has_agents || !run.usage.is_empty();
        let whole = totals.usage_of_models;
        run.usage = if is_part && !whole.is_empty() { whole } else { totals.usage };
    }
    run.groups.extend(
        info.about.groups.items().take(MAX_GROUPS).filter_map(|it| Some(it.word()?.into())),
    );
    for note in info.about.notes.iter().take(MAX_NOTES) {
        if run.notes.len() < MAX_NOTES && !run.notes.contains(note) {
            run.notes.push(note.clone());
        }
    }
    for (kind, value) in &info.about.growing {
        let value = fact_of(*value);
        if value.is_empty() {
            continue;
        }
        let fact = Fact::new(kind.to_owned(), value);
        match run.facts.iter_mut().find(|known| known.kind == fact.kind) {
            Some(known) => known.value = fact.value,
            None => run.facts.push(fact),
        }
    }
    for (kind, value) in &info.about.facts {
        // Some producers repeat the same facts in every record.
        if run.facts.iter().any(|known| known.kind.is(kind)) {
            continue;
        }
        let value = fact_of(*value);
        if !value.is_empty() {
            run.facts.push(Fact::new(kind.to_owned(), value));
        }
    }
}

/// Adds the producer's counts.
fn count(run: &mut Run, info: &RunInfo<'_>) {
    let (known, told) = (run.counts, info.totals.counts);
    let (first, second) = if info.gives_way { (known, told) } else { (told, known) };
    run.counts = RunCounts {
        llm_calls: first.llm_calls.or(second.llm_calls),
        tool_calls: first.tool_calls.or(second.tool_calls),
        errors: first.errors.or(second.errors),
        loop_warnings: first.loop_warnings.or(second.loop_warnings),
    };
}

/// How many notes about a run are kept.
const MAX_NOTES: usize = 20;

/// How many groups around a run are kept.
const MAX_GROUPS: usize = 16;

/// A fact as text: a list of words is joined with spaces, anything else is as written. A long value is cut.
pub(super) fn fact_of(value: Json<'_>) -> String {
    const MAX_CHARS: usize = 4_000;
    let words = || value.items().map(Json::word).collect::<Option<Vec<_>>>();
    let fact = match (value.word(), value.kind()) {
        (Some(word), _) => word,
        (None, Kind::Array) => words().map_or(value.raw().into(), |words| words.join(" ").into()),
        (None, Kind::Object | Kind::Bool) => value.raw().into(),
        _ => "".into(),
    };
    match fact.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", fact.get(..end).unwrap_or(&fact)),
        None => fact.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_what_was_asked() {
        let cases = [
            ("## Task\n\nMend the mast", "Mend the mast"),
            ("# Scenario task:\nMend the mast", "Mend the mast"),
            ("# Task\n\n## Task Description\n\nMend the mast", "Mend the mast"),
            ("# Mend the mast\n\nIt leans", "Mend the mast"),
            ("#12 leans", "#12 leans"),
            ("Task", "Task"),
            ("## Task", "Task"),
            (
                "I've uploaded a repository. Consider the following PR description:\n\nMend it\n\nCan you help",
                "Mend it",
            ),
            ("In <issue/> brackets:\n<issue>\nIt leans\n</issue>", "It leans"),
            ("# Selected text:\n\na\n\n## My request for Codex:\nMend it", "Mend it"),
        ];
        for (text, expect) in cases {
            assert_eq!(headline(text).as_deref(), Some(expect), "{text}");
        }
        for text in ["", "# Context from my IDE setup:\n", "<environment_context>x"] {
            assert_eq!(headline(text), None, "{text}");
        }
    }
}
