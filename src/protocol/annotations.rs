//! Annotations of a run in the form in which the page shows them: their content, their targets, and the ranges of a
//! text that they cover.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use traceloupe_core::json::{Json, quoted};
use traceloupe_core::model::{AnnotationKind, AnnotationTally, Part};

use crate::problem::ReadError;

/// The annotations of a run.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct AnnotationList {
    /// Index of the run.
    pub run: u32,
    /// Identifies the run across files and sessions; annotations made by the user are stored under
    /// it.
    pub hash: String,
    /// The annotations in the file, in file order, followed by the user's own.
    pub lines: Vec<AnnotationLine>,
    /// How many annotations in the file exceed the limit and are not listed.
    pub unlisted: u32,
}

/// An annotation, ready to display.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct AnnotationLine {
    /// Its kind.
    pub kind: AnnotationKind,
    /// Its text; empty for a vote.
    pub content: String,
    /// The address as written.
    pub address: String,
    /// Its target.
    pub target: Target,
    /// Who or what made it: `user`, `analyzer`…
    pub source: String,
    /// Its severity.
    pub severity: String,
    /// `proposed`, `accepted`, `rejected`.
    pub status: String,
    /// Its author.
    pub author: String,
    /// Its time, as written.
    pub time: String,
    /// Any other fields, as label and value.
    pub extra: Vec<(String, String)>,
    /// Index among the user's own annotations, if it is one of them.
    pub own: Option<u32>,
}

/// The target of an annotation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Target {
    /// The target could not be found, for this reason.
    Unresolved(TargetMiss),
    /// The whole trace.
    Run,
    /// An event, or a value in its records.
    Event {
        /// The event's id.
        id: u32,
        /// The value within its records, if the target is one.
        site: Option<Site>,
        /// The part of that value.
        part: Part,
    },
}

/// Why the target of an annotation cannot be found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum TargetMiss {
    /// The address cannot be read.
    BadAddress,
    /// The file cannot be read any more.
    Unreadable(ReadError),
    /// The record of the event cannot be read.
    BadRecord,
    /// The event has no such record.
    NoRecord,
    /// The record has no such value.
    NoValue,
    /// The trace has no messages.
    NoMessages,
    /// The trace has no such message.
    NoMessage,
    /// The trace has no such event.
    NoEvent,
}

impl Default for Target {
    fn default() -> Self {
        Self::Unresolved(TargetMiss::BadAddress)
    }
}

impl Target {
    /// The id of the targeted event, if the target is an event.
    #[must_use]
    pub fn event(&self) -> Option<u32> {
        match self {
            Self::Event { id, .. } => Some(*id),
            Self::Run | Self::Unresolved(_) => None,
        }
    }
}

/// The position of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Site {
    /// Index of the source.
    pub source: u32,
    /// Its first byte.
    pub start: u64,
}

/// An annotation made by the user on this page.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct OwnAnnotation {
    /// Its text, or a vote in Explorer's spelling.
    pub content: String,
    /// The address of its target.
    pub address: String,
    /// When it was made, as `2026-11-21 08:12:02 UTC`.
    pub time_created: String,
}

impl OwnAnnotation {
    /// A list of annotations as JSON, for the browser's storage.
    #[must_use]
    pub fn list_to_json(list: &[Self]) -> String {
        let items: Vec<String> = list
            .iter()
            .map(|it| {
                let [content, address, time] =
                    [&it.content, &it.address, &it.time_created].map(|text| quoted(text));
                format!(r#"{{"content":{content},"address":{address},"time_created":{time}}}"#)
            })
            .collect();
        format!("[{}]", items.join(","))
    }

    /// The annotations in such a list. Items that are not annotations are left out.
    #[must_use]
    pub fn list_from_json(text: &str) -> Vec<Self> {
        let own = |item: Json<'_>| {
            let text = |key| item.field(key).text().map(Cow::into_owned);
            Some(Self {
                content: text("content")?,
                address: text("address")?,
                time_created: text("time_created")?,
            })
        };
        Json::new(text).items().filter_map(own).collect()
    }
}

/// The target of a new annotation.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Spot {
    /// Index of the run.
    pub run: u32,
    /// Id of the event; `None` for the whole trace.
    pub event: Option<u32>,
    /// The value.
    pub site: Option<Site>,
    /// The part of that value.
    pub part: Part,
}

/// The file formats in which annotations can be exported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum AnnotationsForm {
    /// A dataset of the annotated traces that Explorer can import.
    DataSet,
    /// Only the annotations, as JSON.
    Alone,
}

impl AnnotationList {
    /// The number of annotations of each kind.
    #[must_use]
    pub fn tally(&self) -> AnnotationTally {
        let mut tally = AnnotationTally::default();
        self.lines.iter().for_each(|line| tally.add(line.kind));
        tally
    }

    /// The annotations of an event, with their indices.
    pub fn of_event(&self, id: u32) -> impl Iterator<Item = (usize, &AnnotationLine)> {
        let all = self.lines.iter().enumerate();
        all.filter(move |(_, line)| line.target.event() == Some(id))
    }

