//! The loop rule of AgentDbg 0.1–0.3 and Maida 0.4–0.5, reproduced exactly.
//!
//! After each recorded event (LLM call, tool call, state), these producers examine the last `window` signatures. The
//! smallest block repeated `repetitions` times at the end is a loop, and each pattern is reported once per run. Results
//! and argument values are ignored, and each rotation of a cycle is a pattern of its own. Our own findings work
//! differently for these reasons; this rule exists for comparison with the producers' warnings.

use rustc_hash::{FxHashMap, FxHashSet};

use traceloupe_core::model::{Event, EventId, EventKind, NameId, RunId, Trace};

/// The settings of the rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoopRule {
    /// How many signatures are examined; at least 4.
    pub window: usize,
    /// How many times a block must be repeated; at least 2.
    pub repetitions: usize,
    /// Whether a warning may follow a state event: yes in AgentDbg, no in Maida, where the state still counts in the
    /// window.
    pub states_trigger: bool,
}

impl LoopRule {
    /// The defaults of AgentDbg.
    pub const AGENTDBG: Self = Self { window: 12, repetitions: 3, states_trigger: true };
    /// The defaults of Maida.
    pub const MAIDA: Self = Self { window: 12, repetitions: 3, states_trigger: false };
}

/// The part of a recorded event that the rule compares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signature {
    /// The event.
    pub event: EventId,
    /// Index of its text in [`Signatures::texts`].
    pub text: u32,
    /// Whether it is a state event.
    pub is_state: bool,
}

/// The signatures of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Signatures {
    /// The distinct texts, such as `TOOL_CALL:search`.
    pub texts: Vec<String>,
    /// One per recorded event, in order of reading.
    pub list: Vec<Signature>,
}

/// A warning of the rule. Its block is the first `pattern_length` entries of its evidence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleWarning {
    /// Index (in [`Signatures::list`]) of the event that triggers it.
    pub at: usize,
    /// Signatures per block.
    pub pattern_length: usize,
    /// The number of repetitions in the rule's settings, not the actual number.
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
    /// The block of a warning in the producers' notation: `A -> B`.
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

/// The signature of an event in the producers' notation; `None` for an event that the rule ignores.
#[must_use]
pub(super) fn signature_text(trace: &Trace, event: &Event) -> Option<String> {
    let name = match trace.name(event.name) {
        "" => "UNKNOWN",
        name => name,
    };
    match event.kind {
        EventKind::LlmCall => Some(format!("LLM_CALL:{name}")),
        EventKind::ToolCall => Some(match trace.name(trace.structure(event)) {
            "" => format!("TOOL_CALL:{name}"),
            structure => format!("TOOL_CALL:{name} args:{structure}"),
        }),
        EventKind::State => Some("STATE_UPDATE".to_owned()),
        _ => None,
    }
}

/// The signatures of a run, all lanes together, as the producers see them.
#[must_use]
pub fn signatures(trace: &Trace, run: RunId) -> Signatures {
    let mut ids = trace.order(run).to_vec();
    traceloupe_core::sorting::sort(&mut ids);
    let mut out = Signatures::default();
    let mut known: FxHashMap<(EventKind, NameId, NameId), u32> = FxHashMap::default();
    let mut by_text: FxHashMap<String, u32> = FxHashMap::default();
    for id in ids {
        let Some(event) = trace.event(id) else { continue };
        let is_state = event.kind == EventKind::State;
        let what = (event.kind, event.name, trace.structure(event));
        let text = match known.get(&what) {
            Some(text) => *text,
            None => {
                let Some(text) = signature_text(trace, event) else { continue };
                // A model without a name has the same signature as a model named UNKNOWN.
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

/// The warnings that the rule raises, in order. Takes time proportional to the number of signatures
/// times `window / repetitions`.
#[must_use]
pub fn warnings(signatures: &[Signature], rule: LoopRule) -> Vec<RuleWarning> {
    let window = rule.window.max(4);
    let repetitions = rule.repetitions.max(2);
    // `equal[m - 1]`: how many consecutive signatures, up to here, equal the ones m positions earlier.
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
