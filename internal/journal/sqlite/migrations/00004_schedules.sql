-- +goose Up
CREATE TABLE schedules (
    name TEXT PRIMARY KEY,
    next_at TEXT, -- NULL while nothing is planned
    seq INTEGER NOT NULL, -- of the last change
    record TEXT NOT NULL,
    sum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX schedules_next ON schedules (next_at) WHERE next_at IS NOT NULL;

CREATE TABLE schedule_starts (
    schedule TEXT NOT NULL,
    id TEXT NOT NULL,
    planned_at TEXT NOT NULL,
    open INTEGER NOT NULL, -- 1 while it is planned, or its run was not seen to end
    record TEXT NOT NULL,
    sum INTEGER NOT NULL,
    PRIMARY KEY (schedule, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX schedule_starts_planned ON schedule_starts (schedule, planned_at, id);
CREATE INDEX schedule_starts_open ON schedule_starts (planned_at, schedule, id) WHERE open = 1;
