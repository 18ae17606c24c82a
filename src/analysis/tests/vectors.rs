//! Small traces with the findings that they must and must not have.

use super::super::{Arguments, NoTexts, Results, Rule, Settings, findings, first_error};
use super::notation::{found, lines, trace};
use traceloupe_core::model::{EventId, RunId};

const NONE: [&str; 0] = [];

#[test]
fn what_is_no_loop() {
    assert_eq!(lines("A(x)=r A(x)=r"), NONE, "twice is no loop");
    assert_eq!(lines("Read(f)=1 Edit(f)=ok Read(f)=2"), NONE);
    assert_eq!(lines("A(x)=r A(x)=r U A(x)=r A(x)=r"), NONE, "the user asked again");
    assert_eq!(lines("a/A(x)=r b/A(x)=r a/A(x)=r b/A(x)=r"), NONE, "agents side by side");
    let twelve = (0..12).map(|at| format!("R(f{at})=t{at}")).collect::<Vec<_>>().join(" ");
    assert_eq!(lines(&format!("L:m [{twelve}] L:m=done")), NONE, "calls of one message");
    let same = ["R(f)=t"; 12].join(" ");
    assert_eq!(lines(&format!("L:m [{same}] L:m=done")), NONE, "one step, whatever is in it");
}

#[test]
fn a_loop_that_goes_on_after_a_message_from_the_user_is_one() {
    let calls = "A(x)=r A(x)=r A(x)=r";
    assert_eq!(lines(&format!("{calls} U {calls}")), ["Critical repeat A x6 from 0"]);
    let cycle = "A(x)=r B(y)=s ".repeat(3);
    assert_eq!(lines(&format!("{cycle} U {cycle}")), ["Critical repeat A,B x6 from 0"]);
    let other = format!("{cycle} U B(y)=s {cycle}");
    assert_eq!(lines(&other).len(), 2, "it does not go on: {:?}", lines(&other));
}

#[test]
fn the_middle_one_of_three_loops_is_kept() {
    let of = |name: &str| format!("L:m {name}(x)=r ").repeat(3);
    let all = format!("L:m Q(x)=q {}{}{}L:m Q(y)=q", of("A"), of("B"), of("C"));
    let found = lines(&all);
    assert_eq!(found.iter().filter(|it| it.starts_with("Warning repeat")).count(), 3, "{found:?}");
}

#[test]
fn results_decide_how_strong_a_repetition_is() {
    assert_eq!(lines("A(x)=r A(x)=r A(x)=r"), ["Warning repeat A x3 from 0"]);
    assert_eq!(lines("A(x)=1 A(x)=2 A(x)=3"), ["Info polling A x3 from 0"]);
    assert_eq!(lines(&"A(x)=1 A(x)=2 ".repeat(10)), ["Warning polling A x20 from 0"]);
    assert_eq!(lines(&"A(x)=r ".repeat(5)), ["Critical repeat A x5 from 0"]);
    assert_eq!(lines("A(x) A(x) A(x)"), ["Info repeat A x3 from 0"]);
    assert_eq!(lines(&"A(x) ".repeat(5)), ["Warning repeat A x5 from 0"]);
    assert_eq!(lines("A(x)=1 A(x) A(x)=1"), ["Info repeat A x3 from 0"]);
    assert_eq!(lines("A(x)=1 A(x) A(x)=2"), ["Info polling A x3 from 0"]);
    assert_eq!(lines("A(x)=!no A(x)=!no A(x)=!no"), ["Warning error-retry A x3 from 0"]);
    // The texts of errors often contain a time or a number, which must not distinguish failures.
    assert_eq!(lines("A(x)=!1 A(x)=!2 A(x)=!3"), ["Warning error-retry A x3 from 0"]);
    assert_eq!(lines("A(x)=!1 A(x)=!1 A(x)=ok"), ["Info polling A x3 from 0"]);
    assert_eq!(lines("A(x)=r A(y)=r A(z)=r"), ["Info same-result A x3 from 0"]);
    assert_eq!(lines("A(x)=1 A(y)=2 A(z)=3"), ["Info same-calls A x3 from 0"]);
    assert_eq!(lines("A(x) A(y) A(z)"), ["Info same-calls A x3 from 0"]);
    assert_eq!(lines("A(x)=!r A(y)=!r A(z)=!r"), ["Info same-result A x3 from 0"]);
    assert_eq!(lines("A(v)=!a A(w)=!b A(x)=!c A(y)=!d"), ["Info same-calls A x4 from 0"]);
}

