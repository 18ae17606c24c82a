//! Archives that lie, climb, repeat themselves or explode.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, clippy::print_stdout)]

mod harness;

use std::fs;
use std::io::{Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use harness::{Opening, open};
use traceloupe::input::{
    Container, Crc32, Decoder, Gunzip, Notice, ZipEntry, ZipFault, sniff, unzip, zip_entries,
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
    zip_entries(Cursor::new(bytes)).unwrap().entries
}

fn entry(bytes: &[u8], index: usize) -> Result<(Vec<u8>, Vec<&'static str>), ZipFault> {
    let mut out = Vec::new();
    let entries = zip_entries(Cursor::new(bytes))?.entries;
    let (mut decoder, range) = unzip(Cursor::new(bytes), &entries[index])?;
    let end = bytes.len().min(range.end as usize);
    bytes[end.min(range.start as usize)..end]
        .chunks(64 * 1024)
        .for_each(|chunk| decoder.push(chunk, &mut out));
    decoder.finish(&mut out);
    Ok((out, codes(&decoder.notices())))
}

fn codes(notices: &[Notice]) -> Vec<&'static str> {
    notices.iter().map(|notice| notice.code.word()).collect()
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

/// A file that is stored as it is: its local header with the bytes, and its entry in the directory.
fn stored(name: &str, text: &str, header_start: usize) -> (Vec<u8>, Vec<u8>) {
    let number = |n: usize| u32::try_from(n).unwrap().to_le_bytes();
    let name_len = u16::try_from(name.len()).unwrap().to_le_bytes();
    // Flags, method, time and date; checksum, both sizes; lengths of the name and the extra field.
    let mut shared = vec![0; 8];
    shared.extend(Crc32::of(text.as_bytes()).to_le_bytes());
    shared.extend([number(text.len()), number(text.len())].concat());
    shared.extend([name_len, [0; 2]].concat());
    let local = [b"PK\x03\x04\x14\0", shared.as_slice(), name.as_bytes(), text.as_bytes()].concat();
    let mut entry = [b"PK\x01\x02\x14\0\x14\0", shared.as_slice(), &[0; 10]].concat();
    entry.extend(number(header_start));
    entry.extend(name.as_bytes());
    (local, entry)
}

/// An archive of files that are stored as they are, and where its directory begins.
fn zip(files: &[(String, String)]) -> (Vec<u8>, usize) {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, text) in files {
        let (local, entry) = stored(name, text, bytes.len());
        bytes.extend(local);
        directory.extend(entry);
    }
    let start = bytes.len();
    let count = u16::try_from(files.len()).unwrap().to_le_bytes();
    bytes.extend(&directory);
    bytes.extend([b"PK\x05\x06\0\0\0\0".as_slice(), &count, &count].concat());
    bytes.extend(u32::try_from(directory.len()).unwrap().to_le_bytes());
    bytes.extend(u32::try_from(start).unwrap().to_le_bytes());
    bytes.extend([0; 2]);
    (bytes, start)
}

fn small_traces(n: usize) -> Vec<(String, String)> {
    let file =
        |at: usize| (format!("run-{at:05}.jsonl"), format!("{{\"n\":{at},\"type\":\"x\"}}\n"));
    (0..n).map(file).collect()
}

fn open_entries(bytes: &[u8], n: usize) -> harness::Opened {
    let entries = (0..n).map(|at| ("a.zip".to_owned(), u32::try_from(at).unwrap()));
    let opening = Opening { entries: Some(entries.collect()), ..Opening::default() };
    open(&[("a.zip", bytes)], &opening)
}

#[test]
fn a_damaged_entry_of_the_directory_costs_that_entry_alone_and_is_counted() {
    let (whole, directory) = zip(&small_traces(5));
    let opened = open_entries(&whole, 5);
    assert_eq!(opened.outline().runs.len(), 5);
    assert_eq!(opened.codes(), [""; 0]);
    let entry_len = 46 + "run-00000.jsonl".len();
    // The mark of an entry, and the length of its name.
    for (field, value) in [(0, b'?'), (28, 0xff)] {
        for damaged in [0, 2, 4] {
            let mut bytes = whole.clone();
            bytes[directory + damaged * entry_len + field] = value;
            let opened = open_entries(&bytes, 5);
            assert_eq!(opened.outline().runs.len(), 4, "entry {damaged}, field {field}");
            let [warning] = opened.outline().warnings.as_slice() else { panic!("no warning") };
            assert_eq!(warning.code, "zip-entries-missing");
            assert_eq!(warning.places[0].3, "1 of 5 entries");
        }
    }
}

#[test]
fn the_directory_is_read_once_for_all_entries() {
    let (bytes, directory) = zip(&small_traces(500));
    let mut reader = CountingReader { inner: Cursor::new(&bytes), read_bytes: 0 };
    let entries = zip_entries(&mut reader).unwrap().entries;
    let of_directory = reader.read_bytes;
    for entry in &entries {
        let (_, range) = unzip(&mut reader, entry).unwrap();
        assert!(range.end <= directory as u64);
    }
    assert!(reader.read_bytes - of_directory <= 500 * 30, "only the local headers are read");
}

/// Counts the bytes that are read.
struct CountingReader<R> {
    inner: R,
    read_bytes: usize,
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let n = self.inner.read(buffer)?;
        self.read_bytes += n;
        Ok(n)
    }
}

impl<R: Seek> Seek for CountingReader<R> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.inner.seek(to)
    }
}
