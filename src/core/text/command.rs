//! Commands as a user would type them.

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

/// Words before a command that do not identify the program.
const BEFORE: [&str; 8] = ["sudo", "time", "env", "exec", "nohup", "command", "builtin", "then"];

/// Commands that only prepare the next one.
const PREPARING: [&str; 10] =
    ["cd", "pushd", "popd", "export", "set", "source", ".", "unset", "sleep", "true"];

/// Options that take the next word as their value.
const WITH_VALUE: [&str; 5] = ["-C", "-c", "--prefix", "--cwd", "--manifest-path"];

/// The longest name of a program, in characters.
const MAX_NAME_CHARS: usize = 40;

/// The program that a command runs, including the subcommand for programs such as `git`: `git commit` for `cd a && git
/// -C b commit -m c | cat`. `None` if there is no program.
#[must_use]
pub fn program_of(command: &str) -> Option<String> {
    let mut steps = steps_of(command);
    let last = steps.pop();
    let is_preparing = |step: &Vec<String>| {
        step.first().is_none_or(|word| PREPARING.contains(&word.as_str()) || word.starts_with('#'))
    };
    let step = steps.into_iter().find(|step| !is_preparing(step)).or(last)?;
    let (first, rest) = step.split_first()?;
    let name = first.rsplit(['/', '\\']).next().filter(|it| !it.is_empty())?;
    if SHELLS.contains(&name)
        && let Some(at) =
            rest.iter().position(|word| ["-c", "-lc", "-Command"].contains(&word.as_str()))
        && let Some(script) = rest.get(at + 1)
    {
        return program_of(script);
    }
    let mut words = rest.iter();
    let mut next_word = || {
        while let Some(word) = words.next() {
            match word.as_str() {
                option if WITH_VALUE.contains(&option) => drop(words.next()),
                option if option.starts_with('-') => {}
                _ => return Some(word.clone()),
            }
        }
        None
    };
    let mut said = vec![name.to_owned()];
    if name.starts_with("python") && rest.first().is_some_and(|word| word == "-m") {
        said.extend(rest.iter().take(2).cloned());
    } else if WITH_SUBCOMMANDS.contains(&name) {
        let subcommand = next_word().filter(|word| is_name(word));
        let runs_another =
            subcommand.as_deref().is_some_and(|word| ["run", "exec"].contains(&word));
        said.extend(subcommand);
        if runs_another {
            said.extend(next_word().filter(|word| is_name(word)));
        }
    }
    Some(said.join(" ").chars().take(MAX_NAME_CHARS).collect())
}

