//! What tools do, as far as their names say. [`WORDS`] is the table of words in such names; [`KNOWN`] has whole names of
//! tools whose work is known: those of Claude Code, Cline and Roo, Codex, Continue, Copilot, Cursor, Gemini CLI, Kimi Code,
//! Kiro, opencode, OpenHands, SWE-agent and Windsurf, and of servers of the Model Context Protocol that they start.

use crate::case::words;

/// Something that a tool may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Does {
    /// It keeps the plan or the tasks of the agent.
    Plans,
    /// It starts or instructs another agent.
    Delegates,
    /// It types into a running process.
    Types,
    /// It edits a file, or creates, replaces or deletes something.
    Edits,
    /// It changes something else.
    Changes,
    /// It requests something from the web.
    Browses,
    /// It searches.
    Searches,
    /// It reads something.
    Reads,
    /// It shows the beginning or the end of something.
    Peeks,
    /// It runs commands.
    Runs,
    /// It waits for something else to happen, or looks whether it has.
    Waits,
    /// It goes on in something that it has opened.
    Pages,
    /// It may name a file.
    Files,
    /// It takes a folder.
    Folders,
}

/// Words in the names of tools. A word that is written together with others counts if it is a part of a name.
const WORDS: &[(Does, &[&str])] = &[
    (
        Does::Plans,
        &[
            "todo",
            "update_plan",
            "plan_update",
            // The whole task list, or a single task.
            "taskcreate",
            "taskupdate",
            "tasklist",
            "taskget",
            "task_done",
            "task_complete",
            "complete_task",
        ],
    ),
    (Does::Delegates, &["task", "agent", "handoff", "delegate"]),
    (Does::Types, &["stdin", "keystrokes"]),
    (Does::Edits, &["edit", "write", "patch", "replace", "create", "delete", "save", "insert"]),
    (Does::Changes, &["append", "update"]),
    (
        Does::Browses,
        &["web", "websearch", "webfetch", "browser", "browse", "navigate", "url", "http"],
    ),
    (Does::Searches, &["search", "grep", "rg", "glob", "find", "fd", "query", "lookup", "which"]),
    (Does::Reads, &["read", "fetch", "open", "view", "cat", "get", "list", "ls", "load", "goto"]),
    (Does::Peeks, &["head", "tail"]),
    (Does::Runs, &["bash", "shell", "exec", "terminal", "command", "run"]),
    (Does::Waits, &["wait", "poll", "sleep", "await"]),
    (Does::Pages, &["scroll", "page", "next", "previous", "prev"]),
    (
        Does::Files,
        &[
            "read", "write", "edit", "file", "patch", "replace", "notebook", "view", "create",
            "shell", "exec",
        ],
    ),
    (Does::Folders, &["ls", "list_dir", "listdir", "list_files", "listfiles", "directory", "glob"]),
];

/// What a tool does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Purposes(u16);

impl Purposes {
    /// What the words in the name of a tool say: `MultiEdit`, `fs.write_file`.
    #[must_use]
    pub fn of(name: &str) -> Self {
        let words = words(name);
        let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
        let mut found = Self::of_entries(has);
        // Output of a shell or of a task that runs in the background.
        let is_output = has(&["output"]) && has(&["bash", "task", "command", "shell"]);
        if is_output || has(&["taskoutput", "bashoutput"]) {
            found.0 |= Does::Waits.bit();
        }
        found
    }

    /// What parts of words in the name of a tool say as well: `readfile` reads, but `thread` does not. This is a guess.
    #[must_use]
    pub fn guessed(name: &str) -> Self {
        let lower = name.to_ascii_lowercase();
        let words: Vec<&str> = lower.split(|char: char| !char.is_ascii_alphanumeric()).collect();
        let is_part = |part: &&str| words.contains(part) || part.len() > 3 && lower.contains(*part);
        Self::of_entries(|known| known.iter().any(is_part))
    }

    fn of_entries(has: impl Fn(&[&str]) -> bool) -> Self {
        let bits = WORDS.iter().filter(|(_, known)| has(known)).map(|(does, _)| does.bit());
        Self(bits.fold(0, |all, bit| all | bit))
    }

    /// Whether the tool does something.
    #[must_use]
    pub fn has(self, does: Does) -> bool {
        self.0 & does.bit() != 0
    }

    /// Whether the tool does one of these.
    #[must_use]
    pub fn has_any(self, all: &[Does]) -> bool {
        all.iter().any(|does| self.has(*does))
    }
}

