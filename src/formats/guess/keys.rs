//! The input of a guess: the lists of a file that could be its records, and the keys of their items.

use super::slots::names_of;
use traceloupe_core::json::{Json, Kind};
use traceloupe_core::model::{KeyShape, ListShape};
use traceloupe_engine::kit::{lists_find, lists_has};

/// How many items of a list are looked at.
const MAX_ITEMS: usize = 40;
/// How many lists are looked at.
const MAX_LISTS: usize = 8;
/// How many keys of a list are looked at.
const MAX_KEYS: usize = 80;
/// How many values are looked at for lists.
const MAX_VALUES: usize = 2_000;
/// To which depth lists and keys are searched.
const MAX_DEPTH: usize = 4;
/// How many characters of a value are shown as an example.
const EXAMPLE_CHARS: usize = 48;

/// A list of records.
#[derive(Debug)]
pub struct List<'a> {
    /// Its path, see [`traceloupe_core::model::Mapping::list`].
    pub path: String,
    /// Its first items; all of them are objects.
    pub items: Vec<Json<'a>>,
    /// The keys of these items, in the order of their first occurrence.
    pub keys: Vec<Key<'a>>,
}

/// A key of records.
#[derive(Debug)]
pub struct Key<'a> {
    /// Its path: keys with dots between them. A `*` stands for every item of a list.
    pub path: String,
    /// Its [`names_of`].
    pub names: (String, String),
    /// Its values other than `null`, each with the number of its record.
    pub values: Vec<(usize, Json<'a>)>,
}

impl Key<'_> {
    /// Whether it is a key of items of a list in the record.
    #[must_use]
    pub fn is_inner(&self) -> bool {
        self.path.contains(".*.")
    }

    /// The number of keys on its path.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.path.split('.').count()
    }

    /// How many of its values pass a test.
    pub fn count(&self, test: impl Fn(Json<'_>) -> bool) -> usize {
        self.values.iter().filter(|(_, value)| test(*value)).count()
    }

    /// Whether most of its values pass a test.
    pub fn is_mostly(&self, test: impl Fn(Json<'_>) -> bool) -> bool {
        self.count(test) * 2 > self.values.len()
    }

    fn shape(&self) -> KeyShape {
        let mut types: Vec<String> = Vec::new();
        for (_, value) in &self.values {
            let name = type_of(*value);
            if !types.iter().any(|it| it == name) {
                types.push(name.to_owned());
            }
        }
        let lens = || {
            self.values
                .iter()
                .map(|(_, value)| u32::try_from(value.raw().len()).unwrap_or(u32::MAX))
        };
        let first = self.values.first().map(|(_, value)| *value).unwrap_or_default();
        let example = first.word().unwrap_or_else(|| first.raw().into());
        KeyShape {
            path: self.path.clone(),
            n_values: u32::try_from(self.values.len()).unwrap_or(u32::MAX),
            types,
            len_bytes: (lens().min().unwrap_or(0), lens().max().unwrap_or(0)),
            example: example.chars().take(EXAMPLE_CHARS).collect(),
        }
    }
}

/// The type of a value, by its name in JSON.
fn type_of(value: Json<'_>) -> &'static str {
    match value.kind() {
        Kind::String => "string",
        Kind::Number => "number",
        Kind::Bool => "boolean",
        Kind::Array => "array",
        Kind::Object => "object",
        _ => "null",
    }
}

impl List<'_> {
    /// The description of the list for the user.
    #[must_use]
    pub fn shape(&self) -> ListShape {
        ListShape {
            path: self.path.clone(),
            n_records: u32::try_from(self.items.len()).unwrap_or(u32::MAX),
            keys: self.keys.iter().map(Key::shape).collect(),
        }
    }

    /// The keys at the top level that most records have, sorted.
    #[must_use]
    pub fn common_keys(&self) -> Vec<&str> {
        let is_common =
            |key: &&Key<'_>| key.depth() == 1 && key.values.len() * 2 >= self.items.len();
        let mut keys: Vec<&str> =
            self.keys.iter().filter(is_common).map(|key| key.path.as_str()).collect();
        traceloupe_core::sorting::sort_by(&mut keys, |one, other| one.cmp(other));
        keys
    }
}

/// The lists of a file that could be its records: the records themselves, and lists of objects inside them.
#[must_use]
pub fn lists<'a>(records: &[Json<'a>]) -> Vec<List<'a>> {
    let mut paths = vec![String::new()];
    for record in records.iter().take(3) {
        add_paths(*record, &mut paths);
    }
    let lists = paths.into_iter().map(|path| {
        let items = items_at(records, &path);
        let keys = keys_of(&items);
        List { path, items, keys }
    });
    lists.filter(|list| !list.items.is_empty()).collect()
}

