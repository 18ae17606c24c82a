//! Prices entered by the user, one line per model.

use super::book::Prices;
use traceloupe_core::json::{Json, quoted};

/// Further lines are ignored.
const MAX_LINES: usize = 1_000;

/// The keys of the prices of a line, in order, as used in the list of prices.
const KEYS: [&str; 4] = ["i", "o", "r", "w"];

/// The prices in a text, as a provider of the list of prices.
///
/// A line has the name of a model and two to four prices in dollars per million tokens: input, output, cache read,
/// cache write. A name that ends in `*` matches all models whose names begin with it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OwnPrices {
    /// How many models have a price.
    pub n_models: usize,
    /// The numbers of the lines that could not be parsed, from 1.
    pub wrong_lines: Vec<usize>,
    /// The entries of the list: `[rule, prices]`, as JSON.
    pub(super) entries: Vec<(String, String)>,
}

impl OwnPrices {
    /// Reads the lines of a text. Empty lines and lines that begin with `#` are ignored.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let mut own = Self::default();
        for (number, line) in (1..).zip(text.lines()).take(MAX_LINES) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match entry(line) {
                Some(entry) => own.entries.push(entry),
                None => own.wrong_lines.push(number),
            }
        }
        own.n_models = own.entries.len();
        own
    }

    /// The list with these prices in front. `None` if both are missing.
    #[must_use]
    pub fn before(&self, list: Option<Prices>) -> Option<Prices> {
        if self.entries.is_empty() {
            return list;
        }
        let rules: Vec<_> = self.entries.iter().map(|(rule, _)| rule.as_str()).collect();
        let prices: Vec<_> =
            self.entries.iter().map(|(rule, prices)| format!("[{rule},{prices}]")).collect();
        let provider = format!(
            r#"{{"id":{},"models":["|",{}],"prices":[{}]}}"#,
            quoted(OWN),
            rules.join(","),
            prices.join(",")
        );
        let mut list = list.unwrap_or_default();
        list.put_first(&provider);
        Some(list)
    }
}

/// The id of the provider for own prices. It begins with a space, as no other provider's id does.
pub(super) const OWN: &str = " own";

fn entry(line: &str) -> Option<(String, String)> {
    let mut words: Vec<_> = line.split_whitespace().collect();
    let mut prices = Vec::new();
    while let Some(price) = words.last().and_then(|word| price(word))
        && words.len() > 1
        && prices.len() < KEYS.len()
    {
        prices.push(price);
        words.pop();
    }
    if prices.len() < 2 {
        return None;
    }
    let members: Vec<_> = KEYS
        .iter()
        .zip(prices.iter().rev())
        .map(|(key, price)| format!(r#""{key}":{price}"#))
        .collect();
    let name = words.join(" ");
    let rule = match name.strip_suffix('*') {
        Some(start) => format!("^{start}"),
        None => format!("={name}"),
    };
    Some((quoted(&rule), format!("{{{}}}", members.join(","))))
}

/// A price such as `0.25` or `$3`, as JSON. The text is passed through, because number formatting alone would add 10 kB
/// to the page.
fn price(word: &str) -> Option<&str> {
    let word = word.trim_end_matches([',', ';']);
    let price = word.strip_prefix('$').unwrap_or(word);
    let number = Json::new(price).number()?;
    (number.is_finite() && number >= 0.0).then_some(price)
}

#[cfg(test)]
mod tests {
    use super::super::Tokens;
    use super::*;

    const LIST: &str = r#"{"source":"s","date":"2026-05-01","providers":[
        {"id":"teal","name":"Teal","models":"^teal-","prices":[["^teal-",{"i":1}]]}]}"#;

    fn dollars(prices: Option<&Prices>, name: &str) -> Option<(bool, f64)> {
        let found = prices?.of_trace(name)?;
        let tokens = Tokens {
            input: Some(3_000_000),
            output: Some(1_000_000),
            cache_read: 1_000_000,
            cache_write: 1_000_000,
            ..Tokens::default()
        };
        Some((found.is_own(), found.cost(&tokens, f64::NAN)?.dollars))
    }

    #[test]
    fn own_prices_win_over_the_list_and_stand_alone() {
        let own = OwnPrices::read(
            "# of our contract\nmy-model 0.5 $2\n\nTeal-2  1, 4 0.25 8\nhouse model* 0 0\n",
        );
        assert_eq!((own.n_models, own.wrong_lines.as_slice()), (3, &[][..]));
        for list in [Prices::read(LIST), None] {
            let has_list = list.is_some();
            let prices = own.before(list);
            let of = |name| dollars(prices.as_ref(), name);
            assert_eq!(of("my-model"), Some((true, 3.5)));
            assert_eq!(of("teal-2"), Some((true, 1.0 + 4.0 + 0.25 + 8.0)));
            assert_eq!(of("house model 7b"), Some((true, 0.0)));
            assert_eq!(of("teal-9"), has_list.then_some((false, 3.0)));
            assert_eq!(of("my-model-2"), None);
        }
    }

    #[test]
    fn lines_that_are_not_understood_are_named() {
        let own = OwnPrices::read("a\nb 1\nc 1 x\nd 1 2\n1 2\ne -1 2\nf 1 NaN\ng 1 2 3 4 5");
        assert_eq!(own.wrong_lines, [1, 2, 3, 5, 6, 7]);
        // If a line has five numbers, the first belongs to the name.
        assert_eq!(own.n_models, 2);
        assert_eq!(dollars(own.before(None).as_ref(), "g 1").map(|it| it.0), Some(true));
        assert!(OwnPrices::read("\n#\n").before(None).is_none());
    }
}
