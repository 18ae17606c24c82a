//! Parses and writes the fragment of the page's address.
//!
//! The grammar is `#k=v&k=v`. Each value is percent-encoded on its own, and `+` is a plain plus. A value that cannot be
//! decoded is dropped without affecting the others; unknown keys are kept and written back.
//!
//! `v` is the version of the grammar. A link without it is of version 0, and is brought to the present one first. To change
//! what a key means, add a version and what brings a link to it to [`UPGRADES`].

use traceloupe_search::Query;

/// The parsed fragment. Trace addresses are read by the boot script, before the page is sealed;
/// here they are only preserved.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Route {
    /// A link to an event: see [`Sel`].
    pub sel: Option<String>,
    /// The run to show: its id, or a prefix of it. AgentDbg links call this key `run_id`, which is also accepted.
    pub run: Option<String>,
    /// `light`, `dark` or `system`.
    pub theme: Option<String>,
    /// Embedded mode: the viewer without its surroundings, for use in a frame.
    pub embed: bool,
    /// The format with which to read the trace, overriding detection.
    pub format: Option<String>,
    /// The mapping for files of no known format, in the text form of `model::Mapping`.
    pub mapping: Option<String>,
    /// A link to the event that starts the agent, if only the rows of one agent are shown: see [`Sel`].
    pub agent: Option<String>,
    /// Which rows to show, see `view::query::link`.
    pub filter: Option<String>,
    /// Whether the other rows are dimmed instead of left out.
    pub dims: bool,
    /// The search query.
    pub query: Query,
    /// The id of the selected view. The page may not have a view with this id.
    pub tab: Option<String>,
    /// The title to show.
    pub title: Option<String>,
    /// The file on disk that the link is about.
    pub need: Option<Need>,
    /// Whether the link is of a version of the grammar that this page does not know.
    pub is_newer: bool,
    /// All pairs as written, in order.
    pairs: Vec<Pair>,
}

/// The key for trace addresses and its aliases in links of other viewers (the same list as in `public/addresses.js`).
pub const TRACE_KEYS: [&str; 8] = [
    "trace",
    "url",
    "profileURL",
    "traceURL",
    "loadTimelineFromURL",
    "path",
    "fileUrl",
    "log_file",
];

/// All other keys that the page reads or writes. Each of them ends an address that was written without percent-encoding, so
/// `public/addresses.js` has the same list.
pub const KEYS: [&str; 22] = [
    "v", "title", "format", "map", "data", "compare", "need", "tab", "view", "run", "run_id",
    "agent", "sel", "filter", "dim", "q", "qopts", "uiFind", "theme", "uiTheme", "embed", "token",
];

/// The version of the grammar.
pub const VERSION: usize = 1;

/// A key and its value, as written.
type Pair = (String, String);

/// Brings the pairs of a link from one version to the next, from version 0 on.
const UPGRADES: [fn(&mut [Pair]); VERSION] = [keys_of_one_name];

/// In version 0, some keys had a second name, from links of AgentDbg and of other viewers.
fn keys_of_one_name(pairs: &mut [Pair]) {
    const NAMES: [(&str, &str); 4] =
        [("run_id", "run"), ("uiFind", "q"), ("view", "tab"), ("uiTheme", "theme")];
    for (key, _) in pairs {
        if let Some((_, name)) = NAMES.iter().find(|(old, _)| key == old) {
            (*name).clone_into(key);
        }
    }
}

/// The longest value of `data=`, as in `public/addresses.js`. Chromium accepts links of 2 MB.
pub const MAX_DATA_CHARS: usize = 1_500_000;

/// The longest title accepted from a link, in characters.
const MAX_TITLE: usize = 200;

