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
}
