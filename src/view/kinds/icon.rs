//! The icons of rows: a set of line drawings on a grid of 16 pixels.

/// A spark: the transcript.
pub const SPARK: &str = "M8 1.9 9.75 6.25 14.1 8 9.75 9.75 8 14.1 6.25 9.75 1.9 8l4.35-1.75Z";
/// Lines below each other: the table of runs.
pub const ROWS: &str = "M2 4h12M2 8h12M2 12h12";
/// A column and lines: the timeline.
pub const LINES: &str = "M1.75 2.75h12.5v10.5H1.75ZM6 3v10M8.5 6h3.5M8.5 10h3.5";
/// Bars, each further to the right: the waterfall.
pub const STEPS: &str = "M2 3.5h5M5 8h6M9 12.5h5";
/// A folder: files.
pub const FOLDER: &str = "M1.75 12.75v-9.5H6l1.75 2h6.5v7.5Z";
/// Bars of different heights: statistics.
pub const BARS: &str = "M2.5 14V8.5M8 14V2.5M13.5 14V6";
/// Two columns: a comparison.
pub const COLUMNS: &str = "M1.75 2.75H6.5v10.5H1.75ZM9.5 2.75h4.75v10.5H9.5Z";

/// A cross: closes something.
pub const CLOSE: &str = "M4 4l8 8M12 4l-8 8";
/// Three dots: a menu.
pub const MORE: &str = "M3.2 8h.01M8 8h.01M12.8 8h.01";
/// Sliders: settings.
pub const TUNE: &str =
    "M3.5 2v5.2M3.5 11.2V14M8 2v1.8M8 7.8V14M12.5 2v5.8M12.5 11.8V14M2 9.2h3M6.5 5.8h3M11 9.8h3";
/// A circle, half of it hatched: light and dark.
pub const THEME: &str =
    "M8 2.2a5.8 5.8 0 1 1 0 11.6a5.8 5.8 0 0 1 0-11.6ZM8 2.2v11.6M10 3v10M12 4.2v7.6";
/// Arrows that point away from a line: expands everything.
pub const EXPAND: &str = "M8 2v3.7M5.7 4L8 1.7L10.3 4M8 14v-3.7M5.7 12L8 14.3L10.3 12M2 8h12";
/// A padlock: the seal.
pub const LOCK: &str = "M3 7h10v6.7H3ZM5.2 7V5a2.8 2.8 0 0 1 5.6 0v2";
/// Three lines of decreasing length: a filter.
pub const FUNNEL: &str = "M2 4h12M4.5 8h7M7 12h2";
/// Two links of a chain.
pub const LINK: &str = "M6.6 9.4a2.9 2.9 0 0 0 4.1 0l2.5-2.5a2.9 2.9 0 0 0-4.1-4.1l-.9.9M9.4 6.6a2.9 2.9 0 0 0-4.1 0L2.8 9.1a2.9 2.9 0 0 0 4.1 4.1l.9-.9";
/// Two sheets: copy.
pub const COPY: &str = "M6.2 5.5h6a1.3 1.3 0 0 1 1.3 1.3v5.4a1.3 1.3 0 0 1-1.3 1.3h-6a1.3 1.3 0 0 1-1.3-1.3V6.8a1.3 1.3 0 0 1 1.3-1.3ZM4.9 10.5H3.8a1.3 1.3 0 0 1-1.3-1.3V3.8a1.3 1.3 0 0 1 1.3-1.3h5.4a1.3 1.3 0 0 1 1.3 1.3v1.7";
/// A speech bubble with a plus: a new annotation.
pub const ANNOTATE: &str = "M13.7 8v1.7a1.5 1.5 0 0 1-1.5 1.5H8L4.7 14v-2.8h-1a1.5 1.5 0 0 1-1.5-1.5V4.2a1.5 1.5 0 0 1 1.5-1.5H8M12 1.7v4.5M9.7 4h4.5";
/// Points to the right: folded.
pub const RIGHT: &str = "M6.2 4l4 4l-4 4";
/// Points down: unfolded.
pub const DOWN: &str = "M4 6.2l4 4l4-4";
/// An arrow into a tray: drop files here to open them.
pub const DROP: &str = "M8 2v7.5M4.8 6.5L8 9.7l3.2-3.2M2.5 11v2.5h11V11";
/// An arrow around a corner: go to a place.
pub const GO: &str = "M3 3v4.25a2 2 0 0 0 2 2h8M9.75 6 13 9.25 9.75 12.5";
/// A crossed-out eye: stop marking something.
pub const MUTE: &str = "M2 2l12 12M6.5 3.6A7 7 0 0 1 8 3.5c3.2 0 5.4 2.2 6.4 4.5a9 9 0 0 1-1.6 2.4M4.3 4.9A8.6 8.6 0 0 0 1.6 8c1 2.3 3.2 4.5 6.4 4.5 1 0 1.9-.2 2.7-.6M6.6 6.7a1.9 1.9 0 0 0 2.7 2.7";
/// An eye: mark something again.
pub const SEE: &str = "M1.6 8c1-2.3 3.2-4.5 6.4-4.5S13.4 5.7 14.4 8c-1 2.3-3.2 4.5-6.4 4.5S2.6 10.3 1.6 8ZM8 6.1a1.9 1.9 0 1 1 0 3.8a1.9 1.9 0 0 1 0-3.8";
/// Points up: back.
pub const UP: &str = "M4 9.8l4-4l4 4";
/// A branching line: where two runs first differ.
pub const FORK: &str = "M1.8 8h4l6.2-4.5M5.8 8l6.2 4.5M8.7 3.2l3.3.3l-1 3.2M11 9.3l1 3.2l-3.3.3";
/// A tick in a circle: a good outcome.
pub const DONE: &str = "M8 1.9a6.1 6.1 0 1 1 0 12.2a6.1 6.1 0 0 1 0-12.2M5.4 8.2l1.8 1.8l3.5-3.8";
/// A circle with dots: no end.
pub const UNENDED: &str =
    "M8 1.9a6.1 6.1 0 1 1 0 12.2a6.1 6.1 0 0 1 0-12.2M5.4 8h.01M8 8h.01M10.6 8h.01";
