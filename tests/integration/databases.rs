//! SQLite databases: everything that SQLite has written is read unchanged, the sessions of known programs give the same
//! trace as their exports, and damage ends in a warning or a problem. `tests/databases/make.py` makes the files.

use crate::harness;

use std::fs;
use std::io::Cursor;
use std::path::Path;

use harness::claims::{check_event, check_outline, event_ids};
use harness::dump::{assert_same, without_warnings};
use harness::{Opened, Opening, Outcome, gzip, open, open_one};
use traceloupe_converters::sqlite::{Database, SqliteFault, Value};
use traceloupe_protocol::messages::{Input, OpenRequest, Request, Response};
use traceloupe_session::store::MemoryStore;
use traceloupe_session::{EntryHeads, Pace, Session, head};
use traceloupe_words::problems;

const NAMES: [&str; 12] = [
    "agno.db",
    "berths.db",
    "crush.db",
    "cursor.db",
    "forge.db",
    "goose.db",
    "hermes.db",
    "kiro.db",
    "opencode.db",
    "opencode-second.db",
    "opencode-two.db",
    "zed.db",
];

fn database(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/databases").join(name)).unwrap()
}

fn export(name: &str) -> Vec<u8> {
    fs::read(harness::fixtures::folder().join(name)).unwrap()
}

/// The entries that the user is asked to choose from, by name and size.
#[track_caller]
fn asked(opened: &Opened) -> Vec<(String, u64)> {
    let Outcome::Choose(asked) = &opened.outcome else {
        panic!("no choice: {:?}", opened.problem())
    };
    assert_eq!(asked.len(), 1);
    asked[0].1.iter().map(|entry| (entry.path.clone(), entry.len_bytes)).collect()
}

fn choosing(name: &str, bytes: &[u8], entries: &[u32]) -> Opened {
    let entries = Some(entries.iter().map(|at| (name.to_owned(), *at)).collect());
    open(&[(name, bytes)], &Opening { entries, ..Opening::default() })
}

/// Checks that a database gives the same trace as the exports of its sessions.
#[track_caller]
fn same_as(opened: &mut Opened, exports: &[&str]) {
    let files: Vec<(&str, Vec<u8>)> = exports.iter().map(|name| (*name, export(name))).collect();
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, it)| (*name, it.as_slice())).collect();
    let expected = open(&files, &Opening::default());
    check_outline(opened);
    let titles = |opened: &Opened| {
        opened.outline().runs.iter().map(|run| run.title.clone()).collect::<Vec<_>>()
    };
    assert_eq!(titles(opened), titles(&expected));
    let is = without_warnings(opened.outline());
    assert_same(&is, &without_warnings(expected.outline()));
    for id in event_ids(opened.outline()) {
        check_event(opened, id);
    }
}

#[test]
fn rows_are_read_as_they_were_written() {
    let bytes = database("berths.db");
    let mut file = Cursor::new(&bytes);
    let mut database = Database::open(&mut file).unwrap();
    let tables: Vec<&str> = database.tables.iter().map(|table| table.name.as_str()).collect();
    assert_eq!(tables, ["berths", "tides"]);
    assert!(database.table("berths", &["boat", "NR", "depth", "log"]).is_some());
    assert!(database.table("berths", &["crew"]).is_none());
    let table = database.tables[0].clone();
    let places = database.places(&mut file, &table).unwrap();
    assert_eq!(places.len(), 199);
    for (place, nr) in places.into_iter().zip(1_u8..) {
        let len = if nr.is_multiple_of(50) { 3000 } else { usize::from(nr % 7) };
        let row = database.row(&mut file, place, usize::MAX).unwrap().unwrap();
        assert_eq!(row.get(&table, "boat"), Value::Text(format!("Boat {nr} 🚤").into()));
        assert_eq!(row.get(&table, "nr"), Value::Integer(i64::from(nr) * 3));
        let depth = match row.get(&table, "depth") {
            // SQLite stores a whole number in less space as an integer.
            Value::Integer(whole) => i32::try_from(whole).unwrap().into(),
            Value::Real(depth) => depth,
            other => panic!("{other:?}"),
        };
        assert!((depth - f64::from(nr) / 2.0).abs() < 1e-9);
        assert_eq!(row.get(&table, "log"), Value::Blob(&vec![nr; len]));
        assert_eq!(row.get(&table, "crew"), Value::Null);
        // Without its last column, the pages after the first are not read.
        let begun = database.row(&mut file, place, 1).unwrap().unwrap();
        assert_eq!(begun.get(&table, "nr"), Value::Integer(i64::from(nr) * 3));
        assert_eq!(begun.len_bytes, row.len_bytes);
    }
    assert_eq!(database.n_broken, 0);
}

