//! Prints what the page would show of trace files: `cargo run --example rows -- FILE…`. With `--open` every row
//! is opened as well, with `--open=12` only that row.
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::indexing_slicing)]

use traceloupe_core::model::{EventKind, Status};
use traceloupe_protocol::detail::ShownBlock;
use traceloupe_protocol::json_line::plain;
use traceloupe_protocol::messages::{Input, OpenRequest, Request, Response};
use traceloupe_protocol::value::Shown;
use traceloupe_session::Session;
use traceloupe_session::store::MemoryStore;
use traceloupe_view::causes::{errors, said_of};
use traceloupe_words::{fact, problems, role};

fn main() -> std::io::Result<()> {
    let (options, paths): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let opened = options.iter().find_map(|it| it.strip_prefix("--open"));
    let mut store = MemoryStore::default();
    let mut inputs = Vec::new();
    let mut handles = Vec::new();
    for path in &paths {
        let bytes = std::fs::read(path)?;
        let name = path.rsplit('/').next().unwrap_or(path);
        inputs.push(Input { path: name.to_owned(), len_bytes: bytes.len() as u64 });
        handles.push(store.add(bytes));
    }
    let mut session = Session::new(store, OpenRequest { inputs, ..OpenRequest::default() });
    let answers = session.open_all(&handles, 1 << 20);
    print(&mut session, answers, opened);
    Ok(())
}

fn print(session: &mut Session<MemoryStore>, answers: Vec<Response>, opened: Option<&str>) {
    let outline = answers.into_iter().rev().find_map(|answer| match answer {
        Response::Outline(outline) => Some(*outline),
        Response::Failed(problem) => {
            println!("{}. {}", problems::what_happened(&problem), problems::what_to_do(&problem));
            None
        }
        _ => None,
    });
    let Some(outline) = outline else { return };
    let mut assembly = traceloupe_view::assembly::Assembly::new(outline.clone());
    for rows in session.rows(&outline) {
        if let Response::Rows(rows) = rows {
            assembly.append(&rows);
        }
    }
    let outline = assembly.finish();
    for source in &outline.sources {
        println!("{}: {} ({})", source.path, source.format, source.why);
        if let Some(reading) = &source.reading {
            println!("  {}", reading.mapping);
        }
        if let Some(problem) = &source.problem {
            println!("  {problem:?}");
        }
    }
    for warning in &outline.warnings {
        println!("warning {warning:?}");
    }
    for run in &outline.runs {
        println!(
            "\nrun {:?} {:?}: {} rows, {:?}\n  usage {:?}\n  {:?} {:?} {:?}",
            run.key, run.title, run.n_rows, run.counts, run.usage, run.facts, run.notes, run.no_end
        );
        for row in run.first_row..run.first_row + run.n_rows {
            let id = outline.rows.ids.get(row);
            let preview = match session.handle(&Request::Previews(vec![id])).into_iter().next() {
                Some(Response::Previews(previews)) => {
                    let changed = previews[0].1.changed_lines;
                    let counts = changed.map(|(added, removed)| format!("+{added} −{removed} "));
                    counts.unwrap_or_default() + &previews[0].1.text
                }
                _ => String::new(),
            };
            println!(
                "{:5} {}{} [{}] {} {} in {} out {} {} ms  {}",
                row - run.first_row,
                "  ".repeat(usize::from(outline.rows.depths.get(row)).min(20)),
                EventKind::from_code(outline.rows.kinds.get(row)).word(),
                outline.name(outline.rows.names.get(row)),
                Status::from_code(outline.rows.statuses.get(row)).word(),
                outline.name(outline.rows.errors.get(row)),
                outline.rows.tokens_in.get(row),
                outline.rows.tokens_out.get(row),
                outline.rows.durations_ms.get(row),
                preview.chars().take(110).collect::<String>(),
            );
            let is_wanted = opened.is_some_and(|it| {
                it.is_empty() || it.strip_prefix('=') == Some(&(row - run.first_row).to_string())
            });
            if is_wanted
                && let [Response::Detail(detail)] = session.handle(&Request::Detail(id)).as_slice()
            {
                detail.blocks.iter().for_each(|block| print_block(block, "            "));
            }
        }
    }
    for finding in &outline.findings {
        println!("finding {finding:?}");
    }
    for run in (0..).take(outline.runs.len()) {
        let findings = || outline.findings.iter().filter(|it| it.run == run);
        let ids = findings().map(|it| outline.rows.ids.get(it.mark)).collect();
        let answers = session.handle(&Request::Causes(run, ids));
        let [Response::Causes(causes)] = answers.as_slice() else { continue };
        for finding in findings().chain(&errors(&outline, run, causes)) {
            println!("{}", said_of(&outline, finding, causes, "").sentence.plain());
        }
    }
}

fn print_block(block: &ShownBlock, indent: &str) {
    match block {
        ShownBlock::Value(of, form, shown) => {
            println!("{indent}{} ({form:?}): {}", role(of), text(shown))
        }
        ShownBlock::Table(of, rows) => {
            println!("{indent}{}:", role(of));
            rows.iter()
                .for_each(|(kind, shown)| println!("{indent}  {} = {}", fact(kind), text(shown)));
        }
        ShownBlock::Messages(of, before, new) => {
            println!("{indent}{}: {} before", role(of), before.len());
            for message in new {
                println!("{indent}  {} {}", message.role, message.name);
                message.content.iter().for_each(|it| print_block(it, &format!("{indent}    ")));
            }
        }
        other => println!("{indent}{}", cut(&format!("{other:?}"))),
    }
}

fn text(shown: &Shown) -> String {
    match shown {
        Shown::Text(text, ..) => cut(&format!("{text:?}")),
        Shown::Json(lines, _) => cut(&plain(lines).replace('\n', " ")),
        other => cut(&format!("{other:?}")),
    }
}

fn cut(text: &str) -> String {
    text.chars().take(160).collect()
}
