-- A ledger's entries lie together, in their order, and a new one is found without a search: its `place` is the number of its run times 2^32, plus that of the first
-- entry kept in it.
CREATE TABLE entries (
  place INTEGER PRIMARY KEY,
  count INTEGER NOT NULL CHECK (count > 0),
  bytes BLOB NOT NULL
) STRICT;
INSERT INTO entries SELECT (run << 32) + first, count, bytes FROM entry ORDER BY run, first;
DROP TABLE entry;
CREATE TRIGGER entries_go_with_their_run AFTER DELETE ON run BEGIN
  DELETE FROM entries WHERE place BETWEEN old.number << 32 AND (old.number << 32) + 0xffffffff;
END;
