//! E-mail addresses, the names of home folders, and the data of images.

use memchr::memmem;

use crate::addresses::at_signs;
use crate::bytes;
use crate::finding::{Found, Kind, Spread};
use crate::secrets::placeholder_end;

pub(crate) fn find(text: &[u8], found: &mut Vec<Found>) {
    for at in at_signs(text) {
        email(text, at, found);
    }
    for folder in [b"home/".as_slice(), b"Users/", b"-Users-", b"-home-"] {
        for at in memmem::find_iter(text, folder) {
            // `/Users/` and the like, also in the names that are made of paths.
            if folder.starts_with(b"-") || bytes::before(text, at) == b'/' {
                home(text, at + folder.len(), found);
            }
        }
    }
    for at in memmem::find_iter(text, b"\\Users\\") {
        home(text, bytes::run_end(text, at + 6, 16, |byte| byte == b'\\'), found);
    }
    for start in IMAGES {
        for at in memmem::find_iter(text, start) {
            image(text, at, found);
        }
    }
}

// --- e-mail addresses --------------------------------------------------------------------------

fn email(text: &[u8], at: usize, found: &mut Vec<Found>) {
    const MAX_LOCAL_BYTES: usize = 64;
    const MAX_DOMAIN_BYTES: usize = 253;
    let is_local =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'%' | b'+' | b'-');
    let is_domain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
    let mut start = bytes::run_start(text, at, MAX_LOCAL_BYTES, is_local);
    while start < at && !bytes::at(text, start).is_ascii_alphanumeric() {
        start += 1;
    }
    let mut end = bytes::run_end(text, at + 1, MAX_DOMAIN_BYTES, is_domain);
    while end > at + 1 && !bytes::before(text, end).is_ascii_alphanumeric() {
        end -= 1;
    }
    let (local, domain) = (bytes::of(text, start..at), bytes::of(text, at + 1..end));
    let Some(dot) = domain.iter().rposition(|byte| *byte == b'.') else { return };
    let is_top_level = |top: &[u8]| {
        top.iter().all(u8::is_ascii_alphabetic)
            && (top.len() == 2 || TOP_LEVEL.iter().any(|it| top.eq_ignore_ascii_case(it)))
    };
    if local.is_empty()
        || dot == 0
        || !is_top_level(bytes::from(domain, dot + 1))
        || is_nobody(local, domain)
    {
        return;
    }
    // `git@host:path` and `user:password@host` are addresses of machines.
    let next = bytes::at(text, end);
    if (local == b"git" && next == b':') || matches!(next, b'(' | b'[') {
        return;
    }
    found.push(Found {
        range: start..end,
        kind: Kind::Email,
        label: "email",
        spread: Spread::Everywhere,
    });
}

/// Top-level domains of more than two letters that people have addresses in.
const TOP_LEVEL: [&[u8]; 24] = [
    b"com",
    b"org",
    b"net",
    b"edu",
    b"gov",
    b"mil",
    b"int",
    b"info",
    b"biz",
    b"name",
    b"dev",
    b"app",
    b"cloud",
    b"tech",
    b"email",
    b"online",
    b"site",
    b"xyz",
    b"agency",
    b"studio",
    b"company",
    b"solutions",
    b"systems",
    b"software",
];

/// Addresses that belong to nobody: of examples, and of senders that cannot be answered.
fn is_nobody(local: &[u8], domain: &[u8]) -> bool {
    const LOCAL: [&[u8]; 4] = [b"noreply", b"no-reply", b"donotreply", b"git"];
    let is_example = |name: &[u8]| {
        let name = name.to_ascii_lowercase();
        [b"example.com".as_slice(), b"example.org", b"example.net", b"users.noreply.github.com"]
            .iter()
            .any(|it| name.ends_with(it) && *it != b"users.noreply.github.com")
    };
    LOCAL.iter().any(|it| local.eq_ignore_ascii_case(it)) || is_example(domain)
}

// --- home folders ------------------------------------------------------------------------------

/// Names of accounts that say nothing of a person, and words that are part of other texts.
const NO_PERSON: &str = "user users username runner node ubuntu debian fedora centos vscode root app shared public \
default all admin administrator ec2-user azureuser circleci gitpod codespace jovyan agent openhands sandbox coder \
developer dev test tester guest nobody www www-data git build builder jenkins travis docker container work worker \
workspace project projects python linuxbrew oai computeruse claude model bot me you your name yourname data src home \
devbox swe-agent appuser nonroot daemon service system local example demo student opc pi kali vagrant postgres mysql \
redis nginx foo bar baz xxx somebody someone myuser myname deploy deployer \
sample location language entity profile profiles git copilot github";

fn home(text: &[u8], start: usize, found: &mut Vec<Found>) {
    const MAX_NAME_BYTES: usize = 64;
    let is_name = |byte: u8| bytes::is_name_byte(byte) || matches!(byte, b'.' | b'_');
    // In a name made of a path, a hyphen is a slash.
    let is_path_name = bytes::before(text, start) == b'-';
    let end = bytes::run_end(text, start, MAX_NAME_BYTES, |byte| {
        is_name(byte) || (byte == b'-' && !is_path_name)
    });
    let mut end = end;
    while end > start && bytes::before(text, end) == b'.' {
        end -= 1;
    }
    let name = bytes::of(text, start..end);
    if name.len() < 2 || is_no_person(name) || placeholder_end(text, start).is_some() {
        return;
    }
    // `Users/*` and `home/$USER` have no name, and `home/page.html` is no folder.
    let is_file = name
        .iter()
        .rposition(|byte| *byte == b'.')
        .is_some_and(|dot| dot + 5 >= name.len() && dot + 3 <= name.len())
        && !matches!(bytes::at(text, end), b'/' | b'\\');
    if is_file {
        return;
    }
    found.push(Found {
        range: start..end,
        kind: Kind::User,
        label: "user",
        spread: spread_of_name(name),
    });
}

/// Whether the name of an account says nothing of a person.
pub(crate) fn is_no_person(name: &[u8]) -> bool {
    NO_PERSON.split(' ').any(|it| name.eq_ignore_ascii_case(it.as_bytes()))
}

/// Where else the name of a user or of a host is replaced: short names and words occur in other texts.
pub(crate) fn spread_of_name(name: &[u8]) -> Spread {
    const MIN_BYTES: usize = 4;
    if name.len() < MIN_BYTES || is_no_person(name) || name.iter().all(u8::is_ascii_digit) {
        Spread::Nowhere
    } else {
        Spread::Words
    }
}

// --- images ------------------------------------------------------------------------------------

/// How the base64 of PNG, JPEG, GIF, WebP and PDF begins.
const IMAGES: [&[u8]; 5] = [b"iVBORw0KGgo", b"/9j/", b"R0lGOD", b"UklGR", b"JVBERi0"];

fn image(text: &[u8], start: usize, found: &mut Vec<Found>) {
    const MIN_BYTES: usize = 64;
    if bytes::before(text, start).is_ascii_alphanumeric() {
        return;
    }
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    let end = bytes::run_end(text, start, text.len(), is_base64);
    if end - start >= MIN_BYTES {
        found.push(Found {
            range: start..end,
            kind: Kind::Image,
            label: "image",
            spread: Spread::Nowhere,
        });
    }
}
