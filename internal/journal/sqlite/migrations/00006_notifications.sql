-- +goose Up
CREATE TABLE deliveries (
    id TEXT PRIMARY KEY,
    run TEXT NOT NULL,
    host TEXT NOT NULL, -- where it goes to, so that a slow one holds up no other
    state TEXT NOT NULL,
    created_at TEXT NOT NULL,
    next_at TEXT, -- of the next attempt, while it waits
    changed_at TEXT NOT NULL, -- the last change: one to come means that the clock was set back
    seq INTEGER NOT NULL, -- of the last change, from 1
    record TEXT NOT NULL,
    sum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX deliveries_created ON deliveries (created_at, id);
CREATE INDEX deliveries_run ON deliveries (run, created_at, id);
CREATE INDEX deliveries_state ON deliveries (state, created_at, id);
CREATE INDEX deliveries_next ON deliveries (next_at, host) WHERE next_at IS NOT NULL;
CREATE INDEX deliveries_changed ON deliveries (changed_at, host) WHERE next_at IS NOT NULL;

-- What started a run that no client did, such as "hook:push".
ALTER TABLE runs ADD COLUMN started_by TEXT;

UPDATE runs SET started_by = CASE
    WHEN json_extract(record, '$.trigger.schedule') IS NOT NULL THEN 'schedule:' || json_extract(record, '$.trigger.schedule')
    WHEN json_extract(record, '$.trigger.hook') IS NOT NULL THEN 'hook:' || json_extract(record, '$.trigger.hook')
END WHERE json_valid(record) AND json_extract(record, '$.trigger') IS NOT NULL;

CREATE INDEX runs_started_by ON runs (started_by, created_at, id) WHERE started_by IS NOT NULL;

CREATE TABLE hook_calls (
    num INTEGER PRIMARY KEY, -- in the order in which they came
    hook TEXT NOT NULL,
    record TEXT NOT NULL,
    sum INTEGER NOT NULL
) STRICT;

CREATE INDEX hook_calls_hook ON hook_calls (hook, num);
