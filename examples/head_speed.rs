//! Measures what the list of a folder costs per file: `cargo run --release --example head_speed -- FOLDER`.
#![allow(clippy::print_stdout)]

use std::path::{Path, PathBuf};
use std::time::Instant;

use traceloupe_protocol::head::{HEAD_BYTES, LONG_HEAD_BYTES};
use traceloupe_session::head;

fn main() -> std::io::Result<()> {
    for folder in std::env::args().skip(1) {
        let mut files = Vec::new();
        walk(Path::new(&folder), &mut files)?;
        let mut heads = Vec::new();
        let mut likely = String::new();
        for path in &files {
            let bytes = std::fs::read(path)?;
            let begun = Instant::now();
            let read = |len: u32| {
                let start = bytes.get(..len as usize).unwrap_or(&bytes);
                head(0, &path.to_string_lossy(), start, start.len() == bytes.len(), &likely)
            };
            let mut head = read(HEAD_BYTES);
            if head.is_cut {
                head = read(LONG_HEAD_BYTES);
            }
            likely.clone_from(&head.format);
            heads.push((begun.elapsed().as_secs_f64() * 1e3, head, path));
        }
        let sum: f64 = heads.iter().map(|(ms, ..)| ms).sum();
        heads.sort_by(|one, other| other.0.total_cmp(&one.0));
        println!("{folder}: {} files, {:.2} ms each", heads.len(), sum / heads.len() as f64);
        for (ms, head, path) in &heads {
            println!("{ms:7.2} ms  {:<18} {:<40.40} {}", head.format, head.title, path.display());
        }
    }
    Ok(())
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { walk(&path, files)? } else { files.push(path) }
    }
    Ok(())
}
