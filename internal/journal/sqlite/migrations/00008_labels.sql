-- +goose Up
-- The labels of runs, which their records have too. A list by label reads them in
-- its order, top and below apart as the indices of runs do.
CREATE TABLE run_labels (
    label      TEXT NOT NULL, -- NAME=VALUE; no name has an =
    below      INTEGER NOT NULL, -- 1 for a run with a parent
    created_at TEXT NOT NULL, -- of the run
    run        TEXT NOT NULL,
    PRIMARY KEY (label, below, created_at, run)
) STRICT, WITHOUT ROWID;

CREATE INDEX run_labels_run ON run_labels (run);
