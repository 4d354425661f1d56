/**
 * Notices that the database was put back from an older copy. `installation` says which server and folder it is in; each
 * time that it is another one, its generation rises, and the runs that are active then are in `copied_runs` until they have
 * taken it in.
 */
export const GENERATION_SCHEMA = `
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