impl Route {
    /// Parses a fragment, with or without its leading `#`.
    #[must_use]
    pub fn parse(fragment: &str) -> Self {
        let mut route = Self::default();
        let mut options = String::new();
        let fragment = fragment.strip_prefix('#').unwrap_or(fragment);
        let pairs = fragment.split('&').filter(|pair| !pair.is_empty());
        let pairs = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
        let mut pairs: Vec<Pair> =
            pairs.map(|(key, raw)| (key.to_owned(), raw.to_owned())).collect();
        let version = pairs.iter().find(|(key, _)| key == "v").map_or("0", |(_, raw)| raw);
        let version = version.parse().unwrap_or(0);
        route.is_newer = version > VERSION;
        for upgrade in UPGRADES.iter().skip(version) {
            upgrade(&mut pairs);
        }
        for (key, raw) in &pairs {
            let value = percent_decode(raw);
            match key.as_str() {
                "sel" => route.sel = Some(value),
                "theme" if ["light", "dark", "system"].contains(&value.as_str()) => {
                    route.theme = Some(value);
                }
                "embed" => {
                    route.embed = flag(&value).unwrap_or(route.embed);
                }
                "run" if !value.is_empty() => route.run = Some(value),
                "agent" if !value.is_empty() => route.agent = Some(value),
                "filter" => route.filter = Some(value),
                "dim" => route.dims = flag(&value).unwrap_or(route.dims),
                "format" => route.format = Some(value),
                "map" if !value.is_empty() => route.mapping = Some(value),
                "q" => route.query.text = value,
                "qopts" => options = value,
                "tab" => route.tab = Some(value),
                "need" => route.need = Need::parse(&value),
                "title" => route.title = Some(value.chars().take(MAX_TITLE).collect()),
                _ => {}
            }
        }
        route.pairs = pairs;
        route.query = route.query.with_options(&options);
        route
    }

    /// The fragment with the selection replaced (or removed); all other pairs are kept as written.
    #[must_use]
    pub fn with_sel(&self, sel: Option<&str>) -> String {
        let mut pairs = self.pairs_without(&["sel"]);
        if let Some(sel) = sel {
            pairs.push(format!("sel={}", percent_encode(sel)));
        }
        pairs.join("&")
    }

    /// The fragment with the run replaced (or removed). The selection, the agent and the filter belong to
    /// the old run and are dropped; all other pairs are kept as written.
    #[must_use]
    pub fn with_run(&self, run: Option<&str>) -> String {
        let mut pairs = self.pairs_without(&["run", "agent", "sel", "filter", "dim"]);
        if let Some(run) = run {
            pairs.push(format!("run={}", percent_encode(run)));
        }
        pairs.join("&")
    }

    /// The fragment with the single shown agent replaced (or removed); all other pairs are kept as written.
    #[must_use]
    pub fn with_agent(&self, agent: Option<&str>) -> String {
        let mut pairs = self.pairs_without(&["agent"]);
        if let Some(agent) = agent {
            pairs.push(format!("agent={}", percent_encode(agent)));
        }
        pairs.join("&")
    }

    /// The fragment with the filter replaced (or removed); all other pairs are kept as written.
    #[must_use]
    pub fn with_filter(&self, filter: &str, dims: bool) -> String {
        let mut pairs = self.pairs_without(&["filter", "dim"]);
        if !filter.is_empty() {
            pairs.push(format!("filter={}", percent_encode(filter)));
            if dims {
                pairs.push("dim=1".to_owned());
            }
        }
        pairs.join("&")
    }

    /// The fragment with the search query replaced (or removed); all other pairs are kept as
    /// written.
    #[must_use]
    pub fn with_query(&self, query: &Query) -> String {
        let mut pairs = self.pairs_without(&["q", "qopts"]);
        if !query.is_empty() {
            pairs.push(format!("q={}", percent_encode(&query.text)));
            let options = query.options();
            if !options.is_empty() {
                pairs.push(format!("qopts={}", percent_encode(&options)));
            }
        }
        pairs.join("&")
    }

    /// The fragment with the mapping of keys replaced (or removed). Another mapping gives other events, so the
    /// selection, the run, the agent and the filter are dropped; all other pairs are kept as written.
    #[must_use]
    pub fn with_mapping(&self, mapping: Option<&str>) -> String {
        let mut pairs = self.pairs_without(&["map", "sel", "run", "agent", "filter", "dim"]);
        if let Some(mapping) = mapping {
            pairs.push(format!("map={}", percent_encode(mapping)));
        }
        pairs.join("&")
    }

