//! The meaning of each key of a list of records, from the names of the keys and from their values.

use super::keys::{Key, List};
use super::words::{Class, class, is_failure, parts};
use traceloupe_core::case::lower;
use traceloupe_core::json::{Json, Kind};
use traceloupe_core::model::{Mapping, Slot};
use traceloupe_engine::kit::time_of;

/// Names of keys, the better ones first, without case and separators. A name of two steps is written as one word:
/// `function.name` is `functionname`.
const NAMES: &[(Slot, &str)] = &[
    (
        Slot::Time,
        "timestamp ts time createdat starttime startedat start begin datetime date when at t",
    ),
    (Slot::End, "endtime endedat finishedat completedat end finish stop"),
    (
        Slot::Duration,
        "durationms durationns durationus durations durationseconds durationsec duration elapsedms elapsedseconds \
         elapseds elapsed latencyms latencyseconds latencys latency tookms tooks took ms",
    ),
    (
        Slot::Call,
        "toolcallid callid tooluseid invocationid functioncallid actionid callsid toolcallsid callref call",
    ),
    (Slot::Parent, "parentid parentspanid parentspan parentuuid parenteventid parentrunid parent"),
    (Slot::Id, "id uuid spanid eventid messageid msgid stepid recordid uid"),
    (
        Slot::Tool,
        "toolname tool functionname function fn toolcallsname callsname actionname actiontool action command name",
    ),
    (
        Slot::Arguments,
        "arguments args toolinput toolargs functionargs actioninput input inputs params parameters kwargs prompt \
         query request with",
    ),
    (
        Slot::Result,
        "result toolresult tooloutput observation output outputs response returned return out completion answer \
         results",
    ),
    (Slot::Model, "model modelname modelid llm llmname engine deployment"),
    (
        Slot::TokensIn,
        "prompttokens inputtokens tokensin intokens tokensprompt tokensinput ntokensin usageinput usageprompt \
         prompttokencount tokenspromptcount promptntokens",
    ),
    (
        Slot::TokensOut,
        "completiontokens outputtokens tokensout outtokens tokenscompletion tokensoutput ntokensout usageoutput \
         usagecompletion candidatestokencount completionntokens",
    ),
    (
        Slot::Error,
        "error err errormessage exception failure traceback iserror failed success succeeded ok status outcome state \
         level severity",
    ),
];

/// Names of the key for roles and kinds.
const KINDS: &str = "role speaker sender author from who actor participant type kind eventtype event steptype \
                     messagetype step category op name";
/// Names of keys for the author of a message. They may be deeper in a record.
const ROLES: &str = "role speaker sender author from who actor authorrole messagerole";
/// Names of the key for labels of events.
const LABELS: &str = "type kind event eventtype steptype op category role";
/// Names of objects that hold the record itself.
const WRAPPERS: &str = "data payload message event body record msg entry attributes";
/// Names of the key for text.
const TEXTS: &str = "modeloutput llmoutput modelresponse llmresponse content text message body say said words utterance msg value reply response output answer \
                     prompt input data summary description";

/// Words for failure.
const BAD: &[&str] = &["error", "failed", "failure", "fatal", "critical", "exception", "timeout"];
/// Words for success.
const GOOD: &[&str] =
    &["ok", "success", "succeeded", "completed", "complete", "done", "passed", "finished"];

/// The position of a name in a list of names.
fn place_in(names: &str, name: &str) -> Option<usize> {
    names.split_ascii_whitespace().position(|it| it == name)
}

/// The last step of a path, and the last two, without case and separators.
pub fn names_of(path: &str) -> (String, String) {
    let mut steps = path.rsplit('.').filter(|step| *step != "*");
    let plain = |step: Option<&str>| -> String {
        let letters = step.unwrap_or_default().chars().filter(|it| it.is_alphanumeric());
        letters.map(lower).collect()
    };
    let last = plain(steps.next());
    let both = format!("{}{last}", plain(steps.next()));
    (last, both)
}

/// How well the name of a key fits: smaller is better.
fn fit(names: &str, key: &Key<'_>) -> Option<usize> {
    let (last, both) = &key.names;
    place_in(names, both).or_else(|| place_in(names, last))
}

