//! One version everywhere, and workflows that may do no more than they need.

use std::path::Path;

use super::{files_below, has_extension, text_of};

/// Most lines of a release in the changelog, with its heading.
const MOST_LINES: usize = 40;

fn read(path: &str) -> String {
    text_of(Path::new(path)).expect("the file is UTF-8")
}

/// The version in the manifest of the workspace.
fn version() -> String {
    let manifest = read("Cargo.toml");
    let after = manifest.split_once("[workspace.package]\nversion = \"");
    let (_, version) = after.expect("the workspace has a version");
    version.split('"').next().unwrap_or_default().to_owned()
}

#[test]
fn all_packages_have_the_version_of_the_workspace() {
    let manifests = files_below("src").into_iter().filter(|path| path.ends_with("Cargo.toml"));
    for path in manifests.chain(["Cargo.toml".into()]) {
        let manifest = text_of(&path).unwrap();
        let package = manifest.split("[package]").nth(1).unwrap();
        assert!(package.contains("version.workspace = true"), "{}", path.display());
    }
}

#[test]
fn what_installs_a_release_names_the_latest_one() {
    let version = version();
    let latest = read("CHANGELOG.md");
    let latest =
        latest.split("\n## ").find(|it| it.starts_with(|char: char| char.is_ascii_digit()));
    assert_eq!(latest.unwrap().split(' ').next(), Some(version.as_str()));
    for path in ["action.yml", "docs/ci.md"] {
        let text = read(path);
        let named: Vec<&str> = text
            .match_indices("traceloupe@")
            .map(|(at, found)| {
                let rest = text.get(at + found.len()..).unwrap();
                let end = rest.find(|char: char| !(char.is_ascii_alphanumeric() || char == '.'));
                rest.get(..end.unwrap_or(rest.len())).unwrap().trim_start_matches('v')
            })
            .collect();
        assert!(!named.is_empty() && named.iter().all(|it| *it == version), "{path}: {named:?}");
    }
}

#[test]
fn releases_are_short_in_the_changelog() {
    for section in read("CHANGELOG.md").split("\n## ").skip(1) {
        assert!(
            section.trim_end().lines().count() <= MOST_LINES,
            "{}",
            section.lines().next().unwrap()
        );
    }
}

/// Whether an action is one of GitHub's own, named by its commit, with the version as a comment.
fn is_pinned(action: &str) -> bool {
    let Some((name, version)) = action.split_once('@') else { return false };
    let Some((commit, version)) = version.split_once(" # v") else { return false };
    name.starts_with("actions/")
        && commit.len() == 40
        && commit.chars().all(|it| it.is_ascii_hexdigit())
        && version.split('.').count() == 3
        && version.split('.').all(|it| it.parse::<u32>().is_ok())
}

#[test]
fn workflows_use_released_actions_and_may_only_read_unless_a_job_needs_more() {
    let mut n_actions = 0;
    for path in files_below(".github/workflows") {
        assert!(has_extension(&path, &["yml"]));
        let text = text_of(&path).unwrap();
        assert!(text.contains("\npermissions: { contents: read }\n"), "{}", path.display());
        for action in text.lines().filter_map(|line| line.split_once("uses: ")).map(|it| it.1) {
            assert!(is_pinned(action), "{action}");
            n_actions += 1;
        }
        // What comes from outside reaches a script through its environment.
        let scripts = text.lines().filter(|line| line.trim_start().starts_with("- run:"));
        assert!(scripts.filter(|line| line.contains("${{")).count() == 0, "{}", path.display());
    }
    assert!(n_actions > 6);
    let action = text_of(Path::new("action.yml")).unwrap();
    for used in action.lines().filter_map(|line| line.split_once("uses: ")).map(|it| it.1) {
        assert!(is_pinned(used), "{used}");
    }
}
