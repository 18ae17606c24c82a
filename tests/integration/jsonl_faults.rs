//! Faults of JSONL files, each with the expected number of records and the expected notices, in chunks of three sizes:
//! the faults made here, and the forty-three files in `../shared`.

use crate::harness;

use std::io::Cursor;

use harness::{at_least, files_below, json_cases, named, shared_also};
use traceloupe_input::{
    Container, Decoder, Framed, Framer, FramerOptions, Gunzip, Utf16, sniff, unzip, zip_entries,
};

/// Reads through containers to records, as a session does.
fn read(bytes: &[u8], chunk_len: usize) -> (Vec<String>, Vec<String>) {
    let mut notices = Vec::new();
    let mut text = bytes.to_vec();
    let mut is_cut = false;
    loop {
        let mut decoder: Box<dyn Decoder> = match sniff(&text) {
            Container::Gzip => Box::new(Gunzip::new()),
            container @ (Container::Utf16Le | Container::Utf16Be) => {
                Box::new(Utf16::new(container))
            }
            Container::Zip => return read_zip(&text, chunk_len),
            _ => break,
        };
        let mut out = Vec::new();
        text.chunks(chunk_len).for_each(|chunk| decoder.push(chunk, &mut out));
        decoder.finish(&mut out);
        let told = decoder.notices();
        is_cut |= told.iter().any(|notice| notice.code.word() == "truncated-gzip");
        notices.extend(told.into_iter().map(|notice| notice.code.word().to_owned()));
        text = out;
    }
    let mut framer = Framer::with_options(FramerOptions { inspect: true, validate: true });
    if is_cut {
        framer.expect_cut();
    }
    let mut records = Vec::new();
    let mut sink = |framed: Framed<'_>| match framed {
        Framed::Record { json, start, line, .. } => {
            let record = json.raw();
            let start = usize::try_from(start).unwrap();
            assert!(serde_json::from_str::<&serde_json::value::RawValue>(record).is_ok());
            assert!(matches!(text[start], b'{' | b'['), "starts at {start}");
            let before = &text[..start];
            let ends = if before.contains(&b'\n') { b'\n' } else { b'\r' };
            let lines = memchr::memchr_iter(ends, before).count();
            assert_eq!(usize::try_from(line).unwrap(), lines + 1);
            records.push(record.to_owned());
        }
        // Occurs only if the framer is told to split.
        Framed::Envelope { .. } => {}
        Framed::Notice { code, detail, .. } => {
            assert!(detail.len() <= 80);
            notices.push(code.word().to_owned());
        }
    };
    text.chunks(chunk_len).for_each(|chunk| framer.push(chunk, &mut sink));
    framer.finish(&mut sink);
    notices.sort();
    (records, notices)
}

/// The records of all entries; an archive without any is not a trace.
fn read_zip(bytes: &[u8], chunk_len: usize) -> (Vec<String>, Vec<String>) {
    let (mut records, mut notices) = (Vec::new(), Vec::new());
    for entry in zip_entries(Cursor::new(bytes)).unwrap().entries {
        let mut text = Vec::new();
        let (mut decoder, range) = unzip(Cursor::new(bytes), &entry).unwrap();
        decoder.push(&bytes[range.start as usize..range.end as usize], &mut text);
        decoder.finish(&mut text);
        let (more, told) = read(&text, chunk_len);
        if !more.is_empty() {
            records.extend(more);
            notices.extend(told);
        }
    }
    if records.is_empty() {
        notices.push("not-a-trace".to_owned());
    }
    (records, notices)
}

#[test]
fn every_fault_gives_its_records_and_notices() {
    let faults = harness::all_faults();
    for chunk_len in [1, 7, 64 * 1024] {
        let mut failures = Vec::new();
        for fault in &faults {
            let (records, notices) = read(&fault.bytes, chunk_len);
            let is_count_right =
                fault.events.map_or(!records.is_empty(), |events| events as usize == records.len());
            if !is_count_right || notices != fault.notices {
                failures.push(format!(
                    "{}: {} records of {:?}, {notices:?} for {:?}",
                    fault.name,
                    records.len(),
                    fault.events,
                    fault.notices
                ));
            }
        }
        println!("{} of {}", faults.len() - failures.len(), faults.len());
        assert!(failures.is_empty(), "chunks of {chunk_len}:\n{}", failures.join("\n"));
    }
}

#[test]
fn faults_are_the_same_far_behind_the_beginning() {
    // Longer than the bytes that are held to decide the framing: the fault is found while chunks arrive.
    let before = format!("{{\"a\":1}}\n{{\"long\":\"{}\"}}\n", "x".repeat(256 * 1024));
    let mut count = 0;
    for fault in harness::all_faults() {
        let is_cr_only = fault.notices.iter().any(|code| code == "cr-line-ends");
        if !fault.bytes.starts_with(b"{\"id\"") || is_cr_only {
            continue;
        }
        for chunk_len in [1, 7, 64 * 1024] {
            let file = [before.as_bytes(), &fault.bytes].concat();
            let (records, notices) = read(&file, chunk_len);
            assert_eq!(records.len(), fault.events.unwrap() as usize + 2, "{}", fault.name);
            assert_eq!(notices, fault.notices, "{}", fault.name);
        }
        count += 1;
    }
    assert!(count > at_least(40, 20), "{count}");
}

#[test]
fn one_odd_line_costs_no_other() {
    let mut cases = json_cases::cases();
    if let Some(folder) = shared_also("hostile/jsontestsuite/test_parsing") {
        cases.extend(files_below(&folder).iter().map(|path| named(&folder, path)));
    }
    for (name, odd) in &cases {
        let good = |nth: usize| format!("{{\"good\":{nth}}}\n").into_bytes();
        let long = format!("{{\"long\":\"{}\"}}\n", "x".repeat(256 * 1024)).into_bytes();
        let before = (0..3).flat_map(good).chain(long).collect::<Vec<_>>();
        let after = (3..6).flat_map(good).collect::<Vec<_>>();
        let file = [&before[..], odd, b"\n", &after].concat();
        let whole = read(&file, 64 * 1024);
        assert_eq!(read(&file, 3), whole, "{name}");
        let (records, _) = whole;
        let kept = records.iter().filter(|record| record.starts_with("{\"good\"")).count();
        assert_eq!(kept, 6, "{name}");
        // A value over several lines is not a line.
        let line = odd.trim_ascii();
        let is_container = matches!(line, [b'{', .., b'}'] | [b'[', .., b']']);
        let is_empty = is_container && line[1..line.len() - 1].trim_ascii().is_empty();
        if name.starts_with("y_") && is_container && !is_empty && !line.contains(&b'\n') {
            assert_eq!(records.len(), 8, "{name}");
        }
    }
    println!("{} files", cases.len());
    assert!(cases.len() > at_least(500, 200));
}
