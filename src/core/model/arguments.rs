//! The meaning of the arguments of a tool call, by their keys. Every program names its tools differently, but the keys
//! of their arguments are much the same.

/// Keys of a command, which is a text or a list of words.
pub const COMMANDS: [&str; 6] =
    ["command", "cmd", "bash_command", "shell_command", "commands", "CommandLine"];

/// Keys of a search pattern or query.
pub const PATTERNS: [&str; 4] = ["pattern", "query", "regex", "search_term"];

/// Keys of the path of a file.
pub const FILES: [&str; 13] = [
    "file_path",
    "path",
    "filePath",
    "filename",
    "file",
    "target_file",
    "absolute_path",
    "notebook_path",
    "file_name",
    "fileName",
    "AbsolutePath",
    "TargetFile",
    "Path",
];

/// Keys of another place: a web page, a folder.
pub const PLACES: [&str; 3] = ["url", "uri", "directory"];

/// Keys of information about a call: why it is made, how long it may take.
pub const ASIDES: [&str; 22] = [
    "_meta",
    "description",
    "explanation",
    "is_background",
    "justification",
    "max_output_tokens",
    "metadata",
    "reasoning",
    "requires_approval",
    "run_in_background",
    "security_risk",
    "task_progress",
    "thought",
    "thoughts",
    "timeout",
    "timeoutMs",
    "timeout_ms",
    "timeout_secs",
    "timeout_seconds",
    "toolAction",
    "toolSummary",
    "yield_time_ms",
];
