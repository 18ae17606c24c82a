//! Bot Framework and Microsoft 365 Agents: transcripts of conversations, as lists of activities.
//!
//! Read from the producer's documentation (github.com/microsoft/botframework-sdk, `specs/botframework-activity` and
//! `specs/transcript`) and activities of the Emulator and of Copilot Studio. A message of the bot is an LLM call,
//! though nothing states whether a model wrote it. Everything else that bots and channels send (typing, events, traces,
//! members that join) is bookkeeping. Copilot Studio has numbers for roles, keeps its activities in an object, and
//! reports the work of its tools as events: a step of a plan is triggered, gets its arguments, and is finished.

use traceloupe_engine::prelude::*;

/// The format.
pub static BOT_FRAMEWORK: Described = Described {
    signs: &[
        // Activities as the specification has them.
        Sign::certain(
            On::Within(&["activities"]),
            "activities have a `type`, a sender in `from`, and a `channelId`",
            &[
                Test::Texts(&["type", "channelId"]),
                Test::Object("from"),
                Test::HasOne(&["conversation.id", "recipient.id", "replyToId"]),
            ],
        ),
        studio(On::Items("activities")),
        Sign::certain(
            On::Items("Activities"),
            "the document has `Activities` with a `Type` and a sender in `From`",
            &[Test::Text("Type"), Test::Object("From"), Test::HasOne(&["Timestamp", "ChannelId"])],
        ),
        // Activities as Dataverse stores them.
        Sign::record(IN_TEXT, &[Test::Starts("value.0.content", ACTIVITIES)]),
        Sign::record(IN_TEXT, &[Test::Starts("content", ACTIVITIES)]),
        Sign::record(IN_TEXT, &[Test::Starts("content", PASCAL_ACTIVITIES)]),
        // The beginning of a long document.
        Sign::record(
            "traces have a `valueType`, and the role of their sender in `from`",
            &[
                Test::OneOf("type", &["trace", "event"]),
                Test::Text("valueType"),
                Test::HasAll(&["from.role", "timestamp"]),
            ],
        ),
    ],
    lists: &["activities", "Activities", "value"],
    // The value of an activity may be a list.
    undivided: &["type", "Type"],
    quiet: &[
        "type|id|timestamp|localTimestamp|localTimezone|rawTimestamp|rawLocalTimestamp",
        "channelId|replyToId|locale|conversation|name|label|valueType|Id|ReplyToId|Conversation",
        "from.id|role",
        "recipient.id|role|name",
        "From.Id",
        "Recipient.Id",
        "value.taskDialogId|stepId|state",
    ],
    ..Described::new(&catalog::BOT_FRAMEWORK, describe)
};

const IN_TEXT: &str = "transcripts have their activities in a text, as Dataverse keeps them";
const ACTIVITIES: &str = "{\"activities\":[";
const PASCAL_ACTIVITIES: &str = "{\"Activities\":[";

/// Activities as Copilot Studio stores them, without the members that its channel adds.
const fn studio(on: On) -> Sign {
    let tests = &[Test::Text("type"), Test::HasAll(&["from.role", "timestamp", "id"])];
    Sign::certain(
        on,
        "the document has `activities` with a `type` and the role of their sender",
        tests,
    )
}

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let activity = entry.json;
    if entry.is_document {
        return out.nothing();
    }
    out.at(activity.any(TIMES));
    // Rows of Dataverse have a transcript as a text.
    let is_row = activity.any(&["type", "Type", "from", "From"]).is_absent();
    match is_row && activity.get("content").kind() == Kind::String {
        true => transcript(activity, out),
        false => self::activity(activity, out),
    }
}

/// Where an activity has its time.
const TIMES: &[&str] = &["timestamp", "localTimestamp", "Timestamp", "LocalTimestamp"];

/// The activities in the text of a row: a conversation.
fn transcript<'a>(row: Json<'a>, out: &mut Description<'a>) {
    let activities = out.unpack(row.get("content")).any(&["activities", "Activities"]);
    for activity in activities.items() {
        let first = out.items.len();
        self::activity(activity, out);
        let start = time_of(activity.any(TIMES));
        out.items.iter_mut().skip(first).for_each(|item| _ = item.starts(start));
    }
    out.run.records = Records::Itself;
    let id = row.get("conversationtranscriptid");
    if has_content(id) {
        out.run(id);
    }
}

