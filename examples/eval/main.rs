//! `make eval`: how often the findings are right: on real sessions that people have judged, on loops that are planted in
//! real sessions without loops, and on traces that no rule was tuned on. Beside ours are the rules of other tools. Ends
//! with an error if a figure is below its floor. With `--list`, prints every loud finding with its judgement; with
//! `--half=0` or `--half=1`, uses one half of the sessions, so that the other can be held back.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::cast_precision_loss,
    reason = "a tool for developers"
)]

mod counts;
#[path = "../../tests/harness/mod.rs"]
mod harness;
mod held_out;
mod judgements;
mod other_rules;
mod planted;
mod scenes;
mod score;
mod sessions;
mod trail;

use std::io::Read as _;
use std::path::Path;

use counts::Counts;
use held_out::HeldOut;
use judgements::{Facts, Judgements, Verdict, is_hit, session_of};
use scenes::{LOOPS, NEAR_MISSES, Random};
use score::{CRITICAL, LOUD, Score, Scores};

/// How many sequences are planted, half of them loops.
const SEEDS: u64 = 1_000;
/// Only sessions with fewer bytes are planted in, because each seed opens one again.
const PLANTED_BYTES: usize = 400_000;
/// And only sessions with as many calls.
const PLANTED_CALLS: u32 = 10;

fn main() {
    let has = |option: &str| std::env::args().any(|it| it == option);
    let half = std::env::args().find_map(|it| it.strip_prefix("--half=")?.parse::<u32>().ok());
    let Some(root) = harness::shared("findings") else { return };
    let facts = std::fs::read(root.join("facts.json")).unwrap();
    let mut facts: Vec<Facts> = serde_json::from_slice(&facts).unwrap();
    facts.retain(|it| half.is_none_or(|half| half_of(&it.file) == half));
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let known = Judgements::read(&repository.join("tests/eval/judgements.json"));
    let mut counts = Counts::new(&repository.join("tests/eval/counts.json"));
    let scores = of_sessions(&root, &facts, &known, &mut counts, has("--list"));
    print(&scores);
    counts.print();
    if half.is_none() {
        trail::print(&root);
    }
    let held_out = half.is_none().then(|| harness::shared("traces")).flatten().map(|traces| {
        held_out::measure(&traces, &repository.join("tests/eval/held_out.json"), has("--list"))
    });
    if let Some(held_out) = &held_out {
        held_out.print();
    }
    let planted = of_planted(&root, &facts, has("--list"));
    let mut failures = floors(&scores, planted);
    failures.extend(counts.unexplained().iter().cloned());
    failures.extend(held_out.iter().flat_map(held_out_floors));
    for failure in &failures {
        println!("below its floor: {failure}");
    }
    assert!(failures.is_empty() || half.is_some());
}

/// The half that a session belongs to.
fn half_of(file: &str) -> u32 {
    session_of(file).bytes().fold(7_u32, |sum, it| sum.wrapping_mul(31) + u32::from(it)) >> 5 & 1
}

fn read(root: &Path, file: &str) -> String {
    let bytes = std::fs::read(root.join("sessions").join(file)).unwrap();
    let mut text = String::new();
    flate2::read::GzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
    text
}

fn of_sessions(
    root: &Path,
    all: &[Facts],
    known: &Judgements,
    counts: &mut Counts,
    lists: bool,
) -> Scores {
    let mut scores = Scores::default();
    for facts in all {
        let name = facts.file.trim_end_matches(".gz");
        let opened = sessions::open(name, read(root, &facts.file).as_bytes());
        let Some(session) = opened else { panic!("{name} is not opened") };
        let others = other_rules::find(&session);
        scores.add(facts, known, &session.ours, &others);
        counts.add(facts, &session);
        if !lists {
            continue;
        }
        let all = session.ours.iter().map(|it| (it, true));
        for (it, is_ours) in all.chain(others.iter().map(|it| (it, false))) {
            let level = match (it.is_critical, it.is_loud) {
                (true, _) => "critical",
                (_, true) => "loud",
                _ => "info",
            };
            let verdict = known.of(facts, &it.calls, is_ours);
            let verdict =
                verdict.map_or("?".to_owned(), |it| format!("{it:?}").to_ascii_lowercase());
            let ends = (it.calls.first().unwrap_or(&0), it.calls.last().unwrap_or(&0));
            let (rule, n) = (&it.rule, it.calls.len());
            let label = facts.label.map_or("-".to_owned(), |it| format!("{it:?}"));
            println!(
                "{}\t{level}\t{rule}\t{verdict}\t{}-{}\t{n}\t{label}",
                session_of(name),
                ends.0,
                ends.1
            );
        }
    }
    scores
}

fn print(scores: &Scores) {
    println!(
        "| Rule | stuck | debugging | wrong | not judged | missed | precision | with debugging | recall |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for (name, it) in &scores.by_name {
        let Score { stuck, debugging, wrong, unjudged, loops, hit } = it;
        let recall = match loops {
            0 => "–".to_owned(),
            _ => format!("{:.2}", it.recall()),
        };
        println!(
            "| {name} | {stuck} | {debugging} | {wrong} | {unjudged} | {} | {:.2} | {:.2} | {recall} |",
            loops - hit,
            it.precision(),
            it.with_debugging(),
        );
    }
    println!(
        "\nSessions labelled clean with a loud finding: {} of {}",
        scores.clean[1], scores.clean[0]
    );
    println!(
        "Other sessions without loops with a loud finding: {} of {}; with one that is not about ordinary debugging: {}",
        scores.others[1], scores.others[0], scores.others_wrong
    );
}

