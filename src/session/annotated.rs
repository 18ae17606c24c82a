//! Annotations written out: annotated traces as a data set that Explorer imports, or the annotations
//! alone.

use super::Session;
use super::annotating::as_json;
use super::store::{Handle, Store};
use crate::formats::{self, Addressed};
use crate::json::{Json, Kind, Repaired, quoted, repair};
use crate::model::{RunId, Span};
use crate::view::wire::annotations::{ExportForm, OwnAnnotation};
use crate::view::wire::protocol::MadeFile;

/// A longer trace is not written out: it would have to be held whole.
const MAX_TRACE_BYTES: u32 = 256 << 20;

/// What addresses count, for the reader of the file.
const OF_MESSAGES: &str = "messages[n] is the message with that number, from 0";
const OF_EVENTS: &str = "events[n] is the row with that number in the order shown, from 0; \
                         events[\"id\"] is the event with the producer's own id; .records[n] is \
                         a further record of that event";

impl<S: Store> Session<S> {
    /// Writes annotated traces into a file. `own` are the own annotations by the hash of their run.
    pub fn export_annotations(
        &mut self,
        own: &[(String, Vec<OwnAnnotation>)],
        form: ExportForm,
    ) -> MadeFile {
        let into = self.store.create();
        let mut is_first = true;
        if form == ExportForm::Alone {
            self.store.append(into, b"{\"traces\":[");
        }
        for at in 0..self.trace().runs().len() {
            let id = RunId::from_index(at);
            let all = self.annotations_as_json(id, own);
            if all.is_empty() {
                continue;
            }
            match form {
                ExportForm::DataSet => self.write_row(id, &all, into),
                ExportForm::Alone => {
                    let comma = if std::mem::replace(&mut is_first, false) { "\n" } else { ",\n" };
                    self.store.append(into, comma.as_bytes());
                    self.write_alone(id, &all, into);
                }
            }
        }
        let (name, media) = match form {
            ExportForm::DataSet => ("annotated.jsonl", "application/x-ndjson"),
            ExportForm::Alone => {
                self.store.append(into, b"\n]}\n");
                ("annotations.json", "application/json")
            }
        };
        MadeFile {
            name: name.to_owned(),
            media: media.to_owned(),
            handle: into.0,
            start: 0,
            len: self.store.len(into),
            is_made: true,
            notes: Vec::new(),
        }
    }

    /// All annotations of a run, those of the file as they are written there.
    fn annotations_as_json(&self, run: RunId, own: &[(String, Vec<OwnAnnotation>)]) -> Vec<String> {
        let of_file = self.trace().annotations().iter().filter(|it| it.run == run);
        let mut all: Vec<String> = of_file.filter_map(|it| self.strict(it.span)).collect();
        if !own.is_empty() {
            let hash = self.run_hash(run);
            let own = own.iter().filter(|(of, _)| *of == hash);
            all.extend(own.flat_map(|(_, own)| own.iter().map(as_json)));
        }
        all
    }

    /// A value as strict JSON on one line.
    fn strict(&self, span: Span) -> Option<String> {
        let bytes = self.read(span);
        match repair(&bytes) {
            Repaired::Good { text, .. } => Some(text.replace(['\n', '\r'], " ")),
            Repaired::Bad { .. } | Repaired::Several(_) => None,
        }
    }

    fn write_alone(&mut self, id: RunId, all: &[String], into: Handle) {
        let Some(run) = self.trace().run(id) else { return };
        let counts = match formats::by_id(run.format).and_then(|it| it.addressed(self.trace(), id))
        {
            Some(_) => OF_MESSAGES,
            None => OF_EVENTS,
        };
        let text = format!(
            r#"{{"trace":{},"key":{},"format":{},"addresses":{},"annotations":[{}]}}"#,
            quoted(run.title.as_deref().unwrap_or(&run.key)),
            quoted(&run.key),
            quoted(run.format),
            quoted(counts),
            all.join(",\n")
        );
        self.store.append(into, text.as_bytes());
    }

    /// A line of a data set: what the trace has in its file, with all annotations. A run that is no
    /// conversation has no such line.
    fn write_row(&mut self, id: RunId, all: &[String], into: Handle) {
        let Some(run) = self.trace().run(id) else { return };
        let Some(addressed) =
            formats::by_id(run.format).and_then(|it| it.addressed(self.trace(), id))
        else {
            return;
        };
        let head = match run.record {
            Some(span) => Some(span)
                .filter(|span| span.len <= MAX_TRACE_BYTES)
                .and_then(|span| self.strict(span))
                .and_then(|text| row_members(&text)),
            None => self.messages(&addressed),
        };
        let Some(head) = head else { return };
        let line = format!("{{{head},\"annotations\":[{}]}}\n", all.join(","));
        self.store.append(into, line.as_bytes());
    }

