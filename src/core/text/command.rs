//! Commands as a user would type them.

use std::borrow::Cow;

use super::shell_words::{BEFORE, Joint, Step, steps_of};

/// Shells that take the command to run as an argument: `bash -lc …`.
const SHELLS: [&str; 6] = ["bash", "sh", "zsh", "fish", "pwsh", "powershell"];

/// The words of a command as a user would type them. If a shell is given a command, only that command is shown.
#[must_use]
pub fn as_typed(words: &[String]) -> String {
    if let [shell, flag, script] = words {
        let name = shell.rsplit('/').next().unwrap_or(shell);
        if SHELLS.contains(&name) && ["-c", "-lc", "-Command"].contains(&flag.as_str()) {
            return script.clone();
        }
    }
    let quoted = |word: &String| {
        let is_plain = |char: char| char.is_alphanumeric() || "-_./=:,+@%^".contains(char);
        match !word.is_empty() && word.chars().all(is_plain) || word.contains('\n') {
            true => word.clone(),
            false => format!("'{}'", word.replace('\'', r"'\''")),
        }
    };
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

/// Programs whose first argument is a subcommand.
const WITH_SUBCOMMANDS: [&str; 26] = [
    "apt", "apt-get", "aws", "brew", "bun", "bunx", "cargo", "composer", "docker", "dotnet",
    "gcloud", "gh", "git", "go", "gradle", "helm", "just", "kubectl", "make", "mise", "npm", "npx",
    "pnpm", "poetry", "uv", "yarn",
];

/// Commands that only prepare the next one.
const PREPARING: [&str; 10] =
    ["cd", "pushd", "popd", "export", "set", "source", ".", "unset", "sleep", "true"];

/// Options that take the next word as their value.
const WITH_VALUE: [&str; 5] = ["-C", "-c", "--prefix", "--cwd", "--manifest-path"];

/// The longest name of a program, in characters.
const MAX_NAME_CHARS: usize = 40;

/// Programs that act on a whole project, whatever files they are given.
const RUNNERS: [&str; 16] = [
    "black", "cmake", "ctest", "eslint", "jest", "mocha", "mypy", "ninja", "phpunit", "prettier",
    "pytest", "rspec", "ruff", "tox", "tsc", "vitest",
];

/// Programs that search or compare, and exit with 1 if they find nothing or a difference.
const SEARCHES: [&str; 18] = [
    "[", "[[", "ack", "ag", "cmp", "diff", "egrep", "fd", "fgrep", "find", "findstr", "grep",
    "lsof", "pgrep", "rg", "test", "which", "zgrep",
];

/// Subcommands of `git` that do the same, with one of some options, if there are any.
const GIT_SEARCHES: [(&str, &[&str]); 6] = [
    ("grep", &[]),
    ("show-ref", &[]),
    ("check-ignore", &[]),
    ("diff", &["--exit-code", "--no-index", "--quiet"]),
    ("config", &[]),
    ("merge-base", &["--is-ancestor"]),
];

/// Commands that do not fail.
const HARMLESS: [&str; 4] = ["echo", "printf", "true", ":"];

/// Words of a shell before and after commands.
const KEYWORDS: [&str; 13] =
    ["!", "{", "}", "do", "done", "elif", "else", "esac", "fi", "if", "then", "until", "while"];

/// The program that a command runs, including the subcommand for programs such as `git`: `git commit` for `cd a && git
/// -C b commit -m c | cat`. `None` if there is no program.
#[must_use]
pub fn program_of(command: &str) -> Option<String> {
    let program = Program::of(&steps_of(command))?;
    Some(program.words.join(" ").chars().take(MAX_NAME_CHARS).collect())
}

/// A command, taken apart once.
#[derive(Debug)]
pub struct Command<'a>(Vec<Step<'a>>);

impl<'a> Command<'a> {
    /// Takes a command apart.
    #[must_use]
    pub fn of(text: &'a str) -> Self {
        Self(steps_of(text))
    }

    /// What it acts on: its program, with what the program is given first unless that is a subcommand: `cat a.txt` for `cd
    /// b && cat -n a.txt | head`. `None` if there is no program.
    #[must_use]
    pub fn target(&self) -> Option<String> {
        let mut program = Program::of(&self.0)?;
        program.words.extend(program.operand);
        Some(program.words.join(" "))
    }

