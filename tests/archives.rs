//! Archives that lie, climb, repeat themselves or explode.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::print_stdout)]

use std::fs;
use std::io::Cursor;
use std::path::Path;

use traceloupe::input::{
    Container, Decoder, Gunzip, Notice, ZipEntry, ZipFault, sniff, unzip, zip_entries,
};

fn archive(name: &str) -> Option<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/hostile/generated/archives");
    if !folder.exists() {
        println!("skipped: ../shared is not here");
        return None;
    }
    Some(fs::read(folder.join(name)).unwrap())
}

fn entries(bytes: &[u8]) -> Vec<ZipEntry> {
    zip_entries(Cursor::new(bytes)).unwrap()
}

fn entry(bytes: &[u8], index: usize) -> Result<(Vec<u8>, Vec<&'static str>), ZipFault> {
    let mut out = Vec::new();
    let (mut decoder, range) = unzip(Cursor::new(bytes), index)?;
    let end = bytes.len().min(range.end as usize);
    bytes[end.min(range.start as usize)..end]
        .chunks(64 * 1024)
        .for_each(|chunk| decoder.push(chunk, &mut out));
    decoder.finish(&mut out);
    Ok((out, codes(&decoder.notices())))
}

fn codes(notices: &[Notice]) -> Vec<&'static str> {
    notices.iter().map(|notice| notice.code).collect()
}

fn gunzip(bytes: &[u8]) -> (Vec<u8>, Vec<&'static str>) {
    let mut decoder = Gunzip::new();
    let mut out = Vec::new();
    bytes.chunks(64 * 1024).for_each(|chunk| decoder.push(chunk, &mut out));
    decoder.finish(&mut out);
    (out, codes(&decoder.notices()))
}

#[test]
fn entries_are_read_whatever_the_table_claims() {
    let Some(ok) = archive("ok.zip") else { return };
    let (text, notices) = entry(&ok, 0).unwrap();
    assert_eq!((text.len(), notices.as_slice()), (683, &[][..]));
    for (name, expected) in [("bad-crc.zip", "zip-crc"), ("lying-size.zip", "zip-size")] {
        let bytes = archive(name).unwrap();
        assert_eq!(entry(&bytes, 0).unwrap(), (text.clone(), vec![expected]), "{name}");
    }
}

#[test]
fn what_cannot_be_read_says_why() {
    let Some(encrypted) = archive("encrypted-flag.zip") else { return };
    assert!(entries(&encrypted)[0].is_encrypted);
    assert!(matches!(entry(&encrypted, 0), Err(ZipFault::Encrypted)));
    let truncated = archive("truncated.zip").unwrap();
    assert_eq!(sniff(&truncated), Container::Zip);
    assert!(matches!(zip_entries(Cursor::new(&truncated)), Err(ZipFault::NoDirectory)));
    // The same archive with another method in its table.
    let mut zstd = archive("ok.zip").unwrap();
    let table = memchr::memmem::find(&zstd, b"PK\x01\x02").unwrap();
    zstd[table + 10] = 93;
    let fault = entry(&zstd, 0).unwrap_err();
    assert_eq!((fault.code(), fault.to_string().contains("zstd")), ("zip-zstd", true));
    assert!(matches!(entry(&zstd, 7), Err(ZipFault::NoEntry)));
}

#[test]
fn names_are_harmless_and_numbers_distinct() {
    let Some(twice) = archive("duplicate-names.zip") else { return };
    let two = entries(&twice);
    assert_eq!((two.len(), two[0].name.as_str()), (2, two[1].name.as_str()));
    assert_ne!(entry(&twice, two[0].index).unwrap().0, entry(&twice, two[1].index).unwrap().0);
    for name in ["zip-slip.zip", "html-name.zip"] {
        for entry in entries(&archive(name).unwrap()) {
            assert!(!entry.name.starts_with('/') && !entry.name.contains(".."), "{}", entry.name);
            assert!(!entry.name.contains(['\\', ':', '\u{202e}']), "{}", entry.name);
        }
    }
}

#[test]
fn every_cut_and_every_changed_byte_ends() {
    let Some(ok) = archive("ok.zip") else { return };
    for len in 0..ok.len() {
        let _ = entry(&ok[..len], 0);
        let mut changed = ok.clone();
        changed[len] ^= 0xff;
        let _ = entry(&changed, 0);
        let (_, _) = gunzip(&changed);
    }
}

#[test]
fn bombs_stop_early_and_keep_what_came() {
    let Some(bomb) = archive("bomb-256MiB-spaces.gz") else { return };
    let (out, notices) = gunzip(&bomb);
    assert_eq!(notices, ["bomb"]);
    assert!((64 << 20..80 << 20).contains(&out.len()), "{}", out.len());
    let zip = archive("zip-of-bomb.zip").unwrap();
    let (inner, notices) = entry(&zip, 0).unwrap();
    assert_eq!((inner, notices), (bomb, vec![]));
}

#[test]
fn members_and_layers() {
    let Some(members) = archive("gzip-multi-member.jsonl.gz") else { return };
    let (out, notices) = gunzip(&members);
    assert_eq!(notices, [""; 0]);
    assert_eq!(out.iter().filter(|byte| **byte == b'\n').count(), 6);
    let mut layers = 0;
    let mut bytes = archive("gzip-of-gzip-of-gzip.gz").unwrap();
    while sniff(&bytes) == Container::Gzip {
        bytes = gunzip(&bytes).0;
        layers += 1;
    }
    assert_eq!((layers, sniff(&bytes)), (3, Container::Plain));
}
