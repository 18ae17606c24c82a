//! Which agent a request is of. The file does not say: an agent is known by how its conversation
//! begins, and a new conversation by model, system prompt and annotation.

use rustc_hash::FxHashMap;

use crate::formats::fields::{fields, first_items, text, word};
use crate::json::Json;
use crate::model::{LaneId, RunId, TraceBuilder, key_hash};

use super::element::Element;

/// The agents of a run.
#[derive(Debug, Default)]
pub(super) struct Agents {
    /// By model and first message.
    by_beginning: FxHashMap<u64, LaneId>,
    /// By model, system prompt and annotation.
    by_role: FxHashMap<u64, LaneId>,
    n_lanes: u32,
}

impl Agents {
    /// The lane of a request.
    pub fn lane(
        &mut self,
        request: &Element<Json<'_>>,
        run: RunId,
        out: &mut TraceBuilder,
    ) -> LaneId {
        let model = word(request.model).unwrap_or_default();
        let first = request.conversation.and_then(|list| first_items(list, 1).first().copied());
        let beginning = key_hash(&[&model, &hash_text(first)]);
        if let Some(lane) = self.by_beginning.get(&beginning) {
            return *lane;
        }
        let annotation = word(request.annotation).unwrap_or_default();
        let system = first.filter(|message| {
            let role = fields(*message, ["role"]).and_then(|[role]| text(role));
            matches!(role.as_deref(), Some("system" | "developer"))
        });
        let role = key_hash(&[&model, &hash_text(system), &annotation]);
        let lane = match self.by_role.get(&role) {
            Some(lane) => *lane,
            None => {
                let key = if self.n_lanes == 0 { String::new() } else { self.n_lanes.to_string() };
                self.n_lanes += 1;
                let lane = out.lane(run, &key);
                let name = out.name(if annotation.is_empty() { &model } else { &annotation });
                if let Some(lane) = out.lane_mut(lane) {
                    lane.name = name;
                }
                self.by_role.insert(role, lane);
                lane
            }
        };
        self.by_beginning.insert(beginning, lane);
        lane
    }

    /// How many agents there are.
    pub fn len(&self) -> u32 {
        self.n_lanes
    }
}

fn hash_text(value: Option<Json<'_>>) -> String {
    value.map_or_else(String::new, |value| format!("{:x}", value.fingerprint()))
}
