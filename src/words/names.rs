//! Names of tools.

/// Server and tool of a tool's name as MCP clients write it: `mcp__server__tool`, `mcp_server_tool`, `server.tool`,
/// `server-mcp-server-tool`, `server-tool_name`. `None` for a tool of no server.
#[must_use]
pub fn mcp_parts(name: &str) -> Option<(&str, &str)> {
    // Tools and namespaces of APIs that are no servers.
    if name.starts_with("functions.") || ["mcp_list_tools", "mcp_call"].contains(&name) {
        return None;
    }
    let is_word = |it: &str| {
        let is_in_word = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == '-';
        it.len() > 1
            && it.starts_with(|it: char| it.is_ascii_alphabetic())
            && it.chars().all(is_in_word)
    };
    let of_prefix = name.strip_prefix("mcp__").and_then(|rest| rest.split_once("__"));
    let plain = name.strip_prefix("mcp_").filter(|rest| !rest.starts_with('_'));
    let of_plain = || plain.and_then(|rest| rest.split_once('_')).filter(|(_, tool)| is_word(tool));
    let of_dot = || name.split_once('.').filter(|(server, tool)| is_word(server) && is_word(tool));
    let of_server = || name.split_once("-mcp-server-");
    let of_dash = || {
        let parts = name.rsplit_once('-');
        parts.filter(|(server, tool)| tool.contains('_') && is_word(tool) && !server.contains('_'))
    };
    let parts = of_prefix.or_else(of_plain).or_else(of_dot).or_else(of_server).or_else(of_dash);
    parts.filter(|(server, tool)| !server.is_empty() && !tool.is_empty())
}

/// The displayed name of a tool: `server › tool` for one of a server.
#[must_use]
pub fn tool_name(name: &str) -> String {
    match mcp_parts(name) {
        Some((server, tool)) => format!("{server} › {tool}"),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_of_a_server_is_known_by_its_name() {
        assert_eq!(mcp_parts("mcp__sandbox__run_it"), Some(("sandbox", "run_it")));
        assert_eq!(mcp_parts("mcp_github_search_code"), Some(("github", "search_code")));
        assert_eq!(mcp_parts("github.search_code"), Some(("github", "search_code")));
        assert_eq!(mcp_parts("github-mcp-server-search"), Some(("github", "search")));
        assert_eq!(mcp_parts("browser-take_picture"), Some(("browser", "take_picture")));
        let others = [
            "mcp____run",
            "read_file",
            "str-replace-editor",
            "str_replace_based-edit_tool",
            "mcp_list_tools",
            "functions.exec",
            "run.",
            "a.b.c",
            "v1.2",
            "mcp_search",
            "",
        ];
        for name in others {
            assert_eq!(mcp_parts(name), None, "{name}");
        }
        assert_eq!(tool_name("mcp__sandbox__run_it"), "sandbox › run_it");
        assert_eq!(tool_name("bash"), "bash");
    }
}
