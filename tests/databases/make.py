"""Makes the databases of this folder, from exports of ../fixtures and sessions of its own: `python3 make.py`.

The tables are those that the programs make, with the columns that matter here and some that do not.
"""

import json
import os
import sqlite3

HERE = os.path.dirname(os.path.abspath(__file__))
FIXTURES = os.path.join(HERE, "..", "fixtures")


def export(name):
    with open(os.path.join(FIXTURES, name), encoding="utf-8") as file:
        return json.load(file)


def database(name, schema, page_bytes=512, encoding="UTF-8"):
    path = os.path.join(HERE, name)
    if os.path.exists(path):
        os.remove(path)
    made = sqlite3.connect(path)
    made.execute(f"PRAGMA page_size = {page_bytes}")
    made.execute(f"PRAGMA encoding = '{encoding}'")
    made.executescript(schema)
    return made


def insert(made, table, **values):
    names = ", ".join(f'"{name}"' for name in values)
    marks = ", ".join("?" for _ in values)
    made.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", list(values.values()))


def close(made, is_logged=False):
    made.commit()
    if is_logged:
        # The log itself is removed when the database is closed.
        made.execute("PRAGMA journal_mode = WAL")
    made.close()


def text(value):
    return None if value is None else json.dumps(value, separators=(",", ":"), ensure_ascii=False)


OPENCODE = """
CREATE TABLE `session` (
	`id` text PRIMARY KEY,
	`project_id` text NOT NULL,
	`parent_id` text,
	`slug` text NOT NULL,
	`directory` text NOT NULL,
	`title` text NOT NULL,
	`version` text NOT NULL,
	`share_url` text,
	`summary_additions` integer,
	`summary_deletions` integer,
	`summary_files` integer,
	`revert` text,
	`permission` text,
	`time_created` integer NOT NULL,
	`time_updated` integer NOT NULL,
	`time_compacting` integer,
	`time_archived` integer
);
CREATE TABLE `message` (
	`id` text PRIMARY KEY,
	`session_id` text NOT NULL,
	`time_created` integer NOT NULL,
	`time_updated` integer NOT NULL,
	`data` text NOT NULL,
	CONSTRAINT `fk_message_session_id_session_id_fk` FOREIGN KEY (`session_id`) REFERENCES `session`(`id`) ON DELETE CASCADE
);
CREATE TABLE `part` (
	`id` text PRIMARY KEY,
	`message_id` text NOT NULL,
	`session_id` text NOT NULL,
	`time_created` integer NOT NULL,
	`time_updated` integer NOT NULL,
	`data` text NOT NULL,
	CONSTRAINT `fk_part_message_id_message_id_fk` FOREIGN KEY (`message_id`) REFERENCES `message`(`id`) ON DELETE CASCADE
);
CREATE TABLE `todo` (`session_id` text NOT NULL, `position` integer NOT NULL, `content` text NOT NULL, PRIMARY KEY(`session_id`, `position`)) WITHOUT ROWID;
CREATE INDEX `message_session_idx` ON `message` (`session_id`);
CREATE INDEX `part_session_idx` ON `part` (`session_id`);
"""


def without(value, *keys):
    return {key: it for key, it in value.items() if key not in keys}


def opencode(made, document):
    info = document["info"]
    insert(
        made, "session", id=info["id"], project_id=info.get("projectID", "p1"), parent_id=info.get("parentID"),
        slug="a-boat", directory=info["directory"], title=info["title"], version=info["version"],
        time_created=info["time"]["created"], time_updated=info["time"]["updated"],
    )
    messages = []
    # Rows need not be in the order of the conversation.
    for message in reversed(document["messages"]):
        info = message["info"]
        created = info["time"]["created"]
        messages.append(info["id"])
        insert(
            made, "message", id=info["id"], session_id=info["sessionID"], time_created=created, time_updated=created,
            data=text(without(info, "id", "sessionID")),
        )
        for part in reversed(message["parts"]):
            insert(
                made, "part", id=part["id"], message_id=info["id"], session_id=info["sessionID"],
                time_created=created, time_updated=created, data=text(without(part, "id", "sessionID", "messageID")),
            )


