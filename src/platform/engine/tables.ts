import { SWEPT_ROWS, type Tables } from '../database/tables.ts'

/**
 * Slots of agents: a worker that has lost its lease or a run gives back no slot of a run that continues, even before the
 * next worker has taken it over. The slot of a run that does not continue is released by `release_left_slots`.
 */
const SLOT_SCHEMA = `
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

export const ENGINE_TABLES: Tables = {
  steps: [{ n: 13, name: 'slots', sql: SLOT_SCHEMA }],
  tables: {
    slots: {
      left_out: 'runs take them again',
      kept: 'given back by runs; those that are left are released by the reconciler',
    },
    workers: { owner: 'processes', left_out: 'their leases end with their processes' },
    queues: {
      owner: 'names',
      left_out: 'they are named again when runs are queued',
      kept: 'one for each name of a queue in the definitions',
    },
    virtual_time: {
      owner: 'numbers',
      left_out: 'it belongs to the queue, which is filled again',
      kept: 'one row',
    },
    flows: {
      owner: 'numbers',
      left_out: 'they belong to the queue, which is filled again',
      kept: 'one for each priority of an organisation; removed when the queue is empty',
    },
    commands: {},
  },
  sweeps: [
    `DELETE FROM waybill.workers WHERE worker IN (
       SELECT worker FROM waybill.workers WHERE until < clock_timestamp() - interval '1 hour' LIMIT ${SWEPT_ROWS})`,
    // A worker died after it had recorded the end and before it removed them. They are of a turn that has ended.
    `DELETE FROM waybill.commands WHERE ctid = ANY (ARRAY(
       SELECT c.ctid FROM waybill.commands AS c LEFT JOIN waybill.progress AS p USING (org, run_id)
       WHERE c.at < clock_timestamp() - interval '1 minute'
         AND (p.run_id IS NULL OR p.phase IN ('over', 'moved') AND p.holder IS NULL) LIMIT ${SWEPT_ROWS}))`,
  ],
}
