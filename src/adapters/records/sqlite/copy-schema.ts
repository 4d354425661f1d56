/**
 * Notices that the database was put back from an older copy, or is a copy. `home` says which file it is and how often a
 * write that must not be repeated was about to leave. `copied_runs` has the runs that were active when a copy was noticed,
 * until they have taken it in, and `copied_batches` the batches whose further runs are affected as well.
 */
export const COPIES = `
  CREATE TABLE home (
    one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL, generation INTEGER NOT NULL, place TEXT NOT NULL,
    inode TEXT NOT NULL, born TEXT NOT NULL, writes INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE copied_runs (run INTEGER PRIMARY KEY, generation INTEGER NOT NULL) STRICT;
  CREATE TABLE copied_batches (batch TEXT PRIMARY KEY, generation INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`
