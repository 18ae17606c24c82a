//! Parts of a whole: a bar, and a legend with amounts and shares.

use leptos::prelude::*;
use traceloupe::view::words::css_percent;

/// The look, the label and the amount of a part in words, and its share of the whole, from 0 to 1.
pub type Part = (&'static str, String, String, f64);

/// The bar and its legend.
pub fn shares(parts: Vec<Part>) -> AnyView {
    let bars = parts.iter().map(|(look, _, _, share)| {
        markup! { <i data-look=*look style:width=css_percent(share * 100.0)></i> }
    });
    let bars = bars.collect_view();
    let legend = parts.into_iter().map(|(look, label, amount, share)| {
        let share = format!("{:.0} %", share * 100.0);
        markup! {
            <li data-look=look><span class="dot" aria-hidden="true"></span>{label}" "
                <b>{amount}</b>" "<small>{share}</small></li>
        }
    });
    let legend = legend.collect_view();
    markup! {
        <div class="spent" aria-hidden="true">{bars}</div>
        <ul class="spent__legend">{legend}</ul>
    }
    .into_any()
}
