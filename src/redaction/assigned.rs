//! Values that a key names as secret: in JSON, in code, in files of settings, in headers, in options of commands.

use std::ops::Range;

use memchr::{memchr3_iter, memmem};

use crate::bytes;
use crate::finding::{Found, Kind, Spread};
use crate::key_names::{KeyNames, MAX_KEY_BYTES, Says, is_key_byte, is_password};
use crate::secrets::placeholder_end;
use crate::values;

/// A value after a key.
#[derive(Debug)]
struct Value {
    range: Range<usize>,
    is_quoted: bool,
    /// The end with the closing quote.
    end: usize,
}

/// The longest value.
const MAX_VALUE_BYTES: usize = 1 << 14;
/// As many spaces, quotes and backslashes are between a key and its value.
const MAX_BETWEEN: usize = 12;

pub(crate) fn find(text: &[u8], names: &mut KeyNames, found: &mut Vec<Found>) {
    for at in memchr3_iter(b'=', b':', b'>', text) {
        if bytes::at(text, at) == b'>' {
            element(text, at, names, found);
        } else if let Some((key, is_quoted)) = key_before(text, at) {
            if is_name_of_pair(bytes::of(text, key.clone())) {
                pair(text, at, names, found);
            } else if let Some(says) = names.says(text, key.clone()) {
                assigned(text, &key, is_quoted, at, says, found);
            }
        }
    }
    for at in memmem::find_iter(text, b"--") {
        option(text, at + 2, names, found);
    }
    for at in memchr::memchr_iter(b',', text) {
        listed(text, at, names, found);
    }
    for at in memmem::find_iter(text, b"assword") {
        stated(text, at + 7, found);
    }
}

/// The key before an operator, and whether it is in quotes.
fn key_before(text: &[u8], operator: usize) -> Option<(Range<usize>, bool)> {
    let is_operator =
        |byte: u8| matches!(byte, b' ' | b'\t' | b':' | b'=' | b'?' | b'!' | b'|' | b']');
    let end = bytes::run_start(text, operator, MAX_BETWEEN, is_operator);
    let is_quote = |byte: u8| matches!(byte, b'"' | b'\'' | b'`' | b'\\');
    let key_end = bytes::run_start(text, end, MAX_BETWEEN, is_quote);
    let start = bytes::run_start(text, key_end, MAX_KEY_BYTES, is_key_byte);
    (start < key_end).then_some((start..key_end, key_end < end))
}

/// The value after an operator.
fn value_after(text: &[u8], after: usize, is_in_element: bool) -> Option<Value> {
    let is_between = |byte: u8| matches!(byte, b' ' | b'\t' | b'=' | b'>' | b':' | b'~');
    let mut start = bytes::run_end(text, after, MAX_BETWEEN, is_between);
    if is_in_element {
        start = after;
    }
    // Prefixes of literals: `r"…"`, `f'…'`, `@"…"`.
    let next = bytes::at(text, start + 1);
    if matches!(bytes::at(text, start), b'r' | b'f' | b'b' | b'u' | b'@')
        && matches!(next, b'"' | b'\'')
    {
        start += 1;
    }
    let quote_at = bytes::run_end(text, start, MAX_BETWEEN, |byte| byte == b'\\');
    let quote = bytes::at(text, quote_at);
    if matches!(quote, b'"' | b'\'' | b'`') {
        let inner = quote_at + 1;
        return quoted(text, inner, quote, quote_at > start);
    }
    if placeholder_end(text, start).is_some() {
        return None;
    }
    let ends = |byte: u8| {
        byte <= b' '
            || matches!(
                byte,
                b'"' | b'\''
                    | b'`'
                    | b','
                    | b';'
                    | b'&'
                    | b')'
                    | b'}'
                    | b']'
                    | b'<'
                    | b'>'
                    | b'\\'
                    | b'|'
            )
    };
    let ends_element = |byte: u8| matches!(byte, b'<' | b'"' | b'\\' | b'\n');
    let end = if is_in_element {
        bytes::run_end(text, start, MAX_VALUE_BYTES, |byte| !ends_element(byte))
    } else {
        bytes::run_end(text, start, MAX_VALUE_BYTES, |byte| !ends(byte))
    };
    let end = if is_in_element { end } else { after_scheme(text, start, end, ends) };
    // A sentence ends.
    let trailing =
        bytes::of(text, start..end).iter().rev().take_while(|it| matches!(it, b'.' | b':')).count();
    let end = end - trailing;
    (start < end).then_some(Value { range: start..end, is_quoted: false, end })
}