    fn messages(&self, addressed: &Addressed) -> Option<String> {
        let places = addressed.messages.iter().map(|(place, _)| place.span);
        let len: u64 = places.clone().map(|span| u64::from(span.len)).sum();
        if len > u64::from(MAX_TRACE_BYTES) {
            return None;
        }
        let messages: Option<Vec<String>> = places.map(|span| self.strict(span)).collect();
        Some(format!("\"messages\":[{}]", messages?.join(",")))
    }
}

/// The members of a line of a data set without its annotations; a list of messages becomes one member,
/// its metadata another.
fn row_members(text: &str) -> Option<String> {
    let row = Json::new(text);
    let mut members = Vec::new();
    match row.kind() {
        Kind::Array => {
            let mut messages = Vec::new();
            for (nth, item) in row.items().enumerate() {
                match item.field("metadata").present() {
                    Some(metadata) if nth == 0 && item.field("role").is_absent() => {
                        members.push(format!("\"metadata\":{}", metadata.raw()));
                    }
                    _ => messages.push(item.raw()),
                }
            }
            members.push(format!("\"messages\":[{}]", messages.join(",")));
        }
        Kind::Object => {
            let kept = row.members().filter(|(key, _)| key != "annotations");
            members.extend(kept.map(|(key, value)| format!("{}:{}", quoted(&key), value.raw())));
        }
        _ => return None,
    }
    Some(members.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::store::MemoryStore;
    use crate::view::wire::protocol::{Input, OpenRequest};

    fn export(text: &str, own: &[OwnAnnotation], form: ExportForm) -> String {
        let mut store = MemoryStore::default();
        let handle = store.add(text.as_bytes().to_vec());
        let input = Input { path: "x.jsonl".to_owned(), len_bytes: 0 };
        let request = OpenRequest { inputs: vec![input], ..OpenRequest::default() };
        let mut session = Session::new(store, request);
        session.open_all(&[handle], 1 << 20);
        let hash = session.run_hash(RunId::from_index(0));
        let made = session.export_annotations(&[(hash, own.to_vec())], form);
        let len = usize::try_from(made.len).unwrap();
        let bytes = session.store().read(Handle(made.handle), made.start, len).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    fn own() -> Vec<OwnAnnotation> {
        vec![OwnAnnotation {
            content: "mine \"x\"".to_owned(),
            address: "messages[0].content:0-1".to_owned(),
            time_created: "2026-11-21 00:00:00 UTC".to_owned(),
        }]
    }

    const OWN: &str = r#"{"content":"mine \"x\"","address":"messages[0].content:0-1","extra_metadata":{"source":"user"},"time_created":"2026-11-21 00:00:00 UTC"}"#;

    #[test]
    fn rows_keep_all_they_have_and_get_the_new_annotations() {
        let text = "{\"metadata\":{}}\n{\"index\": 3, \"messages\":[{\"role\":\"user\",\"content\":\"a\"}],\"annotations\":[{\"content\":\"c\",\"address\":\"<root>\"}],\"x\":1}\n{\"index\":4,\"messages\":[]}\n";
        let expected = format!(
            "{{\"index\":3,\"messages\":[{{\"role\":\"user\",\"content\":\"a\"}}],\"x\":1,\"annotations\":[{{\"content\":\"c\",\"address\":\"<root>\"}},{OWN}]}}\n"
        );
        assert_eq!(export(text, &own(), ExportForm::DataSet), expected);
    }

    #[test]
    fn lists_and_single_traces_become_rows() {
        let message = r#"{"role":"user","content":"a"}"#;
        let list = format!("[{{\"metadata\":{{\"name\":\"n\"}}}},{message}]\n[{message}]\n");
        let expected = format!(
            "{{\"metadata\":{{\"name\":\"n\"}},\"messages\":[{message}],\"annotations\":[{OWN}]}}\n"
        );
        assert_eq!(export(&list, &own(), ExportForm::DataSet), expected);
        let single = format!("[\n{message},\n{{\"role\":\"user\",\n\"content\":\"b\",}}\n]");
        let expected = format!(
            "{{\"messages\":[{message},{{\"role\":\"user\", \"content\":\"b\" }}],\"annotations\":[{OWN}]}}\n"
        );
        assert_eq!(export(&single, &own(), ExportForm::DataSet), expected);
    }

    #[test]
    fn the_annotations_alone_say_what_their_addresses_count() {
        let text = "[{\"role\":\"user\",\"content\":\"a\"}]";
        let found = export(text, &own(), ExportForm::Alone);
        let value: serde_json::Value = serde_json::from_str(&found).unwrap();
        assert_eq!(value["traces"][0]["addresses"], OF_MESSAGES);
        assert_eq!(value["traces"][0]["annotations"][0]["content"], "mine \"x\"");
        let found = export("{\"id\":7,\"msg\":\"a\"}\n", &own(), ExportForm::Alone);
        let value: serde_json::Value = serde_json::from_str(&found).unwrap();
        assert_eq!(value["traces"][0]["addresses"], OF_EVENTS);
        assert_eq!(export("{\"id\":7}\n", &own(), ExportForm::DataSet), "");
        assert_eq!(export("{\"id\":7}\n", &[], ExportForm::Alone), "{\"traces\":[\n]}\n");
    }
}
