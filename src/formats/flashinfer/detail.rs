//! What an opened definition, solution, trace or generation shows.

use std::borrow::Cow;

use crate::formats::by_hand::Shown;
use crate::formats::fields::{entries, fields, given, items, text, unknown_entries, word};
use crate::formats::{EventRecords, RecordText};
use crate::model::{Block, Detail, Value};

use super::code::language_of;
use super::kernel_llm::Generation;
use super::reader::{has_passed, is_filled, native_id};
use super::{Shape, shape_of};

/// Fills in the detail of an event.
pub(super) fn detail(event: &EventRecords<'_>, out: &mut Detail) {
    let Some(record) = event.records.first() else { return };
    match shape_of(&record.text) {
        Some(Shape::Definition) => definition(record, out),
        Some(Shape::Solution) => solution(record, out),
        Some(Shape::Trace) => trace(record, out),
        Some(Shape::KernelLlm) => kernel_spec(record, out),
        Some(Shape::Generation) => generation(record, out),
        Some(Shape::Unknown) | None => {
            let mut shown = Shown::new(record, out);
            let value = shown.value(&record.text);
            shown.push(Block::Json("Record", value));
        }
    }
}

fn definition(record: &RecordText, out: &mut Detail) {
    let keys = [
        "name",
        "op_type",
        "type",
        "description",
        "tags",
        "axes",
        "inputs",
        "outputs",
        "reference",
        "code",
        "constraints",
    ];
    let [
        name,
        op_type,
        kind,
        description,
        tags,
        axes,
        inputs,
        outputs,
        reference,
        code,
        constraints,
    ] = fields(&record.text, keys).unwrap_or_default();
    let mut shown = Shown::new(record, out);
    let named =
        [("name", name), ("op type", given(op_type).or(kind)), ("description", description)];
    shown.fields("Definition", &named);
    let axis_keys = ["type", "value", "parent", "description"];
    members(
        &mut shown,
        "Axes",
        ["axis", "type", "value", "parent", "description"],
        axes,
        axis_keys,
    );
    let heads = ["name", "shape", "dtype", "dim order", "description"];
    let tensor_keys = ["shape", "dtype", "dim_order", "description"];
    members(&mut shown, "Inputs", heads, inputs, tensor_keys);
    members(&mut shown, "Outputs", heads, outputs, tensor_keys);
    list(&mut shown, "Constraints", "constraint", constraints);
    source(&mut shown, "reference", "python", given(reference).or(given(code)));
    list(&mut shown, "Tags", "tag", tags);
    shown.rest("Other fields", Some(&record.text), &keys);
}

fn solution(record: &RecordText, out: &mut Detail) {
    let keys = ["name", "definition", "author", "description", "spec", "sources"];
    let [name, definition, author, description, spec, sources] =
        fields(&record.text, keys).unwrap_or_default();
    let mut shown = Shown::new(record, out);
    let named = [
        ("name", name),
        ("definition", definition),
        ("author", author),
        ("description", description),
    ];
    shown.fields("Solution", &named);
    shown.all_fields("Spec", spec);
    let [language] = spec.and_then(|raw| fields(raw, ["language"])).unwrap_or_default();
    let language = text(language);
    for (path, content) in files(given(sources).unwrap_or_default()) {
        source(&mut shown, &path, &language_of(&path, language.as_deref()), content);
    }
    shown.rest("Other fields", Some(&record.text), &keys);
}

/// The source files of a solution: path and raw content. Both a list of them and an object by path.
fn files(sources: &str) -> Vec<(Cow<'_, str>, Option<&str>)> {
    if sources.starts_with('{') {
        return entries(sources).into_iter().map(|(path, raw)| (path, Some(raw))).collect();
    }
    let of = |item| {
        let [path, content] = fields(item, ["path", "content"])?;
        Some((text(path).unwrap_or("source".into()), given(content)))
    };
    items(sources).into_iter().filter_map(of).collect()
}

