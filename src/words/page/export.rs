//! Words of the export of a run.

pub const FORM: &str = "Format";
pub const WRITTEN_AS: &str = "File type";
pub const HOW_THE_FILE_BEGINS: &str = "Beginning of the file";
pub const DOWNLOAD: &str = "Download";
