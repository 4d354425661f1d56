import type { Tables } from '../database/tables.ts'

/** Stops: while one is active, the runs that it covers send nothing, and no new ones start. */
const STOP_SCHEMA = `
-- kind: 'run', 'agent', 'user' or 'organisation'; subject: which one.
CREATE TABLE waybill.stops (
  org text NOT NULL REFERENCES waybill.organisations, id text NOT NULL, kind text NOT NULL, subject text NOT NULL, by text NOT NULL,
  reason text, since timestamptz NOT NULL DEFAULT now(), lifted_at timestamptz, lifted_by text, PRIMARY KEY (org, id)
);
CREATE INDEX stops_active ON waybill.stops (org) WHERE lifted_at IS NULL;
-- The runs that a stop has parked, which continue when it is lifted. paused: it has paused them on record.
CREATE TABLE waybill.stopped_runs (
  org text NOT NULL, run_id text COLLATE "C" NOT NULL, stop text NOT NULL,
  paused boolean NOT NULL, PRIMARY KEY (org, run_id),
  FOREIGN KEY (org, run_id) REFERENCES waybill.runs ON DELETE CASCADE, FOREIGN KEY (org, stop) REFERENCES waybill.stops
);
CREATE INDEX stopped_runs_by_stop ON waybill.stopped_runs (org, stop);

-- Returns the oldest active stop that covers a run or one of its sub-agents, or null.
CREATE FUNCTION waybill.stop_of(p_org text, p_run text) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT s.id FROM waybill.stops AS s
  WHERE s.org = p_org AND s.lifted_at IS NULL AND (
    s.kind = 'organisation' OR (s.kind = 'run' AND s.subject = p_run)
    OR (s.kind = 'user' AND EXISTS (
      SELECT FROM waybill.runs AS r WHERE r.org = p_org AND r.run_id = p_run AND r.user_id = s.subject))
    OR (s.kind = 'agent' AND EXISTS (
      SELECT FROM waybill.runs AS r WHERE r.org = p_org AND (r.run_id = p_run OR r.root = p_run) AND r.agent_id = s.subject)))
  ORDER BY s.since LIMIT 1
$$;
REVOKE ALL ON FUNCTION waybill.stop_of FROM PUBLIC;
GRANT EXECUTE ON FUNCTION waybill.stop_of TO waybill_app, waybill_engine;
`

export const STOP_TABLES: Tables = {
  steps: [{ n: 3, name: 'stops', sql: STOP_SCHEMA }],
  tables: {
    stops: {
      owner: 'whom an operator has stopped; lifted ones of a user are removed with the user',
      kept: 'set by people; who has stopped what is part of the history',
    },
    stopped_runs: {},
  },
  erase: [
    `DELETE FROM waybill.stops WHERE org = $1 AND kind = 'user' AND subject = $2 AND lifted_at IS NOT NULL`,
  ],
}
