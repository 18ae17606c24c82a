//! The estimated cost of an opened call, by public prices, and its parts.

use crate::reactive::live;
use leptos::prelude::*;

use crate::app::page::Dialog;
use crate::app::pane::{Pane, pane};
use traceloupe_core::model::FactKind;
use traceloupe_protocol::detail::ShownBlock;
use traceloupe_view::outline::Outline;
use traceloupe_view::prices::{Part, What, call_cost};
use traceloupe_words as words;
use traceloupe_words::page::costs as text;

/// Whether the file states a cost. In that case it is among the fields.
pub fn states_cost(blocks: &[ShownBlock]) -> bool {
    blocks.iter().any(|block| match block {
        ShownBlock::Table(_, rows) => rows.iter().any(|(kind, _)| *kind == FactKind::Cost),
        _ => false,
    })
}

/// The estimated cost of a call; nothing for other rows and for models without a price.
#[component]
pub fn CostOf(row: u32) -> impl IntoView {
    let pane = pane();
    live(move || {
        let outline = pane.trace.outline.get();
        let list = pane.page.list_of_prices();
        pane.page.prices.with(|prices| {
            let (sum, made_of) = call_cost(&outline, row, prices.as_deref())?;
            let Some((model, cost)) = made_of else {
                return (sum.n_unknown > 0).then(|| without_price(pane, &outline, row)).flatten();
            };
            let by = match model.is_own() {
                true => text::ESTIMATED_BY_OWN.to_owned(),
                false => text::estimated_by(model.provider(), model.id(), &list),
            };
            let bound = (sum.n_unfinished > 0).then_some(text::COST_AT_LEAST);
            Some(
                markup! {
                    <section class="block cost">
                        <h3>{text::COST_HEAD}</h3>
                        <table>
                            <thead><tr>
                                <th scope="col">{text::COST_PART}</th>
                                <th scope="col">{text::TOKENS}</th>
                                <th scope="col">{text::PER_MILLION}</th>
                                <th scope="col">{text::COST_HEAD}</th>
                            </tr></thead>
                            <tbody>{cost.parts.iter().map(part).collect_view()}</tbody>
                            <tfoot><tr>
                                <th scope="row">{text::COST_IN_ALL}</th>
                                <td></td><td></td>
                                <td class="number">{words::cost(&sum)}</td>
                            </tr></tfoot>
                        </table>
                        <p class="cost__by">{by}{bound}</p>
                    </section>
                }
                .into_any(),
            )
        })
    })
}

/// States that the model of a call has no price, and where one can be entered. Nothing if it has a price, because then
/// a token count is missing.
fn without_price(pane: Pane, outline: &Outline, row: u32) -> Option<AnyView> {
    let name = outline.name(outline.rows.names.get(row));
    let is_priced =
        pane.page.prices.with(|it| it.as_ref().is_some_and(|it| it.find(name, None).is_some()));
    (!is_priced && !name.is_empty()).then(|| {
        markup! {
            <p class="cost__by">
                {text::no_price(name)}" "
                <button on:click=move |_| pane.page.dialog.set(Some(Dialog::Settings))>
                    {text::ENTER_A_PRICE}
                </button>
            </p>
        }
        .into_any()
    })
}

fn part(part: &Part) -> impl IntoView + use<> {
    let is_request = part.what == What::Request;
    let count = if is_request { String::new() } else { words::count(part.n) };
    let rate = if is_request { String::new() } else { words::price(part.rate) };
    markup! {
        <tr>
            <th scope="row">{paid_for(part.what)}</th>
            <td class="number">{count}</td>
            <td class="number">{rate}</td>
            <td class="number">{words::dollars(part.dollars)}</td>
        </tr>
    }
}

/// What a part of a cost is paid for.
fn paid_for(what: What) -> &'static str {
    match what {
        What::Input => text::INPUT,
        What::CacheRead => text::READ_FROM_CACHE,
        What::CacheWrite => text::WRITTEN_TO_CACHE,
        What::Output => text::OUTPUT,
        What::Reasoning => text::REASONING,
        What::Request => text::REQUEST,
    }
}
