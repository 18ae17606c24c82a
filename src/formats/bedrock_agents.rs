//! Amazon Bedrock Agents: the parts of a trace that `InvokeAgent` streams, one per line or in a list.
//!
//! Read from the API reference (<https://docs.aws.amazon.com/bedrock/latest/userguide/trace-events.html>) and the
//! service's published model, and from one recording of HTTP. A part is bare, below `trace` as in the stream, or reduced to
//! the content of its own `trace`. The prompt, the response and the rationale of a step share one `traceId`; so do a
//! call and its observation. A collaborator sometimes shares the id of a call with its supervisor, and has a session of
//! its own: it is an agent of the run.

use traceloupe_engine::prelude::*;

/// The format.
pub static BEDROCK_AGENTS: Described = Described {
    signs: &[
        traces(On::Within(LISTS)),
        Sign::certain(
            On::Within(LISTS),
            "parts have `agentId`, `sessionId` and a `trace`",
            &[
                Test::HasOne(&["agentId", "trace.agentId"]),
                Test::HasOne(&["sessionId", "trace.sessionId"]),
                Test::HasOne(&[
                    "trace.failureTrace",
                    "trace.guardrailTrace",
                    "trace.trace.failureTrace",
                    "trace.trace.guardrailTrace",
                ]),
            ],
        ),
    ],
    lists: LISTS,
    quiet: &[
        "agentId|agentAliasId|agentVersion|eventTime",
        "trace.agentId|agentAliasId|agentVersion|eventTime",
        "*.*.traceId|type|invocationType|foundationModel",
        "*.*.*.traceId|type|invocationType|foundationModel",
        "*.*.*.*.traceId|type|invocationType|foundationModel",
    ],
    ..Described::new(&catalog::BEDROCK_AGENTS, describe)
};

/// Where programs keep the parts.
const LISTS: &[&str] = &["completion", "traces", "trace", "events"];

/// The steps of a trace in which a model works.
const STEPS: &[&str] = &[
    "orchestrationTrace",
    "preProcessingTrace",
    "postProcessingTrace",
    "routingClassifierTrace",
    "customOrchestrationTrace",
];

const fn traces(on: On) -> Sign {
    const PATHS: &[&str] = &[
        "orchestrationTrace",
        "preProcessingTrace",
        "postProcessingTrace",
        "routingClassifierTrace",
        "trace.orchestrationTrace",
        "trace.preProcessingTrace",
        "trace.postProcessingTrace",
        "trace.routingClassifierTrace",
        "trace.trace.orchestrationTrace",
        "trace.trace.preProcessingTrace",
        "trace.trace.postProcessingTrace",
        "trace.trace.routingClassifierTrace",
    ];
    Sign::certain(on, "parts have a trace of Bedrock Agents", &[Test::HasOne(PATHS)])
}

const COUNTS: Flavour =
    Flavour { input: &["inputTokens"], output: &["outputTokens"], ..Flavour::NONE };

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if entry.is_document {
        out.run(record.get("sessionId"));
        let said = record.get("inputText");
        if !has_content(said) {
            return out.nothing();
        }
        out.user(said);
        return;
    }
    part(record, out);
}

/// A part of the stream of a response.
pub(super) fn part<'a>(record: Json<'a>, out: &mut Description<'a>) {
    let part = if record.get("trace.trace").is_given() { record.get("trace") } else { record };
    let trace = part.get("trace").or(part);
    out.at(part.get("eventTime"));
    let agent = part.get("collaboratorName");
    match has_content(agent) {
        // A collaborator has another session.
        true => out.run.agent.is_named(agent),
        false => {
            let facts = [
                (FactKind::Other("Agent"), "agentName"),
                (FactKind::Own("Agent id"), "agentId"),
                (FactKind::Other("Alias"), "agentAliasId"),
                (FactKind::Version, "agentVersion"),
            ];
            out.run(part.get("sessionId")).about.growing =
                facts.map(|(label, path)| (label, part.get(path))).to_vec();
        }
    }
    for step in STEPS {
        let step = trace.get(step);
        if step.is_given() {
            self::step(step, out);
        }
    }
    let failure = trace.get("failureTrace");
    if failure.is_given() {
        out.event(EventKind::Error, "failure")
            .error(failure.get("failureReason"))
            .field("Code", failure.get("failureCode"));
    }
    let guardrail = trace.get("guardrailTrace");
    if guardrail.is_given() {
        let action = guardrail.get("action");
        out.event(EventKind::Evaluation, "guardrail")
            .summary(action)
            .field("Action", action)
            .value(BlockRole::Input, guardrail.get("inputAssessments"))
            .value(BlockRole::Output, guardrail.get("outputAssessments"));
    }
    let chunk = record.get("chunk");
    if chunk.is_given() {
        out.note("answer").text(chunk.get("bytes")).value("Sources", chunk.get("attribution"));
    }
    let control = record.get("returnControl");
    if control.is_given() {
        out.note("control is returned").value("Calls", control.get("invocationInputs"));
    }
}

