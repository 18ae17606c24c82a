//! Google's Agent Development Kit: sessions, and events as its server streams them.
//!
//! Read from sessions of its own tests and samples (December 2024 and April 2025) and from its documentation
//! (<https://google.github.io/adk-docs/events/>). Python writes `invocation_id`, the server `invocationId`.
//!
//! A session is a run. An event of an agent is one LLM call with the calls that it requests, or the results of calls;
//! partial events are pieces of the whole event that follows them. Events without content change the state. Agents that
//! work in a `branch` of their own have lanes; the name of any other is shown with its event.

use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::content::Role;
use traceloupe_engine::tokens::GEMINI;

/// The format.
pub static GOOGLE_ADK: Described = Described {
    signs: &[
        Sign::certain(On::Items("events"), WHY, EVENT),
        Sign::record(WHY, EVENT),
        Sign::record(
            "the document is a session with the name of its app",
            &[
                Test::HasOne(&["app_name", "appName"]),
                Test::HasOne(&["user_id", "userId"]),
                Test::List("events"),
            ],
        ),
    ],
    lists: &["events"],
    quiet: &["timestamp|partial|modelVersion|model_version", "content.role"],
    ..Described::new(&catalog::GOOGLE_ADK, describe)
};

const WHY: &str = "events have an invocation's id and an `author`";
const EVENT: &[Test] = &[
    Test::HasOne(&["invocation_id", "invocationId"]),
    Test::Text("author"),
    Test::HasOne(&["content.parts", "actions", "options", "timestamp", "errorCode", "error_code"]),
];

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if entry.is_document {
        return session(record, out);
    }
    out.at(record.get("timestamp"));
    if record.get("author").is_absent() {
        // The members after the events of a session.
        return out.nothing();
    }
    event(record, out);
}

fn session<'a>(session: Json<'a>, out: &mut Description<'a>) {
    out.run(session.get("id"));
    let labels = [
        ("App", "app_name"),
        ("App", "appName"),
        ("User", "user_id"),
        ("User", "userId"),
        ("Agent", "current_agent_name"),
    ];
    out.facts(session, &labels);
    let app = session.any(&["app_name", "appName", "current_agent_name", "id"]);
    out.event(EventKind::RunStart, "session")
        .summary(app)
        .value(BlockRole::State, session.any(&["state", "context"]));
}

/// Facts about an event beyond its content.
const ABOUT: &[(FactKind<&str>, &str)] = &[
    (FactKind::Branch, "branch"),
    (FactKind::Other("Finish reason"), "finish_reason"),
    (FactKind::Other("Finish reason"), "finishReason"),
    (FactKind::Other("Transfer to agent"), "actions.transfer_to_agent"),
    (FactKind::Other("Transfer to agent"), "actions.transferToAgent"),
    (FactKind::Other("Escalate"), "actions.escalate"),
    (FactKind::Other("Interrupted"), "interrupted"),
];

fn event<'a>(event: Json<'a>, out: &mut Description<'a>) {
    let content = event.get("content");
    let author = event.get("author").label();
    let branch = event.get("branch");
    if branch.word().is_some_and(|branch| branch.contains('.')) {
        out.run.agent.is(branch);
        out.run.agent.name = event.get("author");
    }
    let role = content.get("role").label();
    let role = match content::role(&role) {
        Role::User | Role::Tool => "user",
        _ if author == "user" => "user",
        _ => "model",
    };
    let has_parts = content.get("parts.0").is_given();
    let is_partial = event.get("partial").is_true();
    if has_parts {
        content::message_of_role(role, content, Joins::Neighbours, out);
    }
    // Transcripts of speech, in live sessions.
    let heard = event.any(&["input_transcription.text", "inputTranscription.text"]);
    if heard.is_given() {
        out.item(What::User).text(heard);
    }
    let said = event.any(&["output_transcription.text", "outputTranscription.text"]);
    if said.is_given() {
        out.model(vec![Part::Text(said)], Joins::Neighbours);
    }
    if author == "user" && role == "user" {
        out.run.titles.words = content::first_words(content);
    }
    let delta = event.any(&["actions.state_delta", "actions.stateDelta", "options.update_context"]);
    let error = event.any(&["error_message", "errorMessage"]);
    let code = event.any(&["error_code", "errorCode"]);
    if out.items.is_empty() {
        match error.is_given() || code.is_given() {
            true => drop(out.event(EventKind::Error, "error")),
            false => drop(out.event(EventKind::State, "state").summary(delta)),
        }
    }
    let calls = out.find(What::Model);
    if let Some(item) = calls {
        if is_partial {
            pieces(item);
        }
        item.ends(!is_partial);
        item.name = event.any(&["model_version", "modelVersion"]).label();
        let counts = event.any(&["usage_metadata", "usageMetadata"]);
        // Partial events have running counts.
        if !is_partial {
            item.tokens(&GEMINI, counts);
        }
    }
    let Some(item) = out.items.first_mut() else { return };
    if author != "user" {
        item.field("Agent", event.get("author"));
    }
    item.fields(event, ABOUT).value(BlockRole::State, delta);
    if code.is_given() || error.is_given() {
        item.part(Part::Error(code, error, Json::ABSENT));
        item.status(Status::Failed).ending.error = code.label().into();
    }
}

/// Turns the text of a partial event into pieces: the whole text follows in another event.
fn pieces(item: &mut Item<'_>) {
    for part in &mut item.parts {
        *part = match part {
            Part::Text(text) => Part::piece(PieceOf::Text, *text),
            Part::Thinking(text) => Part::piece(PieceOf::Thinking, *text),
            _ => continue,
        };
    }
}
