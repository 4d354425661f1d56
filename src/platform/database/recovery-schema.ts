/**
 * The engine's hints are idempotent: a run has at most one leg in the queue, however often it is queued, and a run that
 * takes a slot does not wake itself.
 */
export const RECOVERY_SCHEMA = `
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
