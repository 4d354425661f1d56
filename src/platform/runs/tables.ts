import { SWEPT_ROWS, type Tables } from '../database/tables.ts'

export const RUN_TABLES: Tables = {
  steps: [],
  tables: {
    batches: { owner: 'who has started them', kept: 'named by runs, which are never removed by themselves' },
    texts: { left_out: 'they are repeated by the worker that continues the run' },
  },
  sweeps: [
    // A live worker removes its own texts.
    `DELETE FROM waybill.texts WHERE ctid = ANY (ARRAY(
       SELECT t.ctid FROM waybill.texts AS t
       LEFT JOIN waybill.progress AS p ON p.org = t.org AND p.run_id = t.run_id
       WHERE p.run_id IS NULL OR p.seq > t.seq AND (p.holder IS NULL OR NOT waybill.is_live(p.holder))
       LIMIT ${SWEPT_ROWS}))`,
  ],
}
