-- +goose Up
-- In which order runs that any process may take are taken, and who may take them.
ALTER TABLE runs ADD COLUMN lane TEXT NOT NULL DEFAULT '';  -- JSON: what the order within it does not say; empty for nothing
ALTER TABLE runs ADD COLUMN due INTEGER NOT NULL DEFAULT 0; -- milliseconds: the first is taken first
UPDATE runs SET lane = '{"selector":' || node_selector || '}' WHERE node_selector <> '';
UPDATE runs SET due = CAST(strftime('%s', created_at) AS INTEGER) * 1000 WHERE status IN ('queued', 'running', 'interrupted');
ALTER TABLE runs DROP COLUMN node_selector;

-- The runs that work, as far as it is limited how many do.
CREATE TABLE permits (
    name  TEXT NOT NULL, -- of the limit
    run   TEXT NOT NULL,
    fence INTEGER NOT NULL, -- counts while it is that of the run
    PRIMARY KEY (name, run)
) WITHOUT ROWID;
CREATE INDEX permits_run ON permits (run);
