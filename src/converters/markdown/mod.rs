//! Converts chats in Markdown to JSON lines: the history of Aider, exports of Cursor, shares of the Copilot CLI
//! ([`super::copilot_share`]), and the histories of SpecStory ([`super::specstory`]).
//!
//! The beginning of a line in Aider's history shows its author: `#### ` is the user, `> ` is Aider, and all others are
//! the model. Each run of lines by one author becomes an object with `type` and `text`; a line with token counts
//! becomes an object of its own. Nothing escapes these beginnings, so a quotation in the model's text splits that text.
//!
//! An export of Cursor has a title, the time and the version of the export, and then messages: a rule, `**User**` or
//! `**Cursor**`, and the text.

mod copilot_share;
mod specstory;

use memchr::{memchr, memmem};

use copilot_share::Share;
use specstory::History;
use traceloupe_core::json::{Notice, quoted};
use traceloupe_core::warning_code::WarningCode;
use traceloupe_input::{Decoder, Remark};

/// The beginning of each session, and therefore of the file.
const START: &[u8] = b"# aider chat started at ";

/// The longest line that is read as one.
const MAX_LINE_BYTES: usize = 16 << 20;

/// The beginning of the line with the time of the export, and the text after that time.
const EXPORTED: (&str, &str) = ("_Exported on ", " from Cursor (");

/// How many lines at the beginning are searched for a sign of SpecStory.
const SIGN_LINES: usize = 12;

/// Whether a text is a chat: a history of Aider (whose first lines may be the end of an older session), an export of
/// Cursor, a share of the Copilot CLI, or a history of SpecStory.
#[must_use]
pub fn looks_like_chat(head: &[u8]) -> bool {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    let is_json = matches!(text.first(), Some(b'{' | b'['));
    let is_export = || {
        let lines = text.split(|byte| *byte == b'\n').take(5);
        lines.into_iter().any(|line| {
            line.starts_with(EXPORTED.0.as_bytes())
                && memmem::find(line, EXPORTED.1.as_bytes()).is_some()
        })
    };
    let is_history = || {
        memmem::find_iter(text, START)
            .any(|at| at.checked_sub(1).is_none_or(|before| text.get(before) == Some(&b'\n')))
    };
    let is_shared = || {
        let title = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
        copilot_share::is_title(&String::from_utf8_lossy(title))
            && memmem::find(text, b"**Session ID:**").is_some()
    };
    let is_specstory = || {
        let lines = text.split(|byte| *byte == b'\n').take(SIGN_LINES);
        lines.into_iter().any(|line| specstory::is_sign(&String::from_utf8_lossy(line)))
    };
    !is_json && (is_export() || is_history() || is_shared() || is_specstory())
}

/// The author of the lines that are being read.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Speaker {
    #[default]
    Model,
    Person,
    Aider,
}

impl Speaker {
    const fn word(self) -> &'static str {
        match self {
            Self::Model => "assistant",
            Self::Person => "user",
            Self::Aider => "aider",
        }
    }
}

/// Converts a chat to JSON lines.
#[derive(Default)]
pub struct Markdown {
    line: Vec<u8>,
    is_cursor: bool,
    share: Option<Share>,
    history: Option<History>,
    n_lines: usize,
    speaker: Speaker,
    text: String,
    is_told: bool,
}

impl Markdown {
    /// Creates a decoder without input.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes the text of the speaker.
    fn flush(&mut self, out: &mut Vec<u8>) {
        let text = std::mem::take(&mut self.text);
        let text = text.trim_matches('\n').trim_end();
        // Removes the rule before the next message.
        let text = match self.is_cursor {
            true => text.strip_suffix("---").unwrap_or(text).trim_end(),
            false => text,
        };
        let text = if self.speaker == Speaker::Person { without_echo(text) } else { text };
        if !text.is_empty() {
            record(self.speaker.word(), &[("text", quoted(text))], out);
        }
    }

    fn say(&mut self, speaker: Speaker, words: &str, out: &mut Vec<u8>) {
        if speaker != self.speaker {
            self.flush(out);
            self.speaker = speaker;
        }
        self.text.push_str(words);
        self.text.push('\n');
    }

