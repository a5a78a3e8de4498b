-- +goose Up
-- Whose run it is, which its record has too: people or a team, unlike owner, which is
-- the process that holds the run. Empty for what belongs to the home itself.
ALTER TABLE runs ADD COLUMN owned_by TEXT NOT NULL DEFAULT '';

CREATE INDEX runs_owned_top ON runs (owned_by, created_at, id) WHERE parent IS NULL AND owned_by <> '';
CREATE INDEX runs_owned_below ON runs (owned_by, created_at, id) WHERE parent IS NOT NULL AND owned_by <> '';