    /// Whether its exit code is that of a search or a comparison, which is 1 if nothing was found.
    #[must_use]
    pub fn is_search(&self) -> bool {
        let is_harmless = |step: &Step<'_>| {
            let first = step.words.first().map_or("", |word| word);
            step.words.iter().all(|word| KEYWORDS.contains(&&**word))
                // `a && echo b` fails only if `a` does.
                || step.joint == Joint::And && HARMLESS.contains(&first)
        };
        let last = self.0.iter().rev().find(|step| !is_harmless(step));
        last.is_some_and(|step| is_search_step(&step.words))
    }
}

fn is_search_step(words: &[Cow<'_, str>]) -> bool {
    let mut words = words.iter().map(|word| &**word);
    let mut words = words.by_ref().skip_while(|word| {
        KEYWORDS.contains(word) || BEFORE.contains(word) || word.starts_with('-') && *word != "-v"
    });
    let Some(first) = words.next() else { return false };
    let rest: Vec<&str> = words.collect();
    let name = first.rsplit(['/', '\\']).next().unwrap_or_default();
    match name {
        // `command -v a`, of which the first word is left out.
        "-v" => true,
        "timeout" => rest
            .split_first()
            .is_some_and(|(_, rest)| rest.first().is_some_and(|name| SEARCHES.contains(name))),
        "git" => GIT_SEARCHES.iter().any(|(subcommand, options)| {
            rest.contains(subcommand)
                && (options.is_empty() || rest.iter().any(|word| options.contains(word)))
        }),
        _ if SHELLS.contains(&name) => {
            script_in(&rest).is_some_and(|script| Command::of(script).is_search())
        }
        _ => SEARCHES.contains(&name),
    }
}

/// Options of shells that come before a script.
const SCRIPT: [&str; 3] = ["-c", "-lc", "-Command"];

/// The script in the arguments of a shell.
fn script_in<'a>(arguments: &[&'a str]) -> Option<&'a str> {
    let at = arguments.iter().position(|word| SCRIPT.contains(word))?;
    arguments.get(at + 1).copied()
}

/// The program that a command runs.
struct Program {
    /// Its name, and its subcommand.
    words: Vec<String>,
    /// What it is given first, unless it has a subcommand or acts on a whole project.
    operand: Option<String>,
}

