-- +goose Up
CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    created_at TEXT NOT NULL,
    ended_at TEXT,
    parent TEXT NOT NULL,
    owner TEXT NOT NULL,
    kept TEXT NOT NULL, -- the saved state, or nothing
    seq INTEGER NOT NULL, -- of the last event
    record TEXT NOT NULL,
    sum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_created ON sessions (created_at, id);
CREATE INDEX sessions_kept ON sessions (kept) WHERE kept <> '';
CREATE INDEX sessions_live ON sessions (created_at, id) WHERE state NOT IN ('ended', 'lost');

CREATE TABLE session_events (
    session TEXT NOT NULL,
    seq INTEGER NOT NULL,
    event TEXT NOT NULL,
    sum INTEGER NOT NULL,
    PRIMARY KEY (session, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE session_snapshots (
    id TEXT PRIMARY KEY,
    name TEXT UNIQUE,
    session TEXT NOT NULL,
    kept TEXT NOT NULL,
    created_at TEXT NOT NULL,
    record TEXT NOT NULL,
    sum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX session_snapshots_kept ON session_snapshots (kept);
CREATE INDEX session_snapshots_created ON session_snapshots (created_at, id);
