//! Tables, and their columns as named in the SQL that created them.

/// A table whose rows can be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// The names of its columns, in the order of a row's values.
    pub columns: Vec<String>,
    /// The column that is an alias of the row number, and has no value of its own.
    pub(super) rowid: Option<usize>,
    /// The root page of its tree.
    pub(super) root: u32,
}

impl Table {
    /// The schema table.
    pub(super) fn of_schema() -> Self {
        let columns = ["type", "name", "tbl_name", "rootpage", "sql"];
        Self {
            name: "sqlite_schema".to_owned(),
            columns: columns.map(str::to_owned).to_vec(),
            rowid: None,
            root: 1,
        }
    }

    /// The index of a column.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.eq_ignore_ascii_case(name))
    }
}

/// A word, name, text or symbol of SQL.
struct Token {
    text: String,
    /// Whether it is in quotes, so that it is not a keyword.
    is_quoted: bool,
}

impl Token {
    fn is(&self, word: &str) -> bool {
        !self.is_quoted && self.text.eq_ignore_ascii_case(word)
    }
}

/// The columns of a table from its `CREATE TABLE` statement, and which of them is an alias of the row number. `None` if
/// the table has no row numbers (`WITHOUT ROWID`), or if the statement is not understood.
pub(super) fn columns(sql: &str) -> Option<(Vec<String>, Option<usize>)> {
    let tokens = tokens(sql);
    let begin = tokens.iter().position(|token| token.is("("))? + 1;
    let mut depth = 1_usize;
    let mut definitions: Vec<Vec<&Token>> = vec![Vec::new()];
    let mut rest = tokens.get(begin..)?.iter();
    for token in rest.by_ref() {
        if token.is("(") {
            depth += 1;
        } else if token.is(")") {
            depth -= 1;
            if depth == 0 {
                break;
            }
        } else if token.is(",") && depth == 1 {
            definitions.push(Vec::new());
            continue;
        }
        if let Some(definition) = definitions.last_mut() {
            definition.push(token);
        }
    }
    if rest.any(|token| token.is("WITHOUT")) {
        return None;
    }
    let (mut columns, mut rowid): (Vec<String>, _) = (Vec::new(), None);
    let mut integers = Vec::new();
    for definition in &definitions {
        let Some((name, more)) = definition.split_first() else { continue };
        let at = |word: &str| more.iter().position(|token| token.is(word));
        if ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"].iter().any(|it| name.is(it)) {
            let key = definition.iter().position(|token| token.is("PRIMARY"));
            if let Some([_, _, _, column, end, ..]) = key.and_then(|key| definition.get(key..))
                && end.is(")")
            {
                let is_it = |known: &&String| known.eq_ignore_ascii_case(&column.text);
                rowid = rowid.or(integers.iter().find(is_it).cloned());
            }
            continue;
        }
        // A column that is computed on reading has no value in a row.
        let is_computed =
            more.iter().zip(more.iter().skip(1)).any(|(word, next)| word.is("AS") && next.is("("));
        if is_computed && at("STORED").is_none() {
            continue;
        }
        let is_type_over = more.get(1).is_none_or(|next| {
            const AFTER_TYPE: [&str; 10] = [
                "CONSTRAINT",
                "PRIMARY",
                "NOT",
                "NULL",
                "UNIQUE",
                "CHECK",
                "DEFAULT",
                "COLLATE",
                "REFERENCES",
                "GENERATED",
            ];
            AFTER_TYPE.iter().any(|word| next.is(word))
        });
        if more.first().is_some_and(|kind| kind.text.eq_ignore_ascii_case("INTEGER"))
            && is_type_over
        {
            integers.push(name.text.clone());
            let after = at("PRIMARY").and_then(|at| more.get(at + 2));
            if at("PRIMARY").is_some() && !after.is_some_and(|it| it.is("DESC")) {
                rowid = Some(name.text.clone());
            }
        }
        columns.push(name.text.clone());
    }
    let rowid = rowid.and_then(|name| columns.iter().position(|it| it.eq_ignore_ascii_case(&name)));
    (!columns.is_empty()).then_some((columns, rowid))
}

/// The tokens of SQL, without comments.
fn tokens(sql: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut chars = sql.chars().peekable();
    while let Some(first) = chars.next() {
        let mut text = String::new();
        let mut is_quoted = false;
        match first {
            '-' if chars.peek() == Some(&'-') => {
                for it in chars.by_ref() {
                    if it == '\n' {
                        break;
                    }
                }
            }
            '/' if chars.peek() == Some(&'*') => {
                chars.next();
                let mut before = ' ';
                for it in chars.by_ref() {
                    if before == '*' && it == '/' {
                        break;
                    }
                    before = it;
                }
            }
            '"' | '\'' | '`' | '[' => {
                let end = if first == '[' { ']' } else { first };
                is_quoted = true;
                while let Some(it) = chars.next() {
                    // A doubled quote is part of the text.
                    if it == end && (end == ']' || chars.next_if_eq(&end).is_none()) {
                        break;
                    }
                    text.push(it);
                }
            }
            _ if first.is_whitespace() => {}
            _ => {
                text.push(first);
                let is_word = |it: &char| it.is_alphanumeric() || matches!(it, '_' | '$');
                if is_word(&first) {
                    while let Some(it) = chars.next_if(is_word) {
                        text.push(it);
                    }
                }
            }
        }
        if is_quoted || !text.is_empty() {
            tokens.push(Token { text, is_quoted });
        }
    }
    tokens
}
