//! The language of source code, by the name of its file or by what the solution says.

/// The language of a source file as a lower-case word; empty where nothing tells it.
pub(super) fn language_of(path: &str, spec: Option<&str>) -> String {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    match ending.to_ascii_lowercase().as_str() {
        "py" => "python".to_owned(),
        "cu" | "cuh" => "cuda".to_owned(),
        "c" | "cc" | "cpp" | "cxx" | "h" | "hpp" => "cpp".to_owned(),
        "json" => "json".to_owned(),
        "sh" => "shell".to_owned(),
        _ => match spec.unwrap_or_default().to_ascii_lowercase().as_str() {
            // Triton kernels are Python.
            "triton" => "python".to_owned(),
            other => other.to_owned(),
        },
    }
}