#[test]
fn a_database_with_one_session_opens_at_once() {
    // A sub-agent's session belongs to the session that started it.
    let mut opened = open_one("opencode.db", &database("opencode.db"));
    same_as(&mut opened, &["opencode/mast.json", "opencode/nails.json"]);
    // The program keeps a log beside the database.
    assert_eq!(opened.codes(), ["database-log"]);
    let warning = &opened.outline().warnings[0];
    assert!(format!("{warning:?}").contains("opencode.db-wal"), "{warning:?}");

    // Version 2 has other tables.
    let mut opened = open_one("opencode.db", &database("opencode-second.db"));
    same_as(&mut opened, &["opencode/second.json", "opencode/second-agent.json"]);

    let mut opened = open_one("state.vscdb", &database("cursor.db"));
    same_as(&mut opened, &["cursor/conversation.json"]);

    let mut opened = open_one("sessions.db", &database("goose.db"));
    same_as(&mut opened, &["goose/export.json"]);
    assert!(opened.codes().is_empty());
}

#[test]
fn a_session_of_hermes_has_no_message_that_the_user_took_back() {
    let bytes = database("hermes.db");
    same_as(&mut open_one("hermes.db", &bytes), &["hermes/exported.json"]);
}

#[test]
fn of_several_sessions_the_person_chooses() {
    let bytes = database("opencode-two.db");
    let entries = asked(&open_one("a/opencode.db", &bytes));
    let names: Vec<&str> = entries.iter().map(|(name, _)| name.as_str()).collect();
    // Without the session that has no messages, and without that of a sub-agent.
    assert_eq!(names, ["ses_1.json", "ses_h.json"]);
    assert!(
        entries.iter().all(|(_, len_bytes)| (2_000..40_000).contains(len_bytes)),
        "{entries:?}"
    );
    let mut opened = choosing("a/opencode.db", &bytes, &[0]);
    same_as(&mut opened, &["opencode/mast.json", "opencode/nails.json"]);
    let mut opened = choosing("a/opencode.db", &bytes, &[1]);
    check_outline(&opened);
    let run = &opened.outline().runs[0];
    assert_eq!((run.title.as_str(), run.counts.llm_calls), ("Count the boats of the harbour", 20));
    assert_eq!(run.usage.input, Some(60));
    for id in event_ids(opened.outline()) {
        check_event(&mut opened, id);
    }
    assert_eq!(choosing("a/opencode.db", &bytes, &[0, 1]).outline().runs.len(), 2);

    let bytes = database("crush.db");
    assert_eq!(asked(&open_one("crush.db", &bytes)).len(), 3);
    for (index, name) in
        (0..).zip(["crush/session.json", "crush/stopped.json", "crush/failed.json"])
    {
        same_as(&mut choosing("crush.db", &bytes, &[index]), &[name]);
    }

    // A thread that was started by another one is opened with it.
    let mut threads = open_one("threads.db", &database("zed.db"));
    same_as(&mut threads, &["zed/thread.json", "zed/subagent.json"]);
    same_as(&mut open_one("agno.db", &database("agno.db")), &["agno/session.json"]);
    same_as(&mut open_one(".forge.db", &database("forge.db")), &["forge/conversation.json"]);
    same_as(&mut open_one("data.sqlite3", &database("kiro.db")), &["amazon-q/saved.json"]);
}

