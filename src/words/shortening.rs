//! Texts shortened so that what tells them apart stays.

pub use traceloupe_core::visible_text::one_line;

/// A path of more than `max` characters without its beginning: `…/cart/total.ts`. `None` for a text that is short
/// enough, or no single path. The telling end of a path is its last part.
#[must_use]
pub fn end_of_path(text: &str, max: usize) -> Option<String> {
    let is_path = text.starts_with(['/', '~', '.']) || text.get(1..3) == Some(":\\");
    if !is_path || text.chars().count() <= max || text.contains(char::is_whitespace) {
        return None;
    }
    let mut from = text.len();
    for (at, _) in text.char_indices().rev().filter(|(_, char)| ['/', '\\'].contains(char)) {
        let n_chars = text.get(at..).unwrap_or_default().chars().count();
        if n_chars >= max && from < text.len() {
            break;
        }
        from = at;
    }
    (from > 0 && from < text.len()).then(|| format!("…{}", text.get(from..).unwrap_or_default()))
}

/// A dotted name of more than `max` characters without its beginning: `…EventQueue.dequeue_event`. `None` for a name that
/// is short enough, or is no name of code. What is done stands in its last part.
#[must_use]
pub fn end_of_dotted(name: &str, max: usize) -> Option<String> {
    let is_code = |char: char| char.is_alphanumeric() || "._:-".contains(char);
    if name.chars().count() <= max || !name.chars().all(is_code) {
        return None;
    }
    let dots = name.match_indices('.').map(|(at, _)| at + 1);
    let ends = dots.filter_map(|at| name.get(at..)).filter(|end| !end.is_empty());
    // The longest end that fits, or else the last part.
    let ends: Vec<&str> = ends.collect();
    let end = ends.iter().find(|end| end.chars().count() < max).or(ends.last())?;
    Some(format!("…{end}"))
}

/// The folders of a path and its last part, with all that follows the path.
#[must_use]
pub fn folder_and_name(text: &str) -> (&str, &str) {
    let path = text.split(char::is_whitespace).next().unwrap_or(text);
    let at = path.rfind(['/', '\\']).map_or(0, |at| at + 1);
    text.split_at_checked(at).unwrap_or(("", text))
}

/// How much of what two texts have in common is shown before the first difference, in bytes, and from how much on the
/// rest is left out.
const COMMON_SHOWN: usize = 16;
const COMMON_MOST: usize = 40;

/// Two summaries, `tool · arguments` or plain words, that begin shortly before they differ if they begin alike for long.
#[must_use]
pub fn past_common(one: &str, other: &str) -> (String, String) {
    let name = one.split_once(" · ").map_or(0, |(name, _)| name.len() + " · ".len());
    let pairs = one.char_indices().zip(other.chars());
    let same =
        pairs.take_while(|((_, a), b)| a == b).last().map_or(0, |((at, it), _)| at + it.len_utf8());
    let shown = one.get(..same).unwrap_or_default();
    let words = shown
        .char_indices()
        .rev()
        .filter(|(at, char)| char.is_whitespace() && at + COMMON_SHOWN <= same);
    let from = words.map(|(at, _)| at + 1).next().unwrap_or(0);
    if from < name + COMMON_MOST - COMMON_SHOWN {
        return (one.to_owned(), other.to_owned());
    }
    let cut = |text: &str| {
        let (name, rest) = (text.get(..name).unwrap_or_default(), text.get(from..));
        format!("{name}…{}", rest.unwrap_or_default())
    };
    (cut(one), cut(other))
}

/// A text without the signs of Markdown for code and bold words, which say nothing in one line.
#[must_use]
pub fn without_marks(text: &str) -> String {
    text.replace("**", "").replace('`', "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_long_name_of_code_is_kept() {
        let name = "a2a.server.events.event_queue.EventQueue.dequeue_event";
        assert_eq!(end_of_dotted(name, 36).as_deref(), Some("…EventQueue.dequeue_event"));
        assert_eq!(end_of_dotted("agent.run", 36), None);
        assert_eq!(end_of_dotted("Version 2.0 of a sentence that is rather long", 36), None);
        let single = format!("a.{}", "x".repeat(50));
        assert_eq!(end_of_dotted(&single, 36), Some(format!("…{}", "x".repeat(50))));
    }

    #[test]
    fn the_end_of_a_long_path_is_kept() {
        let end = |text: &str| end_of_path(text, 20);
        assert_eq!(end("/short/path.rs"), None);
        assert_eq!(
            end("/srv/someone/project/src/cart/total.ts").as_deref(),
            Some("…/src/cart/total.ts")
        );
        assert_eq!(
            end("/srv/a_file_name_that_is_long.rs").as_deref(),
            Some("…/a_file_name_that_is_long.rs")
        );
        assert_eq!(end("not a path but a long text"), None);
        assert_eq!(end("/a_file_name_that_is_long_at_the_root"), None);
        assert_eq!(end("C:\\Users\\someone\\total.ts").as_deref(), Some("…\\someone\\total.ts"));
    }

    #[test]
    fn texts_that_begin_alike_begin_where_they_differ() {
        let one = "Here are the direct flights from New York to Seattle on May 20th";
        let other = "Here are the direct flights from New York to Seattle in June";
        let cut = past_common(one, other);
        assert_eq!(
            cut,
            ("…York to Seattle on May 20th".to_owned(), "…York to Seattle in June".to_owned())
        );
        let named = |text: &str| format!("say · {text}");
        let cut = past_common(&named(one), &named(other));
        assert_eq!(cut.1, "say · …York to Seattle in June");
        for (one, other) in [("short", "shorter"), ("", "x"), ("ééé é", "ééé è")] {
            assert_eq!(past_common(one, other), (one.to_owned(), other.to_owned()));
        }
    }
}
