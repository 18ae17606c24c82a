//! A row of buttons, one of which is pressed.

use crate::reactive::RwSignal;
use leptos::prelude::*;

/// The number of the pressed button.
pub type Pressed = RwSignal<u8>;

/// The buttons: number and words.
pub fn switch(pressed: Pressed, label: &'static str, options: &[(u8, &str)]) -> AnyView {
    let button = |&(number, words): &(u8, &str)| {
        markup! {
            <button title=words.to_owned() aria-pressed=move || (pressed.get() == number).to_string()
                on:click=move |_| pressed.set(number)>{words.to_owned()}</button>
        }
    };
    let buttons = options.iter().map(button).collect_view();
    markup! { <div class="seg" role="group" aria-label=label>{buttons}</div> }.into_any()
}
