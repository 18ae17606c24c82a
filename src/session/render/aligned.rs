//! Aligns two runs: equal messages and equal calls are paired first, and the steps between them are paired by kind and
//! name.

use traceloupe_core::model::hash_of;
use traceloupe_core::text::diff::line_diff;
use traceloupe_protocol::run_comparison::{Fate, PairLine};

/// A step of a run.
#[derive(Clone, Debug)]
pub struct Step {
    /// Id of its event.
    pub id: u32,
    /// Equal for steps that differ at most in their results.
    pub same: u64,
    /// Equal for steps of the same kind and name.
    pub alike: u64,
    /// A hash of its result and outcome.
    pub result: u64,
    /// Its text.
    pub words: String,
    /// How many lines it adds to files and removes, if it states its changes.
    pub changed_lines: Option<(u32, u32)>,
    /// Whether it begins a turn, as a user message to the main agent does.
    pub begins_turn: bool,
    /// Whether it is text from a model.
    pub is_reply: bool,
    /// Whether its text was written by a user or a model, as opposed to a call.
    pub is_text: bool,
}

/// Shorter words occur in all texts, so they are ignored. In bytes.
const MIN_BYTES: usize = 4;

/// Texts with fewer such words cannot be compared.
const MIN_WORDS: usize = 4;

/// A text is another version of a text if at least one in this many of its words is shared.
const ONE_SHARED_OF: usize = 5;

/// Whether two texts share too few words for one to be a version of the other.
fn are_strangers(first: &Step, second: &Step) -> bool {
    // A summary is short, so comparing all pairs of words is cheap.
    let words = |step: &Step| -> Vec<u64> {
        let words = step.words.split(|char: char| !char.is_alphanumeric());
        words.filter(|word| word.len() >= MIN_BYTES).map(hash_of).collect()
    };
    if !(first.is_text && second.is_text) || first.same == second.same {
        return false;
    }
    let (first, second) = (words(first), words(second));
    let n_words = first.len().min(second.len());
    let n_shared = first.iter().filter(|word| second.contains(word)).count();
    n_words >= MIN_WORDS && n_shared * ONE_SHARED_OF < n_words
}

/// The signs of a line diff of two sequences of keys.
fn signs(first: impl Iterator<Item = u64>, second: impl Iterator<Item = u64>) -> Vec<char> {
    let first: String = first.map(|key| format!("{key:x}\n")).collect();
    let second: String = second.map(|key| format!("{key:x}\n")).collect();
    line_diff(&first, &second).into_iter().map(|line| line.0).collect()
}

/// Pairs turns that begin with the same message, and the turns between them in order. Within two paired turns, equal
/// steps are paired, and between those, steps of the same kind and name.
#[must_use]
pub fn align(first: &[Step], second: &[Step]) -> Vec<PairLine> {
    let mut lines = Vec::new();
    let (first, second) = (turns(first), turns(second));
    let key = |turn: &&[Step]| turn.first().filter(|it| it.begins_turn).map_or(0, |it| it.same);
    let (mut at, mut bt) = (0, 0);
    let (mut a_from, mut b_from) = (0, 0);
    for sign in signs(first.iter().map(key), second.iter().map(key)) {
        match sign {
            '-' => at += 1,
            '+' => bt += 1,
            _ => {
                align_turns(part(&first, a_from, at), part(&second, b_from, bt), &mut lines);
                if let Some((a, b)) = first.get(at).zip(second.get(bt)) {
                    align_steps(a, b, &mut lines);
                }
                (at, bt) = (at + 1, bt + 1);
                (a_from, b_from) = (at, bt);
            }
        }
    }
    align_turns(part(&first, a_from, at), part(&second, b_from, bt), &mut lines);
    lines
}

/// The steps of each turn. Steps before the first message form a turn of their own.
fn turns(steps: &[Step]) -> Vec<&[Step]> {
    steps.chunk_by(|_, next| !next.begins_turn).collect()
}

/// Pairs turns with different messages, in order.
fn align_turns(first: &[&[Step]], second: &[&[Step]], lines: &mut Vec<PairLine>) {
    for at in 0..first.len().max(second.len()) {
        let (one, other) = (first.get(at).copied(), second.get(at).copied());
        let heads = one.and_then(<[Step]>::first).zip(other.and_then(<[Step]>::first));
        match one.zip(other) {
            Some((a, b)) if heads.is_some_and(|(a, b)| !are_strangers(a, b)) => {
                align_steps(a, b, lines);
            }
            _ => {
                lines.extend(one.into_iter().flatten().map(only_first));
                lines.extend(other.into_iter().flatten().map(only_second));
            }
        }
    }
}

