//! Aligns two runs: the same messages and the same calls stand beside each other, and what lies between them is
//! paired by kind and name.

use traceloupe::model::hash_of;
use traceloupe::view::text::diff::line_diff;
use traceloupe::view::wire::run_comparison::{Fate, PairLine};

/// A step of a run.
#[derive(Clone, Debug)]
pub struct Step {
    /// Id of its event.
    pub id: u32,
    /// Equal for steps that are the same but for their results.
    pub same: u64,
    /// Equal for steps of the same kind and name.
    pub alike: u64,
    /// Its result and how it came out.
    pub result: u64,
    /// What it says.
    pub words: String,
    /// Whether that is text of a person or a model, rather than a call.
    pub is_text: bool,
}

/// Words of fewer bytes are in all texts.
const MIN_BYTES: usize = 4;

/// Texts with fewer words of that length are not told apart.
const MIN_WORDS: usize = 4;

/// One of so many words has to be the same for a text to be another version of a text.
const ONE_SHARED_OF: usize = 5;

/// Whether two texts share so few words that neither is a version of the other.
fn are_strangers(first: &Step, second: &Step) -> bool {
    // A summary is short, so there are few words.
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

/// The signs of a diff of steps by some key.
fn signs(first: &[Step], second: &[Step], key: fn(&Step) -> u64) -> Vec<char> {
    let lines =
        |steps: &[Step]| steps.iter().map(|it| format!("{:x}\n", key(it))).collect::<String>();
    line_diff(&lines(first), &lines(second)).into_iter().map(|line| line.0).collect()
}

/// Steps that are the same stand beside each other; between them, steps of the same kind and name.
#[must_use]
pub fn align(first: &[Step], second: &[Step]) -> Vec<PairLine> {
    let mut lines = Vec::new();
    let (mut at, mut bt) = (0, 0);
    let (mut a_from, mut b_from) = (0, 0);
    for sign in signs(first, second, |it| it.same) {
        match sign {
            '-' => at += 1,
            '+' => bt += 1,
            _ => {
                align_gap(part(first, a_from, at), part(second, b_from, bt), &mut lines);
                lines.extend(first.get(at).zip(second.get(bt)).map(|(a, b)| pair(a, b)));
                (at, bt) = (at + 1, bt + 1);
                (a_from, b_from) = (at, bt);
            }
        }
    }
    align_gap(part(first, a_from, at), part(second, b_from, bt), &mut lines);
    lines
}

fn align_gap(first: &[Step], second: &[Step], lines: &mut Vec<PairLine>) {
    let (mut first, mut second) = (first.iter(), second.iter());
    for sign in signs(first.as_slice(), second.as_slice(), |it| it.alike) {
        match sign {
            '-' => lines.extend(first.next().map(only_first)),
            '+' => lines.extend(second.next().map(only_second)),
            _ => match first.next().zip(second.next()) {
                Some((a, b)) if are_strangers(a, b) => {
                    lines.extend([only_first(a), only_second(b)]);
                }
                both => lines.extend(both.map(|(a, b)| pair(a, b))),
            },
        }
    }
}

fn only_first(step: &Step) -> PairLine {
    PairLine {
        first: Some(step.id),
        fate: Fate::OnlyFirst,
        first_words: step.words.clone(),
        ..PairLine::default()
    }
}

fn only_second(step: &Step) -> PairLine {
    PairLine {
        second: Some(step.id),
        fate: Fate::OnlySecond,
        second_words: step.words.clone(),
        ..PairLine::default()
    }
}

fn part(steps: &[Step], from: usize, to: usize) -> &[Step] {
    steps.get(from..to).unwrap_or_default()
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
    fn between_them_steps_of_the_same_name_are_pairs() {
        assert_eq!(aligned("u:1 read:a bash:x end", "u:1 grep:q bash:y end"), "0=0 1- +1 2*2 3=3");
        assert_eq!(aligned("u:1 bash:a bash:b end", "u:1 bash:c end"), "0=0 1*1 2- 3=2");
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
