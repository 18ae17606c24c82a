//! Which part of a run is listed: all of it, or the work of one sub-agent.

use std::ops::Range;

use crate::agents::Agent;
use crate::list::form::ListForm;
use crate::list::line_view::row_name;
use crate::list::visible_lines::{Choice, ancestors};
use crate::outline::Outline;
use traceloupe_words as words;

/// The listed rows: those of the run, or the row that starts the chosen agent and everything nested in it.
#[must_use]
pub fn range(outline: &Outline, choice: &Choice) -> Range<u32> {
    match (choice.within, outline.runs.get(choice.run as usize)) {
        (Some(row), _) => row..row + 1 + outline.rows.nested.get(row),
        (None, Some(run)) => run.first_row..run.first_row + run.n_rows,
        (None, None) => 0..0,
    }
}

/// The ancestors of a row within the chosen agent, outermost first.
#[must_use]
pub fn ancestors_within(outline: &Outline, choice: &Choice, row: u32) -> Vec<u32> {
    let mut around = ancestors(outline, row);
    around.retain(|it| choice.within.is_none_or(|within| *it >= within));
    around
}

/// The agents that contain a row, outermost first, followed by the one that it starts.
#[must_use]
pub fn path(outline: &Outline, row: u32) -> Vec<Agent> {
    let mut rows = ancestors(outline, row);
    rows.push(row);
    rows.retain(|row| outline.agents.at(*row).is_some());
    rows.iter().map(|row| outline.agents.at(*row).copied().unwrap_or_default()).collect()
}

/// The agent that a row represents as a card.
#[must_use]
pub fn card<'a>(outline: &'a Outline, choice: &Choice, row: u32) -> Option<&'a Agent> {
    let has_cards = choice.form != ListForm::Waterfall && !choice.leaves_out();
    let agent = outline.agents.at(row).filter(|_| has_cards)?;
    (choice.within != Some(row)).then_some(agent)
}

/// The longest name of an agent, in characters.
const MAX_NAME: usize = 60;

/// The displayed name of an agent: its own, or that of the row that starts it. Some producers name an agent by kind and
/// task. In that case the task is left out, because the row shows it.
#[must_use]
pub fn name(outline: &Outline, agent: &Agent) -> String {
    let lane =
        outline.run_of(agent.row).and_then(|(_, run)| run.lanes.get(usize::from(agent.lane)));
    let lane = lane.filter(|lane| !lane.is_main && !is_id(&lane.name));
    let name = lane.map_or("", |lane| lane.name.split(':').next().unwrap_or_default());
    let is_named = outline.rows.names.get(agent.row) > 0;
    let is_agent =
        outline.rows.kinds.get(agent.row) == traceloupe_core::model::EventKind::Agent as u8;
    match name {
        name if name.is_empty() || is_agent && is_named => row_name(outline, agent.row),
        name => words::one_line(name, MAX_NAME),
    }
}

/// Whether a name is empty, or ends with enough hexadecimal digits to be an id.
pub(super) fn is_id(name: &str) -> bool {
    let mut n_digits = 0;
    let mut has_number = false;
    for byte in name.bytes().rev() {
        match byte {
            b'-' | b'_' | b':' => break,
            _ if !byte.is_ascii_hexdigit() => return false,
            _ => n_digits += 1,
        }
        has_number |= byte.is_ascii_digit();
    }
    name.is_empty() || has_number && n_digits > 5
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::list::visible_lines::{Line, lines, reveal};
    use crate::testing::with_agents;
    use traceloupe_core::model::EventKind::{LlmCall, ToolCall, UserMessage};

    /// A call that starts an agent that starts another one.
    fn nested() -> Outline {
        with_agents(&[
            (0, UserMessage, 0),
            (0, LlmCall, 0),
            (1, ToolCall, 0),
            (2, LlmCall, 1),
            (3, ToolCall, 1),
            (4, LlmCall, 2),
            (0, LlmCall, 0),
        ])
    }

    fn shown(outline: &Outline, choice: &Choice) -> Vec<u32> {
        lines(outline, choice).into_iter().filter_map(Line::row).collect()
    }

    #[test]
    fn only_the_rows_of_the_chosen_agent_are_listed() {
        let outline = nested();
        let choice = Choice { collapse_over_tools: 5, ..Choice::default() };
        assert_eq!(shown(&outline, &choice), [0, 1, 2, 6], "its card stands for it");
        let open = Choice { toggled: [2].into(), ..choice.clone() };
        assert_eq!(shown(&outline, &open), [0, 1, 2, 3, 4, 6]);
        let inner = Choice { within: Some(2), ..choice.clone() };
        assert_eq!(shown(&outline, &inner), [2, 3, 4]);
        let closed = Choice { all: Some(false), ..inner.clone() };
        assert_eq!(shown(&outline, &closed), [2, 3], "the row that starts it stays open");
        let minimal = Choice { mode: crate::list::visible_lines::Mode::Minimal, ..inner.clone() };
        assert_eq!(shown(&outline, &minimal), [5]);
        // Revealing a row outside the agent goes back to the whole run; revealing one inside does not.
        assert_eq!(reveal(&outline, &inner, 6).within, None);
        assert_eq!(reveal(&outline, &inner, 5).within, Some(2));
        assert_eq!(ancestors_within(&outline, &inner, 5), [2, 3, 4]);
        assert_eq!(ancestors_within(&outline, &choice, 5), [1, 2, 3, 4]);
    }

    #[test]
    fn in_a_transcript_a_card_stands_for_what_is_inside() {
        let outline = nested();
        let form = ListForm::Transcript;
        let choice = Choice { collapse_over_tools: 5, form, ..Choice::default() };
        assert_eq!(shown(&outline, &choice), [0, 1, 2, 6]);
        let inner = Choice { within: Some(2), ..choice.clone() };
        assert_eq!(shown(&outline, &inner), [2, 3, 4]);
        let open = Choice { toggled: [2].into(), ..choice.clone() };
        assert_eq!(shown(&outline, &open), [0, 1, 2, 3, 4, 6]);
        assert_eq!(card(&outline, &choice, 2).map(|it| it.end), Some(6));
        assert_eq!(card(&outline, &inner, 2), None, "its own row is no card");
        assert!(card(&outline, &inner, 4).is_some());
        let waterfall = Choice { form: ListForm::Waterfall, ..choice };
        assert_eq!(card(&outline, &waterfall, 2), None);
    }

    #[test]
    fn the_way_to_a_row_leads_through_its_agents() {
        let outline = nested();
        let names = |row| -> Vec<String> {
            path(&outline, row).iter().map(|it| name(&outline, it)).collect()
        };
        assert_eq!(names(5), ["agent 1", "agent 2"]);
        assert_eq!(names(2), ["agent 1"]);
        assert!(names(6).is_empty());
    }

    #[test]
    fn ids_are_no_names() {
        for id in ["", "agent-a485154", "019d7d09-b4a2-74f0-b87f-0123456789ab", "toolu_01a2b3c4"] {
            assert!(is_id(id), "{id}");
        }
        for name in ["Explore", "agent 1", "code-reviewer", "Plan: look at 12 files", "facade"] {
            assert!(!is_id(name), "{name}");
        }
    }
}