impl Program {
    /// The first program of a command that does not only prepare the next one.
    fn of(steps: &[Step<'_>]) -> Option<Self> {
        let (last, before) = steps.split_last()?;
        let is_preparing =
            |step: &Step<'_>| step.words.first().is_none_or(|word| PREPARING.contains(&&**word));
        let step = before.iter().find(|step| !is_preparing(step)).unwrap_or(last);
        let (first, rest) = step.words.split_first()?;
        let name = first.rsplit(['/', '\\']).next().filter(|it| !it.is_empty())?;
        let arguments: Vec<&str> = rest.iter().map(|word| &**word).collect();
        if SHELLS.contains(&name)
            && let Some(script) = script_in(&arguments)
        {
            return Self::of(&steps_of(script));
        }
        let mut words = arguments.iter().copied();
        let mut next_word = || {
            while let Some(word) = words.next() {
                match word {
                    option if WITH_VALUE.contains(&option) => drop(words.next()),
                    option if option.starts_with('-') => {}
                    _ => return Some(word.to_owned()),
                }
            }
            None
        };
        let mut said = vec![name.to_owned()];
        let mut operand = None;
        if name.starts_with("python") && arguments.first() == Some(&"-m") {
            said.extend(rest.iter().take(2).map(|word| word.clone().into_owned()));
        } else if WITH_SUBCOMMANDS.contains(&name) {
            let subcommand = next_word().filter(|word| is_name(word));
            let runs_another =
                subcommand.as_deref().is_some_and(|word| ["run", "exec"].contains(&word));
            said.extend(subcommand);
            if runs_another {
                said.extend(next_word().filter(|word| is_name(word)));
            }
        } else if !RUNNERS.contains(&name) {
            operand = next_word().filter(|word| !word.contains(['<', '>']));
        }
        Some(Self { words: said, operand })
    }
}

/// The names of the programs that a command runs, without those that only prepare the next one.
#[must_use]
pub fn programs_of(command: &str) -> Vec<String> {
    let mut programs = Vec::new();
    find_programs(command, MAX_SHELLS, &mut programs);
    programs
}

/// Shells that run shells are followed to this depth.
const MAX_SHELLS: u32 = 4;

fn find_programs(command: &str, depth: u32, programs: &mut Vec<String>) {
    for step in steps_of(command) {
        let words: Vec<&str> = step.words.iter().map(|word| &**word).collect();
        let first = words.first().copied().unwrap_or_default();
        let name = first.rsplit(['/', '\\']).next().unwrap_or_default();
        // The script is one word, or the rest of a list of words that was joined by spaces.
        if depth > 0
            && SHELLS.contains(&name)
            && let Some(at) = words.iter().position(|it| SCRIPT.contains(it))
        {
            let script = words.get(at + 1..).unwrap_or_default().join(" ");
            find_programs(&script, depth - 1, programs);
            continue;
        }
        // `2>&1` ends with a number that looks like a command of its own.
        let is_number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
        let is_preparing = name != "sleep" && PREPARING.contains(&name);
        if !name.is_empty() && !is_number && !is_preparing && !name.starts_with('#') {
            programs.push(name.to_owned());
        }
    }
}

/// Programs that change files.
const CHANGING: [&str; 14] = [
    "apply_patch",
    "chmod",
    "cp",
    "dd",
    "install",
    "ln",
    "mkdir",
    "mv",
    "patch",
    "rm",
    "rsync",
    "tee",
    "touch",
    "truncate",
];

/// Programs that change files if they are given the option `-i`.
const IN_PLACE: [&str; 2] = ["perl", "sed"];

/// Subcommands that change files or the repository, of version control and of package managers.
const CHANGING_SUBCOMMANDS: [&str; 26] = [
    "add",
    "am",
    "apply",
    "checkout",
    "cherry-pick",
    "ci",
    "clean",
    "clone",
    "commit",
    "fmt",
    "get",
    "init",
    "install",
    "merge",
    "pull",
    "push",
    "rebase",
    "remove",
    "reset",
    "restore",
    "revert",
    "stash",
    "switch",
    "sync",
    "uninstall",
    "update",
];

/// Whether a command changes files, as far as its words say: by a redirection, a program such as `rm` or `tee`, `sed -i`,
/// `git commit`.
#[must_use]
pub fn changes_files(command: &str) -> bool {
    redirects(without_documents(command))
        || steps_of(command).iter().any(|step| {
            let first = step.words.first().map_or("", |word| word);
            let name = first.rsplit(['/', '\\']).next().unwrap_or_default();
            let mut words = step.words.iter().skip(1);
            let has_subcommands = WITH_SUBCOMMANDS.contains(&name) || name.starts_with("pip");
            CHANGING.contains(&name)
                || IN_PLACE.contains(&name) && words.clone().any(|it| is_in_place(it))
                || has_subcommands && words.any(|word| CHANGING_SUBCOMMANDS.contains(&&**word))
        })
}

/// `-i`, `-i.bak`, `-ri`.
fn is_in_place(option: &str) -> bool {
    option.strip_prefix('-').is_some_and(|letters| {
        let letters = letters.split('.').next().unwrap_or_default();
        !letters.starts_with('-') && letters.contains('i')
    })
}

/// A command up to the end of the line that begins a here-document, whose text is no command.
fn without_documents(command: &str) -> &str {
    let begin = command.find("<<").unwrap_or(command.len());
    let end = command.get(begin..).and_then(|rest| rest.find('\n')).map(|at| begin + at);
    command.get(..end.unwrap_or(command.len())).unwrap_or(command)
}

/// Whether a command writes into a file by `>` outside of quotes.
fn redirects(command: &str) -> bool {
    let mut quote = None;
    let mut before = ' ';
    let mut chars = command.chars().peekable();
    while let Some(char) = chars.next() {
        match (quote, char) {
            (Some(open), _) if char == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(char),
            (None, '>') if !['-', '=', '<', '>'].contains(&before) => {
                let target: String =
                    chars.clone().skip_while(|it| ['>', ' '].contains(it)).take(8).collect();
                if !target.is_empty()
                    && !target.starts_with(['&', '='])
                    && !target.starts_with("/dev/")
                {
                    return true;
                }
            }
            _ => {}
        }
        before = char;
    }
    false
}

/// Programs that write what they are given into a file, or make the folder for it.
const WRITERS: [&str; 3] = ["cat", "tee", "mkdir"];

/// Whether a command does nothing but replace files by the text of here-documents: `cat > a.md << EOF`.
#[must_use]
pub fn writes_document(command: &str) -> bool {
    let head = without_documents(command);
    head.contains("<<")
        && !head.contains(">>")
        && changes_files(command)
        && programs_of(command).iter().all(|it| WRITERS.contains(&it.as_str()))
}

/// Whether one of the steps of a command is `git commit`.
#[must_use]
pub fn commits(command: &str) -> bool {
    steps_of(command)
        .chunks(1)
        .any(|step| Program::of(step).is_some_and(|program| program.words == ["git", "commit"]))
}

fn is_name(word: &str) -> bool {
    word.chars().all(|char| char.is_alphanumeric() || "-_:.@/".contains(char))
}

#[cfg(test)]
mod tests;
