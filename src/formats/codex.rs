//! Codex CLI: the rollouts of its sessions, one JSON object per line.
//!
//! Read from the producer's protocol (github.com/openai/codex, `codex-rs/protocol`) and from sessions of versions 0.118
//! to 0.128; files of 2025 and of converters differ in details that are read as well. A line is `{timestamp, type,
//! payload}`, in the oldest files the payload alone. Messages are in the file twice, as an item of the API
//! (`response_item`) and as an event for the screen (`event_msg`): both become one row. Exit codes and durations of
//! commands are in events of their own, after the output. A forked session begins with the records of the original
//! session, including its `session_meta`. Sub-agents have rollouts of their own, which name the session that started
//! them; the call that started them names them in its output. `history.jsonl` beside the rollouts has the prompts of
//! all sessions.

use traceloupe_core::json::quoted;
use traceloupe_core::model::MaybeNs;
use traceloupe_core::visible_text::text_and_origin;
use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::content::Role;
use traceloupe_engine::shapes::exit_code;
use traceloupe_engine::tokens::OPENAI;

/// The format.
pub static CODEX: Described = Described {
    signs: &[
        Sign::record(
            "records have a `type` of Codex and an object `payload`",
            &[
                Test::OneOf(
                    "type",
                    &[
                        "session_meta",
                        "response_item",
                        "event_msg",
                        "turn_context",
                        "compacted",
                        "world_state",
                        "token_usage_record",
                        "history_mutation",
                    ],
                ),
                Test::Object("payload"),
            ],
        ),
        Sign::record(
            "there are `record_type` lines, as in rollouts of 2025",
            &[Test::Is("record_type", "state")],
        ),
        Sign::likely(
            On::Any,
            "prompts have `session_id`, `ts` and `text`",
            &[
                Test::Texts(&["session_id", "text"]),
                Test::Has("ts"),
                Test::Lacks("type"),
                Test::Lacks("role"),
            ],
        ),
        Sign::certain(
            On::First,
            "the document has a `session` and its `items`, as in the first rollouts",
            &[
                Test::Text("session.id"),
                Test::HasOne(&["session.timestamp", "session.cwd"]),
                Test::List("items"),
            ],
        ),
    ],
    lists: &["items"],
    quiet: &[
        "type|timestamp|name|record_type|encrypted_content",
        "payload.type|name|timestamp|turn_id|id|status",
        "payload.internal_chat_message_metadata_passthrough|encrypted_content",
        "payload.model_context_window",
        "payload.info.total_token_usage|model_context_window",
    ],
    hooks: Hooks { tells_twice: true, ..Hooks::NONE },
    ..Described::new(&catalog::CODEX, describe)
};

/// The tool that writes to a process and reads its output since the last read.
const LOOK_AGAIN: &str = "write_stdin";

/// The beginning of the output of a command that failed because of the sandbox (2025).
const IN_SANDBOX: &str = "failed in sandbox ";

/// The outcomes of calls that Codex states only by the beginning of their output.
const OUTCOMES: [(&str, Status); 20] = [
    ("Script completed", Status::Ok),
    ("Script failed", Status::Failed),
    ("Script terminated", Status::Cancelled),
    ("aborted", Status::Cancelled),
    ("apply_patch verification failed", Status::Failed),
    ("collab spawn failed", Status::Failed),
    ("exec_command failed", Status::Failed),
    ("write_stdin failed", Status::Failed),
    ("resources/list failed", Status::Failed),
    ("resources/read failed", Status::Failed),
    ("execution error:", Status::Failed),
    ("tool call error:", Status::Failed),
    ("unable to locate image", Status::Failed),
    (IN_SANDBOX, Status::Denied),
    ("failed to parse function arguments", Status::BadArguments),
    ("unsupported call:", Status::UnknownTool),
    ("unsupported custom tool call:", Status::UnknownTool),
    ("exec command rejected by user", Status::Rejected),
    ("patch rejected by user", Status::Rejected),
    ("rejected by user", Status::Rejected),
];

/// What precedes the reason why a command was not started. The command may have many lines.
const NOT_STARTED: &str = "`: CreateProcess { message: ";

/// The outcome of a command that was not started. The reason is a value of Codex as Rust prints it.
fn not_started(why: &str) -> Status {
    if why.contains("rejected by user") {
        Status::Rejected
    } else if ["Rejected(", "Sandbox(Denied"].iter().any(|it| why.contains(it)) {
        Status::Denied
    } else if why.contains("Sandbox(Timeout") {
        Status::TimedOut
    } else {
        Status::Failed
    }
}

