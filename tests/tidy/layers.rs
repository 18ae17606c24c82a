//! The packages: the purpose of each, and the packages that it may use.

/// A package of the project: a folder of `src`.
pub struct Package {
    /// Its folder. The package is named `traceloupe-` followed by this name.
    pub name: &'static str,
    /// What it does.
    pub does: &'static str,
    /// The packages that it uses. They precede it in the list, so there is no cycle.
    pub uses: &'static [&'static str],
}

/// All packages, each after those that it uses. The map in `ARCHITECTURE.md` is written from this list, and the
/// manifests are checked against it.
pub const PACKAGES: &[Package] = &[
    Package {
        name: "core",
        does: "The model of a trace and its builder; JSON as it is found (one lexer, strict walk, repairs, \
               fingerprints, the `Json` cursor); texts taken apart (diffs, patches, source code, output of terminals); \
               numbers; the catalogue of formats as data",
        uses: &[],
    },
    Package {
        name: "input",
        does: "Bytes to records: gzip, zip, tar, zstd, UTF-16, framing",
        uses: &["core"],
    },
    Package {
        name: "converters",
        does: "JSON of what is not JSON: Markdown, YAML, databases, output of consoles, JSON in strings",
        uses: &["core", "input"],
    },
    Package {
        name: "engine",
        does: "What a format is: detection, records to events, what an opened row shows. From the bottom up: `kit`: \
               the vocabulary of descriptions; `shapes`: messages and spans that formats share; `weave`: from \
               descriptions to events; `described`: a format made of descriptions, and its opened rows",
        uses: &["core", "input"],
    },
    Package {
        name: "claude-code",
        does: "Claude Code, the only format with a reader of its own: apart from the others because it is compiled for \
               more speed",
        uses: &["core", "engine"],
    },
    Package {
        name: "formats",
        does: "All other formats, one file or folder each, and the list of all",
        uses: &["claude-code", "core", "input", "converters", "engine"],
    },
    Package {
        name: "redaction",
        does: "Secrets and personal data, found in the bytes of a trace and replaced there",
        uses: &["core"],
    },
    Package { name: "search", does: "Queries, and finding them in bytes", uses: &["core"] },
    Package {
        name: "analysis",
        does: "Findings as values: one file per rule in `rules/`, and the passes that rules share; statistics",
        uses: &["core"],
    },
    Package {
        name: "protocol",
        does: "All that travels between the worker and the page: requests, responses, the head of an outline, rows, \
               details, matches of a search; how a link names an event",
        uses: &["analysis", "core", "redaction", "search"],
    },
    Package {
        name: "words",
        does: "All text: sentences, labels, numbers and units, made from values. `page`: what only the page shows, by \
               area of the screen; the rest is shared with `view` and with exports",
        uses: &["analysis", "core", "protocol"],
    },
    Package {
        name: "view",
        does: "What the page shows, computed without a browser: the outline with all that follows from it, lines, \
               folds, filters, positions, tables, prices",
        uses: &["analysis", "core", "protocol", "search", "words"],
    },
    Package {
        name: "session",
        does: "The worker without a browser: a session holds a trace and answers requests. `render`: outlines, \
               previews, opened rows, values; `expectations`: a run checked against expectations of AgentV; `export`: \
               a run in other forms",
        uses: &[
            "analysis",
            "converters",
            "core",
            "engine",
            "formats",
            "input",
            "protocol",
            "search",
            "words",
        ],
    },
    Package {
        name: "worker",
        does: "`worker.wasm`: messages, reading of files, Blobs",
        uses: &["core", "protocol", "session"],
    },
    Package {
        name: "redactor",
        does: "`redactor.wasm`: redaction of files that leave, started when it is first needed",
        uses: &["protocol", "redaction"],
    },
    Package {
        name: "cli",
        does: "The command `traceloupe`: briefs, summaries, checks and redaction of files; `node` connects it to Node",
        uses: &["core", "protocol", "redactor", "session", "view", "words"],
    },
    Package {
        name: "page",
        does: "`page.wasm`: components, actions and styles, by area of the screen",
        uses: &["analysis", "core", "protocol", "search", "view", "words"],
    },
];

/// The map of `ARCHITECTURE.md`, in Markdown.
pub fn map() -> String {
    let mut text =
        String::from("| Folder of `src/` | What it does | Uses |\n| --- | --- | --- |\n");
    for Package { name, does, uses } in PACKAGES {
        let uses: Vec<String> = uses.iter().map(|it| format!("`{it}`")).collect();
        let uses = if uses.is_empty() { "nothing".to_owned() } else { uses.join(", ") };
        text.push_str(&format!("| `{name}` | {does} | {uses} |\n"));
    }
    text
}
