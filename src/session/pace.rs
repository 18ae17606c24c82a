//! The progress of a job, and how much it does in one step.

/// The progress of a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// There is more to do.
    Working,
    /// There is nothing to do until more of the files have been read.
    Waiting,
    /// Everything is done.
    Finished,
}

/// How much to do in one step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pace {
    /// Approximately how many bytes to read.
    pub max_bytes: usize,
    /// Whether results should be reported now.
    pub is_report_due: bool,
}

impl Default for Pace {
    fn default() -> Self {
        Self { max_bytes: 1 << 20, is_report_due: true }
    }
}
