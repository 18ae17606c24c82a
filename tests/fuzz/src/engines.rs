//! Records for the engines of `engine::weave`, generated from bytes: each byte chooses a word, so that equal ids and
//! parents are frequent.

use std::collections::BTreeSet;

use traceloupe_engine::{ENGINES, EventRecords, Format as _, Record, RecordText};
use traceloupe_core::json::{Gaps, Json};
use traceloupe_core::model::{Detail, EventId, RunId, SourceId, Trace, TraceBuilder};

/// The engine for which the records are generated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// Calls, results, updates.
    Pairing,
    /// Histories of other runs, and repeated messages.
    Copies,
    /// Agents and their lanes.
    Lanes,
    /// Nesting of spans.
    Spans,
    /// Texts in pieces, and their grouping into LLM calls.
    Pieces,
}

impl Engine {
    fn kinds(self) -> &'static [&'static str] {
        match self {
            Self::Pairing => &[
                "call",
                "call-again",
                "call-known",
                "ask",
                "result",
                "ran",
                "again",
                "call-span",
                "update",
                "end",
                "user",
                "model",
                "usage",
                "?",
            ],
            Self::Copies => &[
                "user",
                "user-again",
                "model",
                "model-again",
                "thinking",
                "call",
                "result",
                "usage",
                "again",
                "request",
                "?",
            ],
            Self::Lanes => {
                &["starts", "call", "ask", "result", "user", "model", "usage", "open", "end"]
            }
            Self::Spans => &[
                "span",
                "plain",
                "call-span",
                "open",
                "box",
                "end",
                "llm",
                "call",
                "starts",
                "result",
                "user",
                "?",
            ],
            Self::Pieces => &[
                "text-piece",
                "args-piece",
                "piece",
                "thinking",
                "model",
                "usage",
                "result",
                "call",
                "user",
                "llm",
            ],
        }
    }

    fn keys(self) -> &'static [(&'static str, &'static [&'static str])] {
        const IDS: &[&str] = &["", "\"1\"", "\"2\"", "\"3\"", "4", "null"];
        const NAMES: &[&str] = &["", "\"a\"", "\"b\"", "\"c\""];
        const RUNS: &[&str] = &["", "", "\"r\"", "\"q\""];
        const TIMES: &[&str] =
            &["", "1795162320", "1795162321", "1795162330", "\"2026-11-20\"", "-1", "1e300"];
        const VALUES: &[&str] =
            &["", "1", "\"done\"", "{\"x\":1}", "[1,[2]]", "null", "\"{\\\"y\\\":2}\""];
        const TEXTS: &[&str] =
            &["", "\"Go on.\"", "\"{\\\"x\\\"\"", "\":1}\"", "\"\\ud83d\"", "7", "\"\""];
        const USAGES: &[&str] =
            &["", "{\"prompt_tokens\":5,\"completion_tokens\":18446744073709551615}", "{}", "3"];
        const TOTALS: &[&str] = &["", "1", "2"];
        const UUIDS: &[&str] = &[
            "",
            "\"019d7e3d-0164-79d1-af76-e4ee6689b94f\"",
            "\"019d7e3d-018b-70c0-afd0-371649720dbc\"",
            "\"r\"",
        ];
        const LATE: &[&str] = &["", "[{\"id\":\"1\",\"value\":2}]"];
        const LISTS: &[&str] = &[
            "",
            "[{\"k\":\"user\",\"text\":\"in\"},{\"k\":\"call\",\"id\":\"1\",\"name\":\"a\"}]",
            "[]",
        ];
        const YES: &[&str] = &["", "true"];
        match self {
            Self::Pairing => &[
                ("id", IDS),
                ("name", NAMES),
                ("args", VALUES),
                ("value", VALUES),
                ("run", RUNS),
                ("span", IDS),
                ("exit", TOTALS),
                ("t", TIMES),
                ("late", LATE),
                ("agent", IDS),
            ],
            Self::Copies => &[
                ("id", IDS),
                ("text", TEXTS),
                ("source", UUIDS),
                ("copied", UUIDS),
                ("turn", UUIDS),
                ("t", TIMES),
                ("usage", USAGES),
                ("name", NAMES),
                ("value", VALUES),
                ("earlier", YES),
            ],
            Self::Lanes => &[
                ("id", IDS),
                ("agent", IDS),
                ("name", NAMES),
                ("args", VALUES),
                ("run", RUNS),
                ("t", TIMES),
                ("text", TEXTS),
                ("earlier", YES),
                ("value", VALUES),
                ("usage", USAGES),
            ],
            Self::Spans => &[
                ("span", IDS),
                ("parent", IDS),
                ("name", NAMES),
                ("id", IDS),
                ("run", RUNS),
                ("t", TIMES),
                ("usage", USAGES),
                ("list", LISTS),
                ("agent", IDS),
                ("args", VALUES),
            ],
            Self::Pieces => &[
                ("key", TOTALS),
                ("text", TEXTS),
                ("id", IDS),
                ("name", NAMES),
                ("joins", IDS),
                ("usage", USAGES),
                ("total", TOTALS),
                ("t", TIMES),
                ("value", VALUES),
                ("span", IDS),
            ],
        }
    }
}

