//! OpenTelemetry: traces of any framework, as collectors, backends and SDKs write them.
//!
//! | Container | Content | Read from |
//! | --- | --- | --- |
//! | OTLP | `resourceSpans[].scopeSpans[].spans[]`, one document, one per line, or in a list; logs beside | <https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding> |
//! | Tempo | `batches[]`, or `trace.resourceSpans[]` | <https://grafana.com/docs/tempo/latest/api_docs/> |
//! | Tables | rows of ClickHouse (OpenLIT, SigNoz and others), rows of queries to Logfire | <https://github.com/open-telemetry/opentelemetry-collector-contrib/tree/main/exporter/clickhouseexporter>, <https://logfire.pydantic.dev/docs/how-to-guides/query-api/> |
//! | Patronus | spans in the `child_spans` of their parents, as the traces of TRAIL are published | <https://github.com/patronus-ai/trail-benchmark> |
//! | Genkit | `spans` by their ids, as its developer tools keep traces | <https://genkit.dev/docs/devtools/> |
//! | SDK dumps | spans of Python, JavaScript, Go and AWS ADOT, one object each | their exporters |
//! | Jaeger | `data[].spans[]`, or a trace alone | <https://www.jaegertracing.io/docs/latest/apis/> |
//! | Zipkin | a list of spans | <https://zipkin.io/zipkin-api/> |
//!
//! A run is a trace. [`dialects`] decide the kind of a span and the meaning of its attributes. Usage counts only on the
//! innermost span. Every attribute is shown; attributes that no dialect names are shown under their keys.

mod logs;
mod span;

use traceloupe_core::catalog;
use traceloupe_core::json::{Json, Kind};
use traceloupe_core::model::EventKind;
use traceloupe_engine::described::{Described, Entry};
use traceloupe_engine::kit::{Description, On, Sign, Test, What};

