//! The changes of an applied patch to files, as a unified diff.

use std::borrow::Cow;

use traceloupe_core::json::Json;

/// The changes of several files as one diff, and in brief: `+1 −1 path`. `None` if one of them has neither a diff nor a
/// content.
pub(super) fn diff(changes: Json<'_>) -> Option<(String, String)> {
    let (mut text, mut names) = (String::new(), Vec::new());
    let (mut n_added, mut n_removed) = (0, 0);
    for (path, change) in changes.members() {
        let diff = change.any(&["unified_diff", "update.unified_diff"]).text();
        let to = change.any(&["move_path", "update.move_path"]).text();
        let content = change.any(&["content", "add.content", "delete.content"]).text();
        let is_deleted = change.get("type").is("delete") || change.get("delete").is_given();
        let (from, to, rows) = match (diff, content) {
            (Some(diff), _) => (path.clone(), to.unwrap_or(path), diff),
            (None, content) if is_deleted => {
                let rows = whole('-', &content.unwrap_or_default());
                (path, Cow::Borrowed("/dev/null"), Cow::Owned(rows))
            }
            (None, Some(content)) => {
                (Cow::Borrowed("/dev/null"), path, Cow::Owned(whole('+', &content)))
            }
            (None, None) => return None,
        };
        let count = |sign: char| rows.lines().filter(|line| line.starts_with(sign)).count();
        n_added += count('+');
        n_removed += count('-');
        text.push_str(&format!("--- {from}\n+++ {to}\n{}\n", rows.trim_end_matches('\n')));
        names.push(if is_deleted { from } else { to });
    }
    let others = match names.len().checked_sub(1)? {
        0 => String::new(),
        1 => " and 1 more file".to_owned(),
        n => format!(" and {n} more files"),
    };
    let first = names.first()?;
    Some((text, format!("+{n_added} −{n_removed} {first}{others}")))
}

/// The part of a diff that adds or removes a whole file.
fn whole(sign: char, content: &str) -> String {
    let n_lines = content.lines().count();
    let mut rows = match sign {
        '+' => format!("@@ -0,0 +1,{n_lines} @@\n"),
        _ => format!("@@ -1,{n_lines} +0,0 @@\n"),
    };
    content.lines().for_each(|line| rows.push_str(&format!("{sign}{line}\n")));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_of_files_are_one_diff() {
        let changes = r#"{"a":{"type":"update","unified_diff":"@@ -1 +1 @@\n-x\n+y\n","move_path":"b"},"c":{"type":"add","content":"u\nv\n"},"d":{"delete":{"content":"w"}}}"#;
        let (text, words) = diff(Json::new(changes)).unwrap();
        assert_eq!(words, "+3 −2 b and 2 more files");
        let expected = "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n--- /dev/null\n+++ c\n@@ -0,0 +1,2 @@\n+u\n+v\n\
                        --- d\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-w\n";
        assert_eq!(text, expected);
        for unknown in [r#"{"a":{"type":"link"}}"#, r#"{"a":7}"#, "{}", "[1]", "null", ""] {
            assert_eq!(diff(Json::new(unknown)), None, "{unknown}");
        }
    }
}
