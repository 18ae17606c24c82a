//! Markdown as a tree that the page turns into views. No HTML string is ever made: HTML in the text stays text. The
//! tree has a limited depth, so drawing it recursively is safe.

use serde::{Deserialize, Serialize};

/// A piece of a document.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Node {
    /// Text.
    Text(String),
    /// HTML, shown as written.
    Html(String),
    /// Code inside a line.
    Code(String),
    /// A block of code: its language, which may be empty, and its text.
    CodeBlock(String, String),
    /// A hard line break.
    Break,
    /// A horizontal rule.
    Rule,
    /// A checkbox of a task list, and whether it is checked.
    Check(bool),
    /// An image: its address and title. The children are its description.
    Image(String, String, Vec<Node>),
    /// A link: its address, title and text.
    Link(String, String, Vec<Node>),
    /// An element with children.
    Element(Element, Vec<Node>),
}

/// An element that contains other nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Element {
    /// A paragraph.
    Paragraph,
    /// A heading of level 1 to 6.
    Heading(u8),
    /// A quotation.
    Quote,
    /// A block of HTML.
    HtmlBlock,
    /// A list; a numbered one with its first number.
    List(Option<u64>),
    /// An item of a list.
    Item,
    /// A table. Its first row is an [`Element::Head`].
    Table,
    /// The header row of a table.
    Head,
    /// A row of a table.
    Row,
    /// A cell of a table.
    Cell(Align),
    /// Emphasis.
    Emphasis,
    /// Strong emphasis.
    Strong,
    /// Struck text.
    Struck,
}

/// The alignment of a table column.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Align {
    /// At the start of the line.
    Start,
    /// In the middle.
    Centre,
    /// At the end.
    End,
}

/// Calls a function with each text that is drawn, in order.
pub fn each_text(nodes: &[Node], visit: &mut dyn FnMut(&str)) {
    for node in nodes {
        match node {
            Node::Text(text) | Node::Html(text) | Node::Code(text) | Node::CodeBlock(_, text) => {
                visit(text);
            }
            Node::Image(address, _, content) => {
                each_text(content, visit);
                visit(address);
            }
            Node::Link(_, _, content) | Node::Element(_, content) => each_text(content, visit),
            Node::Break | Node::Rule | Node::Check(_) => {}
        }
    }
}

/// The beginning of a document, up to a number of lines and characters as drawn. `None` if that is the whole document.
#[must_use]
pub fn head(nodes: &[Node], max_lines: u32, max_chars: u32) -> Option<Vec<Node>> {
    let mut room = Room { lines: max_lines.max(1), chars: max_chars, is_full: false };
    let head = room.head(nodes);
    room.is_full.then_some(head)
}

/// How much more may be drawn.
struct Room {
    lines: u32,
    chars: u32,
    /// Whether something was left out.
    is_full: bool,
}

impl Room {
    fn head(&mut self, nodes: &[Node]) -> Vec<Node> {
        let mut head = Vec::new();
        for node in nodes {
            if self.lines == 0 || self.chars == 0 {
                self.is_full = true;
            }
            if self.is_full {
                break;
            }
            head.push(match node {
                Node::Text(text) => Node::Text(self.text(text)),
                Node::Html(text) => Node::Html(self.text(text)),
                Node::Code(text) => Node::Code(self.text(text)),
                Node::CodeBlock(language, text) => {
                    Node::CodeBlock(language.clone(), self.text(text))
                }
                Node::Image(address, title, content) => {
                    Node::Image(address.clone(), title.clone(), self.head(content))
                }
                Node::Link(address, title, content) => {
                    Node::Link(address.clone(), title.clone(), self.head(content))
                }
                Node::Element(element, content) => Node::Element(*element, self.head(content)),
                Node::Break | Node::Rule | Node::Check(_) => node.clone(),
            });
            if ends_line(node) {
                self.lines = self.lines.saturating_sub(1);
            }
        }
        head
    }

    /// The part of a text for which there is room, followed by an ellipsis if that is not all of it.
    fn text(&mut self, text: &str) -> String {
        for (at, char) in text.char_indices() {
            let ends_line = char == '\n' && at + 1 < text.len();
            if self.chars == 0 || (ends_line && self.lines <= 1) {
                self.is_full = true;
                return format!("{}…", text.get(..at).unwrap_or_default());
            }
            self.chars -= 1;
            self.lines -= u32::from(ends_line);
        }
        text.to_owned()
    }
}

/// Whether the text after a node is on another line, and no node inside it has counted that line.
fn ends_line(node: &Node) -> bool {
    match node {
        Node::Break | Node::Rule | Node::CodeBlock(..) => true,
        Node::Element(Element::Item, content) => {
            let is_nested = |node: &Node| {
                let Node::Element(element, _) = node else { return false };
                matches!(element, Element::List(_) | Element::Quote | Element::Table)
            };
            !content.last().is_some_and(|last| ends_line(last) || is_nested(last))
        }
        Node::Element(element, _) => matches!(
            element,
            Element::Paragraph
                | Element::Heading(_)
                | Element::HtmlBlock
                | Element::Head
                | Element::Row
        ),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(words: &str) -> Node {
        Node::Text(words.to_owned())
    }

    fn paragraph(words: &str) -> Node {
        Node::Element(Element::Paragraph, vec![text(words)])
    }

    #[test]
    fn heads() {
        let nodes = [paragraph("one two"), paragraph("three"), paragraph("four")];
        assert_eq!(head(&nodes, 3, 100), None);
        assert_eq!(head(&nodes, 9, 16), None);
        assert_eq!(head(&nodes, 2, 100).as_deref(), nodes.get(..2));
        assert_eq!(head(&nodes, 9, 12).as_deref(), nodes.get(..2));
        let cut = [paragraph("one two"), paragraph("th…")];
        assert_eq!(head(&nodes, 9, 9).as_deref(), Some(&cut[..]));
        let code = |code: &str| Node::CodeBlock("sh".to_owned(), code.to_owned());
        assert_eq!(head(&[code("a\nb\nc\n")], 2, 100), Some(vec![code("a\nb…")]));
        assert_eq!(head(&[code("a\nb\n")], 2, 100), None);
        // Items without paragraphs also end lines, but emphasis does not.
        let item = |words: &str| Node::Element(Element::Item, vec![text(words)]);
        let list = |items: &[Node]| Node::Element(Element::List(None), items.to_vec());
        let strong = Node::Element(Element::Strong, vec![text("a")]);
        let items = [Node::Element(Element::Item, vec![strong]), item("b"), item("c")];
        assert_eq!(head(&[list(&items)], 2, 100), Some(vec![list(&items[..2])]));
    }
}
