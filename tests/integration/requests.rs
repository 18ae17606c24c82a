//! Requests of the page about an opened trace: links lead back to their row, rows can be shown,
//! messages survive encoding, and outlines of partially read traces are consistent.
#![allow(clippy::cast_precision_loss)] // tokens

use crate::harness;

use harness::claims::{check_event, check_outline, event_ids};
use harness::dump::{assert_same, full};
use harness::fixtures::long_run;
use harness::{Opened, Opening, Outcome, arrived, at_least, open, open_one, traces};
use traceloupe_core::model::EventKind;
use traceloupe_protocol::context_parts::N_LAYERS;
use traceloupe_protocol::matches::Needle;
use traceloupe_protocol::messages::{OpenRequest, Request, Response, decode, encode};
use traceloupe_session::Session;
use traceloupe_session::store::MemoryStore;
use traceloupe_view::assembly::with_rows;
use traceloupe_view::list::visible_lines::{Choice, Line, Mode, lines, reveal};
use traceloupe_view::query::texts::Texts;

#[test]
fn a_link_finds_its_event_again() {
    let files = traces();
    let (mut n, mut n_twins) = (0, 0);
    for (name, bytes) in &files {
        let mut opened = open_one(name, bytes);
        let ids = event_ids(opened.outline());
        let step = (ids.len() / 60).max(1);
        for id in ids.into_iter().step_by(step) {
            let detail = check_event(&mut opened, id);
            let Response::Found(found, note) = opened.ask(&Request::Find(detail.sel.clone()))
            else {
                panic!("no answer to a link")
            };
            assert_eq!(note, None, "{name} {}", detail.sel);
            n += 1;
            if found != Some(id) {
                // Identical events in one file share a link.
                let twin = check_event(&mut opened, found.unwrap());
                assert_eq!(twin.sel, detail.sel, "{name}");
                n_twins += 1;
            }
        }
        for odd in ["", "x", "L0@0", "l-99999999-0-00000000", "\u{0}"] {
            let Response::Found(found, note) = opened.ask(&Request::Find(odd.to_owned())) else {
                panic!("no answer to a link")
            };
            assert!(found.is_none() || note.is_some(), "{odd:?} is no link to an event");
        }
    }
    println!("{n} links, {n_twins} of things that stand there twice");
    assert!(n > at_least(1_500, 400) && n_twins * 50 < n);
}

#[test]
fn the_parts_of_a_context_are_the_whole_of_it() {
    let (mut n, mut n_known) = (0, 0);
    for (name, bytes) in &traces() {
        let mut opened = open_one(name, bytes);
        let ids: Vec<u32> = opened.outline().rows.ids.as_slice().to_vec();
        for id in ids.iter().copied().step_by((ids.len() / 40).max(1)) {
            let Response::ContextParts(filled) = opened.ask(&Request::ContextParts(id)) else {
                panic!("another answer")
            };
            assert_eq!(filled.call, id);
            assert!(filled.parts.iter().all(|part| part.1 > 0.0), "{name}: {:?}", filled.parts);
            let sum: f64 = filled.parts.iter().map(|part| part.1).sum();
            assert!((sum - filled.tokens as f64).abs() < 1.0 + sum * 1e-6, "{name}: {filled:?}");
            let largest: f64 = filled.largest.iter().map(|it| it.2).sum();
            assert!(largest <= sum + 1.0 && filled.largest.len() <= 8, "{name}: {filled:?}");
            n += 1;
            n_known += u32::from(filled.tokens > 0);
        }
    }
    println!("{n} events, {n_known} calls with tokens");
    assert!(n_known > at_least(400, 60));
}

#[test]
fn the_layers_of_contexts_are_their_parts() {
    let mut n_known = 0;
    for (name, bytes) in &traces() {
        let mut opened = open_one(name, bytes);
        let rows = opened.outline().rows.clone();
        // Calls of the agent of the first one, in order.
        let calls = (0..rows.ids.len()).filter(|row| !rows.tokens_in.get(*row).is_nan());
        let run_of = |row: u32| opened.outline().run_of(row).map(|it| it.0);
        let first = calls.clone().next().map(|row| (run_of(row), rows.lanes.get(row)));
        let of_first = calls.filter(|row| Some((run_of(*row), rows.lanes.get(*row))) == first);
        let ids: Vec<u32> = of_first.step_by(7).map(|row| rows.ids.get(row)).collect();
        let Response::ContextLayers(layers) = opened.ask(&Request::ContextLayers(ids)) else {
            panic!("another answer")
        };
        for id in layers.calls.as_slice() {
            let Response::ContextParts(filled) = opened.ask(&Request::ContextParts(*id)) else {
                panic!("another answer")
            };
            let sum: f64 = layers.of(*id).iter().sum();
            assert!((sum - filled.tokens as f64).abs() < 1.0 + sum * 1e-6, "{name}: {filled:?}");
            let mut parts = [0.0; N_LAYERS];
            filled.parts.iter().for_each(|(source, tokens)| parts[source.layer()] += tokens);
            for (one, other) in layers.of(*id).iter().zip(parts) {
                // The smallest parts are left out.
                assert!((one - other).abs() < 20.0 + sum * 1e-6, "{name}: {layers:?} {filled:?}");
            }
            n_known += 1;
        }
    }
    println!("{n_known} calls");
    assert!(n_known > at_least(100, 20));
}

