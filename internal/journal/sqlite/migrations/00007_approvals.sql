-- +goose Up
CREATE TABLE approvals (
    run      TEXT PRIMARY KEY,
    root     TEXT NOT NULL,
    task     TEXT NOT NULL,
    asked_at TEXT NOT NULL,
    state    TEXT NOT NULL, -- waiting, decided, or closed: ended without a decision
    fresh    INTEGER NOT NULL, -- 1 for a decision that the owner of the run has not taken over
    decision TEXT, -- JSON
    sum      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX approvals_state ON approvals (state, asked_at, run);
CREATE INDEX approvals_root ON approvals (root);
CREATE INDEX approvals_fresh ON approvals (run) WHERE fresh = 1;
