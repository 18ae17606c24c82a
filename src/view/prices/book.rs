//! The list of prices: providers, their models, and the lookup of a model by its name in a trace.

use traceloupe_core::case::lowercase;
use traceloupe_core::json::Json;

use super::own::OWN;
use super::rates::{AllRates, Cost, Tokens, day_of};
use super::rule::Rule;

/// Longer names are not looked up.
const MAX_NAME_BYTES: usize = 200;

/// The provider whose model names begin with the maker of the model: `openai.gpt-oss-120b-1:0`.
const BEDROCK: &str = "aws";

/// The makers of the models on Bedrock.
const MAKERS: [&str; 16] = [
    "ai21",
    "amazon",
    "anthropic",
    "cohere",
    "deepseek",
    "google",
    "luma",
    "meta",
    "minimax",
    "mistral",
    "moonshot",
    "nvidia",
    "openai",
    "qwen",
    "writer",
    "zai",
];

/// Whether a name is a Bedrock name, with or without a region in front: `us.meta.llama4-scout-17b-instruct-v1:0`.
fn is_of_bedrock(name: &str) -> bool {
    lowercase(name).split('.').take(2).any(|maker| MAKERS.contains(&maker))
}

/// The list of prices.
#[derive(Debug, Default)]
pub struct Prices {
    /// Its source.
    pub source: String,
    /// Its version.
    pub version: String,
    /// Its date, like `2026-05-01`.
    pub date: String,
    providers: Vec<Provider>,
}

#[derive(Debug)]
struct Provider {
    id: String,
    name: String,
    /// Matches the names of this provider's own models.
    models: Option<Rule>,
    /// Matches other names of the provider.
    names: Option<Rule>,
    /// Providers whose prices apply where this one has none.
    fallback: Vec<String>,
    prices: Vec<Model>,
}

#[derive(Debug)]
struct Model {
    rule: Rule,
    id: String,
    rates: AllRates,
}

/// A model of the list.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    provider: &'a Provider,
    model: &'a Model,
    prices: &'a Prices,
}

impl Prices {
    /// Reads the list. A list without providers is invalid.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let json = Json::new(text);
        let word = |key| json.field(key).text().unwrap_or_default().into_owned();
        let providers: Vec<_> =
            json.field("providers").items().filter_map(Provider::read).collect();
        (!providers.is_empty()).then(|| Self {
            source: word("source"),
            version: word("version"),
            date: word("date"),
            providers,
        })
    }

    /// Adds a provider that is tried before all others.
    pub(super) fn put_first(&mut self, provider: &str) {
        if let Some(provider) = Provider::read(Json::new(provider)) {
            self.providers.insert(0, provider);
        }
    }

    /// Whether some of the prices were entered by the user.
    #[must_use]
    pub fn has_own(&self) -> bool {
        self.providers.first().is_some_and(|provider| provider.id == OWN)
    }

    /// The model with this name. Without a provider, the name itself identifies the provider: either by its form, or by
    /// the part before its first slash.
    #[must_use]
    pub fn find(&self, name: &str, provider: Option<&str>) -> Option<Found<'_>> {
        if name.is_empty() || name.len() > MAX_NAME_BYTES {
            return None;
        }
        let name = lowercase(name);
        if let Some(provider) = provider {
            return self.found(self.provider(provider)?, &name);
        }
        let is_owner = |it: &&Provider| it.models.as_ref().is_some_and(|rule| rule.is_match(&name));
        let owner = self.providers.iter().find(is_owner);
        let of_prefix = || {
            let (provider, rest) = name.split_once('/')?;
            self.found(self.provider(provider)?, rest)
        };
        owner.and_then(|owner| self.found(owner, &name)).or_else(of_prefix)
    }

    /// The model with this name in a trace. If the list has no match, the name is tried as a Bedrock name.
    #[must_use]
    pub fn of_trace(&self, name: &str) -> Option<Found<'_>> {
        let of_bedrock = || self.find(name, Some(BEDROCK));
        self.find(name, None).or_else(|| is_of_bedrock(name).then(of_bedrock)?)
    }

    fn provider(&self, name: &str) -> Option<&Provider> {
        let name = lowercase(name.trim());
        let is_called = |it: &&Provider| it.names.as_ref().is_some_and(|rule| rule.is_match(&name));
        let mut all = self.providers.iter();
        all.find(|it| it.id == name).or_else(|| self.providers.iter().find(is_called))
    }

    fn found<'a>(&'a self, provider: &'a Provider, name: &str) -> Option<Found<'a>> {
        let dashed = dashed_date(name);
        let names = [Some(name), dashed.as_deref()];
        let model = names.into_iter().flatten().find_map(|name| {
            let others = provider.fallback.iter();
            let others =
                others.filter_map(|id| self.providers.iter().find(|other| other.id == *id));
            [provider].into_iter().chain(others).find_map(|it| it.model(name))
        })?;
        Some(Found { provider, model, prices: self })
    }
}

impl Provider {
    fn read(json: Json<'_>) -> Option<Self> {
        let text = |key| json.field(key).text().map(std::borrow::Cow::into_owned);
        let rule = |key| json.field(key).present().and_then(Rule::read);
        let id = text("id")?;
        let ids = json.field("fallback").items();
        Some(Self {
            name: text("name").unwrap_or_else(|| id.clone()),
            models: rule("models"),
            names: rule("names"),
            fallback: ids.filter_map(|id| Some(id.text()?.into_owned())).collect(),
            prices: json.field("prices").items().filter_map(Model::read).collect(),
            id,
        })
    }

