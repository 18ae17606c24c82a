//! Annotations: remarks of users and programs about a trace, in the file or beside it.
//!
//! The index keeps the place and the kind of an annotation. Its text and its target are read when its run is shown.

use serde::{Deserialize, Serialize};

use super::{RunId, Span};

/// An annotation in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Annotation {
    /// The run that it is about.
    pub run: RunId,
    /// The place of the annotation's object in the source.
    pub span: Span,
}

/// A vote in favour, written instead of a text.
pub const THUMBS_UP: &str = ":feedback:thumbs-up";

/// A vote against, written instead of a text.
pub const THUMBS_DOWN: &str = ":feedback:thumbs-down";

/// The kind of an annotation, determined from its source and text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub enum AnnotationKind {
    /// A comment by a user or an unknown source.
    #[default]
    Comment,
    /// A vote in favour.
    ThumbsUp,
    /// A vote against.
    ThumbsDown,
    /// A finding of an analyzer.
    Analyzer,
    /// A guardrail that failed or could not run.
    Guardrail,
    /// An assertion or expectation of a test that passed.
    TestPassed,
    /// An assertion or expectation of a test that failed.
    TestFailed,
    /// A match of a search.
    Search,
}

impl AnnotationKind {
    /// The word for the kind in style sheets.
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

/// How many annotations of each kind a run has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct AnnotationTally {
    /// All of them.
    pub all: u32,
    /// Comments and votes.
    pub comments: u32,
    /// Findings of analyzers.
    pub analyzer: u32,
    /// Failed guardrails.
    pub guardrails: u32,
    /// Tests that passed.
    pub passed: u32,
    /// Tests that failed.
    pub failed: u32,
}

impl AnnotationTally {
    /// Counts one annotation.
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

/// The part of a value that an annotation points at.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub enum Part {
    /// The whole value.
    #[default]
    Whole,
    /// The characters between two indices, in UTF-16 units from 0. The second index is exclusive.
    Chars(u32, u32),
    /// A line, from 0.
    Line(u32),
    /// A box in an image: left, top, right, bottom as fractions of its width and height.
    Area([f32; 4]),
}
