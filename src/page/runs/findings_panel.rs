//! All findings of a run beside the timeline, each with its evidence: the events it stands on, and what the repetitions
//! took.

use crate::glyph::glyph;
use crate::words::counts;
use crate::words::runs as text;
use leptos::prelude::*;

use crate::app::pane::{Pane, pane};
use crate::event::compare::compare_rows;
use crate::pane;
use crate::runs::findings::{
    self, CLOSE, ErrorLine, Found, REPORTED, errors, focus_later, nothing_found, of_run,
    sentence_of, toggle, with_code,
};
use crate::shared::Shared;
use traceloupe::view::page::evidence::{self, Evidence, Round};
use traceloupe::view::page::icon::{self, Icon};
use traceloupe::view::page::set_aside;
use traceloupe::view::wire::outline::{FindingLine, Outline};
use traceloupe::view::words;

/// How many findings are listed at first.
const SHOWN_FINDINGS: usize = 30;

/// How many more each time; a thousand would take the browser a second.
const MORE_FINDINGS: usize = 30;

/// Of how many findings of a list the evidence is shown at first.
const OPEN: usize = 3;

/// The longest path that is shown whole in the evidence.
const MAX_PATH_CHARS: usize = 18;

/// All findings, beside the timeline.
#[component]
pub fn Findings() -> impl IntoView {
    let pane = pane();
    markup! {
        <Show when=move || pane.lists_findings.get()>
            <aside class="panel" aria-label=text::ALL_FINDINGS on:keydown=move |event| {
                if event.key() == "Escape" {
                    event.prevent_default();
                    toggle(pane);
                }
            }>
                <header class="panel__head">
                    <h2>{text::FINDINGS}</h2>
                    <button id=CLOSE class="quiet" aria-label=text::CLOSE_FINDINGS
                        on:click=move |_| toggle(pane)>{glyph(icon::CLOSE)}</button>
                </header>
                <AllFindings/>
            </aside>
        </Show>
    }
}

#[component]
fn AllFindings() -> impl IntoView {
    let pane = pane();
    let (own, reported) = (of_run(pane, true, Some(false)), of_run(pane, true, Some(true)));
    let quiet = of_run(pane, false, None);
    let errors = errors(pane);
    let n = |found: Memo<Found>| Memo::new(move |_| found.with(|it| it.1.len()));
    let (n_own, n_reported, n_quiet) = (n(own), n(reported), n(quiet));
    let n_errors = Memo::new(move |_| errors.with(|it| it.len()));
    let is_none = move || n_own.get() + n_reported.get() + n_quiet.get() + n_errors.get() == 0;
    let n_left_out = move || {
        let causes = pane.trace.statistics.causes.get();
        if causes.run == pane.run.get() { causes.n_left_out } else { 0 }
    };
    markup! {
        <div class="panel__in">
            {section(pane, n_own, loops_heading, finding_list(pane, own))}
            {section(pane, n_reported, |_, n| text::heading(text::REPORTED_HEADING, n), finding_list(pane, reported))}
            {section(pane, n_errors, errors_heading, error_list(pane, errors))}
            {move || match n_left_out() {
                0 => None,
                n => Some(markup! { <p class="findings__none">{text::errors_left_out(n)}</p> }),
            }}
            {section(pane, n_quiet, |_, n| counts::quiet_findings(n as u64), finding_list(pane, quiet))}
            <Show when=move || pane.trace.outline.with(|outline| outline.findings_dropped > 0)>
                <p class="findings__none">{move || pane.trace.outline.with(|outline| {
                    text::not_listed(outline.findings_dropped)
                })}</p>
            </Show>
            <Show when=is_none>
                {move || nothing_found(pane).map(|words| markup! { <p class="findings__none">{words}</p> })}
            </Show>
        </div>
    }
}

/// The heading over the errors, which are listed by kind, with their number in the facts.
fn errors_heading(pane: Pane, n_kinds: usize) -> String {
    let run = pane.run.get() as usize;
    let of_run = |outline: &Shared<Outline>| outline.runs.get(run).map_or(0, |it| it.counts.errors);
    text::heading_of_kinds(text::ERRORS_HEADING, n_kinds, pane.trace.outline.with(of_run))
}

/// The heading over the possible loops, with the number of those that the program did not report itself.
fn loops_heading(pane: Pane, n_kinds: usize) -> String {
    let run = pane.run.get();
    let is_own = |it: &&FindingLine| it.run == run && it.is_loud() && it.rule != findings::REPORTED;
    let n = pane.trace.outline.with(|outline| outline.findings.iter().filter(is_own).count());
    text::heading_of_kinds(text::LOOPS_HEADING, n_kinds, n as u64)
}

/// Draws the first ones of a list.
type Draw = Box<dyn Fn(usize) -> AnyView + Send + Sync>;