    fn take_line(&mut self, out: &mut Vec<u8>) {
        let line = std::mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line);
        let line = line.strip_prefix('\u{feff}').unwrap_or(&line).trim_end_matches('\r');
        if let Some(share) = &mut self.share {
            return share.take_line(line, out);
        }
        if let Some(history) = &mut self.history {
            return history.take_line(line, out);
        }
        if self.is_cursor {
            return self.take_exported(line, out);
        }
        if copilot_share::is_title(line) {
            self.share = Some(Share::default());
            return;
        }
        self.n_lines += 1;
        if self.n_lines <= SIGN_LINES && specstory::is_sign(line) {
            let mut history = History::default();
            let before = std::mem::take(&mut self.text);
            before.lines().chain([line]).for_each(|line| history.take_line(line, out));
            self.history = Some(history);
            return;
        }
        if let Some((time, version)) =
            line.strip_prefix(EXPORTED.0).and_then(|it| it.split_once(EXPORTED.1))
        {
            let title = std::mem::take(&mut self.text);
            let title = title.trim().trim_start_matches("# ");
            let version = version.trim_end().trim_end_matches([')', '_']);
            let fields =
                [("from", "Cursor"), ("title", title), ("exported", time), ("version", version)];
            record("export", &fields.map(|(key, value)| (key, quoted(value))), out);
            self.is_cursor = true;
            return;
        }
        if let Some(started) = line.strip_prefix("# aider chat started at ") {
            self.flush(out);
            (self.speaker, self.n_lines) = (Speaker::Model, SIGN_LINES);
            record("session", &[("started", quoted(started.trim()))], out);
            return;
        }
        let after = |mark: &str| {
            let rest = line.strip_prefix(mark)?;
            // Two spaces at the end are a line break in Markdown.
            rest.strip_prefix(' ').or(rest.is_empty().then_some(rest)).map(str::trim_end)
        };
        if let Some(words) = after("####") {
            self.say(Speaker::Person, words, out);
        } else if let Some(words) = after(">") {
            match usage(words) {
                Some(counts) => {
                    self.flush(out);
                    let counts: Vec<_> =
                        counts.iter().map(|(key, count)| (*key, count.to_string())).collect();
                    // Early versions wrote them before the answer.
                    let is_ahead = words.contains("prompt tokens");
                    let kind = if is_ahead { "usage_ahead" } else { "usage" };
                    let fields = [vec![("text", quoted(words))], counts].concat();
                    record(kind, &fields, out);
                }
                None => self.say(Speaker::Aider, words, out),
            }
        } else if !line.is_empty() || self.speaker == Speaker::Model {
            self.say(Speaker::Model, line, out);
        }
    }
}

impl Markdown {
    /// Reads a line of an export of Cursor.
    fn take_exported(&mut self, line: &str, out: &mut Vec<u8>) {
        let speaker = match line.trim_end() {
            "**User**" => Some(Speaker::Person),
            "**Cursor**" => Some(Speaker::Model),
            _ => None,
        };
        let so_far = self.text.trim_end();
        let is_begin = so_far.is_empty() || so_far.ends_with("\n---") || so_far == "---";
        match speaker.filter(|_| is_begin) {
            Some(speaker) => {
                self.flush(out);
                self.speaker = speaker;
            }
            None => {
                self.text.push_str(line);
                self.text.push('\n');
            }
        }
    }
}

/// The text of the user without the part that Aider repeats: `/code TEXT` is followed by `TEXT`.
fn without_echo(text: &str) -> &str {
    const COMMANDS: [&str; 5] = ["/code ", "/ask ", "/architect ", "/context ", "/help "];
    let mut starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
    let found = starts.find_map(|at| {
        let rest = text.get(at..)?;
        let said = COMMANDS.iter().find_map(|command| rest.strip_prefix(command))?;
        let (words, echo) = said.split_at_checked(said.len() / 2)?;
        (!words.is_empty() && echo.strip_prefix('\n') == Some(words))
            .then_some(text.len() - echo.len())
    });
    found.and_then(|end| text.get(..end)).unwrap_or(text)
}

/// Writes a record: its type, and fields whose values are JSON.
pub(super) fn record(kind: &str, fields: &[(&str, String)], out: &mut Vec<u8>) {
    let fields = [&[("type", quoted(kind))], fields].concat();
    out.extend_from_slice(object(&fields).as_bytes());
    out.push(b'\n');
}

/// An object with fields whose values are JSON.
pub(super) fn object(fields: &[(&str, String)]) -> String {
    let fields = fields.iter().map(|(key, value)| format!("{}:{value}", quoted(key)));
    format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
}

/// The token counts in a line like `Tokens: 5.2k sent, 1,024 cache hit, 604 received. Cost: …` or `34020 prompt
/// tokens, 118 completion tokens, …`.
fn usage(words: &str) -> Option<Vec<(&'static str, u64)>> {
    const NAMES: [(&str, &str); 6] = [
        ("sent", "sent"),
        ("received", "received"),
        ("cache hit", "cache_hit"),
        ("cache write", "cache_write"),
        ("prompt tokens", "sent"),
        ("completion tokens", "received"),
    ];
    let rest =
        words.strip_prefix("Tokens: ").or(words.contains(" prompt tokens, ").then_some(words))?;
    let mut found = Vec::new();
    for part in rest.split(". Cost").next()?.split(", ") {
        let (count, name) = part.trim_end_matches('.').split_once(' ')?;
        let name = NAMES.iter().find(|it| it.0 == name);
        let Some(((_, key), count)) = name.zip(count_of(count)) else { continue };
        found.push((*key, count));
    }
    (!found.is_empty()).then_some(found)
}

/// A count: `604`, `5,244`, `12k`, `1.4k`.
fn count_of(text: &str) -> Option<u64> {
    let text = text.replace(',', "");
    let Some(thousands) = text.strip_suffix('k') else { return text.parse().ok() };
    let (whole, tenth) = thousands.split_once('.').unwrap_or((thousands, "0"));
    let tenth = tenth.get(..1)?.parse::<u64>().ok()?;
    Some(whole.parse::<u64>().ok()?.checked_mul(1_000)?.saturating_add(tenth * 100))
}

