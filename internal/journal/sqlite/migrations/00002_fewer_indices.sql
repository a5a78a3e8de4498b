-- +goose Up
-- Whoever runs something waits for what is written, and each index is a page
-- more. So a row is in few of them: runs below others have indices of their own,
-- a status has one for those that have ended and a small one for those that have
-- not. What is read in one order is merged from two.

DROP INDEX runs_created;
DROP INDEX runs_top;
DROP INDEX runs_top_task;
DROP INDEX runs_top_status;
DROP INDEX runs_root;
DROP INDEX runs_task;
DROP INDEX runs_kind;
DROP INDEX runs_status;

CREATE INDEX runs_top ON runs (created_at, id, kind) WHERE parent IS NULL;
CREATE INDEX runs_top_task ON runs (task, created_at, id) WHERE parent IS NULL;
CREATE INDEX runs_below ON runs (created_at, id, kind) WHERE parent IS NOT NULL;
CREATE INDEX runs_below_task ON runs (task, created_at, id) WHERE parent IS NOT NULL;
CREATE INDEX runs_below_root ON runs (root, created_at, id) WHERE root <> id;
CREATE INDEX runs_unfinished ON runs (status, created_at, id, parent) WHERE status IN ('queued', 'running', 'interrupted');
CREATE INDEX runs_ended ON runs (status, created_at, id, parent) WHERE status NOT IN ('queued', 'running', 'interrupted');
