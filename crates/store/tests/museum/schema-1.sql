-- A run, from its beginning to its deletion.
CREATE TABLE run (
  number INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE CHECK (length(id) = 16),
  key TEXT UNIQUE,
  name TEXT NOT NULL,
  format INTEGER NOT NULL,
  forked_from BLOB,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('ready', 'running', 'waiting', 'completed', 'failed', 'cancelled')),
  value BLOB,
  code TEXT,
  message TEXT,
  wish TEXT CHECK (wish IN ('cancel', 'retry'))
) STRICT;
CREATE INDEX run_by_state ON run (state, updated);

-- Entries of its ledger that were kept in one step, joined: docs/ledger.md.
CREATE TABLE entry (
  run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  first INTEGER NOT NULL,
  count INTEGER NOT NULL CHECK (count > 0),
  bytes BLOB NOT NULL,
  PRIMARY KEY (run, first)
) STRICT, WITHOUT ROWID;

-- A question, once. It is `given` when there is an answer that its run has not taken.
CREATE TABLE interruption (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  state TEXT NOT NULL CHECK (state IN ('pending', 'given', 'answered', 'expired', 'abandoned')),
  kind TEXT NOT NULL,
  request_index INTEGER NOT NULL,
  host_function TEXT NOT NULL,
  arguments BLOB NOT NULL,
  arguments_digest TEXT NOT NULL,
  payload BLOB NOT NULL,
  event_key TEXT,
  file TEXT,
  line INTEGER,
  column INTEGER,
  created INTEGER NOT NULL,
  expires INTEGER,
  fallback BLOB
) STRICT;
CREATE INDEX interruption_of_run ON interruption (run, state);
CREATE INDEX interruption_pending ON interruption (created, id) WHERE state = 'pending';

-- The answer to a question: the first, for ever. The question may not be asked yet.
CREATE TABLE resolution (
  interruption TEXT PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  at INTEGER NOT NULL,
  given_by TEXT,
  answer BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX resolution_of_run ON resolution (run);

-- An event: the first of its key, for ever.
CREATE TABLE event (
  run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  key TEXT NOT NULL,
  at INTEGER NOT NULL,
  emitted_by TEXT,
  value BLOB NOT NULL,
  PRIMARY KEY (run, key)
) STRICT, WITHOUT ROWID;

-- When a run that waits goes on by itself.
CREATE TABLE timer (
  run INTEGER PRIMARY KEY REFERENCES run ON DELETE CASCADE,
  wake_at INTEGER NOT NULL
) STRICT;
CREATE INDEX timer_by_time ON timer (wake_at);

-- Who goes on with a run, and the fencing token of the latest who did.
CREATE TABLE lease (
  run INTEGER PRIMARY KEY REFERENCES run ON DELETE CASCADE,
  fence INTEGER NOT NULL,
  worker BLOB,
  until INTEGER
) STRICT;
CREATE INDEX lease_of_worker ON lease (worker) WHERE worker IS NOT NULL;
CREATE INDEX lease_by_time ON lease (until) WHERE worker IS NOT NULL;

-- What a host function was, whenever it was another than before.
CREATE TABLE host_function (
  name TEXT NOT NULL,
  fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 16),
  first_seen INTEGER NOT NULL,
  effect TEXT NOT NULL,
  description TEXT,
  input_schema TEXT,
  output_schema TEXT,
  PRIMARY KEY (name, fingerprint)
) STRICT, WITHOUT ROWID;

-- What happened to runs, in order.
CREATE TABLE notice (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
  at INTEGER NOT NULL,
  what TEXT NOT NULL,
  subject TEXT
) STRICT;
CREATE INDEX notice_of_run ON notice (run, number);

-- Which answers were first at a point of a run that is handed out as a token.
CREATE TABLE claim (
  run_id BLOB NOT NULL CHECK (length(run_id) = 16),
  length INTEGER NOT NULL,
  answers TEXT NOT NULL,
  ticket INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('going', 'left', 'done')),
  until INTEGER NOT NULL,
  ledger BLOB,
  PRIMARY KEY (run_id, length)
) STRICT, WITHOUT ROWID;