/// OTLP, Tempo, SDK dumps.
pub static OTEL: Described = Described {
    signs: &[
        otlp(&[Test::List("resourceSpans")]),
        otlp(&[Test::List("resource_spans")]),
        otlp(&[Test::List("resourceLogs")]),
        otlp(&[Test::List("resource_logs")]),
        otlp(&[Test::List("trace.resourceSpans")]),
        // Some exporters write each resource as a record of its own.
        otlp(&[Test::List("scopeSpans")]),
        otlp(&[Test::List("scope_spans")]),
        otlp(&[Test::List("scopeLogs")]),
        Sign::certain(
            On::Items("trace_requests"),
            "`trace_requests` have lists of OTLP, as from oteltest",
            &[Test::HasOne(&["pbreq.resourceSpans", "request.resourceSpans"])],
        ),
        Sign::certain(
            On::Items("log_requests"),
            "`log_requests` have lists of OTLP, as from oteltest",
            &[Test::HasOne(&["pbreq.resourceLogs", "request.resourceLogs"])],
        ),
        // A single document of metrics holds no trace.
        Sign::likely(
            On::After(&[Test::HasOne(&["resourceMetrics", "scopeMetrics"])]),
            "records have a list `resourceMetrics`",
            &[Test::List("resourceMetrics")],
        ),
        Sign::certain(
            On::Items("batches"),
            "`batches` have `scopeSpans`, as from Grafana Tempo",
            &[Test::HasOne(&["scopeSpans", "instrumentationLibrarySpans"])],
        ),
        Sign::certain(
            On::Any,
            "records have `context.span_id` and a `kind` of the Python SDK",
            &[Test::Text("context.span_id"), Test::Starts("kind", "SpanKind.")],
        ),
        Sign::certain(
            On::Any,
            "records have `spanContext` and `attributes`, as from the JavaScript SDK",
            &[Test::Text("spanContext.spanId"), Test::Object("attributes")],
        ),
        Sign::certain(
            On::Any,
            "records have `instrumentationScope`, `id` and `duration`, as from the console exporter of JavaScript",
            &[
                Test::Text("traceId"),
                Test::Text("id"),
                Test::Text("name"),
                Test::Has("duration"),
                Test::Object("attributes"),
                Test::HasOne(&[
                    "instrumentationScope",
                    "instrumentationLibrary",
                    "traceState",
                    "resource",
                ]),
                Test::Lacks("spanId"),
                Test::Lacks("localEndpoint"),
            ],
        ),
        Sign::certain(
            On::Items("spans.{}"),
            "`spans` have `displayName` and `attributes`, as from Genkit",
            &[Test::Texts(&["traceId", "spanId", "displayName"]), Test::Object("attributes")],
        ),
        Sign::certain(
            On::Items("spans"),
            "`spans` have `span_attributes` and are nested in `child_spans`, as from Patronus",
            &[
                Test::Texts(&["trace_id", "span_id", "span_name"]),
                Test::Object("span_attributes"),
                Test::List("child_spans"),
            ],
        ),
        agentops(On::Any),
        agentops(On::Items("spans")),
        Sign::certain(
            On::Any,
            "records are logs of the Python SDK",
            &[
                Test::Has("body"),
                Test::Has("severity_number"),
                Test::Has("trace_id"),
                Test::Has("observed_timestamp"),
                Test::Object("resource"),
            ],
        ),
        Sign::certain(
            On::Any,
            "records are logs of the JavaScript SDK, as Gemini CLI writes them into a file",
            &[
                Test::KeyStarts("attributes", "event."),
                Test::HasAll(&["hrTime", "instrumentationScope"]),
                Test::HasOne(&["body", "_body", "severityNumber", "eventName"]),
                Test::Lacks("spanContext.spanId"),
            ],
        ),
        Sign::certain(
            On::Any,
            "records are rows of a ClickHouse table of spans",
            &[Test::Text("TraceId"), Test::Text("SpanId"), Test::Object("SpanAttributes")],
        ),
        logfire(On::Any),
        logfire(On::Items("rows")),
        Sign::certain(
            On::Any,
            "records have `SpanContext.TraceID` and `StartTime`, as from the Go SDK",
            &[
                Test::Text("SpanContext.TraceID"),
                Test::Text("SpanContext.SpanID"),
                Test::Text("Name"),
                Test::Has("StartTime"),
            ],
        ),
        Sign::likely(
            On::Any,
            "records have `_spanContext` and `attributes`, as spans of the JavaScript SDK",
            &[Test::Text("_spanContext.spanId"), Test::Object("attributes")],
        ),
        Sign::likely(
            On::Any,
            "spans have `trace_id`, `span_id`, `start_time_unix_nano` and `attributes`",
            &[
                Test::Text("trace_id"),
                Test::Text("span_id"),
                Test::Text("name"),
                Test::Has("start_time_unix_nano"),
                Test::Has("attributes"),
            ],
        ),
        Sign::likely(On::Any, FLAT_WHY, FLAT),
        Sign::likely(On::Items("spans"), FLAT_WHY, FLAT),
        Sign::maybe(On::Any, OWN_WHY, OWN),
        Sign::maybe(On::Items("spans"), OWN_WHY, OWN),
        Sign::likely(On::Any, BARE_WHY, BARE),
        Sign::likely(On::Items("spans"), BARE_WHY, BARE),
        Sign::likely(
            On::Any,
            "records have `spanName` and `attributes`",
            &[Test::Text("spanName"), Test::Object("attributes")],
        ),
        Sign::likely(
            On::Any,
            "records have keys that begin with `gen_ai.`",
            &[Test::KeyStarts("", "gen_ai.")],
        ),
        Sign::likely(
            On::Any,
            "records have `attrs` and `resource`, and are logs or metrics",
            &[
                Test::OneOf("_type", &["log", "metric", "span"]),
                Test::Object("attrs"),
                Test::Object("resource"),
            ],
        ),
    ],
    lists: &[
        // Captures of one session have the logs beside the spans.
        "resourceSpans|resourceLogs.**",
        "resource_spans|resource_logs.**",
        "resourceSpans.**",
        "resource_spans.**",
        "batches.**",
        "trace.resourceSpans.**",
        "trace.batches.**",
        "scopeSpans.**",
        "scope_spans.**",
        "instrumentationLibrarySpans.**",
        "instrumentation_library_spans.**",
        "spans.**",
        "child_spans.**",
        "spans.{}",
        "resourceLogs.**",
        "resource_logs.**",
        "scopeLogs.**",
        "scope_logs.**",
        "logRecords",
        "log_records",
        "rows",
        "trace_requests|log_requests.**",
        "trace_requests.**",
        "log_requests.**",
        "pbreq.resourceSpans.**",
        "request.resourceSpans.**",
        "pbreq.resourceLogs.**",
        "request.resourceLogs.**",
    ],
    quiet: QUIET,
    ..Described::new(&catalog::OTEL, describe)
};

