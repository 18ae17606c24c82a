//! Amp: the files of its threads.
//!
//! Read from code that reads such threads and from a short one; Amp's documentation only mentions that its server
//! stores them (ampcode.com/manual). A thread is a document with messages, whose blocks are those of Anthropic's API,
//! with results under `run`. A message of the assistant is one LLM call, with its token counts.

use traceloupe_engine::prelude::*;
use traceloupe_engine::tokens::CONVERSE;

/// The format.
pub static AMP: Described = Described {
    signs: &[Sign::record(
        "the document is a thread: its id begins with `T-`, and it has messages",
        &[Test::Starts("id", "T-"), Test::HasOne(&["v", "created"]), Test::List("messages")],
    )],
    lists: &["messages"],
    has_messages: true,
    quiet: &[
        "v|created|role|messageId",
        "meta.sentAt",
        "usage.model|timestamp",
        "content.*.signature|complete",
        "content.*.run.status",
    ],
    ..Described::new(&catalog::AMP, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    out.at(record.any(&["usage.timestamp", "meta.sentAt", "created"]));
    if entry.is_document {
        out.run(record.get("id")).titles.own = record.get("title");
        out.facts(
            record,
            &[
                (FactKind::Folder, "env.initial.cwd"),
                (FactKind::Other("Workspace"), "env.initial.trees.0.uri"),
                (FactKind::Other("Platform"), "env.initial.platform.client"),
                (FactKind::Version, "env.initial.platform.clientVersion"),
                (FactKind::Other("Mode"), "agentMode"),
            ],
        );
        out.event(EventKind::RunStart, "thread").summary(record.get("title"));
        return;
    }
    let summary = record.get("content.0.summary");
    if record.get("role").is("info") && summary.is_given() {
        let words = summary.get("summary").or(summary);
        out.event(EventKind::Compaction, "compaction").text(words);
        return;
    }
    content::said(record, Joins::Nothing, out);
    for item in &mut out.items {
        if let (What::Result, Some(Part::Result(result))) = (item.what(), item.parts.first()) {
            item.exit(result.get("exitCode"));
        }
    }
    if let Some(item) = out.find(What::Model) {
        let usage = record.get("usage");
        item.name(usage.get("model"))
            .tokens(&CONVERSE, usage)
            .field("Stop reason", record.get("state.stopReason"));
        match record.get("state.type").label().as_ref() {
            "cancelled" => drop(item.status(Status::Cancelled)),
            "error" => drop(item.status(Status::Failed).error(record.get("state.error"))),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    #[test]
    fn a_summary_is_a_compaction() {
        let info = r#"{"role":"info","messageId":4,"content":[{"type":"summary","summary":{"type":"message","summary":"Two ropes are left."}}]}"#;
        let read = read(&AMP, &[&[info]]);
        assert_eq!(read.outline(), ["compaction compaction"]);
        assert_eq!(read.summary(0), r#""Two ropes are left.""#);
    }
}
