//! Commands as they would be typed.

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