/// A circle: unknown outcome.
pub const CIRCLE: &str = "M8 1.9a6.1 6.1 0 1 1 0 12.2a6.1 6.1 0 0 1 0-12.2";
/// Two arrows in opposite directions: swaps two runs.
pub const SWAP: &str = "M2.5 5.5h11M10.5 2.5l3 3l-3 3M13.5 10.5h-11M5.5 7.5l-3 3l3 3";

/// An icon.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Icon {
    /// A user.
    User,
    /// Two sliders: the setup of the agent.
    System,
    /// A spark: an LLM call.
    Llm,
    /// A cloud: thinking.
    Think,
    /// A nut: a tool of unknown purpose.
    #[default]
    Tool,
    /// A prompt: a shell command.
    Shell,
    /// A page with lines: reading.
    Read,
    /// A pencil: editing.
    Edit,
    /// A magnifying glass: searching.
    Search,
    /// A globe: web pages.
    Web,
    /// A plug: a tool of an MCP server.
    Mcp,
    /// Two ticked lines: a list of tasks.
    Tasks,
    /// A robot: a sub-agent.
    Agent,
    /// A cylinder: stored state.
    State,
    /// An exclamation mark in an octagon.
    Error,
    /// Two arrows in a ring.
    Loop,
    /// Two arrows that meet.
    Compaction,
    /// A triangle pointing forward.
    Start,
    /// A flag.
    End,
    /// A sheet of paper with a folded corner.
    Note,
    /// Braces: a record of unknown kind.
    Record,
    /// A gauge.
    Evaluation,
    /// Two bars, one after the other.
    Span,
    /// A clock: something slow.
    Slow,
    /// A drum: a database.
    Database,
}

impl Icon {
    /// All icons.
    pub const ALL: [Self; 25] = [
        Self::User,
        Self::System,
        Self::Llm,
        Self::Think,
        Self::Tool,
        Self::Shell,
        Self::Read,
        Self::Edit,
        Self::Search,
        Self::Web,
        Self::Mcp,
        Self::Tasks,
        Self::Agent,
        Self::State,
        Self::Error,
        Self::Loop,
        Self::Compaction,
        Self::Start,
        Self::End,
        Self::Note,
        Self::Record,
        Self::Evaluation,
        Self::Span,
        Self::Slow,
        Self::Database,
    ];

