//! Addresses of annotations, as Invariant Explorer writes them: `messages[3].content:5-10`.
//!
//! A path, with dots or brackets, and after its last colon the part of the value: characters (`5-10`, end exclusive), a
//! line (`L0`), a box in an image (`bbox-` and four fractions). `<root>` is the whole trace. In runs that are not
//! conversations, rows are numbered as `events[3]` or named by the producer's own id: `events["id"]`.

use traceloupe_core::json::{Step, decode_string};
use traceloupe_core::model::Part;
use traceloupe_core::number;

/// The start of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Base {
    /// The whole trace.
    Run,
    /// The message with a number.
    Message(usize),
    /// The event with a number.
    Event(usize),
    /// The event with the producer's id.
    Native(String),
}

/// A parsed address.
#[derive(Clone, PartialEq, Debug)]
pub struct Address {
    /// The base of the path.
    pub base: Base,
    /// The path below the base.
    pub path: Vec<Step>,
    /// The part of the value that is meant.
    pub part: Part,
}

/// Longer texts are not addresses.
const MAX_BYTES: usize = 4_096;

/// Parses an address. `None` if the text is not an address.
#[must_use]
pub fn parse(text: &str) -> Option<Address> {
    let text = text.trim();
    if text.len() > MAX_BYTES {
        return None;
    }
    if matches!(text, "" | "." | "<root>") {
        return Some(Address { base: Base::Run, path: Vec::new(), part: Part::Whole });
    }
    let split = text.rsplit_once(':').and_then(|(path, part)| Some((path, part_of(part)?)));
    let (path, part) = split.unwrap_or((text, Part::Whole));
    let mut steps = steps_of(path)?.into_iter().peekable();
    let counts_events = match steps.peek()? {
        Step::Key(key) if key == "messages" => {
            steps.next();
            false
        }
        Step::Key(key) if key == "events" => {
            steps.next();
            true
        }
        Step::Key(_) => return None,
        Step::Index(_) => false,
    };
    let base = match steps.next() {
        None => Base::Run,
        Some(Step::Index(at)) if counts_events => Base::Event(at),
        Some(Step::Index(at)) => Base::Message(at),
        Some(Step::Key(id)) if counts_events => Base::Native(id),
        Some(Step::Key(_)) => return None,
    };
    Some(Address { base, path: steps.collect(), part })
}

fn part_of(text: &str) -> Option<Part> {
    if let Some(line) = text.strip_prefix('L') {
        return Some(Part::Line(line.parse().ok()?));
    }
    if let Some(area) = text.strip_prefix("bbox-") {
        let mut sides = area.split(',').map(|side| number::parse(side.trim()));
        let area = [sides.next()??, sides.next()??, sides.next()??, sides.next()??];
        #[expect(clippy::cast_possible_truncation, reason = "parts of an image, from 0 to 1")]
        return sides.next().is_none().then_some(Part::Area(area.map(|side| side as f32)));
    }
    let (from, to) = text.split_once('-')?;
    let (from, to) = (from.parse().ok()?, to.parse().ok()?);
    (from <= to).then_some(Part::Chars(from, to))
}

/// The steps of `a.b[0]["c.d"]`.
fn steps_of(path: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        if let Some(inside) = rest.strip_prefix('[') {
            let (step, behind) = match inside.bytes().next()? {
                quote @ (b'"' | b'\'') => quoted_step(inside, quote)?,
                _ => {
                    let (word, behind) = inside.split_once(']')?;
                    (step_of(word), behind)
                }
            };
            steps.push(step);
            rest = behind.strip_prefix('.').unwrap_or(behind);
            continue;
        }
        let end = rest.find(['.', '[']).unwrap_or(rest.len());
        let (word, behind) = rest.split_at_checked(end)?;
        if word.is_empty() {
            return None;
        }
        steps.push(step_of(word));
        rest = behind.strip_prefix('.').unwrap_or(behind);
    }
    Some(steps)
}