/// Whether something failed, by the value of the key for errors. `None` if the value does not show it.
#[must_use]
pub fn has_failed(path: &str, value: Json<'_>) -> Option<bool> {
    match value.kind() {
        Kind::Bool => {
            let (name, _) = names_of(path);
            let is_good_name = ["ok", "success", "succeeded"].contains(&name.as_str());
            value.bool().map(|it| it != is_good_name)
        }
        Kind::String => {
            let word = value.word()?.to_ascii_lowercase();
            let is_in = |words: &[&str]| words.contains(&word.as_str());
            if is_in(BAD) {
                Some(true)
            } else if is_in(GOOD) {
                Some(false)
            } else {
                names_failure(path).then_some(true)
            }
        }
        Kind::Object | Kind::Array => {
            names_failure(path).then(|| traceloupe_engine::kit::has_content(value))
        }
        _ => None,
    }
}

/// Whether a key has only errors: `error`, but not `status`.
#[must_use]
pub fn names_failure(path: &str) -> bool {
    let (name, _) = names_of(path);
    ["err", "exception", "failure", "traceback"].iter().any(|part| name.contains(part))
}

/// How many nanoseconds the unit of a key for durations has, from the end of the key's name. Without a unit, the values
/// are seconds.
#[must_use]
pub fn unit_ns(path: &str) -> f64 {
    let last = path.rsplit('.').next().unwrap_or_default();
    match parts(last).last().map_or("", String::as_str) {
        "ms" | "millis" | "milliseconds" => 1e6,
        "us" | "micros" | "microseconds" => 1e3,
        "ns" | "nanos" | "nanoseconds" => 1.0,
        _ => 1e9,
    }
}

/// Whether the name of a key shows that its value is the name of a tool. `name` alone does not.
#[must_use]
pub fn names_tool(path: &str) -> bool {
    let (last, both) = names_of(path);
    let has = |parts: &[&str]| parts.iter().any(|part| both.contains(part));
    last == "fn"
        || both == "actionname"
        || has(&["tool", "function"])
        || path.contains(".*.") && has(&["call", "action"])
}

/// Whether the name of a key shows that its value is the output of a model.
#[must_use]
pub fn names_output(path: &str) -> bool {
    let (last, _) = names_of(path);
    ["modeloutput", "llmoutput", "modelresponse", "llmresponse"].contains(&last.as_str())
}

/// Whether the name of a list shows that its items are the input of a model, which is repeated again and again.
#[must_use]
pub fn names_input(path: &str) -> bool {
    let (last, _) = names_of(path);
    ["inputmessages", "promptmessages", "historyafter", "historybefore", "history", "context"]
        .contains(&last.as_str())
}

/// Whether the name of a key shows that its value is the author of the text.
#[must_use]
pub fn names_role(path: &str) -> bool {
    let (last, both) = names_of(path);
    place_in(ROLES, &last).or_else(|| place_in(ROLES, &both)).is_some()
}

fn is_word(value: Json<'_>) -> bool {
    value.word().is_some_and(|word| word.len() <= 80 && !word.contains('\n'))
}

/// Whether a value is a time between 1990 and 2100.
fn is_time(value: Json<'_>) -> bool {
    const YEAR_NS: i64 = 31_557_600_000_000_000;
    time_of(value).get().is_some_and(|ns| (20 * YEAR_NS..130 * YEAR_NS).contains(&ns))
}

/// Whether a key with an unfamiliar name has times: dates as text, or numbers under a name that indicates a time.
fn is_stamp(key: &Key<'_>) -> bool {
    let is_date = |value: Json<'_>| value.kind() == Kind::String && is_time(value);
    let last = parts(key.path.rsplit('.').next().unwrap_or_default()).pop().unwrap_or_default();
    let is_named = ["at", "time", "ts", "stamp", "timestamp", "ms"].contains(&last.as_str());
    !key.is_inner()
        && key.depth() <= 2
        && key.is_mostly(|it| is_date(it) || is_named && is_time(it))
}

fn is_words(value: Json<'_>) -> bool {
    value.text().is_some_and(|text| text.trim().contains(' '))
}