impl Decoder for Markdown {
    fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let mut rest = bytes;
        while let Some(at) = memchr(b'\n', rest) {
            self.line.extend_from_slice(rest.get(..at).unwrap_or_default());
            self.take_line(out);
            rest = rest.get(at + 1..).unwrap_or_default();
        }
        self.line.extend_from_slice(rest);
        if self.line.len() > MAX_LINE_BYTES {
            self.take_line(out);
        }
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        if !self.line.is_empty() {
            self.take_line(out);
        }
        if let Some(share) = &mut self.share {
            share.finish(out);
        }
        if let Some(history) = &mut self.history {
            history.finish(out);
        }
        self.flush(out);
    }

    fn notices(&mut self) -> Vec<Notice> {
        self.remarks().into_iter().map(|remark| remark.notice).collect()
    }

    fn remarks(&mut self) -> Vec<Remark> {
        let is_told = std::mem::replace(&mut self.is_told, true);
        let notice = Remark::from(Notice::new(WarningCode::FromMarkdown, 0));
        if is_told { Vec::new() } else { vec![notice] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(text: &str, size: usize) -> Vec<String> {
        let (mut decoder, mut out) = (Markdown::new(), Vec::new());
        for chunk in text.as_bytes().chunks(size) {
            decoder.push(chunk, &mut out);
        }
        decoder.finish(&mut out);
        String::from_utf8(out).unwrap().lines().map(str::to_owned).collect()
    }

    const CHAT: &str = "\n# aider chat started at 2026-05-01 10:00:00\n\n> Aider v0.80  \n> Model: \"teal\"  \n\n#### /add a.py  \n#### and b.py  \n\nI add it.\n\n```\n>>>>>>> REPLACE\n```\n\n> Tokens: 5.2k sent, 1,024 cache hit, 604 received. Cost: $0.02 request, $0.02 session.  \n> Applied edit to a.py  \n";

    #[test]
    fn lines_become_records_of_whose_they_are() {
        let expected = [
            r#"{"type":"session","started":"2026-05-01 10:00:00"}"#,
            r#"{"type":"aider","text":"Aider v0.80\nModel: \"teal\""}"#,
            r#"{"type":"user","text":"/add a.py\nand b.py"}"#,
            r#"{"type":"assistant","text":"I add it.\n\n```\n>>>>>>> REPLACE\n```"}"#,
            r#"{"type":"usage","text":"Tokens: 5.2k sent, 1,024 cache hit, 604 received. Cost: $0.02 request, $0.02 session.","sent":5200,"cache_hit":1024,"received":604}"#,
            r#"{"type":"aider","text":"Applied edit to a.py"}"#,
        ];
        for size in [1, 7, 4096] {
            assert_eq!(decode(CHAT, size), expected, "{size}");
        }
        assert_eq!(decode(&CHAT.replace('\n', "\r\n"), 64).len(), expected.len());
        assert!(looks_like_chat(CHAT.as_bytes()) && !looks_like_chat(b"# aider"));
    }

    #[test]
    fn what_follows_a_command_again_is_left_out() {
        for (text, kept) in [
            ("/code paint it\npaint it", "/code paint it"),
            ("/ask one\ntwo\none\ntwo", "/ask one\ntwo"),
            ("/add a.py\n/architect é\né", "/add a.py\n/architect é"),
            ("/code paint it\nred", "/code paint it\nred"),
            ("/add x\nx", "/add x\nx"),
            ("/code \n", "/code \n"),
        ] {
            assert_eq!(without_echo(text), kept);
        }
    }

    #[test]
    fn messages_of_an_export_are_between_rules() {
        let text = "# A plan\n_Exported on 5/1/2026 at 10:00:00 GMT+2 from Cursor (1.7.28)_\n\n---\n\n**User**\n\nWhy?\n\n---\n\n**Cursor**\n\nOne.\n\n---\n\nTwo: **User**\n**User**\n\n---\n";
        let expected = [
            r#"{"type":"export","from":"Cursor","title":"A plan","exported":"5/1/2026 at 10:00:00 GMT+2","version":"1.7.28"}"#,
            r#"{"type":"user","text":"Why?"}"#,
            r#"{"type":"assistant","text":"One.\n\n---\n\nTwo: **User**\n**User**"}"#,
        ];
        assert_eq!(decode(text, 5), expected);
        assert!(looks_like_chat(text.as_bytes()) && !looks_like_chat(b"# A plan\n_Exported_"));
    }

    #[test]
    fn counts_are_read_as_they_are_told() {
        let early = "34020 prompt tokens, 118 completion tokens, $0.171870 cost";
        assert_eq!(usage(early), Some(vec![("sent", 34020), ("received", 118)]));
        assert_eq!(usage("Tokens: many sent, 2 received."), Some(vec![("received", 2)]));
        assert_eq!(usage("Tokens: none"), None);
        assert_eq!(count_of("12k"), Some(12_000));
    }
}
