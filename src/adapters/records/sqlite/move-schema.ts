/**
 * Runs that move from and to this home (AAIF §8.2). `away` has a row for each run that only its move may change: those of
 * `moves` in the phases from `sending` to `moved`, and the runs of their sub-agents. The triggers guard them, whatever
 * process and version writes. `arrivals` is the arbiter of the moves to this home: written once for each token.
 */
export const MOVES = `
  CREATE TABLE moves (
    n INTEGER PRIMARY KEY, jti TEXT NOT NULL UNIQUE, run_id TEXT NOT NULL, source TEXT NOT NULL, target TEXT NOT NULL,
    url TEXT NOT NULL, method TEXT NOT NULL CHECK (method IN ('document', 'stream')), by TEXT NOT NULL,
    paused INTEGER NOT NULL, phase TEXT NOT NULL CHECK (phase IN ('sending', 'withdrawing', 'moved', 'kept')),
    document TEXT, state_id TEXT, checksum TEXT, expires_at INTEGER, target_run_id TEXT, code TEXT, why TEXT,
    CHECK (phase IN ('sending', 'withdrawing') OR document IS NULL)
  ) STRICT;
  CREATE UNIQUE INDEX moves_under_way ON moves (run_id) WHERE phase <> 'kept';
  CREATE INDEX moves_by_target ON moves (target_run_id) WHERE target_run_id IS NOT NULL;
  CREATE TABLE away (run INTEGER PRIMARY KEY, jti TEXT NOT NULL) STRICT;
  CREATE INDEX away_by_move ON away (jti);
  CREATE TABLE arrivals (
    n INTEGER PRIMARY KEY, jti TEXT NOT NULL UNIQUE, state TEXT NOT NULL CHECK (state IN ('owned', 'refused')),
    run_id TEXT, source TEXT NOT NULL, source_run_id TEXT NOT NULL, url TEXT NOT NULL, state_id TEXT, checksum TEXT,
    reported INTEGER NOT NULL DEFAULT 0, CHECK ((state = 'owned') = (run_id IS NOT NULL))
  ) STRICT;
  CREATE INDEX arrivals_by_source ON arrivals (url, source_run_id);

  CREATE TRIGGER away_leases BEFORE UPDATE ON progress WHEN EXISTS (SELECT 1 FROM away WHERE run = OLD.run)
    BEGIN SELECT RAISE(ABORT, 'the run is not here'); END;
  CREATE TRIGGER away_events BEFORE INSERT ON events WHEN EXISTS (SELECT 1 FROM away WHERE run = NEW.run)
    BEGIN SELECT RAISE(ABORT, 'the run is not here'); END;
  CREATE TRIGGER away_decisions BEFORE INSERT ON decisions WHEN EXISTS (SELECT 1 FROM away WHERE run = NEW.run)
    BEGIN SELECT RAISE(ABORT, 'the run is not here'); END;
  CREATE TRIGGER away_pauses BEFORE INSERT ON pauses WHEN EXISTS (SELECT 1 FROM away WHERE run = NEW.run)
    BEGIN SELECT RAISE(ABORT, 'the run is not here'); END;
  CREATE TRIGGER away_agents BEFORE INSERT ON runs WHEN NEW.root IS NOT NULL
      AND EXISTS (SELECT 1 FROM away JOIN runs AS r ON r.id = away.run WHERE r.run_id = NEW.root)
    BEGIN SELECT RAISE(ABORT, 'the run is not here'); END;
  CREATE TRIGGER moving_runs BEFORE DELETE ON runs WHEN EXISTS (SELECT 1 FROM away JOIN moves USING (jti)
      WHERE away.run = OLD.id AND phase <> 'moved')
    BEGIN SELECT RAISE(ABORT, 'the run is being moved'); END;
  CREATE TRIGGER away_forgotten AFTER DELETE ON runs BEGIN DELETE FROM away WHERE run = OLD.id; END;
  CREATE TRIGGER arrivals_stay BEFORE UPDATE OF jti, state, run_id ON arrivals
    BEGIN SELECT RAISE(ABORT, 'the decision about a token is final'); END;
`
