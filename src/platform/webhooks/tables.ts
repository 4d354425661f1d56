import { SWEPT_ROWS, type Tables } from '../database/tables.ts'

/**
 * Outgoing webhooks: who is notified of which changes, and the log of what was sent. A change and its deliveries are
 * stored in one transaction. Other parts of the schema notify receivers with `waybill.announce`.
 */
const WEBHOOK_SCHEMA = `
-- runs: 'all', or 'named': only those that name the webhook. receiver: the origin of the URL, which limits concurrency.
-- salt: the secret is derived from it with the private key 'key', which is outside the database. old_*: until then, the
-- previous secret signs too. failing_since: the first of the attempts that have failed since one succeeded.
CREATE TABLE waybill.webhooks (
  org text NOT NULL REFERENCES waybill.organisations, id text COLLATE "C" NOT NULL, url text NOT NULL, receiver text NOT NULL,
  events text[] NOT NULL, agent_id text, runs text NOT NULL CHECK (runs IN ('all', 'named')),
  signature text NOT NULL CHECK (signature IN ('v1', 'v1a')), salt text, key text, old_salt text, old_key text, old_until timestamptz,
  active boolean NOT NULL DEFAULT true, why text, stopped_at timestamptz, from_run boolean NOT NULL DEFAULT false,
  delivered bigint NOT NULL DEFAULT 0, failed bigint NOT NULL DEFAULT 0, failures int NOT NULL DEFAULT 0,
  failing_since timestamptz, delivered_at timestamptz, created_at timestamptz NOT NULL DEFAULT now(), created_by text NOT NULL,
  PRIMARY KEY (org, id), CHECK (signature = 'v1a' OR salt IS NOT NULL AND key IS NOT NULL)
);
CREATE TABLE waybill.run_webhooks (
  org text NOT NULL, run_id text COLLATE "C" NOT NULL, webhook text COLLATE "C" NOT NULL, PRIMARY KEY (org, run_id, webhook),
  FOREIGN KEY (org, run_id) REFERENCES waybill.runs ON DELETE CASCADE
);
CREATE INDEX run_webhooks_by_webhook ON waybill.run_webhooks (org, webhook);

-- state: 'pending', 'delivered' or 'failed'. base: the attempts before the delivery was repeated by hand. A webhook that is
-- removed at this moment must not make the change fail that is announced to it, so there is no reference to webhooks.
CREATE TABLE waybill.deliveries (
  org text NOT NULL, webhook text COLLATE "C" NOT NULL, id text NOT NULL, n bigint GENERATED ALWAYS AS IDENTITY, type text NOT NULL,
  run_id text COLLATE "C", body text NOT NULL, state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'failed')),
  attempts int NOT NULL DEFAULT 0, base int NOT NULL DEFAULT 0, due_at timestamptz DEFAULT now(), claimed_until timestamptz,
  attempted_at timestamptz, status int, error text, created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (org, webhook, id), FOREIGN KEY (org, run_id) REFERENCES waybill.runs ON DELETE CASCADE
);
CREATE INDEX deliveries_due ON waybill.deliveries (due_at) WHERE state = 'pending';
CREATE INDEX deliveries_pending ON waybill.deliveries (org, webhook, due_at) WHERE state = 'pending';
CREATE INDEX deliveries_by_number ON waybill.deliveries (org, webhook, n DESC);
CREATE INDEX deliveries_by_run ON waybill.deliveries (org, run_id) WHERE run_id IS NOT NULL;
CREATE INDEX deliveries_by_time ON waybill.deliveries (created_at);

-- Reads a text that was stored as JSON because PostgreSQL cannot store it. As json, which does not decode it. Without a
-- search path of its own, so that it is part of the statement that calls it: its caller has one.
CREATE FUNCTION waybill.original(p text) RETURNS json
LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN pg_catalog.left(p, 1) = '"' THEN p::pg_catalog.json ELSE pg_catalog.to_json(p) END
$$;

-- Stores a delivery for each active webhook that wants the event. p_key names the change: it is announced once.
CREATE FUNCTION waybill.announce(p_org text, p_type text, p_key text, p_run text, p_root text, p_agent text, p_data json) RETURNS void
-- Not of the language sql, whose statements are planned again with each call.
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO waybill.deliveries (org, webhook, id, type, run_id, body)
  SELECT w.org, w.id, 'msg_' || left(encode(sha256(convert_to(w.org || ' ' || w.id || ' ' || p_key, 'UTF8')), 'hex'), 32),
    p_type, p_run, json_build_object('type', p_type,
      'timestamp', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'data', p_data)::text
  FROM waybill.webhooks AS w
  WHERE w.org = p_org AND w.active AND p_type = ANY (w.events) AND (w.agent_id IS NULL OR w.agent_id = p_agent)
    AND (w.runs = 'all' OR EXISTS (
      SELECT FROM waybill.run_webhooks AS n WHERE n.org = w.org AND n.run_id = p_root AND n.webhook = w.id))
  ON CONFLICT DO NOTHING;
END $$;

CREATE FUNCTION waybill.note_change() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  r record;
  v_key text;
  v_data json;
  v_type text;
  -- The end of a run closes its questions.
  v_questions int := CASE WHEN NEW.status IN ('running', 'waiting', 'paused') THEN NEW.questions ELSE 0 END;
  v_before int := CASE WHEN OLD.status IN ('running', 'waiting', 'paused') THEN OLD.questions ELSE 0 END;
BEGIN
  IF NOT EXISTS (SELECT FROM waybill.webhooks WHERE org = NEW.org AND active) THEN RETURN NULL; END IF;
  SELECT agent_id, user_id, session, parent, coalesce(root, run_id) AS root, header LIKE '%"rehearsal":true%' AS rehearsal
    INTO r FROM waybill.runs WHERE org = NEW.org AND run_id = NEW.run_id;
  v_key := concat_ws(':', NEW.id, NEW.seq, NEW.leg);
  v_data := json_build_object('run_id', waybill.original(NEW.run_id), 'root_run_id', waybill.original(r.root),
    'agent_id', waybill.original(r.agent_id), 'user', waybill.original(r.user_id), 'session', waybill.original(r.session),
    'status', CASE WHEN NEW.phase = 'set_aside' THEN 'set_aside' WHEN NEW.status = 'waiting' THEN 'awaiting_approval'
      ELSE NEW.status END,
    'stop_reason', NEW.stop_reason, 'questions', v_questions, 'seq', NEW.seq, 'rehearsal', r.rehearsal);
  -- A sub-agent's run is part of its root's, and its questions are asked of people like those of the root.
  IF r.parent IS NULL THEN
    v_type := CASE
      WHEN NEW.phase = 'set_aside' AND OLD.phase <> 'set_aside' THEN 'run.set_aside'
      WHEN NEW.status = OLD.status THEN NULL
      WHEN NEW.status = 'waiting' THEN 'run.waiting'
      WHEN NEW.status = 'paused' THEN 'run.paused'
      WHEN NEW.status <> 'running' THEN 'run.ended'
      ELSE 'run.resumed' END;
    IF v_type IS NOT NULL THEN
      PERFORM waybill.announce(NEW.org, v_type, v_key || v_type, NEW.run_id, r.root, r.agent_id, v_data);
    END IF;
  END IF;
  IF v_questions <> v_before THEN
    v_type := CASE WHEN v_questions > v_before THEN 'question.opened' ELSE 'question.closed' END;
    PERFORM waybill.announce(NEW.org, v_type, v_key || v_type, NEW.run_id, r.root, r.agent_id, v_data);
  END IF;
  RETURN NULL;
END $$;
-- Most appends change none of these, and do not call the function.
CREATE TRIGGER note_change AFTER UPDATE OF status, questions, phase ON waybill.progress FOR EACH ROW
  WHEN (NEW.status <> OLD.status OR NEW.questions <> OLD.questions OR NEW.phase = 'set_aside' AND OLD.phase <> 'set_aside')
  EXECUTE FUNCTION waybill.note_change();

REVOKE ALL ON FUNCTION waybill.original, waybill.announce FROM PUBLIC;
GRANT EXECUTE ON FUNCTION waybill.original, waybill.announce TO waybill_app, waybill_engine;
`

