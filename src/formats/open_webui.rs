//! Open WebUI: an export of chats, a list of them, and a single chat as its API returns it.
//!
//! Read from its source (<https://github.com/open-webui/open-webui>, `utils/middleware.py`) and from programs that read
//! and write its chats; no real file was at hand. Messages are the nodes of a tree: one that was edited or answered
//! again has several children; all of them are rows, in the order of their times. An answer contains thinking, calls
//! and results as `<details>` elements in its text, and in newer versions again as a list of items (`output`), which
//! takes precedence. Whatever follows a result is another LLM call. The token counts of an answer are those of its last
//! LLM call.

use traceloupe_converters::without_entities;
use traceloupe_engine::prelude::*;
use traceloupe_engine::tokens::OPENAI;

/// The format.
pub static OPEN_WEBUI: Described = Described {
    signs: &[
        Sign::record(
            "records have a `chat` with the messages of its `history`",
            &[Test::Object("chat.history.messages")],
        ),
        Sign::record(
            "the chat has `history` with `messages` and a `currentId`",
            &[Test::Object("history.messages"), Test::Has("history.currentId")],
        ),
    ],
    lists: &["chat.history.messages.{}", "history.messages.{}"],
    quiet: &[
        // All messages, and the repeated list of those that are shown.
        "chat.history.messages",
        "history.messages",
        "chat.messages",
        "messages|title|model|parentId|childrenIds|timestamp|modelName|modelIdx|done",
        "lastSentence",
        "output.*.id|status|started_at|ended_at|start_tag|end_tag",
    ],
    ..Described::new(&catalog::OPEN_WEBUI, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if entry.is_document {
        return chat(record, out);
    }
    out.at(record.get("timestamp"));
    match record.get("role").label().as_ref() {
        "assistant" => Answer { message: record, last: None, is_answered: false }.tell(out),
        "user" => {
            out.run.titles.words = record.get("content");
            said(What::User, record, out);
        }
        "system" => said(What::System, record, out),
        _ => {}
    }
}

fn chat<'a>(record: Json<'a>, out: &mut Description<'a>) {
    let chat = record.get("chat").or(record);
    let start = record.get("created_at").or(chat.get("timestamp"));
    out.at(start);
    let run = out.run(record.get("id").or(chat.get("id")));
    run.titles.own = chat.get("title").or(record.get("title"));
    (run.times.start, run.times.end) = (time_of(start), time_of(record.get("updated_at")));
    run.times.order_rows = true;
    out.facts(chat, &[("Models", "models"), ("Last message shown", "history.currentId")]);
    out.event(EventKind::RunStart, "chat");
    let prompt = chat.any(&["params.system", "system"]);
    if has_content(prompt) {
        out.item(What::System).text(prompt);
    }
}

fn said<'a>(what: What, message: Json<'a>, out: &mut Description<'a>) {
    let item = out.item(what).id(message.get("id"));
    item.parts = content::pieces(message.get("content"));
    item.value("Files", message.get("files")).value("Asked models", message.get("models"));
}

/// A message of a model: LLM calls, with their calls and results between them.
struct Answer<'a> {
    message: Json<'a>,
    /// The number of its last LLM call among the items.
    last: Option<usize>,
    /// Whether a result follows that LLM call.
    is_answered: bool,
}

impl<'a> Answer<'a> {
    fn tell(mut self, out: &mut Description<'a>) {
        let message = self.message;
        let (words, output) = (message.get("content"), message.get("output"));
        if output.item(0).is_given() {
            output.items().for_each(|item| self.item(item, out));
        } else {
            match out.text(words) {
                text if text.contains(BEGIN) => self.words(text, out),
                _ => content::pieces(words).into_iter().for_each(|part| self.add(part, out)),
            }
        }
        let last = self.last.unwrap_or_else(|| self.model(out));
        let item = out.nth(last);
        let usage = message.any(&["usage", "info.usage", "info"]);
        item.tokens(&OPENAI, usage).told(words);
        // If `error` is only a flag, the text has the error's message.
        let error = message.get("error");
        match error.is_true() {
            true => item.status(Status::Failed),
            false => item.error(error.get("content").or(error)),
        };
        item.value("Sources", message.any(&["sources", "citations"]))
            .value("Steps", message.get("statusHistory"))
            .value("Files", message.get("files"))
            .value("Code that was run", message.get("code_executions"))
            .value("Rating", message.get("annotation"))
            .value("Proposed questions", message.get("followUps"));
    }

    /// The number of the open LLM call. After a result, a new one is opened.
    fn model(&mut self, out: &mut Description<'a>) -> usize {
        if let Some(last) = self.last
            && !self.is_answered
        {
            return last;
        }
        let message = self.message;
        let item = out.item(What::Model).joins(Joins::Nothing).id(message.get("id"));
        item.name = message.any(&["model", "modelName"]).label();
        item.time.has_begun = item.time.start.is_known() && self.last.is_none();
        let last = out.items.len() - 1;
        (self.last, self.is_answered) = (Some(last), false);
        last
    }

