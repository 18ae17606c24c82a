//! Terminal output as styled pieces: colours and weights of ECMA-48 (`ESC [ … m`). Other escape sequences are left out,
//! and so is text that a carriage return or a backspace overwrites; the source of the text shows all of it. What a
//! shell tool writes about a command before the command's own output becomes one faint line.

/// A colour of the terminal's palette.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colour {
    /// Black and the greys.
    Grey,
    /// Red.
    Red,
    /// Green.
    Green,
    /// Yellow.
    Yellow,
    /// Blue.
    Blue,
    /// Magenta.
    Magenta,
    /// Cyan.
    Cyan,
}

impl Colour {
    /// Name of the colour in the style sheet.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Grey => "grey",
            Self::Red => "red",
            Self::Green => "green",
            Self::Yellow => "yellow",
            Self::Blue => "blue",
            Self::Magenta => "magenta",
            Self::Cyan => "cyan",
        }
    }
}

/// How a piece of text is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Style {
    /// The colour of the text; `None` for the default.
    pub colour: Option<Colour>,
    /// Whether the text is bold.
    pub is_bold: bool,
    /// Whether the text is faint.
    pub is_dim: bool,
    /// Whether the text is in italics.
    pub is_italic: bool,
    /// Whether the text is underlined.
    pub is_underlined: bool,
    /// Whether text and background are swapped, or the background has a colour.
    pub is_filled: bool,
}

/// Whether a text contains anything that [`pieces`] interprets.
#[must_use]
pub fn is_terminal(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_return =
        |at: usize| bytes.get(at + 1).is_some_and(|next| *next != b'\n' && *next != b'\r');
    text.contains('\u{1b}')
        || text.contains('\u{8}')
        || text.match_indices('\r').any(|(at, _)| is_return(at))
}

/// Beginnings of what shell tools write about a command: those of Codex, and the one of computer-use agents.
const REPORTS: [&str; 5] = ["Chunk ID: ", "Command: ", "Exit code: ", "EXIT CODE: ", "Wall time: "];

/// The lines after which the output of the command begins.
const OUTPUT_BEGINS: [&str; 2] = ["\nOutput:\n", "\nSTDOUT:\n"];

/// The maximum length of a report in bytes; the command may be part of it.
const MAX_REPORT_BYTES: usize = 4_000;

/// Splits a text into what a shell tool writes about a command, and the output of the command.
#[must_use]
pub fn report(text: &str) -> Option<(&str, &str)> {
    // Claude Code writes a line above the output of a failed command.
    if let Some((line, output)) = text.split_once('\n')
        && line.strip_prefix("Exit code ").is_some_and(|code| code.parse::<i32>().is_ok())
    {
        return Some((line, output));
    }
    if !REPORTS.iter().any(|beginning| text.starts_with(beginning)) {
        return None;
    }
    let ends = OUTPUT_BEGINS.iter().filter_map(|line| Some((text.find(line)?, line.len())));
    let (at, len) = ends.min().filter(|(at, _)| *at <= MAX_REPORT_BYTES)?;
    Some((text.get(..at)?, text.get(at + len..)?))
}

/// How many pieces have styles. Each is drawn as an element, and browsers take long to draw tens of thousands of them.
const MAX_PIECES: usize = 1_000;

/// Splits a text into styled pieces; the text behind many of them is one piece without a style.
#[must_use]
pub fn pieces(text: &str) -> Vec<(Style, String)> {
    let mut screen = Screen::default();
    let mut output = text;
    if let Some((report, rest)) = report(text) {
        let lines: Vec<&str> = report.lines().filter(|line| !line.trim().is_empty()).collect();
        screen.style.is_dim = true;
        (lines.join(" · ") + "\n").chars().for_each(|char| screen.push(char));
        screen.style.is_dim = false;
        output = rest;
    }
    let mut rest = output.chars().peekable();
    while let Some(char) = rest.next() {
        match char {
            '\u{1b}' => match rest.next() {
                Some('[') => {
                    let mut parameters = String::new();
                    // Parameter and intermediate bytes sort before `@`; the final byte does not.
                    let last = rest.by_ref().find(|char| {
                        let is_last = matches!(char, '@'..='~');
                        if !is_last {
                            parameters.push(*char);
                        }
                        is_last
                    });
                    if last == Some('m') {
                        screen.style = styled(screen.style, &parameters);
                    }
                }
                Some(']') => skip_string(&mut rest),
                _ => {}
            },
            '\r' if rest.peek() == Some(&'\n') => {}
            '\r' => {
                // The line is overwritten if anything follows.
                if rest.peek().is_some_and(|next| *next != '\r') {
                    screen.clear_line();
                }
            }
            '\u{8}' => screen.back(),
            '\u{7}' => {}
            char => screen.push(char),
        }
    }
    screen.pieces
}