    fn model(&self, name: &str) -> Option<&Model> {
        self.prices.iter().find(|model| model.rule.is_match(name))
    }
}

impl Model {
    fn read(json: Json<'_>) -> Option<Self> {
        let rule = Rule::read(json.item(0))?;
        let first = |rule: &Rule| match rule {
            Rule::Equals(name) => Some(name.clone()),
            _ => None,
        };
        // Without an id, the model is named after the first name in its rule.
        let id = json.item(2).text().map(std::borrow::Cow::into_owned);
        let id = id.or_else(|| match &rule {
            Rule::Any(rules) => first(rules.first()?),
            rule => first(rule),
        });
        let rates = AllRates::read(json.item(1));
        Some(Self { id: id.unwrap_or_default(), rule, rates })
    }
}

impl<'a> Found<'a> {
    /// Its id in the list.
    #[must_use]
    pub fn id(&self) -> &'a str {
        &self.model.id
    }

    /// The name of its provider.
    #[must_use]
    pub fn provider(&self) -> &'a str {
        &self.provider.name
    }

    /// Whether the price was entered by the user.
    #[must_use]
    pub fn is_own(&self) -> bool {
        self.provider.id == OWN
    }

    /// The cost of a call made at a given time, in milliseconds since 1970. If the time is unknown (NaN), the prices on
    /// the date of the list apply.
    #[must_use]
    pub fn cost(&self, tokens: &Tokens, at_ms: f64) -> Option<Cost> {
        #[expect(clippy::cast_possible_truncation)] // saturates
        let seconds = match at_ms.is_nan() {
            false => (at_ms / 1000.0).floor() as i64,
            true => day_of(&self.prices.date).unwrap_or(i64::MAX / 2 / 86_400) * 86_400,
        };
        self.model.rates.cost(tokens, seconds)
    }
}

/// A name with a date like `-20251211`, rewritten with `-2025-12-11`.
fn dashed_date(name: &str) -> Option<String> {
    for (at, _) in name.match_indices("-20") {
        let Some(date) = name.get(at + 1..at + 9) else { continue };
        let after = name.get(at + 9..).unwrap_or_default();
        let is_end = after.is_empty() || after.starts_with(['-', ':']);
        if !is_end || !date.bytes().all(|byte| byte.is_ascii_digit()) {
            continue;
        }
        let (year, rest) = date.split_at_checked(4)?;
        let (month, day) = rest.split_at_checked(2)?;
        let dashed = format!("{year}-{month}-{day}");
        if day_of(&dashed).is_some() {
            let before = name.get(..=at).unwrap_or_default();
            return Some(format!("{before}{dashed}{after}"));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = r#"{"version":"1","date":"2026-05-01","providers":[
        {"id":"teal","name":"Teal","models":"^teal-","names":"*teal","prices":[
            ["=teal-1",{"i":1}], [["|","=teal-2","^teal-2-"],{"i":2}], ["=teal-3-2025-12-11",{"i":3}]]},
        {"id":"cloud","name":"Cloud","fallback":["teal"],"prices":[["=own",{"i":9},"own-model"]]},
        {"id":"aws","name":"AWS","prices":[["*openai.reed-1",{"i":4},"reed"]]}]}"#;

    fn find(name: &str, provider: Option<&str>) -> Option<(String, f64)> {
        let prices = Prices::read(LIST).unwrap();
        let found = match provider {
            None => prices.of_trace(name)?,
            provider => prices.find(name, provider)?,
        };
        let tokens = Tokens { input: Some(1_000_000), ..Tokens::default() };
        Some((found.id().to_owned(), found.cost(&tokens, f64::NAN)?.dollars))
    }

    #[test]
    fn a_model_is_found_by_its_names() {
        let known = |id: &str, dollars: f64| Some((id.to_owned(), dollars));
        assert_eq!(find("Teal-1", None), known("teal-1", 1.0));
        assert_eq!(find("teal-2-large", None), known("teal-2", 2.0));
        assert_eq!(find("teal-3-20251211", None), known("teal-3-2025-12-11", 3.0));
        assert_eq!(find("teal/teal-1", None), known("teal-1", 1.0));
        assert_eq!(find("cloud/own", None), known("own-model", 9.0));
        assert_eq!(find("teal-1", Some("cloud")), known("teal-1", 1.0));
        assert_eq!(find("teal-1", Some("my-teal")), known("teal-1", 1.0));
        assert_eq!(find("openai.reed-1:0", None), known("reed", 4.0));
        assert_eq!(find("eu.openai.reed-1:0", None), known("reed", 4.0));
        for (name, provider) in [
            ("reed-1", None),
            ("other.reed-1", None),
            ("own", None),
            ("teal-9", None),
            ("", None),
            ("teal-1", Some("nobody")),
            ("own", Some("teal")),
            ("teal-3-20251311", None),
        ] {
            assert_eq!(find(name, provider), None, "{name}");
        }
    }

    #[test]
    fn what_is_no_list_has_no_prices() {
        for text in ["", "{}", "[]", r#"{"providers":[]}"#, r#"{"providers":[{}]}"#, "<html>"] {
            assert!(Prices::read(text).is_none(), "{text}");
        }
        let half =
            r#"{"providers":[{"id":"a","prices":[7,[],["=a"],["=b",{"i":"x"}],["=c",{"i":1}]]}]}"#;
        let prices = Prices::read(half).unwrap();
        let tokens = Tokens { input: Some(1), ..Tokens::default() };
        let cost = |name| prices.find(name, Some("a"))?.cost(&tokens, 0.0);
        assert!(cost("a").is_none() && cost("b").is_none() && cost("c").is_some());
    }
}
