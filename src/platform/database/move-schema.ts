/**
 * Runs that move between platforms (AAIF §8.2). A run that is being moved has the phase 'moving', and afterwards 'moved':
 * both keep it from every leg. See `migration-protocol.ts`.
 */
export const MOVE_SCHEMA = `
-- Other platforms. keys: their public keys as a JSON Web Key Set. users: which user here a user there is, as JSON; null:
-- the same names. token: sealed; permits requests there.
CREATE TABLE waybill.peers (
  org text NOT NULL REFERENCES waybill.organisations, name text COLLATE "C" NOT NULL, url text NOT NULL, organisation text NOT NULL,
  keys text NOT NULL, users text, token bytea, token_key text, token_version text,
  created_at timestamptz NOT NULL DEFAULT now(), created_by text NOT NULL, PRIMARY KEY (org, name)
);

-- Runs that are sent. source: the own organisation as the URL of its place. document: the state while it is being sent, as JSON with its token. paused: only the move has paused
-- the run. due_at: when the next request is due. claimed_until: a process is sending.
CREATE TABLE waybill.moves (
  org text NOT NULL REFERENCES waybill.organisations, jti text COLLATE "C" NOT NULL, run_id text COLLATE "C" NOT NULL, peer text COLLATE "C" NOT NULL,
  source text NOT NULL, url text NOT NULL, organisation text NOT NULL, phase text NOT NULL CHECK (phase IN ('pausing', 'sending', 'withdrawing', 'moved', 'kept')),
  method text NOT NULL CHECK (method IN ('document', 'stream')), by text NOT NULL, paused boolean NOT NULL DEFAULT false, document text, state_id text, checksum text, expires_at timestamptz,
  target_run_id text, why text, code text, attempts int NOT NULL DEFAULT 0, due_at timestamptz DEFAULT clock_timestamp(), claimed_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(), ended_at timestamptz,
  PRIMARY KEY (org, jti), CHECK ((phase IN ('moved', 'kept')) = (ended_at IS NOT NULL)), CHECK (ended_at IS NULL OR document IS NULL)
);
CREATE UNIQUE INDEX moves_under_way ON waybill.moves (org, run_id) WHERE ended_at IS NULL;
CREATE INDEX moves_by_run ON waybill.moves (org, run_id);
CREATE INDEX moves_due ON waybill.moves (due_at) WHERE ended_at IS NULL;

-- The arbiter: written once for each token, by the import or by the withdrawal, and never changed.
CREATE TABLE waybill.arrivals (
  org text NOT NULL REFERENCES waybill.organisations, jti text COLLATE "C" NOT NULL, peer text COLLATE "C" NOT NULL,
  state text NOT NULL CHECK (state IN ('owned', 'refused')), run_id text COLLATE "C", state_id text, source_run_id text,
  at timestamptz NOT NULL DEFAULT clock_timestamp(), PRIMARY KEY (org, jti)
);
CREATE INDEX arrivals_by_run ON waybill.arrivals (org, run_id) WHERE run_id IS NOT NULL;

-- Returns where a run is moving or has moved to; null: it is here.
CREATE FUNCTION waybill.moved_to(p_org text, p_run text) RETURNS json
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT json_build_object('phase', p.phase, 'url', m.url, 'organisation', m.organisation, 'run_id', m.target_run_id)
  FROM waybill.runs AS r JOIN waybill.progress AS p ON p.org = p_org AND p.run_id = coalesce(r.root, r.run_id)
    LEFT JOIN LATERAL (SELECT * FROM waybill.moves WHERE org = p_org AND run_id = p.run_id AND phase <> 'kept'
      ORDER BY created_at DESC LIMIT 1) AS m ON true
  WHERE r.org = p_org AND r.run_id = p_run AND p.phase IN ('moving', 'moved')
$$;
REVOKE ALL ON FUNCTION waybill.moved_to FROM PUBLIC;
GRANT EXECUTE ON FUNCTION waybill.moved_to TO waybill_app, waybill_engine;

-- A run that moves changes only by its move, whatever else asks: no leg, no lease, no event. A statement that would change
-- it finds no row, as if the run were over.
CREATE FUNCTION waybill.keep_moving() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN CASE WHEN current_setting('waybill.move', true) = 'on' THEN NEW END;
END $$;
CREATE TRIGGER keep_moving BEFORE UPDATE ON waybill.progress FOR EACH ROW
  WHEN (OLD.phase IN ('moving', 'moved')) EXECUTE FUNCTION waybill.keep_moving();

-- What a run has used here counts here, also when it ends elsewhere.
DROP TRIGGER note_end ON waybill.progress;
CREATE TRIGGER note_end AFTER UPDATE OF phase ON waybill.progress FOR EACH ROW
  WHEN (NEW.phase IN ('over', 'moved') AND OLD.phase NOT IN ('over', 'moved')) EXECUTE FUNCTION waybill.note_end();
`
