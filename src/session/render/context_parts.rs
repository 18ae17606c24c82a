//! What filled the context of an LLM call, estimated from how its input grew from call to call.
//!
//! The file states the input tokens of every call. What was added between two calls is the output of the first one and
//! the steps after it. Several steps share the rest in proportion to the lengths of their records.

use traceloupe_core::sorting::sort_by;
use traceloupe_protocol::context_parts::{ContextSource, N_LAYERS};

/// Bytes per token where the number of tokens of a text is unknown: the usual rule of thumb for English.
const BYTES_PER_TOKEN: f64 = 4.0;

/// A step of the agent that the context belongs to, in order.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// The event id.
    pub id: u32,
    /// What it is.
    pub what: Did,
    /// The length of its records.
    pub len_bytes: u64,
}

/// The effect of a step on the context.
#[derive(Clone, PartialEq, Debug)]
pub enum Did {
    /// An LLM call with its input tokens and its output tokens.
    Call(u64, Option<u64>),
    /// An addition to the input of the next call.
    Added(ContextSource),
    /// The context was compacted.
    Compacted,
}

/// The contents of a context.
#[derive(Debug, Default)]
pub struct Context {
    /// The call whose input it is, once there is one.
    pub call: Option<u32>,
    /// Its input tokens.
    pub tokens: f64,
    /// Tokens that were there before the first step, as far as they are still in the context.
    instructions: f64,
    /// Steps, their sources, and how many of their tokens are still in the context.
    pub items: Vec<(u32, ContextSource, f64)>,
    /// Steps since the call.
    since: Vec<(u32, ContextSource, f64)>,
    is_compacted: bool,
    output: Option<f64>,
}

impl Context {
    /// Processes the next step.
    #[expect(clippy::cast_precision_loss)] // tokens and lengths
    pub fn take(&mut self, step: Step) {
        match step.what {
            Did::Added(source) => self.since.push((step.id, source, step.len_bytes as f64)),
            Did::Compacted => self.is_compacted = true,
            Did::Call(input, output) => {
                self.call_with(input as f64);
                self.call = Some(step.id);
                self.output = output.map(|tokens| tokens as f64);
                if output.is_none() {
                    self.since.push((step.id, ContextSource::Model, step.len_bytes as f64));
                }
            }
        }
    }

    fn call_with(&mut self, input: f64) {
        let grown = input - self.tokens;
        let since = std::mem::take(&mut self.since);
        let is_compacted = std::mem::take(&mut self.is_compacted);
        self.tokens = input;
        let Some(call) = self.call else {
            self.begin(since);
            return;
        };
        if is_compacted {
            self.items.clear();
            self.instructions = self.instructions.min(input);
            let left = input - self.instructions;
            self.items.push((call, ContextSource::Compaction, left));
        } else if grown < 0.0 {
            let held = (input - grown - self.instructions).max(0.0);
            self.instructions = self.instructions.min(input);
            let share = if held > 0.0 { (input - self.instructions) / held } else { 0.0 };
            self.items.iter_mut().for_each(|it| it.2 *= share);
        } else {
            let written = self.output.unwrap_or(0.0).min(grown);
            if written > 0.0 {
                self.items.push((call, ContextSource::Model, written));
            }
            let left = grown - written;
            let all: f64 = since.iter().map(|it| it.2).sum();
            if all > 0.0 {
                let shared = |(id, of, len)| (id, of, left * len / all);
                self.items.extend(since.into_iter().map(shared));
            } else if left > 0.0 {
                self.items.push((call, ContextSource::Unseen, left));
            }
        }
    }

    /// Initialises the context from the input of the first call. Tokens that the steps before it cannot account for
    /// were there from the start.
    fn begin(&mut self, steps: Vec<(u32, ContextSource, f64)>) {
        let guess = |len_bytes: f64| len_bytes / BYTES_PER_TOKEN;
        let guessed: f64 = steps.iter().map(|it| guess(it.2)).sum();
        // Records contain more than what is sent.
        let share = if guessed > self.tokens { self.tokens / guessed } else { 1.0 };
        self.items.extend(steps.into_iter().map(|(id, of, len)| (id, of, guess(len) * share)));
        self.instructions = (self.tokens - guessed * share).max(0.0);
    }

