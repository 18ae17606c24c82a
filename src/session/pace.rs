//! How far a job has come, and how much it does in one step.

/// How far a job has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// There is more to do now.
    Working,
    /// There is nothing to do until more of the files has been read.
    Waiting,
    /// All is done.
    Finished,
}

/// How much to do in one step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pace {
    /// About how many bytes to read.
    pub max_bytes: usize,
    /// Whether it is time to report what has been found so far.
    pub is_report_due: bool,
}

impl Default for Pace {
    fn default() -> Self {
        Self { max_bytes: 1 << 20, is_report_due: true }
    }
}
