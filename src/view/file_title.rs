//! The title of opened files.

use traceloupe_words::page::opening::and_more;

/// The title of files with these paths: the path of the only one, the folder of all of them, or that of the first one.
#[must_use]
pub fn title_of(paths: &[&str]) -> String {
    match paths {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first, ..] => match first.split_once('/') {
            Some((folder, _)) if paths.iter().all(|it| it.starts_with(&format!("{folder}/"))) => {
                format!("{folder}/")
            }
            _ => and_more(first, paths.len() - 1),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_one_folder_have_its_name() {
        assert_eq!(title_of(&["a/b.json"]), "a/b.json");
        assert_eq!(title_of(&["a/b.json", "a/c/d.json"]), "a/");
        assert_eq!(title_of(&["a/b.json", "ab/c.json"]), and_more("a/b.json", 1));
        assert_eq!(title_of(&[]), "");
    }
}