/// The end of a value that follows the name of a scheme: `Token …`.
fn after_scheme(text: &[u8], start: usize, end: usize, ends: impl Fn(u8) -> bool) -> usize {
    let has_scheme = bytes::at(text, end) == b' '
        && SCHEMES.iter().any(|scheme| {
            scheme
                .strip_suffix(b" ")
                .is_some_and(|it| it.eq_ignore_ascii_case(bytes::of(text, start..end)))
        });
    if has_scheme {
        bytes::run_end(text, end + 1, MAX_VALUE_BYTES, |byte| !ends(byte))
    } else {
        end
    }
}

/// The value from after its opening quote to the same quote. `is_escaped`: the quotes have backslashes before them.
fn quoted(text: &[u8], start: usize, quote: u8, is_escaped: bool) -> Option<Value> {
    let mut at = start;
    let last = text.len().min(start + MAX_VALUE_BYTES);
    loop {
        let byte = bytes::at(text, at);
        if at >= last || byte == b'\n' {
            return None;
        }
        if byte == quote {
            break;
        }
        if byte == b'"' {
            // A string of JSON ends, and with it every text in it.
            return None;
        }
        let is_pair = byte == b'\\' && !is_escaped && quote == b'"';
        at += if is_pair { 2 } else { 1 };
    }
    let mut end = at;
    if is_escaped {
        end = bytes::run_start(text, at, at - start, |byte| byte == b'\\');
    }
    (start < end && end <= at).then_some(Value { range: start..end, is_quoted: true, end: at + 1 })
}

/// A value that is assigned to a key.
fn assigned(
    text: &[u8],
    key: &Range<usize>,
    is_key_quoted: bool,
    operator: usize,
    says: Says,
    found: &mut Vec<Found>,
) {
    let Some(value) = value_after(text, operator + 1, false) else { return };
    // A number, `true` or `null` of JSON.
    if is_key_quoted && !value.is_quoted && bytes::before(text, operator) != b']' {
        return;
    }
    let is_tight = operator == key.end && operator + 1 == value.range.start;
    let name = bytes::of(text, key.clone());
    let next = bytes::at(text, value.end);
    let is_setting = is_tight
        && (!name.iter().any(u8::is_ascii_lowercase)
            || matches!(next, b';' | b'&' | b'\n' | b'\r' | 0));
    let is_call = bytes::at(text, value.range.end) == b'(';
    if !value.is_quoted && is_call {
        return;
    }
    accept(text, name, &value, says, value.is_quoted && is_key_quoted, is_setting, found);
}

/// Adds the value if it is what its key says.
fn accept(
    text: &[u8],
    key: &[u8],
    value: &Value,
    says: Says,
    is_json: bool,
    is_setting: bool,
    found: &mut Vec<Found>,
) {
    let range = without_scheme(text, value.range.clone());
    let content = bytes::of(text, range.clone());
    if values::is_reference(content) || crate::secrets::is_placeholder(content) {
        return;
    }
    let is_secret = match says {
        Says::Exactly if is_json => {
            (content.len() >= 2 && !names_itself(key, content)) && !values::is_example(content)
        }
        Says::Exactly | Says::Secret => {
            let may_be_words = value.is_quoted || is_setting;
            is_plausible(key, content, may_be_words)
        }
        Says::Token => content.len() >= 12 && values::is_random(content),
        Says::Vendor => {
            content.len() >= 20 && values::is_random(content) && !values::is_uuid(content)
        }
        Says::User | Says::Host => {
            let is_name =
                |byte: &u8| bytes::is_name_byte(*byte) || matches!(byte, b'.' | b'-' | b'_');
            (value.is_quoted || is_setting)
                && content.len() >= 2
                && content.iter().all(is_name)
                && !crate::people::is_no_person(content)
                && !names_itself(key, content)
        }
    };
    if !is_secret {
        return;
    }
    let (kind, label) = match says {
        Says::User => (Kind::User, "user"),
        Says::Host => (Kind::Host, "host"),
        _ => (Kind::NamedValue, label_of(key)),
    };
    let spread = match kind {
        Kind::NamedValue if values::is_distinctive(content) => Spread::Everywhere,
        Kind::NamedValue => Spread::Nowhere,
        _ => crate::people::spread_of_name(content),
    };
    found.push(Found { range, kind, label, spread });
}