/// One value, or each of a list: programs that summarise a step write lists.
fn each<'a>(value: Json<'a>) -> impl Iterator<Item = Json<'a>> {
    let only = value.given().filter(|it| it.kind() == Kind::Object);
    only.into_iter().chain(value.items())
}

fn step<'a>(step: Json<'a>, out: &mut Description<'a>) {
    for input in each(step.get("modelInvocationInput")) {
        asked(input, out);
    }
    for output in each(step.get("modelInvocationOutput")) {
        let answer = out.unpack(output.any(&["rawResponse.content", "rawResponse"]));
        let metadata = output.get("metadata");
        let item = out.model(Vec::new(), joins(output));
        let thinking = output.get("reasoningContent.reasoningText.text");
        if thinking.is_given() {
            item.part(Part::Thinking(thinking));
        }
        if has_content(answer) {
            item.part(Part::Answer(answer));
        }
        item.tokens(&COUNTS, metadata.get("usage")).value("Read as", output.get("parsedResponse"));
        timed(metadata, item);
    }
    for rationale in each(step.get("rationale")) {
        out.thinking(rationale.get("text")).joins(joins(rationale));
    }
    for input in each(step.get("invocationInput")) {
        call(input, out);
    }
    for observation in each(step.get("observation")) {
        observed(observation, out);
    }
    let event = step.get("event.text");
    if event.is_given() {
        out.note("step").text(event);
    }
}

/// The input of a model: text, or a request in a text.
fn asked<'a>(input: Json<'a>, out: &mut Description<'a>) {
    let text = out.unpack(input.get("text"));
    let first = text.get("messages.0.content");
    if out.run.agent.id().is_absent() && first.kind() == Kind::String {
        // The parts of a message as Java prints them.
        let words = out.text(first);
        let only = words.strip_prefix("[{text=").and_then(|it| it.strip_suffix(", type=text}]"));
        out.run.titles.words = only.map_or(first, |it| out.string(it));
    }
    let settings = input.get("inferenceConfiguration").members();
    let settings: Vec<_> = settings.chain([("Step".into(), input.get("type"))]).collect();
    let item = out.model(vec![Part::Prompt(text)], joins(input));
    item.time.has_begun = item.time.start.is_known();
    item.name(input.get("foundationModel").label())
        .value(BlockRole::Instructions, text.get("system"))
        .value(BlockRole::Tools, text.get("tools"))
        .group("Parameters", settings);
}

/// All parts with the id of one step join one LLM call.
fn joins(of: Json<'_>) -> Joins<'_> {
    match of.get("traceId") {
        id if has_content(id) => Joins::Id(id),
        _ => Joins::Neighbours,
    }
}

fn timed<'a>(metadata: Json<'a>, item: &mut Item<'a>) {
    item.told(metadata).took(between(metadata.get("startTime"), metadata.get("endTime")));
    if !item.time.duration.is_known() {
        item.took(millis_ns(metadata.get("totalTimeMs")));
    }
}

/// The kinds of calls: their names, and the places of a call and its result.
const CALLS: [(&str, &str, &str); 4] = [
    ("action group", "actionGroupInvocationInput", "actionGroupInvocationOutput"),
    ("knowledge base", "knowledgeBaseLookupInput", "knowledgeBaseLookupOutput"),
    ("code interpreter", "codeInterpreterInvocationInput", "codeInterpreterInvocationOutput"),
    ("agent", "agentCollaboratorInvocationInput", "agentCollaboratorInvocationOutput"),
];

