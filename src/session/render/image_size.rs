//! The size of an image in pixels, from the beginning of its file.

/// How many pixels an image has, if its beginning says so: PNG, GIF, JPEG and WebP.
#[must_use]
pub fn n_pixels(head: &[u8]) -> Option<u64> {
    let big = |at: usize, n: usize| number(head, at, n, true);
    let little = |at: usize, n: usize| number(head, at, n, false);
    let (width, height) = match head {
        [0x89, b'P', b'N', b'G', ..] if head.get(12..16)? == b"IHDR" => (big(16, 4)?, big(20, 4)?),
        [b'G', b'I', b'F', ..] => (little(6, 2)?, little(8, 2)?),
        [0xff, 0xd8, ..] => return n_pixels_of_jpeg(head),
        [b'R', b'I', b'F', b'F', ..] => match head.get(12..16)? {
            b"VP8X" => (little(24, 3)? + 1, little(27, 3)? + 1),
            b"VP8 " => (little(26, 2)? & 0x3fff, little(28, 2)? & 0x3fff),
            // Lossless: fourteen bits each.
            _ => {
                let bits = little(21, 4)?;
                ((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1)
            }
        },
        _ => return None,
    };
    Some(width.saturating_mul(height))
}

/// Goes through the segments of a JPEG file to the one with its size.
fn n_pixels_of_jpeg(head: &[u8]) -> Option<u64> {
    let mut at = 2;
    loop {
        let (mark, len) = (*head.get(at + 1)?, number(head, at + 2, 2, true)?);
        let is_size = matches!(mark, 0xc0..=0xcf) && !matches!(mark, 0xc4 | 0xc8 | 0xcc);
        if *head.get(at)? != 0xff || is_size {
            let size =
                number(head, at + 5, 2, true)?.saturating_mul(number(head, at + 7, 2, true)?);
            return is_size.then_some(size);
        }
        at += 2 + usize::try_from(len).ok()?.max(2);
    }
}

/// An integer of a few bytes at an offset.
fn number(bytes: &[u8], at: usize, n: usize, is_big_endian: bool) -> Option<u64> {
    let bytes = bytes.get(at..at + n)?.iter();
    let add = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
    Some(if is_big_endian { bytes.fold(0, add) } else { bytes.rev().fold(0, add) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_the_formats_that_browsers_show() {
        let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\0\0\0\0\x02";
        assert_eq!(n_pixels(png), Some(512));
        assert_eq!(n_pixels(b"GIF89a\x03\0\x05\0"), Some(15));
        let jpeg = b"\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x11\x08\x01\0\0\x02\x03";
        assert_eq!(n_pixels(jpeg), Some(512));
        let webp = |kind: &[u8], rest: &[u8]| [b"RIFF\0\0\0\0WEBP", kind, rest].concat();
        let wide = webp(b"VP8X", &[10, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 4, 0, 0]);
        assert_eq!(n_pixels(&wide), Some(50));
        let lossy = webp(b"VP8 ", &[0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 10, 0, 5, 0]);
        assert_eq!(n_pixels(&lossy), Some(50));
        let lossless = webp(b"VP8L", &[0, 0, 0, 0, 0x2f, 9, 0, 1, 0]);
        assert_eq!(n_pixels(&lossless), Some(50));
        for cut in [
            &png[..10],
            b"",
            b"\xff\xd8\xff",
            b"text of another kind",
            b"\x89PNG, and nothing more of it",
        ] {
            assert_eq!(n_pixels(cut), None);
        }
    }
}