    /// The fragment with the tab replaced, or removed if it is empty; all other pairs are kept as written.
    #[must_use]
    pub fn with_tab(&self, tab: &str) -> String {
        let mut pairs = self.pairs_without(&["tab"]);
        if !tab.is_empty() {
            pairs.push(format!("tab={tab}"));
        }
        pairs.join("&")
    }

    /// The fragment for a link that has the trace in it: the value of `data=`.
    #[must_use]
    pub fn with_data(&self, data: &str) -> String {
        let mut others = TRACE_KEYS.to_vec();
        others.extend(["data", "compare", "need", "token", "embed"]);
        let mut pairs = self.pairs_without(&others);
        pairs.push(format!("data={data}"));
        pairs.join("&")
    }

    /// The fragment for a link about a file on disk: without the addresses of other traces.
    #[must_use]
    pub fn with_need(&self, need: &Need) -> String {
        let mut pairs = vec![format!("need={}", percent_encode(&need.to_string()))];
        let mut others = TRACE_KEYS.to_vec();
        others.extend(["data", "compare", "need", "token", "embed"]);
        pairs.extend(self.pairs_without(&others));
        pairs.join("&")
    }

    /// The fragment for a link that others follow: with the version of its grammar.
    #[must_use]
    pub fn versioned(&self) -> String {
        let mut pairs = self.pairs_without(&["v"]);
        if !pairs.is_empty() {
            pairs.insert(0, format!("v={VERSION}"));
        }
        pairs.join("&")
    }

    fn pairs_without(&self, keys: &[&str]) -> Vec<String> {
        let kept = self.pairs.iter().filter(|(key, _)| !keys.contains(&key.as_str()));
        kept.map(|(key, raw)| if raw.is_empty() { key.clone() } else { format!("{key}={raw}") })
            .collect()
    }

    /// Whether the link names a trace.
    #[must_use]
    pub fn names_trace(&self) -> bool {
        self.traces().next().is_some()
    }

    /// The trace addresses in the link, as written.
    pub fn traces(&self) -> impl Iterator<Item = &str> {
        let named = self.pairs.iter().filter(|(key, _)| TRACE_KEYS.contains(&key.as_str()));
        named.map(|(_, raw)| raw.as_str())
    }
}

fn flag(value: &str) -> Option<bool> {
    match value {
        "" | "1" | "true" => Some(true),
        "0" | "false" => Some(false),
        _ => None,
    }
}

/// The id of the timeline among the views of a trace; the page chooses the ids of the other views.
pub const TIMELINE: &str = "inspector";

/// The id of the table of all runs.
pub const RUNS: &str = "runs";

/// The id of the brief of a run.
pub const BRIEF: &str = "brief";

/// The id of the list of files.
pub const FILES: &str = "files";

/// The id of the statistics.
pub const STATISTICS: &str = "statistics";

/// Id of the view that compares two runs, and the key of the second trace in a link.
pub const COMPARE: &str = "compare";

/// The file on disk that a link is about: `need=<name>~<size>~<mark>`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Need {
    /// The name of the file.
    pub name: String,
    /// Its size.
    pub len_bytes: u64,
    /// The first 16 hex digits of SHA-256 over its first and its last 512 KiB, or over all of a file of up to 1 MiB. Empty
    /// if the browser has no SHA-256, which it only has over HTTPS and from this computer.
    pub mark: String,
}

impl Need {
    fn parse(value: &str) -> Option<Self> {
        let (rest, mark) = value.rsplit_once('~')?;
        let (name, len_bytes) = rest.rsplit_once('~')?;
        let is_mark = mark.bytes().all(|it| it.is_ascii_hexdigit());
        (is_mark && !name.is_empty()).then_some(())?;
        Some(Self {
            name: name.chars().take(MAX_TITLE).collect(),
            len_bytes: len_bytes.parse().ok()?,
            mark: mark.to_ascii_lowercase(),
        })
    }
}