fn class_of(value: Json<'_>) -> Class {
    let word = (value.kind() == Kind::String).then(|| value.word()).flatten();
    word.map_or(Class::Other, |word| class(&word))
}

/// Whether a value is a list of parts of a message: objects with a type or text.
fn is_parts(value: Json<'_>) -> bool {
    value.kind() == Kind::Array && value.items().all(|it| it.any(&["type", "text"]).is_given())
}

/// The reading of a list.
#[derive(Debug)]
pub struct Found {
    /// The meaning of each key.
    pub mapping: Mapping,
    /// How many records the mapping recognises; 0 if nothing looks like a trace.
    pub n_told: usize,
}

/// Finds the meaning of the keys of a list.
#[must_use]
pub fn find(list: &List<'_>) -> Found {
    let mut mapping = Mapping::of_list(&list.path);
    let kind = kind_of(list);
    if let Some(key) = kind {
        mapping.set(Slot::Kind, &key.path);
    }
    for (slot, names) in NAMES {
        let free = list.keys.iter().filter(|key| mapping.keys().all(|(_, path)| path != key.path));
        // Values are tested only if the name fits.
        let ranked = free.filter_map(|key| Some((fit(names, key)? + 3 * key.depth(), key)));
        let ranked = ranked.filter(|(_, key)| is_fit(*slot, key, list));
        if let Some((_, key)) = ranked.min_by_key(|(rank, _)| *rank) {
            mapping.set(*slot, &key.path);
        }
    }
    if !mapping.has(Slot::Time)
        && let Some(key) = list.keys.iter().find(|key| is_stamp(key))
    {
        mapping.set(Slot::Time, &key.path);
    }
    tidy(&mut mapping, list);
    if let Some(key) = text_of(list, kind, &mapping) {
        mapping.set(Slot::Text, &key.path);
    } else if !mapping.has(Slot::Tool) && !mapping.has(Slot::Arguments) {
        let result = mapping.get(Slot::Result).to_owned();
        mapping.set(Slot::Text, &result);
        mapping.set(Slot::Result, "");
    }
    let n_told = n_told(list, kind, &mapping);
    if kind.is_none() {
        // Without a key for the kind of a record, another key may serve as its label.
        let named = list.keys.iter().filter(|key| key.depth() == 1 && key.is_mostly(is_word));
        let free = named.filter(|key| mapping.keys().all(|(_, path)| path != key.path));
        let label = free.filter_map(|key| Some((fit(LABELS, key)?, key)));
        if let Some((_, key)) = label.min_by_key(|(rank, _)| *rank) {
            mapping.set(Slot::Kind, &key.path.clone());
        }
    }
    Found { mapping, n_told }
}

/// The key for roles and kinds, by its values.
fn kind_of<'l, 'a>(list: &'l List<'a>) -> Option<&'l Key<'a>> {
    let counts = list.keys.iter().filter(|key| is_count_of_tokens(key));
    let counted: Vec<usize> = counts.flat_map(|key| &key.values).map(|(at, _)| *at).collect();
    let candidates = list.keys.iter().filter(|key| !key.is_inner() && key.depth() <= 3);
    let ranked = candidates.filter_map(|key| {
        let n_known = key.count(|value| class_of(value).is_known());
        let is_named = fit(KINDS, key).is_some();
        let outer = key.path.rsplit('.').nth(1).unwrap_or_default();
        // The type of an author is not a kind of event.
        let is_reached = key.depth() == 1
            || fit(ROLES, key).is_some()
            || place_in(WRAPPERS, &names_of(outer).0).is_some();
        // In a log with many kinds of events, few may be LLM calls: their counts identify them.
        let is_counted = |(at, value): &(usize, Json<'_>)| {
            class_of(*value) == Class::Model && counted.contains(at)
        };
        let enough = if is_named {
            n_known * 5 >= key.values.len() || key.values.iter().any(is_counted)
        } else {
            n_known * 10 >= key.values.len() * 9
        };
        let is_kind = n_known > 0 && enough && is_reached && key.is_mostly(is_word);
        is_kind.then(|| (n_known * 4 + usize::from(is_named), key))
    });
    ranked.max_by_key(|(rank, key)| (*rank, usize::MAX - key.depth())).map(|(_, key)| key)
}

