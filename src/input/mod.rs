//! From bytes to records: containers, encodings, framing. Knows `json` alone.