impl std::fmt::Display for Need {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}~{}~{}", self.name, self.len_bytes, self.mark)
    }
}

/// A link to an event that remains valid when the file is read again: the producer's own id, or the place in the file
/// with a hash of the bytes. In a trace of several runs or files, it also names the run or the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sel {
    /// `n:<native id>`, or `r:<run>;n:<native id>`.
    Native {
        /// The id of the run, because several runs may contain events with the same id.
        run: Option<String>,
        /// The producer's id of the event.
        id: String,
    },
    /// `p:<line>.<byte>-<hash>`, or `f:<path>;p:<line>.<byte>-<hash>`.
    Place {
        /// The path of the file.
        file: Option<String>,
        /// The line.
        line: u32,
        /// The offset in the file.
        byte: u64,
        /// The first 8 hex digits of a hash of the raw bytes.
        hash: String,
    },
}

impl Sel {
    /// Parses the value of `sel=`. In the names of runs and files, `;` and `%` are percent-encoded.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let named = |prefix: &str, kind: &str| {
            let (name, rest) = text.strip_prefix(prefix)?.split_once(';')?;
            Some((Some(percent_decode(name)), rest.strip_prefix(kind)?))
        };
        let unnamed = |kind: &str| Some((None, text.strip_prefix(kind)?));
        if let Some((run, id)) = unnamed("n:").or_else(|| named("r:", "n:")) {
            return (!id.is_empty()).then(|| Self::Native { run, id: id.to_owned() });
        }
        let (file, place) = unnamed("p:").or_else(|| named("f:", "p:"))?;
        let (place, hash) = place.split_once('-')?;
        let (line, byte) = place.split_once('.')?;
        Some(Self::Place {
            file,
            line: line.parse().ok()?,
            byte: byte.parse().ok()?,
            hash: hash.to_owned(),
        })
    }
}

impl std::fmt::Display for Sel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Native { run, id } => {
                name(f, "r:", run.as_deref())?;
                write!(f, "n:{id}")
            }
            Self::Place { file, line, byte, hash } => {
                name(f, "f:", file.as_deref())?;
                write!(f, "p:{line}.{byte}-{hash}")
            }
        }
    }
}

fn name(f: &mut std::fmt::Formatter<'_>, prefix: &str, name: Option<&str>) -> std::fmt::Result {
    name.map_or(Ok(()), |name| write!(f, "{prefix}{};", percent_encode(name)))
}

/// Decodes `%XX` escapes; a value with a broken escape is returned as written.
#[must_use]
pub fn percent_decode(raw: &str) -> String {
    let mut bytes = Vec::with_capacity(raw.len());
    let mut rest = raw.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |byte: Option<u8>| byte.and_then(|byte| char::from(byte).to_digit(16));
        let (Some(high), Some(low)) = (digit(rest.next()), digit(rest.next())) else {
            return raw.to_owned();
        };
        bytes.push(u8::try_from(high * 16 + low).unwrap_or(b'?'));
    }
    String::from_utf8(bytes).unwrap_or_else(|_| raw.to_owned())
}

