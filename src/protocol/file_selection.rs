//! Which files are read of a folder, of several files or of an archive, and when they are listed before any of them is
//! opened. The page applies these rules to folders, and the worker to archives.

/// If there are more files than this, they are listed; otherwise they are opened together.
const MAX_OPENED: usize = 24;

/// If several files have more bytes than this in total, they are listed.
const MAX_OPENED_BYTES: u64 = 256 << 20;

/// Endings of files that hold no trace: media, fonts, programs, and what other programs leave behind. All others are
/// read, because formats are detected by content.
const ENDINGS: [&str; 36] = [
    "png", "jpg", "jpeg", "gif", "webp", "bmp", "ico", "svg", "avif", "mp3", "wav", "mp4", "webm",
    "mov", "woff", "woff2", "ttf", "otf", "eot", "pdf", "docx", "xlsx", "pptx", "exe", "dll", "so",
    "dylib", "o", "a", "class", "pyc", "wasm", "node", "lock", "tmp", "ds_store",
];

/// Whether several files are opened together without a list.
#[must_use]
pub fn open_together(n_files: usize, len_bytes: u64) -> bool {
    n_files <= 1 || n_files <= MAX_OPENED && len_bytes <= MAX_OPENED_BYTES
}

/// The ending of a file of a folder or an archive that is not read; `None` if the file is read. A file dropped by
/// itself has no folder in its path, and is always read.
#[must_use]
pub fn left_out_ending(path: &str) -> Option<&'static str> {
    let (_, name) = path.rsplit_once('/')?;
    let (_, ending) = name.rsplit_once('.')?;
    ENDINGS.into_iter().find(|known| known.eq_ignore_ascii_case(ending))
}

/// Files that were left out: their endings and how many there are of each, the most frequent ones first.
pub type LeftOut = Vec<(String, u32)>;

/// Adds a file that was left out, or several of the same ending.
pub fn leave_out(left_out: &mut LeftOut, ending: &str, n: u32) {
    match left_out.iter_mut().find(|(known, _)| known == ending) {
        Some((_, known)) => *known = known.saturating_add(n),
        None => left_out.push((ending.to_owned(), n)),
    }
    // The sort is stable, so the first one seen precedes others of the same number.
    traceloupe_core::sorting::sort_by_key(left_out, |(_, n)| std::cmp::Reverse(*n));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_folders_that_hold_no_trace_are_left_out() {
        for path in ["a/b.PNG", "x.zip/yarn.lock", "a/.DS_Store"] {
            assert!(left_out_ending(path).is_some(), "{path}");
        }
        for path in ["b.png", "a/b.traj", "a/b.yaml", "a/b.md", "a/png", "a.png/b", "a/b.zip"] {
            assert_eq!(left_out_ending(path), None, "{path}");
        }
    }

    #[test]
    fn files_left_out_are_counted_by_ending() {
        let mut left_out = LeftOut::new();
        for ending in ["lock", "png", "png"] {
            leave_out(&mut left_out, ending, 1);
        }
        assert_eq!(left_out, [("png".to_owned(), 2), ("lock".to_owned(), 1)]);
    }

    #[test]
    fn many_files_or_bytes_are_listed() {
        assert!(open_together(24, 1 << 20) && open_together(1, 1 << 40));
        assert!(!open_together(25, 1) && !open_together(2, 1 << 30));
    }
}