#[test]
fn texts_are_found_in_the_lines_of_rows() {
    // Large files would only take longer.
    const MAX_BYTES: usize = 200_000;
    let files = traces();
    let (mut n, mut n_found) = (0, 0);
    for (name, bytes) in files.iter().filter(|(_, bytes)| bytes.len() < MAX_BYTES).step_by(4) {
        let mut opened = open_one(name, bytes);
        let ids: Vec<u32> = opened.outline().rows.ids.as_slice().to_vec();
        let Response::Previews(lines) = opened.ask(&Request::Previews(ids)) else {
            panic!("no summaries")
        };
        let needles = ["the", "src/", ".py"]
            .map(|text| Needle { text: text.to_owned(), is_path: text != "the" });
        let mut texts = Texts::of(&needles);
        for answer in opened.session.answer(&Request::Match(needles.to_vec(), 7)) {
            let Response::Matches(batch) = answer else { panic!("another answer") };
            assert_eq!(batch.generation, 7);
            texts.add(&batch);
        }
        assert!(texts.done, "{name}");
        for needle in &needles {
            let bits = texts.with(needle).unwrap();
            for (id, line) in &lines {
                assert_eq!(
                    bits.has(*id),
                    needle.is_in(&line.text.to_ascii_lowercase()),
                    "{name} {needle:?}"
                );
                n_found += u32::from(bits.has(*id));
            }
        }
        n += 1;
    }
    println!("{n} files, {n_found} rows");
    assert!(n_found > at_least(100, 5));
}

#[test]
fn every_row_can_be_shown() {
    let files = traces();
    for (name, bytes) in &files {
        let opened = open_one(name, bytes);
        let outline = opened.outline();
        for (at, run) in outline.runs.iter().enumerate() {
            let own = run.first_row..run.first_row + run.n_rows;
            let choice = |mode: Mode| Choice {
                run: u32::try_from(at).unwrap(),
                mode,
                collapse_over_tools: 5,
                ..Choice::default()
            };
            let all: Vec<u32> =
                lines(outline, &choice(Mode::Verbose)).into_iter().filter_map(Line::row).collect();
            assert_eq!(
                all,
                own.clone().collect::<Vec<_>>(),
                "{name}: verbose shows every row once"
            );
            for mode in [Mode::Minimal, Mode::Normal] {
                let shown: Vec<u32> =
                    lines(outline, &choice(mode)).into_iter().filter_map(Line::row).collect();
                assert!(shown.is_sorted() && shown.iter().all(|row| own.contains(row)));
                for row in own.clone().step_by((run.n_rows as usize / 40).max(1)) {
                    let shown = lines(outline, &reveal(outline, &choice(mode), row));
                    assert!(shown.contains(&Line::Row(row)), "{name}: row {row} in {mode:?}");
                }
            }
        }
    }
}

#[test]
fn messages_arrive_as_they_were_sent() {
    let files = traces();
    for (name, bytes) in &files {
        let mut opened = open_one(name, bytes);
        let outline = opened.outline().clone();
        let n_rows = outline.n_rows;
        let sent = encode(&Response::Outline(Box::new(outline.head.clone())));
        let Some(Response::Outline(mut arrived)) = decode(&sent) else { panic!("{name} is lost") };
        // Other findings arrive without rows.
        arrived.keeps_rows = true;
        assert_eq!(opened.session.rows(&arrived).count(), 0);
        assert_same(&full(&with_rows(*arrived, outline.rows.clone())), &full(&outline));
        for id in [0, n_rows / 2] {
            let Response::Detail(detail) = opened.ask(&Request::Detail(id)) else { panic!() };
            let sent = encode(&Response::Detail(detail.clone()));
            assert_eq!(decode(&sent), Some(Response::Detail(detail)), "{name}");
        }
        assert!(decode::<Response>(&sent[..sent.len() / 2]).is_none());
    }
    let ids = vec![0, u32::MAX, 12_345_678];
    let mut opened = open_one(&files[0].0, &files[0].1);
    let Response::Previews(previews) = opened.ask(&Request::Previews(ids.clone())) else {
        panic!()
    };
    assert_eq!(previews.len(), ids.len());
    assert!(previews[1].1.text.is_empty());
    let Response::Detail(nothing) = opened.ask(&Request::Detail(u32::MAX)) else { panic!() };
    assert!(nothing.blocks.is_empty());
}