/// Plants loops and near-misses. The shares that are reported with a warning.
fn of_planted(root: &Path, all: &[Facts], lists: bool) -> [f64; 2] {
    let mut bases: Vec<(&Facts, String)> = Vec::new();
    for facts in all.iter().filter(|it| it.label == Some(Verdict::Clean) && !it.has_repetitions()) {
        let text = read(root, &facts.file);
        // A file with broken JSON cannot be written again.
        let has_place =
            || planted::plant(&facts.format, &text, &Vec::new(), &mut Random(0)).is_some();
        if facts.calls >= PLANTED_CALLS && text.len() < PLANTED_BYTES && has_place() {
            bases.push((facts, text));
        }
    }
    let mut kinds: Vec<(&str, [usize; 2], [usize; 2])> = Vec::new();
    let names = LOOPS.iter().map(|it| it.0).chain(NEAR_MISSES.iter().map(|it| it.0));
    kinds.extend(names.map(|name| (name, [0; 2], [0; 2])));
    let mut formats: Vec<&str> = bases.iter().map(|it| it.0.format.as_str()).collect();
    formats.sort_unstable();
    formats.dedup();
    for seed in 0..SEEDS {
        let mut random = Random(seed);
        random.next();
        let is_loop = seed % 2 == 0;
        let nth = usize::try_from(seed / 2).unwrap();
        let (at, make) = match is_loop {
            true => (nth % LOOPS.len(), LOOPS[nth % LOOPS.len()].1),
            false => {
                let at = nth % NEAR_MISSES.len();
                (LOOPS.len() + at, NEAR_MISSES[at].1)
            }
        };
        let steps = make(&mut random);
        // Formats in turn, so that each kind meets each of them.
        let format = formats[random.of(0..=formats.len() - 1)];
        let of_format: Vec<_> = bases.iter().filter(|it| it.0.format == format).collect();
        let (facts, text) = of_format[random.of(0..=of_format.len() - 1)];
        let Some(planted) = planted::plant(format, text, &steps, &mut random) else {
            panic!("{} has no place for planted calls", facts.file)
        };
        let name = facts.file.trim_end_matches(".gz");
        let session = sessions::open(name, &planted.bytes).unwrap();
        let place = [planted.before, planted.before + planted.n_calls - 1];
        let touches = |it: &&sessions::Found| it.is_loud && is_hit(place, &it.calls);
        let found: Vec<_> = session.ours.iter().filter(touches).collect();
        kinds[at].1[0] += 1;
        kinds[at].1[1] += usize::from(!found.is_empty());
        kinds[at].2[usize::from(found.len() > 1)] += 1;
        if lists && (found.is_empty() == is_loop || found.len() > 1) {
            let rules: Vec<&str> = found.iter().map(|it| it.rule.as_str()).collect();
            println!("seed {seed}: {} in {name} at {place:?}: {rules:?}", kinds[at].0);
        }
    }
    println!("\n| Planted in real sessions | sequences | with a loud finding | with several |");
    println!("| --- | --- | --- | --- |");
    for (name, [n, loud], several) in &kinds {
        println!("| {name} | {n} | {loud} | {} |", several[1]);
    }
    let share = |kinds: &[(&str, [usize; 2], [usize; 2])]| {
        let sum = |at: usize| kinds.iter().map(|it| it.1[at]).sum::<usize>() as f64;
        sum(1) / sum(0)
    };
    let (loops, near) = kinds.split_at(LOOPS.len());
    let shares = [share(loops), share(near)];
    println!("\nPlanted loops found: {:.3}; near-misses reported: {:.3}", shares[0], shares[1]);
    shares
}

/// The figures that are below what they must reach. A loud finding that nobody has judged counts as wrong.
fn floors(scores: &Scores, [planted, near_misses]: [f64; 2]) -> Vec<String> {
    let of = |name: &str| scores.by_name.get(name).copied().unwrap_or_default();
    let (loud, critical) = (of(LOUD).strict(), of(CRITICAL).strict());
    let without = |of: [usize; 2]| 1.0 - of[1] as f64 / of[0].max(1) as f64;
    let figures = [
        ("loud: stuck or debugging", loud.with_debugging(), 0.95),
        ("loud: stuck", loud.precision(), 0.85),
        ("critical: stuck", critical.precision(), 0.95),
        ("recall", loud.recall(), 0.95),
        ("planted loops", planted, 0.95),
        ("near-misses without a warning", 1.0 - near_misses, 0.99),
        ("clean sessions without a warning", without(scores.clean), 0.99),
        (
            "other sessions without loops and without a wrong warning",
            without([scores.others[0], scores.others_wrong]),
            0.99,
        ),
    ];
    let mut below = below(&figures);
    // Each other rule is compared with ours at a recall that is not lower than its own.
    for name in other_rules::NAMES {
        let it = of(name);
        let ours = if critical.recall() >= it.recall() { critical } else { loud };
        if ours.precision() <= it.precision() {
            below.push(format!("precision {:.3} of {name}", it.precision()));
        }
    }
    below
}

/// The same for traces that no rule was tuned on.
fn held_out_floors(it: &HeldOut) -> Vec<String> {
    let loud = it.loud.strict();
    below(&[
        ("held out, loud: stuck or debugging", loud.with_debugging(), 0.95),
        ("held out, loud: stuck", loud.precision(), 0.88),
        ("held out, recall", loud.recall(), 0.93),
    ])
}

fn below(figures: &[(&str, f64, f64)]) -> Vec<String> {
    let below = figures.iter().filter(|(_, value, floor)| value < floor);
    below.map(|(name, value, floor)| format!("{name}: {value:.3} of {floor:.2}")).collect()
}
