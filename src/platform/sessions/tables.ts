import { SWEPT_ROWS, type Tables } from '../database/tables.ts'

export const SESSION_TABLES: Tables = {
  steps: [],
  tables: {
    conversations: { kept: 'removed with its run, or by an erasure' },
    messages: { owner: { kind: 'session' } },
  },
  sweeps: [
    // Their content is in the record of the run. The row only recognises a repeated request, as long as its key is kept.
    `DELETE FROM waybill.messages WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM waybill.messages WHERE state = 'delivered' AND at < clock_timestamp() - interval '24 hours'
       ORDER BY at LIMIT ${SWEPT_ROWS}))`,
  ],
  erase: ['DELETE FROM waybill.conversations WHERE org = $1 AND user_id = $2'],
}
