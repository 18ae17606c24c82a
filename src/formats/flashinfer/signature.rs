//! The specification of a kernel, and code that implements it.

use super::{run, source};
use traceloupe_core::json::{Json, Kind};
use traceloupe_core::model::BlockRole;
use traceloupe_engine::kit::{Column, Description, Exhibit, has_content};

const AXES: &[Column] = &[
    Column::new("axis", "name"),
    Column::new("type", "type"),
    Column::new("value", "value"),
    Column::new("parent", "parent"),
    Column::new("description", "description"),
];

const TENSORS: &[Column] = &[
    Column::new("name", "name"),
    // A tensor without a shape is a single number.
    Column { null: "scalar", ..Column::new("shape", "shape") },
    Column::new("dtype", "dtype"),
    Column::new("dim order", "dim_order"),
    Column::new("description", "description"),
];

const CONSTRAINTS: &[Column] = &[Column::new("constraint", "name")];

const TAGS: &[Column] = &[Column::new("tag", "name")];

/// A definition, or a kernel signature of June 2025.
pub(super) fn definition<'a>(record: Json<'a>, out: &mut Description<'a>) {
    let name = record.field("name");
    run(name, out);
    let item = out.note(format!("Definition {}", name.label()).trim_end().to_owned());
    item.exhibit(Exhibit::Definition);
    let code = record.any(&["reference", "code"]);
    let told = [record.field("description"), code, record.field("axes")];
    item.row.summary = told.into_iter().find(|it| has_content(*it)).unwrap_or_default();
    let kind = record.any(&["op_type", "type"]);
    let about = [("name", name), ("op type", kind), ("description", record.field("description"))];
    item.group("Definition", about.map(|(label, value)| (label.into(), value)).into());
    item.table("Axes", AXES, record.field("axes"));
    item.table(BlockRole::OtherInput("Inputs"), TENSORS, record.field("inputs"));
    item.table(BlockRole::OtherOutput("Outputs"), TENSORS, record.field("outputs"));
    item.table("Constraints", CONSTRAINTS, record.field("constraints"));
    source("reference", "python", code, item);
    item.table("Tags", TAGS, record.field("tags"));
}

/// A solution with its files.
pub(super) fn solution<'a>(record: Json<'a>, out: &mut Description<'a>) {
    run(record.field("definition"), out);
    let name = record.field("name").label();
    let (spec, sources) = (record.field("spec"), record.field("sources"));
    let item = out.note(format!("Solution {name}").trim_end().to_owned());
    item.exhibit(Exhibit::Solution(name));
    let told = [record.field("description"), spec].into_iter().find(|it| has_content(*it));
    item.row.summary = told.unwrap_or_default();
    let keys = ["name", "definition", "author", "description"];
    item.group("Solution", keys.map(|key| (key.into(), record.field(key))).into());
    item.members("Spec", spec);
    let language = spec.field("language").label();
    // A list of files, or an object by path.
    for (path, text) in sources.members() {
        source(&path, language_of(&path, &language), text, item);
    }
    for file in sources.items().filter(|file| file.kind() == Kind::Object) {
        let path = file.field("path").text().unwrap_or("source".into());
        source(&path, language_of(&path, &language), file.field("content"), item);
    }
}

/// The language of a source file: by its name, or else as the solution states it.
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
