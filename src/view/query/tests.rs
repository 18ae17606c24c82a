use std::sync::Arc;

use proptest::prelude::*;

use super::amount::{Amount, Range, Unit};
use super::facets::{Facets, unknown_name};
use super::matching::Matching;
use super::parse::{Wrong, parse};
use super::suggest::suggest;
use super::texts::{Texts, needles};
use super::*;
use crate::kinds::row_kind::RowKind;
use crate::outline::Outline;
use crate::row_columns::Rows;
use crate::testing::{assembled, finding, with_kinds};
use traceloupe_core::model::{CallOutcome, ErrorLabel, EventKind, Flags};
use traceloupe_protocol::matches::MatchBatch;
use traceloupe_protocol::outline::LaneLine;

fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,6}",
        "(user|errors|tools|all|name:x|tool:bash|-x|!y|>5s|a,b|http://x)",
        r#"[ -~]{0,8}"#,
        "\\PC{1,5}",
        any::<String>(),
    ]
}

fn key_words(key: Key) -> BoxedStrategy<String> {
    match super::parse::values_of(key) {
        known if known.is_empty() => words().boxed(),
        known => proptest::sample::select(known).prop_map(str::to_owned).boxed(),
    }
}

fn amounts(measure: Measure) -> impl Strategy<Value = Amount> {
    let units = match measure {
        Measure::Duration => vec![Unit::Milliseconds, Unit::Seconds, Unit::Minutes, Unit::Hours],
        _ => vec![Unit::One, Unit::Thousands, Unit::Millions],
    };
    // To a millionth, because the number is parsed with 15 digits.
    let fraction =
        (1_000_u64..1_000_000_000_000_000).prop_map(|millionths| millionths as f64 / 1e6);
    let number = prop_oneof![(1_u32..9_999).prop_map(f64::from), fraction];
    (number, proptest::sample::select(units)).prop_map(|(number, unit)| Amount { number, unit })
}

fn ranges(measure: Measure) -> impl Strategy<Value = Range> {
    let pair = (amounts(measure), amounts(measure), 0..6);
    pair.prop_map(|(one, other, which)| match which {
        0 => Range::Is(one),
        1 => Range::Over(one),
        2 => Range::AtLeast(one),
        3 => Range::Under(one),
        4 => Range::AtMost(one),
        _ => Range::Between(one, other),
    })
}

fn tests() -> impl Strategy<Value = Test> {
    let keyed = proptest::sample::select(Key::ALL.to_vec()).prop_flat_map(|key| {
        prop::collection::vec(key_words(key), 1..4).prop_map(move |words| Test::Words(key, words))
    });
    let numbers = proptest::sample::select(Measure::ALL.to_vec()).prop_flat_map(|measure| {
        prop::collection::vec(ranges(measure), 1..3)
            .prop_map(move |ranges| Test::Numbers(measure, ranges))
    });
    prop_oneof![words().prop_map(Test::Text), keyed, numbers]
}

fn queries() -> impl Strategy<Value = RowFilter> {
    prop::collection::vec((any::<bool>(), tests()), 0..5).prop_map(|terms| {
        let mut query = RowFilter::default();
        terms.into_iter().for_each(|(is_not, test)| query.add(Term { is_not, test }));
        query
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) })]

    #[test]
    fn what_is_printed_is_read_as_the_same(query in queries()) {
        let printed = query.print();
        let parsed = parse(&printed);
        prop_assert_eq!(&parsed.faults, &vec![], "{}", printed);
        prop_assert_eq!(&parsed.query, &query, "{}", printed);
        prop_assert_eq!(&link::read(&printed).query, &query, "in a link: {}", printed);
    }

    #[test]
    fn anything_can_be_typed(text in any::<String>()) {
        let parsed = parse(&text);
        prop_assert_eq!(parse(&parsed.query.print()).query, parsed.query);
        for fault in parsed.faults {
            prop_assert!(text.contains(&fault.term));
        }
        let _ = suggest(&text, &Facets::default());
    }
}