/// A list with a heading, if there is anything in it: the first ones, and more on request.
fn section(pane: Pane, n: Memo<usize>, heading: fn(Pane, usize) -> String, draw: Draw) -> AnyView {
    let (n_shown, set_n_shown) = signal(SHOWN_FINDINGS);
    let button = move |words: String, act: fn(&mut usize)| {
        markup! { <button class="quiet findings__more" on:click=move |_| set_n_shown.update(act)>{words}</button> }
    };
    let more = move || {
        let n_more = n.get().saturating_sub(n_shown.get());
        (n_more > 0).then(|| button(counts::more(n_more), |n| *n += MORE_FINDINGS))
    };
    let fewer = move || {
        let is_long = n_shown.get() > SHOWN_FINDINGS;
        is_long.then(|| button(text::FEWER.to_owned(), |n| *n = SHOWN_FINDINGS))
    };
    let head = move || (n.get() > 0).then(|| markup! { <h3>{heading(pane, n.get())}</h3> });
    markup! { {head}{move || draw(n_shown.get())}{more}{fewer} }.into_any()
}

/// The errors of the run, those that are alike together.
fn error_list(pane: Pane, errors: Memo<Shared<Vec<ErrorLine>>>) -> Draw {
    Box::new(move |n_shown| {
        let errors = errors.get();
        let shown = errors.iter().take(n_shown).enumerate();
        shown.map(|(at, error)| error_view(pane, at, error)).collect_view().into_any()
    })
}

fn error_view(pane: Pane, at: usize, error: &ErrorLine) -> AnyView {
    let rows = error.rows.clone();
    let evidence = move || {
        let outline = pane.trace.outline.get_untracked();
        let causes = pane.trace.statistics.causes.get();
        pane.trace.costs.with(|costs| evidence::of_rows(&outline, &rows, costs, &causes))
    };
    let sentence = &error.sentence;
    let at_event = (error.rows.len() == 1).then(|| text::at_event(1, error.number));
    Entry {
        severity: "error",
        rule: String::new(),
        sign: Icon::Error,
        sentence: markup! { {with_code(sentence)}{at_event} }.into_any(),
        places: None,
        label: match at {
            0 => text::SHOW_THE_FIRST_ERROR.to_owned(),
            _ => text::show(&sentence.replace('`', "")),
        },
        row: error.rows.first().copied().unwrap_or(0),
        is_open: error.rows.len() > 1 && at < OPEN,
        acts: None,
    }
    .view(pane, Box::new(evidence))
}

/// Findings, those that are alike together.
fn finding_list(pane: Pane, found: Memo<Found>) -> Draw {
    Box::new(move |n_shown| {
        let (outline, found) = found.get();
        let shown = found.iter().take(n_shown).enumerate();
        let views = shown.filter_map(|(at, alike)| finding_view(pane, &outline, at, alike));
        views.collect_view().into_any()
    })
}

/// Says that findings are no loop, or that they are one after all.
fn set_aside(pane: Pane, all: &[u64]) {
    let mut outline = Outline::clone(&pane.trace.outline.get_untracked());
    pane.trace.statistics.set_aside.update_value(|keys| {
        for key in all {
            if !keys.remove(key) {
                keys.insert(*key);
            }
        }
        set_aside::apply(&mut outline, keys);
    });
    let outline = Shared::new(outline);
    pane.trace.outline.set(outline.clone());
    pane.trace.around.set(outline);
    // The list is drawn anew, and its buttons with it.
    focus_later(CLOSE);
}

fn finding_view(
    pane: Pane,
    outline: &Shared<Outline>,
    at: usize,
    alike: &[u32],
) -> Option<AnyView> {
    let lines: Vec<&FindingLine> =
        alike.iter().filter_map(|at| outline.findings.get(*at as usize)).collect();
    let line = *lines.first()?;
    let keys: Vec<u64> = lines.iter().map(|line| set_aside::key(outline, line)).collect();
    let judge = (line.severity != "info").then(|| {
        let (words, title) = match line.is_set_aside {
            true => (text::A_LOOP_AFTER_ALL, text::A_LOOP_AFTER_ALL_TITLE),
            false => (text::NOT_A_LOOP, text::NOT_A_LOOP_TITLE),
        };
        markup! {
            <button class="quiet" title=title on:click=move |_| set_aside(pane, &keys)>{words}</button>
        }
    });
    let compare = evidence::first_and_last(line).map(|(first, last)| {
        markup! {
            <button class="quiet" title=text::COMPARE_ROUNDS_TITLE
                on:click=move |_| compare_rows(pane, last, first)>{text::COMPARE_ROUNDS}</button>
        }
    });
    let is_confirmed = line.rule != REPORTED && lines.iter().any(|it| !it.reported.is_empty());
    let confirmed = is_confirmed.then(|| {
        markup! { <span class="badge" data-tone="dim">{text::REPORTED_TOO}</span> }
    });
    let sentence = sentence_of(pane, outline, line);
    let all = alike.to_vec();
    let evidence = {
        let outline = outline.clone();
        move || {
            let lines = all.iter().filter_map(|at| outline.findings.get(*at as usize));
            let lines: Vec<&FindingLine> = lines.collect();
            let causes = pane.trace.statistics.causes.get();
            let of = |costs: &_| evidence::of_findings(&outline, &lines, costs, &causes);
            pane.trace.costs.with(|costs| of(costs))
        }
    };
    let entry = Entry {
        severity: match line.severity.as_str() {
            _ if line.is_set_aside => "info",
            "critical" => "critical",
            "warning" => "warning",
            _ => "info",
        },
        rule: line.rule.clone(),
        sign: Icon::Loop,
        label: text::show(&sentence.replace('`', "")),
        sentence: with_code(&sentence).into_any(),
        places: (lines.len() > 1).then(|| text::places(lines.len())),
        row: line.mark,
        is_open: at < OPEN,
        acts: Some(markup! { {compare}{judge}{confirmed} }.into_any()),
    };
    Some(entry.view(pane, Box::new(evidence)))
}

