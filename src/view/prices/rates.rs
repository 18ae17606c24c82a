//! The prices of a model, and the cost of a call at these prices.

use traceloupe_core::json::Json;
use traceloupe_core::model::Usage;

const SECONDS_PER_DAY: i64 = 86_400;
const PER_MILLION: f64 = 1e-6;

/// The token counts of a call that prices depend on.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Tokens {
    /// All input tokens, including cached ones.
    pub input: Option<u64>,
    /// Input tokens that were read from a cache.
    pub cache_read: u64,
    /// Input tokens that were written to a cache.
    pub cache_write: u64,
    /// Output tokens, including reasoning.
    pub output: Option<u64>,
    /// Output tokens that were reasoning.
    pub reasoning: u64,
}

impl From<&Usage> for Tokens {
    fn from(usage: &Usage) -> Self {
        Self {
            // The uncached part must be known, because it is the more expensive one.
            input: usage.input.and(usage.total_input()),
            cache_read: usage.cache_read.unwrap_or(0),
            cache_write: usage.cache_write.unwrap_or(0),
            output: usage.output,
            reasoning: usage.reasoning.unwrap_or(0),
        }
    }
}

/// What is charged for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// Input tokens without a price of their own.
    Input,
    /// Tokens read from a cache.
    CacheRead,
    /// Tokens written to a cache.
    CacheWrite,
    /// Output tokens without a price of their own.
    Output,
    /// Reasoning tokens.
    Reasoning,
    /// The request itself.
    Request,
}

/// One part of a cost.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Part {
    /// What is charged for.
    pub what: What,
    /// How many tokens, or 1 request.
    pub n: u64,
    /// Dollars per million tokens, or per thousand requests.
    pub rate: f64,
    /// Dollars.
    pub dollars: f64,
}

/// The cost of a call.
#[derive(Clone, PartialEq, Debug)]
pub struct Cost {
    /// Total dollars.
    pub dollars: f64,
    /// Its parts; those without tokens are left out.
    pub parts: Vec<Part>,
}

/// A price that may depend on the size of the total input.
#[derive(Debug, Default)]
struct Price {
    base: f64,
    /// Pairs of a token count and the price of all tokens once the input exceeds that count, in ascending order.
    tiers: Vec<(f64, f64)>,
}

impl Price {
    fn read(json: Json<'_>) -> Option<Self> {
        if let Some(base) = json.number() {
            return is_price(base).then(|| Self { base, tiers: Vec::new() });
        }
        let mut items = json.items();
        let base = items.next()?.number().filter(|it| is_price(*it))?;
        let tier = |json: Json<'_>| {
            let price = json.item(1).number().filter(|it| is_price(*it))?;
            Some((json.item(0).number()?, price))
        };
        let mut tiers = items.map(tier).collect::<Option<Vec<_>>>()?;
        traceloupe_core::sorting::sort_by(&mut tiers, |a: &(f64, f64), b: &(f64, f64)| {
            a.0.total_cmp(&b.0)
        });
        Some(Self { base, tiers })
    }

    fn at(&self, input: u64) -> f64 {
        let input = real(input);
        let tier = self.tiers.iter().rev().find(|(start, _)| input > *start);
        tier.map_or(self.base, |(_, price)| *price)
    }
}

fn is_price(dollars: f64) -> bool {
    dollars.is_finite() && dollars >= 0.0
}

#[expect(clippy::cast_precision_loss)] // counts of tokens
fn real(n: u64) -> f64 {
    n as f64
}

/// When prices apply.
#[derive(Debug)]
enum When {
    Always,
    /// From this day on, in days since 1970.
    From(i64),
    /// Between two times of day, in seconds, possibly across midnight.
    At(i64, i64),
}