def harbour(n_messages):
    """A session with many short messages, and one that is longer than several pages."""
    messages = []
    for at in range(n_messages):
        role = "assistant" if at % 2 else "user"
        created = 1780001000000 + 1000 * at
        info = {"id": f"msg_h{at:03}", "sessionID": "ses_h", "role": role, "time": {"created": created}}
        if role == "assistant":
            info |= {"modelID": "tern-1", "providerID": "birds", "tokens": {"input": 3, "output": 2, "reasoning": 0, "cache": {"read": 0, "write": 0}}}
            info["time"]["completed"] = created + 500
        words = "All boats are in the harbour. " * 90 if at == 7 else f"Boat {at}, what is your name? \U0001f6a4"
        part = {"id": f"prt_h{at:03}", "sessionID": "ses_h", "messageID": info["id"], "type": "text", "text": words}
        if role == "assistant":
            part["time"] = {"start": created, "end": created + 400}
        messages.append({"info": info, "parts": [part]})
    info = {
        "id": "ses_h", "version": "1.1.9", "projectID": "p2", "directory": "/srv/harbour",
        "title": "Count the boats of the harbour", "time": {"created": 1780001000000, "updated": 1780001099000},
    }
    return {"info": info, "messages": messages}


made = database("opencode.db", OPENCODE)
opencode(made, export("opencode/mast.json"))
opencode(made, export("opencode/nails.json"))
close(made, is_logged=True)

OPENCODE_SECOND = """
CREATE TABLE `session_v2` (
	`id` text PRIMARY KEY,
	`project_id` text NOT NULL,
	`parent_id` text,
	`slug` text NOT NULL,
	`directory` text NOT NULL,
	`title` text,
	`version` text NOT NULL,
	`cost` real DEFAULT 0 NOT NULL,
	`agent` text,
	`time_created` integer NOT NULL,
	`time_updated` integer NOT NULL
);
CREATE TABLE `session_message` (
	`id` text PRIMARY KEY,
	`session_id` text NOT NULL,
	`type` text NOT NULL,
	`seq` integer NOT NULL,
	`time_created` integer NOT NULL,
	`time_updated` integer NOT NULL,
	`data` text NOT NULL
);
"""


def opencode_second(made, document):
    info = document["info"]
    insert(
        made,
        "session_v2",
        id=info["id"],
        project_id=info["projectID"],
        parent_id=info.get("parentID"),
        slug="calm-quay",
        directory=info["location"]["directory"],
        title=info["title"],
        version=info["version"],
        cost=info.get("cost", 0),
        agent=info.get("agent"),
        time_created=info["time"]["created"],
        time_updated=info["time"]["updated"],
    )
    # Rows are not in the order of the messages.
    for at, message in reversed(list(enumerate(document["messages"]))):
        insert(
            made,
            "session_message",
            id=message["id"],
            session_id=info["id"],
            type=message["type"],
            seq=at * 3,
            time_created=message["time"]["created"],
            time_updated=message["time"]["created"],
            data=text(without(message, "id", "type")),
        )


# Tables of version 1 may remain.
made = database("opencode-second.db", OPENCODE + OPENCODE_SECOND)
opencode_second(made, export("opencode/second.json"))
opencode_second(made, export("opencode/second-agent.json"))
close(made)

made = database("opencode-two.db", OPENCODE)
opencode(made, export("opencode/mast.json"))
opencode(made, export("opencode/nails.json"))
opencode(made, harbour(40))
# A session that was begun, but has no messages.
opencode(made, {"info": harbour(0)["info"] | {"id": "ses_empty"}, "messages": []})
close(made)

GOOSE = """
CREATE TABLE schema_version (version INTEGER PRIMARY KEY, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP);
CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL DEFAULT '',
    description TEXT NOT NULL DEFAULT '',
    user_set_name BOOLEAN DEFAULT FALSE,
    session_type TEXT NOT NULL DEFAULT 'user',
    working_dir TEXT NOT NULL,
    created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
    updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
    extension_data TEXT DEFAULT '{}',
    total_tokens INTEGER,
    input_tokens INTEGER,
    output_tokens INTEGER,
    accumulated_total_tokens INTEGER,
    accumulated_input_tokens INTEGER,
    accumulated_output_tokens INTEGER,
    accumulated_cost REAL,
    schedule_id TEXT,
    recipe_json TEXT,
    user_recipe_values_json TEXT,
    provider_name TEXT,
    model_config_json TEXT
);
CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    message_id TEXT,
    session_id TEXT NOT NULL REFERENCES sessions(id),
    role TEXT NOT NULL,
    content_json TEXT NOT NULL,
    created_timestamp INTEGER NOT NULL,
    timestamp TIMESTAMP DEFAULT CURRENT_TIMESTAMP,
    tokens INTEGER,
    metadata_json TEXT
);
CREATE INDEX idx_messages_session ON messages(session_id);
"""