/// The names of the programs that a command runs, without those that only prepare the next one.
#[must_use]
pub fn programs_of(command: &str) -> Vec<String> {
    let mut programs = Vec::new();
    for step in steps_of(without_documents(command)) {
        let first = step.first().map_or("", String::as_str);
        let name = first.rsplit(['/', '\\']).next().unwrap_or_default();
        // `2>&1` ends with a number that looks like a command of its own.
        let is_number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
        let is_preparing = name != "sleep" && PREPARING.contains(&name);
        if !name.is_empty() && !is_number && !is_preparing && !name.starts_with('#') {
            programs.push(name.to_owned());
        }
    }
    programs
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
    let command = without_documents(command);
    redirects(command)
        || steps_of(command).iter().any(|step| {
            let first = step.first().map_or("", String::as_str);
            let name = first.rsplit(['/', '\\']).next().unwrap_or_default();
            let mut words = step.iter().skip(1);
            let has_subcommands = WITH_SUBCOMMANDS.contains(&name) || name.starts_with("pip");
            CHANGING.contains(&name)
                || IN_PLACE.contains(&name) && words.clone().any(|it| is_in_place(it))
                || has_subcommands
                    && words.any(|word| CHANGING_SUBCOMMANDS.contains(&word.as_str()))
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
                    chars.clone().skip_while(|it| ['>', ' '].contains(it)).collect();
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

fn is_name(word: &str) -> bool {
    word.chars().all(|char| char.is_alphanumeric() || "-_:.@/".contains(char))
}

/// The words of each step of a command, without assignments and the words in [`BEFORE`]. Steps are separated by `;`,
/// `&`, `|` and line ends outside of quotes.
fn steps_of(command: &str) -> Vec<Vec<String>> {
    let mut steps = vec![Vec::new()];
    let mut word = String::new();
    let mut is_word = false;
    let mut quote = None;
    let mut chars = command.chars();
    let end_word = |word: &mut String, is_word: &mut bool, steps: &mut Vec<Vec<String>>| {
        let word = std::mem::take(word);
        let Some(step) = steps.last_mut().filter(|_| std::mem::take(is_word)) else { return };
        let is_assignment = word.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.chars().all(|char| char.is_alphanumeric() || char == '_')
        });
        if !step.is_empty() || !is_assignment && !BEFORE.contains(&word.as_str()) {
            step.push(word);
        }
    };
    while let Some(char) = chars.next() {
        match (quote, char) {
            (Some(open), _) if char == open => quote = None,
            (Some('"') | None, '\\') => {
                word.extend(chars.next().filter(|next| *next != '\n'));
                is_word = true;
            }
            (Some(_), _) => word.push(char),
            (None, '"' | '\'') => {
                quote = Some(char);
                is_word = true;
            }
            (None, ';' | '&' | '|' | '\n' | '(' | ')') => {
                end_word(&mut word, &mut is_word, &mut steps);
                if steps.last().is_some_and(|step| !step.is_empty()) {
                    steps.push(Vec::new());
                }
            }
            (None, _) if char.is_whitespace() => end_word(&mut word, &mut is_word, &mut steps),
            (None, _) => {
                word.push(char);
                is_word = true;
            }
        }
    }
    end_word(&mut word, &mut is_word, &mut steps);
    steps.retain(|step| !step.is_empty());
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(words: &[&str]) -> String {
        as_typed(&words.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn words_as_they_would_be_typed() {
        assert_eq!(typed(&["/bin/bash", "-lc", "make | tee log"]), "make | tee log");
        assert_eq!(typed(&["git", "commit", "-m", "a b's"]), r"git commit -m 'a b'\''s'");
        assert_eq!(typed(&["python", "-c", "print(1)"]), "python -c 'print(1)'");
        assert_eq!(typed(&[]), "");
    }
    #[test]
    fn what_is_run_is_a_program_with_its_subcommand() {
        let cases = [
            ("ls -la", "ls"),
            ("cd /a && git -C b commit -m 'a; b' | cat", "git commit"),
            ("FOO=1 sudo /usr/bin/npm run --silent build", "npm run build"),
            ("bash -lc \"cd x; go test ./...\"", "go test"),
            ("python3 -m pytest -q", "python3 -m pytest"),
            ("# why\nmake -j4 check", "make check"),
            ("cd /only", "cd"),
            ("(cd a && cargo build)", "cargo build"),
            ("git $SUB", "git"),
            ("./run.sh a", "run.sh"),
            ("echo 'unclosed", "echo"),
        ];
        for (command, expect) in cases {
            assert_eq!(program_of(command).as_deref(), Some(expect), "{command}");
        }
        assert_eq!(program_of(" ; "), None);
        assert_eq!(program_of(""), None);
    }
    #[test]
    fn commands_that_change_files_are_known_by_their_words() {
        for command in [
            "echo x > f",
            "echo x >>f",
            "cat > /app/a.py << 'EOF'\nprint(1)\nEOF",
            "sed -i 's/a/b/' f",
            "sed -i.bak s/a/b/ f",
            "make | tee log",
            "cd a && git commit -m x",
            "git -C a stash",
            "pip install x",
            "npm ci",
            "rm -f a",
        ] {
            assert!(changes_files(command), "{command}");
        }
        for command in [
            "",
            "ls",
            "make 2>&1 | tail -5",
            "find / -name x 2>/dev/null",
            "sed -n 1,5p f",
            "grep 'a > b' f",
            "git status",
            "awk '$1 > 3' f",
            "python3 - << 'EOF'\nif a > b: pass\nEOF",
            "rg 'fn x() -> y'",
        ] {
            assert!(!changes_files(command), "{command}");
        }
    }
    #[test]
    fn all_programs_of_a_command_are_named() {
        assert_eq!(programs_of("cd a && grep -n x b 2>&1 | head -3"), ["grep", "head"]);
        assert_eq!(programs_of("sleep 5; /bin/ls"), ["sleep", "ls"]);
        assert!(programs_of("cd a").is_empty());
    }
}