    /// The drawing as the `d` attribute of an SVG path, for the view box `0 0 16 16`. The path is
    /// stroked, not filled.
    #[must_use]
    pub fn path(self) -> &'static str {
        match self {
            Self::User => {
                "M8 2.5a2.6 2.6 0 1 1 0 5.2a2.6 2.6 0 0 1 0-5.2M3 13.5c.4-2.5 2.3-3.7 5-3.7s4.6 1.2 5 3.7"
            }
            Self::System => {
                "M2 5h4.5M10.5 5H14M2 11h3M9 11h5M8.5 3a2 2 0 1 1 0 4a2 2 0 0 1 0-4M7 9a2 2 0 1 1 0 4a2 2 0 0 1 0-4"
            }
            Self::Llm => {
                "M8 2c.5 3.8 2.2 5.5 6 6c-3.8.5-5.5 2.2-6 6c-.5-3.8-2.2-5.5-6-6c3.8-.5 5.5-2.2 6-6Z"
            }
            Self::Think => {
                "M5 10.5a2.7 2.7 0 0 1-.3-5.4a3.5 3.5 0 0 1 6.7-.4a2.9 2.9 0 0 1-.4 5.8ZM4.5 13.5h.01M2.5 14.3h.01"
            }
            Self::Tool => "M8 2l5.2 3v6L8 14l-5.2-3V5ZM8 6a2 2 0 1 1 0 4a2 2 0 0 1 0-4",
            Self::Shell => {
                "M3 3h10a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1ZM4.7 6l2 2l-2 2M8.5 10.3h3"
            }
            Self::Read => "M3.5 2h9v12h-9ZM6 5.3h4M6 8h4M6 10.7h2.5",
            Self::Edit => "M2.5 13.5l.5-3L10.7 2.8l2.5 2.5L5.5 13ZM9 4.5L11.5 7",
            Self::Search => "M7 2.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 0 1 0-9M10.4 10.4l3.4 3.4",
            Self::Web => {
                "M8 2a6 6 0 1 1 0 12a6 6 0 0 1 0-12M2 8h12M8 2c3.8 3.6 3.8 8.4 0 12M8 2c-3.8 3.6-3.8 8.4 0 12"
            }
            Self::Mcp => "M5.5 2v3M10.5 2v3M3.5 5h9v2.3a4.5 4.5 0 0 1-9 0ZM8 11.8V14",
            Self::Tasks => "M2 4.5l1.3 1.3L5.5 3.3M2 11l1.3 1.3l2.2-2.5M8 4.5h6M8 11.2h6",
            Self::Agent => {
                "M4 5.5h8a1.5 1.5 0 0 1 1.5 1.5v5a1.5 1.5 0 0 1-1.5 1.5H4A1.5 1.5 0 0 1 2.5 12V7A1.5 1.5 0 0 1 4 5.5ZM8 5.5V2.5M6 8.7v1.6M10 8.7v1.6"
            }
            Self::State => {
                "M8 2c2.8 0 5 .8 5 1.9S10.8 5.8 8 5.8S3 5 3 3.9S5.2 2 8 2ZM3 3.9v8.2C3 13.2 5.2 14 8 14s5-.8 5-1.9V3.9M3 8c0 1.1 2.2 1.9 5 1.9S13 9.1 13 8"
            }
            Self::Error => "M5.5 2h5L14 5.5v5L10.5 14h-5L2 10.5v-5ZM8 5v3.5M8 11h.01",
            Self::Loop => {
                "M2.5 7A4 4 0 0 1 6.5 3.5H13M10.8 1.5L13 3.5l-2.2 2M13.5 9a4 4 0 0 1-4 3.5H3M5.2 10.5L3 12.5l2.2 2"
            }
            Self::Compaction => "M2 8h12M8 1.5v4M6 3.8L8 5.5l2-1.7M8 14.5v-4M6 12.2L8 10.5l2 1.7",
            Self::Start => "M4.5 2.8v10.4L13 8Z",
            Self::End => "M3.5 14V2.5M3.5 3H13l-2 3l2 3H3.5",
            Self::Note => "M2.5 3h11v6.5L10 13H2.5ZM13.5 9.5H10V13M5 6h6",
            Self::Record => {
                "M6 2.5c-1.5 0-2 .6-2 2v1.8C4 7.4 3.5 8 2.5 8c1 0 1.5.6 1.5 1.7v1.8c0 1.4.5 2 2 2M10 2.5c1.5 0 2 .6 2 2v1.8c0 1.1.5 1.7 1.5 1.7c-1 0-1.5.6-1.5 1.7v1.8c0 1.4-.5 2-2 2"
            }
            Self::Evaluation => "M2 12a6 6 0 1 1 12 0M8 11.5l2.5-4M8 11.5h.01",
            Self::Slow => "M8 2a6 6 0 1 1 0 12a6 6 0 0 1 0-12M8 4.7V8l2.3 1.6",
            Self::Span => "M2 3.5h8v3.5H2ZM6 9h8v3.5H6Z",
            Self::Database => {
                "M3 4a5 1.9 0 1 1 10 0a5 1.9 0 1 1-10 0v8a5 1.9 0 0 0 10 0V4M3 8a5 1.9 0 0 0 10 0"
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_icon_is_a_drawing_of_its_own() {
        let paths: BTreeSet<&str> = Icon::ALL.iter().map(|icon| icon.path()).collect();
        assert_eq!(paths.len(), Icon::ALL.len());
        for path in paths {
            assert!(path.starts_with('M'), "{path}");
            let is_command = |char: char| "MmLlHhVvCcSsAaZz .-0123456789".contains(char);
            assert!(path.chars().all(is_command), "{path}");
        }
    }
}