/// What has been written.
#[derive(Default)]
struct Screen {
    pieces: Vec<(Style, String)>,
    style: Style,
}

impl Screen {
    fn push(&mut self, char: char) {
        let n = self.pieces.len();
        let style = if n < MAX_PIECES { self.style } else { Style::default() };
        match self.pieces.last_mut() {
            Some((last, text)) if *last == style || n > MAX_PIECES => text.push(char),
            _ => self.pieces.push((style, char.to_string())),
        }
    }

    fn clear_line(&mut self) {
        while let Some((_, text)) = self.pieces.last_mut() {
            if let Some(at) = text.rfind('\n') {
                text.truncate(at + 1);
                return;
            }
            self.pieces.pop();
        }
    }

    fn back(&mut self) {
        if let Some((_, text)) = self.pieces.last_mut()
            && text.chars().next_back().is_some_and(|last| last != '\n')
        {
            text.pop();
            if text.is_empty() {
                self.pieces.pop();
            }
        }
    }
}

/// Skips an operating system command (a title, a link), which ends with BEL or `ESC \`.
fn skip_string(rest: &mut impl Iterator<Item = char>) {
    while let Some(char) = rest.next() {
        match char {
            '\u{7}' => return,
            '\u{1b}' => {
                rest.next();
                return;
            }
            _ => {}
        }
    }
}

/// The style after applying *select graphic rendition* with these parameters.
fn styled(mut style: Style, parameters: &str) -> Style {
    let mut numbers = parameters.split([';', ':']).map(|it| it.parse::<u32>().unwrap_or(0));
    while let Some(number) = numbers.next() {
        match number {
            0 => style = Style::default(),
            1 => style.is_bold = true,
            2 => style.is_dim = true,
            3 => style.is_italic = true,
            4 => style.is_underlined = true,
            7 => style.is_filled = true,
            22 => (style.is_bold, style.is_dim) = (false, false),
            23 => style.is_italic = false,
            24 => style.is_underlined = false,
            27 | 49 => style.is_filled = false,
            30..=37 => style.colour = palette(number - 30),
            38 => style.colour = extended(&mut numbers),
            39 => style.colour = None,
            // Black is the default background of a dark terminal, so it counts as none.
            40 => style.is_filled = false,
            41..=47 | 100..=107 => style.is_filled = true,
            48 => {
                let _ = extended(&mut numbers);
                style.is_filled = true;
            }
            90..=97 => style.colour = palette(number - 90 + 8),
            _ => {}
        }
    }
    style
}

/// The colour for a number in the palette of 16. White is the default text colour.
fn palette(number: u32) -> Option<Colour> {
    match number {
        0 | 8 => Some(Colour::Grey),
        1 | 9 => Some(Colour::Red),
        2 | 10 => Some(Colour::Green),
        3 | 11 => Some(Colour::Yellow),
        4 | 12 => Some(Colour::Blue),
        5 | 13 => Some(Colour::Magenta),
        6 | 14 => Some(Colour::Cyan),
        _ => None,
    }
}

/// A colour from the palette of 256 (`5;n`) or in red, green and blue (`2;r;g;b`), as the nearest of ours.
fn extended(numbers: &mut impl Iterator<Item = u32>) -> Option<Colour> {
    match numbers.next()? {
        5 => match numbers.next()? {
            number @ 0..=15 => palette(number),
            number @ 16..=231 => {
                let cube = number - 16;
                // The six steps of the palette's cube.
                let level = |step: u32| if step == 0 { 0 } else { 55 + 40 * step };
                nearest(level(cube / 36), level(cube / 6 % 6), level(cube % 6))
            }
            // The ramp from black to white.
            number => (number < 246).then_some(Colour::Grey),
        },
        2 => nearest(numbers.next()?, numbers.next()?, numbers.next()?),
        _ => None,
    }
}