#[test]
fn a_missing_result_is_not_an_equal_one() {
    let results =
        |text| found(text).list.first().map(|it| (it.evidence.args(), it.evidence.results()));
    assert_eq!(results("A(x) A(x) A(x)"), Some((Arguments::Same, Results::Missing)));
    assert_eq!(results("A(x)=r A(x)=r A(x)"), Some((Arguments::Same, Results::Missing)));
    assert_eq!(results("A(x)=r A(x)=r A(x)=r"), Some((Arguments::Same, Results::Same)));
    assert_eq!(results("A(x)=r A(y)=r A(z)"), Some((Arguments::Different, Results::Missing)));
}

#[test]
fn what_is_said_about_a_call_does_not_make_it_another() {
    assert_eq!(lines("A(x;a)=r A(x;b)=r A(x)=r"), ["Warning repeat A x3 from 0"]);
    assert_eq!(found("A(x;a)=r A(x;b)=r A(x)=r").list[0].evidence.args(), Arguments::Alike);
    assert_eq!(found("A(x;a)=r A(x;a)=r A(x;a)=r").list[0].evidence.args(), Arguments::Same);
    assert_eq!(found("A(x;a)=r A(x;b)=r A(y)=r").list[0].evidence.args(), Arguments::Different);
}

#[test]
fn calls_that_return_between_others() {
    // Each pair of calls is followed by another one, so that nothing is repeated in a row.
    let between = |call: &str, times: usize| {
        (0..times).map(|at| format!("{call} B(b{at})={at} C{at}(c)={at} ")).collect::<String>()
    };
    assert_eq!(lines(&between("A(x)=r", 5)), NONE);
    assert_eq!(lines(&between("A(x)=r", 6)), ["Warning repeat-apart A x6 from 0"]);
    assert_eq!(lines(&between("A(x;a)=r A(x;b)=r", 3)), ["Warning repeat-apart A x6 from 0"]);
    assert_eq!(lines(&between("A(x)", 9)), NONE, "what came out is not known");
    assert_eq!(lines(&format!("{} U {}", between("A(x)=r", 3), between("A(x)=r", 3))), NONE);
    let changed = format!("{} edit(f)=ok {}", between("A(x)=r", 5), between("A(x)=r", 5));
    assert_eq!(lines(&changed), NONE, "something else may come out after a change");
    // Reading a file again and again gives nothing new, even if other files are changed.
    let reading = |edited: &str| format!("{0} {edited} {0}", between("A(x@f)=r", 3));
    assert_eq!(lines(&reading("edit(y@g)=ok")), ["Warning repeat-apart A x6 from 0"]);
    assert_eq!(lines(&reading("edit(y@f)=ok")), NONE);
    assert_eq!(lines(&reading("edit(y)=ok")), NONE, "it is not known what was changed");
    // A call that fails in the same way regardless of edits and arguments.
    let failing = between("A(x)=!no edit(f)=ok", 5);
    assert_eq!(lines(&failing), ["Warning same-error A x5 from 0"]);
    assert_eq!(lines("A(x)=!no1 B(1)=1 A(y)=!no2 D(1)=1 A(z)=!no3"), NONE);
    assert_eq!(lines("A(x)=!no B(1)=1 A(y)=!nay D(1)=1 A(z)=!nope"), NONE);
    // Repetitions in a row are not found again as repetitions apart.
    assert_eq!(lines("A(x)=!no A(x)=!no A(x)=!no"), ["Warning error-retry A x3 from 0"]);
    // Calls that are made at the same time count as one.
    let at_once = ["A(x)=r"; 9].join(" ");
    assert_eq!(lines(&format!("L:m [{at_once}] L:m=done")), NONE);
}

