import { SWEPT_ROWS, type Tables } from '../database/tables.ts'

/** After this time, what a stream has left is removed: no stream takes as long. */
const LEFT_AFTER = '1 hour'

/**
 * Runs that move between platforms (AAIF §8.2). A run that is being moved has the phase 'moving', and afterwards 'moved':
 * both keep it from every leg. See `migration-protocol.ts`.
 */
const MOVE_SCHEMA = `
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

/** Values of personal data that move with runs, where an admin allows it for the other platform. */
const MOVED_VALUES_SCHEMA = `
-- peers.personal_data: an admin allows that values of personal data are sent there. moves.personal_data: they are sent with
-- this run; moves.values_sent: how many.
ALTER TABLE waybill.peers ADD COLUMN personal_data boolean NOT NULL DEFAULT false;
ALTER TABLE waybill.moves ADD COLUMN personal_data boolean NOT NULL DEFAULT false, ADD COLUMN values_sent int NOT NULL DEFAULT 0;
`

/**
 * Runs that move to and from machines without a server. A peer without a URL is such a machine: its place is named by the
 * thumbprints of its keys, and it fetches the states of runs itself.
 */
const HOME_MOVE_SCHEMA = `
ALTER TABLE waybill.peers ALTER COLUMN url DROP NOT NULL;
ALTER TABLE waybill.peers ADD CHECK (url IS NOT NULL OR token IS NULL);

-- target: who receives, as the URI of its place. pull: the receiver fetches the state. Phase 'offered': it has not yet.
ALTER TABLE waybill.moves ADD COLUMN target text;
UPDATE waybill.moves SET target = url || '/organisations/' || organisation;
ALTER TABLE waybill.moves ALTER COLUMN target SET NOT NULL, ADD COLUMN pull boolean NOT NULL DEFAULT false,
  DROP COLUMN url, DROP COLUMN organisation, DROP CONSTRAINT moves_phase_check,
  ADD CONSTRAINT moves_phase_check CHECK (phase IN ('pausing', 'offered', 'sending', 'withdrawing', 'moved', 'kept'));

CREATE OR REPLACE FUNCTION waybill.moved_to(p_org text, p_run text) RETURNS json
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT json_build_object('phase', p.phase, 'target', m.target, 'run_id', m.target_run_id)
  FROM waybill.runs AS r JOIN waybill.progress AS p ON p.org = p_org AND p.run_id = coalesce(r.root, r.run_id)
    LEFT JOIN LATERAL (SELECT * FROM waybill.moves WHERE org = p_org AND run_id = p.run_id AND phase <> 'kept'
      ORDER BY created_at DESC LIMIT 1) AS m ON true
  WHERE r.org = p_org AND r.run_id = p_run AND p.phase IN ('moving', 'moved')
$$;
`

/** Runs that are streamed to another platform, and from one (AAIF §8.3). */
const HANDOFF_SCHEMA = `
-- frozen_at: since when the run is frozen. captured_at: when its state was captured, and sending began. apart: the
-- conversation is not in the document, and is read from the record. socket: over a WebSocket.
ALTER TABLE waybill.moves ADD COLUMN frozen_at timestamptz, ADD COLUMN captured_at timestamptz, ADD COLUMN apart boolean NOT NULL DEFAULT false,
  ADD COLUMN socket boolean NOT NULL DEFAULT false;

-- The first events of a run that is arriving as a stream: moved to 'events' when all of it has arrived, else removed. Not
-- logged: a stream that a crash interrupts is not resumed. Not compressed again when they are moved.
CREATE UNLOGGED TABLE waybill.arriving_events (
  org text NOT NULL REFERENCES waybill.organisations, run_id text COLLATE "C" NOT NULL, seq int NOT NULL, line text NOT NULL,
  at timestamptz NOT NULL DEFAULT clock_timestamp(), PRIMARY KEY (org, run_id, seq)
);
CREATE INDEX arriving_events_by_time ON waybill.arriving_events (at);
`

/**
 * After a copy of the past was noticed, each pinned platform is asked which runs it owns. What it answers with are the
 * migration tokens themselves, so that it can only name runs that were sent to it.
 */
const OWNER_SCHEMA = `
-- token: the migration token that was used up. source: who has issued it, as the URI of its place.
ALTER TABLE waybill.arrivals ADD COLUMN token text, ADD COLUMN source text;
CREATE INDEX arrivals_by_source ON waybill.arrivals (org, source, jti) WHERE token IS NOT NULL;