/// The nearest colour by hue.
fn nearest(red: u32, green: u32, blue: u32) -> Option<Colour> {
    let (least, most) = (red.min(green).min(blue), red.max(green).max(blue));
    if most - least < 40 {
        return (most < 170).then_some(Colour::Grey);
    }
    let middle = u32::midpoint(least, most);
    Some(match (red > middle, green > middle, blue > middle) {
        (true, true, _) => Colour::Yellow,
        (true, false, true) => Colour::Magenta,
        (true, false, false) => Colour::Red,
        (false, true, true) => Colour::Cyan,
        (false, true, false) => Colour::Green,
        (false, false, _) => Colour::Blue,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> String {
        pieces(text).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn escape_sequences_are_removed_and_text_is_kept() {
        let cases = [
            ("\u{1b}[31mred\u{1b}[0m line\n", "red line\n"),
            ("\u{1b}[1;38;5;208mbold\u{1b}[m", "bold"),
            ("\u{1b}]8;;https://x\u{7}link\u{1b}]8;;\u{1b}\\.", "link."),
            ("a\u{1b}[2Kb\u{1b}Mc", "abc"),
            ("cut \u{1b}[31", "cut "),
            ("cut \u{1b}", "cut "),
            ("[31m stays", "[31m stays"),
            ("one\r\ntwo\r\n", "one\ntwo\n"),
            ("head\n 10 %\r 50 %\r100 %\n", "head\n100 %\n"),
            ("typo\u{8}\u{8}ped", "typed"),
            ("\u{8}a\n\u{8}b", "a\nb"),
            ("end\r", "end"),
        ];
        for (text, expected) in cases {
            assert_eq!(plain(text), expected, "{text:?}");
        }
    }

    #[test]
    fn only_so_many_pieces_have_styles() {
        let text = "\u{1b}[31mx\u{1b}[32my".repeat(10_000);
        assert_eq!(pieces(&text).len(), MAX_PIECES + 1);
        assert_eq!(plain(&text), "xy".repeat(10_000));
    }

    #[test]
    fn colours_and_weights() {
        let style = |text: &str| pieces(text).pop().map(|(style, _)| style).unwrap_or_default();
        let colour = |text: &str| style(text).colour;
        assert_eq!(colour("\u{1b}[31mx"), Some(Colour::Red));
        assert_eq!(colour("\u{1b}[92mx"), Some(Colour::Green));
        assert_eq!(colour("\u{1b}[38;5;208mx"), Some(Colour::Yellow));
        assert_eq!(colour("\u{1b}[38;2;20;20;240mx"), Some(Colour::Blue));
        assert_eq!(colour("\u{1b}[38;5;250mx"), None);
        assert_eq!(colour("\u{1b}[31m\u{1b}[39mx"), None);
        assert!(style("\u{1b}[1mx").is_bold);
        assert!(style("\u{1b}[41mx").is_filled && !style("\u{1b}[40mx").is_filled);
        assert_eq!(style("\u{1b}[1;3;4;31m\u{1b}[0mx"), Style::default());
    }

    #[test]
    fn the_report_of_a_shell_tool_is_one_faint_line() {
        let text =
            "Chunk ID: a1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\none\ntwo\n";
        let pieces = pieces(text);
        let words: Vec<&str> = pieces.iter().map(|(_, text)| text.as_str()).collect();
        let report = "Chunk ID: a1 · Wall time: 0.1 seconds · Process exited with code 0\n";
        assert_eq!(words, [report, "one\ntwo\n"]);
        assert!(pieces[0].0.is_dim && !pieces[1].0.is_dim);
        assert_eq!(
            plain("EXIT CODE: 2\n\nSTDOUT:\n\n\nSTDERR:\nno"),
            "EXIT CODE: 2\n\n\nSTDERR:\nno"
        );
    }

    #[test]
    fn the_exit_code_above_an_output_is_a_report() {
        assert_eq!(report("Exit code 1\n\n> test"), Some(("Exit code 1", "\n> test")));
        let [(style, line), (rest_style, rest)] = &pieces("Exit code 137\nout\n")[..] else {
            panic!("two pieces");
        };
        assert!(style.is_dim && line == "Exit code 137\n");
        assert!(!rest_style.is_dim && rest == "out\n");
        assert_eq!(report("Exit code 1"), None, "there is no output");
        assert_eq!(report("Exit code of all\nout"), None);
    }

    #[test]
    fn only_a_report_at_the_beginning_is_one() {
        assert_eq!(report("one\nExit code: 0\nOutput:\n"), None);
        assert_eq!(report("Exit code: 0\nNo output"), None);
        let long = format!("Command: {}\nOutput:\nx", "y".repeat(MAX_REPORT_BYTES));
        assert_eq!(report(&long), None);
    }

    #[test]
    fn what_is_read_as_a_terminal() {
        assert!(is_terminal("a\u{1b}[0m") && is_terminal("1\r2") && is_terminal("a\u{8}"));
        assert!(!is_terminal("a\r\nb\r\n") && !is_terminal("plain"));
    }
}
