//! A report on a file that is read incorrectly: its keys and how they were interpreted, without any of its values.

use super::store::Store;
use crate::intake::files::Files;
use traceloupe_core::json::quoted;
use traceloupe_core::model::{Mapping, Reading, SourceId};
use traceloupe_protocol::messages::MadeFile;

/// Creates the report on a source. `None` if its format is known.
pub(super) fn report<S: Store>(files: &mut Files<S>, source: SourceId) -> Option<MadeFile> {
    let source = files.source(source)?;
    let text = text(source.reading.as_ref()?, source.len_bytes);
    let handle = files.store.create();
    files.store.append(handle, text.as_bytes());
    Some(MadeFile {
        name: "file-shape.json".to_owned(),
        media: "application/json".to_owned(),
        handle: handle.0,
        start: 0,
        len: files.store.len(handle),
        is_made: true,
        notes: Vec::new(),
    })
}

fn text(reading: &Reading, len_bytes: u64) -> String {
    let lists = reading.shape.lists.iter().map(|list| {
        let keys = list.keys.iter().map(|key| {
            let types: Vec<String> = key.types.iter().map(|it| quoted(it)).collect();
            let (shortest, longest) = key.len_bytes;
            format!(
                r#"{{"path":{},"types":[{}],"values":{},"shortest_bytes":{shortest},"longest_bytes":{longest}}}"#,
                quoted(&masked(&key.path)),
                types.join(","),
                key.n_values,
            )
        });
        let keys: Vec<String> = keys.collect();
        format!(
            "{{\"path\":{},\"records\":{},\"keys\":[\n    {}]}}",
            quoted(&masked(&list.path)),
            list.n_records,
            keys.join(",\n    "),
        )
    });
    let lists: Vec<String> = lists.collect();
    format!(
        "{{\"report\":\"traceloupe-file-shape\",\"file_bytes\":{len_bytes},\n\"mapping\":{},\n\"mapping_is_chosen\":{},\
         \n\"lists\":[\n  {}]}}\n",
        mapping(&reading.mapping),
        reading.is_chosen,
        lists.join(",\n  "),
    )
}

fn mapping(mapping: &Mapping) -> String {
    let list = ("list", mapping.list.as_str());
    let keys = mapping.keys().map(|(slot, path)| (slot.word(), path));
    let pairs = [list].into_iter().chain(keys);
    let pairs: Vec<String> =
        pairs.map(|(word, path)| format!("{}:{}", quoted(word), quoted(&masked(path)))).collect();
    format!("{{{}}}", pairs.join(","))
}

/// A path with keys masked that look like data. A name chosen by a program has letters, few digits, and no more than a
/// few words.
fn masked(path: &str) -> String {
    let steps = path.split('.').map(|step| {
        let n_digits = step.chars().filter(char::is_ascii_digit).count();
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-$*@:".contains(letter);
        let is_address = step.get(1..).is_some_and(|rest| rest.contains('@'));
        let is_name = step.len() <= 40 && n_digits <= 3 && step.chars().all(is_plain);
        match is_name && !is_address {
            true => step.to_owned(),
            false => format!("<{} characters>", step.chars().count()),
        }
    });
    steps.collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_look_like_data_are_masked() {
        for (path, expected) in [
            ("turns.*.body_text", "turns.*.body_text"),
            ("users.ann@example", "users.<11 characters>"),
            ("by id.550e8400", "<5 characters>.<8 characters>"),
            ("prénom", "<6 characters>"),
            ("@timestamp", "@timestamp"),
            ("", ""),
        ] {
            assert_eq!(masked(path), expected);
        }
    }
}