impl Does {
    const fn bit(self) -> u16 {
        1 << self as u16
    }
}

/// How a tool works, if it is known by its whole name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Work {
    /// It asks the user something and returns the answer.
    Asks,
    /// Its work is local and short: it reads or changes a file, or a list of tasks.
    IsShort,
    /// It runs a command, which says by itself that it is one.
    RunsCommand,
}

/// Tools by their whole names, in lower case and without separators.
const KNOWN: &[(Work, &[&str])] = &[
    (
        Work::Asks,
        &[
            "askfollowupquestion",
            "askhuman",
            "askquestion",
            "askquestions",
            "askuser",
            "askuserquestion",
            "attemptcompletion",
            "clarify",
            "enterplanmode",
            "exitplanmode",
            "getuserinput",
            "humaninput",
            "humanintheloop",
            "messageaskuser",
            "planexit",
            "planmoderespond",
            "presentplan",
            "question",
            "requestapproval",
            "requestuserinput",
            "userinput",
        ],
    ),
    (
        Work::IsShort,
        &[
            "applydiff",
            "applypatch",
            "createfile",
            "createnewfile",
            "deletefile",
            "edit",
            "editexistingfile",
            "editfile",
            "editnotebook",
            "fsread",
            "fswrite",
            "insertcontent",
            "inserteditintofile",
            "listdir",
            "listdirectory",
            "listfiles",
            "ls",
            "managetodolist",
            "multiedit",
            "multireplacefilecontent",
            "notebookedit",
            "notebookread",
            "openfile",
            "read",
            "readcurrentlyopenfile",
            "readfile",
            "readmanyfiles",
            "replace",
            "replacefilecontent",
            "replaceinfile",
            "replacestringinfile",
            "searchandreplace",
            "searchreplace",
            "singlefindandreplace",
            "strreplace",
            "strreplacebasededittool",
            "strreplaceeditor",
            "taskcreate",
            "taskget",
            "tasklist",
            "taskupdate",
            "todoread",
            "todowrite",
            "updateplan",
            "updatetodolist",
            "view",
            "viewfile",
            "viewimage",
            "write",
            "writefile",
            "writetofile",
        ],
    ),
    (
        Work::RunsCommand,
        &[
            "bash",
            "bashcommand",
            "exec",
            "execcommand",
            "executebash",
            "executecommand",
            "localshell",
            "runcommand",
            "runinterminal",
            "runshellcommand",
            "runterminalcommand",
            "sh",
            "shell",
            "shellcommand",
            "terminal",
        ],
    ),
];

/// How a tool works. `None` if it may take any time: its work may be long or far away.
#[must_use]
pub fn work_of(name: &str) -> Option<Work> {
    let plain = name.bytes().filter(u8::is_ascii_alphanumeric);
    let plain: String = plain.map(|byte| char::from(byte.to_ascii_lowercase())).collect();
    let mut known = KNOWN.iter();
    known.find(|(_, names)| names.binary_search(&plain.as_str()).is_ok()).map(|(work, _)| *work)
}

/// Whether a tool that edits files may show them as well, by a command in its arguments: `str_replace_editor`,
/// `str_replace_based_edit_tool`.
#[must_use]
pub fn shows_too(name: &str) -> bool {
    name.contains("editor") || name.ends_with("edit_tool")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_names_are_sorted() {
        assert!(KNOWN.iter().all(|(_, names)| names.is_sorted()));
    }

    #[test]
    fn whole_names_say_how_a_tool_works() {
        assert_eq!(work_of("ask_followup_question"), Some(Work::Asks));
        assert_eq!(work_of("str_replace_editor"), Some(Work::IsShort));
        assert_eq!(work_of("Bash"), Some(Work::RunsCommand));
        assert_eq!(work_of("read_mail"), None);
    }

    #[test]
    fn words_say_what_a_tool_does_and_parts_of_words_are_a_guess() {
        assert!(Purposes::of("MultiEdit").has(Does::Edits));
        assert!(!Purposes::of("readfile").has(Does::Reads));
        assert!(Purposes::guessed("readfile").has(Does::Reads));
        assert!(!Purposes::guessed("order_details").has(Does::Reads));
        for name in ["BashOutput", "bashoutput", "get_task_output", "wait_for_it"] {
            assert!(Purposes::of(name).has(Does::Waits), "{name}");
        }
        assert_eq!(Purposes::of("book_room"), Purposes::default());
    }
}
