//! Marks of hits in the drawn page: finding them, the current one, and scrolling to it.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, Node};

use crate::browser::{document, scroll_to};
use traceloupe_view::match_location::{NEAR_CHARS, Near};

/// The attribute of the current mark.
const CURRENT: &str = "data-current";

/// The elements that match a selector.
fn all(selector: &str) -> Vec<Element> {
    let list = document().and_then(|it| it.query_selector_all(selector).ok());
    let Some(list) = list else { return Vec::new() };
    (0..list.length()).filter_map(|at| list.get(at)?.dyn_into().ok()).collect()
}

/// Whether any element matches a selector.
pub fn has(selector: &str) -> bool {
    document().is_some_and(|it| matches!(it.query_selector(selector), Ok(Some(_))))
}

/// The marks in an element, with the text around each. Opens elements that hide marks.
pub fn marks_in(scope: &str) -> Vec<Near> {
    for message in all(&format!("{scope} .message:has(> .message__content.hidden mark)")) {
        click(message.query_selector(":scope > .message__role").ok().flatten());
    }
    for details in all(&format!("{scope} details:not([open]):has(mark)")) {
        let _ = details.set_attribute("open", ""); // cannot fail: the name is valid
    }
    let near = |mark: &Element| {
        Near::new(
            &text_beside(mark, Node::previous_sibling),
            &text_beside(mark, Node::next_sibling),
        )
    };
    marks(scope).iter().map(near).collect()
}

/// The visible marks, that is, marks that have a size.
fn marks(scope: &str) -> Vec<Element> {
    let mut marks = all(&format!("{scope} mark"));
    marks.retain(|mark| mark.get_bounding_client_rect().width() > 0.0);
    marks
}

/// The text beside an element, in the same parent.
fn text_beside(element: &Element, next: fn(&Node) -> Option<Node>) -> String {
    let is_before = next(element).is_some_and(|it| {
        it.compare_document_position(element) & Node::DOCUMENT_POSITION_FOLLOWING != 0
    });
    let mut text = String::new();
    let mut at = next(element);
    while let Some(node) = at {
        if node.node_type() != Node::COMMENT_NODE {
            let piece = node.text_content().unwrap_or_default();
            text = if is_before { piece + &text } else { text + &piece };
        }
        if text.len() > NEAR_CHARS {
            break;
        }
        at = next(&node);
    }
    text
}

/// Clicks the first button that loads more of a value with a suitable place. Returns whether there is one.
pub fn load_more(scope: &str, is_right: impl Fn(&str) -> bool) -> bool {
    let mut buttons = all(&format!("{scope} button[data-more]")).into_iter();
    let button = buttons.find(|it| is_right(&it.get_attribute("data-more").unwrap_or_default()));
    let is_there = button.is_some();
    click(button);
    is_there
}

fn click(element: Option<Element>) {
    if let Some(element) = element.and_then(|it| it.dyn_into::<HtmlElement>().ok()) {
        element.click();
    }
}

/// Makes a mark the current one. The page has only one current mark.
pub fn set_current_mark(scope: &str, at: usize) {
    no_current_mark();
    if let Some(mark) = marks(scope).get(at) {
        let _ = mark.set_attribute(CURRENT, "true"); // cannot fail: the name is valid
    }
}

/// Removes the current mark.
pub fn no_current_mark() {
    for mark in all(&format!("mark[{CURRENT}]")) {
        let _ = mark.remove_attribute(CURRENT); // cannot fail: the name is valid
    }
}

/// Scrolls every scrollable element around the current mark until the mark is visible. Returns whether no scrolling was
/// necessary.
pub fn show_current_mark() -> bool {
    let Some(mark) = all(&format!("mark[{CURRENT}]")).into_iter().next() else { return false };
    if is_seen(&mark) {
        return true;
    }
    let mut around = mark.parent_element();
    while let Some(element) = around {
        scroll_to(&element, &mark);
        if element.matches(".list, .panel").unwrap_or(true) {
            break;
        }
        around = element.parent_element();
    }
    false
}

/// Whether a click at the first line of an element would hit the element.
fn is_seen(element: &Element) -> bool {
    let Some(place) = element.get_client_rects().item(0) else { return false };
    #[expect(clippy::cast_possible_truncation)] // pixels of a page
    let (x, y) =
        ((place.left() + place.width() / 2.0) as f32, (place.top() + place.height() / 2.0) as f32);
    let above = document().and_then(|it| it.element_from_point(x, y));
    above.is_some_and(|it| element.contains(Some(&it)))
}
