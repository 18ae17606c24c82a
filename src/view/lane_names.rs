//! The displayed names of the agents of a run: the names of their types, where those are distinct.

use traceloupe_protocol::outline::{LaneLine, RunLine};

/// The names of the agents, in order: `explore` for `explore: Find the rounding`, unless another agent is also an
/// `explore`. Empty for a main agent without a name.
#[must_use]
pub fn lane_names(run: &RunLine) -> Vec<String> {
    let kind =
        |name: &str| name.split_once(": ").map_or_else(|| name.to_owned(), |it| it.0.to_owned());
    let kinds: Vec<String> = run.lanes.iter().map(|lane| kind(&lane.name)).collect();
    let is_one = |kind: &String| kinds.iter().filter(|it| *it == kind).count() == 1;
    let name = |(lane, kind): (&LaneLine, &String)| {
        if is_one(kind) { kind.clone() } else { lane.name.clone() }
    };
    run.lanes.iter().zip(&kinds).map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_names_an_agent_unless_there_are_two_of_it() {
        let lane = |name: &str| LaneLine { name: name.to_owned(), ..LaneLine::default() };
        let lanes = ["", "explore: a", "writer: b", "writer: c"].map(lane).to_vec();
        let run = RunLine { lanes, ..RunLine::default() };
        assert_eq!(lane_names(&run), ["", "explore", "writer: b", "writer: c"]);
    }
}