#[test]
fn an_llm_call_without_words_names_the_calls_that_it_asks_for() {
    let step = |at: usize, role: &str, text: &str, calls: &str| {
        format!(
            r#"{{"index":{at},"role":"{role}","text":"{text}","reasoning":null,"toolCalls":{calls},"observation":"42","tokens":{{"prompt":20,"completion":1}},"timestamp":"2026-03-01T09:00:0{at}Z"}}"#
        )
    };
    let call = r#"{"name":"Read","args":"{\"path\": \"meter\"}"}"#;
    let steps = [
        step(0, "user", "Read the meter", "null"),
        step(1, "agent", "", &format!("[{call}]")),
        step(2, "agent", "", &format!("[{call},{call}]")),
    ];
    let trace = format!(r#"{{"steps":[{}]}}"#, steps.join(","));
    let mut opened = open_one("steps.json", trace.as_bytes());
    let rows = &opened.outline().rows;
    let is_llm = |row: &u32| rows.kinds.get(*row) == EventKind::LlmCall as u8;
    let ids: Vec<u32> = (0..rows.ids.len()).filter(is_llm).map(|row| rows.ids.get(row)).collect();
    let Response::Previews(previews) = opened.ask(&Request::Previews(ids)) else { panic!() };
    let said: Vec<&str> = previews.iter().map(|it| it.1.text.as_str()).collect();
    assert_eq!(said, ["→ Read meter", "→ Read, → Read"]);
}

#[test]
fn outlines_on_the_way_hold_and_change_nothing() {
    let files = traces();
    let long = ("long/events.jsonl".to_owned(), long_run(2_000));
    let mut n = 0;
    for (name, bytes) in files.iter().chain([&long]) {
        let mut store = MemoryStore::default();
        let handle = store.add(bytes.clone());
        let mut session = Session::new(store, OpenRequest::default());
        let source = session.begin(name, handle);
        for slice in bytes.chunks(bytes.len() / 6 + 1) {
            session.push(source, slice);
            if let Some(Response::Outline(outline)) = session.snapshot() {
                assert!(!outline.complete);
                let outline = Box::new(arrived(&session, &outline));
                let mut opened = Opened { session, outcome: Outcome::Outline(outline) };
                check_outline(&opened);
                if let Some(last) = opened.outline().rows.ids.len().checked_sub(1) {
                    check_event(&mut opened, last);
                    n += 1;
                }
                session = opened.session;
            }
        }
        session.end(source);
        let Response::Outline(last) = session.complete() else { panic!("{name}") };
        assert!(last.complete);
        assert_same(&full(&arrived(&session, &last)), &full(open_one(name, bytes).outline()));
    }
    println!("{n} outlines on the way");
    assert!(n > at_least(20, 3));
}

#[test]
fn rows_are_nested_while_the_rest_is_read() {
    let line = |id: u32, parent: &str| {
        format!(
            r#"{{"spec_version":"0.1","event_id":"e{id}","run_id":"r-1","parent_id":{parent},"event_type":"LLM_CALL","ts":"2026-01-01T00:00:00.000Z","duration_ms":null,"name":"m","payload":{{"model":"m","prompt":"p","response":"r"}},"meta":{{}}}}"#
        ) + "\n"
    };
    let first = line(0, "null") + &line(1, "\"e0\"") + &line(2, "\"e1\"") + &line(3, "\"e9\"");
    // Enough of them that the format is decided without waiting for more.
    let first = first + &(10..5_010).map(|id| line(id, "null")).collect::<String>();
    let second = line(9, "null");
    let mut store = MemoryStore::default();
    let handle = store.add([first.as_bytes(), second.as_bytes()].concat());
    let mut session = Session::new(store, OpenRequest::default());
    let source = session.begin("events.jsonl", handle);
    session.push(source, first.as_bytes());
    assert!(first.len() > 1 << 16 && session.progress().1 > 0, "{} bytes read", first.len());
    let Some(Response::Outline(outline)) = session.snapshot() else { panic!("no outline") };
    let outline = arrived(&session, &outline);
    assert_eq!(outline.rows.depths.as_slice()[..4], [0, 1, 2, 0]);
    session.push(source, second.as_bytes());
    session.end(source);
    let Response::Outline(outline) = session.complete() else { panic!("no outline") };
    let outline = arrived(&session, &outline);
    let last = outline.n_rows - 1;
    assert_eq!(outline.rows.parents.get(last), last - 1, "a parent that came later");
    assert_eq!(outline.rows.ids.get(last), 3);
}

/// Numbers that look random and are always the same.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % n as u64).unwrap()
    }
}

