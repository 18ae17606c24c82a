//! Archives of any bytes: the directory, every entry unpacked in pieces, and the archive in a whole session.
#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use traceloupe_input::{Decoder, Gunzip, Unzstd, unzip, zip_entries};

/// How many bytes are unpacked of each entry.
const MAX_UNPACKED_BYTES: usize = 8 << 20;

fn decode(decoder: &mut dyn Decoder, packed: &[u8], chunk: usize) {
    let (mut out, mut n) = (Vec::new(), 0);
    for chunk in packed.chunks(chunk.max(1)) {
        decoder.push(chunk, &mut out);
        n += out.len();
        out.clear();
        decoder.notices();
        if decoder.is_done() || n > MAX_UNPACKED_BYTES {
            return;
        }
    }
    decoder.finish(&mut out);
    decoder.remarks();
}

fuzz_target!(|bytes: &[u8]| {
    if bytes.starts_with(&[0x1f, 0x8b]) {
        decode(&mut Gunzip::new(), bytes, bytes.len() % 64);
    }
    if bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        decode(&mut Unzstd::new(), bytes, bytes.len() % 64);
    }
    if let Ok(directory) = zip_entries(Cursor::new(bytes)) {
        for entry in directory.entries.iter().take(20) {
            let Ok((mut decoder, packed)) = unzip(Cursor::new(bytes), entry) else { continue };
            let at = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(bytes.len());
            decode(&mut decoder, &bytes[at(packed.start)..at(packed.end)], bytes.len() % 64);
        }
    }
    traceloupe_fuzz::open("a.zip", bytes, None);
});
