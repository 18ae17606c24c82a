//! Credentials in URLs, in headers and in options of curl, and JSON web tokens.

use memchr::{memchr_iter, memmem};

use crate::bytes;
use crate::finding::{Found, Kind, Spread};
use crate::secrets::{is_placeholder, placeholder_end};
use crate::values;

/// The longest user name with its password.
const MAX_USER_INFO_BYTES: usize = 256;

pub(crate) fn find(text: &[u8], found: &mut Vec<Found>) {
    for at in memmem::find_iter(text, b"://") {
        user_info(text, at + 3, found);
    }
    for at in memmem::find_iter(text, b"-u") {
        if matches!(bytes::before(text, at), b' ' | b'\n' | b'\t' | b'"' | b'\'') {
            user_and_password(text, at + 2, found);
        }
    }
    for scheme in [b"earer ".as_slice(), b"asic ", b"EARER "] {
        for at in memmem::find_iter(text, scheme) {
            header(text, at + scheme.len(), found);
        }
    }
    for at in memmem::find_iter(text, b"eyJ") {
        web_token(text, at, found);
    }
}

fn push(
    range: std::ops::Range<usize>,
    kind: Kind,
    label: &'static str,
    spread: Spread,
    found: &mut Vec<Found>,
) {
    if !range.is_empty() {
        found.push(Found { range, kind, label, spread });
    }
}

fn spread_of(value: &[u8]) -> Spread {
    if values::is_distinctive(value) { Spread::Everywhere } else { Spread::Nowhere }
}

/// `user:password@` at the beginning of an address.
fn user_info(text: &[u8], start: usize, found: &mut Vec<Found>) {
    let ends = |byte: u8| {
        byte <= b' '
            || matches!(byte, b'/' | b'?' | b'#' | b'"' | b'<' | b'>' | b'\\' | b'\'' | b'`')
    };
    let end = bytes::run_end(text, start, MAX_USER_INFO_BYTES, |byte| !ends(byte));
    let authority = bytes::of(text, start..end);
    let Some(at) = authority.iter().rposition(|byte| *byte == b'@') else { return };
    let info = bytes::of(authority, 0..at);
    match info.iter().position(|byte| *byte == b':') {
        Some(colon) => {
            let password = bytes::from(info, colon + 1);
            if is_credential(password) {
                let from = start + colon + 1;
                push(
                    from..start + at,
                    Kind::Credentials,
                    "url-password",
                    spread_of(password),
                    found,
                );
            }
        }
        None if info.len() >= 16 && values::is_random(info) => {
            push(start..start + at, Kind::Credentials, "url-token", Spread::Everywhere, found);
        }
        None => {}
    }
}

fn is_credential(password: &[u8]) -> bool {
    const EMPTY: [&[u8]; 4] = [b"password", b"pass", b"pwd", b"passwd"];
    !password.is_empty()
        && (!values::is_reference(password) || password == b"secret")
        && !is_placeholder(password)
        && !EMPTY.iter().any(|word| password.eq_ignore_ascii_case(word))
        && !password.iter().any(|byte| matches!(byte, b'{' | b'}' | b'[' | b']'))
}

/// `user:password`, after `curl -u`.
pub(crate) fn user_and_password(text: &[u8], start: usize, found: &mut Vec<Found>) {
    let is_quote = |byte: u8| matches!(byte, b'"' | b'\'' | b'\\');
    let start = bytes::run_end(text, start, 4, |byte| byte == b' ');
    let from = bytes::run_end(text, start, 4, is_quote);
    let ends = |byte: u8| {
        byte <= b' ' || is_quote(byte) || matches!(byte, b'<' | b'>' | b'/' | b',' | b';')
    };
    let end = bytes::run_end(text, from, MAX_USER_INFO_BYTES, |byte| !ends(byte));
    let both = bytes::of(text, from..end);
    let Some(colon) = both.iter().position(|byte| *byte == b':') else { return };
    if colon + 1 == both.len() && is_quote(bytes::at(text, end)) && from == start {
        // `user:'password'`
        let (user, from) = (bytes::of(both, 0..colon), end + 1);
        let end = bytes::run_end(text, from, MAX_USER_INFO_BYTES, |byte| !ends(byte));
        let password = bytes::of(text, from..end);
        if !values::is_reference(user) && password.len() >= 3 && is_credential(password) {
            push(from..end, Kind::Credentials, "password", spread_of(password), found);
        }
        return;
    }
    let (user, password) = (bytes::of(both, 0..colon), bytes::from(both, colon + 1));
    let (user_len, is_user) = (user.len(), !values::is_reference(user) || user.is_empty());
    // `-u 1000:1000` is a user and a group.
    if is_user && password.len() >= 3 && is_credential(password) && !values::is_numeric(password) {
        push(from + colon + 1..end, Kind::Credentials, "password", spread_of(password), found);
    } else if password.is_empty() && user_len >= 10 && values::is_random(user) {
        push(from..from + colon, Kind::Credentials, "api-key", Spread::Everywhere, found);
    }
}

/// The token after `Bearer`, or the base64 after `Basic`.
fn header(text: &[u8], start: usize, found: &mut Vec<Found>) {
    const MIN_BYTES: usize = 8;
    if placeholder_end(text, start).is_some() {
        return;
    }
    let is_token = |byte: u8| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'.' | b'_' | b'~' | b'+' | b'/' | b'-' | b'=' | b'|' | b':')
    };
    let end = bytes::run_end(text, start, 1 << 14, is_token);
    let token = bytes::of(text, start..end);
    let is_long_letters = token.len() >= 24 && !values::is_words(token);
    if token.len() >= MIN_BYTES
        && (values::is_random(token) || is_long_letters || token.ends_with(b"="))
        && !values::is_dummy(token)
    {
        push(start..end, Kind::Credentials, "authorization", Spread::Everywhere, found);
    }
}

/// Three parts in base64 with dots between them, the first two of which are JSON.
fn web_token(text: &[u8], start: usize, found: &mut Vec<Found>) {
    const MIN_BYTES: usize = 12;
    if bytes::before(text, start).is_ascii_alphanumeric() {
        return;
    }
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let first = bytes::run_end(text, start, 1 << 14, is_part);
    let second = bytes::run_end(text, first + 1, 1 << 16, is_part);
    let has_two = first - start >= MIN_BYTES
        && bytes::at(text, first) == b'.'
        && bytes::at(text, second) == b'.';
    if !has_two || !(bytes::from(text, first + 1).starts_with(b"ey") || second == first + 1) {
        return;
    }
    let mut end = bytes::run_end(text, second + 1, 1 << 14, is_part);
    // An encrypted token has five parts.
    while bytes::at(text, end) == b'.' && bytes::run_end(text, end + 1, 1, is_part) > end + 1 {
        end = bytes::run_end(text, end + 1, 1 << 16, is_part);
    }
    push(start..end, Kind::Jwt, "jwt", Spread::Everywhere, found);
}

/// Where an address has an `@`, for the search of e-mail addresses.
pub(crate) fn at_signs(text: &[u8]) -> impl Iterator<Item = usize> {
    memchr_iter(b'@', text)
}