#[test]
fn blocks_of_several_calls() {
    assert_eq!(lines(&"A(x)=1 B(y)=2 ".repeat(3)), ["Critical repeat A,B x3 from 0"]);
    assert_eq!(lines(&"A(x)=1 B(y)=2 C(z)=3 ".repeat(3)), ["Critical repeat A,B,C x3 from 0"]);
    assert_eq!(lines(&"A(x)=1 A(x)=1 B(y)=2 ".repeat(3)), ["Critical repeat A,A,B x3 from 0"]);
    // The block is the rotation that starts first; an unfinished repetition does not count.
    assert_eq!(
        lines(&format!("B(y)=2 {} A(x)=1", "A(x)=1 B(y)=2 ".repeat(3))),
        ["Critical repeat B,A x4 from 0"]
    );
    assert_eq!(
        lines(&format!("Q {} A(x)=1", "A(x)=1 B(y)=2 ".repeat(3))),
        ["Critical repeat A,B x3 +1 from 1"]
    );
    // An edit that changes nothing and a test that fails every time.
    assert_eq!(
        lines("E(f)=ok T=!1 E(f)=ok T=!2 E(f)=ok T=!3"),
        ["Critical error-retry E,T x3 from 0"]
    );
    assert_eq!(lines("E(f)=1 T=!1 E(f)=2 T=!2 E(f)=3 T=!3"), ["Info polling E,T x3 from 0"]);
    // One loop is one finding.
    assert_eq!(
        lines(&(0..5).map(|at| format!("E(f)={at} T=!{at} ")).collect::<String>()),
        ["Warning same-error T x5 from 1"]
    );
}

#[test]
fn repeated_names_are_no_finding_unless_asked_for() {
    let by_default = |text: &str| findings(&trace(text), &Settings::default(), &NoTexts).list.len();
    // An agent that reads three files, and one that repeats a cycle with other arguments each time.
    assert_eq!((by_default("A(x)=1 A(y)=2 A(z)=3"), lines("A(x)=1 A(y)=2 A(z)=3").len()), (0, 1));
    assert_eq!(by_default("A(1)=1 B(1)=1 A(2)=2 B(2)=2 A(3)=3 B(3)=3"), 0);
    assert_eq!(by_default("L:m=a L:m=b L:m=c"), 0);
    // Findings based on more than names stay: equal results, failures, equal arguments, the producer's warning.
    assert_eq!(by_default("A(v)=!r A(w)=!r A(x)=!r A(y)=!r A(z)=!r"), 1);
    assert_eq!(by_default(&"A(1)=!e A(2)=!e ".repeat(3)), 1);
    assert_eq!(by_default("A(x)=1 A(x)=2 A(x)=3"), 1);
    assert_eq!(by_default("A(x)=1 A(y)=2 A(z)=3 W:stuck"), 1);
}

#[test]
fn one_finding_for_each_loop() {
    assert_eq!(lines(&"A(x)=r ".repeat(100)), ["Critical repeat A x100 from 0"]);
    assert_eq!(lines(&"A(x)=r B(x)=s ".repeat(50)), ["Critical repeat A,B x50 from 0"]);
}

#[test]
fn an_exact_repetition_within_a_looser_one() {
    assert_eq!(
        lines("A(1)=1 A(2)=2 A(x)=r A(x)=r A(x)=r A(3)=3"),
        ["Info same-calls A x6 from 0", "Warning repeat A x3 from 2"]
    );
    // The looser one adds nothing: it is longer only by part of a repetition.
    assert_eq!(
        lines("A(x)=1 B(y)=2 A(x)=1 B(y)=2 A(x)=1 B(y)=2 A(z)=3"),
        ["Critical repeat A,B x3 from 0"]
    );
}

