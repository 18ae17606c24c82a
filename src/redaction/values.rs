//! What a value looks like: random, a dummy, a word, a reference to another place.

use crate::bytes;

/// Whether a value stands for a secret in documentation: one character repeated, or words that say so.
pub(crate) fn is_dummy(value: &[u8]) -> bool {
    const MIN_BYTES: usize = 8;
    if value.len() >= MIN_BYTES && !has_variety(value) {
        return true;
    }
    const WORDS: [&[u8]; 8] = [
        b"example",
        b"your-",
        b"your_",
        b"xxxxx",
        b"placeholder",
        b"changeme",
        b"redacted",
        b"_here",
    ];
    value.windows(4).enumerate().any(|(at, _)| {
        let rest = bytes::from(value, at);
        WORDS.iter().any(|word| bytes::starts_with_ignoring_case(rest, word))
    })
}

/// Whether a value has at least as many different characters as 3.5 that are equally frequent.
fn has_variety(value: &[u8]) -> bool {
    let mut counts = [0_u32; 256];
    for byte in value {
        if let Some(count) = counts.get_mut(usize::from(*byte)) {
            *count += 1;
        }
    }
    let len = value.len() as u64;
    let squares: u64 = counts.iter().map(|count| u64::from(*count) * u64::from(*count)).sum();
    // len² / squares is the number of characters that would be as varied if all were equally frequent.
    2 * len * len >= 7 * squares
}

/// Whether a value looks random: letters and digits in one piece, not words, a path or an address.
pub(crate) fn is_random(value: &[u8]) -> bool {
    let is_token_byte = |byte: &u8| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'_' | b'-' | b'.' | b'=' | b'+' | b'/' | b'~' | b':' | b'%' | b'!')
    };
    let has_digit = value.iter().any(u8::is_ascii_digit);
    let has_letter = value.iter().any(u8::is_ascii_alphabetic);
    value.iter().all(is_token_byte)
        && has_digit
        && has_letter
        && has_variety(value)
        && !is_dummy(value)
        && !is_words(value)
        && !is_place(value)
}

/// Whether a value consists of words and numbers, as `gpt-4o-mini-2024-07-18` and `cache_key_v2` do.
pub(crate) fn is_words(value: &[u8]) -> bool {
    let is_separator = |byte: &u8| matches!(byte, b'_' | b'-' | b'.' | b'/' | b':' | b' ' | b'=');
    value.split(is_separator).all(is_word)
}

/// Whether a part of a name is a word, perhaps in camel case and with a short number: `SigV4Auth`.
fn is_word(part: &[u8]) -> bool {
    const LONGEST_WORD: usize = 16;
    const MOST_DIGITS: usize = 4;
    const MOST_CHANGES: usize = 2;
    let digits = part.iter().filter(|byte| byte.is_ascii_digit()).count();
    let letters = part.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let capitals = part.iter().filter(|byte| byte.is_ascii_uppercase()).count();
    let changes = part
        .windows(2)
        .filter(|pair| bytes::at(pair, 0).is_ascii_digit() != bytes::at(pair, 1).is_ascii_digit())
        .count();
    // Camel case has no more than one capital in three letters.
    let is_camel = capitals > 0 && capitals * 3 <= letters + 2;
    let is_cased = capitals == 0 || capitals == letters;
    digits + letters == part.len()
        && digits <= MOST_DIGITS
        && changes <= MOST_CHANGES
        && (is_camel || (is_cased && letters <= LONGEST_WORD))
}

/// Whether a value is a path or an address.
pub(crate) fn is_place(value: &[u8]) -> bool {
    value.windows(3).any(|three| three == b"://")
        || value.starts_with(b"/")
        || value.starts_with(b"./")
        || value.starts_with(b"../")
        || value.starts_with(b"~/")
        || value.starts_with(b"arn:")
        || value.starts_with(b"data:")
}

/// Whether a value names where the secret is, instead of being it: a variable, a call, a template, a type.
pub(crate) fn is_reference(value: &[u8]) -> bool {
    const STARTS: [&[u8]; 12] = [
        b"$",
        b"{",
        b"<",
        b"%(",
        b"%s",
        b"process.",
        b"os.",
        b"env.",
        b"env[",
        b"self.",
        b"this.",
        b"secrets.",
    ];
    const WORDS: [&[u8]; 26] = [
        b"string",
        b"str",
        b"null",
        b"none",
        b"nil",
        b"true",
        b"false",
        b"undefined",
        b"optional",
        b"any",
        b"required",
        b"number",
        b"integer",
        b"object",
        b"bearer",
        b"basic",
        b"token",
        b"secret",
        b"key",
        b"text",
        b"bytes",
        b"hidden",
        b"omitted",
        b"unknown",
        b"include",
        b"same-origin",
    ];
    let is_masked =
        value.iter().all(|byte| matches!(byte, b'*' | b'.' | b'x' | b'X' | b'-' | b'_' | b'#'));
    is_masked
        || STARTS.iter().any(|start| bytes::starts_with_ignoring_case(value, start))
        || WORDS.iter().any(|word| value.eq_ignore_ascii_case(word))
        || value.windows(2).any(|two| matches!(two, b"${" | b"{{" | b"$(" | b"()"))
}

/// Whether a value is written as a UUID.
pub(crate) fn is_uuid(value: &[u8]) -> bool {
    value.len() == 36
        && value.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// Whether a value is written as a number, which may stand in JSON without quotes.
pub(crate) fn is_numeric(value: &[u8]) -> bool {
    value
        .iter()
        .all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'+' | b'-' | b'e' | b'E'))
}

/// Whether a value mixes letters of both cases, digits and punctuation.
pub(crate) fn is_complex(value: &[u8]) -> bool {
    const MIN_BYTES: usize = 8;
    let has = |is: fn(&u8) -> bool| value.iter().any(is);
    value.len() >= MIN_BYTES
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_punctuation)
}

/// Whether a value is mixed enough not to occur by chance in other texts.
pub(crate) fn is_distinctive(value: &[u8]) -> bool {
    const MIN_BYTES: usize = 8;
    const LONG_BYTES: usize = 16;
    let has = |is: fn(&u8) -> bool| usize::from(value.iter().any(is));
    let classes = has(u8::is_ascii_digit)
        + has(u8::is_ascii_lowercase)
        + has(u8::is_ascii_uppercase)
        + has(u8::is_ascii_punctuation);
    !is_numeric(value)
        && !is_reference(value)
        && (value.len() >= LONG_BYTES || (value.len() >= MIN_BYTES && classes >= 2))
}

/// Whether a value is an example from documentation, whose key alone makes it look secret.
pub(crate) fn is_example(value: &[u8]) -> bool {
    const LONGEST_SENTENCE: usize = 6;
    is_dummy(value)
        || value.iter().filter(|byte| **byte == b' ').count() > LONGEST_SENTENCE
            && !value.contains(&b'=')
}
