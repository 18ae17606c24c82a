//! Commands in unit tests: what they run, change and search.

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
    assert_eq!(program_of("cat <<'E' > a\nls; rm b\nE\n").as_deref(), Some("cat"));
    assert_eq!(program_of(""), None);
}

#[test]
fn what_a_command_acts_on_is_known_beside_its_options() {
    for (command, expected) in [
        ("cd /a && cat -n b.txt | head -3", "cat b.txt"),
        ("FOO=1 pytest tests/a.py -k x", "pytest"),
        ("python3 run.py --fast", "python3 run.py"),
        ("python3 - <<'E'\nprint('a; b')\nE", "python3"),
        ("git -C a commit -m 'b c'", "git commit"),
        ("npm run build -- --x 2>&1 | tail", "npm run build"),
        ("# don't\nls /x", "ls /x"),
    ] {
        assert_eq!(Command::of(command).target().as_deref(), Some(expected), "{command}");
    }
}

#[test]
fn the_last_step_that_may_fail_tells_whether_something_was_searched() {
    for command in [
        "grep -rn lamp src",
        "cd a && FOO=1 rg lamp | grep wick",
        "npm test 2>&1 | grep -c FAIL",
        "which lamp && echo yes",
        "command -v lamp",
        "test -f a.txt",
        "[ -f a.txt ]",
        "diff a b",
        "diff -u <(sed -n 3p a) <(sort b | uniq -c)",
        "git -C a config lamp.wick",
        "git diff --exit-code",
        "git --no-pager diff --no-index a b",
        "bash -lc 'ls; grep x y'",
        "timeout 9 grep x y",
        "for f in *; do grep x $f; done",
        "if ! grep -q x y; then\n  true\nfi\ngrep z y",
        "cat <<E > a\nmake\nE\ngrep x a",
    ] {
        assert!(Command::of(command).is_search(), "{command}");
    }
    for command in [
        "",
        "make",
        "grep x y && make",
        "grep x y | head -3",
        "grep x y; make",
        "git diff",
        "git push",
        "python -c 'grep()'",
        "cat <<E\ngrep x\nE",
        "make # grep",
        "echo 'a | grep b'",
    ] {
        assert!(!Command::of(command).is_search(), "{command}");
    }
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
    assert_eq!(programs_of("zsh -lc rg x src | head"), ["rg", "head"]);
    assert_eq!(programs_of("bash -c 'cd a; cat b'"), ["cat"]);
    assert_eq!(programs_of(&"bash -c ".repeat(9)).len(), 1);
    assert!(programs_of("cd a").is_empty());
}

#[test]
fn a_commit_is_found_among_other_commands() {
    for command in [
        "git commit -m a",
        "git add -A && git -C b commit -qm 'a; b' && git push",
        "cd a && bash -lc \"git commit --amend\" | cat",
    ] {
        assert!(commits(command), "{command}");
    }
    for command in ["git log --grep commit", "echo git commit", "git show commit", ""] {
        assert!(!commits(command), "{command}");
    }
}

#[test]
fn a_command_that_only_writes_a_document() {
    for command in [
        "cat > a.md << 'EOF'\n| a | b |\nEOF\n",
        "mkdir -p x && cat <<EOF >x/a.py\nimport os\nEOF",
        "tee a.md <<EOF\nx\nEOF",
    ] {
        assert!(writes_document(command), "{command}");
    }
    for command in [
        "cat >> a.log << EOF\nx\nEOF",
        "cat > a.py << EOF\nx\nEOF\npython a.py",
        "python3 - << EOF\nopen('a', 'w')\nEOF",
        "cat a.md > b.md",
        "cat << EOF\nx\nEOF",
    ] {
        assert!(!writes_document(command), "{command}");
    }
}
