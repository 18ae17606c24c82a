//! Costs as the package `genai-prices` itself computes them: `.ci/prices.py` makes the list of prices that the page
//! loads, and a table of usages with the package's own results.

use std::fs;
use std::path::Path;

use traceloupe_view::prices::{Prices, Tokens};

fn text(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(path).expect("a file of the repository can be read")
}

#[test]
fn costs_are_those_of_the_package() {
    let prices = Prices::read(&text("public/prices.json")).expect("the list can be read");
    let table = text("tests/prices/costs.tsv");
    let (mut n_priced, mut n_unknown, mut faults) = (0, 0, Vec::new());
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let cells: Vec<Option<&str>> =
            line.split('\t').map(|cell| Some(cell).filter(|it| *it != "-")).collect();
        let [name, provider, seconds, input, read, write, output, reasoning, dollars] = cells[..]
        else {
            unreachable!("{line}")
        };
        let count = |cell: Option<&str>| cell.map(|it| it.parse::<u64>().expect("a count"));
        let tokens = Tokens {
            input: count(input),
            cache_read: count(read).unwrap_or(0),
            cache_write: count(write).unwrap_or(0),
            output: count(output),
            reasoning: count(reasoning).unwrap_or(0),
        };
        let at_ms = seconds.expect("a time").parse::<f64>().expect("a number") * 1000.0;
        let found = prices.find(name.expect("a name"), provider);
        let cost = found.and_then(|found| found.cost(&tokens, at_ms)).map(|cost| cost.dollars);
        let expected = dollars.map(|it| it.parse::<f64>().expect("dollars"));
        let is_same = match (cost, expected) {
            (Some(cost), Some(expected)) => (cost - expected).abs() <= 1e-9 * expected.max(1e-6),
            (cost, expected) => cost == expected,
        };
        if expected.is_some() {
            n_priced += 1
        } else {
            n_unknown += 1
        }
        if !is_same {
            faults.push(format!("{cost:?}: {line}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert_eq!(n_priced + n_unknown, 200);
    assert!(n_priced >= 150 && n_unknown > 0, "{n_priced} with a price, {n_unknown} without");
}

#[test]
fn the_list_says_what_it_is() {
    let list = text("public/prices.json");
    let prices = Prices::read(&list).expect("the list can be read");
    assert_eq!((prices.source.as_str(), prices.version.is_empty()), ("genai-prices", false));
    assert!(list.contains("The MIT License"));
    // A rule that the page does not support would leave a model without a price.
    for (name, id) in
        [("gpt-4o-2024-08-06", "gpt-4o"), ("claude-sonnet-4-5-20250929", "claude-sonnet-4-5")]
    {
        assert_eq!(prices.find(name, None).map(|it| it.id().to_owned()).as_deref(), Some(id));
    }
}
