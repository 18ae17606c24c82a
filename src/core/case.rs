//! Lowercasing of all letters.
//!
//! The standard library has a table of every letter for each direction: 24 kB that hardly compress, and both programs
//! would contain them. Here, letters that follow the same rule share one entry.

/// Letters beyond ASCII that have a lower case, in order. Each entry is a group: its first letter, the distance to its
/// last letter, the step between letters (1 or 2), and the number to add for the lower case.
///
/// Unicode has one more, `İ`, whose lower case is two characters.
#[rustfmt::skip]
const LOWER: &[(u32, u16, u8, i32)] = &[
    (0xc0, 22, 1, 32), (0xd8, 6, 1, 32), (0x100, 46, 2, 1), (0x132, 4, 2, 1), (0x139, 14, 2, 1),
    (0x14a, 44, 2, 1), (0x178, 0, 1, -121), (0x179, 4, 2, 1), (0x181, 0, 1, 210), (0x182, 2, 2, 1),
    (0x186, 0, 1, 206), (0x187, 0, 1, 1), (0x189, 1, 1, 205), (0x18b, 0, 1, 1), (0x18e, 0, 1, 79),
    (0x18f, 0, 1, 202), (0x190, 0, 1, 203), (0x191, 0, 1, 1), (0x193, 0, 1, 205),
    (0x194, 0, 1, 207), (0x196, 0, 1, 211), (0x197, 0, 1, 209), (0x198, 0, 1, 1),
    (0x19c, 0, 1, 211), (0x19d, 0, 1, 213), (0x19f, 0, 1, 214), (0x1a0, 4, 2, 1),
    (0x1a6, 0, 1, 218), (0x1a7, 0, 1, 1), (0x1a9, 0, 1, 218), (0x1ac, 0, 1, 1), (0x1ae, 0, 1, 218),
    (0x1af, 0, 1, 1), (0x1b1, 1, 1, 217), (0x1b3, 2, 2, 1), (0x1b7, 0, 1, 219), (0x1b8, 0, 1, 1),
    (0x1bc, 0, 1, 1), (0x1c4, 0, 1, 2), (0x1c5, 0, 1, 1), (0x1c7, 0, 1, 2), (0x1c8, 0, 1, 1),
    (0x1ca, 0, 1, 2), (0x1cb, 16, 2, 1), (0x1de, 16, 2, 1), (0x1f1, 0, 1, 2), (0x1f2, 2, 2, 1),
    (0x1f6, 0, 1, -97), (0x1f7, 0, 1, -56), (0x1f8, 38, 2, 1), (0x220, 0, 1, -130),
    (0x222, 16, 2, 1), (0x23a, 0, 1, 10795), (0x23b, 0, 1, 1), (0x23d, 0, 1, -163),
    (0x23e, 0, 1, 10792), (0x241, 0, 1, 1), (0x243, 0, 1, -195), (0x244, 0, 1, 69),
    (0x245, 0, 1, 71), (0x246, 8, 2, 1), (0x370, 2, 2, 1), (0x376, 0, 1, 1), (0x37f, 0, 1, 116),
    (0x386, 0, 1, 38), (0x388, 2, 1, 37), (0x38c, 0, 1, 64), (0x38e, 1, 1, 63), (0x391, 16, 1, 32),
    (0x3a3, 8, 1, 32), (0x3cf, 0, 1, 8), (0x3d8, 22, 2, 1), (0x3f4, 0, 1, -60), (0x3f7, 0, 1, 1),
    (0x3f9, 0, 1, -7), (0x3fa, 0, 1, 1), (0x3fd, 2, 1, -130), (0x400, 15, 1, 80),
    (0x410, 31, 1, 32), (0x460, 32, 2, 1), (0x48a, 52, 2, 1), (0x4c0, 0, 1, 15), (0x4c1, 12, 2, 1),
    (0x4d0, 94, 2, 1), (0x531, 37, 1, 48), (0x10a0, 37, 1, 7264), (0x10c7, 0, 1, 7264),
    (0x10cd, 0, 1, 7264), (0x13a0, 79, 1, 38864), (0x13f0, 5, 1, 8), (0x1c89, 0, 1, 1),
    (0x1c90, 42, 1, -3008), (0x1cbd, 2, 1, -3008), (0x1e00, 148, 2, 1), (0x1e9e, 0, 1, -7615),
    (0x1ea0, 94, 2, 1), (0x1f08, 7, 1, -8), (0x1f18, 5, 1, -8), (0x1f28, 7, 1, -8),
    (0x1f38, 7, 1, -8), (0x1f48, 5, 1, -8), (0x1f59, 6, 2, -8), (0x1f68, 7, 1, -8),
    (0x1f88, 7, 1, -8), (0x1f98, 7, 1, -8), (0x1fa8, 7, 1, -8), (0x1fb8, 1, 1, -8),
    (0x1fba, 1, 1, -74), (0x1fbc, 0, 1, -9), (0x1fc8, 3, 1, -86), (0x1fcc, 0, 1, -9),
    (0x1fd8, 1, 1, -8), (0x1fda, 1, 1, -100), (0x1fe8, 1, 1, -8), (0x1fea, 1, 1, -112),
    (0x1fec, 0, 1, -7), (0x1ff8, 1, 1, -128), (0x1ffa, 1, 1, -126), (0x1ffc, 0, 1, -9),
    (0x2126, 0, 1, -7517), (0x212a, 0, 1, -8383), (0x212b, 0, 1, -8262), (0x2132, 0, 1, 28),
    (0x2160, 15, 1, 16), (0x2183, 0, 1, 1), (0x24b6, 25, 1, 26), (0x2c00, 47, 1, 48),
    (0x2c60, 0, 1, 1), (0x2c62, 0, 1, -10743), (0x2c63, 0, 1, -3814), (0x2c64, 0, 1, -10727),
    (0x2c67, 4, 2, 1), (0x2c6d, 0, 1, -10780), (0x2c6e, 0, 1, -10749), (0x2c6f, 0, 1, -10783),
    (0x2c70, 0, 1, -10782), (0x2c72, 0, 1, 1), (0x2c75, 0, 1, 1), (0x2c7e, 1, 1, -10815),
    (0x2c80, 98, 2, 1), (0x2ceb, 2, 2, 1), (0x2cf2, 0, 1, 1), (0xa640, 44, 2, 1),
    (0xa680, 26, 2, 1), (0xa722, 12, 2, 1), (0xa732, 60, 2, 1), (0xa779, 2, 2, 1),
    (0xa77d, 0, 1, -35332), (0xa77e, 8, 2, 1), (0xa78b, 0, 1, 1), (0xa78d, 0, 1, -42280),
    (0xa790, 2, 2, 1), (0xa796, 18, 2, 1), (0xa7aa, 0, 1, -42308), (0xa7ab, 0, 1, -42319),
    (0xa7ac, 0, 1, -42315), (0xa7ad, 0, 1, -42305), (0xa7ae, 0, 1, -42308), (0xa7b0, 0, 1, -42258),
    (0xa7b1, 0, 1, -42282), (0xa7b2, 0, 1, -42261), (0xa7b3, 0, 1, 928), (0xa7b4, 14, 2, 1),
    (0xa7c4, 0, 1, -48), (0xa7c5, 0, 1, -42307), (0xa7c6, 0, 1, -35384), (0xa7c7, 2, 2, 1),
    (0xa7cb, 0, 1, -42343), (0xa7cc, 14, 2, 1), (0xa7dc, 0, 1, -42561), (0xa7f5, 0, 1, 1),
    (0xff21, 25, 1, 32), (0x10400, 39, 1, 40), (0x104b0, 35, 1, 40), (0x10570, 10, 1, 39),
    (0x1057c, 14, 1, 39), (0x1058c, 6, 1, 39), (0x10594, 1, 1, 39), (0x10c80, 50, 1, 64),
    (0x10d50, 21, 1, 32), (0x118a0, 31, 1, 32), (0x16e40, 31, 1, 32), (0x16ea0, 24, 1, 27),
    (0x1e900, 33, 1, 34),
];