fn trace(record: &RecordText, out: &mut Detail) {
    let keys = ["definition", "workload", "solution", "evaluation"];
    let [definition, workload, solution, evaluation] =
        fields(&record.text, keys).unwrap_or_default();
    let workload_keys = ["uuid", "axes", "inputs"];
    let [uuid, axes, inputs] =
        workload.and_then(|raw| fields(raw, workload_keys)).unwrap_or_default();
    out.native_id = native_id(uuid, &word(solution).unwrap_or_default());
    let mut shown = Shown::new(record, out);
    let evaluation = given(evaluation).filter(|raw| *raw != "{}");
    let known =
        ["status", "environment", "timestamp", "log", "log_file", "correctness", "performance"];
    let [status, environment, stamp, log, log_file, correctness, performance] =
        evaluation.and_then(|raw| fields(raw, known)).unwrap_or_default();
    if let Some(status) = word(status).filter(|status| has_passed(status) == Some(false)) {
        let kind = status.into_owned();
        shown.push(Block::Error { kind, message: None, stack: None });
    }
    let named = [
        ("status", status),
        ("solution", given(solution).filter(|raw| *raw != "\"\"")),
        ("definition", definition),
        ("timestamp", stamp),
    ];
    shown.fields("Evaluation", &named);
    if evaluation.is_none() {
        let note = "Only a workload: no solution was evaluated on it";
        shown.push(Block::Note(note.to_owned()));
    }
    shown.all_fields("Performance", performance);
    shown.all_fields("Correctness", correctness);
    if is_filled(log)
        && let Some(log) = log
    {
        let value = shown.value(log);
        shown.push(Block::Log("Log", value));
    }
    shown.fields("Log file", &[("path", log_file)]);
    let places = ["hardware", "device", "libs"];
    let [hardware, device, libs] =
        environment.and_then(|raw| fields(raw, places)).unwrap_or_default();
    shown.fields("Environment", &[("hardware", given(hardware).or(given(device)))]);
    shown.all_fields("Libraries", libs);
    shown.rest("Environment, other fields", environment, &places);
    shown.rest("Evaluation, other fields", evaluation, &known);
    shown.fields("Workload", &[("uuid", uuid)]);
    shown.all_fields("Workload axes", axes);
    let heads = ["name", "type", "value", "path", "tensor key"];
    members(&mut shown, "Workload inputs", heads, inputs, ["type", "value", "path", "tensor_key"]);
    shown.rest("Workload, other fields", workload, &workload_keys);
    shown.rest("Other fields", Some(&record.text), &keys);
}

fn kernel_spec(record: &RecordText, out: &mut Detail) {
    let keys = ["kernel_spec", "device_info", "generations"];
    let [spec, device, generations] = fields(&record.text, keys).unwrap_or_default();
    let mut shown = Shown::new(record, out);
    shown.all_fields("Kernel spec", spec);
    let rest = unknown_entries(&record.text, &keys);
    let values: Vec<_> = rest.iter().map(|(key, raw)| (key.as_ref(), Some(*raw))).collect();
    shown.fields("Summary", &values);
    shown.all_fields("Device", device);
    let n = generations.map(items).unwrap_or_default().len();
    shown.push(Block::Note(format!("Its {n} generations are rows of their own")));
}

fn generation(record: &RecordText, out: &mut Detail) {
    let it = Generation::new(&record.text);
    let mut shown = Shown::new(record, out);
    let status = it.status();
    if has_passed(status) == Some(false) {
        shown.push(Block::Error { kind: status.to_owned(), message: None, stack: None });
    }
    let keys = ["round", "compiled", "correctness", "max_diff", "avg_diff", "runtime", "speedup"];
    let values = fields(&record.text, keys).unwrap_or_default();
    let labelled: Vec<_> = keys.into_iter().zip(values).collect();
    shown.fields("Generation", &labelled);
    let error_keys = ["generation_error", "compilation_error", "runtime_error"];
    let errors = fields(&record.text, error_keys).unwrap_or_default();
    let titles = ["Generation error", "Compilation error", "Runtime error"];
    for (title, raw) in titles.into_iter().zip(errors) {
        if is_filled(raw)
            && let Some(raw) = raw
        {
            let value = shown.value(raw);
            shown.push(Block::Log(title, value));
        }
    }
    source(&mut shown, "generated code", "python", it.code);
    let [metadata, ncu] = fields(&record.text, ["metadata", "ncu_results"]).unwrap_or_default();
    shown.all_fields("Metadata", metadata);
    shown.json("NCU results", ncu);
    let others = ["generated_code", "metadata", "ncu_results"];
    let known = [keys.as_slice(), &error_keys, &others].concat();
    shown.rest("Other fields", Some(&record.text), &known);
}

