//! Archives with false sizes, climbing paths, repeated entries, or bombs.

use crate::harness;

use std::fs;
use std::io::{Cursor, Read, Seek, SeekFrom};

use harness::archives::{NAMES, Zip, archive};
use harness::{Opening, Outcome, open, open_one, shared_also};
use traceloupe_input::{
    Container, Crc32, Decoder, Gunzip, Notice, ZipEntry, ZipFault, sniff, unzip, zip_entries,
};
use traceloupe_session::EntryHeads;
use traceloupe_session::store::MemoryStore;

/// An archive made here, and the one in `../shared` with the same name, made by another program.
#[track_caller]
fn both(name: &str) -> Vec<Vec<u8>> {
    let mut found = vec![archive(name)];
    if let Some(folder) = shared_also("hostile/generated/archives") {
        found.push(fs::read(folder.join(name)).unwrap());
    }
    found
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
fn both_sets_have_the_same_archives() {
    let Some(folder) = shared_also("hostile/generated/archives") else { return };
    let theirs = harness::files_below(&folder);
    let theirs: Vec<_> = theirs.iter().map(|path| harness::named(&folder, path).0).collect();
    assert_eq!(theirs, NAMES);
}

#[test]
fn entries_are_read_whatever_the_table_claims() {
    let good = harness::faults::good().into_bytes();
    assert_eq!(entry(&archive("ok.zip"), 0).unwrap(), (good, vec![]));
    for (at, ok) in both("ok.zip").iter().enumerate() {
        let (text, notices) = entry(ok, 0).unwrap();
        assert_eq!((text.is_empty(), notices.as_slice()), (false, &[][..]));
        for (name, expected) in [("bad-crc.zip", "zip-crc"), ("lying-size.zip", "zip-size")] {
            let bytes = &both(name)[at];
            assert_eq!(entry(bytes, 0).unwrap(), (text.clone(), vec![expected]), "{name}");
        }
    }
}

#[test]
fn what_cannot_be_read_says_why() {
    for encrypted in both("encrypted-flag.zip") {
        assert!(entries(&encrypted)[0].is_encrypted);
        assert!(matches!(entry(&encrypted, 0), Err(ZipFault::Encrypted)));
    }
    for truncated in both("truncated.zip") {
        assert_eq!(sniff(&truncated), Container::Zip);
        assert!(matches!(zip_entries(Cursor::new(&truncated)), Err(ZipFault::NoDirectory)));
    }
    // The same archive with another method in its table.
    for mut xz in both("ok.zip") {
        let table = memchr::memmem::find(&xz, b"PK\x01\x02").unwrap();
        xz[table + 10] = 95;
        let fault = entry(&xz, 0).unwrap_err();
        assert!(matches!(fault, ZipFault::Method(95)), "{fault:?}");
    }
}

#[test]
fn names_are_harmless_and_numbers_distinct() {
    for twice in both("duplicate-names.zip") {
        let two = entries(&twice);
        assert_eq!((two.len(), two[0].name.as_str()), (2, two[1].name.as_str()));
        assert_ne!(entry(&twice, two[0].index).unwrap().0, entry(&twice, two[1].index).unwrap().0);
    }
    for archive in ["zip-slip.zip", "html-name.zip"].into_iter().flat_map(both) {
        for entry in entries(&archive) {
            assert!(!entry.name.starts_with('/') && !entry.name.contains(".."), "{}", entry.name);
            assert!(!entry.name.contains(['\\', ':', '\u{202e}']), "{}", entry.name);
        }
    }
}

#[test]
fn every_cut_and_every_changed_byte_ends() {
    for ok in both("ok.zip") {
        for len in 0..ok.len() {
            let _ = entry(&ok[..len], 0);
            let mut changed = ok.clone();
            changed[len] ^= 0xff;
            let _ = entry(&changed, 0);
            let (_, _) = gunzip(&changed);
        }
    }
}

#[test]
fn bombs_stop_early_and_keep_what_came() {
    for (bomb, zip) in both("bomb-256MiB-spaces.gz").into_iter().zip(both("zip-of-bomb.zip")) {
        let (out, notices) = gunzip(&bomb);
        assert_eq!(notices, ["bomb"]);
        assert!((64 << 20..80 << 20).contains(&out.len()), "{}", out.len());
        let (inner, notices) = entry(&zip, 0).unwrap();
        assert_eq!((inner, notices), (bomb, vec![]));
    }
}

#[test]
fn members_and_layers() {
    for members in both("gzip-multi-member.jsonl.gz") {
        let (out, notices) = gunzip(&members);
        assert_eq!(notices, [""; 0]);
        assert_eq!(out.iter().filter(|byte| **byte == b'\n').count(), 6);
    }
    for mut bytes in both("gzip-of-gzip-of-gzip.gz") {
        let mut layers = 0;
        while sniff(&bytes) == Container::Gzip {
            bytes = gunzip(&bytes).0;
            layers += 1;
        }
        assert_eq!((layers, sniff(&bytes)), (3, Container::Plain));
    }
}

/// An uncompressed file: its local header with the bytes, and its directory entry.
fn stored(name: &str, text: &[u8], header_start: usize) -> (Vec<u8>, Vec<u8>) {
    let number = |n: usize| u32::try_from(n).unwrap().to_le_bytes();
    let name_len = u16::try_from(name.len()).unwrap().to_le_bytes();
    // Flags, method, time and date; checksum, both sizes; lengths of the name and the extra field.
    let mut shared = vec![0; 8];
    shared.extend(Crc32::of(text).to_le_bytes());
    shared.extend([number(text.len()), number(text.len())].concat());
    shared.extend([name_len, [0; 2]].concat());
    let local = [b"PK\x03\x04\x14\0", shared.as_slice(), name.as_bytes(), text].concat();
    let mut entry = [b"PK\x01\x02\x14\0\x14\0", shared.as_slice(), &[0; 10]].concat();
    entry.extend(number(header_start));
    entry.extend(name.as_bytes());
    (local, entry)
}

/// An archive of uncompressed files, and the offset of its directory.
fn zip(files: &[(String, impl AsRef<[u8]>)]) -> (Vec<u8>, usize) {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, text) in files {
        let (local, entry) = stored(name, text.as_ref(), bytes.len());
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

/// A trace inside so many archives.
fn nested(n_archives: usize) -> Vec<u8> {
    let trace = session("s1", 2).into_bytes();
    (0..n_archives).fold(trace, |inner, at| {
        let name = if at == 0 { "a.jsonl".to_owned() } else { format!("{at}.zip") };
        zip(&[(name, inner)]).0
    })
}

#[test]
fn a_trace_inside_too_many_archives_names_the_limit() {
    assert_eq!(open_one("a.zip", &nested(5)).outline().runs.len(), 1);
    for n_archives in [6, 7, 9] {
        let opened = open_one("a.zip", &nested(n_archives));
        let problem = opened.problem().unwrap();
        let words = traceloupe_words::problems::what_happened(problem);
        assert!(words.contains("inside 5 other files"), "{n_archives}: {words}");
    }
}

#[test]
fn an_archive_without_a_trace_says_so() {
    for archive in both("zip-slip.zip") {
        let opened = open_one("zip-slip.zip", &archive);
        let words = traceloupe_words::problems::what_happened(opened.problem().unwrap());
        assert!(words.contains("entries of the archive is a trace"), "{words}");
    }
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

fn session(id: &str, n_messages: usize) -> String {
    let one = |at: usize| {
        format!(
            r#"{{"type":"user","sessionId":"{id}","uuid":"{id}-{at}","parentUuid":null,"timestamp":"2026-11-01T08:00:00Z","message":{{"role":"user","content":"Message {at} of {id}"}}}}"#
        ) + "\n"
    };
    (0..n_messages).map(one).collect()
}

#[test]
fn entries_are_listed_by_what_their_beginnings_say() {
    let files = [("a.jsonl", session("s1", 2)), ("b.jsonl", session("s2", 1_000))];
    let mut files: Vec<_> = files.map(|(name, text)| (name.to_owned(), text)).into();
    files.push(("c.txt".to_owned(), "nothing of interest".to_owned()));
    let mut store = MemoryStore::default();
    let archive = store.add(zip(&files).0);
    let mut heads = EntryHeads::open(store, archive).unwrap();
    let first = heads.head(7, 0, "");
    assert_eq!((first.index, first.format.as_str(), first.key.as_str()), (7, "claude-code", "s1"));
    assert_eq!((first.title.as_str(), first.n_events), ("Message 0 of s1", Some(2)));
    let second = heads.head(8, 1, &first.format);
    assert_eq!((second.title.as_str(), second.n_events), ("Message 0 of s2", None));
    assert_eq!(heads.head(9, 2, "").format, "");
}

#[test]
fn samples_are_listed_with_how_they_came_out() {
    let sample = |id: &str| {
        format!(
            r#"{{"id":"{id}","epoch":1,"input":"Ask","target":"","messages":[],"scores":{{}}}}"#
        )
    };
    let summaries = r#"[{"id":"a","epoch":1,"scores":{"match":{"value":"C"}}},
        {"id":"b/c","epoch":1,"scores":{"match":{"value":"I"}},"limit":"token","error":"Gone"}]"#;
    let files = [
        ("header.json", "{}".to_owned()),
        ("samples/a_epoch_1.json", sample("a")),
        ("samples/b/c_epoch_1.json", sample("b/c")),
        ("samples/a_epoch_10.json", sample("a")),
        ("summaries.json", summaries.to_owned()),
    ];
    let files = files.map(|(name, text)| (name.to_owned(), text));
    let mut store = MemoryStore::default();
    let archive = store.add(zip(&files).0);
    let mut heads = EntryHeads::open(store, archive).unwrap();
    let told = [0, 1, 2, 3].map(|at| heads.head(at, at, "").outcome);
    assert_eq!(told, ["", "match: correct", "match: incorrect · limit: token · error: Gone", ""]);
}

#[test]
fn an_entry_that_cannot_be_unpacked_is_listed_as_cut() {
    let (mut bytes, _) = zip(&[("a.jsonl".to_owned(), session("s1", 2))]);
    // The local header is not where the directory places it.
    bytes[0] = b'X';
    let mut store = MemoryStore::default();
    let archive = store.add(bytes);
    let mut heads = EntryHeads::open(store, archive).unwrap();
    assert!(heads.head(0, 0, "").is_cut);
    assert!(heads.head(1, 99, "").is_cut, "an entry that is not there");
    let mut store = MemoryStore::default();
    let none = store.add(b"no archive".to_vec());
    assert!(EntryHeads::open(store, none).is_none());
}

#[test]
fn a_damaged_entry_of_the_directory_costs_that_entry_alone_and_is_counted() {
    let (whole, directory) = zip(&small_traces(5));
    let opened = open_entries(&whole, 5);
    assert_eq!(opened.outline().runs.len(), 5);
    assert_eq!(opened.codes(), [""; 0]);
    let entry_len = 46 + "run-00000.jsonl".len();
    // The signature of an entry, and the length of its name.
    for (field, value) in [(0, b'?'), (28, 0xff)] {
        for damaged in [0, 2, 4] {
            let mut bytes = whole.clone();
            bytes[directory + damaged * entry_len + field] = value;
            let opened = open_entries(&bytes, 5);
            assert_eq!(opened.outline().runs.len(), 4, "entry {damaged}, field {field}");
            let [warning] = opened.outline().warnings.as_slice() else { panic!("no warning") };
            assert_eq!(warning.code.word(), "zip-entries-missing");
            assert_eq!(warning.places[0].3, "1 of 5 entries");
        }
    }
}

#[test]
fn entries_that_share_their_bytes_are_one() {
    let (whole, directory) = zip(&small_traces(2));
    let end = whole.len() - 22;
    let entry_len = (end - directory) / 2;
    let entry = &whole[directory..directory + entry_len];
    // The first entry 1,000 times, then the second one.
    let mut bytes = whole[..directory].to_vec();
    (0..999).for_each(|_| bytes.extend(entry));
    bytes.extend(&whole[directory..]);
    let len = u32::try_from(entry_len * 1_001).unwrap();
    let at = bytes.len() - 22;
    bytes[at + 8..at + 10].copy_from_slice(&1_001_u16.to_le_bytes());
    bytes[at + 10..at + 12].copy_from_slice(&1_001_u16.to_le_bytes());
    bytes[at + 12..at + 16].copy_from_slice(&len.to_le_bytes());
    let opened = open_one("f.zip", &bytes);
    assert_eq!(opened.outline().runs.len(), 2);
    assert_eq!(opened.outline().warnings[0].places[0].3, "999 of 1001 entries");
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

/// Counts the bytes read.
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

/// A trace of SWE-agent with one step.
const TRAJ: &[u8] = br#"{"environment":"knot__reef-1","trajectory":[{"action":"look","observation":"wet","response":"I look","thought":"I look"}],"history":[{"role":"user","content":"Mend the mast"}],"info":{"exit_status":"submitted"}}"#;

/// A chat in YAML.
const YAML: &[u8] =
    b"messages:\n- role: user\n  content: Mend the sail\n- role: assistant\n  content: Done\n";

/// A history of Aider.
const MARKDOWN: &[u8] =
    b"\n# aider chat started at 2026-01-01 10:00:00\n\n#### Mend the hull\n\nDone\n";

fn zip_of(files: &[(&str, &[u8])]) -> Vec<u8> {
    files.iter().fold(Zip::default(), |zip, (name, bytes)| zip.with(name, bytes)).finish()
}

#[test]
fn an_archive_opens_as_the_folder_of_its_files_does() {
    let sets: [&[(&str, &[u8])]; 3] = [
        &[("a.traj", TRAJ), ("b.traj", TRAJ)],
        &[("x/c.yaml", YAML), ("a.traj", TRAJ), ("b.aider.chat.history.md", MARKDOWN)],
        &[("README.md", b"# Boats\n\nA list."), ("a.traj", TRAJ)],
    ];
    for files in sets {
        let folder: Vec<(String, &[u8])> =
            files.iter().map(|(name, bytes)| (format!("f/{name}"), *bytes)).collect();
        let folder: Vec<(&str, &[u8])> =
            folder.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
        let folder = open(&folder, &Opening::default());
        let archive = open_one("f.zip", &zip_of(files));
        let titles = |opened: &harness::Opened| {
            let runs = opened.outline().runs.iter();
            runs.map(|run| (run.format.clone(), run.title.clone())).collect::<Vec<_>>()
        };
        assert_eq!(titles(&archive), titles(&folder), "{files:?}");
        assert!(titles(&archive).len() >= files.len() - 1);
    }
}

/// A tar archive, as `tar` writes it.
fn tar_of(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = Vec::new();
    for (name, bytes) in files {
        let mut header = vec![0; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[124..135].copy_from_slice(format!("{:011o}", bytes.len()).as_bytes());
        header[156] = b'0';
        header[257..263].copy_from_slice(b"ustar\0");
        archive.extend(header);
        archive.extend(*bytes);
        archive.resize(archive.len().next_multiple_of(512), 0);
    }
    archive.resize(archive.len() + 1024, 0);
    archive
}

#[test]
fn a_tar_archive_opens_as_a_zip_does() {
    let files: [(&str, &[u8]); 3] = [("x/c.yaml", YAML), ("a.traj", TRAJ), ("b.png", b"x")];
    let tar = tar_of(&files);
    let expected = open_one("f.zip", &zip_of(&files));
    for (name, bytes) in [("f.tar", tar.clone()), ("f.tar.gz", harness::gzip(&tar))] {
        let opened = open_one(name, &bytes);
        let titles = |opened: &harness::Opened| {
            let runs = opened.outline().runs.iter();
            runs.map(|run| run.title.clone()).collect::<Vec<_>>()
        };
        assert_eq!(titles(&opened), titles(&expected), "{name}");
        let mut sources = opened.outline().sources.iter();
        assert!(sources.any(|it| it.left_out == [("png".to_owned(), 1)]), "{name}");
        assert_eq!(opened.codes(), expected.codes(), "{name}");
    }
}

#[test]
fn what_an_archive_leaves_out_is_counted() {
    let files: [(&str, &[u8]); 5] =
        [("a.traj", TRAJ), ("b.traj", TRAJ), ("x/a.png", b"x"), ("b.PNG", b"x"), ("a.lock", b"x")];
    let opened = open_one("f.zip", &zip_of(&files));
    let left_out = &opened.outline().sources[0].left_out;
    assert_eq!(left_out, &[("png".to_owned(), 2), ("lock".to_owned(), 1)]);
    // An archive inside an archive is read without a list, up to a limit.
    let many: Vec<(String, &[u8])> = (0..103).map(|at| (format!("{at}.traj"), TRAJ)).collect();
    let many: Vec<(&str, &[u8])> = many.iter().map(|(name, it)| (name.as_str(), *it)).collect();
    let opened = open_one("f.zip", &zip_of(&[("a.traj", TRAJ), ("b.zip", &zip_of(&many))]));
    let inner = opened.outline().sources.iter().find(|it| it.path == "f.zip/b.zip").unwrap();
    assert_eq!(inner.left_out, [(String::new(), 3)]);
}

#[test]
fn an_archive_with_many_files_lists_all_of_them() {
    let mut files: Vec<(String, &[u8])> = (0..25).map(|at| (format!("{at}.traj"), TRAJ)).collect();
    files.push(("a.png".to_owned(), b"x"));
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, it)| (name.as_str(), *it)).collect();
    let opened = open_one("f.zip", &zip_of(&files));
    let Outcome::Choose(asked) = &opened.outcome else { panic!("{:?}", opened.problem()) };
    assert_eq!(asked[0].1.len(), 26);
}