/// Pairs the steps of two turns. Their last replies are versions of each other if they share words.
fn align_steps(first: &[Step], second: &[Step], lines: &mut Vec<PairLine>) {
    let last = |steps: &[Step]| steps.iter().rposition(|step| step.is_reply);
    let pair_of = |(at, bt): (usize, usize)| Some((first.get(at)?, second.get(bt)?));
    let answers = last(first).zip(last(second));
    match answers.and_then(|at| Some((at, pair_of(at)?))) {
        Some(((at, bt), (a, b))) if a.alike == b.alike && !are_strangers(a, b) => {
            align_by(&KEYS, part(first, 0, at), part(second, 0, bt), lines);
            lines.push(pair(a, b));
            let rest = (part(first, at + 1, first.len()), part(second, bt + 1, second.len()));
            align_by(&KEYS, rest.0, rest.1, lines);
        }
        _ => align_by(&KEYS, first, second, lines),
    }
}

/// The keys by which steps are paired: first equal steps; between those, steps with the same text, such as edits of the
/// same file; between those, steps of the same kind and name.
const KEYS: [fn(&Step) -> u64; 3] =
    [|it| it.same, |it| hash_of((it.alike, &it.words)), |it| it.alike];

/// Pairs steps by the first key, and the steps between the pairs by the remaining keys.
fn align_by(keys: &[fn(&Step) -> u64], first: &[Step], second: &[Step], lines: &mut Vec<PairLine>) {
    let Some((key, others)) = keys.split_first() else {
        lines.extend(first.iter().map(only_first));
        lines.extend(second.iter().map(only_second));
        return;
    };
    let (mut at, mut bt) = (0, 0);
    let (mut a_from, mut b_from) = (0, 0);
    for sign in signs(first.iter().map(key), second.iter().map(key)) {
        match sign {
            '-' => at += 1,
            '+' => bt += 1,
            _ => {
                let (a, b) = (part(first, a_from, at + 1), part(second, b_from, bt + 1));
                // If several steps are equal, the first one is paired, because the later ones are repetitions.
                let earliest = |steps: &[Step]| {
                    let last = steps.last().map(key);
                    steps.iter().position(|step| Some(key(step)) == last).unwrap_or(0)
                };
                let (at_first, bt_first) = (a_from + earliest(a), b_from + earliest(b));
                align_by(
                    others,
                    part(first, a_from, at_first),
                    part(second, b_from, bt_first),
                    lines,
                );
                match first.get(at_first).zip(second.get(bt_first)) {
                    Some((a, b)) if are_strangers(a, b) => {
                        lines.extend([only_first(a), only_second(b)]);
                    }
                    both => lines.extend(both.map(|(a, b)| pair(a, b))),
                }
                (at, bt) = (at + 1, bt + 1);
                (a_from, b_from) = (at_first + 1, bt_first + 1);
            }
        }
    }
    align_by(others, part(first, a_from, at), part(second, b_from, bt), lines);
}

fn only_first(step: &Step) -> PairLine {
    PairLine {
        first: Some(step.id),
        fate: Fate::OnlyFirst,
        first_words: step.words.clone(),
        changed_lines: [step.changed_lines, None],
        ..PairLine::default()
    }
}

fn only_second(step: &Step) -> PairLine {
    PairLine {
        second: Some(step.id),
        fate: Fate::OnlySecond,
        second_words: step.words.clone(),
        changed_lines: [None, step.changed_lines],
        ..PairLine::default()
    }
}

fn part<T>(items: &[T], from: usize, to: usize) -> &[T] {
    items.get(from..to).unwrap_or_default()
}

