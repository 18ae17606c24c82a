//! Whether an address that is being loaded has stopped sending.

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use crate::app::App;
use crate::app::trace::Loading;
use crate::browser;
use crate::reactive::{Memo, RwSignal, effect};

/// After so many seconds without a byte, the page says so instead of a rate.
pub const LONG_S: u32 = 10;

/// For how many seconds no byte has arrived from the addresses that are being loaded; 0 if none is.
pub fn quiet_s(app: App, loading: Memo<Option<Loading>>, is_loading: Memo<bool>) -> RwSignal<u32> {
    let quiet_s = RwSignal::new(0);
    let bytes = move || loading.with_untracked(|it| it.as_ref().map_or(0, |it| it.bytes));
    effect(move || {
        quiet_s.set(0);
        if !is_loading.get() {
            return;
        }
        spawn_local(async move {
            // By the clock: timers are slow while the page is hidden.
            let (mut seen, mut since_ms) = (bytes(), browser::now_ms());
            loop {
                TimeoutFuture::new(1000).await;
                if !is_loading.get_untracked() {
                    return;
                }
                let waits = app.trace_untracked().opening.sources.with_value(|it| !it.is_empty());
                let now = bytes();
                if now != seen || !waits {
                    (seen, since_ms) = (now, browser::now_ms());
                }
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                // the clock only goes on
                quiet_s.set(((browser::now_ms() - since_ms) / 1000.0) as u32);
            }
        });
    });
    quiet_s
}