/// The texts before and after a report on a sub-agent.
const NOTIFICATION: (&str, &str) = ("<subagent_notification>", "</subagent_notification>");

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    out.at(record.any(&["timestamp", "session.timestamp"]));
    out.run.origin.ordinal = record.get("ordinal").count();
    if entry.is_document {
        // Until summer 2025 a rollout was one document.
        return session(record.get("session"), out);
    }
    let payload = record.get("payload").or(record);
    let kind = record.get("type").label();
    if kind.is_empty() && record.get("ts").is_given() && record.get("text").is_given() {
        return prompt(record, out);
    }
    match kind.as_ref() {
        "session_meta" => session(payload, out),
        "turn_context" => {
            out.run.origin.turn = payload.get("turn_id");
            out.run.models.name = payload.get("model");
            out.bookkeeping("turn context").fields(
                payload,
                &[(FactKind::Model, "model"), (FactKind::Other("Effort"), "effort")],
            );
        }
        "event_msg" => event(payload, out),
        "compacted" => {
            let kept = content::messages(payload.get("replacement_history"));
            let item = out.event(EventKind::Compaction, "compaction").text(payload.get("message"));
            if !kept.is_empty() {
                item.part(Part::Messages(BlockRole::Named("Kept messages"), kept));
            }
        }
        "inter_agent_communication" => between_agents(payload, out),
        // Trae writes several items at once.
        "history_mutation" => {
            payload.get("items").items().for_each(|it| item(it, out));
            if out.items.is_empty() {
                out.bookkeeping("history");
            }
        }
        // Since autumn 2026 beside the event with the same counts, or in its place.
        "token_usage_record" => {
            let usage = payload.get("usage");
            out.usage(OPENAI.read(usage))
                .running_total(payload.get("thread_token_usage.total_tokens").count())
                .value(BlockRole::Usage, usage);
        }
        // The oldest rollouts have the item itself on the line, and begin with a line without a type.
        "" if record.get("record_type").is_given() => drop(out.bookkeeping("state")),
        "" if payload.get("role").is_absent() && payload.get("id").is_given() => {
            session(payload, out)
        }
        _ if record.get("payload").is_given() && payload.any(&["type", "role"]).is_absent() => {
            out.note(kind.replace('_', " "));
        }
        _ => item(payload, out),
    }
}

/// A line of `history.jsonl`: a user message of some session, which that session's rollout has as well.
fn prompt<'a>(record: Json<'a>, out: &mut Description<'a>) {
    let (id, text) = (record.get("session_id"), record.get("text"));
    let key = format!("{} (prompts)", id.label());
    out.run(out.string(&key)).titles.words = text;
    out.at(record.get("ts"));
    out.item(What::User).text(text).value("Session", id);
}

fn session<'a>(meta: Json<'a>, out: &mut Description<'a>) {
    let nickname = ["source.subagent.thread_spawn.agent_nickname", "agent_nickname"];
    let path = ["source.subagent.thread_spawn.agent_path", "agent_path"];
    let parent = meta.any(&["source.subagent.thread_spawn.parent_thread_id", "parent_thread_id"]);
    let run = out.run_of_source(meta.get("id"));
    run.titles.own = meta.any(&nickname);
    if run.titles.own.is_absent() && parent.is_given() {
        // Agents of summer 2026 have a path of names instead of a nickname.
        run.titles.own = meta.any(&path);
    }
    run.agent.name = run.titles.own;
    run.origin.started_by = parent;
    run.origin.own_from = meta.get("subagent_history_start_ordinal").count();
    // Since summer 2026 a fork may have its history only in the other file.
    if !meta.get("history_base").is_given() {
        run.origin.copied_from = meta.get("forked_from_id");
    }
    out.facts(
        meta,
        &[
            (FactKind::Folder, "cwd"),
            (FactKind::Version, "cli_version"),
            (FactKind::Provider, "model_provider"),
            (FactKind::Branch, "git.branch"),
            (FactKind::Other("Commit"), "git.commit_hash"),
            (FactKind::Other("Repository"), "git.repository_url"),
            (FactKind::Other("Started by"), "originator"),
            (FactKind::Other("Forked from"), "forked_from_id"),
        ],
    );
    out.event(EventKind::RunStart, "session")
        .summary(meta.get("cwd"))
        .value(BlockRole::Instructions, meta.any(&["base_instructions.text", "instructions"]));
}