    /// The sources and their tokens, largest first.
    #[must_use]
    pub fn parts(&self) -> Vec<(ContextSource, f64)> {
        let mut parts = vec![(ContextSource::Instructions, self.instructions)];
        for (_, source, tokens) in &self.items {
            match parts.iter_mut().find(|part| part.0 == *source) {
                Some(part) => part.1 += tokens,
                None => parts.push((source.clone(), *tokens)),
            }
        }
        parts.retain(|part| part.1 >= 0.5);
        sort_by(&mut parts, |a, b| b.1.total_cmp(&a.1));
        parts
    }
}

/// The contents of a context by kind of source. Unlike [`Context`], it does not keep an entry per step, so the cost of
/// a step does not depend on the number of earlier steps.
#[derive(Debug, Default)]
pub struct Layers {
    /// The call whose input it is, once there is one.
    pub call: Option<u32>,
    instructions: f64,
    items: [f64; N_LAYERS],
    /// The lengths of the steps since the call.
    since: [f64; N_LAYERS],
    is_compacted: bool,
    output: Option<f64>,
}

/// Adds to the value for a kind of source.
fn add(layers: &mut [f64; N_LAYERS], source: &ContextSource, n: f64) {
    if let Some(layer) = layers.get_mut(source.layer()) {
        *layer += n;
    }
}

impl Layers {
    /// Processes the next step.
    #[expect(clippy::cast_precision_loss)] // tokens and lengths
    pub fn take(&mut self, step: &Step) {
        let len_bytes = step.len_bytes as f64;
        match &step.what {
            Did::Added(source) => add(&mut self.since, source, len_bytes),
            Did::Compacted => self.is_compacted = true,
            Did::Call(input, output) => {
                self.call_with(*input as f64);
                self.call = Some(step.id);
                self.output = output.map(|tokens| tokens as f64);
                if output.is_none() {
                    add(&mut self.since, &ContextSource::Model, len_bytes);
                }
            }
        }
    }

    fn call_with(&mut self, input: f64) {
        let since = std::mem::take(&mut self.since);
        let all: f64 = since.iter().sum();
        let held: f64 = self.items.iter().sum();
        let grown = input - held - self.instructions;
        let more = |items: &mut [f64; N_LAYERS], share: f64| {
            items.iter_mut().zip(since).for_each(|(item, len)| *item += len * share);
        };
        if self.call.is_none() {
            let guessed = (all / BYTES_PER_TOKEN).min(input);
            more(&mut self.items, if all > 0.0 { guessed / all } else { 0.0 });
            self.instructions = input - guessed;
        } else if std::mem::take(&mut self.is_compacted) {
            self.items = [0.0; N_LAYERS];
            self.instructions = self.instructions.min(input);
            add(&mut self.items, &ContextSource::Compaction, input - self.instructions);
        } else if grown < 0.0 {
            self.instructions = self.instructions.min(input);
            let share = if held > 0.0 { (input - self.instructions) / held } else { 0.0 };
            self.items.iter_mut().for_each(|item| *item *= share);
        } else {
            let written = self.output.unwrap_or(0.0).min(grown);
            add(&mut self.items, &ContextSource::Model, written);
            match grown - written {
                left if all > 0.0 => more(&mut self.items, left / all),
                left => add(&mut self.items, &ContextSource::Unseen, left),
            }
        }
        self.is_compacted = false;
    }

