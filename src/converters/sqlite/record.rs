//! Rows: numbers of variable length, and the values of a record.

use std::borrow::Cow;

use super::pages::Encoding;
use super::schema::Table;

/// A value of a row.
#[derive(Clone, PartialEq, Debug)]
pub enum Value<'a> {
    /// NULL, or a column that the row does not have.
    Null,
    /// A whole number.
    Integer(i64),
    /// A floating-point number.
    Real(f64),
    /// A text.
    Text(Cow<'a, str>),
    /// Bytes.
    Blob(&'a [u8]),
}

impl<'a> Value<'a> {
    /// The text, which may be stored as bytes.
    #[must_use]
    pub fn text(self) -> Option<Cow<'a, str>> {
        match self {
            Self::Text(text) => Some(text),
            Self::Blob(bytes) => Some(String::from_utf8_lossy(bytes)),
            _ => None,
        }
    }

    /// The whole number, if the value is one.
    #[must_use]
    pub fn integer(&self) -> Option<i64> {
        match self {
            Self::Integer(number) => Some(*number),
            _ => None,
        }
    }
}

/// A row, as far as it was read.
#[derive(Debug)]
pub struct Row {
    pub(super) rowid: i64,
    pub(super) encoding: Encoding,
    /// The bytes of its record.
    pub(super) record: Vec<u8>,
    /// The length of the record, including the part that was not read.
    pub len_bytes: u64,
}

impl Row {
    /// The value of a column.
    #[must_use]
    pub fn get(&self, table: &Table, column: &str) -> Value<'_> {
        let Some(at) = table.column(column) else { return Value::Null };
        match self.value(at).unwrap_or(Value::Null) {
            Value::Null if table.rowid == Some(at) => Value::Integer(self.rowid),
            value => value,
        }
    }

    fn value(&self, column: usize) -> Option<Value<'_>> {
        let (serial, start) = place_of(&self.record, column)?;
        let bytes = self.record.get(start..start.checked_add(len_of(serial)?)?)?;
        Some(match serial {
            0 => Value::Null,
            1..=6 => Value::Integer(signed(bytes)),
            7 => Value::Real(f64::from_bits(signed(bytes).cast_unsigned())),
            8 => Value::Integer(0),
            9 => Value::Integer(1),
            // Even numbers are bytes, odd ones texts.
            _ if serial.is_multiple_of(2) => Value::Blob(bytes),
            _ => Value::Text(decoded(bytes, self.encoding)),
        })
    }
}

/// How much of a record must be read for its columns up to this one, provided that its header has been read.
pub(super) fn len_up_to(record: &[u8], column: usize) -> Option<usize> {
    let (serial, start) = place_of(record, column)?;
    start.checked_add(len_of(serial)?)
}

/// The length of a record's header.
pub(super) fn header_len(record: &[u8]) -> Option<usize> {
    usize::try_from(varint(record)?.0).ok()
}

/// The type of a column's value in a record, and where the value begins.
fn place_of(record: &[u8], column: usize) -> Option<(u64, usize)> {
    let (header_len, mut at) = varint(record)?;
    let header = record.get(..usize::try_from(header_len).ok()?)?;
    let mut start = header.len();
    let mut nth = 0;
    loop {
        let (serial, len) = varint(header.get(at..)?)?;
        if nth == column {
            return Some((serial, start));
        }
        (at, nth) = (at + len, nth + 1);
        start = start.checked_add(len_of(serial)?)?;
    }
}

/// The length of a value with a type. `None` for types that do not exist.
fn len_of(serial: u64) -> Option<usize> {
    match serial {
        0 | 8 | 9 => Some(0),
        1..=4 => usize::try_from(serial).ok(),
        5 => Some(6),
        6 | 7 => Some(8),
        10 | 11 => None,
        _ => usize::try_from((serial - 12) / 2).ok(),
    }
}

/// A number of up to eight bytes, whose first bit is its sign.
fn signed(bytes: &[u8]) -> i64 {
    let is_negative = bytes.first().is_some_and(|first| *first >= 0x80);
    bytes.iter().fold(if is_negative { -1 } else { 0 }, |sum, byte| (sum << 8) | i64::from(*byte))
}

fn decoded(bytes: &[u8], encoding: Encoding) -> Cow<'_, str> {
    let of_pair = match encoding {
        Encoding::Utf8 => return String::from_utf8_lossy(bytes),
        Encoding::Utf16Le => u16::from_le_bytes,
        Encoding::Utf16Be => u16::from_be_bytes,
    };
    let units: Vec<u16> = bytes.as_chunks::<2>().0.iter().map(|pair| of_pair(*pair)).collect();
    Cow::Owned(String::from_utf16_lossy(&units))
}

/// The variable-length number at the start of the bytes, and its length in bytes: up to nine. All bits of the ninth
/// byte count.
pub(super) fn varint(bytes: &[u8]) -> Option<(u64, usize)> {
    let mut number: u64 = 0;
    for (at, byte) in bytes.iter().take(9).enumerate() {
        if at == 8 {
            return Some(((number << 8) | u64::from(*byte), 9));
        }
        number = (number << 7) | u64::from(byte & 0x7f);
        if *byte < 0x80 {
            return Some((number, at + 1));
        }
    }
    None
}
