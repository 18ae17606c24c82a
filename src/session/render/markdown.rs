//! Parses Markdown: CommonMark with GitHub's tables, strikethrough and task lists (`pulldown-cmark`). The tree is at
//! most [`MAX_DEPTH`] deep. Deeper content is placed at that depth.

use pulldown_cmark::{Alignment, CodeBlockKind, Event, LinkType, Options, Parser, Tag};

use traceloupe_protocol::markdown::{Align, Element, Node};

/// The greatest depth of the tree.
const MAX_DEPTH: usize = 32;

/// Parses a document.
#[must_use]
pub fn parse(text: &str) -> Vec<Node> {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut builder = Builder::default();
    for event in Parser::new_ext(text, options) {
        builder.take(event);
    }
    while builder.open.len() + builder.too_deep > 0 {
        builder.end();
    }
    builder.done
}

/// Splits text into text and links for the bare addresses in it (GitHub's *extended autolinks*, but only web addresses:
/// `https://…` and `www.…`). Mail addresses stay text.
fn with_bare_links(text: String) -> Vec<Node> {
    let mut nodes = Vec::new();
    let (mut from, mut at) = (0, 0);
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let can_start = before.is_none_or(|it| it.is_whitespace() || "*_~(".contains(it));
        match bare_link_len(rest).filter(|_| can_start) {
            Some(len) => {
                let address = rest.get(..len).unwrap_or_default();
                nodes.extend(text.get(from..at).filter(|it| !it.is_empty()).map(text_node));
                let scheme = if address.starts_with("www.") { "http://" } else { "" };
                let target = format!("{scheme}{address}");
                nodes.push(Node::Link(target, String::new(), vec![text_node(address)]));
                at += len;
                from = at;
            }
            None => at += rest.chars().next().map_or(1, char::len_utf8),
        }
    }
    if from == 0 {
        return vec![Node::Text(text)];
    }
    nodes.extend(text.get(from..).filter(|it| !it.is_empty()).map(text_node));
    nodes
}

fn text_node(text: &str) -> Node {
    Node::Text(text.to_owned())
}

/// The length of the web address at the start of a text, without the punctuation that ends a sentence.
fn bare_link_len(text: &str) -> Option<usize> {
    let scheme = ["https://", "http://", "www."].into_iter().find(|it| text.starts_with(it))?;
    let end = text.find(|char: char| char.is_whitespace() || char == '<').unwrap_or(text.len());
    let mut address = text.get(..end)?;
    loop {
        let last = address.chars().next_back()?;
        let count = |wanted: char| address.chars().filter(|char| *char == wanted).count();
        // A trailing entity reference is not part of the address.
        let entity = address.rfind('&').filter(|at| {
            let name = address.get(at + 1..address.len() - 1).unwrap_or_default();
            last == ';' && !name.is_empty() && name.chars().all(|it| it.is_ascii_alphanumeric())
        });
        address = match last {
            ')' if count(')') > count('(') => address.get(..address.len() - 1)?,
            ';' if entity.is_some() => address.get(..entity?)?,
            '?' | '!' | '.' | ',' | ':' | '*' | '_' | '~' | '\'' | '"' => {
                address.get(..address.len() - 1)?
            }
            _ => break,
        };
    }
    let host = address.get(scheme.len()..)?.split(['/', '?', '#']).next()?;
    let is_host = host.contains('.') || scheme != "www." && host.starts_with("localhost");
    (is_host && !host.starts_with('.')).then_some(address.len())
}

/// The tree under construction: the open pieces, outermost first.
#[derive(Default)]
struct Builder {
    done: Vec<Node>,
    open: Vec<Open>,
    /// How many open pieces are nested too deeply to become nodes.
    too_deep: usize,
    /// Alignment of the columns of the open table, and the next column.
    columns: Vec<Align>,
    column: usize,
}

/// An open piece.
struct Open {
    shell: Node,
    content: Vec<Node>,
}