impl When {
    fn read(json: Json<'_>) -> Option<Self> {
        if let Some(date) = json.field("from").text() {
            return day_of(&date).map(Self::From);
        }
        let at = json.field("at");
        if at.is_given() {
            return Some(Self::At(at.item(0).integer()?, at.item(1).integer()?));
        }
        Some(Self::Always)
    }

    fn holds(&self, seconds: i64) -> bool {
        let time = seconds.rem_euclid(SECONDS_PER_DAY);
        match *self {
            Self::Always => true,
            Self::From(day) => seconds.div_euclid(SECONDS_PER_DAY) >= day,
            Self::At(from, to) if to < from => time >= from || time < to,
            Self::At(from, to) => (from..to).contains(&time),
        }
    }
}

/// The day of a date like `2026-05-01`, in days since 1970.
pub(super) fn day_of(date: &str) -> Option<i64> {
    let mut parts = date.split('-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) || !(1970..=9999).contains(&year) {
        return None;
    }
    // Count years from March, so that the leap day is the last day of the year.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day - 1;
    Some(days - 719_468)
}

/// The prices that apply at one time.
#[derive(Debug)]
struct Rates {
    when: When,
    input: Price,
    cache_read: Option<Price>,
    cache_write: Option<Price>,
    output: Option<Price>,
    reasoning: Option<Price>,
    request: Option<Price>,
}

impl Rates {
    /// `None` if there is no price for input tokens.
    fn read(json: Json<'_>) -> Option<Self> {
        let price = |key| Price::read(json.field(key));
        Some(Self {
            when: When::read(json)?,
            input: price("i")?,
            cache_read: price("r"),
            cache_write: price("w"),
            output: price("o"),
            reasoning: price("t"),
            request: price("q"),
        })
    }

    fn cost(&self, tokens: &Tokens) -> Option<Cost> {
        let all = tokens.input?;
        let own = |price: &Option<Price>, n: u64| if price.is_some() { n } else { 0 };
        let read = own(&self.cache_read, tokens.cache_read);
        let write = own(&self.cache_write, tokens.cache_write);
        let output = match (tokens.output, &self.output) {
            (Some(n), _) => n,
            (None, None) => 0,
            (None, Some(_)) => return None,
        };
        let reasoning = own(&self.reasoning, tokens.reasoning).min(output);
        let input = all.saturating_sub(read).saturating_sub(write);
        let mut cost = Cost { dollars: 0.0, parts: Vec::new() };
        let mut add = |what, price: Option<&Price>, n: u64, per: f64| {
            if let Some(rate) = price.map(|price| price.at(all)).filter(|_| n > 0) {
                let dollars = rate * real(n) * per;
                cost.dollars += dollars;
                cost.parts.push(Part { what, n, rate, dollars });
            }
        };
        add(What::Input, Some(&self.input), input, PER_MILLION);
        add(What::CacheRead, self.cache_read.as_ref(), read, PER_MILLION);
        add(What::CacheWrite, self.cache_write.as_ref(), write, PER_MILLION);
        add(What::Output, self.output.as_ref(), output - reasoning, PER_MILLION);
        add(What::Reasoning, self.reasoning.as_ref(), reasoning, PER_MILLION);
        add(What::Request, self.request.as_ref(), 1, 1e-3);
        Some(cost)
    }
}

/// All prices of a model.
#[derive(Debug, Default)]
pub(super) struct AllRates(Vec<Option<Rates>>);

impl AllRates {
    pub(super) fn read(json: Json<'_>) -> Self {
        let several: Vec<_> = json.items().map(Rates::read).collect();
        Self(if several.is_empty() { vec![Rates::read(json)] } else { several })
    }

