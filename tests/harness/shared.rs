//! Real files beside the repository. A clone may lack them; a test that needs them is then reported as not run, instead
//! of passing silently. Tests beside the code use this file as well.
#![allow(dead_code, reason = "each user has its part")]
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may panic, and says what it skips"
)]

use std::io::Write as _;
use std::panic::Location;
use std::path::{Path, PathBuf};

/// A path below `../shared`. `None` if it is missing: the test is listed as not run and must return.
#[track_caller]
pub fn shared(path: &str) -> Option<PathBuf> {
    find(path, "not run: needs ../shared", Location::caller())
}

/// A path below `../shared`, for a test that also runs over fixtures of this repository. `None` if it is missing: the
/// test is listed as run over those fixtures only.
#[track_caller]
pub fn shared_also(path: &str) -> Option<PathBuf> {
    find(path, "run over own fixtures only", Location::caller())
}

/// The least count that a sweep must reach: `with_shared` if `../shared` exists, else `alone`.
pub fn at_least<T>(with_shared: T, alone: T) -> T {
    if root().exists() { with_shared } else { alone }
}

/// The folder: beside the repository, unless `TRACELOUPE_SHARED` names another. (With a folder that does not exist, the
/// tests run as in a clone without the files.)
fn root() -> PathBuf {
    let beside = || repository().join("../shared");
    std::env::var_os("TRACELOUPE_SHARED").map_or_else(beside, PathBuf::from)
}

/// The folder of the repository. Tests of all its packages use this file.
fn repository() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().find(|it| it.join("Trunk.toml").exists()).unwrap_or(package)
}

fn find(path: &str, otherwise: &str, caller: &Location<'_>) -> Option<PathBuf> {
    let found = root().join(path);
    if found.exists() {
        return Some(found);
    }
    let thread = std::thread::current();
    let name = thread.name().unwrap_or("?");
    let line = format!("{otherwise}\t{} {name}\n", caller.file());
    print!("{line}");
    // `.ci/test.sh` sets the name of a file, and prints the file after all tests have run.
    if let Some(list) = std::env::var_os("TRACELOUPE_NOT_RUN") {
        let list = std::fs::OpenOptions::new().create(true).append(true).open(list);
        list.and_then(|mut list| list.write_all(line.as_bytes())).unwrap();
    }
    None
}