/// The label of the placeholder of a value, by its key.
fn label_of(key: &[u8]) -> &'static str {
    if is_password(key) {
        "password"
    } else if key.to_ascii_lowercase().ends_with(b"cookie") {
        "cookie"
    } else if key.to_ascii_lowercase().ends_with(b"authorization") {
        "authorization"
    } else {
        "secret"
    }
}

/// The schemes of credentials in headers.
const SCHEMES: [&[u8]; 8] =
    [b"api-token ", b"bearer ", b"basic ", b"token ", b"apikey ", b"bot ", b"ssws ", b"digest "];

/// The value without the scheme of a header before it.
fn without_scheme(text: &[u8], range: Range<usize>) -> Range<usize> {
    let content = bytes::of(text, range.clone());
    let scheme = SCHEMES.iter().find(|it| bytes::starts_with_ignoring_case(content, it));
    range.start + scheme.map_or(0, |it| it.len())..range.end
}

/// Whether a value says no more than its key: `password="Enter your password"`, `password=password`.
fn names_itself(key: &[u8], value: &[u8]) -> bool {
    const NAMES: [&[u8]; 4] = [b"password", b"passwd", b"passphrase", b"pass"];
    let is_sentence = value.contains(&b' ');
    let word: &[u8] = if is_password(key) { b"passw" } else { key };
    let has_word = || value.windows(word.len().max(1)).any(|it| it.eq_ignore_ascii_case(word));
    value.eq_ignore_ascii_case(key)
        || NAMES.iter().any(|name| value.eq_ignore_ascii_case(name))
        || (is_sentence && has_word() && !value.iter().any(u8::is_ascii_digit))
}

/// Whether a value may be secret.
fn is_plausible(key: &[u8], value: &[u8], may_be_words: bool) -> bool {
    const MIN_BYTES: usize = 4;
    let is_visible = value.iter().all(|byte| *byte > b' ');
    let is_long = value.len() >= MIN_BYTES;
    if !is_visible || !is_long || values::is_place(value) || values::is_dummy(value) {
        return false;
    }
    if values::is_random(value) {
        return true;
    }
    may_be_words
        && !names_itself(key, value)
        && (is_password(key) || !values::is_words(value))
        && (values::is_complex(value)
            || !value.iter().any(|byte| matches!(byte, b'(' | b')' | b'[' | b'{')))
}

/// `<password>…</password>`.
fn element(text: &[u8], end: usize, names: &mut KeyNames, found: &mut Vec<Found>) {
    let start = bytes::run_start(text, end, MAX_KEY_BYTES, is_key_byte);
    if start == end || bytes::before(text, start) != b'<' {
        return;
    }
    let Some(says) = names.says(text, start..end) else { return };
    let Some(value) = value_after(text, end + 1, true) else { return };
    if !value.is_quoted && bytes::from(text, value.end).starts_with(b"</") {
        accept(text, bytes::of(text, start..end), &value, says, false, true, found);
    }
}

/// `--password …`.
fn option(text: &[u8], start: usize, names: &mut KeyNames, found: &mut Vec<Found>) {
    let end = bytes::run_end(text, start, MAX_KEY_BYTES, is_key_byte);
    let name = bytes::of(text, start..end);
    if bytes::at(text, end) != b' ' || !name.first().is_some_and(u8::is_ascii_alphabetic) {
        return;
    }
    if name == b"user" || name == b"proxy-user" {
        crate::addresses::user_and_password(text, end + 1, found);
        return;
    }
    let Some(says) = names.says(text, start..end) else { return };
    let Some(value) = value_after(text, end, false) else { return };
    if bytes::at(text, value.range.start) != b'-' {
        accept(text, name, &value, says, false, true, found);
    }
}

