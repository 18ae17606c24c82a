//! How often a rule is right, and what it misses.

use std::collections::BTreeMap;

use crate::judgements::{Facts, Judgements, Verdict, is_hit, session_of};
use crate::sessions::Found;

/// The counts of a rule.
#[derive(Clone, Copy, Default, Debug)]
pub struct Score {
    pub stuck: usize,
    pub debugging: usize,
    /// Neither: nothing to report, or a wrong statement.
    pub wrong: usize,
    pub unjudged: usize,
    /// Places where an agent is stuck, and those of them that the rule finds.
    pub loops: usize,
    pub hit: usize,
}

impl Score {
    /// The same with findings that nobody has judged counted as wrong.
    pub fn strict(self) -> Self {
        Self { wrong: self.wrong + self.unjudged, unjudged: 0, ..self }
    }

    /// Counts a finding.
    pub fn add(&mut self, verdict: Option<Verdict>) {
        match verdict {
            Some(Verdict::Stuck) => self.stuck += 1,
            Some(Verdict::Debugging) => self.debugging += 1,
            Some(Verdict::Clean | Verdict::Wrong) => self.wrong += 1,
            None => self.unjudged += 1,
        }
    }

    /// Counts a place where an agent is stuck.
    pub fn count_loop(&mut self, is_hit: bool) {
        self.loops += 1;
        self.hit += usize::from(is_hit);
    }

    /// The share of the judged findings that point at a stuck agent.
    pub fn precision(&self) -> f64 {
        share(self.stuck, self.judged())
    }

    /// The same with ordinary debugging.
    pub fn with_debugging(&self) -> f64 {
        share(self.stuck + self.debugging, self.judged())
    }

    pub fn recall(&self) -> f64 {
        share(self.hit, self.loops)
    }

    fn judged(&self) -> usize {
        self.stuck + self.debugging + self.wrong
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

/// The scores of all rules. A score has the name of its rule, or of a rule and a format.
#[derive(Default, Debug)]
pub struct Scores {
    pub by_name: BTreeMap<String, Score>,
    /// Sessions without any loop, and those of them with a warning.
    pub clean: [usize; 2],
    /// The same for the other sessions in which nobody found an agent that is stuck.
    pub others: [usize; 2],
    /// Those of them with a warning about something else than ordinary debugging.
    pub others_wrong: usize,
}

/// The rows of the table that are no single rule.
pub const LOUD: &str = "Traceloupe, loud";
pub const CRITICAL: &str = "Traceloupe, critical";

impl Scores {
    /// Adds what all rules found in a session.
    pub fn add(&mut self, facts: &Facts, known: &Judgements, ours: &[Found], others: &[Found]) {
        let session = session_of(&facts.file);
        let loud = || ours.iter().filter(|it| it.is_loud);
        let loops = known.loops(session);
        if loops.is_empty() {
            let of = match facts.label {
                Some(Verdict::Clean) => &mut self.clean,
                _ => &mut self.others,
            };
            of[0] += 1;
            of[1] += usize::from(loud().next().is_some());
            let is_clean = facts.label == Some(Verdict::Clean);
            let is_wrong =
                |it: &Found| known.of(facts, &it.calls, true) != Some(Verdict::Debugging);
            self.others_wrong += usize::from(!is_clean && loud().any(is_wrong));
        }
        let mut add = |name: String, found: Vec<&Found>, is_ours: bool, counts_missed: bool| {
            let score = self.by_name.entry(name).or_default();
            for it in &found {
                score.add(known.of(facts, &it.calls, is_ours));
            }
            if counts_missed {
                for place in &loops {
                    score.count_loop(found.iter().any(|it| is_hit(*place, &it.calls)));
                }
            }
        };
        add(LOUD.to_owned(), loud().collect(), true, true);
        add(format!("{LOUD}, {}", facts.format), loud().collect(), true, true);
        add(CRITICAL.to_owned(), loud().filter(|it| it.is_critical).collect(), true, true);
        let mut rules: Vec<&str> = loud().map(|it| it.rule.as_str()).collect();
        rules.sort_unstable();
        rules.dedup();
        for rule in rules {
            let found = loud().filter(|it| it.rule == rule).collect();
            add(format!("{LOUD}, {rule}"), found, true, false);
        }
        for name in crate::other_rules::NAMES {
            let found = others.iter().filter(|it| it.rule == name).collect();
            add(name.to_owned(), found, false, true);
        }
    }
}
