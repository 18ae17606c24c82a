//! Why an address in the link could not be read.

/// What happened and what to do about it, by the code of the failure.
pub fn problem(code: &str, host: &str) -> (String, String) {
    let host = if host.is_empty() { "the address" } else { host };
    let download = "Download it and drop it here";
    match code {
        "cors" => (
            format!(
                "{host} answered, but does not let other sites read this file (no CORS header)"
            ),
            format!(
                "{download}, or host it where CORS is on (GitHub raw, gist, Hugging Face, S3 with CORS)"
            ),
        ),
        "unreachable" => (
            format!("Could not reach {host}"),
            "Check the address or your connection; a content blocker can also cause this"
                .to_owned(),
        ),
        "offline" => (
            "You are offline".to_owned(),
            "Connect, then reload the page; files from disk open without a network".to_owned(),
        ),
        "mixed-content" => (
            format!("This page is https and cannot read the http address of {host}"),
            download.to_owned(),
        ),
        "csp" => (
            format!("The security policy of the page that hosts this viewer blocks {host}"),
            download.to_owned(),
        ),
        "cut" => (
            format!("The connection to {host} broke off in the middle"),
            "What has arrived is shown; reload the page to try again".to_owned(),
        ),
        "cancelled" => ("Stopped".to_owned(), "Reload the page to try again".to_owned()),
        "user-info" => (
            "The address holds a user name or password, which browsers refuse to send".to_owned(),
            format!("{download}, or leave that part out"),
        ),
        "data-address" => (
            "A data: address is not opened".to_owned(),
            "Paste the trace itself, or drop it as a file".to_owned(),
        ),
        "private-host" => (
            format!(
                "{host} is on your own computer or network, and this page is in a frame of another site"
            ),
            "Open this page in a tab of its own to read from there".to_owned(),
        ),
        "scheme" | "blob-address" | "bad-address" => (
            "The link names an address that cannot be opened".to_owned(),
            "Addresses begin with http:// or https://, or are relative to this page".to_owned(),
        ),
        code => match code.strip_prefix("http-") {
            Some("401" | "403") => (
                format!("{host} refuses to hand out this file ({})", code.replace('-', " ")),
                format!("The link may have expired, or needs a login. {download}"),
            ),
            Some("404" | "410") => (
                format!("{host} says that there is no such file (http 404)"),
                "Check the address".to_owned(),
            ),
            Some(status) => {
                (format!("{host} answered with status {status}"), "Try again later".to_owned())
            }
            None => (format!("{host} could not be read"), download.to_owned()),
        },
    }
}
