//! Base64 in strings, decoded in pieces. This is the only decoder of base64: strings in traces have line breaks, either
//! alphabet and no padding, and a large one is decoded while it is read.

/// Decodes base64 in either alphabet and skips everything that is not a digit. Digits that do not fill a group stay in
/// `rest` for the next call.
#[must_use]
pub fn decode(text: &[u8], rest: &mut Vec<u8>, is_last: bool) -> Vec<u8> {
    let digits = text.iter().filter_map(|byte| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    });
    rest.extend(digits);
    let mut out = Vec::with_capacity(rest.len() / 4 * 3 + 3);
    let groups = rest.chunks_exact(4);
    let over = groups.remainder().to_vec();
    for group in groups {
        let [a, b, c, d] = *group else { continue };
        out.extend([(a << 2) | (b >> 4), (b << 4) | (c >> 2), (c << 6) | d]);
    }
    *rest = over;
    if is_last {
        match rest.as_slice() {
            [a, b] => out.push((a << 2) | (b >> 4)),
            [a, b, c] => out.extend([(a << 2) | (b >> 4), (b << 4) | (c >> 2)]),
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_decoded_wherever_it_is_cut() {
        let text = b"TG9va2luZyBmb3IgYSBob3RlbCBpbiBHcmF6Pw==";
        for cut in 0..text.len() {
            let mut rest = Vec::new();
            let mut out = decode(&text[..cut], &mut rest, false);
            out.extend(decode(&text[cut..], &mut rest, true));
            assert_eq!(out, b"Looking for a hotel in Graz?", "{cut}");
        }
        assert_eq!(decode(b"_-8=\n", &mut Vec::new(), true), [0xff, 0xef]);
        assert_eq!(decode(b"", &mut Vec::new(), true), [0; 0]);
    }
}