def goose(made, document):
    columns = [
        "id", "name", "session_type", "working_dir", "total_tokens", "input_tokens", "output_tokens",
        "accumulated_total_tokens", "accumulated_input_tokens", "accumulated_output_tokens", "accumulated_cost",
    ]
    stamp = lambda key: document[key].replace("T", " ").split(".")[0].rstrip("Z")
    insert(
        made, "sessions", **{key: document.get(key) for key in columns}, created_at=stamp("created_at"),
        updated_at=stamp("updated_at"), extension_data=text(document["extension_data"]),
        recipe_json=text(document.get("recipe")), provider_name=document.get("provider_name"),
        model_config_json=text(document.get("model_config")),
    )
    for message in document["conversation"]:
        insert(
            made, "messages", message_id=message["id"], session_id=document["id"], role=message["role"],
            content_json=text(message["content"]), created_timestamp=message["created"],
            metadata_json=text(message.get("metadata")), timestamp="2026-04-02 09:00:00",
        )


made = database("goose.db", GOOSE, page_bytes=1024, encoding="UTF-16le")
goose(made, export("goose/export.json"))
close(made)

CRUSH = """
CREATE TABLE goose_db_version (id INTEGER PRIMARY KEY AUTOINCREMENT, version_id INTEGER NOT NULL);
CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    parent_session_id TEXT,
    title TEXT NOT NULL,
    message_count INTEGER NOT NULL DEFAULT 0 CHECK (message_count >= 0),
    prompt_tokens  INTEGER NOT NULL DEFAULT 0 CHECK (prompt_tokens >= 0),
    completion_tokens  INTEGER NOT NULL DEFAULT 0 CHECK (completion_tokens>= 0),
    cost REAL NOT NULL DEFAULT 0.0 CHECK (cost >= 0.0),
    updated_at INTEGER NOT NULL,  -- Unix timestamp in seconds
    created_at INTEGER NOT NULL   -- Unix timestamp in seconds
, summary_message_id TEXT, todos TEXT);
CREATE TABLE messages (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL,
    role TEXT NOT NULL,
    parts TEXT NOT NULL default '[]',
    model TEXT,
    created_at INTEGER NOT NULL,  -- Unix timestamp in seconds
    updated_at INTEGER NOT NULL,  -- Unix timestamp in seconds
    finished_at INTEGER,  -- Unix timestamp in seconds
    provider TEXT, is_summary_message INTEGER DEFAULT 0 NOT NULL,
    FOREIGN KEY (session_id) REFERENCES sessions (id) ON DELETE CASCADE
);
"""


def seconds(stamp):
    import datetime

    if isinstance(stamp, int):
        return stamp
    return int(datetime.datetime.fromisoformat(stamp.replace("Z", "+00:00")).timestamp())


def stored(part):
    data = without(part, "type")
    match part["type"]:
        case "tool_call":
            data = {"id": data.pop("tool_call_id"), **data, "type": "function", "provider_executed": False, "finished": True}
        case "reasoning":
            data |= {"signature": "c2ln", "responses_data": None}
        case "tool_result":
            data = {"data": "", "mime_type": "", "metadata": "{}", "is_error": False} | data
    return {"type": part["type"], "data": data}


def crush(made, document):
    meta = document["meta"]
    insert(
        made, "sessions", id=meta["uuid"], title=meta["title"], message_count=len(document["messages"]),
        prompt_tokens=meta["prompt_tokens"], completion_tokens=meta["completion_tokens"], cost=meta["cost"],
        created_at=seconds(meta["created"]), updated_at=seconds(meta["modified"]),
    )
    for message in document["messages"]:
        created = seconds(message["created"])
        insert(
            made, "messages", id=message["id"], session_id=meta["uuid"], role=message["role"],
            parts=text([stored(part) for part in message["parts"]]), model=message.get("model"),
            provider=message.get("provider"), created_at=created, updated_at=created,
        )


