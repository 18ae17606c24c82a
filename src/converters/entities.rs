//! HTML entities, which Markdown exports contain in the texts and attributes of their elements.

/// A text with its entities decoded.
#[must_use]
pub fn without_entities(text: &str) -> String {
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    // `&amp;` comes last, because its result must not be decoded again.
    text.replace("&#x27;", "'").replace("&#39;", "'").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_escaped_twice_is_escaped_once() {
        assert_eq!(without_entities("&lt;a b=&quot;c&quot;&gt; &#39;d&#x27;"), "<a b=\"c\"> 'd'");
        assert_eq!(without_entities("&amp;lt; &amp;amp;"), "&lt; &amp;");
    }
}
