//! Words of the export of a run.

pub const FORM: &str = "Form";
pub const WRITTEN_AS: &str = "Written as";
pub const HOW_THE_FILE_BEGINS: &str = "How the file begins";
pub const DOWNLOAD: &str = "Download";