impl Builder {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(_) => self.end(),
            Event::Text(text) => self.text(&text),
            Event::SoftBreak => self.text("\n"),
            Event::HardBreak => self.push(Node::Break),
            Event::Code(text) => self.push(Node::Code(text.into_string())),
            Event::Html(text) | Event::InlineHtml(text) => {
                self.push(Node::Html(text.into_string()));
            }
            Event::Rule => self.push(Node::Rule),
            Event::TaskListMarker(is_done) => self.push(Node::Check(is_done)),
            // These belong to extensions that are not enabled.
            Event::FootnoteReference(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                self.text(&text);
            }
        }
    }

    /// Where the next piece goes.
    fn place(&mut self) -> &mut Vec<Node> {
        match self.open.last_mut() {
            Some(open) => &mut open.content,
            None => &mut self.done,
        }
    }

    fn push(&mut self, node: Node) {
        self.place().push(node);
    }

    /// Appends text. The parser returns one piece of text in several parts.
    fn text(&mut self, text: &str) {
        if self.too_deep == 0
            && let Some(Open { shell: Node::CodeBlock(_, code), .. }) = self.open.last_mut()
        {
            code.push_str(text);
            return;
        }
        match self.place().last_mut() {
            Some(Node::Text(before)) => before.push_str(text),
            _ => self.push(Node::Text(text.to_owned())),
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        if self.open.len() >= MAX_DEPTH || self.too_deep > 0 {
            self.too_deep += 1;
            return;
        }
        let element = |element| Node::Element(element, Vec::new());
        let shell = match tag {
            Tag::Paragraph => element(Element::Paragraph),
            Tag::Heading { level, .. } => element(Element::Heading(level as u8)),
            Tag::BlockQuote(_) => element(Element::Quote),
            Tag::CodeBlock(kind) => Node::CodeBlock(language(&kind), String::new()),
            Tag::HtmlBlock => element(Element::HtmlBlock),
            Tag::List(first) => element(Element::List(first)),
            Tag::Item => element(Element::Item),
            Tag::Table(columns) => {
                self.columns = columns.into_iter().map(align).collect();
                element(Element::Table)
            }
            Tag::TableHead => {
                self.column = 0;
                element(Element::Head)
            }
            Tag::TableRow => {
                self.column = 0;
                element(Element::Row)
            }
            Tag::TableCell => {
                let align = self.columns.get(self.column).copied().unwrap_or(Align::Start);
                self.column += 1;
                element(Element::Cell(align))
            }
            Tag::Emphasis => element(Element::Emphasis),
            Tag::Strong => element(Element::Strong),
            Tag::Strikethrough => element(Element::Struck),
            Tag::Link { link_type: LinkType::Email, dest_url, .. } => {
                Node::Link(format!("mailto:{dest_url}"), String::new(), Vec::new())
            }
            Tag::Link { dest_url, title, .. } => {
                Node::Link(dest_url.into_string(), title.into_string(), Vec::new())
            }
            Tag::Image { dest_url, title, .. } => {
                Node::Image(dest_url.into_string(), title.into_string(), Vec::new())
            }
            // These belong to extensions that are not enabled.
            _ => element(Element::Paragraph),
        };
        self.open.push(Open { shell, content: Vec::new() });
    }

    fn end(&mut self) {
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return;
        }
        let Some(Open { mut shell, content: mut inner }) = self.open.pop() else { return };
        let is_in_link = self.open.iter().any(|it| matches!(it.shell, Node::Link(..)));
        if !is_in_link && matches!(shell, Node::Element(..)) {
            inner = inner
                .into_iter()
                .flat_map(|node| match node {
                    Node::Text(text) if text.contains("://") || text.contains("www.") => {
                        with_bare_links(text)
                    }
                    node => vec![node],
                })
                .collect();
        }
        if let Node::Element(_, content) | Node::Link(_, _, content) | Node::Image(_, _, content) =
            &mut shell
        {
            *content = inner;
        }
        self.push(shell);
    }
}

/// The first word of the info string.
fn language(kind: &CodeBlockKind<'_>) -> String {
    match kind {
        CodeBlockKind::Indented => String::new(),
        CodeBlockKind::Fenced(info) => info.split([' ', ',', '{']).next().unwrap_or("").to_owned(),
    }
}

fn align(column: Alignment) -> Align {
    match column {
        Alignment::None | Alignment::Left => Align::Start,
        Alignment::Center => Align::Centre,
        Alignment::Right => Align::End,
    }
}

/// Whether a text has Markdown constructs that make a visible difference: a heading, a list, a fence, a table, a
/// quotation, emphasis, code or a link.
#[must_use]
pub fn is_worth_it(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| match node {
        Node::Text(_) | Node::Html(_) | Node::Break => false,
        // An indented block is just as often a coincidence.
        Node::CodeBlock(language, _) => !language.is_empty(),
        Node::Element(Element::Paragraph | Element::HtmlBlock, content) => is_worth_it(content),
        _ => true,
    })
}

/// Whether the text is certainly meant as Markdown, even in a place for program output: it has a heading and another
/// construct, or a code block with a language and prose around it.
#[must_use]
pub fn is_document(nodes: &[Node]) -> bool {
    let is_heading = |node: &Node| matches!(node, Node::Element(Element::Heading(_), _));
    let is_rich = |node: &Node| match node {
        Node::CodeBlock(language, _) => !language.is_empty(),
        Node::Element(Element::List(_) | Element::Table, _) => true,
        Node::Element(Element::Paragraph, content) => content.iter().any(|node| {
            matches!(node, Node::Element(Element::Strong, _) | Node::Link(..) | Node::Code(_))
        }),
        _ => false,
    };
    let is_prose = |node: &Node| matches!(node, Node::Element(Element::Paragraph, _));
    let has_code =
        nodes.iter().any(|it| matches!(it, Node::CodeBlock(word, _) if !word.is_empty()));
    let has_strong = nodes.iter().filter(|node| is_rich(node)).count();
    (nodes.iter().any(is_heading) && has_strong > 0)
        || (has_code && nodes.iter().any(is_prose))
        || (has_strong > 1 && nodes.iter().any(is_bold_line))
}

