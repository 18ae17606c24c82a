//! What the arguments of a tool call are, by their keys. Every program names its tools differently, but the keys of
//! their arguments are much the same.

/// Keys of a command: a text, or a list of words.
pub const COMMANDS: [&str; 5] = ["command", "cmd", "bash_command", "shell_command", "commands"];

/// Keys of what is searched for.
pub const PATTERNS: [&str; 4] = ["pattern", "query", "regex", "search_term"];

/// Keys of the path of a file.
pub const FILES: [&str; 12] = [
    "file_path",
    "path",
    "filePath",
    "filename",
    "file",
    "target_file",
    "absolute_path",
    "notebook_path",
    "file_name",
    "fileName",
    "AbsolutePath",
    "TargetFile",
];

/// Keys of another place: a web page, a folder.
pub const PLACES: [&str; 3] = ["url", "uri", "directory"];

/// Shells that are told what to run: `bash -lc …`.
const SHELLS: [&str; 6] = ["bash", "sh", "zsh", "fish", "pwsh", "powershell"];

/// The words of a command as they would be typed. What a shell is told to run stands for the whole.
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
}
