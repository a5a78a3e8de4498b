-- +goose Up
-- The processes that use the journal. Unlike in other tables, times are those of the
-- database: leases go by its clock alone.

CREATE TABLE nodes (
    id         TEXT COLLATE "C" PRIMARY KEY, -- another one with each lease that a process takes
    session    TEXT COLLATE "C" NOT NULL,    -- of its connections, as the server shows them
    home       TEXT COLLATE "C" NOT NULL,    -- the directory of the process, and its machine
    process    TEXT COLLATE "C" NOT NULL,    -- its name there
    about      TEXT NOT NULL,                -- JSON: what lists tell of it
    serves     BOOLEAN NOT NULL,             -- whether it answers requests
    drains     BOOLEAN NOT NULL DEFAULT false, -- whether it was asked to take nothing new
    since      TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    seen_at    TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    expires_at TIMESTAMPTZ NOT NULL,         -- from then on it holds nothing, unless it renewed its lease before
    ended      BOOLEAN NOT NULL DEFAULT false -- it holds nothing any more, and never will again
);

-- What one node at a time does for all.
CREATE TABLE duties (
    name TEXT COLLATE "C" PRIMARY KEY,
    node TEXT COLLATE "C" NOT NULL
);

-- Runs that any node may take.
CREATE INDEX runs_free ON runs (num) WHERE owner = '' AND parent IS NULL AND status IN ('queued', 'running', 'interrupted');

-- +goose Down
DROP INDEX runs_free;
DROP TABLE duties, nodes;