/// Whether a key has the number of tokens that a model wrote.
fn is_count_of_tokens(key: &Key<'_>) -> bool {
    let names = NAMES.iter().find(|(slot, _)| *slot == Slot::TokensOut);
    !key.is_inner()
        && names.is_some_and(|(_, names)| fit(names, key).is_some())
        && key.is_mostly(|value| value.count().is_some())
}

/// Whether the values of a key fit a slot.
fn is_fit(slot: Slot, key: &Key<'_>, list: &List<'_>) -> bool {
    let may_be_inner = matches!(slot, Slot::Tool | Slot::Arguments | Slot::Result | Slot::Call);
    if key.is_inner() && !may_be_inner {
        return false;
    }
    match slot {
        Slot::Time | Slot::End => key.is_mostly(is_time),
        Slot::Duration => {
            let is_number = |value: Json<'_>| value.kind() == Kind::Number && !is_time(value);
            let has_unit = unit_ns(&key.path) < 1e9
                || parts(key.path.rsplit('.').next().unwrap_or_default())
                    .last()
                    .is_some_and(|unit| ["s", "sec", "secs", "seconds"].contains(&unit.as_str()));
            // Whole numbers without a unit may be seconds or milliseconds.
            key.is_mostly(is_number)
                && (has_unit || key.count(|value| value.raw().contains('.')) > 0)
        }
        Slot::Id | Slot::Call => key.is_mostly(is_word),
        Slot::Parent => {
            let is_id = |value: Json<'_>| {
                value.word().is_some_and(|parent| {
                    let ids = list.keys.iter().filter(|it| fit(ids_names(), it).is_some());
                    ids.flat_map(|ids| &ids.values)
                        .any(|(_, id)| id.word().as_ref() == Some(&parent))
                })
            };
            key.is_mostly(is_word) && key.count(is_id) > 0
        }
        Slot::Tool | Slot::Model => key.is_mostly(|value| {
            value.kind() == Kind::String && is_word(value) && !is_sentence(value)
        }),
        Slot::TokensIn | Slot::TokensOut => key.is_mostly(|value| value.count().is_some()),
        Slot::Error => {
            let path = &key.path;
            key.count(|value| has_failed(path, value).is_some()) > 0
                && (names_failure(path) || key.is_mostly(|value| !is_words(value)))
        }
        // The parameters of a tool are not a call of it.
        Slot::Arguments => !key.is_mostly(|value| value.get("properties").kind() == Kind::Object),
        Slot::Kind | Slot::Text | Slot::Result => true,
    }
}

fn ids_names() -> &'static str {
    NAMES.iter().find(|(slot, _)| *slot == Slot::Id).map_or("", |(_, names)| names)
}

fn is_sentence(value: Json<'_>) -> bool {
    value.text().is_some_and(|text| text.split(' ').count() > 4)
}

/// Removes slots that mean nothing without other slots.
fn tidy(mapping: &mut Mapping, list: &List<'_>) {
    let values = |path: &str| {
        list.keys.iter().find(|key| key.path == path).map_or(0, |key| key.values.len())
    };
    // Keys of the calls inside a message belong together.
    let calls = |path: &str| path.split_once(".*.").map(|(list, _)| list.to_owned());
    let tool_list = calls(mapping.get(Slot::Tool));
    for slot in [Slot::Arguments, Slot::Result, Slot::Call] {
        let path = mapping.get(slot).to_owned();
        if calls(&path).is_some() && calls(&path) != tool_list {
            mapping.set(slot, "");
        }
    }
    if !mapping.has(Slot::Parent) || !mapping.has(Slot::Id) {
        mapping.set(Slot::Parent, "");
    }
    // An end without a start is useless.
    if !mapping.has(Slot::Time) {
        mapping.set(Slot::End, "");
    }
    // Without a key of its own, the id of a call is the one that several records share.
    let id = list.keys.iter().find(|key| key.path == mapping.get(Slot::Id));
    if let Some(id) = id.filter(|_| !mapping.has(Slot::Call) && mapping.has(Slot::Tool)) {
        let mut words: Vec<_> = id.values.iter().filter_map(|(_, value)| value.word()).collect();
        let n = words.len();
        traceloupe_core::sorting::sort_by(&mut words, |one, other| one.cmp(other));
        words.dedup();
        if words.len() < n {
            let path = id.path.clone();
            mapping.set(Slot::Call, &path);
            mapping.set(Slot::Id, "");
            mapping.set(Slot::Parent, "");
        }
    }
    if values(mapping.get(Slot::Model)) == 0 && mapping.has(Slot::Model) {
        mapping.set(Slot::Model, "");
    }
}

