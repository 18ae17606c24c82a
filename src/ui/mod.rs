//! The page, in Leptos.

pub mod boot;

use leptos::prelude::*;
use wasm_bindgen::{JsCast, prelude::Closure};
use web_sys::MessageEvent;

/// Takes the place of the static frame and mounts the page.
pub fn mount() {
    if let Some(frame) = document().get_element_by_id("frame") {
        frame.remove();
    }
    leptos::mount::mount_to_body(App);
}

/// The page: it says what its worker says.
#[component]
fn App() -> impl IntoView {
    let (worker_says, set_worker_says) = signal(String::from("waiting for the seal"));
    leptos::task::spawn_local(async move {
        if wasm_bindgen_futures::JsFuture::from(boot::sealed()).await.is_err() {
            return;
        }
        match boot::spawn_worker() {
            Ok(worker) => {
                let answered =
                    Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
                        set_worker_says.set(event.data().as_string().unwrap_or_default());
                    });
                worker.set_onmessage(Some(answered.as_ref().unchecked_ref()));
                answered.forget();
                if worker.post_message(&"hello".into()).is_err() {
                    set_worker_says.set(String::from("the worker cannot be reached"));
                }
            }
            Err(_) => set_worker_says.set(String::from("no worker")),
        }
    });
    view! { class="tl",
        <header class="top"><h1>"Traceloupe"</h1></header>
        <main><p id="ready">"ready"</p><p id="worker">{worker_says}</p></main>
    }
}