/// Records as JSON. Each consumes a byte for its kind, a bit per key, and a byte for each value that it has.
fn records(engine: Engine, bytes: &[u8]) -> Vec<String> {
    let mut bytes = bytes.iter().copied();
    let mut found = Vec::new();
    let pick = |words: &'static [&'static str], byte: u8| words[usize::from(byte) % words.len()];
    while let (Some(kind), Some(low), Some(high)) = (bytes.next(), bytes.next(), bytes.next()) {
        let has = u16::from_le_bytes([low, high]);
        let mut members = vec![format!("\"k\":\"{}\"", pick(engine.kinds(), kind))];
        for (at, (key, words)) in engine.keys().iter().enumerate() {
            if has >> at & 1 == 0 {
                continue;
            }
            let Some(byte) = bytes.next() else { break };
            let value = pick(words, byte);
            if !value.is_empty() {
                members.push(format!("\"{key}\":{value}"));
            }
        }
        found.push(format!("{{{}}}", members.join(",")));
    }
    found
}

/// Reads the records generated from the bytes, as two files, and checks the trace.
pub fn weave(engine: Engine, bytes: &[u8]) {
    let Some((cut, bytes)) = bytes.split_first() else { return };
    let records = records(engine, bytes);
    let cut = usize::from(*cut).min(records.len());
    let files = [&records[..cut], &records[cut..]];
    let mut out = TraceBuilder::new();
    for (at, records) in files.iter().enumerate() {
        let source = SourceId::from_index(at);
        out.set_path(source, if at == 0 { "one" } else { "two" });
        let mut reader = ENGINES.reader(source);
        let mut start = 0;
        for (line, text) in (1..).zip(*records) {
            reader.record(&Record::new(Json::new(text), source, start, line), &mut out);
            start += text.len() as u64 + 1;
        }
        reader.finish(&mut out);
    }
    ENGINES.join(&mut out);
    let trace = out.finish();
    check(&trace, &files);
}

/// Checks that every record is in an event or may have no row, that every event occurs once in the order of its run,
/// and that every row can be opened.
fn check(trace: &Trace, files: &[&[String]; 2]) {
    let mut shown = BTreeSet::new();
    for run in (0..trace.runs().len()).map(RunId::from_index) {
        let (order, depths) = (trace.order(run), trace.depths(run));
        assert_eq!(order.len(), depths.len());
        let mut open: Vec<EventId> = Vec::new();
        for (id, depth) in order.iter().zip(depths) {
            assert!(shown.insert(*id), "an event is shown twice");
            open.truncate(usize::from(*depth));
            assert_eq!(open.len(), usize::from(*depth), "a depth without its parent");
            let event = trace.event(*id).expect("an event");
            assert_eq!(event.run, run);
            assert!(!event.is_absorbed());
            assert_eq!(event.parent(), open.last().copied());
            open.push(*id);
        }
        let totals = trace.totals(run);
        assert_eq!(totals.events, order.len() as u64);
    }
    let present = trace.events().iter().filter(|event| !event.is_absorbed()).count();
    assert_eq!(shown.len(), present, "every event is shown");
    let mut placed = BTreeSet::new();
    for id in &shown {
        let event = trace.event(*id).expect("an event");
        let items: Vec<RecordText> = trace
            .items(event)
            .map(|(place, item)| {
                let source = place.span.source.index();
                placed.insert((source, place.line));
                let record = &files[source][place.line as usize - 1];
                let start: usize =
                    files[source][..place.line as usize - 1].iter().map(|it| it.len() + 1).sum();
                let from = usize::try_from(place.span.start).expect("small") - start;
                let text = record[from..from + place.span.len as usize].to_owned();
                RecordText { text, gaps: Gaps::default(), place, item }
            })
            .collect();
        assert!(!items.is_empty(), "an event stands nowhere");
        let own = EventRecords { trace, event, records: &items, earlier: &[], referred: &[] };
        let mut detail = Detail::default();
        ENGINES.detail(&own, &mut detail);
    }
    // Repeated content may have no row, and neither has a document with nothing beside its list.
    const SILENT: &[&str] = &["\"again\"", "\"late\"", "\"list\""];
    let may_be_silent = |record: &str| SILENT.iter().any(|word| record.contains(word));
    for (source, records) in files.iter().enumerate() {
        for (line, record) in (1_u32..).zip(*records) {
            let is_placed = placed.contains(&(source, line));
            assert!(is_placed || may_be_silent(record), "{record} is in no event");
        }
    }
}
