//! Programs that a model writes instead of calls: JavaScript that calls tools, such as
//! `await tools.exec_command({cmd: "ls"})`.

use traceloupe_core::text::patch;

/// The object whose members are the tools.
const TOOLS: &str = "tools.";

/// The tool that runs a command, and the one that changes files.
const RUNS: &str = "exec_command";
const CHANGES: &str = "apply_patch";

/// How many patches of a script are parsed. Each may extend to the end of the script.
const MAX_PATCHES: usize = 50;

/// Whether the arguments of a call are such a program.
pub(super) fn is_script(text: &str) -> bool {
    const BEGINNINGS: [&str; 8] =
        ["const ", "let ", "var ", "await ", "async ", "text(", "// ", "function "];
    let text = text.trim();
    calls(text).next().is_some()
        || BEGINNINGS.iter().any(|it| text.starts_with(it)) && text.ends_with([';', ')', '}'])
}

/// The command that a script runs, if it runs exactly one. The script may be cut.
pub(super) fn command(script: &str) -> Option<String> {
    let mut runs = calls(script).filter(|(name, _)| *name == RUNS);
    let (Some((_, arguments)), None) = (runs.next(), runs.next()) else { return None };
    let values = arguments.match_indices("cmd").filter_map(|(at, key)| {
        let before = arguments.get(..at)?.trim_end_matches(['"', '\'']).trim_end();
        let after = arguments.get(at + key.len()..)?.trim_start_matches(['"', '\'']).trim_start();
        before.ends_with(['{', ',']).then(|| after.strip_prefix(':'))?
    });
    values.take(1).find_map(literal).filter(|command| !command.trim().is_empty())
}

/// The patches that a script applies.
pub(super) fn patches(script: &str) -> Vec<String> {
    if !calls(script).any(|(name, _)| name == CHANGES) {
        return Vec::new();
    }
    let found = script.match_indices("*** Begin Patch").take(MAX_PATCHES).filter_map(|(at, _)| {
        let before = script.get(..at)?.trim_end();
        let patch = literal(script.get(before.len().checked_sub(1)?..)?)?;
        Some(patch.trim_start().to_owned())
    });
    found.filter(|it| patch::parse(it).iter().any(|file| !file.path.is_empty())).collect()
}

/// The tools that a script calls: the name, and the text after the parenthesis.
fn calls(script: &str) -> impl Iterator<Item = (&str, &str)> {
    script.match_indices(TOOLS).filter_map(|(at, _)| {
        let rest = script.get(at + TOOLS.len()..)?;
        let is_name = |char: char| char.is_ascii_alphanumeric() || char == '_';
        let (name, rest) = rest.split_at_checked(rest.find(|char| !is_name(char))?)?;
        Some((name, rest.strip_prefix('(')?)).filter(|_| !name.is_empty())
    })
}

/// The contents of the string literal at the start of some code, as far as it goes.
fn literal(code: &str) -> Option<String> {
    let mut chars = code.trim_start().chars();
    let quote = chars.next().filter(|it| matches!(it, '"' | '\'' | '`'))?;
    let mut text = String::new();
    while let Some(char) = chars.next() {
        match char {
            '\\' => match chars.next() {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some('r') => text.push('\r'),
                Some('u') => {
                    let digits: String = chars.by_ref().take(4).collect();
                    let code = u32::from_str_radix(&digits, 16).ok();
                    text.push(code.and_then(char::from_u32).unwrap_or('\u{fffd}'));
                }
                // A line continuation.
                Some('\n') | None => {}
                Some(other) => text.push(other),
            },
            char if char == quote => break,
            char => text.push(char),
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_told_from_words() {
        let scripts = [
            "const r = await tools.exec_command({cmd: 'ls'}); text(r.output);\n",
            "text(1 + 1);",
            "// Look first.\nconst a = 1;",
            "for (const f of names) await tools.view({path: f",
        ];
        let others =
            ["Let us look.", "const is a word", "the tools. (Some)", "*** Begin Patch", ""];
        assert!(scripts.iter().all(|it| is_script(it)));
        assert!(!others.iter().any(|it| is_script(it)));
    }

    #[test]
    fn a_script_that_runs_one_command_says_which() {
        let cases = [
            (
                r#"await tools.exec_command({"cmd":"grep -c \"sail\" log","workdir":"/w"})"#,
                r#"grep -c "sail" log"#,
            ),
            ("tools.exec_command({ workdir: '/cmd', cmd: `ls -l\nls` })", "ls -l\nls"),
            (r#"tools.exec_command({cmd:"echo caf\u00e9 cut he"#, "echo café cut he"),
        ];
        for (script, expected) in cases {
            assert_eq!(command(script).as_deref(), Some(expected), "{script}");
        }
        let others = [
            "tools.exec_command({cmd: 'a'}); tools.exec_command({cmd: 'b'})",
            "tools.exec_command({cmd: name})",
            "tools.exec_command(options)",
            "text('cmd')",
        ];
        assert!(others.iter().all(|it| command(it).is_none()));
    }

    #[test]
    fn patches_in_a_script_are_found() {
        let patch = "*** Begin Patch\n*** Update File: a\n@@\n-x \"\n+y\n*** End Patch";
        let quoted = r#"tools.apply_patch("*** Begin Patch\n*** Update File: a\n@@\n-x \"\n+y\n*** End Patch")"#;
        assert_eq!(patches(quoted), [patch]);
        assert_eq!(
            patches(&format!("const p = `\n{patch}`; await tools.apply_patch(p);")),
            [patch]
        );
        let lines = r#"tools.apply_patch(["*** Begin Patch", "*** Update File: a"].join("\n"))"#;
        assert!(patches(lines).is_empty() && patches(&format!("text(`{patch}`)")).is_empty());
    }
}