    /// The marked ranges in the text of a value: start byte, end byte, index of the annotation.
    #[must_use]
    pub fn marks(&self, site: Site, text: &str) -> Vec<(usize, usize, usize)> {
        let here = self.lines.iter().enumerate().filter_map(|(at, line)| match &line.target {
            Target::Event { site: Some(its), part, .. } if *its == site => Some((at, *part)),
            _ => None,
        });
        here.filter_map(|(at, part)| {
            let (from, to) = range_of(part, text)?;
            Some((from, to, at))
        })
        .collect()
    }
}

/// The byte range of a part of a text. `None` for parts that are not text ranges or that lie past
/// the end.
#[must_use]
pub fn range_of(part: Part, text: &str) -> Option<(usize, usize)> {
    match part {
        Part::Whole | Part::Area(_) => None,
        Part::Line(line) => {
            let mut starts =
                std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
            let from = starts.nth(line as usize)?;
            let rest = text.get(from..)?;
            Some((from, from + rest.find('\n').unwrap_or(rest.len())))
        }
        Part::Chars(from, to) => {
            let mut units = 0_u32;
            let mut found = (None, None);
            for (at, char) in text.char_indices() {
                if found.0.is_none() && units >= from {
                    found.0 = Some(at);
                }
                if units >= to {
                    found.1 = Some(at);
                    break;
                }
                units = units.saturating_add(u32::try_from(char.len_utf16()).unwrap_or(1));
            }
            Some((found.0?, found.1.unwrap_or(text.len())))
        }
    }
}

/// Splits a text of `len` bytes at the start and end of every mark. Returns byte ranges with the
/// indices of all marks that cover them. Empty marks cover nothing.
#[must_use]
pub fn pieces(len: usize, marks: &[(usize, usize, usize)]) -> Vec<((usize, usize), Vec<usize>)> {
    let mut edges: Vec<usize> = marks.iter().flat_map(|(from, to, _)| [*from, *to]).collect();
    edges.extend([0, len]);
    edges.retain(|edge| *edge <= len);
    traceloupe_core::sorting::sort(&mut edges);
    edges.dedup();
    let mut starting: Vec<&(usize, usize, usize)> = marks.iter().collect();
    traceloupe_core::sorting::sort(&mut starting);
    let mut starting = starting.into_iter().peekable();
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut found = Vec::new();
    for edge in edges.windows(2) {
        let [from, to] = *edge else { continue };
        open.retain(|(end, _)| *end > from);
        while let Some((_, end, at)) = starting.next_if(|(start, ..)| *start <= from) {
            if *end > from {
                open.push((*end, *at));
            }
        }
        found.push(((from, to), open.iter().map(|(_, at)| *at).collect()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_annotations_are_stored_as_json() {
        let own = |content: &str| OwnAnnotation {
            content: content.to_owned(),
            address: "messages.3".to_owned(),
            time_created: "2026-11-21 08:12:02 UTC".to_owned(),
        };
        let list = vec![own("\"quoted\"\n😀"), own("")];
        let text = OwnAnnotation::list_to_json(&list);
        assert_eq!(serde_json::from_str::<Vec<OwnAnnotation>>(&text).ok(), Some(list.clone()));
        assert_eq!(OwnAnnotation::list_from_json(&text), list);
        for odd in ["", "[", "null", r#"[{"content":"a"}]"#] {
            assert_eq!(OwnAnnotation::list_from_json(odd), []);
        }
    }

    #[test]
    fn overlapping_marks_are_split_into_pieces() {
        let marks = [(2, 6, 0), (4, 8, 1), (4, 4, 2), (9, 20, 3)];
        let expected = vec![
            ((0, 2), vec![]),
            ((2, 4), vec![0]),
            ((4, 6), vec![0, 1]),
            ((6, 8), vec![1]),
            ((8, 9), vec![]),
            ((9, 10), vec![3]),
        ];
        assert_eq!(pieces(10, &marks), expected);
        assert_eq!(pieces(3, &[]), [((0, 3), vec![])]);
        assert_eq!(pieces(0, &marks), []);
    }

    #[test]
    fn parts_of_a_text() {
        let text = "aä😀b\nline two\n";
        let part = |part| range_of(part, text).and_then(|(from, to)| text.get(from..to));
        assert_eq!(part(Part::Chars(0, 2)), Some("aä"));
        // The emoji is two UTF-16 units wide, as in a browser.
        assert_eq!(part(Part::Chars(2, 4)), Some("😀"));
        assert_eq!(part(Part::Chars(4, 5)), Some("b"));
        assert_eq!(part(Part::Chars(4, 500)), Some("b\nline two\n"));
        assert_eq!(part(Part::Chars(500, 501)), None);
        assert_eq!(part(Part::Line(0)), Some("aä😀b"));
        assert_eq!(part(Part::Line(1)), Some("line two"));
        assert_eq!(part(Part::Line(2)), Some(""));
        assert_eq!(part(Part::Line(3)), None);
        assert_eq!(part(Part::Whole), None);
    }
}
