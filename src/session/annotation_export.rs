//! Writes annotations to a file: annotated traces as a data set that Explorer imports, or only the annotations.

use super::annotation_targets::{as_json, run_hash};
use super::store::{Handle, Store};
use crate::answers::Answers;
use crate::intake::files::Files;
use crate::render::values::ReadError;
use traceloupe_core::json::{Json, Kind, Repaired, quoted, repair};
use traceloupe_core::model::{Run, RunId, Span, Trace};
use traceloupe_engine::Addressed;
use traceloupe_formats as formats;
use traceloupe_protocol::annotations::{AnnotationsForm, OwnAnnotation};
use traceloupe_protocol::messages::MadeFile;
use traceloupe_protocol::notes::ExportNote;

/// Longer traces are left out of a data set, because they would have to be held in memory.
const MAX_TRACE_BYTES: u32 = 256 << 20;

/// What indices in addresses count. Written to the file to explain it.
const OF_MESSAGES: &str = "messages[n] is the message with that number, from 0";
const OF_EVENTS: &str = "events[n] is the row with that number in the order shown, from 0; \
                         events[\"id\"] is the event with the producer's own id; .records[n] is \
                         a further record of that event";

/// A job that writes annotations into a file, one run in each step.
#[derive(Debug)]
pub(super) struct AnnotationExport {
    /// The user's own annotations, by the hash of their run.
    own: Vec<(String, Vec<OwnAnnotation>)>,
    form: AnnotationsForm,
    into: Handle,
    /// Index of the next run.
    run: usize,
    is_first: bool,
    /// How many traces were too long.
    n_too_long: u64,
}

impl AnnotationExport {
    pub(super) fn new<S: Store>(
        files: &mut Files<S>,
        own: Vec<(String, Vec<OwnAnnotation>)>,
        form: AnnotationsForm,
    ) -> Self {
        let into = files.store.create();
        if form == AnnotationsForm::Alone {
            files.store.append(into, b"{\"traces\":[");
        }
        Self { own, form, into, run: 0, is_first: true, n_too_long: 0 }
    }

    /// The storage that was created for the file.
    pub(super) fn made(&self) -> Option<Handle> {
        Some(self.into)
    }

    /// Writes the annotations of the next run. Returns the file when all runs are in it.
    pub(super) fn step<S: Store>(
        &mut self,
        files: &mut Files<S>,
        trace: &Trace,
    ) -> Result<Option<MadeFile>, ReadError> {
        if self.run >= trace.runs().len() {
            return Ok(Some(self.finish(files)));
        }
        let id = RunId::from_index(self.run);
        self.run += 1;
        let text = self.text_of(&Answers::new(files, trace), id)?;
        files.store.append(self.into, text.as_bytes());
        Ok(None)
    }

    fn finish<S: Store>(&self, files: &mut Files<S>) -> MadeFile {
        let (name, media) = match self.form {
            AnnotationsForm::DataSet => ("annotated.jsonl", "application/x-ndjson"),
            AnnotationsForm::Alone => {
                files.store.append(self.into, b"\n]}\n");
                ("annotations.json", "application/json")
            }
        };
        let notes = match self.n_too_long {
            0 => Vec::new(),
            n => vec![ExportNote::TracesTooLong(n)],
        };
        MadeFile {
            name: name.to_owned(),
            media: media.to_owned(),
            handle: self.into.0,
            start: 0,
            len: files.store.len(self.into),
            is_made: true,
            notes,
        }
    }

    /// The text that a run adds to the file; empty if it has no annotations.
    fn text_of<S: Store>(
        &mut self,
        answers: &Answers<'_, S>,
        id: RunId,
    ) -> Result<String, ReadError> {
        let all = self.annotations_of(answers, id)?;
        let Some(run) = answers.trace.run(id).filter(|_| !all.is_empty()) else {
            return Ok(String::new());
        };
        let addressed = formats::by_id(run.format).and_then(|it| it.addressed(answers.trace, id));
        match self.form {
            AnnotationsForm::DataSet => self.data_set_row(answers, run, addressed.as_ref(), &all),
            AnnotationsForm::Alone => {
                let comma = if std::mem::replace(&mut self.is_first, false) { "\n" } else { ",\n" };
                Ok(format!("{comma}{}", alone(run, addressed.is_some(), &all)))
            }
        }
    }

    /// All annotations of a run. Those from the file are written as they are there.
    fn annotations_of<S: Store>(
        &self,
        answers: &Answers<'_, S>,
        run: RunId,
    ) -> Result<Vec<String>, ReadError> {
        let of_file = answers.trace.annotations().iter().filter(|it| it.run == run);
        let of_file = of_file.filter_map(|it| strict(answers, it.span).transpose());
        let mut all = of_file.collect::<Result<Vec<String>, ReadError>>()?;
        if !self.own.is_empty() {
            let hash = run_hash(answers, run)?;
            let own = self.own.iter().filter(|(of, _)| *of == hash);
            all.extend(own.flat_map(|(_, own)| own.iter().map(as_json)));
        }
        Ok(all)
    }

