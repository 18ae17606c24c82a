//! Faults of JSONL files, each made here from six good lines.

/// A file with a fault.
pub struct Fault {
    pub name: String,
    pub bytes: Vec<u8>,
    /// The expected number of records; `None` for at least one.
    pub events: Option<u32>,
    /// The expected notices, sorted.
    pub notices: Vec<String>,
}

/// The line of a record, without its end.
fn line(at: usize) -> String {
    let text = ["cast off", "hoist the sail", "tack", "Grüße 🌊", "reef", "moor"][at];
    format!(r#"{{"id":"e{at}","type":"step","n":{at},"text":"{text}"}}"#)
}

/// The six good lines.
pub fn good() -> String {
    (0..6).map(|at| line(at) + "\n").collect()
}

/// The six good lines and one more after the third.
fn with_line(extra: &[u8]) -> Vec<u8> {
    let lines: Vec<String> = (0..6).map(|at| line(at) + "\n").collect();
    [lines[..3].concat().as_bytes(), extra, b"\n", lines[3..].concat().as_bytes()].concat()
}

fn utf16(text: &str, bytes_of: fn(u16) -> [u8; 2]) -> Vec<u8> {
    "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(bytes_of).collect()
}

/// UTF-16 with its mark, the low byte first.
pub fn utf16_le(text: &str) -> Vec<u8> {
    utf16(text, u16::to_le_bytes)
}

/// UTF-16 with its mark, the high byte first.
pub fn utf16_be(text: &str) -> Vec<u8> {
    utf16(text, u16::to_be_bytes)
}

/// All faults. The first file is the control: it has no fault.
pub fn faults() -> Vec<Fault> {
    let mut all = Vec::new();
    let mut add = |name: &str, bytes: Vec<u8>, events: Option<u32>, notices: &[&str]| {
        let mut notices: Vec<String> = notices.iter().map(|code| (*code).to_owned()).collect();
        notices.sort();
        all.push(Fault { name: name.to_owned(), bytes, events, notices });
    };
    let text = good();
    let bytes = || text.clone().into_bytes();
    add("good", bytes(), Some(6), &[]);

    // Encodings and line ends.
    add("utf-8 mark", [b"\xef\xbb\xbf", text.as_bytes()].concat(), Some(6), &[]);
    add("utf-16 le", utf16_le(&text), Some(6), &["transcoded-utf16"]);
    add("utf-16 be", utf16_be(&text), Some(6), &["transcoded-utf16"]);
    add("crlf", text.replace('\n', "\r\n").into_bytes(), Some(6), &[]);
    add("cr only", text.replace('\n', "\r").into_bytes(), Some(6), &["cr-line-ends"]);
    add("no last line end", text.trim_end().as_bytes().to_vec(), Some(6), &[]);
    add("blank lines", text.replace('\n', "\n \n\n").into_bytes(), Some(6), &[]);
    add("record separators", text.replace("{\"id", "\u{1e}{\"id").into_bytes(), Some(6), &[]);
    let separators = with_line("{\"text\":\"a\u{2028}b\u{2029}c\u{85}d\"}".as_bytes());
    add("separators of lines in text", separators, Some(7), &[]);

    // Layouts of values.
    add("no line ends", text.replace('\n', "").into_bytes(), Some(6), &["several-values-on-line"]);
    let values = text.lines().map(|line| {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        serde_json::to_string_pretty(&value).unwrap() + "\n"
    });
    add("pretty", values.collect::<String>().into_bytes(), Some(6), &["multi-line-values"]);
    let array = format!("[{}]", text.trim_end().replace('\n', ",\n"));
    add("array", array.into_bytes(), Some(6), &[]);
    let stream: String = text.lines().map(|line| format!("data: {line}\n\n")).collect();
    add("server-sent events", stream.into_bytes(), Some(6), &[]);

    // Cuts and gaps.
    let cut = |at: &str, more: usize| bytes()[..text.find(at).unwrap() + more].to_vec();
    add("cut in a string", cut("moor", 2), Some(5), &["truncated-last-line"]);
    add("cut in a letter", cut("🌊", 2), Some(3), &["truncated-last-line"]);
    let escaped = text.replace("reef", "re\\u00e9f");
    let at = escaped.find("\\u00").unwrap();
    add(
        "cut in an escape",
        escaped.as_bytes()[..at + 4].to_vec(),
        Some(4),
        &["truncated-last-line"],
    );
    add("nul tail", [text.as_bytes(), &[0; 300]].concat(), Some(6), &["nul-padding"]);
    add("nul hole", with_line(&[0; 64]), Some(6), &["bad-line"]);
    let open = with_line(format!("{{\"deep\":{}", "[".repeat(300)).as_bytes());
    add("nothing closed", open, Some(6), &["bad-line"]);
    add("a bad line", with_line(b"{\"id\": oops}"), Some(6), &["bad-line"]);
    let noise = format!("starting…\n{text}warning: slow\ndone.\n");
    add("noise of a program", noise.into_bytes(), Some(6), &["bad-line"; 3]);

    // Odd values.
    let odd = |value: &str| with_line(format!("{{\"id\":\"odd\",\"value\":{value}}}").as_bytes());
    for value in ["NaN", "Infinity", "-Infinity"] {
        add("no finite number", odd(value), Some(7), &["non-finite-number"]);
    }
    add("a key twice", odd("1,\"value\":2"), Some(7), &["duplicate-key"]);
    add("half a pair", odd(r#""\ud83c and no more""#), Some(7), &["lone-surrogate"]);
    add("the other half", odd(r#""\udf0a first""#), Some(7), &["lone-surrogate"]);
    add("big numbers", odd("[123456789012345678901234567890,1e400,-0.0]"), Some(7), &[]);
    add("keys of javascript", odd(r#"{"__proto__":{"x":1},"constructor":2}"#), Some(7), &[]);
    let invalid = with_line(b"{\"id\":\"odd\",\"text\":\"a\xff\xc0\xafb\"}");
    add("no utf-8", invalid, Some(7), &["invalid-utf8"]);
    let cesu = with_line(b"{\"id\":\"odd\",\"text\":\"\xed\xa0\xbc\xed\xbc\x8a\"}");
    add("a pair as utf-8", cesu, Some(7), &["invalid-utf8"]);
    let raw = with_line(b"{\"id\":\"odd\",\"text\":\"a\x01b\tc\"}");
    add("raw control characters", raw, Some(7), &["raw-control-char"]);
    add("scalars", b"1\n\"a\"\ntrue\nnull\n-2.5\n0\n".to_vec(), Some(0), &["not-an-event"; 6]);

    // Sizes.
    let nested = |depth: usize| odd(&format!("{}1{}", "[".repeat(depth), "]".repeat(depth)));
    add("deeper than most parsers go", nested(200), Some(7), &[]);
    add("very deep", nested(100_000), Some(7), &["too-deep"]);
    add("a long key", odd(&format!("{{\"{}\":1}}", "k".repeat(100_000))), Some(7), &[]);
    let keys: Vec<String> = (0..20_000).map(|at| format!("\"k{at}\":{at}")).collect();
    add("many keys", odd(&format!("{{{}}}", keys.join(","))), Some(7), &[]);

    // Files that are not traces at all, and containers.
    add("empty", Vec::new(), Some(0), &["empty-file"]);
    add("white space", b" \n\t\r\n  ".to_vec(), Some(0), &["empty-file"]);
    let page = "<!DOCTYPE html>\n<html><title>404</title><p>Not here</html>\n";
    add("a web page", page.into(), Some(0), &["looks-like-html"]);
    let image = [b"\x89PNG\r\n\x1a\n".to_vec(), (0..=255).cycle().take(2_000).collect()].concat();
    add("an image", image, Some(0), &["not-a-trace"]);
    let packed = super::gzip(text.as_bytes());
    let mut bad_crc = packed.clone();
    let crc = bad_crc.len() - 8;
    bad_crc[crc] ^= 0xff;
    add("gzip", packed, Some(6), &[]);
    add("gzip with a bad checksum", bad_crc, Some(6), &["gzip-crc"]);
    all
}
