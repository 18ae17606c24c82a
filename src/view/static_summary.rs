//! The summary of a run as static HTML: what a saved HTML file shows before its programs run, and without them.

use crate::list::line_view::row_name;
use crate::outline::Outline;
use traceloupe_core::catalog::format_name;
use traceloupe_words::brief::{Brief, brief_html, escape_html};
use traceloupe_words::counts;
use traceloupe_words::page::export as text;

/// The most rows of a summary.
pub const MAX_ROWS: usize = 40;

/// The most characters of the text of a row.
const MAX_CHARS: usize = 300;

/// The values of a summary. All of them may be text of the trace.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StaticSummary {
    /// The title of the run.
    pub title: String,
    /// What is known of it: its format, its counts.
    pub facts: Vec<String>,
    /// The first rows: name and text.
    pub rows: Vec<(String, String)>,
    /// How many rows follow.
    pub n_more: u64,
}

impl StaticSummary {
    /// The summary of a run of a trace with this title. `text_of` gives the summary of an event, by its id.
    #[must_use]
    pub fn of_run(
        outline: &Outline,
        run: u32,
        title: &str,
        text_of: &dyn Fn(u32) -> String,
    ) -> Self {
        let Some(run) = outline.runs.get(run as usize) else { return Self::default() };
        let n = &run.counts;
        let counted = [
            (n.events, counts::events(n.events)),
            (n.llm_calls, counts::llm_calls(n.llm_calls)),
            (n.tool_calls, counts::tool_calls(n.tool_calls)),
            (n.errors, text::errors(n.errors)),
        ];
        let mut facts = vec![format_name(&run.format).to_owned()];
        facts.extend(counted.into_iter().filter(|(n, _)| *n > 0).map(|(_, words)| words));
        facts.push(title.to_owned());
        let rows = (run.first_row..run.first_row + run.n_rows).take(MAX_ROWS);
        let row = |row| (row_name(outline, row), text_of(outline.rows.ids.get(row)));
        Self {
            title: run.title.clone(),
            facts,
            rows: rows.map(row).collect(),
            n_more: u64::from(run.n_rows).saturating_sub(MAX_ROWS as u64),
        }
    }

    /// The summary as HTML, with the brief of the run. All text is escaped.
    #[must_use]
    pub fn html(&self, brief: &Brief) -> String {
        let mut html = String::from("<h1>");
        escape_html(&mut html, &self.title);
        html.push_str("</h1>\n<p>");
        escape_html(&mut html, &self.facts.join(" · "));
        html.push_str("</p>\n");
        html.push_str(&brief_html(brief));
        html.push_str("<ol>\n");
        for (name, words) in &self.rows {
            html.push_str("<li><b>");
            escape_html(&mut html, name);
            html.push_str("</b> ");
            let cut: String = words.chars().take(MAX_CHARS).collect();
            escape_html(&mut html, &cut);
            if cut.len() < words.len() {
                html.push('…');
            }
            html.push_str("</li>\n");
        }
        html.push_str("</ol>\n");
        if self.n_more > 0 {
            html.push_str("<p>");
            escape_html(&mut html, &text::more_rows(self.n_more));
            html.push_str("</p>\n");
        }
        html.push_str("<noscript><p>");
        html.push_str(text::NEEDS_SCRIPTS);
        html.push_str("</p></noscript>\n");
        html
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_the_trace_cannot_become_markup() {
        let hostile = "</li></template><script>alert(1)</script><!-- \u{0}\"'&amp;".to_owned();
        let summary = StaticSummary {
            title: hostile.clone(),
            facts: vec![hostile.clone()],
            rows: vec![(hostile.clone(), hostile)],
            n_more: 2,
        };
        let html = summary.html(&Brief::default()).replace(&brief_html(&Brief::default()), "");
        let tags: Vec<&str> =
            html.split('<').skip(1).filter_map(|it| it.split('>').next()).collect();
        let own = "h1 /h1 p /p ol li b /b /li /ol p /p noscript p /p /noscript";
        assert_eq!(tags.join(" "), own);
        assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
        assert!(html.contains("&amp;amp;"));
        assert!(!html.contains('\u{0}'));
    }

    #[test]
    fn long_texts_are_cut_at_a_character() {
        let rows = vec![("x".to_owned(), "é".repeat(MAX_CHARS + 1))];
        let html = StaticSummary { rows, ..StaticSummary::default() }.html(&Brief::default());
        assert!(html.contains(&format!("</b> {}…</li>", "é".repeat(MAX_CHARS))));
        assert!(!html.contains("further"));
    }
}
