//! Flat columns of numbers, sent as bytes: one copy to encode, one to decode, no work per number. Many columns contain
//! only one number again and again, and are sent as that number.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A number that can be stored in a [`Column`].
pub trait Number: Copy + Default {
    /// Its size in bytes.
    const SIZE: usize;
    /// Writes as many of the little-endian bytes into `out` as fit.
    fn write(self, out: &mut [u8]);
    /// Reads the number from little-endian bytes; with too few bytes, the result is the default.
    fn read(bytes: &[u8]) -> Self;
    /// Whether two numbers have the same bytes.
    fn is_same(self, other: Self) -> bool;
}

macro_rules! number {
    ($($type:ty),*) => {$(
        impl Number for $type {
            const SIZE: usize = size_of::<$type>();

            fn write(self, out: &mut [u8]) {
                out.copy_from_slice(&self.to_le_bytes());
            }

            fn read(bytes: &[u8]) -> Self {
                bytes.try_into().map(Self::from_le_bytes).unwrap_or_default()
            }

            fn is_same(self, other: Self) -> bool {
                self.to_le_bytes() == other.to_le_bytes()
            }
        }
    )*};
}

number!(u8, u16, u32, f64);

/// A column of numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Column<T>(Vec<T>);

impl<T: Number> Column<T> {
    /// Adds a number.
    pub fn push(&mut self, value: T) {
        self.0.push(value);
    }

    /// The number at a row; the default (0) past the end.
    #[must_use]
    pub fn get(&self, row: u32) -> T {
        self.0.get(row as usize).copied().unwrap_or_default()
    }

    /// Replaces the number at a row.
    pub fn set(&mut self, row: u32, value: T) {
        if let Some(slot) = self.0.get_mut(row as usize) {
            *slot = value;
        }
    }

    /// How many numbers there are.
    #[must_use]
    pub fn len(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Appends the numbers of another column.
    pub fn extend(&mut self, other: &Self) {
        self.0.extend_from_slice(&other.0);
    }

    /// Reserves space for `n` more numbers.
    pub fn reserve(&mut self, n: usize) {
        self.0.reserve_exact(n);
    }

    /// Resizes to `n` numbers, filling new ones with `value`.
    pub fn resize(&mut self, n: usize, value: T) {
        self.0.resize(n, value);
    }

    /// The first number.
    #[must_use]
    pub fn first(&self) -> Option<T> {
        self.0.first().copied()
    }

    /// All numbers.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        &self.0
    }
}

impl<T: Number> FromIterator<T> for Column<T> {
    fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> Self {
        Self(iter.into_iter().collect())
    }
}

/// The form in which a column is sent: how many numbers there are, and their bytes, or the bytes of one number if all
/// are the same.
#[derive(Serialize, Deserialize)]
struct Sent<B>(u32, B);

/// Bytes that are serialized in one piece.
struct Bytes(Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<T: Number> Serialize for Column<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_one = self.0.windows(2).all(|it| matches!(it, [one, next] if one.is_same(*next)));
        let different = if is_one { self.0.get(..1).unwrap_or_default() } else { &self.0 };
        let mut bytes = vec![0; different.len() * T::SIZE];
        for (value, out) in different.iter().zip(bytes.chunks_exact_mut(T::SIZE)) {
            value.write(out);
        }
        Sent(self.len(), Bytes(bytes)).serialize(serializer)
    }
}

impl<'de, T: Number> Deserialize<'de> for Column<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Sent(n, bytes) = Sent::<&[u8]>::deserialize(deserializer)?;
        if bytes.len() == T::SIZE {
            return Ok(Self(vec![T::read(bytes); n as usize]));
        }
        Ok(Self(bytes.chunks_exact(T::SIZE).map(T::read).collect()))
    }
}

/// Strings stored as one string with end offsets, so that decoding needs no allocation per string.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Texts {
    all: String,
    /// The end of each string, in bytes.
    ends: Column<u32>,
}

impl Texts {
    /// The string at an index; empty past the end.
    #[must_use]
    pub fn get(&self, index: u32) -> &str {
        let from = index.checked_sub(1).map_or(0, |before| self.ends.get(before)) as usize;
        self.all.get(from..self.ends.get(index) as usize).unwrap_or_default()
    }

    /// All strings in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).map(|index| self.get(index))
    }
}

impl<'a> FromIterator<&'a str> for Texts {
    fn from_iter<I: IntoIterator<Item = &'a str>>(iter: I) -> Self {
        let mut texts = Self::default();
        for text in iter {
            texts.all.push_str(text);
            texts.ends.push(u32::try_from(texts.all.len()).unwrap_or(u32::MAX));
        }
        texts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_survive_encoding() {
        let numbers: Column<u32> = [0, 1, u32::MAX, 7].into_iter().collect();
        let bytes = postcard::to_allocvec(&numbers).unwrap();
        assert_eq!(postcard::from_bytes::<Column<u32>>(&bytes).unwrap(), numbers);
        let reals: Column<f64> = [0.5, -1.0].into_iter().collect();
        let bytes = postcard::to_allocvec(&reals).unwrap();
        assert_eq!(postcard::from_bytes::<Column<f64>>(&bytes).unwrap(), reals);
    }

    #[test]
    fn one_number_again_and_again_is_sent_once() {
        for n in [0, 1, 2, 1_000] {
            let unknown: Column<f64> = vec![f64::NAN; n].into_iter().collect();
            let bytes = postcard::to_allocvec(&unknown).unwrap();
            assert!(bytes.len() <= 11, "{n}: {bytes:?}");
            let back: Column<f64> = postcard::from_bytes(&bytes).unwrap();
            assert_eq!(back.len() as usize, n);
            assert!(back.as_slice().iter().all(|it| it.is_nan()));
        }
        // -0 equals 0, but has other bytes.
        let zeros: Column<f64> = [0.0, -0.0].into_iter().collect();
        let bytes = postcard::to_allocvec(&zeros).unwrap();
        let back: Column<f64> = postcard::from_bytes(&bytes).unwrap();
        assert_eq!(
            back.as_slice().iter().map(|it| it.is_sign_negative()).collect::<Vec<_>>(),
            [false, true]
        );
    }

    #[test]
    fn texts_are_found_by_their_index() {
        let texts: Texts = ["", "a", "", "bü"].into_iter().collect();
        let bytes = postcard::to_allocvec(&texts).unwrap();
        let texts: Texts = postcard::from_bytes(&bytes).unwrap();
        let found: Vec<&str> = (0..6).map(|at| texts.get(at)).collect();
        assert_eq!(found, ["", "a", "", "bü", "", ""]);
    }
}
