//! The loop rule of AgentDbg 0.1–0.3 and Maida 0.4–0.5, to the letter.
//!
//! After each recorded event (LLM call, tool call, state) the producers look at the last `window`
//! signatures. The smallest block that stands `repetitions` times at their end is a loop; each
//! pattern is reported once in a run. Results and argument values play no part, and each rotation
//! of a cycle is a pattern of its own: that is why our own findings are made differently, and this
//! rule is kept to compare with what the producers wrote.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::model::{Event, EventId, EventKind, NameId, RunId, Trace};

/// The settings of the rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoopRule {
    /// How many signatures are looked at; at least 4.
    pub window: usize,
    /// How often a block must stand there; at least 2.
    pub repetitions: usize,
    /// Whether a warning may follow a state event: yes in AgentDbg, no in Maida (where the state
    /// still sits in the window).
    pub states_trigger: bool,
}

impl LoopRule {
    /// AgentDbg as it comes.
    pub const AGENTDBG: Self = Self { window: 12, repetitions: 3, states_trigger: true };
    /// Maida as it comes.
    pub const MAIDA: Self = Self { window: 12, repetitions: 3, states_trigger: false };
}

/// What the rule compares of one recorded event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signature {
    /// The event.
    pub event: EventId,
    /// Which text of [`Signatures::texts`] it has.
    pub text: u32,
    /// Whether it is a state event.
    pub is_state: bool,
}

/// The signatures of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Signatures {
    /// The distinct texts, such as `TOOL_CALL:search`.
    pub texts: Vec<String>,
    /// One for each recorded event, in the order of reading.
    pub list: Vec<Signature>,
}

/// One warning of the rule. Its block is the first `pattern_length` of its evidence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleWarning {
    /// Index (in [`Signatures::list`]) of the event after which it is raised.
    pub at: usize,
    /// Signatures in the block.
    pub pattern_length: usize,
    /// The rule's repetitions; not how often the block stands there in truth.
    pub repetitions: usize,
    /// How many signatures were in the window.
    pub window_size: usize,
}

impl RuleWarning {
    /// Indices of the evidence in [`Signatures::list`].
    #[must_use]
    pub fn evidence(&self) -> std::ops::Range<usize> {
        let end = self.at + 1;
        end.saturating_sub(self.pattern_length * self.repetitions)..end
    }
}

impl Signatures {
    /// The block of a warning as the producers write it: `A -> B`.
    #[must_use]
    pub fn pattern(&self, warning: &RuleWarning) -> String {
        let block = self.list.get(warning.evidence()).unwrap_or_default();
        let texts: Vec<&str> = block
            .iter()
            .take(warning.pattern_length)
            .map(|it| self.texts.get(it.text as usize).map_or("", String::as_str))
            .collect();
        texts.join(" -> ")
    }
}

/// The signature of an event as the producers write it, or `None` for an event that the rule does
/// not look at.
#[must_use]
pub(super) fn signature_text(trace: &Trace, event: &Event) -> Option<String> {
    let name = match trace.name(event.name) {
        "" => "UNKNOWN",
        name => name,
    };
    match event.kind {
        EventKind::LlmCall => Some(format!("LLM_CALL:{name}")),
        EventKind::ToolCall if event.shape == NameId::NONE => Some(format!("TOOL_CALL:{name}")),
        EventKind::ToolCall => Some(format!("TOOL_CALL:{name} args:{}", trace.name(event.shape))),
        EventKind::State => Some("STATE_UPDATE".to_owned()),
        _ => None,
    }
}

/// The signatures of a run, all lanes together, as the producers see it.
#[must_use]
pub fn signatures(trace: &Trace, run: RunId) -> Signatures {
    let mut ids = trace.order(run).to_vec();
    crate::order::sort(&mut ids);
    let mut out = Signatures::default();
    let mut known: FxHashMap<(EventKind, NameId, NameId), u32> = FxHashMap::default();
    let mut by_text: FxHashMap<String, u32> = FxHashMap::default();
    for id in ids {
        let Some(event) = trace.event(id) else { continue };
        let is_state = event.kind == EventKind::State;
        let what = (event.kind, event.name, event.shape);
        let text = match known.get(&what) {
            Some(text) => *text,
            None => {
                let Some(text) = signature_text(trace, event) else { continue };
                // A model without a name and a model named UNKNOWN are one signature.
                let next = u32::try_from(out.texts.len()).unwrap_or(u32::MAX);
                let index = *by_text.entry(text).or_insert_with_key(|text| {
                    out.texts.push(text.clone());
                    next
                });
                known.insert(what, index);
                index
            }
        };
        out.list.push(Signature { event: id, text, is_state });
    }
    out
}

/// The warnings that the rule raises, in order. Takes time in proportion to the number of
/// signatures times `window / repetitions`.
#[must_use]
pub fn warnings(signatures: &[Signature], rule: LoopRule) -> Vec<RuleWarning> {
    let window = rule.window.max(4);
    let repetitions = rule.repetitions.max(2);
    // `equal[m - 1]`: how many signatures in a row, up to here, equal the one m places before.
    let mut equal = vec![0_usize; window / repetitions];
    let mut emitted: FxHashSet<Box<[u32]>> = FxHashSet::default();
    let mut out = Vec::new();
    for (at, signature) in signatures.iter().enumerate() {
        for (period, run) in (1..).zip(&mut equal) {
            let before = at.checked_sub(period).and_then(|before| signatures.get(before));
            let is_equal = before.is_some_and(|before| before.text == signature.text);
            *run = if is_equal { *run + 1 } else { 0 };
        }
        if signature.is_state && !rule.states_trigger {
            continue;
        }
        let smallest = (1..).zip(&equal).find(|(period, run)| **run >= period * (repetitions - 1));
        let Some((pattern_length, _)) = smallest else { continue };
        let window_size = window.min(at + 1);
        let warning = RuleWarning { at, pattern_length, repetitions, window_size };
        let block = signatures.get(warning.evidence()).unwrap_or_default();
        let pattern: Box<[u32]> = block.iter().take(pattern_length).map(|it| it.text).collect();
        if emitted.insert(pattern) {
            out.push(warning);
        }
    }
    out
}
