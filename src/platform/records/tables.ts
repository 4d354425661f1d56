import { SWEPT_ROWS, type Tables } from '../database/tables.ts'

/**
 * The first version of the schema. Every table has the column `org`, and row-level security separates organisations:
 * the role of HTTP requests sees the organisation that its transaction names, and the role of the engine sees all.
 * Data that changes with every append is in `progress`, apart from the large texts of `runs`.
 */
const FIRST_SCHEMA = `
CREATE TABLE waybill.organisations (
  org text PRIMARY KEY, name text NOT NULL, weight int NOT NULL DEFAULT 1 CHECK (weight > 0), limits jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Definitions of agents, byte for byte as they were uploaded.
CREATE TABLE waybill.agents (
  org text NOT NULL REFERENCES waybill.organisations, agent_id text NOT NULL, name text NOT NULL, active text, labels jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (org, agent_id)
);
CREATE TABLE waybill.agent_versions (
  org text NOT NULL, agent_id text NOT NULL, n bigint GENERATED ALWAYS AS IDENTITY, version text NOT NULL,
  digest text NOT NULL, definition text NOT NULL, media_type text NOT NULL, body bytea NOT NULL, status text NOT NULL,
  report text NOT NULL, uploaded_by text NOT NULL, created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (org, agent_id, version), FOREIGN KEY (org, agent_id) REFERENCES waybill.agents ON DELETE CASCADE
);
CREATE INDEX agent_versions_by_definition ON waybill.agent_versions (org, definition);
CREATE INDEX agents_by_name ON waybill.agents (org, name);

-- The records of runs.
CREATE TABLE waybill.plans (
  org text NOT NULL, hash text NOT NULL, body text NOT NULL, created_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (org, hash)
);
CREATE TABLE waybill.runs (
  org text NOT NULL, run_id text COLLATE "C" NOT NULL, v int NOT NULL, header text NOT NULL, first text NOT NULL, imported boolean NOT NULL,
  created_at bigint NOT NULL, agent_id text NOT NULL, user_id text, batch text, parent text COLLATE "C", root text COLLATE "C",
  plans text[] NOT NULL, version text, session text, turned text COLLATE "C" GENERATED ALWAYS AS (reverse(run_id)) STORED,
  PRIMARY KEY (org, run_id)
);
CREATE INDEX runs_by_time ON waybill.runs (org, created_at DESC, run_id DESC);
CREATE INDEX runs_by_agent ON waybill.runs (org, agent_id, created_at DESC, run_id DESC);
CREATE INDEX runs_by_user ON waybill.runs (org, user_id, created_at DESC, run_id DESC) WHERE user_id IS NOT NULL;
CREATE INDEX runs_by_batch ON waybill.runs (org, batch) WHERE batch IS NOT NULL;
CREATE INDEX runs_by_session ON waybill.runs (org, session, created_at DESC, run_id DESC) WHERE session IS NOT NULL;
CREATE INDEX runs_by_parent ON waybill.runs (org, parent) WHERE parent IS NOT NULL;
CREATE INDEX runs_by_root ON waybill.runs (org, root) WHERE root IS NOT NULL;
-- To find the plans that no run names.
CREATE INDEX runs_by_plan ON waybill.runs USING gin (plans);
-- People name a run by the end of its id. A column, because row-level security uses no index on a function like reverse.
CREATE INDEX runs_by_suffix ON waybill.runs (org, turned);

-- phase: 'held' (driven by its holder, or free to be opened), 'queued' (a leg is queued or runs), 'slot' (waits for a
-- slot of its agent), 'parked' (waits for a person or a time), 'set_aside' (killed its worker too often), 'over'.
-- wakes: counts what arrived for the run, so that a leg does not park a run for which something has just arrived.
-- id: differs from that of a removed run with the same run id, so that its last holder cannot append.
-- died: the holders whose lease lapsed while they had the run, in a row and without progress of the run. One that returns
-- removes itself: it was only cut off. taken_at: when the last holder took the run, by its clock (milliseconds).
CREATE TABLE waybill.progress (
  org text NOT NULL, run_id text COLLATE "C" NOT NULL, id bigint GENERATED ALWAYS AS IDENTITY, epoch int NOT NULL, holder text, seq int NOT NULL, status text NOT NULL,
  stop_reason text, questions int NOT NULL, updated_at bigint NOT NULL,
  phase text NOT NULL, leg int NOT NULL DEFAULT 0, queue text, priority smallint NOT NULL DEFAULT 0, due_at bigint,
  taken_at bigint, died text[] NOT NULL DEFAULT '{}', failures smallint NOT NULL DEFAULT 0, wakes int NOT NULL DEFAULT 0, why text,
  PRIMARY KEY (org, run_id), FOREIGN KEY (org, run_id) REFERENCES waybill.runs ON DELETE CASCADE
) WITH (fillfactor = 50);
CREATE INDEX progress_by_holder ON waybill.progress (holder) WHERE holder IS NOT NULL;
CREATE INDEX progress_died ON waybill.progress (org, run_id) WHERE died <> '{}';
CREATE INDEX progress_with_questions ON waybill.progress (org, run_id) WHERE questions > 0;
CREATE INDEX progress_unfinished ON waybill.progress (org, status) WHERE status IN ('running', 'waiting', 'paused');
CREATE INDEX progress_due ON waybill.progress (due_at) WHERE phase IN ('parked', 'queued') AND due_at IS NOT NULL;
CREATE INDEX progress_active ON waybill.progress (org, phase) WHERE phase IN ('queued', 'slot', 'set_aside');

CREATE TABLE waybill.events (
  org text NOT NULL, run_id text COLLATE "C" NOT NULL, seq int NOT NULL, line text NOT NULL, PRIMARY KEY (org, run_id, seq)
);
CREATE TABLE waybill.decisions (
  org text NOT NULL, run_id text COLLATE "C" NOT NULL, key text NOT NULL, asked int NOT NULL, n bigint GENERATED ALWAYS AS IDENTITY,
  line text NOT NULL, PRIMARY KEY (org, run_id, key, asked)
);
CREATE TABLE waybill.sealed (
  org text NOT NULL, root text COLLATE "C" NOT NULL, n bigint GENERATED ALWAYS AS IDENTITY, line text NOT NULL, PRIMARY KEY (org, root, n)
);
CREATE TABLE waybill.slots (
  org text NOT NULL, ticket bigint GENERATED ALWAYS AS IDENTITY, agent text NOT NULL, agent_name text NOT NULL,
  most int NOT NULL, run_id text COLLATE "C" NOT NULL, above jsonb NOT NULL, holder text, granted boolean NOT NULL, PRIMARY KEY (org, ticket)
);
CREATE INDEX slots_by_agent ON waybill.slots (org, agent, ticket);
CREATE INDEX slots_by_run ON waybill.slots (org, run_id);
CREATE INDEX slots_by_holder ON waybill.slots (holder) WHERE holder IS NOT NULL;
CREATE TABLE waybill.grants (
  org text NOT NULL, id text NOT NULL, n bigint GENERATED ALWAYS AS IDENTITY, body text NOT NULL, PRIMARY KEY (org, id)
);
CREATE TABLE waybill.audit (
  org text NOT NULL, n bigint NOT NULL, line text NOT NULL, PRIMARY KEY (org, n)
);
CREATE TABLE waybill.audit_heads (
  org text PRIMARY KEY, n bigint NOT NULL, line text NOT NULL
);
CREATE TABLE waybill.routes (
  org text NOT NULL, name text NOT NULL, body text NOT NULL, PRIMARY KEY (org, name)
);

-- Memory of agents.
CREATE TABLE waybill.items (
  org text NOT NULL, definition text NOT NULL, agent_id text NOT NULL, scope text NOT NULL, user_id text NOT NULL,
  session text NOT NULL, key text NOT NULL, content text NOT NULL, saved_at bigint NOT NULL, expires_at bigint,
  revision int NOT NULL DEFAULT 1, source text NOT NULL, vector bytea,
  PRIMARY KEY (org, definition, agent_id, scope, user_id, session, key)
);
CREATE INDEX items_by_expiry ON waybill.items (org, expires_at) WHERE expires_at IS NOT NULL;
CREATE TABLE waybill.seeds (
  org text NOT NULL, definition text NOT NULL, agent_id text NOT NULL, scope text NOT NULL, user_id text NOT NULL,
  session text NOT NULL, key text NOT NULL, sha256 text NOT NULL,
  PRIMARY KEY (org, definition, agent_id, scope, user_id, session, key, sha256)
);
CREATE TABLE waybill.memory_sessions (
  org text NOT NULL, definition text NOT NULL, agent_id text NOT NULL, user_id text NOT NULL, session text NOT NULL,
  used_at bigint NOT NULL, PRIMARY KEY (org, definition, agent_id, user_id, session)
);
CREATE INDEX memory_sessions_by_use ON waybill.memory_sessions (org, used_at);
CREATE TABLE waybill.saved_calls (
  org text NOT NULL, call_key text NOT NULL, at bigint NOT NULL, PRIMARY KEY (org, call_key)
);
CREATE INDEX saved_calls_by_time ON waybill.saved_calls (org, at);

-- What clients ask of runs.
CREATE TABLE waybill.commands (
  org text NOT NULL, run_id text COLLATE "C" NOT NULL, n bigint GENERATED ALWAYS AS IDENTITY, body jsonb NOT NULL, by text NOT NULL,
  at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (org, run_id, n)
);
CREATE TABLE waybill.conversations (
  org text NOT NULL, session text NOT NULL, agent_id text NOT NULL, user_id text, run_id text COLLATE "C", version text,
  created_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (org, session)
);
CREATE INDEX conversations_by_time ON waybill.conversations (org, created_at DESC, session DESC);
CREATE UNIQUE INDEX conversations_by_run ON waybill.conversations (org, run_id) WHERE run_id IS NOT NULL;
-- state: 'queued' or 'delivered' (it is in the record of the run); input is JSON, and null after the delivery.
CREATE TABLE waybill.messages (
  org text NOT NULL, session text NOT NULL, n bigint GENERATED ALWAYS AS IDENTITY, id text NOT NULL, input text,
  on_busy text NOT NULL, state text NOT NULL, by text NOT NULL, at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (org, session, n), UNIQUE (org, session, id),
  FOREIGN KEY (org, session) REFERENCES waybill.conversations ON DELETE CASCADE
);
CREATE INDEX messages_queued ON waybill.messages (org, session, n) WHERE state = 'queued';
CREATE INDEX messages_delivered ON waybill.messages (at) WHERE state = 'delivered';
CREATE TABLE waybill.idempotency (
  org text NOT NULL, principal text NOT NULL, operation text NOT NULL, key text NOT NULL, body_hash text NOT NULL,
  resource text NOT NULL, holder text, held_until timestamptz, status int, response text, created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (org, principal, operation, key)
);
CREATE INDEX idempotency_by_time ON waybill.idempotency (created_at);
CREATE TABLE waybill.batches (
  org text NOT NULL, batch text NOT NULL, agent_id text NOT NULL, inputs int NOT NULL, by text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (org, batch)
);
CREATE TABLE waybill.spending (
  org text NOT NULL, kind text NOT NULL, subject text NOT NULL, period text NOT NULL, tokens bigint NOT NULL DEFAULT 0,
  usd double precision NOT NULL DEFAULT 0, calls bigint NOT NULL DEFAULT 0, PRIMARY KEY (org, kind, subject, period)
);
CREATE INDEX spending_by_period ON waybill.spending (period COLLATE "C");

-- What of each run's use is in 'spending'. 'due': the run has ended since; set in the transaction that records the end.
CREATE TABLE waybill.counted (
  org text NOT NULL, run_id text NOT NULL, due boolean NOT NULL, since timestamptz NOT NULL DEFAULT now(),
  tokens bigint NOT NULL DEFAULT 0, usd double precision NOT NULL DEFAULT 0, calls bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (org, run_id), FOREIGN KEY (org, run_id) REFERENCES waybill.runs ON DELETE CASCADE
);
CREATE INDEX counted_due ON waybill.counted (since) WHERE due;
CREATE FUNCTION waybill.note_end() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  -- A sub-agent's use is part of its root's, and a rehearsal uses nothing. A quote in a value of the header is escaped.
  INSERT INTO waybill.counted AS c (org, run_id, due)
    SELECT r.org, r.run_id, true FROM waybill.runs AS r
    WHERE r.org = NEW.org AND r.run_id = NEW.run_id AND r.parent IS NULL AND r.header NOT LIKE '%"rehearsal":true%'
    ON CONFLICT (org, run_id) DO UPDATE SET due = true, since = now();
  RETURN NULL;
END $$;
CREATE TRIGGER note_end AFTER UPDATE OF phase ON waybill.progress FOR EACH ROW
  WHEN (NEW.phase = 'over' AND OLD.phase <> 'over') EXECUTE FUNCTION waybill.note_end();

-- The text that a model is writing, in the pieces in which it was stored: lost in a crash, like the text itself. A text
-- begins after the event 'seq'; a run that is taken over in mid-text has another text with a higher epoch.
CREATE UNLOGGED TABLE waybill.texts (
  org text NOT NULL, run_id text COLLATE "C" NOT NULL, seq int NOT NULL, epoch int NOT NULL, n int NOT NULL, attempt int NOT NULL,
  text text NOT NULL, PRIMARY KEY (org, run_id, seq, epoch, n)
);

-- The order of legs among organisations: virtual finish times by organisation and priority.
CREATE TABLE waybill.flows (
  org text NOT NULL, priority smallint NOT NULL, finish bigint NOT NULL, PRIMARY KEY (org, priority)
);

-- Belong to the installation, not to an organisation: requests have no access.
CREATE TABLE waybill.workers (
  worker text PRIMARY KEY, started_at timestamptz NOT NULL DEFAULT now(), until timestamptz NOT NULL, queues text[] NOT NULL,
  about jsonb NOT NULL DEFAULT '{}', idle boolean NOT NULL DEFAULT false
);
CREATE TABLE waybill.queues (
  queue text PRIMARY KEY
);
INSERT INTO waybill.queues (queue) VALUES ('default'), ('many default');
CREATE TABLE waybill.virtual_time (
  one int PRIMARY KEY DEFAULT 1 CHECK (one = 1), now bigint NOT NULL
);
INSERT INTO waybill.virtual_time (now) VALUES (0);

-- Returns whether a worker is alive, by the clock of the database. Requests have no access to the workers themselves.
CREATE FUNCTION waybill.is_live(p_worker text) RETURNS boolean
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT EXISTS (SELECT 1 FROM waybill.workers WHERE worker = p_worker AND until > clock_timestamp())
$$;
REVOKE ALL ON FUNCTION waybill.is_live FROM PUBLIC;
GRANT EXECUTE ON FUNCTION waybill.is_live TO waybill_app, waybill_engine;

-- Queues the next leg of a run. Requests may not use the tables of the queue: this function is their only way in.
CREATE FUNCTION waybill.enqueue_leg(p_org text, p_run text) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  p waybill.progress;
  v_queue text;
  v_share int;
  v_tag bigint;
BEGIN
  -- Only members of the role of the engine may name any organisation, whatever the name of the role that logged in.
  IF NOT pg_has_role(session_user, 'waybill_engine', 'MEMBER') AND p_org IS DISTINCT FROM current_setting('waybill.org', true) THEN
    RAISE EXCEPTION 'another organisation' USING ERRCODE = 'insufficient_privilege';
  END IF;
  UPDATE waybill.progress SET phase = 'queued', leg = leg + 1, due_at = NULL
    WHERE org = p_org AND run_id = p_run AND phase <> 'over' RETURNING * INTO p;
  IF NOT FOUND THEN RETURN NULL; END IF;
  -- Start-time fair queuing: a flow's next leg starts where its last one finishes, but not before the present.
  -- A leg costs 16 / weight of virtual time; a priority above 0 makes it cheaper, one below 0 dearer.
  SELECT greatest(1, (16 * power(2, -p.priority) / weight)::int) INTO v_share FROM waybill.organisations WHERE org = p_org;
  INSERT INTO waybill.flows AS f (org, priority, finish)
    VALUES (p_org, p.priority, (SELECT now FROM waybill.virtual_time) + v_share)
    ON CONFLICT (org, priority) DO UPDATE
      SET finish = greatest(f.finish, (SELECT now FROM waybill.virtual_time)) + v_share
    RETURNING finish - v_share INTO v_tag;
  -- Workers have places of their own for organisations with few legs: those of another one may hold all others for long.
  v_queue := coalesce(p.queue, 'default');
  IF EXISTS (SELECT FROM waybill.progress WHERE org = p_org AND phase = 'queued' OFFSET 25) THEN
    v_queue := 'many ' || v_queue;
  END IF;
  IF p.queue IS NOT NULL THEN
    INSERT INTO waybill.queues (queue) VALUES (v_queue) ON CONFLICT DO NOTHING;
  END IF;
  PERFORM waybill_queue.enqueue_workflow(
    'leg', v_queue, ARRAY[to_json(p_org), to_json(p_run), to_json(p.leg)],
    workflow_id => p_org || '/' || p_run || '#' || p.leg, app_version => 'waybill-1',
    priority => least(v_tag, 2147483647)::int, application_name => 'waybill');
  -- Only for workers that have slowed down their polls: a notification makes commits wait for one another.
  PERFORM pg_notify('waybill_legs', '') WHERE EXISTS (
    SELECT 1 FROM waybill.workers WHERE idle AND until > clock_timestamp());
  RETURN p.leg;
END $$;

-- Grants the slots of an agent that are free, in the order of the tickets, and wakes the runs that get them.
CREATE FUNCTION waybill.grant_slots(p_org text, p_agent text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_free int;
  v_next record;
BEGIN
  FOR v_next IN
    SELECT s.ticket, s.run_id, s.most - (
        SELECT count(*) FROM waybill.slots AS g WHERE g.org = p_org AND g.agent = p_agent AND g.granted) AS free
    FROM waybill.slots AS s WHERE s.org = p_org AND s.agent = p_agent AND NOT s.granted ORDER BY s.ticket
  LOOP
    v_free := coalesce(v_free, v_next.free);
    EXIT WHEN v_free <= 0;
    UPDATE waybill.slots SET granted = true WHERE org = p_org AND ticket = v_next.ticket;
    PERFORM waybill.wake(p_org, v_next.run_id);
    v_free := v_free - 1;
  END LOOP;
END $$;

-- Takes a slot for the leg of a run, or leaves a ticket. One transaction at a time for each organisation, with the lock of
-- the tickets of sub-agents, whose agents may have legs of their own. A worker that has lost the run gets none.
CREATE FUNCTION waybill.take_slot(p_org text, p_agent text, p_name text, p_most int, p_run text, p_holder text) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_granted boolean;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('waybill.slots ' || p_org, 0));
  PERFORM 1 FROM waybill.progress WHERE org = p_org AND run_id = p_run AND holder = p_holder;
  IF NOT FOUND THEN RETURN false; END IF;
  UPDATE waybill.slots SET holder = CASE WHEN granted THEN p_holder END, most = p_most
    WHERE org = p_org AND agent = p_agent AND run_id = p_run RETURNING granted INTO v_granted;
  IF FOUND AND v_granted THEN RETURN true; END IF;
  IF NOT FOUND THEN
    INSERT INTO waybill.slots (org, agent, agent_name, most, run_id, above, granted)
      VALUES (p_org, p_agent, p_name, p_most, p_run, '[]', false);
  END IF;
  PERFORM waybill.grant_slots(p_org, p_agent);
  UPDATE waybill.slots SET holder = p_holder
    WHERE org = p_org AND agent = p_agent AND run_id = p_run AND granted;
  RETURN FOUND;
END $$;

-- Gives back the slot of a run, or its ticket. A worker that has lost the run changes nothing.
CREATE FUNCTION waybill.release_slot(p_org text, p_agent text, p_run text, p_holder text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('waybill.slots ' || p_org, 0));
  DELETE FROM waybill.slots AS s WHERE s.org = p_org AND s.agent = p_agent AND s.run_id = p_run
    AND (s.holder = p_holder OR s.holder IS NULL AND EXISTS (
      SELECT 1 FROM waybill.progress AS p WHERE p.org = p_org AND p.run_id = p_run AND p.holder = p_holder));
  PERFORM waybill.grant_slots(p_org, p_agent);
END $$;

-- Returns whether nothing will give a slot back: its worker has died, and its run does not continue; or its worker lives,
-- could not give it back because the connection was lost, and does not drive the run any more.
CREATE FUNCTION waybill.is_left(s waybill.slots) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT CASE WHEN s.holder IS NULL OR NOT waybill.is_live(s.holder)
    THEN NOT EXISTS (SELECT 1 FROM waybill.progress AS p
      WHERE p.org = s.org AND p.run_id = s.run_id AND p.phase IN ('queued', 'slot'))
    ELSE EXISTS (SELECT 1 FROM waybill.progress AS p
      WHERE p.org = s.org AND p.run_id = s.run_id AND p.phase NOT IN ('queued', 'slot') AND p.leg > 0
        AND p.holder IS DISTINCT FROM s.holder) END
$$;

-- Releases the slots that are left. A run that continues elsewhere keeps its slot.
CREATE FUNCTION waybill.release_left_slots() RETURNS int
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_left record;
  v_released int := 0;
BEGIN
  FOR v_left IN
    SELECT DISTINCT s.org, s.agent FROM waybill.slots AS s WHERE waybill.is_left(s) ORDER BY s.org, s.agent
  LOOP
    PERFORM pg_advisory_xact_lock(hashtextextended('waybill.slots ' || v_left.org, 0));
    DELETE FROM waybill.slots AS s WHERE s.org = v_left.org AND s.agent = v_left.agent AND waybill.is_left(s);
    PERFORM waybill.grant_slots(v_left.org, v_left.agent);
    v_released := v_released + 1;
  END LOOP;
  RETURN v_released;
END $$;
REVOKE ALL ON FUNCTION waybill.grant_slots, waybill.take_slot, waybill.release_slot, waybill.is_left, waybill.release_left_slots FROM PUBLIC;
GRANT EXECUTE ON FUNCTION waybill.grant_slots, waybill.take_slot, waybill.release_slot, waybill.is_left, waybill.release_left_slots
  TO waybill_engine;

-- Planner statistics of the tables that grow fast: a new table without them is read as if it were empty.
CREATE FUNCTION waybill.refresh_statistics() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_table regclass;
BEGIN
  FOR v_table IN
    SELECT c.oid FROM pg_class AS c JOIN pg_stat_all_tables AS s ON s.relid = c.oid
    WHERE c.relkind = 'r' AND c.relnamespace IN ('waybill'::regnamespace, 'waybill_queue'::regnamespace)
      AND s.n_mod_since_analyze > 1000 + 0.1 * greatest(c.reltuples, 0)
  LOOP
    EXECUTE format('ANALYZE %s', v_table);
  END LOOP;
END $$;
REVOKE ALL ON FUNCTION waybill.refresh_statistics FROM PUBLIC;
GRANT EXECUTE ON FUNCTION waybill.refresh_statistics TO waybill_engine;
REVOKE ALL ON FUNCTION waybill.enqueue_leg FROM PUBLIC;
GRANT EXECUTE ON FUNCTION waybill.enqueue_leg TO waybill_app, waybill_engine;

-- Records that something arrived for a run, such as a decision, and queues its next leg if it waits without one.
-- Returns the queued leg, or null: then a leg that is queued or runs will see what arrived, or the run is over.
CREATE FUNCTION waybill.wake(p_org text, p_run text) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  p waybill.progress;
BEGIN
  IF NOT pg_has_role(session_user, 'waybill_engine', 'MEMBER') AND p_org IS DISTINCT FROM current_setting('waybill.org', true) THEN
    RAISE EXCEPTION 'another organisation' USING ERRCODE = 'insufficient_privilege';
  END IF;
  UPDATE waybill.progress SET wakes = wakes + 1
    WHERE org = p_org AND run_id = p_run AND phase NOT IN ('over', 'set_aside') RETURNING * INTO p;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF p.phase IN ('parked', 'slot') OR (p.phase = 'held' AND NOT waybill.is_live(p.holder)) THEN
    RETURN waybill.enqueue_leg(p_org, p_run);
  END IF;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION waybill.wake FROM PUBLIC;
GRANT EXECUTE ON FUNCTION waybill.wake TO waybill_app, waybill_engine;
`