    /// The tokens of each kind of source.
    #[must_use]
    pub fn tokens(&self) -> [f64; N_LAYERS] {
        let mut tokens = self.items;
        add(&mut tokens, &ContextSource::Instructions, self.instructions);
        tokens
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn added(id: u32, source: ContextSource, len_bytes: u64) -> Step {
        Step { id, what: Did::Added(source), len_bytes }
    }

    fn call(id: u32, input: u64, output: Option<u64>) -> Step {
        Step { id, what: Did::Call(input, output), len_bytes: 100 }
    }

    fn tool(name: &str) -> ContextSource {
        ContextSource::Tool(name.to_owned())
    }

    fn context(steps: Vec<Step>) -> Context {
        let mut context = Context::default();
        steps.into_iter().for_each(|step| context.take(step));
        context
    }

    fn said(context: &Context) -> Vec<(ContextSource, u64)> {
        let parts = context.parts().into_iter();
        parts.map(|(source, tokens)| (source, tokens.round() as u64)).collect()
    }

    #[test]
    fn what_a_step_added_is_what_the_input_grew_by() {
        let context = context(vec![
            added(0, ContextSource::Person, 400),
            call(1, 1_100, Some(50)),
            added(2, tool("Read"), 3_000),
            added(3, tool("Bash"), 1_000),
            call(4, 1_550, Some(10)),
            call(5, 1_600, Some(10)),
        ]);
        assert_eq!(
            said(&context),
            [
                (ContextSource::Instructions, 1_000),
                (tool("Read"), 300),
                (ContextSource::Person, 100),
                (tool("Bash"), 100),
                (ContextSource::Model, 60),
                (ContextSource::Unseen, 40),
            ]
        );
        let sum: f64 = context.parts().iter().map(|it| it.1).sum();
        assert!((sum - context.tokens).abs() < 1e-6, "the parts are the whole");
    }

    #[test]
    fn a_compaction_leaves_one_part_and_a_loss_makes_all_smaller() {
        let before =
            vec![call(0, 1_000, Some(0)), added(1, tool("Read"), 10), call(2, 9_000, Some(0))];
        let mut compacted = before.clone();
        compacted.push(Step { id: 3, what: Did::Compacted, len_bytes: 5 });
        compacted.push(call(4, 3_000, None));
        assert_eq!(
            said(&context(compacted)),
            [(ContextSource::Compaction, 2_000), (ContextSource::Instructions, 1_000)]
        );
        let mut lost = before;
        lost.push(call(4, 3_000, None));
        assert_eq!(
            said(&context(lost)),
            [(tool("Read"), 2_000), (ContextSource::Instructions, 1_000)]
        );
    }

    #[test]
    fn output_that_the_file_does_not_count_shares_with_what_came_after() {
        let context =
            context(vec![call(0, 1_000, None), added(1, tool("Read"), 300), call(2, 1_400, None)]);
        assert_eq!(
            said(&context),
            [
                (ContextSource::Instructions, 1_000),
                (tool("Read"), 300),
                (ContextSource::Model, 100)
            ]
        );
    }

    fn any_step() -> impl Strategy<Value = Step> {
        let sources =
            [ContextSource::Person, ContextSource::Instructions, tool("Read"), tool("Bash")];
        let what = prop_oneof![
            3 => (0_usize..4).prop_map(move |at| Did::Added(sources[at].clone())),
            3 => (0_u64..90_000, proptest::option::of(0_u64..900)).prop_map(|it| Did::Call(it.0, it.1)),
            1 => Just(Did::Compacted),
        ];
        (what, 0_u64..9_000).prop_map(|(what, len_bytes)| Step { id: 0, what, len_bytes })
    }

    proptest! {
        #[test]
        fn layers_are_the_parts_by_kind(steps in prop::collection::vec(any_step(), 0..40)) {
            let (mut context, mut layers) = (Context::default(), Layers::default());
            for (id, step) in (0..).zip(steps) {
                let step = Step { id, ..step };
                layers.take(&step);
                context.take(step);
                let mut summed = [0.0; N_LAYERS];
                for (source, tokens) in context.parts() {
                    summed[source.layer()] += tokens;
                }
                prop_assert_eq!(layers.call, context.call);
                for (one, other) in layers.tokens().into_iter().zip(summed) {
                    // Parts below half a token are left out.
                    prop_assert!((one - other).abs() < 0.5 * (f64::from(id) + 2.0), "{one} {other}");
                }
            }
        }
    }

    #[test]
    fn a_long_first_message_is_at_most_all_of_it() {
        let context = context(vec![added(0, ContextSource::Person, 40_000), call(1, 500, None)]);
        assert_eq!(said(&context), [(ContextSource::Person, 500)]);
    }
}
