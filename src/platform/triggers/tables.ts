import { SWEPT_ROWS, type Tables } from '../database/tables.ts'

/** What starts runs without a request to start one: triggers, and each time that one of them has fired. */
const TRIGGER_SCHEMA = `
-- settings: JSON. event, of_agent, statuses: the part of it that a change of a run is compared with. hook: the id of a
-- webhook, which is in a public URL and unique in the installation. salt and key: what its secret is derived from. next_at: of a schedule, the next slot. acts_for: the member
-- on whose behalf its runs are started. source: 'definition' with the name that it has there in declared, or 'api'.
CREATE TABLE waybill.triggers (
  org text NOT NULL REFERENCES waybill.organisations, id text COLLATE "C" NOT NULL, agent_id text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('schedule', 'webhook', 'message', 'event', 'agent_handoff')), settings text NOT NULL,
  event text, of_agent text, statuses text[], source text NOT NULL CHECK (source IN ('definition', 'api')), declared text,
  enabled boolean NOT NULL DEFAULT true, why text, acts_for text NOT NULL, created_by text NOT NULL,
  hook text UNIQUE, salt text, key text, old_salt text, old_key text, old_until timestamptz,
  next_at timestamptz, created_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (org, id)
);
CREATE INDEX triggers_due ON waybill.triggers (next_at) WHERE enabled AND next_at IS NOT NULL;
CREATE INDEX triggers_by_agent ON waybill.triggers (org, agent_id);
CREATE INDEX triggers_of_runs ON waybill.triggers (org, kind) WHERE enabled AND kind IN ('event', 'agent_handoff');

-- One row for each slot of a trigger, whatever became of it. state: 'pending' (to be started), 'queued' (waits for the run
-- before it), 'started', 'skipped', 'missed', 'refused' or 'failed', with the reason in why. due_at: when it is looked at
-- next; a claim moves it. active: its run has not ended. depth: how many events of other runs led to it. A trigger that is removed at this moment must not
-- make the change fail that fires it, so there is no reference to triggers.
CREATE TABLE waybill.firings (
  org text NOT NULL, trigger text COLLATE "C" NOT NULL, slot text COLLATE "C" NOT NULL, n bigint GENERATED ALWAYS AS IDENTITY,
  state text NOT NULL CHECK (state IN ('pending', 'queued', 'started', 'skipped', 'missed', 'refused', 'failed')), why text,
  due_at timestamptz, attempts int NOT NULL DEFAULT 0, run_id text COLLATE "C", active boolean NOT NULL DEFAULT false, version text, acts_for text,
  depth int NOT NULL DEFAULT 0, payload text NOT NULL, at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (org, trigger, slot)
);
CREATE INDEX firings_due ON waybill.firings (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX firings_by_number ON waybill.firings (org, trigger, n DESC);
CREATE INDEX firings_open ON waybill.firings (org, trigger, n) WHERE state IN ('pending', 'queued');
CREATE INDEX firings_active ON waybill.firings (org, trigger) WHERE active;
CREATE INDEX firings_by_run ON waybill.firings (org, run_id) WHERE run_id IS NOT NULL;
CREATE INDEX firings_by_time ON waybill.firings (at);

-- Whether a message comes from a trigger: then its text is untrusted, whatever turn it begins.
ALTER TABLE waybill.messages ADD COLUMN triggered boolean NOT NULL DEFAULT false;

CREATE FUNCTION waybill.fire_at_end() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  r record;
  v_depth int;
BEGIN
  UPDATE waybill.firings SET active = false WHERE org = NEW.org AND run_id = NEW.run_id AND active;
  -- Firings that wait for this run.
  UPDATE waybill.firings AS q SET due_at = clock_timestamp() FROM waybill.firings AS f
    WHERE f.org = NEW.org AND f.run_id = NEW.run_id AND q.org = f.org AND q.trigger = f.trigger AND q.state = 'queued';
  IF NOT EXISTS (SELECT FROM waybill.triggers WHERE org = NEW.org AND enabled AND kind = 'event') THEN RETURN NULL; END IF;
  SELECT agent_id, parent, imported, header LIKE '%"rehearsal":true%' AS rehearsal
    INTO r FROM waybill.runs WHERE org = NEW.org AND run_id = NEW.run_id;
  -- A sub-agent's run is part of its root's.
  IF r.parent IS NOT NULL OR r.imported OR r.rehearsal THEN RETURN NULL; END IF;
  SELECT coalesce(max(depth), 0) + 1 INTO v_depth FROM waybill.firings WHERE org = NEW.org AND run_id = NEW.run_id;
  INSERT INTO waybill.firings (org, trigger, slot, state, why, due_at, depth, payload)
  SELECT t.org, t.id, NEW.run_id || '#' || NEW.seq,
    CASE WHEN v_depth > 8 THEN 'refused' ELSE 'pending' END,
    CASE WHEN v_depth > 8 THEN 'a chain of events ends after 8 of them: these triggers start one another' END,
    CASE WHEN v_depth > 8 THEN NULL ELSE clock_timestamp() END, v_depth,
    json_build_object('type', 'event', 'event', 'run.ended', 'run_id', waybill.original(NEW.run_id),
      'agent_id', waybill.original(r.agent_id), 'status', NEW.status, 'stop_reason', NEW.stop_reason,
      'at', to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text
  FROM waybill.triggers AS t
  WHERE t.org = NEW.org AND t.enabled AND t.kind = 'event' AND t.event = 'run.ended'
    -- Its own runs only if it names itself.
    AND (t.of_agent = r.agent_id OR t.of_agent IS NULL AND t.agent_id <> r.agent_id) AND (t.statuses IS NULL OR NEW.status = ANY (t.statuses))
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER fire_at_end AFTER UPDATE OF status ON waybill.progress FOR EACH ROW
  WHEN (NEW.status <> OLD.status AND NEW.status NOT IN ('running', 'waiting', 'paused'))
  EXECUTE FUNCTION waybill.fire_at_end();

-- The run of the agent that is handed to is the run that this trigger starts: it is recorded with it.
CREATE FUNCTION waybill.fire_at_handoff() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO waybill.firings (org, trigger, slot, state, run_id, payload)
  SELECT t.org, t.id, NEW.run_id, 'started', NEW.run_id,
    json_build_object('type', 'agent_handoff', 'from_run_id', waybill.original(NEW.parent))::text
  FROM waybill.triggers AS t
  WHERE t.org = NEW.org AND t.enabled AND t.kind = 'agent_handoff' AND t.agent_id = NEW.agent_id
    AND (t.of_agent IS NULL OR t.of_agent = (SELECT agent_id FROM waybill.runs WHERE org = NEW.org AND run_id = NEW.parent))
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
-- The header is JSON that Waybill has written: a quotation mark in a value is escaped.
CREATE TRIGGER fire_at_handoff AFTER INSERT ON waybill.runs FOR EACH ROW
  WHEN (NEW.parent IS NOT NULL AND NOT NEW.imported AND NEW.header LIKE '%"call_id":"handoff%')
  EXECUTE FUNCTION waybill.fire_at_handoff();
`

export const TRIGGER_TABLES: Tables = {
  steps: [{ n: 10, name: 'triggers', sql: TRIGGER_SCHEMA }],
  tables: {
    triggers: { owner: 'settings', kept: 'made by people' },
    firings: {},
  },
  sweeps: [
    `DELETE FROM waybill.firings WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM waybill.firings WHERE at < clock_timestamp() - interval '30 days' AND due_at IS NULL AND NOT active
       ORDER BY at LIMIT ${SWEPT_ROWS}))`,
  ],
}
