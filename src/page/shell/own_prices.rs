//! The price section of the settings: the current list, own prices, another list.

use crate::reactive::live;
use leptos::prelude::*;
use web_sys::HtmlInputElement;

use crate::app::pane::pane;
use crate::app::price_list::take_list;
use crate::app::settings::set_own_prices;
use crate::browser;
use traceloupe_view::prices::{self, unpriced};
use traceloupe_words::page::shell as text;

/// The id of the field for own prices.
const FIELD: &str = "own-prices";

/// The prices used to estimate costs, and a field for own prices.
#[component]
pub fn OwnPrices() -> impl IntoView {
    let pane = pane();
    let own = move || pane.page.own_prices.with(|text| prices::OwnPrices::read(text));
    let add = move |model: String| {
        markup! {
            <button aria-label=text::enter_price_of(&model) on:click={
                let line = format!("{model} ");
                move |_| {
                    let mut text = pane.page.own_prices.get_untracked();
                    if !text.is_empty() && !text.ends_with('\n') {
                        text.push('\n');
                    }
                    text.push_str(&line);
                    set_own_prices(pane.page, text);
                    browser::focus(FIELD);
                }
            }>{model.clone()}</button>
        }
    };
    let lacks = live(move || {
        let outline = pane.trace.outline.get();
        let models = pane.page.prices.with(|prices| unpriced(&outline, prices.as_deref()));
        (!models.is_empty()).then(|| {
            markup! {
                <p class="prices__lacking">{text::WITHOUT_A_PRICE}" "{models.into_iter().map(add).collect_view()}</p>
            }
        })
    });
    markup! {
        <fieldset class="prices"><legend>{text::COSTS}</legend>
            <p>{move || text::costs_by(&pane.page.list_of_prices())}</p>
            <label for=FIELD>{text::OWN_PRICES}</label>
            <textarea id=FIELD rows="3" spellcheck="false" autocapitalize="off" autocomplete="off"
                placeholder=text::OWN_PRICES_EXAMPLE aria-describedby="own-prices-how" aria-invalid=move || (!own().wrong_lines.is_empty()).to_string()
                prop:value=move || pane.page.own_prices.get()
                on:change=move |event| set_own_prices(pane.page, event_target_value(&event))></textarea>
            <p class="prices__note" role="status">
                {move || {
                    let own = own();
                    text::own_prices(own.n_models, &own.wrong_lines)
                }}
            </p>
            {lacks}
            <p class="prices__note" id="own-prices-how">{text::OWN_PRICES_HOW}</p>
            <label class="prices__list">{text::ANOTHER_LIST}
                <input type="file" accept=".json,application/json" on:change=move |event| {
                    let input: HtmlInputElement = event_target(&event);
                    if let Some(file) = input.files().and_then(|files| files.get(0)) {
                        take_list(pane.page, file);
                    }
                }/>
            </label>
        </fieldset>
    }
}