fn pair(first: &Step, second: &Step) -> PairLine {
    let fate = match (first.same == second.same, first.result == second.result) {
        (true, true) => Fate::Same,
        (true, false) => Fate::OtherResult,
        (false, _) => Fate::Changed,
    };
    let is_told_once = first.words == second.words;
    PairLine {
        first: Some(first.id),
        second: Some(second.id),
        fate,
        first_words: first.words.clone(),
        second_words: if is_told_once { String::new() } else { second.words.clone() },
        changed_lines: [first.changed_lines, second.changed_lines],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(words: &str) -> Vec<Step> {
        let step = |(id, word): (u32, &str)| {
            let (name, rest) = word.split_once(':').unwrap_or((word, ""));
            let (args, result) = rest.split_once('=').unwrap_or((rest, ""));
            Step {
                id,
                same: hash_of((name, args)),
                alike: hash_of(name),
                result: hash_of(result),
                words: word.replace('_', " "),
                changed_lines: None,
                begins_turn: name == "u",
                is_reply: name == "say",
                is_text: name == "say",
            }
        };
        (0..).zip(words.split(' ').filter(|it| !it.is_empty())).map(step).collect()
    }

    fn aligned(first: &str, second: &str) -> String {
        let lines = align(&steps(first), &steps(second));
        let said = |line: &PairLine| {
            let sign = match line.fate {
                Fate::Same => "=",
                Fate::OtherResult => "~",
                Fate::Changed => "*",
                Fate::OnlyFirst => "-",
                Fate::OnlySecond => "+",
            };
            let id = |id: Option<u32>| id.map(|id| id.to_string()).unwrap_or_default();
            format!("{}{sign}{}", id(line.first), id(line.second))
        };
        lines.iter().map(said).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_same_steps_stand_beside_each_other() {
        assert_eq!(aligned("u:1 bash:ls=a ok", "u:1 bash:ls=a ok"), "0=0 1=1 2=2");
        assert_eq!(aligned("u:1 bash:ls=a ok", "u:1 bash:ls=b ok"), "0=0 1~1 2=2");
        assert_eq!(aligned("", "u:1"), "+0");
        assert_eq!(aligned("", ""), "");
    }

    #[test]
    fn turns_that_begin_with_the_same_message_stand_beside_each_other() {
        // The edit in the second turn of one run is in the first turn of the other.
        let (one, other) = ("u:1 read:a u:2 edit:x bash:t=ok", "u:1 read:a edit:x u:2 bash:t=ok");
        assert_eq!(aligned(one, other), "0=0 1=1 +2 2=3 3- 4=4");
        assert_eq!(aligned("u:1 ls:a u:2 ls:b", "u:1 ls:a"), "0=0 1=1 2- 3-");
        assert_eq!(aligned("hi u:1 ls:a", "hi u:3 ls:a"), "0=0 1*1 2=2", "another message");
    }

    #[test]
    fn of_repetitions_that_one_run_has_the_first_one_is_the_counterpart() {
        let tests = "u:1 t:x=1 e:a t:x=1 e:b t:x=0 end";
        assert_eq!(aligned(tests, "u:1 t:x=0 end"), "0=0 1~1 2- 3- 4- 5- 6=2");
        assert_eq!(aligned("u:1 t:x=0 end", tests), "0=0 1~1 +2 +3 +4 +5 2=6");
    }

    #[test]
    fn between_them_steps_of_the_same_name_are_pairs() {
        assert_eq!(aligned("u:1 read:a bash:x end", "u:1 grep:q bash:y end"), "0=0 1- +1 2*2 3=3");
        assert_eq!(aligned("u:1 bash:a bash:b end", "u:1 bash:c end"), "0=0 1*1 2- 3=2");
    }

    #[test]
    fn edits_of_a_file_are_pairs_before_those_of_other_files_and_answers_are_pairs() {
        let steps = |words: &[(&str, &str)]| -> Vec<Step> {
            let step = |(id, (words, args)): (u32, &(&str, &str))| Step {
                id,
                same: hash_of((words, args)),
                alike: hash_of(words.split(' ').next()),
                result: 0,
                words: (*words).to_owned(),
                changed_lines: None,
                begins_turn: false,
                is_reply: words.starts_with("say"),
                is_text: words.starts_with("say"),
            };
            (0..).zip(words).map(step).collect()
        };
        let one = steps(&[
            ("say I’ll run the tests now", ""),
            ("edit a.ts", "x"),
            ("edit b.ts", "y"),
            ("say strange words nobody else uses here", ""),
            ("say All tests pass, two things were wrong", ""),
        ]);
        let other = steps(&[
            ("edit b.ts", "z"),
            ("edit a.ts", "w"),
            ("say All tests pass, the test was wrong", ""),
        ]);
        let pairs: Vec<_> = align(&one, &other).iter().map(|it| (it.first, it.second)).collect();
        assert!(pairs.contains(&(Some(4), Some(2))), "{pairs:?}");
        assert!(pairs.contains(&(Some(1), Some(1))) || pairs.contains(&(Some(2), Some(0))));
        assert!(!pairs.contains(&(Some(1), Some(0))), "{pairs:?}");
    }

    #[test]
    fn texts_that_share_almost_no_words_are_no_pairs() {
        let (one, other) =
            ("say:build_failed_because_tests_broke", "say:please_read_those_other_files");
        assert_eq!(aligned(one, other), "0- +0");
        assert_eq!(aligned(one, "say:build_failed_because_docs_broke"), "0*0");
        assert_eq!(aligned("say:done", "say:all_good"), "0*0", "too short to be told apart");
        let calls = [one, other].map(|it| it.replace("say", "bash"));
        assert_eq!(aligned(&calls[0], &calls[1]), "0*0", "calls of one tool");
    }
}
