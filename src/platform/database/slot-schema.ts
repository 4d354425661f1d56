/**
 * Slots of agents: a worker that has lost its lease or a run gives back no slot of a run that continues, even before the
 * next worker has taken it over. The slot of a run that does not continue is released by `release_left_slots`.
 */
export const SLOT_SCHEMA = `
CREATE OR REPLACE FUNCTION waybill.release_slot(p_org text, p_agent text, p_run text, p_holder text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('waybill.slots ' || p_org, 0));
  DELETE FROM waybill.slots AS s WHERE s.org = p_org AND s.agent = p_agent AND s.run_id = p_run
    AND (s.holder = p_holder AND waybill.is_live(p_holder) AND NOT EXISTS (
        SELECT 1 FROM waybill.progress AS p WHERE p.org = p_org AND p.run_id = p_run
          AND p.phase IN ('queued', 'slot') AND p.holder IS DISTINCT FROM p_holder)
      OR s.holder IS NULL AND EXISTS (
        SELECT 1 FROM waybill.progress AS p WHERE p.org = p_org AND p.run_id = p_run AND p.holder = p_holder));
  PERFORM waybill.grant_slots(p_org, p_agent);
END $$;
`