/// Encodes the characters that would end or split a value.
#[must_use]
pub fn percent_encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~:/".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_and_kept() {
        let route = Route::parse("#trace=a%20b.jsonl&sel=n%3Aabc&theme=dark&embed&x=1&title=A+B");
        assert_eq!(route.sel.as_deref(), Some("n:abc"));
        assert_eq!(route.theme.as_deref(), Some("dark"));
        assert_eq!(route.title.as_deref(), Some("A+B"), "a plus is a plus");
        assert!(route.embed && route.names_trace());
        assert_eq!(
            route.with_sel(Some("p:1.0-ab")),
            "trace=a%20b.jsonl&theme=dark&embed&x=1&title=A+B&sel=p:1.0-ab"
        );
    }

    #[test]
    fn a_link_about_a_file_on_disk_names_it() {
        let need = Need { name: "a~b c.jsonl".to_owned(), len_bytes: 12, mark: "00ff".to_owned() };
        let fragment = Route::parse("#trace=x&sel=n:1&data=gz.AA&own=1").with_need(&need);
        assert_eq!(fragment, "need=a~b%20c.jsonl~12~00ff&sel=n:1&own=1");
        assert_eq!(Route::parse(&fragment).need, Some(need));
        for bad in ["", "a", "a~1", "a~x~00", "~1~00", "a~1~xyz"] {
            assert_eq!(Route::parse(&format!("need={bad}")).need, None, "{bad}");
        }
    }

    #[test]
    fn the_query_survives_in_the_link() {
        let query = Query { case: Some(true), word: true, ..Query::literal("a & é\n%=#") };
        let route = Route::parse("trace=x&uiFind=old&sel=n:1");
        assert_eq!(route.query, Query::literal("old"));
        let fragment = route.with_query(&query);
        assert!(fragment.starts_with("trace=x&sel=n:1&q=a%20"), "{fragment}");
        assert_eq!(Route::parse(&fragment).query, query);
        assert_eq!(Route::parse(&fragment).with_query(&Query::default()), "trace=x&sel=n:1");
    }

    /// Links that were made before the present version of the grammar mean the same as then.
    #[test]
    fn links_of_earlier_versions_are_brought_to_the_present_one() {
        for (old, new) in [
            ("trace=a&run_id=7&view=files", "v=1&trace=a&run=7&tab=files"),
            ("trace=a&uiFind=x%20y&uiTheme=dark", "v=1&trace=a&q=x%20y&theme=dark"),
            ("v=0&run_id=7", "v=1&run=7"),
            ("v=x&run_id=7", "v=1&run=7"),
            ("trace=a&own=1", "v=1&trace=a&own=1"),
            ("", ""),
        ] {
            let (was, is) = (Route::parse(old), Route::parse(new));
            assert_eq!(was.versioned(), new, "{old}");
            assert_eq!(is.versioned(), new, "{new}");
            assert_eq!((&was.run, &was.tab, &was.query), (&is.run, &is.tab, &is.query), "{old}");
            assert!(!was.is_newer && !is.is_newer);
        }
        let newer = Route::parse("v=2&run_id=7&run=8");
        assert!(newer.is_newer, "and read as far as it is understood");
        assert_eq!(newer.run.as_deref(), Some("8"));
    }

    /// A key that is missing from the list would become part of an address that was written without encoding.
    #[test]
    fn every_written_key_is_in_the_list() {
        let query = Query { case: Some(true), ..Query::literal("a") };
        let need = Need { name: "a".to_owned(), len_bytes: 1, mark: String::new() };
        let empty = Route::default();
        let written = [
            empty.with_sel(Some("n:1")),
            empty.with_run(Some("1")),
            empty.with_agent(Some("n:1")),
            empty.with_filter("error", true),
            empty.with_query(&query),
            empty.with_mapping(Some("role:a")),
            empty.with_tab(FILES),
            empty.with_data("gz.A"),
            empty.with_need(&need),
            Route::parse("trace=a").versioned(),
        ];
        for fragment in written {
            for pair in fragment.split('&') {
                let key = pair.split('=').next().unwrap();
                assert!(KEYS.contains(&key) || TRACE_KEYS.contains(&key), "{key}");
            }
        }
    }

    /// The list has no key that nothing reads: it would be cut off addresses.
    #[test]
    fn every_key_of_the_list_is_read() {
        // Read by the boot script, or where the message of another window is judged.
        let elsewhere = ["v", "data", "compare", "token"];
        for key in KEYS.iter().filter(|key| !elsewhere.contains(key)) {
            let is_read = ["1", "dark", "word", "a~1~00"].iter().any(|value| {
                let pairs =
                    Route { pairs: Vec::new(), ..Route::parse(&format!("q=x&{key}={value}")) };
                pairs != Route { pairs: Vec::new(), ..Route::parse("q=x") }
            });
            assert!(is_read, "{key}");
        }
    }

    #[test]
    fn links_to_runs() {
        let route = Route::parse("trace=a.jsonl&run_id=1&sel=n:2");
        assert_eq!(route.run.as_deref(), Some("1"));
        let fragment = route.with_run(Some("r & 2"));
        assert_eq!(fragment, "trace=a.jsonl&run=r%20%26%202");
        assert_eq!(Route::parse(&fragment).run.as_deref(), Some("r & 2"));
        assert_eq!(route.with_run(None), "trace=a.jsonl");
        assert_eq!(Route::parse("run=").run, None);
    }

    #[test]
    fn the_mapping_of_keys_is_in_the_link() {
        let route = Route::parse("trace=x&sel=n:1&run=2&theme=dark&map=role%3Awho");
        assert_eq!(route.mapping.as_deref(), Some("role:who"));
        let fragment = route.with_mapping(Some("list:a.*.b~text:the words"));
        assert_eq!(fragment, "trace=x&theme=dark&map=list:a.%2A.b~text:the%20words");
        assert_eq!(Route::parse(&fragment).mapping.as_deref(), Some("list:a.*.b~text:the words"));
        assert_eq!(Route::parse(&fragment).with_mapping(None), "trace=x&theme=dark");
        assert_eq!(Route::parse("map=").mapping, None);
    }

    #[test]
    fn the_agent_is_in_the_link_and_belongs_to_its_run() {
        let route = Route::parse("trace=x&run=1&sel=n:1&agent=n%3Acall%201");
        assert_eq!(route.agent.as_deref(), Some("n:call 1"));
        assert_eq!(route.with_agent(Some("n:a&b")), "trace=x&run=1&sel=n:1&agent=n:a%26b");
        assert_eq!(route.with_agent(None), "trace=x&run=1&sel=n:1");
        assert_eq!(route.with_run(Some("2")), "trace=x&run=2");
        assert_eq!(Route::parse("agent=").agent, None);
    }

    #[test]
    fn the_tab_is_in_the_link() {
        let route = Route::parse("trace=x&tab=result&sel=n:1");
        assert_eq!(route.tab.as_deref(), Some("result"));
        assert_eq!(route.with_tab("signature"), "trace=x&sel=n:1&tab=signature");
        assert_eq!(route.with_tab(TIMELINE), "trace=x&sel=n:1&tab=inspector");
        assert_eq!(route.with_tab(""), "trace=x&sel=n:1");
        let other = Route::parse("view=brief&trace=x");
        assert_eq!(other.tab.as_deref(), Some(BRIEF));
        assert_eq!(other.with_tab(FILES), "trace=x&tab=files");
    }

    #[test]
    fn a_bad_value_drops_only_its_key() {
        let route = Route::parse("theme=purple&embed=maybe&title=%zz");
        assert_eq!(route.theme, None);
        assert!(!route.embed);
        assert_eq!(route.title.as_deref(), Some("%zz"));
    }

    #[test]
    fn links_to_events() {
        for text in [
            "n:id with = & and ü",
            "p:14.22871-0a1b2c3d",
            "r:run%3B%20%251;n:a;n:b",
            "f:a/b%20c.jsonl;p:14.22871-0a1b2c3d",
        ] {
            let sel = Sel::parse(text).unwrap();
            assert_eq!(sel.to_string(), text);
            assert_eq!(percent_decode(&percent_encode(text)), text);
        }
        assert_eq!(Sel::parse("p:x.1-aa"), None);
        assert_eq!(Sel::parse("n:"), None);
        assert_eq!(Sel::parse("r:a;p:1.2-aa"), None);
        assert_eq!(Sel::parse("r:a"), None);
        let run = Some("run; %1".to_owned());
        let sel = Sel::Native { run, id: "a;n:b".to_owned() };
        assert_eq!(Sel::parse("r:run%3B%20%251;n:a;n:b"), Some(sel));
    }
}
