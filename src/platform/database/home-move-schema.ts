/**
 * Runs that move to and from machines without a server. A peer without a URL is such a machine: its place is named by the
 * thumbprints of its keys, and it fetches the states of runs itself.
 */
export const HOME_MOVE_SCHEMA = `
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
