-- +goose Up
-- What the process that carries a run out must have, which its record has too.
ALTER TABLE runs ADD COLUMN node_selector TEXT COLLATE "C" NOT NULL DEFAULT ''; -- JSON: labels; empty for none
ALTER TABLE runs ADD COLUMN memory BIGINT NOT NULL DEFAULT 0;                   -- bytes of its largest cell
ALTER TABLE runs ADD COLUMN cpu_milli BIGINT NOT NULL DEFAULT 0;                -- thousandths of cores

-- By which nodes find what they can hold among runs that any may take.
CREATE INDEX runs_selected ON runs (node_selector, num) WHERE owner = '' AND parent IS NULL AND status IN ('queued', 'running', 'interrupted');

-- +goose Down
DROP INDEX runs_selected;
ALTER TABLE runs DROP COLUMN node_selector, DROP COLUMN memory, DROP COLUMN cpu_milli;