/// Source code, if it is there; what is no text is shown as JSON.
fn source(shown: &mut Shown<'_, '_>, path: &str, language: &str, raw: Option<&str>) {
    let Some(raw) = given(raw) else { return };
    let value = shown.value(raw);
    shown.push(Block::Code(path.to_owned(), language.to_owned(), value));
}

/// The members of an object (or objects of a list that have a name) as rows: the name, then the
/// values of some keys. Columns in which nothing stands are left out; what else a member holds is
/// shown behind the table.
fn members<const N: usize>(
    shown: &mut Shown<'_, '_>,
    title: &'static str,
    heads: [&'static str; 5],
    raw: Option<&str>,
    keys: [&str; N],
) {
    let Some(raw) = given(raw) else { return };
    let found: Vec<(Cow<'_, str>, &str)> = match raw.starts_with('[') {
        true => items(raw)
            .into_iter()
            .map(|item| {
                let name = fields(item, ["name"]).and_then(|[name]| text(name));
                (name.unwrap_or_default(), item)
            })
            .collect(),
        false => entries(raw),
    };
    if found.is_empty() {
        return shown.json(title, Some(raw));
    }
    let rows: Vec<(Cow<'_, str>, [Option<&str>; N])> = found
        .iter()
        .map(|(name, raw)| (name.clone(), fields(raw, keys).unwrap_or([None; N])))
        .collect();
    let used: Vec<bool> = (0..N)
        .map(|at| rows.iter().any(|(_, values)| values.get(at).copied().flatten().is_some()))
        .collect();
    let [name_head, value_heads @ ..] = heads;
    let used_heads = value_heads.into_iter().zip(&used).filter(|(_, used)| **used);
    let heads = std::iter::once(name_head).chain(used_heads.map(|(head, _)| head)).collect();
    let cells = rows.iter().map(|(name, values)| {
        let name = std::iter::once(Value::Text(name.clone().into_owned()));
        let values = keys.iter().zip(values).zip(&used).filter(|(_, used)| **used);
        name.chain(values.map(|((key, raw), _)| cell(shown, key, *raw))).collect()
    });
    let cells: Vec<Vec<Value>> = cells.collect();
    shown.push(Block::Table(title, heads, cells));
    let more = [keys.as_slice(), &["name"]].concat();
    for (name, raw) in &found {
        let rest = unknown_entries(raw, &more);
        let labels: Vec<String> = rest.iter().map(|(key, _)| format!("{name} {key}")).collect();
        let values: Vec<_> = labels
            .iter()
            .zip(&rest)
            .map(|(label, (_, raw))| (label.as_str(), Some(*raw)))
            .collect();
        shown.fields("Other fields", &values);
    }
}

/// A cell of a table: a list of words as a shape is written, nothing for what is not there.
fn cell(shown: &Shown<'_, '_>, key: &str, raw: Option<&str>) -> Value {
    let raw = match (key, raw) {
        // A tensor without a shape is a single number.
        ("shape", Some("null")) => return Value::Text("scalar".to_owned()),
        (_, None | Some("null")) => return Value::Text(String::new()),
        (_, Some(raw)) => raw,
    };
    if !raw.starts_with('[') {
        return shown.value(raw);
    }
    let words: Option<Vec<_>> = items(raw).into_iter().map(|item| word(Some(item))).collect();
    words.map_or_else(|| shown.value(raw), |words| Value::Text(format!("[{}]", words.join(", "))))
}

/// A list of words as a table of one column.
fn list(shown: &mut Shown<'_, '_>, title: &'static str, head: &'static str, raw: Option<&str>) {
    let found = given(raw).map(items).unwrap_or_default();
    if found.is_empty() {
        return shown.json(title, raw.filter(|raw| *raw != "[]"));
    }
    let rows = found.iter().map(|raw| vec![shown.value(raw)]).collect();
    shown.push(Block::Table(title, vec![head], rows));
}
