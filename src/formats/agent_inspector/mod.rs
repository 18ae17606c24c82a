//! Agent Inspector: a list of `llm_request`, `tool_call` and `mcp` elements, as FlashInfer-Bench
//! described it from June to August 2025.
//!
//! Read: a JSON array of elements, elements as JSON lines, and the wrappers `{"trace": […]}` and
//! `{"elements": […]}`; the names that the project's own inspector took (`model_name`, `llm_output`,
//! `tool_calls` beside the conversation, all of them also under `data`). One file is one run. Each
//! element is one event, in the order of the file; there are no times unless a producer adds them.
//!
//! Nothing links a `tool_call` to the request that asked for it: they are paired by id where one is
//! there, else by name, arguments and order ([`asked`]). A paired call is nested in its request and
//! has the place of the asked call as its second record, whence its id. Agents are told apart by the
//! beginning of their conversation, model, system prompt and annotation ([`agents`]); each has a lane.

mod agents;
mod asked;
mod detail;
mod element;
mod reader;
mod reply;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use super::{EventRecords, Format, Probe, ProbeRecord, Reader, Verdict};
use crate::catalog;
use crate::input::SplitAt;
use crate::model::{Detail, SourceId};

/// The format of Agent Inspector.
#[derive(Clone, Copy, Debug)]
pub struct AgentInspector;

const ID: &str = "agent-inspector";

/// The lists that wrap elements.
const WRAPPERS: [&str; 2] = ["trace", "elements"];

impl Format for AgentInspector {
    fn id(&self) -> &'static str {
        catalog::AGENT_INSPECTOR.id
    }

    fn name(&self) -> &'static str {
        catalog::AGENT_INSPECTOR.name
    }

    fn sniff(&self, probe: &Probe<'_>) -> Verdict {
        let mut best = Verdict::No;
        for record in probe.records {
            let wrapped = WRAPPERS.iter().flat_map(|list| record.list(list, 10));
            let verdicts = wrapped.map(|item| claim(&item)).chain([claim(record)]);
            for verdict in verdicts {
                if verdict.rank() > best.rank() {
                    best = verdict;
                }
            }
        }
        best
    }

    fn reader(&self, source: SourceId) -> Box<dyn Reader> {
        Box::new(reader::ElementReader::new(source))
    }

    fn split(&self, beginning: &ProbeRecord<'_>) -> SplitAt {
        let is_list = |list: &&&str| {
            beginning.list(list, 1).first().is_some_and(|item| claim(item).rank() > 0)
        };
        let list = WRAPPERS.iter().find(is_list).copied();
        list.map_or(SplitAt::NotYet, |list| SplitAt::List(Cow::Borrowed(list)))
    }

    fn detail(&self, event: &EventRecords<'_>, out: &mut Detail) {
        detail::detail(event, out);
    }
}

/// How sure one element makes us.
fn claim(element: &ProbeRecord<'_>) -> Verdict {
    let data = element.object("data");
    let has = |key: &str| element.has(key) || data.as_ref().is_some_and(|data| data.has(key));
    match element.str("type") {
        Some("llm_request") if ["conversation", "llm_output"].into_iter().any(has) => {
            Verdict::Certain("elements of type `llm_request` have a `conversation`".to_owned())
        }
        Some("llm_request") => Verdict::Likely("elements have the type `llm_request`".to_owned()),
        Some("tool_call") if has("tool_name") && (has("arguments") || has("cli_output")) => {
            Verdict::Certain(
                "elements of type `tool_call` have `tool_name` and `arguments`".to_owned(),
            )
        }
        Some("tool_call") if has("tool_name") => {
            Verdict::Likely("elements of type `tool_call` have a `tool_name`".to_owned())
        }
        Some("mcp") => Verdict::Maybe("elements have the type `mcp`".to_owned()),
        _ => Verdict::No,
    }
}