/** In whose name an agent has written an item of its memory; a run names both in its header. */
const ACTING_SCHEMA = `
ALTER TABLE waybill.items ADD COLUMN run_id text, ADD COLUMN on_behalf_of text;
`

/**
 * The engine's hints are idempotent: a run has at most one leg in the queue, however often it is queued, and a run that
 * takes a slot does not wake itself.
 */
const RECOVERY_SCHEMA = `
-- opened: the last leg with which a worker opened the run.
ALTER TABLE waybill.progress ADD COLUMN opened int NOT NULL DEFAULT 0;

-- Returns whether the current leg of a queued run will be, or is being, performed: it is in the queue, a live process has
-- received it and not opened the run yet, or its live holder performs it.
CREATE FUNCTION waybill.has_leg(p waybill.progress) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN EXISTS (
    SELECT FROM waybill_queue.workflow_status AS s
    WHERE s.workflow_uuid = p.org || '/' || p.run_id || '#' || p.leg
      AND (p.opened <> p.leg OR p.holder IS NOT NULL AND waybill.is_live(p.holder))
      AND (s.status IN ('ENQUEUED', 'DELAYED') OR s.status = 'PENDING' AND EXISTS (
        SELECT FROM waybill.workers AS w WHERE w.until > clock_timestamp() AND w.about->>'executor' = s.executor_id)));
END $$;
REVOKE ALL ON FUNCTION waybill.has_leg FROM PUBLIC;
GRANT EXECUTE ON FUNCTION waybill.has_leg TO waybill_engine;

-- Queues the next leg of a run, if it has none; may be called as often as is useful. Returns the leg, or null.
CREATE OR REPLACE FUNCTION waybill.enqueue_leg(p_org text, p_run text) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  p waybill.progress;
  v_again boolean;
  v_queue text;
  v_share int;
  v_tag bigint;
BEGIN
  -- Only members of the role of the engine may name any organisation, whatever the name of the role that logged in.
  IF NOT pg_has_role(session_user, 'waybill_engine', 'MEMBER') AND p_org IS DISTINCT FROM current_setting('waybill.org', true) THEN
    RAISE EXCEPTION 'another organisation' USING ERRCODE = 'insufficient_privilege';
  END IF;
  -- Under the lock of the row, so that of two callers at once the second one finds the leg of the first.
  SELECT * INTO p FROM waybill.progress WHERE org = p_org AND run_id = p_run FOR UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  v_again := p.phase = 'queued' AND p.leg > 0;
  IF v_again AND waybill.has_leg(p) THEN RETURN NULL; END IF;
  IF p.leg > 0 THEN
    -- A leg that was left in the queue would only take a place of a worker.
    WITH stale AS (
      DELETE FROM waybill_queue.workflow_status WHERE workflow_uuid = (
        SELECT s.workflow_uuid FROM waybill_queue.workflow_status AS s
        WHERE s.workflow_uuid = p.org || '/' || p.run_id || '#' || p.leg AND s.status IN ('ENQUEUED', 'DELAYED')
        FOR UPDATE SKIP LOCKED)
      RETURNING workflow_uuid)
    DELETE FROM waybill_queue.workflow_input AS i USING stale WHERE i.workflow_uuid = stale.workflow_uuid;
  END IF;
  UPDATE waybill.progress SET phase = 'queued', leg = leg + 1, due_at = NULL
    WHERE org = p_org AND run_id = p_run AND phase <> 'over' RETURNING * INTO p;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF v_again THEN
    -- Its turn had come, and its worker was lost: it is next, and its organisation does not pay twice.
    SELECT now INTO v_tag FROM waybill.virtual_time;
  ELSE
    -- Start-time fair queuing: a flow's next leg starts where its last one finishes, but not before the present.
    -- A leg costs 16 / weight of virtual time; a priority above 0 makes it cheaper, one below 0 dearer.
    -- Called last, because the row of the flow is locked until the transaction ends.
    SELECT greatest(1, (16 * power(2, -p.priority) / weight)::int) INTO v_share FROM waybill.organisations WHERE org = p_org;
    INSERT INTO waybill.flows AS f (org, priority, finish)
      VALUES (p_org, p.priority, (SELECT now FROM waybill.virtual_time) + v_share)
      ON CONFLICT (org, priority) DO UPDATE
        SET finish = greatest(f.finish, (SELECT now FROM waybill.virtual_time)) + v_share
      RETURNING finish - v_share INTO v_tag;
  END IF;
  -- Workers have places of their own for organisations with few legs: those of another one may hold all others for long.
  -- Counted under the lock of the flow, so that runs that are queued at once see one another.
  v_queue := coalesce(p.queue, 'default');
  IF EXISTS (SELECT FROM waybill.progress WHERE org = p_org AND phase = 'queued' OFFSET 25) THEN
    v_queue := 'many ' || v_queue;
  END IF;
  IF p.queue IS NOT NULL THEN
    INSERT INTO waybill.queues (queue) VALUES (v_queue) ON CONFLICT DO NOTHING;
  END IF;
  PERFORM waybill_queue.enqueue_workflow(
    'leg', v_queue, ARRAY[to_json(p_org), to_json(p_run), to_json(p.leg)],
    workflow_id => p_org || '/' || p_run || '#' || p.leg, app_version => 'waybill-1',
    priority => least(v_tag, 2147483647)::int, application_name => 'waybill');
  -- Only for workers that have slowed down their polls: a notification makes commits wait for one another.
  PERFORM pg_notify('waybill_legs', '') WHERE EXISTS (
    SELECT 1 FROM waybill.workers WHERE idle AND until > clock_timestamp());
  RETURN p.leg;
END $$;

-- Grants the slots of an agent that are free, in the order of the tickets, and wakes the parked runs that get them: not
-- the run that takes one now, and not a sub-agent, whose process looks for itself.
CREATE FUNCTION waybill.grant_free_slots(p_org text, p_agent text, p_taker text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_free int;
  v_next record;
BEGIN
  FOR v_next IN
    SELECT s.ticket, s.run_id, s.holder, s.most - (
        SELECT count(*) FROM waybill.slots AS g WHERE g.org = p_org AND g.agent = p_agent AND g.granted) AS free
    FROM waybill.slots AS s WHERE s.org = p_org AND s.agent = p_agent AND NOT s.granted ORDER BY s.ticket
  LOOP
    v_free := coalesce(v_free, v_next.free);
    EXIT WHEN v_free <= 0;
    UPDATE waybill.slots SET granted = true WHERE org = p_org AND ticket = v_next.ticket;
    IF v_next.holder IS NULL AND v_next.run_id IS DISTINCT FROM p_taker THEN
      PERFORM waybill.wake(p_org, v_next.run_id);
    END IF;
    v_free := v_free - 1;
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION waybill.grant_slots(p_org text, p_agent text) RETURNS void
LANGUAGE sql SET search_path = pg_catalog, pg_temp AS $$
  SELECT waybill.grant_free_slots(p_org, p_agent, NULL)
$$;

CREATE OR REPLACE FUNCTION waybill.take_slot(p_org text, p_agent text, p_name text, p_most int, p_run text, p_holder text) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_granted boolean;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('waybill.slots ' || p_org, 0));
  PERFORM 1 FROM waybill.progress WHERE org = p_org AND run_id = p_run AND holder = p_holder;
  IF NOT FOUND THEN RETURN false; END IF;
  UPDATE waybill.slots SET holder = CASE WHEN granted THEN p_holder END, most = p_most
    WHERE org = p_org AND agent = p_agent AND run_id = p_run RETURNING granted INTO v_granted;
  IF FOUND AND v_granted THEN RETURN true; END IF;
  IF NOT FOUND THEN
    INSERT INTO waybill.slots (org, agent, agent_name, most, run_id, above, granted)
      VALUES (p_org, p_agent, p_name, p_most, p_run, '[]', false);
  END IF;
  PERFORM waybill.grant_free_slots(p_org, p_agent, p_run);
  UPDATE waybill.slots SET holder = p_holder
    WHERE org = p_org AND agent = p_agent AND run_id = p_run AND granted;
  RETURN FOUND;
END $$;
REVOKE ALL ON FUNCTION waybill.grant_free_slots FROM PUBLIC;
GRANT EXECUTE ON FUNCTION waybill.grant_free_slots TO waybill_engine;

-- A turn that ends while messages wait is an end too, although its run stays in the queue for them.
DROP TRIGGER note_end ON waybill.progress;
CREATE TRIGGER note_end AFTER UPDATE OF phase ON waybill.progress FOR EACH ROW
  WHEN (NEW.phase IN ('over', 'moved') AND OLD.phase NOT IN ('over', 'moved')
    OR NEW.status NOT IN ('running', 'waiting', 'paused') AND OLD.status IN ('running', 'waiting', 'paused'))
  EXECUTE FUNCTION waybill.note_end();
`

