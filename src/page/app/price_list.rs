//! A list of prices that the user provides as a file.

use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::File;

use crate::app::notice;
use crate::app::page::Page;
use crate::shared::Shared;
use traceloupe_view::prices::Prices;
use traceloupe_words::page::app as text;

/// Uses a file as the list of prices, if it is one.
pub fn take_list(page: Page, file: File) {
    spawn_local(async move {
        let text = JsFuture::from(file.text()).await.ok().and_then(|text| text.as_string());
        let words = match text.filter(|text| Prices::read(text).is_some()) {
            Some(list) => {
                page.price_text.set(Some(Shared::new(list)));
                text::PRICE_LIST_LOADED
            }
            None => text::NO_PRICE_LIST,
        };
        notice::say(page, words);
        page.toast.set(Some(words));
    });
}
