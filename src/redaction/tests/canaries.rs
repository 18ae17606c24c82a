//! Planted secrets: each in every place and every encoding, searched for afterwards by code that shares nothing with the
//! rules.

use crate::{Options, Redactor};

const COUNT: usize = 1000;

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn text(&mut self, alphabet: &str, len: usize) -> String {
        let alphabet: Vec<char> = alphabet.chars().collect();
        (0..len).map(|_| alphabet[(self.next() >> 11) as usize % alphabet.len()]).collect()
    }
}

const WORD: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const HEX: &str = "0123456789abcdef";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// Secrets of different forms: tokens of vendors, and passwords that only their key shows.
fn canary(random: &mut Random, index: usize) -> String {
    match index % 8 {
        0 => format!("ghp_{}", random.text(WORD, 36)),
        1 => format!("sk-ant-api03-{}", random.text(WORD, 90)),
        2 => format!("AKIA{}", random.text(UPPER, 16)),
        3 => format!("xoxb-{}-{}", random.text("123456789", 12), random.text(WORD, 24)),
        4 => format!("glpat-{}", random.text(WORD, 20)),
        5 => format!("dapi{}", random.text(HEX, 32)),
        6 => format!("hf_{}", random.text(WORD, 34)),
        _ => {
            format!("{}\"{}\\{}", random.text(WORD, 9), random.text(WORD, 6), random.text(WORD, 5))
        }
    }
}

fn json(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

fn percent(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}

fn base64(text: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bits = String::new();
    for byte in text {
        bits.push_str(&format!("{byte:08b}"));
    }
    while !bits.len().is_multiple_of(6) {
        bits.push('0');
    }
    let mut out: String = bits
        .as_bytes()
        .chunks(6)
        .map(|six| {
            let value = six.iter().fold(0, |sum, bit| sum * 2 + usize::from(*bit - b'0'));
            char::from(DIGITS[value])
        })
        .collect();
    while !out.len().is_multiple_of(4) {
        out.push('=');
    }
    out
}

const ENCODINGS: usize = 4;

/// The text in one of the encodings.
fn encoded(text: &str, encoding: usize) -> String {
    match encoding {
        0 => text.to_owned(),
        1 => percent(text),
        2 => base64(text.as_bytes()),
        _ => hex(text),
    }
}

const PLACES: usize = 12;

/// A line of a file with a secret in one of the places. A token alone is given only if its format shows it.
fn line(secret: &str, place: usize, encoding: usize) -> String {
    let text = encoded(secret, encoding);
    let quoted = json(&text);
    let nested = |levels: usize| {
        let mut value = format!("{{\"password\":{quoted}}}");
        for _ in 0..levels {
            value = format!("{{\"body\":{}}}", json(&value));
        }
        value
    };
    let sentence = |text: &str| format!("{{\"content\":{}}}", json(text));
    match place {
        0 => format!("{{\"api_key\":{quoted}}}"),
        1 => nested(1),
        2 => nested(2),
        3 => nested(3),
        4 => sentence(&format!("https://anna:{}@host.internal/path", percent(secret))),
        5 => {
            format!("{{\"name\":\"Authorization\",\"value\":{}}}", json(&format!("Bearer {text}")))
        }
        6 => sentence(&format!("export SERVICE_PASSWORD={quoted}")),
        7 => sentence(&format!("the file is called {text}.txt")),
        8 => format!("{{\"title\":{quoted}}}"),
        9 => sentence(&format!("Error: the key '{text}' is not valid")),
        10 => format!("{{{quoted}:1}}"),
        _ => sentence(&format!("{{\"args\":[1,{quoted}]}}")),
    }
}

/// Every form of a secret that must not be left.
fn forms(secret: &str) -> Vec<String> {
    let mut forms = vec![secret.to_owned(), percent(secret), hex(secret)];
    let mut escaped = secret.to_owned();
    for _ in 0..4 {
        let quoted = json(&escaped);
        escaped = quoted[1..quoted.len() - 1].to_owned();
        forms.push(escaped.clone());
    }
    for shift in 0..3 {
        let shifted = [&b"\0\0"[..shift], secret.as_bytes()].concat();
        let text = base64(&shifted);
        let whole = text.trim_end_matches('=').len() - 1;
        forms.push(text[if shift == 0 { 0 } else { shift + 1 }..whole].to_owned());
    }
    forms
}

#[test]
fn no_canary_is_left_in_any_place_or_encoding() {
    let mut random = Random(0x5eed_1234_abcd_9876);
    for index in 0..COUNT {
        let secret = canary(&mut random, index);
        let mut file = String::new();
        for place in 0..PLACES {
            for encoding in 0..ENCODINGS {
                file.push_str(&line(&secret, place, encoding));
                file.push('\n');
            }
        }
        let mut redactor = Redactor::new(&Options::default());
        redactor.search(file.as_bytes());
        let result = redactor.rewrite(file.as_bytes(), &[]).unwrap();
        let result = String::from_utf8(result.bytes).unwrap();
        for form in forms(&secret) {
            let at = result.find(&form);
            assert!(at.is_none(), "{secret} as {form} in {}", line_at(&result, at.unwrap_or(0)));
        }
        for line in result.lines() {
            assert!(serde_json::from_str::<serde_json::Value>(line).is_ok(), "{line}");
        }
        let name = format!("run-{secret}.jsonl");
        let name =
            String::from_utf8(redactor.rewrite(name.as_bytes(), &[]).unwrap().bytes).unwrap();
        assert!(!name.contains(&secret), "{name}");
        // A redactor that knows nothing finds nothing.
        let mut again = Redactor::new(&Options::default());
        again.search(result.as_bytes());
        let second = again.rewrite(result.as_bytes(), &[]).unwrap();
        assert_eq!(second.hits, [], "{secret}");
    }
}

#[test]
fn a_token_alone_is_found_in_every_place_and_encoding() {
    let mut random = Random(0x0dd_ba11);
    for index in 0..COUNT {
        if index % 8 == 7 {
            continue;
        }
        let secret = canary(&mut random, index);
        for place in [0, 1, 2, 3, 4, 6, 8, 10] {
            for encoding in 0..ENCODINGS {
                let line = line(&secret, place, encoding);
                let mut redactor = Redactor::new(&Options::default());
                redactor.search(line.as_bytes());
                let result = redactor.rewrite(line.as_bytes(), &[]).unwrap();
                let result = String::from_utf8(result.bytes).unwrap();
                for form in forms(&secret) {
                    assert!(!result.contains(&form), "{secret} as {form} in {result} of {line}");
                }
            }
        }
    }
}

fn line_at(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |it| it + 1);
    text[start..].lines().next().unwrap_or_default()
}