/// The lower case of a character, or the character itself if it has none or its lower case is more than one character.
#[must_use]
pub fn lower(char: char) -> char {
    if char.is_ascii() {
        return char.to_ascii_lowercase();
    }
    let code = u32::from(char);
    let group = LOWER.partition_point(|(first, ..)| *first <= code).checked_sub(1);
    let group = group.and_then(|at| LOWER.get(at)).filter(|group| holds(group, code));
    let small = group.and_then(|(.., add)| char::from_u32(code.checked_add_signed(*add)?));
    small.unwrap_or(char)
}

/// Whether a letter belongs to a group.
fn holds((first, len, step, _): &(u32, u16, u8, i32), code: u32) -> bool {
    code.checked_sub(*first).is_some_and(|at| at <= u32::from(*len) && at % u32::from(*step) == 0)
}

/// A text with each character in lower case, for comparing. Unlike the standard library's version, the result has as
/// many characters as the text, and a sigma has the same lower case everywhere in a word.
#[must_use]
pub fn lowercase(text: &str) -> String {
    if text.is_ascii() { text.to_ascii_lowercase() } else { text.chars().map(lower).collect() }
}

/// All other characters that have this lower case, except those of ASCII.
pub fn capitals(small: char) -> impl Iterator<Item = char> {
    LOWER.iter().filter_map(move |group| {
        let capital = u32::from(small).checked_add_signed(group.3.checked_neg()?)?;
        char::from_u32(capital).filter(|_| holds(group, capital))
    })
}

/// The words in a name, in lower case: `toolCall_ID` is `tool`, `call`, `id`.
#[must_use]
pub fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut was_lower = false;
    for letter in name.chars() {
        let is_new = letter.is_uppercase() && was_lower || !letter.is_alphanumeric();
        if is_new && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if letter.is_alphanumeric() {
            word.push(lower(letter));
        }
        was_lower = letter.is_lowercase() || letter.is_numeric();
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "what the table is tested against")]
    fn each_letter_has_the_lower_case_of_the_standard_library() {
        for char in (0..=0x10_ffff).filter_map(char::from_u32) {
            let mut expected = char.to_lowercase();
            let one = expected.next().filter(|_| expected.next().is_none());
            assert_eq!(lower(char), one.unwrap_or(char), "U+{:04X}", u32::from(char));
        }
    }

    #[test]
    fn texts_are_in_lower_case() {
        assert_eq!(lowercase("Tool CALL"), "tool call");
        assert_eq!(lowercase("ÉCOLE ΣΟΦΟΣ ПРИВЕТ 東京"), "école σοφοσ привет 東京");
    }
}