#[test]
fn damaged_files_never_panic() {
    let files = traces();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    // The summaries of runs are one small object; if that is damaged, there is nothing to show.
    let small: Vec<_> =
        files.iter().filter(|(_, bytes)| (1000..40_000).contains(&bytes.len())).collect();
    let pieces: [&[u8]; 12] =
        [b"\"", b"{", b"}", b"[", b"]", b",", b":", b"\\", b"\n", b"null", b"\xff", b"-1e999"];
    let (mut n_shown, mut n_refused) = (0, 0);
    for round in 0..600 {
        let (name, bytes) = small[random.below(small.len())];
        let mut damaged = bytes.clone();
        for _ in 0..=random.below(8) {
            let at = random.below(damaged.len());
            match random.below(4) {
                0 => damaged[at] = u8::try_from(random.below(256)).unwrap(),
                1 => drop(damaged.splice(at..at, pieces[random.below(12)].iter().copied())),
                2 => drop(damaged.drain(at..(at + random.below(200)).min(damaged.len()))),
                _ => {
                    // Inserts a piece of another file in the middle of this one.
                    let other = &small[random.below(small.len())].1;
                    let from = random.below(other.len());
                    let to = (from + random.below(2_000)).min(other.len());
                    damaged.splice(at..at, other[from..to].iter().copied());
                }
            }
            if damaged.is_empty() {
                damaged.push(b'{');
            }
        }
        let format = [None, None, Some("agentdbg"), Some("maida"), Some("claude-code")];
        let opening = Opening { format: format[random.below(5)], ..Opening::default() };
        let mut opened = open(&[(name, &damaged)], &opening);
        check_outline(&opened);
        match &opened.outcome {
            Outcome::Outline(outline) => {
                let ids = event_ids(outline);
                for id in ids.iter().step_by((ids.len() / 12).max(1)) {
                    check_event(&mut opened, *id);
                }
                n_shown += 1;
            }
            Outcome::Failed(problem) => {
                assert!(!problem.code().word().is_empty(), "round {round}");
                n_refused += 1;
            }
            Outcome::Choose(_) => panic!("round {round}: a choice"),
        }
    }
    println!("{n_shown} shown, {n_refused} refused");
    assert!(n_shown > 500);
}

#[test]
fn files_that_calls_name_are_found_in_batches() {
    let files = traces();
    let (mut n_runs, mut n_touches) = (0, 0);
    for (name, bytes) in files.iter().filter(|(_, bytes)| bytes.len() < 200_000).step_by(3) {
        let mut opened = open_one(name, bytes);
        let n = u32::try_from(opened.outline().runs.len()).unwrap();
        for run in 0..n.min(3) {
            let answers = opened.session.answer(&Request::Files(run, 7));
            let mut paths = Vec::new();
            let mut is_done = false;
            for answer in answers {
                let Response::Files(batch) = answer else { panic!("{name}: another answer") };
                assert_eq!(batch.generation, 7, "{name}");
                assert!(!is_done, "{name}: a batch after the last one");
                is_done = batch.done;
                paths.extend(batch.paths);
                for touch in &batch.touches {
                    let path: &String = &paths[touch.path as usize];
                    assert!(!path.trim().is_empty(), "{name}: a file without a path");
                    let row = opened.outline().rows.row_of(touch.id);
                    assert!(row.is_some(), "{name}: a call without a row");
                }
                n_touches += batch.touches.len();
            }
            assert!(is_done, "{name}: no last batch");
            n_runs += 1;
        }
    }
    println!("{n_runs} runs, {n_touches} calls that name files");
    assert!(n_runs > at_least(100, 20) && n_touches > at_least(20, 2));
}

#[test]
fn no_run_has_a_duration_below_zero() {
    let text = include_str!("../fixtures/smolagents/answers.jsonl");
    let wrong = text.replacen("\"start_time\": 17", "\"start_time\": 35", 1);
    assert_ne!(wrong, text);
    let opened = open_one("answers.jsonl", wrong.as_bytes());
    let durations_ms: Vec<f64> = opened.outline().runs.iter().map(|run| run.duration_ms).collect();
    assert!(durations_ms.iter().all(|ms| ms.is_nan() || *ms >= 0.0), "{durations_ms:?}");
}