#[test]
fn terms_with_the_same_key_are_one() {
    for (typed, printed) in [
        ("", ""),
        ("tool:bash TOOL:Read tool:bash", "tool:bash,Read"),
        ("-tool:bash !tool:read tool:edit", "-tool:bash,read tool:edit"),
        ("kind:llm,tools status:failed", "kind:llm-call,tool-call status:error"),
        ("dur:>5s dur:..10ms tok:1k..2M out:<=0", "dur:>5s,<=10ms tok:1k..2M out:<=0"),
        ("two words \"and a phrase\"", "two words \"and a phrase\""),
        ("text:\"a, b\" file:src/", "text:\"a, b\" file:src/"),
        ("https://a.example/x", "\"https://a.example/x\""),
        ("tool:\"\" loop:any loop:2", "tool:\"\" loop:yes,2"),
        ("exit:101 lane:main type:user", "error:101 agent:main kind:user"),
        ("tool:\"x y\",", "tool:\"x y\""),
        ("tool:\"//\"", "tool:\"//\""),
    ] {
        let parsed = parse(typed);
        assert_eq!(parsed.query.print(), printed, "{typed}");
        assert!(parsed.faults.is_empty(), "{typed}: {:?}", parsed.faults);
    }
}

#[test]
fn what_cannot_be_read_is_named_and_the_rest_is_kept() {
    let wrong = |text: &str| parse(text).faults.into_iter().map(|it| it.what).collect::<Vec<_>>();
    assert_eq!(wrong("tol:bash"), [Wrong::Key("tol".into(), Some("tool"))]);
    assert_eq!(wrong("purple:1"), [Wrong::Key("purple".into(), None)]);
    assert_eq!(wrong("tool:"), [Wrong::Empty("tool")]);
    assert_eq!(wrong("dur:fast"), [Wrong::Number("dur", "fast".into())]);
    assert_eq!(wrong("dur:>5"), [Wrong::Unit("dur", ">5".into(), true)]);
    assert_eq!(wrong("tok:5x"), [Wrong::Unit("tok", "5x".into(), false)]);
    assert_eq!(wrong("\"open"), [Wrong::Quote]);
    assert!(
        matches!(&wrong("status:eror")[..], [Wrong::Value("status", _, Some("error"), known)] if known.len() == 11)
    );
    let parsed = parse("tool:bash dur:fast x");
    assert_eq!(parsed.query.print(), "tool:bash x");
    assert_eq!(parsed.faults[0].term, "dur:fast");
}

/// Two agents; tools of two names, one of them slow and one failed; a model with tokens.
fn sample() -> Outline {
    use EventKind::{LlmCall, ToolCall, UserMessage};
    let kinds = [UserMessage, LlmCall, ToolCall, ToolCall, ToolCall, LlmCall];
    let mut tree = with_kinds(&[0; 6], kinds.into_iter());
    tree.names = ["", "gpt-5", "gpt-5-mini", "mcp__fs__read", "bash"].into_iter().collect();
    tree.errors = vec![ErrorLabel::None, ErrorLabel::ExitCode(127)];
    let rows: &mut Rows = Arc::get_mut(&mut tree.rows).unwrap();
    let sent = &mut rows.sent;
    sent.names = [0, 1, 4, 3, 4, 2].into_iter().collect();
    sent.errors = [0, 0, 1, 0, 0, 0].into_iter().collect();
    sent.statuses = [
        CallOutcome::Unknown,
        CallOutcome::Ok,
        CallOutcome::TimedOut,
        CallOutcome::NoMatch,
        CallOutcome::Missing,
        CallOutcome::Ok,
    ]
    .into_iter()
    .map(|it| it as u8)
    .collect();
    sent.flags = [0, 0, 0, 0, 0, Flags::THINKING.bits()].into_iter().collect();
    sent.lanes = [0, 0, 1, 0, 0, 1].into_iter().collect();
    sent.durations_ms = [f64::NAN, 900.0, 20.0, 7_000.0, f64::NAN, 5_000.0].into_iter().collect();
    sent.tokens_in = [f64::NAN, 1_500.0, f64::NAN, f64::NAN, f64::NAN, 200.0].into_iter().collect();
    sent.tokens_out =
        [f64::NAN, 600.0, f64::NAN, f64::NAN, f64::NAN, f64::NAN].into_iter().collect();
    let main = LaneLine { is_main: true, n_rows: 4, ..LaneLine::default() };
    let sub = LaneLine { lane: 1, name: "Explore".into(), n_rows: 2, ..LaneLine::default() };
    tree.runs[0].lanes = vec![main, sub];
    tree.runs[0].kinds =
        [(UserMessage, 1), (LlmCall, 2), (ToolCall, 3)].map(|(kind, n)| (kind as u8, n)).into();
    tree
}

fn rows_of(tree: &Outline, text: &str, texts: &Texts) -> Vec<u32> {
    let parsed = parse(text);
    assert!(parsed.faults.is_empty(), "{text}: {:?}", parsed.faults);
    let matching = Matching::of(tree, 0, &parsed.query, texts);
    let rows: Vec<u32> = (0..6).filter(|row| matching.has(*row)).collect();
    assert_eq!(matching.n_rows as usize, rows.len());
    rows
}