made = database("crush.db", CRUSH)
crush(made, export("crush/session.json"))
crush(made, export("crush/stopped.json"))
crush(made, export("crush/failed.json"))
close(made)

HERMES = """
CREATE TABLE schema_version (version INTEGER NOT NULL);
CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    source TEXT NOT NULL,
    user_id TEXT,
    model TEXT,
    model_config TEXT,
    system_prompt TEXT,
    parent_session_id TEXT,
    started_at REAL NOT NULL,
    ended_at REAL,
    end_reason TEXT,
    message_count INTEGER DEFAULT 0,
    tool_call_count INTEGER DEFAULT 0,
    input_tokens INTEGER DEFAULT 0,
    output_tokens INTEGER DEFAULT 0,
    cache_read_tokens INTEGER DEFAULT 0,
    cache_write_tokens INTEGER DEFAULT 0,
    reasoning_tokens INTEGER DEFAULT 0,
    billing_provider TEXT,
    estimated_cost_usd REAL,
    actual_cost_usd REAL,
    cost_status TEXT,
    title TEXT,
    FOREIGN KEY (parent_session_id) REFERENCES sessions(id)
);
CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT NOT NULL REFERENCES sessions(id),
    role TEXT NOT NULL,
    content TEXT,
    tool_call_id TEXT,
    tool_calls TEXT,
    tool_name TEXT,
    timestamp REAL NOT NULL,
    token_count INTEGER,
    finish_reason TEXT,
    reasoning TEXT,
    active INTEGER NOT NULL DEFAULT 1,
    compacted INTEGER NOT NULL DEFAULT 0
);
"""


def hermes(made, document):
    session = {key: value for key, value in document.items() if key != "messages"}
    insert(made, "sessions", **session)
    for message in document["messages"]:
        content = message["content"]
        if isinstance(content, list):
            content = "\0json:" + text(content)
        calls = text(message["tool_calls"]) if "tool_calls" in message else None
        row = {**message, "content": content, "tool_calls": calls}
        insert(made, "messages", session_id=document["id"], **row)
    # The user took it back.
    insert(made, "messages", session_id=document["id"], role="user", content="Never mind", timestamp=1.0, active=0)


made = database("hermes.db", HERMES)
hermes(made, export("hermes/exported.json"))
close(made)

CURSOR = """
CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
"""


def cursor(made, document):
    own = document["composerId"]
    bubbles = document["conversation"]
    headers = [{"bubbleId": bubble["bubbleId"], "type": bubble["type"]} for bubble in bubbles]
    head = without(document, "conversation") | {
        "_v": 10, "fullConversationHeadersOnly": headers, "conversationMap": {}, "blobEncryptionKey": "not to be shown",
    }
    values = {f"composerData:{own}": head, "composerData:never-used": {"_v": 10, "fullConversationHeadersOnly": []}}
    for bubble in reversed(bubbles):
        empty = {"_v": 3, "text": "", "images": [], "tokenCount": {"inputTokens": 0, "outputTokens": 0}}
        values[f"bubbleId:{own}:{bubble['bubbleId']}"] = empty | bubble
    # A message that was taken back, and a piece that is missing.
    values[f"bubbleId:{own}:b0"] = {"_v": 3, "type": 1, "bubbleId": "b0", "text": "Paint it green."}
    values[f"checkpointId:{own}"] = {"files": []}
    for key, value in values.items():
        insert(made, "cursorDiskKV", key=key, value=text(value).encode())
    insert(made, "cursorDiskKV", key=f"bubbleId:{own}:gone", value=None)


made = database("cursor.db", CURSOR, page_bytes=1024)
cursor(made, export("cursor/conversation.json"))
close(made, is_logged=True)

ZED = """
CREATE TABLE threads (
    id TEXT PRIMARY KEY,
    summary TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    data_type TEXT NOT NULL,
    data BLOB NOT NULL
);
ALTER TABLE threads ADD COLUMN parent_id TEXT;
ALTER TABLE threads ADD COLUMN folder_paths TEXT;
ALTER TABLE threads ADD COLUMN created_at TEXT;
"""