/// The rows that a query to Logfire returns.
const fn logfire(on: On) -> Sign {
    let tests = &[Test::Text("span_name"), Test::Text("start_timestamp"), Test::Text("trace_id")];
    Sign::certain(on, "rows have `span_name` and `start_timestamp`", tests)
}

/// The spans that the API of AgentOps returns.
const fn agentops(on: On) -> Sign {
    let tests = &[
        Test::Text("span_id"),
        Test::Text("span_name"),
        Test::Object("span_attributes"),
        Test::Has("resource_attributes"),
    ];
    Sign::certain(on, "spans have `span_name` and `span_attributes`, as from AgentOps", tests)
}

/// The lists that only OTLP has.
const fn otlp(tests: &'static [Test]) -> Sign {
    Sign::certain(On::Any, "records have a list of OTLP", tests)
}

const FLAT_WHY: &str = "spans have `trace_id`, `span_id`, `start_time` and `attributes`";
const FLAT: &[Test] = &[
    Test::Has("trace_id"),
    Test::Has("span_id"),
    Test::Has("start_time"),
    Test::Text("name"),
    Test::Object("attributes"),
    // Spans of Maida and Phoenix have it.
    Test::Lacks("duration_ms"),
    Test::Lacks("span_kind"),
];

const OWN_WHY: &str = "spans have a name, `attributes`, their ids and those of their traces";
/// Spans of exporters of programs' own. Other formats with such spans are surer of theirs.
const OWN: &[Test] = &[
    Test::HasOne(&["trace_id", "traceId", "context.trace_id"]),
    Test::HasOne(&["span_id", "spanId", "context.span_id"]),
    Test::Text("name"),
    Test::Object("attributes"),
];

const BARE_WHY: &str = "spans have `traceId`, `spanId`, their times and `attributes`";
const BARE: &[Test] = &[
    Test::Text("traceId"),
    Test::Text("spanId"),
    Test::Text("name"),
    Test::Has("attributes"),
    Test::HasOne(&["startTimeUnixNano", "startTime", "endTime"]),
    // Spans of Mastra have it.
    Test::Lacks("spanType"),
];

/// The spans of Jaeger's API and interface.
pub static JAEGER: Described = Described {
    signs: &[
        Sign::certain(
            On::Items("spans"),
            "spans have `operationName` and `references` or `tags`",
            JAEGER_SPAN,
        ),
        Sign::certain(
            On::Items("data.*.spans"),
            "`data` has traces whose spans have `operationName`",
            JAEGER_SPAN,
        ),
    ],
    lists: &["data.**", "spans"],
    quiet: QUIET,
    ..Described::new(&catalog::JAEGER, describe)
};

const JAEGER_SPAN: &[Test] =
    &[Test::Has("traceID"), Test::Text("operationName"), Test::HasOne(&["references", "tags"])];