/// The first objects of the lists at a path.
fn items_at<'a>(records: &[Json<'a>], path: &str) -> Vec<Json<'a>> {
    let mut items = Vec::new();
    for record in records {
        if items.len() == MAX_ITEMS {
            break;
        }
        if path.is_empty() && record.kind() == Kind::Object {
            items.push(*record);
        } else if lists_has(*record, path) {
            lists_find(*record, path, &mut |item, _| {
                if item.kind() == Kind::Object {
                    items.push(item);
                }
                items.len() == MAX_ITEMS
            });
        }
    }
    items
}

/// Adds the paths of lists of objects in a record.
fn add_paths(record: Json<'_>, paths: &mut Vec<String>) {
    let mut open = vec![(String::new(), record, 0)];
    let mut n_values = 0;
    while let Some((path, value, depth)) = open.pop() {
        let below = |key: &str| match path.is_empty() {
            true => key.to_owned(),
            false => format!("{path}.{key}"),
        };
        for (key, inner) in value.members() {
            n_values += 1;
            if n_values > MAX_VALUES || paths.len() > MAX_LISTS {
                return;
            }
            // These have a meaning in paths of lists.
            if key.is_empty() || key.contains(['.', '|', '*', '{']) || depth == MAX_DEPTH {
                continue;
            }
            let path = below(&key);
            match inner.kind() {
                Kind::Object => open.push((path, inner, depth + 1)),
                Kind::Array if inner.items().take(3).any(|it| it.kind() == Kind::Object) => {
                    let items = inner.items().take(2).filter(|it| it.kind() == Kind::Object);
                    open.extend(items.map(|item| (format!("{path}.*"), item, depth + 1)));
                    if !paths.contains(&path) {
                        paths.push(path);
                    }
                }
                _ => {}
            }
        }
    }
}

/// The keys of objects.
fn keys_of<'a>(items: &[Json<'a>]) -> Vec<Key<'a>> {
    let mut keys: Vec<Key<'a>> = Vec::new();
    for (number, item) in items.iter().enumerate() {
        let mut open = vec![(String::new(), *item, 0)];
        while let Some((path, value, depth)) = open.pop() {
            let mut inside = Vec::new();
            for (key, inner) in value.members().filter(|(_, inner)| inner.is_given()) {
                let path = match path.is_empty() {
                    true => key.into_owned(),
                    false => format!("{path}.{key}"),
                };
                let is_full = keys.len() >= MAX_KEYS;
                match keys.iter_mut().find(|it| it.path == path) {
                    Some(known) => known.values.push((number, inner)),
                    None if is_full => continue,
                    None => {
                        let (names, values) = (names_of(&path), vec![(number, inner)]);
                        keys.push(Key { path: path.clone(), names, values });
                    }
                }
                match inner.kind() {
                    _ if depth + 1 >= MAX_DEPTH => {}
                    Kind::Object => inside.push((path, inner, depth + 1)),
                    // One list on the path is enough: a message has calls, a call has no calls.
                    Kind::Array if !path.contains(".*") => {
                        let first = inner.items().take(3).filter(|it| it.kind() == Kind::Object);
                        inside.extend(first.map(|it| (format!("{path}.*"), it, depth + 1)));
                    }
                    _ => {}
                }
            }
            inside.reverse();
            open.append(&mut inside);
        }
    }
    keys
}