#[test]
fn rows_are_matched_by_each_key() {
    let tree = sample();
    for (text, rows) in [
        ("", &[0, 1, 2, 3, 4, 5][..]),
        ("kind:tool-call", &[2, 3, 4]),
        ("-kind:tool-call", &[0, 1, 5]),
        ("kind:shell", &[2, 4]),
        ("kind:mcp", &[3]),
        ("kind:mcp,user", &[0, 3]),
        ("-kind:shell", &[0, 1, 3, 5]),
        ("kind:read", &[]),
        ("kind:other", &[]),
        ("kind:thinking", &[5]),
        ("kind:think,shell -status:error", &[4, 5]),
        ("tool:BASH", &[2, 4]),
        ("tool:read", &[3]),
        ("tool:ba", &[2, 4]),
        ("tool:bash,read", &[2, 3, 4]),
        ("tool:none", &[]),
        ("model:gpt-5", &[1]),
        ("model:mini", &[5]),
        ("model:gpt", &[1, 5]),
        ("name:bash", &[2, 4]),
        ("status:error", &[2]),
        ("status:timed-out", &[2]),
        ("status:denied", &[]),
        ("status:ok", &[1, 3, 5]),
        ("status:no-match", &[3]),
        ("status:no-result", &[4]),
        ("error:127", &[2]),
        ("error:12", &[]),
        ("error:exit", &[2]),
        ("agent:main", &[0, 1, 3, 4]),
        ("agent:expl", &[2, 5]),
        ("dur:>5s", &[3]),
        ("dur:>=5s", &[3, 5]),
        ("dur:<1s", &[1, 2]),
        ("dur:20ms", &[2]),
        ("dur:<1s,>6s", &[1, 2, 3]),
        ("dur:500ms..5s", &[1, 5]),
        ("tok:>2k", &[1]),
        ("tok:<1k", &[5]),
        ("in:200", &[5]),
        ("out:>=600", &[1]),
        ("loop:yes", &[]),
        ("tool:bash status:error", &[2]),
        ("tool:bash -status:error", &[4]),
        ("bash", &[2, 4]),
        ("text:gpt-5-m", &[5]),
    ] {
        assert_eq!(rows_of(&tree, text, &Texts::default()), rows, "{text}");
    }
}

#[test]
fn texts_are_matched_once_the_worker_has_found_them() {
    let tree = sample();
    let text = "Cart file:src/ -text:old";
    let wanted = needles(&parse(text).query);
    let wanted_words: Vec<_> = wanted.iter().map(|it| (it.text.as_str(), it.is_path)).collect();
    assert_eq!(wanted_words, [("cart", false), ("src/", true), ("old", false)]);
    let mut texts = Texts::of(&wanted);
    assert_eq!(rows_of(&tree, text, &texts), [0_u32; 0]);
    let ids = [&[0, 2, 3, 4][..], &[0, 2, 3, 4], &[3]];
    let ids = ids.iter().map(|ids| ids.iter().copied().collect()).collect();
    texts.add(&MatchBatch { ids, done: true, ..MatchBatch::default() });
    assert_eq!(rows_of(&tree, text, &texts), [2, 4], "a message touches no file");
}

#[test]
fn amounts_are_read_as_people_write_them() {
    for (text, number) in
        [(".5s", 0.5), ("05s", 5.0), ("5.s", 5.0), ("0.50s", 0.5), ("00s", 0.0), ("0", 0.0)]
    {
        let found = Amount::parse(Measure::Duration, text).map(|it| it.number);
        assert_eq!(found, Ok(number), "{text}");
    }
    for text in ["", ".", "s", "1.2.3s", "5"] {
        assert!(Amount::parse(Measure::Duration, text).is_err(), "{text}");
    }
}

#[test]
fn loops_are_matched_by_their_number() {
    let mut second = finding(&[4]);
    (second.first, second.rows) = (3, [3, 4].into_iter().collect());
    let mut first = finding(&[1]);
    (first.first, first.rows) = (0, [0, 1].into_iter().collect());
    let kinds = (0..6).map(|_| EventKind::ToolCall);
    let tree = assembled(&[0; 6], &[0, 1, 2, 3, 4, 5], kinds, &[second, first]);
    for (text, rows) in [
        ("loop:yes", &[0, 1, 3, 4][..]),
        ("loop:no", &[2, 5]),
        ("loop:1", &[0, 1]),
        ("loop:2", &[3, 4]),
        ("loop:3", &[]),
    ] {
        assert_eq!(rows_of(&tree, text, &Texts::default()), rows, "{text}");
    }
}