/// An item of the Responses API.
fn item<'a>(item: Json<'a>, out: &mut Description<'a>) {
    let (id, kind) = (item.any(&["call_id", "id"]), item.get("type").label());
    match kind.as_ref() {
        "reasoning" => drop(out.thinking(item.any(&["summary", "content"]))),
        "web_search_call" => {
            ask(item, Json::ABSENT, Json::new("\"web_search\""), out).status(Status::Ok);
        }
        kind if kind.ends_with("_call") => {
            let name = quoted(kind.trim_end_matches("_call"));
            let name = item.get("name").or(out.json(&name));
            // Tools that the API runs itself have no separate output.
            let is_over = item.get("call_id").is_absent() && item.get("status").is("completed");
            let call = ask(item, id, name, out);
            if is_over {
                call.status(Status::Ok);
            }
        }
        kind if kind.ends_with("_output") => output(id, item.any(&["output", "tools"]), out),
        "agent_message" => between_agents(item, out),
        _ if item.get("role").is_given() => message(item, out),
        kind => drop(out.note(kind.to_owned())),
    }
}

/// A message of one agent to another.
fn between_agents<'a>(message: Json<'a>, out: &mut Description<'a>) {
    let item = out.item(What::System);
    item.parts = content::pieces(message.get("content"));
    item.fields(message, &[("From", "author"), ("To", "recipient")]);
}

/// A call that the model requested.
fn ask<'a, 'd>(
    item: Json<'a>,
    id: Json<'a>,
    name: Json<'a>,
    out: &'d mut Description<'a>,
) -> &'d mut Item<'a> {
    let arguments = item.any(&["arguments", "input", "action"]);
    let process = match name.is(LOOK_AGAIN) {
        true => out.unpack(arguments).get("session_id"),
        false => Json::ABSENT,
    };
    let call = out.ask(id, name, arguments).process(process);
    let asked_by = call.asking_item();
    if let Some(model) = asked_by.and_then(|at| out.items.get_mut(at)) {
        model.asks(item);
    }
    out.last()
}

/// A message. Codex describes the environment to the model in messages of the user.
fn message<'a>(message: Json<'a>, out: &mut Description<'a>) {
    let role = message.get("role").label();
    let first = content::first_words(message);
    if content::role(&role) == Role::User && report(first, out).is_some() {
        return;
    }
    let is_injected = is_injected(out.text(first));
    if content::role(&role) == Role::User && !is_injected {
        out.run.titles.words = first;
    }
    content::message(message, Joins::Neighbours, out);
    if content::role(&role) == Role::User && is_injected {
        for item in out.items.iter_mut().filter(|item| item.what() == What::User) {
            item.becomes(What::System);
        }
    }
}

/// A report on a sub-agent: its outcome and its last message. `None` if the text is anything else.
fn report<'a, 'd>(text: Json<'a>, out: &'d mut Description<'a>) -> Option<&'d mut Item<'a>> {
    let words = out.text(text).trim().strip_prefix(NOTIFICATION.0)?;
    let told = Json::new(words.strip_suffix(NOTIFICATION.1).unwrap_or(words).trim());
    let agent = told.any(&["agent_path", "agent_id"]).given()?;
    let status = told.get("status");
    let (word, last) = match status.members().next() {
        Some((word, last)) => (out.keep(&word), last),
        None => (out.text(status), Json::ABSENT),
    };
    let item = out.event(EventKind::Agent, word.replace('_', " "));
    item.of_agent(agent);
    match word {
        "completed" => item.status(Status::Ok).text(last),
        "errored" => item.name("failed").error(last).status(Status::Failed),
        "shutdown" => item.name("shut down").status(Status::Cancelled),
        "interrupted" => item.status(Status::Cancelled),
        _ => item.text(last),
    };
    if last.is_absent() {
        item.summary(Json::new("\"\""));
    }
    Some(item.field(FactKind::Own("Agent id"), agent))
}

/// Whether a message of the user was written by Codex.
fn is_injected(text: &str) -> bool {
    text_and_origin(text).1
}

/// A user message, or a message that the program writes in the user's name.
fn asked<'a>(message: Json<'a>, out: &mut Description<'a>) {
    if is_injected(out.text(message)) {
        out.item(What::System).text(message).again();
        return;
    }
    out.run.titles.words = message;
    out.item(What::User).text(message).again();
}