/// Whether a key is of the name in a pair of a name and a value: `{"name": "Cookie", "value": "…"}`.
fn is_name_of_pair(key: &[u8]) -> bool {
    [b"name".as_slice(), b"key"].iter().any(|name| key.eq_ignore_ascii_case(name))
}

/// As much is between the name and the value of a pair.
const MAX_PAIR_BYTES: usize = 80;

/// The value of a pair whose name is secret.
fn pair(text: &[u8], operator: usize, names: &mut KeyNames, found: &mut Vec<Found>) {
    let Some(name) = value_after(text, operator + 1, false).filter(|it| it.is_quoted) else {
        return;
    };
    // The last word of the name: `http.request.header.authorization`.
    let Some(says) = names.says(text, name.range.clone()).filter(|says| *says >= Says::Secret)
    else {
        return;
    };
    let key = bytes::of(text, name.range.clone());
    let after = bytes::of(text, name.end..(name.end + MAX_PAIR_BYTES).min(text.len()));
    for next in memchr::memchr2_iter(b':', b'=', after) {
        let operator = name.end + next;
        let is_value = key_before(text, operator)
            .is_some_and(|(key, _)| bytes::of(text, key).to_ascii_lowercase().ends_with(b"value"));
        if !is_value {
            return;
        }
        if let Some(value) = value_after(text, operator + 1, false).filter(|it| it.is_quoted) {
            accept(text, key, &value, says, true, true, found);
            return;
        }
    }
}

/// `("api_key", "…")`, `["Authorization", "…"]`.
fn listed(text: &[u8], comma: usize, names: &mut KeyNames, found: &mut Vec<Found>) {
    if !matches!(bytes::before(text, comma), b'"' | b'\'') {
        return;
    }
    let next = bytes::run_end(text, comma + 1, 1, |byte| byte == b' ');
    if !matches!(bytes::at(text, next), b'"' | b'\'' | b'\\') {
        return;
    }
    let Some((key, true)) = key_before(text, comma) else { return };
    let Some(says) = names.says(text, key.clone()).filter(|says| *says >= Says::Secret) else {
        return;
    };
    let Some(value) = value_after(text, comma + 1, false).filter(|it| it.is_quoted) else { return };
    let content = bytes::of(text, without_scheme(text, value.range.clone()));
    // In a list of names, the next one is no value.
    if says <= Says::Exactly && values::is_random(content) {
        accept(text, bytes::of(text, key), &value, says, false, false, found);
    }
}

/// `the password is "…"`, `the password for user 'postgres' is '…'`, `login … password …`.
fn stated(text: &[u8], after: usize, found: &mut Vec<Found>) {
    const MAX_BETWEEN_BYTES: usize = 48;
    let line = bytes::of(text, after..(after + MAX_BETWEEN_BYTES).min(text.len()));
    let line = line.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let value = if let Some(is) = memmem::find(line, b" is ") {
        value_after(text, after + is + 3, false).filter(|it| it.is_quoted)
    } else if line.starts_with(b" ") && (is_option(text, after) || is_after_login(text, after)) {
        value_after(text, after, false)
    } else {
        None
    };
    if let Some(value) = value {
        accept(text, b"password", &value, Says::Secret, false, true, found);
    }
}

/// Whether a word is an option: `-Password`.
fn is_option(text: &[u8], end: usize) -> bool {
    end.checked_sub(b"password".len()).is_some_and(|start| bytes::before(text, start) == b'-')
}

/// Whether `login` and one word are before a word, as in a netrc file.
fn is_after_login(text: &[u8], at: usize) -> bool {
    const MAX_BYTES: usize = 80;
    let before = bytes::of(text, at.saturating_sub(MAX_BYTES)..at);
    let mut words = before.rsplit(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    // The word itself, the login, and its key.
    words.nth(2) == Some(b"login".as_slice())
}