    fn add(&mut self, part: Part<'a>, out: &mut Description<'a>) {
        let model = self.model(out);
        out.items.get_mut(model).map(|item| item.part(part));
    }

    fn call(&mut self, id: Json<'a>, name: Json<'a>, input: Json<'a>, out: &mut Description<'a>) {
        let model = self.model(out);
        out.asked_by(model, id, name, input);
    }

    fn result(&mut self, id: Json<'a>, value: Json<'a>, out: &mut Description<'a>) {
        let value = out.unpack(value);
        let item = out.result(id, value);
        if value.get("error").is_given() {
            item.error(value.get("error"));
        }
        self.is_answered = true;
    }

    /// An item of the output.
    fn item(&mut self, item: Json<'a>, out: &mut Description<'a>) {
        let words = |list: Json<'a>| list.items().map(|part| part.get("text"));
        let id = item.any(&["call_id", "id"]);
        match item.get("type").label().as_ref() {
            "message" => {
                words(item.get("content")).for_each(|text| self.add(Part::Text(text), out));
            }
            "reasoning" => {
                let lists = [item.get("summary"), item.get("content")];
                let list = lists.into_iter().find(|list| list.item(0).is_given());
                let list = words(list.unwrap_or_default());
                list.for_each(|text| self.add(Part::Thinking(text), out));
            }
            "function_call" => self.call(id, item.get("name"), item.get("arguments"), out),
            "function_call_output" => {
                let value = item.get("output");
                let text = value.get("0.text").given().filter(|_| value.item(1).is_absent());
                self.result(id, text.unwrap_or(value), out);
                out.last().value("Files", item.get("files"));
                if item.get("status").is("failed") {
                    out.last().status(Status::Failed);
                }
            }
            "open_webui:code_interpreter" => {
                self.call(id, Json::new(CODE), item.get("code"), out);
                self.result(id, item.get("output"), out);
            }
            _ => self.add(Part::Value(BlockRole::Named("Item"), item), out),
        }
    }

    /// Text with elements in it.
    fn words(&mut self, text: &str, out: &mut Description<'a>) {
        let mut pieces = text.split(BEGIN);
        self.text(pieces.next().unwrap_or_default(), out);
        for piece in pieces {
            let (element, after) = piece.split_once("</details>").unwrap_or((piece, ""));
            let (tag, inner) = element.split_once('>').unwrap_or((element, ""));
            let inner = inner.split_once("</summary>").map_or(inner, |(_, inner)| inner).trim();
            match tag.split('"').next().unwrap_or_default() {
                "reasoning" => {
                    let lines = without_entities(inner);
                    let lines = lines.lines().map(|line| line.strip_prefix("> ").unwrap_or(line));
                    let words = string(&lines.collect::<Vec<_>>().join("\n"), out);
                    self.add(Part::Thinking(words), out);
                }
                "tool_calls" => {
                    let [id, name] = ["id", "name"].map(|key| string(&attribute(tag, key), out));
                    let arguments = json(&attribute(tag, "arguments"), out);
                    self.call(id, name, arguments, out);
                    if attribute(tag, "done") == "true" {
                        let result = attribute(tag, "result");
                        let result =
                            if result.is_empty() { without_entities(inner) } else { result };
                        self.result(id, json(&result, out), out);
                        let files = json(&attribute(tag, "files"), out);
                        out.last().value("Files", files);
                    }
                }
                "code_interpreter" => {
                    let code = inner.trim_start_matches("```").trim_end_matches("```");
                    let code = code.split_once('\n').map_or(code, |(_, code)| code);
                    let code = string(code.trim_end(), out);
                    self.call(Json::ABSENT, Json::new(CODE), code, out);
                    if attribute(tag, "done") == "true" {
                        let output = json(&attribute(tag, "output"), out);
                        self.result(Json::ABSENT, output, out);
                    }
                }
                _ => self.text(inner, out),
            }
            self.text(after, out);
        }
    }

    fn text(&mut self, words: &str, out: &mut Description<'a>) {
        if !words.trim().is_empty() {
            let words = string(words.trim(), out);
            self.add(Part::Text(words), out);
        }
    }
}

/// The name of the tool that runs code.
const CODE: &str = "\"code_interpreter\"";

/// The beginning of an element.
const BEGIN: &str = "<details type=\"";

/// The value of an attribute of an element, without escapes.
fn attribute(tag: &str, name: &str) -> String {
    let value = tag.split_once(&format!(" {name}=\"")).and_then(|(_, rest)| rest.split('"').next());
    without_entities(value.unwrap_or_default())
}

fn string<'a>(text: &str, out: &Description<'a>) -> Json<'a> {
    out.string(text)
}

/// The JSON in a text, or the text itself.
fn json<'a>(text: &str, out: &Description<'a>) -> Json<'a> {
    match text.trim().starts_with(['{', '[', '"']) {
        true => out.json(text.trim()),
        false if text.is_empty() => Json::ABSENT,
        false => string(text, out),
    }
}
