/** What receivers of moved runs say later: a receiver that was put back to before a move does not know the run. */
export const RECEIVER_SCHEMA = `
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
