//! JSON in lines, addressed by its nodes: the path of a line, the value that begins on it, and lists of objects as
//! tables.

use std::ops::Range;

use traceloupe_core::json::quoted;
use traceloupe_protocol::json_line::{Class, JsonLine, MAX_INDENT, Piece};

/// The line after the content of the object or list that begins on a line: the first line that is not deeper. Lines
/// beyond the maximum drawn depth are not distinguished.
#[must_use]
pub fn end_of_inside(lines: &[JsonLine], at: usize, end: usize) -> usize {
    let indent = lines.get(at).map_or(MAX_INDENT, |line| line.indent);
    let rest = lines.get(at + 1..end).unwrap_or_default();
    let inside = rest.iter().take_while(|line| line.indent > indent).count();
    if indent < MAX_INDENT { at + 1 + inside } else { at + 1 }
}

/// The path of the value that begins on a line, as `$.list[3].key`. `None` where it is unknown, such as after omitted
/// items.
#[must_use]
pub fn path(lines: &[JsonLine], at: usize) -> Option<String> {
    // For each level, the key or index of its last line, and its number of items so far.
    let mut steps: Vec<String> = Vec::new();
    let mut counts: Vec<Option<u32>> = vec![Some(0)];
    for line in lines.get(..=at)? {
        let depth = usize::from(line.indent);
        if line.indent >= MAX_INDENT {
            return None;
        }
        if is_end(line) {
            continue;
        }
        steps.truncate(depth.saturating_sub(1));
        counts.truncate(depth + 1);
        counts.resize(depth + 1, Some(0));
        let count = counts.get_mut(depth)?;
        let step = match line.pieces.first() {
            _ if depth == 0 => continue,
            Some(Piece(Class::Key, key)) => key_step(key),
            Some(Piece(Class::Note, _)) => {
                *count = None;
                continue;
            }
            _ => count.map_or_else(String::new, |index| format!("[{index}]")),
        };
        *count = count.map(|n| n + 1);
        steps.push(step);
    }
    let line = lines.get(at)?;
    let is_known = steps.iter().all(|step| !step.is_empty());
    let is_node = !is_end(line) && steps.len() == usize::from(line.indent);
    (is_known && is_node).then(|| format!("${}", steps.concat()))
}

fn key_step(key: &str) -> String {
    let is_letter = |char: char| char.is_ascii_alphabetic() || char == '_';
    let is_name = key.starts_with(is_letter)
        && key.chars().all(|char| is_letter(char) || char.is_ascii_digit());
    if is_name { format!(".{key}") } else { format!("[{}]", quoted(key)) }
}

/// Whether a line only closes an object or a list.
fn is_end(line: &JsonLine) -> bool {
    matches!(line.pieces.first(), Some(Piece(Class::Mark, mark)) if mark == "}" || mark == "]")
}

/// The value that begins on a line, as text to copy: a string as it is, anything else as JSON. `false` if part of it is
/// missing.
#[must_use]
pub fn value(lines: &[JsonLine], at: usize) -> (String, bool) {
    let range = extent(lines, at);
    let part = lines.get(range).unwrap_or_default();
    let is_whole = !part
        .iter()
        .any(|line| line.more.is_some() || line.pieces.iter().any(|piece| piece.0 == Class::Note));
    let indent = part.first().map_or(0, |line| line.indent);
    let mut text = String::new();
    for (nth, line) in part.iter().enumerate() {
        if nth > 0 {
            text.push('\n');
            let deeper = usize::from(line.indent.saturating_sub(indent));
            text.extend(std::iter::repeat_n("  ", deeper));
        }
        let pieces = if nth == 0 { after_key(&line.pieces) } else { &line.pieces };
        let is_last = nth + 1 == part.len();
        let pieces = without_comma(pieces, is_last);
        if let ([Piece(Class::Text, string)], 0, true) = (pieces, nth, is_last) {
            return (unquoted(string).to_owned(), is_whole);
        }
        pieces.iter().for_each(|piece| text.push_str(&as_json(piece)));
    }
    (text, is_whole)
}

/// The lines of the value that begins on a line, including the closing one.
fn extent(lines: &[JsonLine], at: usize) -> Range<usize> {
    let end = end_of_inside(lines, at, lines.len());
    let has_end = end > at + 1 && lines.get(end).is_some_and(is_end);
    at..end + usize::from(has_end)
}

fn after_key(pieces: &[Piece]) -> &[Piece] {
    match pieces {
        [Piece(Class::Key, _), Piece(Class::Mark, _), rest @ ..] => rest,
        pieces => pieces,
    }
}

fn without_comma(pieces: &[Piece], is_last: bool) -> &[Piece] {
    match pieces {
        [rest @ .., Piece(Class::Mark, mark)] if is_last && mark == "," => rest,
        pieces => pieces,
    }
}

