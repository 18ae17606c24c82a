//! What a kernel is to compute, and code that does.

use std::borrow::Cow;

use super::{all, run, some, source};
use crate::formats::kit::{Cell, Description, Exhibit, Item, Part, has_content};
use crate::json::{Json, Kind};

/// A definition, or a kernel signature of June 2025.
pub(super) fn definition<'a>(record: Json<'a>, out: &mut Description<'a>) {
    let name = record.field("name");
    run(name, out);
    let item =
        out.note(format!("Definition {}", name.word().unwrap_or_default()).trim_end().to_owned());
    item.exhibit(Exhibit::Definition);
    let code = record.any(&["reference", "code"]);
    let told = [record.field("description"), code, record.field("axes")];
    item.summary = told.into_iter().find(|it| has_content(*it)).unwrap_or_default();
    let kind = record.any(&["op_type", "type"]);
    let about = [("name", name), ("op type", kind), ("description", record.field("description"))];
    item.group("Definition", about.map(|(label, value)| (label.into(), value)).into());
    let axes = ["axis", "type", "value", "parent", "description"];
    table("Axes", &axes, record.field("axes"), item);
    let tensors = ["name", "shape", "dtype", "dim order", "description"];
    table("Inputs", &tensors, record.field("inputs"), item);
    table("Outputs", &tensors, record.field("outputs"), item);
    list("Constraints", "constraint", record.field("constraints"), item);
    source("reference", "python", code, item);
    list("Tags", "tag", record.field("tags"), item);
}

/// A solution with its files.
pub(super) fn solution<'a>(record: Json<'a>, out: &mut Description<'a>) {
    run(record.field("definition"), out);
    let name = record.field("name").word().unwrap_or_default();
    let (spec, sources) = (record.field("spec"), record.field("sources"));
    let item = out.note(format!("Solution {name}").trim_end().to_owned());
    item.exhibit(Exhibit::Solution(name));
    let told = [record.field("description"), spec].into_iter().find(|it| has_content(*it));
    item.summary = told.unwrap_or_default();
    some("Solution", record, &["name", "definition", "author", "description"], item);
    all("Spec", spec, item);
    let language = spec.field("language").word().unwrap_or_default();
    // A list of files, or an object by path.
    for (path, text) in sources.members() {
        source(&path, language_of(&path, &language), text, item);
    }
    for file in sources.items().filter(|file| file.kind() == Kind::Object) {
        let path = file.field("path").text().unwrap_or("source".into());
        source(&path, language_of(&path, &language), file.field("content"), item);
    }
}

/// The language of a source file, by its name or else by what the solution says.
fn language_of(path: &str, spec: &str) -> &'static str {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    match ending.to_ascii_lowercase().as_str() {
        "py" => "python",
        "cu" | "cuh" => "cuda",
        "c" | "cc" | "cpp" | "cxx" | "h" | "hpp" => "cpp",
        "json" => "json",
        "sh" => "shell",
        _ => match spec.to_ascii_lowercase().as_str() {
            // Triton kernels are Python.
            "triton" | "python" => "python",
            "cuda" => "cuda",
            "cpp" | "c++" => "cpp",
            _ => "",
        },
    }
}

/// The members of an object (or objects of a list that have a name) as rows: the name, then the values of the keys that
/// the other heads name. Columns in which nothing stands are left out.
pub(super) fn table<'a>(
    title: &'static str,
    heads: &[&'static str],
    value: Json<'a>,
    item: &mut Item<'a>,
) {
    let mut found: Vec<(Cow<'a, str>, Json<'a>)> = value.members().collect();
    found.extend(value.items().map(|it| (it.field("name").text().unwrap_or_default(), it)));
    if found.is_empty() {
        item.value(title, value);
        return;
    }
    let mut used = vec![heads.first().copied().unwrap_or_default()];
    let key_of = |head: &str| head.replace(' ', "_");
    let is_used = |head: &&str| found.iter().any(|(_, it)| !it.field(&key_of(head)).is_absent());
    used.extend(heads.iter().skip(1).copied().filter(is_used));
    let row = |(name, member): (Cow<'a, str>, Json<'a>)| {
        let name = Cell { words: Some(name), value: Json::ABSENT };
        let cells = used.iter().skip(1).map(|head| cell(head, member.field(&key_of(head))));
        std::iter::once(name).chain(cells).collect()
    };
    let rows = found.into_iter().map(row).collect();
    item.part(Part::Table(title, used, rows));
}

/// A cell of a table: a list of words as a shape is written, nothing for what is not there.
fn cell<'a>(head: &str, value: Json<'a>) -> Cell<'a> {
    let words = match value.kind() {
        // A tensor without a shape is a single number.
        _ if head == "shape" && value.raw() == "null" => Some("scalar".into()),
        _ if !value.is_given() => Some("".into()),
        Kind::Array => {
            let words: Option<Vec<_>> = value.items().map(Json::word).collect();
            words.map(|words| format!("[{}]", words.join(", ")).into())
        }
        _ => None,
    };
    Cell { value, words }
}

/// A list of words as a table of one column.
fn list<'a>(title: &'static str, head: &'static str, value: Json<'a>, item: &mut Item<'a>) {
    let rows: Vec<_> = value.items().map(|value| vec![Cell { value, words: None }]).collect();
    match rows.is_empty() {
        true => drop(item.value(title, value)),
        false => drop(item.part(Part::Table(title, vec![head], rows))),
    }
}
