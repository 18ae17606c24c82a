//! Notices about a file: one code for each kind.
//!
//! JSON, input and formats raise notices, the model counts them as warnings, and `words` has a sentence for each. The
//! codes therefore belong to no single layer.

/// Defines each code together with its word.
macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $word:literal,)*) => {
        /// A kind of notice about a file.
        #[derive(
            Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
        )]
        pub enum WarningCode {
            $($(#[$doc])* $name,)*
        }

        impl WarningCode {
            /// Every code.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The stable word for the code in dumps, messages and style sheets.
            #[must_use]
            pub fn word(self) -> &'static str {
                match self {
                    $(Self::$name => $word,)*
                }
            }
        }
    };
}

codes! {
    /// A line is not JSON and was left out.
    BadLine = "bad-line",
    /// The last line is cut off.
    TruncatedLastLine = "truncated-last-line",
    /// A document is broken in the middle.
    BrokenDocument = "broken-document",
    /// A document is cut off.
    TruncatedDocument = "truncated-document",
    /// A gzip stream is cut off.
    TruncatedGzip = "truncated-gzip",
    /// A gzip stream is damaged.
    CorruptGzip = "corrupt-gzip",
    /// A gzip stream fails its checksum.
    GzipCrc = "gzip-crc",
    /// A zstd stream is cut off.
    TruncatedZstd = "truncated-zstd",
    /// A zstd stream is damaged.
    CorruptZstd = "corrupt-zstd",
    /// A zstd stream fails its checksum.
    ZstdCrc = "zstd-crc",
    /// A zstd stream needs too much memory to unpack.
    ZstdWindow = "zstd-window",
    /// A packed file unpacks to far more than its size.
    Bomb = "bomb",
    /// An entry of an archive is cut off.
    TruncatedZip = "truncated-zip",
    /// An entry of an archive is damaged.
    CorruptZip = "corrupt-zip",
    /// An entry of an archive fails its checksum.
    ZipCrc = "zip-crc",
    /// The size of an entry of an archive differs from the size in the archive's directory.
    ZipSize = "zip-size",
    /// Entries of an archive's directory could not be read.
    ZipEntriesMissing = "zip-entries-missing",
    /// A database may have a log beside it, which is not read.
    DatabaseLog = "database-log",
    /// Parts of a database could not be read.
    DamagedDatabase = "damaged-database",
    /// A record is too long to load and was skipped.
    RecordTooLong = "record-too-long",
    /// A tool result has no call in the files.
    ResultWithoutCall = "result-without-call",
    /// The file was UTF-16.
    TranscodedUtf16 = "transcoded-utf16",
    /// The file was YAML.
    FromYaml = "from-yaml",
    /// The file was Markdown.
    FromMarkdown = "from-markdown",
    /// The file was JSON inside strings.
    FromString = "from-string",
    /// The file was the output of a JavaScript console for objects.
    FromConsole = "from-console",
    /// The YAML cannot be read further.
    BrokenYaml = "broken-yaml",
    /// The YAML file is too long to be held in memory.
    YamlTooLong = "yaml-too-long",
    /// Lines end in a bare carriage return.
    CrLineEnds = "cr-line-ends",
    /// The file ends in NUL bytes.
    NulPadding = "nul-padding",
    /// Several JSON values share a line.
    SeveralValuesOnLine = "several-values-on-line",
    /// Text between the values of a log was left out.
    LogText = "log-text",
    /// JSON values span several lines.
    MultiLineValues = "multi-line-values",
    /// A number is NaN or infinite.
    NonFiniteNumber = "non-finite-number",
    /// An object has a key twice.
    DuplicateKey = "duplicate-key",
    /// A string has half of a surrogate pair.
    LoneSurrogate = "lone-surrogate",
    /// A string contains an escape that JSON does not have.
    InvalidEscape = "invalid-escape",
    /// Bytes are not UTF-8.
    InvalidUtf8 = "invalid-utf8",
    /// Values are nested too deeply to be shown as a tree.
    TooDeep = "too-deep",
    /// A string has a control character that is not escaped.
    RawControlChar = "raw-control-char",
    /// A comma precedes a closing bracket.
    TrailingComma = "trailing-comma",
    /// A JSON value is not an object, so it cannot be an event.
    NotAnEvent = "not-an-event",
    /// A record of the format was not understood.
    UnknownRecord = "unknown-record",
    /// An event names a parent that cannot be its parent.
    ParentCycle = "parent-cycle",
    /// Invariant Explorer would refuse to import the file.
    ExplorerRefuses = "explorer-refuses",
    /// The file is empty.
    EmptyFile = "empty-file",
    /// The file is a web page.
    LooksLikeHtml = "looks-like-html",
    /// The file has no JSON in it.
    NotATrace = "not-a-trace",
}

impl std::fmt::Display for WarningCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.word())
    }
}