/// A string without its quotation marks.
#[must_use]
pub fn unquoted(string: &str) -> &str {
    let inner = string.strip_prefix('"').unwrap_or(string);
    inner.strip_suffix('"').unwrap_or(inner)
}

/// A piece as JSON. The page shows strings without escapes.
fn as_json(piece: &Piece) -> String {
    match piece.0 {
        Class::Key => quoted(&piece.1),
        Class::Text => quoted(unquoted(&piece.1)),
        _ => piece.1.clone(),
    }
}

/// A list of objects as a table.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Table {
    /// The keys, in order of first occurrence.
    pub columns: Vec<String>,
    /// The items.
    pub rows: Vec<Item>,
    /// How many keys have no column.
    pub n_left_out: usize,
}

/// An item of a list of objects.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Item {
    /// The line on which it begins.
    pub line: usize,
    /// Its index in the list; empty after omitted items.
    pub number: String,
    /// One cell per column; empty where the item has no such key.
    pub cells: Vec<String>,
}

/// The largest number of columns and rows of a table, and of characters in a cell.
const MAX_COLUMNS: usize = 12;
const MAX_ROWS: usize = 500;
const MAX_CELL: usize = 120;

/// The most keys that are examined.
const MAX_KEYS: usize = 200;

/// The list that begins on a line as a table, if it has at least two items that are objects with mostly the same keys.
#[must_use]
pub fn table(lines: &[JsonLine], at: usize) -> Option<Table> {
    let opens = lines.get(at)?.pieces.last()?;
    if *opens != Piece(Class::Mark, "[".to_owned()) {
        return None;
    }
    let inside = at + 1..end_of_inside(lines, at, lines.len());
    let indent = lines.get(at)?.indent + 1;
    let mut items = Vec::new();
    let mut is_whole = true;
    for first in inside {
        let line = lines.get(first)?;
        let is_item = line.indent == indent && !is_end(line);
        match line.pieces.first() {
            Some(Piece(Class::Mark, mark)) if is_item && mark == "{" => {
                let number = if is_whole { items.len().to_string() } else { String::new() };
                items.push((first, number, members(lines, first)));
            }
            // Omitted items.
            Some(Piece(Class::Note, _)) => is_whole &= !is_item,
            _ if is_item => return None,
            _ => {}
        }
    }
    if items.len() < 2 || indent >= MAX_INDENT {
        return None;
    }
    let mut keys: Vec<(&str, usize)> = Vec::new();
    for (key, _) in items.iter().flat_map(|item| &item.2) {
        if let Some((_, n)) = keys.iter_mut().find(|(known, _)| known == key) {
            *n += 1;
        } else if keys.len() < MAX_KEYS {
            keys.push((key, 1));
        }
    }
    // Most of the cells must be filled.
    let filled: usize = keys.iter().map(|(_, n)| n).sum();
    if filled * 2 < keys.len() * items.len() || keys.is_empty() {
        return None;
    }
    let columns: Vec<String> =
        keys.iter().take(MAX_COLUMNS).map(|(key, _)| (*key).to_owned()).collect();
    let rows = items.iter().take(MAX_ROWS).map(|(line, number, members)| {
        let cell = |column: &String| {
            let found = members.iter().find(|(key, _)| key == column);
            found.map(|(_, cell)| cell.clone()).unwrap_or_default()
        };
        let cells = columns.iter().map(cell).collect();
        Item { line: *line, number: number.clone(), cells }
    });
    let rows = rows.collect();
    let n_left_out = keys.len() - columns.len();
    Some(Table { columns, rows, n_left_out })
}

/// The members of the object that begins on a line, each with its shortened value.
fn members(lines: &[JsonLine], at: usize) -> Vec<(&str, String)> {
    let range = extent(lines, at);
    let pieces = lines.get(range).unwrap_or_default().iter().flat_map(|line| &line.pieces);
    let mut members: Vec<(&str, String)> = Vec::new();
    let mut depth = 0_u32;
    for piece in pieces {
        let mark = if piece.0 == Class::Mark { piece.1.as_str() } else { "" };
        if matches!(mark, "}" | "]") {
            depth = depth.saturating_sub(1);
        }
        match (&piece.0, members.last_mut()) {
            (Class::Key, _) if depth == 1 => members.push((&piece.1, String::new())),
            // Between the members.
            (Class::Mark, _) if depth <= 1 && !matches!(mark, "{" | "[" | "}" | "]") => {}
            (Class::Mark, Some(_)) if depth == 0 => {}
            (_, Some((_, cell))) if cell.len() < MAX_CELL => match (piece.0, depth) {
                (Class::Text, 1) => cell.push_str(unquoted(&piece.1)),
                _ => cell.push_str(&piece.1),
            },
            _ => {}
        }
        if matches!(mark, "{" | "[") {
            depth += 1;
        }
    }
    for (_, cell) in &mut members {
        *cell = traceloupe_words::one_line(cell, MAX_CELL);
    }
    members
}
