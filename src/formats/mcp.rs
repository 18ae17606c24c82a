//! MCP: messages between client and server, as JSON-RPC 2.0, and the files of recorders of a client.
//!
//! Read from the specification of 2025-11-25 (<https://modelcontextprotocol.io/specification>) and from the files of a
//! recorder (explore-mcp), whose records name Python methods of the SDK. Messages may be inside log records with their
//! time and sender. `tools/call` is a tool call, any other request a span; a server's request to the client's model
//! (`sampling/createMessage`) is an LLM call.

use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::rpc;

/// The format.
pub static MCP: Described = Described {
    signs: &[
        certain(&[Test::OneOf("method", METHODS), rpc::VERSION_2]),
        certain(&[Test::OneOf("message.method", METHODS)]),
        certain(&[Test::OneOf("data.method", METHODS)]),
        certain(&[Test::OneOf("json.method", METHODS)]),
        certain(&[Test::OneOf("payload.method", METHODS)]),
        certain(&[Test::OneOf("msg.method", METHODS)]),
        certain(&[
            rpc::VERSION_2,
            Test::Text("result.protocolVersion"),
            Test::Object("result.serverInfo"),
        ]),
        certain(&[
            rpc::VERSION_2,
            Test::Is("method", "initialize"),
            Test::Text("params.protocolVersion"),
        ]),
        certain(&[
            Test::OneOf("type", &["request", "response"]),
            Test::OneOf("method", CLIENT_METHODS),
            Test::Has("count"),
        ]),
        certain(&[
            Test::Object("server_info"),
            Test::OneOf("calls.0.request.method", CLIENT_METHODS),
        ]),
    ],
    lists: &["calls"],
    quiet: &[
        "jsonrpc|id|method|timestamp|ts|time|type|dir|direction|count|started_at|ended_at",
        "message.jsonrpc|id|method",
        "request.method|timestamp",
        "response.timestamp",
    ],
    ..Described::new(&catalog::MCP, describe)
};

/// Methods that no other protocol on JSON-RPC 2.0 has.
const METHODS: &[&str] = &[
    "tools/call",
    "tools/list",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "prompts/list",
    "prompts/get",
    "sampling/createMessage",
    "elicitation/create",
    "roots/list",
    "notifications/initialized",
    "notifications/message",
    "notifications/progress",
];

/// Methods of the SDK's client.
const CLIENT_METHODS: &[&str] =
    &["initialize", "list_tools", "call_tool", "list_resources", "list_prompts", "read_resource"];

const fn certain(tests: &'static [Test]) -> Sign {
    let why = "records are messages of the Model Context Protocol";
    Sign::record(why, tests)
}

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    out.at(record.any(rpc::TIMES));
    if entry.is_document {
        out.run(record.get("session_id")).times.start = time_of(record.get("started_at"));
        out.run.times.end = time_of(record.get("ended_at"));
        out.facts(record, &[("Server", "server_info.url"), ("Transport", "server_info.transport")]);
        out.event(EventKind::RunStart, "session").value("Server", record.get("server_info"));
        return;
    }
    if record.get("request.method").is_given() && record.get("request.params").is_absent() {
        let (request, response) = (record.get("request"), record.get("response"));
        out.at(request.get("timestamp"));
        asked(request, Json::ABSENT, out);
        answered(request.get("method"), response, Json::ABSENT, out);
        let end = time_of(response.get("timestamp"));
        out.items.iter_mut().skip(1).for_each(|item| item.time.start = end);
    } else if record.get("count").is_given() {
        match record.get("type").is("request") {
            true => asked(record, record.get("count"), out),
            false => answered(record.get("method"), record, record.get("count"), out),
        }
    } else {
        message(record, out);
    }
}

/// A request of the SDK's client.
fn asked<'a>(request: Json<'a>, id: Json<'a>, out: &mut Description<'a>) {
    let (args, kwargs) = (request.get("args"), request.get("kwargs"));
    if request.get("method").is("call_tool") {
        let name = args.get("0").or(kwargs.get("name"));
        out.call(id, name, args.get("1").or(kwargs.get("arguments")));
        return;
    }
    let item = out.item(What::Span).name(request.get("method"));
    item.opens().value(BlockRole::Arguments, args).value("Named arguments", kwargs);
}

/// The response, which names the method.
fn answered<'a>(method: Json<'a>, answer: Json<'a>, id: Json<'a>, out: &mut Description<'a>) {
    let result = answer.get("result");
    if method.is("call_tool") {
        let value = result.get("content").or(result);
        out.result(id, value)
            .failed_unless(answer.get("success"))
            .failed(result.get("isError"))
            .value("Structured", result.get("structuredContent"))
            .error(answer.get("error"));
        return;
    }
    server(result, out);
    let item = out.item(What::End).name(method);
    item.value(BlockRole::Result, result)
        .failed_unless(answer.get("success"))
        .error(answer.get("error"));
}

/// A server's description of itself.
fn server<'a>(result: Json<'a>, out: &mut Description<'a>) {
    if result.get("serverInfo").is_given() {
        out.run.titles.own = result.get("serverInfo.name");
        let facts = [
            (FactKind::Other("Server"), "serverInfo.name"),
            (FactKind::Version, "serverInfo.version"),
        ];
        out.facts(result, &facts);
        out.facts(result, &[("Protocol", "protocolVersion")]);
    }
}

/// A message, bare or in the record of a log.
pub(super) fn message<'a>(record: Json<'a>, out: &mut Description<'a>) {
    let Some(rpc) = rpc::read(record, out) else { return };
    let params = rpc.params;
    match rpc.method.label().as_ref() {
        "" if rpc.result.get("role").is_given() && rpc.result.get("content").is_given() => {
            let parts = content::pieces(rpc.result.get("content"));
            let item = out.model(parts, Joins::Nothing);
            item.name(rpc.result.get("model"))
                .span(Json::ABSENT, rpc.id)
                .field("Stop reason", rpc.result.get("stopReason"));
            out.item(What::End).span(rpc.id, Json::ABSENT).status(Status::Ok);
        }
        "" => {
            server(rpc.result, out);
            rpc.response(out);
        }
        "tools/call" => {
            out.call(rpc.id, params.get("name"), params.get("arguments"))
                .value("Metadata", params.get("_meta"));
        }
        "sampling/createMessage" => {
            out.item(What::Span)
                .name("sampling/createMessage")
                .span(rpc.id, Json::ABSENT)
                .value(BlockRole::Instructions, params.get("systemPrompt"))
                .part(Part::Messages(
                    BlockRole::Messages,
                    content::messages(params.get("messages")),
                ));
        }
        "notifications/message" => {
            out.note("log").text(params.get("data")).field("Level", params.get("level"));
        }
        "notifications/cancelled" => {
            let reason = params.get("reason");
            out.note("cancelled").status(Status::Cancelled).field("Reason", reason);
        }
        "initialize" => {
            let facts = [("Client", "clientInfo.name"), ("Client version", "clientInfo.version")];
            out.facts(params, &facts);
            rpc.request(out);
        }
        _ => rpc.request(out),
    }
}