export const WEBHOOK_TABLES: Tables = {
  steps: [{ n: 5, name: 'webhooks', sql: WEBHOOK_SCHEMA }],
  tables: {
    webhooks: { owner: 'settings' },
    run_webhooks: {},
    deliveries: {},
  },
  sweeps: [
    // Made by a run that named a URL, and no run that is not over names it.
    `DELETE FROM waybill.webhooks WHERE ctid = ANY (ARRAY(
       SELECT w.ctid FROM waybill.webhooks AS w
       WHERE w.from_run AND w.created_at < clock_timestamp() - interval '30 days'
         AND NOT EXISTS (SELECT FROM waybill.deliveries AS d WHERE d.org = w.org AND d.webhook = w.id)
         AND NOT EXISTS (SELECT FROM waybill.run_webhooks AS n JOIN waybill.progress AS p USING (org, run_id)
           WHERE n.org = w.org AND n.webhook = w.id AND p.phase NOT IN ('over', 'moved'))
       LIMIT ${SWEPT_ROWS}))`,
    `DELETE FROM waybill.deliveries WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM waybill.deliveries WHERE created_at < clock_timestamp() - interval '30 days'
         AND (state <> 'pending' OR due_at IS NULL) ORDER BY created_at LIMIT ${SWEPT_ROWS}))`,
  ],
}
