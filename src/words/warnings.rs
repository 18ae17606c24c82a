//! What warnings mean.

use crate::numbers::bytes;
use traceloupe_core::warning_code::WarningCode;

/// What a warning means, in one sentence.
#[must_use]
pub fn warning(code: WarningCode) -> &'static str {
    use WarningCode as Code;
    match code {
        Code::BadLine => "A line is not valid JSON and was skipped",
        Code::TruncatedLastLine => "The last line is cut off; everything before it is shown",
        Code::BrokenDocument => {
            "The document is broken in the middle; everything before the break is shown"
        }
        Code::TruncatedDocument => "The document is cut off; everything before the cut is shown",
        Code::TruncatedGzip => "The gzip file is cut off; everything before the cut is shown",
        Code::TruncatedZstd => "The zstd file is cut off; everything before the cut is shown",
        Code::CorruptGzip => "The gzip file is damaged; everything before the damage is shown",
        Code::CorruptZstd => "The zstd file is damaged; everything before the damage is shown",
        Code::GzipCrc => "The gzip file fails its checksum; its content may be damaged",
        Code::ZstdCrc => "The zstd file fails its checksum; its content may be damaged",
        Code::ZstdWindow => {
            "The file was compressed with a window of more than 128 MB, which is not supported"
        }
        Code::Bomb => "The archive unpacks to far more than its size; reading stopped",
        Code::TruncatedZip => {
            "An entry of the archive is cut off; everything before the cut is shown"
        }
        Code::CorruptZip => {
            "An entry of the archive is damaged; everything before the damage is shown"
        }
        Code::ZipCrc => "An entry of the archive fails its checksum; its content may be damaged",
        Code::ZipSize => "The length of an entry differs from what the archive states",
        Code::ZipEntriesMissing => {
            "The archive's directory is damaged and entries are missing from it; all others are shown"
        }
        Code::DatabaseLog => {
            "The newest messages may still be in the -wal file next to the database, which is not read"
        }
        Code::DamagedDatabase => {
            "Parts of the database are damaged and could not be read; what they held is missing"
        }
        Code::RecordTooLong => "A record is too long to load and was skipped",
        Code::ResultWithoutCall => {
            "A result has no matching call in the files; shown as a row of its own"
        }
        Code::TranscodedUtf16 => "The file is UTF-16; positions refer to its conversion to UTF-8",
        Code::FromYaml => "The file is YAML; raw text and positions refer to the converted JSON",
        Code::FromMarkdown => {
            "The file is Markdown; raw text and positions refer to the converted JSON"
        }
        Code::FromString => {
            "The file has JSON inside strings; raw text and positions refer to the content of the strings"
        }
        Code::FromConsole => {
            "The file is JavaScript console output; raw text and positions refer to the converted JSON"
        }
        Code::BrokenYaml => "The YAML is invalid; everything before the error is shown",
        Code::YamlTooLong => "YAML files over 64 MB cannot be loaded; convert the file to JSON",
        Code::CrLineEnds => "Lines end in a bare carriage return",
        Code::NulPadding => "The file ends in NUL bytes, as after a power loss",
        Code::SeveralValuesOnLine => "Several JSON values are on one line",
        Code::LogText => "Text between the values of the log was skipped",
        Code::MultiLineValues => "Some JSON values span several lines",
        Code::NonFiniteNumber => "NaN and Infinity are not valid JSON; shown as written",
        Code::DuplicateKey => {
            "An object has the same key twice; the last value is used, and the raw text shows both"
        }
        Code::LoneSurrogate => "A string contains half of a surrogate pair; shown as \u{fffd}",
        Code::InvalidEscape => "A string contains an invalid escape; its backslash is shown as ?",
        Code::InvalidUtf8 => "Some bytes are not valid UTF-8; shown as \u{fffd}",
        Code::TooDeep => "Values are nested too deeply; shown as raw text beyond the limit",
        Code::RawControlChar => {
            "A string contains a raw control character, which JSON does not allow"
        }
        Code::TrailingComma => "A trailing comma was ignored",
        Code::NotAnEvent => "A JSON value is not an object, so it cannot be an event",
        Code::UnknownRecord => "A record was not recognized; shown as JSON",
        Code::ParentCycle => {
            "An event names a parent that cannot be its parent; shown at the top level"
        }
        Code::ExplorerRefuses => {
            "Invariant Explorer would refuse to import this; it is shown anyway"
        }
        Code::EmptyFile => "The file is empty",
        Code::LooksLikeHtml => "This is a web page, not a trace",
        Code::NotATrace => "No JSON was found in this file",
    }
}

/// Says that the user stopped reading, given bytes read and total bytes (0 if unknown).
#[must_use]
pub fn stopped((read, all): (u64, u64)) -> String {
    match all {
        0 => format!("stopped after {}", bytes(read)),
        _ => format!("stopped after {} of {}", bytes(read), bytes(all)),
    }
}
