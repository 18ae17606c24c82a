//! LM Studio: a conversation of its chat, one JSON document.
//!
//! Read from the types of its SDK (<https://github.com/lmstudio-ai/lmstudio-js>) and from programs that read
//! conversations of versions 0.3 and 0.4; no real file was at hand. A message has all versions of it that were written
//! or generated: those that the chat does not show are rows as well, because they cost tokens, and are marked. An
//! answer consists of steps. Whatever follows a result is another LLM call, and so is a step with other token counts
//! than the one before. The only times are those of steps, as the first half of their ids.

use traceloupe_engine::prelude::*;

/// The format.
pub static LM_STUDIO: Described = Described {
    signs: &[Sign::certain(
        On::Items("messages"),
        "messages have `versions`, and one of them is `currentlySelected`",
        &[Test::List("versions"), Test::Has("currentlySelected")],
    )],
    lists: &["messages"],
    quiet: &[
        "currentlySelected",
        "versions.*.type|role",
        "versions.*.senderInfo.senderName",
        "versions.*.content.*.type",
        "versions.*.steps.*.type|stepIdentifier|callId|roleOverride",
        "versions.*.steps.*.defaultShouldIncludeInContext|shouldIncludeInContext|prefix|suffix",
        "versions.*.steps.*.style.type|ended",
        "versions.*.steps.*.content.*.type|callId|toolCallRequestId|name",
        "versions.*.steps.*.genInfo.identifier",
        "versions.*.steps.*.genInfo.stats.totalTimeSec|promptTokensCount|predictedTokensCount",
        "versions.*.steps.*.statusState.status.type|timeMs",
    ],
    ..Described::new(&catalog::LM_STUDIO, describe)
};

static COUNTS: Flavour = Flavour {
    input: &["promptTokensCount"],
    output: &["predictedTokensCount"],
    input_has_cached: true,
    ..Flavour::NONE
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if entry.is_document {
        return conversation(record, out);
    }
    let shown = record.get("currentlySelected").count().unwrap_or_default();
    for (number, version) in (0..).zip(record.get("versions").items()) {
        let first = out.items.len();
        match version.get("role").label().as_ref() {
            "user" => {
                said(What::User, version, out);
                if let Some(Part::Text(words)) = out.last().parts.first().cloned() {
                    out.run.titles.words = words;
                }
            }
            "system" => said(What::System, version, out),
            _ => answer(version, out),
        }
        if number != shown
            && let Some(item) = out.items.get_mut(first)
        {
            item.part(Part::Note("The chat shows another version of this message.".into()));
        }
    }
}

fn conversation<'a>(record: Json<'a>, out: &mut Description<'a>) {
    out.at(record.get("createdAt"));
    let run = out.run(Json::ABSENT);
    (run.titles.own, run.times.start) = (record.get("name"), time_of(record.get("createdAt")));
    run.models.name = record.get("lastUsedModel.identifier");
    run.times.end = time_of(record.get("assistantLastMessagedAt"));
    out.facts(
        record,
        &[
            (FactKind::Model, "lastUsedModel.identifier"),
            (FactKind::Other("Tokens"), "tokenCount"),
            (FactKind::Other("Plugins"), "plugins"),
        ],
    );
    out.event(EventKind::RunStart, "conversation");
    let settings = record.get("perChatPredictionConfig.fields");
    let is_prompt = |field: &Json<'_>| field.get("key").is("llm.prediction.systemPrompt");
    let prompt = settings.items().find(is_prompt).map(|field| field.get("value"));
    let mut prompts = vec![record.get("systemPrompt"), prompt.unwrap_or_default()];
    prompts.retain(|prompt| has_content(*prompt));
    if let Some(prompt) = prompts.pop() {
        out.item(What::System).text(prompt);
    }
}

/// The steps of a version. A version without steps is a single one.
fn steps(version: Json<'_>) -> Vec<Json<'_>> {
    match version.get("steps.0").is_given() {
        true => version.get("steps").items().collect(),
        false => vec![version],
    }
}

fn said<'a>(what: What, version: Json<'a>, out: &mut Description<'a>) {
    let steps = steps(version);
    let blocks = steps.iter().flat_map(|step| step.get("content").items());
    let item = out.item(what);
    item.parts = blocks.map(|block| part_of(block, false)).collect();
    item.value("As the model gets it", version.get("preprocessed"));
}

