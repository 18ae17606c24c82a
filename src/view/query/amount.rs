//! Amounts with units, and ranges of them: `>5s`, `<=2k`, `1s..10s`.

use super::Measure;
use traceloupe_core::number;

/// A unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// None.
    One,
    /// Milliseconds.
    Milliseconds,
    /// Seconds.
    Seconds,
    /// Minutes.
    Minutes,
    /// Hours.
    Hours,
    /// Thousands.
    Thousands,
    /// Millions.
    Millions,
}

impl Unit {
    /// The units of a measure.
    fn of(measure: Measure) -> &'static [Self] {
        match measure {
            Measure::Duration => &[Self::Milliseconds, Self::Seconds, Self::Minutes, Self::Hours],
            Measure::Tokens | Measure::TokensIn | Measure::TokensOut => {
                &[Self::One, Self::Thousands, Self::Millions]
            }
        }
    }

    /// The unit as it is written.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::One => "",
            Self::Milliseconds => "ms",
            Self::Seconds => "s",
            Self::Minutes => "m",
            Self::Hours => "h",
            Self::Thousands => "k",
            Self::Millions => "M",
        }
    }

    /// Its size in milliseconds or tokens.
    fn worth(self) -> f64 {
        match self {
            Self::One | Self::Milliseconds => 1.0,
            Self::Seconds | Self::Thousands => 1e3,
            Self::Minutes => 60e3,
            Self::Hours => 3_600e3,
            Self::Millions => 1e6,
        }
    }
}

/// A number with its unit, as written.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Amount {
    /// The number.
    pub number: f64,
    /// The unit.
    pub unit: Unit,
}

impl Amount {
    /// Its value in milliseconds or tokens.
    #[must_use]
    pub fn value(self) -> f64 {
        self.number * self.unit.worth()
    }

    /// Parses an amount. Durations need a unit, except for 0.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(measure: Measure, text: &str) -> Result<Self, AmountFault> {
        let is_digit = |it: char| it.is_ascii_digit() || it == '.';
        let (digits, unit) = text.split_at(text.find(|it| !is_digit(it)).unwrap_or(text.len()));
        // Users write `.5` and `05`, which are not valid JSON.
        let digits = digits.strip_suffix('.').unwrap_or(digits);
        let short = digits.trim_start_matches('0');
        let zero = if short.len() < digits.len() || short.starts_with('.') { "0" } else { "" };
        let number = number::parse(short).or_else(|| number::parse(&format!("{zero}{short}")));
        let number = number.ok_or(AmountFault::Number)?;
        if unit.is_empty() && number == 0.0 {
            return Ok(Self { number, unit: Unit::One });
        }
        let known = Unit::of(measure).iter();
        let found = known.copied().find(|it| it.word().eq_ignore_ascii_case(unit));
        match found {
            Some(unit) => Ok(Self { number, unit }),
            None => Err(AmountFault::Unit),
        }
    }

    fn print(self) -> String {
        format!("{}{}", number::shortest(self.number), self.unit.word())
    }
}

/// What is wrong with an amount.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AmountFault {
    /// It is not a number.
    Number,
    /// Its unit is missing, or unknown.
    Unit,
}

/// Makes a range from the amount after a comparison sign.
type Compared = fn(Amount) -> Range;

/// Which amounts match.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Range {
    /// Exactly this amount.
    Is(Amount),
    /// More than this.
    Over(Amount),
    /// This or more.
    AtLeast(Amount),
    /// Less than this.
    Under(Amount),
    /// This or less.
    AtMost(Amount),
    /// From the first to the second amount.
    Between(Amount, Amount),
}

impl Range {
    /// Parses a range: an amount, a comparison, or two amounts joined by `..`. One of the two may be missing.
    ///
    /// # Errors
    /// What is wrong with an amount.
    pub fn parse(measure: Measure, text: &str) -> Result<Self, AmountFault> {
        let amount = |text: &str| Amount::parse(measure, text);
        if let Some((from, to)) = text.split_once("..") {
            return match (from, to) {
                (from, "") => amount(from).map(Self::AtLeast),
                ("", to) => amount(to).map(Self::AtMost),
                (from, to) => Ok(Self::Between(amount(from)?, amount(to)?)),
            };
        }
        // Longer signs come first, because some signs are prefixes of others.
        let signs: [(&str, Compared); 5] = [
            (">=", Self::AtLeast),
            ("<=", Self::AtMost),
            (">", Self::Over),
            ("<", Self::Under),
            ("=", Self::Is),
        ];
        let signed = signs.iter().find_map(|(sign, make)| Some((text.strip_prefix(sign)?, make)));
        match signed {
            Some((rest, make)) => amount(rest).map(make),
            None => amount(text).map(Self::Is),
        }
    }

    /// The range as it is written.
    #[must_use]
    pub fn print(self) -> String {
        match self {
            Self::Is(amount) => amount.print(),
            Self::Over(amount) => format!(">{}", amount.print()),
            Self::AtLeast(amount) => format!(">={}", amount.print()),
            Self::Under(amount) => format!("<{}", amount.print()),
            Self::AtMost(amount) => format!("<={}", amount.print()),
            Self::Between(from, to) => format!("{}..{}", from.print(), to.print()),
        }
    }

    /// Whether a value is in the range. An unknown value (NaN) is in no range.
    #[must_use]
    pub fn has(self, value: f64) -> bool {
        match self {
            Self::Is(amount) => value.total_cmp(&amount.value()).is_eq(),
            Self::Over(amount) => value > amount.value(),
            Self::AtLeast(amount) => value >= amount.value(),
            Self::Under(amount) => value < amount.value(),
            Self::AtMost(amount) => value <= amount.value(),
            Self::Between(from, to) => value >= from.value() && value <= to.value(),
        }
    }
}
