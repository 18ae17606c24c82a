//! Annotations: what people and programs have noted about a trace, in the file or beside it.
//!
//! The index keeps where an annotation stands and counts what it is; its words and what it points at
//! are read when its run is looked at.

use serde::{Deserialize, Serialize};

use super::{RunId, Span};

/// An annotation in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Annotation {
    /// The run it is about.
    pub run: RunId,
    /// The object that it is in the source.
    pub span: Span,
}

/// A vote in favour, as it is written in place of words.
pub const THUMBS_UP: &str = ":feedback:thumbs-up";

/// A vote against.
pub const THUMBS_DOWN: &str = ":feedback:thumbs-down";

/// What kind of annotation, by its source and what it says.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub enum AnnotationKind {
    /// Words of a person, or of a source that is not known.
    #[default]
    Comment,
    /// A vote in favour.
    ThumbsUp,
    /// A vote against.
    ThumbsDown,
    /// A finding of an analysis.
    Analyzer,
    /// A guardrail that failed or could not be run.
    Guardrail,
    /// An assertion or expectation of a test that holds.
    TestPassed,
    /// An assertion or expectation of a test that does not hold.
    TestFailed,
    /// A hit of a search.
    Search,
}

impl AnnotationKind {
    /// The word for it in style sheets.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Comment => "comment",
            Self::ThumbsUp => "thumbs-up",
            Self::ThumbsDown => "thumbs-down",
            Self::Analyzer => "analyzer",
            Self::Guardrail => "guardrail",
            Self::TestPassed => "test-passed",
            Self::TestFailed => "test-failed",
            Self::Search => "search",
        }
    }
}

/// How many annotations of which kinds a run has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct AnnotationTally {
    /// All of them.
    pub all: u32,
    /// Comments and votes.
    pub comments: u32,
    /// Findings of an analysis.
    pub analyzer: u32,
    /// Failed guardrails.
    pub guardrails: u32,
    /// Tests that hold.
    pub passed: u32,
    /// Tests that do not.
    pub failed: u32,
}

impl AnnotationTally {
    /// Counts one more.
    pub fn add(&mut self, kind: AnnotationKind) {
        let count = match kind {
            AnnotationKind::Comment | AnnotationKind::ThumbsUp | AnnotationKind::ThumbsDown => {
                Some(&mut self.comments)
            }
            AnnotationKind::Analyzer => Some(&mut self.analyzer),
            AnnotationKind::Guardrail => Some(&mut self.guardrails),
            AnnotationKind::TestPassed => Some(&mut self.passed),
            AnnotationKind::TestFailed => Some(&mut self.failed),
            AnnotationKind::Search => None,
        };
        if let Some(count) = count {
            *count = count.saturating_add(1);
        }
        self.all = self.all.saturating_add(1);
    }
}

/// Which part of a value an annotation points at.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub enum Part {
    /// All of it.
    #[default]
    Whole,
    /// Characters from the first up to, but not with, the second, in UTF-16 units from 0.
    Chars(u32, u32),
    /// A line, from 0.
    Line(u32),
    /// A box in an image: left, top, right, bottom as fractions of its width and height.
    Area([f32; 4]),
}