fn part_of(block: Json<'_>, is_thinking: bool) -> Part<'_> {
    match block.get("type").label().as_ref() {
        "text" if is_thinking => Part::Thinking(block.get("text")),
        "text" => Part::Text(block.get("text")),
        "file" => Part::Value(BlockRole::Named("File"), block),
        _ => Part::Value(BlockRole::Content, block),
    }
}

/// A model's response: LLM calls, with their tool calls and results between them.
fn answer<'a>(version: Json<'a>, out: &mut Description<'a>) {
    // The LLM call that is open, and the data about its generation.
    let (mut open, mut told) = (None, Json::ABSENT);
    let mut statuses = Vec::new();
    for step in steps(version) {
        let id = out.text(step.get("stepIdentifier"));
        let time = Json::new(id.split('-').next().unwrap_or_default());
        out.at(time);
        let kind = step.get("type").label();
        match kind.as_ref() {
            "contentBlock" | "singleStep" => {}
            "toolStatus" => {
                statuses.push(step);
                continue;
            }
            _ => {
                let item = out.bookkeeping(kind);
                match step.get("debugInfo").given() {
                    Some(words) => item.text(words),
                    None => item.value("Step", step),
                };
                if step.get("statusState.status").is("error") {
                    item.error(step.get("statusState.text"));
                }
                continue;
            }
        }
        let (content, info) = (step.get("content"), step.get("genInfo"));
        if info.is_given() && told.is_given() && told.raw() != info.raw() {
            open = None;
        }
        let mut begin = |out: &mut Description<'a>| {
            *open.get_or_insert_with(|| {
                let item = out.item(What::Model).joins(Joins::Nothing).begins(time_of(time));
                item.name = version.get("senderInfo.senderName").label();
                item.asks(content);
                told = Json::ABSENT;
                out.items.len() - 1
            })
        };
        let mut is_result = false;
        for block in content.items() {
            let id = block.any(&["callId", "toolCallRequestId", "toolCallId"]);
            let name = block.get("name");
            if block.get("type").is("toolCallResult") {
                let value = out.unpack(block.get("content"));
                let words = value.get("0.text");
                let is_words = words.is_given() && value.item(1).is_absent();
                let item = out.result(id, if is_words { words } else { value });
                item.name = name.label();
                is_result = true;
                continue;
            }
            let model = begin(out);
            if block.get("type").is("toolCallRequest") {
                let arguments = block.any(&["parameters", "arguments"]);
                out.asked_by(model, id, name, arguments)
                    .field("Plugin", block.get("pluginIdentifier"));
            } else {
                let is_thinking = step.get("style.type").is("thinking");
                out.nth(model).part(part_of(block, is_thinking));
            }
        }
        if info.is_given() && !is_result {
            let model = begin(out);
            told = info;
            generated(info, out.nth(model));
        }
        if is_result {
            (open, told) = (None, Json::ABSENT);
        }
    }
    for step in statuses {
        status(step, out);
    }
    if version.get("steps.0").is_absent() && version.get("content.0").is_absent() {
        out.item(What::Model).joins(Joins::Nothing);
    }
}

/// How a response was generated.
fn generated<'a>(info: Json<'a>, item: &mut Item<'a>) {
    let stats = info.get("stats");
    item.name = info.get("identifier").word().unwrap_or(std::mem::take(&mut item.name));
    item.usage(COUNTS.read(stats))
        .took(seconds_ns(stats.get("totalTimeSec").number()))
        .fields(
            stats,
            &[
                ("Stop reason", "stopReason"),
                ("Tokens per second", "tokensPerSecond"),
                ("Time to first token in seconds", "timeToFirstTokenSec"),
            ],
        )
        .value("Settings of the prediction", info.get("predictionConfig.fields"))
        .value("Settings of the model", info.get("loadModelConfig.fields"));
    match stats.get("stopReason").label().as_ref() {
        "userStopped" => item.status(Status::Cancelled),
        "failed" | "modelUnloaded" => item.status(Status::Failed),
        _ => item,
    };
}

/// The outcome of a call.
fn status<'a>(step: Json<'a>, out: &mut Description<'a>) {
    let status = step.get("statusState.status");
    let kind = status.get("type").label();
    let item = out.update(step.get("callId"));
    item.took(millis_ns(status.get("timeMs")))
        .field("Status", step.get("statusState.customStatus"))
        .value("Warnings", step.get("statusState.customWarnings"));
    match kind.as_ref() {
        "toolCallSucceeded" => item.status(Status::Ok),
        "toolCallDenied" => item.status(Status::Rejected).field("Reason", status.get("denyReason")),
        "toolCallFailed" | "toolCallGenerationFailed" => {
            item.status(Status::Failed).error(status.get("error"))
        }
        _ => item,
    };
    item.name = kind;
}
