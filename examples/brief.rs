//! Prints the brief of the first run of trace files as Markdown, or as HTML with `--html` first: `cargo run --example brief --
//! FILE…`.
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

#[path = "../tests/harness/mod.rs"]
mod harness;

use harness::briefs::{brief_of, prices};
use harness::open_one;
use traceloupe_words::brief::{brief_html, brief_markdown};

fn main() -> std::io::Result<()> {
    let (flags, paths): (Vec<_>, Vec<_>) =
        std::env::args().skip(1).partition(|it| it.starts_with("--"));
    let write = if flags.is_empty() { brief_markdown } else { brief_html };
    let prices = prices();
    for path in paths {
        let name = path.rsplit('/').next().unwrap_or(&path);
        let mut opened = open_one(name, &std::fs::read(&path)?);
        let run = opened.outline().run_to_read();
        println!("{}", write(&brief_of(&mut opened, run, Some(&prices))));
    }
    Ok(())
}