#[test]
fn a_run_is_counted_by_what_it_can_be_filtered_by() {
    let tree = sample();
    let facets = Facets::of(&tree, 0);
    let kinds: Vec<_> = facets.kinds.iter().map(|(kind, n)| (kind.word(), *n)).collect();
    assert_eq!(
        kinds,
        [("user", 1), ("llm-call", 2), ("thinking", 1), ("shell", 2), ("mcp", 1)],
        "tool calls by what the tools do"
    );
    assert_eq!(facets.tools, [("bash".to_owned(), 2), ("mcp__fs__read".to_owned(), 1)]);
    assert_eq!(facets.models.len(), 2);
    assert_eq!(facets.agents, [("main".to_owned(), 4), ("Explore".to_owned(), 2)]);
    assert_eq!(facets.slow, None, "two of four is not a tenth");
    assert_eq!(Facets::of(&tree, 7), Facets::default());
}

#[test]
fn tool_calls_are_one_kind_where_nothing_is_known_of_the_tools() {
    let mut tree = sample();
    tree.names = ["", "gpt-5", "gpt-5-mini", "fare", "book"].into_iter().collect();
    let kinds = Facets::of(&tree, 0).kinds;
    assert!(kinds.contains(&(RowKind::Event(EventKind::ToolCall), 3)), "{kinds:?}");
    assert!(!kinds.iter().any(|(kind, _)| matches!(kind, RowKind::Tool(_))), "{kinds:?}");
    tree.names = ["", "gpt-5", "gpt-5-mini", "fare", "bash"].into_iter().collect();
    let kinds = Facets::of(&tree, 0).kinds;
    assert!(kinds.contains(&(RowKind::of_tool("fare"), 1)), "{kinds:?}");
}

#[test]
fn a_name_that_is_not_in_the_run_is_told_with_one_like_it() {
    let tree = sample();
    let unknown = |text: &str| unknown_name(&tree, 0, &parse(text).query);
    assert_eq!(unknown("tool:bahs"), Some(("tool:bahs".into(), Some("bash".into()))));
    assert_eq!(unknown("tool:bas model:gpt -tool:zzz"), None);
    assert_eq!(unknown("agent:quartz"), Some(("agent:quartz".into(), None)));
}

#[test]
fn words_are_completed() {
    let facets = Facets::of(&sample(), 0);
    let all = |typed: &str| suggest(typed, &facets).into_iter();
    let words =
        |typed: &str| all(typed).filter(|it| !it.is_text).map(|it| it.text).collect::<Vec<_>>();
    let as_text = |typed: &str| all(typed).filter(|it| it.is_text).map(|it| it.text).next_back();
    assert_eq!(as_text("a tool:x").as_deref(), Some("a tool:x"), "it can be searched for, too");
    assert_eq!(as_text("tools: x"), None, "it is one already");
    assert_eq!(words("to"), ["tool:", "tok:"]);
    assert_eq!(words("x -st"), ["x -status:"]);
    assert_eq!(words("tool:"), ["tool:bash", "tool:mcp__fs__read"]);
    assert_eq!(words("a tool:bash,r"), ["a tool:bash,mcp__fs__read"]);
    assert_eq!(words("status:e")[0], "status:error");
    assert_eq!(words("kind:to"), ["kind:tool-call"]);
    assert_eq!(words("-kind:sh"), ["-kind:shell"]);
    assert_eq!(words("dur:>10"), ["dur:>10s"]);
    assert_eq!(words("agent:e"), ["agent:Explore"]);
    assert!(words("\"to").is_empty() && words("purple:").is_empty());
}

#[test]
fn words_and_ranges_are_asked_for_and_no_longer() {
    let mut query = RowFilter::default();
    query.toggle(Key::Tool, "bash");
    query.toggle(Key::Tool, "read");
    assert!(query.has(Key::Tool, "bash") && !query.has(Key::Name, "bash"));
    query.toggle(Key::Tool, "bash");
    assert_eq!(query.print(), "tool:read");
    query.toggle(Key::Tool, "read");
    assert!(query.is_empty());
    let over = Range::Over(Amount { number: 5.0, unit: Unit::Seconds });
    query.toggle_range(Measure::Duration, over);
    assert_eq!(query.print(), "dur:>5s");
    query.toggle_range(Measure::Duration, over);
    assert!(query.is_empty());
    query.extend(parse("a b").query);
    assert_eq!(query.remove(0).map(|term| term.print()), Some("a".to_owned()));
    assert_eq!(query.remove(7), None);
}
