//! Reassembles documents that a producer wrote in several entries of an archive.

/// A piece of a document.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Piece {
    /// A whole entry.
    Entry(usize),
    /// An entry with an object, without its closing bracket.
    Open(usize),
    /// An entry with a list, without its brackets.
    Items(usize),
    /// Text between entries.
    Text(&'static str),
}

impl Piece {
    /// The number of the entry.
    #[must_use]
    pub fn entry(self) -> Option<usize> {
        match self {
            Self::Entry(at) | Self::Open(at) | Self::Items(at) => Some(at),
            Self::Text(_) => None,
        }
    }
}

/// A document in an archive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Document {
    /// The display name, unless it is the name of the document's only entry.
    pub name: String,
    /// The pieces of the document, in order.
    pub pieces: Vec<Piece>,
}

/// Joins the pieces of a document, with commas between them.
#[derive(Default)]
pub struct Assembly {
    last: Option<u8>,
}

impl Assembly {
    /// Adds a piece; `bytes` are those of its entry. An entry of an unexpected shape adds nothing.
    pub fn add(&mut self, piece: Piece, bytes: &[u8], out: &mut Vec<u8>) {
        let bytes = bytes.trim_ascii();
        let bytes = match piece {
            Piece::Entry(_) => bytes,
            Piece::Text(text) => text.as_bytes(),
            Piece::Open(_) => bytes.strip_suffix(b"}").unwrap_or_default(),
            Piece::Items(_) => {
                let inner = bytes.strip_prefix(b"[").and_then(|it| it.strip_suffix(b"]"));
                inner.unwrap_or_default()
            }
        };
        let bytes = bytes.trim_ascii();
        let Some(last) = bytes.last() else { return };
        let follows = self.last.is_some_and(|last| !b"[{:,".contains(&last));
        if follows && !bytes.starts_with(b"]") && !bytes.starts_with(b"}") {
            out.push(b',');
        }
        out.extend_from_slice(bytes);
        self.last = Some(*last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assembled(pieces: &[(Piece, &str)]) -> String {
        let (mut assembly, mut out) = (Assembly::default(), Vec::new());
        for (piece, bytes) in pieces {
            assembly.add(*piece, bytes.as_bytes(), &mut out);
        }
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn lists_in_chunks_are_one_list() {
        let pieces = [
            (Piece::Open(0), "{\"id\": 1, \"s\": {} }\n"),
            (Piece::Text("\"m\":"), ""),
            (Piece::Entry(1), "{}"),
            (Piece::Text("\"a\":["), ""),
            (Piece::Items(2), "[1,[2]]"),
            (Piece::Items(3), "[ ]"),
            (Piece::Items(4), " [\n3\n] "),
            (Piece::Text("]"), ""),
            (Piece::Text("\"b\":["), ""),
            (Piece::Items(5), "cut [1,"),
            (Piece::Text("]}"), ""),
        ];
        assert_eq!(assembled(&pieces), r#"{"id": 1, "s": {},"m":{},"a":[1,[2],3],"b":[]}"#);
        assert_eq!(
            assembled(&[(Piece::Open(0), "{}"), (Piece::Text("\"a\":1}"), "")]),
            "{\"a\":1}"
        );
    }
}