fn activity<'a>(activity: Json<'a>, out: &mut Description<'a>) {
    let conversation = activity.any(&["conversation.id", "Conversation.Id"]);
    if has_content(conversation) {
        out.run(conversation);
    }
    let kind = activity.any(&["type", "Type"]).label();
    if kind != "message" {
        return other(&kind, activity, out);
    }
    let text = activity.any(&["text", "Text"]);
    if is_of_bot(activity) {
        let parts = if has_content(text) { vec![Part::Text(text)] } else { Vec::new() };
        out.model(parts, Joins::Nothing).asks(activity.any(&["attachments", "suggestedActions"]));
    } else {
        out.facts(
            activity,
            &[
                ("Channel", "channelId"),
                ("Bot", "recipient.name"),
                ("User", "from.name"),
                ("Locale", "locale"),
                ("Channel", "ChannelId"),
                ("Bot", "Recipient.Name"),
                ("User", "From.Name"),
            ],
        );
        if out.run.titles.words.is_absent() {
            out.run.titles.words = text;
        }
        out.item(What::User).text(text);
    }
    let item = out.last();
    if text.is_absent() || !has_content(text) {
        item.summary(activity.any(&["speak", "attachments", "value", "suggestedActions"]));
    }
    item.value(BlockRole::Attachments, activity.get("attachments"))
        .value("Suggested actions", activity.get("suggestedActions"))
        .value("Value", activity.get("value"));
}

/// Whether the bot sent a message: by the role of its sender or its recipient. Without roles a reply is the bot's.
fn is_of_bot(activity: Json<'_>) -> bool {
    let role = |paths| activity.any(paths).label();
    let (from, to) =
        (role(&["from.role", "From.Role"]), role(&["recipient.role", "Recipient.Role"]));
    match (from.as_ref(), to.as_ref()) {
        ("bot" | "skill" | "0", _) | ("", "user") => true,
        ("", "") => {
            has_content(activity.any(&["replyToId", "ReplyToId"]))
                || activity.any(&["from.name", "From.Name"]).is("Bot")
        }
        _ => false,
    }
}

/// An activity that is not a message.
fn other<'a>(kind: &str, activity: Json<'a>, out: &mut Description<'a>) {
    let value = activity.any(&["value", "Value"]);
    let what = activity.any(&["valueType", "name", "ValueType", "Name"]);
    let named = what.label();
    let step = value.get("stepId");
    let item = match named.as_ref() {
        "DynamicPlanStepTriggered" => {
            out.call(step, value.get("taskDialogId"), Json::ABSENT).text(value.get("thought"));
            return;
        }
        "DynamicPlanStepBindUpdate" => {
            out.update(step).part(Part::Arguments(value.get("arguments"))).name("arguments");
            return;
        }
        "DynamicPlanStepFinished" => {
            out.result(step, value.get("observation")).outcome(value.get("state"));
            return;
        }
        "DynamicPlanStepBlocked" => {
            let error = value.get("messageBlockedError");
            out.result(step, Json::ABSENT).error(error).status(Status::Failed)
        }
        "ErrorTraceData" | "DynamicServerError" => {
            let (code, words) =
                (value.any(&["errorCode", "reasonCode"]), value.get("errorMessage"));
            out.event(EventKind::Error, code).status(Status::Failed).part(Part::Error(
                code,
                words,
                Json::ABSENT,
            ))
        }
        _ if kind == "trace" && named.ends_with("/schemas/error") => {
            out.event(EventKind::Error, "error").error(value)
        }
        _ => {
            let name = activity.any(&["label", "name", "valueType", "Label", "Name", "ValueType"]);
            out.bookkeeping(kind.to_owned()).summary(name.or(value)).value("Value", value)
        }
    };
    item.fields(activity, &[("Name", "name"), ("Label", "label"), ("Type of value", "valueType")]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::sniff;
    use traceloupe_engine::Verdict;

    #[test]
    fn the_beginning_of_a_long_transcript_is_enough() {
        let first = r#"{"valueType":"ConversationInfo","type":"trace","timestamp":1775589131,"from":{"role":0},"value":{}}"#;
        assert!(matches!(sniff(&BOT_FRAMEWORK, "x", &[first]), Verdict::Certain(_)));
    }
}
