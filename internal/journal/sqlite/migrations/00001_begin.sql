-- +goose Up
-- Times are RFC 3339 in UTC with nine digits of fractions, so that they sort as
-- text. A sum is the CRC-32C of the columns that docs/JOURNAL.md lists.

CREATE TABLE runs (
    num             INTEGER PRIMARY KEY, -- in the order in which runs were submitted
    id              TEXT NOT NULL UNIQUE,
    parent          TEXT REFERENCES runs (id),
    call            INTEGER NOT NULL,    -- the number of the call in the parent, or 0
    root            TEXT NOT NULL,
    task            TEXT NOT NULL,       -- its name
    kind            TEXT NOT NULL,
    task_digest     TEXT NOT NULL,       -- of definitions
    status          TEXT NOT NULL,
    owner           TEXT NOT NULL,       -- the process that runs it, or empty
    fence           INTEGER NOT NULL,    -- raised by each claim
    seq             INTEGER NOT NULL,    -- of the last event
    created_at      TEXT NOT NULL,
    started_at      TEXT,
    ended_at        TEXT,
    idempotency_key TEXT,
    record          TEXT NOT NULL,       -- JSON: the whole run but its inputs and outputs
    sum             INTEGER NOT NULL,
    outputs         TEXT,                -- JSON
    outputs_blob    TEXT,                -- or the blob that holds it
    outputs_sum     INTEGER
) STRICT;

CREATE INDEX runs_created ON runs (created_at, id);
CREATE INDEX runs_top ON runs (created_at, id) WHERE parent IS NULL;
CREATE INDEX runs_top_task ON runs (task, created_at, id) WHERE parent IS NULL;
CREATE INDEX runs_top_status ON runs (status, created_at, id) WHERE parent IS NULL;
CREATE INDEX runs_parent ON runs (parent, call, id) WHERE parent IS NOT NULL;
CREATE INDEX runs_root ON runs (root, created_at, id);
CREATE INDEX runs_task ON runs (task, created_at, id);
CREATE INDEX runs_kind ON runs (kind, created_at, id);
CREATE INDEX runs_status ON runs (status, created_at, id);
CREATE INDEX runs_task_digest ON runs (task_digest);
CREATE UNIQUE INDEX runs_idempotency_key ON runs (idempotency_key) WHERE idempotency_key IS NOT NULL;

CREATE TABLE inputs (
    run  TEXT NOT NULL PRIMARY KEY,
    json TEXT,
    blob TEXT, -- or the blob that holds it
    sum  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
    run  TEXT NOT NULL,
    seq  INTEGER NOT NULL, -- from 1, without gaps
    time TEXT NOT NULL,
    kind TEXT NOT NULL,
    data TEXT,             -- JSON
    sum  INTEGER NOT NULL,
    PRIMARY KEY (run, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE definitions (
    digest TEXT NOT NULL PRIMARY KEY,
    json   TEXT NOT NULL, -- the task
    sum    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE blob_refs (
    run    TEXT NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (run, digest)
) STRICT, WITHOUT ROWID;

CREATE INDEX blob_refs_digest ON blob_refs (digest);

CREATE TABLE snapshots (
    run      TEXT NOT NULL PRIMARY KEY,
    fence    INTEGER NOT NULL,
    attempt  INTEGER NOT NULL,
    started  INTEGER NOT NULL, -- calls that the code had begun
    answered INTEGER NOT NULL, -- answers that it had been given
    data     BLOB NOT NULL,
    sum      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE cancel_requests (
    run    TEXT NOT NULL PRIMARY KEY,
    reason TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE cache_entries (
    num     INTEGER PRIMARY KEY, -- in the order in which they were stored
    key     TEXT NOT NULL UNIQUE,
    task    TEXT NOT NULL,
    created TEXT NOT NULL,
    used    TEXT NOT NULL,       -- when it last answered a run
    size    INTEGER NOT NULL,    -- bytes, blobs included
    entry   TEXT NOT NULL,       -- JSON: run, parts, outputs, image, blobs
    stdout  BLOB NOT NULL,
    stderr  BLOB NOT NULL,
    sum     INTEGER NOT NULL
) STRICT;

CREATE INDEX cache_entries_task ON cache_entries (task);
CREATE INDEX cache_entries_used ON cache_entries (used);

CREATE TABLE tasks (
    name    TEXT NOT NULL,
    version INTEGER NOT NULL, -- from 1, without gaps
    current INTEGER NOT NULL, -- 1 for the version that NAME alone means
    digest  TEXT NOT NULL,
    about   TEXT NOT NULL,    -- JSON: what lists tell of it
    task    TEXT NOT NULL,    -- JSON
    sum     INTEGER NOT NULL,
    PRIMARY KEY (name, version)
) STRICT;

CREATE UNIQUE INDEX tasks_current ON tasks (name) WHERE current = 1;

CREATE TABLE environments (
    name    TEXT NOT NULL,
    version INTEGER NOT NULL, -- from 1, without gaps
    current INTEGER NOT NULL, -- 1 for the version that NAME alone means
    about   TEXT NOT NULL,    -- JSON
    sum     INTEGER NOT NULL,
    PRIMARY KEY (name, version)
) STRICT;

CREATE UNIQUE INDEX environments_current ON environments (name) WHERE current = 1;

PRAGMA application_id = 1196180056; -- "GLBX"