OF_COLUMNS = ["id", "parent_id", "folder_paths", "created_at"]


def stored_alone(data):
    """A frame of Zstandard with one block that is not compressed."""
    return (
        bytes.fromhex("28b52ffda0") + len(data).to_bytes(4, "little")
        + (len(data) << 3 | 1).to_bytes(3, "little") + data
    )


def zed(made, document, is_packed):
    data = text(without(document, *OF_COLUMNS)).encode()
    insert(
        made, "threads", **{key: document.get(key) for key in OF_COLUMNS}, summary=document["title"],
        updated_at=document["updated_at"], data_type="zstd" if is_packed else "json",
        data=stored_alone(data) if is_packed else data,
    )


made = database("zed.db", ZED, page_bytes=1024)
zed(made, export("zed/thread.json"), is_packed=True)
zed(made, export("zed/subagent.json"), is_packed=False)
close(made)

FORGE = """
CREATE TABLE conversations (
    conversation_id TEXT PRIMARY KEY NOT NULL,
    title TEXT,
    workspace_id BIGINT NOT NULL,
    context TEXT,
    created_at TIMESTAMP NOT NULL,
    updated_at TIMESTAMP,
    metrics TEXT
);
"""


def forge(made, document):
    insert(
        made, "conversations", conversation_id=document["id"], title=document["title"], workspace_id=7,
        context=text({"conversation_id": document["id"], "messages": document["messages"]}),
        created_at=document["created_at"], updated_at=document["updated_at"], metrics=text(document["metrics"]),
    )


made = database("forge.db", FORGE)
forge(made, export("forge/conversation.json"))
close(made)

KIRO = """
CREATE TABLE conversations (
    key TEXT PRIMARY KEY,
    value TEXT
);
CREATE TABLE conversations_v2 (
    key TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    value TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (key, conversation_id)
);
"""

made = database("kiro.db", KIRO)
saved = export("amazon-q/saved.json")
insert(
    made, "conversations_v2", key="/quay", conversation_id=saved["conversation_id"], value=text(saved),
    created_at=1790848800000, updated_at=1790848900000,
)
close(made)

AGNO = """
CREATE TABLE agno_sessions (
    session_id VARCHAR NOT NULL,
    session_type VARCHAR NOT NULL,
    agent_id VARCHAR,
    team_id VARCHAR,
    workflow_id VARCHAR,
    user_id VARCHAR,
    session_data JSON,
    agent_data JSON,
    team_data JSON,
    workflow_data JSON,
    metadata JSON,
    summary JSON,
    created_at BIGINT NOT NULL,
    updated_at BIGINT,
    PRIMARY KEY (session_id)
);
CREATE TABLE agno_runs (
    run_id VARCHAR NOT NULL,
    session_id VARCHAR NOT NULL,
    run_type VARCHAR NOT NULL,
    status VARCHAR,
    run_index BIGINT,
    run_data JSON NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (run_id)
);
"""


def agno(made, document):
    data = {
        key: text(document.get(key)) if key in ["session_data", "agent_data", "metadata", "summary"] else document[key]
        for key in without(document, "runs")
    }
    insert(made, "agno_sessions", session_type="agent", **data)
    for index, run in reversed(list(enumerate(document["runs"]))):
        insert(
            made, "agno_runs", run_id=run["run_id"], session_id=document["session_id"], run_type="agent",
            status=run["status"], run_index=index, run_data=text(run), created_at=run["created_at"],
        )


made = database("agno.db", AGNO, page_bytes=1024)
agno(made, export("agno/session.json"))
close(made)

made = database("berths.db", "CREATE TABLE berths (boat TEXT, nr INTEGER PRIMARY KEY, depth REAL, log BLOB); CREATE TABLE tides (at TEXT)", encoding="UTF-16be")
for nr in range(1, 200):
    insert(made, "berths", boat=f"Boat {nr} \U0001f6a4", nr=nr * 3, depth=nr / 2, log=bytes([nr]) * (3000 if nr % 50 == 0 else nr % 7))
close(made)
