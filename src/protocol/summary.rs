//! AgentV's TraceSummary, for a run of any format.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use traceloupe_core::json::text::{ObjectText, list, quoted};
use traceloupe_core::model::{EventKind, RunId, Trace};

/// Counts of a run. A call together with its result is one event.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TraceSummary {
    /// Number of events.
    pub event_count: u64,
    /// Each tool that was called and how often, sorted by name.
    pub tool_calls_by_name: Vec<(String, u64)>,
    /// Number of failed events: failed calls and separate error events.
    pub error_count: u64,
}

impl TraceSummary {
    /// Summarizes a run in one pass over its events. The counts are exact and include all tools.
    #[must_use]
    pub fn of(trace: &Trace, run: RunId) -> Self {
        let mut summary = Self::default();
        let mut calls = BTreeMap::new();
        for event in trace.order(run).iter().filter_map(|id| trace.event(*id)) {
            summary.event_count += 1;
            summary.error_count += u64::from(event.is_error());
            if event.kind == EventKind::ToolCall {
                *calls.entry(trace.name(event.name)).or_default() += 1;
            }
        }
        summary.tool_calls_by_name =
            calls.into_iter().map(|(name, count)| (name.to_owned(), count)).collect();
        summary
    }

    /// The names of the tools, without duplicates, sorted.
    pub fn tool_names(&self) -> impl Iterator<Item = &str> {
        self.tool_calls_by_name.iter().map(|(name, _)| name.as_str())
    }

    /// The summary in AgentV's notation: with the keys of its design (`eventCount`) or of its files (`event_count`).
    /// Tool names are never changed.
    #[must_use]
    pub fn json(&self, spelling: Spelling) -> String {
        let [events, names, by_name, errors] = match spelling {
            Spelling::Camel => ["eventCount", "toolNames", "toolCallsByName", "errorCount"],
            Spelling::Snake => ["event_count", "tool_names", "tool_calls_by_name", "error_count"],
        };
        let listed: Vec<String> = self.tool_names().map(quoted).collect();
        let mut counts = ObjectText::new();
        for (name, count) in &self.tool_calls_by_name {
            counts = counts.raw(name, &count.to_string());
        }
        ObjectText::new()
            .raw(events, &self.event_count.to_string())
            .raw(names, &list(&listed))
            .raw(by_name, &counts.end())
            .raw(errors, &self.error_count.to_string())
            .end()
    }
}

/// How keys are spelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Spelling {
    /// `eventCount`.
    #[default]
    Camel,
    /// `event_count`.
    Snake,
}

#[cfg(test)]
mod tests {
    use super::*;
    use traceloupe_core::model::{CallOutcome, NewEvent, Place, SourceId, Span, TraceBuilder};

    #[test]
    fn every_tool_is_counted_and_sorted_by_name() {
        let mut out = TraceBuilder::new();
        let run = out.run("x", "r");
        let lane = out.lane(run, "");
        let span = Span { source: SourceId::from_index(0), start: 0, len: 1 };
        let place = Place { span, line: 1 };
        let mut push = |kind, name: &str, status| {
            let id = out.push(NewEvent { kind, run, lane, place });
            let name = out.name(name);
            let event = out.event_mut(id).unwrap();
            (event.name, event.status) = (name, status);
        };
        for at in (0..40).rev() {
            push(EventKind::ToolCall, &format!("tool_{at:02}"), CallOutcome::Ok);
        }
        push(EventKind::ToolCall, "tool_07", CallOutcome::Failed);
        push(EventKind::Error, "boom", CallOutcome::Unknown);
        push(EventKind::LlmCall, "model", CallOutcome::Ok);
        let summary = TraceSummary::of(&out.finish(), run);
        assert_eq!((summary.event_count, summary.error_count), (43, 2));
        assert_eq!(summary.tool_names().count(), 40);
        assert!(summary.tool_names().is_sorted());
        assert_eq!(summary.tool_calls_by_name[7], ("tool_07".to_owned(), 2));
    }

    #[test]
    fn both_spellings_of_the_keys() {
        let summary = TraceSummary {
            event_count: 4,
            tool_calls_by_name: vec![("readFile".to_owned(), 1), ("web_search".to_owned(), 2)],
            error_count: 0,
        };
        assert_eq!(
            summary.json(Spelling::Camel),
            r#"{"eventCount":4,"toolNames":["readFile","web_search"],"toolCallsByName":{"readFile":1,"web_search":2},"errorCount":0}"#
        );
        assert_eq!(
            summary.json(Spelling::Snake),
            r#"{"event_count":4,"tool_names":["readFile","web_search"],"tool_calls_by_name":{"readFile":1,"web_search":2},"error_count":0}"#
        );
    }
}
