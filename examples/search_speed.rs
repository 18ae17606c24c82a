//! Measures the search over the bytes of a file, in slices as in the worker: `cargo run --release
//! --example search_speed -- FILE [QUERY…]` (`/…/` is a regular expression).
#![allow(clippy::print_stdout)]

use std::time::Instant;

use traceloupe_search::{Query, Scanner};

const SLICE_BYTES: usize = 1 << 20;
const ROUNDS: usize = 3;

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let Some(path) = arguments.next() else { return Ok(()) };
    let bytes = std::fs::read(&path)?;
    let mut queries: Vec<String> = arguments.collect();
    if queries.is_empty() {
        let usual = [
            "qzxwvk",
            "error",
            "the",
            "e",
            "Zürich",
            "\n",
            r"/error: \w+/",
            r"/\d{3}ms/",
            "/[0-9]+/",
        ];
        queries = usual.map(str::to_owned).to_vec();
    }
    for text in queries {
        let regex = text.strip_prefix('/').and_then(|it| it.strip_suffix('/'));
        let query = match regex {
            Some(text) => Query { regex: true, ..Query::literal(text) },
            None => Query::literal(&text),
        };
        let Ok(mut scanner) = Scanner::new(&query) else { continue };
        let (mut fewest, mut n) = (f64::INFINITY, 0_u64);
        for _ in 0..ROUNDS {
            n = 0;
            let start = Instant::now();
            bytes.chunks(SLICE_BYTES).for_each(|slice| scanner.push(slice, &mut |_| n += 1));
            scanner.finish(&mut |_| n += 1);
            fewest = fewest.min(start.elapsed().as_secs_f64());
        }
        println!("{text:?}: {n} hits, {:.0} MB/s", bytes.len() as f64 / fewest / 1e6);
    }
    Ok(())
}