/// A paragraph that begins with bold text, which models use as a heading.
fn is_bold_line(node: &Node) -> bool {
    matches!(node, Node::Element(Element::Paragraph, content)
        if matches!(content.first(), Some(Node::Element(Element::Strong, _))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use traceloupe_protocol::markdown::each_text;

    /// HTML as written in the examples of the specification.
    fn html(nodes: &[Node], out: &mut String) {
        html_in(nodes, false, out);
    }

    fn html_in(nodes: &[Node], is_head: bool, out: &mut String) {
        let escape = |text: &str| {
            text.replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('>', "&gt;")
                .replace('"', "&quot;")
        };
        for node in nodes {
            match node {
                Node::Text(text) => out.push_str(&escape(text)),
                Node::Html(text) => out.push_str(text),
                Node::Code(text) => out.push_str(&format!("<code>{}</code>", escape(text))),
                Node::CodeBlock(language, text) => {
                    let class = match language.as_str() {
                        "" => String::new(),
                        language => format!(" class=\"language-{}\"", escape(language)),
                    };
                    out.push_str(&format!("<pre><code{class}>{}</code></pre>\n", escape(text)));
                }
                Node::Break => out.push_str("<br />\n"),
                Node::Rule => out.push_str("<hr />\n"),
                Node::Check(is_done) => {
                    let checked = if *is_done { "checked=\"\" " } else { "" };
                    out.push_str(&format!("<input {checked}disabled=\"\" type=\"checkbox\"> "));
                }
                Node::Image(address, title, content) => {
                    let mut alt = String::new();
                    each_text_alone(content, &mut |text| alt.push_str(text));
                    let title = titled(title, &escape);
                    out.push_str(&format!(
                        "<img src=\"{}\" alt=\"{}\"{title} />",
                        address_of(address),
                        escape(&alt)
                    ));
                }
                Node::Link(address, title, content) => {
                    let title = titled(title, &escape);
                    out.push_str(&format!("<a href=\"{}\"{title}>", address_of(address)));
                    html(content, out);
                    out.push_str("</a>");
                }
                Node::Element(Element::HtmlBlock, content) => html(content, out),
                Node::Element(element, content) => {
                    let (name, extra) = match element {
                        Element::Paragraph => ("p".to_owned(), String::new()),
                        Element::Heading(level) => (format!("h{level}"), String::new()),
                        Element::Quote => ("blockquote".to_owned(), String::new()),
                        Element::List(None) => ("ul".to_owned(), String::new()),
                        Element::List(Some(1)) => ("ol".to_owned(), String::new()),
                        Element::List(Some(n)) => ("ol".to_owned(), format!(" start=\"{n}\"")),
                        Element::Item => ("li".to_owned(), String::new()),
                        Element::Table => ("table".to_owned(), String::new()),
                        Element::Head => ("tr".to_owned(), String::new()),
                        Element::Row => ("tr".to_owned(), String::new()),
                        Element::Cell(align) => {
                            let name = if is_head { "th" } else { "td" };
                            let extra = match align {
                                Align::Start => "",
                                Align::Centre => " align=\"center\"",
                                Align::End => " align=\"right\"",
                            };
                            (name.to_owned(), extra.to_owned())
                        }
                        Element::Emphasis => ("em".to_owned(), String::new()),
                        Element::Strong => ("strong".to_owned(), String::new()),
                        Element::Struck => ("del".to_owned(), String::new()),
                        Element::HtmlBlock => unreachable!(),
                    };
                    out.push_str(&format!("<{name}{extra}>"));
                    html_in(content, *element == Element::Head, out);
                    out.push_str(&format!("</{name}>\n"));
                }
            }
        }
    }

    fn each_text_alone(nodes: &[Node], visit: &mut dyn FnMut(&str)) {
        for node in nodes {
            match node {
                Node::Image(_, _, content) => each_text_alone(content, visit),
                Node::Element(_, content) | Node::Link(_, _, content) => {
                    each_text_alone(content, visit);
                }
                other => each_text(std::slice::from_ref(other), visit),
            }
        }
    }

    fn titled(title: &str, escape: &dyn Fn(&str) -> String) -> String {
        if title.is_empty() { String::new() } else { format!(" title=\"{}\"", escape(title)) }
    }

    /// The address, escaped as by the specification's reference implementation.
    fn address_of(address: &str) -> String {
        let mut out = String::new();
        for byte in address.bytes() {
            match byte {
                b'&' => out.push_str("&amp;"),
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => out.push(char::from(byte)),
                _ if b"-_.+!*(),%#@?=;:/$~'".contains(&byte) => out.push(char::from(byte)),
                _ => out.push_str(&format!("%{byte:02X}")),
            }
        }
        out
    }

    /// Normalises differences without meaning: blanks between tags, and how quotes are escaped.
    fn normal(html: &str) -> String {
        let mut text = html.replace("&quot;", "\"").replace("&#39;", "'").replace("&apos;", "'");
        for name in ["tbody", "thead"] {
            text = text.replace(&format!("<{name}>"), "").replace(&format!("</{name}>"), "");
        }
        text.split('\n').map(str::trim_end).collect::<Vec<_>>().concat()
    }

    fn examples(path: &str) -> Option<Vec<serde_json::Value>> {
        let path = format!("{}/../../../shared/hostile/{path}", env!("CARGO_MANIFEST_DIR"));
        let bytes = std::fs::read(path).ok()?;
        Some(serde_json::from_slice(&bytes).unwrap())
    }

    #[track_caller]
    fn check(path: &str, n: usize, exceptions: &[u64]) {
        let Some(examples) = examples(path) else {
            println!("not run: {path} is not beside the project");
            return;
        };
        assert_eq!(examples.len(), n);
        let mut different = Vec::new();
        for example in &examples {
            let mut out = String::new();
            html(&parse(example["markdown"].as_str().unwrap()), &mut out);
            if normal(&out) != normal(example["html"].as_str().unwrap()) {
                different.push(example["example"].as_u64().unwrap());
                if std::env::var_os("SHOW").is_some() {
                    println!("{example:#}\n{out}");
                }
            }
        }
        assert_eq!(different, exceptions);
    }

    /// Exceptions: these examples require that a bare address is not a link, which it is with GitHub's extension.
    #[test]
    fn commonmark() {
        check("commonmark/spec.json", 655, &[610, 613]);
    }

    /// Exceptions: 616 and 619 define bare addresses without the extension. 628 has an FTP address, and 629 to 631 have
    /// mail addresses, which stay text here. 645 and 646 are comments by the rules of an older CommonMark. 653 filters
    /// tags, and no tag is live here.
    #[test]
    fn github() {
        check("gfm/spec.json", 673, &[616, 619, 628, 629, 630, 631, 645, 646, 653]);
    }

    #[test]
    fn the_tree_is_not_deep_and_nothing_is_lost() {
        for deep in ["> ".repeat(5_000) + "end", "* ".repeat(300) + "end", "**a ".repeat(2_000)] {
            let nodes = parse(&deep);
            let mut all = String::new();
            each_text(&nodes, &mut |text| all.push_str(text));
            assert!(all.contains("end") || all.contains("a **a"), "{}", all.len());
            assert!(depth(&nodes) <= MAX_DEPTH + 1);
        }
    }

    fn depth(nodes: &[Node]) -> usize {
        let of = |node: &Node| match node {
            Node::Element(_, content) | Node::Link(_, _, content) | Node::Image(_, _, content) => {
                1 + depth(content)
            }
            _ => 1,
        };
        nodes.iter().map(of).max().unwrap_or(0)
    }

    #[test]
    fn prose_is_told_from_markdown_and_output_from_documents() {
        let worth = |text: &str| is_worth_it(&parse(text));
        let document = |text: &str| is_document(&parse(text));
        assert!(!worth("Just words.\nAnd a second line"));
        assert!(worth("Run `make`."));
        assert!(worth("- one\n- two"));
        assert!(worth("Look at https://example.org/a."));
        assert!(document("# Report\n\nAll **done**.\n"));
        assert!(document("Do this:\n\n```rust\nfn a() {}\n```\n"));
        assert!(!document("# a comment\nimport os\n"));
        assert!(!document("total 8\n-rw-r--r-- a\n-rw-r--r-- b\n"));
        assert!(!document("- a\n- b\n"));
    }

    #[test]
    fn bare_addresses_end_before_punctuation() {
        for (text, link) in [
            ("see https://example.org/a.", "https://example.org/a"),
            ("(https://example.org/a_(b))", "https://example.org/a_(b)"),
            ("http://localhost:8080/x, then", "http://localhost:8080/x"),
        ] {
            let nodes = parse(text);
            let Some(Node::Element(_, content)) = nodes.first() else { panic!("{nodes:?}") };
            let found = content.iter().find_map(|node| match node {
                Node::Link(address, ..) => Some(address.as_str()),
                _ => None,
            });
            assert_eq!(found, Some(link), "{text}");
        }
        assert_eq!(parse("a://b").len(), 1);
    }
}
