-- +goose Up
-- In which order runs that any process may take are taken, and who may take them.
DROP INDEX runs_selected;
ALTER TABLE runs ADD COLUMN lane TEXT COLLATE "C" NOT NULL DEFAULT ''; -- JSON: what the order within it does not say; empty for nothing
ALTER TABLE runs ADD COLUMN due BIGINT NOT NULL DEFAULT 0;             -- milliseconds: the first is taken first
UPDATE runs SET lane = '{"selector":' || node_selector || '}' WHERE node_selector <> '';
UPDATE runs SET due = CAST(extract(epoch FROM CAST(created_at AS timestamptz)) * 1000 AS BIGINT) WHERE status IN ('queued', 'running', 'interrupted');
ALTER TABLE runs DROP COLUMN node_selector;
CREATE INDEX runs_lane ON runs (lane, due, num) WHERE owner = '' AND parent IS NULL AND status IN ('queued', 'running', 'interrupted');

-- The runs that work, as far as it is limited how many do.
CREATE TABLE permits (
    name  TEXT COLLATE "C" NOT NULL, -- of the limit
    run   TEXT COLLATE "C" NOT NULL,
    fence BIGINT NOT NULL, -- counts while it is that of the run
    PRIMARY KEY (name, run)
);
CREATE INDEX permits_run ON permits (run);

-- +goose Down
DROP TABLE permits;
DROP INDEX runs_lane;
ALTER TABLE runs ADD COLUMN node_selector TEXT COLLATE "C" NOT NULL DEFAULT '';
UPDATE runs SET node_selector = coalesce(CAST(CAST(lane AS json) -> 'selector' AS TEXT), '') WHERE lane <> '';
CREATE INDEX runs_selected ON runs (node_selector, num) WHERE owner = '' AND parent IS NULL AND status IN ('queued', 'running', 'interrupted');
ALTER TABLE runs DROP COLUMN lane, DROP COLUMN due;