    /// A line of a data set: the content of the trace in its file, with all annotations. Runs that are not
    /// conversations have no such line.
    fn data_set_row<S: Store>(
        &mut self,
        answers: &Answers<'_, S>,
        run: &Run,
        addressed: Option<&Addressed>,
        all: &[String],
    ) -> Result<String, ReadError> {
        let Some(addressed) = addressed else { return Ok(String::new()) };
        let len: u64 = match run.record {
            Some(span) => u64::from(span.len),
            None => addressed.messages.iter().map(|(place, _)| u64::from(place.span.len)).sum(),
        };
        if len > u64::from(MAX_TRACE_BYTES) {
            self.n_too_long += 1;
            return Ok(String::new());
        }
        let head = match run.record {
            Some(span) => strict(answers, span)?.and_then(|text| row_members(&text)),
            None => {
                let places = addressed.messages.iter().map(|(place, _)| place.span);
                let messages: Result<Option<Vec<String>>, ReadError> =
                    places.map(|span| strict(answers, span)).collect();
                messages?.map(|messages| format!("\"messages\":[{}]", messages.join(",")))
            }
        };
        let row = head.map(|head| format!("{{{head},\"annotations\":[{}]}}\n", all.join(",")));
        Ok(row.unwrap_or_default())
    }
}

/// A value as strict JSON on one line; `None` if it is not JSON.
fn strict<S: Store>(answers: &Answers<'_, S>, span: Span) -> Result<Option<String>, ReadError> {
    let bytes = answers.read(span)?;
    Ok(match repair(&bytes) {
        Repaired::Good { text, .. } => Some(text.replace(['\n', '\r'], " ")),
        Repaired::Bad { .. } | Repaired::Several(_) => None,
    })
}

/// The annotations of a run without its trace.
fn alone(run: &Run, has_messages: bool, all: &[String]) -> String {
    format!(
        r#"{{"trace":{},"key":{},"format":{},"addresses":{},"annotations":[{}]}}"#,
        quoted(run.title.as_deref().unwrap_or(&run.key)),
        quoted(&run.key),
        quoted(run.format),
        quoted(if has_messages { OF_MESSAGES } else { OF_EVENTS }),
        all.join(",\n")
    )
}

/// The members of a data set line, without the annotations. A list of messages becomes one member, and its metadata
/// another.
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
    use crate::Session;
    use crate::store::MemoryStore;
    use traceloupe_protocol::messages::{Input, OpenRequest, Request, Response};

    fn export(text: &str, own: &[OwnAnnotation], form: AnnotationsForm) -> String {
        let mut store = MemoryStore::default();
        let handle = store.add(text.as_bytes().to_vec());
        let input = Input { path: "x.jsonl".to_owned(), len_bytes: 0 };
        let request = OpenRequest { inputs: vec![input], ..OpenRequest::default() };
        let mut session = Session::new(store, request);
        session.open_all(&[handle], 1 << 20);
        let list = session.answer(&Request::Annotations(0, Vec::new()));
        let [Response::Annotations(list)] = list.as_slice() else { panic!("{list:?}") };
        let own = vec![(list.hash.clone(), own.to_vec())];
        let files = session.answer(&Request::ExportAnnotations(own, form, 1));
        let [Response::File(1, made)] = files.as_slice() else { panic!("{files:?}") };
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
        assert_eq!(export(text, &own(), AnnotationsForm::DataSet), expected);
    }

    #[test]
    fn lists_and_single_traces_become_rows() {
        let message = r#"{"role":"user","content":"a"}"#;
        let list = format!("[{{\"metadata\":{{\"name\":\"n\"}}}},{message}]\n[{message}]\n");
        let expected = format!(
            "{{\"metadata\":{{\"name\":\"n\"}},\"messages\":[{message}],\"annotations\":[{OWN}]}}\n"
        );
        assert_eq!(export(&list, &own(), AnnotationsForm::DataSet), expected);
        let single = format!("[\n{message},\n{{\"role\":\"user\",\n\"content\":\"b\",}}\n]");
        let expected = format!(
            "{{\"messages\":[{message},{{\"role\":\"user\", \"content\":\"b\" }}],\"annotations\":[{OWN}]}}\n"
        );
        assert_eq!(export(&single, &own(), AnnotationsForm::DataSet), expected);
    }

    #[test]
    fn the_annotations_alone_say_what_their_addresses_count() {
        let text = "[{\"role\":\"user\",\"content\":\"a\"}]";
        let found = export(text, &own(), AnnotationsForm::Alone);
        let value: serde_json::Value = serde_json::from_str(&found).unwrap();
        assert_eq!(value["traces"][0]["addresses"], OF_MESSAGES);
        assert_eq!(value["traces"][0]["annotations"][0]["content"], "mine \"x\"");
        let found = export("{\"id\":7,\"msg\":\"a\"}\n", &own(), AnnotationsForm::Alone);
        let value: serde_json::Value = serde_json::from_str(&found).unwrap();
        assert_eq!(value["traces"][0]["addresses"], OF_EVENTS);
        assert_eq!(export("{\"id\":7}\n", &own(), AnnotationsForm::DataSet), "");
        assert_eq!(export("{\"id\":7}\n", &[], AnnotationsForm::Alone), "{\"traces\":[\n]}\n");
    }
}
