//! Sequences of calls that are a loop, and sequences that resemble one. Each seed gives another length, other texts and
//! other tools.

use serde_json::{Value, json};

/// Pseudo-random numbers (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number of a range.
    pub fn of(&mut self, range: std::ops::RangeInclusive<usize>) -> usize {
        let len = (range.end() - range.start() + 1) as u64;
        range.start() + usize::try_from(self.next() % len).unwrap()
    }

    fn word(&mut self) -> String {
        const PARTS: [&str; 16] = [
            "har", "bour", "lan", "tern", "mo", "ss", "ri", "ver", "cop", "per", "win", "ter",
            "fer", "ry", "sal", "mon",
        ];
        (0..self.of(2..=3)).map(|_| PARTS[self.of(0..=15)]).collect()
    }

    fn lines(&mut self, n: usize) -> String {
        let line = |random: &mut Self| {
            (0..random.of(3..=7)).map(|_| random.word()).collect::<Vec<_>>().join(" ")
        };
        (0..n).map(|_| line(self) + "\n").collect()
    }
}

/// What a tool does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tool {
    Shell,
    Read,
    Search,
    Edit,
}

/// A call.
#[derive(Clone, Debug)]
pub struct Call {
    pub tool: Tool,
    /// The command, the path or the pattern.
    pub target: String,
    /// The other arguments.
    pub more: Vec<(&'static str, Value)>,
    pub result: String,
    pub has_failed: bool,
}

/// The calls of each message.
pub type Steps = Vec<Vec<Call>>;

fn call(tool: Tool, target: impl Into<String>, result: impl Into<String>) -> Call {
    let (target, result) = (target.into(), result.into());
    Call { tool, target, more: Vec::new(), result, has_failed: false }
}

fn failed(tool: Tool, target: impl Into<String>, result: impl Into<String>) -> Call {
    Call { has_failed: true, ..call(tool, target, result) }
}

fn edit(random: &mut Random, path: &str) -> Call {
    let more = vec![("old_string", json!(random.lines(1))), ("new_string", json!(random.lines(2)))];
    Call { more, ..call(Tool::Edit, path, format!("The file {path} has been updated.")) }
}

fn path(random: &mut Random) -> String {
    format!("src/{}/{}.rs", random.word(), random.word())
}

/// A look-up that changes nothing, with what it gives.
fn look(random: &mut Random) -> Call {
    let text = random.lines(4);
    match random.of(0..=2) {
        0 => call(Tool::Read, path(random), text),
        1 => call(Tool::Search, random.word(), text),
        _ => call(Tool::Shell, format!("cat {}", path(random)), text),
    }
}

fn one_each(calls: Vec<Call>) -> Steps {
    calls.into_iter().map(|call| vec![call]).collect()
}

/// A kind of sequences: its name, and what makes one.
pub type Kind = (&'static str, fn(&mut Random) -> Steps);

/// The kinds of loops.
pub const LOOPS: [Kind; 10] = [
    ("the same call with the same result", |random| {
        let call = look(random);
        one_each(vec![call; random.of(4..=12)])
    }),
    ("a cycle of calls", |random| {
        let block: Vec<Call> = (0..random.of(2..=12)).map(|_| look(random)).collect();
        one_each(vec![block; random.of(3..=5)].concat())
    }),
    ("the same failing call", |random| {
        let error = format!("error: cannot find {} in this scope\n", random.word());
        let call = failed(Tool::Shell, format!("make {}", random.word()), error);
        one_each(vec![call; random.of(4..=8)])
    }),
    ("results that differ in times only", |random| {
        let (command, text) = (format!("make {}", random.word()), random.lines(3));
        let result = |random: &mut Random| {
            let (ms, second) = (random.of(100..=999), random.of(10..=59));
            format!("{text}done at 2026-03-04T11:20:{second}Z in 4.{ms} s\n")
        };
        let calls = (0..random.of(5..=9)).map(|_| {
            let result = result(random);
            call(Tool::Shell, command.clone(), result)
        });
        one_each(calls.collect())
    }),
    ("other arguments with the same empty result", |random| {
        let searched = |random: &mut Random| {
            call(Tool::Search, random.word() + &random.word(), "No matches found")
        };
        one_each((0..random.of(10..=15)).map(|_| searched(random)).collect())
    }),
    ("edits that never mend the same failure", |random| {
        let (file, test) = (path(random), random.word());
        let error = format!("FAILED tests/{test}: expected {test}, got nothing\n");
        let command = format!("pytest tests/{test}.py");
        let round = |random: &mut Random| {
            [edit(random, &file), failed(Tool::Shell, command.clone(), error.clone())]
        };
        one_each((0..random.of(5..=8)).flat_map(|_| round(random)).collect())
    }),
    ("the same look-up again and again with others between", |random| {
        let again = look(random);
        let others: Vec<Call> = (0..3).map(|_| look(random)).collect();
        let between = |random: &mut Random| {
            let mut some = vec![again.clone()];
            some.extend((0..random.of(1..=3)).map(|_| others[random.of(0..=2)].clone()));
            some
        };
        one_each((0..random.of(9..=12)).flat_map(|_| between(random)).collect())
    }),
    ("an edit that is refused each time", |random| {
        let (file, text) = (path(random), random.lines(1));
        let more = vec![("old_string", json!(text)), ("new_string", json!("x"))];
        let error = "String to replace not found in file.";
        let call = Call { more, ..failed(Tool::Edit, file, error) };
        one_each(vec![call; random.of(4..=9)])
    }),
    ("parallel calls that are repeated as a whole", |random| {
        let step: Vec<Call> = (0..random.of(2..=4)).map(|_| look(random)).collect();
        vec![step; random.of(4..=6)]
    }),
    ("the same text in the same file again and again", |random| {
        let write = format!("cat > {} << 'EOF'\n{}EOF\n", path(random), random.lines(4));
        let round = |random: &mut Random| {
            [call(Tool::Shell, write.clone(), ""), look(random), look(random)]
        };
        one_each((0..random.of(4..=7)).flat_map(|_| round(random)).collect())
    }),
];

/// The kinds of near-misses.
pub const NEAR_MISSES: [Kind; 11] = [
    ("waiting for something that proceeds", |random| {
        let (command, total) = (format!("job status {}", random.word()), random.of(3..=10));
        let result = |at: usize| format!("{at} of {total} parts done, {} files left\n", 90 - at);
        one_each((0..total).map(|at| call(Tool::Shell, command.clone(), result(at))).collect())
    }),
    ("reading on in one file", |random| {
        let file = path(random);
        let page = |at: usize, random: &mut Random| {
            let more = vec![("offset", json!(at * 200)), ("limit", json!(200))];
            Call { more, ..call(Tool::Read, file.clone(), random.lines(9)) }
        };
        one_each((0..random.of(3..=12)).map(|at| page(at, random)).collect())
    }),
    ("edits that mend one failure after the other", |random| {
        let (file, test) = (path(random), random.word());
        let round = |random: &mut Random| {
            let error = format!("FAILED {}: {}\n", random.word(), random.lines(1));
            [edit(random, &file), failed(Tool::Shell, format!("pytest {test}"), error)]
        };
        one_each((0..random.of(3..=6)).flat_map(|_| round(random)).collect())
    }),
    ("the same call twice", |random| one_each(vec![look(random); 2])),
    ("reading a file after each edit", |random| {
        let file = path(random);
        let round = |random: &mut Random| {
            [edit(random, &file), call(Tool::Read, file.clone(), random.lines(8))]
        };
        one_each((0..random.of(3..=8)).flat_map(|_| round(random)).collect())
    }),
    ("many calls of one message", |random| {
        vec![(0..random.of(4..=12)).map(|_| look(random)).collect()]
    }),
    ("searches that find something else each time", |random| {
        let search = |random: &mut Random| call(Tool::Search, random.word(), random.lines(3));
        one_each((0..random.of(4..=12)).map(|_| search(random)).collect())
    }),
    ("a failing command that is called in another way each time", |random| {
        let attempt = |random: &mut Random| {
            let error = format!("error: {}\n", random.lines(1));
            failed(Tool::Shell, format!("install {} --{}", random.word(), random.word()), error)
        };
        one_each((0..random.of(2..=4)).map(|_| attempt(random)).collect())
    }),
    ("tests that pass after each edit", |random| {
        let (file, command) = (path(random), format!("cargo test {}", random.word()));
        let passed = "test result: ok. 12 passed; 0 failed\n";
        let round =
            |random: &mut Random| [edit(random, &file), call(Tool::Shell, command.clone(), passed)];
        one_each((0..random.of(3..=8)).flat_map(|_| round(random)).collect())
    }),
    ("status between changes made in the shell", |random| {
        let round = |random: &mut Random| {
            let file = path(random);
            let change = match random.of(0..=3) {
                0 => format!("sed -i 's/{}/{}/' {file}", random.word(), random.word()),
                1 => format!("git commit -qam '{}'", random.word()),
                2 => format!("echo {} | tee {file}", random.word()),
                _ => format!("echo {} > {file}", random.word()),
            };
            let clean = "nothing to commit, working tree clean\n";
            [call(Tool::Shell, change, ""), call(Tool::Shell, "git status", clean)]
        };
        one_each((0..random.of(6..=9)).flat_map(|_| round(random)).collect())
    }),
    ("a script that is written and run after each edit", |random| {
        let (file, script) = (path(random), random.lines(3));
        let run = format!("cat > /tmp/a.py << 'EOF'\n{script}EOF\npython /tmp/a.py");
        let round = |random: &mut Random| {
            [edit(random, &file), call(Tool::Shell, run.clone(), random.lines(2))]
        };
        one_each((0..random.of(4..=8)).flat_map(|_| round(random)).collect())
    }),
];