/// The output of a call: text that begins with the exit code and the time, an object with both, or parts.
fn output<'a>(id: Json<'a>, output: Json<'a>, out: &mut Description<'a>) {
    let inner = out.unpack(output);
    let (exit, seconds, words) = match inner.kind() {
        Kind::Object => {
            let about = inner.get("metadata");
            (about.get("exit_code"), about.get("duration_seconds"), Json::ABSENT)
        }
        // The outcome of a script and its output. The output of a single command may be JSON.
        Kind::Array => {
            let told = out.unpack(inner.get("1.text"));
            (told.get("exit_code"), told.get("wall_time_seconds"), inner.get("0.text"))
        }
        _ => (Json::ABSENT, Json::ABSENT, inner),
    };
    let text = if words.kind() == Kind::String { out.text(words) } else { "" };
    let head = exit_code::head_of_codex(text);
    let shown = inner.get("output").or(inner);
    let after = |label: &str| head.lines().find_map(|line| line.strip_prefix(label));
    let exit = match after("Process exited with code ").or_else(|| after("Exit code: ")) {
        Some(code) => Json::new(code),
        None if head.starts_with(IN_SANDBOX) => {
            let before = head.split(", stdout:").next().unwrap_or_default();
            exit_code::told_after(before, "exit code: ", out)
        }
        None => exit,
    };
    let seconds = match after("Wall time: ").or_else(|| after("Wall time ")) {
        Some(time) => Json::new(time.trim_end_matches('s').trim_end_matches(" second")),
        None => seconds,
    };
    let starts = |begin: &str| text.starts_with(begin);
    let told =
        OUTCOMES.iter().find(|it| starts(it.0)).map(|it| match text.rsplit_once(NOT_STARTED) {
            Some((_, why)) if starts("exec_command failed") => not_started(why),
            _ => it.1,
        });
    let has_failed = inner.get("success").bool() == Some(false);
    // The output of a script follows a text that states its outcome and its duration.
    let has_ended = starts("Script ") && told.is_some();
    let is_script = has_ended && inner.kind() == Kind::Array;
    let mut written = if is_script { content::pieces(inner) } else { Vec::new() };
    let shown = if written.len() > 1 { Json::ABSENT } else { shown };
    let item = out.result(id, shown).exit(exit).took(seconds_ns(seconds.number()));
    if written.len() > 1 {
        item.told(inner.item(0)).parts.extend(written.drain(1..).map(|part| match part {
            Part::Text(words) => Part::Result(words),
            other => other,
        }));
    }
    item.starts_run_of(inner.get("agent_id"), inner.get("nickname"));
    item.fields(
        inner,
        &[("Exit code", "metadata.exit_code"), ("Seconds", "metadata.duration_seconds")],
    );
    match told {
        Some(Status::Ok) => drop(item.ending.status.get_or_insert(Status::Ok)),
        Some(status) => drop(item.status(status)),
        None if has_failed => drop(item.status(Status::Failed)),
        None => {}
    }
}

/// The duration that an event states, as `{secs, nanos}`; unknown if it is a text, as in the first versions.
pub fn took(event: Json<'_>) -> MaybeNs {
    let (secs, nanos) = (event.get("duration.secs").count(), event.get("duration.nanos").count());
    #[expect(clippy::cast_precision_loss)]
    seconds_ns(secs.map(|secs| secs as f64 + nanos.unwrap_or(0) as f64 / 1e9))
}

/// The whole output of a command: if the process kept running, the result has only the output until then.
fn written<'a>(command: Json<'a>, update: &mut Item<'a>) {
    let output = command.get("aggregated_output");
    if has_content(output) {
        update.part(Part::Result(output)).again();
    }
}

