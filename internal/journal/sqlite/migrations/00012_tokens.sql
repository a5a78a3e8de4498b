-- +goose Up
-- Who shares the server.
CREATE TABLE owners (
    name TEXT PRIMARY KEY,
    record TEXT NOT NULL,
    sum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Their tokens, of which only a hash is kept.
CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    used_at TEXT, -- NULL until it is first shown
    record TEXT NOT NULL,
    sum INTEGER NOT NULL,
    UNIQUE (owner, name)
) STRICT, WITHOUT ROWID;

-- What was done with tokens, in the order in which it was done.
CREATE TABLE deeds (
    num INTEGER PRIMARY KEY,
    owner TEXT NOT NULL,
    object TEXT NOT NULL,
    record TEXT NOT NULL,
    sum INTEGER NOT NULL
) STRICT;

CREATE INDEX deeds_owner ON deeds (owner, num);
CREATE INDEX deeds_object ON deeds (object, num);

-- Bytes that an owner sent, beside those that the runs of it refer to.
CREATE TABLE owner_blobs (
    owner TEXT NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (owner, digest)
) STRICT, WITHOUT ROWID;