    /// The cost of a call that was made at a given time, in seconds since 1970.
    pub(super) fn cost(&self, tokens: &Tokens, seconds: i64) -> Option<Cost> {
        let holds =
            |rates: &&Option<Rates>| rates.as_ref().is_none_or(|rates| rates.when.holds(seconds));
        let rates = self.0.iter().rev().find(holds).or_else(|| self.0.first())?;
        rates.as_ref()?.cost(tokens)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dollars(prices: &str, tokens: &Tokens, seconds: i64) -> Option<f64> {
        AllRates::read(Json::new(prices)).cost(tokens, seconds).map(|cost| cost.dollars)
    }

    fn million() -> Tokens {
        Tokens {
            input: Some(1_000_000),
            cache_read: 400_000,
            cache_write: 100_000,
            output: Some(10_000),
            reasoning: 5_000,
        }
    }

    fn about(cost: Option<f64>, dollars: f64) -> bool {
        cost.is_some_and(|cost| (cost - dollars).abs() < 1e-9)
    }

    #[test]
    fn tokens_without_a_price_of_their_own_have_that_of_the_rest() {
        assert!(about(dollars(r#"{"i":2}"#, &million(), 0), 2.0));
        assert!(about(dollars(r#"{"i":2,"r":0.5}"#, &million(), 0), 1.2 + 0.2));
        assert!(about(
            dollars(r#"{"i":2,"r":0.5,"w":3,"o":10}"#, &million(), 0),
            1.0 + 0.2 + 0.3 + 0.1
        ));
        assert!(about(
            dollars(r#"{"i":0,"o":10,"t":20,"q":5}"#, &million(), 0),
            0.05 + 0.1 + 0.005
        ));
    }

    #[test]
    fn above_a_threshold_all_tokens_have_the_higher_price() {
        let at = |n| {
            dollars(
                r#"{"i":[1,[300,3],[200,2]]}"#,
                &Tokens { input: Some(n), ..Tokens::default() },
                0,
            )
        };
        for (n, rate) in [(200, 1.0), (201, 2.0), (300, 2.0), (301, 3.0)] {
            assert!(about(at(n), rate * real(n) * 1e-6), "{n}");
        }
    }

    #[test]
    fn the_last_prices_that_hold_count() {
        let prices = r#"[{"i":1},{"from":"2026-01-01","i":2},{"at":[82800,3600],"i":3}]"#;
        let noon = |date| day_of(date).unwrap() * SECONDS_PER_DAY + SECONDS_PER_DAY / 2;
        let tokens = Tokens { input: Some(1_000_000), ..Tokens::default() };
        assert!(about(dollars(prices, &tokens, noon("2025-12-31")), 1.0));
        assert!(about(dollars(prices, &tokens, noon("2026-01-01")), 2.0));
        assert!(about(
            dollars(prices, &tokens, day_of("2025-12-31").unwrap() * SECONDS_PER_DAY + 60),
            3.0
        ));
        // If none applies, the first prices are used.
        assert!(about(dollars(r#"[{"from":"2026-01-01","i":2}]"#, &tokens, 0), 2.0));
        assert_eq!(
            (day_of("1970-01-01"), day_of("2000-03-01"), day_of("x")),
            (Some(0), Some(11_017), None)
        );
    }

    #[test]
    fn without_a_price_or_a_needed_count_there_is_no_cost() {
        assert_eq!(dollars("{}", &million(), 0), None);
        assert_eq!(dollars(r#"{"o":3}"#, &million(), 0), None);
        assert_eq!(dollars(r#"{"i":-1}"#, &million(), 0), None);
        assert_eq!(dollars(r#"{"i":1}"#, &Tokens { input: None, ..million() }, 0), None);
        assert_eq!(dollars(r#"{"i":1,"o":1}"#, &Tokens { output: None, ..million() }, 0), None);
        assert!(about(dollars(r#"{"i":1}"#, &Tokens { output: None, ..million() }, 0), 1.0));
        let usage = Usage { cache_read: Some(5), output: Some(1), ..Usage::default() };
        assert_eq!(Tokens::from(&usage).input, None, "only the cached part is known");
        let usage = Usage { input: Some(7), ..usage };
        assert_eq!(Tokens::from(&usage).input, Some(12));
    }
}