/// The id of a call: a step may have one of each kind.
fn id_of<'a>(of: Json<'a>, kind: &str, out: &Description<'a>) -> Json<'a> {
    match of.get("traceId").word() {
        Some(id) if !id.is_empty() => out.string(&format!("{id} {kind}")),
        _ => Json::ABSENT,
    }
}

fn call<'a>(input: Json<'a>, out: &mut Description<'a>) {
    for (kind, path, _) in CALLS {
        let call = input.get(path);
        if !call.is_given() {
            continue;
        }
        let id = id_of(input, kind, out);
        let agent = call.get("agentCollaboratorName");
        let name = call.any(&["function", "apiPath", "actionGroupName"]).or(agent);
        let name = if has_content(name) { name } else { out.string(kind) };
        let arguments = match kind {
            "action group" => parameters(call, out),
            "agent" => call.any(&["input.text", "input"]),
            "code interpreter" => call.get("code"),
            _ => call.get("text"),
        };
        let item = out.call(id, name, arguments).asked_by(AskedBy::Last);
        for path in ["parameters", "requestBody", "function", "apiPath"] {
            item.told(call.get(path));
        }
        if has_content(agent) {
            item.starts_agent(agent, agent);
        }
        item.fields(
            call,
            &[
                ("Action group", "actionGroupName"),
                ("Method", "verb"),
                ("Carried out by", "executionType"),
                ("Knowledge base", "knowledgeBaseId"),
            ],
        );
    }
}

/// The arguments of a call, which are a list of names, types and values.
fn parameters<'a>(call: Json<'a>, out: &Description<'a>) -> Json<'a> {
    let bodies = call.get("requestBody.content").members().map(|(_, body)| body);
    let all = std::iter::once(call.get("parameters")).chain(bodies);
    let pairs: Vec<_> = all
        .flat_map(|list| list.items())
        .filter(|it| it.get("name").is_given() && !it.get("value").is_absent())
        .map(|it| format!("{}:{}", it.get("name").raw(), it.get("value").raw()))
        .collect();
    if pairs.is_empty() { Json::ABSENT } else { out.json(&format!("{{{}}}", pairs.join(","))) }
}

fn observed<'a>(observation: Json<'a>, out: &mut Description<'a>) {
    for (kind, _, path) in CALLS {
        let output = observation.get(path);
        if !output.is_given() {
            continue;
        }
        let id = id_of(observation, kind, out);
        let value = output.any(&[
            "text",
            "output.text",
            "output",
            "retrievedReferences",
            "executionOutput",
            "executionError",
        ]);
        let value = out.unpack(value);
        let failed = output.get("executionError");
        let item = out.result(id, value);
        timed(output.get("metadata"), item);
        if output.get("executionTimeout").is_true() {
            item.status(Status::TimedOut);
        } else if has_content(failed) {
            item.status(Status::Failed);
        }
    }
    let answer = observation.get("finalResponse");
    if answer.is_given() {
        // The model's response has it, in the tags of the prompt.
        out.note("final response").text(answer.get("text"));
        if out.run.agent.id().is_absent() {
            out.run.status = Some(RunStatus::Ok);
        }
    }
    let again = observation.get("repromptResponse");
    if again.is_given() {
        out.note("asked again").text(again.get("text")).field("Because of", again.get("source"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{read, sniff};
    use traceloupe_engine::Verdict;

    #[test]
    fn steps_may_be_summed_up_and_lack_their_ids() {
        let step = r#"{"orchestrationTrace":{"modelInvocationInput":{"text":"Moor","traceId":""},"modelInvocationOutput":{"rawResponse":{"content":"I moor."},"metadata":{"usage":{"inputTokens":2,"outputTokens":3}},"traceId":""},"invocationInput":[{"actionGroupInvocationInput":{"actionGroupName":"ropes","function":"tie"}}],"observation":[{"actionGroupInvocationOutput":{"text":"tied"}},{"finalResponse":{"text":"Moored."}}]}}"#;
        assert!(matches!(sniff(&BEDROCK_AGENTS, "x", &[step]), Verdict::Certain(_)));
        let outline = read(&BEDROCK_AGENTS, &[&[step]]).outline();
        assert_eq!(outline, ["llm-call ", " tool-call tie", "note final response"]);
    }
}
