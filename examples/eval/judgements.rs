//! What people found by reading: labels of whole sessions, and judgements of places in them.

use std::collections::HashMap;
use std::path::Path;

use serde::Deserialize;

/// What a place in a session shows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// An agent that repeats itself and gains nothing.
    Stuck,
    /// Real repetition, but ordinary work.
    Debugging,
    /// Nothing to report.
    Clean,
    /// The finding states what is not so.
    Wrong,
}

/// A judgement of a place.
#[derive(Clone, Debug, Deserialize)]
pub struct Judgement {
    /// The name of the session without its endings.
    pub session: String,
    /// The first and the last of the calls.
    pub calls: [u32; 2],
    pub judgement: Verdict,
    /// Why, in our own words.
    #[allow(dead_code, reason = "for those who read the file")]
    pub reason: String,
}

/// What the reader that shares no code with Traceloupe found in a session.
#[derive(Deserialize)]
pub struct Facts {
    pub file: String,
    pub format: String,
    pub calls: u32,
    pub errors: u32,
    pub label: Option<Verdict>,
    runs: Vec<Repeated>,
    cycles: Vec<Repeated>,
    fails: Vec<Repeated>,
    apart: Vec<Repeated>,
}

#[derive(Deserialize)]
struct Repeated {
    calls: Vec<u32>,
}

impl Facts {
    /// Whether a repetition that the reader found has calls in common with these.
    fn touches(&self, calls: &[u32]) -> bool {
        let all = [&self.runs, &self.cycles, &self.fails, &self.apart];
        all.into_iter().flatten().any(|it| it.calls.iter().any(|call| calls.contains(call)))
    }

    /// Whether the reader found any repetition.
    pub fn has_repetitions(&self) -> bool {
        [&self.runs, &self.cycles, &self.fails, &self.apart].into_iter().any(|it| !it.is_empty())
    }
}

/// All judgements, by session.
#[derive(Default)]
pub struct Judgements {
    by_session: HashMap<String, Vec<Judgement>>,
}

impl Judgements {
    pub fn read(path: &Path) -> Self {
        let list: Vec<Judgement> = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let mut all = Self::default();
        for it in list {
            all.by_session.entry(it.session.clone()).or_default().push(it);
        }
        all
    }

    /// The judgement of a place that has most calls in common with these.
    fn of_place(&self, session: &str, calls: &[u32]) -> Option<&Judgement> {
        let all = self.by_session.get(session)?.iter();
        all.filter(|it| is_hit(it.calls, calls)).max_by_key(|it| {
            let common = common(it.calls, calls);
            (common, u32::MAX - (it.calls[1] - it.calls[0]))
        })
    }

    /// The judgement of a finding: that of its place, or else the label of a session without loops. What a rule of
    /// another tool reports where nothing is repeated is no loop.
    pub fn of(&self, facts: &Facts, calls: &[u32], is_ours: bool) -> Option<Verdict> {
        if let Some(known) = self.of_place(session_of(&facts.file), calls) {
            return Some(known.judgement);
        }
        let is_plain = facts.label == Some(Verdict::Clean) || (!is_ours && !facts.touches(calls));
        is_plain.then_some(Verdict::Clean)
    }

    /// The places of a session where the agent is stuck. Places that touch are one.
    pub fn loops(&self, session: &str) -> Vec<[u32; 2]> {
        let all = self.by_session.get(session).into_iter().flatten();
        let stuck = all.filter(|it| it.judgement == Verdict::Stuck);
        let mut places: Vec<[u32; 2]> = stuck.map(|it| it.calls).collect();
        places.sort_unstable();
        places.dedup_by(|next, place| {
            let touches = next[0] <= place[1];
            if touches {
                place[1] = place[1].max(next[1]);
            }
            touches
        });
        places
    }
}

/// The name of a session: that of its file without endings.
pub fn session_of(file: &str) -> &str {
    file.split('.').next().unwrap_or(file)
}

fn common(place: [u32; 2], calls: &[u32]) -> usize {
    calls.iter().filter(|call| (place[0]..=place[1]).contains(*call)).count()
}

/// Whether calls are mostly in a place, or cover most of it.
pub fn is_hit(place: [u32; 2], calls: &[u32]) -> bool {
    let common = common(place, calls);
    let len = (place[1] - place[0] + 1) as usize;
    common > 0 && common * 2 >= calls.len().min(len)
}