/// The spans of Zipkin's API, version 2.
pub static ZIPKIN: Described = Described {
    signs: &[
        Sign::certain(On::Any, ZIPKIN_WHY, ZIPKIN_SPAN),
        Sign::certain(On::Items(""), ZIPKIN_WHY, ZIPKIN_SPAN),
    ],
    // Its API returns a list of traces, each a list of spans.
    lists: &[""],
    quiet: QUIET,
    ..Described::new(&catalog::ZIPKIN, describe)
};

const ZIPKIN_WHY: &str = "spans have `traceId`, `id` and `localEndpoint`";
const ZIPKIN_SPAN: &[Test] =
    &[Test::Text("traceId"), Test::Text("id"), Test::Object("localEndpoint")];

/// Attributes that every row already shows.
pub const QUIET: &[&str] = &[
    "name",
    "operationName",
    "spanName",
    "kind",
    "flags",
    "traceId",
    "traceID",
    "trace_id",
    "context",
    "spanContext",
    "_spanContext",
    "parentSpanContext",
    "SpanContext",
    "Parent",
    "Name",
    "StartTime",
    "EndTime",
    "Attributes",
    "Events",
    "Status",
    "Resource",
    "hrTime",
    "hrTimeObserved",
    "traceState",
    "startTimeUnixNano",
    "endTimeUnixNano",
    "start_time_unix_nano",
    "end_time_unix_nano",
    "start_time",
    "end_time",
    "startTime",
    "endTime",
    "timestamp",
    "duration",
    "timeUnixNano",
    "observedTimeUnixNano",
    "ts",
    "status",
    "attributes",
    "tags",
    "attrs",
    "references",
    "events",
    "span_events",
    "logs",
    "annotations",
    "ended",
    "droppedAttributesCount",
    "droppedEventsCount",
    "droppedLinksCount",
    "scope",
    "scopeName",
    "span_name",
    "span_kind",
    "start_timestamp",
    "end_timestamp",
    "otel_status_code",
    "status_code",
    "TraceId",
    "SpanName",
    "SpanAttributes",
    "span_attributes",
    "resource_attributes",
    "ResourceAttributes",
    "Timestamp",
    "TimestampTime",
    "Duration",
    "StatusCode",
    "instrumentationScope",
    "instrumentationLibrary",
    "displayName",
    "spanKind",
    "sameProcessAsParentSpan",
    "timeEvents",
    "schemaUrl",
    "resource",
    "total",
    "limit",
    "offset",
    "span_count",
];

/// Describes a span, a log record, or the document around a list of them.
pub fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    let is_parent = record.get("child_spans").is_given();
    if entry.is_document && !is_parent {
        return document(record, out);
    }
    let is_log = ["body", "_body", "severityNumber", "observedTimeUnixNano", "_type"];
    if record.any(&is_log).is_given() || record.get("eventName").is_given() {
        logs::describe(record, out);
    } else if record.any(&["resourceMetrics", "scopeMetrics"]).is_given() {
        out.note("metrics");
    } else if record.kind() == Kind::Object {
        span::describe(record, out);
    }
}