/**
 * Notices that the database was put back from an older copy. `installation` says which server and folder it is in; each
 * time that it is another one, its generation rises, and the runs that are active then are in `copied_runs` until they have
 * taken it in.
 */
const GENERATION_SCHEMA = `
-- system, timeline: of the server. place: the identity of the data folder, if Waybill runs the server. lossless: a replica
-- that is promoted has everything, so another timeline is not a copy.
CREATE TABLE waybill.installation (
  one int PRIMARY KEY DEFAULT 1 CHECK (one = 1), id text NOT NULL DEFAULT gen_random_uuid()::text,
  generation int NOT NULL DEFAULT 1, raised_at timestamptz, system text, timeline text, place text,
  lossless boolean NOT NULL DEFAULT false
);
INSERT INTO waybill.installation DEFAULT VALUES;
CREATE TABLE waybill.copied_runs (
  org text NOT NULL, run_id text COLLATE "C" NOT NULL, generation int NOT NULL, announced boolean NOT NULL DEFAULT false,
  PRIMARY KEY (org, run_id),
  FOREIGN KEY (org, run_id) REFERENCES waybill.runs ON DELETE CASCADE
);

-- The identifier and the timeline of the server; null what it does not say, such as a server that stores pages elsewhere.
CREATE FUNCTION waybill.server_place() RETURNS text[] LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_system text;
  v_timeline text;
BEGIN
  BEGIN
    SELECT system_identifier::text INTO v_system FROM pg_control_system();
    v_timeline := substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8);
  EXCEPTION WHEN OTHERS THEN NULL;
  END;
  RETURN ARRAY[v_system, v_timeline];
END $$;

-- Returns false if the database is in another server than it was, or in one that was restored or promoted: then its
-- generation must rise before a run is driven.
CREATE FUNCTION waybill.is_current() RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT NOT EXISTS (SELECT FROM waybill.installation AS i, waybill.server_place() AS p
    WHERE i.system <> p[1] OR (i.timeline <> p[2] AND NOT i.lossless))
$$;

-- Raises the generation and marks the runs that are active, those of sessions with queued messages included. If no operator
-- has announced it, runs with open questions get a leg, which asks them again with the reason.
CREATE FUNCTION waybill.raise_generation(p_place text, p_announced boolean) RETURNS int LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_generation int;
  v_server text[] := waybill.server_place();
BEGIN
  UPDATE waybill.installation SET generation = generation + 1, id = gen_random_uuid()::text, raised_at = clock_timestamp(),
    system = v_server[1], timeline = v_server[2], place = p_place RETURNING generation INTO v_generation;
  INSERT INTO waybill.copied_runs (org, run_id, generation, announced)
    SELECT p.org, p.run_id, v_generation, p_announced FROM waybill.progress AS p JOIN waybill.runs AS r USING (org, run_id)
    WHERE NOT r.imported AND p.phase <> 'moved' AND (p.phase <> 'over' OR EXISTS (
      SELECT FROM waybill.messages AS m WHERE m.org = p.org AND m.session = r.session AND m.state = 'queued'))
    ON CONFLICT (org, run_id) DO UPDATE SET generation = v_generation, announced = p_announced;
  -- A decision that no event has taken in yet may have been taken in by the newer database.
  DELETE FROM waybill.decisions AS d USING waybill.copied_runs AS c
    WHERE c.org = d.org AND c.run_id = d.run_id AND NOT EXISTS (
      SELECT FROM waybill.events AS e WHERE e.org = d.org AND e.run_id = d.run_id AND e.seq > (d.line::json ->> 'seen')::int
        AND position('"person.decided"' IN e.line) > 0 AND position(to_json(d.line::json ->> 'call_id')::text IN e.line) > 0);
  UPDATE waybill.progress AS p SET phase = 'queued', leg = greatest(leg, 1), wakes = wakes + 1, due_at = NULL
    FROM waybill.copied_runs AS c
    WHERE c.org = p.org AND c.run_id = p.run_id AND p.phase = 'parked' AND p.seq > 0 AND NOT c.announced AND EXISTS (
      SELECT FROM waybill.runs AS f JOIN waybill.progress AS q USING (org, run_id)
      WHERE f.org = p.org AND (f.run_id = p.run_id OR f.root = p.run_id) AND q.questions > 0);
  RETURN v_generation;
END $$;

-- A run of a firing that was stored before, or whose slot had passed before: the newer database may have started it as well.
CREATE FUNCTION waybill.mark_copied_firing() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO waybill.copied_runs (org, run_id, generation)
    SELECT r.org, r.run_id, i.generation FROM waybill.runs AS r, waybill.installation AS i
    WHERE r.org = NEW.org AND r.run_id = NEW.run_id AND (NEW.at < i.raised_at
      OR CASE WHEN NEW.slot ~ '^\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z$' THEN NEW.slot::timestamptz < i.raised_at ELSE false END)
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER mark_copied_firing AFTER UPDATE OF run_id ON waybill.firings FOR EACH ROW
  WHEN (NEW.run_id IS NOT NULL AND OLD.run_id IS NULL) EXECUTE FUNCTION waybill.mark_copied_firing();
REVOKE ALL ON FUNCTION waybill.is_current, waybill.raise_generation, waybill.server_place, waybill.mark_copied_firing FROM PUBLIC;
GRANT EXECUTE ON FUNCTION waybill.is_current, waybill.raise_generation, waybill.server_place TO waybill_engine;
`