#[test]
fn llm_calls_are_compared_by_prompt_only_where_they_stand_alone() {
    assert_eq!(
        lines("L:m(p1)=a A(x)=r L:m(p2)=b A(x)=r L:m(p3)=c A(x)=r"),
        ["Warning repeat m,A x3 from 0"]
    );
    assert_eq!(lines("L:m(p)=a L:m(p)=a L:m(p)=a"), ["Warning repeat m x3 from 0"]);
    assert_eq!(lines("L:m(p1)=a L:m(p2)=a L:m(p3)=a"), ["Info same-result m x3 from 0"]);
    assert_eq!(lines("L:m=a L:m=b L:m=c"), ["Info same-calls m x3 from 0"]);
    assert_eq!(lines("L:m=a L:n=b L:m=c L:n=d"), NONE);
}

#[test]
fn states() {
    assert_eq!(lines("S(1) S(1) S(1)"), ["Warning repeat state x3 from 0"]);
    assert_eq!(lines("S(1) S(2) S(3)"), ["Info same-calls state x3 from 0"]);
    assert_eq!(
        lines("S S S"),
        ["Info same-calls state x3 from 0"],
        "what is not known is not equal"
    );
    assert_eq!(
        lines("S(1) A(x)=r S(2) A(x)=r S(3) A(x)=r"),
        ["Warning repeat state,A x3 from 0"],
        "a counter in the state is no progress of the calls"
    );
}

#[test]
fn calls_of_one_message_are_a_step_in_any_order() {
    assert_eq!(
        lines("L:m [A(x)=1 B(y)=2] L:m [B(y)=2 A(x)=1] L:m [A(x)=1 B(y)=2]"),
        ["Warning repeat m,A,B x3 from 0"],
        "calls that are made at once are one call of the loop"
    );
    let finding = found("L:m [A(x)=1 B(y)=2] L:m [B(y)=2 A(x)=1] L:m [A(x)=1 B(y)=2]");
    assert_eq!(finding.list[0].evidence.block_len(), 2);
    assert_eq!(finding.list[0].place.events.len(), 9);
    // With one more call each time, the steps are not the same.
    assert_eq!(lines("L:m [A(x)=1] L:m [A(x)=1 A(x)=1] L:m [A(x)=1 A(x)=1 A(x)=1]"), NONE);
}

#[test]
fn a_message_and_its_calls_count_as_one_in_the_length_of_a_block() {
    let cycle = "L:m [A(x)=1] L:m [B(x)=2] L:m [C(x)=3] L:m [D(x)=4] ";
    assert_eq!(lines(&cycle.repeat(3)), ["Critical repeat m,A,m,B,m,C,m,D x3 from 0"]);
    assert_eq!(lines(&"A=1 B=1 C=1 D=1 E=1 ".repeat(3)), ["Critical cycle A,B,C,D,E x3 from 0"]);
}

#[test]
fn a_stretch_keeps_what_a_longer_one_leaves() {
    let text = format!("{} {}", "A(x)=1 ".repeat(20), "B(y)=2 A(x)=1 ".repeat(20));
    assert_eq!(
        lines(&text),
        ["Critical repeat A x19 from 0", "Critical repeat A,B x20 +1 from 19"]
    );
}