/// An event for the screen.
fn event<'a>(event: Json<'a>, out: &mut Description<'a>) {
    let (id, kind) = (event.get("call_id"), event.get("type").label());
    match kind.as_ref() {
        "user_message" => {
            let message = event.get("message");
            if let Some(report) = report(message, out) {
                report.again();
                return;
            }
            asked(message, out);
        }
        "agent_message" => drop(out.item(What::Model).text(event.get("message")).again()),
        "agent_reasoning_section_break" => out.nothing(),
        "agent_reasoning" | "agent_reasoning_raw_content" => {
            out.thinking(event.get("text")).again();
        }
        "token_count" => {
            let info = event.get("info");
            let last = info.get("last_token_usage");
            out.run.models.context_window = info.get("model_context_window").count();
            let total = info.get("total_token_usage");
            if last.is_absent() {
                // Some programs write only the totals.
                out.run.totals.usage = OPENAI.read(total);
            }
            let count = |key| total.get(key).count();
            let running = count("total_tokens").or_else(|| {
                count("input_tokens").and_then(|it| it.checked_add(count("output_tokens")?))
            });
            out.usage(OPENAI.read(last))
                .running_total(running)
                .value(BlockRole::Usage, last.or(total));
        }
        "exec_command_end" => {
            let update = out
                .update(id)
                .exit(event.get("exit_code"))
                .took(took(event))
                .process(event.get("process_id"));
            written(event, update);
        }
        // Rollouts have them only where a program keeps all events.
        "exec_approval_request" | "apply_patch_approval_request" | "request_permissions" => {
            out.note("approval").waits_for_user().field("Reason", event.get("reason"));
            out.update(id).name("approval requested").waits_for_user();
        }
        "exec_command_begin" | "patch_apply_begin" | "mcp_tool_call_begin" => {
            out.update(id).name("call begun").user_answered();
        }
        "patch_apply_end" => {
            let changes = event.get("changes");
            let diff =
                changes::diff(changes).map(|(text, words)| [text, words].map(|it| out.string(&it)));
            let update = out.update(id).name("patch applied").failed_unless(event.get("success"));
            match diff {
                Some([text, words]) => update.told(changes).summary(words).value("Changes", text),
                None => update.value("Changes", changes),
            };
        }
        "mcp_tool_call_end" => {
            let failed = event.get("result.Ok.isError").or(event.any(&["result.Ok.is_error"]));
            out.update(id)
                .name(event.get("invocation.tool"))
                .took(took(event))
                .failed(failed)
                .error(event.get("result.Err"));
        }
        "collab_agent_spawn_end" => {
            let agent = event.get("new_thread_id");
            let labels = [
                (FactKind::Other("Agent"), "new_agent_nickname"),
                (FactKind::Own("Agent id"), "new_thread_id"),
            ];
            let name = event.get("new_agent_nickname");
            out.update(id).starts_run_of(agent, name).fields(event, &labels);
        }
        "item_completed" => {
            let item = event.get("item");
            let kind = item.get("type").label();
            let mut texts = item.get("content").items().map(|part| part.get("text"));
            let words = texts.find(|text| text.is_given()).unwrap_or_default();
            match kind.as_ref() {
                "UserMessage" if words.is_given() => return asked(words, out),
                "AgentMessage" if words.is_given() => {
                    out.item(What::Model).text(words).again();
                    return;
                }
                "Reasoning" if item.get("summary_text.0").is_given() => {
                    out.thinking(item.get("summary_text.0")).again();
                    return;
                }
                _ => {}
            }
            let shown = out
                .update(item.get("id"))
                .name(format!("{kind} completed").trim_start().to_owned())
                .fields(
                    item,
                    &[
                        ("Command", "parsed_cmd.0.cmd"),
                        ("Agent", "agent_path"),
                        ("Status", "status"),
                        ("Exit code", "exit_code"),
                        ("Exit code", "exitCode"),
                    ],
                );
            written(item, shown);
            if item.get("kind").is("started") {
                shown.starts_run(item.get("agent_thread_id"));
            }
        }
        "sub_agent_activity" => {
            let labels = [
                (FactKind::Other("Agent"), "agent_path"),
                (FactKind::Own("Agent id"), "agent_thread_id"),
            ];
            if event.get("kind").is("started") {
                let call = out.update(event.get("event_id")).name("agent started");
                call.starts_run(event.get("agent_thread_id")).fields(event, &labels);
            } else {
                let path = event.get("agent_path");
                out.bookkeeping("agent activity").summary(path).fields(event, &labels);
            }
        }
        // The record of the compaction itself has more detail.
        "context_compacted" => out.nothing(),
        "web_search_end" => {
            out.call(id, Json::new("\"web_search\""), event.get("action"))
                .status(Status::Ok)
                .again();
        }
        "task_started" | "turn_started" => {
            out.run.models.context_window = event.get("model_context_window").count();
            out.run.origin.turn = event.get("turn_id");
            out.bookkeeping("turn started");
        }
        "task_complete" | "turn_complete" if event.get("error.message").is_given() => {
            out.event(EventKind::Error, "turn failed")
                .error(event.get("error"))
                .field("Kind", event.get("error.codex_error_info"));
        }
        "task_complete" | "turn_complete" => drop(out.bookkeeping("turn complete")),
        "turn_aborted" => {
            out.note("turn aborted").field("Reason", event.get("reason")).status(Status::Cancelled);
        }
        "error" | "stream_error" => {
            out.event(EventKind::Error, kind.clone()).error(event.get("message"));
        }
        "thread_name_updated" => {
            out.run.titles.own = event.get("thread_name");
            out.bookkeeping("title").field("Title", event.get("thread_name"));
        }
        _ if id.is_given() => drop(out.update(id).name(kind.into_owned()).took(took(event))),
        kind => {
            let words = event.any(&["message", "review_output.overall_explanation", "text"]);
            out.note(kind.replace('_', " ")).text(words);
        }
    }
}

mod changes;
#[cfg(test)]
mod tests;
