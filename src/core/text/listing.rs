//! A file as tools print it for a model, with each line after its number (`   12→`, `12\t`, `12|`, `12: `).

/// A parsed listing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listing<'a> {
    /// The number of each line.
    pub numbers: Vec<u32>,
    /// The lines without their numbers.
    pub lines: Vec<&'a str>,
    /// The text before the first numbered line.
    pub before: &'a str,
    /// The text after the last one, such as a remark of the tool.
    pub after: &'a str,
}

/// The separators between a number and its line, the most reliable first.
const SEPARATORS: [&str; 5] = ["→", "\t", "|", ": ", ":"];

/// The maximum number of lines before the first numbered one.
const MAX_BEFORE: usize = 6;

/// Parses a listing. `None` if the text is not one: it needs two lines with rising numbers, or one if the separator is
/// an arrow.
#[must_use]
pub fn listing(text: &str) -> Option<Listing<'_>> {
    let mut at = 0;
    let starts = text.split_inclusive('\n').take(MAX_BEFORE).map(|line| {
        let start = at;
        at += line.len();
        (start, line)
    });
    let (start, separator) = starts.into_iter().find_map(|(start, line)| {
        let found = SEPARATORS.into_iter().find(|it| numbered(line, it).is_some())?;
        Some((start, found))
    })?;
    let (mut numbers, mut lines, mut end) = (Vec::new(), Vec::new(), start);
    for line in text.get(start..)?.split_inclusive('\n') {
        let Some((number, code)) = numbered(line, separator) else { break };
        if numbers.last().is_some_and(|last| number <= *last) {
            break;
        }
        numbers.push(number);
        lines.push(code);
        end += line.len();
    }
    let follows_on =
        numbers.windows(2).filter(|pair| matches!(pair, [a, b] if a + 1 == *b)).count();
    let is_sure = match separator {
        "→" => true,
        // A colon also follows times, and occurs in lists.
        _ => numbers.len() > 1 && follows_on * 2 >= numbers.len() - 1,
    };
    let (before, after) = (text.get(..start)?, text.get(end..)?);
    // Output that merely contains a few numbered lines is not a listing.
    let is_most = after.lines().count() <= numbers.len().max(12);
    (is_sure && is_most).then_some(Listing { numbers, lines, before, after })
}

/// The number and the rest of a line.
fn numbered<'a>(line: &'a str, separator: &str) -> Option<(u32, &'a str)> {
    let line = line.trim_end_matches(['\n', '\r']);
    let digits = line.trim_start_matches(' ');
    let len = digits.find(|char: char| !char.is_ascii_digit()).unwrap_or(digits.len());
    let number = digits.get(..len).filter(|it| !it.is_empty() && it.len() < 8)?.parse().ok()?;
    let rest = digits.get(len..)?;
    // The separator of an empty line may have lost its blank.
    let code = rest.strip_prefix(separator);
    let code = code.or_else(|| (rest == separator.trim_end() && !rest.is_empty()).then_some(""))?;
    Some((number, code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listings_of_tools() {
        let arrows = "     1→fn main() {\n     2→\n     3→}\n\n<note>\n";
        let found = listing(arrows).unwrap();
        assert_eq!((found.numbers.as_slice(), found.after), ([1, 2, 3].as_slice(), "\n<note>\n"));
        assert_eq!(found.lines, ["fn main() {", "", "}"]);
        let tabs = "    10\ta\n    11\t\n    12\tb";
        assert_eq!(listing(tabs).unwrap().lines, ["a", "", "b"]);
        let headed = "Here's the result of running `cat -n`:\n  1\ta\n  2\tb\n";
        assert_eq!(listing(headed).unwrap().before, "Here's the result of running `cat -n`:\n");
        assert_eq!(listing("1: a\n2:\n3: b\n").unwrap().numbers, [1, 2, 3]);
        assert_eq!(listing("  7→only").unwrap().numbers, [7]);
    }

    #[test]
    fn what_is_no_listing() {
        for text in
            ["", "plain\ntext", "12:30 came\n14:10 went\n", "1\n2\n3\n", "3\ta\n1\tb\n", "1→"]
        {
            let found = listing(text).filter(|it| it.numbers.len() > 1);
            assert_eq!(found, None, "{text}");
        }
        let long = format!("1: a\n2: b\n{}", "and other output\n".repeat(40));
        assert_eq!(listing(&long), None);
    }
}
