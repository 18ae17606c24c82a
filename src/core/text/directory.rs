//! Paths as a user in the run's directory would write them.

/// A path relative to the directory that the facts of a run state; `.` for the directory itself. Paths outside of it
/// are unchanged.
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
