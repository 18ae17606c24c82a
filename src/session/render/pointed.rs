//! The points on the screen that a call refers to, from the arguments of tools that use a computer or a browser.

use traceloupe_core::json::{Json, Kind};
use traceloupe_core::model::Value;
use traceloupe_protocol::value::Point;

use crate::render::detail::Reader;

/// Larger arguments are ignored.
const MAX_BYTES: u32 = 16 * 1024;

/// The most points of one call. A drag may have many.
const MAX_POINTS: usize = 64;

/// Keys of a point given as a list of two numbers: Anthropic's `computer` and tools modelled on it.
const PAIRS: [&str; 3] = ["start_coordinate", "coordinate", "end_coordinate"];

/// Keys of what is done at `x` and `y`: OpenAI's computer use, Playwright's MCP. Without one of them, the numbers may
/// be fractions of the screen, as with Gemini.
const DEEDS: [&str; 4] = ["type", "action", "button", "element"];

/// Keys of an action, of several actions, and of the points of a drag.
const INSIDE: [&str; 3] = ["action", "actions", "path"];

/// The points in the arguments of a call, in pixels of the screenshot, in argument order.
pub(super) fn points_of(value: &Value, read: &Reader<'_>) -> Vec<Point> {
    let Value::Json(span) = value else { return Vec::new() };
    let bytes = (span.len <= MAX_BYTES).then(|| (read.read)(*span).ok()).flatten();
    let mut points = Vec::new();
    if let Some(text) = bytes.as_deref().and_then(|bytes| std::str::from_utf8(bytes).ok()) {
        collect(Json::new(text), Level::Arguments, &mut points);
    }
    points
}

/// The level of an object in the arguments.
#[derive(Clone, Copy, PartialEq)]
enum Level {
    Arguments,
    Action,
    /// A point of a drag. The surrounding action has the type.
    Path,
}

/// Adds the points in the arguments, in a nested action, or in a drag.
fn collect(action: Json<'_>, level: Level, points: &mut Vec<Point>) {
    let mut add = |x: Option<f64>, y: Option<f64>| {
        if let (Some(x), Some(y)) = (x, y)
            && x >= 0.0
            && y >= 0.0
            && points.len() < MAX_POINTS
        {
            points.push(Point { x, y });
        }
    };
    for key in PAIRS {
        let pair = action.field(key);
        if pair.kind() == Kind::Array && pair.items().count() == 2 {
            add(pair.item(0).number(), pair.item(1).number());
        }
    }
    if level == Level::Path || DEEDS.iter().any(|key| action.field(key).kind() == Kind::String) {
        add(action.field("x").number(), action.field("y").number());
    }
    for key in INSIDE {
        let inside = match key {
            "path" => Level::Path,
            _ if level == Level::Arguments => Level::Action,
            _ => continue,
        };
        let value = action.field(key);
        match value.kind() {
            _ if level == Level::Path => {}
            Kind::Object => collect(value, inside, points),
            Kind::Array => value.items().for_each(|item| collect(item, inside, points)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(text: &str) -> Vec<(f64, f64)> {
        let mut points = Vec::new();
        collect(Json::new(text), Level::Arguments, &mut points);
        points.into_iter().map(|it| (it.x, it.y)).collect()
    }

    #[test]
    fn points_of_the_usual_tools() {
        assert_eq!(points(r#"{"action":"left_click","coordinate":[512, 300]}"#), [(512.0, 300.0)]);
        let drag = r#"{"action":"left_click_drag","start_coordinate":[1,2],"coordinate":[3,4]}"#;
        assert_eq!(points(drag), [(1.0, 2.0), (3.0, 4.0)]);
        assert_eq!(points(r#"{"type":"click","button":"left","x":10,"y":20.5}"#), [(10.0, 20.5)]);
        assert_eq!(points(r#"{"action":{"type":"click","x":10,"y":20}}"#), [(10.0, 20.0)]);
        let path = r#"{"action":{"type":"drag","path":[{"x":1,"y":2},{"x":3,"y":4}]}}"#;
        assert_eq!(points(path), [(1.0, 2.0), (3.0, 4.0)]);
        assert_eq!(points(r#"{"element":"Sign in","x":10,"y":20}"#), [(10.0, 20.0)]);
    }

    #[test]
    fn numbers_that_may_be_no_pixels_are_no_points() {
        assert!(points(r#"{"x":500,"y":500}"#).is_empty());
        assert!(points(r#"{"action":"click","coordinate":[1,2,3]}"#).is_empty());
        assert!(points(r#"{"action":"click","coordinate":"1,2"}"#).is_empty());
        assert!(points(r#"{"type":"click","x":-5,"y":20}"#).is_empty());
        assert!(points(r#"{"path":"src/main.rs","action":"view"}"#).is_empty());
    }

    #[test]
    fn actions_in_actions_are_read_without_harm() {
        let deep = format!("{}1{}", r#"{"action":"#.repeat(1_500), "}".repeat(1_500));
        assert!(points(&deep).is_empty());
        let many =
            format!(r#"{{"path":[{}]}}"#, r#"{"x":1,"y":1},"#.repeat(200).trim_end_matches(','));
        assert_eq!(points(&many).len(), MAX_POINTS);
    }
}
