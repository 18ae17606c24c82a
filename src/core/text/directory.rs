//! Paths as a person who works in the run's directory would write them.

use crate::model::{Fact, FactKind, FactValue, facts_of};

/// The directory of a run, by its facts; empty where the file names none, or several.
#[must_use]
pub fn directory_of(facts: &[Fact]) -> &str {
    let mut named = facts_of(facts, &FactKind::Folder);
    match (named.next(), named.next()) {
        (Some(FactValue::Text(directory)), None) => directory.trim_end_matches(['/', '\\']),
        _ => "",
    }
}

/// A path without the directory, as [`directory_of`] gives it; `.` for the directory itself. Other paths stay whole.
#[must_use]
pub fn relative<'a>(path: &'a str, directory: &str) -> &'a str {
    let rest = path.strip_prefix(directory).filter(|_| !directory.is_empty());
    match rest {
        Some("" | "/" | "\\") => ".",
        Some(rest) => rest.strip_prefix(['/', '\\']).unwrap_or(path),
        None => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_in_the_directory_begin_below_it() {
        for (path, directory, expect) in [
            ("/srv/shop/src/a.ts", "/srv/shop", "src/a.ts"),
            ("/srv/shop", "/srv/shop", "."),
            ("/srv/shop/", "/srv/shop", "."),
            ("/srv/shopping/a.ts", "/srv/shop", "/srv/shopping/a.ts"),
            ("/tmp/a.ts", "/srv/shop", "/tmp/a.ts"),
            ("C:\\shop\\a.ts", "C:\\shop", "a.ts"),
            ("/a.ts", "", "/a.ts"),
        ] {
            assert_eq!(relative(path, directory), expect, "{path}");
        }
    }
}
