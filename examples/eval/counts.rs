//! Calls and failed calls, beside those that the independent reader of `facts.json` counted.
//!
//! The reader leaves out web searches, which the provider runs, and takes every refused or stopped call, and every search
//! that found nothing, for a failed one. Both are taken into account here. What differs nevertheless was read, and has a
//! reason in `tests/eval/counts.json`.

use std::path::Path;

use serde::Deserialize;

use crate::judgements::{Facts, session_of};
use crate::sessions::Session;
use traceloupe_core::model::CallOutcome;

/// A difference that was read.
#[derive(Debug, Deserialize)]
struct Known {
    /// The name of the session without its endings.
    session: String,
    /// Our failed calls less those of the reader.
    more_failed: i64,
    /// Why, in our own words.
    #[allow(dead_code, reason = "for those who read the file")]
    reason: String,
}

/// How many sessions have the same counts, and why the others differ.
#[derive(Debug, Default)]
pub struct Counts {
    known: Vec<Known>,
    sessions: u32,
    calls_equal: u32,
    calls_without_searches: u32,
    failed_equal: u32,
    failed_with_stopped: u32,
    failed_read: u32,
    unexplained: Vec<String>,
}

impl Counts {
    /// Nothing counted yet; with the differences that were read.
    pub fn new(path: &Path) -> Self {
        let known = std::fs::read(path).unwrap();
        Self { known: serde_json::from_slice(&known).unwrap(), ..Self::default() }
    }

    /// Compares one session.
    pub fn add(&mut self, facts: &Facts, session: &Session) {
        let count = |is: fn(CallOutcome) -> bool| {
            session.outcomes.iter().filter(|it| is(**it)).count() as i64
        };
        let calls = session.outcomes.len() as i64 - i64::from(facts.calls);
        let failed = count(CallOutcome::is_error) - i64::from(facts.errors);
        let stopped = count(CallOutcome::is_stopped);
        let no_match = count(|it| it == CallOutcome::NoMatch);
        let name = session_of(&facts.file);
        self.sessions += 1;
        match calls {
            0 => self.calls_equal += 1,
            more if more == i64::from(session.n_searches) => self.calls_without_searches += 1,
            more => self.unexplained.push(format!("{name}: {more} more calls")),
        }
        let read = || self.known.iter().any(|it| it.session == name && it.more_failed == failed);
        match -failed {
            0 => self.failed_equal += 1,
            less if (stopped..=stopped + no_match).contains(&less) => self.failed_with_stopped += 1,
            _ if read() => self.failed_read += 1,
            _ => self.unexplained.push(format!("{name}: {failed} more failed calls")),
        }
    }

    /// Prints the table.
    pub fn print(&self) {
        println!(
            "\n| Counts beside an independent reader, {} sessions | sessions |",
            self.sessions
        );
        println!("| --- | --- |");
        println!("| tool calls equal | {} |", self.calls_equal);
        println!("| more by web searches, which it leaves out | {} |", self.calls_without_searches);
        println!("| failed calls equal | {} |", self.failed_equal);
        println!(
            "| fewer by refused and stopped calls and empty searches | {} |",
            self.failed_with_stopped
        );
        println!("| failed calls differ, and were read | {} |", self.failed_read);
    }

    /// Sessions whose difference nothing explains.
    pub fn unexplained(&self) -> &[String] {
        &self.unexplained
    }
}
