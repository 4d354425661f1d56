import { SWEPT_ROWS, type Tables } from '../database/tables.ts'

export const AGENT_TABLES: Tables = {
  steps: [],
  tables: {
    agents: { owner: 'definitions', kept: 'definitions are never removed by themselves' },
    agent_versions: { owner: 'definitions' },
  },
  sweeps: [
    // A draft is kept as long as a run names it: the run is continued and repeated with it.
    `DELETE FROM waybill.agent_versions WHERE ctid = ANY (ARRAY(
       SELECT v.ctid FROM waybill.agent_versions AS v
       WHERE v.status = 'draft' AND v.created_at < clock_timestamp() - interval '24 hours'
         AND NOT EXISTS (SELECT FROM waybill.runs AS r WHERE r.org = v.org AND r.agent_id = v.agent_id AND r.version = v.version)
       LIMIT ${SWEPT_ROWS}))`,
  ],
}