-- asked_generation: up to which generation of the installation it has been asked which runs it owns.
ALTER TABLE waybill.peers ADD COLUMN asked_generation int NOT NULL DEFAULT 1, ADD COLUMN ask_attempts int NOT NULL DEFAULT 0,
  ADD COLUMN ask_due_at timestamptz NOT NULL DEFAULT clock_timestamp();
UPDATE waybill.peers SET asked_generation = (SELECT generation FROM waybill.installation);
`

/** What receivers of moved runs say later: a receiver that was put back to before a move does not know the run. */
const RECEIVER_SCHEMA = `
-- receiver: what the receiver has reported last; null: it knows the run, or has not been asked.
ALTER TABLE waybill.moves ADD COLUMN receiver text CHECK (receiver IN ('unknown')), ADD COLUMN receiver_asked_at timestamptz;

CREATE OR REPLACE FUNCTION waybill.moved_to(p_org text, p_run text) RETURNS json
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT json_build_object('phase', p.phase, 'target', m.target, 'run_id', m.target_run_id, 'receiver', m.receiver)
  FROM waybill.runs AS r JOIN waybill.progress AS p ON p.org = p_org AND p.run_id = coalesce(r.root, r.run_id)
    LEFT JOIN LATERAL (SELECT * FROM waybill.moves WHERE org = p_org AND run_id = p.run_id AND phase <> 'kept'
      ORDER BY created_at DESC LIMIT 1) AS m ON true
  WHERE r.org = p_org AND r.run_id = p_run AND p.phase IN ('moving', 'moved')
$$;
`

/** Platforms that are not Waybill: what their tokens carry, and the names that their states say they come from. */
const PROFILE_SCHEMA = `
-- profile: what a token of the platform must carry; see TOKEN_PROFILES. source_platforms: names that its states say, as a JSON list.
ALTER TABLE waybill.peers ADD COLUMN profile text NOT NULL DEFAULT 'full' CHECK (profile IN ('full', 'draft')),
  ADD COLUMN source_platforms text NOT NULL DEFAULT '[]';
`

/** States of sub-agents that were sent before the state of their caller (AAIF §8.1). */
const KEPT_STATE_SCHEMA = `
-- sender: who may use the document, as sendersOf writes it. peer, kid and jti: of its migration token. user_id: whom its run
-- serves here; mentions: users whose data it may have from runs here. until: removed afterwards.
CREATE TABLE waybill.kept_states (
  org text NOT NULL REFERENCES waybill.organisations, sender text NOT NULL, state_id text NOT NULL, agent_id text NOT NULL,
  checksum text NOT NULL, document text NOT NULL, by text NOT NULL, peer text, source text, kid text, jti text, token text,
  user_id text, mentions text[] NOT NULL DEFAULT '{}', at timestamptz NOT NULL DEFAULT clock_timestamp(), until timestamptz NOT NULL,
  PRIMARY KEY (org, sender, state_id), CHECK ((jti IS NULL) = (peer IS NULL))
);
CREATE INDEX kept_states_by_time ON waybill.kept_states (until);
`

export const MOVE_TABLES: Tables = {
  steps: [
    { n: 14, name: 'moves', sql: MOVE_SCHEMA },
    { n: 15, name: 'moved-values', sql: MOVED_VALUES_SCHEMA },
    { n: 16, name: 'moves of homes', sql: HOME_MOVE_SCHEMA },
    { n: 17, name: 'handoffs', sql: HANDOFF_SCHEMA },
    { n: 21, name: 'owners', sql: OWNER_SCHEMA },
    { n: 22, name: 'receivers', sql: RECEIVER_SCHEMA },
    { n: 23, name: 'profiles of tokens', sql: PROFILE_SCHEMA },
    { n: 24, name: 'kept states', sql: KEPT_STATE_SCHEMA },
  ],
  tables: {
    peers: { owner: 'settings', kept: 'made by people' },
    moves: { kept: 'the proof of where a run has gone' },
    arrivals: {
      kept: 'the arbiter of moves: a token must be recognised for as long as its run exists somewhere',
    },
    arriving_events: { left_out: 'a stream that was interrupted is not resumed' },
    kept_states: {},
  },
  sweeps: [
    `DELETE FROM waybill.arriving_events WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM waybill.arriving_events WHERE at < clock_timestamp() - interval '${LEFT_AFTER}' LIMIT ${SWEPT_ROWS}))`,
    `DELETE FROM waybill.kept_states WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM waybill.kept_states WHERE until < clock_timestamp() LIMIT ${SWEPT_ROWS}))`,
  ],
  erase: ['DELETE FROM waybill.kept_states WHERE org = $1 AND (user_id = $2 OR mentions && ARRAY[$2::text])'],
}
