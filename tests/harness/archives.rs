//! Valid archives, and archives with false headers, climbing paths, repeated entries or bombs.

use std::io::Write as _;

use flate2::{Compress, Compression, Crc, FlushCompress, write::DeflateEncoder};

use super::{faults, gzip};

/// A zip archive under construction.
#[derive(Default)]
pub struct Zip {
    local: Vec<u8>,
    directory: Vec<u8>,
    n_entries: u16,
}

/// False values in the headers of an entry.
#[derive(Default)]
pub struct Lies {
    pub crc: Option<u32>,
    pub unpacked_len: Option<u32>,
    pub flags: u16,
    pub method: Option<u16>,
}

impl Zip {
    /// Adds a deflated entry with true headers.
    pub fn with(self, name: &str, bytes: &[u8]) -> Self {
        self.with_lies(name, bytes, &Lies::default())
    }

    /// Adds a deflated entry.
    pub fn with_lies(mut self, name: &str, bytes: &[u8], lies: &Lies) -> Self {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        let packed = encoder.finish().unwrap();
        let mut crc = Crc::new();
        crc.update(bytes);
        let len = |bytes: &[u8]| u32::try_from(bytes.len()).unwrap();
        let mut common = Vec::new();
        // Version 2.0, flags (0x800: the name is UTF-8), deflate, no time.
        common.extend(20_u16.to_le_bytes());
        common.extend((0x800 | lies.flags).to_le_bytes());
        common.extend(lies.method.unwrap_or(8).to_le_bytes());
        common.extend([0; 4]);
        common.extend(lies.crc.unwrap_or(crc.sum()).to_le_bytes());
        common.extend(len(&packed).to_le_bytes());
        common.extend(lies.unpacked_len.unwrap_or(len(bytes)).to_le_bytes());
        common.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
        common.extend([0; 2]);
        let offset = len(&self.local);
        self.local.extend(b"PK\x03\x04");
        self.local.extend(&common);
        self.local.extend(name.as_bytes());
        self.local.extend(&packed);
        self.directory.extend(b"PK\x01\x02\x14\x00");
        self.directory.extend(&common);
        self.directory.extend([0; 10]);
        self.directory.extend(offset.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.n_entries += 1;
        self
    }

    /// The bytes of the archive.
    pub fn finish(self) -> Vec<u8> {
        let Self { mut local, directory, n_entries } = self;
        let (at, len) = (u32::try_from(local.len()), u32::try_from(directory.len()));
        local.extend(&directory);
        local.extend(b"PK\x05\x06\x00\x00\x00\x00");
        local.extend(n_entries.to_le_bytes());
        local.extend(n_entries.to_le_bytes());
        local.extend(len.unwrap().to_le_bytes());
        local.extend(at.unwrap().to_le_bytes());
        local.extend([0; 2]);
        local
    }
}

/// Spaces, gzipped as tightly as possible. Each block is complete in itself, so one is made and repeated.
fn bomb(n_blocks: usize) -> Vec<u8> {
    let spaces = vec![b' '; 16 << 20];
    let mut block = Vec::with_capacity(1 << 20);
    let mut encoder = Compress::new(Compression::best(), false);
    encoder.compress_vec(&spaces, &mut block, FlushCompress::Full).unwrap();
    assert_eq!(encoder.total_in(), spaces.len() as u64);
    let mut crc = Crc::new();
    (0..n_blocks).for_each(|_| crc.update(&spaces));
    let mut bytes = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff".to_vec();
    bytes.extend(block.repeat(n_blocks));
    // An empty last block, the checksum, the length.
    bytes.extend(b"\x03\x00");
    bytes.extend(crc.sum().to_le_bytes());
    bytes.extend(u32::try_from(n_blocks * spaces.len()).unwrap().to_le_bytes());
    bytes
}

/// The names of all archives of the set.
pub const NAMES: [&str; 13] = [
    "bad-crc.zip",
    "bomb-128-lines-1MiB.jsonl.gz",
    "bomb-256MiB-spaces.gz",
    "duplicate-names.zip",
    "encrypted-flag.zip",
    "gzip-multi-member.jsonl.gz",
    "gzip-of-gzip-of-gzip.gz",
    "html-name.zip",
    "lying-size.zip",
    "ok.zip",
    "truncated.zip",
    "zip-of-bomb.zip",
    "zip-slip.zip",
];

/// An archive of the set.
pub fn archive(name: &str) -> Vec<u8> {
    let trace = faults::good().into_bytes();
    let one = |lies: &Lies| Zip::default().with_lies("trace.jsonl", &trace, lies).finish();
    match name {
        "ok.zip" => one(&Lies::default()),
        "bad-crc.zip" => one(&Lies { crc: Some(1), ..Lies::default() }),
        "lying-size.zip" => one(&Lies { unpacked_len: Some(1), ..Lies::default() }),
        "encrypted-flag.zip" => one(&Lies { flags: 1, ..Lies::default() }),
        "truncated.zip" => {
            let whole = one(&Lies::default());
            whole[..whole.len() / 2].to_vec()
        }
        "duplicate-names.zip" => Zip::default()
            .with("trace.jsonl", &trace)
            .with("trace.jsonl", b"{\"id\":\"other\"}\n")
            .finish(),
        "zip-slip.zip" => Zip::default()
            .with("good.txt", b"ok")
            .with("../../../../tmp/evil.txt", b"x")
            .with("..\\..\\evil.txt", b"x")
            .with("/etc/evil", b"x")
            .with("C:\\evil.txt", b"x")
            .finish(),
        "html-name.zip" => Zip::default()
            .with("<img src=x onerror=alert(1)>.jsonl", &trace)
            .with("\u{202e}gpj.lnosj", &trace)
            .with(&format!("{}.jsonl", "a".repeat(2_000)), &trace)
            .finish(),
        "zip-of-bomb.zip" => {
            Zip::default().with("bomb.gz", &archive("bomb-256MiB-spaces.gz")).finish()
        }
        "gzip-multi-member.jsonl.gz" => {
            let (first, second) = trace.split_at(trace.len() / 2);
            [gzip(first), gzip(second)].concat()
        }
        "gzip-of-gzip-of-gzip.gz" => gzip(&gzip(&gzip(&trace))),
        "bomb-128-lines-1MiB.jsonl.gz" => {
            let line = format!("{{\"id\":\"long\",\"text\":\"{}\"}}\n", "a".repeat(1 << 20));
            gzip(line.repeat(128).as_bytes())
        }
        "bomb-256MiB-spaces.gz" => bomb(16),
        other => panic!("no archive {other}"),
    }
}
