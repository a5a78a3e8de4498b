-- +goose Up
-- What the process that carries a run out must have, which its record has too.
ALTER TABLE runs ADD COLUMN node_selector TEXT NOT NULL DEFAULT ''; -- JSON: labels; empty for none
ALTER TABLE runs ADD COLUMN memory INTEGER NOT NULL DEFAULT 0;      -- bytes of its largest cell
ALTER TABLE runs ADD COLUMN cpu_milli INTEGER NOT NULL DEFAULT 0;   -- thousandths of cores
