//! Every available file against every format: no two formats are certain of the same file, and
//! files of no known format are read as records or refused with a reason.

use crate::harness;

use std::collections::BTreeMap;

use harness::claims::{check_event, check_outline, event_ids};
use harness::detect::{Until, chosen, verdicts, verdicts_until};
use harness::fixtures::own_traces;
use harness::own_format::own_format;
use harness::{Outcome, at_least, files_below, named, open_one, shared, shared_also};
use traceloupe_input::{Container, sniff};
use traceloupe_words::problems;

#[test]
fn no_file_is_two_things_for_certain() {
    let Some(root) = shared("traces") else { return };
    let (mut n_files, mut likely, mut faults) = (0, Vec::new(), Vec::new());
    for path in files_below(&root) {
        let (name, bytes) = named(&root, &path);
        // Markdown and YAML are converted to JSON first.
        if matches!(own_format(&name), Some("aider" | "specstory")) || name.ends_with(".yaml") {
            continue;
        }
        if sniff(&bytes[..bytes.len().min(1 << 16)]) != Container::Plain {
            continue;
        }
        n_files += 1;
        let verdicts = verdicts(&name, &bytes);
        let certain: Vec<_> = verdicts.iter().filter(|(_, it)| it.rank() == 3).collect();
        if certain.len() > 1 {
            faults.push(format!("{name}: {certain:?}"));
        }
        let own = own_format(&name);
        match own {
            Some(own) => {
                let (_, verdict) = verdicts.iter().find(|(id, _)| *id == own).unwrap();
                if verdict.rank() < 2 && own != "chat" {
                    faults.push(format!("{name}: {verdict:?}"));
                }
                if verdict.rank() == 2 && own != "chat" {
                    likely.push(name.clone());
                }
                let rank = verdict.rank().max(2);
                let mut others = verdicts.iter().filter(|(id, it)| *id != own && it.rank() >= rank);
                if let Some(other) = others.next() {
                    faults.push(format!("{name}: {own} {verdict:?}, but also {other:?}"));
                }
            }
            None if certain.is_empty() => {}
            None => faults.push(format!("{name}: {certain:?}")),
        }
        assert!(verdicts.iter().all(|(_, it)| it.rank() == 0 || !it.why().is_empty()));
    }
    println!("{n_files} files; likely only: {likely:#?}");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(n_files > 250);
    let expected = [
        // Written by hand in the shape of a session, without the chain of uuids.
        "claude-code/simonw_sample_session.jsonl",
        // Lists of messages without the document around them.
        "mini-swe-agent/github_issue.traj.json",
        "mini-swe-agent/local.traj.json",
        // Logs, attributes and flat spans without the envelope of OTLP or of an SDK.
        "otel-sdk-spans/codemie_claude-code-otel-events.jsonl",
        "otel-sdk-spans/langwatch_opencode_ai-sdk_doStream_53k.json",
        "otel-sdk-spans/openinference-genai_deprecated.json",
        "otel-sdk-spans/openinference-genai_tool-calls.json",
        "otel-sdk-spans/strands_claude_adot_16k.json",
        "otel-sdk-spans/strands_openai_agents_genai_33k.json",
        "otel-sdk-spans/strands_pydantic_ai_live_10k.json",
        "otel-sdk-spans/strands_smolagents_live_74k.json",
    ];
    assert_eq!(likely, expected);
}

#[test]
fn every_file_opens_as_what_it_is_or_says_why_not() {
    let Some(root) = shared("traces") else { return };
    let mut outcomes: BTreeMap<String, u32> = BTreeMap::new();
    let mut wrong = Vec::new();
    for path in files_below(&root) {
        let (name, bytes) = named(&root, &path);
        println!("{name}");
        let mut opened = open_one(&name, &bytes);
        check_outline(&opened);
        let outcome = match &opened.outcome {
            Outcome::Outline(outline) => {
                let formats: Vec<_> = outline
                    .sources
                    .iter()
                    .filter(|source| !source.is_container)
                    .map(|source| source.format.as_str())
                    .collect();
                // Lists of messages and recordings of other producers are read as such.
                let others = ["records", "chat", "invariant", "har"];
                let is_right = match own_format(&name) {
                    Some(own) => formats.iter().all(|format| *format == own),
                    None => formats.iter().all(|format| others.contains(format)),
                };
                if !is_right {
                    wrong.push(format!("{name}: {formats:?}"));
                }
                let format = formats.first().copied().unwrap_or("nothing").to_owned();
                let ids = event_ids(outline);
                let some = [0, ids.len() / 2, ids.len().saturating_sub(1)];
                let some: Vec<_> = some.iter().filter_map(|at| ids.get(*at).copied()).collect();
                for id in some {
                    check_event(&mut opened, id);
                }
                if format == "records" {
                    println!("records: {name}");
                }
                format
            }
            Outcome::Choose(asked) => {
                assert!(asked.iter().all(|(_, entries)| entries.len() > 1), "{name}");
                "a choice".to_owned()
            }
            Outcome::Failed(problem) => {
                let (what, next) =
                    (problems::what_happened(problem), problems::what_to_do(problem));
                assert!(what.contains(&name) && next.len() > 20, "{problem:?}");
                println!("{name}: {what}");
                problem.code().word().into_owned()
            }
        };
        *outcomes.entry(outcome).or_default() += 1;
    }
    println!("{outcomes:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Our own fixtures and all real files that are text.
#[track_caller]
fn texts() -> Vec<(String, Vec<u8>)> {
    let mut found = own_traces();
    if let Some(root) = shared_also("traces") {
        found.extend(files_below(&root).iter().map(|path| named(&root, path)));
    }
    // Markdown and YAML are converted to JSON first.
    let is_json = |(name, bytes): &(String, Vec<u8>)| {
        ![".md", ".yaml", ".yml"].iter().any(|end| name.ends_with(end))
            && sniff(&bytes[..bytes.len().min(1 << 16)]) == Container::Plain
    };
    found.retain(is_json);
    found
}

#[test]
fn the_first_kilobyte_is_never_another_format_for_certain() {
    let (mut faults, mut n_right, mut n_undecided) = (Vec::new(), 0, 0);
    for (name, bytes) in texts() {
        let own = chosen(&verdicts(&name, &bytes)).map(|(id, _)| id);
        // Shorter beginnings must not be wrong either.
        for len in (128..=1024).step_by(128).filter(|len| *len < bytes.len()) {
            for until in [Until::End, Until::Cut, Until::Pause] {
                let verdicts = verdicts_until(until, &name, &bytes[..len]);
                let mut certain = verdicts.iter().filter(|(_, verdict)| verdict.rank() == 3);
                if let Some((id, verdict)) = certain.find(|(id, _)| Some(*id) != own) {
                    faults
                        .push(format!("{name}: {own:?}, but {len} to {until:?}: {id} {verdict:?}"));
                }
                match chosen(&verdicts) {
                    Some((id, _)) if Some(id) == own => n_right += 1,
                    // A growing file is shown in the likely format, and stays in it.
                    Some((id, 2..)) if until == Until::Pause => {
                        faults.push(format!("{name}: {own:?}, but {len} are likely {id}"));
                    }
                    _ => n_undecided += 1,
                }
            }
        }
    }
    println!("{n_right} right, {n_undecided} undecided");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(n_right > at_least(3_000, 1_000), "{n_right}");
}

#[test]
fn every_format_is_in_a_family() {
    for format in traceloupe_formats::FORMATS {
        let card = traceloupe_core::catalog::card(format.id());
        assert!(card.is_some(), "{} is in no family of src/catalog", format.id());
    }
}