fn step_of(word: &str) -> Step {
    match word.parse() {
        Ok(index) => Step::Index(index),
        Err(_) => Step::Key(word.to_owned()),
    }
}

/// `"key"]rest`, with the escapes of JSON between double quotes.
fn quoted_step(text: &str, quote: u8) -> Option<(Step, &str)> {
    let mut escaped = false;
    let end = text.bytes().enumerate().skip(1).find(|(_, byte)| {
        let is_end = *byte == quote && !escaped;
        escaped = *byte == b'\\' && !escaped;
        is_end
    });
    let (literal, behind) = text.split_at_checked(end?.0 + 1)?;
    let key = match quote {
        b'"' => decode_string(literal).into_owned(),
        _ => literal.trim_matches('\'').to_owned(),
    };
    Some((Step::Key(key), behind.strip_prefix(']')?))
}

/// Writes the part of a value after a path.
pub fn write_part(part: Part, into: &mut String) {
    match part {
        Part::Whole => {}
        Part::Chars(from, to) => into.push_str(&format!(":{from}-{to}")),
        Part::Line(line) => into.push_str(&format!(":L{line}")),
        Part::Area([left, top, right, bottom]) => {
            into.push_str(&format!(":bbox-{left},{top},{right},{bottom}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(key: &str) -> Step {
        Step::Key(key.to_owned())
    }

    #[track_caller]
    fn check(text: &str, base: Base, path: &[Step], part: Part) {
        assert_eq!(parse(text), Some(Address { base, path: path.to_vec(), part }), "{text}");
    }

    #[test]
    fn every_kind_of_address() {
        let content = [key("content")];
        check("messages.0.content:5-10", Base::Message(0), &content, Part::Chars(5, 10));
        check("messages[0].content:L0", Base::Message(0), &content, Part::Line(0));
        check("messages[12]", Base::Message(12), &[], Part::Whole);
        check("<root>", Base::Run, &[], Part::Whole);
        check("messages", Base::Run, &[], Part::Whole);
        check("3.content", Base::Message(3), &content, Part::Whole);
        let steps =
            [key("tool_calls"), Step::Index(0), key("function"), key("arguments"), key("x")];
        let written = "messages[3].tool_calls[0].function.arguments.x:0-5";
        check(written, Base::Message(3), &steps, Part::Chars(0, 5));
        let area = Part::Area([0.25, 0.0, 0.5, 1.0]);
        check("messages.1.content:bbox-0.25,0,0.5,1", Base::Message(1), &content, area);
        check("messages[1][\"a.b]\"]:L2", Base::Message(1), &[key("a.b]")], Part::Line(2));
        check("messages[1]['q\"']", Base::Message(1), &[key("q\"")], Part::Whole);
        check("events[7].payload", Base::Event(7), &[key("payload")], Part::Whole);
        check(
            r#"events["a\"b"].x:1-2"#,
            Base::Native("a\"b".into()),
            &[key("x")],
            Part::Chars(1, 2),
        );
        check("messages[0].content:other", Base::Message(0), &[key("content:other")], Part::Whole);
    }

    #[test]
    fn what_is_no_address() {
        let long = format!("messages[0].{}", "a".repeat(5_000));
        for text in ["content", "messages.x", "messages[0", "messages[0]..a", "[\"a", &long, "é[é"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
        for part in [
            "10-5",
            "L",
            "L-1",
            "bbox-1,2,3",
            "bbox-1,2,3,4,5",
            "bbox-a,b,c,d",
            "bbox-NaN,0,0,0",
            "99999999999-1",
        ] {
            assert_eq!(part_of(part), None, "{part}");
        }
    }

    #[test]
    fn parts_are_written_as_they_are_read() {
        for text in [":5-10", ":L3", ":bbox-0.25,0,0.5,1", ""] {
            let part = parse(&format!("messages[0]{text}")).unwrap().part;
            let mut written = String::new();
            write_part(part, &mut written);
            assert_eq!(written, text);
        }
    }
}
