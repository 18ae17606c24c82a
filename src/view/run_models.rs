//! The model of a run, in a word or two.

use crate::list::line_view::short_model;
use crate::outline::Outline;
use traceloupe_core::model::{EventKind, FactKind, fact_text};
use traceloupe_protocol::outline::RunLine;

/// How many rows of a run are searched for models.
const LOOKED_AT: u32 = 5_000;

/// The model of most LLM calls of a run, and the number of other models: `gpt-5 + 1`. Empty if the file names none.
#[must_use]
pub fn models_of(outline: &Outline, run: &RunLine) -> String {
    let mut counts: Vec<(u32, u32)> = Vec::new();
    for row in run.first_row..run.first_row + run.n_rows.min(LOOKED_AT) {
        if outline.rows.kinds.get(row) == EventKind::LlmCall as u8 {
            let name = outline.rows.names.get(row);
            match counts.iter_mut().find(|it| it.0 == name) {
                Some((_, n)) => *n += 1,
                None => counts.push((name, 1)),
            }
        }
    }
    // A name in angle brackets is not a model.
    counts.retain(|it| !outline.name(it.0).is_empty() && !outline.name(it.0).starts_with('<'));
    let most = counts.iter().fold((0, 0), |most, it| if it.1 > most.1 { *it } else { most });
    let model = short_model(outline.name(most.0));
    match counts.len() {
        0 => {
            let fact = fact_text(&run.facts, &FactKind::Model);
            fact.map_or_else(String::new, |it| short_model(it).to_owned())
        }
        1 => model.to_owned(),
        n => format!("{model} + {}", n - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assembly::Assembly;
    use traceloupe_core::model::Fact;
    use traceloupe_protocol::outline::OutlineHead;
    use traceloupe_protocol::row_columns::RowSlice;

    #[test]
    fn a_run_has_the_model_that_it_calls_most() {
        use EventKind::{LlmCall, ToolCall};
        let named = |names: [u32; 4]| {
            let known = ["", "gpt-5", "claude-haiku-4-5-20251001", "<synthetic>"];
            let mut assembly = Assembly::new(OutlineHead {
                names: known.into_iter().collect(),
                runs: vec![RunLine { n_rows: 4, ..RunLine::default() }],
                n_rows: 4,
                ..OutlineHead::default()
            });
            assembly.append(&RowSlice {
                ids: (0..4).collect(),
                kinds: [LlmCall, LlmCall, LlmCall, ToolCall]
                    .map(|kind| kind as u8)
                    .into_iter()
                    .collect(),
                names: names.into_iter().collect(),
                ..RowSlice::default()
            });
            let tree = assembly.finish();
            models_of(&tree, &tree.runs[0])
        };
        assert_eq!(named([2, 2, 3, 0]), "claude-haiku-4-5");
        assert_eq!(named([1, 2, 2, 1]), "claude-haiku-4-5 + 1");
        assert_eq!(named([0, 0, 0, 1]), "", "tools are no models");
        let fact = Fact::new(FactKind::Model, "gpt-5".to_owned());
        let run = RunLine { facts: vec![fact], ..RunLine::default() };
        assert_eq!(models_of(&Outline::default(), &run), "gpt-5");
    }
}
