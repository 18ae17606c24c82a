//! OSWorld: `traj.jsonl`, the actions of an agent at a desktop, one line per action.
//!
//! Read from the producer's code (github.com/xlang-ai/OSWorld, `lib_run_single.py` and `run.py`) and lines of 2025 and
//! 2026 in the documentation of programs that run it. A step is one LLM call; each of its actions is a line, with the
//! same response if the response is written at all. An action is code for `pyautogui`, one of the words `WAIT`, `DONE`
//! and `FAIL`, or an object. Screenshots are files beside the trajectory. The score is in `result.txt`; `reward` is 0
//! in all lines except those of agents that grade themselves.

use traceloupe_engine::prelude::*;

/// The format.
pub static OSWORLD: Described = Described {
    signs: &[Sign::record(
        "lines have a `step_num`, an `action` and the name of a screenshot",
        &[
            Test::HasAll(&["step_num", "action", "done"]),
            Test::HasOne(&["screenshot_file", "action_timestamp"]),
        ],
    )],
    quiet: &["step_num|step_idx|action_timestamp|done"],
    ..Described::new(&catalog::OSWORLD, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let line = entry.json;
    let failure = line.get("Error");
    if has_content(failure) && line.get("action").is_absent() {
        out.run.status = Some(RunStatus::Error);
        out.event(EventKind::Error, "run failed").error(failure);
        return;
    }
    let time = time(line.get("action_timestamp"), out);
    out.at(time);
    let (action, response) = (line.get("action"), line.get("response"));
    out.run.titles.own = line.get("instruction");
    // Several actions of one response have the same number.
    let step = format!("{} {}", line.get("step_num").raw(), response.fingerprint());
    let step = out.string(&step);
    let parts = if has_content(response) { vec![said(response)] } else { Vec::new() };
    let model = out.items.len();
    out.model(parts, Joins::Id(step)).asks(action);
    let name = tool(action, out);
    let code = action.kind() == Kind::String;
    let arguments = if code { Json::ABSENT } else { action };
    let item = out.asked_by(model, Json::ABSENT, name, arguments);
    if code {
        item.part(Part::Code("action".into(), "python", action)).summary(action);
    }
    let problem = line.get("info.error");
    item.status(if has_content(problem) { Status::Failed } else { Status::Ok })
        .field("Step", line.get("step_num"))
        .field("Reward", line.get("reward"))
        .field("Done", line.get("done"))
        .field("Screenshot", line.get("screenshot_file"))
        .value("Info", line.get("info"));
    if line.get("done").is_true() {
        let gave_up = action.is("FAIL");
        out.run.status = Some(if gave_up { RunStatus::Error } else { RunStatus::Ok });
        let reward = line.get("reward").number();
        out.run.grade.score = reward.filter(|reward| *reward > 0.0 && *reward <= 1.0);
    }
}

/// The model's response, which is on each line of a step.
fn said(response: Json<'_>) -> Part<'_> {
    match response.kind() {
        Kind::String => Part::Text(response),
        _ => Part::Value(BlockRole::Response, response),
    }
}

/// The name of the tool: a word that ends or waits, the name in an object, else the library for which the code is
/// written.
fn tool<'a>(action: Json<'a>, out: &Description<'a>) -> Json<'a> {
    let named = action.any(&["name", "action_type", "action", "type"]);
    match action.word().as_deref() {
        Some("DONE" | "FAIL" | "WAIT") => action,
        _ if named.kind() == Kind::String => named,
        _ => out.string("pyautogui"),
    }
}

/// A time as `20260122@144314466359`: the date, then hours to microseconds, without a zone.
fn time<'a>(stamp: Json<'a>, out: &Description<'a>) -> Json<'a> {
    let Some(word) = stamp.text() else { return Json::ABSENT };
    let Some((date, time)) = word.split_once('@') else { return stamp };
    let parts = (
        date.get(..4),
        date.get(4..6),
        date.get(6..8),
        time.get(..2),
        time.get(2..4),
        time.get(4..6),
    );
    let (Some(year), Some(month), Some(day), Some(hour), Some(minute), Some(second)) = parts else {
        return Json::ABSENT;
    };
    let rest = time.get(6..).filter(|rest| !rest.is_empty()).unwrap_or("0");
    let iso = format!("{year}-{month}-{day}T{hour}:{minute}:{second}.{rest}");
    out.string(&iso)
}