#[test]
fn reading_stops_between_sessions() {
    let bytes = database("opencode-two.db");
    let mut store = MemoryStore::default();
    let file = store.add(bytes.clone());
    let name = "opencode.db".to_owned();
    let request = OpenRequest {
        inputs: vec![Input { path: name.clone(), len_bytes: bytes.len() as u64 }],
        entries: Some(vec![(name.clone(), 0), (name.clone(), 1)]),
        ..OpenRequest::default()
    };
    let mut session = Session::new(store, request);
    let source = session.begin(&name, file);
    session.push(source, &bytes);
    session.end(source);
    // A session is begun, written and ended.
    for _ in 0..3 {
        assert!(session.is_unpacking());
        session.step(Pace::default(), &mut Vec::new());
    }
    session.handle(&Request::Stop);
    while session.is_unpacking() {
        session.step(Pace::default(), &mut Vec::new());
    }
    let Response::Outline(outline) = session.complete() else { panic!("nothing was read") };
    let (read, total) = outline.stopped.unwrap();
    assert!(read > 1_000 && read < total, "{read} of {total}");
    assert_eq!((outline.runs.len(), outline.warnings.len()), (1, 0));
    assert!(outline.sources.iter().all(|source| source.problem.is_none()));
}

#[test]
fn pages_in_a_circle_end() {
    let mut bytes = database("berths.db");
    // The tree of the first table begins on the second page; its last child becomes itself.
    assert_eq!(bytes[512], 5);
    bytes[520..524].copy_from_slice(&2_u32.to_be_bytes());
    let mut file = Cursor::new(&bytes);
    let mut database = Database::open(&mut file).unwrap();
    let table = database.tables[0].clone();
    let places = database.places(&mut file, &table).unwrap();
    assert!(places.len() > 100 && places.len() < 20_000, "{}", places.len());
    assert!(database.n_broken > 0);
    // Reading rows again and again also ends.
    let n_rows = places
        .iter()
        .cycle()
        .take(2_000_000)
        .filter(|place| database.row(&mut file, **place, usize::MAX).unwrap().is_some());
    let n_rows = n_rows.count();
    assert!(n_rows > 2_000 && n_rows < 100_000, "{n_rows}");
}

#[test]
fn packed_databases_are_read_as_well() {
    let bytes = database("opencode.db");
    let mut opened = open_one("opencode.db.gz", &gzip(&bytes));
    same_as(&mut opened, &["opencode/mast.json", "opencode/nails.json"]);
    for slice_len in [7, 1000] {
        let opening = Opening { slice_len: Some(slice_len), ..Opening::default() };
        let mut opened = open(&[("x", &bytes)], &opening);
        same_as(&mut opened, &["opencode/mast.json", "opencode/nails.json"]);
    }
}

#[test]
fn sessions_are_listed_by_what_their_beginnings_say() {
    let mut store = MemoryStore::default();
    let file = store.add(database("opencode-two.db"));
    let mut heads = EntryHeads::open(store, file).unwrap();
    let first = heads.head(0, 0, "");
    assert_eq!((first.format.as_str(), first.title.as_str()), ("opencode", "Mend the mast"));
    assert!(first.start_ms > 1_779_999_999_999.0 && !first.is_cut, "{first:?}");
    let second = heads.head(1, 1, &first.format);
    assert_eq!((second.key.as_str(), second.n_events), ("ses_h", Some(41)));
    assert!(heads.head(2, 9, "").is_cut);
    let mut store = MemoryStore::default();
    let file = store.add(database("berths.db"));
    assert!(EntryHeads::open(store, file).is_none());
    // In a folder, it is an archive among the files; a database of another program is not a trace.
    let bytes = database("opencode-two.db");
    assert!(head(0, "opencode.db", &bytes, true, "").is_archive);
    assert!(head(0, "opencode.db", &bytes[..4096], false, "").is_archive);
    assert!(!head(0, "berths.db", &database("berths.db"), true, "").is_archive);
}