#[test]
fn what_stands_in_the_file_joins_our_own() {
    assert_eq!(
        lines(
            "A(x)=1 B(y)=2 A(x)=1 B(y)=2 A(x)=1 B(y)=2 W:TOOL_CALL:A~->~TOOL_CALL:B \
               A(x)=1 W:TOOL_CALL:B~->~TOOL_CALL:A B(y)=2"
        ),
        ["Critical repeat A,B x4 from 0 (reported 2)"]
    );
    // The warning before its loop.
    assert_eq!(
        lines("W:TOOL_CALL:A A(x)=1 A(x)=1 A(x)=1"),
        ["Warning repeat A x3 from 1 (reported 1)"]
    );
    // In another producer's notation, the place decides.
    assert_eq!(lines("A(x)=1 A(x)=1 A(x)=1 W:stuck"), ["Warning repeat A x3 from 0 (reported 1)"]);
    // About something else.
    assert_eq!(
        lines("A(x)=1 A(x)=1 A(x)=1 W:TOOL_CALL:B"),
        ["Warning repeat A x3 from 0", "Warning reported TOOL_CALL:B x0 from 3 (reported 1)"]
    );
    assert_eq!(
        lines("W:TOOL_CALL:A~->~TOOL_CALL:B A=1 W:TOOL_CALL:B~->~TOOL_CALL:A"),
        ["Warning reported TOOL_CALL:A -> TOOL_CALL:B x0 from 0 (reported 2)"],
        "rotations are one"
    );
    // The name of a warning is cut by its producer.
    let (long, other) = ("a".repeat(50), "b".repeat(50));
    let pattern = format!("TOOL_CALL:{other} -> TOOL_CALL:{long}");
    let cut = format!("{}...", pattern.get(..79).unwrap()).replace(' ', "~");
    let text = format!("{} W:{cut}", format!("{long}=1 {other}=2 ").repeat(3));
    assert_eq!(
        lines(&text),
        [format!("Warning repeat {long},{other} x3 from 0 (reported 1)")
            .replace("Warning", "Critical")]
    );
}

#[test]
fn events_and_waste() {
    let text = "L:m A(x)=1 L:m A(x)=1 L:m A(x)=1 L:m";
    let finding = &found(text).list[0];
    let ids = |range: std::ops::Range<usize>| range.map(EventId::from_index).collect::<Vec<_>>();
    assert_eq!(finding.place.events, ids(0..6));
    assert_eq!(finding.place.repeats, ids(2..6));
    let steps = finding.evidence.steps().unwrap();
    assert_eq!((steps.extra, steps.block_len), (1, 2));
    assert_eq!(finding.waste.duration_ns, Some(3_000));
    assert_eq!(finding.waste.input_tokens, Some(20));
    assert_eq!(finding.waste.output_tokens, Some(2));
    assert_eq!(found("A(x)=1 A(x)=1 A(x)=1").list[0].waste.input_tokens, None);
}

#[test]
fn settings_are_kept_in_bounds() {
    let settings = Settings::new(0, 0);
    assert_eq!((settings.window(), settings.repetitions()), (4, 2));
    let settings = Settings::new(usize::MAX, usize::MAX);
    assert_eq!((settings.window(), settings.repetitions()), (48, 20));
    let twice = trace("A(x)=r A(x)=r");
    assert_eq!(findings(&twice, &Settings::new(12, 2), &NoTexts).list.len(), 1);
}

#[test]
fn too_many_findings_keep_the_most_severe_and_longest() {
    let mut text = String::new();
    for at in 0..1_200 {
        let times = if at == 600 { 4 } else { 3 };
        text += &format!("T{at}(x)={} ", at).repeat(times);
    }
    text += "P(x)=1 P(x)=2 P(x)=3";
    let found = found(&text);
    assert_eq!((found.list.len(), found.dropped), (1_000, 201));
    assert!(found.list.iter().all(|it| it.rule == Rule::Repeat));
    assert!(found.list.iter().any(|it| it.evidence.repetitions() == 4));
    assert!(found.list.is_sorted_by_key(|it| it.place.first));
}

#[test]
fn too_many_reported_patterns() {
    let text: String = (0..1_500).map(|at| format!("W:TOOL_CALL:t{} ", at % 1_200)).collect();
    let found = found(&text);
    assert_eq!((found.list.len(), found.dropped), (1_000, 200));
    assert_eq!(found.list.iter().filter(|it| it.place.reported.len() == 2).count(), 300);
}

#[test]
fn the_first_error_of_a_run() {
    let run = RunId::from_index(0);
    assert_eq!(first_error(&trace("A(x)=r"), run), None);
    let trace = trace("L:m A(x)=1 [B(x)=!e] C(x)=!f");
    assert_eq!(first_error(&trace, run), Some(EventId::from_index(2)));
}
