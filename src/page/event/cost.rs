//! What an opened call cost, by public prices, and what that is made of.

use crate::words::runs as text;
use leptos::prelude::*;

use crate::app::pane::pane;
use traceloupe::model::COST_LABELS;
use traceloupe::view::page::prices::{Part, What, call_cost};
use traceloupe::view::wire::detail::ShownBlock;
use traceloupe::view::words;

/// Whether the file states a cost, which is then among the fields.
pub fn states_cost(blocks: &[ShownBlock]) -> bool {
    blocks.iter().any(|block| match block {
        ShownBlock::Table(_, rows) => {
            rows.iter().any(|(key, _)| COST_LABELS.contains(&key.as_str()))
        }
        _ => false,
    })
}

/// The estimated cost of a call; nothing for other rows, and for models without a price.
#[component]
pub fn CostOf(row: u32) -> impl IntoView {
    let pane = pane();
    move || {
        let outline = pane.trace.outline.get();
        let list = pane.page.list_of_prices();
        pane.page.prices.with(|prices| {
            let (sum, made_of) = call_cost(&outline, row, prices.as_deref())?;
            let (model, cost) = made_of?;
            let by = text::estimated_by(model.provider(), model.id(), &list);
            let bound = (sum.n_unfinished > 0).then_some(text::COST_AT_LEAST);
            Some(markup! {
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
                            <td class="number">{sum.words()}</td>
                        </tr></tfoot>
                    </table>
                    <p class="cost__by">{by}{bound}</p>
                </section>
            })
        })
    }
}

fn part(part: &Part) -> impl IntoView + use<> {
    let is_request = part.what == What::Request;
    let count = if is_request { String::new() } else { words::count(part.n) };
    let rate = if is_request { String::new() } else { words::price(part.rate) };
    markup! {
        <tr>
            <th scope="row">{text::paid_for(part.what)}</th>
            <td class="number">{count}</td>
            <td class="number">{rate}</td>
            <td class="number">{words::dollars(part.dollars)}</td>
        </tr>
    }
}