/// The key for the text: by its name, or else by the longest texts.
fn text_of<'l, 'a>(
    list: &'l List<'a>,
    kind: Option<&Key<'_>>,
    mapping: &Mapping,
) -> Option<&'l Key<'a>> {
    // In a log of many events, few are user input.
    let of_user = |(_, value): &&(usize, Json<'_>)| class_of(*value) == Class::User;
    let asked: Vec<usize> = kind
        .into_iter()
        .flat_map(|key| key.values.iter().filter(of_user).map(|(at, _)| *at))
        .collect();
    let is_asked = |key: &Key<'_>| {
        let n = key.values.iter().filter(|(at, _)| asked.contains(at)).count();
        n > 0 && n * 2 >= asked.len()
    };
    let is_free = |key: &&Key<'_>| {
        !key.is_inner() && key.depth() <= 3 && mapping.keys().all(|(_, path)| path != key.path)
    };
    let is_often = |key: &Key<'_>| key.values.len() * 4 >= list.items.len() || is_asked(key);
    let is_text = |key: &Key<'_>| {
        is_often(key)
            && key.is_mostly(|value| is_parts(value) || value.kind() == Kind::String)
            && (key.count(|value| is_words(value) || is_parts(value)) > 0)
            && !key.is_mostly(is_time)
    };
    let free = || list.keys.iter().filter(is_free).filter(|key| is_text(key));
    let named = free().filter_map(|key| Some((fit(TEXTS, key)? + 3 * key.depth(), key)));
    let named = named.min_by_key(|(rank, _)| *rank).map(|(_, key)| key);
    named.or_else(|| {
        let len = |key: &Key<'_>| {
            let all: usize = key.values.iter().map(|(_, value)| value.raw().len()).sum();
            all / key.values.len().max(1)
        };
        let long = free().filter(|key| key.is_mostly(is_words));
        long.map(|key| (len(key), key)).max_by_key(|(len, _)| *len).map(|(_, key)| key)
    })
}