/// The document around a list: the resource of its spans, or the processes of a trace.
fn document<'a>(document: Json<'a>, out: &mut Description<'a>) {
    if document.get("displayName").is_given() {
        // Genkit's data about a trace is also on its spans.
        out.run(document.get("traceId"));
        return out.nothing();
    }
    let first = document.any(&[
        "traceID",
        "trace_id",
        "scopeSpans.0.spans.0.traceId",
        "scope_spans.0.spans.0.trace_id",
        "instrumentationLibrarySpans.0.spans.0.traceId",
        "scopeLogs.0.logRecords.0.traceId",
        "spans.0.trace_id",
        "pbreq.resourceSpans.0.scopeSpans.0.spans.0.traceId",
        "request.resourceSpans.0.scopeSpans.0.spans.0.traceId",
    ]);
    let log = document.get("scopeLogs.0.logRecords.0");
    let session = logs::session_of(&span::attributes_of(log, out));
    out.run(if first.word().is_some() { first } else { session });
    let resource = document.get("resource.attributes");
    if resource.is_given() {
        let attributes = traceloupe_engine::shapes::gen_ai::Attributes::read(resource, out);
        let service = attributes.peek("service.name");
        out.run.titles.service = service;
        for (kind, key) in span::SERVICE {
            let value = attributes.take(&[key]);
            if value.is_given() {
                out.run.about.facts.push((kind.into(), value));
            }
        }
        let item = out.item(What::Event(EventKind::RunStart)).name("resource").summary(service);
        attributes.tell_rest(item);
    } else if document.get("processes").is_given() {
        let service = document.get("processes.p1.serviceName");
        out.run.titles.service = service;
        out.item(What::Event(EventKind::RunStart))
            .name("trace")
            .summary(service)
            .value("Processes", document.get("processes"));
    } else if document.get("session_id").is_given() {
        out.facts(document, &[("Session", "session_id")]);
        out.item(What::Event(EventKind::RunStart))
            .name("session")
            .summary(document.get("session_id"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;
    use traceloupe_core::model::EventId;

    fn title(spans: &[(&str, &str, &str)]) -> Option<String> {
        // If the name of an LLM call is a question, that question is its prompt.
        let asked = |name: &str| {
            let attribute = |key: &str, value: &str| {
                format!(
                    r#",{{"key":"llm.input_messages.{key}","value":{{"stringValue":"{value}"}}}}"#
                )
            };
            let message = |at: u32, role: &str, words: &str| {
                attribute(&format!("{at}.message.role"), role)
                    + &attribute(&format!("{at}.message.content"), words)
            };
            message(0, "system", "Be brief") + &message(1, "user", name)
        };
        let span = |(at, (name, parent, kind)): (usize, &(&str, &str, &str))| {
            let asked = if name.ends_with('?') { asked(name) } else { String::new() };
            format!(
                r#"{{"traceId":"t1","spanId":"s{at}","parentSpanId":"{parent}","name":"{name}","startTimeUnixNano":"1{at}000000000","endTimeUnixNano":"19000000000","attributes":[{{"key":"openinference.span.kind","value":{{"stringValue":"{kind}"}}}}{asked}]}}"#
            )
        };
        let spans: Vec<_> = spans.iter().enumerate().map(span).collect();
        let document = format!(
            r#"{{"resourceSpans":[{{"resource":{{"attributes":[{{"key":"service.name","value":{{"stringValue":"pier"}}}}]}},"scopeSpans":[{{"spans":[{}]}}]}}]}}"#,
            spans.join(",")
        );
        read(&OTEL, &[&[&document]]).trace.runs()[0].title.clone()
    }

    #[test]
    fn a_trace_is_named_by_its_root_or_by_the_agent_inside_of_a_request() {
        let named = |title: &str| Some(title.to_owned());
        let (request, agent) = (("POST /ask", "", "CHAIN"), ("pilot", "s0", "AGENT"));
        assert_eq!(title(&[request, agent]), named("pilot"));
        assert_eq!(title(&[("pilot", "s1", "AGENT"), request]), named("pilot"));
        assert_eq!(title(&[request, ("say", "s0", "LLM")]), named("POST /ask"));
        assert_eq!(title(&[("plan", "", "CHAIN"), agent]), named("plan"));
    }

    #[test]
    fn what_a_user_asked_says_more_than_a_name_that_many_traces_have() {
        let named = |title: &str| Some(title.to_owned());
        let (agent, asked) = (("pilot", "s0", "AGENT"), ("Which pier?", "s0", "LLM"));
        let later = ("And when?", "s0", "LLM");
        for root in ["main", "Agent workflow", "POST /ask"] {
            let root = (root, "", "CHAIN");
            assert_eq!(title(&[root, agent, asked, later]), named("Which pier?"));
            assert_eq!(title(&[asked, agent, root]), named("Which pier?"));
            assert_eq!(title(&[root, agent]), named("pilot"));
            assert_eq!(title(&[root, ("say", "s0", "LLM")]), named(root.0));
        }
        let (root, prompt) = (("main", "", "CHAIN"), ("You are a guide. Ready?", "s0", "LLM"));
        assert_eq!(title(&[root, prompt]), named("main"), "instructions");
        assert_eq!(title(&[root, prompt, asked]), named("Which pier?"));
        assert_eq!(title(&[("plan a trip", "", "CHAIN"), asked]), named("plan a trip"));
    }

    #[test]
    fn runs_of_copilot_are_named_by_what_the_user_asked() {
        let span = |trace: &str, attributes: &[(&str, &str)]| {
            let attribute = |(key, value): &(&str, &str)| {
                let value = traceloupe_core::json::quoted(value);
                format!(r#"{{"key":"{key}","value":{{"stringValue":{value}}}}}"#)
            };
            let attributes: Vec<_> = attributes.iter().map(attribute).collect();
            format!(
                r#"{{"traceId":"{trace}","spanId":"s","name":"invoke_agent","startTimeUnixNano":"1000000000","endTimeUnixNano":"2000000000","attributes":[{{"key":"gen_ai.operation.name","value":{{"stringValue":"invoke_agent"}}}},{}]}}"#,
                attributes.join(",")
            )
        };
        let messages = r#"[{"role":"user","parts":[{"type":"text","content":"Mend the mast"}]}]"#;
        let spans = [
            span("t1", &[("gen_ai.input.messages", messages)]),
            span("t2", &[("copilot_chat.user_request", "Paint the hull")]),
            span("t3", &[("gen_ai.agent.name", "GitHub Copilot")]),
            span("t4", &[]),
        ];
        let document = format!(
            r#"{{"resourceSpans":[{{"scopeSpans":[{{"spans":[{}]}}]}}]}}"#,
            spans.join(",")
        );
        let trace = read(&OTEL, &[&[&document]]).trace;
        let titles: Vec<_> = trace.runs().iter().filter_map(|it| it.title.as_deref()).collect();
        assert_eq!(titles, ["Mend the mast", "Paint the hull", "GitHub Copilot", "invoke_agent"]);
    }

    #[test]
    fn a_question_whether_a_tool_may_run_is_a_wait_before_its_work() {
        let span = |id: &str, parent: &str, name: &str, times: (u32, u32), attributes: &str| {
            format!(
                r#"{{"traceId":"t1","spanId":"{id}","parentSpanId":"{parent}","name":"{name}","startTimeUnixNano":"17000000{:02}000000000","endTimeUnixNano":"17000000{:02}000000000","attributes":[{attributes}]}}"#,
                times.0, times.1
            )
        };
        let text = |key: &str, value: &str| {
            format!(r#"{{"key":"{key}","value":{{"stringValue":"{value}"}}}}"#)
        };
        let asked = text("github.copilot.permission.kind", "shell");
        let tool =
            text("gen_ai.operation.name", "execute_tool") + "," + &text("gen_ai.tool.name", "bash");
        let spans = [
            span("p1", "c1", "permission", (2, 42), &asked),
            span("c1", "", "execute_tool bash", (2, 45), &tool),
            // A rule answers at once.
            span("p2", "c2", "permission", (50, 50), &asked),
            span("c2", "", "execute_tool bash", (50, 53), &tool),
        ];
        let document = format!(
            r#"{{"resourceSpans":[{{"scopeSpans":[{{"spans":[{}]}}]}}]}}"#,
            spans.join(",")
        );
        let trace = read(&OTEL, &[&[&document]]).trace;
        let ids = (0..trace.events().len()).map(EventId::from_index);
        let calls = ids.filter(|id| trace.event(*id).unwrap().kind == EventKind::ToolCall);
        let seconds: Vec<_> = calls
            .map(|id| {
                (
                    trace.wait(id).map(|it| (it.to_ns - it.from_ns) / 1_000_000_000),
                    trace.work(id).get().unwrap() / 1_000_000_000,
                )
            })
            .collect();
        assert_eq!(seconds, [(Some(40), 3), (None, 3)]);
    }
}
