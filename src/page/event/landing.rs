//! Arriving at a hit: elements that hide it are opened and loaded, its mark becomes the current one, and the page
//! scrolls to it. Hits that Details does not show are looked for in the records.

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;

use crate::app::notice::say;
use crate::app::pane::Pane;
use crate::event::tab::Tab;
use crate::marks;
use crate::reactive::Memo;
use crate::shared::Shared;
use crate::state::search::{Aim, Visit};
use traceloupe_protocol::detail::ShownDetail;
use traceloupe_view::match_location::{Listed, Near, Place, Stand, holds};
use traceloupe_words::page::event as text;

/// A body is usually drawn and measured within this time.
const DRAWN_MS: u32 = 60;

/// The pause between checks, in milliseconds.
const LOOK_MS: u32 = 20;

/// The most checks of a panel, and the most checks of a panel that waits for the worker.
const MAX_LOOKS: u32 = 600;

/// The most parts of values that are loaded for one hit.
const MAX_LOADED: u32 = 64;

/// The most times the page scrolls, because heights change while bodies are being drawn.
const MAX_SCROLLS: u32 = 12;

/// A body that the search arrives in.
#[derive(Clone, Copy)]
struct Arrival {
    pane: Pane,
    row: u32,
    id: u32,
    visit: Visit,
    set_tab: WriteSignal<Tab>,
}

/// Arrives at a hit when the search visits this row: at once, or when the content has arrived.
pub fn land_here(
    pane: Pane,
    row: u32,
    detail: Memo<Option<Shared<ShownDetail>>>,
    tab: ReadSignal<Tab>,
    set_tab: WriteSignal<Tab>,
) {
    Effect::new(move |begun: Option<u32>| {
        let visit = pane.search.visit.get();
        if visit.row != Some(row) || begun == Some(visit.count) {
            return begun.unwrap_or(0);
        }
        let Some(id) = detail.with(|detail| detail.as_ref().map(|it| it.id)) else {
            return begun.unwrap_or(0);
        };
        let arrival = Arrival { pane, row, id, visit, set_tab };
        let is_elsewhere = tab.get_untracked() != Tab::Details;
        leptos::task::spawn_local(async move {
            let stand = arrival.arrive(is_elsewhere).await;
            if arrival.is_current() {
                pane.search.stand.set_value(stand);
                // A row that scrolls out of view and back must not be arrived at again.
                pane.search.visit.update(|visit| visit.row = None);
                pane.search.is_landing.set(false);
            }
        });
        visit.count
    });
}

impl Arrival {
    fn is_current(&self) -> bool {
        // The view may be gone.
        self.pane.trace.is_open() && self.pane.search.visit.try_get_untracked() == Some(self.visit)
    }

    fn scope(&self) -> String {
        format!("#body-{}-panel", self.row)
    }

    fn listed(&self) -> Listed {
        self.pane.search.found.with_untracked(|found| Listed::of_event(&found.lines, self.id))
    }

    async fn arrive(self, is_elsewhere: bool) -> Option<Stand> {
        let stand = self.pane.search.stand.get_value().filter(|stand| stand.row == self.row);
        // When going from one hit in the records to the next, Details need not be shown in between.
        let stand = match (self.visit.aim, stand) {
            (Aim::At(place @ Place::Beyond(_)), Some(stand)) => Stand { place, ..stand },
            _ => self.look_at_details(is_elsewhere).await?,
        };
        let scope = self.scope();
        match stand.place {
            Place::Shown(at) => {
                self.pane.search.beyond.set(None);
                marks::set_current_mark(&scope, at);
            }
            Place::Beyond(at) => {
                let wanted = stand.beyond.get(at).copied().flatten();
                self.pane.search.beyond.set(Some(self.row));
                let is_found = self.look_at_records(wanted).await?;
                if !is_found {
                    marks::no_current_mark();
                    say(self.pane.page, text::HIT_NOT_SHOWN);
                    return Some(stand);
                }
                say(self.pane.page, text::BEYOND_DETAILS);
            }
        }
        let mut n_still = 0;
        for _ in 0..MAX_SCROLLS {
            // A mark that needs no scrolling twice in a row has settled.
            n_still = if marks::show_current_mark() { n_still + 1 } else { 0 };
            if n_still == 2 {
                break;
            }
            TimeoutFuture::new(LOOK_MS).await;
            if !self.is_current() {
                return None;
            }
        }
        Some(stand)
    }

    /// The places of the row, and the wanted one. `None` if there is none, or if the search has moved on.
    async fn look_at_details(&self, is_elsewhere: bool) -> Option<Stand> {
        if is_elsewhere {
            self.set_tab.try_set(Tab::Details);
        }
        let mut listed = Listed::default();
        let all = self
            .look(|marks| {
                listed = self.listed();
                let unshown = listed.unshown(marks);
                let is_missing = marks.is_empty() || !unshown.is_empty();
                is_missing.then(|| listed.bytes_of(&unshown))
            })
            .await?;
        let unshown = listed.unshown(&all);
        let mut beyond: Vec<Option<usize>> = unshown.iter().copied().map(Some).collect();
        if all.is_empty() && beyond.is_empty() {
            beyond.push(None);
        }
        let place = Place::Shown(0);
        let stand = Stand { row: self.row, place, n_shown: all.len(), beyond };
        let place = match self.visit.aim {
            Aim::First => stand.end(false)?,
            Aim::Last => stand.end(true)?,
            Aim::At(place) => place,
            Aim::Listed(at) => {
                let among = unshown.iter().position(|unshown| *unshown == at).map(Place::Beyond);
                let shown = || listed.mark_of(&all, at).map(Place::Shown);
                among.or_else(shown).or_else(|| stand.end(false))?
            }
        };
        Some(Stand { place, ..stand })
    }

    /// Makes a hit current that only occurs in the records. Returns whether it was found.
    async fn look_at_records(&self, wanted: Option<usize>) -> Option<bool> {
        let listed = self.listed();
        let bytes = listed.bytes_of(&Vec::from_iter(wanted));
        let find = |all: &[Near]| match wanted {
            Some(wanted) => listed.mark_of(all, wanted),
            None => (!all.is_empty()).then_some(0),
        };
        for tab in [Tab::Json, Tab::Raw] {
            self.set_tab.try_set(tab);
            let all = self.look(|all| find(all).is_none().then(|| bytes.clone())).await?;
            if let Some(at) = find(&all) {
                marks::set_current_mark(&self.scope(), at);
                return Some(true);
            }
        }
        Some(false)
    }

    /// The marks of the panel, once it has been drawn and the parts with the wanted bytes have been loaded. `wants`
    /// returns those bytes: `None` if nothing is wanted, and an empty list if any part may contain the hit.
    async fn look(&self, mut wants: impl FnMut(&[Near]) -> Option<Vec<u64>>) -> Option<Vec<Near>> {
        let scope = self.scope();
        TimeoutFuture::new(DRAWN_MS).await;
        let (mut n_loaded, mut all) = (0, Vec::new());
        for _ in 0..MAX_LOOKS {
            if !self.is_current() {
                return None;
            }
            if marks::has(&scope) && !marks::has(&format!("{scope} [data-wait]")) {
                all = marks::marks_in(&scope);
                let Some(bytes) = wants(&all).filter(|_| n_loaded < MAX_LOADED) else { break };
                let is_right = |place: &str| bytes.is_empty() || holds(place, &bytes);
                if !marks::load_more(&scope, is_right) {
                    break;
                }
                n_loaded += 1;
            }
            TimeoutFuture::new(LOOK_MS).await;
        }
        Some(all)
    }
}
