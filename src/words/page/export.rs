//! Words of the export of a run.

pub const FORMAT: &str = "Format";
pub const FILE_TYPE: &str = "File type";
pub const FILE_BEGINNING: &str = "Beginning of the file";
pub const DOWNLOAD: &str = "Download";
