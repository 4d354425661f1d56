import { SWEPT_ROWS, type Tables } from '../database/tables.ts'

export const BUDGET_TABLES: Tables = {
  steps: [],
  tables: {
    spending: { owner: { kind: 'user', user: "CASE WHEN t.kind = 'user' THEN t.subject END" } },
  },
  sweeps: [
    // A period is a day or a month. The first condition uses the index, and is also true for the month in which the time began.
    `DELETE FROM waybill.spending WHERE ctid = ANY (ARRAY(
       SELECT s.ctid FROM waybill.spending AS s, to_char(now() AT TIME ZONE 'utc' - interval '400 days', 'YYYY-MM-DD') AS day
       WHERE s.period COLLATE "C" < day AND s.period COLLATE "C" < left(day, length(s.period))
       LIMIT ${SWEPT_ROWS}))`,
  ],
  erase: [`DELETE FROM waybill.spending WHERE org = $1 AND kind = 'user' AND subject = $2`],
}