#[test]
fn a_database_of_another_program_is_named() {
    let opened = open_one("berths.db", &database("berths.db"));
    let problem = opened.problem().unwrap();
    assert_eq!(problem.code().word(), "unknown-database");
    assert_eq!(
        problems::what_happened(problem),
        "berths.db: It is a SQLite database from an unknown program, with tables berths, tides. Supported databases: OpenCode, Goose, Crush, Cursor, Zed, ForgeCode, Agno, Hermes Agent, Kiro CLI and Amazon Q Developer CLI"
    );
    assert!(problems::what_to_do(problem).starts_with("Export the session as JSON"));
    // Everything may be in the log: the first page of the database has no tables yet.
    let mut begun = database("opencode.db")[..512].to_vec();
    begun[100..].fill(0);
    begun[100] = 13;
    let what = problems::what_happened(open_one("opencode.db", &begun).problem().unwrap());
    assert!(what.contains("without tables; recent changes may still be in"), "{what}");
    let opened = open_one("x.db", b"SQLite format 3\0");
    assert_eq!(opened.problem().unwrap().code().word(), "database-broken-header");
    assert!(matches!(
        Database::open(&mut Cursor::new(b"no database")),
        Err(SqliteFault::BrokenHeader)
    ));
}

#[test]
fn pages_that_are_missing_are_said() {
    let bytes = database("opencode-two.db");
    let half = &bytes[..bytes.len() / 2];
    let opened = choosing("opencode.db", half, &[0]);
    match &opened.outcome {
        Outcome::Outline(_) => {
            assert!(opened.codes().iter().any(|code| code == "damaged-database"))
        }
        Outcome::Failed(problem) => assert!(!problems::what_happened(problem).is_empty()),
        Outcome::Choose(_) => panic!("chosen already"),
    }
}

/// Every byte of a page that is an offset or a page number, changed to lead elsewhere, and random bytes.
#[test]
fn damage_ends_in_a_warning_or_a_problem() {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |end: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        usize::try_from(seed % end as u64).unwrap()
    };
    let mut n_read = 0;
    for name in NAMES {
        let good = database(name);
        for case in 0..400 {
            let mut bytes = good.clone();
            match case % 4 {
                0 => bytes.truncate(random(good.len())),
                1 => {
                    for _ in 0..20 {
                        let at = random(bytes.len());
                        bytes[at] = u8::try_from(random(256)).unwrap();
                    }
                }
                // Numbers of other pages, at the beginning of a page and at its end.
                2 => {
                    let n_pages = bytes.len() / 512;
                    for _ in 0..4 {
                        let at = 512 * random(n_pages) + random(16);
                        bytes[at..at + 4].copy_from_slice(
                            &u32::try_from(random(n_pages)).unwrap().to_be_bytes(),
                        );
                    }
                }
                _ => {
                    let (from, to) = (random(bytes.len() - 512), random(bytes.len() - 512));
                    bytes.copy_within(from..from + 512, to);
                }
            }
            let opened = open_one(name, &bytes);
            if let Outcome::Choose(_) = &opened.outcome {
                choosing(name, &bytes, &[0, 1]);
            }
            // Pages that link to each other in a cycle are not read again and again.
            if let Outcome::Outline(outline) = &opened.outcome {
                let n_rows = outline.rows.ids.len() as usize;
                assert!(n_rows <= bytes.len(), "{name}, case {case}: {n_rows} rows");
            }
            n_read += usize::from(opened.problem().is_none());
            let mut store = MemoryStore::default();
            let file = store.add(bytes);
            if let Some(mut heads) = EntryHeads::open(store, file) {
                heads.head(0, 0, "");
            }
        }
    }
    assert!(n_read > 300, "{n_read}");
}
