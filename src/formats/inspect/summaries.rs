//! The outcomes of the samples of an `.eval` log: `summaries.json`, which has a summary of every sample.

use super::verdict;
use traceloupe_core::json::Json;

/// The entries that have the summaries. The log of an evaluation that is still running or was aborted has them only in
/// a journal.
#[must_use]
pub fn summaries_of_log(names: &[&str]) -> Vec<usize> {
    match names.iter().rposition(|name| *name == "summaries.json") {
        Some(at) => vec![at],
        None => {
            let is_part = |name: &str| name.starts_with("_journal/summaries/");
            (0..names.len()).filter(|at| names.get(*at).is_some_and(|it| is_part(it))).collect()
        }
    }
}

/// The outcome of each sample, under the prefix of its entries' names: `match: correct · limit: token`.
#[must_use]
pub fn outcomes(summaries: &str) -> Vec<(String, String)> {
    Json::new(summaries).items().map(|it| (entry_name(it), outcome(it))).collect()
}

fn entry_name(summary: Json<'_>) -> String {
    let [id, epoch] = ["id", "epoch"].map(|key| summary.get(key).label());
    format!("samples/{id}_epoch_{epoch}")
}

fn outcome(summary: Json<'_>) -> String {
    /// More than fits on a line.
    const MAX_CHARS: usize = 160;
    let score = |(name, score): (_, Json<'_>)| {
        let value = score.get("value");
        match (verdict(value), value.word()) {
            (Some(verdict), _) => format!("{name}: {verdict}"),
            (None, Some(word)) => format!("{name}: {word}"),
            (None, None) => format!("{name}: {}", value.raw()),
        }
    };
    let mut told: Vec<String> = summary.get("scores").members().map(score).collect();
    for key in ["limit", "error"] {
        let words = summary.get(key).text().unwrap_or_default();
        if let Some(line) = words.trim().lines().next() {
            told.push(format!("{key}: {line}"));
        }
    }
    told.join(" · ").chars().take(MAX_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_has_scores_limit_and_error() {
        let told = outcomes(
            r#"[{"id":7,"epoch":2,"scores":{"match":{"value":"C"},"steps":{"value":0.5},"by part":{"value":{"a":1}}}},
                {"id":"a/b","epoch":1,"limit":"token","error":"The sandbox is gone\nat line 3"},
                {"id":"c","epoch":1,"scores":null,"error":null,"limit":null}]"#,
        );
        let wanted = [
            ("samples/7_epoch_2", "match: correct · steps: 0.5 · by part: {\"a\":1}"),
            ("samples/a/b_epoch_1", "limit: token · error: The sandbox is gone"),
            ("samples/c_epoch_1", ""),
        ];
        assert_eq!(told, wanted.map(|(name, words)| (name.to_owned(), words.to_owned())));
    }

    #[test]
    fn summaries_are_whole_or_in_a_journal() {
        let names = ["_journal/summaries/1.json", "_journal/summaries/2.json", "header.json"];
        assert_eq!(summaries_of_log(&names), [0, 1]);
        assert_eq!(summaries_of_log(&["_journal/summaries/1.json", "summaries.json"]), [1]);
    }
}