/// How many records a mapping recognises; 0 if the records do not look like those of a trace.
fn n_told(list: &List<'_>, kind: Option<&Key<'_>>, mapping: &Mapping) -> usize {
    let n = list.items.len();
    let values = |slot| list.keys.iter().find(|key| key.path == mapping.get(slot));
    let has = |slot| mapping.has(slot);
    let count = |slot| values(slot).map_or(0, |key: &Key<'_>| key.values.len());
    // A log of calls may consist of its first line so far. All other lists need two records to be a trace.
    let is_line = list.path.is_empty() && !list.keys.iter().any(Key::is_inner);
    if n >= 2 || is_line {
        let n_measured = n_measured(list, mapping);
        if n_measured > 0 {
            return n_measured;
        }
    }
    if n < 2 {
        return 0;
    }
    // Records with roles and text, or with kinds of events.
    let classes: Vec<Class> = kind
        .map(|key| key.values.iter().map(|(_, value)| class_of(*value)).collect())
        .unwrap_or_default();
    let of = |group: u8| classes.iter().filter(|class| class.group() == group).count();
    let n_known = classes.iter().filter(|class| class.is_known()).count();
    let failures =
        kind.map_or(0, |key| key.count(|it| it.text().is_some_and(|it| is_failure(&it))));
    let n_groups = (1..=5).filter(|group| of(*group) > 0).count() + failures.min(1);
    let of_agents =
        of(Class::Model.group()) + of(Class::Thinking.group()) + of(Class::Tool(None).group());
    let shows = has(Slot::Text) || has(Slot::Arguments) || has(Slot::Result);
    if of_agents > 0 && n_groups >= 2 && shows && n_known * 5 >= n {
        return n_known;
    }
    // LLM calls by their name, with their counts, among events of other kinds.
    let counted: Vec<usize> = values(Slot::TokensOut)
        .into_iter()
        .flat_map(|key| key.values.iter().map(|(at, _)| *at))
        .collect();
    let is_counted =
        |(at, value): &&(usize, Json<'_>)| class_of(*value) == Class::Model && counted.contains(at);
    let n_counted = kind.map_or(0, |key| key.values.iter().filter(is_counted).count());
    if n_counted > 0 && (has(Slot::Model) || has(Slot::TokensIn)) {
        return n_counted;
    }
    // Tool calls.
    let tool = mapping.get(Slot::Tool);
    let data = [count(Slot::Arguments), count(Slot::Result)];
    let is_call = match names_tool(tool) {
        true => data.iter().any(|n| *n > 0),
        // Anything can have a name or an action.
        false => !tool.ends_with("name") && data.iter().all(|n| *n > 0),
    };
    if has(Slot::Tool) && is_call && count(Slot::Tool) * 10 >= n {
        return count(Slot::Tool).min(n);
    }
    // LLM calls.
    let is_model =
        has(Slot::Model) && has(Slot::Arguments) && (has(Slot::Result) || has(Slot::Text));
    let has_tokens = has(Slot::TokensIn) || has(Slot::TokensOut);
    if is_model
        && (has_tokens || values(Slot::Model).is_some_and(|key| key.is_mostly(is_model_name)))
    {
        return count(Slot::Model);
    }
    // Spans: the start, the end and the parent of each.
    let has_times = has(Slot::Time) && (has(Slot::End) || has(Slot::Duration));
    if has(Slot::Parent) && has_times { count(Slot::Id).min(count(Slot::Time)) } else { 0 }
}

/// How many records are measurements of calls, without their text: LLM calls with their tokens or cost, tool calls with
/// their outcome and duration.
fn n_measured(list: &List<'_>, mapping: &Mapping) -> usize {
    let values = |slot| list.keys.iter().find(|key| key.path == mapping.get(slot));
    let count = |slot| values(slot).map_or(0, |key: &Key<'_>| key.values.len());
    let is_most = |slot| count(slot) * 2 > list.items.len();
    let has = |slot| mapping.has(slot);
    let is_timed = has(Slot::Time) || has(Slot::Duration);
    if is_timed && is_most(Slot::Model) && !has(Slot::Parent) && !has(Slot::Tool) {
        let is_counted = is_most(Slot::TokensIn) && is_most(Slot::TokensOut);
        let is_logged = values(Slot::Time)
            .is_some_and(|key| place_in("timestamp ts time at starttime", &key.names.0).is_some());
        let is_known = || {
            let beside =
                list.keys.iter().any(|key| place_in(BESIDE_MODELS, &key.names.0).is_some());
            beside && values(Slot::Model).is_some_and(|key| key.is_mostly(is_model_name))
        };
        if is_counted || is_logged && list.items.len() >= 2 && is_known() {
            return count(Slot::Model);
        }
    }
    let is_call = names_tool(mapping.get(Slot::Tool)) && is_most(Slot::Tool);
    let lasts = has(Slot::Duration) || has(Slot::Time) && has(Slot::End);
    if is_call && lasts && has(Slot::Error) && !has(Slot::Parent) { count(Slot::Tool) } else { 0 }
}

/// Names of keys that occur beside the model in logs of LLM calls.
const BESIDE_MODELS: &str = "provider llmprovider modelprovider cost costusd totalcost prompthash";

/// Whether a value is the name of a model: it has the name of a family, and a number.
fn is_model_name(value: Json<'_>) -> bool {
    const FAMILIES: &[&str] = &[
        "gpt", "claude", "gemini", "llama", "mistral", "qwen", "deepseek", "command", "phi",
        "grok", "gemma", "kimi", "glm", "mixtral", "nova", "titan",
    ];
    let name = value.text().unwrap_or_default().to_ascii_lowercase();
    FAMILIES.iter().any(|family| name.contains(family))
}