export const RECORD_TABLES: Tables = {
  steps: [
    { n: 1, name: 'first', sql: FIRST_SCHEMA },
    { n: 6, name: 'acting', sql: ACTING_SCHEMA },
    { n: 19, name: 'recovery', sql: RECOVERY_SCHEMA },
    { n: 20, name: 'generations', sql: GENERATION_SCHEMA },
  ],
  tables: {
    organisations: { owner: 'settings', kept: 'made by people' },
    runs: { kept: 'runs are never removed by themselves' },
    progress: {},
    events: { kept: 'part of a run' },
    plans: { owner: { kind: 'plan' } },
    decisions: { kept: 'part of a run' },
    sealed: { owner: { kind: 'run', column: 'root' }, kept: 'part of a run' },
    grants: { kept: 'given by people, and removed when they are used up or withdrawn' },
    audit: { owner: 'digests, and the ids of users', kept: 'the audit log is never removed by itself' },
    audit_heads: { owner: 'the last line of the audit log', kept: 'one for each organisation' },
    items: { kept: 'memory, with times of its own (`removal/expired.ts`)' },
    seeds: { kept: 'memory, with times of its own (`records/memory-records.ts`)' },
    memory_sessions: { kept: 'memory, with times of its own (`records/memory-records.ts`)' },
    saved_calls: { owner: 'digests', kept: 'memory, with times of its own (`records/memory-records.ts`)' },
    routes: { owner: 'measurements of models', kept: 'one for each route to a model' },
    idempotency: { owner: { kind: 'mentions' } },
    installation: { owner: 'signs of the server and its generation', kept: 'one row' },
    copied_runs: {},
    counted: {},
  },
  sweeps: [
    `DELETE FROM waybill.idempotency WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM waybill.idempotency WHERE created_at < clock_timestamp() - interval '24 hours'
       ORDER BY created_at LIMIT ${SWEPT_ROWS}))`,
  ],
  erase: [
    // A plan names the owner of its memory, and no run of the user is left that needs it.
    `DELETE FROM waybill.plans AS p WHERE p.org = $1 AND strpos(p.body, '"user":' || $3) > 0
       AND NOT EXISTS (SELECT FROM waybill.runs AS r WHERE r.org = p.org AND r.plans @> ARRAY[p.hash]) AND $2 <> ''`,
    'DELETE FROM waybill.seeds WHERE org = $1 AND user_id = $2',
    'DELETE FROM waybill.memory_sessions WHERE org = $1 AND user_id = $2',
    'DELETE FROM waybill.idempotency WHERE org = $1 AND mentions && ARRAY[$2::text]',
  ],
}