/// What an entry of a list shows.
struct Entry {
    severity: &'static str,
    rule: String,
    sign: Icon,
    sentence: AnyView,
    /// How many alike it stands for.
    places: Option<String>,
    /// The name of the button that leads to the row.
    label: String,
    row: u32,
    /// Whether the evidence is shown at first.
    is_open: bool,
    acts: Option<AnyView>,
}

impl Entry {
    fn view(self, pane: Pane, evidence: Box<dyn Fn() -> Evidence + Send + Sync>) -> AnyView {
        let is_open = RwSignal::new(self.is_open);
        let row = self.row;
        let places =
            self.places.map(|words| markup! { <span class="badge" data-tone="dim">{words}</span> });
        markup! {
            <div class="finding" data-severity=self.severity data-rule=self.rule>
                {glyph(self.sign.path())}
                <span class="finding__words">{self.sentence}" "{places}</span>
                <button class="quiet" aria-label=self.label on:click=move |_| pane::actions::jump(pane, row)>{text::SHOW}</button>
                <div class="finding__acts">
                    <button class="quiet" aria-expanded=move || is_open.get().to_string()
                        on:click=move |_| is_open.update(|it| *it = !*it)>
                        {move || glyph(if is_open.get() { icon::DOWN } else { icon::RIGHT })}{text::EVIDENCE}
                    </button>
                    {self.acts}
                </div>
                {move || is_open.get().then(|| table(pane, evidence()))}
            </div>
        }
        .into_any()
    }
}

/// The evidence as a table. Columns that no line fills are not drawn.
fn table(pane: Pane, evidence: Evidence) -> AnyView {
    type Column = (&'static str, fn(&Round) -> &String);
    const COLUMNS: [Column; 5] = [
        (text::AT, |it| &it.at),
        (text::WHAT, |it| &it.what),
        (text::TIME_HEAD, |it| &it.time),
        (text::TOKENS, |it| &it.tokens),
        (text::COST_HEAD, |it| &it.cost),
    ];
    let Evidence { rounds, n_more, repeated } = evidence;
    let what = |head: &str| (head == text::WHAT).then_some("true");
    let columns = COLUMNS.into_iter().filter(|(_, of)| rounds.iter().any(|it| !of(it).is_empty()));
    let columns: Vec<Column> = columns.collect();
    let heads = columns
        .iter()
        .map(|(head, _)| markup! { <th scope="col" data-what=what(head)>{*head}</th> });
    let heads = heads.collect_view();
    let line = |round: &Round| {
        let (row, number) = (round.row, round.number);
        let cells = columns.iter().map(|(head, of)| {
            let title = of(round).clone();
            // Of a path the end tells most.
            let words = words::end_of_path(&title, MAX_PATH_CHARS).unwrap_or_else(|| title.clone());
            markup! { <td data-what=what(head) title=title>{words}</td> }
        });
        markup! {
            <tr on:click=move |_| pane::actions::go_to(pane, row)>
                <td><button class="quiet" aria-label=text::go_to_event(number)>{number}</button></td>
                {cells.collect_view()}
            </tr>
        }
    };
    let lines = rounds.iter().map(line).collect_view();
    markup! {
        <div class="evidence">
            {(!repeated.is_empty()).then(|| markup! { <p>{text::REPEATED}<b>{repeated.join(" · ")}</b></p> })}
            <table>
                <thead><tr><th scope="col">{text::EVENT}</th>{heads}</tr></thead>
                <tbody>{lines}</tbody>
            </table>
            {(n_more > 0).then(|| markup! { <p>{text::and_more(n_more)}</p> })}
        </div>
    }
    .into_any()
}
